"""What the scales of one board remember of the last seconds, for another sense to ask."""

from __future__ import annotations

import msgspec

from companion.sensing.plan import Point
from companion.sensing.scales.evidence import ImpactEvidence, Load
from companion.sensing.scales.rests import gained

_SLACK_US = 300_000  # how far another sense may be off about a moment


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """How likely something fell at which moments, what hit the board, and what rested on it.

    `chances` and `rests` stand in the order of time. `piece_g` is what the lightest piece weighs, `centre_mm` is the
    point about which moments are told, None where they are not.
    """

    piece_g: float
    centre_mm: Point | None
    chances: tuple[tuple[int, float], ...] = ()
    hits: tuple[ImpactEvidence, ...] = ()
    rests: tuple[tuple[int, Load], ...] = ()

    def likeliest(self, since_us: int) -> float:
        """The highest chance of a fall since then."""
        return max((chance for t_us, chance in self.chances if t_us >= since_us - _SLACK_US), default=0.0)

    def hits_since(self, since_us: int) -> list[ImpactEvidence]:
        """What hit the board since then."""
        return [impact for impact in self.hits if impact.t_us >= since_us - _SLACK_US]

    def gained(self, since_us: int) -> Load | None:
        """What came onto the board since then, less what went; None where it did not lie still before and after."""
        return gained(self.rests, since_us)
