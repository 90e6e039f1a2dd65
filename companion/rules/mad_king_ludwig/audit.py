"""A second opinion on every step: marks and points against the changes that the facts told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.rules.base import Fact
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.state import State


def faults(before: State, after: State, facts: Sequence[Fact]) -> Iterator[str]:
    """What does not add up in a step."""
    told: Counter[tuple[int | None, str]] = Counter()
    for fact in facts:
        told[fact.seat, fact.what] += fact.change
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        name = after.seats[seat]
        changes = {
            "marks": new.marks - old.marks,
            "points": new.placement + new.rewards - old.placement - old.rewards,
        }
        for what, change in changes.items():
            if told[seat, what] != change:
                yield f"{name}'s {what} changed by {change}; {told[seat, what]:+} was told."
        lost = set(castles.completed(old.castle)) - set(castles.completed(new.castle))
        if lost:
            yield f"{name} has a room that was complete and is no longer."
