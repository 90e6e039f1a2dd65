"""Pieces lifted off before all else falls: the force sinks without an impact to one piece less and stays there a while.

What then falls hides the step that the lifted piece made, so it is noted at once and told when the accident is over.
"""

from __future__ import annotations

import math

import msgspec

from companion.sensing.scales.evidence import Load
from companion.sensing.scales.pieces import Masses
from companion.sensing.scales.quiet import Rows

_PLATEAU_US = 220_000
_WEIGHED_US = 450_000  # what lies still for longer may be something else by then
_FEWEST_ROWS = 3
_SPREAD_PART = 0.4
_FROM_PART = 0.6
_SAG_PART = 0.3


class Lifted(msgspec.Struct, frozen=True):
    """A piece that a hand seems to have taken: when, and how much lighter the board became."""

    t_us: int
    change: Load


class Lifts:
    """Watches one board. `lifted` is the first piece that was lifted off since it was last at rest, if any."""

    def __init__(self, masses: Masses) -> None:
        self._masses = masses
        self.lifted: Lifted | None = None
        self._spread_g = _SPREAD_PART * masses.lightest_g

    def look(self, rows: Rows, reference: Load) -> None:
        """Look at the newest row of a board that is not at rest and was not hit."""
        least_g = _FROM_PART * self._masses.lightest_g
        if not least_g or reference.force_g - rows.force[-1] < least_g:
            return
        begin = rows.since(rows.t_us[-1] - _PLATEAU_US)
        force = rows.force[begin:]
        if len(force) < _FEWEST_ROWS or max(force) > reference.force_g - least_g / 2:
            return
        change = rows.level_of(begin, len(rows.t_us)).load.minus(reference)
        spread_g = math.sqrt(sum((each - reference.force_g - change.force_g) ** 2 for each in force) / len(force))
        if spread_g < self._spread_g and self._is_a_piece(-change.force_g) and self._is_same(rows.t_us[-1], change):
            self.lifted = Lifted(self.lifted.t_us if self.lifted else rows.t_us[begin], change)
            self._spread_g = spread_g

    def forget(self) -> None:
        """The board is at rest, or what happened has been told."""
        self.lifted = None
        self._spread_g = _SPREAD_PART * self._masses.lightest_g

    def _is_same(self, now_us: int, change: Load) -> bool:
        """Whether this is the piece that was lifted just before, if any was, weighed better."""
        if self.lifted is None:
            return True
        near = abs(change.force_g - self.lifted.change.force_g) < _SPREAD_PART * self._masses.lightest_g
        return near and now_us - self.lifted.t_us < _WEIGHED_US

    def _is_a_piece(self, grams: float) -> bool:
        """Whether a piece weighs about that much; the hand still holds what stood on it up or down a little."""
        return self._masses.named(grams, _SAG_PART * grams / 3) is not None
