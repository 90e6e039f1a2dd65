"""The phase strip: which step of a turn is past, which is now, which lies ahead."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from companion.rules.table import PhaseMark


def strip(steps: Sequence[tuple[str, Collection[str]]], phase: str) -> tuple[PhaseMark, ...]:
    """Each step's label and how it stands; a step covers some phases. A phase of no step is after them all.

    >>> [mark.status for mark in strip([("Draw", ["draw"]), ("Build", ["build", "pay"]), ("End", ["end"])], "pay")]
    ['past', 'now', 'ahead']
    """
    now = next((place for place, (_, phases) in enumerate(steps) if phase in phases), len(steps))
    return tuple(PhaseMark(label=label, status=_status(place, now)) for place, (label, _) in enumerate(steps))


def _status(place: int, now: int) -> Literal["past", "now", "ahead"]:
    if place == now:
        return "now"
    return "past" if place < now else "ahead"
