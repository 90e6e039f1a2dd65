"""The air over a board: what moves in it, and whether that is where something is built."""

from __future__ import annotations

import numpy as np

from companion.sensing.airspace import Airspace
from companion.sensing.glance import Mask, glance
from companion.sensing.motion import Stir
from companion.sensing.streams import Frame, Image
from companion.sensing.views import Lens
from tests.sensing.painted import looking, one_board

_PICTURE: Image = np.full((480, 640, 3), 90, np.uint8)


def _air() -> Airspace:
    plan = one_board()
    assert plan.camera is not None
    view = looking(Lens.of(plan.camera), (125.0, -300.0, 500.0), (125.0, 100.0, 0.0))
    return Airspace(plan.boards[0], view, _PICTURE.shape, 150.0)


def _moves(air: Airspace, t_us: int, where: Mask, light: bool = False) -> None:
    air.feed(Frame(t_us, 0, _PICTURE), glance(_PICTURE), Stir(t_us, where, light))


def test_what_moves_beside_what_is_built_shakes_nothing() -> None:
    air = _air()
    rows, columns = np.nonzero(air.surface)
    built, beside = np.zeros_like(air.surface), np.zeros_like(air.surface)
    built[rows[:40], columns[:40]] = True
    beside[rows[-40:], columns[-40:]] = True
    _moves(air, 1, beside)
    assert (air.stirred_us, air.shook_us) == (1, 1)  # nobody knows yet what is built
    air.built = built
    _moves(air, 2, beside)
    assert (air.stirred_us, air.shook_us) == (2, 1)
    _moves(air, 3, built)
    assert (air.stirred_us, air.shook_us) == (3, 3)
    _moves(air, 4, beside, light=True)  # nobody can tell what moved
    assert air.shook_us == 4
