"""Chance, for tables that let the companion roll and draw."""

from __future__ import annotations

import random


class RandomDealer:
    """A `rules.base.Dealer`: true chance, or with a seed the same luck every time.

    >>> [RandomDealer(7).pick(6) for _ in range(2)] == [RandomDealer(7).pick(6) for _ in range(2)]
    True
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.SystemRandom() if seed is None else random.Random(seed)

    def pick(self, count: int) -> int:
        """A number from 0 up to but not including `count`, each as likely."""
        return self._random.randrange(count)
