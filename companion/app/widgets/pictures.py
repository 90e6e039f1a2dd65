"""Icons, and the badge that says whose something is."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.properties import ColorProperty, NumericProperty, OptionProperty, StringProperty
from kivy.uix.widget import Widget

from companion.app.widgets.drawing import charge_texture, icon_texture, shield_rim_texture, shield_texture
from companion.app.widgets.look import Last, colours, follow, lazily, seat_look
from companion.app.widgets.words import TextLabel

_BADGE_GAP_DP = 8


def square(widget: Widget) -> tuple[tuple[int, int], int]:
    """The largest square in a widget's middle, on whole pixels: its corner and its side."""
    side = max(1, int(min(widget.width, widget.height)))
    return (round(widget.center_x - side / 2), round(widget.center_y - side / 2)), side


class IconView(Widget):
    """An icon in the largest square that fits. `tint` overrides the colour that goes with the `ground`."""

    kind = StringProperty("")
    ground = OptionProperty("panel", options=("panel", "table"))
    tint = ColorProperty(None, allownone=True)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        with self.canvas:
            self._shade = Color(1, 1, 1, 1)
            self._picture = Rectangle()
        self._last = Last()
        lazily(self._paint, "pos", "size", "kind", "ground", "tint")
        follow(self._paint)

    def _paint(self, *_: Any) -> None:
        corner, side = square(self)
        texture = icon_texture(self.kind, side) if self.kind else None
        shade = tuple(self.tint or colours().words(self.ground))
        if not self._last.differs(corner, side, texture, shade):
            return
        self._shade.rgba = shade if texture else (0, 0, 0, 0)
        self._picture.texture = texture
        self._picture.pos, self._picture.size = corner, (side, side)


class Shield(Widget):
    """A seat's colour with its shape, and a rim that sets it off from any ground."""

    seat = NumericProperty(0)
    ground = OptionProperty("panel", options=("panel", "table"))

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._layers: list[tuple[Any, Any]] = []
        self._last = Last()
        with self.canvas:
            for _ in range(3):
                self._layers.append((Color(1, 1, 1, 1), Rectangle()))
        lazily(self._paint, "pos", "size", "seat", "ground")
        follow(self._paint)

    def _paint(self, *_: Any) -> None:
        corner, side = square(self)
        badge = seat_look(int(self.seat))
        textures = (shield_texture(side), charge_texture(badge.shape, side), shield_rim_texture(side))
        shades = (badge.field, badge.charge, colours().words(self.ground))
        if not self._last.differs(corner, side, textures, shades):
            return
        for (shade, picture), texture, tint in zip(self._layers, textures, shades, strict=True):
            shade.rgba = tint
            picture.texture, picture.pos, picture.size = texture, corner, (side, side)


class SeatBadge(Widget):
    """A seat's shield with its name beside it, or under it when the badge is taller than wide."""

    seat = NumericProperty(0)
    name = StringProperty("")
    ground = OptionProperty("panel", options=("panel", "table"))

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._shield = Shield()
        self._label = TextLabel(strong=True)
        self.add_widget(self._shield)
        self.add_widget(self._label)
        lazily(self._arrange, "pos", "size", "seat", "name", "ground")

    def _arrange(self, *_: Any) -> None:
        self._shield.seat = self.seat
        self._shield.ground = self._label.ground = self.ground
        self._label.text = self.name
        gap = dp(_BADGE_GAP_DP)
        if self.width >= self.height:
            self._beside(gap)
        else:
            self._under(gap)

    def _beside(self, gap: float) -> None:
        side = min(self.height, self.width * 0.5)
        self._shield.pos, self._shield.size = (self.x, self.center_y - side / 2), (side, side)
        self._label.halign = "left"
        self._label.pos = (self.x + side + gap, self.y)
        self._label.size = (max(0, self.width - side - gap), self.height)

    def _under(self, gap: float) -> None:
        side = min(self.width, self.height * 0.6)
        self._shield.size = (side, side)
        self._shield.pos = (self.center_x - side / 2, self.top - side)
        self._label.halign = "center"
        self._label.pos, self._label.size = self.pos, (self.width, max(0, self.height - side - gap))
