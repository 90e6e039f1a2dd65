"""The exact-payment helper against brute force, and the rulebook's example."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.castle_for_all_seasons.actions import Payment
from companion.rules.castle_for_all_seasons.payments import bars, described, is_exact, spent, ways
from companion.rules.castle_for_all_seasons.state import KINDS, Kind, Resource

VALUES = (1, 2, 4, 5)
small = st.integers(0, 3)


def brute(value: int, held: dict[Resource, int], stock: dict[Resource, int]) -> set[tuple[int, ...]]:
    """Every combination of own and melted pieces, tried one by one."""
    own = [range(held.get(kind, 0) + 1) for kind in KINDS]
    silver = held.get("silver", 0)
    melted = [range(min(silver, stock.get(kind, 0)) + 1) for kind in KINDS]
    found = set()
    for counts in product(*own, *melted):
        total = [counts[place] + counts[place + 4] for place in range(4)]
        exact = sum(count * worth for count, worth in zip(total, VALUES, strict=True)) == value
        if exact and sum(map(bool, total)) >= 3 and sum(counts[4:]) <= silver:
            found.add(counts)
    return found


def flat(payment: Payment) -> tuple[int, ...]:
    return (*(payment.own.get(kind, 0) for kind in KINDS), *(payment.silver.get(kind, 0) for kind in KINDS))


@given(
    st.sampled_from([8, 10, 12, 18, 22, 24, 30]),
    st.fixed_dictionaries(dict.fromkeys(("sand", "wood", "clay", "stone", "silver"), small)),
    st.fixed_dictionaries(dict.fromkeys(KINDS, small)),
)
def test_all_ways_and_only_those(value: int, held: dict[Resource, int], stock: dict[Resource, int]) -> None:
    found = ways(value, held, stock)
    assert {flat(payment) for payment in found} == brute(value, held, stock)
    assert len({flat(payment) for payment in found}) == len(found)
    assert all(is_exact(value, payment) for payment in found)
    assert [bars(payment) for payment in found] == sorted(bars(payment) for payment in found)


def test_the_stable_of_the_rulebook() -> None:
    payment = Payment(own={"stone": 2, "clay": 1, "sand": 4})
    assert is_exact(18, payment)
    assert ways(18, {"stone": 2, "clay": 1, "sand": 4}, {}) == (payment,)


def test_without_silver_first_then_the_fewest_pieces() -> None:
    found = ways(8, {"sand": 3, "wood": 2, "clay": 1, "stone": 1, "silver": 2}, {"stone": 1})
    assert described(found[0]) == "1 stone block, 1 wooden beam, 1 sand pile"
    assert bars(found[0]) == 0
    assert bars(found[-1]) > 0


def test_silver_becomes_only_what_the_carts_have() -> None:
    held: dict[Resource, int] = {"sand": 1, "wood": 1, "silver": 1}
    assert ways(8, held, {"clay": 3, "sand": 3}) == ()
    assert ways(8, held, {"stone": 1}) == (Payment(own={"sand": 1, "wood": 1}, silver={"stone": 1}),)


def test_odd_sums_pay_no_building() -> None:
    held: dict[Resource, int] = {"sand": 1, "wood": 3, "clay": 3}
    assert all(not ways(value, held, {}) for value in range(8, 31, 2) if value > 1 + 6 + 12)
    assert ways(8, {"sand": 1, "wood": 2, "clay": 1}, {}) == ()


@pytest.mark.parametrize("payment", [Payment(own={"stone": 2, "clay": 2}), Payment(own={"clay": 2}), Payment()])
def test_two_kinds_are_too_few(payment: Payment) -> None:
    assert not is_exact(18, payment)
    assert not is_exact(8, payment)


def test_what_a_payment_spends() -> None:
    kinds: dict[Kind, int] = {"stone": 2, "clay": 1}
    assert spent(Payment(own={"stone": 1, "clay": 1, "sand": 0}, silver={"stone": 1})) == kinds
