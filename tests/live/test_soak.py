"""A recording played over and over as a live table, and what a soak says of it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.errors import DeviceLost
from companion.live import soak as soaking
from companion.live.looped import LoopedTable
from companion.live.soak import Look, SoakReport, soak
from companion.sensing.plan import Camera, Plan
from companion.sensing.recording import Recording, RecordingWriter
from companion.sensing.streams import Frame
from companion.twin.forces import Chip, Forces, sensed
from tests.sensing.forces import LEFT, MIDDLE, board, plan


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    """Eight seconds in which a tile is placed, with pictures of nothing in particular."""
    forces, chance = Forces(8.0), np.random.default_rng(2)
    forces.rest(0.0, 30.0, LEFT)
    forces.place(4.0, 6.5, MIDDLE)
    with RecordingWriter(tmp_path / "recording", _plan(), film="avi") as writer:
        for sample in sensed(forces, board("north"), Chip(noise_g=0.02), start_us=0):
            writer.add_sample(sample)
        for number in range(200):
            writer.add_frame(Frame(number * 40_000, number, chance.integers(80, 120, (48, 64, 3), np.uint8)))
    return Recording.open(tmp_path / "recording")


def _plan() -> Plan:
    return msgspec.structs.replace(plan((board("north"),)), camera=Camera(64, 48, 25.0))


class _Clock:
    now_us = 5_000_000

    def __call__(self) -> int:
        return self.now_us


def test_a_lap_follows_the_other_with_a_pause_between_and_time_never_goes_back(recording: Recording) -> None:
    clock = _Clock()
    table = LoopedTable(recording, clock, width_px=32, fps=10.0)
    times, pictures = [], 0
    for _ in range(2400):
        clock.now_us += 10_000
        times += [sample.t_us for sample in table.samples()]
        frame = table.newest()
        if frame is not None:
            pictures += 1
            assert frame.image.shape == (24, 32, 3)
            assert frame.t_us <= clock.now_us
    assert table.laps == 2
    assert times == sorted(times)
    assert max(after - before for before, after in pairwise(times)) > 3_900_000
    assert 130 <= pictures <= 140
    with pytest.raises(DeviceLost):
        table.hand("knock left")


def test_a_soak_senses_every_lap_and_stays_as_it_was(recording: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soaking, "_WARM_S", 6.0)
    monkeypatch.setattr(soaking, "_RECORD_EVERY_S", 20.0)
    monkeypatch.setattr(soaking, "_RECORD_FROM_S", 8.0)
    monkeypatch.setattr(soaking, "_RECORD_FOR_S", 4.0)
    told: list[Look] = []
    report = soak(recording, 35.0 / 3600, told.append)
    assert [round(look.table_s) for look in told] == [0, 6, 35]
    assert report.events["placed"] == 3
    assert report.laps == 3
    assert report.counts["mended"] == 0
    assert told[-1].files == told[1].files
    assert report.flat


@pytest.mark.parametrize(
    ("last", "mended", "flat"),
    [
        (Look(60.0, 105.0, 7, 1), 0, True),
        (Look(60.0, 190.0, 7, 1), 0, False),
        (Look(60.0, 105.0, 9, 1), 0, False),
        (Look(60.0, 105.0, 7, 3), 0, False),
        (Look(60.0, 105.0, 7, 1), 2, False),
    ],
)
def test_what_grows_is_not_flat(last: Look, mended: int, flat: bool) -> None:
    looks = (Look(0.0, 50.0, 7, 1), Look(30.0, 100.0, 7, 1), last)
    assert SoakReport(looks=looks, events={}, counts={"mended": mended}, took_s=1.0, laps=1).flat is flat
