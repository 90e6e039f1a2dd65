"""How well a picture supports that an outline runs along a line: whatever the colours, edges there point across it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.glance import Small
from companion.sensing.views import Floats

_BLUR_PX = 0.8
_STEP_PX = 1.5  # between the points at which an edge is asked for
_CHANCE = 0.64  # the mean of |cos| over all directions: what texture gives without any edge


@dataclass(frozen=True, eq=False)
class Slopes:
    """How a logarithmic picture rises to the right and downward at each pixel, and what noise alone would give."""

    right: Small
    down: Small
    noise: float

    @classmethod
    def of(cls, gray: Small) -> Slopes:
        """The slopes of a picture (height, width) in logarithms."""
        smooth = cv2.GaussianBlur(gray, (0, 0), _BLUR_PX)
        right = cv2.Scharr(smooth, cv2.CV_32F, 1, 0, scale=1 / 32)
        down = cv2.Scharr(smooth, cv2.CV_32F, 0, 1, scale=1 / 32)
        noise = float(np.median(np.abs(right[::3, ::3]))) + 1e-3
        return cls(right, down, noise)


@dataclass(frozen=True, eq=False)
class Outline:
    """Points along the sides of a shape in the picture, with the direction across the side at each."""

    points: Floats
    across: Floats
    side: npt.NDArray[np.int64]

    @classmethod
    def of(cls, ring: Floats) -> Outline:
        """Of a closed ring of pixels (n, 2)."""
        points, across, side = [], [], []
        for number, (start, end) in enumerate(zip(ring, np.roll(ring, -1, axis=0), strict=True)):
            way = end - start
            length = float(np.hypot(*way))
            count = max(2, int(length / _STEP_PX))
            along = (np.arange(count) + 0.5) / count
            points.append(start + along[:, None] * way)
            across.append(np.tile((-way[1] / max(length, 1e-9), way[0] / max(length, 1e-9)), (count, 1)))
            side.append(np.full(count, number))
        return cls(np.vstack(points), np.vstack(across), np.concatenate(side))


def support(slopes: Slopes, outline: Outline, offsets: Floats) -> Floats:
    """How edge-like each side of the outline is when moved by each offset (k, 2) in pixels: (k, sides) from 0 to 1."""
    columns, rows = outline.points[:, 0], outline.points[:, 1]
    at_x = np.rint(columns[None] + offsets[:, :1]).astype(np.intp)
    at_y = np.rint(rows[None] + offsets[:, 1:]).astype(np.intp)
    height, width = slopes.right.shape
    inside = (at_x >= 0) & (at_x < width) & (at_y >= 0) & (at_y < height)
    at_x, at_y = np.clip(at_x, 0, width - 1), np.clip(at_y, 0, height - 1)
    right, down = slopes.right[at_y, at_x], slopes.down[at_y, at_x]
    crossing = np.abs(right * outline.across[:, 0] + down * outline.across[:, 1])
    steep = np.hypot(right, down) + 3 * slopes.noise
    straight = np.clip((crossing / steep - _CHANCE) / (1 - _CHANCE), 0, 1) * inside
    sides = int(outline.side.max()) + 1
    sums = np.stack([straight[:, outline.side == number].mean(axis=1) for number in range(sides)], axis=1)
    return np.asarray(sums, float)
