"""Whether a board was shaken as a whole: its force then swings to both sides, about its middle."""

from __future__ import annotations

import math

from companion.sensing.plan import Board
from companion.sensing.scales.evidence import Load
from companion.sensing.scales.quiet import Rows

_EVEN = 0.15
_MIDDLE_PART = 0.25


def is_shaken(rows: Rows, begin: int, reference: Load, middle_mm: float) -> bool:
    """Whether the force swings to both sides about the middle of a board, as when the table under it is bumped.

    What falls makes the board lighter in one place and hits it in another.
    """
    up, down = _Half(), _Half()
    for force_g, x_gmm, y_gmm in zip(rows.force[begin:], rows.x[begin:], rows.y[begin:], strict=True):
        force = force_g - reference.force_g
        (up if force > 0 else down).add(force, x_gmm - reference.x_gmm, y_gmm - reference.y_gmm)
    outward = max(up.centre_mm(), down.centre_mm()) / middle_mm
    return outward < 1 and min(up.most, down.most) > _EVEN * (1 + outward) * max(up.most, down.most)


def middle_mm(board: Board) -> float:
    """How far from its middle a board's own weight may seem to act."""
    return _MIDDLE_PART * math.hypot(*board.size_mm) / 2


class _Half:
    """One side of a swing: how far it went, and where it acted."""

    def __init__(self) -> None:
        self.most = self._ff = self._fx = self._fy = 0.0

    def add(self, force: float, x: float, y: float) -> None:
        self.most = max(self.most, abs(force))
        self._ff += force * force
        self._fx += force * x
        self._fy += force * y

    def centre_mm(self) -> float:
        return math.hypot(self._fx, self._fy) / self._ff if self._ff else math.inf
