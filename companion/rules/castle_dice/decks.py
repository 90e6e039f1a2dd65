"""The three decks and the cards held from them. Drawing is unseen: a card is known when it is told or shown."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Referee
from companion.rules.castle_dice.cards import card, may_be_held, shown
from companion.rules.castle_dice.state import HAND_DECKS, Card, Deck, DeckId, Player, State
from companion.rules.castle_dice.supply import plus, with_player
from companion.rules.counts import added


def in_hand(state: State, player: Player, deck: DeckId) -> int:
    """How many cards of a deck a player holds, told and hidden."""
    told = sum(count for name, count in player.cards.items() if _deck(state, name) == deck)
    return told + player.hidden[deck]


def hand(state: State, seat: int) -> int:
    """How many cards count towards a seat's hand (cards.market-apart)."""
    return sum(in_hand(state, state.players[seat], deck) for deck in HAND_DECKS)


def _deck(state: State, name: str) -> DeckId | None:
    found = card(state, name)
    return found.deck if found else None


def printed(referee: Referee, state: State, name: str) -> Card:
    """A card by name, or impossible when nobody has told us of it."""
    found = card(state, name)
    if found is None:
        referee.impossible("card.learned", f"The companion knows no card called '{name}': read it out first.")
    return found


# Decks


def undrawn(state: State, deck: DeckId) -> int:
    """How many cards of a deck can still be drawn, its discard pile included."""
    pile = state.decks[deck]
    return pile.draw + pile.unnamed + sum(pile.discard.values())


def draw(referee: Referee, state: State, seat: int, deck: DeckId, count: int) -> State:
    """Draw cards unseen; a deck that runs out is made new from its discard pile (cards.reshuffle)."""
    pile = state.decks[deck]
    count = min(count, undrawn(state, deck))
    if count > pile.draw:
        referee.note(f"The {deck} deck has run out: its discard pile is shuffled.", rule="cards.reshuffle")
        pile = Deck(draw=undrawn(state, deck))
    if count:
        text = f"{state.names[seat]} draws {count} {deck} {'card' if count == 1 else 'cards'}."
        referee.note(text, seat=seat, what=f"{deck} cards", change=count)
    state = replace(state, decks={**state.decks, deck: replace(pile, draw=pile.draw - count)})
    return with_player(state, seat, hidden=plus(state.players[seat].hidden, {deck: count}))


def discarded(state: State, deck: DeckId, name: str) -> State:
    """A card goes to its discard pile, by name or without one."""
    pile = state.decks[deck]
    laid = replace(pile, discard=added(pile.discard, name, 1)) if name else replace(pile, unnamed=pile.unnamed + 1)
    return replace(state, decks={**state.decks, deck: laid})


def leave_hand(referee: Referee, state: State, seat: int, held: Card) -> State:
    """A card that is shown leaves the hand: a told one, else one of the hidden."""
    player, name = state.players[seat], held.name
    if player.cards.get(name):
        return with_player(state, seat, cards=added(player.cards, name, -1))
    if player.hidden[held.deck]:
        if not may_be_held(state, held):
            referee.refuse("cards.have", f"Every {shown(state, name)} of the box lies elsewhere.")
        return with_player(state, seat, hidden=plus(player.hidden, {held.deck: -1}))
    referee.refuse("cards.have", f"{state.names[seat]} holds no {shown(state, name)}.")
    pile = state.decks[held.deck]
    if not pile.draw:
        referee.impossible("cards.have", f"There is no {held.deck} card left it could be.")
    return replace(state, decks={**state.decks, held.deck: replace(pile, draw=pile.draw - 1)})


def play_away(referee: Referee, state: State, seat: int, name: str) -> State:
    """Play a card of the hand onto its discard pile."""
    held = printed(referee, state, name)
    state = leave_hand(referee, state, seat, held)
    referee.note(f"{state.names[seat]} plays {shown(state, name)}.", seat=seat, what=name, change=-1)
    return discarded(state, held.deck, name)
