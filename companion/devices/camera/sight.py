"""Whether a camera that gives pictures sees anything: a covered lens is black, a stuck sensor shows one for ever."""

from __future__ import annotations

from typing import Literal

import numpy as np

from companion.sensing.streams import Image

SightTrouble = Literal["", "black", "frozen"]

_EVERY_ROW = 8
_DARK = 40
_BRIGHT_SHARE = 0.005
"""A dark picture may have this share of brighter values: hot pixels, and a line of light at the edge of a lid."""
_BLACK_US = 2_000_000
"""Cameras begin dark and take a second to get used to the light."""
_FROZEN_US = 3_000_000


def is_dark(image: Image) -> bool:
    """Whether nothing can be seen in a picture.

    >>> is_dark(np.zeros((8, 8, 3), np.uint8)), is_dark(np.full((8, 8, 3), 90, np.uint8))
    (True, False)
    """
    few = image[::_EVERY_ROW]
    return int(np.count_nonzero(few > _DARK)) <= _BRIGHT_SHARE * few.size


class Sight:
    """Looks at every picture of a camera. `trouble` says what is wrong with them, once it has been so for a while.

    The noise of a real sensor changes some pixels in every picture: the same ones again mean that no picture came.
    """

    def __init__(self) -> None:
        self.trouble: SightTrouble = ""
        self._last: Image | None = None
        self._changed_us = 0
        self._bright_us: int | None = None

    def begin(self) -> None:
        """The camera was opened anew: its first pictures may be dark, but not the same as the last."""
        self._bright_us = None

    def look(self, image: Image, now_us: int) -> None:
        """Take a picture into account that arrived now."""
        few = image[::_EVERY_ROW]
        if self._last is None or not np.array_equal(few, self._last):
            self._last, self._changed_us = few.copy(), now_us
        if self._bright_us is None or not is_dark(image):
            self._bright_us = now_us
        if now_us - self._bright_us >= _BLACK_US:
            self.trouble = "black"
        else:
            self.trouble = "frozen" if now_us - self._changed_us >= _FROZEN_US else ""

    def still_us(self, now_us: int) -> int:
        """How long ago the picture last changed."""
        return now_us - self._changed_us
