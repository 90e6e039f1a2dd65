"""The exact-payment helper: every way to pay a building value, silver through the forge included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from companion.rules.castle_for_all_seasons.actions import Payment
from companion.rules.castle_for_all_seasons.state import KINDS, Kind, Resource, State
from companion.rules.castle_for_all_seasons.supply import VALUES, amount, listed

LEAST_KINDS = 3
_KEPT_ANSWERS = 4096

Counts = tuple[int, int, int, int]
"""Sand, wood, clay and stone."""


def ways(value: int, held: Mapping[Resource, int], stock: Mapping[Resource, int]) -> tuple[Payment, ...]:
    """All payments of exactly `value` with at least 3 kinds, fewest silver bars first (Erecting Buildings).

    `held` is what the player holds, silver included; `stock` is what the carts have to give for silver. Among those
    with as many bars, the fewest pieces come first.

    >>> [described(way) for way in ways(8, {"sand": 1, "wood": 1, "stone": 1}, {})]
    ['1 stone block, 1 wooden beam, 1 sand pile']
    """
    return _ways(value, _counts(held), held.get("silver", 0), _counts(stock))


def ways_for(state: State, seat: int, value: int) -> tuple[Payment, ...]:
    """All payments of a value that a builder can make now."""
    return ways(value, state.builders[seat].held, state.stock)


def is_exact(value: int, payment: Payment) -> bool:
    """Whether a payment is worth the value and made of enough kinds, whoever may have the pieces."""
    pieces = spent(payment)
    return sum(VALUES[kind] * count for kind, count in pieces.items()) == value and len(pieces) >= LEAST_KINDS


def spent(payment: Payment) -> dict[Kind, int]:
    """What a payment puts into the general stock, by kind."""
    total = {kind: payment.own.get(kind, 0) + payment.silver.get(kind, 0) for kind in KINDS}
    return {kind: count for kind, count in total.items() if count}


def bars(payment: Payment) -> int:
    """How many silver bars a payment puts into the forge."""
    return sum(payment.silver.values())


def described(payment: Payment) -> str:
    """A payment in words.

    >>> described(Payment(own={"stone": 1, "sand": 2}, silver={"clay": 1}))
    '1 stone block, 2 sand piles, and 1 silver bar as 1 clay slab'
    """
    if not bars(payment):
        return listed(payment.own)
    silver = f"{amount(bars(payment), 'silver')} as {listed(payment.silver)}"
    return f"{listed(payment.own)}, and {silver}" if any(payment.own.values()) else silver


@lru_cache(maxsize=_KEPT_ANSWERS)
def _ways(value: int, held: Counts, silver: int, stock: Counts) -> tuple[Payment, ...]:
    most = tuple(own + min(silver, carts) for own, carts in zip(held, stock, strict=True))
    found = [
        (sum(melted), sum(total), total, melted)
        for total in _totals(value, most)
        if sum(map(bool, total)) >= LEAST_KINDS
        for melted in _meltings(total, held, silver, stock)
    ]
    return tuple(_payment(total, melted) for _, _, total, melted in sorted(found))


def _totals(value: int, most: tuple[int, ...]) -> Iterator[Counts]:
    """Every number of pieces worth exactly the value, none above its most."""
    sand_most, wood_most, clay_most, stone_most = most
    for stone in range(min(stone_most, value // VALUES["stone"]) + 1):
        after_stone = value - stone * VALUES["stone"]
        for clay in range(min(clay_most, after_stone // VALUES["clay"]) + 1):
            after_clay = after_stone - clay * VALUES["clay"]
            for wood in range(min(wood_most, after_clay // VALUES["wood"]) + 1):
                sand = after_clay - wood * VALUES["wood"]
                if sand <= sand_most:
                    yield sand, wood, clay, stone


def _meltings(total: Counts, held: Counts, silver: int, stock: Counts) -> Iterator[Counts]:
    """How many pieces of each kind may come from silver: at least what is lacking, at most what the carts have."""
    lows = [max(0, count - own) for count, own in zip(total, held, strict=True)]
    highs = [min(count, carts) for count, carts in zip(total, stock, strict=True)]
    if sum(lows) > silver or any(low > high for low, high in zip(lows, highs, strict=True)):
        return
    for sand in range(lows[0], highs[0] + 1):
        for wood in range(lows[1], highs[1] + 1):
            for clay in range(lows[2], highs[2] + 1):
                left = silver - sand - wood - clay
                for stone in range(lows[3], min(highs[3], left) + 1):
                    yield sand, wood, clay, stone


def _payment(total: Counts, melted: Counts) -> Payment:
    own = {kind: count - bar for kind, count, bar in zip(KINDS, total, melted, strict=True) if count > bar}
    return Payment(own=own, silver={kind: bar for kind, bar in zip(KINDS, melted, strict=True) if bar})


def _counts(pieces: Mapping[Resource, int]) -> Counts:
    sand, wood, clay, stone = (pieces.get(kind, 0) for kind in KINDS)
    return sand, wood, clay, stone
