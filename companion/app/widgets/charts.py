"""Charts of scores: lines over time, and bars that race. Drawn with plain lines, told apart by more than colour."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from kivy.graphics import Color, SmoothEllipse, SmoothLine, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.properties import ListProperty, NumericProperty, OptionProperty
from kivy.uix.widget import Widget
from msgspec import Struct

from companion.app.theme import SEATS
from companion.app.widgets.look import colours, follow, lazily, seat_look, steps
from companion.app.widgets.motion import glide
from companion.app.widgets.pictures import Shield
from companion.app.widgets.words import TextLabel

_MOST_TICKS = 5
_AXIS_STEPS = 5
_DOT_DP = 4
_MARK_STEPS = 3
_BAR_NAME_STEPS = 12
_BAR_VALUE_STEPS = 7
_TALLEST_BAR_STEPS = 6


class Series(Struct, frozen=True, kw_only=True):
    """One line: points from left to right, in the colour and with the shield of a seat."""

    seat: int
    points: tuple[tuple[float, float], ...]


class Bar(Struct, frozen=True, kw_only=True):
    """One bar: a name, how long, in the colour and with the shield of a seat (none for -1)."""

    label: str
    value: float
    seat: int = -1
    text: str = ""


def nice_ticks(low: float, high: float, most: int = _MOST_TICKS) -> list[float]:
    """Round numbers that cover a range, at most so many steps apart.

    >>> nice_ticks(0, 47)
    [0, 10, 20, 30, 40, 50]
    """
    span = max(high - low, 1e-9)
    rough = 10 ** math.floor(math.log10(span / most))
    step = next(rough * times for times in (1, 2, 5, 10, 20) if span / (rough * times) <= most)
    step = max(step, 1) if float(low).is_integer() and float(high).is_integer() else step
    first, last = math.floor(low / step), math.ceil(high / step)
    return [at * step for at in range(first, last + 1)]


class LineChart(Widget):
    """`series` over one scale. Each line ends in its seat's shield."""

    series: Sequence[Series] = ListProperty()
    ground = OptionProperty("panel", options=("panel", "table"))

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        lazily(self._draw, "pos", "size", "series", "ground")
        follow(self._draw)

    def _draw(self, *_: Any) -> None:
        self.canvas.clear()
        self.clear_widgets()
        points = [point for line in self.series for point in line.points]
        if not points or min(self.size) <= 0:
            return
        across, up = [x for x, _ in points], [y for _, y in points]
        ticks = nice_ticks(min(0, *up), max(1, *up))
        left, low = self.x + steps(_AXIS_STEPS), self.y + steps(1)
        room = (self.width - steps(_AXIS_STEPS + _MARK_STEPS + 1), self.height - steps(2))
        self._draw_axis(ticks, left, low, room)
        for line in self.series:
            self._draw_line(line, (min(across), max(across)), (ticks[0], ticks[-1]), (left, low), room)

    def _draw_axis(self, ticks: list[float], left: float, low: float, room: tuple[float, float]) -> None:
        quiet = colours().quiet_words(self.ground)
        for tick in ticks:
            y = round(low + room[1] * (tick - ticks[0]) / (ticks[-1] - ticks[0]))
            with self.canvas:
                Color(*quiet[:3], 0.35)
                SmoothLine(points=[left, y, left + room[0], y], width=1)
            label = TextLabel(text=f"{tick:g}", role="small", tone="soft", halign="right", ground=self.ground)
            label.pos, label.size = (self.x, y - steps(1.25)), (steps(_AXIS_STEPS - 1), steps(2.5))
            self.add_widget(label)

    def _draw_line(
        self,
        line: Series,
        across: tuple[float, float],
        up: tuple[float, float],
        corner: tuple[float, float],
        room: tuple[float, float],
    ) -> None:
        width, height = max(across[1] - across[0], 1e-9), up[1] - up[0]
        places = [
            (corner[0] + room[0] * (x - across[0]) / width, corner[1] + room[1] * (y - up[0]) / height)
            for x, y in line.points
        ]
        dot = dp(_DOT_DP)
        with self.canvas:
            for shade, extra in ((colours().words(self.ground), 1.0), (seat_look(line.seat).field, 0.0)):
                Color(*shade)
                if len(places) > 1:
                    SmoothLine(points=[part for place in places for part in place], width=dp(1.6) + extra)
                for x, y in places:
                    side = 2 * (dot + extra)
                    SmoothEllipse(pos=(x - side / 2, y - side / 2), size=(side, side))
        side = steps(_MARK_STEPS)
        end = places[-1]
        self.add_widget(
            Shield(seat=line.seat, ground=self.ground, size=(side, side), pos=(end[0] + dp(6), end[1] - side / 2))
        )


