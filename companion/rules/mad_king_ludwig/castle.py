"""A castle's rooms and how they lie to one another: joined, touching, complete. From the map, or from the ledger."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from companion.rules.mad_king_ludwig import rooms
from companion.rules.mad_king_ludwig.geometry import Board, Lying
from companion.rules.mad_king_ludwig.rooms import CORRIDORS, Floor, RoomTile, RoomType
from companion.rules.mad_king_ludwig.state import Castle, Placed, Spot

_CACHED_CASTLES = 512
_UNKNOWN_TILE = rooms.RoomTile(
    id="?", name="an unknown room", type="utility", sqft=100, shape="square", width=2, height=2, doors=("top 0",)
)
"""Stands in for a room nobody has told us about, so that a corrected game goes on."""


class Contact(NamedTuple):
    """How one room lies to the others: indexes of those joined by entrances and of those touching, and if complete.

    A room that is joined touches too.
    """

    connects: tuple[int, ...]
    touches: tuple[int, ...]
    complete: bool


def tile_at(castle: Castle, index: int) -> RoomTile:
    """The tile of one of the castle's rooms."""
    return tiles(castle)[index]


def tile(castle: Castle, room: str) -> RoomTile:
    """A tile as this castle's box has it."""
    return rooms.find(room, castle.own) or _UNKNOWN_TILE


@lru_cache(maxsize=_CACHED_CASTLES)
def tiles(castle: Castle) -> tuple[RoomTile, ...]:
    """All tiles, the Foyer first."""
    return tuple(tile(castle, placed.room) for placed in castle.rooms)


def is_map(castle: Castle) -> bool:
    """Whether the castle knows where its rooms lie."""
    return all(placed.spot is not None for placed in castle.rooms)


def lying(castle: Castle, room: str, spot: Spot) -> Lying:
    """A tile in a spot."""
    return Lying(tile(castle, room), spot.x, spot.y, spot.turn)


@lru_cache(maxsize=_CACHED_CASTLES)
def board(castle: Castle) -> Board:
    """The castle as bit masks; every room must have a spot."""
    return Board(tuple(lying(castle, placed.room, placed.spot) for placed in castle.rooms if placed.spot is not None))


@lru_cache(maxsize=_CACHED_CASTLES)
def contacts(castle: Castle) -> tuple[Contact, ...]:
    """How every room lies to the others."""
    return _from_map(castle) if is_map(castle) else _from_ledger(castle)


def _from_map(castle: Castle) -> tuple[Contact, ...]:
    here = board(castle)
    found = []
    for index, masks in enumerate(here.masks):
        connects = tuple(other for other in here.joined(masks) if other != index)
        touches = tuple(other for other in here.touching(masks) if other != index)
        found.append(Contact(connects, touches, not here.unmet(masks)))
    return tuple(found)


def _from_ledger(castle: Castle) -> tuple[Contact, ...]:
    connects = _both_ways([placed.connects for placed in castle.rooms])
    touches = _both_ways([(*placed.connects, *placed.touches) for placed in castle.rooms])
    return tuple(
        Contact(tuple(sorted(connects[index])), tuple(sorted(touches[index])), placed.complete)
        for index, placed in enumerate(castle.rooms)
    )


def _both_ways(noted: list[tuple[int, ...]]) -> list[set[int]]:
    """Who lies beside whom, when each room names those that were there before it."""
    found: list[set[int]] = [set() for _ in noted]
    for index, others in enumerate(noted):
        for other in others:
            if other < len(noted) and other != index:
                found[index].add(other)
                found[other].add(index)
    return found


# Adding a room


def with_room(castle: Castle, room: str, spot: Spot) -> Castle:
    """The castle with one more room on its map."""
    return replace(castle, rooms=(*castle.rooms, Placed(room=room, spot=spot)))


