"""A table's vocabulary for tests of the app: tap, hold, drag, look. Time is the test's own, and nobody sleeps.

drive.show(PushButton(text="Build"))
drive.tap("Build")
drive.hold(drive.find(HoldButton), seconds=1.0)
assert drive.overlaps_and_cuts() == []
"""

from __future__ import annotations

import gc
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from kivy.app import App
from kivy.base import EventLoop, runTouchApp, stopTouchApp
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import ClearBuffers, ClearColor, Fbo
from kivy.input import MotionEvent
from kivy.metrics import Metrics
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget
from msgspec import Struct

from companion.app.theme import DARK
from companion.app.widgets.drawing import forget_pictures
from companion.app.widgets.look import look, target
from companion.app.widgets.words import TextLabel, measured

W = TypeVar("W", bound=Any)

SIZE_PX = (800, 480)
FRAME_S = 1 / 60
PATIENCE_S = 10.0
_SLACK_PX = 1.0
_SETTLE_FRAMES = 3
_GARBAGE_FROM = 20_000
"""Looking for cycles among all widgets after every few hundred new ones takes a third of the time."""
_DRAG_STEPS = 8


class Finger(MotionEvent):
    """A finger on the glass, in window coordinates."""

    def __init__(self, x: float, y: float) -> None:
        super().__init__("finger", id(self), self._place(x, y), is_touch=True, type_id="touch")
        self.profile = ["pos"]

    def depack(self, place: dict[str, float]) -> None:
        self.sx, self.sy = place["x"], place["y"]
        super().depack(place)

    def down(self) -> None:
        EventLoop.post_dispatch_input("begin", self)

    def to(self, x: float, y: float) -> None:
        self.move(self._place(x, y))
        EventLoop.post_dispatch_input("update", self)

    def up(self) -> None:
        EventLoop.post_dispatch_input("end", self)

    @staticmethod
    def _place(x: float, y: float) -> dict[str, float]:
        return {"x": x / (Window.width - 1.0), "y": y / (Window.height - 1.0)}


