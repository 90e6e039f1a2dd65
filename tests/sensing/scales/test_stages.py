"""The stages alone: glitches go, loads stay; cells become force and place; noise is learned; steps are compared."""

from __future__ import annotations

import math
import random

import pytest

from companion.sensing.plan import FORMAT, VERSION, Area, Board, Cell, Piece, Plan, Tower
from companion.sensing.scales.evidence import ImpactEvidence, Row, StepEvidence
from companion.sensing.scales.glitches import GlitchFilter
from companion.sensing.scales.pieces import Masses
from companion.sensing.scales.platform import Platform
from companion.sensing.scales.quiet import Noise, Rows
from companion.sensing.scales.site import Site
from companion.sensing.scales.steps import Steps
from companion.sensing.scales.table import TableScales
from companion.sensing.streams import Flag, ScaleSample
from companion.twin.forces import Chip, Forces, sensed
from tests.sensing.forces import LEFT, PIECES, RIGHT, board, plan

GAINS = (1000.0, 1000.0, 1000.0, 1000.0)
REST = (10_000, 20_000, 30_000, 40_000)


def cleaned(*rows: tuple[int | None, ...], gains: tuple[float, ...] = GAINS) -> list[tuple[float | None, ...]]:
    glitches = GlitchFilter(gains)
    out = [clean for at, row in enumerate(rows) for clean in glitches.push(ScaleSample(at, "north", row))]
    return [counts for _, counts in out + glitches.flush()]


@pytest.mark.parametrize("wild", [2**n - 1 for n in range(14, 24)] + [-(2**23), 20_010, 29_900, 900_000, 0, -1])
def test_a_glitch_of_one_channel_is_taken_out(wild: int) -> None:
    rows = [REST] * 3 + [(wild, *REST[1:])] + [REST] * 3
    out = cleaned(*rows)
    assert out[3] == (None, *REST[1:])
    assert out[:3] == out[4:] == [REST] * 3


def test_a_wild_value_without_a_signature_is_taken_out_when_it_does_not_last() -> None:
    assert cleaned(REST, (13_456, *REST[1:]), REST, REST)[1] == (None, *REST[1:])


def test_a_load_that_stays_is_kept_even_where_it_looks_wild() -> None:
    heavy = (16_383, *REST[1:])
    assert cleaned(*[REST] * 3, *[heavy] * 6)[-1] == heavy
    step = (13_456, *REST[1:])
    assert cleaned(*[REST] * 3, *[step] * 3)[3:] == [step] * 3


def test_an_impact_that_two_cells_feel_is_no_glitch() -> None:
    hit = (18_000, 23_000, *REST[2:])
    assert cleaned(REST, REST, hit, REST)[2] == hit


def test_what_two_cells_feel_is_not_waited_for_and_what_one_feels_alone_is() -> None:
    glitches = GlitchFilter(GAINS)
    glitches.push(ScaleSample(0, "north", REST))
    hit, alone = (18_000, 23_000, *REST[2:]), (18_000, 28_000, *REST[2:])
    assert glitches.push(ScaleSample(1, "north", hit)) == [(1, hit)]
    assert glitches.push(ScaleSample(2, "north", alone)) == []
    assert glitches.push(ScaleSample(3, "north", alone)) == [(2, alone), (3, alone)]


def test_a_hit_above_one_cell_that_its_neighbour_feels_a_little_is_not_waited_for() -> None:
    glitches = GlitchFilter(GAINS)
    glitches.push(ScaleSample(0, "north", REST))
    hit = (13_000, 20_400, *REST[2:])
    assert glitches.push(ScaleSample(1, "north", hit)) == [(1, hit)]


def test_after_a_glitch_the_next_row_is_held_back_where_another_cell_jumps_alone() -> None:
    wild, other = (13_456, *REST[1:]), (REST[0], 24_321, *REST[2:])
    assert cleaned(REST, wild, other, REST, REST) == [
        REST,
        (None, *REST[1:]),
        (REST[0], None, *REST[2:]),
        REST,
        REST,
    ]


