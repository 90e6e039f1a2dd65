"""The whole app without a display: started on a home of its own, led frame by frame, touched and looked at.

For the pictures of the README and for measurements. Kivy is imported when a stage is made, not before.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from companion.app import kivyenv
from companion.rules.base import Dealer
from companion.session.clocks import Clock

if TYPE_CHECKING:
    from companion.app.models.tables import Tables

Size = tuple[int, int]

TABLE_PX: Size = (800, 480)
"""The 7-inch touchscreen."""

FRAME_S = 1 / 60
_START_S = 1000.0
_STILL_FRAME_S = 0.1
_STILL_S = 0.6
_SETTLE_FRAMES = 4
_RGBA = 4


class Picture(Struct, frozen=True):
    """What was on the glass: rows of red, green and blue from the top."""

    width: int
    height: int
    rows: tuple[bytes, ...]

    def png(self) -> bytes:
        """The same picture always gives the same bytes."""
        head = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        data = zlib.compress(b"".join(b"\0" + row for row in self.rows), 9)
        chunks = b"".join(_chunk(kind, body) for kind, body in ((b"IHDR", head), (b"IDAT", data), (b"IEND", b"")))
        return b"\x89PNG\r\n\x1a\n" + chunks


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


class Stage:
    """One app in one offscreen window. `live` lets time be the machine's; otherwise a frame is a sixtieth of a second.

    What is loaded of Kivy stays as it was found, so that several stages can follow each other. With `tables`, those are
    watched.
    """

    def __init__(
        self,
        home: Path,
        *,
        dealer: Dealer,
        clock: Clock,
        size: Size = TABLE_PX,
        live: bool = False,
        tables: Tables | None = None,
    ) -> None:
        if "kivy.core.window" not in sys.modules:
            kivyenv.prepare(kivyenv.Window(width=size[0], height=size[1], offscreen=True), home=home / "kivy")
        from kivy.clock import Clock as Ticking

        from companion.app import shell

        self._ticking = Ticking
        self._before = (Ticking.time, Ticking._max_fps)
        self._ground = self._clear(size)
        self._now_s = _START_S
        if not live:
            Ticking.time, Ticking._max_fps, Ticking._last_tick = (lambda: self._now_s), 0, self._now_s
        self.app = shell.make(shell.Folders.under(home), dealer=dealer, clock=clock, tables=tables)

    def open(self) -> None:
        """Start the app, up to its first frames."""
        from kivy.base import runTouchApp

        self.app._run_prepare()
        runTouchApp(embedded=True)
        self.frames(_SETTLE_FRAMES)

    def close(self) -> None:
        """End the app."""
        from kivy.base import stopTouchApp

        self.app.stop()
        stopTouchApp()
        for event in self._ticking.get_events():
            event.cancel()
        self._ticking.time, self._ticking._max_fps = self._before
        self._ticking._last_tick = self._ticking.time()
        self._clear(TABLE_PX, self._ground)

    def _clear(self, size: Size, ground: Any = None) -> Any:
        """Empties the window and gives it a size; answers which colour it was cleared with."""
        from kivy.core.window import Window

        from companion.app.widgets.drawing import forget_pictures

        for child in list(Window.children):
            Window.remove_widget(child)
        if tuple(Window.size) != size:
            Window.size = size
            Window.trigger_create_window.cancel()  # an offscreen window cannot grow, and Kivy would try for ever
            forget_pictures()
        before = tuple(Window.clearcolor)
        Window.clearcolor = ground or before
        return before

    # Time

    def frames(self, count: int = 1, each_s: float = FRAME_S) -> None:
        """Let so many frames go by."""
        from kivy.base import EventLoop

        for _ in range(count):
            self._now_s += each_s
            EventLoop.idle()

    def still(self) -> None:
        """Let time go by in long frames until all motion has ended."""
        self.wait(_STILL_S)
        self.frames(_SETTLE_FRAMES)

    def wait(self, seconds: float) -> None:
        """Let time go by in long frames."""
        self.frames(round(seconds / _STILL_FRAME_S), _STILL_FRAME_S)

    # Finding and touching

    def find(self, wanted: Callable[[Any], bool]) -> list[Any]:
        """Every visible widget that is wanted, those on top last."""
        from kivy.core.window import Window

        return [widget for root in reversed(Window.children) for widget in _visible(root) if wanted(widget)]

    def named(self, name: str) -> Any:
        """The visible widget with a name."""
        return self.find(lambda widget: getattr(widget, "name", "") == name)[-1]

    def tap(self, widget: Any) -> None:
        """A short touch in the middle of a widget."""
        finger = Finger(widget)
        finger.down()
        self.frames()
        finger.up()
        self.frames(2)

    # Looking

    def picture(self) -> Picture:
        """What is on the glass now. Drawn apart from the window: an offscreen one keeps the size it was opened with."""
        from kivy.core.window import Window
        from kivy.graphics import ClearBuffers, ClearColor, Fbo

        width, height = (int(side) for side in Window.size)
        glass = Fbo(size=(width, height), with_stencilbuffer=True)
        with glass:
            ClearColor(*Window.clearcolor)
            ClearBuffers(clear_color=True, clear_stencil=True)
        for child in reversed(Window.children):
            glass.add(child.canvas)
        glass.draw()
        data, stride = bytes(glass.pixels), width * _RGBA
        glass.clear()
        rows = (data[at * stride : (at + 1) * stride] for at in reversed(range(height)))
        return Picture(width, height, tuple(_rgb(row) for row in rows))


class Finger:
    """A finger over the middle of a widget."""

    def __init__(self, widget: Any) -> None:
        from kivy.core.window import Window
        from kivy.input.providers.mouse import MouseMotionEvent

        x, y = widget.to_window(*widget.center)
        place = (x / max(1.0, Window.width - 1), y / max(1.0, Window.height - 1), "left")
        self._touch = MouseMotionEvent("stage", id(self), place, is_touch=True, type_id="touch")

    def down(self) -> None:
        self._post("begin")

    def up(self) -> None:
        self._post("end")

    def _post(self, what: str) -> None:
        from kivy.base import EventLoop

        EventLoop.post_dispatch_input(what, self._touch)


def _visible(root: Any) -> Iterator[Any]:
    if root.opacity <= 0 or min(root.size) <= 0:
        return
    yield root
    for child in reversed(root.children):
        yield from _visible(child)


def _rgb(row: bytes) -> bytes:
    """A row without its fourth part."""
    thin = bytearray(len(row) // _RGBA * 3)
    for part in range(3):
        thin[part::3] = row[part::_RGBA]
    return bytes(thin)
