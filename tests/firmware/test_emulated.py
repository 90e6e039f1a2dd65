"""The real AVR program on emulated chips: every count against what they had, and every fault of a chip or a wire."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from companion.devices.scales.messages import Ack, Boot, Hello, Message, Pong, Result, Round, Status, Type, read
from companion.devices.scales.wire import Decoder, frame
from companion.sensing.streams import Flag
from tests.firmware.emulated import Emulator

_LOWEST, _HIGHEST = -(1 << 23), (1 << 23) - 1
_EDGES = (_LOWEST, _LOWEST + 1, -2, -1, 0, 1, 2, 255, 256, 0x00FFFF, 0x010000, -0x010000, _HIGHEST - 1, _HIGHEST)
_QUICK = 10.0
"""Chips at 800 conversions a second: more readings in less of everybody's time."""


def messages(board: Emulator) -> list[Message]:
    """What the module has said since the last look, all of it whole and none of it lost."""
    decoder = Decoder(begins=Type.BOOT)
    found = [read(packet) for packet in decoder.feed(board.received())]
    assert (decoder.bad, decoder.lost) == (0, 0)
    return [message for message in found if message is not None]


def rounds(board: Emulator) -> list[Round]:
    return [message for message in messages(board) if isinstance(message, Round)]


def statuses(board: Emulator) -> list[Status]:
    return [message for message in messages(board) if isinstance(message, Status)]


def stream(board: Emulator, seconds: float = 0.1) -> None:
    """Has the module stream, and lets its chips settle."""
    board.send(b"\0" + frame(Type.STREAM, b"\1"))
    board.run(seconds)


def counted(said: list[Round], chip: int) -> list[int]:
    return [counts for one in said if (counts := one.counts[chip]) is not None]


def read_counts(board: Emulator, chip: int) -> list[int]:
    return [each.counts for each in board.truth() if each.chip == chip and each.fate == "read"]


def mixed_counts(n: int, seed: int) -> list[int]:
    draw = random.Random(seed)
    return [draw.choice(_EDGES) if draw.random() < 0.25 else draw.randint(_LOWEST, _HIGHEST) for _ in range(n)]


def test_it_says_boot_and_hello_and_answers(board: Emulator) -> None:
    boot, hello = messages(board)
    assert isinstance(boot, Boot)
    assert boot.cause == 1
    assert isinstance(hello, Hello)
    assert (hello.major, hello.channels) == (1, 4)
    board.send(b"\0" + frame(Type.PING, b"\1\2\3\4", 1) + frame(Type.STREAM, b"\1", 2) + frame(0x99, b"", 3))
    board.run(0.01)
    pong, *acks = messages(board)
    assert isinstance(pong, Pong)
    assert pong.nonce == 0x04030201
    assert 0 < pong.t_tx_us - pong.t_rx_us < 1500
    assert acks == [Ack(Type.STREAM, 2, Result.DONE), Ack(0x99, 3, Result.UNKNOWN)]


def test_every_count_is_what_the_chip_had(board: Emulator) -> None:
    for chip in range(4):
        board.trace(chip, mixed_counts(2000, chip), loop=True)
    board.send(b"\0" + frame(Type.STREAM, b"\1"))
    board.oscillator(None, _QUICK)
    board.run(2.5)
    said = rounds(board)
    samples = 0
    for chip in range(4):
        seen, had = counted(said, chip), read_counts(board, chip)
        assert seen == had[: len(seen)]
        assert len(had) - len(seen) <= 1
        assert {*_EDGES} <= {*seen}
        samples += len(seen)
    assert samples > 7_000
    for one in said:
        assert bool(one.flags & Flag.SATURATED) == bool({_LOWEST, _HIGHEST} & {*one.counts})
    for chip in board.stats()["chips"]:
        assert (chip["missed"], chip["torn"]) == (0, 0)
        assert chip["longest_pulse_us"] < 5


def test_oscillators_that_differ_lap_each_other_and_lose_nothing(board: Emulator) -> None:
    for chip, factor in enumerate((1.16, 1.02, 0.9, 1.1)):
        board.oscillator(chip, factor)
        board.trace(chip, range(chip * 100_000, chip * 100_000 + 1000))
    stream(board, 3)
    said = rounds(board)
    for chip in range(4):
        seen, had = counted(said, chip), read_counts(board, chip)
        assert seen == had[: len(seen)]
        assert len(had) - len(seen) <= 1
    assert {one.counts[0] is None for one in said} == {True, False} or {one.mask for one in said} != {15}
    assert all(one.flags in (Flag(0), Flag.SETTLING) for one in said)


def test_times_are_those_of_the_first_chip_of_a_round(start: Callable[..., Emulator]) -> None:
    board = start(chips=1)
    board.run(0.02)
    stream(board, 2)
    said = rounds(board)
    ready = [each.t_us for each in board.truth()]
    late_us = [one.t_us - at for one, at in zip(said, ready, strict=True)]
    assert max(late_us) - min(late_us) < 250
    assert all(one.mask == 1 for one in said)