def test_a_board_with_one_cell_waits_for_the_next_row() -> None:
    glitches = GlitchFilter((1000.0,))
    glitches.push(ScaleSample(0, "north", (10_000,)))
    assert glitches.push(ScaleSample(1, "north", (15_000,))) == []
    assert glitches.push(ScaleSample(2, "north", (15_000,))) == [(1, (15_000,)), (2, (15_000,))]


def test_a_neighbours_value_is_taken_out_while_a_hand_moves_the_cells() -> None:
    moving = [tuple(value + 1500 * at for value in REST) for at in range(6)]
    wild = (moving[3][0], moving[3][0], *moving[3][2:])
    out = cleaned(*moving[:3], wild, *moving[4:])
    assert out[3] == (moving[3][0], None, *moving[3][2:])


def test_an_impact_that_brings_two_cells_to_the_same_value_is_no_glitch() -> None:
    hit = (26_000, 26_000, *REST[2:])
    assert cleaned(REST, REST, hit, REST)[2] == hit


def test_saturated_and_settling_readings_are_none() -> None:
    glitches = GlitchFilter(GAINS)
    assert glitches.push(ScaleSample(0, "north", (8_388_607, 1, 2, -8_388_608), Flag.SATURATED)) == [
        (0, (None, 1, 2, None))
    ]
    assert glitches.push(ScaleSample(1, "north", (1, 1, 2, 3), Flag.SETTLING)) == [(1, (None,) * 4)]


def test_negative_gains_do_not_make_loads_glitches() -> None:
    down = tuple(value - 5_000 for value in REST)
    assert cleaned(REST, REST, down, down, gains=(-1000.0,) * 4)[2:] == [down, down]


# Platform


def counts_of(of: Board, grams: list[float]) -> list[float | None]:
    return [
        cell.zero_counts + (cell.counts_per_g or 1000.0) * share for cell, share in zip(of.cells, grams, strict=True)
    ]


def test_four_cells_give_force_and_place_whatever_the_sign_of_their_gains() -> None:
    of = board(gains=(-1500.0, 1500.0, 1400.0, -1600.0))
    row = Platform(of).row(0, counts_of(of, [1.0, 3.0, 0.0, 0.0]))
    assert row is not None
    assert row.force_g == pytest.approx(4.0)
    assert row.x_gmm / row.force_g + 125 == pytest.approx(15 + 220 * 0.75)
    assert row.y_gmm / row.force_g + 100 == pytest.approx(15)


def test_three_cells_stand_in_for_a_dead_one() -> None:
    of = board()
    whole = [2.0, 1.0, 1.5, 0.5]  # as a stiff plate shares it: the diagonals carry the same
    platform = Platform(of)
    dead = platform.row(0, [*counts_of(of, whole)[:3], None])
    assert dead is not None
    assert platform.moments_known
    assert dead.force_g == pytest.approx(5.0)
    assert dead.x_gmm == pytest.approx(Platform(of).row(0, counts_of(of, whole)).x_gmm)  # type: ignore[union-attr]


def test_a_silent_channel_is_held_for_a_moment_and_then_dead() -> None:
    of = board()
    platform = Platform(of)
    full = counts_of(of, [1.0, 1.0, 1.0, 1.0])
    platform.row(0, full)
    platform.row(100_000, [*full[:3], None])
    assert not platform.changed
    platform.row(900_000, [*full[:3], None])
    assert platform.changed
    assert platform.live == (0, 1, 2)
    platform.row(2_500_000, [*full[:3], None])
    assert [cell.id for cell in platform.dead(2_500_000)] == ["c3"]


def test_two_cells_of_four_give_no_place_and_one_cell_gives_force() -> None:
    of = board()
    platform = Platform(of)
    platform.row(0, [*counts_of(of, [1.0, 1.0, 1.0, 1.0])[:2], None, None])
    assert not platform.moments_known
    one = Platform(board(cells=1))
    row = one.row(0, counts_of(one.board, [7.0]))
    assert row is not None
    assert row.force_g == pytest.approx(7.0)
    assert not one.moments_known


