"""What pictures for people are drawn with: colours that all eyes tell apart, and words that can be read on anything."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np

from companion.sensing.streams import Image, Kind
from companion.sensing.views import Floats

Colour: TypeAlias = tuple[int, int, int]
"""Blue, green, red."""
Pixel: TypeAlias = tuple[int, int]

INK: Colour = (235, 238, 240)
DIM: Colour = (150, 155, 160)
PAPER: Colour = (36, 31, 28)
RULE: Colour = (62, 56, 52)
MOVING: Colour = (233, 180, 86)
BOARD: Colour = (205, 205, 205)
TOWER: Colour = (66, 228, 240)
KINDS: dict[Kind, Colour] = {
    "placed": (135, 190, 20),
    "removed": (0, 159, 230),
    "collapse": (40, 70, 235),
    "height": (233, 180, 86),
    "bump": (187, 131, 214),
    "fault": (160, 160, 160),
}

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_FINE = 4  # sub-pixel bits of OpenCV's lines
_PAD_PX = 4


def extent(text: str, size: float) -> tuple[int, int]:
    """How wide and how high a text is written."""
    (width, height), _ = cv2.getTextSize(text, _FONT, size, 1)
    return int(width), int(height)


def write(canvas: Image, text: str, at: Pixel, size: float, colour: Colour = INK) -> None:
    """Write a text; its first letter stands on `at`."""
    cv2.putText(canvas, text, at, _FONT, size, colour, 1, cv2.LINE_AA)


def tint(canvas: Image, corner: Pixel, size: Pixel, colour: Colour, share: float) -> None:
    """Lay a colour over a rectangle; at a share of 1 nothing shows through."""
    (left, top), (wide, high) = corner, size
    part = canvas[max(top, 0) : max(top + high, 0), max(left, 0) : max(left + wide, 0)]
    part[:] = np.round(part * (1 - share) + np.array(colour) * share).astype(np.uint8)


def label(
    canvas: Image,
    text: str,
    corner: Pixel,
    size: float,
    colour: Colour = INK,
    bar: Colour | None = None,
    share: float = 1.0,
) -> None:
    """A text on a dark plate whose upper left corner is given, with a bar of another colour before it if wanted.

    At a share of less than 1 all of it fades.
    """
    wide, high = plate_size(text, size)
    part = canvas[max(corner[1], 0) : corner[1] + high, max(corner[0], 0) : corner[0] + wide]
    below = part.copy()
    tint(canvas, corner, (wide, high), PAPER, 0.72)
    if bar is not None:
        tint(canvas, corner, (3, high), bar, 1.0)
    write(canvas, text, (corner[0] + _PAD_PX + 1, corner[1] + high - _PAD_PX - 1), size, colour)
    if share < 1:
        part[:] = cv2.addWeighted(part, share, below, 1 - share, 0)


def plate_size(text: str, size: float) -> Pixel:
    """How wide and high the plate of a label is."""
    wide, high = extent(text, size)
    return wide + 2 * _PAD_PX + 2, high + 2 * _PAD_PX + 1


def outline(canvas: Image, ring: Floats, colour: Colour, wide: int = 1, share: float = 0.0) -> None:
    """Draw a closed line through points, to a fraction of a pixel, and lay its colour lightly over what it encloses."""
    fine = np.round(ring * (1 << _FINE)).astype(np.int32)
    if share:
        low = np.maximum(np.floor(ring.min(axis=0)).astype(int), 0)
        high = np.ceil(ring.max(axis=0)).astype(int) + 1
        part = canvas[low[1] : max(high[1], 0), low[0] : max(high[0], 0)]
        inside = np.zeros(part.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, fine - (low << _FINE).astype(np.int32), 1, cv2.LINE_8, _FINE)
        part[inside > 0] = np.round(part[inside > 0] * (1 - share) + np.array(colour) * share).astype(np.uint8)
    cv2.polylines(canvas, [fine], True, colour, wide, cv2.LINE_AA, _FINE)
