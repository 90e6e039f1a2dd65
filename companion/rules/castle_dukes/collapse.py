"""Crumble tokens, and the rearranging that follows an accident or a token taken on purpose."""

from __future__ import annotations

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dukes import castle
from companion.rules.castle_dukes.acquiring import duke_in, tracked
from companion.rules.castle_dukes.actions import Crumble, RehouseGuest, Settle, TakeDown
from companion.rules.castle_dukes.barbican import with_castle
from companion.rules.castle_dukes.phases import castle_stands
from companion.rules.castle_dukes.placing import pointing
from companion.rules.castle_dukes.state import ITEMS, Card, Duke, Item, State, Stocked
from companion.rules.castle_dukes.supply import (
    CARD_LIMIT,
    added,
    amount,
    put_away,
    put_away_all,
    room_for,
    with_duke,
)

_TOKENS_A_SET = 12


def crumble(referee: Referee, state: State, action: Crumble) -> State:
    """One Crumble token for an accident, however much fell, or for rearranging on purpose."""
    seat = action.seat
    duke = duke_in(referee, state, seat)
    if action.deliberate:
        _check_deliberate(referee, state, seat)
    rule = "crumble.on-purpose" if action.deliberate else "crumble.token"
    text = f"{state.seats[seat]} takes a Crumble token and has {duke.crumbles + 1}."
    referee.note(text, seat=seat, what="crumbles", change=1, rule=rule)
    _note_tokens_left(referee, state)
    return with_duke(state, seat, crumbles=duke.crumbles + 1, rearranging=state.options.detail == "full")


def _check_deliberate(referee: Referee, state: State, seat: int) -> None:
    name = state.seats[seat]
    if state.phase != "building":
        referee.refuse("crumble.on-purpose", f"{name} can rearrange on purpose in the Building Phase only.")
    elif state.dukes[seat].stage == "done":
        referee.refuse("crumble.on-purpose", f"{name} has finished building and can rearrange no more this turn.")


def _note_tokens_left(referee: Referee, state: State) -> None:
    taken = 1 + sum(duke.crumbles for duke in state.dukes)
    tokens = _TOKENS_A_SET * state.sets
    if taken > tokens:
        referee.note(f"All {tokens} Crumble tokens are taken; this one still counts.", rule="ruling.crumbles-run-out")


def take_down(referee: Referee, state: State, action: TakeDown) -> State:
    """Take a piece off the castle with all that rests on it (rulebook, Collapsing Penalty)."""
    seat = action.seat
    duke = _rearranging(referee, state, seat)
    with pointing(referee, "crumble.replace"):
        left, removed, cards = castle.remove(duke.castle, castle.Target.of(action))
    listed = ", ".join(amount(count, piece) for piece, count in removed.items())
    referee.note(f"{state.seats[seat]} takes down {listed}.", seat=seat, rule="crumble.replace")
    loose = _with_loose(duke, removed)
    state = with_duke(state, seat, rearranging=True, loose=loose, loose_cards=(*duke.loose_cards, *cards))
    return with_castle(referee, state, seat, left)


def _with_loose(duke: Duke, removed: dict[Stocked, int]) -> dict[Stocked, int]:
    """What lies loose; room cards are kept apart as cards."""
    loose = duke.loose
    for piece, count in removed.items():
        if piece != "room":
            loose = added(loose, piece, count)
    return loose


def rehouse_guest(referee: Referee, state: State, action: RehouseGuest) -> State:
    """Put a guest that was taken down into a free slot."""
    seat, guest = action.seat, action.guest
    duke = _rearranging(referee, state, seat)
    if not duke.loose.get(guest, 0):
        referee.impossible("inventory.have", f"{state.seats[seat]} has taken down 0 {guest}s to rehouse.")
    with pointing(referee, "guest.slot"):
        room = castle.room_at(duke.castle, action.tower, action.level, action.room)
    if not castle.free_slots(room, guest):
        referee.refuse("guest.slot", f"{room.card.name} has 0 free slots for a {guest}.")
    referee.note(f"{state.seats[seat]} rehouses a {guest} in {room.card.name}.", seat=seat, rule="crumble.replace")
    state = with_duke(state, seat, loose=added(duke.loose, guest, -1))
    housed = castle.with_guest(duke.castle, action.tower, action.level, action.room, guest)
    return with_castle(referee, state, seat, housed)


def _rearranging(referee: Referee, state: State, seat: int) -> Duke:
    duke = tracked(referee, state, seat)
    if not duke.rearranging:
        why = f"{state.seats[seat]}'s castle stays as it is: without a Crumble token nothing is moved."
        referee.refuse("building.permanent", why)
    return duke


def settle(referee: Referee, state: State, action: Settle) -> State:
    """The castle stands; what was not put back goes where there is room for it (ruling.loose-to-inventory)."""
    seat = action.seat
    duke = tracked(referee, state, seat)
    if not duke.rearranging:
        referee.refuse("crumble.replace", f"{state.seats[seat]} is not rearranging the castle.")
    for item in ITEMS:
        state = _keep(referee, state, seat, item, duke.loose.get(item, 0))
    state = _keep_cards(referee, state, seat, duke.loose_cards)
    state = _discard_guests(referee, state, seat)
    referee.note(f"{state.seats[seat]}'s castle stands.", seat=seat, rule="crumble.replace")
    return castle_stands(referee, with_duke(state, seat, rearranging=False, loose={}, loose_cards=()))


def _keep(referee: Referee, state: State, seat: int, item: Item, count: int) -> State:
    """Loose items back to the inventory, the rest to the discard."""
    duke = state.dukes[seat]
    kept = min(count, room_for(duke, item))
    _note_kept(referee, state, seat, item, kept, count - kept)
    return put_away(with_duke(state, seat, held=added(duke.held, item, kept)), item, count - kept)


def _keep_cards(referee: Referee, state: State, seat: int, loose: tuple[Card, ...]) -> State:
    cards = state.dukes[seat].cards
    kept = loose[: max(0, CARD_LIMIT - len(cards))]
    _note_kept(referee, state, seat, "room", len(kept), len(loose) - len(kept))
    return put_away(with_duke(state, seat, cards=(*cards, *kept)), "room", len(loose) - len(kept))


def _discard_guests(referee: Referee, state: State, seat: int) -> State:
    """Guests without a room leave the castle for good."""
    guests = {piece: count for piece, count in state.dukes[seat].loose.items() if piece not in ITEMS}
    for guest, count in guests.items():
        _note_kept(referee, state, seat, guest, 0, count)
    return put_away_all(state, guests)


def _note_kept(referee: Referee, state: State, seat: int, piece: Stocked, kept: int, gone: int) -> None:
    name, rule = state.seats[seat], "ruling.loose-to-inventory"
    if kept:
        text = f"{name} takes {amount(kept, piece)} back into the inventory."
        referee.note(text, seat=seat, what=piece, change=kept, rule=rule)
    if gone:
        referee.note(f"{name} discards {amount(gone, piece)}.", seat=seat, rule=rule)


HANDLERS: Handlers[State] = {
    Crumble: crumble,
    TakeDown: take_down,
    RehouseGuest: rehouse_guest,
    Settle: settle,
}
