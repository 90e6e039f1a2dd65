"""How well a change supports a piece: above all, which of two pictures it stands in."""

from __future__ import annotations

import numpy as np
import pytest

from companion.sensing.airspace import Airspace
from companion.sensing.changes import Change
from companion.sensing.fitting import Fit, measured
from companion.sensing.glance import Small, logarithmic
from companion.sensing.shapes import Kit
from companion.sensing.views import Lens
from tests.sensing.painted import Block, Painter, column, looking, one_board

_PLAN = one_board()
_AT = (125.0, 60.0)
_GREEN, _WOOD = (90, 160, 90), (120, 150, 178)  # the second is the board's own colour


def _fit(before: list[Block], after: list[Block]) -> Fit:
    """A pillar where something came to stand, or stood."""
    assert _PLAN.camera is not None
    painter = Painter(_PLAN, looking(Lens.of(_PLAN.camera), (60.0, -310.0, 300.0), (0.0, 0.0, 20.0)))
    window = Airspace(_PLAN.boards[0], painter.view(_PLAN.boards[0]), (480, 640, 3), 100.0).window

    def look(blocks: list[Block], seed: int) -> Small:
        return logarithmic(window.crop(painter.paint(blocks, noise=2.0, seed=seed)).astype(np.float32))

    pictures = look(before, 1), look(after, 2)
    change = Change.between(*pictures, np.ones(window.shape, bool))
    pillar = Kit(_PLAN).pillar
    assert pillar is not None
    return measured(change, window, pillar, _AT, 0.0, 0.0)


def _pillar(colour: tuple[int, int, int]) -> Block:
    return column("south", _AT, 12.0, 25.0, 0.0, colour)


def test_a_piece_stands_out_while_it_is_there() -> None:
    came, went = _fit([], [_pillar(_GREEN)]), _fit([_pillar(_GREEN)], [])
    assert came.stands_out > 0.1
    assert went.stands_out == pytest.approx(-came.stands_out, abs=0.02)


def test_where_nothing_changed_nothing_stands_out() -> None:
    assert _fit([], []).stands_out == 0.0
    assert abs(_fit([], [_pillar(_WOOD)]).stands_out) < _fit([], [_pillar(_GREEN)]).stands_out
