"""Rehearsals: short evenings made up from a seed, each felt by several scales."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

import numpy as np
import pytest

from companion.errors import Malformed
from companion.sensing.scales.site import Site
from companion.twin import rehearsals
from companion.twin.episode import Episode
from companion.twin.rehearsals import KINDS, Reading, felt_by, rehearsal, script
from companion.twin.scenario import Scenario

SEED = 78  # a tile is dropped on the board


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
    assert len(readings) == len(KINDS)
    assert [len(reading.plan.boards[0].cells) == 1 for reading in readings] == [each.single for each in KINDS]
    for scale, reading in zip(KINDS, readings, strict=True):
        gap_us = median(after.t_us - before.t_us for before, after in pairwise(reading.samples))
        assert min(scale.rates_sps) * 0.95 < 1e6 / gap_us < max(scale.rates_sps) * 1.05
    assert len({tuple(reading.falls) for reading in readings}) == 1


def test_what_falls_is_told_with_its_time(readings: list[Reading]) -> None:
    reading = readings[0]
    (fall,) = reading.falls
    assert reading.samples[0].t_us < fall.t_us < reading.samples[-1].t_us
    rest_g, after_g = (_grams(reading, at_us) for at_us in (fall.t_us - 600_000, reading.samples[-1].t_us))
    assert after_g - rest_g > 3.0


def test_the_load_of_a_piece_lies_where_the_piece_does(readings: list[Reading]) -> None:
    reading = readings[1]
    (fall,) = reading.falls
    before, after = (_settled(reading, t_us) for t_us in (fall.t_us - 600_000, reading.samples[-1].t_us))
    cells = reading.plan.boards[0].cells
    gained = [
        (late - early) / (cell.counts_per_g or 1.0) for early, late, cell in zip(before, after, cells, strict=True)
    ]
    x, y = (
        sum(g * (cell.at_mm or (0, 0))[axis] for g, cell in zip(gained, cells, strict=True)) / sum(gained)
        for axis in (0, 1)
    )
    width, depth = reading.plan.boards[0].size_mm
    assert 0 < x < width
    assert 0 < y < depth
    site = Site(reading.plan, reading.plan.boards[0])
    assert site.beside_mm((x, y)) > 0


def test_a_rehearsal_whose_castles_do_not_stand_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Scenario] = []

    def falls_down(scenario: Scenario, seed: int) -> Episode:
        tried.append(scenario)
        raise Malformed("It falls down.")

    monkeypatch.setattr(rehearsals, "Episode", falls_down)
    assert list(rehearsal(SEED)) == []
    assert len(set(map(repr, tried))) > 1


def test_the_same_scale_feels_the_same(readings: list[Reading]) -> None:
    again = next(rehearsal(SEED))
    assert again.samples == readings[0].samples


def _settled(reading: Reading, t_us: int) -> list[float]:
    """What each cell mostly said in the half second before."""
    samples = [each for each in reading.samples if t_us - 500_000 < each.t_us <= t_us]
    return [
        median(count for count in counts if count is not None)
        for counts in zip(*(each.counts for each in samples), strict=True)
    ]


def _grams(reading: Reading, t_us: int) -> float:
    """What lay there then."""
    cells = zip(_settled(reading, t_us), reading.plan.boards[0].cells, strict=True)
    return sum((count - cell.zero_counts) / (cell.counts_per_g or 1.0) for count, cell in cells)


def test_scales_differ_by_their_luck(readings: list[Reading]) -> None:
    load = np.tile((50.0, 5000.0, 4000.0), (3000, 1))
    plans = [felt_by(KINDS[0], load, readings[0].plan, seed)[0] for seed in (1, 2)]
    assert plans[0].boards[0].cells[0].counts_per_g != plans[1].boards[0].cells[0].counts_per_g
