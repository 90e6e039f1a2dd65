"""Phase 2: laying cards down, drawing, telling the companion what one holds (Choose and Draw Cards)."""

from __future__ import annotations

from collections import Counter

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dice import phases
from companion.rules.castle_dice.actions import DiscardCard, DrawCards, NameCards
from companion.rules.castle_dice.cards import face_down, shown
from companion.rules.castle_dice.decks import discarded, draw, hand, leave_hand, printed, undrawn
from companion.rules.castle_dice.leads import hand_size
from companion.rules.castle_dice.state import HAND_DECKS, HandDeck, State
from companion.rules.castle_dice.supply import plus, with_player
from companion.rules.counts import added


def _may_change_hand(referee: Referee, state: State, seat: int) -> None:
    """Cards are laid down and drawn in one's turn of phase 2, or under a Maiden."""
    if state.players[seat].maiden is not None:
        return
    if state.phase != "cards":
        referee.refuse("turn.phases", "Cards are discarded and drawn in phase 2, not now.")
    elif state.active != seat:
        referee.refuse("turn.order", f"It is not {state.names[seat]}'s turn to draw.")


def discard_card(referee: Referee, state: State, action: DiscardCard) -> State:
    """Lay a card of the hand on its discard pile."""
    seat = action.seat
    _may_change_hand(referee, state, seat)
    if action.card:
        state = _discard_named(referee, state, seat, action.card)
    else:
        state = _discard_unnamed(referee, state, action)
    maiden = state.players[seat].maiden
    return state if maiden is None else with_player(state, seat, maiden=maiden + 1)


def _discard_named(referee: Referee, state: State, seat: int, name: str) -> State:
    held = printed(referee, state, name)
    if held.deck == "market":
        referee.refuse("cards.market-apart", "Market cards are not discarded with the hand.")
    state = leave_hand(referee, state, seat, held)
    referee.note(f"{state.names[seat]} discards {shown(state, name)}.", seat=seat, what=f"{held.deck} cards", change=-1)
    return discarded(state, held.deck, name)


def _discard_unnamed(referee: Referee, state: State, action: DiscardCard) -> State:
    seat, deck = action.seat, action.deck
    if deck is None:
        referee.impossible("cards.have", "Name the card, or the deck it is from.")
    hidden = state.players[seat].hidden
    if not hidden[deck]:
        referee.impossible("cards.have", f"{state.names[seat]} holds no {deck} card that is not named.")
    referee.note(f"{state.names[seat]} discards a {deck} card.", seat=seat, what=f"{deck} cards", change=-1)
    return discarded(with_player(state, seat, hidden=plus(hidden, {deck: -1})), deck, "")


def due(state: State, seat: int) -> int:
    """How many cards a seat draws now; below 0 it must lay some down first (ruling.hand-too-big)."""
    laid = state.players[seat].maiden
    wanted = hand_size(state, seat) - hand(state, seat) if laid is None else laid
    return min(wanted, sum(undrawn(state, deck) for deck in HAND_DECKS))


def draw_cards(referee: Referee, state: State, action: DrawCards) -> State:
    """Draw from the two decks up to the hand size, or as many as a Maiden laid down."""
    seat = action.seat
    _may_change_hand(referee, state, seat)
    _check_draw(referee, state, action)
    for deck, count in _asked(action).items():
        state = draw(referee, state, seat, deck, count)
    if state.players[seat].maiden is not None:
        return with_player(state, seat, maiden=None)
    drawing = state.phase == "cards" and state.active == seat
    return phases.next_to_draw(referee, state) if drawing else state


def _check_draw(referee: Referee, state: State, action: DrawCards) -> None:
    wanted = due(state, action.seat)
    name = state.names[action.seat]
    if wanted < 0:
        referee.refuse("ruling.hand-too-big", f"{name} holds {-wanted} too many cards and discards first.")
    elif action.castle + action.village != wanted:
        referee.refuse("cards.hand", f"{name} draws {wanted} {'card' if wanted == 1 else 'cards'} now.")
    for deck, count in _asked(action).items():
        if count > undrawn(state, deck):
            referee.refuse("cards.reshuffle", f"The {deck} deck has {undrawn(state, deck)} cards left.")


def _asked(action: DrawCards) -> dict[HandDeck, int]:
    return {"castle": action.castle, "village": action.village}


def name_cards(referee: Referee, state: State, action: NameCards) -> State:
    """Tell which of the hidden cards are which; only that seat sees it (ruling.hands-counted)."""
    seat = action.seat
    for name, count in Counter(action.cards).items():
        held = printed(referee, state, name)
        player = state.players[seat]
        if player.hidden[held.deck] < count:
            why = f"{state.names[seat]} has {player.hidden[held.deck]} {held.deck} cards still to tell."
            referee.impossible("cards.have", why)
        if face_down(state)[name] < count:
            referee.refuse("cards.have", "There are not that many of a card that was told.")
        state = with_player(
            state, seat, hidden=plus(player.hidden, {held.deck: -count}), cards=added(player.cards, name, count)
        )
    referee.note(f"{state.names[seat]} has told the companion what was drawn.", seat=seat)
    return state


HANDLERS: Handlers[State] = {DiscardCard: discard_card, DrawCards: draw_cards, NameCards: name_cards}
