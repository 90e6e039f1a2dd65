"""Choosing character cards, flipping them over, equipping the worker who may choose."""

from __future__ import annotations

from companion.rules.base import Handlers, Referee
from companion.rules.castle_for_all_seasons.actions import Equip, LayCard, Reveal
from companion.rules.castle_for_all_seasons.execution import equip, equipping_goes_on, free_pieces, reveal
from companion.rules.castle_for_all_seasons.phases import (
    after_laying,
    cards_missing,
    everyone_laid,
    hand,
    laid,
    may_play_master_builder,
)
from companion.rules.castle_for_all_seasons.state import State
from companion.rules.castle_for_all_seasons.supply import with_builder


def lay_card(referee: Referee, state: State, action: LayCard) -> State:
    """Lay a card. Until the reveal nothing that is said or noted tells which."""
    seat, builder = action.seat, state.builders[action.seat]
    name = state.seats[seat]
    if state.phase not in ("lay", "reveal") or not cards_missing(state, seat):
        referee.impossible("cards.lay", f"{name} has no card to lay now.")
    if action.card not in hand(builder) or action.card in builder.laid:
        referee.impossible("cards.hand", f"{name} does not have that card in hand.")
    if action.card == "master-builder":
        _check_master_builder(referee, state, seat)
    state = with_builder(state, seat, laid=(*laid(builder), action.card))
    if state.options.cards == "table":
        return reveal(referee, state) if everyone_laid(state) else state
    referee.note(f"{name} lays a card face down.", seat=seat, rule="cards.secret")
    return after_laying(state) if state.phase == "lay" and everyone_laid(state) else state


def _check_master_builder(referee: Referee, state: State, seat: int) -> None:
    """While cards are chosen in secret no overruling is possible: it would tell the card."""
    deny = referee.impossible if state.options.cards == "secret" else referee.refuse
    if state.round <= 1:
        deny("master.first-round", "The master builder may not be played in the first round.")
    elif not may_play_master_builder(state, seat):
        deny("master.all-cards", f"{state.seats[seat]} holds all cards, so the master builder may not be played.")


def flip(referee: Referee, state: State, action: Reveal) -> State:
    """All flip over their cards."""
    if state.phase != "reveal" or not everyone_laid(state):
        referee.impossible("cards.reveal", "Not everybody has laid a card that can be flipped over.")
    return reveal(referee, state)


def choose_pieces(referee: Referee, state: State, action: Equip) -> State:
    """The free pieces of the worker with the stone block."""
    waiting = state.phase == "equip" and state.equipping and state.equipping[0].seat == action.seat
    if not waiting:
        referee.impossible("worker.equip", f"{state.seats[action.seat]} has no worker to equip now.")
    kinds = tuple(sorted(action.kinds))
    if kinds not in [tuple(sorted(way)) for way in free_pieces(state)]:
        referee.impossible("worker.free", "The worker gets two pieces of sand, wood and clay that the carts have.")
    return equipping_goes_on(referee, equip(referee, state, action.kinds))


HANDLERS: Handlers[State] = {LayCard: lay_card, Reveal: flip, Equip: choose_pieces}
