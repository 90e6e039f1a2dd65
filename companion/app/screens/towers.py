"""A castle drawn as it stands: three towers with their floors, pillars and rooms, roofs with a pennant, bridges."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from kivy.metrics import sp
from kivy.properties import BooleanProperty, DictProperty, ObjectProperty
from kivy.uix.widget import Widget
from msgspec import Struct

from companion.app.models.castle_dukes import BridgeView, DukeView, LevelView, Piece, RoomView, TowerView
from companion.app.screens.brush import Brush, words_width
from companion.app.screens.figures import INK, PEOPLE, person
from companion.app.theme import SMALLEST_SP, Colour, colour, faded, mixed
from companion.app.widgets.look import colours, lazily, seat_look, steps, target
from companion.app.widgets.touch import Touchable
from companion.app.words import _

_STONE = colour("#A79F8F")
_STONE_DARK = colour("#7D7567")
_PILLAR = colour("#CFC6B2")
_PILLAR_SHADE = colour("#A2987F")
_WALL = colour("#FBF4E2")
_WALL_EDGE = colour("#C9B68C")
_ROOF = colour("#8A3F2C")
_ROOF_DARK = colour("#6A2D1F")
_PLANK = colour("#9A6B3A")
_PLANK_DARK = colour("#6E4A25")
_SKY = colour("#D6E3E3")
_DUSK = colour("#EBCBA2")
_EMBER = colour("#B5432A")
_GRASS = colour("#7E9160")
_EARTH = colour("#5F6E47")

_TALLEST_LEVEL = 1.05
"""In widths of a tower."""
_LEAST_LEVELS = 2.2
_BARE_STOREY = 0.65
_ROOF_STOREY = 0.8
_FULL_STOREY = 1.4
_SLAB_SHARE = 0.16
_FREE_STRENGTH = 0.28
_FREE_SHARE = 0.35
"""How wide a free place is drawn, beside a room that stands."""


class Slot(Struct, frozen=True):
    """A place to draw in."""

    x: float
    y: float
    width: float
    height: float


class TowerPad(Touchable):
    """A tower under a finger. `on_level(level)` tells which of its levels was meant; 0 is the free place on top."""

    __events__ = ("on_level",)

    def __init__(self, id: str) -> None:
        super().__init__()
        self.tower = id
        self.floors: list[float] = []
        self._meant = 0

    def on_touch_down(self, touch: Any) -> bool:
        if self.collide_point(*touch.pos):
            below = [level for level, floor in enumerate(self.floors, start=1) if floor <= touch.y]
            self._meant = below[-1] if below else 1
            above = self.floors[-1] + (self.floors[-1] - self.y) / max(1, len(self.floors)) if self.floors else self.y
            if not self.floors or touch.y > max(above, self.floors[-1] + steps(4)):
                self._meant = 0
        return bool(super().on_touch_down(touch))

    def on_release(self) -> None:
        self.dispatch("on_level", self._meant)

    def on_level(self, level: int) -> None:
        """A level was touched."""


class CastlePicture(Widget):
    """One duke's castle, under the `dragon` while it attacks. `heights` are those that were measured, in mm.

    With `touchable`, its towers take touches: `on_tower(tower, level)`.
    """

    __events__ = ("on_tower",)

    duke: DukeView | None = ObjectProperty(None, allownone=True)
    touchable = BooleanProperty(True)
    dragon = BooleanProperty(False)
    heights = DictProperty()

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._brush = Brush(self.canvas)
        self._pads = [TowerPad(id) for id in ("left", "middle", "right")]
        for pad in self._pads:
            pad.bind(on_level=lambda pad, level: self.dispatch("on_tower", pad.tower, level))
        self._drawn: tuple[Any, ...] = ()
        lazily(self._draw, "pos", "size", "duke", "touchable", "dragon", "heights")

    def pad(self, id: str) -> TowerPad:
        """What to touch for a tower."""
        return next(pad for pad in self._pads if pad.tower == id)

    def on_tower(self, tower: str, level: int) -> None:
        """A tower was touched."""

    def _draw(self, *__: Any) -> None:
        duke = self.duke
        self._hold_pads()
        if duke is None or min(self.size) <= 1:
            self._drawn = ()
            self._brush.clean()
            return
        plan = Plan(duke, Slot(self.x, self.y, self.width, self.height))
        for pad, tower in zip(self._pads, duke.towers, strict=True):
            column, apart = plan.column(tower.tower), plan.gap / 2 - 1
            pad.pos, pad.size = (column.x - apart, self.y), (column.width + 2 * apart, max(target(), self.height))
            pad.floors = [plan.floor(level.level) for level in tower.levels]
        heights = {tower: round(mm) for tower, mm in self.heights.items()}
        look = (_bare(duke), self.dragon, heights, tuple(self.pos), tuple(self.size), colours().name)
        if look != self._drawn:
            self._drawn = look
            self._brush.clean()
            draw_castle(self._brush, duke, plan, self.dragon)
            for tower, mm in heights.items():
                _measured(self._brush, plan, tower, mm)

    def _hold_pads(self) -> None:
        for pad in self._pads:
            if self.touchable and pad.parent is None:
                self.add_widget(pad)
            elif not self.touchable and pad.parent is not None:
                self.remove_widget(pad)


def _bare(duke: DukeView) -> tuple[object, ...]:
    """What can be seen of a castle: not the moves on offer."""
    towers = tuple(
        (level.roof, level.pillars, level.cobbles, level.covered, level.spaces, level.rooms, level.decors)
        for tower in duke.towers
        for level in (*tower.levels, _NO_LEVEL)
    )
    return duke.seat, towers, tuple((bridge.level, bridge.decors) for bridge in duke.bridges)


_NO_LEVEL = LevelView(
    level=0, roof=False, pillars=0, cobbles=0, covered=0, spaces=0, ends=False, rooms=(), decors=(), choices=()
)


class Plan:
    """Where the towers, floors and levels of a castle lie in a box."""

    def __init__(self, duke: DukeView, box: Slot) -> None:
        self.box = box
        bridges = max((bridge.level for bridge in duke.bridges), default=0)
        self.levels = max(_LEAST_LEVELS, bridges + 0.6, *(_storeys(tower) for tower in duke.towers))
        self.ground = box.y + steps(2)
        self.gap = max(steps(0.5), box.width * 0.03)
        self.wide = (box.width - 4 * self.gap) / 3
        self.level = min((box.height - steps(2.5)) / self.levels, self.wide * _TALLEST_LEVEL)

    def column(self, id: str) -> Slot:
        at = ("left", "middle", "right").index(id)
        return Slot(self.box.x + self.gap + at * (self.wide + self.gap), self.ground, self.wide, self.box.height)

    def floor(self, level: int) -> float:
        """The lower edge of a level's tile."""
        return self.ground + (level - 1) * self.level

    @property
    def slab(self) -> float:
        return max(steps(0.75), self.level * _SLAB_SHARE)


