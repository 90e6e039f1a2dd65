"""The dragon chart: how much damage a rating lets through, where this duke stands, and the chits that were drawn."""

from __future__ import annotations

from typing import Any

from kivy.metrics import sp
from kivy.properties import ObjectProperty
from kivy.uix.widget import Widget

from companion.app.models.castle_dukes import Chart, DukeView
from companion.app.screens.brush import Brush
from companion.app.screens.figures import INK
from companion.app.theme import SCALE_SP, colour, faded
from companion.app.widgets.look import lazily, seat_look, steps

_EMBER = colour("#C9472B")
_DUSK = colour("#F0D9B5")
_GLOW = colour("#F3B562")
_CHIT = colour("#5A4632")
_CHIT_WORDS = colour("#FFF4DC")


class DragonChart(Widget):
    """Both ratings side by side; the row a duke stands in glows and carries its flag."""

    duke: DukeView | None = ObjectProperty(None, allownone=True)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._brush = Brush(self.canvas)
        lazily(self._draw, "pos", "size", "duke")

    def show(self, duke: DukeView) -> None:
        self.duke = duke

    def _draw(self, *_: Any) -> None:
        brush, duke = self._brush, self.duke
        brush.clean()
        if duke is None or min(self.size) <= 1:
            return
        brush.box(self.x, self.y, self.width, self.height, _DUSK, corner=steps(1))
        chits = min(steps(7), self.height * 0.28) if duke.chits else 0
        head = min(steps(6), (self.height - chits) * 0.24)
        brush.icon("dragon", self.x + steps(0.5), self.top - head, head * 0.96, _EMBER)
        low, high = self.y + chits, self.top - head
        wide = self.width / len(duke.charts)
        for at, chart in enumerate(duke.charts):
            self._draw_chart(chart, self.x + at * wide, low, wide, high - low, duke.seat)
        self._draw_chits(duke, chits)

    def _draw_chart(self, chart: Chart, x: float, y: float, width: float, height: float, seat: int) -> None:
        brush, rows = self._brush, len(chart.rows)
        head = min(steps(3.5), height * 0.18)
        brush.icon(chart.rating, x + width / 2 - head / 2, y + height - head, head, INK)
        tall = (height - head - steps(0.5)) / max(1, rows)
        size = min(float(sp(SCALE_SP["body"])), tall * 0.62, width * 0.19)
        for at, row in enumerate(chart.rows):
            low = y + height - head - steps(0.5) - (at + 1) * tall
            if row.here:
                brush.box(x + 2, low + 1, width - 4, tall - 2, _GLOW, corner=steps(0.5))
                brush.box(x + 2, low + 1, steps(0.75), tall - 2, seat_look(seat).field)
            brush.words(f"{row.least}+", x + steps(1.25), low + tall / 2, size, INK, anchor=0)
            flame = min(tall * 0.9, width * 0.26, steps(3.5))
            left = x + width - steps(0.5) - flame
            brush.icon("fire", left, low + (tall - flame) / 2, flame, _EMBER)
            brush.words(str(row.damage), left - 1, low + tall / 2, size, _EMBER, anchor=1)

    def _draw_chits(self, duke: DukeView, height: float) -> None:
        if not duke.chits:
            return
        wide = (self.width - steps(0.5)) / len(duke.chits)
        side = min(wide - 2, height - steps(1))
        for at, chit in enumerate(duke.chits):
            x = self.x + steps(0.25) + at * wide + (wide - side) / 2
            y = self.y + (height - side) / 2
            strength = 0.35 if chit.resolved else 1.0
            self._brush.disc(x + side / 2, y + side / 2, side / 2, faded(_CHIT, strength))
            icon = side * 0.6
            self._brush.icon(
                chit.kind, x + (side - icon) / 2, y + (side - icon) / 2, icon, faded(_CHIT_WORDS, strength)
            )
            if chit.resolved:
                self._brush.icon("check", x + side * 0.3, y + side * 0.05, side * 0.7, INK)
