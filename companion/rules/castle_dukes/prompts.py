"""What each seat may or must do now, as moves. Whether one is legal is asked of the rules, never decided here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from companion.rules.castle_dukes import castle, solo
from companion.rules.castle_dukes.actions import (
    AiBurns,
    AiTakes,
    AwardGuest,
    CountCastle,
    Crumble,
    DragonDone,
    DrawChits,
    DrawTile,
    DropVines,
    FaceDragon,
    FinishBuilding,
    HouseGuest,
    Lose,
    NameRoom,
    PassRooms,
    PickChit,
    RevealGuests,
    SacrificePrincess,
    SetDials,
    Settle,
    Spend,
    StopBuying,
    TakePillars,
    TakeRoom,
)
from companion.rules.castle_dukes.asks import (
    CHITS_ASK,
    COUNT_ASKS,
    DIAL_ASKS,
    DIE_ASK,
    STAND_IN_CARD,
    bonus_ask,
    guest_asks,
    room_ask,
    seats_ask,
)
from companion.rules.castle_dukes.barbican import ratings
from companion.rules.castle_dukes.building_moves import acquiring, placing, putting_away, taking_down
from companion.rules.castle_dukes.dragon import chit_name, damage
from companion.rules.castle_dukes.guests import cards_a_turn, unseen
from companion.rules.castle_dukes.phases import anyone_rearranging, dragon_seat
from companion.rules.castle_dukes.state import Chit, Counted, Duke, GuestCard, Slot, State
from companion.rules.offers import Move, Offer

_STAND_IN_CHITS = tuple(Chit(kind="pillar") for _ in range(5))


def offers(state: State) -> tuple[Offer, ...]:
    """Every seat's moves in this phase, and those that are always there."""
    if state.over:
        return ()
    return (*_BY_PHASE[state.phase](state), *_rearranging(state), *_any_time(state))


# By phase


def _opening(state: State) -> Iterator[Offer]:
    for seat, duke in enumerate(state.dukes):
        if duke.coins:
            moves = tuple(_spending(seat, duke) if state.options.detail == "light" else _free_buying(seat))
            text = f"Spend your free coins: {duke.coins} left."
            yield Offer(seat=seat, text=text, rule="setup.free-coins", moves=moves, must=True)


def _free_buying(seat: int) -> Iterator[Move]:
    yield Move("Draw a floor tile (1 coin)", DrawTile(seat=seat))
    yield Move("Take two pillars (1 coin)", TakePillars(seat=seat))


def _room(state: State) -> Iterator[Offer]:
    unread = any(slot.card is None for _, _, slot in _lying(state))
    ai_waits = state.buyer == len(state.dukes) and unread
    if state.buyer == len(state.dukes):
        yield _ai_room(state, ready=not unread)
    elif state.buyer is not None:
        text = "Buy rooms, or pass." if len(state.dukes) < 5 else "Buy one room, or pass."
        moves = tuple(_buying(state, state.buyer))
        yield Offer(seat=state.buyer, text=text, rule="room.order", moves=moves, must=True)
    text = "Enter a room card that lies face up."
    yield Offer(seat=None, text=text, rule="room.slot", moves=tuple(_naming(state)), must=ai_waits)


def _buying(state: State, seat: int) -> Iterator[Move]:
    yield from (_buy(seat, board, place, slot) for board, place, slot in _lying(state))
    if state.options.detail == "light":
        yield from _spending(seat, state.dukes[seat])
    yield Move("No more rooms", PassRooms(seat=seat), closes=True)


def _buy(seat: int, board: int, place: int, slot: Slot) -> Move:
    card = slot.card or STAND_IN_CARD
    unknown = slot.bonus == "unknown"
    label = f"{slot.card.name if slot.card else 'Room'} for {slot.cost}"
    if slot.bonus in ("table", "serf", "coffer"):
        label += f", with a {slot.bonus}"
    action = TakeRoom(
        seat=seat, board=board, slot=place, card=None if slot.card else card, bonus="none" if unknown else None
    )
    asks = (*(() if slot.card else (room_ask(),)), *((bonus_ask(),) if unknown else ()))
    return Move(label, action, asks, group="Rooms")


def _naming(state: State) -> Iterator[Move]:
    for board, place, slot in _lying(state):
        if slot.card is None:
            label = f"Enter the card in slot {place + 1}" + (f" of board {board + 1}" if board else "")
            yield Move(label, NameRoom(board=board, slot=place, card=STAND_IN_CARD), (room_ask(),), group="Enter cards")


def _lying(state: State) -> Iterator[tuple[int, int, Slot]]:
    """Every card on the game boards with its board and slot."""
    for board, slots in enumerate(state.boards):
        for place, slot in enumerate(slots):
            if slot.filled:
                yield board, place, slot


