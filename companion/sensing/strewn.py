"""Pieces that lie on the ground: what changed there held against the outline of a small piece on its side.

Close to a tower, or as grey as a shadow, a pillar that fell is told by its shape alone. It can be taken for one that
stands on a plate in front of which it lies, so that it must fit plainly better.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from companion.sensing.castle import Castle, Standing
from companion.sensing.changes import Change
from companion.sensing.fitting import Fit, Window, around, fit, turns_of
from companion.sensing.glance import Mask
from companion.sensing.plan import STORED_MM, Board, Point
from companion.sensing.things import is_shadow
from companion.sensing.told import Came
from companion.sensing.views import Floats

_REACH_MM, _STEP_MM = 15.0, 3.0
_PLAIN, _TOLD = 1.3, 1.5  # the score from which a piece lies there, without what its outline tells, and with it
_SHOWS = 0.15  # how much more of its outline shows now than before
_FACE = 0.8  # the share of its face that changed
_OF_IT = 0.5  # and the share of what changed there that is behind it, the rest being its shadow
_APPEARS = 0.6  # how much it tells that an outline shows now and did not before
_BETTER, _RATHER = 0.3, 0.5  # how much better it fits than one that may stand there, and than one that is told to
_RATHER_UNBASED = 0.35  # and, also by what it explains, than one that would stand where no plate is known
_OVER_MM = 3.0  # how far over the edge of its plate one may stand
_CLEAR = 0.4  # widths: how far from a plate the middle of what lies beside it is


def lies(change: Change, window: Window, castle: Castle, board: Board, blob: Mask) -> Fit | None:
    """The small piece on its side that a blob of the change is, if it lies on the ground and stands on no plate."""
    if int(blob.sum()) > _largest_px(window, castle, blob) / _OF_IT:
        return None
    found = lying(change, window, castle, board, blob)
    if found is None or float(found.mask[blob].mean()) < _OF_IT:
        return None
    stands = max((told_by(each) for each in _standing(change, window, castle, blob)), default=0.0)
    return found if told_by(found) >= stands + _BETTER else None


def lies_rather(change: Change, window: Window, castle: Castle, board: Board, came: Came) -> bool:
    """Whether what is told to stand on a tower lies on the ground instead, as it may sooner where no plate is known."""
    found = lying(change, window, castle, board, came.mask)
    if found is None:
        return False
    if castle.levels(came.piece.tower):
        return told_by(found) >= came.score + _RATHER
    return told_by(found) + found.explained >= came.score + came.explained + _RATHER_UNBASED


def lying(change: Change, window: Window, castle: Castle, board: Board, where: Mask) -> Fit | None:
    """The piece on its side that fits best on the ground about there, if any does."""
    near = middle(window, where, 0.0)
    found = []
    for shape in castle.kit.lying:
        places = _ground(around(near, _REACH_MM, _STEP_MM), castle, board, _CLEAR * shape.narrow_mm)
        if len(places):
            found.append(fit(change, window, shape, places, turns_of(shape), 0.0))
    best = max(found, key=lambda each: each.score, default=None)
    if best is None or min(best.score - _PLAIN, told_by(best) - _TOLD, best.appears - _SHOWS, best.inside - _FACE) < 0:
        return None
    return None if is_shadow(change, best.mask & change.known) else best


def told_by(found: Fit) -> float:
    """How well a piece fits, also by what shows of it now and did not before."""
    return found.score + _APPEARS * found.appears


def _largest_px(window: Window, castle: Castle, where: Mask) -> int:
    """How many pixels the largest piece on its side has about there."""
    near = middle(window, where, 0.0)
    masks = (window.mask(shape, near, turn, 0.0) for shape in castle.kit.lying for turn in turns_of(shape))
    return max((int(mask.sum()) for mask in masks), default=0)


def middle(window: Window, where: Mask, z_mm: float) -> Point:
    """Where the middle of a mask is, at that height."""
    rows, columns = np.nonzero(where)
    pixel = (float(columns.mean()) + window.left, float(rows.mean()) + window.top)
    x, y = window.view.on_plane([pixel], z_mm)[0]
    return (float(x), float(y))


def _ground(places: Floats, castle: Castle, board: Board, clear_mm: float) -> Floats:
    """Those of some places (n, 2) that are on the bare board."""
    free = np.all((places > 0) & (places < board.size_mm), axis=1)
    for area in board.inventory:
        free &= ~np.all((places > np.subtract(area.min_mm, STORED_MM)) & (places < np.add(area.max_mm, STORED_MM)), 1)
    for tower in castle.towers:
        for plate in castle.plates(tower)[:1]:
            free &= ~over(plate, places, clear_mm)
    return np.asarray(places[free], float)


def over(plate: Standing, places: Floats, beyond_mm: float) -> Mask:
    """Which places (n, 2) are over a plate, or so little beyond its edge."""
    turn = math.radians(plate.turn_deg)
    along = (places - plate.centre) @ np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    return np.asarray(np.abs(along).max(axis=1) < plate.shape.wide_mm / 2 + beyond_mm)


def _standing(change: Change, window: Window, castle: Castle, blob: Mask) -> Iterator[Fit]:
    """Small pieces that may stand there on the top plates of towers, up to the edge."""
    plates = [castle.plates(tower)[-1] for tower in castle.towers if castle.levels(tower)]
    for plate in plates:
        for shape in castle.kit.small:
            near = middle(window, blob, plate.high_mm + shape.tall_mm / 2)
            places = around(near, _REACH_MM, _STEP_MM)
            places = places[over(plate, places, _OVER_MM)]
            if len(places):
                yield fit(change, window, shape, places, turns_of(shape, plate.turn_deg), plate.high_mm)
