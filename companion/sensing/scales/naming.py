"""What changed on a board told as an event: which piece, of which tower, how heavy and how sure."""

from __future__ import annotations

from companion.sensing.scales.boards import BoardScales
from companion.sensing.scales.evidence import CellEvidence, Load, StepEvidence
from companion.sensing.scales.gathering import Taken
from companion.sensing.scales.pieces import Masses
from companion.sensing.scales.site import Site
from companion.sensing.streams import Kind, Sensed

SURE, LIKELY, MAYBE = 0.97, 0.9, 0.7
_SAG_PART = 0.1


class Naming:
    """Names the events of one board."""

    def __init__(self, scales: BoardScales, site: Site, masses: Masses) -> None:
        self._scales, self._site, self._masses = scales, site, masses

    def piece(self, step: StepEvidence) -> str | None:
        """The kind of piece that a settled change is, if it is one."""
        off_mm = self._site.off_centre_mm(step.position_mm)
        return self._masses.named(abs(step.change.force_g), step.sigma.force_g, off_mm)

    def settled(self, kind: Kind, step: StepEvidence) -> Sensed:
        """A piece that came or went, once the load has settled."""
        known = self._scales.platform.grams_known
        piece = self.piece(step) if known else None
        return self.event(
            kind,
            step.t_us,
            step.decided_us,
            (SURE if piece or not self._masses.known else LIKELY) if known else MAYBE,
            tower=self._site.tower_at(step.position_mm, step.spread_mm),
            piece=piece,
            grams=round(abs(step.change.force_g), 3) if known else None,
        )

    def unsettled(self, kind: Kind, t_us: int, change: Load) -> Sensed:
        """A piece that came or went while other things moved: less is known of it."""
        position, spread = self._scales.steps.position(change)
        off_mm = self._site.off_centre_mm(position)
        return self.event(
            kind,
            t_us,
            t_us,
            MAYBE,
            tower=self._site.tower_at(position, spread),
            piece=self._masses.named(abs(change.force_g), abs(change.force_g) * _SAG_PART, off_mm),
            grams=round(abs(change.force_g), 3) if self._scales.platform.grams_known else None,
        )

    def gathered(self, taken: Taken) -> Sensed:
        """A piece that lay about and was taken: it was of no tower."""
        return self.event(
            "removed",
            taken.t_us,
            taken.t_us,
            SURE if taken.piece else LIKELY,
            piece=taken.piece,
            grams=round(taken.grams, 3) if self._scales.platform.grams_known else None,
        )

    def event(
        self,
        kind: Kind,
        t_us: int,
        decided_us: int,
        confidence: float,
        tower: str | None = None,
        piece: str | None = None,
        grams: float | None = None,
    ) -> Sensed:
        """An event of this board, told by its scales."""
        return Sensed(
            kind=kind,
            t_us=t_us,
            decided_us=decided_us,
            board=self._site.board.id,
            tower=tower,
            piece=piece,
            grams=grams,
            confidence=confidence,
            evidence={"scales": confidence},
        )


def fault(evidence: CellEvidence) -> Sensed:
    """What is wrong with a cell or a module."""
    return Sensed(
        kind="fault",
        t_us=evidence.t_us,
        decided_us=evidence.t_us,
        board=evidence.board,
        what=evidence.what,
        device=evidence.device,
        evidence={"scales": 1.0},
    )
