"""The geometry of one castle: tiles like bricks, each on the halves of those below; spots, sums, what bears what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from companion.errors import NoSuchPiece
from companion.rules.castle_builder.state import DOOR_NUMBER, Edge, Foundation, Half, Icon, Placed, Tile

At = tuple[int, int]
"""Level and place."""
Standing = dict[At, Tile]
"""The tiles of a castle by where they stand, the door among them."""

DOOR = Tile(name="door", number=DOOR_NUMBER)
_WHOLE: dict[tuple[Half, Half], Edge] = {
    ("stone", "stone"): "stone", ("air", "air"): "air",
    ("stone", "air"): "stone-air", ("air", "stone"): "air-stone",
}  # fmt: skip
_HALVES: dict[Edge, tuple[Half, Half]] = {edge: halves for halves, edge in _WHOLE.items()}


class Spot(Struct, frozen=True, kw_only=True):
    """A free place that touches something below it.

    `bottom` is what a tile's bottom must show there. `top` is what its top must show to the left and to the right,
    None where nothing hangs over. `rests_on` are the tiles below, left then right, None for empty space. `needs` is
    the sum of their numbers, None on the first level, which takes any.
    """

    level: int
    x: int
    bottom: Edge
    top: tuple[Half | None, Half | None]
    rests_on: tuple[Tile | None, Tile | None]
    needs: int | None
    new_floor: bool


def halves(edge: Edge) -> tuple[Half, Half]:
    """
    >>> halves("stone-air")
    ('stone', 'air')
    """
    return _HALVES[edge]


def door_at(foundation: Foundation) -> At:
    """Where the door stands, as a tile of the first level."""
    return 1, 2 * (foundation.door - 1)


def standing(foundation: Foundation, castle: Iterable[Placed]) -> Standing:
    """Every tile by where it stands; the door is a 2-tile on the foundation."""
    return {door_at(foundation): DOOR, **{(placed.level, placed.x): placed.tile for placed in castle}}


def is_place(foundation: Foundation, level: int, x: int) -> bool:
    """Whether a tile could stand there at all: each level is shifted by half a tile, the first ends with the stone."""
    if level == 1:
        return x % 2 == 0 and 0 <= x <= 2 * (foundation.width - 1)
    return x % 2 == (level + 1) % 2


def spot_at(foundation: Foundation, tiles: Standing, level: int, x: int) -> Spot:
    """What a place asks of a tile, whether or not anything is below it."""
    left, right = tiles.get((level - 1, x - 1)), tiles.get((level - 1, x + 1))
    first = level == 1
    return Spot(
        level=level,
        x=x,
        bottom="stone" if first else _WHOLE[_half_of(left, 1), _half_of(right, 0)],
        top=(_hanging(tiles.get((level + 1, x - 1)), 1), _hanging(tiles.get((level + 1, x + 1)), 0)),
        rests_on=(left, right),
        needs=None if first else sum(tile.number for tile in (left, right) if tile),
        new_floor=not any(floor == level for floor, _ in tiles),
    )


def _half_of(below: Tile | None, side: int) -> Half:
    """The half of a top that a tile would stand on: empty space is air."""
    return halves(below.top)[side] if below else "air"


def _hanging(above: Tile | None, side: int) -> Half | None:
    return halves(above.bottom)[side] if above else None


def open_spots(foundation: Foundation, castle: Iterable[Placed]) -> tuple[Spot, ...]:
    """Every free place that rests on something, from the ground up and from the left; over air alone last."""
    tiles = standing(foundation, castle)
    places = {(1, 2 * place) for place in range(foundation.width)}
    places |= {(level + 1, x + side) for level, x in tiles for side in (-1, 1)}
    spots = (spot_at(foundation, tiles, *at) for at in sorted(places - tiles.keys()))
    return tuple(sorted(spots, key=lambda spot: spot.bottom == "air"))


def mismatch(spot: Spot, tile: Tile) -> str:
    """What of a tile's pattern does not match at a spot, in words, or nothing."""
    if tile.bottom != spot.bottom:
        return f"below it is {spot.bottom}, and the tile's bottom is {tile.bottom}"
    for side, above, half in zip(("left", "right"), spot.top, halves(tile.top), strict=True):
        if above not in (None, half):
            return f"above it on the {side} is {above}, and the tile's top is {tile.top}"
    return ""


def fitting_tile(spot: Spot, most: int = 99) -> Tile:
    """A tile that could be built there without paying, to stand in for one not yet named."""
    left, right = (above or "stone" for above in spot.top)
    number = 1 if spot.needs is None else spot.needs
    wild = not 0 < number <= most
    return Tile(number=0 if wild else number, wild=wild, bottom=spot.bottom, top=_WHOLE[left, right])


def steps_off(spot: Spot, tile: Tile) -> int:
    """How far a tile's number is from what the spot needs; none for a tick, and none on the first level."""
    return 0 if tile.wild or spot.needs is None else abs(spot.needs - tile.number)


