"""Symptoms of a fall, one by one, and what ears and forest make of plain scenes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.sensing.forest import Forest
from companion.sensing.scales.ear import Ears
from companion.sensing.scales.evidence import ImpactEvidence, Load, Row
from companion.sensing.scales.falls import UNKNOWN, Scene, Symptoms, chance_of_fall, ears, felt, forest, symptoms
from companion.sensing.scales.pieces import Masses
from companion.sensing.scales.quiet import Rows
from companion.sensing.scales.site import Site
from tests.sensing.forces import PIECES, board, plan

ROW_US = 12_500
PIECE_G = 1.3
REST = Load(47.0)


def scene(
    forces: list[float], hits: tuple[ImpactEvidence, ...] = (), moment: float = 0.0, places: bool = True
) -> Scene:
    """A second of rest, then these forces above it, a row each."""
    rows = Rows()
    for number in range(80):
        rows.push(Row(number * ROW_US, REST.force_g, 0.0, 0.0))
    for number, force in enumerate(forces, 80):
        rows.push(Row(number * ROW_US, REST.force_g + force, moment, 0.0))
    return Scene(
        site=Site(plan(), board()),
        masses=Masses(PIECES),
        piece_g=PIECE_G,
        rows=rows,
        reference=REST,
        impacts=hits,
        since_us=80 * ROW_US,
        places=places,
        shaken=0.0,
        littered=False,
    )


def found(*args: object, **kwargs: object) -> Symptoms:
    symptom = symptoms(scene(*args, **kwargs))  # type: ignore[arg-type]
    assert symptom is not None
    return symptom


def hit(row: int, push_gs: float, place: tuple[float, float] | None = None) -> ImpactEvidence:
    t_us = row * ROW_US
    return ImpactEvidence("north", t_us, t_us, 20.0, 20.0, push_gs, 0.0, place)


def chance(*args: object, **kwargs: object) -> float:
    known = felt(scene(*args, **kwargs))  # type: ignore[arg-type]
    assert known is not None
    return chance_of_fall(known)


def test_ears_and_forest_learned_from_these_symptoms() -> None:
    assert ears().symptoms == forest().symptoms == Symptoms._fields


def test_what_falls_weighs_nothing_in_the_air() -> None:
    falling = found([-2 * PIECE_G] * 8 + [5 * PIECE_G] + [0.0] * 6)
    assert falling.lightest == pytest.approx(-2)
    assert falling.relieved == pytest.approx(-2)
    assert falling.heaviest == pytest.approx(5)
    assert falling.leant < 1


def test_a_hand_leans_for_longer_than_an_impact() -> None:
    assert found([10 * PIECE_G] * 12).leant == pytest.approx(10)
    assert found([0.0] * 12 + [10 * PIECE_G]).leant == pytest.approx(0)


def test_impacts_are_told_apart_by_where_they_hit() -> None:
    tower, ground = (60.0, 60.0), (125.0, 60.0)
    hits = (hit(82, 0.3, tower), hit(85, 0.4, ground))
    both = found([0.0] * 12, hits)
    assert both.hardest == pytest.approx(0.4 / PIECE_G)
    assert both.second == pytest.approx(0.3 / PIECE_G)
    assert both.hardest_beside_mm == pytest.approx(35.0)
    assert both.apart_mm == pytest.approx(65.0)
    assert both.off > 0
    assert found([0.0] * 12, (hit(82, 0.3, tower),)).off == 0


def test_where_nothing_tells_the_place_it_is_unknown() -> None:
    nowhere = found([3 * PIECE_G] * 20, (hit(82, 0.3),), moment=500.0, places=False)
    assert nowhere.beside_mm == nowhere.hardest_beside_mm == nowhere.hardest_beyond_mm == UNKNOWN
    assert nowhere.moment == nowhere.farthest == 0


def test_a_piece_that_lies_where_none_can_stand_is_not_built_in() -> None:
    pillar_g = PIECES["pillar"].mass_g or 0.0
    assert found([pillar_g] * 20, moment=pillar_g * 115).built == 0  # at the board's right edge
    assert found([pillar_g] * 20).built == 1  # at the foot of the middle tower


def test_too_few_rows_say_nothing() -> None:
    short = scene([1.0])
    rows = Rows()
    for number in range(5):
        rows.push(Row(number * ROW_US, REST.force_g, 0.0, 0.0))
    assert felt(replace(short, rows=rows)) is None


def test_slow_chips_are_asked_from_the_first_row_of_a_stir() -> None:
    fast, slow = scene([-5.0]), Rows()
    for number in range(20):
        slow.push(Row(number * 8 * ROW_US, REST.force_g - (5.0 if number == 19 else 0.0), 0.0, 0.0))
    asked = symptoms(replace(fast, rows=slow, since_us=19 * 8 * ROW_US))
    assert asked is not None
    assert asked.lightest == pytest.approx(-5.0 / PIECE_G)


def test_a_board_on_which_hardly_anything_moves_has_no_fall() -> None:
    assert chance([0.2, -0.1] * 10) < 0.2


def test_a_tower_that_comes_down_is_plain() -> None:
    hits = tuple(
        replace(hit(row, push_gs, place), dip_g=5 * PIECE_G, sunk_g=5 * PIECE_G)
        for row, push_gs, place in ((88, 0.5, (100.0, 30.0)), (91, 0.8, (130.0, 60.0)), (95, 0.4, (125.0, 20.0)))
    )
    forces = [-5 * PIECE_G] * 8 + [30.0, 2.0, -4.0, 50.0, 3.0, -2.0, 1.0, 20.0] + [0.0] * 12
    assert chance(forces, hits, moment=600.0) > 0.8


def test_ears_and_forest_are_heard_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    odds = {Ears: 0.0, Forest: 0.0}
    monkeypatch.setattr(Ears, "odds", lambda self, trace, symptoms: odds[Ears])
    monkeypatch.setattr(Forest, "odds", lambda self, symptoms: odds[Forest])
    chances = []
    for each in ({Ears: 3.0, Forest: -3.0}, {Ears: 3.0, Forest: 1.0}, {Ears: 1.0, Forest: 3.0}):
        odds.update(each)
        chances.append(chance([0.2] * 10))
    assert chances == pytest.approx([0.5, 0.881, 0.881], abs=0.001)
