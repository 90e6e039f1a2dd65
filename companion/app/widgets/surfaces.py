"""Grounds that things stand on: smooth rounded boxes, and the parchment panel."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.properties import BooleanProperty, ColorProperty, NumericProperty, OptionProperty
from kivy.uix.boxlayout import BoxLayout

from companion.app.theme import CORNER_DP, STROKE_DP, Colour, Theme
from companion.app.widgets.look import Last, colours, follow, lazily, steps

_CLEAR: Colour = (0.0, 0.0, 0.0, 0.0)
_LIT_EDGE_DP = 4


class Surface:
    """A rounded box with an edge, drawn below what is on a canvas."""

    def __init__(self, canvas: Any, corner_dp: float = CORNER_DP) -> None:
        self._corner = dp(corner_dp)
        self._box, self._shades = Last(), Last()
        with canvas:
            self._edge_shade = Color(*_CLEAR)
            self._edge = SmoothRoundedRectangle(radius=[self._corner])
            self._fill_shade = Color(*_CLEAR)
            self._fill = SmoothRoundedRectangle(radius=[self._corner])

    def place(self, pos: tuple[float, float], size: tuple[float, float], edge_dp: float = STROKE_DP) -> None:
        """Puts the box on whole pixels, so that its edges are crisp."""
        (x, y), (width, height), edge = (round(part) for part in pos), (round(part) for part in size), dp(edge_dp)
        if not self._box.differs(x, y, width, height, edge):
            return
        self._edge.pos, self._edge.size = (x, y), (width, height)
        self._fill.pos = (x + edge, y + edge)
        self._fill.size = (max(0, width - 2 * edge), max(0, height - 2 * edge))
        corner = min(self._corner, max(1, min(width, height) / 2))
        self._edge.radius = [corner]
        self._fill.radius = [max(1, corner - edge)]

    def paint(self, fill: Colour, edge: Colour | None = None) -> None:
        """Fills the box; without an edge colour the fill goes to the rim."""
        if self._shades.differs(fill, edge or fill):
            self._fill_shade.rgba = fill
            self._edge_shade.rgba = edge or fill


class Panel(BoxLayout):
    """A card to put things on: parchment, the paler `raised` parchment, or `slate` like the table but lighter.

    A `seat` colour in `stripe` marks whose it is by a bar along the top; `lit` gives it the accent's edge.
    """

    kind = OptionProperty("parchment", options=("parchment", "raised", "slate"))
    lit = BooleanProperty(False)
    stripe = ColorProperty(None, allownone=True)
    stripe_dp = NumericProperty(6)

    def __init__(self, **properties: Any) -> None:
        properties.setdefault("orientation", "vertical")
        properties.setdefault("padding", steps(1.5))
        properties.setdefault("spacing", steps(1))
        super().__init__(**properties)
        self._surface = Surface(self.canvas.before)
        self._bar = Last()
        with self.canvas.before:
            self._stripe_shade = Color(*_CLEAR)
            self._stripe = SmoothRoundedRectangle()
        lazily(self._paint, "pos", "size", "kind", "lit", "stripe", "stripe_dp")
        follow(self._paint)

    def _paint(self, *_: Any) -> None:
        theme = colours()
        self._surface.place(self.pos, self.size, _LIT_EDGE_DP if self.lit else STROKE_DP)
        fill, edge = _panel_colours(theme, self.kind)
        self._surface.paint(fill, theme.accent if self.lit else edge)
        height, corner = dp(self.stripe_dp), dp(CORNER_DP)
        if not self._bar.differs(tuple(self.stripe or _CLEAR), height, corner, self.x, self.top, self.width):
            return
        self._stripe_shade.rgba = self.stripe or _CLEAR
        self._stripe.pos, self._stripe.size = (self.x, self.top - height), (self.width, height)
        self._stripe.radius = [corner, corner, 1, 1]


def _panel_colours(theme: Theme, kind: str) -> tuple[Colour, Colour]:
    return {
        "parchment": (theme.panel, theme.panel_edge),
        "raised": (theme.panel_raised, theme.panel_edge),
        "slate": (theme.table_raised, theme.table_edge),
    }[kind]
