"""A player's turn: buying a room, hallway or stairs, or passing; then placing what was bought."""

from __future__ import annotations

from collections import Counter

from companion.rules.base import Handlers, Referee
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig import rewards, rooms
from companion.rules.mad_king_ludwig.actions import Buy, NoteRoom, Pass, PlaceRoom, PutBack
from companion.rules.mad_king_ludwig.castle import Contact
from companion.rules.mad_king_ludwig.market import space_of, with_space
from companion.rules.mad_king_ludwig.placement import objection, preview
from companion.rules.mad_king_ludwig.purse import (
    amount,
    corridor_left,
    from_bank,
    hand_over,
    marks,
    to_bank,
    turn_of,
    with_corridor,
    with_player,
    with_turn,
)
from companion.rules.mad_king_ludwig.rooms import HALLWAYS, STAIRS
from companion.rules.mad_king_ludwig.scoring_steps import PointLine, placing_lines
from companion.rules.mad_king_ludwig.state import Castle, Hand, Player, Space, State, Turn

CORRIDOR_MARKS = 3000
PASS_MARKS = 5000


# Buying


def buy(referee: Referee, state: State, action: Buy) -> State:
    """Pay for a tile and take it in hand (rulebook, Each Round)."""
    turn, player = _buyer(referee, state, action.seat)
    if action.room in (*HALLWAYS, STAIRS):
        _check_corridor(referee, state, action.room)
        hand = Hand(room=action.room, price=CORRIDOR_MARKS)
    else:
        place = space_of(referee, state, action.room)
        space = state.spaces[place]
        hand = Hand(room=action.room, price=space.price, coins=space.coins, space=place)
    _check_fits(referee, state, player, action.room)
    return with_turn(_paid(referee, state, turn.seat, hand), hand=hand, buys=False)


def _buyer(referee: Referee, state: State, seat: int) -> tuple[Turn, Player]:
    turn, player = turn_of(referee, state, seat)
    if not turn.buys:
        referee.impossible("buy.room", f"{state.seats[seat]} has bought or passed already this turn.")
    return turn, player


def _check_corridor(referee: Referee, state: State, room: str) -> None:
    """Refuse a hallway or stairs of which none is left."""
    if not corridor_left(state, room):
        referee.impossible("buy.corridor", f"No {'hallways' if room in HALLWAYS else 'stairs'} are left.")


def _check_fits(referee: Referee, state: State, player: Player, room: str) -> None:
    if not rewards.can_be_placed(state, player, room):
        name = rooms.name(room, state.own)
        referee.refuse("buy.must-fit", f"The {name} fits nowhere in this castle.")


def _paid(referee: Referee, state: State, seat: int, hand: Hand) -> State:
    """Take the tile's coins, then pay its price: to the Master Builder, or as Master Builder to the bank."""
    on_board = hand.space is not None
    state = _lifted(referee, state, seat, hand) if on_board else with_corridor(state, hand.room, -1)
    purse = state.players[seat].marks
    if purse < hand.price:
        why = f"{state.seats[seat]} has {marks(purse)} and needs {marks(hand.price)}."
        referee.refuse("buy.price", why)
    paid = min(purse, hand.price)
    if seat == state.master:
        return to_bank(referee, state, seat, paid, "solo.bank" if state.solo else "buy.pay-bank")
    return hand_over(referee, state, seat, state.master, paid, "buy.pay-master")


def _lifted(referee: Referee, state: State, seat: int, hand: Hand) -> State:
    """The tile leaves the contract board; the coins on it go to the buyer."""
    assert hand.space is not None
    if hand.coins:
        text = f"{state.seats[seat]} takes the {marks(hand.coins)} on the {rooms.name(hand.room, state.own)}."
        referee.note(text, seat=seat, what="marks", change=hand.coins, rule="buy.price")
    state = with_space(state, hand.space, Space(price=state.spaces[hand.space].price))
    return with_player(state, seat, marks=state.players[seat].marks + hand.coins)


def pass_turn(referee: Referee, state: State, action: Pass) -> State:
    """Take 5000 instead of buying."""
    _buyer(referee, state, action.seat)
    state = from_bank(referee, state, action.seat, PASS_MARKS, "buy.pass")
    return rewards.turn_goes_on(referee, with_turn(state, buys=False))


def put_back(referee: Referee, state: State, action: PutBack) -> State:
    """Undo the purchase of a tile that fits nowhere."""
    turn, player = turn_of(referee, state, action.seat)
    hand = _hand(referee, turn)
    if rewards.can_be_placed(state, player, hand.room):
        referee.refuse("place.hand", f"The {rooms.name(hand.room, state.own)} can be placed.")
    state = _refunded(referee, state, turn.seat, hand)
    state = with_turn(state, hand=None, buys=not hand.free)
    return rewards.turn_goes_on(referee, state)


def _refunded(referee: Referee, state: State, seat: int, hand: Hand) -> State:
    if hand.space is None:
        state = with_corridor(state, hand.room, 1)
    if hand.free:
        return state
    payee = None if seat == state.master else state.master
    back = hand.price if payee is None else min(hand.price, state.players[payee].marks)
    if payee is None:
        state = from_bank(referee, state, seat, back, "buy.must-fit")
    else:
        state = hand_over(referee, state, payee, seat, back, "buy.must-fit")
    if hand.space is None:
        return state
    coins = min(hand.coins, state.players[seat].marks)
    if coins:
        text = f"{state.seats[seat]} puts the {marks(coins)} back."
        referee.note(text, seat=seat, what="marks", change=-coins, rule="buy.must-fit")
    state = with_player(state, seat, marks=state.players[seat].marks - coins)
    return with_space(state, hand.space, Space(price=state.spaces[hand.space].price, room=hand.room, coins=coins))


