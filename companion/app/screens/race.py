"""The bar race: a bar for each seat that grows, and overtakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.graphics import Color, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from companion.app.models.tally import Bar
from companion.app.widgets.look import colours, follow, lazily, seat_look, steps
from companion.app.widgets.motion import glide
from companion.app.widgets.pictures import Shield
from companion.app.widgets.words import TextLabel

_TALLEST_STEPS = 9
_NUMBER_STEPS = 7
_MOTION_S = 0.25
_BAR_SHARE = 0.62


class Runner(Widget):
    """One seat in the race: its shield, its bar and its total. `length` is 0 to 1."""

    length = NumericProperty(0.0)
    rank = NumericProperty(0.0)

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat
        self._shield = Shield(seat=seat, ground="table")
        self._number = TextLabel(role="large", strong=True, ground="table")
        with self.canvas.before:
            self._rim_shade = Color(0, 0, 0, 0)
            self._rim = SmoothRoundedRectangle(radius=[dp(4)])
            self._fill_shade = Color(0, 0, 0, 0)
            self._fill = SmoothRoundedRectangle(radius=[dp(3)])
        self.add_widget(self._shield)
        self.add_widget(self._number)
        lazily(self._arrange, "pos", "size", "length")
        follow(self._arrange)

    def show(self, bar: Bar) -> None:
        """Runs on to a new total."""
        self._number.text = str(bar.total)
        glide(self, seconds=_MOTION_S, length=bar.length)

    def _arrange(self, *__: Any) -> None:
        side = min(self.height - steps(0.5), steps(5))
        self._shield.size, self._shield.pos = (side, side), (self.x, self.center_y - side / 2)
        start, number = self.x + side + steps(1), steps(_NUMBER_STEPS)
        tall = max(dp(6), self.height * _BAR_SHARE)
        length = max(dp(4), (self.right - number - start) * self.length)
        low, edge = self.center_y - tall / 2, dp(1.2)
        self._rim.pos, self._rim.size = (start, low), (length, tall)
        self._fill.pos = (start + edge, low + edge)
        self._fill.size = (max(1.0, length - 2 * edge), tall - 2 * edge)
        self._rim_shade.rgba, self._fill_shade.rgba = colours().chalk, seat_look(self.seat).field
        self._number.pos, self._number.size = (start + length + steps(1), self.y), (number - steps(1), self.height)


class Race(Widget):
    """All seats, the leader on top. Those who overtake change places before your eyes."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._runners: dict[int, Runner] = {}
        lazily(self._arrange, "pos", "size")

    def show(self, bars: Sequence[Bar]) -> None:
        """The race as it stands now."""
        ranked = sorted(bars, key=lambda bar: (-bar.total, bar.seat))
        for rank, bar in enumerate(ranked):
            runner = self._runners.get(bar.seat)
            if runner is None:
                runner = self._runners[bar.seat] = Runner(bar.seat)
                runner.rank = rank
                runner.fbind("rank", self._arrange)
                self.add_widget(runner)
            glide(runner, seconds=_MOTION_S, rank=rank)
            runner.show(bar)

    def _arrange(self, *__: Any) -> None:
        if not self._runners:
            return
        tall = min(self.height / len(self._runners), steps(_TALLEST_STEPS))
        top = self.center_y + tall * len(self._runners) / 2
        for runner in self._runners.values():
            runner.size = (self.width, tall)
            runner.pos = (self.x, top - tall * (runner.rank + 1))