def _storeys(tower: TowerView) -> float:
    """How high a tower is, its flag included, in levels."""
    if not tower.levels:
        return 0.0
    top = tower.levels[-1]
    if top.roof:
        return len(tower.levels) - 1 + (_ROOF_STOREY if top.decors else _BARE_STOREY)
    return len(tower.levels) - 1 + (_FULL_STOREY if top.rooms or top.pillars else _BARE_STOREY)


def draw_castle(brush: Brush, duke: DukeView, plan: Plan, dragon: bool = False) -> None:
    """The sky, the ground, the towers, the bridges before them, and the dragon above."""
    _sky(brush, plan, _DUSK if dragon else _SKY)
    if dragon:
        side = min(plan.box.width, plan.box.height) * 0.46
        brush.icon("dragon", plan.box.x + plan.box.width - side, plan.box.y + plan.box.height - side, side, _EMBER)
    _meadow(brush, plan)
    for tower in duke.towers:
        _tower(brush, tower, plan, duke.seat)
    for bridge in duke.bridges:
        _bridge(brush, bridge, plan)


def _measured(brush: Brush, plan: Plan, tower: str, mm: int) -> None:
    """The height of a tower, written into the ground it stands on."""
    text, size, column = f"{mm} mm", sp(SMALLEST_SP), plan.column(tower)
    if mm and words_width(text, size) <= column.width:
        brush.words(text, column.x + column.width / 2, (plan.box.y + plan.ground) / 2, size, _WALL)


def _sky(brush: Brush, plan: Plan, shade: Colour) -> None:
    box = plan.box
    brush.box(box.x, box.y, box.width, box.height, shade, corner=steps(1))
    hills = mixed(shade, _GRASS, 0.3)
    clouds = mixed(shade, _WALL, 0.6)
    for share, wide, tall in ((0.22, 0.2, 0.16), (0.72, 0.26, 0.12)):
        arch = [(math.cos(math.pi * at / 16), math.sin(math.pi * at / 16)) for at in range(17)]
        brush.fill(
            [(box.x + box.width * (share + wide * x), plan.ground + box.height * tall * y) for x, y in arch], hills
        )
    for share, high, wide in ((0.16, 0.9, 0.07), (0.23, 0.93, 0.06), (0.8, 0.82, 0.08), (0.88, 0.85, 0.06)):
        brush.disc(box.x + box.width * share, box.y + box.height * high, box.width * wide, clouds, tall=0.4)


