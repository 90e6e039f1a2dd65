"""Turned toward a player: what is inside is drawn and touched as seen from another side of the table."""

from __future__ import annotations

from typing import Any

from kivy.graphics import PopMatrix, PushMatrix, Rotate, Translate
from kivy.properties import OptionProperty
from kivy.uix.widget import Widget

from companion.app.widgets.kept import Ground, Plate, drawn_in
from companion.app.widgets.look import follow, lazily


class Rotated(Widget):
    """Holds one widget, turned by `angle` degrees against the clock, and gives it all its room.

    With a `ground`, it is kept as a picture that stands on it, until something in it changes.
    """

    angle = OptionProperty(0, options=(0, 90, 180, 270))

    def __init__(self, ground: Ground | None = None, **properties: Any) -> None:
        super().__init__(**properties)
        self._plate = Plate(self.canvas, ground) if ground else None
        with self.canvas.before:
            PushMatrix()
            self._move = Translate(0, 0)
            self._turn = Rotate(angle=0, axis=(0, 0, 1))
        with self.canvas.after:
            PopMatrix()
        lazily(self._arrange, "pos", "size", "angle", "children")
        follow(self._paint)

    def add_widget(self, widget: Any, *more: Any, **how: Any) -> None:
        with drawn_in(self, self._plate):
            super().add_widget(widget, *more, **how)

    def remove_widget(self, widget: Any, *more: Any, **how: Any) -> None:
        with drawn_in(self, self._plate):
            super().remove_widget(widget, *more, **how)

    def _paint(self, *_: Any) -> None:
        if self._plate is not None:
            self._plate.paint()

    def _arrange(self, *_: Any) -> None:
        width, height = self.size if self.angle in (0, 180) else (self.height, self.width)
        origin = self.to_parent(0, 0)
        self._move.xy = (round(origin[0]), round(origin[1]))
        self._turn.angle = self.angle
        for child in self.children:
            child.pos, child.size = (0, 0), (width, height)
        if self._plate is not None:
            self._plate.place((0, 0), (width, height), (0, 0))

    def to_parent(self, x: float, y: float, relative: bool = False) -> tuple[float, float]:
        turned: dict[int, tuple[float, float]] = {
            0: (self.x + x, self.y + y),
            90: (self.right - y, self.y + x),
            180: (self.right - x, self.top - y),
            270: (self.x + y, self.top - x),
        }
        return turned[self.angle]

    def to_local(self, x: float, y: float, relative: bool = False) -> tuple[float, float]:
        turned: dict[int, tuple[float, float]] = {
            0: (x - self.x, y - self.y),
            90: (y - self.y, self.right - x),
            180: (self.right - x, self.top - y),
            270: (self.top - y, x - self.x),
        }
        return turned[self.angle]

    def apply_transform(self, matrix: Any, pos: Any = None) -> Any:
        return matrix.multiply(self._move.matrix).multiply(self._turn.matrix)

    def on_touch_down(self, touch: Any) -> bool:
        return self._passed("on_touch_down", touch) if self.collide_point(*touch.pos) else False

    def on_touch_move(self, touch: Any) -> bool:
        return self._passed("on_touch_move", touch)

    def on_touch_up(self, touch: Any) -> bool:
        return self._passed("on_touch_up", touch)

    def _passed(self, event: str, touch: Any) -> bool:
        touch.push()
        touch.apply_transform_2d(self.to_local)
        taken = bool(getattr(super(), event)(touch))
        touch.pop()
        return taken
