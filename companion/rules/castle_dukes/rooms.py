"""Room Phase: what lies on the game board, and who buys it."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dukes.actions import NameRoom, PassRooms, TakeRoom
from companion.rules.castle_dukes.phases import big_game, can_buy, next_buyer, with_board
from companion.rules.castle_dukes.state import Bonus, Card, Slot, State
from companion.rules.castle_dukes.supply import CARD_LIMIT, gain, gain_card, spend, with_duke


def name_room(referee: Referee, state: State, action: NameRoom) -> State:
    """Enter which card lies in a slot."""
    slot = filled_slot(referee, state, action.board, action.slot)
    return with_slot(state, action.board, action.slot, replace(slot, card=action.card))


def take_room(referee: Referee, state: State, action: TakeRoom) -> State:
    """Buy a room: its price, its card, its bonus."""
    seat = action.seat
    _check_buyer(referee, state, seat)
    slot = filled_slot(referee, state, action.board, action.slot)
    card = _card(referee, slot, action)
    if len(state.dukes[seat].cards) >= CARD_LIMIT:
        referee.refuse("inventory.limit", f"{state.seats[seat]} already holds {CARD_LIMIT} room cards.")
    state = spend(referee, state, seat, slot.cost, "room.coins")
    bonus = _bonus(referee, slot, action)
    state = with_slot(state, action.board, action.slot, replace(slot, filled=False, card=None, bonus=bonus))
    state = gain_card(state, seat, card)
    referee.note(f"{state.seats[seat]} takes {card.name}.", seat=seat, what="room", change=1)
    if bonus in ("table", "serf", "coffer"):
        state = gain(referee, state, seat, bonus, 1)
    return after_purchase(referee, state, seat)


def pass_rooms(referee: Referee, state: State, action: PassRooms) -> State:
    """Buy no more rooms this turn."""
    _check_buyer(referee, state, action.seat)
    state = with_duke(state, action.seat, passed=True)
    return next_buyer(referee, state) if state.buyer == action.seat else state


def filled_slot(referee: Referee, state: State, board: int, place: int) -> Slot:
    """A slot that holds a card."""
    if state.options.detail == "light":
        referee.impossible("light.only", "In a light game the room cards are not tracked: spend the coins and pass.")
    if board >= len(state.boards) or place >= len(state.boards[board]):
        referee.impossible("room.slot", f"There is no slot {place + 1} on board {board + 1}.")
    slot = state.boards[board][place]
    if not slot.filled:
        referee.impossible("room.slot", f"Slot {place + 1} is empty.")
    return slot


def with_slot(state: State, board: int, place: int, slot: Slot) -> State:
    """The state with one slot changed."""
    slots = state.boards[board]
    return with_board(state, board, (*slots[:place], slot, *slots[place + 1 :]))


def _card(referee: Referee, slot: Slot, action: TakeRoom) -> Card:
    if slot.card and action.card and slot.card != action.card:
        referee.impossible("room.slot", f"{slot.card.name} lies in slot {action.slot + 1}, not {action.card.name}.")
    card = slot.card or action.card
    if card is None:
        referee.impossible("room.slot", f"Say which room card lies in slot {action.slot + 1}.")
    return card


def _bonus(referee: Referee, slot: Slot, action: TakeRoom) -> Bonus:
    if action.bonus is None and slot.bonus == "unknown":
        referee.impossible("room.bonus", f"Say which bonus slot {action.slot + 1} gives: none, table, serf or coffer.")
    if action.bonus not in (None, slot.bonus) and slot.bonus != "unknown":
        referee.refuse("room.bonus", f"The bonus of slot {action.slot + 1} is {slot.bonus}, not {action.bonus}.")
    return action.bonus or slot.bonus


def _check_buyer(referee: Referee, state: State, seat: int) -> None:
    if state.phase != "room":
        referee.refuse("turn.phases", "Rooms are bought in the Room Phase.")
    elif state.buyer != seat:
        referee.refuse("room.order", f"It is not {state.seats[seat]}'s turn to buy rooms.")


def after_purchase(referee: Referee, state: State, seat: int) -> State:
    """Whose turn it is after a room was paid for: with five or more players each buys one at a time."""
    if state.phase != "room" or state.buyer != seat:
        return state
    if big_game(state):
        return next_buyer(referee, state)
    if can_buy(state, seat):
        return state
    return next_buyer(referee, with_duke(state, seat, passed=True))


HANDLERS: Handlers[State] = {NameRoom: name_room, TakeRoom: take_room, PassRooms: pass_rooms}
