"""The damsel of the castle: declaring, giving, dropping out, and sharing what lies on her card."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_for_all_seasons.actions import Court, DeclareCourtship, LeaveCourt, TakeGift
from companion.rules.castle_for_all_seasons.phases import (
    courting_goes_on,
    sharing_goes_on,
    start_courting,
    with_damsel,
)
from companion.rules.castle_for_all_seasons.state import RESOURCES, Damsel, Gift, Pieces, State
from companion.rules.castle_for_all_seasons.supply import amount, gifts, merged, with_builder


def can_declare(state: State) -> bool:
    """Whether anybody may declare: the damsel lies open, nobody has begun to court her, and a round is to come."""
    damsel = _damsel(state)
    to_come = state.round < state.rounds or _round_just_begun(state)
    return damsel is not None and not damsel.declared and to_come and state.phase not in ("final", "over")


def declare(referee: Referee, state: State, action: DeclareCourtship) -> State:
    """Courting begins at the beginning of a round: this one if it has just begun (ruling.courting-begins)."""
    damsel = _damsel(state)
    if damsel is None or not can_declare(state):
        referee.impossible("winter.damsel", "There is no damsel who can still be courted and whom nobody courts yet.")
    state = with_damsel(state, replace(damsel, declared=True))
    at_once = _round_just_begun(state)
    when = "now" if at_once else "next round"
    text = f"{state.seats[action.seat]} wants to court the damsel: it begins {when}."
    referee.note(text, seat=action.seat, rule="winter.damsel")
    return start_courting(referee, state) if at_once else state


def _round_just_begun(state: State) -> bool:
    if state.winter is None:
        return False
    fresh = state.phase in ("lay", "draw", "reveal") and state.winter.last < state.round
    return fresh and not any(builder.laid for builder in state.builders)


def court(referee: Referee, state: State, action: Court) -> State:
    """Lay a gift on the card."""
    damsel = _asked(referee, state, action.seat)
    builder, name = state.builders[action.seat], state.seats[action.seat]
    if action.gift not in gifts(builder.talers, builder.held):
        referee.impossible("winter.damsel", f"{name} has no {action.gift} to give.")
    talers, pieces = _apart(action.gift)
    held = merged(builder.held, pieces, -1)
    state = with_builder(state, action.seat, talers=builder.talers - talers, held=held)
    text = f"{name} gives the damsel {amount(1, action.gift)}."
    referee.note(text, seat=action.seat, what=_what(action.gift), change=-1, rule="winter.damsel")
    given = replace(
        damsel,
        asked=damsel.asked[1:],
        gave=damsel.gave if action.seat in damsel.gave else (*damsel.gave, action.seat),
        talers=damsel.talers + talers,
        pieces=merged(damsel.pieces, pieces),
    )
    return courting_goes_on(referee, with_damsel(state, given))


def leave_court(referee: Referee, state: State, action: LeaveCourt) -> State:
    """Out for the rest of the game."""
    damsel = _asked(referee, state, action.seat)
    referee.note(f"{state.seats[action.seat]} drops out.", seat=action.seat, rule="winter.damsel-out")
    left = replace(damsel, asked=damsel.asked[1:], out=(*damsel.out, action.seat))
    return courting_goes_on(referee, with_damsel(state, left))


def take_gift(referee: Referee, state: State, action: TakeGift) -> State:
    """One piece at a time, in turn, until the card is empty."""
    damsel = _damsel(state)
    if damsel is None or not damsel.sharing or damsel.sharing[0] != action.seat:
        referee.impossible("winter.damsel-share", f"{state.seats[action.seat]} does not take from the card now.")
    if action.gift not in gifts(damsel.talers, damsel.pieces):
        referee.impossible("winter.damsel-share", f"There is no {action.gift} on the card.")
    talers, pieces = _apart(action.gift)
    builder = state.builders[action.seat]
    held = merged(builder.held, pieces)
    state = with_builder(state, action.seat, talers=builder.talers + talers, held=held)
    text = f"{state.seats[action.seat]} takes {amount(1, action.gift)} from the damsel's card."
    referee.note(text, seat=action.seat, what=_what(action.gift), change=1, rule="winter.damsel-share")
    rest = merged(damsel.pieces, pieces, -1)
    sharing = (*damsel.sharing[1:], damsel.sharing[0])
    left = replace(damsel, talers=damsel.talers - talers, pieces=rest, sharing=sharing)
    return sharing_goes_on(referee, with_damsel(state, left))


def _asked(referee: Referee, state: State, seat: int) -> Damsel:
    damsel = _damsel(state)
    if damsel is None or not damsel.asked or damsel.asked[0] != seat:
        referee.impossible("winter.damsel", f"{state.seats[seat]} is not asked for a gift now.")
    return damsel


def _damsel(state: State) -> Damsel | None:
    return state.winter.damsel if state.winter else None


def _apart(gift: Gift) -> tuple[int, Pieces]:
    """A gift as talers and as pieces."""
    return int(gift == "taler"), {kind: 1 for kind in RESOURCES if kind == gift}


def _what(gift: Gift) -> str:
    return "talers" if gift == "taler" else gift


HANDLERS: Handlers[State] = {DeclareCourtship: declare, Court: court, LeaveCourt: leave_court, TakeGift: take_gift}