def _ai_room(state: State, *, ready: bool) -> Offer:
    decision = solo.next_pick(state)
    needs_die = isinstance(decision, solo.NeedsDie)
    text = (
        f"The AI takes a room: {decision.why}."
        if decision
        else "The AI takes a room. Enter the cards that lie face up."
    )
    action = AiTakes(die="comfort") if needs_die else AiTakes()
    label = "Roll the AI die" if needs_die else "The AI takes its room"
    move = Move(label, action, (DIE_ASK,) if needs_die else ())
    return Offer(seat=None, text=text, rule="solo.pick", moves=(move,), must=ready)


def _building(state: State) -> Iterator[Offer]:
    for seat, duke in enumerate(state.dukes):
        if duke.stage == "done" or duke.rearranging:
            continue
        if state.options.detail == "light":
            yield _build(seat, "Spend coins, then build.", _light_building(seat, duke), must=True)
        elif duke.stage == "acquiring":
            yield _build(seat, f"Spend your coins: {duke.coins} left.", acquiring(state, seat), must=True)
            yield _build(seat, "Or begin to build: that ends buying.", _full_building(state, seat), must=not duke.coins)
        else:
            yield _build(seat, "Build from your inventory.", _full_building(state, seat), must=True)
        yield Offer(seat, "Make room in the inventory.", "inventory.limit", tuple(putting_away(state, seat)))


def _build(seat: int, text: str, moves: Iterator[Move], *, must: bool) -> Offer:
    return Offer(seat=seat, text=text, rule="building.acquire", moves=tuple(moves), must=must)


def _full_building(state: State, seat: int) -> Iterator[Move]:
    yield from placing(state, seat)
    yield Move("Done building", FinishBuilding(seat=seat), closes=True)


def _light_building(seat: int, duke: Duke) -> Iterator[Move]:
    if duke.stage == "acquiring":
        yield from _spending(seat, duke)
        yield Move("Done acquiring", StopBuying(seat=seat), closes=True)
    yield Move("Done building", FinishBuilding(seat=seat), closes=True)


def _spending(seat: int, duke: Duke) -> Iterator[Move]:
    for coins in range(1, duke.coins + 1):
        yield Move(f"Spend {coins}", Spend(seat=seat, coins=coins), group="Coins")


def _guest_card(state: State) -> Iterator[Offer]:
    if anyone_rearranging(state):
        return
    count = cards_a_turn(state)
    action = RevealGuests(cards=_some_guest_cards(state, count))
    move = Move(f"Turn up {'a guest card' if count == 1 else 'two guest cards'}", action, guest_asks(count))
    yield Offer(seat=None, text="Turn up the guests.", rule="guest.cards", moves=(move,), must=True)


def _some_guest_cards(state: State, count: int) -> tuple[GuestCard, ...]:
    """Cards that could still be in the deck, to stand in for those turned up."""
    icons = zip(*(kind.elements() for kind in unseen(state)), strict=False)
    cards = tuple(GuestCard(main=main, small=small, fire=fire) for main, small, fire in islice(icons, count))
    return cards or (GuestCard(main="king", small="king"),)


def _dragon(state: State) -> Iterator[Offer]:
    for seat, duke in enumerate(state.dukes):
        if duke.rearranging:
            continue
        moves = tuple(_facing(state, seat) if duke.attack is None else _burning(state, seat))
        text = "Meet the dragon with offence or defence." if duke.attack is None else _damage_text(state, seat)
        yield Offer(seat=seat, text=text, rule="dragon.choose", moves=moves, must=bool(moves))
    if state.ai and state.ai.burns:
        move = Move("Roll what the AI loses", AiBurns(die="comfort"), (DIE_ASK,))
        yield Offer(seat=None, text="The dragon burns the AI's castle.", rule="solo.dragon", moves=(move,), must=True)


def _facing(state: State, seat: int) -> Iterator[Move]:
    for rating in ("offence", "defence"):
        value = getattr(ratings(state, seat), rating)
        yield Move(
            f"{rating.capitalize()} {value}: {damage(rating, value)} damage", FaceDragon(seat=seat, rating=rating)
        )


def _damage_text(state: State, seat: int) -> str:
    attack = state.dukes[seat].attack
    assert attack is not None
    left = attack.damage - len(attack.resolved) + (attack.owed is not None)
    if attack.owed:
        return f"Remove {chit_name(attack.owed)}."
    return f"{left} damage to take." if left else "The dragon is through with you."


