"""Rehearsals: short evenings made up from a seed, each felt by several scales."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

import numpy as np
import pytest

from companion.twin.rehearsals import SCALES, Reading, felt_by, rehearsal, script

SEED = 16  # a tile is dropped on the board


@pytest.fixture(scope="module")
def readings() -> list[Reading]:
    return list(rehearsal(SEED))


def test_a_seed_is_a_script_of_its_own() -> None:
    assert script(3) == script(3)
    assert script(3) != script(4)
    assert script(3) != script(3, again=1)


def test_scripts_can_be_played_whatever_the_seed() -> None:
    acts = {step.act for seed in range(200) for step in script(seed).steps}
    assert {"knock", "place", "drop on board", "remove", "bump", "store", "clear", "wait"} <= acts


def test_every_kind_of_scale_feels_the_same_evening(readings: list[Reading]) -> None:
    assert len(readings) == len(SCALES)
    assert [len(reading.plan.boards[0].cells) == 1 for reading in readings] == [each.single for each in SCALES]
    for scale, reading in zip(SCALES, readings, strict=True):
        gap_us = median(after.t_us - before.t_us for before, after in pairwise(reading.samples))
        assert min(scale.rates_sps) * 0.95 < 1e6 / gap_us < max(scale.rates_sps) * 1.05
    assert len({tuple(reading.falls) for reading in readings}) == 1


def test_what_falls_is_told_with_its_time(readings: list[Reading]) -> None:
    reading = readings[0]
    (fall,) = reading.falls
    assert reading.samples[0].t_us < fall.t_us < reading.samples[-1].t_us
    rest_g, after_g = (_grams(reading, at_us) for at_us in (fall.t_us - 600_000, reading.samples[-1].t_us))
    assert after_g - rest_g > 3.0


def test_the_same_scale_feels_the_same(readings: list[Reading]) -> None:
    again = next(rehearsal(SEED))
    assert again.samples == readings[0].samples


def _grams(reading: Reading, t_us: int) -> float:
    """What lay there in the half second before, by most of the samples."""
    samples = [each for each in reading.samples if t_us - 500_000 < each.t_us <= t_us]
    cells = reading.plan.boards[0].cells
    known = [each.counts for each in samples if None not in each.counts]
    sums = [
        sum(
            ((count or 0) - cell.zero_counts) / (cell.counts_per_g or 1.0)
            for count, cell in zip(each, cells, strict=True)
        )
        for each in known
    ]
    return median(sums)


def test_scales_differ_by_their_luck(readings: list[Reading]) -> None:
    load = np.tile((50.0, 5000.0, 4000.0), (3000, 1))
    plans = [felt_by(SCALES[0], load, readings[0].plan, seed)[0] for seed in (1, 2)]
    assert plans[0].boards[0].cells[0].counts_per_g != plans[1].boards[0].cells[0].counts_per_g
