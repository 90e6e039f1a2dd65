"""What this table's box looks like: the path and the foundation, laid out once, and what lies in the market."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.base import Handlers, Referee, decode
from companion.rules.box import shipped
from companion.rules.castle_builder.actions import LayFoundation, LayPath, NameCoin, NameTile, UsePractice
from companion.rules.castle_builder.path import path_fault, starts
from companion.rules.castle_builder.state import Foundation, Space, State

KEY = "board"
"""Under which the path and the foundation are kept in the box tables of the same names."""
_PACKAGE = __name__.rpartition(".")[0]


class _Path(Struct, frozen=True):
    spaces: tuple[Space, ...]


def path_of(entry: object) -> tuple[Space, ...]:
    """A path as box data has it. Raises Malformed."""
    path = decode(entry, _Path, "The box data for the path").spaces
    if fault := path_fault(path):
        raise Malformed(f"The box data for the path is not right: {fault}")
    return path


def foundation_of(entry: object) -> Foundation:
    """A foundation as box data has it. Raises Malformed."""
    foundation = decode(entry, Foundation, "The box data for the foundation")
    if foundation.door > foundation.width:
        raise Malformed("The box data for the foundation is not right: the door is beside it.")
    return foundation


@cache
def practice_path() -> tuple[Space, ...]:
    """A path of our own, for tables that have not laid out theirs."""
    return path_of(shipped(_PACKAGE)["practice-path"][KEY])


@cache
def practice_foundation() -> Foundation:
    """A foundation of our own."""
    return foundation_of(shipped(_PACKAGE)["practice-foundation"][KEY])


def known(box: Mapping[str, Any], table: str) -> object | None:
    """What a set-up says of a part of the box."""
    return decode(box.get(table, {}), dict[str, Any], f"The box data for the {table}").get(KEY)


def on_starts(state: State) -> State:
    """Every baron on its start area, by turn order (Setup 6)."""
    if not state.path:
        return state
    areas = dict(zip(state.order, starts(state.path), strict=False))
    barons = tuple(replace(baron, space=areas[seat]) for seat, baron in enumerate(state.barons))
    return replace(state, barons=barons)


def lay_path(referee: Referee, state: State, action: LayPath) -> State:
    """The areas of the path; the barons go to their start areas."""
    if state.light:
        referee.impossible("light.only", "In a light game the table moves the barons.")
    if fault := path_fault(action.spaces):
        referee.impossible("setup.path", fault)
    if state.path:
        referee.refuse("setup.path", "The path is laid out already.")
    referee.note(f"The path has {len(action.spaces)} areas.", rule="setup.path")
    laid = replace(state, path=action.spaces)
    stays = state.path and all(baron.space < len(action.spaces) for baron in state.barons)
    return laid if stays else on_starts(laid)


def lay_foundation(referee: Referee, state: State, action: LayFoundation) -> State:
    """How wide, and where the door is."""
    if state.light:
        referee.impossible("light.only", "In a light game the table sees to the castles.")
    if action.foundation.door > action.foundation.width:
        referee.impossible("setup.foundation", "The door is a place of the foundation, counted from the left.")
    if state.foundation:
        referee.refuse("setup.foundation", "The foundation is known already.")
    referee.note(f"{action.foundation.width} tiles stand on a foundation.", rule="setup.foundation")
    return replace(state, foundation=action.foundation)


def use_practice(referee: Referee, state: State, action: UsePractice) -> State:
    """Our own path and foundation for what is not laid out."""
    if state.phase != "layout":
        referee.refuse("setup.path", "The path and the foundation are known already.")
        return state
    referee.note("This game is played on the practice board.", rule="setup.path")
    state = replace(state, foundation=state.foundation or practice_foundation())
    return state if state.path else on_starts(replace(state, path=practice_path()))


def name_tile(referee: Referee, state: State, action: NameTile) -> State:
    """Which tile lies in the market."""
    slot = action.slot
    if state.light:
        referee.impossible("light.only", "In a light game tiles are not entered.")
    if slot >= len(state.tiles):
        referee.impossible("market.full", f"There is no tile {slot + 1} in the market.")
    if not action.tile.wild and not action.tile.number:
        referee.impossible("tile.entered", "A tile has a number, a tick, or both.")
    if state.tiles[slot] is not None:
        referee.refuse("market.entered", f"Market tile {slot + 1} has been entered already.")
    return replace(state, tiles=(*state.tiles[:slot], action.tile, *state.tiles[slot + 1 :]))


def name_coin(referee: Referee, state: State, action: NameCoin) -> State:
    """Which coin lies in the market."""
    slot = action.slot
    if slot >= len(state.coins):
        referee.impossible("market.full", f"There is no coin {slot + 1} in the market.")
    if state.coins[slot] is not None:
        referee.refuse("market.entered", f"Coin {slot + 1} of the market has been entered already.")
    return replace(state, coins=(*state.coins[:slot], action.coin, *state.coins[slot + 1 :]))


HANDLERS: Handlers[State] = {
    LayPath: lay_path,
    LayFoundation: lay_foundation,
    UsePractice: use_practice,
    NameTile: name_tile,
    NameCoin: name_coin,
}
