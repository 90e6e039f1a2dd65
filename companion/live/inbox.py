"""Between the threads that read and the one that senses: a bounded queue, and the order of time.

Samples and pictures take different ways and arrive at different times. They are held back for a moment, until all
scales that speak have passed them, and then handed on by their times. Nothing waits for a picture: it may come a little
after samples that are newer, as the watcher knows. What comes later still is handed on all the same, unless something
newer of its own stream came before it.
"""

from __future__ import annotations

import heapq
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import TypeVar

from companion.live.threads import NowUs
from companion.sensing.recording import Item
from companion.sensing.streams import Frame, ScaleSample
from companion.sensing.watch import FRAME_WAITS_US

_MOST_SAMPLES = 4000
"""Some ten seconds of four boards."""
_MOST_FRAMES = 3
_HELD_US = 50_000
_SPEAKS_US = 500_000
_CAMERA = "\0camera"

Passing = Callable[[Frame], None]
"""Hears of frames that nobody looks at."""

_Thing = TypeVar("_Thing", ScaleSample, Frame)


class Inbox:
    """A bounded queue of samples and frames. What finds no room pushes out the oldest of its kind and is counted.

    `passing` hears of each frame that was pushed out.
    """

    def __init__(self, most_frames: int = _MOST_FRAMES, passing: Passing = lambda frame: None) -> None:
        self.dropped_samples = 0
        self.dropped_frames = 0
        self._passing = passing
        self._most_frames = most_frames
        self._samples: deque[ScaleSample] = deque()
        self._frames: deque[Frame] = deque()
        self._changed = threading.Condition()

    def put(self, items: Iterable[Item]) -> None:
        """Add these; never waits."""
        with self._changed:
            for item in items:
                if isinstance(item, Frame):
                    pushed_out = _pushed(self._frames, item, self._most_frames)
                    self.dropped_frames += len(pushed_out)
                    for frame in pushed_out:
                        self._passing(frame)
                else:
                    self.dropped_samples += len(_pushed(self._samples, item, _MOST_SAMPLES))
            self._changed.notify()

    def take(self, wait_s: float = 0.0) -> list[Item]:
        """All there is; waits so long for the first thing when there is nothing."""
        with self._changed:
            if wait_s:
                self._changed.wait_for(lambda: self._samples or self._frames, wait_s)
            taken: list[Item] = [*self._samples, *self._frames]
            self._samples.clear()
            self._frames.clear()
        return taken


def _pushed(into: deque[_Thing], item: _Thing, most: int) -> list[_Thing]:
    into.append(item)
    return [into.popleft()] if len(into) > most else []


class InOrder:
    """Puts what arrives in the order of time. `late` counts what came after its time had been passed.

    `passing` hears of each frame that is left out, as one that is newer was handed on.
    """

    def __init__(self, now_us: NowUs, passing: Passing = lambda frame: None) -> None:
        self.late = 0
        self._passing = passing
        self._now_us = now_us
        self._heap: list[tuple[int, int, Item]] = []
        self._number = 0
        self._newest: dict[str, tuple[int, int]] = {}
        self._released_us = 0

    def add(self, items: Iterable[Item]) -> list[Item]:
        """Take these in, and hand out what has been held long enough, in order."""
        now_us = self._now_us()
        for item in items:
            stream = _stream(item)
            if item.t_us < self._newest.get(stream, (item.t_us, 0))[0]:
                self.late += 1
                if isinstance(item, Frame):
                    self._passing(item)
                continue
            self._newest[stream] = (item.t_us, now_us)
            self._number += 1
            heapq.heappush(self._heap, (item.t_us, self._number, item))
        return self._released(now_us)

    def _released(self, now_us: int) -> list[Item]:
        newest = (times for stream, times in self._newest.items() if stream != _CAMERA)
        speaking = [t_us for t_us, at_us in newest if now_us - at_us < _SPEAKS_US]
        until_us = max(min(speaking, default=now_us), now_us - _HELD_US)
        released: list[Item] = []
        while self._heap and (self._heap[0][0] <= until_us or len(self._heap) > _MOST_SAMPLES):
            released.append(heapq.heappop(self._heap)[2])
        if released:
            self.late += sum(_turn_us(item) < self._released_us for item in released)
            self._released_us = max(self._released_us, released[-1].t_us)
        return released


def _turn_us(item: Item) -> int:
    return item.t_us + (FRAME_WAITS_US if isinstance(item, Frame) else 0)


def _stream(item: Item) -> str:
    return _CAMERA if isinstance(item, Frame) else item.board
