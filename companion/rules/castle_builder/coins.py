"""Coins: taking one from the market, and its effect, in words and in deeds. Effects that need a choice wait for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_builder import renown
from companion.rules.castle_builder.actions import TakeCoin
from companion.rules.castle_builder.phases import expect, go_on, move_baron
from companion.rules.castle_builder.state import Coin, Effect, Icon, State
from companion.rules.castle_builder.supply import (
    coin_taken,
    filled,
    from_active,
    gain,
    lose_from_holder,
    opponents,
    put_away,
    with_baron,
)

_PRIZE_TILES = 2
_MONK_TILES = 3
RED: tuple[Coin, ...] = ("catapult", "thief", "bitter-lady")
"""The coins that Peaceful Times changes."""

NAMES: dict[Coin, str] = {
    "ruby": "Ruby", "highest-tower": "Highest Tower", "thief": "Thief", "most-persons": "Most Persons",
    "bitter-lady": "Bitter Lady", "most-windows": "Most Windows", "mill": "Mill", "most-roofs": "Most Roofs",
    "crumble": "Crumble", "monk": "Monk", "catapult": "Catapult",
}  # fmt: skip
_WORDS: dict[Coin, str] = {
    "ruby": "your baron moves 1 more step",
    "highest-tower": "the highest castle gains 2 tiles",
    "thief": "take a tile blindly from an opponent",
    "most-persons": "most persons gains 2 tiles",
    "bitter-lady": "each opponent loses a tile",
    "most-windows": "most windows gains 2 tiles",
    "mill": "new tiles in the market, take one of them",
    "most-roofs": "most roofs gains 2 tiles",
    "crumble": "discard a bare tile of your castle",
    "monk": "fewest coins gains 3 tiles",
    "catapult": "discard a bare tile of an opponent's castle",
}
_PEACEFUL_WORDS = "take a tile from the market"


def words(state: State, coin: Coin) -> str:
    """What a coin does, in words: `the highest castle gains 2 tiles: North, East`."""
    if is_peaceful(state, coin):
        return _PEACEFUL_WORDS
    if coin in _PRIZES:
        names = ", ".join(state.seats[seat] for seat in _PRIZES[coin](state))
        return f"{_WORDS[coin]}: {names or 'nobody'}"
    return _WORDS[coin]


def is_peaceful(state: State, coin: Coin) -> bool:
    """Whether Peaceful Times replaces this coin's effect."""
    return state.options.peaceful and coin in RED


# Taking one


def take_coin(referee: Referee, state: State, action: TakeCoin) -> State:
    """A coin of one's choice, replaced at once; then its effect, or the end (rulebook, Coin Effects)."""
    seat = action.seat
    expect(referee, state, seat, "coin")
    coin = _coin(referee, state, action)
    winners = _PRIZES[coin](state) if coin in _PRIZES else ()
    total = state.barons[seat].coins + 1
    text = f"{state.seats[seat]} takes the {NAMES[coin]} coin: {total} of {state.goal}."
    referee.note(text, seat=seat, what="coins", change=1, rule="coin.take")
    state = coin_taken(with_baron(state, seat, coins=total), action.slot)
    state = replace(state, active=seat, due=max(0, state.due - 1))
    if total >= state.goal:
        return _end(referee, state, seat)
    return go_on(referee, _effect(referee, state, seat, coin, winners))


def _coin(referee: Referee, state: State, action: TakeCoin) -> Coin:
    if action.slot >= len(state.coins):
        referee.impossible("market.full", f"There is no coin {action.slot + 1} in the market.")
    known = state.coins[action.slot]
    coin = action.coin or known
    if coin is None:
        referee.impossible("market.entered", f"Say which coin {action.slot + 1} of the market is.")
    if known not in (None, coin):
        referee.refuse("market.entered", f"Coin {action.slot + 1} of the market was entered as another.")
    return coin