def test_at_ten_a_second(board: Emulator) -> None:
    stream(board)
    board.send(frame(Type.SET_RATE, bytes([10])))
    board.run(2)
    said = rounds(board)[-12:]
    assert all(80_000 < after.t_us - before.t_us < 120_000 for before, after in pairwise(said))
    assert not any(one.flags & Flag.TIMEOUT for one in said)


def test_the_gain_can_be_halved(board: Emulator) -> None:
    board.set(None, 10_000)
    stream(board)
    board.send(frame(Type.SET_GAIN, bytes([64])))
    board.run(0.5)
    last = rounds(board)[-1]
    assert (last.counts, last.flags) == ((5000,) * 4, Flag(0))


def test_a_dead_chip_is_said_latched_and_comes_back(board: Emulator) -> None:
    board.set(None, 777)
    stream(board)
    messages(board)
    board.dead(2)
    board.run(1.5)
    said = messages(board)
    told = [one for one in said if isinstance(one, Round)]
    assert 1 <= sum(bool(one.flags & Flag.TIMEOUT) for one in told) <= 4
    assert sum(one.mask == 0b1011 for one in told) > 100
    status = [one for one in said if isinstance(one, Status)][-1]
    assert (status.expected, status.alive, status.faults[2]) == (0b1111, 0b1011, Flag.TIMEOUT)
    board.dead(2, False)
    board.run(1.5)
    assert rounds(board)[-1].counts == (777,) * 4


def test_one_chip_alone_and_three_empty_places(start: Callable[..., Emulator]) -> None:
    board = start(chips=1)
    board.run(0.02)
    stream(board, 1.2)
    said = messages(board)
    assert {one.mask for one in said if isinstance(one, Round)} == {1}
    status = [one for one in said if isinstance(one, Status)][-1]
    assert (status.expected, status.alive, status.timeouts) == (1, 1, 0)


def test_a_channel_that_should_answer_and_never_did(start: Callable[..., Emulator]) -> None:
    board = start(chips=1)
    board.run(0.02)
    board.send(b"\0" + frame(Type.SET_CHANNELS, b"\3"))
    stream(board, 1.2)
    status = [one for one in messages(board) if isinstance(one, Status)][-1]
    assert (status.expected, status.alive, status.faults[1]) == (3, 1, Flag.TIMEOUT)


@pytest.mark.parametrize("pulse", [1, 12, 24])
def test_a_chip_out_of_step_is_noticed_and_brought_back(board: Emulator, pulse: int) -> None:
    board.set(None, 0x123456)
    stream(board)
    messages(board)
    board.miss_pulse(1, pulse)
    board.run(1.0)
    said = messages(board)
    told = [one for one in said if isinstance(one, Round)]
    assert [one.counts[1] for one in told if one.flags & Flag.DESYNC] == [None]
    assert {*counted(told, 1)} == {0x123456}
    assert told[-1].counts == (0x123456,) * 4
    board.run(1.0)
    assert statuses(board)[-1].desyncs == 1


def test_out_of_step_with_an_odd_count_costs_a_timeout_at_most(board: Emulator) -> None:
    """The data line stays high as it should: only the silence that follows tells."""
    board.set(None, 0x123455)
    stream(board)
    messages(board)
    board.miss_pulse(1)
    board.run(1.5)
    said = rounds(board)
    assert any(one.flags & Flag.TIMEOUT for one in said)
    assert said[-1].counts == (0x123455,) * 4


def test_a_shorted_data_line_is_no_flood(board: Emulator) -> None:
    stream(board)
    messages(board)
    board.stuck(3)
    board.run(1.0)
    told = rounds(board)
    assert len(told) < 120
    assert any(one.flags & Flag.DESYNC for one in told)
    board.stuck(3, False)
    board.set(None, 5)
    board.run(1.5)
    assert rounds(board)[-1].counts == (5,) * 4


def test_glitches_of_the_chip_are_passed_on_as_they_are(board: Emulator) -> None:
    board.set(None, 1000)
    board.glitch(0, 10)
    stream(board, 1.0)
    seen = counted(rounds(board), 0)
    assert seen == read_counts(board, 0)[: len(seen)]
    glitches = [value for value in seen if value != 1000]
    assert len(seen) // 12 <= len(glitches) <= len(seen) // 8
    assert all((value + 1) & value == 0 for value in glitches)


@pytest.mark.parametrize("after_bytes", [1, 7, 16, 24, 25])
def test_a_reset_in_the_middle_of_a_frame_loses_that_frame_only(board: Emulator, after_bytes: int) -> None:
    stream(board)
    messages(board)
    board.reset(after_bytes=after_bytes)
    board.run(0.5)
    decoder = Decoder(begins=Type.BOOT)
    said = [read(packet) for packet in decoder.feed(board.received())]
    assert decoder.bad <= 1
    assert [one.cause for one in said if isinstance(one, Boot)] == [2]
    stream(board, 0.3)
    assert rounds(board)[-1].mask == 0b1111


