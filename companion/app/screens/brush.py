"""A brush for pictures that are drawn piece by piece: smooth shapes, icons and short words on one canvas."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.graphics import (
    Color,
    InstructionGroup,
    Mesh,
    Rectangle,
    SmoothEllipse,
    SmoothLine,
    SmoothRectangle,
    SmoothRoundedRectangle,
)

from companion.app.theme import SANS_BOLD, Colour
from companion.app.widgets.drawing import icon_texture
from companion.app.widgets.words import measured

_MOST_KEPT = 256


@lru_cache(maxsize=_MOST_KEPT)
def _written(text: str, size_px: int) -> Any:
    label = CoreLabel(text=text, font_name=SANS_BOLD, font_size=size_px)
    label.refresh()
    return label.texture


class Brush:
    """Draws on a group of instructions; `clean` begins anew."""

    def __init__(self, canvas: Any) -> None:
        self._group = InstructionGroup()
        canvas.add(self._group)

    def clean(self) -> None:
        self._group.clear()

    def shade(self, colour: Colour) -> None:
        self._group.add(Color(*colour))

    def box(self, x: float, y: float, width: float, height: float, colour: Colour, corner: float = 0) -> None:
        self.shade(colour)
        if corner:
            self._group.add(SmoothRoundedRectangle(pos=(x, y), size=(width, height), radius=[corner]))
        else:
            self._group.add(SmoothRectangle(pos=(x, y), size=(width, height)))

    def disc(self, x: float, y: float, radius: float, colour: Colour, tall: float = 1.0) -> None:
        """A circle around a middle; `tall` makes an ellipse of it."""
        self.shade(colour)
        self._group.add(SmoothEllipse(pos=(x - radius, y - radius * tall), size=(2 * radius, 2 * radius * tall)))

    def line(self, points: Sequence[float], width: float, colour: Colour, close: bool = False) -> None:
        self.shade(colour)
        self._group.add(SmoothLine(points=list(points), width=max(1.0, width / 2), close=close))

    def arc(self, x: float, y: float, radius: float, start: float, end: float, width: float, colour: Colour) -> None:
        self.shade(colour)
        self._group.add(SmoothLine(circle=(x, y, radius, start, end), width=max(1.0, width / 2)))

    def fill(self, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        """A convex outline filled, its rim smoothed."""
        self.shade(colour)
        vertices = [part for x, y in points for part in (x, y, 0, 0)]
        self._group.add(Mesh(vertices=vertices, indices=list(range(len(points))), mode="triangle_fan"))
        self._group.add(SmoothLine(points=[part for point in points for part in point], width=1.0, close=True))

    def icon(self, kind: str, x: float, y: float, side: float, colour: Colour) -> None:
        """An icon with its corner at a place."""
        texture = icon_texture(kind, max(1, round(side)))
        if texture is not None:
            self.shade(colour)
            self._group.add(Rectangle(texture=texture, pos=(round(x), round(y)), size=texture.size))

    def words(self, text: str, x: float, y: float, size_px: float, colour: Colour, anchor: float = 0.5) -> None:
        """A short text on one line: `anchor` 0 begins at x, 0.5 has its middle there, 1 ends there."""
        texture = _written(text, max(1, round(size_px)))
        self.shade(colour)
        left = x - texture.width * anchor
        self._group.add(Rectangle(texture=texture, pos=(round(left), round(y - texture.height / 2)), size=texture.size))


def words_width(text: str, size_px: float) -> float:
    """How wide a text is on one line."""
    return float(measured(text, SANS_BOLD, max(1, round(size_px)), None)[0])


def forget_words() -> None:
    """Drops every kept text: they belong to a window that is gone."""
    _written.cache_clear()
