"""What is left of towers after a fall: which were touched, and how many levels each can have at the least and the most.

A plate that looks as it did still stands, and all below it; a base tile lies where it lay. Nothing grows by falling,
but by a hand that puts one more on top meanwhile.
"""

from __future__ import annotations

import numpy as np

from companion.sensing.castle import Castle
from companion.sensing.changes import Change, filled
from companion.sensing.fitting import Window
from companion.sensing.glance import Mask
from companion.sensing.towers import Bounds

_TOUCHED = 0.15  # a tower of which a plate changed by this share was touched
_LITTERED = 0.05  # and one on whose top, or bare foundation, so much changed: something lies there, or stood there
_UNCHANGED = 0.15  # the share of its pixels by which a plate may change and be the same
_ENOUGH_PX = 40  # of a plate that must have been in sight to say so


def ruins(castle: Castle, change: Change, window: Window) -> dict[str, Bounds]:
    """The towers that a fall touched and whose tops are in sight, with what is known of them."""
    found = {tower: _bounds(castle, tower, change, window) for tower in castle.towers}
    return {tower: bounds for tower, bounds in found.items() if bounds is not None}


def in_sight(castle: Castle, change: Change, window: Window) -> bool:
    """Whether the tops of all towers are seen."""
    return all(change.known[_over(castle, tower, window)].all() for tower in castle.towers)


def _bounds(castle: Castle, tower: str, change: Change, window: Window) -> Bounds | None:
    levels = castle.levels(tower)
    over = _over(castle, tower, window)
    least, most, touched = min(1, levels), levels + 1, _share(change, over) > _LITTERED
    if not change.known[over].all():
        return None
    hidden = np.zeros(window.shape, bool)
    for plate in reversed(castle.plates(tower)):
        mask = window.mask(plate.shape, plate.centre, plate.turn_deg, plate.low_mm)
        seen = mask & ~hidden & change.known
        hidden |= mask
        if int(seen.sum()) < _ENOUGH_PX:
            continue
        share = _share(change, seen)
        touched = touched or share > _TOUCHED
        if share < _UNCHANGED:
            least = max(least, plate.level)
    return Bounds(least, max(least, most), fallen=True) if touched else None


def _over(castle: Castle, tower: str, window: Window) -> Mask:
    """The pixels of what would stand on a tower's top."""
    kit = castle.kit
    ground = kit.floor.corners(castle.middle(tower), castle.turn_deg(tower), castle.surface_mm(tower))[:4]
    rise = np.array((0.0, 0.0, kit.pitch_mm - kit.floor.tall_mm))
    return filled(window.project(np.vstack([ground, ground + rise])), window.shape)


def _share(change: Change, where: Mask) -> float:
    return float(change.changed[where].mean()) if where.any() else 0.0
