"""One go at a camera: opened, read and closed on one thread, which is told to stop and need not be waited for."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress

import numpy as np

from companion.devices.camera.source import OpenSource, Source
from companion.errors import DeviceLost
from companion.sensing.streams import Frame, Image

_US_PER_S = 1_000_000
_RATE_PICTURES = 31
_BREATH_S = 0.004
"""How long to let a camera be that has no picture at the moment."""


class Going:
    """One go at the camera. `lost` says in a sentence why it ended, `over` that there is nothing more to see.

    `seen_us` is when the last good picture came; `odd` counts those after it that were not good.
    """

    def __init__(self, open_source: OpenSource, put: Callable[[Going, Frame], None], now_us: int) -> None:
        self.began_us = now_us
        self.source: Source | None = None
        self.lost = ""
        self.over = False
        self.odd = 0
        self.seen_us: int | None = None
        self._first_us = 0
        self._shift: int | None = None
        self._shape: tuple[int, ...] | None = None
        self._times_us: deque[int] = deque(maxlen=_RATE_PICTURES)
        self._open_source = open_source
        self._put = put
        self._stopped = threading.Event()

    def run(self) -> None:
        """Read until there is nothing more to read, or nobody wants it."""
        while not (self._stopped.is_set() or self.lost or self.over):
            if not self.step():
                self._stopped.wait(_BREATH_S)
        self.close()

    def step(self) -> bool:
        """Open the camera, or read it once. Whether there was something."""
        try:
            if self.source is None:
                self.source = self._open_source()
            frame = self.source.read()
            self.over = self.source.over
        except DeviceLost as error:
            self.lost = str(error)
            return False
        except Exception as error:  # noqa: BLE001 - a driver may raise anything, and a dead thread would not tell
            self.lost = f"The camera's software failed ({type(error).__name__}). It is started anew."
            return False
        if frame is not None:
            self._put(self, frame)
        return frame is not None

    def stop(self) -> None:
        """Nobody wants its pictures any more."""
        self._stopped.set()

    def close(self) -> None:
        """Let go of the camera, on the thread that opened it."""
        if self.source is not None:
            with suppress(DeviceLost):
                self.source.close()

    def shift(self, frame: Frame, taken: int) -> int:
        """What to add to a picture's number, so that numbers go on where the go before ended."""
        if self._shift is None:
            self._shift = taken - frame.index
        return self._shift

    def fits(self, frame: Frame) -> bool:
        """Whether a picture is one, of the size of the first, and newer than the last."""
        shape = frame.image.shape
        good = _is_picture(frame.image) and shape == (self._shape or shape)
        if not good or (self._times_us and frame.t_us <= self._times_us[-1]):
            self.odd += 1
            return False
        self._shape = shape
        return True

    def seen(self, frame: Frame, now_us: int) -> None:
        """A good picture came now."""
        self._first_us = now_us if self.seen_us is None else self._first_us
        self.seen_us, self.odd = now_us, 0
        self._times_us.append(frame.t_us)

    def lasts_us(self, now_us: int) -> int:
        """For how long there have been pictures."""
        return now_us - self._first_us if self.seen_us is not None else 0

    @property
    def fps(self) -> float | None:
        """Pictures a second, lately."""
        if len(self._times_us) < 2:
            return None
        return (len(self._times_us) - 1) * _US_PER_S / (self._times_us[-1] - self._times_us[0])


def _is_picture(image: Image) -> bool:
    return image.ndim == 3 and image.shape[2] == 3 and image.size > 0 and image.dtype == np.uint8
