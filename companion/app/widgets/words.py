"""Text that is never cut: it wraps, and if it must, it shrinks."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.metrics import sp
from kivy.properties import BooleanProperty, ColorProperty, NumericProperty, OptionProperty
from kivy.uix.label import Label

from companion.app.theme import SANS, SANS_BOLD, SCALE_SP, SERIF, SMALLEST_SP
from companion.app.widgets.look import colours, follow, lazily

_LINE_HEIGHT = 1.0
_TIGHTEST_PX = 6
_MOST_MEASURED = 16_384
_TONES = ("plain", "soft", "accent", "danger", "good", "bad")


@lru_cache(maxsize=_MOST_MEASURED)
def measured(text: str, font: str, size_px: int, width_px: int | None) -> tuple[int, int]:
    """How wide and high a text is in a font, wrapped to a width or on lines of its own."""
    label = CoreLabel(
        text=text, font_name=font, font_size=size_px, text_size=(width_px, None), line_height=_LINE_HEIGHT
    )
    label.resolve_font_name()
    label.render()
    width, height = label._internal_size if text else (0, 0)
    return int(width), int(height)


def fits(text: str, font: str, size_px: int, box: tuple[int, int]) -> bool:
    """Whether a text fits a box in whole words."""
    width, height = box
    if measured(text, font, size_px, width)[1] > height:
        return False
    return all(measured(word, font, size_px, None)[0] <= width for word in text.split())


def fitting_size(text: str, font: str, wanted_px: int, box: tuple[int, int]) -> int:
    """The largest size up to the wanted one at which a text fits a box."""
    if not text or min(box) <= 0 or fits(text, font, wanted_px, box):
        return wanted_px
    low, high = _TIGHTEST_PX, wanted_px
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(text, font, middle, box) else (low, middle)
    return low


def font_of(strong: bool, serif: bool) -> str:
    """The file of the font for such words."""
    if serif:
        return SERIF
    return SANS_BOLD if strong else SANS


class TextLabel(Label):
    """Words in one of the five sizes.

    `role` is the size wanted. The text wraps within the label and shrinks when that is not enough; `shrunk` tells
    that it had to become smaller than the smallest size of the scale. With `grows`, the height follows the text
    instead, and nothing shrinks. `tint` overrides the colour of `tone` on its `ground`.
    """

    role = OptionProperty("body", options=tuple(SCALE_SP))
    tone = OptionProperty("plain", options=_TONES)
    ground = OptionProperty("panel", options=("panel", "table"))
    strong = BooleanProperty(False)
    serif = BooleanProperty(False)
    grows = BooleanProperty(False)
    shrunk = BooleanProperty(False)
    tint = ColorProperty(None, allownone=True)
    fitted_px = NumericProperty(0)

    def __init__(self, **properties: Any) -> None:
        properties.setdefault("halign", "left")
        properties.setdefault("valign", "middle")
        if properties.get("grows"):
            properties.setdefault("size_hint_y", None)
        super().__init__(**properties)
        self.line_height = _LINE_HEIGHT
        lazily(self._fit, "size", "text", "role", "strong", "serif", "grows", "padding")
        lazily(self._tint, "tone", "ground", "tint")
        follow(self._tint)

    @property
    def wanted_px(self) -> int:
        """The size of its role, in pixels."""
        return round(float(sp(SCALE_SP[self.role])))

    def room(self) -> tuple[int, int]:
        """What is left for the words inside the padding."""
        left, top, right, bottom = self.padding
        return int(self.width - left - right), int(self.height - top - bottom)

    def ideal_width(self, most: float | None = None) -> float:
        """The width at which the text stands on one line at its wanted size, or wrapped within `most`."""
        left, _, right, _ = self.padding
        limit = None if most is None else max(1, int(most))
        width, _ = measured(self.text, font_of(self.strong, self.serif), self.wanted_px, limit)
        return float(width + left + right + 1)

    def _fit(self, *_: Any) -> None:
        self.font_name = font = font_of(self.strong, self.serif)
        width, height = self.room()
        if self.grows:
            size = fitting_size(self.text, font, self.wanted_px, (width, 10**6))
            _, top, _, bottom = self.padding
            self.height = measured(self.text, font, size, max(1, width))[1] + top + bottom
        else:
            size = fitting_size(self.text, font, self.wanted_px, (width, height))
        self.font_size = self.fitted_px = size
        self.shrunk = bool(self.text) and size < min(self.wanted_px, round(sp(SMALLEST_SP)))
        self.text_size = (self.width, None if self.grows else self.height)

    def _tint(self, *_: Any) -> None:
        self.color = self.tint or self._tone_colour()

    def _tone_colour(self) -> tuple[float, float, float, float]:
        theme = colours()
        if self.tone in ("good", "bad", "danger"):
            return theme.change(self.ground, self.tone == "good")
        if self.tone == "accent":
            return theme.accent if self.ground == "table" and theme.name == "dark" else theme.words(self.ground)
        return theme.quiet_words(self.ground) if self.tone == "soft" else theme.words(self.ground)
