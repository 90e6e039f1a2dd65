"""What coins buy besides rooms: floor tiles, pillars, construction cards; and making room in the inventory.

Free coins of the set-up are spent in the `opening` phase, all others in the Building Phase until a duke declares to be
done or begins to place.
"""

from __future__ import annotations

from typing import Literal

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dukes import phases
from companion.rules.castle_dukes.actions import (
    DiscardItem,
    DiscardRoom,
    DrawConstruction,
    DrawTile,
    StopBuying,
    TakePillars,
)
from companion.rules.castle_dukes.state import Duke, State, Stocked
from companion.rules.castle_dukes.supply import (
    added,
    amount,
    available,
    gain,
    limit,
    put_away,
    room_for,
    spend,
    take,
    with_duke,
)

_TILE_COINS = 1
_PILLARS_COINS = 1
_CONSTRUCTION_COINS = 4
_PILLARS_BOUGHT = 2

Bought = Literal["tile", "pillar"]


def duke_in(referee: Referee, state: State, seat: int) -> Duke:
    """The duke of a seat, if anyone sits there."""
    if seat >= len(state.dukes):
        referee.impossible("turn.seat", f"There is no seat {seat}: the seats are 0 to {len(state.dukes) - 1}.")
    return state.dukes[seat]


def tracked(referee: Referee, state: State, seat: int) -> Duke:
    """The duke of a seat whose pieces the companion keeps track of, as it does in a full game."""
    duke = duke_in(referee, state, seat)
    if state.options.detail == "light":
        referee.impossible("light.only", f"This is a light game: {state.seats[seat]}'s pieces are not tracked.")
    return duke


# Buying


def draw_tile(referee: Referee, state: State, action: DrawTile) -> State:
    """A floor tile for 1 coin (rulebook, Building Phase)."""
    return _buy(referee, state, action.seat, "tile", 1, _TILE_COINS)


def take_pillars(referee: Referee, state: State, action: TakePillars) -> State:
    """Two pillars for 1 coin, or the one that still fits (ruling.pillars-what-fits)."""
    return _buy(referee, state, action.seat, "pillar", _PILLARS_BOUGHT, _PILLARS_COINS)


def draw_construction(referee: Referee, state: State, action: DrawConstruction) -> State:
    """A construction card for 4 coins: its items go to the inventory, the card to the discard."""
    seat = action.seat
    tracked(referee, state, seat)
    _check_acquiring(referee, state, seat)
    if state.phase == "opening":
        why = f"{state.seats[seat]}'s free coins buy floor tiles and pillars, not construction cards."
        referee.refuse("building.free-coins-last", why)
    _check_supply(referee, state, "construction")
    state = spend(referee, state, seat, _CONSTRUCTION_COINS, "building.acquire")
    state, drawn = take(referee, state, "construction", 1)
    state = put_away(state, "construction", drawn)
    referee.note(f"{state.seats[seat]} draws a construction card.", seat=seat, rule="construction.items")
    for item, count in action.items.items():
        state = gain(referee, state, seat, item, count)
    return opening_through(referee, state)


def stop_buying(referee: Referee, state: State, action: StopBuying) -> State:
    """Declare to be done with acquiring this turn (rulebook, Building Phase)."""
    duke = duke_in(referee, state, action.seat)
    if state.phase == "opening":
        why = f"{state.seats[action.seat]} must spend {amount(duke.coins, 'free coin')} before the first turn."
        referee.refuse("setup.free-coins", why)
        return opening_through(referee, with_duke(state, action.seat, coins=0))
    _check_acquiring(referee, state, action.seat)
    return declared(referee, state, action.seat)


def declared(referee: Referee, state: State, seat: int) -> State:
    """A duke turns from acquiring to placing: what coins are left can no longer be spent."""
    coins = state.dukes[seat].coins
    left = f": {amount(coins, 'coin')} can no longer be spent" if coins else ""
    referee.note(f"{state.seats[seat]} is done acquiring{left}.", seat=seat, rule="building.declared")
    return with_duke(state, seat, stage="placing")