def with_note(castle: Castle, room: str, new: Contact, completes: tuple[int, ...]) -> Castle:
    """The castle with one more room in its ledger, and rooms marked complete."""
    noted = Placed(room=room, connects=new.connects, touches=new.touches)
    laid = (*castle.rooms, noted)
    marked = (replace(placed, complete=placed.complete or index in completes) for index, placed in enumerate(laid))
    return replace(castle, rooms=tuple(marked))


def may_join(castle: Castle, room: str) -> tuple[int, ...]:
    """The rooms of a ledger castle that a new one may be joined to: with a free entrance to its floor.

    None where a room with one entrance would take the castle's last.
    """
    new = tile(castle, room)
    free = [index for index, placed in enumerate(castle.rooms) if not placed.complete]
    if len(free) == len(new.doors) == 1 and _unjoined(castle, free[0]) <= 1:
        return ()
    return tuple(
        index
        for index in free
        if floors_join(new.floor, tile_at(castle, index).floor) and entrances_to(castle, index, new.floor) > 0
    )


def _unjoined(castle: Castle, index: int) -> int:
    """How many entrances of a ledger room are left at most: each room it is joined to takes at least one."""
    return len(tile_at(castle, index).doors) - len(contacts(castle)[index].connects)


def entrances_to(castle: Castle, index: int, floor: Floor) -> int:
    """How many entrances of a ledger room can still be joined to rooms of a floor; stairs have one for each."""
    if tile_at(castle, index).floor != "stairs":
        return _unjoined(castle, index)
    return 1 - sum(tile_at(castle, other).floor == floor for other in contacts(castle)[index].connects)


def surely_complete(castle: Castle, index: int) -> bool:
    """Whether a ledger room is joined to as many rooms as it has entrances, so that none is left."""
    return _unjoined(castle, index) <= 0


def floors_join(one: Floor, other: Floor) -> bool:
    """Whether entrances of two rooms may meet: on one floor, or in stairs; stairs never meet stairs."""
    if "stairs" in (one, other):
        return one != other
    return one == other


# Counting


def count_type(castle: Castle, type: RoomType) -> int:
    return sum(each.type == type for each in tiles(castle))


def feet_of_type(castle: Castle, type: RoomType) -> int:
    return sum(each.sqft for each in tiles(castle) if each.type == type)


def feet(castle: Castle) -> int:
    """The whole castle in square feet, the Foyer, hallways and stairs included."""
    return sum(each.sqft for each in tiles(castle))


def stacked(castle: Castle) -> tuple[RoomTile, ...]:
    """The tiles that came from the room stacks: no Foyer, hallway or stairs."""
    return tuple(each for each in tiles(castle) if each.id not in CORRIDORS)


def count_room(castle: Castle, *ids: str) -> int:
    return sum(placed.room in ids for placed in castle.rooms)


def completed(castle: Castle) -> tuple[int, ...]:
    """The indexes of the complete rooms."""
    return tuple(index for index, contact in enumerate(contacts(castle)) if contact.complete)


def external_entrances(castle: Castle) -> int:
    """Entrances that lead to the outside, those of corridor rooms left out. Of a map only."""
    doors = outer_doors(castle)
    return sum(count for count, each in zip(doors, tiles(castle), strict=True) if each.type != "corridor")


@lru_cache(maxsize=_CACHED_CASTLES)
def outer_doors(castle: Castle) -> tuple[int, ...]:
    """How many entrances of each room lead to the outside."""
    return board(castle).outer_doors()


def entrances_left(castle: Castle, index: int) -> int:
    """How many entrances of a room on the map meet no entrance yet: what it lacks to be complete."""
    here = board(castle)
    return here.count_unmet(here.masks[index])


def room_name(castle: Castle, index: int) -> str:
    """What a room is called, told apart by its number where the castle has several of the kind.

    >>> room_name(Castle(), 0)
    'Foyer'
    """
    placed = castle.rooms[index]
    same = [at for at, other in enumerate(castle.rooms) if other.room == placed.room]
    name = tile(castle, placed.room).name
    return name if len(same) == 1 else f"{name} {same.index(index) + 1}"
