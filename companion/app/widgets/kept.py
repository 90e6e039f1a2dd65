"""What stands still is drawn once: a part of the screen kept as a picture until something in it changes.

A table has hundreds of smooth shapes. With a camera's picture or a single clock changing beside them, drawing all of
them for every frame is most of the work of a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kivy.graphics import ClearBuffers, ClearColor, Color, Fbo, Rectangle
from kivy.graphics import Translate as Move
from kivy.uix.widget import Widget

from companion.app.theme import Colour
from companion.app.widgets.look import Last, colours, follow, lazily

Ground = Callable[[], Colour]
"""The colour that a picture stands on. It is opaque: smooth edges need to know what they fade into."""

_RIM_PX = 2
"""Smooth edges reach a little out of their boxes."""
_FOLLOWED = ("pos", "size", "opacity")


def on_table() -> Colour:
    """The slate of the table."""
    return colours().table


def on_panel() -> Colour:
    """The parchment of a panel."""
    return colours().panel


class Plate:
    """Instructions in `inside` are painted on a ground of their own, and shown on a canvas as one picture."""

    def __init__(self, canvas: Any, ground: Ground) -> None:
        self._ground = ground
        self._box = Last()
        with canvas:
            self.inside = Fbo(size=(1, 1), with_stencilbuffer=True)
            Color(1, 1, 1, 1)
            self._picture = Rectangle(texture=self.inside.texture)
        with self.inside.before:
            self._clear = ClearColor(*ground())
            ClearBuffers(clear_color=True, clear_stencil=True)
            self._move = Move(0, 0)

    def place(self, pos: tuple[float, float], size: tuple[float, float], origin: tuple[float, float]) -> None:
        """Shows the box at `origin` of what is inside in a box of the canvas, both on whole pixels."""
        left, low = round(origin[0]), round(origin[1])
        wide, tall = round(origin[0] + size[0]) - left, round(origin[1] + size[1]) - low
        shown = wide > 0 and tall > 0
        extent = (wide + 2 * _RIM_PX, tall + 2 * _RIM_PX) if shown else (1, 1)
        if not self._box.differs(tuple(pos), left, low, extent):
            return
        if tuple(self.inside.size) != extent:
            self.inside.size = extent
            self._picture.texture = self.inside.texture
        self._move.xy = (_RIM_PX - left, _RIM_PX - low)
        self._picture.pos = (round(pos[0]) - _RIM_PX, round(pos[1]) - _RIM_PX)
        self._picture.size = extent if shown else (0, 0)

    def paint(self) -> None:
        """Takes the ground's colour anew."""
        self._clear.rgba = self._ground()


@contextmanager
def drawn_in(widget: Any, plate: Plate | None) -> Iterator[None]:
    """What is added to a widget meanwhile is drawn on a plate instead of on its canvas."""
    shown = widget.canvas
    widget.canvas = plate.inside if plate else shown
    yield
    widget.canvas = shown


class Kept(Widget):
    """Holds one widget and follows it wherever it goes. Not for what lies in a list, nor for what is see-through."""

    def __init__(self, widget: Widget, ground: Ground = on_panel) -> None:
        super().__init__(size_hint=(None, None))
        self._plate = Plate(self.canvas, ground)
        self.add_widget(widget)
        following = lazily(self._follow)
        for name in _FOLLOWED:
            widget.fbind(name, following)
        follow(self._paint)

    def add_widget(self, widget: Any, *more: Any, **how: Any) -> None:
        with drawn_in(self, self._plate):
            super().add_widget(widget, *more, **how)

    def remove_widget(self, widget: Any, *more: Any, **how: Any) -> None:
        with drawn_in(self, self._plate):
            super().remove_widget(widget, *more, **how)

    def _follow(self, *_: Any) -> None:
        widget = self.children[0]
        self.pos, self.size, self.opacity = widget.pos, widget.size, widget.opacity
        self._plate.place(widget.pos, widget.size, widget.pos)

    def _paint(self, *_: Any) -> None:
        self._plate.paint()
