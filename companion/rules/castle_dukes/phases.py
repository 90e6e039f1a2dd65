"""The course of a game: how each phase leads to the next. What people do within a phase is in the other modules."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Referee
from companion.rules.castle_dukes import castle
from companion.rules.castle_dukes.barbican import with_castle
from companion.rules.castle_dukes.state import Dials, Guest, Rating, Slot, SoloMode, State, TowerId, Visit
from companion.rules.castle_dukes.supply import CARD_LIMIT, put_away, take, with_duke

COINS_A_TURN = 5
FIRST_GUEST_TURN = 4
FIRE_TURNS = (4, 7, 9)
_MUST_COME = {5: 4, 8: 7}
"""Turns that begin their Guest Phase with the dragon unless it came on the turn named."""
_LONG_GAME_DRAGON_TURN = 12
_LAST_SHORT_TURN = 9
_BIG_GAME_FROM = 5

SOUGHT: dict[Guest, Rating] = {"knight": "offence", "princess": "comfort", "king": "defence"}
"""Which rating each guest seeks (Guest Phase)."""


def big_game(state: State) -> bool:
    """Five or more players: one room at a time, tied castles share guests."""
    return len(state.dukes) >= _BIG_GAME_FROM


# Turns


def end_opening(referee: Referee, state: State) -> State:
    """All free coins are spent: the first turn begins."""
    return start_turn(referee, state)


def start_turn(referee: Referee, state: State) -> State:
    """Everyone has 5 coins; the First Player buys first."""
    referee.note(f"Turn {state.turn} begins: everyone has {COINS_A_TURN} coins.", rule="room.coins")
    dukes = tuple(replace(duke, coins=COINS_A_TURN, passed=False, stage="done") for duke in state.dukes)
    return _to_buyer(referee, replace(state, dukes=dukes, phase="room"), state.order)


def end_turn(referee: Referee, state: State) -> State:
    """Pass the First Player Marker to the left, or end the game."""
    if state.turn >= state.options.turns:
        return _end_game(referee, state)
    first = state.order[1] if len(state.order) > 1 else state.first
    return start_turn(referee, replace(state, turn=state.turn + 1, first=first))


def _end_game(referee: Referee, state: State) -> State:
    if state.options.detail == "light":
        referee.note("The last turn is over: count the castles.", rule="end.turn-9")
        return replace(state, phase="count")
    referee.note("The game is over.", rule="end.turn-9")
    return replace(state, phase="over", over=True)


# Room Phase


def next_buyer(referee: Referee, state: State) -> State:
    """Whose turn it is to buy after the present buyer; when nobody is left the Room Phase ends."""
    place = state.order.index(state.buyer) if state.buyer in state.order else -1
    later = state.order[place + 1 :]
    return _to_buyer(referee, state, (*later, *state.order[: place + 1]) if big_game(state) else later)


def can_buy(state: State, seat: int) -> bool:
    """Whether any room could be bought by a seat."""
    duke = state.dukes[seat]
    if state.options.detail == "light":
        return duke.coins > 0
    prices = [slot.cost for board in state.boards for slot in board if slot.filled]
    return len(duke.cards) < CARD_LIMIT and any(price <= duke.coins for price in prices)


def ai_picks(state: State, mode: SoloMode) -> int:
    """How many rooms the AI takes this turn (Single Player Mode)."""
    return 2 if mode == "awesome" and state.first != len(state.dukes) else 1


def _to_buyer(referee: Referee, state: State, seats: tuple[int, ...]) -> State:
    """Hand the turn to the first of these seats that has something to buy."""
    for seat in seats:
        if state.ai and seat == len(state.dukes):
            return replace(state, buyer=seat, ai=replace(state.ai, picks=ai_picks(state, state.ai.mode)))
        if state.dukes[seat].passed:
            continue
        if can_buy(state, seat):
            return replace(state, buyer=seat)
        full = state.options.detail == "full" and len(state.dukes[seat].cards) >= CARD_LIMIT
        rule = "inventory.limit" if full else "room.coins"
        referee.note(f"{state.seats[seat]} can buy no room.", seat=seat, rule=rule)
        state = with_duke(state, seat, passed=True)
    return _end_rooms(referee, replace(state, buyer=None))


def _end_rooms(referee: Referee, state: State) -> State:
    """Slide and refill the game boards; building begins."""
    for board in range(len(state.boards)):
        state = _slide(referee, state, board)
    dukes = tuple(replace(duke, stage="acquiring") for duke in state.dukes)
    return replace(state, dukes=dukes, phase="building")


def _slide(referee: Referee, state: State, board: int) -> State:
    """Cards slide down and slots are filled from the bottom up; when none was taken the lowest leaves first."""
    slots = state.boards[board]
    lying = [slot.card for slot in slots if slot.filled]
    if lying and len(lying) == len(slots):
        gone = lying.pop(0)
        referee.note(
            f"No room was taken: {gone.name if gone else 'the lowest card'} leaves the board.", rule="room.refill"
        )
        state = put_away(state, "room")
    state, drawn = take(referee, state, "room", len(slots) - len(lying))
    cards = [*lying, *[None] * (len(slots) - len(lying))]
    moved = (
        replace(slot, card=card, filled=place < len(lying) + drawn)
        for place, (slot, card) in enumerate(zip(slots, cards, strict=True))
    )
    return with_board(state, board, tuple(moved))


def with_board(state: State, board: int, slots: tuple[Slot, ...]) -> State:
    """The state with one game board changed."""
    return replace(state, boards=(*state.boards[:board], slots, *state.boards[board + 1 :]))


# Building Phase


def anyone_rearranging(state: State) -> bool:
    """Whether a castle is being put right: the phase does not end before it stands again."""
    return any(duke.rearranging for duke in state.dukes)


def castle_stands(referee: Referee, state: State) -> State:
    """A castle has been put right: go on with what waited for it."""
    if state.phase == "building":
        return building_goes_on(referee, state)
    if state.phase == "dragon":
        return dragon_goes_on(referee, state)
    return receive_guests(referee, _still_welcome(referee, state)) if state.phase == "guests" else state


def building_goes_on(referee: Referee, state: State) -> State:
    """End the Building Phase once everyone is done and every castle stands."""
    return end_building(referee, state) if state.phase == "building" and all_have_built(state) else state


def all_have_built(state: State) -> bool:
    """Whether everyone is done building and every castle stands."""
    return all(duke.stage == "done" for duke in state.dukes) and not anyone_rearranging(state)


def end_building(referee: Referee, state: State) -> State:
    """All have built: the guests come, from turn 4 on."""
    if state.turn < FIRST_GUEST_TURN:
        referee.note(f"No guests before turn {FIRST_GUEST_TURN}.", rule="guest.from-turn-4")
        return end_turn(referee, state)
    if dragon_must_come(state):
        return start_dragon(referee, state)
    return replace(state, phase="guest-card")


# Dragon


def dragon_must_come(state: State) -> bool:
    """Whether this turn's Guest Phase begins with the dragon, before a card is drawn."""
    if state.turn == _LONG_GAME_DRAGON_TURN:
        return True
    return state.turn in _MUST_COME and _MUST_COME[state.turn] not in state.attacks


