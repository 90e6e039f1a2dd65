"""Prizes for places and tie-break chains."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.places import decide, ordinal, podium
from companion.rules.scores import Line, ScoreSheet, TieBreak

PRIZES = [(6, 3), (4, 2)]
SEATS = ("North", "East", "South", "West", "NE", "SE", "SW", "NW")

values_lists = st.lists(st.integers(0, 30), min_size=1, max_size=8)


def restated(values: tuple[int, ...], first: int, second: int) -> tuple[int, ...]:
    """The tie rule once more, in the plainest way: only who is best and who is next best matters."""
    best = max(values)
    if values.count(best) > 1:
        return tuple((first + second) // values.count(best) if value == best else 0 for value in values)
    rest = [value for value in values if value != best]
    next_best = max(rest, default=-1)
    share = second // rest.count(next_best) if rest else 0
    return tuple(first if value == best else share if value == next_best else 0 for value in values)


def points(values: tuple[int, ...] | list[int], prizes: tuple[int, int]) -> tuple[int, ...]:
    return tuple(award.points for award in podium(values, prizes))


@pytest.mark.parametrize("players", range(1, 9))
@pytest.mark.parametrize("prizes", PRIZES)
def test_every_small_podium_pays_as_restated(players: int, prizes: tuple[int, int]) -> None:
    for values in product(range(3), repeat=players):
        assert points(values, prizes) == restated(values, *prizes), values


@pytest.mark.parametrize(
    ("values", "paid"),
    [
        ((5, 3), (6, 3)),
        ((5, 5), (4, 4)),
        ((5, 5, 4), (4, 4, 0)),
        ((5, 5, 5), (3, 3, 3)),
        ((5, 5, 5, 5), (2, 2, 2, 2)),
        ((5,) * 5, (1,) * 5),
        ((5,) * 8, (1,) * 8),
        ((5, 4, 4), (6, 1, 1)),
        ((5, 4, 4, 4), (6, 1, 1, 1)),
        ((5, 4, 4, 4, 4), (6, 0, 0, 0, 0)),
        ((0, 0), (4, 4)),
        ((0, 7), (3, 6)),
    ],
)
def test_podium_of_six_and_three(values: tuple[int, ...], paid: tuple[int, ...]) -> None:
    assert points(values, (6, 3)) == paid


def test_why_tells_the_sum() -> None:
    assert podium((7, 7, 1), (6, 3))[0].why == "2 tied for 1st: (6 + 3) / 2, rounded down"
    assert podium((7, 2, 2), (6, 3))[1].why == "2 tied for 2nd: 3 / 2, rounded down"
    assert podium((7, 7, 1), (6, 3))[2].why == "3rd"


def test_places_after_a_tie_are_skipped() -> None:
    assert [award.place for award in podium((9, 4, 9, 1), (6, 3))] == [1, 3, 1, 4]


def test_none_does_not_compete() -> None:
    awards = podium((None, 2, None, 5), (6, 3))
    assert [award.points for award in awards] == [0, 3, 0, 6]
    assert [award.place for award in awards] == [0, 2, 0, 1]


def test_ordinals() -> None:
    assert [ordinal(place) for place in (1, 2, 3, 8)] == ["1st", "2nd", "3rd", "8th"]


@given(values_lists, st.tuples(st.integers(0, 9), st.integers(0, 9)))
def test_never_pays_more_than_the_prizes(values: list[int], prizes: tuple[int, int]) -> None:
    assert sum(points(values, prizes)) <= sum(prizes)


@given(st.data(), values_lists)
def test_seats_do_not_matter(data: st.DataObject, values: list[int]) -> None:
    order = data.draw(st.permutations(range(len(values))))
    paid = points(values, (6, 3))
    assert points([values[seat] for seat in order], (6, 3)) == tuple(paid[seat] for seat in order)


@given(values_lists)
def test_more_is_never_worth_less(values: list[int]) -> None:
    paid = points(values, (6, 3))
    for one, other in permutations(range(len(values)), 2):
        if values[one] >= values[other]:
            assert paid[one] >= paid[other]


# Who won


def sheet(totals: tuple[int, ...], *breaks: tuple[int, ...]) -> ScoreSheet:
    lines = tuple(
        Line(seat=seat, key="all", label="All", count=total, points=total, why="") for seat, total in enumerate(totals)
    )
    named = tuple(TieBreak(label=f"break {place}", values=values) for place, values in enumerate(breaks, start=1))
    return ScoreSheet(names=SEATS[: len(totals)], lines=lines, tie_breaks=named)


def test_points_decide() -> None:
    outcome = decide(sheet((3, 9, 5), (9, 0, 9), (9, 0, 9)))
    assert outcome.winners == (1,)
    assert outcome.ranking == ((1,), (2,), (0,))
    assert outcome.decided_by == "points"
    assert outcome.text == "East wins with 9 points."


def test_first_tie_break_decides() -> None:
    outcome = decide(sheet((9, 9, 5), (3, 4, 8), (9, 0, 9)))
    assert (outcome.winners, outcome.decided_by) == ((1,), "break 1")
    assert outcome.text == "East wins with 9 points; the tie is broken by break 1."


def test_second_tie_break_decides() -> None:
    outcome = decide(sheet((9, 9, 9), (4, 4, 1), (1, 2, 7)))
    assert (outcome.winners, outcome.decided_by) == ((1,), "break 2")
    assert outcome.ranking == ((1,), (0,), (2,))


def test_level_in_everything_is_shared() -> None:
    outcome = decide(sheet((9, 2, 9), (4, 9, 4), (2, 9, 2)))
    assert (outcome.winners, outcome.decided_by) == ((0, 2), "shared")
    assert outcome.ranking == ((0, 2), (1,))
    assert "share the win" in outcome.text


def test_alone_there_is_only_a_score() -> None:
    assert decide(sheet((7,), (0,))).text == "North scores 7."


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=2, max_size=8))
def test_ranking_is_the_order_of_points_then_breaks(keys: list[tuple[int, int, int]]) -> None:
    totals, first, second = (tuple(column) for column in zip(*keys, strict=True))
    outcome = decide(sheet(totals, first, second))
    ranked = [{keys[seat] for seat in group} for group in outcome.ranking]
    assert [next(iter(group)) for group in ranked] == sorted(set(keys), reverse=True)
    assert all(len(group) == 1 for group in ranked)
    assert sorted(seat for group in outcome.ranking for seat in group) == list(range(len(keys)))
    assert (outcome.decided_by == "shared") == (len(outcome.winners) > 1)
