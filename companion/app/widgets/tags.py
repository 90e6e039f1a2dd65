"""A few words on a dark ground, to be read over a picture."""

from __future__ import annotations

from typing import Any

from kivy.uix.widget import Widget

from companion.app.theme import DARK, Colour, faded
from companion.app.widgets.look import steps
from companion.app.widgets.surfaces import Surface
from companion.app.widgets.words import TextLabel

_TALL_STEPS = 3.5
_GROUND = 0.86


class Tag(Widget):
    """Its ground is dark in every theme: so is what it lies on, or it may be anything."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(size_hint=(None, None), **properties)
        self._surface = Surface(self.canvas.before, corner_dp=5)
        self._label = TextLabel(strong=True, halign="center", tint=DARK.chalk)
        self.add_widget(self._label)

    @property
    def text(self) -> str:
        return str(self._label.text)

    def stand(self, text: str, top: tuple[float, float], edge: Colour, within: Any) -> None:
        """Stands over a point, and inside of something."""
        wide, tall = self._measure(text)
        x = min(max(within.x, top[0] - wide / 2), within.right - wide)
        y = min(max(within.y, top[1] + steps(0.5)), within.top - tall)
        self._place(x, y, wide, tall, edge)

    def hang(self, text: str, corner: tuple[float, float], to_left: bool, to_bottom: bool) -> None:
        """Lies in a corner, reaching to one side and up or down from it."""
        wide, tall = self._measure(text)
        x = corner[0] - wide if to_left else corner[0]
        y = corner[1] - tall if to_bottom else corner[1]
        self._place(x, y, wide, tall, faded(DARK.table, _GROUND))

    def _measure(self, text: str) -> tuple[float, float]:
        self._label.text = text
        return self._label.ideal_width() + steps(1.5), steps(_TALL_STEPS)

    def _place(self, x: float, y: float, wide: float, tall: float, edge: Colour) -> None:
        self.pos, self.size = (round(x), round(y)), (round(wide), round(tall))
        self._label.pos, self._label.size = self.pos, self.size
        self._surface.place(self.pos, self.size, 2)
        self._surface.paint(faded(DARK.table, _GROUND), edge)