def _burning(state: State, seat: int) -> Iterator[Move]:
    attack = state.dukes[seat].attack
    assert attack is not None
    if state.options.detail == "light":
        if len(attack.resolved) < attack.damage:
            yield Move("Damage taken", DragonDone(seat=seat))
        return
    if not attack.chits and not attack.sacrificed:
        yield from _sacrificing(state, seat)
    if dragon_seat(state) != seat:
        return
    if not attack.chits:
        yield Move("Draw five chits", DrawChits(seat=seat, chits=_STAND_IN_CHITS), (CHITS_ASK,))
    elif attack.owed:
        yield from _losing(state, seat, attack.owed)
    else:
        left = (place for place in range(len(attack.chits)) if place not in attack.resolved)
        yield from (
            Move(f"Resolve {chit_name(attack.chits[place])}", PickChit(seat=seat, chit=place)) for place in left
        )


def _sacrificing(state: State, seat: int) -> Iterator[Move]:
    for target in castle.targets(state.dukes[seat].castle, "character"):
        if target.what == "princess" and target.tower != "bridge":
            action = SacrificePrincess(seat=seat, tower=target.tower, level=target.level, room=target.room)
            yield Move(f"Give up the princess on {castle.where(target.tower, target.level)}", action)


def _losing(state: State, seat: int, owed: Chit) -> Iterator[Move]:
    for target in castle.targets(state.dukes[seat].castle, owed.kind):
        action = Lose(
            seat=seat, what=target.what, tower=target.tower, level=target.level, room=target.room, cobble=target.cobble
        )
        yield Move(f"Remove {castle.named(state.dukes[seat].castle, target)}", action, group="Remove")


def _guests(state: State) -> Iterator[Offer]:
    if state.visit:
        for seat in state.visit.seats:
            yield _housing(state, seat, state.visit.guest)
    elif state.guests and state.options.detail == "light":
        guest = state.guests[0]
        moves = (
            *(Move(f"The {guest} goes to {name}", AwardGuest(seats=(seat,))) for seat, name in enumerate(state.seats)),
            Move(f"The {guest} leaves", AwardGuest(seats=())),
            *(
                ()
                if len(state.dukes) < 5
                else (Move(f"Several share the {guest}", AwardGuest(seats=(0, 1)), (seats_ask(state.seats),)),)
            ),
        )
        yield Offer(
            seat=None, text=f"Who has the best room for the {guest}?", rule="guest.highest", moves=moves, must=True
        )


def _housing(state: State, seat: int, guest: str) -> Offer:
    moves = []
    for tower, level, index in castle.open_slots(
        state.dukes[seat].castle, state.visit.guest if state.visit else "king"
    ):
        room = castle.room_at(state.dukes[seat].castle, tower, level, index)
        moves.append(
            Move(
                f"{room.card.name} on {castle.where(tower, level)}",
                HouseGuest(seat=seat, tower=tower, level=level, room=index),
            )
        )
    return Offer(seat=seat, text=f"Where does the {guest} live?", rule="guest.slot", moves=tuple(moves), must=True)


def _count(state: State) -> Iterator[Offer]:
    for seat, duke in enumerate(state.dukes):
        if duke.counted is None:
            guests = duke.guests
            counts = Counted(
                kings=guests.get("king", 0), princesses=guests.get("princess", 0), knights=guests.get("knight", 0)
            )
            move = Move("Count the castle", CountCastle(seat=seat, counts=counts), COUNT_ASKS)
            yield Offer(seat=seat, text="Count what stands.", rule="score.tie-break", moves=(move,), must=True)


_BY_PHASE: dict[str, Callable[[State], Iterator[Offer]]] = {
    "opening": _opening,
    "room": _room,
    "building": _building,
    "guest-card": _guest_card,
    "dragon": _dragon,
    "guests": _guests,
    "count": _count,
}


# In any phase


def _rearranging(state: State) -> Iterator[Offer]:
    """After an accident, or on purpose: take down, put up, settle."""
    for seat, duke in enumerate(state.dukes):
        if duke.rearranging:
            stands = Move("The castle stands again", Settle(seat=seat), closes=True)
            moves = (*taking_down(state, seat), *placing(state, seat), stands)
            text = "Take down what fell or is to move, and put the castle right."
            yield Offer(seat=seat, text=text, rule="crumble.replace", moves=moves, must=True)


def _any_time(state: State) -> Iterator[Offer]:
    """Accidents happen in every phase; so do vines."""
    for seat in range(len(state.dukes)):
        moves: list[Move] = [Move("Something fell: take a Crumble token", Crumble(seat=seat), group="Collapse")]
        if state.phase == "building":
            moves.append(
                Move("Take a Crumble token to rearrange", Crumble(seat=seat, deliberate=True), group="Collapse")
            )
        if state.dukes[seat].vines_hung or (state.options.vines and state.options.detail == "light"):
            moves.append(Move("A vine dropped", DropVines(seat=seat), group="Collapse"))
        if state.options.detail == "light":
            moves.append(
                Move("Turn the dials", SetDials(seat=seat, dials=state.dukes[seat].dials), DIAL_ASKS, group="Dials")
            )
        yield Offer(seat=seat, text="At any time.", rule="crumble.token", moves=tuple(moves), standing=True)
