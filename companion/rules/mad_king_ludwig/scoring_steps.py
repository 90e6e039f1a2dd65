"""Room Placement Scoring, steps 1 to 5, each point with its reason; re-scoring; and the whole castle from scratch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.castle import Contact
from companion.rules.mad_king_ludwig.rooms import RoomTile
from companion.rules.mad_king_ludwig.state import Castle


class PointLine(NamedTuple):
    """Points of one step, and why. `step` is the step's number in the rulebook."""

    step: int
    points: int
    why: str

    @property
    def rule(self) -> str:
        return _RULES[self.step]


_RULES = {
    1: "score.base",
    2: "score.centre",
    3: "score.connected",
    4: "score.adjacent",
    5: "score.each",
}


def placing_lines(castle: Castle, tile: RoomTile, new: Contact) -> tuple[PointLine, ...]:
    """What a new room brings to a castle it is not yet in, step by step. Steps that bring nothing are left out."""
    return tuple(line for line in _lines(castle, tile, new) if line.points)


def _lines(castle: Castle, tile: RoomTile, new: Contact) -> Iterator[PointLine]:
    yield PointLine(1, tile.points, f"{tile.name}: {tile.points} in its corner")
    yield from _centre(castle, tile, new)
    for index in new.connects:
        yield from _neighbour(castle, index, tile, "connected", 3)
    for index in new.touches:
        yield from _neighbour(castle, index, tile, "adjacent", 4)
    for index in range(len(castle.rooms)):
        yield from _neighbour(castle, index, tile, "each", 5)


def _centre(castle: Castle, tile: RoomTile, new: Contact) -> Iterator[PointLine]:
    """Step 2: the icons in the centre of the new room."""
    if tile.centre == "each":
        count = sum(castles.tile_at(castle, index).type in tile.types for index in range(len(castle.rooms)))
        count += tile.type in tile.types
        yield PointLine(2, tile.each * count, f"{tile.name}: {tile.each:+d} for each of {count} {_kinds(tile)} rooms")
        return
    reached = {"connected": new.connects, "adjacent": new.touches}.get(tile.centre, ())
    for index in reached:
        other = castles.tile_at(castle, index)
        if other.type in tile.types:
            word = "joined to" if tile.centre == "connected" else "touches"
            yield PointLine(2, tile.each, f"{tile.name} {word} the {castles.room_name(castle, index)} ({other.type})")


def _neighbour(castle: Castle, index: int, new: RoomTile, centre: str, step: int) -> Iterator[PointLine]:
    """Steps 3 to 5: the icons of a room already there."""
    tile = castles.tile_at(castle, index)
    if tile.centre == centre and new.type in tile.types:
        word = {"connected": "joined to", "adjacent": "touches", "each": "counts"}[centre]
        yield PointLine(step, tile.each, f"{castles.room_name(castle, index)} {word} the {new.name} ({new.type})")


def _kinds(tile: RoomTile) -> str:
    return " or ".join(tile.types)


# Rooms that stand


def room_points(castle: Castle, index: int) -> int:
    """What a room is worth as it stands: the number in its corner and the icons in its centre."""
    tile = castles.tile_at(castle, index)
    return tile.points + tile.each * _matches(castle, index, tile)


def _matches(castle: Castle, index: int, tile: RoomTile) -> int:
    """How many rooms the centre of a room counts."""
    if tile.centre == "each":
        return sum(each.type in tile.types for each in castles.tiles(castle))
    found = castles.contacts(castle)[index]
    reached = {"connected": found.connects, "adjacent": found.touches}.get(tile.centre, ())
    return sum(castles.tile_at(castle, other).type in tile.types for other in reached)


@lru_cache(maxsize=256)
def recount(castle: Castle) -> int:
    """The castle's points from scratch, rewards left out: what all placements together must have brought."""
    return sum(room_points(castle, index) for index in range(len(castle.rooms)))
