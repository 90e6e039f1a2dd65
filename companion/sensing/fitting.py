"""Where a piece would have to stand to be what changed: its outline moved about until the change supports it best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.sensing.changes import Change, filled, widened
from companion.sensing.edges import Outline, share, support
from companion.sensing.glance import Mask, Small
from companion.sensing.plan import Point
from companion.sensing.shapes import Shape
from companion.sensing.streams import Image
from companion.sensing.views import Floats, View

COARSE_MM = 3.0
"""How far apart places are tried first."""
_FINE_MM, _FINE_REACH_MM = 1.0, 2.0
_TURN_DEG, _FINE_DEG = 15.0, 4.0
_LIKELY, _FEW = 0.6, 6  # places are worth a closer look where so much of a piece's face changed, and the best few
_SQUARE = 1.15  # a piece no longer than so many times its width looks the same after a quarter turn
_OUTSIDE = 0.7  # how much what changed around a piece speaks against it
_COLOURS_AROUND, _COLOURS_PX = 0.6, (5, 20)  # how far around a piece colours are looked at: in its sizes, pixels
_MOST_COLOURS, _QUITE_OTHER = 64, 0.3  # pixels compared; colours that far apart are just others
_FEWEST_COLOURS = 8  # fewer pixels tell nothing of colours
_AROUND, _BESIDE_PX, _MOST_AROUND_PX = 0.3, 2, 16  # that is so much of its size around it, but for the pixels beside it


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

    def crop(self, image: Image) -> Image:
        """This part of a picture."""
        return image[self.top : self.top + self.height, self.left : self.left + self.width]

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

    `edges`: how much of its outline is an edge of the change, `inside`: how much of its face changed, `outside`: how
    much changed close around it; each 0 to 1. `known` is how much of it can be seen at all, `explained` how much of
    all that changed is behind it, `appears` how much more its outline shows now than before, less than 0 where it did.
    """

    shape: Shape
    centre: Point
    turn_deg: float
    low_mm: float
    edges: float
    inside: float
    outside: float
    known: float
    explained: float
    appears: float
    mask: Mask
    change: Change

    @cached_property
    def stands_out(self) -> float:
        """How much more its face differs now from the colours around it than before, in logarithms."""
        return standing_out(self.change, self.mask)

    @property
    def score(self) -> float:
        """From -1 to 2: above 0.8 it is this piece or one much like it."""
        return self.edges + self.inside - _OUTSIDE * self.outside


def fit(change: Change, window: Window, shape: Shape, places: Floats, turns: Sequence[float], low_mm: float) -> Fit:
    """The best of some places (n, 2) for a piece standing at a height, in one of some turns, then moved a little."""
    places = _likely(change, window, shape, places, turns, low_mm)
    centre, turn = _best(change, window, shape, places, turns, low_mm)
    fine = [turn] if shape.round else [turn - _FINE_DEG, turn, turn + _FINE_DEG]
    centre, turn = _best(change, window, shape, around(centre, _FINE_REACH_MM, _FINE_MM), fine, low_mm)
    return measured(change, window, shape, centre, turn, low_mm)


def around(near: Point, reach_mm: float, step_mm: float = COARSE_MM) -> Floats:
    """Places (n, 2) on a grid about a point."""
    steps = np.arange(-reach_mm, reach_mm + step_mm / 2, step_mm)
    return np.array([(near[0] + x, near[1] + y) for x in steps for y in steps])


def turns_of(shape: Shape, about_deg: float = 0.0) -> list[float]:
    """The turns in which a piece of this shape looks different, if it may be turned any way."""
    if shape.round:
        return [0.0]
    square = shape.wide_mm <= _SQUARE * shape.narrow_mm
    return [about_deg + turn for turn in np.arange(0.0, 90.0 if square else 180.0, _TURN_DEG)]


