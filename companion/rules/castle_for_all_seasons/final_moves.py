"""The moves of the final scoring: conversions, the best one first."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.castle_for_all_seasons.actions import ConvertResources, ConvertTalers, Payment
from companion.rules.castle_for_all_seasons.asks import PIECE_ASKS, in_full, talers_ask
from companion.rules.castle_for_all_seasons.conversions import best_resources, best_talers, limit, per_point
from companion.rules.castle_for_all_seasons.payments import described, spent
from companion.rules.castle_for_all_seasons.state import State
from companion.rules.castle_for_all_seasons.supply import amount, worth
from companion.rules.offers import Move, Offer


def converting(state: State) -> Iterator[Offer]:
    """Whoever is next in market or palace."""
    if state.settling:
        seat = state.settling[0].seat
        yield _market(state, seat) if state.settling[0].place == "market" else _palace(state, seat)


def _market(state: State, seat: int) -> Offer:
    best, per = best_talers(state, seat), per_point(state, seat)
    label = f"Convert {amount(best, 'taler')} for {amount(best // per, 'point')} (best)"
    other = Move("Convert another number", ConvertTalers(seat=seat, talers=best), (talers_ask(best),))
    moves = (
        Move(label, ConvertTalers(seat=seat, talers=best)),
        *((other,) if best > per else ()),
        Move("Convert nothing", ConvertTalers(seat=seat, talers=0), closes=True),
    )
    rate = "each taler makes a point" if per == 1 else f"{per} talers make a point"
    return Offer(seat, f"Market: {rate}.", "score.market", moves, must=True)


def _palace(state: State, seat: int) -> Offer:
    best = best_resources(state, seat)
    pieces = spent(best)
    label = f"Convert {described(best)} for {amount(worth(pieces), 'point')} (best)"
    other = ConvertResources(seat=seat, payment=in_full(best))
    moves = (
        *((Move(label, ConvertResources(seat=seat, payment=best)),) if pieces else ()),
        *((Move("Convert other pieces", other, PIECE_ASKS),) if sum(pieces.values()) else ()),
        Move("Convert nothing", ConvertResources(seat=seat, payment=Payment()), closes=True),
    )
    return Offer(seat, f"Palace: convert up to {limit(state, seat)} resources.", "score.palace", moves, must=True)
