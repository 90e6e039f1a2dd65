"""Where people sit around the screen, and which way their part of it is turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

Edge = Literal["bottom", "left", "top", "right"]

QUARTER_TURN_DEG = 90
_FULL_TURN_DEG = 360
_TURNS_DEG: dict[Edge, int] = {"bottom": 0, "left": 270, "top": 180, "right": 90}
_EDGES: tuple[Edge, ...] = ("bottom", "left", "top", "right")
"""Clockwise as seen from above."""
_LANDSCAPE = {
    1: (1, 0, 0, 0), 2: (1, 0, 1, 0), 3: (1, 1, 0, 1), 4: (1, 1, 1, 1),
    5: (2, 1, 1, 1), 6: (2, 1, 2, 1), 7: (3, 1, 2, 1), 8: (3, 1, 3, 1),
}  # fmt: skip
_PORTRAIT = {**_LANDSCAPE, 5: (1, 2, 1, 1), 6: (1, 2, 1, 2), 7: (1, 3, 1, 2), 8: (1, 3, 1, 3)}
"""How many sit at each edge."""
_MIDDLE = (0.4, 0.6)
"""Between these shares of an edge is its middle."""
_WINDS = {"N": "North", "E": "East", "S": "South", "W": "West"}


class Place(Struct, frozen=True, kw_only=True):
    """A seat's place on the rim: `x` from the left and `y` from below, 0 to 1; `turn_deg` counter-clockwise.

    `slot` counts the places of its edge from 0, clockwise, of `slots`.
    """

    x: float
    y: float
    edge: Edge
    turn_deg: int
    slot: int = 0
    slots: int = 1


def around(count: int, *, portrait: bool = False, turned: bool = True) -> tuple[Place, ...]:
    """The places of one to eight seats, clockwise from below. Not `turned`: all read from below.

    >>> [(place.edge, place.turn_deg) for place in around(4)]
    [('bottom', 0), ('left', 270), ('top', 180), ('right', 90)]
    """
    shares = (_PORTRAIT if portrait else _LANDSCAPE)[count]
    return tuple(place for edge, share in zip(_EDGES, shares, strict=True) for place in _along(edge, share, turned))


def wind(place: Place) -> str:
    """The name of a place on a table that lies with north on top.

    >>> [wind(place) for place in around(4)], [wind(place) for place in around(6)]
    (['South', 'West', 'North', 'East'], ['SE', 'SW', 'West', 'NW', 'NE', 'East'])
    """
    up = "S" if place.y < _MIDDLE[0] else "N" if place.y > _MIDDLE[1] else ""
    across = "W" if place.x < _MIDDLE[0] else "E" if place.x > _MIDDLE[1] else ""
    return _WINDS.get(up + across, up + across)


def kept(before: Sequence[Place] | None, now: tuple[Place, ...]) -> tuple[Place, ...]:
    """The places from before, with whatever was turned by hand, where people still sit along the same edges.

    >>> from msgspec.structs import replace
    >>> by_hand = (replace(around(1)[0], turn_deg=90),)
    >>> kept(by_hand, around(1))[0].turn_deg, kept(by_hand, around(2))[0].turn_deg
    (90, 0)
    """
    same = before is not None and [place.edge for place in before] == [place.edge for place in now]
    return tuple(before) if before is not None and same else now


def _along(edge: Edge, count: int, turned: bool) -> Iterator[Place]:
    turn_deg = _TURNS_DEG[edge] if turned else 0
    for slot in range(count):
        way = (2 * slot + 1) / (2 * count)
        x, y = {"bottom": (1 - way, 0.0), "left": (0.0, way), "top": (way, 1.0), "right": (1.0, 1 - way)}[edge]
        yield Place(x=x, y=y, edge=edge, turn_deg=turn_deg, slot=slot, slots=count)


def quarter(turn_deg: int) -> int:
    """A quarter turn on.

    >>> quarter(270)
    0
    """
    return (turn_deg + QUARTER_TURN_DEG) % _FULL_TURN_DEG
