"""Where kept pictures are developed: JPEGs become pixels beside the main thread, so that a finger never waits."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

_JOIN_S = 2.0


class Print(Struct, frozen=True):
    """A developed picture: its number, its size, and a flat row of blue, green, red and alpha."""

    number: int
    width: int
    height: int
    pixels: Any


class Darkroom:
    """Develops one picture at a time: the one wanted last. `close` ends its thread."""

    def __init__(self, pictures: Sequence[bytes] = ()) -> None:
        self._pictures = tuple(pictures)
        self._wanted: int | None = None
        self._ready: Print | None = None
        self._closed = False
        self._bell = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="darkroom", daemon=True)
        self._thread.start()

    def load(self, pictures: Sequence[bytes]) -> None:
        """Other pictures, under the same numbers and more."""
        with self._bell:
            self._pictures = tuple(pictures)

    def want(self, number: int) -> None:
        """Have this picture developed next."""
        with self._bell:
            self._wanted = number
            self._bell.notify()

    def take(self) -> Print | None:
        """The picture that was developed since the last time, if one was."""
        with self._bell:
            ready, self._ready = self._ready, None
        return ready

    def close(self) -> None:
        with self._bell:
            self._closed = True
            self._bell.notify()
        self._thread.join(_JOIN_S)

    def _work(self) -> None:
        while True:
            with self._bell:
                self._bell.wait_for(lambda: self._closed or self._wanted is not None)
                number, self._wanted = self._wanted, None
                if self._closed or number is None:
                    return
                picture = self._pictures[number] if number < len(self._pictures) else b""
            made = developed(number, picture)
            with self._bell:
                self._ready = made or self._ready


def developed(number: int, picture: bytes) -> Print | None:
    """The pixels of a JPEG; nothing where it cannot be read."""
    import cv2
    import numpy as np

    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR) if picture else None
    if image is None:
        return None
    height, width = image.shape[:2]
    return Print(number, width, height, cv2.cvtColor(image, cv2.COLOR_BGR2BGRA).reshape(-1))