def measured(change: Change, window: Window, shape: Shape, centre: Point, turn_deg: float, low_mm: float) -> Fit:
    """How well the change supports a piece just there."""
    ring = window.silhouette(shape, centre, turn_deg, low_mm)
    outline = Outline.of(ring)
    edges, was, is_now = (
        float(support(slopes, outline, np.zeros((1, 2)))[0]) for slopes in (change.slopes, change.was, change.is_now)
    )
    mask = filled(ring, window.shape)
    seen = mask & change.known
    known = float(seen.sum() / mask.sum()) if mask.any() else 0.0
    inside = float(change.changed[seen].mean()) if seen.any() else 0.0
    explained = float(change.changed[seen].sum() / max(1, change.changed.sum()))
    outside, appears = _outside(change, mask), is_now - was
    return Fit(shape, centre, turn_deg, low_mm, edges, inside, outside, known, explained, appears, mask, change)


def standing_out(change: Change, mask: Mask) -> float:
    """How much more what changed there differs now than before from the colours around it, which did not change."""
    reach = int(np.clip(_COLOURS_AROUND * math.sqrt(mask.sum()), *_COLOURS_PX))
    part = _part(mask, reach)
    mask, now = mask[part], change.changed[part]
    changed, around = mask & now, widened(mask, reach) & ~widened(mask, _BESIDE_PX) & change.known[part] & ~now
    if min(int(changed.sum()), int(around.sum())) < _FEWEST_COLOURS:
        return 0.0
    after, before = (_strangeness(each[part][changed], each[part][around]) for each in (change.after, change.before))
    return after - before


def _part(mask: Mask, around_px: int) -> tuple[slice, slice]:
    """The rows and columns of a mask, and some around it."""
    spans = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    rows, columns = (
        slice(max(0, int(span[0]) - around_px), int(span[-1]) + around_px + 1) if len(span) else slice(0, 0)
        for span in spans
    )
    return rows, columns


def _strangeness(colours: Small, around: Small) -> float:
    """How far colours (n, 3) are on the mean from the nearest of those around (m, 3), in logarithms."""
    some = colours[:: max(1, len(colours) // _MOST_COLOURS)]
    known = around[:: max(1, len(around) // _MOST_COLOURS)]
    apart = np.abs(some[:, None] - known[None]).max(axis=2).min(axis=1)
    return float(np.minimum(apart, _QUITE_OTHER).mean())


def _outside(change: Change, mask: Mask) -> float:
    """How much changed close around a mask, but for a pixel or two beside it."""
    reach = int(np.clip(_AROUND * math.sqrt(mask.sum()), _BESIDE_PX + 3, _MOST_AROUND_PX))
    ring = widened(mask, reach) & ~widened(mask, _BESIDE_PX) & change.known
    return float(change.changed[ring].mean()) if ring.any() else 0.0


def _likely(
    change: Change, window: Window, shape: Shape, places: Floats, turns: Sequence[float], low_mm: float
) -> Floats:
    """Those places where most of a piece's face changed; at the least a few."""
    outline = Outline.of(window.silhouette(shape, _middle(places), turns[len(turns) // 2], low_mm))
    shares = share(change.changed, change.known, outline.coarse, _offsets(window, places, low_mm))
    enough = shares >= min(_LIKELY, np.sort(shares)[-min(len(shares), _FEW)])
    return np.asarray(places[enough], float)


def _middle(places: Floats) -> Point:
    x, y = places[len(places) // 2]
    return (float(x), float(y))


def _offsets(window: Window, places: Floats, low_mm: float) -> Floats:
    """How far places (n, 2) are in the picture from the middle one of them."""
    pixels = window.project(np.hstack([places, np.full((len(places), 1), low_mm)]))
    return np.asarray(pixels - pixels[len(places) // 2], float)


def _best(
    change: Change, window: Window, shape: Shape, places: Floats, turns: Sequence[float], low_mm: float
) -> tuple[Point, float]:
    offsets, near = _offsets(window, places, low_mm), _middle(places)
    found: list[tuple[float, Point, float]] = []
    for turn in turns:
        outline = Outline.of(window.silhouette(shape, near, turn, low_mm))
        scores = support(change.slopes, outline, offsets) + share(change.changed, change.known, outline, offsets)
        at = int(scores.argmax())
        found.append((float(scores[at]), (float(places[at, 0]), float(places[at, 1])), turn))
    _, place, turn = max(found, key=lambda each: each[0])
    return place, turn
