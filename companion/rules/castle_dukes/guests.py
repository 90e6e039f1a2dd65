"""Guest Phase: the cards are turned up and the winners house their guests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dukes import castle
from companion.rules.castle_dukes.actions import HouseGuest, RevealGuests
from companion.rules.castle_dukes.phases import (
    anyone_rearranging,
    big_game,
    fire_counts,
    guest_gone,
    receive_guests,
    settle_guest,
    start_dragon,
)
from companion.rules.castle_dukes.placing import pointing
from companion.rules.castle_dukes.state import Guest, GuestCard, State, Visit

MAIN: dict[Guest, int] = {"king": 3, "princess": 5, "knight": 4}
SMALL: dict[Guest, int] = {"king": 4, "princess": 4, "knight": 4}
FIRES = 4
CARDS = 12
_BOTH_GUESTS_FROM = 3
_ALL_GUESTS_FROM = 7

T = TypeVar("T")


def cards_a_turn(state: State) -> int:
    """How many guest cards are turned up."""
    return 2 if big_game(state) else 1


def reveal_guests(referee: Referee, state: State, action: RevealGuests) -> State:
    """Turn up the cards: the dragon first if it comes, then the guests."""
    if state.phase != "guest-card":
        referee.refuse("turn.phases", "Guest cards are turned up in the Guest Phase, after building.")
    if anyone_rearranging(state):
        referee.refuse("crumble.replace", "First every castle is put right.")
    if len(action.cards) != cards_a_turn(state):
        rule = "big.cards" if big_game(state) else "guest.cards"
        referee.refuse(rule, f"{cards_a_turn(state)} guest card(s) are turned up, not {len(action.cards)}.")
    _check_deck(referee, state, action.cards)
    for card in action.cards:
        fire = ", with fire" if card.fire else ""
        referee.note(f"Guest card: {card.main}, small {card.small}{fire}.", rule="guest.cards")
    state = replace(state, guest_cards=(*state.guest_cards, *action.cards), guests=coming(state, action.cards))
    if fire_counts(state) and any(card.fire for card in action.cards):
        return start_dragon(referee, state)
    return receive_guests(referee, state)


def coming(state: State, cards: tuple[GuestCard, ...]) -> tuple[Guest, ...]:
    """Which guests of the cards come, in order."""
    players = len(state.dukes)
    if players < _BOTH_GUESTS_FROM:
        return tuple(card.main for card in cards)
    guests = [guest for card in cards for guest in (card.main, card.small)]
    return tuple(guests[:-1]) if big_game(state) and players < _ALL_GUESTS_FROM else tuple(guests)


def house_guest(referee: Referee, state: State, action: HouseGuest) -> State:
    """The winner says in which room the guest lives."""
    if state.visit is None or action.seat not in state.visit.seats:
        referee.impossible("guest.highest", f"No guest is waiting for {state.seats[action.seat]}.")
    visit = state.visit
    guest = visit.guest
    with pointing(referee, "guest.slot"):
        room = castle.room_at(state.dukes[action.seat].castle, action.tower, action.level, action.room)
    if not castle.free_slots(room, guest):
        referee.refuse("guest.slot", f"{room.card.name} has no free slot for a {guest}.")
    state = settle_guest(referee, state, action.seat, guest, (action.tower, action.level, action.room))
    seats = tuple(seat for seat in visit.seats if seat != action.seat)
    if seats:
        return replace(state, visit=Visit(guest=guest, seats=seats))
    return receive_guests(referee, guest_gone(state))


class Unseen(NamedTuple):
    """What the guest cards still in the deck show, each icon by itself: how they pair up is not known."""

    main: Counter[Guest]
    small: Counter[Guest]
    fire: Counter[bool]


def unseen(state: State) -> Unseen:
    """What is left of the totals the rulebook gives (Guest Phase)."""
    seen, sets = state.guest_cards, state.sets
    return Unseen(
        main=_times(MAIN, sets) - Counter(card.main for card in seen),
        small=_times(SMALL, sets) - Counter(card.small for card in seen),
        fire=_times({True: FIRES, False: CARDS - FIRES}, sets) - Counter(card.fire for card in seen),
    )


def _times(counts: Mapping[T, int], sets: int) -> Counter[T]:
    return Counter({icon: count * sets for icon, count in counts.items()})


def _check_deck(referee: Referee, state: State, cards: tuple[GuestCard, ...]) -> None:
    left = unseen(state)
    missing = (
        Counter(card.main for card in cards) - left.main,
        Counter(card.small for card in cards) - left.small,
        Counter(card.fire for card in cards) - left.fire,
    )
    if any(missing):
        referee.refuse("guest.deck", "The guest deck does not hold that many such cards.")


HANDLERS: Handlers[State] = {RevealGuests: reveal_guests, HouseGuest: house_guest}
