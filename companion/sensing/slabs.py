"""How well a single picture supports that a slab lies just there: its sides are edges, its face unlike the rest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.fitting import Window
from companion.sensing.glance import Mask, Small
from companion.sensing.plan import Point
from companion.sensing.shapes import Shape
from companion.sensing.views import Floats

_DETAIL_PX_MM = 1.2  # finer pictures are made smaller: tiles have no finer features than this
_BLUR_PX = 0.8
_FAINT = 0.004  # in logarithms a pixel: a slope so slight has no direction
_RIM_PX = 24  # around the picture there is nothing, and room to look a little beyond its edge
_PARTS = 4  # parts of a side that are judged apart
INSIDE_MM = (-3.5, -5.0, -6.5)
BESIDE_MM = (5.0, 6.5, 8.0)
_STRIP = 14  # points along a side of each strip
NEXT = [1, 2, 3, 0]
"""The corner after each."""

Ints: TypeAlias = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Relief:
    """A picture of a board at the table's scale, a bare rim around it: its colours, and which way it slopes.

    `right` and `down` are a slope's direction, shorter than one where it is faint. What is `hidden` is covered by
    something nearer, or beyond the picture, and says nothing. `noise` is that of the picture, in logarithms. `native`
    is the picture as it was taken, without a rim.
    """

    picture: Small
    right: Small
    down: Small
    hidden: Mask
    window: Window
    zoom: float
    px_mm: float
    noise: float
    native: Small

    @classmethod
    def of(cls, picture: Small, window: Window, middle: Point) -> Relief:
        """Of a quiet picture; `middle` is a point of the board about which its scale is taken."""
        native = _px_mm(window, middle)
        zoom, whole = min(1.0, _DETAIL_PX_MM / native), picture
        if zoom < 1:
            picture = np.asarray(cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA))
        right, down = _steepest(picture)
        noise = _noise(picture)
        steep = np.hypot(right, down) + np.float32(noise + _FAINT)
        hidden = np.ones((picture.shape[0] + 2 * _RIM_PX, picture.shape[1] + 2 * _RIM_PX), bool)
        hidden[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX] = False
        right, down = _rimmed(right / steep), _rimmed(down / steep)
        return cls(_rimmed(picture), right, down, hidden, window, zoom, native * zoom, noise, whole)

    def project(self, points_mm: Floats) -> Floats:
        """Pixels (n, 2) of this picture."""
        return self._zoomed(self.window.project(points_mm))

    def _zoomed(self, pixels: Floats) -> Floats:
        return (pixels + 0.5) * self.zoom - 0.5 + _RIM_PX

    def within(self, pixels: Floats) -> Ints:
        """Where pixels (n, 2) of the native picture are in the flattened one."""
        x, y = np.rint(self._zoomed(pixels)).astype(np.int32).T
        height, width = self.hidden.shape
        return np.asarray(np.clip(y, 0, height - 1) * width + np.clip(x, 0, width - 1), np.int32)

    def cover(self, points_mm: Floats) -> None:
        """From now on the convex hull of these points is hidden."""
        hull = cv2.convexHull(self.project(points_mm).astype(np.float32))
        mask = self.hidden.astype(np.uint8)
        cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 1)
        self.hidden[:] = mask > 0

    def index(self, points_mm: Floats, room_px: int = 0) -> Ints:
        """Where points (..., 3) are in the flattened picture; what is beyond it is moved to its rim, so far inside."""
        height, width = self.hidden.shape
        pixels = np.rint(self.project(points_mm.reshape(-1, 3))).astype(np.int32)
        x = np.clip(pixels[:, 0], room_px, width - 1 - room_px)
        y = np.clip(pixels[:, 1], room_px, height - 1 - room_px)
        return np.asarray((y * width + x).reshape(points_mm.shape[:-1]), np.int32)

    def steps(self, offsets: Ints) -> Ints:
        """What to add to an index to go by offsets (n, 2) in whole pixels."""
        return np.asarray(offsets[:, 1] * self.hidden.shape[1] + offsets[:, 0], np.int32)


def _rimmed(picture: Small) -> Small:
    rim = _RIM_PX
    return np.asarray(cv2.copyMakeBorder(picture, rim, rim, rim, rim, cv2.BORDER_CONSTANT))


def _px_mm(window: Window, middle: Point) -> float:
    x, y = middle
    here, aside, away = window.project(np.array([(x, y, 0.0), (x + 10, y, 0.0), (x, y + 10, 0.0)]))
    return float(max(np.hypot(*(aside - here)), np.hypot(*(away - here)))) / 10


def _steepest(picture: Small) -> tuple[Small, Small]:
    """The slope of each pixel's steepest channel."""
    smooth = cv2.GaussianBlur(picture, (0, 0), _BLUR_PX)
    right = cv2.split(cv2.Scharr(smooth, cv2.CV_32F, 1, 0, scale=1 / 32))
    down = cv2.split(cv2.Scharr(smooth, cv2.CV_32F, 0, 1, scale=1 / 32))
    best_right, best_down = right[0], down[0]
    best = best_right**2 + best_down**2
    for across, along in zip(right[1:], down[1:], strict=True):
        steep = across**2 + along**2
        more = steep > best
        best_right, best_down = np.where(more, across, best_right), np.where(more, along, best_down)
        best = np.where(more, steep, best)
    return np.asarray(best_right, np.float32), np.asarray(best_down, np.float32)


def _noise(picture: Small) -> float:
    bumps = cv2.Laplacian(np.ascontiguousarray(picture[:, :, 1]), cv2.CV_32F)
    return 1.48 * float(np.median(np.abs(bumps[::2, ::2]))) / math.sqrt(20)


