"""Evidence for people: the pictures and the forces around an event, kept small while the table is watched.

An `EvidenceKeeper` is fed what a watcher is fed and remembers the last seconds of it, no more. From it an event is cut
out: to be shown in slow motion, or to be saved as a recording of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import cv2
import msgspec
import numpy as np

from companion.sensing.plan import Plan
from companion.sensing.recording import Item, RecordingWriter
from companion.sensing.resizing import Size, resized, seen_at
from companion.sensing.streams import Frame, Image, ScaleSample, Sensed
from companion.sensing.traces import force_trace

EVENT_FILE = "event.json"

_BEFORE_S, _AFTER_S = 3.0, 1.5
_LATE_S = 6.0  # how long after it happened an event may be decided, and still be cut out whole
_WIDEST_PX = 640
_QUALITY = 85
_MOST_BYTES = 40_000_000
_MOST_SAMPLES = 20_000
_US_PER_S = 1_000_000


class Picture(msgspec.Struct, frozen=True):
    """A picture of the table as a JPEG."""

    t_us: int
    jpeg: bytes

    def image(self) -> Image:
        """Its pixels."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


_Kept = TypeVar("_Kept", Picture, ScaleSample)


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """An event with what the senses gave around it. `plan` describes the table as these pictures show it."""

    event: Sensed
    plan: Plan
    samples: tuple[ScaleSample, ...]
    pictures: tuple[Picture, ...]

    def moment(self) -> Picture | None:
        """The picture nearest to when it happened: of a collapse, the first touch."""
        return min(self.pictures, key=lambda picture: abs(picture.t_us - self.event.t_us), default=None)

    def force_g(self, board: str | None = None) -> list[tuple[int, float]]:
        """The time and the weight of each sample of a board: of the event's own, unless another is named."""
        named = board or self.event.board
        return force_trace(self.plan.board(named), self.samples) if named else []

    def save(self, folder: Path) -> Path:
        """Write it as a recording that can be watched again, with the event beside it; returns the folder."""
        with RecordingWriter(folder, self.plan) as writer:
            for sample in self.samples:
                writer.add_sample(sample)
            for index, picture in enumerate(self.pictures):
                writer.add_frame(Frame(picture.t_us, index, picture.image()))
        (folder / EVENT_FILE).write_text(f"{self.event.line()}\n", encoding="utf-8")
        return folder


class EvidenceKeeper:
    """Remembers the last seconds of a table. Feed it in the order of time, and cut from the same thread.

    Pictures are kept as JPEGs and at most `widest_px` wide. All that is kept has a bound, in seconds and in bytes: when
    pictures are too large for it, the oldest go first.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        before_s: float = _BEFORE_S,
        after_s: float = _AFTER_S,
        widest_px: int = _WIDEST_PX,
        most_bytes: int = _MOST_BYTES,
    ) -> None:
        self._plan = plan
        self._before_us, self._after_us = round(before_s * _US_PER_S), round(after_s * _US_PER_S)
        self._keep_us = self._before_us + self._after_us + round(_LATE_S * _US_PER_S)
        self._widest_px = widest_px
        self._most_bytes = most_bytes
        self._samples: deque[ScaleSample] = deque(maxlen=_MOST_SAMPLES)
        self._pictures: deque[Picture] = deque()
        self._bytes = 0
        self._now_us: int | None = None
        self._size: Size | None = None

    @property
    def kept_bytes(self) -> int:
        """How much memory the pictures take."""
        return self._bytes

    def feed(self, item: Item) -> None:
        """Remember this, and forget what is too old."""
        self._now_us = item.t_us
        if isinstance(item, Frame):
            picture = self._picture(item)
            self._pictures.append(picture)
            self._bytes += len(picture.jpeg)
        else:
            self._samples.append(item)
        self._forget(item.t_us - self._keep_us)

    def ready(self, event: Sensed) -> bool:
        """Whether what came after the event has been fed too; `cut` before that gives less of it."""
        return self._now_us is not None and self._now_us >= event.t_us + self._after_us

    def cut(self, event: Sensed) -> Evidence:
        """What is remembered from a while before the event to a while after it."""
        begin_us, end_us = event.t_us - self._before_us, event.t_us + self._after_us
        return Evidence(
            event=event,
            plan=seen_at(self._plan, self._size) if self._size else self._plan,
            samples=_between(self._samples, begin_us, end_us),
            pictures=_between(self._pictures, begin_us, end_us),
        )

    def _picture(self, frame: Frame) -> Picture:
        image = frame.image
        height, width = image.shape[:2]
        if width > self._widest_px:
            self._size = (self._widest_px, round(height * self._widest_px / width))
            image = resized(image, self._size)
        _, jpeg = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))
        return Picture(frame.t_us, jpeg.tobytes())

    def _forget(self, before_us: int) -> None:
        while self._samples and self._samples[0].t_us < before_us:
            self._samples.popleft()
        while self._pictures and (self._pictures[0].t_us < before_us or self._bytes > self._most_bytes):
            self._bytes -= len(self._pictures.popleft().jpeg)


def _between(kept: Iterable[_Kept], begin_us: int, end_us: int) -> tuple[_Kept, ...]:
    return tuple(each for each in kept if begin_us <= each.t_us <= end_us)
