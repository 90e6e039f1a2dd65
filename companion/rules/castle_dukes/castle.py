"""A castle as it stands: its dials, heights and pieces, who has room where, and what falls when a piece is removed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import NoSuchPiece
from companion.rules.castle_dukes.actions import Lose, TakeDown
from companion.rules.castle_dukes.state import (
    RATINGS,
    TOP_ITEMS,
    TOWERS,
    Bridge,
    Card,
    Castle,
    Character,
    ChitKind,
    Decor,
    Dials,
    Guest,
    Rating,
    Room,
    Spot,
    Stocked,
    Tile,
    Top,
    TopItem,
    TowerId,
)

Piece = Literal["tile", "room", "pillar", Character, Decor]

CHARACTERS: tuple[Character, ...] = get_args(Character)
_DECORS: tuple[Decor, ...] = get_args(Decor)
_ON_ROOMS: tuple[Literal[Character, "table", "coffer"], ...] = (*CHARACTERS, "table", "coffer")
_BRIDGED: tuple[TowerId, TowerId] = ("left", "right")
_REMEMBERED = 512
"""Castles whose dials are not worked out anew: each move offered asks for those before it and after it."""

_RATED: dict[Rating, dict[Stocked, int]] = {
    "comfort": {"table": 1},
    "defence": {"table": 1, "brazier": 1, "cauldron": 1},
    "offence": {"cauldron": 1, "ballista": 2, "knight": 1},
}
"""What each piece adds to a rating, besides what room cards print (Bonus Items; Construction Deck; Guest Phase)."""


class Target(Struct, frozen=True, kw_only=True):
    """A piece of a castle to remove. Pieces of a kind on the same room or tile are alike.

    `cobble` tells a pillar that stands alone on its cobblestone marking from a spare one.
    """

    what: Piece
    tower: Spot
    level: int
    room: int = 0
    cobble: bool = False

    @classmethod
    def of(cls, action: TakeDown | Lose) -> Target:
        """The piece an action points at."""
        return cls(what=action.what, tower=action.tower, level=action.level, room=action.room, cobble=action.cobble)


# Looking


def where(spot: Spot, level: int) -> str:
    """
    >>> where("left", 3), where("bridge", 4)
    ('level 3 of the left tower', 'the bridge on level 4')
    """
    return f"the bridge on level {level}" if spot == "bridge" else f"level {level} of the {spot} tower"


def tower(castle: Castle, id: TowerId) -> tuple[Tile, ...]:
    """The tiles of a tower, level 1 first."""
    tiles: tuple[Tile, ...] = getattr(castle, id)
    return tiles


def tiles(castle: Castle) -> Iterator[tuple[TowerId, int, Tile]]:
    """Every tile of the towers with its level, roofs included."""
    for id in TOWERS:
        for level, tile in enumerate(tower(castle, id), start=1):
            yield id, level, tile


def rooms(castle: Castle) -> Iterator[tuple[TowerId, int, int, Room]]:
    """Every room with its tower, level and place on the tile."""
    for id, level, tile in tiles(castle):
        for index, room in enumerate(tile.rooms):
            yield id, level, index, room


def tops(castle: Castle) -> Iterator[tuple[Spot, int, Top]]:
    """Every roof and bridge tile with its level."""
    for id, level, tile in tiles(castle):
        if tile.roof is not None:
            yield id, level, tile.roof
    for bridge in castle.bridges:
        yield "bridge", bridge.level, bridge.top


def tile_at(castle: Castle, spot: Spot, level: int) -> Tile:
    """A tile of a tower. Raises NoSuchPiece."""
    if spot == "bridge" or not 1 <= level <= len(tower(castle, spot)):
        raise NoSuchPiece(f"There is no floor tile on {where(spot, level)}.")
    return tower(castle, spot)[level - 1]


def room_at(castle: Castle, spot: Spot, level: int, index: int) -> Room:
    """A built room. Raises NoSuchPiece."""
    built = tile_at(castle, spot, level).rooms
    if not 0 <= index < len(built):
        raise NoSuchPiece(f"There is no room number {index} on {where(spot, level)}.")
    return built[index]


def top_at(castle: Castle, spot: Spot, level: int) -> Top:
    """What stands on a roof or bridge tile. Raises NoSuchPiece."""
    for here, high, top in tops(castle):
        if (here, high) == (spot, level):
            return top
    raise NoSuchPiece(f"There is no {'' if spot == 'bridge' else 'roof on '}{where(spot, level).removeprefix('the ')}.")


def has_ends(tile: Tile) -> bool:
    """Whether a bridge can rest on a tile; roofs always have bridge ends (rulebook, Roof Tiles)."""
    return tile.ends or tile.roof is not None


def can_bear_bridge(castle: Castle, level: int) -> bool:
    """Whether both front towers have a tile with bridge ends on a level (rulebook, Bridge Tiles)."""
    fronts = [tower(castle, id) for id in _BRIDGED]
    return all(1 <= level <= len(front) and has_ends(front[level - 1]) for front in fronts)


# Counting


def heights(castle: Castle) -> tuple[int, int, int]:
    """Levels of the left, middle and right tower. A roof is a level, a bridge is not (ruling.roof-is-level)."""
    return len(castle.left), len(castle.middle), len(castle.right)


def total_levels(castle: Castle) -> int:
    return sum(heights(castle))


def pieces(castle: Castle) -> dict[Stocked, int]:
    """Every component that stands in a castle; `tile` counts floors, roofs and bridges, `room` the room cards."""
    floors = [tile for _, _, tile in tiles(castle)]
    built = [room for tile in floors if tile.rooms for room in tile.rooms]
    caps = [top for _, _, top in tops(castle)]
    counts: dict[Stocked, int] = {
        "tile": len(floors) + len(castle.bridges),
        "pillar": sum([tile.pillars for tile in floors]),
        "room": len(built),
    }
    for item in _ON_ROOMS if built else ():
        counts[item] = sum([getattr(room, item) for room in built])
    for arm in TOP_ITEMS if caps else ():
        counts[arm] = sum([_standing(top, arm) for top in caps])
    return {piece: count for piece, count in counts.items() if count}


@lru_cache(maxsize=_REMEMBERED)
def dials(castle: Castle) -> Dials:
    """The three ratings, from what stands (rulebook, The Castle Barbican)."""
    standing = pieces(castle)
    printed = [room.card for _, _, _, room in rooms(castle)] if "room" in standing else []
    return Dials(**{rating: _rating(rating, printed, standing) for rating in RATINGS})


def _rating(rating: Rating, printed: list[Card], standing: dict[Stocked, int]) -> int:
    from_cards: int = sum([getattr(card, rating) for card in printed])
    return from_cards + sum([each * standing.get(piece, 0) for piece, each in _RATED[rating].items()])


def free_slots(room: Room, character: Character) -> int:
    """How many more of a character a room can take in."""
    slots: int = getattr(room.card, character)
    living: int = getattr(room, character)
    return max(0, slots - living)


def open_slots(castle: Castle, character: Character) -> tuple[tuple[TowerId, int, int], ...]:
    """The rooms with a free slot for a character: tower, level, place on the tile."""
    return tuple((id, level, index) for id, level, index, room in rooms(castle) if free_slots(room, character))


# Changing


def with_tower(castle: Castle, id: TowerId, tiles: tuple[Tile, ...]) -> Castle:
    return replace(castle, **{id: tiles})


def with_tile(castle: Castle, spot: Spot, level: int, tile: Tile) -> Castle:
    """The castle with the tile of a level replaced. Raises NoSuchPiece when there is none yet."""
    tile_at(castle, spot, level)
    assert spot != "bridge"
    stack = tower(castle, spot)
    return with_tower(castle, spot, (*stack[: level - 1], tile, *stack[level:]))


def with_room(castle: Castle, spot: Spot, level: int, index: int, room: Room) -> Castle:
    """The castle with a built room replaced. Raises NoSuchPiece when there is none."""
    room_at(castle, spot, level, index)
    tile = tile_at(castle, spot, level)
    return with_tile(castle, spot, level, replace(tile, rooms=(*tile.rooms[:index], room, *tile.rooms[index + 1 :])))


def with_guest(castle: Castle, spot: Spot, level: int, index: int, guest: Guest) -> Castle:
    """The castle with one more guest in a room."""
    room = room_at(castle, spot, level, index)
    return with_room(castle, spot, level, index, replace(room, **{guest: getattr(room, guest) + 1}))


def with_top(castle: Castle, spot: Spot, level: int, top: Top) -> Castle:
    """The castle with what stands on a roof or bridge tile replaced. Raises NoSuchPiece when there is no such tile."""
    top_at(castle, spot, level)
    if spot != "bridge":
        return with_tile(castle, spot, level, replace(tile_at(castle, spot, level), roof=top))
    return replace(castle, bridges=tuple(_topped(bridge, level, top) for bridge in castle.bridges))


def _topped(bridge: Bridge, level: int, top: Top) -> Bridge:
    return replace(bridge, top=top) if bridge.level == level else bridge


# Removing


def targets(castle: Castle, kind: ChitKind) -> tuple[Target, ...]:
    """Everything of a kind that can be removed (rulebook, Resolving a Dragon Attack)."""
    return tuple(_TARGETS[kind](castle))


def _tile_targets(castle: Castle) -> Iterator[Target]:
    for id, level, _ in tiles(castle):
        yield Target(what="tile", tower=id, level=level)
    for bridge in castle.bridges:
        yield Target(what="tile", tower="bridge", level=bridge.level)


def _room_targets(castle: Castle) -> Iterator[Target]:
    for id, level, index, _ in rooms(castle):
        yield Target(what="room", tower=id, level=level, room=index)


def _pillar_targets(castle: Castle) -> Iterator[Target]:
    for id, level, tile in tiles(castle):
        if tile.pillars > tile.covered:
            yield Target(what="pillar", tower=id, level=level)
        if tile.pillars and tile.covered:
            yield Target(what="pillar", tower=id, level=level, cobble=True)


def _character_targets(castle: Castle) -> Iterator[Target]:
    yield from _on_rooms(castle, CHARACTERS)


def _decor_targets(castle: Castle) -> Iterator[Target]:
    yield from _on_rooms(castle, _DECORS)
    for spot, level, top in tops(castle):
        yield from (Target(what=item, tower=spot, level=level) for item in TOP_ITEMS if _standing(top, item))


def _on_rooms(castle: Castle, items: tuple[Piece, ...]) -> Iterator[Target]:
    for id, level, index, room in rooms(castle):
        present = (item for item in items if item in _ON_ROOMS and getattr(room, item))
        yield from (Target(what=item, tower=id, level=level, room=index) for item in present)


_TARGETS = {
    "tile": _tile_targets,
    "room": _room_targets,
    "pillar": _pillar_targets,
    "decor": _decor_targets,
    "character": _character_targets,
}


def remove(castle: Castle, target: Target) -> tuple[Castle, dict[Stocked, int], tuple[Card, ...]]:
    """Remove a piece with everything that rests on it (rulebook, FAQ, Extra Item Removal).

    Returns the castle left standing, every piece removed, and the room cards among them. Raises NoSuchPiece.
    """
    left = _without(castle, target)
    removed = Counter(pieces(castle)) - Counter(pieces(left))
    return left, dict(removed), _cards_gone(castle, left)


def _without(castle: Castle, target: Target) -> Castle:
    if target.what == "tile":
        return _without_tile(castle, target)
    if target.what == "pillar":
        return _without_pillar(castle, target)
    if target.what == "room":
        return _without_room(castle, target)
    if target.what in TOP_ITEMS:
        return _without_arms(castle, target, target.what)
    return _without_on_room(castle, target)


def _without_tile(castle: Castle, target: Target) -> Castle:
    if target.tower == "bridge":
        top_at(castle, "bridge", target.level)
        return replace(castle, bridges=tuple(bridge for bridge in castle.bridges if bridge.level != target.level))
    tile_at(castle, target.tower, target.level)
    return _cut(castle, target.tower, target.level - 1)


def _cut(castle: Castle, id: TowerId, height: int) -> Castle:
    """A tower cut down to a height: bridges above it lose their support (ruling.tile-loss-takes-above)."""
    cut = with_tower(castle, id, tower(castle, id)[:height])
    if id not in _BRIDGED:
        return cut
    return replace(cut, bridges=tuple(bridge for bridge in castle.bridges if bridge.level <= height))


def _without_pillar(castle: Castle, target: Target) -> Castle:
    tile = tile_at(castle, target.tower, target.level)
    if target not in _pillar_targets(castle):
        kind = "pillar alone on its cobblestone marking" if target.cobble else "spare pillar"
        raise NoSuchPiece(f"There is no {kind} on {where(target.tower, target.level)}.")
    covered = tile.covered - 1 if target.cobble else tile.covered
    left = with_tile(castle, target.tower, target.level, replace(tile, pillars=tile.pillars - 1, covered=covered))
    assert target.tower != "bridge"
    return left if tile.pillars > 1 else _cut(left, target.tower, target.level)


def _without_room(castle: Castle, target: Target) -> Castle:
    room_at(castle, target.tower, target.level, target.room)
    tile = tile_at(castle, target.tower, target.level)
    kept = tile.rooms[: target.room] + tile.rooms[target.room + 1 :]
    return with_tile(castle, target.tower, target.level, replace(tile, rooms=kept))


def _without_on_room(castle: Castle, target: Target) -> Castle:
    room = room_at(castle, target.tower, target.level, target.room)
    standing = getattr(room, target.what)
    if not standing:
        raise NoSuchPiece(f"There is no {target.what} in {room.card.name} on {where(target.tower, target.level)}.")
    rest = False if isinstance(standing, bool) else standing - 1
    return with_room(castle, target.tower, target.level, target.room, replace(room, **{target.what: rest}))


def _without_arms(castle: Castle, target: Target, item: TopItem) -> Castle:
    top = top_at(castle, target.tower, target.level)
    if not _standing(top, item):
        raise NoSuchPiece(f"There is no {item} on {where(target.tower, target.level)}.")
    rest = replace(top, **{item: _standing(top, item) - 1})
    if item == "battlement" and not rest.battlement:
        rest = replace(rest, cauldron=0, ballista=0)
    return with_top(castle, target.tower, target.level, rest)


def _standing(top: Top, item: TopItem) -> int:
    count: int = getattr(top, item)
    return count


def _cards_gone(before: Castle, after: Castle) -> tuple[Card, ...]:
    kept = Counter(room.card for _, _, _, room in rooms(after))
    gone = []
    for _, _, _, room in rooms(before):
        if kept[room.card]:
            kept[room.card] -= 1
        else:
            gone.append(room.card)
    return tuple(gone)


# Naming


def kind_of(what: Piece) -> ChitKind:
    """Which kind of damage chit takes a piece.

    >>> kind_of("serf"), kind_of("brazier"), kind_of("tile")
    ('character', 'decor', 'tile')
    """
    if what == "tile" or what == "room" or what == "pillar":
        return what
    return "character" if what in CHARACTERS else "decor"


def named(castle: Castle, target: Target) -> str:
    """A piece in a few words, for a button or a line of the history."""
    place = where(target.tower, target.level)
    if target.what == "room":
        return f"{room_at(castle, target.tower, target.level, target.room).card.name} on {place}"
    if target.what == "tile":
        return place if target.tower == "bridge" else f"the tile of {place}"
    if target.what == "pillar":
        return f"a pillar{' off its cobblestones' if target.cobble else ''} on {place}"
    return f"a {target.what} on {place}"
