"""The guests on their way: who comes next, and what they look for in a castle."""

from __future__ import annotations

from typing import Any

from kivy.properties import ObjectProperty
from kivy.uix.widget import Widget

from companion.app.models.castle_dukes import DukesView, GuestView
from companion.app.screens.brush import Brush
from companion.app.screens.figures import INK, person
from companion.app.theme import colour
from companion.app.widgets.look import colours, lazily, steps

_ROAD = colour("#D9C7A0")
_ROAD_EDGE = colour("#B79F6F")


class GuestRow(Widget):
    """A road with guests on it, the first one at the left; who is choosing now stands in the light."""

    view: DukesView | None = ObjectProperty(None, allownone=True)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._brush = Brush(self.canvas)
        lazily(self._draw, "pos", "size", "view")

    def show(self, view: DukesView) -> None:
        self.view = view

    def _draw(self, *_: Any) -> None:
        brush, view = self._brush, self.view
        brush.clean()
        if view is None or not view.guests or min(self.size) <= 1:
            return
        brush.box(self.x, self.y, self.width, self.height, _ROAD_EDGE, corner=steps(1))
        brush.box(self.x, self.y + 3, self.width, self.height - 3, _ROAD, corner=steps(1))
        wide = min(self.width / len(view.guests), self.height * 2.4)
        for at, guest in enumerate(view.guests):
            self._draw_guest(guest, self.x + steps(0.5) + at * wide, wide)

    def _draw_guest(self, guest: GuestView, x: float, width: float) -> None:
        brush, side = self._brush, min(self.height * 0.86, width * 0.5)
        if guest.now:
            brush.box(x - 2, self.y + 4, width - 4, self.height - 8, colours().accent, corner=steps(1))
        person(brush, guest.guest, x + 2, self.y + (self.height - side) / 2 + 1, side)
        brush.icon("next", x + side, self.center_y - steps(0.75), steps(1.5), INK)
        icon = min(side * 0.62, width * 0.34)
        brush.icon(guest.seeks, x + side + steps(1.5), self.center_y - icon / 2, icon, INK)
