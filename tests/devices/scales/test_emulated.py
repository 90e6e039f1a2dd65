"""End to end: the real AVR binary in the emulator, over a pty, through the real driver."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from companion.devices.scales.messages import FULL_SCALE, Result, Type, id_payload
from companion.sensing.streams import Flag, ScaleSample
from tests.devices.scales.emulation import Bench
from tests.firmware.emulated import Emulator, missing

pytestmark = pytest.mark.skipif(missing() is not None, reason=missing() or "")

_CHIPS = 4
_EDGES = (0, 1, -1, 127, 128, 255, 256, -256, 32767, 32768, 65535, 65536, -65536, FULL_SCALE[0] + 1, FULL_SCALE[1] - 1)
_FAST = 10.0
"""So much faster than a real chip: more readings in less time."""
_FINE_S = 0.002
_MOST_ON_THE_WAY = 100
"""Readings at the very end that the pty may still hold."""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(Emulator.start(tmp_path, chips=_CHIPS))
    made.board.set(None, 1000)
    yield made
    made.close()


@pytest.fixture
def ready(bench: Bench) -> Bench:
    """A bench whose module streams."""
    bench.run(1.2)
    assert bench.report().state == "ready"
    assert len(bench.samples) > 50
    return bench


def _mixed(seed: int, number: int) -> list[int]:
    """Edge values among values that no other reading has."""
    chance = random.Random(seed)
    return [
        chance.choice(_EDGES) if at % 4 == 0 else chance.randrange(-(1 << 23) + 1, (1 << 23) - 1)
        for at in range(number)
    ]


def _play_fast(bench: Bench, number: int) -> None:
    for chip in range(_CHIPS):
        bench.board.trace(chip, _mixed(chip, number), loop=True)
        bench.board.oscillator(chip, _FAST * (1 + chip / 500))


def _readings(samples: list[ScaleSample], channel: int) -> list[int]:
    return [count for sample in samples if (count := sample.counts[channel]) is not None]


def _true_readings(bench: Bench) -> list[list[int]]:
    """What each chip really gave."""
    given: list[list[int]] = [[] for _ in range(_CHIPS)]
    for each in bench.board.truth():
        if each.fate == "read":
            given[each.chip].append(each.counts)
    return given


def _newest(samples: list[ScaleSample]) -> tuple[int, ...]:
    """The last reading of each channel, which a slow one may have left out of the last round."""
    return tuple(_readings(samples[-3:], channel)[-1] for channel in range(_CHIPS))


def test_100_000_readings_and_none_is_wrong(ready: Bench) -> None:
    _play_fast(ready, 5003)
    ready.run(31.5)
    right = 0
    for channel, true in enumerate(_true_readings(ready)):
        got = _readings(ready.samples, channel)
        on_the_way = range(_MOST_ON_THE_WAY)
        assert any(true[-len(got) - late : len(true) - late] == got for late in on_the_way)
        right += len(got)
    assert right > 100_000
    assert ready.report().counts.lost == 0
    assert ready.report().counts.bad == 0
    assert ready.notices == []


@pytest.mark.parametrize("flip", [False, True])
def test_every_501st_byte_broken_and_no_reading_is_wrong(ready: Bench, flip: bool) -> None:
    _play_fast(ready, 4001)
    (ready.board.flip_every if flip else ready.board.drop_every)(501)
    ready.run(3)
    (ready.board.flip_every if flip else ready.board.drop_every)(0)
    ready.run(0.2)
    counts = ready.report().counts
    gone = 0
    for channel, true in enumerate(_true_readings(ready)):
        got, rest = _readings(ready.samples, channel), iter(true)
        assert all(reading in rest for reading in got)
        gone = max(gone, len(true) - len(got) - len(list(rest)))  # what is still on its way is not gone
    stats = ready.board.stats()["to_pi"]
    spoilt = stats["dropped"] + stats["flipped"]
    assert spoilt > 100
    assert 0.9 * spoilt < counts.lost <= 2 * spoilt
    assert gone - _unstreamed(ready) <= counts.lost
    assert "Frames get lost on the way" in ready.told("losses")[0]


def _unstreamed(bench: Bench) -> int:
    """Readings from before anybody asked for them, and of the round that is still open."""
    first_us = bench.samples[0].t_us
    return sum(each.chip == 0 and each.t_us < first_us + 20_000 for each in bench.board.truth()) + 2


def test_times_follow_the_chips(bench: Bench) -> None:
    bench.board.oscillator(None, 1.16)
    bench.run(2, _FINE_S)
    samples = bench.run(2, _FINE_S)
    steps = [after.t_us - before.t_us for before, after in pairwise(samples)]
    assert sum(abs(step - 12_500 / 1.16) < 100 for step in steps) > 0.95 * len(steps)
    assert bench.report().rate_hz == pytest.approx(80 * 1.16, rel=0.003)


def test_a_dead_chip_is_told_and_comes_back(ready: Bench) -> None:
    ready.board.dead(2)
    samples = ready.run(2.4)
    assert samples[-1].counts[2] is None
    assert samples[-1].counts[0] == 1000
    assert any(sample.flags & Flag.TIMEOUT for sample in samples)
    assert "Cell c2 gives nothing" in ready.report().says[0]
    ready.board.dead(2, False)
    samples = ready.run(2.4)
    assert _newest(samples) == (1000,) * 4
    assert ready.told("dead")[-1] == "Cell c2 answers again."


def test_saturation_is_told_and_gets_over(ready: Bench) -> None:
    ready.board.set(1, FULL_SCALE[0])
    samples = ready.run(0.5)
    assert samples[-1].counts[1] == FULL_SCALE[0]
    assert samples[-1].flags & Flag.SATURATED
    assert "Cell c1 is at the end of its range" in ready.report().says[0]
    ready.board.set(1, 5)
    assert ready.run(2.6)[-1].counts[1] == 5
    assert ready.told("saturated")[-1] == "Cell c1 measures again."


def test_a_chip_that_loses_step_is_told_and_set_right(ready: Bench) -> None:
    ready.board.miss_pulse(0)
    samples = ready.run(1)
    assert any(sample.flags & Flag.DESYNC for sample in samples)
    assert {count for sample in samples for count in sample.counts} <= {1000, None}
    assert "lost step" in ready.report().says[0]
    samples = ready.run(2)
    assert _newest(samples) == (1000,) * 4
    assert ready.told("desync")[-1] == "All chips are in step again."


def test_a_reset_in_the_middle_of_a_frame_is_told_and_taken(ready: Bench) -> None:
    ready.board.reset(after_bytes=33)
    samples = ready.run(2.4)
    assert ready.told("restarted") == ["The module started anew: its port was opened."]
    assert len(samples) > 100
    assert all(count in (1000, None) for sample in samples for count in sample.counts)
    assert ready.report().state == "ready"


def test_a_program_that_hangs_is_told_and_taken_up(ready: Bench) -> None:
    ready.board.hang()
    samples = ready.run(3.5)
    assert ready.told("restarted") == ["The module started anew: its program had hung."]
    assert _newest(samples) == (1000,) * 4


def test_unplugged_and_plugged_in_again(ready: Bench) -> None:
    ready.board.unplug()
    assert ready.run(1.2) == []
    assert ready.report().state == "lost"
    ready.board.replug()
    samples = ready.run(3)
    assert _newest(samples) == (1000,) * 4
    says = ready.told("unplugged")
    assert says[0].startswith("The module was unplugged")
    assert says[1].startswith("The module is back")
    assert all(before.t_us < after.t_us for before, after in pairwise(ready.samples))


def test_commands_are_taken_and_kept(ready: Bench) -> None:
    port = ready.report().name
    answers = [
        ready.scales.command(port, Type.SET_ID, id_payload("north")),
        ready.scales.command(port, Type.SET_RATE, bytes((10,))),
    ]
    ready.run(4)
    assert [answer() for answer in answers] == [Result.DONE, Result.DONE]
    assert ready.report().rate_hz == pytest.approx(11.6, rel=0.02)
    ready.board.unplug()
    ready.run(1)
    ready.board.replug()
    ready.run(2)
    assert [report.name for report in ready.scales.modules() if report.state == "ready"] == ["north"]
