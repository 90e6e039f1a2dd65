"""Where tiles and coins are: pile, discard, market, holders. Every piece is always in exactly one place."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.rules.base import Referee
from companion.rules.castle_builder.state import MARKET_SIZE, State

BOX_COINS = 36
"""What the box holds (rulebook, Components)."""
START_TILES = 3


def tiles_text(count: int) -> str:
    """
    >>> tiles_text(1), tiles_text(2)
    ('1 tile', '2 tiles')
    """
    return f"{count} tile{'' if count == 1 else 's'}"


def with_baron(state: State, seat: int, **changes: Any) -> State:
    """The state with one baron changed."""
    barons = list(state.barons)
    barons[seat] = replace(barons[seat], **changes)
    return replace(state, barons=tuple(barons))


def from_active(state: State) -> tuple[int, ...]:
    """Every seat in turn order, the active one first."""
    return tuple((state.active + step) % len(state.seats) for step in range(len(state.seats)))


def opponents(state: State, seat: int) -> tuple[int, ...]:
    """Everybody else, clockwise from a seat."""
    return tuple((seat + step) % len(state.seats) for step in range(1, len(state.seats)))


def take(referee: Referee, state: State, count: int) -> tuple[State, int]:
    """Take up to `count` tiles from the pile, the discard shuffled in when it runs out. Returns how many there were."""
    got = min(count, state.pile)
    state = replace(state, pile=state.pile - got)
    if got < count and state.discard:
        referee.note(f"The pile has run out: {tiles_text(state.discard)} are shuffled in.", rule="draw.reshuffle")
        state, more = take(referee, replace(state, pile=state.discard, discard=0), count - got)
        return state, got + more
    return state, got


def put_away(state: State, count: int = 1) -> State:
    """Lay tiles on the discard."""
    return replace(state, discard=state.discard + count)


def gain(referee: Referee, state: State, seat: int, count: int, rule: str) -> State:
    """Tiles from the pile into a holder, as many as there are."""
    state, got = take(referee, state, count)
    name = state.seats[seat]
    if got:
        referee.note(f"{name} draws {tiles_text(got)}.", seat=seat, what="tiles", change=got, rule=rule)
    if got < count:
        referee.note(f"{tiles_text(count - got).capitalize()} not drawn: none are left.", seat=seat, rule=rule)
    return with_baron(state, seat, holder=state.barons[seat].holder + got)


def lose_from_holder(referee: Referee, state: State, seat: int, count: int, rule: str) -> State:
    """Tiles out of a holder onto the discard. The holder must have them."""
    if not count:
        return state
    text = f"{state.seats[seat]} discards {tiles_text(count)}."
    referee.note(text, seat=seat, what="tiles", change=-count, rule=rule)
    return put_away(with_baron(state, seat, holder=state.barons[seat].holder - count), count)


# The market


def tile_taken(referee: Referee, state: State, slot: int) -> State:
    """The market after a tile has been taken: another lies in its place, not entered yet."""
    state, got = take(referee, state, 1)
    return replace(state, tiles=(*state.tiles[:slot], *(None,) * got, *state.tiles[slot + 1 :]))


def coin_taken(state: State, slot: int) -> State:
    """The market after a coin has been taken."""
    got = min(1, state.coin_pile)
    coins = (*state.coins[:slot], *(None,) * got, *state.coins[slot + 1 :])
    return replace(state, coins=coins, coin_pile=state.coin_pile - got)


def filled(referee: Referee, state: State) -> State:
    """The market filled up as far as there are tiles and coins (ruling.market-short)."""
    state, got = take(referee, state, MARKET_SIZE - len(state.tiles))
    coins = min(MARKET_SIZE - len(state.coins), state.coin_pile)
    return replace(
        state,
        tiles=(*state.tiles, *(None,) * got),
        coins=(*state.coins, *(None,) * coins),
        coin_pile=state.coin_pile - coins,
    )