def fire_counts(state: State) -> bool:
    """Whether a fire icon brings the dragon on this turn."""
    if state.turn == _LAST_SHORT_TURN and state.options.turns > _LAST_SHORT_TURN:
        return state.options.turn9_check
    return state.turn in FIRE_TURNS


def start_dragon(referee: Referee, state: State) -> State:
    """The dragon attacks every castle."""
    referee.note("The dragon attacks!", rule="dragon.when")
    dukes = tuple(replace(duke, attack=None) for duke in state.dukes)
    ai = state.ai and replace(state.ai, burns=2 if state.ai.mode == "baby" else 1)
    return replace(state, phase="dragon", attacks=(*state.attacks, state.turn), dukes=dukes, ai=ai)


def dragon_seat(state: State) -> int | None:
    """Whose chits are drawn and resolved now: nobody's until all have chosen how to meet the dragon."""
    if state.phase != "dragon" or any(duke.attack is None for duke in state.dukes):
        return None
    waiting = (seat for seat in state.order if seat < len(state.dukes) and not _through(state, seat))
    return next(waiting, None)


def _through(state: State, seat: int) -> bool:
    attack = state.dukes[seat].attack
    return attack is not None and attack.owed is None and len(attack.resolved) >= attack.damage


def dragon_goes_on(referee: Referee, state: State) -> State:
    """After each part of an attack: wait for the next part, or go on to the guests."""
    state = _nothing_left_to_lose(referee, state)
    everyone = all(_through(state, seat) for seat in range(len(state.dukes)))
    if not everyone or (state.ai and state.ai.burns) or anyone_rearranging(state):
        return state
    referee.note("The dragon is gone.")
    state = replace(state, dukes=tuple(replace(duke, attack=None) for duke in state.dukes))
    return receive_guests(referee, state) if state.guests else replace(state, phase="guest-card")


def _nothing_left_to_lose(referee: Referee, state: State) -> State:
    """A chit of whose kind nothing stands any more is resolved (ruling.unfinished-removal)."""
    for seat, duke in enumerate(state.dukes):
        if duke.rearranging:
            continue
        if duke.attack and duke.attack.owed and not castle.targets(duke.castle, duke.attack.owed.kind):
            kind = duke.attack.owed.kind
            referee.note(
                f"{state.seats[seat]} has no {kind} left to lose.", seat=seat, rule="ruling.unfinished-removal"
            )
            state = with_duke(state, seat, attack=replace(duke.attack, owed=None))
    return state


