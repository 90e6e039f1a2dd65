"""The conversions at the end: talers in the market, resources in the palace. The player chooses; we suggest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_for_all_seasons import castle
from companion.rules.castle_for_all_seasons.actions import ConvertResources, ConvertTalers, Payment
from companion.rules.castle_for_all_seasons.payments import bars, described, spent
from companion.rules.castle_for_all_seasons.phases import PER_POINT_TALERS, final_goes_on
from companion.rules.castle_for_all_seasons.state import KINDS, Kind, Resource, Settling, State
from companion.rules.castle_for_all_seasons.supply import (
    VALUES,
    amount,
    can_melt,
    give,
    has,
    melt,
    merged,
    with_builder,
    worth,
)

PIECES_PER_HELPER = 5


# The market


def best_talers(state: State, seat: int) -> int:
    """All talers that make whole points: points come before the tie-break."""
    talers = state.builders[seat].talers
    return talers - talers % per_point(state, seat)


def per_point(state: State, seat: int) -> int:
    """The talers a point costs."""
    return PER_POINT_TALERS[castle.helpers_of(state, seat, "market")]


def convert_talers(referee: Referee, state: State, action: ConvertTalers) -> State:
    """Talers go back into the box and become points."""
    _check_waiting(referee, state, Settling(seat=action.seat, place="market"))
    builder, name = state.builders[action.seat], state.seats[action.seat]
    if action.talers > builder.talers:
        referee.impossible("score.market", f"{name} has only {amount(builder.talers, 'taler')}.")
    per = per_point(state, action.seat)
    if action.talers % per:
        referee.impossible("score.market", f"With one helper in the market {per} talers make a point.")
    text = f"{name} converts {amount(action.talers, 'taler')} into {amount(action.talers // per, 'victory')}."
    referee.note(text, seat=action.seat, what="talers", change=-action.talers, rule="score.market")
    state = replace(state, boxed_talers=state.boxed_talers + action.talers)
    left = builder.talers - action.talers
    return _settled(with_builder(state, action.seat, talers=left, converted_talers=action.talers))


# The palace


def limit(state: State, seat: int) -> int:
    """How many pieces may be converted."""
    return PIECES_PER_HELPER * castle.helpers_of(state, seat, "palace")


def convert_resources(referee: Referee, state: State, action: ConvertResources) -> State:
    """Pieces go back into the box and become points; silver goes through the forge and stays there."""
    seat, name, payment = action.seat, state.seats[action.seat], action.payment
    _check_waiting(referee, state, Settling(seat=seat, place="palace"))
    pieces = spent(payment)
    if sum(pieces.values()) > limit(state, seat):
        referee.impossible("score.palace", f"{name} may convert {limit(state, seat)} pieces at most.")
    if not has(state, seat, payment.own) or not can_melt(state, seat, payment.silver):
        referee.impossible("build.have", f"{name} cannot get {described(payment)} together.")
    state = melt(referee, state, seat, payment.silver)
    text = f"{name} converts {described(payment)} into {amount(worth(pieces), 'victory')}."
    referee.note(text, seat=seat, what="resources", change=-sum(pieces.values()), rule="score.palace")
    state = replace(give(state, seat, pieces), boxed=merged(state.boxed, pieces))
    return _settled(with_builder(state, seat, converted=pieces))


def best_resources(state: State, seat: int) -> Payment:
    """Most points for the player, then fewest for others through the forge, then most resource value kept."""
    return max(_greedy(state, seat), key=lambda payment: _gain(state, seat, payment))


def _greedy(state: State, seat: int) -> Iterator[Payment]:
    """For each number of silver bars, the dearest pieces."""
    held, room = state.builders[seat].held, limit(state, seat)
    for silver in range(min(room, held.get("silver", 0)) + 1):
        melted = _dearest(state.stock, silver)
        if sum(melted.values()) == silver:
            yield Payment(own=_dearest(held, room - silver), silver=melted)


def _dearest(pieces: Mapping[Resource, int], most: int) -> dict[Kind, int]:
    """Up to so many pieces, the dearest first."""
    taken: dict[Kind, int] = {}
    for kind in sorted(KINDS, key=lambda kind: -VALUES[kind]):
        count = min(pieces.get(kind, 0), most - sum(taken.values()))
        taken = {**taken, kind: count} if count else taken
    return taken


def _gain(state: State, seat: int, payment: Payment) -> tuple[int, int, int, int]:
    forge = state.forge + bars(payment)
    own = worth(spent(payment)) + forge_points(state, seat, forge)
    others = sum(forge_points(state, other, forge) for other in range(len(state.seats)) if other != seat)
    kept = worth(state.builders[seat].held) - worth(payment.own)
    return own, -others, kept, -bars(payment)


def forge_points(state: State, seat: int, silver: int) -> int:
    """What a builder's helpers in the forge are worth with so many bars in it."""
    first = silver if state.helpers.get("forge-10") == seat else 0
    return first + (silver // 2 if state.helpers.get("forge-6") == seat else 0)


# Both


def _check_waiting(referee: Referee, state: State, settling: Settling) -> None:
    if not state.settling or state.settling[0] != settling:
        referee.impossible("end.order", f"{state.seats[settling.seat]} does not convert in the {settling.place} now.")


def _settled(state: State) -> State:
    return final_goes_on(replace(state, settling=state.settling[1:]))


HANDLERS: Handlers[State] = {ConvertTalers: convert_talers, ConvertResources: convert_resources}