def test_cells_of_unknown_gain_give_counts_only() -> None:
    assert not Platform(board(gains=(None,) * 4)).grams_known
    mixed = Platform(board(gains=(1500.0, None, 1500.0, 1500.0)))
    mixed.row(0, [1.0, 2.0, 3.0, 4.0])
    assert mixed.grams_known
    assert mixed.live == (0, 2, 3)


# Noise and steps


@pytest.mark.parametrize("sigma", [0.01, 0.05, 0.4])
def test_noise_is_learned_and_hands_do_not_teach_it(sigma: float) -> None:
    chance = random.Random(1)
    noise = Noise(0.05)
    for _ in range(2000):
        noise.update(chance.gauss(0, sigma), 0.0125, in_action=False)
    assert noise.sigma == pytest.approx(sigma, rel=0.3)
    for _ in range(800):
        noise.update(chance.gauss(0, 30 * sigma), 0.0125, in_action=True)
    assert noise.sigma < 1.6 * sigma


def steps_in(forces: Forces, chip: Chip) -> list[StepEvidence]:
    table = TableScales(plan())
    found: list[StepEvidence] = []
    for sample in sensed(forces, board(), chip):
        table.push(sample)
        found += [each for each in table.evidence if isinstance(each, StepEvidence)]
    return found


@pytest.mark.parametrize("rate_sps", [10.0, 11.3, 40.0, 80.0, 93.0])
def test_a_step_is_weighed_and_placed_at_every_rate(rate_sps: float) -> None:
    forces = Forces(6)
    forces.rest(3.0, 2.0, (80.0, 40.0))
    (step,) = steps_in(forces, Chip(rate_sps=rate_sps))
    assert step.change.force_g == pytest.approx(2.0, abs=4 * step.sigma.force_g)
    assert step.sigma.force_g < 0.15
    assert step.position_mm is not None
    assert math.dist(step.position_mm, (80, 40)) < 10
    assert step.t_us == pytest.approx(8_000_000, abs=1.6e6 / rate_sps)
    assert step.decided_us - step.t_us < 800_000


def test_the_uncertainty_of_a_mass_is_what_it_says() -> None:
    off = []
    for seed in range(20):
        forces = Forces(4)
        forces.rest(3.0, 2.0, LEFT)
        table = TableScales(plan())
        for sample in sensed(forces, board(), Chip(), seed):
            table.push(sample)
            off += [
                (each.change.force_g - 2.0) / each.sigma.force_g
                for each in table.evidence
                if isinstance(each, StepEvidence)
            ]
    assert len(off) == 20
    assert 0.3 < math.sqrt(sum(each**2 for each in off) / 20) < 1.7


@pytest.mark.parametrize("drift_g", [0.2, -0.4])
def test_drift_is_followed_and_hides_no_step(drift_g: float) -> None:
    forces = Forces(40)
    forces.rest(30.0, 1.3, LEFT)
    (step,) = steps_in(forces, Chip(drift_g=drift_g))
    assert step.change.force_g == pytest.approx(1.3, abs=0.12)


def test_a_slow_placement_is_not_swallowed_by_the_reference() -> None:
    forces = Forces(14)
    forces.hand(4.0, 6.0, 25.0, LEFT)
    forces.rest(7.0, 2.0, LEFT)
    last = steps_in(forces, Chip())[-1]
    assert last.change.force_g == pytest.approx(2.0, abs=0.15)


def test_few_readings_that_agree_by_luck_do_not_make_a_moment_noiseless() -> None:
    platform, rows = Platform(board()), Rows()
    steps, chance = Steps("north", platform), random.Random(3)
    platform.row(0, [0.0] * 4)
    for at in range(60):
        lucky = 0.1 if at < 25 else 4.0
        rows.push(Row(at * 90_000, chance.gauss(0.0, 0.05), chance.gauss(0.0, lucky), chance.gauss(0.0, lucky)))
        steps.push(rows)
    assert steps.rest


def test_steps_without_any_sample_say_nothing() -> None:
    platform = Platform(board())
    steps = Steps("north", platform)
    steps.accept()
    assert steps.reference is None
    assert platform.row(0, [None] * 4) is None


