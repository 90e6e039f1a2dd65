"""The course of a game: how rounds and their steps lead on. What people do within a step is in the other modules."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Referee
from companion.rules.castle_for_all_seasons import castle
from companion.rules.castle_for_all_seasons.state import (
    CARDS,
    WINTER_CARDS,
    Builder,
    Card,
    Damsel,
    Laid,
    Settling,
    State,
    WinterCard,
)
from companion.rules.castle_for_all_seasons.supply import amount, earn, gifts, score, take_home

DAMSEL_POINTS = 8
PER_POINT_TALERS = {1: 2, 2: 1}
"""Talers a point costs in the market, by how many helpers one has there."""
_CARDS_OF_TWO_PLAYERS = 2


# Cards


def hand(builder: Builder) -> tuple[Card, ...]:
    """The cards in a hand; those laid for this round and not revealed are still counted."""
    return tuple(card for card in CARDS if card not in builder.played and card not in builder.lost)


def may_play_master_builder(state: State, seat: int) -> bool:
    """Not in the first round, and not when nothing lies out to be taken back."""
    return state.round > 1 and bool(state.builders[seat].played)


def laid(builder: Builder) -> tuple[Card, ...]:
    """The cards a builder has laid, in that order, as far as their faces are known here."""
    return tuple(card for face in builder.laid for card in CARDS if card == face)


def cards_missing(state: State, seat: int) -> int:
    """How many cards a seat must still lay this round."""
    builder = state.builders[seat]
    playable = [card for card in hand(builder) if card != "master-builder" or may_play_master_builder(state, seat)]
    wanted = _CARDS_OF_TWO_PLAYERS if len(state.seats) == 2 else 1
    return max(0, min(wanted, len(playable)) - len(laid(builder)))


def everyone_laid(state: State) -> bool:
    return not any(cards_missing(state, seat) for seat in range(len(state.seats)))


def card_name(card: Laid) -> str:
    """
    >>> card_name("wood-worker"), card_name("master-builder")
    ('the worker with wood and silver', 'the master builder')
    """
    return _CARD_NAMES.get(card, f"the {card.replace('-', ' ')}")


_CARD_NAMES: dict[str, str] = {
    "wood-worker": "the worker with wood and silver",
    "sand-worker": "the worker with sand and clay",
    "stone-worker": "the worker with stone and two free pieces",
    "face-down": "a card face down",
}


# Rounds


def start_round(referee: Referee, state: State) -> State:
    """The starting player takes the taler of the highest round space."""
    builders = tuple(replace(builder, erected=0, placed=()) for builder in state.builders)
    state = replace(state, round=state.round + 1, builders=builders)
    taler = min(1, state.spaces)
    name = state.seats[state.first]
    text = f"Round {state.round} of {state.rounds}: {name} is starting player and takes {amount(taler, 'taler')}."
    referee.note(text, seat=state.first, what="talers", change=taler, rule="round.taler")
    state = earn(replace(state, spaces=state.spaces - taler), state.first, taler)
    damsel = state.winter.damsel if state.winter else None
    return start_courting(referee, state) if damsel and damsel.declared else start_laying(state)


def start_laying(state: State) -> State:
    """Players lay cards; where the table enters them as revealed, that comes after the winter card."""
    return replace(state, phase="lay") if state.options.cards == "secret" else after_laying(state)


def after_laying(state: State) -> State:
    """All cards lie face down: a winter card where the round space shows one, then the reveal."""
    return replace(state, phase="draw" if winter_card_due(state) else "reveal")


def winter_card_due(state: State) -> bool:
    marked = state.printed.winter or ()
    return state.winter is not None and state.space in marked and bool(winter_deck(state))


def winter_deck(state: State) -> tuple[WinterCard, ...]:
    """The winter cards not drawn yet."""
    drawn = state.winter.drawn if state.winter else ()
    without = () if state.options.fireplace else ("fireplace",)
    return tuple(card for card in WINTER_CARDS if card not in drawn and card not in without)


def winter_goes_on(state: State) -> State:
    """Once everybody has paid the winter card, the cards are revealed."""
    assert state.winter is not None
    return replace(state, phase="winter" if state.winter.pending else "reveal")


def end_round(referee: Referee, state: State) -> State:
    """The marker passes on, or the game ends: by rounds, or with the last building."""
    state = replace(state, turn=None)
    if state.round >= state.rounds or not state.tiles:
        return start_final(referee, state)
    return start_round(referee, replace(state, first=state.order[1]))


# Courting the damsel


def start_courting(referee: Referee, state: State) -> State:
    """Everyone not out is asked for a gift, from the starting player on."""
    assert state.winter is not None
    assert state.winter.damsel is not None
    asked = tuple(seat for seat in state.order if seat not in state.winter.damsel.out)
    return courting_goes_on(referee, with_damsel(state, replace(state.winter.damsel, asked=asked)))


def courting_goes_on(referee: Referee, state: State) -> State:
    """Those with nothing to give drop out; the last one left wins; then the round goes on."""
    damsel = _damsel(state)
    while damsel.asked and not _can_give(state, damsel.asked[0]) and not _winner(state, damsel):
        seat = damsel.asked[0]
        referee.note(f"{state.seats[seat]} has nothing to give and drops out.", seat=seat, rule="winter.damsel-out")
        damsel = replace(damsel, asked=damsel.asked[1:], out=(*damsel.out, seat))
    state = with_damsel(state, damsel)
    winner = _winner(state, damsel)
    if winner:
        return _win_damsel(referee, state, winner[0])
    return replace(state, phase="court") if damsel.asked else start_laying(state)


def _can_give(state: State, seat: int) -> bool:
    builder = state.builders[seat]
    return bool(gifts(builder.talers, builder.held))


def _winner(state: State, damsel: Damsel) -> list[int]:
    """The only one left, once he has given something."""
    left = [seat for seat in state.order if seat not in damsel.out]
    return left if len(left) == 1 and left[0] in damsel.gave else []


def _win_damsel(referee: Referee, state: State, winner: int) -> State:
    damsel = _damsel(state)
    state = score(referee, state, winner, DAMSEL_POINTS, "the damsel of the castle", "winter.damsel-won")
    sharing = tuple(seat for seat in state.order if seat != winner)
    return sharing_goes_on(referee, with_damsel(state, replace(damsel, asked=(), sharing=sharing)))


def sharing_goes_on(referee: Referee, state: State) -> State:
    """Until the damsel's card is empty; then it leaves the game."""
    damsel = _damsel(state)
    if gifts(damsel.talers, damsel.pieces):
        return replace(state, phase="share")
    assert state.winter is not None
    return start_laying(replace(state, winter=replace(state.winter, damsel=None)))


