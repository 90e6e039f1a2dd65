"""A recording played over and over as if it were a live table: for long checks in which time passes as told."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from typing import Any

from companion.devices.camera.feed import CameraStatus
from companion.devices.scales.driver import ModuleReport
from companion.devices.scales.troubles import Notice
from companion.errors import BadRecording, DeviceLost
from companion.live.threads import NowUs
from companion.sensing.recording import Item, Recording
from companion.sensing.resizing import resized, seen_at
from companion.sensing.streams import Frame, ScaleSample

_GAP_US = 4_000_000
"""Between two laps, as if everything had been unplugged for a moment: the table is set up anew meanwhile."""
_US_PER_S = 1_000_000


class LoopedTable:
    """Sources and open table in one. Pictures are brought to a width and a rate, and kept in memory."""

    simulated = False
    says = remedy = ""
    alive = True

    def __init__(self, recording: Recording, now_us: NowUs, width_px: int = 320, fps: float = 10.0) -> None:
        camera = recording.plan.camera
        size = (width_px, round(camera.height * width_px / camera.width)) if camera else None
        self.plan = seen_at(recording.plan, size) if size else recording.plan
        self.laps = 0
        self._now_us = now_us
        self._items = _thinned(recording, size, round(_US_PER_S / fps))
        if not self._items:
            raise BadRecording(f"{recording.folder} holds nothing that can be played.")
        self._lap_us = self._items[-1].t_us - self._items[0].t_us + _GAP_US
        self._next = 0
        self._shift_us = now_us() - self._items[0].t_us
        self._samples: deque[ScaleSample] = deque()
        self._frames: deque[Frame] = deque(maxlen=2)

    def due(self) -> None:
        """Hand out all whose time has come."""
        now_us = self._now_us()
        while self._items[self._next].t_us + self._shift_us <= now_us:
            item = self._items[self._next]
            t_us = item.t_us + self._shift_us
            if isinstance(item, Frame):
                self._frames.append(Frame(t_us, item.index, item.image))
            else:
                self._samples.append(ScaleSample(t_us, item.board, item.counts, item.flags))
            self._next += 1
            if self._next == len(self._items):
                self._next, self.laps = 0, self.laps + 1
                self._shift_us += self._lap_us

    def samples(self) -> list[ScaleSample]:
        """The samples since the last time."""
        self.due()
        taken = list(self._samples)
        self._samples.clear()
        return taken

    def newest(self) -> Frame | None:
        """The newest picture, once."""
        self.due()
        return self._frames.popleft() if self._frames else None

    # As sources, and as an open table

    def open(self, stop: threading.Event) -> LoopedTable:
        return self

    def open_scales(self) -> LoopedScales:
        return LoopedScales(self)

    def open_camera(self) -> LoopedCamera:
        return LoopedCamera(self)

    def hand(self, words: str) -> None:
        raise DeviceLost("A recording has no hands.")

    def told(self) -> Iterator[dict[str, Any]]:
        return iter(())

    def close(self) -> None:
        """Nothing is held open."""


class LoopedScales:
    """The scales of a looped recording."""

    def __init__(self, table: LoopedTable) -> None:
        self._table = table

    def poll(self) -> list[ScaleSample]:
        return self._table.samples()

    def notices(self) -> list[Notice]:
        return []

    def modules(self) -> tuple[ModuleReport, ...]:
        boards = [board.id for board in self._table.plan.boards if board.cells]
        return tuple(ModuleReport(name=board, board=board, port="", state="ready") for board in boards)

    def close(self) -> None:
        """Nothing is held open."""


class LoopedCamera:
    """The camera of a looped recording."""

    status = CameraStatus(state="ready")

    def __init__(self, table: LoopedTable) -> None:
        self._table = table

    def newest(self, wait_s: float = 0.0) -> Frame | None:
        return self._table.newest()

    def close(self) -> None:
        """Nothing is held open."""


def _thinned(recording: Recording, size: tuple[int, int] | None, apart_us: int) -> list[Item]:
    items: list[Item] = []
    last_us: int | None = None
    for item in recording.merged():
        if isinstance(item, Frame):
            if last_us is not None and item.t_us - last_us < apart_us * 0.9:
                continue
            last_us = item.t_us
            image = resized(item.image, size) if size else item.image
            items.append(Frame(item.t_us, item.index, image.copy()))
        else:
            items.append(item)
    return items