def impacts(forces: Forces) -> list[ImpactEvidence]:
    table = TableScales(plan())
    found: list[ImpactEvidence] = []
    for sample in sensed(forces, board(), Chip()):
        table.push(sample)
        found += [each for each in table.evidence if isinstance(each, ImpactEvidence)]
    return found


def test_an_impact_tells_its_push_and_the_dip_before() -> None:
    forces = Forces(6)
    forces.rest(0.0, 40.0, LEFT)
    hit_s = forces.fall(3.0, 2.0, LEFT, (100.0, 40.0), 50.0)
    first = max(impacts(forces), key=lambda impact: impact.push_gs)
    assert first.t_us / 1e6 - 5 == pytest.approx(hit_s, abs=0.02)
    assert first.dip_g == pytest.approx(2.0, abs=0.7)
    assert first.push_gs == pytest.approx(2.0 * 1.35 * math.sqrt(2 * 50 / 9810), rel=0.45)


@pytest.mark.parametrize("place", [(125.0, 60.0), (30.0, 170.0), (220.0, 120.0)])
def test_an_impact_tells_where_it_was(place: tuple[float, float]) -> None:
    forces = Forces(6.0)
    forces.rest(0.0, 30.0, LEFT)
    forces.fall(4.0, 2.0, LEFT, place, 50.0)
    hardest = max(impacts(forces), key=lambda impact: impact.push_gs)
    assert hardest.position_mm is not None
    assert math.dist(hardest.position_mm, place) < 20


def test_a_hand_makes_no_impact() -> None:
    forces = Forces(8)
    forces.hand(3.0, 3.0, 50.0, RIGHT)
    table = TableScales(plan())
    for sample in sensed(forces, board(), Chip()):
        table.push(sample)
        assert not [each for each in table.evidence if isinstance(each, ImpactEvidence) and each.push_gs > 0.05]


# Pieces and places


def test_a_mass_names_the_nearest_piece_or_none() -> None:
    masses = Masses(PIECES)
    assert masses.named(6.4, 0.05) == "floor-tile"
    assert masses.named(2.05, 0.05) == "pillar"
    assert masses.named(4.2, 0.05) is None
    assert masses.could_be_two(4.0, 0.05)
    assert not masses.could_be_two(5.5, 0.05)
    assert Masses({}).named(2.0, 0.05) is None


def site(of: Board, pieces: dict[str, Piece] | None = None) -> Site:
    return Site(Plan(format=FORMAT, version=VERSION, boards=(of,), pieces=PIECES if pieces is None else pieces), of)


def test_a_place_names_a_tower_only_where_it_is_sure() -> None:
    of = site(board(inventory=(Area((200.0, 120.0), (250.0, 200.0)),)))
    assert of.tower_at((80.0, 45.0), 2.0) == "left"
    assert of.tower_at((125.0, 60.0), 10.0) is None
    assert of.tower_at((220.0, 150.0), 2.0) is None
    assert of.tower_at(None, None) is None


def test_what_lies_beside_the_towers_is_not_built_in_unless_it_spans_them() -> None:
    of = site(board())
    assert of.built_in(PIECES["pillar"], (85.0, 85.0), 1.0)
    assert not of.built_in(PIECES["pillar"], (125.0, 60.0), 1.0)
    assert of.built_in(Piece(size_mm=(104.0, 24.0, 2.0)), (125.0, 60.0), 1.0)
    assert not of.on_board((320.0, 60.0), 2.0)


def test_towers_are_as_wide_as_the_floors_of_the_box() -> None:
    small = {"floor-tile": Piece(3.0, (44.0, 44.0, 2.0)), "pillar": PIECES["pillar"]}
    place = (60.0, 95.0)
    assert site(board()).beside_mm(place) == pytest.approx(5.0)
    assert site(board(), small).beside_mm(place) == pytest.approx(13.0)


def test_a_board_without_places_of_cells_still_weighs() -> None:
    of = Board(id="b", size_mm=(100.0, 100.0), towers=(Tower("t", (50.0, 50.0)),), cells=(Cell("a"), Cell("b")))
    platform = Platform(of)
    row = platform.row(0, [1000.0, 2000.0])
    assert row is not None
    assert row.force_g == pytest.approx(3.0)
    assert not platform.moments_known
