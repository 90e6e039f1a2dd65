"""A camera's picture: as large as it fits, and a finger on it knows which pixel it is over."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty

from companion.app.widgets.look import colours, follow, lazily
from companion.app.widgets.scrub import Scrubbed
from companion.app.widgets.surfaces import Surface

Point = tuple[float, float]
View = tuple[float, float, float, float]
"""A part of a picture: its left edge, its top edge, its width and its height, in pixels of the picture."""

_DIM = 0.3


class Film(Scrubbed):
    """Shows pixels handed to it as a flat row of blue, green, red and alpha. Until then it is an empty frame.

    `wide` and `tall` are the picture's own size, `view` is the part of it that is shown, or None for all. What is shown
    keeps its shape; with `framed` there is slate around it. A `dimmed` picture is one of before.
    """

    wide = NumericProperty(0)
    tall = NumericProperty(0)
    view = ObjectProperty(None, allownone=True)
    framed = BooleanProperty(True)
    dimmed = BooleanProperty(False)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._surface = Surface(self.canvas.before, corner_dp=4)
        self._texture: Any = None
        with self.canvas:
            self._shade = Color(1, 1, 1, 0)
            self._picture = Rectangle()
        lazily(self._arrange, "pos", "size", "wide", "tall", "view")
        follow(self._arrange)

    def on_dimmed(self, *_: Any) -> None:
        """Words are read over a picture of before."""
        self._shade.rgb = (_DIM,) * 3 if self.dimmed else (1, 1, 1)

    @property
    def empty(self) -> bool:
        """Whether it has shown nothing yet."""
        return self._texture is None

    def show(self, width: int, height: int, pixels: Any) -> None:
        """Shows a picture, its first row on top."""
        if self._texture is None or tuple(self._texture.size) != (width, height):
            self._texture = Texture.create(size=(width, height), colorfmt="rgba", bufferfmt="ubyte")
            self._texture.flip_vertical()
            self._picture.texture = self._texture
            self._shade.a = 1
            self.wide, self.tall = width, height
            self._arrange()
        self._texture.blit_buffer(pixels, colorfmt="bgra", bufferfmt="ubyte")
        self.canvas.ask_update()

    @property
    def shown(self) -> View:
        """The part of the picture that is shown."""
        view: View | None = self.view
        return view or (0.0, 0.0, float(self.wide), float(self.tall))

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Where the picture is: left, bottom, width, height."""
        _, _, wide, tall = self.shown
        if not wide or not tall:
            return float(self.x), float(self.y), float(self.width), float(self.height)
        scale = min(self.width / wide, self.height / tall)
        width, height = wide * scale, tall * scale
        return self.center_x - width / 2, self.center_y - height / 2, width, height

    def over(self, pixel: Point) -> Point:
        """Where a pixel of the picture, counted from its top left, lies in the window's coordinates."""
        left, low, width, height = self.box
        first, top, wide, tall = self.shown
        return left + (pixel[0] - first) / max(1, wide) * width, low + height - (pixel[1] - top) / max(1, tall) * height

    def pixel(self, place: Point) -> Point:
        """The pixel of the picture under a place."""
        left, low, width, height = self.box
        first, top, wide, tall = self.shown
        return first + (place[0] - left) / width * wide, top + (low + height - place[1]) / height * tall

    def _arrange(self, *_: Any) -> None:
        left, low, width, height = self.box
        self._picture.pos, self._picture.size = (round(left), round(low)), (round(width), round(height))
        if self._texture is not None:
            self._picture.tex_coords = self._corners()
        self._surface.place(self.pos, self.size)
        theme = colours()
        self._surface.paint(theme.table_raised if self.framed else theme.table, theme.table_edge)

    def _corners(self) -> tuple[float, ...]:
        """Where the corners of what is shown lie in the picture, from the lower left one round against the clock."""
        first, top, wide, tall = self.shown
        left, right = first / self.wide, (first + wide) / self.wide
        high, low = top / self.tall, (top + tall) / self.tall
        return left, low, right, low, right, high, left, high

    def scrub_span(self) -> tuple[float, float]:
        left, _, width, _ = self.box
        return left, width
