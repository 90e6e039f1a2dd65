"""A second opinion on every step: sums added up by hand, and every number against the changes that the facts told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.rules.base import Fact
from companion.rules.castle_builder.picture import picture
from companion.rules.castle_builder.state import Baron, Placed, State

_DOOR = 2
_FREE_LEVEL = 1
_WATCHED = ("coins", "tiles", "levels")

Told = Counter[tuple[int | None, str]]
"""The changes the facts of a step tell, by seat and what."""


def faults(before: State, after: State, facts: Sequence[Fact]) -> Iterator[str]:
    """What does not add up in a step."""
    told: Told = Counter()
    for fact in facts:
        told[fact.seat, fact.what] += fact.change
    yield from _told_faults(before, after, told)
    if not after.light:
        yield from _baron_faults(before, after)
        for seat, (old, new) in enumerate(zip(before.barons, after.barons, strict=True)):
            paid = -sum(
                fact.change for fact in facts if fact.seat == seat and fact.rule in ("pay.one-step", "royal.pay")
            )
            yield from _sum_faults(after, old, new, paid)


def _told_faults(before: State, after: State, told: Told) -> Iterator[str]:
    """What people watch changes by what they are told, nothing else."""
    was, now = _shown(before), _shown(after)
    for seat, what in now:
        change = now[seat, what] - was[seat, what]
        if told[seat, what] != change:
            yield f"{after.seats[seat]}'s {what} changed by {change}; {told[seat, what]:+} was told."


def _shown(state: State) -> dict[tuple[int, str], int]:
    return {
        (counter.seat, counter.key): counter.value
        for counter in picture(state).counters
        if counter.seat is not None and counter.key in _WATCHED
    }


def _baron_faults(before: State, after: State) -> Iterator[str]:
    """A baron never stays on a ruby, and only the active one walks."""
    for seat, (old, new) in enumerate(zip(before.barons, after.barons, strict=True)):
        if before.path != after.path or old.space == new.space:
            continue
        if after.path[new.space] == "ruby":
            yield f"{after.seats[seat]}'s baron rests on a ruby area."
        if seat != before.active:
            yield f"{after.seats[seat]}'s baron moved out of turn."


def _sum_faults(state: State, old: Baron, new: Baron, paid: int) -> Iterator[str]:
    """A tile just built is as far from the sum below it as was paid for."""
    for placed in new.castle[len(old.castle) :]:
        if placed.level > _FREE_LEVEL and not placed.tile.wild:
            below = _sum_below(state, new.castle, placed)
            if abs(below - placed.tile.number) != paid:
                yield f"a {placed.tile.number} stands on {below}, and {paid} was paid."


def _sum_below(state: State, castle: Sequence[Placed], placed: Placed) -> int:
    """The numbers of the tiles under both halves, the door's among them."""
    spots = {(placed.level - 1, placed.x - 1), (placed.level - 1, placed.x + 1)}
    below = sum(other.tile.number for other in castle if (other.level, other.x) in spots)
    door = state.foundation is not None and (1, 2 * state.foundation.door - 2) in spots
    return below + (_DOOR if door else 0)
