"""The load on each board during the last seconds, for drawing. It is fed and looked at by different threads."""

from __future__ import annotations

import threading
from collections import deque

from companion.sensing.plan import Plan
from companion.sensing.streams import ScaleSample
from companion.sensing.traces import BoardWeight

KEPT_S = 12.0

_MOST_ROWS = 1500
_NOW_US = 300_000
_US_PER_S = 1_000_000

Trace = list[tuple[int, float]]
"""Times and grams."""


class Traces:
    """Feed it samples; it keeps the weight on each board as its calibration says it."""

    def __init__(self, plan: Plan) -> None:
        self._weights = {board.id: BoardWeight(board) for board in plan.boards if board.cells}
        self._rows: dict[str, deque[tuple[int, float]]] = {board: deque(maxlen=_MOST_ROWS) for board in self._weights}
        self._lock = threading.Lock()

    def add(self, sample: ScaleSample) -> None:
        """One more sample; those of boards without scales are left alone."""
        weight = self._weights.get(sample.board)
        if weight is not None and weight.known:
            with self._lock:
                self._rows[sample.board].append((sample.t_us, weight.grams(sample)))

    def trace(self, board: str, seconds: float) -> Trace:
        """The last seconds of a board, up to its newest sample."""
        with self._lock:
            rows = list(self._rows.get(board, ()))
        since_us = rows[-1][0] - round(min(seconds, KEPT_S) * _US_PER_S) if rows else 0
        return [row for row in rows if row[0] >= since_us]

    def grams(self, board: str, now_us: int) -> float | None:
        """What lies on a board now; None when its scales have said nothing for a moment.

        A calibration errs by some grams: an empty board must not read as less than nothing.
        """
        newest = [grams for t_us, grams in self.trace(board, _NOW_US / _US_PER_S) if now_us - t_us < 2 * _NOW_US]
        return max(0.0, sum(newest) / len(newest)) if newest else None
