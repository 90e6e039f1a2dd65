"""Helper's places: which there are, where they are, which stand open, what they cost."""

from __future__ import annotations

from typing import get_args

from companion.rules.castle_for_all_seasons.state import SPOTS, Building, Place, Spot, State, Target
from companion.rules.castle_for_all_seasons.supply import TILES_IN_BOX

ALWAYS_THERE: tuple[Place, ...] = ("market", "forge")
"""What stands from the beginning (Using Helpers)."""
GRANARY_FEE_TALERS = 5
GRANARY_PLACES = 3

_PLACES: tuple[Place, ...] = get_args(Place)
_PLACE_OF: dict[Target, Place] = {
    spot: next(place for place in _PLACES if spot == place or spot.startswith(f"{place}-")) for spot in get_args(Target)
}
_NAMES: dict[str, str] = {
    "servants-house": "servants' house",
    "big-gate": "big gate",
    "small-gate": "small gate",
}


def place_of(spot: Target) -> Place:
    """The building a helper's place belongs to.

    >>> place_of("tavern-12"), place_of("big-gate")
    ('tavern', 'big-gate')
    """
    return _PLACE_OF[spot]


def spots_of(place: Place) -> tuple[Spot, ...]:
    """The helper's places of a building."""
    return tuple(spot for spot in SPOTS if place_of(spot) == place)


def named(building: str) -> str:
    """A building or place in words.

    >>> named("servants-house")
    "servants' house"
    """
    return _NAMES.get(building, building)


def spot_name(spot: Target) -> str:
    """A helper's place in words.

    >>> spot_name("stable-16"), spot_name("market-2"), spot_name("keep")
    ('stable, 16 spot', 'market, place 2', 'keep')
    """
    place = place_of(spot)
    number = spot.removeprefix(place).removeprefix("-")
    if not number:
        return named(place)
    return f"{named(place)}, place {number}" if int(number) < 6 else f"{named(place)}, {number} spot"


def stands(state: State, place: Place) -> bool:
    """Whether a helper can use a place: its building is erected, or its winter card lies open."""
    if place == "granary":
        return state.winter is not None and state.winter.granary is not None
    return place in ALWAYS_THERE or place not in state.tiles


def is_open(state: State, spot: Target) -> bool:
    """Whether a helper's place is there and empty."""
    if spot == "granary":
        granary = state.winter.granary if state.winter else None
        return granary is not None and len(granary) < GRANARY_PLACES
    return spot not in state.helpers and stands(state, place_of(spot))


def fee(state: State, spot: Target) -> int | None:
    """What a helper's place costs; None where nobody has read it off the board yet."""
    return GRANARY_FEE_TALERS if spot == "granary" else state.printed.fees.get(spot)


def targets(state: State) -> tuple[Target, ...]:
    """Every place where a helper could be put now."""
    spots: tuple[Target, ...] = (*SPOTS, "granary")
    return tuple(spot for spot in spots if is_open(state, spot))


def helpers_of(state: State, seat: int, place: Place) -> int:
    """How many helpers a builder has in a building."""
    return sum(owner == seat and place_of(spot) == place for spot, owner in state.helpers.items())


def erected(state: State) -> dict[Building, int]:
    """How many of each building stand."""
    counts = {building: count - state.tiles.get(building, 0) for building, count in TILES_IN_BOX.items()}
    return {building: count for building, count in counts.items() if count}