# What stands


def placed_at(castle: Iterable[Placed], level: int, x: int) -> Placed:
    """The tile at a place. Raises NoSuchPiece."""
    for placed in castle:
        if (placed.level, placed.x) == (level, x):
            return placed
    raise NoSuchPiece(f"There is no tile on level {level} at {column(x)}.")


def bears(castle: Iterable[Placed], level: int, x: int) -> bool:
    """Whether a tile stands on the one at a place, be it by half."""
    return any(placed.level == level + 1 and abs(placed.x - x) == 1 for placed in castle)


def loose_tiles(castle: tuple[Placed, ...]) -> tuple[Placed, ...]:
    """The tiles that bear no other: those that can crumble or be shot down."""
    return tuple(placed for placed in castle if not bears(castle, placed.level, placed.x))


def levels(castle: Iterable[Placed]) -> int:
    """How high a castle is; the door is on the first level."""
    return max((placed.level for placed in castle), default=1)


def icons(castle: Iterable[Placed], icon: Icon) -> int:
    """How many windows or persons the tiles show, or how many tiles have a roof."""
    return sum(icons_of(placed.tile, icon) for placed in castle)


def icons_of(tile: Tile, icon: Icon) -> int:
    return int(tile.roof) if icon == "roofs" else int(getattr(tile, icon))


def faults(foundation: Foundation, castle: tuple[Placed, ...]) -> Iterator[str]:
    """What no castle can be: two tiles in one place, a tile on nothing, stone over air or air over stone."""
    tiles = standing(foundation, castle)
    if len(tiles) != len(castle) + 1:
        yield "has two tiles in one place"
    for placed in castle:
        where = f"has a tile on level {placed.level} at {column(placed.x)}"
        spot = spot_at(foundation, tiles, placed.level, placed.x)
        if not is_place(foundation, placed.level, placed.x):
            yield f"{where} that is beside every place"
        elif not rests(spot):
            yield f"{where} that rests on nothing"
        elif mismatch(spot, placed.tile):
            yield f"{where} whose pattern does not match"


def rests(spot: Spot) -> bool:
    return spot.level == 1 or any(spot.rests_on)


# Words


def column(x: int) -> str:
    """A place as people count it: tiles of the foundation from 1, and a half between two of them.

    >>> column(0), column(3), column(-1), column(-3)
    ('1', '2½', '½', '-½')
    """
    whole, half = divmod(abs(x + 2), 2)
    sign = "-" if x < -2 else ""
    return f"{sign}{whole if whole or not half else ''}{'½' if half else ''}"


def where(level: int, x: int) -> str:
    """
    >>> where(2, 1)
    'level 2 at 1½'
    """
    return f"level {level} at {column(x)}"


def describe(tile: Tile) -> str:
    """A tile in a few words, its pattern from the bottom up.

    >>> describe(Tile(number=7, rubies=1, top="air", roof=True))
    '7, air above, 1 ruby, roof'
    >>> describe(Tile(wild=True, no_new_floor=True, bottom="air-stone", top="air-stone"))
    'tick, no new floor, air-stone below, air-stone above'
    """
    parts = [tile.name, "tick" if tile.wild else "", str(tile.number) if tile.number or not tile.wild else ""]
    parts += ["no new floor" if tile.no_new_floor else ""]
    parts += ["" if edge == "stone" else f"{edge} {side}" for edge, side in _edges(tile)]
    parts += [_amount(count, word) for count, word in _icons(tile) if count]
    parts += ["roof" if tile.roof else ""]
    return ", ".join(part for part in parts if part)


def _edges(tile: Tile) -> tuple[tuple[Edge, str], ...]:
    return (tile.bottom, "below"), (tile.top, "above")


def _icons(tile: Tile) -> tuple[tuple[int, str], ...]:
    return (tile.rubies, "ruby"), (tile.windows, "window"), (tile.persons, "person")


def _amount(count: int, word: str) -> str:
    if count == 1:
        return f"1 {word}"
    return f"{count} {'rubies' if word == 'ruby' else word + 's'}"


def short(tile: Tile) -> str:
    """A tile by its name or number alone.

    >>> short(Tile(number=7)), short(Tile(wild=True)), short(Tile(name="princess", wild=True))
    ('7', 'tick', 'princess')
    """
    return tile.name or (str(tile.number) if tile.number else "tick" if tile.wild else "0")


def needed(spot: Spot) -> str:
    """What a spot asks for, in words: `needs 7 (4 + 3)`, `any number`."""
    if spot.needs is None:
        return "any number"
    below = (("air" if tile is None else _below(tile)) for tile in spot.rests_on)
    return f"needs {spot.needs} ({' + '.join(below)})"


def _below(tile: Tile) -> str:
    return f"door {tile.number}" if tile == DOOR else str(tile.number)
