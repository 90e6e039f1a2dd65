"""The light game: the table handles the pieces; the companion keeps turns, coins, dials, guests and the count."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dukes.acquiring import opening_through
from companion.rules.castle_dukes.actions import AwardGuest, CountCastle, DragonDone, SetDials, Spend
from companion.rules.castle_dukes.phases import big_game, dragon_goes_on, guest_gone, receive_guests
from companion.rules.castle_dukes.rooms import after_purchase
from companion.rules.castle_dukes.scoring import DukeTally, Tally
from companion.rules.castle_dukes.state import Counted, Guest, State
from companion.rules.castle_dukes.supply import added, spend, with_duke


def spend_coins(referee: Referee, state: State, action: Spend) -> State:
    """Pay for a room in the Room Phase, for tiles, pillars and cards in the Building Phase; spend the free coins."""
    _light(referee, state)
    duke = state.dukes[action.seat]
    if state.phase == "room" and state.buyer != action.seat:
        referee.refuse("room.order", f"It is not {state.seats[action.seat]}'s turn to buy rooms.")
    elif state.phase == "building" and duke.stage != "acquiring":
        referee.refuse("building.declared", f"{state.seats[action.seat]} is done acquiring this turn.")
    elif state.phase not in ("opening", "room", "building"):
        referee.refuse("turn.phases", "Coins are spent in the Room Phase and the Building Phase.")
    state = spend(referee, state, action.seat, action.coins, "room.coins")
    return opening_through(referee, state) if state.phase == "opening" else after_purchase(referee, state, action.seat)


def set_dials(referee: Referee, state: State, action: SetDials) -> State:
    """Turn the dials to what the castle is worth."""
    _light(referee, state)
    return with_duke(state, action.seat, dials=action.dials)


def award_guest(referee: Referee, state: State, action: AwardGuest) -> State:
    """The table says who houses the guest; a knight adds 1 offence."""
    _light(referee, state)
    if state.phase != "guests" or not state.guests:
        referee.impossible("guest.highest", "No guest is waiting.")
    if any(seat >= len(state.dukes) for seat in action.seats):
        referee.impossible("turn.seat", "There is no such seat.")
    if len(action.seats) > 1 and not big_game(state):
        referee.refuse("guest.tie", "A guest whose best castles are tied leaves.")
    guest = state.guests[0]
    for seat in dict.fromkeys(action.seats):
        state = _host(referee, state, seat, guest)
    if not action.seats:
        referee.note(f"The {guest} leaves.", rule="guest.tie")
    return receive_guests(referee, guest_gone(state))


def dragon_done(referee: Referee, state: State, action: DragonDone) -> State:
    """A seat has resolved its chits."""
    _light(referee, state)
    attack = state.dukes[action.seat].attack
    if attack is None:
        referee.impossible("dragon.choose", f"{state.seats[action.seat]} has not chosen how to meet the dragon.")
    through = replace(attack, resolved=tuple(range(attack.damage)))
    return dragon_goes_on(referee, with_duke(state, action.seat, attack=through))


def count_castle(referee: Referee, state: State, action: CountCastle) -> State:
    """The final count; when all are in the game is over."""
    _light(referee, state)
    if state.phase != "count":
        referee.refuse("end.turn-9", "Castles are counted after the last turn.")
    if action.counts.high_rooms > action.counts.rooms:
        referee.impossible("score.high-rooms", "More rooms on level 5 and higher than rooms in all.")
    state = with_duke(state, action.seat, counted=action.counts)
    if state.phase == "count" and all(duke.counted for duke in state.dukes):
        return replace(state, phase="over", over=True)
    return state


def tally(state: State) -> Tally:
    """What will be scored: dials and tokens as kept, the rest as counted."""
    return Tally(
        players=tuple(_tally(state, seat) for seat in range(len(state.dukes))), zero_ranks=state.options.zero_ranks
    )


def _tally(state: State, seat: int) -> DukeTally:
    duke = state.dukes[seat]
    counted = duke.counted or Counted()
    return DukeTally(
        name=state.seats[seat],
        comfort=duke.dials.comfort, defence=duke.dials.defence, offence=duke.dials.offence,
        levels=(counted.left, counted.middle, counted.right), bridges=counted.bridges,
        serfs=counted.serfs, battlements=counted.battlements, coffers=counted.coffers,
        rooms=counted.rooms, high_rooms=counted.high_rooms, room_vp=counted.room_vp,
        kings=counted.kings, princesses=counted.princesses, knights=counted.knights,
        crumbles=duke.crumbles, vines=duke.vines_dropped,
    )  # fmt: skip


def _host(referee: Referee, state: State, seat: int, guest: Guest) -> State:
    duke = state.dukes[seat]
    referee.note(
        f"The {guest} moves in with {state.seats[seat]}.", seat=seat, what=guest, change=1, rule="guest.highest"
    )
    state = with_duke(state, seat, guests=added(duke.guests, guest, 1))
    if guest != "knight":
        return state
    return with_duke(state, seat, dials=replace(duke.dials, offence=duke.dials.offence + 1))


def _light(referee: Referee, state: State) -> None:
    if state.options.detail != "light":
        referee.impossible("light.full-only", "In a full game this follows from the pieces.")


HANDLERS: Handlers[State] = {
    Spend: spend_coins,
    SetDials: set_dials,
    AwardGuest: award_guest,
    DragonDone: dragon_done,
    CountCastle: count_castle,
}
