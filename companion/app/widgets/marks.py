"""Small marks that lie over every screen."""

from __future__ import annotations

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothEllipse, SmoothRoundedRectangle
from kivy.metrics import dp, sp

from companion.app.theme import DARK, SANS_BOLD, colour, faded
from companion.app.widgets.look import Last

_RED = colour("#E5352B")
_BOX_DP = (58, 22)
_DOT_DP = 12
_INSET_DP = 3
_WORDS_SP = 14
_WORDS = "REC"


class RecordingMark:
    """A red dot with three letters in the top left corner, where no screen has anything to touch or to read."""

    def __init__(self) -> None:
        self._group = InstructionGroup()
        self._ground_shade, self._ground = Color(*DARK.table), SmoothRoundedRectangle(radius=[dp(6)])
        self._dot_shade, self._dot = Color(*_RED), SmoothEllipse()
        self._words_shade, self._words = Color(*DARK.chalk), Rectangle()
        self._last = Last()
        for part in (
            self._ground_shade, self._ground, self._dot_shade, self._dot, self._words_shade, self._words,
        ):  # fmt: skip
            self._group.add(part)

    @property
    def drawn(self) -> InstructionGroup:
        """What to add to a canvas."""
        return self._group

    def show(self, on: bool, left: float, top: float) -> None:
        """Shows the mark in a corner, or nothing."""
        if not self._last.differs(on, left, top):
            return
        strength = 1.0 if on else 0.0
        for shade, tint in ((self._ground_shade, DARK.table), (self._dot_shade, _RED), (self._words_shade, DARK.chalk)):
            shade.rgba = faded(tint, strength)
        if on:
            self._place(left + dp(_INSET_DP), top - dp(_INSET_DP))

    def _place(self, left: float, top: float) -> None:
        wide, tall = (dp(side) for side in _BOX_DP)
        label = CoreLabel(text=_WORDS, font_name=SANS_BOLD, font_size=round(sp(_WORDS_SP)))
        label.refresh()
        side, gap = dp(_DOT_DP), (tall - dp(_DOT_DP)) / 2
        self._ground.pos, self._ground.size = (left, top - tall), (wide, tall)
        self._dot.pos, self._dot.size = (left + gap, top - tall + gap), (side, side)
        self._words.texture, self._words.size = label.texture, label.texture.size
        self._words.pos = (left + 2 * gap + side, top - (tall + label.texture.height) / 2)
