"""Simulated cameras: one in memory with a cable, a lens cap and a will of its own, and the eye of the live twin."""

from __future__ import annotations

import time

import numpy as np

from companion.devices.camera.source import Size
from companion.devices.live_twin import LiveTwin
from companion.devices.presses import MonotonicNs
from companion.errors import DeviceLost
from companion.sensing.streams import Frame, Image

_NS_PER_US = 1000
_US_PER_S = 1_000_000
_NOISE = 6


class SimCamera:
    """A camera in memory: hand `open` to the feed. Its pictures are a grey slope with noise.

    >>> camera = SimCamera(size=(8, 6), monotonic_ns=lambda: 5_000_000_000)
    >>> frame = camera.open().read()
    >>> frame.t_us, frame.image.shape
    (5000000, (6, 8, 3))
    """

    def __init__(
        self, size: Size = (64, 48), fps: int = 30, monotonic_ns: MonotonicNs = time.monotonic_ns, seed: int = 0
    ) -> None:
        self.size = size
        self.fps = fps
        self.plugged = True
        self.covered = False
        self.frozen = False
        self.mute = False
        self.opened = 0
        self.open_now = 0
        self.now_ns = monotonic_ns
        self._chance = np.random.default_rng(seed)

    def unplug(self) -> None:
        """Pull the cable."""
        self.plugged = False

    def plug_in(self) -> None:
        """Put the cable back."""
        self.plugged = True

    def open(self) -> SimSource:
        """Take it into use."""
        self.look()
        self.opened += 1
        self.open_now += 1
        return SimSource(self)

    def look(self) -> None:
        """Raise DeviceLost if it is not plugged in."""
        if not self.plugged:
            raise DeviceLost("The simulated camera is unplugged. Plug it in again; it is taken up by itself.")

    def picture(self) -> Image:
        """What it sees."""
        width, height = self.size
        noise = self._chance.integers(0, _NOISE, (height, width, 3), np.uint8)
        if self.covered:
            return noise
        slope = np.linspace(30, 220, width).astype(np.uint8)
        return noise + slope[np.newaxis, :, np.newaxis]


class SimSource:
    """A simulated camera while it is open. Pictures that nobody came for in time leave a gap in the numbers."""

    name = "simulated camera"
    live = True
    over = False

    def __init__(self, camera: SimCamera) -> None:
        self._camera = camera
        self._began_us = camera.now_ns() // _NS_PER_US
        self._shown = -1
        self._still: Image | None = None

    def read(self) -> Frame | None:
        camera = self._camera
        camera.look()
        due = (camera.now_ns() // _NS_PER_US - self._began_us) * camera.fps // _US_PER_S
        if camera.mute or due <= self._shown:
            return None
        self._shown = due
        if self._still is None or not camera.frozen:
            self._still = camera.picture()
        return Frame(self._began_us + due * _US_PER_S // camera.fps, due, self._still)

    def close(self) -> None:
        self._camera.open_now -= 1


class TwinCamera:
    """The camera over a live twin's table: `CameraFeed(lambda: TwinCamera(twin))`. The twin stays its owner's."""

    name = "simulated table"
    live = True
    over = False

    def __init__(self, twin: LiveTwin) -> None:
        self._twin = twin

    def read(self) -> Frame | None:
        if not self._twin.alive:
            raise DeviceLost("The simulated table has ended. Start it again.")
        try:
            return self._twin.pictures.newest()
        except ValueError as error:  # its memory was closed
            raise DeviceLost("The simulated table was closed. Start it again.") from error

    def close(self) -> None:
        """The twin goes on."""
