"""How long it takes to list legal spots and to preview points in a castle of thirty rooms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from companion.rules.benching import Clock, Timing, timed
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.notation import read
from companion.rules.mad_king_ludwig.placement import preview, previews, spots
from companion.rules.mad_king_ludwig.rooms import FOYER, catalogue
from companion.rules.mad_king_ludwig.state import Castle

THIRTY_ROOMS = (
    "foyer@0,0 stairs@1,3/270 sitting-room@3,0 downstairs-hallway@-1,6 terrace-gardens@3,-4 downstairs-hallway@-6,5"
    " west-tapestry-room@0,-8/90 singers-chamber@10,-7/90 dirt-room@6,0/180 audience-room@-3,-12/180 salon@-7,1/180"
    " food-prep-room@-5,-13/90 venus-grotto@-2,7/90 larder@3,3/270 powder-room@1,-2/180 stairs@-3,-8 scullery@-9,-12"
    " porch@-11,-9/270 hallway@-8,0/90 gallery-of-mirrors@-14,6/180 stables@-9,-7/180 study@-11,3"
    " bottomless-pit@-7,6 forum@-13,-2/90 gatehouse@-16,2/270 french-gazebo@-17,8/270 sauna@-18,12/270"
    " observatory@-13,8 panic-room@-11,10/270 shed@-18,-1"
)
_ROUNDS = 5
_SPOTS_MOST_MS = 20.0
_PREVIEW_MOST_MS = 5.0


def rows(clock: Clock) -> list[Timing]:
    """Legal spots of every room, one preview, and all previews of every room, in a castle of thirty rooms.

    The first spots of each round are listed with nothing prepared.
    """
    castle = read(THIRTY_ROOMS)
    others = [room for room in catalogue() if room != FOYER]
    return [
        timed("legal spots of any room, 30 rooms", clock, _spots(castle, others), _SPOTS_MOST_MS),
        timed("preview of points, 30 rooms", clock, _previews(castle, others), _PREVIEW_MOST_MS),
        timed("every spot of a room with its preview", clock, (partial(previews, castle, room) for room in others)),
    ]


def _spots(castle: Castle, others: list[str]) -> Iterator[Callable[[], object]]:
    for _ in range(_ROUNDS):
        castles.board.cache_clear()
        yield from (partial(spots, castle, room) for room in others)


def _previews(castle: Castle, others: list[str]) -> Iterator[Callable[[], object]]:
    for room in others:
        yield from (partial(preview, castle, room, spot) for spot in spots(castle, room))