def _meadow(brush: Brush, plan: Plan) -> None:
    box = plan.box
    brush.box(box.x, box.y, box.width, plan.ground - box.y, _EARTH, corner=steps(0.75))
    brush.box(box.x, plan.ground - steps(0.75), box.width, steps(0.75), _GRASS, corner=steps(0.3))
    for share in (0.02, 0.34, 0.655, 0.97):
        x = box.x + box.width * share
        for lean in (-3, 0, 3):
            brush.line([x, plan.ground - 2, x + lean, plan.ground + 5], 1.6, _GRASS)


def _tower(brush: Brush, tower: TowerView, plan: Plan, seat: int) -> None:
    column = plan.column(tower.tower)
    if not tower.levels:
        _building_site(brush, column, plan)
    for level in tower.levels:
        box = Slot(column.x, plan.floor(level.level), column.width, plan.level)
        if level.roof:
            _roof(brush, level, box, plan, seat)
        else:
            _floor(brush, level, box, plan)
    if tower.levels and not tower.levels[-1].roof:
        built = bool(tower.levels[-1].rooms or tower.levels[-1].pillars)
        y = plan.floor(len(tower.levels)) + (
            plan.level * (0.92 if tower.levels[-1].rooms else 1.0) if built else plan.slab
        )
        _pennant(brush, column.x + column.width * 0.5, y, plan, seat)


def _building_site(brush: Brush, column: Slot, plan: Plan) -> None:
    """Nothing stands here yet: the place is pegged out."""
    faint = faded(INK, 0.35)
    y, inset, dash = plan.ground + steps(0.5), column.width * 0.08, column.width * 0.84 / 9
    for at in range(0, 9, 2):
        x = column.x + inset + at * dash
        brush.line([x, y, x + dash, y], 2, faint)
    for x in (column.x + inset, column.x + column.width - inset):
        brush.line([x, plan.ground, x, plan.ground + steps(1.5)], 3, _PLANK)


def _floor(brush: Brush, level: LevelView, box: Slot, plan: Plan) -> None:
    slab = plan.slab
    _pillars(brush, level, Slot(box.x, box.y + slab, box.width, box.height - slab))
    brush.box(box.x, box.y, box.width, slab, _STONE_DARK, corner=slab * 0.3)
    brush.box(box.x, box.y + slab * 0.25, box.width, slab * 0.75, _STONE, corner=slab * 0.3)
    _cobbles(brush, level, box, slab)
    _rooms(brush, level, Slot(box.x, box.y + slab, box.width, box.height - slab))


def _cobbles(brush: Brush, level: LevelView, box: Slot, slab: float) -> None:
    for at in range(level.cobbles):
        x = box.x + box.width * (at + 0.5) / max(1, level.cobbles)
        held = at < level.covered
        brush.disc(x, box.y + slab * 0.62, slab * 0.26, _STONE_DARK if held else _WALL, tall=0.7)


def _pillars(brush: Brush, level: LevelView, room: Slot) -> None:
    """Spread over the floor, the outer ones first: they carry the next tile."""
    wide = min(max(steps(0.8), room.width * 0.08), room.width / max(1, 2 * level.pillars))
    for at in range(level.pillars):
        share = 0.5 if level.pillars == 1 else at / (level.pillars - 1)
        x = room.x + wide * 0.4 + (room.width - wide * 1.8) * share
        brush.box(x, room.y, wide, room.height, _PILLAR_SHADE)
        brush.box(x + wide * 0.2, room.y, wide * 0.5, room.height, _PILLAR)
        for y in (room.y, room.y + room.height - wide * 0.5):
            brush.box(x - wide * 0.2, y, wide * 1.4, wide * 0.5, _PILLAR_SHADE, corner=1)


def _rooms(brush: Brush, level: LevelView, room: Slot) -> None:
    places = len(level.rooms) + level.spaces
    if not places:
        return
    inset = room.width * 0.09
    share = (room.width - 2 * inset) / (len(level.rooms) + level.spaces * _FREE_SHARE)
    for at, built in enumerate(level.rooms):
        _room(brush, built, Slot(room.x + inset + at * share + 1, room.y, share - 2, room.height * 0.92))


def _room(brush: Brush, room: RoomView, box: Slot) -> None:
    brush.box(box.x, box.y, box.width, box.height, _WALL_EDGE, corner=steps(0.4))
    brush.box(box.x + 1.5, box.y, box.width - 3, box.height - 1.5, _WALL, corner=steps(0.4))
    size = float(sp(SMALLEST_SP))
    text = _fitted(room.name, size, box.width - 6)
    words = size * 1.25 if text and box.height >= size * 2.4 else 0
    if words:
        brush.words(text, box.x + box.width / 2, box.y + box.height - words * 0.55, size, INK)
    _inside(brush, room, Slot(box.x + 2, box.y + 1, box.width - 4, box.height - words - 2))


