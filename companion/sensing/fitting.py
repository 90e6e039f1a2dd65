"""Where a piece would have to stand to be what changed: its outline moved about until the change supports it best."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.changes import Change, filled
from companion.sensing.edges import Outline, Slopes, support
from companion.sensing.glance import Mask
from companion.sensing.plan import Point
from companion.sensing.shapes import Shape
from companion.sensing.views import Floats, View

_COARSE_MM = 3.0
_FINE_MM = 1.0
_TURN_DEG = 4.0


@dataclass(frozen=True, eq=False)
class Window:
    """A part of the picture: the crop's left upper corner and its size, and a board's view."""

    view: View
    left: int
    top: int
    width: int
    height: int

    @property
    def shape(self) -> tuple[int, int]:
        return (self.height, self.width)

    def project(self, points_mm: Floats) -> Floats:
        """Pixels of the crop."""
        return self.view.project(points_mm) - (self.left, self.top)

    def silhouette(self, shape: Shape, centre: Point, turn_deg: float, low_mm: float) -> Floats:
        """The outline of a piece in the crop, as a convex ring of pixels."""
        pixels = self.project(shape.corners(centre, turn_deg, low_mm)).astype(np.float32)
        return np.asarray(cv2.convexHull(pixels), float).reshape(-1, 2)

    def mask(self, shape: Shape, centre: Point, turn_deg: float, low_mm: float) -> Mask:
        """The pixels a piece covers."""
        return filled(self.silhouette(shape, centre, turn_deg, low_mm), self.shape)


@dataclass(frozen=True, eq=False)
class Fit:
    """A piece as the change supports it best.

    `edges`: how much of its outline is an edge of the change, `inside`: how much of its face changed,
    `outside`: how much of what changed nearby lies elsewhere; each 0 to 1.
    """

    shape: Shape
    centre: Point
    turn_deg: float
    low_mm: float
    edges: float
    inside: float
    outside: float
    mask: Mask

    @property
    def score(self) -> float:
        """From -1 to 2: above 0.8 it is this piece or one much like it."""
        return self.edges + self.inside - self.outside


def fit(
    change: Change, window: Window, shape: Shape, near: Point, low_mm: float, *, reach_mm: float, turns_deg: float
) -> Fit:
    """The best place for a piece within reach of a point, standing at a height, turned at most so far."""
    turns = [0.0] if shape.round else list(np.arange(-turns_deg, turns_deg + 0.1, _TURN_DEG))
    centre, turn = _best(change.slopes, window, shape, near, turns, low_mm, reach_mm, _COARSE_MM)
    fine = [0.0] if shape.round else [turn - 2.0, turn, turn + 2.0]
    centre, turn = _best(change.slopes, window, shape, centre, fine, low_mm, _COARSE_MM - _FINE_MM, _FINE_MM)
    return measured(change, window, shape, centre, turn, low_mm)


def measured(change: Change, window: Window, shape: Shape, centre: Point, turn_deg: float, low_mm: float) -> Fit:
    """How well the change supports a piece just there."""
    ring = window.silhouette(shape, centre, turn_deg, low_mm)
    outline = Outline.of(ring)
    edges = float(_weighed(support(change.slopes, outline, np.zeros((1, 2))), outline)[0])
    mask = filled(ring, window.shape)
    inside = float(change.changed[mask].mean()) if mask.any() else 0.0
    return Fit(shape, centre, turn_deg, low_mm, edges, inside, _outside(change.changed, mask), mask)


def _outside(changed: Mask, mask: Mask) -> float:
    """The share of what changed that the mask, with a pixel or two around it, does not explain."""
    wide = cv2.dilate(mask.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)
    total = int(changed.sum())
    return float((changed & ~wide).sum() / total) if total else 0.0


def _best(
    slopes: Slopes,
    window: Window,
    shape: Shape,
    near: Point,
    turns: list[float],
    low_mm: float,
    reach_mm: float,
    step_mm: float,
) -> tuple[Point, float]:
    steps = np.arange(-reach_mm, reach_mm + step_mm / 2, step_mm)
    places = np.array([(near[0] + x, near[1] + y, low_mm) for x in steps for y in steps])
    pixels = window.project(np.vstack([(*near, low_mm), places]))
    offsets = pixels[1:] - pixels[0]
    found: list[tuple[float, Point, float]] = []
    for turn in turns:
        outline = Outline.of(window.silhouette(shape, near, turn, low_mm))
        scores = _weighed(support(slopes, outline, offsets), outline)
        at = int(scores.argmax())
        found.append((float(scores[at]), (float(places[at, 0]), float(places[at, 1])), turn))
    _, place, turn = max(found, key=lambda each: each[0])
    return place, turn


def _weighed(by_side: Floats, outline: Outline) -> Floats:
    """Sides count by their length."""
    return np.asarray(by_side @ (np.bincount(outline.side) / len(outline.side)), float)
