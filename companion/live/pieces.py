"""What a sensed piece can be in the game: which kinds it fits, where, and what stands where by the game."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, TypeAlias

from companion.rules.base import Action
from companion.rules.castle_dukes import actions as do
from companion.rules.castle_dukes import castle
from companion.rules.castle_dukes.state import GUESTS, TOP_ITEMS, Castle, State
from companion.sensing.streams import Sensed

Place: TypeAlias = tuple[str, str]
"""A kind of piece of the game and its spot: one of three towers, or the bridge."""

_TILES = frozenset({"floor-tile", "roof", "bridge", "tile"})
_FIGURES: frozenset[str] = frozenset((*GUESTS, "serf"))
_ALIKE: dict[str, frozenset[str]] = {
    **dict.fromkeys(_TILES, frozenset({"tile"})),
    "pillar": frozenset({"pillar"}),
    "room": frozenset({"room"}),
    "meeple": _FIGURES,
    **{name: frozenset({name}) for name in (*_FIGURES, "table", "coffer", *TOP_ITEMS)},
}
"""What a piece that is sensed under a name can be; under any other name it can be anything."""
_NOUNS = {"floor-tile": "floor tile", "room": "room card", "meeple": "figure"}
_BRIDGED = ("left", "right", "bridge")


class Move(NamedTuple):
    """The one piece an action puts up or takes away, where, and under which name the senses know it best."""

    kind: str
    spot: str
    level: int
    name: str


def noun(event: Sensed) -> str:
    """The sensed piece in a word or two."""
    return _NOUNS.get(event.piece, event.piece) if event.piece else "piece"


def is_named(event: Sensed) -> bool:
    """Whether the senses say what it is."""
    return event.piece in _ALIKE


def can_be(event: Sensed, kind: str) -> bool:
    """Whether the sensed piece can be of a kind of the game."""
    return event.piece not in _ALIKE or kind in _ALIKE[event.piece]


def can_stand(event: Sensed, spot: str) -> bool:
    """Whether the senses can mean that spot: a bridge lies between the two front towers."""
    if event.tower is None or event.tower == spot:
        return True
    return spot == "bridge" and event.tower in _BRIDGED


def is_tile(event: Sensed) -> bool:
    """Whether it is surely a tile of a tower, the kind that makes a level."""
    return event.piece in ("floor-tile", "roof", "tile")


def likeness(event: Sensed, move: Move) -> int | None:
    """How well a move fits the event, None where it does not. What the senses did not say fits, and counts nothing."""
    if not can_be(event, move.kind) or not can_stand(event, move.spot):
        return None
    named = event.piece in (move.name, move.kind)
    return 2 * named + (event.tower == move.spot) + 2 * (event.level == move.level)


def move_of(state: State, action: Action) -> Move | None:
    """The piece an action moves, None where it is not about one piece of a castle."""
    if isinstance(action, do.PlaceTile | do.PlaceRoof):
        level = len(castle.tower(state.dukes[action.seat].castle, action.tower)) + 1
        return Move("tile", action.tower, level, "roof" if isinstance(action, do.PlaceRoof) else "floor-tile")
    if isinstance(action, do.PlaceBridge):
        return Move("tile", "bridge", action.level, "bridge")
    if isinstance(action, do.PlacePillars):
        return Move("pillar", action.tower, action.level, "pillar")
    if isinstance(action, do.BuildRoom):
        return Move("room", action.tower, action.level, "room")
    if isinstance(action, do.FurnishRoom | do.ArmTop):
        return Move(action.item, action.tower, action.level, _sensed_name(action.item))
    if isinstance(action, do.HouseGuest):
        guest = state.visit.guest if state.visit else GUESTS[0]
        return Move(guest, action.tower, action.level, "meeple")
    if isinstance(action, do.RehouseGuest):
        return Move(action.guest, action.tower, action.level, "meeple")
    if isinstance(action, do.Lose | do.TakeDown):
        return Move(action.what, action.tower, action.level, _sensed_name(action.what))
    return None


def _sensed_name(kind: str) -> str:
    return {"tile": "floor-tile"}.get(kind, "meeple" if kind in _FIGURES else kind)


def standing(here: Castle) -> Counter[Place]:
    """How many of each kind stand in each spot."""
    found: Counter[Place] = Counter()
    for tower, _, tile in castle.tiles(here):
        alone = castle.with_tower(Castle(), tower, (tile,))
        found.update({(kind, tower): count for kind, count in castle.pieces(alone).items()})
    bridges = Castle(bridges=here.bridges)
    found.update({(kind, "bridge"): count for kind, count in castle.pieces(bridges).items()})
    return found


def fits(event: Sensed, place: Place) -> bool:
    """Whether the sensed piece can be that kind in that spot."""
    kind, spot = place
    return can_be(event, kind) and can_stand(event, spot)
