"""The load cells: true to statics, and wrong in the ways that real ones are."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from companion.sensing.plan import Board, Point
from companion.sensing.streams import Flag, ScaleSample
from companion.twin.cells import (
    FULL_SCALE_COUNTS,
    CellTraits,
    ChipTraits,
    Scale,
    ScaleTraits,
    any_traits,
    plain_traits,
    share,
    stated,
)

_CORNERS: tuple[Point, ...] = ((15, 15), (235, 15), (235, 185), (15, 185))
_MS_US = 1000


def _samples(traits: ScaleTraits, loads: Sequence[tuple[float, float, float]], seed: int = 0) -> list[ScaleSample]:
    """What comes of a load (g, and where: mm) for each millisecond."""
    scale = Scale("south", traits, np.random.default_rng(seed))
    taken = (scale.feed(at * _MS_US, g, g * x, g * y) for at, (g, x, y) in enumerate(loads))
    return [sample for sample in taken if sample is not None]


def _grams(sample: ScaleSample, traits: ScaleTraits) -> list[float]:
    return [
        ((counts or 0) - cell.zero_counts) / cell.counts_per_g
        for counts, cell in zip(sample.counts, traits.cells, strict=True)
    ]


@pytest.mark.parametrize("cells", [1, 3, 4])
@pytest.mark.parametrize("place", [(125.0, 100.0), (20.0, 180.0), (200.0, 30.0)])
def test_the_cells_carry_the_load_and_its_moments(cells: int, place: Point) -> None:
    corners = _CORNERS[:cells]
    parts = [50 * (whole + x * place[0] + y * place[1]) for whole, x, y in share(corners)]
    assert sum(parts) == pytest.approx(50)
    if cells > 1:
        centre = [sum(part * at[axis] for part, at in zip(parts, corners, strict=True)) / 50 for axis in (0, 1)]
        assert centre == pytest.approx(place)


def test_a_steady_load_reads_true() -> None:
    traits = plain_traits(_CORNERS)
    last = _samples(traits, [(582.7, 60.0, 140.0)] * 1000)[-1]
    grams = _grams(last, traits)
    assert sum(grams) == pytest.approx(582.7, abs=0.1)
    centre = [sum(g * at[axis] for g, at in zip(grams, _CORNERS, strict=True)) / sum(grams) for axis in (0, 1)]
    assert centre == pytest.approx((60.0, 140.0), abs=0.5)


@pytest.mark.parametrize("rate", [10.0, 80.0, 92.7])
def test_the_chip_has_its_own_rate(rate: float) -> None:
    samples = _samples(plain_traits(_CORNERS, rate_sps=rate), [(10.0, 100.0, 100.0)] * 3000)
    assert len(samples) == pytest.approx(3 * rate, abs=1)
    gaps = np.diff([sample.t_us for sample in samples])
    assert gaps.mean() == pytest.approx(1e6 / rate, rel=0.001)


def test_a_step_rings_at_the_resonance_and_dies_away() -> None:
    quick = ScaleTraits(
        cells=(CellTraits(resonance_hz=70, damping=0.05),), at_mm=((0, 0),), chip=ChipTraits(rate_sps=1000)
    )
    trace = [_grams(s, quick)[0] for s in _samples(quick, [(0, 0, 0)] * 10 + [(100.0, 0, 0)] * 990)]
    assert max(trace) > 150
    assert trace[-1] == pytest.approx(100, abs=0.1)
    tops = [at for at in range(1, 200) if trace[at - 1] < trace[at] > trace[at + 1] and trace[at] > 101]
    assert np.mean(np.diff(tops)) == pytest.approx(1000 / 70, rel=0.05)


def test_an_impulse_is_kept_whole() -> None:
    """1.4 mN s are about 142 g ms, whatever the cell's ringing makes of them."""
    traits = plain_traits(((0, 0),))
    trace = [_grams(s, traits)[0] for s in _samples(traits, [(0, 0, 0)] * 100 + [(71.0, 0, 0)] * 2 + [(0, 0, 0)] * 900)]
    assert sum(trace) * 12.5 == pytest.approx(142, rel=0.1)
    assert max(trace) > 5


