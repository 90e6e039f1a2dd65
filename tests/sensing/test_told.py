"""What pieces that came and went say together: moved, uncovered, or more than a hand does."""

from __future__ import annotations

import numpy as np

from companion.sensing.castle import Standing
from companion.sensing.shapes import Kit
from companion.sensing.told import Came, Expected, Told, Went
from tests.sensing.painted import one_board

_KIT = Kit(one_board())
_MASK = np.zeros((4, 4), bool)


def _piece(kind: str, tower: str, level: int, low_mm: float) -> Standing:
    return Standing(_KIT.shapes[kind], tower, level, (60.0, 60.0), 0.0, low_mm)


def _pillar(tower: str = "left", level: int = 1) -> Standing:
    return _piece("pillar", tower, level, (level - 1) * 27.0 + 2.0)


def _came(piece: Standing) -> Came:
    return Came(piece, 1.0, {piece.shape.kind: 1.0}, _MASK, 1.0)


def _went(piece: Standing) -> Went:
    return Went(piece, 1.0, _MASK, 1.0)


def _floor(level: int) -> Standing:
    return _piece(_KIT.floor.kind, "left", level, (level - 1) * 27.0)


def test_a_pillar_that_is_seen_once_the_floor_on_it_went_did_not_come() -> None:
    floor, other = _went(_floor(2)), _came(_pillar("right"))
    told = Told(came=[_came(_pillar()), other], went=[floor])
    assert told.but_moved == [other, floor]


def test_a_pillar_on_a_higher_floor_than_the_one_that_went_from_it_was_not_below_it() -> None:
    pillar = _came(_pillar(level=2))
    assert pillar in Told(came=[pillar], went=[_went(_floor(2))]).but_moved


def test_pieces_that_come_and_go_all_at_once_are_more_than_a_hand_does() -> None:
    here, there = _came(_pillar("left", 2)), _came(_pillar("right", 2))
    assert Told(came=[here, there], went=[_went(_pillar("middle"))]).muddled
    assert not Told(came=[here], went=[_went(_pillar("middle"))]).muddled
    assert not Told(came=[here, there]).muddled, "a hand may put several"
    assert not Told(came=[here, there], went=[_went(_pillar("left", 2))]).muddled, "one of them was only moved"


def test_what_can_only_be_a_base_tile_has_fallen_nowhere_while_nothing_went() -> None:
    based = Expected(True, ("base-tile",), None)
    assert Told(unseen=[based]).only_based
    assert not Told().only_based
    assert not Told(unseen=[based], went=[_went(_floor(2))]).only_based
    for other in (Expected(True, ("base-tile", "floor-tile"), None), Expected(True, (), None, fall=True)):
        assert not Told(unseen=[based, other]).only_based
    assert not Told(unseen=[Expected(False, ("base-tile",), None)]).only_based
