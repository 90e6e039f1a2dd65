"""What the stages tell each other and the judgement: facts about forces, not yet events on a table."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from companion.sensing.streams import Sensed


class Load(msgspec.Struct, frozen=True, array_like=True):
    """What rests on a board: force in g, and its first moments about the board's centre in g mm."""

    force_g: float
    x_gmm: float = 0.0
    y_gmm: float = 0.0

    def minus(self, other: Load) -> Load:
        return Load(self.force_g - other.force_g, self.x_gmm - other.x_gmm, self.y_gmm - other.y_gmm)

    def moment_gmm(self) -> float:
        """How large the moment is, whatever its direction."""
        return float((self.x_gmm * self.x_gmm + self.y_gmm * self.y_gmm) ** 0.5)


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One clean reading of a board."""

    t_us: int
    force_g: float
    x_gmm: float
    y_gmm: float


class StepEvidence(msgspec.Struct, frozen=True):
    """The load settled at another level than before.

    `t_us` is when it came to that level, `began_us` when it left the old one; `sigma` is one standard deviation of
    `change`. `position_mm` is where a single piece would have to lie to make this change, where that can be said.
    """

    board: str
    t_us: int
    began_us: int
    decided_us: int
    change: Load
    sigma: Load
    position_mm: tuple[float, float] | None
    spread_mm: float | None


class ImpactEvidence(msgspec.Struct, frozen=True):
    """Something hit the board: a peak no wider than two samples, `peak_g` above its sides and `height_g` above rest.

    `push_gs` is its impulse: a mass times the time that it would have fallen freely. `dip_g` is how much lighter the
    board was than at rest just before, as when something falls from it, and `sunk_g` how much lighter it became then,
    whatever leant on it. `position_mm` is where it hit, where that can be said.
    """

    board: str
    t_us: int
    decided_us: int
    peak_g: float
    height_g: float
    push_gs: float
    dip_g: float
    position_mm: tuple[float, float] | None = None
    sunk_g: float = 0.0


class Weighed(msgspec.Struct, frozen=True):
    """What the board gained or lost, told as the piece that weighs as much, if it is one."""

    piece: Sensed | None = None


class HandEvidence(msgspec.Struct, frozen=True):
    """A hand leans on the board, or has left it again (`on` False)."""

    board: str
    t_us: int
    decided_us: int
    on: bool
    grams: float


class BumpEvidence(msgspec.Struct, frozen=True):
    """A board shook and nothing on it changed.

    `alone` says that a bumped table shakes like this and a hand does not; without it other boards must tell the same.
    """

    board: str
    t_us: int
    decided_us: int
    swing_g: float
    alone: bool = True


class CellEvidence(msgspec.Struct, frozen=True):
    """Something is wrong with a cell or a module: in words, with its name."""

    board: str
    t_us: int
    device: str
    what: str


Evidence: TypeAlias = StepEvidence | ImpactEvidence | HandEvidence | BumpEvidence | CellEvidence
