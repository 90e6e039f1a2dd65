"""What came onto one board or left it that nobody told of, by what rested there before and rests there now."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from companion.sensing.scales.evidence import Load, StepEvidence, Weighed
from companion.sensing.scales.naming import Naming
from companion.sensing.scales.pieces import Masses
from companion.sensing.scales.rests import Rests
from companion.sensing.streams import Kind

_REMEMBERED = 64
_LEFT_US = 200_000  # what lies still may have begun to leave its rest


class _Told(NamedTuple):
    """A change that was told as pieces: when the load left its rest for it, and when it had settled."""

    began_us: int
    settled_us: int
    change: Load


class Untold:
    """Remembers the changes of one board that were told as pieces, and weighs what is left."""

    def __init__(self, rests: Rests, naming: Naming, masses: Masses) -> None:
        self._rests, self._naming, self._masses = rests, naming, masses
        self._told: deque[_Told] = deque(maxlen=_REMEMBERED)

    def tell(self, step: StepEvidence) -> None:
        """This change was told as pieces."""
        self._told.append(_Told(step.began_us, step.decided_us, step.change))

    def weighed(self, since_us: int) -> Weighed | None:
        """What came or went since then, as the load tells that has settled; None where that cannot be said.

        What began after that and was told as a piece is not counted again.
        """
        return self._gained(since_us, since_us)

    def untold(self, since_us: int) -> Weighed | None:
        """What came or went since the board lay still at that time or before it, and was not told as a piece.

        A piece that was told may have been borne in part for a while: no such moment is a rest.
        """
        across = (told.began_us for told in self._told if told.began_us <= since_us < told.settled_us)
        rested_us = self._rests.rested_us(min([since_us, *across]))
        return None if rested_us is None else self._gained(rested_us, rested_us - _LEFT_US)

    def _gained(self, since_us: int, told_us: int) -> Weighed | None:
        """What came or went since then, but for what began after a time and was told."""
        gained = self._rests.gained(since_us)
        if gained is None:
            return None
        for told in self._told:
            gained = gained.minus(told.change) if told.began_us > told_us else gained
        kind: Kind = "placed" if gained.force_g > 0 else "removed"
        event = self._naming.unsettled(kind, since_us, gained)
        if abs(gained.force_g) < self._masses.least_g or event.piece is None:
            return Weighed()
        return Weighed(event)
