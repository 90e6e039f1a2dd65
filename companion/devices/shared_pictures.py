"""Pictures handed from one process to another through memory that both see: the newest one, whole, without waiting.

The writer owns a file in memory with a few slots. It fills the slot after the newest and then says which one is the
newest; a reader copies that slot and looks again whether it was overwritten meanwhile.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
from pathlib import Path
from typing import cast

import numpy as np

from companion.errors import DeviceLost
from companion.sensing.streams import Frame, Image

_MAGIC = b"CCPIC1\0\0"
_HEADER = struct.Struct("<8sIIQ")
"""Magic, width, height, number of the newest picture (0: none yet)."""
_SLOT_HEADER = struct.Struct("<QQ")
"""The picture's number while it is whole, 0 while it is being written; its time in microseconds."""
_HEADER_BYTES = 64
_SLOT_HEADER_BYTES = 64
_SLOTS = 4
_MEMORY = Path("/dev/shm")


class PictureWriter:
    """Where pictures of one size are put for others to see. `close` takes the memory away."""

    def __init__(self, width: int, height: int) -> None:
        self.size = (width, height)
        folder = _MEMORY if _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) else None
        file, self.path = tempfile.mkstemp(prefix="companion-pictures-", dir=folder)
        try:
            os.ftruncate(file, _HEADER_BYTES + _SLOTS * _slot_bytes(width, height))
            self._memory = mmap.mmap(file, 0)
        finally:
            os.close(file)
        self._number = 0
        self._say_newest()

    def put(self, image: Image, t_us: int) -> None:
        """Show a picture; it must have the size that was agreed on."""
        width, height = self.size
        if image.shape != (height, width, 3):
            raise ValueError(f"A picture of {image.shape} does not fit {height} x {width}.")
        self._number += 1
        at = _slot_at(self._number, width, height)
        self._memory[at : at + _SLOT_HEADER.size] = _SLOT_HEADER.pack(0, t_us)
        start = at + _SLOT_HEADER_BYTES
        self._memory[start : start + image.nbytes] = np.ascontiguousarray(image).tobytes()
        self._memory[at : at + _SLOT_HEADER.size] = _SLOT_HEADER.pack(self._number, t_us)
        self._say_newest()

    def close(self) -> None:
        self._memory.close()
        Path(self.path).unlink(missing_ok=True)

    def _say_newest(self) -> None:
        self._memory[: _HEADER.size] = _HEADER.pack(_MAGIC, *self.size, self._number)


class PictureReader:
    """Looks at what a writer shows. `newest` never waits."""

    def __init__(self, path: str) -> None:
        try:
            with Path(path).open("rb") as file:
                self._memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as err:
            raise DeviceLost(f"The simulated camera at {path} is not there: {err}.") from err
        magic, width, height, _ = _HEADER.unpack_from(self._memory)
        if magic != _MAGIC or len(self._memory) < _HEADER_BYTES + _SLOTS * _slot_bytes(width, height):
            raise DeviceLost(f"{path} does not hold pictures.")
        self.size = (int(width), int(height))
        self._seen = 0

    def newest(self) -> Frame | None:
        """The newest picture, or None when it was handed out already or is being overwritten."""
        number = cast(int, _HEADER.unpack_from(self._memory)[3])
        if number == self._seen:
            return None
        width, height = self.size
        at = _slot_at(number, width, height)
        before, t_us = _SLOT_HEADER.unpack_from(self._memory, at)
        start = at + _SLOT_HEADER_BYTES
        pixels = self._memory[start : start + width * height * 3]
        after, _ = _SLOT_HEADER.unpack_from(self._memory, at)
        if not before == after == number:
            return None
        self._seen = number
        return Frame(int(t_us), number - 1, np.frombuffer(pixels, np.uint8).reshape(height, width, 3))

    def close(self) -> None:
        self._memory.close()


def _slot_bytes(width: int, height: int) -> int:
    return _SLOT_HEADER_BYTES + width * height * 3


def _slot_at(number: int, width: int, height: int) -> int:
    return _HEADER_BYTES + number % _SLOTS * _slot_bytes(width, height)
