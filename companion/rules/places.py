"""Scoring helpers that several boxes share: prizes for places with ties, and tie-break chains."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct

from companion.rules.scores import Outcome, ScoreSheet

_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")


class Award(Struct, frozen=True, kw_only=True):
    """What one seat gets in a contest for places. `place` counts from 1; 0 means it did not compete."""

    place: int
    points: int
    why: str


def ordinal(place: int) -> str:
    """
    >>> ordinal(2)
    '2nd'
    """
    return _ORDINALS[place - 1]


def podium(values: Sequence[int | None], prizes: Sequence[int]) -> tuple[Award, ...]:
    """Pay prizes for the highest values. Tied seats pool the places they span and share them, rounded down.

    A value of None does not compete.

    >>> [award.points for award in podium([7, 7, 4], [6, 3])]
    [4, 4, 0]
    >>> [award.points for award in podium([9, 4, 4, None], [6, 3])]
    [6, 1, 1, 0]
    """
    awards = [Award(place=0, points=0, why="does not compete")] * len(values)
    place = 1
    for _, group in _tiers([(value, seat) for seat, value in enumerate(values) if value is not None]):
        award = _share(place, len(group), prizes)
        for seat in group:
            awards[seat] = award
        place += len(group)
    return tuple(awards)


def _tiers(pairs: list[tuple[int, int]]) -> list[tuple[int, list[int]]]:
    """Seats grouped by value, highest first; seats in table order within a group."""
    ordered = sorted(pairs, key=lambda pair: (-pair[0], pair[1]))
    return [(value, [seat for _, seat in group]) for value, group in groupby(ordered, key=lambda pair: pair[0])]


def _share(place: int, tied: int, prizes: Sequence[int]) -> Award:
    pooled = prizes[place - 1 : place - 1 + tied]
    points = sum(pooled) // tied
    if tied == 1:
        return Award(place=place, points=points, why=ordinal(place))
    if not pooled:
        return Award(place=place, points=0, why=f"{tied} tied for {ordinal(place)}")
    sum_text = " + ".join(str(prize) for prize in pooled)
    if len(pooled) > 1:
        sum_text = f"({sum_text})"
    return Award(place=place, points=points, why=f"{tied} tied for {ordinal(place)}: {sum_text} / {tied}, rounded down")


def decide(sheet: ScoreSheet) -> Outcome:
    """Rank by points, then by each tie-break in turn; what is still equal shares the place."""
    keys = [_key(sheet, seat) for seat in range(len(sheet.names))]
    ranking = tuple(tuple(group) for group in _by_key(keys))
    winners = ranking[0]
    decided_by = _decider(sheet, keys)
    return Outcome(winners=winners, ranking=ranking, decided_by=decided_by, text=_verdict(sheet, winners, decided_by))


def _key(sheet: ScoreSheet, seat: int) -> tuple[int, ...]:
    return (sheet.total(seat), *(tie_break.values[seat] for tie_break in sheet.tie_breaks))


def _by_key(keys: list[tuple[int, ...]]) -> list[list[int]]:
    ordered = sorted(range(len(keys)), key=lambda seat: (tuple(-value for value in keys[seat]), seat))
    return [list(group) for _, group in groupby(ordered, key=lambda seat: keys[seat])]


def _decider(sheet: ScoreSheet, keys: list[tuple[int, ...]]) -> str:
    """The first comparison that told the winner from everyone else still level."""
    labels = ["points", *(tie_break.label for tie_break in sheet.tie_breaks)]
    best = max(keys)
    if keys.count(best) > 1:
        return "shared"
    for depth, label in enumerate(labels, start=1):
        if sum(key[:depth] == best[:depth] for key in keys) == 1:
            return label
    return "points"


def _verdict(sheet: ScoreSheet, winners: tuple[int, ...], decided_by: str) -> str:
    names = " and ".join(sheet.names[seat] for seat in winners)
    points = sheet.total(winners[0])
    if len(sheet.names) == 1:
        return f"{names} scores {points}."
    if len(winners) > 1:
        return f"{names} share the win with {points} points: every tie-break is level."
    if decided_by == "points":
        return f"{names} wins with {points} points."
    return f"{names} wins with {points} points; the tie is broken by {decided_by}."
