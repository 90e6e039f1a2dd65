"""A glance at the table: the picture made small, in logarithms, so that light is a sum and motion cheap to see."""

from __future__ import annotations

import math
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.streams import Image

Small: TypeAlias = npt.NDArray[np.float32]
"""A glance: (height, width, 3) of natural logarithms of brightness."""
Mask: TypeAlias = npt.NDArray[np.bool_]

GLANCE_WIDTH = 160
_DARK = 16.0  # added before taking logarithms: what is nearly black says little
_DARK_AT_A_GLANCE = 48.0  # more in a single picture: its noise is greater

_LOGARITHM = np.log(np.arange(256, dtype=np.float32) + _DARK_AT_A_GLANCE)


def shrink_factor(width: int) -> float:
    """How many pixels of a picture of that width make one of a glance."""
    return max(1.0, width / GLANCE_WIDTH)


def glance(image: Image) -> Small:
    """A picture made small and logarithmic."""
    factor = shrink_factor(image.shape[1])
    size = (round(image.shape[1] / factor), round(image.shape[0] / factor))
    return np.asarray(cv2.LUT(_shrunk(image, size), _LOGARITHM))


def glance_of(brightness: float) -> float:
    """What a brightness (0 to 255) is in a glance.

    >>> round(glance_of(255), 2)
    5.71
    """
    return math.log(brightness + _DARK_AT_A_GLANCE)


def _shrunk(image: Image, size: tuple[int, int]) -> Image:
    """A picture made small: halved as often as that goes, which is several times faster than at once."""
    while image.shape[1] % 2 == 0 and image.shape[0] % 2 == 0 and image.shape[1] >= 2 * size[0]:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    return image if image.shape[1::-1] == size else np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))


def most(change: Small) -> Small:
    """The greatest of a pixel's three channels, each without its sign."""
    return greatest(np.abs(change))


def greatest(picture: Small) -> Small:
    """The greatest of a pixel's three channels; several times faster than over an axis."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def least(picture: Small) -> Small:
    """The least of a pixel's three channels."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(blue, green), red))


def logarithmic(image: npt.NDArray[np.float32]) -> Small:
    """Brightness (0 to 255, fractions kept) in logarithms, at full size."""
    return np.asarray(cv2.log(image + np.float32(_DARK)), np.float32)
