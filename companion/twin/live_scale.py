"""A scale of the live twin: the load of a board as simulated cells feel it, told by a module on a serial port."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from companion.devices.scales.twin import PtyModule, SimModule
from companion.sensing.plan import Board
from companion.twin.cells import Scale, ScaleTraits
from companion.twin.physics import G_PER_N

_US_PER_S = 1_000_000
_NS_PER_US = 1000
_READINGS_KEPT = 64
_DITHER_COUNTS = 12.0
"""A table that stands still because the machine is busy must not read as if its cells were dead."""


class LiveScale:
    """A board's scale, and the simulated module that reads it by the machine's clock."""

    def __init__(self, board: Board, traits: ScaleTraits, rng: np.random.Generator, now_s: Callable[[], float]) -> None:
        self._scale = Scale(board.id, traits, rng)
        at_rest = tuple(round(cell.zero_counts) for cell in traits.cells)
        self._readings: deque[tuple[int, tuple[int | None, ...]]] = deque([(0, at_rest)], maxlen=_READINGS_KEPT)
        self._lock = threading.Lock()
        self._now_s = now_s
        self._chance = Random(board.id)
        self._made_us: int | None = None
        self.line = PtyModule(SimModule(board.id, self._counts), self._now_ns)

    def feed(self, t_us: int, load: Sequence[float], due_us: int) -> None:
        """A step of the table's own time, and when it is due by the machine's clock."""
        sample = self._scale.feed(t_us, *(value * G_PER_N for value in load))
        if sample is not None:
            with self._lock:
                self._readings.append((due_us, sample.counts))

    def _counts(self, t_us: int, channel: int) -> float:
        """What the module reads: the last reading that was due by then."""
        at_us = t_us + (self._made_us or 0)
        with self._lock:
            counts = next((each for due_us, each in reversed(self._readings) if due_us <= at_us), self._readings[0][1])
        return float(counts[channel] or 0) + self._chance.gauss(0, _DITHER_COUNTS)

    def _now_ns(self) -> int:
        now_us = round(self._now_s() * _US_PER_S)
        self._made_us = now_us if self._made_us is None else self._made_us
        return now_us * _NS_PER_US
