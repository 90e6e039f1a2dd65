"""Phases 6 to 8: the market, the workers, the merchants."""

from __future__ import annotations

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dice import phases
from companion.rules.castle_dice.actions import GoToMarket, StopTrading, UseMerchant, WorkersProduce
from companion.rules.castle_dice.decks import draw
from companion.rules.castle_dice.leads import produced
from companion.rules.castle_dice.state import ANIMALS, RESOURCE_CAP, RESOURCES, Resource, State
from companion.rules.castle_dice.supply import gain, lose_animals, spend, with_player


def go_to_market(referee: Referee, state: State, action: GoToMarket) -> State:
    """Trade sets of animals for market cards; on a holiday all of them (market.set, market.holiday)."""
    seat, name = action.seat, state.names[action.seat]
    can = phases.sets_for_sale(state, seat)
    if action.sets > can:
        referee.impossible("market.set", f"{name} can trade {can} {'set' if can == 1 else 'sets'} of the four animals.")
    if state.phase != "market":
        referee.refuse("turn.phases", "Animals go to market in phase 6, not now.")
    elif state.active != seat:
        referee.refuse("turn.order", f"It is not {name}'s turn at the market.")
    elif state.holiday and action.sets < can:
        referee.refuse("market.holiday", f"On a holiday {name} must trade {can} {'set' if can == 1 else 'sets'}.")
    for animal in ANIMALS:
        state = lose_animals(referee, state, seat, animal, action.sets, "market.set")
    state = draw(referee, state, seat, "market", action.sets)
    if state.phase == "market" and state.active == seat:
        return phases.next_at_market(referee, state)
    return state


def workers_produce(referee: Referee, state: State, action: WorkersProduce) -> State:
    """Everyone's workers produce at once (workers.produce)."""
    if state.phase != "workers":
        referee.impossible("turn.phases", "Workers produce in phase 7, not now.")
    for seat in state.order:
        for resource in produced(state.players[seat]):
            state = gain(referee, state, seat, resource, 1, "workers.produce")
    return phases.begin_merchants(referee, state)


def rarer(resource: Resource) -> Resource | None:
    """The next rarer resource.

    >>> rarer("wood"), rarer("iron")
    ('stone', None)
    """
    place = RESOURCES.index(resource) + 1
    return RESOURCES[place] if place < len(RESOURCES) else None


def use_merchant(referee: Referee, state: State, action: UseMerchant) -> State:
    """One resource becomes one of the next rarer (merchants.trade)."""
    seat, low = action.seat, action.resource
    high = rarer(low)
    if high is None:
        referee.impossible("merchants.trade", "Nothing is rarer than iron.")
    _check_merchant(referee, state, seat)
    if not state.players[seat].resources[low]:
        referee.impossible("silo.have", f"{state.names[seat]} has no {low}.")
    if state.players[seat].resources[high] >= RESOURCE_CAP:
        why = f"{state.names[seat]} already has {RESOURCE_CAP} {high}."
        referee.impossible("ruling.merchant-not-past-9", why)
    state = gain(referee, spend(referee, state, seat, {low: 1}), seat, high, 1, "merchants.trade")
    state = with_player(state, seat, trades=state.players[seat].trades + 1)
    if state.phase != "merchants" or phases.tradeable(state.players[seat]):
        return state
    return phases.merchants_go_on(referee, with_player(state, seat, done=True))


def _check_merchant(referee: Referee, state: State, seat: int) -> None:
    player, name = state.players[seat], state.names[seat]
    if state.phase != "merchants":
        referee.refuse("turn.phases", "Merchants work in phase 8, not now.")
    elif player.trades >= player.merchants:
        referee.refuse("merchants.trade", f"{name} has used every merchant.")
    elif player.done:
        referee.refuse("merchants.trade", f"{name} is done with the merchants.")


def stop_trading(referee: Referee, state: State, action: StopTrading) -> State:
    """No more merchants this turn."""
    if state.phase != "merchants" or state.players[action.seat].done:
        referee.impossible("turn.phases", f"{state.names[action.seat]} has no merchant to use now.")
    return phases.merchants_go_on(referee, with_player(state, action.seat, done=True))


HANDLERS: Handlers[State] = {
    GoToMarket: go_to_market,
    WorkersProduce: workers_produce,
    UseMerchant: use_merchant,
    StopTrading: stop_trading,
}
