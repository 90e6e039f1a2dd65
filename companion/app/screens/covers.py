"""The boxes on the shelf, as covers of our own: a castle in outline under an emblem, and the title in serifs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from kivy.graphics import (
    Color,
    InstructionGroup,
    SmoothEllipse,
    SmoothLine,
    SmoothRectangle,
    SmoothRoundedRectangle,
    SmoothTriangle,
)
from kivy.metrics import dp
from kivy.properties import ListProperty, StringProperty
from msgspec import Struct

from companion.app.theme import CORNER_DP, Colour, colour, faded, mixed
from companion.app.widgets.look import follow, lazily, steps
from companion.app.widgets.pictures import IconView
from companion.app.widgets.surfaces import Surface
from companion.app.widgets.touch import Touchable
from companion.app.widgets.words import TextLabel

Stone = tuple[Literal["block", "roof", "hill", "hole"], float, float, float, float]
"""A part of a castle in outline: its shape, left and lower edge, width and height, on a field of 100 by 60."""

ART_WIDTH: Final = 100
ART_HEIGHT: Final = 60
CREAM: Final = colour("#F5EAD0")
_NIGHT: Final = colour("#14110E")
_FRAME_INSET_DP = 6
_UNPLACED: Final = (0, 0)
"""Nothing is drawn before it has its place: pictures are made for one size each."""
_CASTLE_SHARE = 0.55
_BEHIND = 0.62
"""How high up the castle the disc behind it begins."""
_DISC_SHARE = 0.8
_EMBLEM_SHARE = 0.5
_WIDE = 1.15
"""From this ratio of width to height on, the picture stands beside the words."""


def _storeys(left: float, width: float, count: int) -> Iterator[Stone]:
    """A tower of slabs on pillars."""
    for storey in range(count):
        low = storey * 11.0
        for at in (0.1, 0.45, 0.8):
            yield "block", left + width * at, low, width * 0.1, 8.5
        yield "block", left, low + 8.5, width, 2.5


def _merlons(left: float, low: float, width: float, count: int, high: float = 4) -> Iterator[Stone]:
    """A row of battlements."""
    step = width / (2 * count - 1)
    for at in range(count):
        yield "block", left + 2 * at * step, low, step, high


def _die(left: float, low: float, side: float, pips: tuple[tuple[float, float], ...]) -> Iterator[Stone]:
    yield "block", left, low, side, side
    for x, y in pips:
        yield "hole", left + side * x - side * 0.09, low + side * y - side * 0.09, side * 0.18, side * 0.18


_FIVE = ((0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75))
_THREE = ((0.25, 0.25), (0.5, 0.5), (0.75, 0.75))
_TWO = ((0.3, 0.7), (0.7, 0.3))
_ONE = ((0.5, 0.5),)


def _turret(left: float, width: float, high: float, roof: float) -> Iterator[Stone]:
    """A round tower with a pointed roof and a window."""
    yield "block", left, 0, width, high
    yield "roof", left - width * 0.22, high, width * 1.44, roof
    yield "hole", left + width * 0.38, high - width * 0.9, width * 0.24, width * 0.5


def _dukes() -> Iterator[Stone]:
    yield from _storeys(6, 24, 3)
    yield from _storeys(38, 26, 4)
    yield "roof", 40, 44, 22, 13
    yield from _storeys(72, 22, 2)
    yield from _merlons(72, 22, 22, 4)
    yield from _merlons(6, 33, 24, 4)


def _seasons() -> Iterator[Stone]:
    yield "hill", 0, 0, 64, 17
    yield "hill", 34, 0, 66, 14
    yield "block", 24, 10, 52, 18
    yield from _merlons(24, 28, 52, 8)
    for left in (18, 66):
        yield "block", left, 8, 15, 31
        yield from _merlons(left - 1.5, 39, 18, 4)
    yield "hole", 46, 10, 8, 11


def _ludwig() -> Iterator[Stone]:
    yield from _turret(4, 11, 20, 14)
    yield from _turret(20, 9, 30, 16)
    yield "block", 28, 0, 44, 22
    yield "roof", 28, 22, 44, 14
    yield from _turret(45, 11, 38, 21)
    yield from _turret(68, 10, 26, 18)
    yield from _turret(85, 11, 16, 13)


def _dice() -> Iterator[Stone]:
    yield from _die(5, 0, 26, _FIVE)
    yield from _die(37, 0, 26, _THREE)
    yield from _die(69, 0, 26, _TWO)
    yield from _die(21, 28, 26, _ONE)
    yield from _die(53, 28, 26, _FIVE)


def _builder() -> Iterator[Stone]:
    for left, count in ((10, 2), (27, 3), (44, 4), (61, 3), (78, 1)):
        for storey in range(count):
            yield "block", left, storey * 13, 15.6, 11.8
    yield "roof", 43, 52, 17.6, 8
    yield "roof", 77, 13, 17.6, 8
    yield "hole", 48.5, 0, 6.6, 8.5
    yield "hole", 32, 29, 5.6, 6
    yield "hole", 66, 29, 5.6, 6
    yield "hole", 15, 16, 5.6, 6


class CoverLook(Struct, frozen=True, kw_only=True):
    """How a box looks on the shelf. `title` is what stands on it until its rules are read."""

    title: str
    emblem: str
    field: Colour
    art: tuple[Stone, ...]


LOOKS: Final[dict[str, CoverLook]] = {
    "castle-dukes": CoverLook(title="Castle Dukes", emblem="dragon", field=colour("#2F5075"), art=tuple(_dukes())),
    "castle-for-all-seasons": CoverLook(
        title="A Castle for All Seasons", emblem="land", field=colour("#4A6340"), art=tuple(_seasons())
    ),
    "mad-king-ludwig": CoverLook(
        title="Castles of Mad King Ludwig", emblem="king", field=colour("#65406A"), art=tuple(_ludwig())
    ),
    "castle-dice": CoverLook(title="Castle Dice", emblem="dice", field=colour("#8A4030"), art=tuple(_dice())),
    "castle-builder": CoverLook(title="Castle Builder", emblem="tower", field=colour("#7A6024"), art=tuple(_builder())),
}
_PLAIN: Final = CoverLook(title="", emblem="tower", field=colour("#4A5560"), art=tuple(_seasons()))


def cover_look(game: str) -> CoverLook:
    """The look of a game's box; one nobody has drawn is plain."""
    return LOOKS.get(game, _PLAIN)


