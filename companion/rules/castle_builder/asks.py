"""What has to be read off the real box: tiles, coins, the path, counts, as questions to the table."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.rules.castle_builder.coins import NAMES
from companion.rules.castle_builder.sources import source_name
from companion.rules.castle_builder.state import COINS, EDGES, SPACES, Edge, Source
from companion.rules.table import Ask, Option

_LEAST_AREAS = 8
_MOST_AREAS = 99
_MOST_WIDE = 20


def _number(field: str, label: str, low: int = 0, high: int = 9) -> Ask:
    return Ask(field=field, label=label, kind="number", low=low, high=high)


def _choice(field: str, label: str, options: Iterable[tuple[object, str]]) -> Ask:
    listed = tuple(Option(value=value, label=text) for value, text in options)
    return Ask(field=field, label=label, kind="choice", options=listed)


def yes_no(field: str, label: str) -> Ask:
    return _choice(field, label, ((False, "no"), (True, "yes")))


def _edge(field: str, label: str, likely: Edge) -> Ask:
    """A top or bottom from left to right, the likely answer first."""
    return _choice(field, label, ((edge, edge) for edge in sorted(EDGES, key=lambda edge: edge != likely)))


def tile_ask(bottom: Edge = "stone") -> Ask:
    """Which tile is it: one seen before, or a new one. `bottom` is what the spot it is for asks of it."""
    fields = (
        _number("number", "number (0 for none)", high=99),
        yes_no("wild", "tick (fits any sum)"),
        yes_no("no_new_floor", "no-new-floor sign"),
        _edge("bottom", "bottom, left to right", bottom),
        _edge("top", "top, left to right", "stone"),
        _number("rubies", "rubies"),
        _number("windows", "windows"),
        _number("persons", "persons"),
        yes_no("roof", "red roof"),
        Ask(field="name", label="name, if you want one", kind="text"),
    )
    return Ask(field="tile", label="tile", kind="entry", table="tiles", fields=fields)


def source_ask(sources: Iterable[Source]) -> Ask:
    """Where the tile comes from."""
    return _choice("source", "from", ((source, source_name(source)) for source in sources))


def pay_ask(most: int) -> Ask:
    """How many tiles are discarded to change its number by as many steps."""
    return _number("pay", "tiles paid to change its number", high=most)


def coin_ask() -> Ask:
    """Which of the eleven coins it is."""
    return replace(_choice("coin", "coin", ((coin, NAMES[coin]) for coin in COINS)), table="coins")


PATH_ASK = Ask(
    field="spaces", label="areas, clockwise from start area 1", kind="list", low=_LEAST_AREAS, high=_MOST_AREAS,
    table="path",
    options=tuple(Option(value=space, label=space) for space in SPACES),
)  # fmt: skip

FOUNDATION_ASKS = tuple(
    replace(ask, table="foundation")
    for ask in (
        _number("foundation/width", "how many tiles wide", low=1, high=_MOST_WIDE),
        _number("foundation/door", "the door's place from the left", low=1, high=_MOST_WIDE),
    )
)

ARRIVAL_ASKS = (_number("coins", "coins reached or passed", low=2, high=9), yes_no("tile", "stopped on a tile area"))

ICON_ASKS = (_number("windows", "windows"), _number("persons", "persons"), yes_no("roof", "red roof"))

LOSS_ASKS = (*ICON_ASKS, yes_no("level_gone", "was it the last tile of the top level"))
