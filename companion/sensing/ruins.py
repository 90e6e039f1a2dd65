"""What is left of towers after a fall: which were touched, how many levels each may have, and what else still lies.

The less of a plate looks otherwise, the likelier it stands, with all below it; a base tile lies where it lay. Nothing
grows by falling, but seldom by a hand that puts one more on top meanwhile; where nothing stood nothing stands.
"""

from __future__ import annotations

import numpy as np

from companion.sensing.castle import Castle, Standing
from companion.sensing.changes import Change, filled
from companion.sensing.fitting import Window
from companion.sensing.glance import Mask
from companion.sensing.towers import Bounds

_TOUCHED = 0.15  # a tower of which a plate changed by this share was touched
_LITTERED = 0.05  # and one on whose top so much changed: something lies there, or stood there
_REACHES_MM = 2.0  # so much lower than a bridge may a tower be that carries it
_TELLS = 6.0  # in logarithms: how much the share of a plate that changed tells of whether it stands
_TOP_OPEN, _OPEN = 0.55, 0.85  # and the share that tells nothing: below the top plate much changes that stands
_SELDOM = 3.0  # in logarithms: how seldom a hand puts one more on top meanwhile
_ENOUGH_PX = 40  # of a plate that must have been in sight to say so


def ruins(castle: Castle, change: Change, window: Window) -> dict[str, Bounds]:
    """The towers that a fall touched and whose tops are in sight, with what is known of them."""
    found = {tower: _bounds(castle, tower, change, window) for tower in castle.towers if castle.levels(tower)}
    return {tower: bounds for tower, bounds in found.items() if bounds is not None}


def still_lies(castle: Castle, stood: Castle, bridge: Standing, change: Change, window: Window) -> bool:
    """Whether a bridge lies where it lay: what a fall left of its towers in a castle that `stood` reaches up to it."""
    ends = [castle.surface_mm(tower) for tower in (bridge.tower, bridge.onto) if tower is not None]
    return min(ends) > bridge.low_mm - _REACHES_MM and not _came(stood, bridge, change, window)


def may_lie(stood: Castle, piece: Standing, change: Change, window: Window) -> bool:
    """Whether a fall may have left a piece where it was read.

    What did not stand on its tower shows as a change, but for what carried the floors that fell.
    """
    known = any(piece.is_like(each) for each in stood.of(piece.tower)) or stood.kit.is_level(piece.shape)
    return known or piece.level < stood.levels(piece.tower) or _came(stood, piece, change, window)


def _came(stood: Castle, piece: Standing, change: Change, window: Window) -> bool:
    """Whether the picture changed where a piece is, as far as nothing stood nearer."""
    seen = window.mask(piece.shape, piece.centre, piece.turn_deg, piece.low_mm) & change.known
    return _share(change, seen & ~_in_front(stood, piece.tower, window)) > _TOUCHED


def in_sight(castle: Castle, change: Change, window: Window) -> bool:
    """Whether the tops of all towers are seen."""
    return all(change.known[_over(castle, tower, window)].all() for tower in castle.towers)


def _bounds(castle: Castle, tower: str, change: Change, window: Window) -> Bounds | None:
    levels = castle.levels(tower)
    over = _over(castle, tower, window)
    if not change.known[over].all():
        return None
    hidden = _in_front(castle, tower, window)
    touched, stands = _share(change, over & ~hidden) > _LITTERED, np.zeros(levels + 1)
    for plate in reversed(castle.plates(tower)):
        mask = window.mask(plate.shape, plate.centre, plate.turn_deg, plate.low_mm)
        seen = mask & ~hidden & change.known
        hidden |= mask
        if int(seen.sum()) < _ENOUGH_PX:
            continue
        share = _share(change, seen)
        touched = touched or share > _TOUCHED
        stands[plate.level] = _TELLS * ((_TOP_OPEN if plate.level == levels else _OPEN) - share)
    odds = np.cumsum(stands)
    return Bounds(1, levels + 1, True, (*odds.tolist(), float(odds[-2]) - _SELDOM)) if touched else None


def _in_front(castle: Castle, tower: str, window: Window) -> Mask:
    """The pixels of all that stands nearer to the eye than a tower."""
    away = {each: float(np.hypot(*(window.view.eye_mm[:2] - at))) for each, at in castle.towers.items()}
    nearer = (piece for piece in castle if away[piece.tower] < away[tower])
    masks = [window.mask(each.shape, each.centre, each.turn_deg, each.low_mm) for each in nearer]
    return np.asarray(np.logical_or.reduce([np.zeros(window.shape, bool), *masks]), bool)


def _over(castle: Castle, tower: str, window: Window) -> Mask:
    """The pixels of what would stand on a tower's top."""
    kit = castle.kit
    ground = kit.floor.corners(castle.middle(tower), castle.turn_deg(tower), castle.surface_mm(tower))[:4]
    rise = np.array((0.0, 0.0, kit.pitch_mm - kit.floor.tall_mm))
    return filled(window.project(np.vstack([ground, ground + rise])), window.shape)


def _share(change: Change, where: Mask) -> float:
    return float(change.changed[where].mean()) if where.any() else 0.0
