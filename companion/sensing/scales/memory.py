"""What the scales of one board remember of the last seconds, for another sense to ask."""

from __future__ import annotations

import msgspec

from companion.sensing.plan import Point
from companion.sensing.scales.evidence import ImpactEvidence, Load
from companion.sensing.scales.rests import gained

_SLACK_US = 300_000  # how far another sense may be off about a moment
_SETTLES_US = 800_000  # how long it takes to tell what rests on a board


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """How likely something fell at which moments, what hit the board, and what rested on it.

    `chances` and `rests` stand in the order of time. `piece_g` is what the lightest piece weighs, `centre_mm` is the
    point about which moments are told, None where they are not. Scales that do not know grams do not feel falls. All
    cells are `alive`, or what rests there is only guessed.
    """

    piece_g: float
    centre_mm: Point | None
    feels: bool = True
    alive: bool = True
    chances: tuple[tuple[int, float], ...] = ()
    hits: tuple[ImpactEvidence, ...] = ()
    rests: tuple[tuple[int, Load], ...] = ()

    def likeliest(self, since_us: int) -> float:
        """The highest chance of a fall since then."""
        return max((chance for t_us, chance in self.chances if t_us >= since_us - _SLACK_US), default=0.0)

    def hits_since(self, since_us: int) -> list[ImpactEvidence]:
        """What hit the board since then."""
        return [impact for impact in self.hits if impact.t_us >= since_us - _SLACK_US]

    def until(self, t_us: int) -> Memory:
        """What was remembered of the time until then, as soon as the load had settled."""
        return msgspec.structs.replace(
            self,
            chances=tuple(each for each in self.chances if each[0] <= t_us),
            hits=tuple(each for each in self.hits if each.t_us <= t_us),
            rests=tuple(each for each in self.rests if each[0] <= t_us + _SETTLES_US),
        )

    def resting(self, since_us: int) -> Load | None:
        """What rests there now, if that was found since then."""
        return self.rests[-1][1] if self.rests and self.rests[-1][0] >= since_us else None

    def gained(self, since_us: int, until_us: int) -> Load | None:
        """What came between two times, less what went; None where the board did not lie still before and after."""
        return gained(self.rests, since_us) if self.rests and self.rests[-1][0] >= until_us else None
