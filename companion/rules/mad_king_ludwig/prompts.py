"""What each seat may or must do now, as moves. Whether one is legal is asked of the rules, never decided here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.rules.mad_king_ludwig import bonus, phases, rooms
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.actions import (
    Buy,
    CorrectBonus,
    CorrectRoom,
    CountEntrances,
    CountStack,
    DeclineReward,
    DrawBonus,
    DrawRoom,
    MoveRoom,
    NoteRoom,
    OpenSale,
    Pass,
    PeekStack,
    PlaceRoom,
    PriceRooms,
    PutBack,
    ReturnBonus,
    RevealFavour,
    ShowBonus,
    SkipCard,
    TakeCorridor,
    TakeReward,
)
from companion.rules.mad_king_ludwig.asks import (
    bonus_ask,
    bonus_points_asks,
    external_ask,
    favour_ask,
    note_asks,
    peek_ask,
    prices_ask,
    room_ask,
    spot_ask,
    stack_asks,
    tile_ask,
)
from companion.rules.mad_king_ludwig.buying import CORRIDOR_MARKS, PASS_MARKS
from companion.rules.mad_king_ludwig.market import hidden_tiles, unseen_of_size
from companion.rules.mad_king_ludwig.placement import previews
from companion.rules.mad_king_ludwig.purse import amount, marks
from companion.rules.mad_king_ludwig.rewards import MOST_TILES_LAID
from companion.rules.mad_king_ludwig.rooms import HALLWAYS, STAIRS, TYPES, RoomTile, RoomType
from companion.rules.mad_king_ludwig.state import (
    BONUSES,
    FAVOURS,
    STACKS,
    UNKNOWN,
    Castle,
    FavourId,
    Hand,
    Phase,
    Reward,
    Space,
    State,
    Turn,
)
from companion.rules.offers import Move, Offer

_REWARDS: dict[RoomType, str] = {
    "living": "score a room again",
    "activity": "5 points",
    "sleeping": "look through a stack",
    "outdoor": "10000 M",
    "utility": "a bonus card",
    "food": "another turn",
    "corridor": "a free hallway or stairs",
}


def offers(state: State) -> tuple[Offer, ...]:
    """Every seat's moves in this phase, and what can always be told about the box."""
    if state.over:
        return ()
    return (*_BY_PHASE[state.phase](state), *_about_the_box(state))


# Set-up


def _favours(state: State) -> Iterator[Offer]:
    clash = "completed-rooms" in state.favours or "incomplete-rooms" in state.favours
    barred: tuple[FavourId, ...] = ("completed-rooms", "incomplete-rooms") if clash else ()
    taken = (*state.favours, *barred)
    stand_in = next(favour for favour in FAVOURS if favour not in taken)
    move = Move("Turn up a favour", RevealFavour(favour=stand_in), (favour_ask(taken),))
    text = f"Turn up King's Favour {len(state.favours) + 1} of {state.favour_tiles}."
    yield Offer(seat=None, text=text, rule="setup.favours", moves=(move,), must=True)


def _bonus_set_up(state: State) -> Iterator[Offer]:
    seat = phases.bonus_seat(state)
    if seat is not None:
        yield from _bonus_cards(state, seat, "setup.bonus")


def _bonus_cards(state: State, seat: int, rule: str) -> Iterator[Offer]:
    """Draw, then put one back: for this seat's eyes."""
    drawn = state.players[seat].drawn
    if drawn:
        moves = tuple(Move(f"Put back {bonus.name(card)}", ReturnBonus(seat=seat, card=card)) for card in drawn)
        yield Offer(seat, "Put one bonus card back and keep the rest.", rule, moves, must=True, secret=True)
        return
    count = bonus.to_draw(state, seat)
    free = tuple(card for card in BONUSES if card not in bonus.in_sight(state))
    action = DrawBonus(seat=seat, cards=free[:count])
    # Cards of others stay in the list: leaving them out would tell who has what.
    ask = bonus_ask(state.players[seat].bonus, count)
    words = f"Draw {amount(count, 'bonus card')}"
    yield Offer(seat, f"{words}.", rule, (Move(words, action, (ask,)),), must=True, secret=True)


# The Master Builder


def _draw(state: State) -> Iterator[Offer]:
    master = state.seats[state.master]
    empty = sum(space.room is None for space in state.spaces)
    text = f"{master} draws a room for the contract board: {empty} to go, {state.deck} cards left."
    if state.laid:
        yield Offer(None, text, "draw.deck-tiles", (_turning_up(state),), must=True)
    else:
        yield Offer(None, text, "draw.cards", tuple(_drawing(state)), must=True)