class BarChart(Widget):
    """`bars` from the top down, each with its shield, its name and its number. They grow to their length."""

    bars: Sequence[Bar] = ListProperty()
    longest = NumericProperty(0)
    ground = OptionProperty("panel", options=("panel", "table"))
    grown = NumericProperty(1.0)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        lazily(self._draw, "pos", "size", "longest", "ground", "grown")
        self.fbind("bars", self._grow)
        follow(self._draw)
        self._shown: dict[str, float] = {}
        self._grow()

    def _grow(self, *_: Any) -> None:
        """From the lengths shown last to the new ones."""
        self._from = dict(self._shown)
        self.grown = 0.0
        glide(self, seconds=0.25, grown=1.0)

    def _draw(self, *_: Any) -> None:
        self.canvas.clear()
        self.clear_widgets()
        if not self.bars or min(self.size) <= 0:
            return
        row = self.height / len(self.bars)
        scale = max(self.longest, *(bar.value for bar in self.bars), 1)
        for at, bar in enumerate(self.bars):
            start = self._from.get(bar.label, 0.0)
            self._shown[bar.label] = value = start + (bar.value - start) * self.grown
            self._draw_bar(bar, value / scale, self.top - row * (at + 1), row)

    def _draw_bar(self, bar: Bar, share: float, y: float, row: float) -> None:
        tall = min(row - steps(0.5), steps(_TALLEST_BAR_STEPS))
        low, side = y + (row - tall) / 2, min(tall, steps(4)) if bar.seat >= 0 else 0
        name, number = min(steps(_BAR_NAME_STEPS), self.width * 0.25), min(steps(_BAR_VALUE_STEPS), self.width * 0.15)
        left = self.x + side + (steps(1) if side else 0)
        if side:
            self.add_widget(
                Shield(seat=bar.seat, ground=self.ground, size=(side, side), pos=(self.x, low + (tall - side) / 2))
            )
        self._words(bar.label, (left, low), (name, tall), "left")
        start = left + name + steps(1)
        length = max(dp(4), (self.right - number - start) * max(0.0, share))
        with self.canvas:
            for shade, inset in ((colours().words(self.ground), 0.0), (_bar_colour(bar), dp(1.2))):
                Color(*shade)
                size = (max(1, length - 2 * inset), max(1, tall - 2 * inset))
                SmoothRoundedRectangle(pos=(start + inset, low + inset), size=size, radius=[dp(4)])
        self._words(
            bar.text or f"{bar.value:g}", (start + length + steps(0.5), low), (number - steps(0.5), tall), "left", True
        )

    def _words(
        self, text: str, pos: tuple[float, float], size: tuple[float, float], halign: str, strong: bool = False
    ) -> None:
        label = TextLabel(text=text, ground=self.ground, halign=halign, strong=strong, pos=pos, size=size)
        self.add_widget(label)


def _bar_colour(bar: Bar) -> tuple[float, float, float, float]:
    return seat_look(bar.seat).field if 0 <= bar.seat < len(SEATS) else colours().accent
