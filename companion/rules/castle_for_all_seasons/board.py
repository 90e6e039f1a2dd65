"""What the table reads off its board once: tile values, fees, carts, winter spaces. Nothing of it is invented."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_for_all_seasons import castle
from companion.rules.castle_for_all_seasons.actions import ReadCart, ReadFee, ReadTile, ReadWinterSpaces
from companion.rules.castle_for_all_seasons.phases import start_round
from companion.rules.castle_for_all_seasons.state import State
from companion.rules.castle_for_all_seasons.supply import amount, cart_name


def read_tile(referee: Referee, state: State, action: ReadTile) -> State:
    """A building tile's value and points."""
    known = state.printed.tiles.get(action.building)
    if known is not None and known != action.printed:
        referee.refuse("board.read", f"The {castle.named(action.building)} is known to be worth {known.value}.")
    tile = action.printed
    points = amount(tile.vp, "victory")
    referee.note(
        f"The {castle.named(action.building)} has building value {tile.value} and {points}.", rule="board.read"
    )
    tiles = {**state.printed.tiles, action.building: tile}
    return replace(state, printed=replace(state.printed, tiles=tiles))


def read_fee(referee: Referee, state: State, action: ReadFee) -> State:
    """The fee of a helper's place."""
    known = state.printed.fees.get(action.spot)
    if known is not None and known != action.talers:
        referee.refuse("board.read", f"The fee of the {castle.spot_name(action.spot)} is known to be {known}.")
    text = f"The {castle.spot_name(action.spot)} costs {amount(action.talers, 'taler')}."
    referee.note(text, rule="board.read")
    fees = {**state.printed.fees, action.spot: action.talers}
    return replace(state, printed=replace(state.printed, fees=fees))


def read_cart(referee: Referee, state: State, action: ReadCart) -> State:
    """The pieces a cart shows; once every cart with a helper is known, they pay (`carts_go_on`)."""
    known = state.printed.carts.get(action.cart)
    if known is not None and known != action.pieces:
        referee.refuse("board.read", f"It is known that {cart_name(action.cart)} shows {amount(known, action.cart)}.")
    referee.note(
        f"{cart_name(action.cart).capitalize()} shows {amount(action.pieces, action.cart)}.", rule="board.read"
    )
    carts = {**state.printed.carts, action.cart: action.pieces}
    return replace(state, printed=replace(state.printed, carts=carts))


def read_winter_spaces(referee: Referee, state: State, action: ReadWinterSpaces) -> State:
    """The round spaces that bring a winter card; then the first round begins."""
    if state.winter is None:
        referee.impossible("winter.spaces", "Winter cards are drawn on the winter side only.")
    if state.printed.winter is not None:
        referee.refuse("board.read", "The round spaces with a winter card are known.")
    spaces = tuple(sorted({*action.spaces}, reverse=True))
    told = ", ".join(str(space) for space in spaces)
    referee.note(f"Round spaces with a winter card: {told}.", rule="winter.spaces")
    state = replace(state, printed=replace(state.printed, winter=spaces))
    return start_round(referee, state) if state.phase == "board" else state


HANDLERS: Handlers[State] = {
    ReadTile: read_tile,
    ReadFee: read_fee,
    ReadCart: read_cart,
    ReadWinterSpaces: read_winter_spaces,
}