# Placing


def _hand(referee: Referee, turn: Turn) -> Hand:
    if turn.hand is None:
        referee.impossible("place.hand", "There is no tile in hand to place.")
    return turn.hand


def place_room(referee: Referee, state: State, action: PlaceRoom) -> State:
    """Place on the map: the rules look at the spot, then points are counted step by step."""
    turn, player = turn_of(referee, state, action.seat)
    hand = _hand(referee, turn)
    if state.options.castles == "ledger":
        referee.impossible("ledger.only", "This castle is kept in a ledger: say what the room joins and touches.")
    trouble = objection(player.castle, hand.room, action.spot)
    if trouble is not None:
        if trouble.final:
            referee.impossible(trouble.rule, trouble.why)
        referee.refuse(trouble.rule, trouble.why)
    found = preview(player.castle, hand.room, action.spot)
    grown = castles.with_room(player.castle, hand.room, action.spot)
    return _placed(referee, state, grown, found.lines, found.completes)


def note_room(referee: Referee, state: State, action: NoteRoom) -> State:
    """Place in the ledger: people say what lies where, the points follow."""
    turn, player = turn_of(referee, state, action.seat)
    hand = _hand(referee, turn)
    if state.options.castles == "map":
        referee.impossible("ledger.only", "This castle is kept on a map: say where the room lies.")
    _check_note(referee, player.castle, hand.room, action)
    connects = tuple(sorted(set(action.connects)))
    touches = tuple(sorted({*action.connects, *action.touches}))
    new = Contact(connects, touches, complete=False)
    lines = placing_lines(player.castle, castles.tile(player.castle, hand.room), new)
    completes = _newly_complete(player.castle, hand.room, new, action)
    grown = castles.with_note(player.castle, hand.room, new, completes)
    if all(placed.complete for placed in grown.rooms):
        referee.refuse("place.way-out", "All rooms would be complete: the castle would have no external entrance left.")
    return _placed(referee, state, grown, lines, completes)


def _newly_complete(castle: Castle, room: str, new: Contact, action: NoteRoom) -> tuple[int, ...]:
    """The rooms said to be complete, and those that must be: joined to as many rooms as they have entrances."""
    joined = castles.with_note(castle, room, new, ())
    sure = (i for i in (*new.connects, len(castle.rooms)) if castles.surely_complete(joined, i))
    return tuple(sorted({*action.completes, *sure} - set(castles.completed(castle))))


def _check_note(referee: Referee, castle: Castle, room: str, action: NoteRoom) -> None:
    new = len(castle.rooms)
    if any(index >= new for index in (*action.connects, *action.touches)) or any(i > new for i in action.completes):
        referee.impossible("ledger.entries", f"The castle has rooms 0 to {new - 1}; the new one is {new}.")
    if not action.connects:
        referee.refuse("place.entrance", "A new room must be joined to the castle by an entrance.")
    tile = castles.tile(castle, room)
    for index in sorted(set(action.connects)):
        _check_joint(referee, castle, index, tile)
    _check_entrances(referee, castle, tile, set(action.connects))
    for index in set(action.completes) - {new, *action.connects}:
        why = f"The {castles.room_name(castle, index)} is not joined to the new room, so it is not completed by it."
        referee.refuse("ledger.entries", why)


def _check_joint(referee: Referee, castle: Castle, index: int, tile: rooms.RoomTile) -> None:
    """Floors meet only in stairs, stairs never meet stairs, and a complete room takes no more entrances."""
    other, name = castles.tile_at(castle, index), castles.room_name(castle, index)
    if tile.floor == other.floor == "stairs":
        referee.refuse("place.stairs", "Two stairs would be joined to each other.")
    elif not castles.floors_join(tile.floor, other.floor):
        referee.refuse("place.floors", f"The {tile.name} and the {name} are not on the same floor.")
    elif castles.contacts(castle)[index].complete:
        referee.refuse("complete.room", f"The {name} is complete: none of its entrances is free.")
    elif castles.entrances_to(castle, index, tile.floor) <= 0:
        referee.refuse("ledger.entries", f"The {name} has no more entrance that could lead to the {tile.name}.")


def _check_entrances(referee: Referee, castle: Castle, tile: rooms.RoomTile, joined: set[int]) -> None:
    """A new room joins no more rooms than it has entrances; stairs join one on each floor."""
    floors = Counter(castles.tile_at(castle, index).floor for index in joined)
    if len(joined) > len(tile.doors):
        referee.refuse("ledger.entries", f"The {tile.name} has only {amount(len(tile.doors), 'entrance')}.")
    elif tile.floor == "stairs" and max(floors.values(), default=0) > 1:
        referee.refuse("place.stairs", "Stairs have one end on each floor.")


def _placed(
    referee: Referee, state: State, grown: Castle, lines: tuple[PointLine, ...], completes: tuple[int, ...]
) -> State:
    """Points, then completed rooms: steps 1 to 5 and step 6 of Room Placement Scoring."""
    assert state.turn is not None
    assert state.turn.hand is not None
    seat, hand = state.turn.seat, state.turn.hand
    number = state.turn.number if hand.turn is None else hand.turn
    for line in lines:
        text = f"{line.points:+d} {line.why}."
        referee.note(text, seat=seat, what="points", change=line.points, rule=line.rule)
    points = sum(line.points for line in lines)
    state = with_player(state, seat, castle=grown, placement=state.players[seat].placement + points)
    state = rewards.earned(referee, with_turn(state, hand=None), completes, number)
    return rewards.turn_goes_on(referee, state)


HANDLERS: Handlers[State] = {
    Buy: buy,
    Pass: pass_turn,
    PutBack: put_back,
    PlaceRoom: place_room,
    NoteRoom: note_room,
}