@dataclass(frozen=True, eq=False)
class Sides:
    """What a picture says of a slab's four sides at several places (n, 4).

    `top`: how edge-like each is if nothing lies above the slab, `lower`: if one more slab does, judged by what that
    leaves to be seen; `least` is the worst part of a side. `share` and `lower_share` (4) are how much of it is seen.
    """

    top: Floats
    lower: Floats
    least: Floats
    share: Floats
    lower_share: Floats
    near: Mask


ROOM_PX = 12
"""The most that a slab may be moved by in pixels."""


def sides(
    relief: Relief,
    shape: Shape,
    centre: Point,
    turn_deg: float,
    low_mm: float,
    offsets: Ints,
    above: Floats,
    along: int = 20,
) -> Sides:
    """The sides of a plate lying there, moved by each offset (n, 2) in pixels; `above`: corners of a slab above it.

    Each side is asked at so many points `along` it.
    """
    corners = shape.corners(centre, turn_deg, low_mm)
    eye = relief.window.view.eye_mm
    near = facing(corners[4:], eye)
    of = np.concatenate([np.arange(4), np.flatnonzero(near)])
    lines = np.concatenate([_points(corners[4:], along), _points(corners[:4], along)[near]])
    index = relief.index(lines, ROOM_PX)
    seen = (~relief.hidden.ravel()[index]).astype(np.float32)
    lower = seen * _beneath(lines, above[:4], eye)
    found = _crossing(relief, lines, index, relief.steps(offsets)) * seen
    parts = found.reshape(*found.shape[:2], _PARTS, -1).mean(axis=3)
    return Sides(
        _better(found.sum(axis=2) / np.maximum(seen.sum(axis=1), 1), of),
        _better(np.einsum("nla,la->nl", found, lower) / np.maximum(lower.sum(axis=1), 1), of),
        _better(parts.min(axis=2), of),
        seen[:4].mean(axis=1),
        _better(lower.mean(axis=1)[None], of)[0],
        near,
    )


def facing(ring: Floats, eye: Floats) -> Mask:
    """Which sides of a ring (counter-clockwise) face the eye."""
    way = ring[NEXT] - ring
    return np.asarray(way[:, 1] * (eye[0] - ring[:, 0]) - way[:, 0] * (eye[1] - ring[:, 1]) > 0)


def _points(ring: Floats, along: int) -> Floats:
    """Points (4, along, 3) on the sides of a ring."""
    shares = (np.arange(along) + 0.5) / along
    way = ring[NEXT] - ring
    return np.asarray(ring[:, None] + shares[None, :, None] * way[:, None])


def _beneath(points: Floats, above: Floats, eye: Floats) -> Mask:
    """Which points are still seen from the eye when a slab with these lower corners lies above."""
    rise = (above[0, 2] - points[..., 2]) / (eye[2] - points[..., 2])
    through = points[..., :2] + (eye[:2] - points[..., :2]) * rise[..., None]
    ring = above[:, :2]
    beyond = through - ring.mean(axis=0)
    inside = [np.abs(beyond @ way) <= way @ way / 2 for way in (ring[1] - ring[0], ring[3] - ring[0])]
    return np.asarray(~(inside[0] & inside[1]))


def _crossing(relief: Relief, lines: Floats, index: Ints, steps: Ints) -> Small:
    """How squarely the picture slopes across lines of points (lines, along, 3) at each step: (n, lines, along)."""
    ends = relief.project(lines[:, (0, -1)].reshape(-1, 3)).reshape(-1, 2, 2)
    way = ends[:, 1] - ends[:, 0]
    way = (way / np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]).astype(np.float32)
    at = index[None] + steps[:, None, None]
    across = relief.down.ravel()[at] * way[:, 0, None] - relief.right.ravel()[at] * way[:, 1, None]
    return np.asarray(np.abs(across))


def _better(by_line: Floats, of: npt.NDArray[np.intp]) -> Floats:
    """Of a near side's upper and lower edge the one that shows better."""
    best = by_line[:, :4].copy()
    for line, side in enumerate(of[4:], 4):
        best[:, side] = np.maximum(best[:, side], by_line[:, line])
    return best


def contrasts(relief: Relief, shape: Shape, centre: Point, turn_deg: float, low_mm: float) -> Floats:
    """How unlike the picture is just inside and just beside each of a plate's sides, in logarithms."""
    high = strips(shape, centre, turn_deg, low_mm + shape.tall_mm, INSIDE_MM)
    low = strips(shape, centre, turn_deg, low_mm, BESIDE_MM)
    index = relief.index(np.concatenate([high, low]))
    colours = np.median(relief.picture.reshape(-1, 3)[index].reshape(8, -1, 3), axis=1)
    return np.asarray(np.abs(colours[:4] - colours[4:]).max(axis=1), float)


def strips(shape: Shape, centre: Point, turn_deg: float, z_mm: float, beyond_mm: tuple[float, ...]) -> Floats:
    """Points (4, n, 3) along the sides of a plate, so far beyond them."""
    ring = shape.corners(centre, turn_deg, z_mm)[:4]
    way = ring[NEXT] - ring
    length = np.hypot(way[:, 0], way[:, 1])[:, None]
    outward = np.column_stack([way[:, 1], -way[:, 0], np.zeros(4)]) / length
    along = ring[:, None] + np.linspace(0.1, 0.9, _STRIP)[None, :, None] * way[:, None]
    return np.concatenate([along + beyond * outward[:, None] for beyond in beyond_mm], axis=1)