def opening_through(referee: Referee, state: State) -> State:
    """In the opening: take coins that cannot buy anything, and begin the first turn when none is left."""
    if state.phase != "opening":
        return state
    for seat, duke in enumerate(state.dukes):
        if duke.coins and not _can_spend(state, duke):
            text = f"{state.seats[seat]} loses {amount(duke.coins, 'free coin')}: nothing more fits."
            referee.note(text, seat=seat, what="coins", change=-duke.coins, rule="ruling.late-coins")
            state = with_duke(state, seat, coins=0)
    if any(duke.coins for duke in state.dukes):
        return state
    return phases.end_opening(referee, state)


def _can_spend(state: State, duke: Duke) -> bool:
    items: tuple[Bought, ...] = ("tile", "pillar")
    return any(room_for(duke, item) and available(state, item) for item in items)


def _buy(referee: Referee, state: State, seat: int, item: Bought, count: int, coins: int) -> State:
    duke = tracked(referee, state, seat)
    _check_acquiring(referee, state, seat)
    fitting = _fitting(referee, duke, state.seats[seat], item, count)
    _check_supply(referee, state, item)
    state = spend(referee, state, seat, coins, "setup.free-coins" if state.phase == "opening" else "building.acquire")
    state, got = take(referee, state, item, fitting)
    rule = "ruling.pillars-what-fits" if got < count else "building.acquire"
    referee.note(f"{state.seats[seat]} gains {amount(got, item)}.", seat=seat, what=item, change=got, rule=rule)
    state = with_duke(state, seat, held=added(state.dukes[seat].held, item, got))
    return opening_through(referee, state)


def _check_acquiring(referee: Referee, state: State, seat: int) -> None:
    if state.phase == "opening":
        return
    if state.phase != "building":
        referee.refuse("turn.phases", f"{state.seats[seat]} acquires items in the Building Phase, not now.")
    elif state.dukes[seat].stage != "acquiring":
        referee.refuse("building.declared", f"{state.seats[seat]} is done acquiring for this turn.")


def _check_supply(referee: Referee, state: State, item: Stocked) -> None:
    if not available(state, item):
        referee.impossible("supply.limited", f"There are {amount(0, item)} left to take.")


def _fitting(referee: Referee, duke: Duke, name: str, item: Bought, count: int) -> int:
    """How many of those bought the inventory takes; all of them when the table overrules its limit."""
    if room_for(duke, item):
        return min(count, room_for(duke, item))
    rule = "inventory.pillars" if item == "pillar" else "inventory.limit"
    referee.refuse(rule, f"{name} already holds {amount(duke.held[item], item)}; the limit is {limit(item)}.")
    return count


# Making room


def discard_item(referee: Referee, state: State, action: DiscardItem) -> State:
    """Put items of the inventory away (rulebook, Drawing from the Construction Deck)."""
    seat, item = action.seat, action.item
    duke = _check_discarding(referee, state, seat)
    held = duke.held.get(item, 0)
    if action.count > held:
        referee.impossible("inventory.have", f"{state.seats[seat]} holds {amount(held, item)}, not {action.count}.")
    text = f"{state.seats[seat]} discards {amount(action.count, item)}."
    referee.note(text, seat=seat, what=item, change=-action.count)
    state = with_duke(state, seat, held=added(duke.held, item, -action.count))
    return put_away(state, item, action.count)


def discard_room(referee: Referee, state: State, action: DiscardRoom) -> State:
    """Put a room card of the inventory away."""
    seat = action.seat
    cards = _check_discarding(referee, state, seat).cards
    if action.card >= len(cards):
        why = f"{state.seats[seat]} holds {amount(len(cards), 'room')}: there is no number {action.card}."
        referee.impossible("inventory.have", why)
    referee.note(f"{state.seats[seat]} discards {cards[action.card].name}.", seat=seat, what="room", change=-1)
    state = with_duke(state, seat, cards=cards[: action.card] + cards[action.card + 1 :])
    return put_away(state, "room")


def _check_discarding(referee: Referee, state: State, seat: int) -> Duke:
    duke = tracked(referee, state, seat)
    if state.phase == "building" and duke.stage == "done":
        referee.refuse("building.finished", f"{state.seats[seat]} has finished building this turn.")
    elif state.phase not in ("opening", "building"):
        referee.refuse("turn.phases", f"{state.seats[seat]} puts items away in the Building Phase, not now.")
    return duke


HANDLERS: Handlers[State] = {
    DrawTile: draw_tile,
    TakePillars: take_pillars,
    DrawConstruction: draw_construction,
    StopBuying: stop_buying,
    DiscardItem: discard_item,
    DiscardRoom: discard_room,
}
