"""Counts of things by name, as they lie about: never changed, always made anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

K = TypeVar("K", bound=str)


def added(counts: Mapping[K, int], item: K, change: int) -> dict[K, int]:
    """The counts with one of them changed; what is none is not listed.

    >>> added({"sand": 1, "wood": 2}, "sand", -1)
    {'wood': 2}
    """
    total = counts.get(item, 0) + change
    rest = {key: value for key, value in counts.items() if key != item}
    return {**rest, item: total} if total > 0 else rest