def _turning_up(state: State) -> Move:
    """The tile on the deck; one that was kept secret has to be named now."""
    words = "Turn up the tile on the deck"
    if state.laid[-1] != UNKNOWN:
        return Move(words, DrawRoom(room=state.laid[-1]))
    return Move(words, DrawRoom(room=hidden_tiles(state)[0]), (room_ask(),))


def _drawing(state: State) -> Iterator[Move]:
    stand_in = next((room for size in STACKS if state.stacks[size] for room in unseen_of_size(state, size)), None)
    if stand_in is not None:
        yield Move("Draw a room card and turn up its tile", DrawRoom(room=stand_in), (room_ask(),))
    for size in STACKS:
        if not state.stacks[size]:
            yield Move(f"A card of {size}: its stack is empty", SkipCard(size=size), group="Empty stacks", closes=True)


def _pricing(state: State) -> Iterator[Offer]:
    seat = state.master
    moves = [Move("Open the sale at these prices", OpenSale(seat=seat), closes=True)]
    lying = tuple(space.room for space in state.spaces if space.room)
    moves.append(Move("Lay all rooms anew", PriceRooms(seat=seat, rooms=lying), (prices_ask(state),)))
    for space in state.spaces:
        if space.room:
            moves += [_move(state, seat, space, other) for other in state.spaces if other.price > space.price]
    yield Offer(seat, "Set the prices as you like: one room at each.", "price.master", tuple(moves), must=True)


def _move(state: State, seat: int, space: Space, other: Space) -> Move:
    assert space.room is not None
    name = rooms.name(space.room, state.own)
    with_it = f" (with {rooms.name(other.room, state.own)})" if other.room else ""
    action = MoveRoom(seat=seat, room=space.room, price=other.price)
    return Move(f"{name} to {marks(other.price)}{with_it}", action, group="Change two rooms over")


# Buying


def _buying(state: State) -> Iterator[Offer]:
    turn = state.turn
    if turn is None:
        return
    if turn.hand:
        yield from _placing(state, turn, turn.hand)
    elif turn.doing:
        yield from _doing(state, turn, turn.doing)
    elif turn.buys:
        text = "Buy a room, a hallway or stairs, or take 5000."
        if turn.number:
            text = f"Extra turn. {text}"
        yield Offer(turn.seat, text, "buy.room", tuple(_on_sale(state, turn.seat)), must=True)
    else:
        several = len(turn.rewards) > 1
        text = "Several rewards wait: which comes first?" if several else "Choose a reward for the downstairs rooms."
        yield Offer(turn.seat, text, "complete.order", tuple(_waiting(state, turn)), must=True)


def _on_sale(state: State, seat: int) -> Iterator[Move]:
    for space in state.spaces:
        if space.room:
            tile = rooms.find(space.room, state.own)
            coins = f", with {marks(space.coins)} on it" if space.coins else ""
            label = f"{describe(tile) if tile else space.room} for {marks(space.price)}{coins}"
            yield Move(label, Buy(seat=seat, room=space.room), group="Rooms")
    for room in (*HALLWAYS, STAIRS):
        yield Move(f"{rooms.name(room)} for {marks(CORRIDOR_MARKS)}", Buy(seat=seat, room=room), group="Corridors")
    yield Move(f"Pass and take {marks(PASS_MARKS)}", Pass(seat=seat), closes=True)


def describe(tile: RoomTile) -> str:
    """A tile in a few words.

    >>> describe(rooms.catalogue()["kitchen"])
    'Kitchen (food 300: 1, +3 joined to food, 2 entrances)'
    """
    return f"{tile.name} ({details(tile)})"


def details(tile: RoomTile) -> str:
    """Type, size, points and entrances of a tile."""
    words = {"none": "", "connected": "joined to", "adjacent": "touching", "each": "for each"}[tile.centre]
    centre = f", {tile.each:+d} {words} {' or '.join(tile.types)}" if words else ""
    doors = f"{len(tile.doors)} entrance{'s' if len(tile.doors) > 1 else ''}"
    return f"{tile.type} {tile.sqft}: {tile.points}{centre}, {doors}"


def _placing(state: State, turn: Turn, hand: Hand) -> Iterator[Offer]:
    castle = state.players[turn.seat].castle
    name = rooms.name(hand.room, state.own)
    if state.options.castles == "ledger":
        moves = tuple(_noting(turn.seat, castle, hand.room))
        text = f"Place the {name}: what is it joined to, what does it touch, what is now complete?"
    else:
        moves = tuple(_spots(turn.seat, castle, hand.room))
        text = f"Place the {name}."
    back = Move(f"Give the {name} back: it fits nowhere", PutBack(seat=turn.seat), closes=True)
    yield Offer(turn.seat, text, "place.entrance", moves or (back,), must=True)


