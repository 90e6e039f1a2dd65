"""Big counters with + and - where a hand may set them right."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.app.models.counters import CounterView
from companion.app.screens.moves import Touch
from companion.app.screens.seats import counter_icon
from companion.app.widgets.look import steps, target
from companion.app.widgets.numbers import Counter

_STEPPED_STEPS = 17.5
_PLAIN_STEPS = 12
_LONG_STEPS = 18
_SHORT_NUMBER = 3


class CounterBox(Counter):
    """One counter of a seat. `touch_ids` are what - and + stand for."""

    def __init__(self, touch: Touch, **properties: Any) -> None:
        super().__init__(**properties)
        self._touch = touch
        self.touch_ids = ("", "")

    def show(self, counter: CounterView) -> None:
        """Shows a counter of the view: its change is the view's, not the widget's own.

        A long number leaves no room for its change; the seat's card shows that one.
        """
        self.touch_ids = (counter.minus, counter.plus)
        long = len(str(counter.value)) > _SHORT_NUMBER
        self.text, self.icon = counter.label, "" if long else counter_icon(counter.key)
        self.role = "large" if long else "number"
        self.editable = bool(counter.minus or counter.plus)
        self.become(counter.value)
        self.change = 0 if long else counter.change
        self.low = counter.value if not counter.minus else counter.value - 1
        self.high = counter.value if not counter.plus else counter.value + 1

    def on_step(self, by: int) -> None:
        id = self.touch_ids[by > 0]
        if id:
            self._touch(id)


class CounterRow(BoxLayout):
    """Counters side by side, those that can be stepped first; as many as there is room for."""

    def __init__(self, touch: Touch, **properties: Any) -> None:
        properties.setdefault("spacing", steps(1))
        super().__init__(**properties)
        self._touch = touch
        self._counters: tuple[CounterView, ...] = ()
        self.bind(width=lambda *_: self._fill())

    @property
    def count(self) -> int:
        return len(self._counters)

    def show(self, counters: tuple[CounterView, ...]) -> None:
        self._counters = counters
        self._fill()

    def _fill(self) -> None:
        shown = self._fitting()
        if len(self.children) != len(shown):
            self.clear_widgets()
            for _ in shown:
                self.add_widget(CounterBox(self._touch))
        for box, counter in zip(reversed(self.children), shown, strict=True):
            box.size_hint_x = counter_width(counter)
            box.show(counter)

    def _fitting(self) -> list[CounterView]:
        found: list[CounterView] = []
        room = self.width + self.spacing
        for counter in self._counters:
            room -= counter_width(counter) + self.spacing
            if room < 0:
                break
            found.append(counter)
        return found


def counter_width(counter: CounterView) -> float:
    """The least width a counter needs."""
    more = steps(_LONG_STEPS) if len(str(counter.value)) > _SHORT_NUMBER else 0.0
    return max(2 * target(), steps(_STEPPED_STEPS)) + more if counter.plus or counter.minus else steps(_PLAIN_STEPS)
