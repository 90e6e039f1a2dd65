"""Pictures of the table as they come, from a camera that may fail in any way and is taken up again by itself.

    feed = find_camera(CameraConfig())      # or CameraFeed(lambda: UsbCamera("/dev/video0"))
    frame = feed.newest()                   # never waits, never raises; None when there is no new picture
    feed.status                             # how the camera is, with a sentence for people

Call `newest` or look at `status` a few times a second or more: that is what notices a camera that fell silent.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Literal, Protocol

from msgspec import Struct

from companion.devices.camera.going import Going
from companion.devices.camera.sight import Sight
from companion.devices.camera.source import OpenSource, Size
from companion.devices.panel import Health
from companion.devices.presses import MonotonicNs
from companion.sensing.streams import Frame

CameraState = Literal["off", "starting", "ready", "black", "frozen", "lost", "ended"]

_US_PER_S = 1_000_000
_NS_PER_US = 1000
_PATIENCE_S = 3.0
_OPENING_US = 8 * _US_PER_S
_FROZEN_US = 6 * _US_PER_S
"""A camera whose picture stands still for so long is started anew."""
_FIRST_PAUSE_US = _US_PER_S // 2
_LONGEST_PAUSE_US = 8 * _US_PER_S
_STEADY_US = 3 * _US_PER_S
"""A camera that held out for so long is tried again soon when it is lost."""
_MOST_STUCK = 4
_GOODBYE_S = 2.0

_BLACK = "The camera sees only black. Take the cover off its lens, or turn on a light."
_FROZEN = (
    "The camera's picture stands still. It is started anew; if that does not help, unplug it and plug it in again."
)
_SILENT = "The camera gives no pictures. Check its cable; it is started anew."
_UNANSWERED = "The camera does not answer. Unplug it and plug it in again."
_ODD = "The camera's pictures changed their size or kind. It is started anew."
_OVER = "The film is over."
_STARTING = "The camera is starting."


class CameraStatus(Struct, frozen=True, kw_only=True):
    """How a camera is now. `says` is one sentence for people where something is to be said.

    `fps` is what came lately. `frames` counts the pictures taken so far, `dropped` those of them that nobody was given:
    a newer one came first, or they were spoilt. `losses` counts how often the camera was lost.
    """

    state: CameraState
    says: str = ""
    name: str = ""
    size: Size | None = None
    fps: float | None = None
    frames: int = 0
    dropped: int = 0
    losses: int = 0

    @property
    def health(self) -> Health:
        """The same in the words of all devices; a camera that sees nothing is as good as lost."""
        if self.state in ("off", "ended"):
            return Health("off", self.says)
        return Health("ready" if self.state == "ready" else "lost", self.says)


class Camera(Protocol):
    """What the app knows of a camera. None of it raises."""

    @property
    def status(self) -> CameraStatus:
        """How the camera is now."""

    def newest(self, wait_s: float = 0.0) -> Frame | None:
        """The newest picture, once; None when it was handed out already and no other comes within the time to wait."""

    def close(self) -> None:
        """Let go of the camera."""


class OffCamera:
    """No camera: nothing is seen."""

    def __init__(self, says: str = "") -> None:
        self.status = CameraStatus(state="off", says=says)

    def newest(self, wait_s: float = 0.0) -> Frame | None:
        return None

    def close(self) -> None:
        pass


class CameraFeed:
    """The newest picture of a camera, and the camera's ups and downs. `open_source` opens it, each time anew.

    A camera is lost when it says so, or gives no picture for `patience_s`. One that is not `expected` and was never
    there is off, not lost. Without a `thread`, each `newest` reads the camera once, and no picture is dropped.
    """

    def __init__(
        self,
        open_source: OpenSource,
        *,
        monotonic_ns: MonotonicNs = time.monotonic_ns,
        patience_s: float = _PATIENCE_S,
        expected: bool = True,
        thread: bool = True,
    ) -> None:
        self._open_source = open_source
        self._now_ns = monotonic_ns
        self._patience_us = round(patience_s * _US_PER_S)
        self._expected = expected
        self._threaded = thread
        self._changed = threading.Condition()
        self._sight = Sight()
        self._going: Going | None = None
        self._threads: list[threading.Thread] = []
        self._waiting: Frame | None = None
        self._taken = self._handed = self._losses = 0
        self._name, self._says = "", ""
        self._size: Size | None = None
        self._pause_us = _FIRST_PAUSE_US
        self._next_try_us = self._now_us()
        self._ended = self._closed = False
        self._keep_up()

    # For the table

    def newest(self, wait_s: float = 0.0) -> Frame | None:
        """The newest picture, once; None when it was handed out already and no other comes within `wait_s`."""
        self._keep_up()
        if not self._threaded and self._going is not None:
            self._going.step()
        with self._changed:
            if wait_s and self._threaded:
                self._changed.wait_for(lambda: self._waiting is not None or self._closed, wait_s)
            frame, self._waiting = self._waiting, None
            self._handed += frame is not None
            return frame

    @property
    def status(self) -> CameraStatus:
        """How the camera is now."""
        self._keep_up()
        with self._changed:
            state, says = self._told()
            seeing = self._going is not None and state in ("ready", "black", "frozen")
            return CameraStatus(
                state=state,
                says=says,
                name=self._name,
                size=self._size,
                fps=self._going.fps if self._going is not None and seeing else None,
                frames=self._taken,
                dropped=self._taken - self._handed - (self._waiting is not None),
                losses=self._losses,
            )

    def close(self) -> None:
        """Let go of the camera. Waits for its thread, but not for one that hangs in a driver."""
        with self._changed:
            self._closed, self._waiting = True, None
            self._leave()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(_GOODBYE_S / len(self._threads))

    def __enter__(self) -> CameraFeed:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Lost and found

    def _keep_up(self) -> None:
        with self._changed:
            now_us = self._now_us()
            if self._closed or self._ended:
                return
            if self._going is None:
                if now_us >= self._next_try_us:
                    self._start(now_us)
                return
            trouble = self._going.lost or self._silence(self._going, now_us) or self._stillness(self._going, now_us)
            if trouble:
                self._lose(trouble, now_us)
            elif self._going.over:
                self._ended = True
                self._leave()
            elif self._going.lasts_us(now_us) >= _STEADY_US and not self._sight.trouble:
                self._pause_us = _FIRST_PAUSE_US

    def _start(self, now_us: int) -> None:
        """Open the camera, unless too many goes at it hang already."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        if len(self._threads) >= _MOST_STUCK:
            self._next_try_us = now_us + self._pause_us
            return
        self._sight.begin()
        self._going = going = Going(self._open_source, self._put, now_us)
        if self._threaded:
            thread = threading.Thread(target=going.run, name="camera", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _silence(self, going: Going, now_us: int) -> str:
        if going.seen_us is None:
            silent = now_us - going.began_us >= _OPENING_US
        else:
            silent = now_us - going.seen_us >= self._patience_us
        if not silent:
            return ""
        return _UNANSWERED if going.source is None else _ODD if going.odd else _SILENT

    def _stillness(self, going: Going, now_us: int) -> str:
        still = going.seen_us is not None and self._sight.trouble == "frozen"
        long_us = min(self._sight.still_us(now_us), now_us - going.began_us)
        return _FROZEN if still and long_us >= _FROZEN_US else ""

    def _lose(self, says: str, now_us: int) -> None:
        if self._going is not None and self._going.seen_us is not None:
            self._losses += 1
        self._leave()
        self._says = says
        self._next_try_us = now_us + self._pause_us
        self._pause_us = min(2 * self._pause_us, _LONGEST_PAUSE_US)

    def _leave(self) -> None:
        """Have nothing more to do with this go at the camera; its thread closes what it opened."""
        if self._going is not None:
            self._going.stop()
            if not self._threaded:
                self._going.close()
        self._going = None

    def _told(self) -> tuple[CameraState, str]:
        if self._closed:
            return "off", ""
        if self._ended:
            return "ended", _OVER
        if self._going is not None and self._going.seen_us is not None:
            trouble = self._sight.trouble
            return trouble or "ready", {"": "", "black": _BLACK, "frozen": _FROZEN}[trouble]
        if not self._says:
            return "starting", _STARTING
        return "lost" if self._expected or self._losses else "off", self._says

    # On the camera's thread

    def _put(self, going: Going, frame: Frame) -> None:
        """A picture has come; whoever waits gets this one, and never an older one."""
        with self._changed:
            if going is not self._going:
                return
            now_us = self._now_us()
            self._taken = taken = max(frame.index + going.shift(frame, self._taken), self._taken) + 1
            if not going.fits(frame):
                return
            going.seen(frame, now_us)
            if going.source is not None and going.source.live:
                self._sight.look(frame.image, now_us)
            self._name = going.source.name if going.source is not None else ""
            self._size = (frame.image.shape[1], frame.image.shape[0])
            self._waiting = replace(frame, index=taken - 1)
            self._changed.notify_all()

    def _now_us(self) -> int:
        return self._now_ns() // _NS_PER_US
