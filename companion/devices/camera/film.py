"""A film in place of a camera: a video file, or the pictures of a recording with their own times."""

from __future__ import annotations

import math
import time
from collections.abc import Generator
from pathlib import Path

from companion.devices.camera.capture import video_capture
from companion.devices.presses import MonotonicNs
from companion.errors import BadRecording, DeviceLost
from companion.sensing.recording import Recording
from companion.sensing.streams import Frame

_US_PER_MS = 1000
_NS_PER_US = 1000
_US_PER_S = 1_000_000
_USUAL_FPS = 30.0
_TOO_LATE_US = 500_000
"""So far behind its own time, a film takes the present as its new time."""

Pictures = Generator[Frame, None, None]


class FilmCamera:
    """Shows a film once, or over and over in a `loop`.

    `paced`, it shows each picture when it is due, and the times are those of the clock; otherwise it shows them as fast
    as they are asked for, with the times of the film.
    """

    live = False

    def __init__(
        self, path: Path, *, paced: bool = True, loop: bool = False, monotonic_ns: MonotonicNs = time.monotonic_ns
    ) -> None:
        self.name = path.name
        self.over = False
        self._path = path
        self._paced = paced
        self._loop = loop
        self._now_ns = monotonic_ns
        self._pictures = _pictures(path)
        self._next: Frame | None = None
        self._shift_us: int | None = None
        self._last_us: int | None = None
        self._period_us = round(_US_PER_S / _USUAL_FPS)
        self._shown = 0

    def read(self) -> Frame | None:
        frame = self._next or self._turned()
        if frame is None:
            return None
        now_us = self._now_ns() // _NS_PER_US
        if self._shift_us is None:
            self._shift_us = now_us - frame.t_us if self._paced else 0
        t_us = frame.t_us + self._shift_us
        if self._paced and t_us > now_us:
            self._next = frame
            return None
        if self._paced and now_us - t_us > _TOO_LATE_US:
            self._shift_us += now_us - t_us
            t_us = now_us
        return self._show(frame, t_us)

    def close(self) -> None:
        self._pictures.close()

    def _show(self, frame: Frame, t_us: int) -> Frame:
        if self._last_us is not None:
            self._period_us = max(t_us - self._last_us, 1)
        self._next, self._last_us = None, t_us
        self._shown += 1
        return Frame(t_us, self._shown - 1, frame.image)

    def _turned(self) -> Frame | None:
        """The next picture of the film, from its beginning again where it loops."""
        frame = next(self._pictures, None)
        if frame is None and self._loop:
            self._pictures = _pictures(self._path)
            frame = next(self._pictures)
            assert self._last_us is not None
            self._shift_us = self._last_us + self._period_us - frame.t_us
        self.over = frame is None
        return frame


def _pictures(path: Path) -> Pictures:
    """The pictures of a film in order. Raises DeviceLost where there is not even one."""
    shown = False
    if path.is_dir():
        try:
            recording = Recording.open(path)
        except BadRecording as error:
            raise DeviceLost(str(error)) from error
        for frame in recording.frames():
            shown = True
            yield frame
        why = recording.unread.get("camera", f"{path} holds no picture.")
    else:
        for frame in _video(path):
            shown = True
            yield frame
        why = f"{path} cannot be read as a video."
    if not shown:
        raise DeviceLost(why)


def _video(path: Path) -> Pictures:
    """A video's pictures at the times it gives them, or evenly where it gives none that go forward."""
    import cv2

    capture = video_capture(str(path))
    try:
        fps = capture.get(cv2.CAP_PROP_FPS)
        period_us = _US_PER_S / (fps if math.isfinite(fps) and fps > 0 else _USUAL_FPS)
        last_us, index = -period_us, 0
        while capture.grab():
            stated_us = capture.get(cv2.CAP_PROP_POS_MSEC) * _US_PER_MS
            last_us = stated_us if stated_us > last_us else last_us + period_us
            whole, image = capture.retrieve()
            if whole:
                yield Frame(round(last_us), index, image)
            index += 1
    finally:
        capture.release()
