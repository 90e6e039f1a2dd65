"""What looking costs: the whole camera path beside OpenCV's MOG2 on the same pictures in the same run, and memory.

MOG2 is the background subtraction that everybody knows: `cv2.createBackgroundSubtractorMOG2().apply(picture)`. Times
are of this thread's processor, and OpenCV is held to one thread, so that nobody else's work counts.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import msgspec

from companion.errors import BadRecording
from companion.sensing.recording import Item, Recording
from companion.sensing.resizing import Size, resized, seen_at
from companion.sensing.streams import Frame, ScaleSample
from companion.sensing.watch import Watcher

_WARM_UP = 5  # pictures that are not counted: the first ones set things up
_BURST, _EVERY = 30, 5  # a ruler takes 30 pictures in a row, and of five such rows one
_NS_PER_MS = 1_000_000
_US_PER_S = 1_000_000
_BYTES_PER_MB = 1_000_000


class Ruler:
    """Measures MOG2 on a share of the pictures that are shown to it: enough to hold other times beside."""

    def __init__(self, every: int = _EVERY) -> None:
        self._ground = cv2.createBackgroundSubtractorMOG2()
        self._every = every
        self._shown = 0
        self.frames = 0
        self.ms = 0.0

    def show(self, frame: Frame) -> None:
        self._shown += 1
        if (self._shown // _BURST) % self._every:
            return
        start = time.thread_time_ns()
        self._ground.apply(frame.image)
        spent = time.thread_time_ns() - start
        if self._shown > _WARM_UP:
            self.frames += 1
            self.ms += spent / _NS_PER_MS


class Cost(msgspec.Struct, frozen=True):
    """What a picture of that size costs on average: the whole camera path, and MOG2."""

    size: Size
    frames: int
    ours_ms: float
    mog2_ms: float

    @property
    def ratio(self) -> float:
        """The camera path in MOG2s."""
        return self.ours_ms / self.mog2_ms


def camera_cost(recording: Recording, size: Size | None = None) -> Cost:
    """The whole camera path over a recording, and MOG2 on each of its pictures; brought to another size if wanted."""
    cv2.setNumThreads(1)
    plan = seen_at(recording.plan, size) if size else recording.plan
    watcher, ruler = Watcher(plan, ("camera",)), Ruler(every=1)
    ns = frames = 0
    for frame in recording.frames():
        shown = replace(frame, image=resized(frame.image, size)) if size else frame
        start = time.thread_time_ns()
        watcher.feed(shown)
        spent = time.thread_time_ns() - start
        ruler.show(shown)
        frames += 1
        if frames > _WARM_UP:
            ns += spent
    if plan.camera is None or not ruler.frames:
        raise BadRecording(f"{recording.folder} has no pictures to measure with.")
    shape = size or (plan.camera.width, plan.camera.height)
    return Cost(shape, frames, ns / _NS_PER_MS / (frames - _WARM_UP), ruler.ms / ruler.frames)


class Memory(msgspec.Struct, frozen=True):
    """What a watcher's process takes after a while, and much later."""

    minutes: float
    start_mb: float
    end_mb: float

    @property
    def growth_mb(self) -> float:
        return self.end_mb - self.start_mb


def memory_growth(recording: Recording, minutes: float, heard: Callable[[float], None] = lambda share: None) -> Memory:
    """Watch a recording over and over for so many minutes of its own time; the first tenth warms up.

    `heard` is told how much of it is done. Raises BadRecording when there is nothing in the recording.
    """
    cv2.setNumThreads(1)
    watcher = Watcher(recording.plan, recording.senses)
    whole_us = round(minutes * 60 * _US_PER_S)
    begin_us = now_us = None
    start_mb: float | None = None
    for item in _looped(recording):
        now_us = item.t_us
        begin_us = now_us if begin_us is None else begin_us
        watcher.feed(item)
        if now_us - begin_us >= whole_us:
            break
        if start_mb is None and now_us - begin_us >= whole_us / 10:
            start_mb = resident_mb()
        if isinstance(item, Frame):
            heard((now_us - begin_us) / whole_us)
    if begin_us is None or now_us is None or start_mb is None:
        raise BadRecording(f"{recording.folder} has nothing to watch.")
    return Memory((now_us - begin_us) / _US_PER_S / 60, start_mb, resident_mb())


def _looped(recording: Recording) -> Iterator[Item]:
    """The recording without end: after its last item it begins again, as if time went on."""
    later_us = 0
    while True:
        first_us = last_us = None
        for item in recording.merged():
            first_us = item.t_us if first_us is None else first_us
            last_us = item.t_us
            yield _later(item, later_us)
        if first_us is None or last_us is None or last_us == first_us:
            return
        later_us += last_us - first_us + 1


def _later(item: Item, later_us: int) -> Item:
    if isinstance(item, ScaleSample):
        return msgspec.structs.replace(item, t_us=item.t_us + later_us)
    return replace(item, t_us=item.t_us + later_us)


def resident_mb() -> float:
    """What this process takes of the memory now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / _BYTES_PER_MB
