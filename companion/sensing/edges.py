"""How well a picture supports that an outline runs along a line: whatever the colours, edges there point across it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.glance import Mask, Small
from companion.sensing.views import Floats

_BLUR_PX = 0.8
_STEP_PX = 1.5  # between the points at which an edge is asked for
_CHANCE = 0.64  # the mean of |cos| over all directions: what texture gives without any edge
_FEW = 16
_INWARD = (0.25, 0.55, 0.8)  # how far out from an outline's middle its face is asked


@dataclass(frozen=True, eq=False)
class Slopes:
    """Which way a logarithmic picture rises at each pixel: `right` and `down`, together shorter than 1 where faint."""

    right: Small
    down: Small
    known: Mask

    @classmethod
    def of(cls, picture: Small, known: Mask) -> Slopes:
        """The slopes of a picture (height, width), or of the sum of its colours, in logarithms."""
        smooth = cv2.GaussianBlur(picture if picture.ndim == 2 else picture.sum(axis=2), (0, 0), _BLUR_PX)
        right = cv2.Scharr(smooth, cv2.CV_32F, 1, 0, scale=1 / 32)
        down = cv2.Scharr(smooth, cv2.CV_32F, 0, 1, scale=1 / 32)
        noise = float(np.median(np.abs(right[::3, ::3]))) + 1e-3
        steep = cv2.magnitude(right, down) + np.float32(3 * noise)
        return cls(right / steep, down / steep, known)


@dataclass(frozen=True, eq=False)
class Outline:
    """Points along the sides of a shape in the picture, the direction across the side at each; points of its face."""

    points: Floats
    across: Floats
    face: Floats

    @classmethod
    def of(cls, ring: Floats) -> Outline:
        """Of a closed ring of pixels (n, 2)."""
        way = np.roll(ring, -1, axis=0) - ring
        length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
        counts = np.maximum(2, (length / _STEP_PX).astype(int))
        side = np.repeat(np.arange(len(ring)), counts)
        nth = np.arange(len(side)) - np.repeat(np.cumsum(counts) - counts, counts)
        points = ring[side] + ((nth + 0.5) / counts[side])[:, None] * way[side]
        across = np.column_stack([-way[:, 1], way[:, 0]]) / length[:, None]
        middle = points.mean(axis=0)
        face = np.concatenate([middle + inward * (points[::2] - middle) for inward in _INWARD])
        return cls(points, across[side], face)

    @property
    def coarse(self) -> Outline:
        """The same, of its face a few points only."""
        return Outline(self.points, self.across, self.face[:: max(1, len(self.face) // _FEW)])


def support(slopes: Slopes, outline: Outline, offsets: Floats) -> Floats:
    """How edge-like an outline is when moved by each offset (k, 2) in pixels: (k) from 0 to 1.

    What of it is not known does not count; an outline that is mostly unknown has no support.
    """
    at, inside = _at(outline.points, offsets, slopes.known.shape)
    normal = outline.across.astype(np.float32)
    crossing = np.abs(slopes.right.ravel()[at] * normal[:, 0] + slopes.down.ravel()[at] * normal[:, 1])
    straight = np.clip((crossing - _CHANCE) / (1 - _CHANCE), 0, 1)
    return _mean_known(straight, inside & slopes.known.ravel()[at])


def share(mask: Mask, known: Mask, outline: Outline, offsets: Floats) -> Floats:
    """How much of an outline's face is in a mask when moved by each offset, as far as it is known: (k) from 0 to 1."""
    at, inside = _at(outline.face, offsets, known.shape)
    return _mean_known(mask.ravel()[at].astype(np.float32), inside & known.ravel()[at])


def _at(points: Floats, offsets: Floats, shape: tuple[int, ...]) -> tuple[npt.NDArray[np.intp], Mask]:
    """Where points (n, 2) moved by offsets (k, 2) are in a flattened picture: (k, n), and whether they are in it."""
    height, width = shape
    x = np.rint(points[:, 0] + offsets[:, :1]).astype(np.intp)
    y = np.rint(points[:, 1] + offsets[:, 1:]).astype(np.intp)
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    return np.clip(y, 0, height - 1) * width + np.clip(x, 0, width - 1), inside


def _mean_known(values: npt.NDArray[np.floating], known: Mask) -> Floats:
    count = known.sum(axis=1)
    mean = (values * known).sum(axis=1) / np.maximum(count, 1)
    return np.asarray(np.where(count >= 0.5 * known.shape[1], mean, 0.0), float)
