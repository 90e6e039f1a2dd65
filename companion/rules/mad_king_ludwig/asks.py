"""What has to be read off the real box or said by a player, as questions."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.mad_king_ludwig import bonus, favours, rooms
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.placement import Preview, where
from companion.rules.mad_king_ludwig.rooms import TYPES
from companion.rules.mad_king_ludwig.state import BONUSES, FAVOURS, STACKS, UNKNOWN, BonusId, Castle, FavourId, State
from companion.rules.table import Ask, Option

_MOST_TILES = 30
_MOST_POINTS = 20


def room_ask() -> Ask:
    """Which tile was turned up."""
    field = Ask(field="id", label="id", kind="text")
    return Ask(field="room", label="room tile", kind="entry", table="rooms", part="id", fields=(field,))


def favour_ask(open_favours: tuple[FavourId, ...]) -> Ask:
    """Which favour was turned up."""
    options = tuple(Option(value=each, label=favours.name(each)) for each in FAVOURS if each not in open_favours)
    return Ask(field="favour", label="favour", kind="choice", options=options, table="favours")


def bonus_ask(known: Iterable[str], count: int) -> Ask:
    """Which bonus cards were drawn, or are shown."""
    options = tuple(Option(value=each, label=bonus.name(each)) for each in BONUSES if each not in set(known))
    return Ask(field="cards", label="bonus cards", kind="list", options=options, low=count, high=count, table="bonus")


def spot_ask(castle: Castle, room: str, found: Iterable[Preview]) -> Ask:
    """Where on the map, with what it brings."""
    options = tuple(Option(value=each.spot, label=spot_label(castle, room, each)) for each in found)
    return Ask(field="spot", label="where", kind="choice", options=options)


def spot_label(castle: Castle, room: str, found: Preview) -> str:
    """A spot in a few words: points, where and how turned, and what it completes.

    >>> from companion.rules.mad_king_ludwig.placement import previews
    >>> spot_label(Castle(), "kitchen", previews(Castle(), "kitchen")[0])
    '+1 right of the Foyer, turned 90, at 3,0'
    """
    spot = found.spot
    turned = f", turned {spot.turn}" if spot.turn else ""
    done = [castles.room_name(castle, index) for index in found.completes if index < len(castle.rooms)]
    done += ["itself"] if len(castle.rooms) in found.completes else []
    completes = f"; completes {', '.join(done)}" if done else ""
    return f"{found.points:+d} {where(castle, room, spot)}{turned}, at {spot.x},{spot.y}{completes}"


def note_asks(castle: Castle, room: str) -> tuple[Ask, ...]:
    """What a new room in a ledger joins, touches and completes."""
    there = tuple(Option(value=i, label=castles.room_name(castle, i)) for i in range(len(castle.rooms)))
    joins = tuple(there[index] for index in castles.may_join(castle, room))
    new = Option(value=len(castle.rooms), label="the new room itself")
    return (
        Ask(field="connects", label="joined by an entrance to", kind="list", options=joins, low=1, high=len(joins)),
        Ask(field="touches", label="touches besides", kind="list", options=there, high=len(there)),
        Ask(field="completes", label="now complete", kind="list", options=(*joins, new), high=len(joins) + 1),
    )


def peek_ask(state: State, there: tuple[str, ...], most: int) -> Ask:
    """Which tiles of a stack go on the deck."""
    options = tuple(Option(value=room, label=rooms.name(room, state.own)) for room in there)
    options += (Option(value=UNKNOWN, label="a tile kept secret"),)
    return Ask(field="rooms", label="tiles to lay on the deck", kind="list", options=options, high=most)


def prices_ask(state: State) -> Ask:
    """All rooms from the lowest price up."""
    lying = [space.room for space in state.spaces if space.room]
    options = tuple(Option(value=room, label=rooms.name(room, state.own)) for room in lying)
    return Ask(
        field="rooms", label="from the lowest price up", kind="list", options=options, low=len(lying), high=len(lying)
    )


def external_ask() -> Ask:
    return Ask(field="external", label="external entrances (no corridor rooms)", kind="number", high=99)


def stack_asks() -> tuple[Ask, ...]:
    """Which stack, and what it holds."""
    sizes = tuple(Option(value=size, label=size) for size in STACKS)
    return (
        Ask(field="size", label="stack", kind="choice", options=sizes),
        Ask(field="tiles", label="tiles in it", kind="number", high=_MOST_TILES),
    )


def bonus_points_asks(cards: Iterable[BonusId]) -> tuple[Ask, ...]:
    """Which card, and what it prints."""
    options = tuple(Option(value=each, label=bonus.name(each)) for each in cards)
    return (
        Ask(field="card", label="bonus card", kind="choice", options=options),
        Ask(field="points", label="points it prints", kind="number", high=_MOST_POINTS),
    )


def _words(field: str, label: str, values: Iterable[object]) -> Ask:
    options = tuple(Option(value=value, label=str(value)) for value in values)
    return Ask(field=field, label=label, kind="choice", options=options)


def _several(field: str, label: str, values: Iterable[str], high: int) -> Ask:
    options = tuple(Option(value=value, label=value) for value in values)
    return Ask(field=field, label=label, kind="list", options=options, high=high)


_DOORS = tuple(f"{side} {place}" for side in ("left", "right", "top", "bottom") for place in range(9))
_TILE_FIELDS = (
    Ask(field="id", label="id (small letters and hyphens)", kind="text"),
    Ask(field="name", label="name", kind="text"),
    _words("type", "type", TYPES),
    _words("sqft", "square feet", (int(size) for size in STACKS)),
    _words("shape", "shape", ("square", "rectangle", "L", "circle", "octagon")),
    Ask(field="width", label="width in cells of 5 feet", kind="number", low=1, high=9),
    Ask(field="height", label="height in cells of 5 feet", kind="number", low=1, high=9),
    Ask(field="points", label="points in the corner", kind="number", high=_MOST_POINTS),
    _words("centre", "centre counts rooms", ("none", "connected", "adjacent", "each")),
    Ask(field="each", label="points for each", kind="number", low=-9, high=9),
    _several("types", "types in the centre", TYPES, len(TYPES)),
    _several("doors", "entrances: a side and the cell along it", _DOORS, len(_DOORS)),
    _words("fence", "fence along the top", (False, True)),
    _words("floor", "floor", ("main", "below", "stairs")),
)


def tile_ask() -> Ask:
    """A tile as this table's box prints it."""
    return Ask(field="tile", label="room tile", kind="entry", table="rooms", fields=_TILE_FIELDS)
