"""The load on a board over time, as a line; the moment of contact and the moment that is shown are marked on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.graphics import Color, Line, Mesh, Rectangle, SmoothEllipse
from kivy.metrics import dp
from kivy.properties import ColorProperty, ListProperty, NumericProperty, StringProperty

from companion.app.theme import faded
from companion.app.widgets.look import colours, follow, lazily, steps
from companion.app.widgets.scrub import Scrubbed
from companion.app.widgets.surfaces import Surface
from companion.app.widgets.words import TextLabel

_LEAST_RANGE_G = 8.0
"""A quiet board shows as a quiet line: its noise is not blown up."""
_HEADROOM = 0.3
_MARK_DP = 2
_KNOB_DP = 14
_LINE_DP = 1.5
_PAD_STEPS = 0.75


class Trace(Scrubbed):
    """`points` are (share of the time, grams) in order. `contact` and `at` are shares too; below 0 they are not shown.

    `tint` is the colour of the contact's mark. `note` stands beside the mark, the range of grams at the left.
    """

    points = ListProperty()
    contact = NumericProperty(-1.0)
    at = NumericProperty(-1.0)
    tint = ColorProperty((1, 1, 1, 1))
    note = StringProperty("")
    unit = StringProperty("")

    def __init__(self, **properties: Any) -> None:
        properties.setdefault("at_once", True)
        super().__init__(**properties)
        self._surface = Surface(self.canvas.before, corner_dp=4)
        with self.canvas:
            self._fill_shade = Color(1, 1, 1, 0)
            self._fill = Mesh(mode="triangle_strip")
            self._line_shade = Color(1, 1, 1, 1)
            self._line = Line(width=dp(_LINE_DP), joint="round")
            self._contact_shade = Color(1, 1, 1, 0)
            self._contact = Rectangle()
            self._at_shade = Color(1, 1, 1, 0)
            self._at = Rectangle()
            self._knob = SmoothEllipse()
        self._note = TextLabel(role="small", strong=True, ground="table")
        self._top = TextLabel(role="small", tone="soft", ground="table", valign="bottom")
        for label in (self._note, self._top):
            self.add_widget(label)
        lazily(self._draw, "pos", "size", "points", "tint", "contact", "note", "unit")
        lazily(self._draw_at, "pos", "size", "at")
        follow(self._draw)

    def scrub_span(self) -> tuple[float, float]:
        pad = steps(_PAD_STEPS)
        return self.x + pad, self.width - 2 * pad

    def _draw(self, *_: Any) -> None:
        theme = colours()
        self._surface.place(self.pos, self.size)
        self._surface.paint(theme.table_raised, theme.table_edge)
        low, high = span_of([grams for _, grams in self.points])
        places = [self._place(share, min(1.0, max(0.0, (grams - low) / (high - low)))) for share, grams in self.points]
        self._line_shade.rgba = theme.chalk
        self._line.points = [part for place in places for part in place] if len(places) > 1 else []
        self._fill_shade.rgba = faded(theme.chalk, 0.12)
        self._fill_below(places)
        self._mark_contact()
        self._top.text = f"{high - low:.0f} {self.unit}" if self.unit and self.points else ""
        pad = steps(_PAD_STEPS)
        self._top.pos, self._top.size = (self.x + pad, self.y + steps(0.5)), (steps(9), steps(2.5))
        self._draw_at()

    def _place(self, share: float, up: float) -> tuple[float, float]:
        start, length = self.scrub_span()
        pad = steps(_PAD_STEPS)
        return start + share * length, self.y + pad + up * (self.height - 2 * pad)

    def _fill_below(self, places: Sequence[tuple[float, float]]) -> None:
        ground = self.y + steps(_PAD_STEPS) / 2
        corners = [corner for x, y in places for corner in (x, ground, 0, 0, x, y, 0, 0)]
        self._fill.vertices, self._fill.indices = corners, list(range(len(corners) // 4))

    def _mark_contact(self) -> None:
        shown = self.contact >= 0
        self._contact_shade.rgba = self.tint if shown else (0, 0, 0, 0)
        x, wide = self._place(max(0.0, self.contact), 0)[0], dp(_MARK_DP) * 2
        self._contact.pos, self._contact.size = (round(x - wide / 2), self.y + 1), (wide, self.height - 2)
        self._note.text = self.note if shown else ""
        width = self._note.ideal_width()
        before = x - steps(1) - width  # where the force was still calm
        left = before if before > self.x + steps(1) else x + steps(1)
        self._note.pos, self._note.size = (left, self.top - steps(3)), (width, steps(2.5))

    def _draw_at(self, *_: Any) -> None:
        shown = self.at >= 0
        theme = colours()
        self._at_shade.rgba = theme.accent if shown else (0, 0, 0, 0)
        x, side, wide = self._place(max(0.0, self.at), 0)[0], dp(_KNOB_DP), dp(_MARK_DP)
        self._at.pos, self._at.size = (round(x - wide / 2), self.y), (wide, self.height)
        self._knob.pos, self._knob.size = (round(x - side / 2), round(self.y - side / 2)), (side, side)


def span_of(grams: Sequence[float]) -> tuple[float, float]:
    """The range to draw: all that lasts, with air, and never so little that noise looks like news.

    A single sample out of line, a glitch or the tip of a blow, goes to the edge and no further.

    >>> span_of([100.0, 100.5, 100.5, 4000.0, 100.5])
    (96.5, 104.5)
    """
    calm = [sorted(three)[1] for three in zip(grams, grams[1:], grams[2:], strict=False)] or grams
    low, high = min(calm, default=0.0), max(calm, default=0.0)
    if high - low < _LEAST_RANGE_G:
        middle = (low + high) / 2
        return middle - _LEAST_RANGE_G / 2, middle + _LEAST_RANGE_G / 2
    air = (high - low) * _HEADROOM
    return low - air, high + air
