"""Where components are: the stock, the discard, a duke's inventory. Every piece is always in exactly one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.rules.base import Referee
from companion.rules.castle_dukes.state import Card, Duke, Item, State, Stocked

ONE_SET: dict[Stocked, int] = {
    "tile": 50, "pillar": 100, "table": 10, "serf": 20, "coffer": 20,
    "brazier": 20, "battlement": 12, "cauldron": 22, "ballista": 18,
    "king": 10, "princess": 10, "knight": 10, "room": 50, "construction": 20,
}  # fmt: skip
"""What one box holds (rulebook, Components)."""

CARD_LIMIT = 3
_ITEM_LIMIT = 3
_PILLAR_LIMIT = 6

NAMES: dict[str, tuple[str, str]] = {
    "tile": ("floor tile", "floor tiles"),
    "serf": ("serf", "serfs"),
    "ballista": ("ballista", "ballistae"),
    "princess": ("princess", "princesses"),
    "room": ("room card", "room cards"),
    "construction": ("construction card", "construction cards"),
}

K = TypeVar("K", bound=str)


def amount(count: int, item: str) -> str:
    """
    >>> amount(2, "ballista"), amount(1, "tile")
    ('2 ballistae', '1 floor tile')
    """
    one, many = NAMES.get(item, (item, item + "s"))
    return f"{count} {one if count == 1 else many}"


def limit(item: Item) -> int:
    """How many of an item an inventory may hold."""
    return _PILLAR_LIMIT if item == "pillar" else _ITEM_LIMIT


def added(counts: Mapping[K, int], item: K, change: int) -> dict[K, int]:
    """The counts with one of them changed; what is none is not listed."""
    total = counts.get(item, 0) + change
    rest = {key: value for key, value in counts.items() if key != item}
    return {**rest, item: total} if total > 0 else rest


def with_duke(state: State, seat: int, **changes: Any) -> State:
    """The state with one duke changed."""
    dukes = list(state.dukes)
    dukes[seat] = replace(dukes[seat], **changes)
    return replace(state, dukes=tuple(dukes))


def room_for(duke: Duke, item: Item) -> int:
    """How many more of an item fit into a duke's inventory."""
    return max(0, limit(item) - duke.held.get(item, 0))


def available(state: State, item: Stocked) -> int:
    """How many can still be taken, discarded ones included: they come back when the stock is empty."""
    return state.stock.get(item, 0) + state.discard.get(item, 0)


def take(referee: Referee, state: State, item: Stocked, count: int) -> tuple[State, int]:
    """Take up to `count` from the stock, bringing back the discard when it runs out. Returns how many there were."""
    taken = 0
    while taken < count and available(state, item):
        if not state.stock.get(item, 0):
            back = state.discard[item]
            come = "comes" if back == 1 else "come"
            referee.note(f"{amount(back, item).capitalize()} {come} back into the supply.", rule="supply.reshuffle")
            state = replace(state, stock=added(state.stock, item, back), discard=added(state.discard, item, -back))
        state = replace(state, stock=added(state.stock, item, -1))
        taken += 1
    return state, taken


def put_back(state: State, item: Stocked, count: int = 1) -> State:
    """Return pieces straight to the stock."""
    return replace(state, stock=added(state.stock, item, count))


def put_away(state: State, item: Stocked, count: int = 1) -> State:
    """Lay pieces on the discard: they come back when the stock has run out."""
    return replace(state, discard=added(state.discard, item, count)) if count else state


def put_away_all(state: State, pieces: Mapping[Stocked, int]) -> State:
    for item, count in pieces.items():
        state = put_away(state, item, count)
    return state


def gain(referee: Referee, state: State, seat: int, item: Item, count: int) -> State:
    """Give a duke up to `count` of an item, as far as inventory and supply allow, and say what came of it."""
    duke = state.dukes[seat]
    state, got = take(referee, state, item, min(count, room_for(duke, item)))
    name = state.seats[seat]
    if got:
        referee.note(f"{name} gains {amount(got, item)}.", seat=seat, what=item, change=got)
    if got < count:
        full = got == room_for(duke, item)
        why, rule = ("the inventory is full", "inventory.limit") if full else ("no more are left", "supply.limited")
        referee.note(f"{amount(count - got, item).capitalize()} not gained: {why}.", seat=seat, rule=rule)
    return with_duke(state, seat, held=added(duke.held, item, got))


def gain_card(state: State, seat: int, card: Card) -> State:
    """Put a room card (already off its slot) into a duke's inventory."""
    return with_duke(state, seat, cards=(*state.dukes[seat].cards, card))


def spend(referee: Referee, state: State, seat: int, coins: int, rule: str) -> State:
    """Pay coins, or be refused under a rule."""
    duke = state.dukes[seat]
    if duke.coins < coins:
        referee.refuse(rule, f"{state.seats[seat]} has {amount(duke.coins, 'coin')} and needs {coins}.")
    paid = min(coins, duke.coins)
    referee.note(f"{state.seats[seat]} pays {amount(paid, 'coin')}.", seat=seat, what="coins", change=-paid)
    return with_duke(state, seat, coins=duke.coins - paid)
