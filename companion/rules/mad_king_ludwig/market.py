"""The Master Builder's part: drawing rooms for the contract board and pricing them."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.mad_king_ludwig import phases, rooms
from companion.rules.mad_king_ludwig.actions import DrawRoom, MoveRoom, OpenSale, PriceRooms, SkipCard
from companion.rules.mad_king_ludwig.purse import marks
from companion.rules.mad_king_ludwig.rooms import RoomTile
from companion.rules.mad_king_ludwig.state import STACKS, UNKNOWN, Size, Space, State


def size_of(tile: RoomTile) -> Size:
    """The stack a tile belongs to."""
    return str(tile.sqft)  # type: ignore[return-value]


def seen(state: State) -> set[str]:
    """Every room tile that is no longer in its stack, face-down ones on the deck included."""
    on_board = {space.room for space in state.spaces if space.room}
    in_castles = {placed.room for player in state.players for placed in player.castle.rooms}
    in_hand = {state.turn.hand.room} if state.turn and state.turn.hand else set()
    return on_board | in_castles | in_hand | {*state.laid, *state.gone}


def unseen_of_size(state: State, size: Size) -> tuple[str, ...]:
    """The tiles that may still be in a stack."""
    known = seen(state)
    return tuple(room for room in rooms.ids_of_size(int(size), state.own) if room not in known)


def hidden_tiles(state: State) -> tuple[str, ...]:
    """What a tile laid on the deck in secret can be: of a size of which tiles are missing."""
    there = Counter(
        size_of(tile) for room in seen(state) if (tile := rooms.find(room, state.own)) and rooms.is_stacked(tile)
    )
    missing = [size for size in STACKS if state.starting_stacks[size] > state.stacks[size] + there[size]]
    return tuple(room for size in missing for room in unseen_of_size(state, size))


# Drawing


def draw_room(referee: Referee, state: State, action: DrawRoom) -> State:
    """A tile for the first empty space: one laid on the deck, or the one a room card asks for."""
    _in_phase(referee, state, "draw", "No space of the contract board is empty.")
    tile = rooms.find(action.room, state.own)
    if tile is None or not rooms.is_stacked(tile):
        referee.impossible("draw.once", f"There is no room tile called '{action.room}' in this box.")
    if state.laid:
        hidden = state.laid[-1] == UNKNOWN and action.room in hidden_tiles(state)
        if hidden or action.room == state.laid[-1]:
            return _from_deck(referee, state, tile)
        referee.refuse("draw.deck-tiles", "The tile laid on the deck is turned up first.")
    if action.room in seen(state):
        referee.impossible("draw.once", f"The {tile.name} is on the table already.")
    return _from_stack(referee, state, tile)


def _from_deck(referee: Referee, state: State, tile: RoomTile) -> State:
    referee.note(f"The {tile.name} was lying on the deck.", rule="draw.deck-tiles")
    return _fill(referee, replace(state, laid=state.laid[:-1]), tile)


def _from_stack(referee: Referee, state: State, tile: RoomTile) -> State:
    size = size_of(tile)
    if not state.stacks[size]:
        referee.refuse("draw.empty-stack", f"The stack of {size} is empty: draw another card.")
        more = {**state.starting_stacks, size: state.starting_stacks[size] + 1}
        state = replace(state, starting_stacks=more)
    stacks = {**state.stacks, size: max(0, state.stacks[size] - 1)}
    state = _spend_card(referee, state, size)
    referee.note(f"A card of {size}: the {tile.name}, {stacks[size]} left in its stack.", rule="draw.cards")
    return _fill(referee, replace(state, stacks=stacks), tile)


def _fill(referee: Referee, state: State, tile: RoomTile) -> State:
    """Lay a tile into the first empty space."""
    place = next(index for index, space in enumerate(state.spaces) if space.room is None)
    filled = with_space(state, place, Space(price=state.spaces[place].price, room=tile.id))
    return phases.board_goes_on(referee, filled)


def skip_card(referee: Referee, state: State, action: SkipCard) -> State:
    """A card whose stack is empty (rulebook, Each Round)."""
    _in_phase(referee, state, "draw", "No room cards are drawn now.")
    if state.stacks[action.size]:
        referee.refuse("draw.empty-stack", f"There are {state.stacks[action.size]} tiles of {action.size} left.")
    if state.laid:
        referee.refuse("draw.deck-tiles", "The tile laid on the deck is turned up first.")
    referee.note(f"A card of {action.size}, and no tile left: another card replaces it.", rule="draw.empty-stack")
    return _spend_card(referee, state, action.size)


def _spend_card(referee: Referee, state: State, size: Size) -> State:
    """Take a card off the deck; an empty deck is shuffled anew, which makes this the last round."""
    if state.deck == 0 and not state.last_round:
        referee.note("The deck is empty: all room cards are shuffled to fill the board.", rule="draw.last-cards")
        return replace(state, last_round=True)
    if state.deck == 0:
        return state
    drawn = {**state.cards_drawn, size: state.cards_drawn.get(size, 0) + 1}
    return replace(state, deck=state.deck - 1, cards_drawn=drawn)


def with_space(state: State, place: int, space: Space) -> State:
    """The state with one space of the contract board changed."""
    return replace(state, spaces=(*state.spaces[:place], space, *state.spaces[place + 1 :]))


# Pricing


def move_room(referee: Referee, state: State, action: MoveRoom) -> State:
    """Two rooms change places, with the coins on them."""
    _pricing(referee, state, action.seat)
    here = space_of(referee, state, action.room)
    there = next((index for index, space in enumerate(state.spaces) if space.price == action.price), None)
    if there is None:
        referee.impossible("price.one-each", f"There is no price of {marks(action.price)} on the contract board.")
    if here == there:
        referee.refuse("price.one-each", f"The {rooms.name(action.room, state.own)} lies there already.")
    order = list(range(len(state.spaces)))
    order[here], order[there] = there, here
    return _laid_anew(state, order)


def price_rooms(referee: Referee, state: State, action: PriceRooms) -> State:
    """All rooms laid anew, lowest price first."""
    _pricing(referee, state, action.seat)
    if sorted(action.rooms) != sorted(space.room for space in state.spaces if space.room):
        referee.impossible("price.one-each", "Name each room of the contract board once, from the lowest price up.")
    return _laid_anew(state, [space_of(referee, state, room) for room in action.rooms])


def _laid_anew(state: State, order: list[int]) -> State:
    """The rooms of these spaces, from the lowest price up; spaces beyond them stay empty."""
    laid = [state.spaces[place] for place in order]
    laid += [Space(price=0)] * (len(state.spaces) - len(laid))
    moved = (replace(old, price=space.price) for space, old in zip(state.spaces, laid, strict=True))
    return replace(state, spaces=tuple(moved))


def open_sale(referee: Referee, state: State, action: OpenSale) -> State:
    """The prices stand."""
    _pricing(referee, state, action.seat)
    return phases.start_buying(state)


def space_of(referee: Referee, state: State, room: str) -> int:
    """Where a room lies on the contract board."""
    place = next((index for index, space in enumerate(state.spaces) if space.room == room), None)
    if place is None:
        name = rooms.name(room, state.own)
        referee.impossible("buy.room", f"'{name}' does not lie on the contract board.")
    return place


def _pricing(referee: Referee, state: State, seat: int) -> None:
    _in_phase(referee, state, "pricing", "Prices are not set now.")
    if seat != state.master:
        referee.refuse("price.master", f"{state.seats[state.master]} is the Master Builder, not {state.seats[seat]}.")


def _in_phase(referee: Referee, state: State, phase: str, why: str) -> None:
    if state.phase != phase:
        referee.impossible("turn.phase", why)


HANDLERS: Handlers[State] = {
    DrawRoom: draw_room,
    SkipCard: skip_card,
    MoveRoom: move_room,
    PriceRooms: price_rooms,
    OpenSale: open_sale,
}