def _end(referee: Referee, state: State, seat: int) -> State:
    """The last coin's effect no longer matters (ruling.ends-at-once)."""
    rule = "sky.nine" if state.options.sky else "end.goal"
    referee.note(f"{state.seats[seat]} has {state.goal} coins: the game is over.", seat=seat, rule=rule)
    return replace(state, over=True, due=0, effect=None, moving=False, acted=False)


# Who is paid


def _best(values: Sequence[int], least: int = 1) -> tuple[int, ...]:
    """The seats with the highest value, all that are tied (ruling.ties-all-paid), if it is at least `least`.

    >>> _best([2, 3, 3]), _best([0, 0])
    ((1, 2), ())
    """
    return tuple(seat for seat, value in enumerate(values) if value == max(values) and value >= least)


def _highest(state: State) -> tuple[int, ...]:
    return _best([renown.height(state, seat) for seat in range(len(state.seats))])


def _most(icon: Icon) -> Callable[[State], tuple[int, ...]]:
    return lambda state: _best([renown.icons(state, seat, icon) for seat in range(len(state.seats))])


def _poorest(state: State) -> tuple[int, ...]:
    coins = [baron.coins for baron in state.barons]
    return tuple(seat for seat, count in enumerate(coins) if count == min(coins))


_PRIZES: dict[Coin, Callable[[State], tuple[int, ...]]] = {
    "highest-tower": _highest,
    "most-persons": _most("persons"),
    "most-windows": _most("windows"),
    "most-roofs": _most("roofs"),
    "monk": _poorest,
}
"""Coins that pay tiles, and whom: looked at before the coin is added (Monk)."""


# Effects


def _effect(referee: Referee, state: State, seat: int, coin: Coin, winners: Iterable[int]) -> State:
    if is_peaceful(state, coin):
        return _await(referee, state, "pick", bool(state.tiles), "peaceful.market")
    if coin in _PRIZES:
        return _pay(referee, state, set(winners), coin)
    if coin == "ruby":
        return replace(state, moving=True) if state.light else move_baron(referee, state, seat, 1)
    if coin == "mill":
        return _mill(referee, state)
    if coin == "bitter-lady":
        return _bitter_lady(referee, state, seat)
    return _await_target(referee, state, seat, coin)


def _pay(referee: Referee, state: State, winners: set[int], coin: Coin) -> State:
    if not winners:
        referee.note("Nobody has any.", rule="ruling.most-needs-one")
    for seat in from_active(state):
        if seat in winners:
            state = gain(referee, state, seat, _MONK_TILES if coin == "monk" else _PRIZE_TILES, f"coin.{coin}")
    return state


def _mill(referee: Referee, state: State) -> State:
    """The market is cleared and filled anew; one of the new tiles is to be taken."""
    state = filled(referee, replace(put_away(state, len(state.tiles)), tiles=()))
    referee.note("The market has new tiles.", rule="coin.mill")
    return _await(referee, state, "pick", bool(state.tiles), "coin.mill")


def _bitter_lady(referee: Referee, state: State, seat: int) -> State:
    for victim in opponents(state, seat):
        state = lose_from_holder(referee, state, victim, min(1, state.barons[victim].holder), "coin.bitter-lady")
    return state


def _await_target(referee: Referee, state: State, seat: int, coin: Coin) -> State:
    """Thief, Crumble and Catapult need to be told whom or what."""
    if coin == "thief":
        return _await(referee, state, coin, any(state.barons[other].holder for other in opponents(state, seat)))
    if coin == "catapult":
        return _await(referee, state, coin, any(renown.tiles_built(state, other) for other in opponents(state, seat)))
    return _await(referee, state, "crumble", bool(renown.tiles_built(state, seat)))


def _await(referee: Referee, state: State, effect: Effect, possible: bool, rule: str = "") -> State:
    """Wait for a choice, unless there is nothing to choose from (ruling.nothing-to-do)."""
    if possible:
        return replace(state, effect=effect)
    referee.note("There is nothing for this coin to act on.", rule=rule or "ruling.nothing-to-do")
    return state


HANDLERS: Handlers[State] = {TakeCoin: take_coin}