class Box(Struct, frozen=True):
    """A widget's place in the window, however it is turned."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def smaller_side(self) -> float:
        return min(self.right - self.left, self.top - self.bottom)

    def within(self, other: Box) -> Box:
        """The part of it that shows through another."""
        return Box(
            max(self.left, other.left),
            max(self.bottom, other.bottom),
            min(self.right, other.right),
            min(self.top, other.top),
        )

    def sticks_out_of(self, other: Box) -> bool:
        return (
            self.left < other.left - _SLACK_PX
            or self.bottom < other.bottom - _SLACK_PX
            or self.right > other.right + _SLACK_PX
            or self.top > other.top + _SLACK_PX
        )


class Pixels(Struct, frozen=True):
    """What is on the glass, counted from the top left."""

    width: int
    height: int
    rows: tuple[bytes, ...]

    def at(self, x: int, y: int) -> tuple[int, int, int]:
        red, green, blue = self.rows[y][x * 3 : x * 3 + 3]
        return (red, green, blue)

    def count(self, shade: tuple[float, ...], within: Box | None = None, tolerance: int = 6) -> int:
        """How many pixels have a colour, in the whole window or in a box of it."""
        box = within or Box(0, 0, self.width, self.height)
        wanted = [round(part * 255) for part in shade[:3]]
        return sum(
            all(abs(have - want) <= tolerance for have, want in zip(self.at(x, y), wanted, strict=True))
            for y in range(max(0, int(self.height - box.top)), min(self.height, int(self.height - box.bottom)))
            for x in range(max(0, int(box.left)), min(self.width, int(box.right)))
        )

    def save(self, path: Path) -> None:
        """Writes a PNG."""
        head = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        data = zlib.compress(b"".join(b"\0" + row for row in self.rows), 6)
        chunks = b"".join(_chunk(kind, body) for kind, body in ((b"IHDR", head), (b"IDAT", data), (b"IEND", b"")))
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _rgb(row: bytes) -> bytes:
    """A row without its fourth part."""
    thin = bytearray(len(row) // 4 * 3)
    for part in range(3):
        thin[part::3] = row[part::4]
    return bytes(thin)


class _Stage(App):
    """An app that is nothing but the widget under test."""

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self._widget = widget

    def build(self) -> Widget:
        stage = FloatLayout()
        stage.add_widget(self._widget)
        return stage


class Driver:
    """One app in one offscreen window, with a clock of its own."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.app: Any = None
        self.blind = False
        """Nothing is painted: a walk over many screens that looks at boxes alone takes a tenth of the time."""
        self._collected = gc.get_threshold()
        gc.set_threshold(_GARBAGE_FROM, *self._collected[1:])
        self._real_time = Clock.time
        self._max_fps = Clock._max_fps
        Clock.time = lambda: self.now
        Clock._max_fps = 0
        Clock._last_tick = self.now
        self.look_back()

    # Starting and stopping

    def look_back(self) -> None:
        """The dark theme, motion, no magnified text: what every test starts from."""
        look.theme, look.palette, look.motion = DARK, "standard", True
        Metrics.fontscale = 1.0

    def show(self, widget: W, size: tuple[int, int] = SIZE_PX) -> W:
        """Starts an app that shows a widget, and gives the widget back."""
        self.start(_Stage(widget), size)
        return widget

    def start(self, app: App, size: tuple[int, int] = SIZE_PX) -> Any:
        """Starts an app and waits for its first frames; gives the root widget back."""
        self.stop_app()
        Window.clearcolor = (0, 0, 0, 1)
        self.resize(*size)
        self.app = app
        app._run_prepare()
        runTouchApp(embedded=True)
        self.frames(_SETTLE_FRAMES)
        return app.root

    def stop_app(self) -> None:
        if self.app is not None:
            self.app.stop()
            stopTouchApp()
            self.app = None
        for child in list(Window.children):
            Window.remove_widget(child)

    def stop(self) -> None:
        """Stops the app and leaves Kivy as it was found."""
        self.stop_app()
        for event in Clock.get_events():
            event.cancel()
        self.look_back()
        Clock.time, Clock._max_fps = self._real_time, self._max_fps
        Clock._last_tick = Clock.time()
        gc.set_threshold(*self._collected)

    def resize(self, width: int, height: int) -> None:
        """Gives the window another size."""
        if tuple(Window.size) != (width, height):
            Window.size = (width, height)
            forget_pictures()
            if self.app is not None:
                self.frames(_SETTLE_FRAMES)

    # Time

    def frames(self, count: int = 1) -> None:
        """Lets so many frames go by, a sixtieth of a second each. The last one is painted."""
        for left in reversed(range(count)):
            self._frame(FRAME_S, painted=not left)

    def advance(self, seconds: float, step: float = FRAME_S) -> None:
        """Lets time go by, frame by frame; a longer `step` skips frames. The last one is painted."""
        end = self.now + seconds
        while self.now < end - 1e-9:
            self._frame(min(step, end - self.now), painted=self.now + step >= end - 1e-9)

    def _frame(self, seconds: float, painted: bool) -> None:
        self.now += seconds
        if painted and not self.blind:
            EventLoop.idle()
            return
        Clock.tick()
        EventLoop.dispatch_input()
        Clock.tick_draw()

    def until(self, condition: Callable[[], Any], what: str = "") -> None:
        """Lets frames go by until something is so; fails when it has not come after 10 s of the test's time."""
        end = self.now + PATIENCE_S
        while not condition():
            assert self.now < end, f"Waited {PATIENCE_S:.0f} s in vain for {what or condition}."
            self.frames()

    def still(self) -> None:
        """Lets time go by until all motion has ended."""
        self.advance(0.5, step=0.05)
        self.frames(_SETTLE_FRAMES)

    # Finding

    @property
    def root(self) -> Any:
        return self.app.root

    def find_all(
        self,
        kind: type[W] | None = None,
        *,
        text: str | None = None,
        id: str | None = None,
        where: Callable[[Any], bool] | None = None,
        under: Any = None,
    ) -> list[W]:
        """Every visible widget of a type, with a text, with an `id` (its `name` or `id` attribute), with a property."""
        roots = [under] if under is not None else list(Window.children)
        return [
            widget
            for root in roots
            for widget in visible(root)
            if (kind is None or isinstance(widget, kind))
            and (text is None or getattr(widget, "text", None) == text)
            and (id is None or id in (getattr(widget, "id", None), getattr(widget, "name", None)))
            and (where is None or where(widget))
        ]

    def find(self, kind: type[W] | None = None, **how: Any) -> W:
        """The only such widget. A text that a button and the label in it share means the button."""
        hits: list[Any] = self.find_all(kind, **how)
        inner = {id(child) for hit in hits for child in hit.walk(restrict=True) if child is not hit}
        hits = [hit for hit in hits if id(hit) not in inner]
        assert len(hits) == 1, f"{len(hits)} widgets for {kind} {how}: {hits}"
        only: W = hits[0]
        return only

    def texts(self, under: Any = None) -> list[str]:
        """Every visible text."""
        return [label.text for label in self.find_all(Label, under=under) if label.text]

    # Touching

    def tap(self, target_: Any) -> None:
        """A short touch in the middle of a widget, or of the one widget with a text, or at a place."""
        finger = self.press(target_)
        self.frames()
        finger.up()
        self.frames(2)

    def press(self, target_: Any) -> Finger:
        """A finger put down and left there."""
        finger = Finger(*self.place(target_))
        finger.down()
        return finger

    def hold(self, target_: Any, seconds: float) -> None:
        """A touch that long."""
        finger = self.press(target_)
        self.advance(seconds)
        finger.up()
        self.frames(2)

    def drag(self, start: Any, end: Any, seconds: float = 0.15) -> None:
        """A finger drawn from one place to another and lifted there."""
        (x0, y0), (x1, y1) = self.place(start), self.place(end)
        finger = Finger(x0, y0)
        finger.down()
        for step in range(1, _DRAG_STEPS + 1):
            self.advance(seconds / _DRAG_STEPS, step=seconds)
            finger.to(x0 + (x1 - x0) * step / _DRAG_STEPS, y0 + (y1 - y0) * step / _DRAG_STEPS)
        finger.up()
        self.frames(2)

    def place(self, target_: Any) -> tuple[float, float]:
        """The middle of a widget in the window."""
        if isinstance(target_, tuple):
            return target_
        widget = self.find(text=target_) if isinstance(target_, str) else target_
        box = window_box(widget)
        return ((box.left + box.right) / 2, (box.bottom + box.top) / 2)

    # Looking

    def pixels(self) -> Pixels:
        """What is on the glass now. Drawn apart from the window: an offscreen one keeps the size it was opened with."""
        EventLoop.idle()
        width, height = (int(side) for side in Window.size)
        glass = Fbo(size=(width, height), with_stencilbuffer=True)
        with glass:
            ClearColor(*Window.clearcolor)
            ClearBuffers(clear_color=True, clear_stencil=True)
        for child in reversed(Window.children):
            glass.add(child.canvas)
        glass.draw()
        data = bytes(glass.pixels)
        glass.clear()
        stride = width * 4
        rows = (data[at * stride : (at + 1) * stride] for at in reversed(range(height)))
        return Pixels(width, height, tuple(_rgb(row) for row in rows))

    def screenshot(self, path: Path) -> None:
        """Saves what is on the glass as a PNG."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.pixels().save(path)

    def overlaps_and_cuts(self, root: Any = None) -> list[str]:
        """What is wrong with the layout, in words; see the function of that name."""
        roots = [root] if root is not None else list(Window.children)
        return [fault for each in roots for fault in overlaps_and_cuts(each)]


def visible(root: Any) -> Iterator[Any]:
    """A widget and all in it that can be seen, in the order they are drawn."""
    if root.opacity <= 0 or min(root.size) <= 0:
        return
    yield root
    for child in reversed(root.children):
        yield from visible(child)


def window_box(widget: Any) -> Box:
    """Where a widget is in the window."""
    corners = [widget.to_window(x, y) for x in (widget.x, widget.right) for y in (widget.y, widget.top)]
    across, up = [x for x, _ in corners], [y for _, y in corners]
    return Box(min(across), min(up), max(across), max(up))


def overlaps_and_cuts(root: Any) -> list[str]:
    """Faults of a layout: targets that overlap, are too small or out of the window, and text that is cut or tiny."""
    glass = Box(0, 0, Window.width, Window.height)
    shown = list(_shown(root, glass))
    return [
        *_overlaps([(widget, seen) for widget, seen, _ in shown if takes_touch(widget)]),
        *(fault for widget, _, listed in shown for fault in _faults(widget, glass, listed)),
    ]


def takes_touch(widget: Any) -> bool:
    """Whether pressing a widget does something."""
    return bool(getattr(widget, "takes_touch", False))


def _shown(root: Any, view: Box, listed: bool = False) -> Iterator[tuple[Any, Box, bool]]:
    """Every widget that shows, the part of it that does, and whether it is in a list that can be scrolled.

    What lies under something modal cannot be reached and is left out.
    """
    if root.opacity <= 0 or min(root.size) <= 0:
        return
    box = window_box(root)
    seen = box.within(view) if listed else box
    if listed and seen.smaller_side <= 0:
        return
    yield root, seen, listed
    scrolls = getattr(root, "scrolls", False)
    drawn = list(reversed(root.children))
    modal = max((at for at, child in enumerate(drawn) if _modal(child)), default=0)
    for child in drawn[modal:]:
        yield from _shown(child, seen if scrolls else view, listed or scrolls)


def _modal(widget: Any) -> bool:
    return getattr(widget, "modal", False) and widget.opacity > 0


def _overlaps(takers: list[tuple[Any, Box]]) -> Iterator[str]:
    for at, (one, box) in enumerate(takers):
        for other, its in takers[at + 1 :]:
            if box.within(its).smaller_side > _SLACK_PX and not _kin(one, other) and _passing(one) is _passing(other):
                yield f"{_named(one)} and {_named(other)} overlap"


def _passing(widget: Any) -> Any:
    """The toast a widget is on: those lie over the screen for a few seconds, and may."""
    return next((above for above in _lineage(widget) if getattr(above, "passing", False)), None)


def _lineage(widget: Any) -> Iterator[Any]:
    while isinstance(widget, Widget):
        yield widget
        widget = widget.parent


def _kin(one: Any, other: Any) -> bool:
    return any(widget is other for widget in _lineage(one)) or any(widget is one for widget in _lineage(other))


def _faults(widget: Any, glass: Box, listed: bool) -> Iterator[str]:
    box = window_box(widget)
    matters = takes_touch(widget) or (isinstance(widget, Label) and widget.text)
    if matters and not listed and box.sticks_out_of(glass):
        yield f"{_named(widget)} sticks out of the window"
    if takes_touch(widget) and box.smaller_side < target() - _SLACK_PX:
        yield f"{_named(widget)} is {box.smaller_side:.0f} px across, less than 12 mm"
    if isinstance(widget, Label) and widget.text:
        yield from _text_faults(widget)


def _text_faults(label: Any) -> Iterator[str]:
    if isinstance(label, TextLabel) and label.shrunk:
        yield f"{_named(label)} had to shrink to {label.fitted_px:.0f} px"
    width, height = _text_size(label)
    left, top, right, bottom = label.padding
    if width > label.width - left - right + _SLACK_PX or height > label.height - top - bottom + _SLACK_PX:
        yield f"{_named(label)} is cut: {width}x{height} px in {label.width:.0f}x{label.height:.0f}"


def _text_size(label: Any) -> tuple[int, int]:
    """The room that a label's text takes in its font; a word too long for its line makes the text that wide."""
    left, _, right, _ = label.padding
    size = round(label.font_size)
    width, height = measured(label.text, label.font_name, size, max(1, int(label.width - left - right)))
    longest = max(measured(word, label.font_name, size, None)[0] for word in label.text.split() or [""])
    return max(width, longest), height


def _named(widget: Any) -> str:
    text = getattr(widget, "text", "") or getattr(widget, "name", "") or getattr(widget, "kind", "")
    return f"{type(widget).__name__} '{text}'" if text else type(widget).__name__