def test_a_reset_in_the_middle_of_a_reading_leaves_no_chip_out_of_step(start: Callable[..., Emulator]) -> None:
    board = start(chips=2)
    board.set(None, 0x2AAAAA)
    board.oscillator(None, 2.0)
    board.run(0.1)
    for step in range(12):
        board.run(0.00608 + step * 0.00001)
        board.reset()
        board.run(0.02)
        stream(board)
    board.run(0.1)
    decoder = Decoder(begins=Type.BOOT)
    said = [read(packet) for packet in decoder.feed(board.received())]
    assert {counts for one in said if isinstance(one, Round) for counts in one.counts} == {0x2AAAAA, None}


def test_a_hang_is_ended_by_the_watchdog(board: Emulator) -> None:
    stream(board)
    messages(board)
    board.hang()
    board.run(1.0)
    said = [read(packet) for packet in Decoder().feed(board.received())]
    assert [one.cause for one in said if isinstance(one, Boot)] == [8]
    stream(board, 0.3)
    assert rounds(board)


def test_id_outlives_the_plug(board: Emulator) -> None:
    board.send(b"\0" + frame(Type.SET_ID, b"west".ljust(12, b"\0")))
    board.run(0.2)
    board.unplug()
    assert not board.port.exists()
    board.run(0.5)
    board.replug()
    board.run(0.1)
    boot, hello = messages(board)
    assert isinstance(boot, Boot)
    assert boot.cause == 1
    assert isinstance(hello, Hello)
    assert hello.id == "west"


@pytest.mark.parametrize("harm", ["drop_every", "flip_every"])
def test_harmed_bytes_cost_counted_frames_and_no_wrong_count(board: Emulator, harm: str) -> None:
    for chip in range(4):
        board.trace(chip, mixed_counts(2000, chip), loop=True)
    stream(board)
    messages(board)
    before = [len(read_counts(board, chip)) for chip in range(4)]
    getattr(board, harm)(501)
    board.oscillator(None, _QUICK)
    board.run(1.0)
    decoder = Decoder(begins=Type.BOOT)
    said = [one for packet in decoder.feed(board.received()) if isinstance(one := read(packet), Round)]
    lines = board.stats()["to_pi"]
    assert lines["dropped"] + lines["flipped"] > 20
    assert decoder.lost > 20
    for chip in range(4):
        had = iter(read_counts(board, chip)[max(before[chip] - 2, 0) :])
        assert all(counts in had for counts in counted(said, chip))


def test_noise_on_the_way_in_is_counted_and_harmless(board: Emulator) -> None:
    noise = random.Random(3)
    for _ in range(20):
        board.send(bytes(noise.randrange(256) for _ in range(100)))
        board.run(0.01)
    board.send(b"\0\0")
    board.run(0.5)
    board.received()
    board.send(b"\0" + frame(Type.ASK_HELLO))
    board.run(0.02)
    assert any(isinstance(one, Hello) for one in messages(board))
    board.run(1.0)
    assert statuses(board)[-1].rx_bad > 5


def test_a_flood_of_commands_keeps_no_chip_waiting(board: Emulator) -> None:
    stream(board)
    messages(board)
    for _ in range(20):
        board.send(frame(Type.ASK_HELLO) * 250)
        board.run(0.05)
    status = statuses(board)[-1]
    assert status.rx_bad > 100
    assert status.late == 0
    assert status.worst_loop_us < 4000
    assert {(chip["missed"], chip["torn"]) for chip in board.stats()["chips"]} == {(0, 0)}


def test_a_question_mark_brings_text(board: Emulator) -> None:
    messages(board)
    board.send(b"?")
    board.run(0.1)
    assert "channels N" in board.received().decode()
    board.set(None, -42)
    board.run(0.2)
    board.send(b"read\r")
    board.run(0.1)
    assert board.received().decode().rstrip().endswith(",0,-42,-42,-42,-42")
    board.send(b"\0" + frame(Type.ASK_HELLO))
    board.run(0.02)
    assert [type(one) for one in messages(board)] == [Hello]


def test_real_time_and_standing_still(start: Callable[..., Emulator]) -> None:
    board = start(chips=1, speed=1.0)
    before = board.stats()["t_us"]
    while board.stats()["t_us"] < before + 30_000:
        pass
    board.stop()
    held = board.stats()["t_us"]
    assert board.stats()["t_us"] == held
    board.go(0.0)
    while board.stats()["t_us"] < held + 200_000:
        pass


def test_the_emulator_says_what_it_does_not_understand(board: Emulator) -> None:
    with pytest.raises(ValueError, match="no such chip"):
        board.set(4, 0)
    with pytest.raises(ValueError, match="no such command"):
        board._command("dance")
