"""The phase strip: where the round stands, shaped like the rulebook's overview of a turn."""

from __future__ import annotations

from typing import Any

from kivy.properties import ListProperty
from kivy.uix.widget import Widget

from companion.app.theme import Colour, Theme, faded
from companion.app.widgets.look import colours, follow, lazily, steps
from companion.app.widgets.pictures import IconView
from companion.app.widgets.surfaces import Surface
from companion.app.widgets.words import TextLabel

_MARK_STEPS = 3
_PAD_STEPS = 1.5
_GAP_STEPS = 0.5


def shown_labels(widths: list[float], now: int, room: float, mark: float) -> set[int]:
    """Which steps have room for their words: the one that is on, then those after it, then those before it.

    >>> sorted(shown_labels([50, 50, 50, 50], now=1, room=160, mark=20))
    [1, 2]
    """
    order = [*range(now, len(widths)), *range(now - 1, -1, -1)]
    shown: set[int] = set()
    left = room - mark * len(widths)
    for at in order:
        if widths[at] - mark <= left:
            left -= max(0.0, widths[at] - mark)
            shown.add(at)
        elif at != now:
            break
    return shown | {now} if widths else shown


class _Step(Widget):
    """One step: a chip with words, or a small mark where there is no room for them."""

    def __init__(self, label: str, status: str, worded: bool) -> None:
        super().__init__()
        self._surface = Surface(self.canvas.before)
        self._status = status
        self._worded = worded
        self._label = TextLabel(text=label if worded else "", role="body", halign="center", strong=status == "now")
        self._icon = IconView(kind="check" if status == "past" and not worded else "")
        self.add_widget(self._label)
        self.add_widget(self._icon)
        lazily(self._arrange, "pos", "size")
        follow(self._paint)
        self._paint()

    def _arrange(self, *_: Any) -> None:
        self._surface.place(self.pos, self.size)
        pad = steps(0.5)
        self._label.pos, self._label.size = (self.x + pad, self.y), (max(0, self.width - 2 * pad), self.height)
        side = min(self.width, self.height) * 0.6
        self._icon.size, self._icon.pos = (side, side), (self.center_x - side / 2, self.center_y - side / 2)

    def _paint(self, *_: Any) -> None:
        fill, edge, words = _step_colours(colours(), self._status)
        self._surface.paint(fill, edge)
        self._label.tint = self._icon.tint = words


def _step_colours(theme: Theme, status: str) -> tuple[Colour, Colour, Colour]:
    if status == "now":
        return theme.accent, theme.accent_pressed, theme.on_accent
    if status == "past":
        return theme.table_raised, theme.table_raised, theme.chalk_soft
    return theme.table, theme.table_edge, faded(theme.chalk, 0.9)


class PhaseStrip(Widget):
    """`phases` are (label, status) pairs with status past, now or ahead. What does not fit shows as a mark."""

    phases = ListProperty()

    def __init__(self, **properties: Any) -> None:
        properties.setdefault("size_hint_y", None)
        properties.setdefault("height", steps(5))
        super().__init__(**properties)
        self._widths: list[float] = []
        self._worded: set[int] = set()
        lazily(self._fill, "phases", "width")
        lazily(self._arrange, "pos", "height")

    def _fill(self, *_: Any) -> None:
        self.clear_widgets()
        self._widths = self._measure()
        for at, (label, status) in enumerate(self.phases):
            self.add_widget(_Step(label, status, at in self._worded))
        self._arrange()

    def _measure(self) -> list[float]:
        """The width of every step, so that together they fill the strip."""
        mark, gap = steps(_MARK_STEPS), steps(_GAP_STEPS)
        ideal = [
            TextLabel(text=label, strong=status == "now").ideal_width() + 2 * steps(_PAD_STEPS)
            for label, status in self.phases
        ]
        now = next((at for at, (_, status) in enumerate(self.phases) if status == "now"), 0)
        room = max(0.0, self.width - gap * max(0, len(ideal) - 1))
        self._worded = shown_labels(ideal, now, room, mark)
        widths = [wide if at in self._worded else mark for at, wide in enumerate(ideal)]
        spare = room - sum(widths)
        share = spare / max(1, len(self._worded))
        return [max(mark, wide + share) if at in self._worded else wide for at, wide in enumerate(widths)]

    def _arrange(self, *_: Any) -> None:
        x = self.x
        for step, width in zip(reversed(self.children), self._widths, strict=True):
            step.pos, step.size = (x, self.y), (width, self.height)
            x += width + steps(_GAP_STEPS)