def _spots(seat: int, castle: Castle, room: str) -> Iterator[Move]:
    """Spots by the room they are joined to, the best first."""
    found = previews(castle, room)
    for index in range(len(castle.rooms)):
        here = tuple(each for each in found if each.contact.connects[0] == index)
        if here:
            count = f"{len(here)} spots, best" if len(here) > 1 else "1 spot,"
            label = f"At the {castles.room_name(castle, index)}: {count} {here[0].points:+d}"
            yield Move(label, PlaceRoom(seat=seat, spot=here[0].spot), (spot_ask(castle, room, here),))


def _noting(seat: int, castle: Castle, room: str) -> Iterator[Move]:
    """One entry that asks for everything; its stand-in is joined to a room it can be joined to."""
    joins = castles.may_join(castle, room)
    if joins:
        yield Move("Enter how it lies", NoteRoom(seat=seat, connects=joins[:1]), note_asks(castle, room))


# Rewards


def _waiting(state: State, turn: Turn) -> Iterator[Move]:
    castle = state.players[turn.seat].castle
    for place, reward in enumerate(turn.rewards):
        if reward.kind == "downstairs":
            yield from _below(castle, turn.seat, place, reward)
        else:
            name = castles.room_name(castle, reward.rooms[0])
            label = f"{name}: {_REWARDS[reward.kind]}"
            yield Move(label, TakeReward(seat=turn.seat, reward=place))


def _below(castle: Castle, seat: int, place: int, reward: Reward) -> Iterator[Move]:
    """Any of the other seven; re-scoring for each room it may be."""
    group = "Downstairs rooms: any other reward"
    for kind in TYPES:
        if kind == "living":
            for room in reward.rooms:
                action = TakeReward(seat=seat, reward=place, chosen=kind, room=room)
                yield Move(f"Score the {castles.room_name(castle, room)} again", action, group=group)
        elif kind != "downstairs":
            words = _REWARDS[kind]
            label = words[0].upper() + words[1:]
            yield Move(label, TakeReward(seat=seat, reward=place, chosen=kind), group=group)


def _doing(state: State, turn: Turn, reward: Reward) -> Iterator[Offer]:
    if reward.kind == "utility":
        yield from _bonus_cards(state, turn.seat, "reward.utility")
    elif reward.kind == "sleeping":
        text = "Look through a stack and lay up to two of its tiles on the deck."
        yield Offer(turn.seat, text, "reward.sleeping", tuple(_peeking(state, turn.seat)), must=True, secret=True)
    else:
        free = [
            Move(f"Take a free {rooms.name(room)}", TakeCorridor(seat=turn.seat, room=room))
            for room in (*HALLWAYS, STAIRS)
        ]
        free.append(Move("Do without", DeclineReward(seat=turn.seat), closes=True))
        yield Offer(turn.seat, "Take a free hallway or stairs.", "reward.corridor", tuple(free), must=True)


def _peeking(state: State, seat: int) -> Iterator[Move]:
    for size in STACKS:
        if state.stacks[size]:
            ask = peek_ask(state, unseen_of_size(state, size), min(MOST_TILES_LAID, state.stacks[size]))
            yield Move(f"The stack of {size}", PeekStack(seat=seat, size=size), (ask,))


# The end and the box


def _reveal(state: State) -> Iterator[Offer]:
    for seat in range(len(state.seats)):
        count = phases.to_show(state, seat)
        if count:
            free = tuple(card for card in BONUSES if card not in bonus.in_sight(state))
            ask = bonus_ask(bonus.in_sight(state), count)
            move = Move("Show the bonus cards", ShowBonus(seat=seat, cards=free[:count]), (ask,))
            yield Offer(seat, f"Show {amount(count, 'bonus card')}.", "end.bonus", (move,), must=True)
        elif phases.to_count(state, seat):
            move = Move("Count external entrances", CountEntrances(seat=seat, external=0), (external_ask(),))
            yield Offer(seat, "Count the external entrances.", "favour.external", (move,), must=True)


def _about_the_box(state: State) -> Iterator[Offer]:
    """When tiles and cards are looked at: what this table's box says otherwise."""
    if state.phase not in ("favours", "draw"):
        return
    kitchen = rooms.catalogue()["kitchen"]
    moves = (
        Move("A stack holds another number of tiles", CountStack(size="350", tiles=state.stacks["350"]), stack_asks()),
        Move("A tile says otherwise, or is new", CorrectRoom(tile=kitchen), (tile_ask(),)),
        Move("A bonus card pays otherwise", CorrectBonus(card="type-food", points=3), bonus_points_asks(BONUSES)),
    )
    yield Offer(None, "If your box differs, tell the companion once.", "box.correct", moves)


_BY_PHASE: dict[Phase, Callable[[State], Iterator[Offer]]] = {
    "favours": _favours,
    "bonus": _bonus_set_up,
    "draw": _draw,
    "pricing": _pricing,
    "buying": _buying,
    "reveal": _reveal,
}