def _fitted(text: str, size: float, room: float) -> str:
    """As much of a name as fits, in whole words, or the beginning of its first; nothing where that is too little."""
    for words in range(len(text.split()), 0, -1):
        short = " ".join(text.split()[:words]).rstrip(" ·")
        if words_width(short, size) <= room:
            return short
    first = text.split()[0] if text.split() else ""
    for end in range(len(first), 3, -1):
        if words_width(f"{first[:end]}.", size) <= room:
            return f"{first[:end]}."
    return ""


def _inside(brush: Brush, room: RoomView, box: Slot) -> None:
    """Who lives there, what stands there, and the places that are free."""
    things = [(piece.kind, 1.0) for piece in _single(room.pieces)]
    things += [(piece.kind, _FREE_STRENGTH) for piece in _single(room.free)]
    if not things:
        return
    rows = max((1, 2, 3), key=lambda rows: _side(box, len(things), rows))
    side, across = _side(box, len(things), rows), -(-len(things) // rows)
    for at, (kind, strength) in enumerate(things):
        row, place = divmod(at, across)
        here = min(across, len(things) - row * across)
        x = box.x + (box.width - side * here) / 2 + place * side
        y = box.y + (rows - 1 - row) * side
        if kind in PEOPLE:
            person(brush, kind, x, y, side, strength)
        else:
            brush.icon(kind, x + side * 0.06, y, side * 0.88, INK)


def _side(box: Slot, count: int, rows: int) -> float:
    """How large things are when so many stand in rows."""
    return min(box.height / rows, box.width / -(-count // rows), steps(5))


def _single(pieces: Iterable[Piece]) -> list[Piece]:
    return [Piece(kind=piece.kind) for piece in pieces for _at in range(piece.count)]


def _roof(brush: Brush, level: LevelView, box: Slot, plan: Plan, seat: int) -> None:
    """A tile as a roof: a parapet to put things on, with a pennant above."""
    slab = plan.slab
    top = box.y + slab
    brush.box(box.x - 2, box.y, box.width + 4, slab, _ROOF_DARK, corner=slab * 0.3)
    brush.box(box.x - 2, box.y + slab * 0.3, box.width + 4, slab * 0.7, _ROOF, corner=slab * 0.3)
    tooth = box.width / 9
    for at in range(0, 9, 2):
        brush.box(box.x + at * tooth, top, tooth, slab * 0.7, _ROOF)
    decors = _single(level.decors)
    if decors:
        room = box.height - slab * 1.6
        side = min(room, (box.width - steps(3)) / len(decors), steps(4))
        for at, piece in enumerate(decors):
            brush.icon(piece.kind, box.x + 2 + at * side, top + slab * 0.6, side * 0.94, INK)
    _pennant(brush, box.x + box.width - steps(1), top, plan, seat)


def _pennant(brush: Brush, x: float, y: float, plan: Plan, seat: int) -> None:
    tall = min(plan.level * 0.45, steps(4))
    shade = seat_look(seat).field
    brush.line([x, y, x, y + tall], 2.4, _PLANK_DARK)
    flag = tall * 0.42
    brush.fill([(x, y + tall), (x - flag * 1.5, y + tall - flag / 2), (x, y + tall - flag)], shade)
    brush.disc(x, y + tall, 2.2, mixed(shade, INK, 0.4))


def _bridge(brush: Brush, bridge: BridgeView, plan: Plan) -> None:
    """A plank before the middle tower, from the left one to the right one."""
    left, right = plan.column("left"), plan.column("right")
    x, end = left.x + left.width - steps(1), right.x + steps(1)
    y, thick = plan.floor(bridge.level), plan.slab
    brush.box(x, y, end - x, thick, _PLANK_DARK, corner=2)
    brush.box(x, y + thick * 0.3, end - x, thick * 0.7, _PLANK, corner=2)
    boards = max(3, int((end - x) // steps(2)))
    for at in range(1, boards):
        at_x = x + (end - x) * at / boards
        brush.line([at_x, y + 1, at_x, y + thick - 1], 1.2, _PLANK_DARK)
    rail = thick + min(plan.level * 0.24, steps(2))
    brush.line([x, y + rail, end, y + rail], 2, _PLANK_DARK)
    for at in range(boards + 1):
        at_x = x + (end - x) * at / boards
        brush.line([at_x, y + thick, at_x, y + rail], 1.6, _PLANK_DARK)
    decors = _single(bridge.decors)
    side = min(plan.level * 0.7, steps(4), (end - x) / max(1, len(decors)))
    for at, piece in enumerate(decors):
        brush.icon(piece.kind, x + at * side, y + thick, side * 0.94, INK)


def tower_name(id: str) -> str:
    """A tower in words."""
    return {"left": _("Left tower"), "middle": _("Middle tower"), "right": _("Right tower")}[id]
