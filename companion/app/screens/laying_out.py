"""The checklist of what to lay out, with the numbers for this many players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.models.checklists import Item
from companion.app.models.seating import SeatingView
from companion.app.widgets.look import colours, follow, lazily, steps
from companion.app.widgets.pictures import IconView
from companion.app.widgets.scrolling import Scroller
from companion.app.widgets.surfaces import Surface
from companion.app.widgets.touch import Touchable
from companion.app.widgets.words import TextLabel, font_of, measured
from companion.app.words import _

_COLUMN_DP = 360
_LEAST_STEPS = 9
_COUNT_STEPS = 6
_ICON_STEPS = 4
_TICK_STEPS = 4
_PICTURES = {"construction": "card", "barbican": "door", "box": "coffer", "first-player": "star", "board": "room"}
"""The icons of what shares another thing's."""


class CheckRow(Touchable):
    """One thing to lay out: how many, a picture, what. A tap ticks it off."""

    ticked = BooleanProperty(False)
    needed = NumericProperty(0.0)
    """How high it wants to be."""

    def __init__(self, item: Item) -> None:
        super().__init__(size_hint_y=None, height=steps(_LEAST_STEPS))
        self._surface = Surface(self.canvas.before)
        self._count = TextLabel(text="" if item.count is None else str(item.count), role="large", strong=True)
        self._count.halign = "right"
        self._icon = IconView(kind=_PICTURES.get(item.icon, item.icon))
        self._text = TextLabel(text=item.text)
        self._cite = TextLabel(text=item.cite, role="small", tone="soft")
        self._tick = IconView()
        for part in (self._count, self._icon, self._text, self._cite, self._tick):
            self.add_widget(part)
        lazily(self._arrange, "pos", "size", "pressed", "ticked")
        follow(self._arrange)

    def _arrange(self, *__: Any) -> None:
        theme = colours()
        self._surface.place(self.pos, self.size)
        fill = theme.panel_pressed if self.pressed else theme.off if self.ticked else theme.panel
        self._surface.paint(fill, theme.off_edge if self.ticked else theme.panel_edge)
        self._tick.kind, self._tick.tint = "check" if self.ticked else "", theme.good
        words = theme.off_text if self.ticked else None
        self._count.tint = self._text.tint = self._icon.tint = words
        self._place()

    def _place(self) -> None:
        pad, count, side, tick = steps(1), steps(_COUNT_STEPS), steps(_ICON_STEPS), steps(_TICK_STEPS)
        self._count.pos, self._count.size = (self.x + pad, self.y), (count, self.height)
        self._icon.pos, self._icon.size = (self.x + 2 * pad + count, self.center_y - side / 2), (side, side)
        pictured = self._count.text or self._icon.kind
        left, right = self.x + (3.5 * pad + count + side if pictured else 2 * pad), self.right - 2 * pad - tick
        self._tick.pos, self._tick.size = (right + pad, self.center_y - tick / 2), (tick, tick)
        self._place_words(left, right - left)

    def _place_words(self, left: float, width: float) -> None:
        """The text with its citation under it, together in the middle."""
        text = _height(self._text, width)
        cite = _height(self._cite, width) if self._cite.text else 0.0
        self.needed = max(steps(_LEAST_STEPS), text + cite + steps(1.5))
        low = self.center_y - (text + cite) / 2
        self._cite.pos, self._cite.size = (left, low), (width, cite)
        self._text.pos, self._text.size = (left, low + cite), (width, text)


def _height(label: TextLabel, width: float) -> float:
    """How high a label's words are, wrapped to a width."""
    return float(measured(label.text, font_of(strong=False, serif=False), label.wanted_px, max(1, int(width)))[1])


class ChecklistView(BoxLayout):
    """The whole list, in as many columns as there is room for."""

    def __init__(self, screen: Any) -> None:
        super().__init__()
        self._screen = screen
        self._grid = GridLayout(spacing=steps(1), size_hint_y=None)
        self._grid.bind(minimum_height=self._grid.setter("height"))
        scroller = Scroller(ground="table")
        scroller.add_widget(self._grid)
        self.add_widget(scroller)
        self._items: tuple[Item, ...] = ()
        lazily(self._columns, "width")
        self._level_soon = lazily(self._level)

    def _columns(self, *__: Any) -> None:
        self._grid.cols = max(1, int(self.width // dp(_COLUMN_DP)))

    def _level(self, *__: Any) -> None:
        """Rows side by side are as high as the highest of them wants to be."""
        rows, across = self._grid.children[::-1], self._grid.cols or 1
        for start in range(0, len(rows), across):
            beside = rows[start : start + across]
            highest = max(row.needed for row in beside)
            for row in beside:
                row.height = highest or row.height

    def _level_later(self, *__: Any) -> None:
        self._level_soon()

    def show(self, view: SeatingView) -> None:
        """Shows the list with what is ticked."""
        self._columns()
        if view.checklist != self._items:
            self._items = view.checklist
            self._grid.clear_widgets()
            for at, item in enumerate(view.checklist):
                made = CheckRow(item)
                made.bind(on_release=lambda __, at=at: self._screen.model.tick(at), needed=self._level_later)
                self._grid.add_widget(made)
        for at, made in enumerate(reversed(self._grid.children)):
            made.ticked = at in view.ticked

    def foot(self, view: SeatingView) -> Sequence[Widget]:
        """What stands at the foot of the screen in this step."""
        done = _("{n} of {all} laid out").format(n=len(view.ticked), all=len(view.checklist))
        return [TextLabel(text=done, tone="soft", ground="table")]
