"""Where everything on the table screen lies: seats around the rim, tools in the corners, the middle between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from companion.app.models.places import QUARTER_TURN_DEG, Edge, Place
from companion.app.theme import TARGET_DP

_ACROSS_DP = 128
"""How thick an edge is where somebody reads across it."""
_CROWDED_DP = 84
_CROWD = 3
_THICKEST_DP = 96
_SMALL_SCREEN_DP = 480
_WIDE_TOOL = 2.55
_STRIP_DP = 36


class Box(Struct, frozen=True):
    """A place on the screen, in pixels."""

    x: float
    y: float
    width: float
    height: float

    def shrunk(self, by: float) -> Box:
        """The same box with a margin inside."""
        return Box(self.x + by, self.y + by, max(0.0, self.width - 2 * by), max(0.0, self.height - 2 * by))


class Rim(Struct, frozen=True, kw_only=True):
    """The boxes of one table. `tools` are bottom left, top left, top right, bottom right; `strip` is for the phases."""

    seats: tuple[Box, ...]
    tools: tuple[Box, Box, Box, Box]
    strip: Box
    middle: Box


def laid_out(size: tuple[float, float], places: Sequence[Place], gap: float, density: float = 1.0) -> Rim:
    """The rim of a screen.

    >>> from companion.app.models.places import around
    >>> rim = laid_out((800, 480), around(4), gap=8)
    >>> [(box.width > box.height) for box in rim.seats]
    [True, False, True, False]
    """
    width, height = size
    thick = {edge: _thickness(edge, places, size, density) for edge in ("bottom", "left", "top", "right")}
    top = thick["top"] or TARGET_DP * density
    bottom = thick["bottom"] or TARGET_DP * density
    crowded = sum(place.edge == "top" for place in places) >= _CROWD
    undo = top if crowded else min(top * _WIDE_TOOL, width * 0.25)
    tools = (
        Box(gap, gap, bottom, bottom),
        Box(gap, height - gap - top, top, top),
        Box(width - gap - undo, height - gap - top, undo, top),
        Box(width - gap - bottom, gap, bottom, bottom),
    )
    rows = {
        "bottom": Box(2 * gap + bottom, gap, width - 4 * gap - 2 * bottom, bottom),
        "top": Box(2 * gap + top, height - gap - top, width - 4 * gap - top - undo, top),
    }
    low, high = 2 * gap + bottom, height - 2 * gap - top
    left = gap + (thick["left"] + gap if thick["left"] else 0)
    right = width - gap - (thick["right"] + gap if thick["right"] else 0)
    rows["left"] = Box(gap, low, thick["left"], high - low)
    rows["right"] = Box(right + gap, low, thick["right"], high - low)
    strip, ceiling = _strip(rows["top"], Box(left, low, right - left, high - low), bool(thick["top"]), gap, density)
    return Rim(
        seats=tuple(_seat_box(rows[place.edge], place, gap) for place in places),
        tools=tools,
        strip=strip,
        middle=Box(left, low, right - left, ceiling - low),
    )


def _strip(top: Box, middle: Box, taken: bool, gap: float, density: float) -> tuple[Box, float]:
    """The phase strip lies in the top row, or under it where people sit there; and where the middle ends."""
    high = middle.y + middle.height
    if not taken:
        return top, high
    thin = _STRIP_DP * density
    return Box(middle.x, high - thin, middle.width, thin), high - thin - gap


def _thickness(edge: str, places: Iterable[Place], size: tuple[float, float], density: float) -> float:
    here = [place for place in places if place.edge == edge]
    if not here:
        return 0.0
    side = edge in ("left", "right")
    if any(_sideways(place) != side for place in here):
        return _ACROSS_DP * density
    roomy = TARGET_DP * min(size) / (_SMALL_SCREEN_DP * density)
    least = _CROWDED_DP if max(place.slots for place in here) >= _CROWD else TARGET_DP
    return min(max(least, roomy), _THICKEST_DP) * density


def _sideways(place: Place) -> bool:
    return place.turn_deg % (2 * QUARTER_TURN_DEG) != 0


def _seat_box(row: Box, place: Place, gap: float) -> Box:
    """Its share of an edge: slots count clockwise."""
    at = place.slot if place.edge in ("top", "left") else place.slots - 1 - place.slot
    if place.edge in ("bottom", "top"):
        wide = (row.width - gap * (place.slots - 1)) / place.slots
        return Box(row.x + at * (wide + gap), row.y, wide, row.height)
    tall = (row.height - gap * (place.slots - 1)) / place.slots
    return Box(row.x, row.y + at * (tall + gap), row.width, tall)


def facing(edge: Edge | None, turn_deg: int) -> int:
    """How the middle is turned for a seat: to whoever sits opposite, upright for all others.

    >>> facing("top", 180), facing("left", 270)
    (180, 0)
    """
    return turn_deg if turn_deg == 2 * QUARTER_TURN_DEG else 0
