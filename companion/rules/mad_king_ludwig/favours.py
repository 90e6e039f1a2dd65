"""King's Favours: turning them up, who has how much of what each counts, and the race for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.box import shipped
from companion.rules.mad_king_ludwig import bonus, phases
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.actions import RevealFavour
from companion.rules.mad_king_ludwig.rooms import LARGE_FROM_SQFT, RoomType
from companion.rules.mad_king_ludwig.state import FavourId, Player, State
from companion.rules.places import Award, podium

PRIZES = (8, 4, 2, 1)
_CLASH: dict[FavourId, FavourId] = {
    "completed-rooms": "incomplete-rooms",
    "incomplete-rooms": "completed-rooms",
}
_SIZED_SQFT: dict[str, Callable[[int], bool]] = {
    "circular-rooms": lambda sqft: sqft in (150, 500),
    "square-rooms": lambda sqft: sqft in (100, 400),
    "small-rooms": lambda sqft: sqft < LARGE_FROM_SQFT,
    "large-rooms": lambda sqft: sqft >= LARGE_FROM_SQFT,
}


class Standing(Struct, frozen=True, kw_only=True):
    """One favour as it stands: how much each seat has, and what each would get."""

    favour: FavourId
    name: str
    values: tuple[int, ...]
    awards: tuple[Award, ...]


@cache
def name(favour: str) -> str:
    """
    >>> name("feet-food")
    'Square feet of food rooms'
    """
    return str(shipped("companion.rules.mad_king_ludwig")["favours"][favour]["name"])


def value(favour: FavourId, player: Player) -> int:
    """How much a player has of what a favour counts."""
    kind, _, which = favour.partition("-")
    if kind == "feet":
        return castles.feet_of_type(player.castle, cast(RoomType, which))
    if favour in _SIZED_SQFT:
        return sum(_SIZED_SQFT[favour](tile.sqft) for tile in castles.stacked(player.castle))
    if kind == "rooms":
        return castles.count_type(player.castle, cast(RoomType, which))
    done = len(castles.completed(player.castle))
    match favour:
        case "money":
            return player.marks
        case "completed-rooms":
            return done
        case "incomplete-rooms":
            return len(player.castle.rooms) - done
    return bonus.external_of(player)


def awards(values: Sequence[int]) -> tuple[Award, ...]:
    """What a favour pays for these values; who has none does not compete (ruling.favour-ties-pool)."""
    return podium([each or None for each in values], PRIZES)


def race(state: State) -> tuple[Standing, ...]:
    """Every favour of this game as it stands."""
    return tuple(_standing(state, favour) for favour in state.favours)


def _standing(state: State, favour: FavourId) -> Standing:
    values = tuple(value(favour, player) for player in state.players)
    return Standing(favour=favour, name=name(favour), values=values, awards=awards(values))


def reveal(referee: Referee, state: State, action: RevealFavour) -> State:
    """Turn up a favour; of Completed and Incomplete Rooms the later one is replaced."""
    if state.phase != "favours":
        referee.impossible("setup.favours", "All favours lie open already.")
    if action.favour in state.favours:
        referee.impossible("favour.once", f"'{name(action.favour)}' lies open already.")
    clash = _CLASH.get(action.favour)
    if clash in state.favours and clash is not None:
        referee.refuse("favour.clash", f"'{name(clash)}' lies open, so this one is replaced.")
    referee.note(f"Favour: {name(action.favour)}.", rule="setup.favours")
    return phases.set_up_goes_on(referee, replace(state, favours=(*state.favours, action.favour)))


HANDLERS: Handlers[State] = {RevealFavour: reveal}
