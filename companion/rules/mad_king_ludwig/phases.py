"""The course of a game: set-up, rounds, turns, the end. What people do within a phase is in the other modules."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Referee
from companion.rules.mad_king_ludwig.purse import amount, marks
from companion.rules.mad_king_ludwig.state import UNKNOWN, Space, State, Turn

UNSOLD_COIN_MARKS = 1000


# Set-up


def set_up_goes_on(referee: Referee, state: State) -> State:
    """Favours first, then bonus cards, then the first round."""
    if state.phase == "favours" and len(state.favours) >= state.favour_tiles:
        state = replace(state, phase="bonus")
    if state.phase == "bonus" and not any(wants_bonus(state, seat) for seat in range(len(state.seats))):
        return start_round(referee, state)
    return state


def wants_bonus(state: State, seat: int) -> bool:
    """Whether a player has still to draw, or to put back, a bonus card of the set-up."""
    player = state.players[seat]
    return bool(player.drawn) or not player.bonus


def bonus_seat(state: State) -> int | None:
    """Who is next to choose bonus cards: from the Master Builder clockwise."""
    seats = len(state.seats)
    turn_order = ((state.master + step) % seats for step in range(seats))
    return next((seat for seat in turn_order if wants_bonus(state, seat)), None)


# Rounds


def start_round(referee: Referee, state: State) -> State:
    """The Master Builder fills the contract board."""
    referee.note(f"Round {state.round}: {state.seats[state.master]} is the Master Builder.", rule="draw.cards")
    return board_goes_on(referee, replace(state, phase="draw"))


def board_goes_on(referee: Referee, state: State) -> State:
    """Once every space has its room the prices are set; alone the cards have set them."""
    tiles_left = bool(state.laid) or any(state.stacks.values())
    if tiles_left and any(space.room is None for space in state.spaces):
        return state
    if not (state.deck and tiles_left) and not state.last_round:
        referee.note("The last room card is drawn: this is the last round.", rule="end.deck")
        state = replace(state, last_round=True)
    return start_buying(state) if state.solo else replace(state, phase="pricing")


def start_buying(state: State) -> State:
    """The Master Builder's left-hand neighbour buys first."""
    return replace(state, phase="buying", turn=Turn(seat=state.order[0]))


def end_turn(referee: Referee, state: State) -> State:
    """The next player buys, or the round ends."""
    assert state.turn is not None
    later = state.order[state.order.index(state.turn.seat) + 1 :]
    if later:
        return replace(state, turn=Turn(seat=later[0]))
    return _end_round(referee, replace(state, turn=None))


def _end_round(referee: Referee, state: State) -> State:
    state = _remove_unsold(referee, state) if state.solo else _coins_on_unsold(referee, state)
    if state.last_round:
        referee.note("That was the last round.", rule="end.deck")
        return end_goes_on(referee, replace(state, phase="reveal"))
    return start_round(referee, replace(state, round=state.round + 1, master=state.order[0]))


def _coins_on_unsold(referee: Referee, state: State) -> State:
    unsold = sum(space.room is not None for space in state.spaces)
    if unsold:
        referee.note(f"A coin of {marks(UNSOLD_COIN_MARKS)} on {amount(unsold, 'unsold room')}.", rule="buy.unsold")
    spaces = tuple(
        replace(space, coins=space.coins + UNSOLD_COIN_MARKS) if space.room else space for space in state.spaces
    )
    return replace(state, spaces=spaces, dealt=state.dealt + unsold * UNSOLD_COIN_MARKS)


def _remove_unsold(referee: Referee, state: State) -> State:
    left = tuple(space.room for space in state.spaces if space.room)
    if left:
        referee.note(f"Out of the game: {amount(len(left), 'unsold room')}.", rule="solo.removed")
    return replace(state, gone=(*state.gone, *left), spaces=tuple(Space(price=space.price) for space in state.spaces))


# The end


def end_goes_on(referee: Referee, state: State) -> State:
    """The game is over once all that was hidden is shown and counted."""
    if any(to_show(state, seat) or to_count(state, seat) for seat in range(len(state.seats))):
        return state
    referee.note("The game is over.", rule="end.deck")
    return replace(state, phase="over", over=True)


def to_show(state: State, seat: int) -> int:
    """How many bonus cards a player has still to show."""
    return state.players[seat].bonus.count(UNKNOWN)


def to_count(state: State, seat: int) -> bool:
    """Whether a castle's external entrances have still to be counted by hand."""
    if state.options.castles == "map" or state.players[seat].external is not None:
        return False
    return "external-entrances" in state.favours or "external-entrances" in state.players[seat].bonus
