"""What went from a tower and weighs on the board all the same: where it lies now."""

from __future__ import annotations

import numpy as np
import pytest

from companion.sensing.castle import Standing
from companion.sensing.plan import Area
from companion.sensing.remains import lies_about
from companion.sensing.scales.evidence import Load
from companion.sensing.shapes import Kit
from companion.sensing.told import Went
from tests.sensing.forces import LEFT, board, plan

PILLAR = Kit(plan()).shapes["pillar"]
GRAMS = 2.0


def _went() -> Went:
    return Went(Standing(PILLAR, "left", 1, LEFT, 0.0, 2.0), 1.0, np.zeros((1, 1), bool), 1.0)


def _moved_to(x: float, y: float, grams: float = 0.0) -> Load:
    return Load(grams, GRAMS * (x - LEFT[0]), GRAMS * (y - LEFT[1]))


@pytest.mark.parametrize(
    ("place", "bare"),
    [
        ((125.0, 60.0), True),
        ((60.0, 110.0), True),
        ((190.0, 60.0), False),
        ((70.0, 70.0), False),
        ((60.0, -9.0), False),
    ],
)
def test_it_fell_where_it_lies_on_the_bare_board(place: tuple[float, float], bare: bool) -> None:
    assert lies_about(board(), 30.0, _went(), _moved_to(*place)) is bare


def test_what_left_the_board_was_taken() -> None:
    assert not lies_about(board(), 30.0, _went(), _moved_to(125.0, 60.0, -GRAMS))


def test_what_lies_in_the_inventory_was_put_there() -> None:
    stored = board(inventory=(Area((110.0, 40.0), (140.0, 60.0)),))
    assert not lies_about(stored, 30.0, _went(), _moved_to(125.0, 60.0))