class Cover(Touchable):
    """A box to tap. `title` and `notes` (players, and minutes) are the words on it."""

    title = StringProperty("")
    notes = ListProperty()

    def __init__(self, game: str, **properties: Any) -> None:
        super().__init__(**{"size": _UNPLACED, **properties})
        self.game = game
        self._look = cover_look(game)
        self._surface = Surface(self.canvas.before)
        self._art = InstructionGroup()
        self.canvas.before.add(self._art)
        self._title = TextLabel(role="large", serif=True, tint=CREAM, size=_UNPLACED)
        self._note = TextLabel(role="body", tint=faded(CREAM, 0.9), valign="middle", size=_UNPLACED)
        self._emblem = IconView(tint=CREAM)
        for part in (self._title, self._note, self._emblem):
            self.add_widget(part)
        lazily(self._arrange, "pos", "size", "title", "notes", "pressed")
        follow(self._arrange)

    def _arrange(self, *__: Any) -> None:
        if tuple(self.size) == _UNPLACED:
            return
        field = mixed(self._look.field, _NIGHT, 0.25) if self.pressed else self._look.field
        self._surface.place(self.pos, self.size)
        self._surface.paint(field, mixed(field, _NIGHT, 0.4))
        wide = self.width > self.height * _WIDE
        self._title.text, self._note.text = self.title, (" · " if wide else "\n").join(self.notes)
        art = self._place_wide() if wide else self._place_tall()
        self._draw(field, *art)

    def _place_tall(self) -> tuple[float, float, float, float]:
        """Words above and below, the picture between them. Gives its place back."""
        pad = steps(2)
        inner, top = self.width - 2 * pad, self.top - pad
        title = min(self.height * 0.34, steps(15))
        note = steps(6)
        for label in (self._title, self._note):
            label.halign, label.valign = "center", "middle"
        self._title.pos, self._title.size = (self.x + pad, top - title), (inner, title)
        self._note.pos, self._note.size = (self.x + pad, self.y + pad), (inner, note)
        low = self.y + pad + note + steps(1)
        return self.x + pad, low, inner, max(1.0, top - title - steps(1) - low)

    def _place_wide(self) -> tuple[float, float, float, float]:
        pad = steps(2)
        art = min((self.height - 2 * pad) * 1.4, self.width * 0.42)
        left = self.x + art + 2 * pad
        room = self.right - pad - left
        half = self.height / 2 - pad
        for label, low, valign in ((self._title, self.center_y, "bottom"), (self._note, self.y + pad, "top")):
            label.halign, label.valign = "left", valign
            label.pos, label.size = (left, low), (room, half)
        return self.x + pad, self.y + pad, art, self.height - 2 * pad

    def _draw(self, field: Colour, x: float, y: float, width: float, height: float) -> None:
        """The frame, the emblem in its disc, and the castle below it."""
        scale = min(width / ART_WIDTH, height * _CASTLE_SHARE / ART_HEIGHT)
        middle = x + width / 2
        disc = min(width * _DISC_SHARE, height - scale * ART_HEIGHT * _BEHIND)
        low = y + scale * ART_HEIGHT * _BEHIND + max(0.0, height - scale * ART_HEIGHT * _BEHIND - disc) / 2
        side = disc * _EMBLEM_SHARE
        self._emblem.kind, self._emblem.size = self._look.emblem, (side, side)
        self._emblem.pos = (middle - side / 2, low + disc * 0.56 - side / 2)
        art = self._art
        art.clear()
        self._add_frame()
        art.add(Color(*mixed(field, CREAM, 0.16)))
        art.add(SmoothEllipse(pos=(middle - disc / 2, low), size=(disc, disc)))
        dark, light = mixed(field, _NIGHT, 0.45), mixed(field, CREAM, 0.5)
        for stone in self._look.art:
            art.add(Color(*(light if stone[0] == "hole" else dark)))
            art.add(_shape(stone, (middle - ART_WIDTH * scale / 2, y), scale))

    def _add_frame(self) -> None:
        inset = dp(_FRAME_INSET_DP)
        box = (self.x + inset, self.y + inset, self.width - 2 * inset, self.height - 2 * inset)
        self._art.add(Color(*faded(CREAM, 0.35)))
        self._art.add(SmoothLine(rounded_rectangle=(*box, dp(CORNER_DP) - 2), width=1))


def _shape(stone: Stone, corner: tuple[float, float], scale: float) -> Any:
    kind, left, low, width, high = stone
    x, y, w, h = corner[0] + left * scale, corner[1] + low * scale, width * scale, high * scale
    if kind == "roof":
        return SmoothTriangle(points=[x, y, x + w, y, x + w / 2, y + h])
    if kind == "hill":
        return SmoothEllipse(pos=(x, y - h), size=(w, 2 * h), angle_start=-90, angle_end=90)
    if kind == "hole":
        return SmoothRoundedRectangle(pos=(x, y), size=(w, h), radius=[min(w, h) / 2])
    return SmoothRectangle(pos=(x, y), size=(w, h))
