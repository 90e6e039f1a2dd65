"""A scale of the live twin: the load of a board as simulated cells feel it, told by a module on a serial port."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from companion.devices.scales.twin import PtyModule, SimModule
from companion.sensing.plan import Board
from companion.twin.cells import Scale, ScaleTraits
from companion.twin.physics import G_PER_N

READINGS_SPS = 500.0
"""How often a load is read for the module: several times for each of its conversions, which are means of them."""

_US_PER_S = 1_000_000
_NS_PER_US = 1000
_READINGS_KEPT = 1000
_DITHER_COUNTS = 12.0
"""A table that stands still because the machine is busy must not read as if its cells were dead."""


class LiveScale:
    """A board's scale, and the simulated module that reads it by the machine's clock.

    Each chip of a module converts at a pace of its own. It gives the mean of all since its last conversion, as a real
    one does, so that nothing of what hits the board is lost between two of them.
    """

    def __init__(self, board: Board, traits: ScaleTraits, rng: np.random.Generator, now_s: Callable[[], float]) -> None:
        self._scale = Scale(board.id, traits, rng)
        self._held = [cell.zero_counts for cell in traits.cells]
        self._read = False
        self._ahead = [deque[tuple[int, int]](maxlen=_READINGS_KEPT) for _ in traits.cells]
        self._now_s = now_s
        self._chance = Random(board.id)
        self._made_us: int | None = None
        self.line = PtyModule(SimModule(board.id, self._counts), self._now_ns)

    def feed(self, t_us: int, load: Sequence[float], due_us: int) -> None:
        """A step of the table's own time, and when it is due by the machine's clock. The first has always been so."""
        sample = self._scale.feed(t_us, *(value * G_PER_N for value in load))
        if sample is None:
            return
        for number, count in enumerate(sample.counts):
            if count is not None:
                if not self._read:  # from then on it is for the module's thread to say
                    self._held[number] = count
                self._ahead[number].append((due_us, count))
        self._read = True

    def _counts(self, t_us: int, channel: int) -> float:
        """What a chip converts: the mean of what was due since the last time, or the same again where nothing was."""
        at_us = t_us + (self._made_us or 0)
        ahead, due = self._ahead[channel], list[int]()
        while ahead and ahead[0][0] <= at_us:
            due.append(ahead.popleft()[1])
        if due:
            self._held[channel] = sum(due) / len(due)
        return self._held[channel] + self._chance.gauss(0, _DITHER_COUNTS)

    def _now_ns(self) -> int:
        now_us = round(self._now_s() * _US_PER_S)
        self._made_us = now_us if self._made_us is None else self._made_us
        return now_us * _NS_PER_US