def test_noise_has_the_stated_size() -> None:
    traits = plain_traits(((0, 0),), noise_g=0.025)
    trace = [_grams(s, traits)[0] for s in _samples(traits, [(20.0, 0, 0)] * 10_000)]
    assert np.std(trace) == pytest.approx(0.025, rel=0.1)


def test_creep_follows_a_load_slowly() -> None:
    cell = CellTraits(creep=0.002, creep_s=2.0)
    traits = ScaleTraits(cells=(cell,), at_mm=((0, 0),))
    trace = [_grams(s, traits)[0] for s in _samples(traits, [(0, 0, 0)] * 100 + [(500.0, 0, 0)] * 12_000)]
    assert trace[60] < 500.35
    assert trace[-1] == pytest.approx(501, abs=0.05)


def test_a_cold_start_drifts() -> None:
    cell = CellTraits(drift_g=0.3, drift_s=3.0)
    traits = ScaleTraits(cells=(cell,), at_mm=((0, 0),))
    trace = [_grams(s, traits)[0] for s in _samples(traits, [(0, 0, 0)] * 15_000)]
    assert trace[0] == pytest.approx(0, abs=0.01)
    assert trace[-1] == pytest.approx(0.3, abs=0.01)


def test_glitches_are_powers_of_two_less_one_or_the_neighbours() -> None:
    traits = ScaleTraits(
        cells=tuple(CellTraits(zero_counts=1000.0 * number) for number in range(4)),
        at_mm=_CORNERS,
        chip=ChipTraits(glitch_share=0.06),
    )
    samples = _samples(traits, [(0, 0, 0)] * 8_000)
    odd = [(n, c) for s in samples for n, c in enumerate(s.counts) if c is not None and c != 1000 * n]
    assert 0.03 < len(odd) / (4 * len(samples)) < 0.09
    for number, counts in odd:
        assert counts == 1000 * ((number + 1) % 4) or math.log2(counts + 1).is_integer()


def test_a_dead_cell_says_nothing_and_the_module_says_so() -> None:
    cells = (CellTraits(), CellTraits(dead=True), CellTraits(), CellTraits())
    sample = _samples(ScaleTraits(cells=cells, at_mm=_CORNERS), [(10, 100, 100)] * 200)[-1]
    assert sample.counts[1] is None
    assert sample.counts[0] is not None
    assert Flag.TIMEOUT in sample.flags


def test_too_much_saturates() -> None:
    sample = _samples(plain_traits(((0, 0),)), [(90_000.0, 0, 0)] * 200)[-1]
    assert sample.counts == (FULL_SCALE_COUNTS,)
    assert Flag.SATURATED in sample.flags


def test_the_first_samples_are_settling() -> None:
    flags = [sample.flags for sample in _samples(plain_traits(_CORNERS), [(0, 0, 0)] * 200)]
    assert flags[0] == Flag.SETTLING
    assert flags[-1] == Flag(0)


def test_the_same_seed_gives_the_same_samples() -> None:
    traits = any_traits(_CORNERS, np.random.default_rng(5))
    loads = [(10.0 + at % 7, 100.0, 90.0) for at in range(1500)]
    assert _samples(traits, loads, 1) == _samples(traits, loads, 1)
    assert _samples(traits, loads, 1) != _samples(traits, loads, 2)


def test_a_calibration_is_true_to_about_a_percent() -> None:
    board = Board(id="south", size_mm=(250, 200))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        traits = any_traits(_CORNERS, rng)
        for cell, true in zip(stated(board, traits, rng), traits.cells, strict=True):
            assert cell.counts_per_g == pytest.approx(true.counts_per_g, rel=0.02)
    exact = stated(board, traits)
    assert [cell.counts_per_g for cell in exact] == pytest.approx(
        [cell.counts_per_g for cell in traits.cells], rel=1e-5
    )
