"""A simulated camera and its feed, in which time passes when it is told to; and pictures to film."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.devices.camera.feed import CameraFeed, CameraStatus
from companion.devices.camera.source import OpenSource
from companion.devices.camera.twin import SimCamera
from companion.sensing.streams import Frame, Image
from companion.session.clocks import ManualClock

START_S = 1000.0
_STEP_S = 0.02


class Watched:
    """A feed without a thread, and all the pictures it gave."""

    def __init__(self, clock: ManualClock, open_source: OpenSource, **how: Any) -> None:
        self.clock = clock
        self.feed = CameraFeed(open_source, monotonic_ns=clock.monotonic_ns, thread=False, **how)
        self.frames: list[Frame] = []

    def run(self, seconds: float, step_s: float = _STEP_S) -> list[Frame]:
        """Let time pass; the pictures that came meanwhile."""
        before = len(self.frames)
        for _ in range(round(seconds / step_s)):
            self.clock.advance(step_s)
            frame = self.feed.newest()
            if frame is not None:
                self.frames.append(frame)
        return self.frames[before:]

    @property
    def status(self) -> CameraStatus:
        return self.feed.status

    def until(self, state: str, patience_s: float = 20.0) -> float:
        """Let time pass until the camera is like that; how long it took."""
        waited_s = 0.0
        while self.status.state != state:
            assert waited_s < patience_s, f"It is still {self.status.state}."
            self.run(0.1, step_s=0.1)
            waited_s += 0.1
        return waited_s


def grey(shade: int, size: tuple[int, int] = (64, 48)) -> Image:
    return np.full((size[1], size[0], 3), shade, np.uint8)


def film(path: Path, shades: range = range(20, 220, 20), fps: float = 25.0) -> Path:
    """A small video of grey pictures, one for each shade."""
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for shade in shades:
        video.write(grey(shade))
    video.release()
    return path


@pytest.fixture
def clock() -> ManualClock:
    made = ManualClock()
    made.advance(START_S)
    return made


@pytest.fixture
def camera(clock: ManualClock) -> SimCamera:
    return SimCamera(fps=25, monotonic_ns=clock.monotonic_ns)


@pytest.fixture
def watch(clock: ManualClock) -> Iterator[Callable[..., Watched]]:
    """Makes feeds that are closed in the end."""
    made: list[Watched] = []

    def watching(open_source: OpenSource, **how: Any) -> Watched:
        made.append(Watched(clock, open_source, **how))
        return made[-1]

    yield watching
    for watched in made:
        watched.feed.close()


@pytest.fixture
def watched(watch: Callable[..., Watched], camera: SimCamera) -> Watched:
    """A simulated camera that is being watched and gives pictures."""
    made = watch(camera.open)
    made.run(0.5)
    assert made.status.state == "ready"
    return made