def _damsel(state: State) -> Damsel:
    assert state.winter is not None
    assert state.winter.damsel is not None
    return state.winter.damsel


def with_damsel(state: State, damsel: Damsel) -> State:
    """The state with the damsel's card changed."""
    assert state.winter is not None
    return replace(state, winter=replace(state.winter, damsel=damsel))


# The end


def start_final(referee: Referee, state: State) -> State:
    """Trader's helpers leave the board; market and palace owners decide what to convert."""
    referee.note("The last round is over. The helpers leave the carts.", rule="end.carts")
    for cart in tuple(state.posts):
        state = take_home(state, cart)
    market = [Settling(seat=seat, place="market") for seat in state.order if _can_trade(state, seat)]
    palace = [Settling(seat=seat, place="palace") for seat in state.order if _can_convert(state, seat)]
    return final_goes_on(replace(state, phase="final", settling=(*market, *palace)))


def _can_trade(state: State, seat: int) -> bool:
    helpers = castle.helpers_of(state, seat, "market")
    return helpers > 0 and state.builders[seat].talers >= PER_POINT_TALERS[helpers]


def _can_convert(state: State, seat: int) -> bool:
    return castle.helpers_of(state, seat, "palace") > 0 and bool(state.builders[seat].held)


def final_goes_on(state: State) -> State:
    return state if state.settling else replace(state, phase="over", over=True)
