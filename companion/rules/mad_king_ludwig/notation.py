"""A castle as one line of text, and back: each tile with where its upper left cell lies and how it is turned.

`foyer@0,0 kitchen@3,-1/90 stairs@1,3/270`: cells of 5 feet, x to the right and y downward from the Foyer, degrees
clockwise. The order is the order of placing.
"""

from __future__ import annotations

import re

from companion.errors import Malformed
from companion.rules.base import decode
from companion.rules.mad_king_ludwig import rooms
from companion.rules.mad_king_ludwig.placement import objection
from companion.rules.mad_king_ludwig.rooms import FOYER, HALLWAYS, STAIRS, RoomTile
from companion.rules.mad_king_ludwig.state import Castle, Placed, Spot

_WORD = re.compile(r"(?P<room>[a-z0-9-]+)@(?P<x>-?\d{1,3}),(?P<y>-?\d{1,3})(?:/(?P<turn>\d{1,3}))?", re.ASCII)
_MANY = (*HALLWAYS, STAIRS)
"""The tiles of which a castle may have several."""


def written(castle: Castle) -> str:
    """The castle as text. A room of a ledger has no place and cannot be written.

    >>> written(Castle())
    'foyer@0,0'
    """
    return " ".join(_word(placed) for placed in castle.rooms)


def _word(placed: Placed) -> str:
    if placed.spot is None:
        raise Malformed("A castle kept in a ledger has no map to write down.")
    turn = f"/{placed.spot.turn}" if placed.spot.turn else ""
    return f"{placed.room}@{placed.spot.x},{placed.spot.y}{turn}"


def read(text: str, own: tuple[RoomTile, ...] = ()) -> Castle:
    """The castle of a text. Only that each word names a known tile and a place is checked here; see `read_legal`.

    >>> written(read("foyer@0,0 buttery@3,1 stairs@-3,1/180"))
    'foyer@0,0 buttery@3,1 stairs@-3,1/180'
    """
    words = text.replace(";", " ").split()
    if not words:
        raise Malformed("A castle's notation begins with its Foyer: foyer@0,0.")
    placed = tuple(_placed(word, own) for word in words)
    if placed[0].room != FOYER:
        raise Malformed(f"A castle's notation begins with its Foyer, not with '{words[0]}'.")
    return Castle(rooms=placed, own=own)


def _placed(word: str, own: tuple[RoomTile, ...]) -> Placed:
    match = _WORD.fullmatch(word)
    if match is None:
        raise Malformed(f"'{word}' is not a room and its place, such as kitchen@3,-1/90.")
    room, x, y, turn = match["room"], int(match["x"]), int(match["y"]), int(match["turn"] or 0)
    if rooms.find(room, own) is None:
        raise Malformed(f"There is no room called '{room}'.")
    return Placed(room=room, spot=decode({"x": x, "y": y, "turn": turn}, Spot, f"The place of '{word}'"))


def read_legal(text: str, own: tuple[RoomTile, ...] = ()) -> Castle:
    """The castle of a text, each room placed by the rules in the order given."""
    whole = read(text, own)
    castle = Castle(rooms=whole.rooms[:1], own=own)
    for placed in whole.rooms[1:]:
        assert placed.spot is not None
        if placed.room not in _MANY and any(placed.room == there.room for there in castle.rooms):
            raise Malformed(f"There is only one {rooms.name(placed.room, own)}, and it is there already.")
        trouble = objection(castle, placed.room, placed.spot)
        if trouble is not None:
            raise Malformed(trouble.why)
        castle = Castle(rooms=(*castle.rooms, placed), own=own)
    return castle