# Guests


def receive_guests(referee: Referee, state: State) -> State:
    """Let the waiting guests choose their castles, as far as nobody has to decide anything and every castle stands."""
    state = replace(state, phase="guests")
    while state.guests and state.visit is None and state.options.detail == "full" and not anyone_rearranging(state):
        state = _receive(referee, state, state.guests[0])
    if state.guests or anyone_rearranging(state):
        return state
    return end_turn(referee, state)


def _still_welcome(referee: Referee, state: State) -> State:
    """A guest whose host has no room left for it after an accident leaves."""
    if state.visit is None:
        return state
    guest = state.visit.guest
    hosts = tuple(seat for seat in state.visit.seats if _can_house(state, seat, guest))
    turned_away = len(state.visit.seats) - len(hosts)
    if turned_away:
        referee.note(f"There is no room left for the {guest}, who leaves.", rule="guest.slot")
        state = put_away(state, guest, turned_away)
    return replace(state, visit=Visit(guest=guest, seats=hosts)) if hosts else guest_gone(state)


def _can_house(state: State, seat: int, guest: Guest) -> bool:
    duke = state.dukes[seat]
    return duke.rearranging or bool(castle.open_slots(duke.castle, guest))


def guest_gone(state: State) -> State:
    """The guest in front has been dealt with."""
    return replace(state, guests=state.guests[1:], visit=None)


def settle_guest(referee: Referee, state: State, seat: int, guest: Guest, room: tuple[TowerId, int, int]) -> State:
    """A guest moves into a room."""
    tower, level, index = room
    referee.note(
        f"The {guest} moves in with {state.seats[seat]}.", seat=seat, what=guest, change=1, rule="guest.highest"
    )
    return with_castle(referee, state, seat, castle.with_guest(state.dukes[seat].castle, tower, level, index, guest))


def _receive(referee: Referee, state: State, guest: Guest) -> State:
    hosts = _hosts(referee, state, guest)
    state, came = take(referee, state, guest, len(hosts))
    if came < len(hosts):
        referee.note(f"Not enough figures for the {guest}.", rule="ruling.guest-none-left")
    for seat in hosts[:came]:
        state = _arrive(referee, state, seat, guest)
    return state if state.visit else guest_gone(state)


def _hosts(referee: Referee, state: State, guest: Guest) -> tuple[int, ...]:
    """The seats the guest goes to, in turn order: the highest rating among those with a slot."""
    sought = SOUGHT[guest]
    ratings = {seat: getattr(dials, sought) for seat, dials in _competing(state, guest).items()}
    best = [seat for seat in state.order if ratings.get(seat, -1) == max(ratings.values(), default=None)]
    if not best:
        referee.note(f"Nobody has room for the {guest}, who leaves.", rule="guest.slot")
    elif len(best) > 1 and not big_game(state):
        referee.note(f"{_names(state, best)} are tied in {sought}: the {guest} leaves.", rule="guest.tie")
        return ()
    elif len(best) > 1:
        referee.note(f"{_names(state, best)} are tied in {sought}: each gets a {guest}.", rule="big.share")
    return tuple(best)


def _competing(state: State, guest: Guest) -> dict[int, Dials]:
    dials = {
        seat: castle.dials(duke.castle)
        for seat, duke in enumerate(state.dukes)
        if castle.open_slots(duke.castle, guest)
    }
    if state.ai:
        ai = state.ai
        dials[len(state.dukes)] = Dials(comfort=ai.comfort, defence=ai.defence, offence=ai.offence)
    return dials


def _arrive(referee: Referee, state: State, seat: int, guest: Guest) -> State:
    """A figure reaches its host: the AI's barbican, the only room there is, or a choice to be made."""
    if seat == len(state.dukes):
        return _ai_hosts(referee, state, guest)
    slots = castle.open_slots(state.dukes[seat].castle, guest)
    if len(slots) == 1:
        return settle_guest(referee, state, seat, guest, slots[0])
    seats = state.visit.seats if state.visit else ()
    return replace(state, visit=Visit(guest=guest, seats=(*seats, seat)))


def _ai_hosts(referee: Referee, state: State, guest: Guest) -> State:
    assert state.ai is not None
    referee.note(f"The {guest} goes to the AI.", seat=len(state.dukes), what=guest, change=1, rule="solo.guests")
    ai = replace(state.ai, **{guest: getattr(state.ai, guest) + 1})
    if guest == "knight":
        ai = replace(ai, offence=ai.offence + 1)
        text = f"The AI's offence is now {ai.offence} (+1)."
        referee.note(text, seat=len(state.dukes), what="offence", change=1, rule="guest.knight")
    return replace(state, ai=ai)


def _names(state: State, seats: list[int]) -> str:
    names = (*state.seats, "AI")
    return " and ".join(names[seat] for seat in seats)
