"""Floors that lean: one that slipped from its pillars touches the board, or the floor below, with an edge or a corner.

In the picture it can be taken for one that lies flat, a little off. So each floor that is told to have come is held
against all the ways in which it could lean there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.sensing.castle import Standing
from companion.sensing.changes import Change
from companion.sensing.edges import Outline, share, support
from companion.sensing.fitting import Window, around, measured
from companion.sensing.glance import Mask
from companion.sensing.plan import Point
from companion.sensing.shapes import Shape
from companion.sensing.views import Floats

_TILTS_DEG = (14.0, 22.0, 30.0, 40.0, 52.0)
_TOWARD_DEG = tuple(range(0, 360, 45))  # by an edge, or by a corner
_TURNS_DEG = (-20.0, 0.0, 20.0)
_REACH = 0.7  # half floors from its tower's middle: how far one that leans may be
_STEP_MM = 4.0
_BESIDE_MM = 3.0  # what touches the board is so far beside the floor below at the least
_FEW = 4  # ways that are worth a closer look
_PLAIN, _BETTER = 1.1, 0.3  # the score of one that leans, and how much more that is than if it lay flat
_FLAT = 1.1  # the score of one that lies flat beyond doubt


@dataclass(frozen=True)
class Leaning(Shape):
    """A plate that stands on its lowest edge or corner: tilted so far, down toward a direction."""

    tilt_deg: float = 0.0
    toward_deg: float = 0.0

    def corners(self, centre: Point, turn_deg: float, low_mm: float) -> Floats:
        """The corners (2 n, 3); the lowest of them is at `low_mm`."""
        flat = super().corners((0.0, 0.0), turn_deg, 0.0)
        toward, tilt = math.radians(self.toward_deg), math.radians(self.tilt_deg)
        down, up = np.array([math.cos(toward), math.sin(toward), 0.0]), np.array([0.0, 0.0, 1.0])
        side = np.array([-down[1], down[0], 0.0])
        lowered = down * math.cos(tilt) - up * math.sin(tilt)
        leaning = flat @ np.array([down, side, up]).T @ np.array([lowered, side, np.cross(lowered, side)])
        leaning[:, 2] += low_mm - leaning[:, 2].min()
        return np.asarray(leaning + np.array((*centre, 0.0)), float)


@dataclass(frozen=True, eq=False)
class _Way:
    """One way to lean, where the change supports it best."""

    support: float
    shape: Leaning
    centre: Point
    turn_deg: float


def touches_board(change: Change, window: Window, plate: Standing, below: Standing, lowest: Standing) -> bool:
    """Whether a plate that is told to lie flat leans, down to the board beside the lowest floor of its tower.

    It may as well lean on the floor just `below`: then nothing touched the board.
    """
    flat = measured(change, window, plate.shape, plate.centre, plate.turn_deg, plate.low_mm).score
    if flat > _FLAT:
        return False
    on_board, on_floor = (
        _score(change, window, plate, floor, low_mm, outside)
        for floor, low_mm, outside in ((lowest, 0.0, True), (below, below.high_mm, False))
    )
    return on_board >= max(_PLAIN, flat + _BETTER) and on_board > on_floor


def _score(change: Change, window: Window, plate: Standing, floor: Standing, low_mm: float, outside: bool) -> float:
    """How well the change supports that a plate leans there, touching what is at that height outside of a floor."""
    ways = sorted(_ways(change, window, plate, floor, low_mm, outside), key=lambda way: -way.support)
    return max(
        (measured(change, window, way.shape, way.centre, way.turn_deg, low_mm).score for way in ways[:_FEW]),
        default=0.0,
    )


def _ways(
    change: Change, window: Window, plate: Standing, floor: Standing, low_mm: float, outside: bool
) -> Iterator[_Way]:
    shape = plate.shape
    places = around(floor.centre, _REACH * shape.wide_mm / 2, _STEP_MM)
    middle = (float(places[len(places) // 2][0]), float(places[len(places) // 2][1]))
    pixels = window.project(np.hstack([places, np.full((len(places), 1), low_mm)]))
    offsets = pixels - pixels[len(places) // 2]
    for turn in (plate.turn_deg + each for each in _TURNS_DEG):
        for toward in (turn + each for each in _TOWARD_DEG):
            for tilt in _TILTS_DEG:
                leaning = Leaning(shape.kind, shape.ring_mm, shape.tall_mm, shape.mass_g, False, tilt, toward)
                foot = _lowest(leaning.corners((0.0, 0.0), turn, 0.0))
                can = _is_beside(places + foot, floor) == outside
                if not can.any():
                    continue
                outline = Outline.of(window.silhouette(leaning, middle, turn, low_mm))
                supported = support(change.slopes, outline, offsets) + share(
                    change.changed, change.known, outline, offsets
                )
                best = int(np.where(can, supported, -1.0).argmax())
                centre = (float(places[best, 0]), float(places[best, 1]))
                yield _Way(float(supported[best]), leaning, centre, turn)


def _lowest(corners: Floats) -> Floats:
    """Where the edge or corner is that touches."""
    return np.asarray(corners[corners[:, 2] < corners[:, 2].min() + 1.0, :2].mean(axis=0), float)


def _is_beside(points: Floats, floor: Standing) -> Mask:
    """Which points (n, 2) are beside a floor, and not over it."""
    turn = math.radians(floor.turn_deg)
    along = (points - floor.centre) @ np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    return np.asarray(np.abs(along).max(axis=1) > floor.shape.wide_mm / 2 + _BESIDE_MM)
