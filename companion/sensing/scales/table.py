"""All the boards of a table: each judged by its own scales, and together for what shakes every one of them."""

from __future__ import annotations

from collections.abc import Callable

from companion.sensing.plan import Plan
from companion.sensing.scales.evidence import BumpEvidence, Evidence, ImpactEvidence
from companion.sensing.scales.falls import Felt, chance_of_fall
from companion.sensing.scales.judgement import BoardJudge
from companion.sensing.streams import ScaleSample, Sensed

_TOGETHER_US = 400_000
_DECIDE_US = 2_000_000
_APART_US = 1_500_000
_SURE, _MAYBE = 0.95, 0.75


class TableScales:
    """Feed it the samples of all boards in the order of time; it returns the events that each one decides.

    `chance` says how likely something fell by what is felt.
    """

    def __init__(self, plan: Plan, chance: Callable[[Felt], float] = chance_of_fall) -> None:
        self.judges = {board.id: BoardJudge(plan, board.id, chance) for board in plan.boards if board.cells}
        self._shakes: list[BumpEvidence] = []
        self._bumped_us: int | None = None
        self.evidence: list[Evidence] = []

    def push(self, sample: ScaleSample) -> list[Sensed]:
        """Events decided by this sample. `evidence` then holds what the stages said with it."""
        judge = self.judges.get(sample.board)
        if judge is None:
            return []
        found = judge.push(sample)
        self.evidence = judge.evidence
        for impact in self.evidence:
            if isinstance(impact, ImpactEvidence):
                self._tell_others(sample.board, impact.t_us)
        if judge.shaken is not None:
            self._shakes.append(judge.shaken)
        return found + self._bumps(sample.t_us)

    def finish(self) -> list[Sensed]:
        """Events that the end of the recording decides."""
        found = [event for judge in self.judges.values() for event in judge.finish()]
        now_us = max(
            (judge.scales.rows.t_us[-1] for judge in self.judges.values() if judge.scales.rows.t_us), default=0
        )
        return found + self._bumps(now_us, at_end=True)

    def _tell_others(self, board: str, t_us: int) -> None:
        for name, judge in self.judges.items():
            if name != board:
                judge.elsewhere.append(t_us)

    def _bumps(self, now_us: int, at_end: bool = False) -> list[Sensed]:
        if not self._shakes or (now_us - self._shakes[0].t_us < _DECIDE_US and not at_end):
            return []
        first = self._shakes[0]
        together = [shake for shake in self._shakes if shake.t_us - first.t_us < _TOGETHER_US]
        self._shakes = [shake for shake in self._shakes if shake not in together]
        boards = {shake.board for shake in together}
        if self._bumped_us is not None and first.t_us - self._bumped_us < _APART_US:
            self._bumped_us = first.t_us
            return []
        if not self._shook_everything(together, boards):
            return []
        self._bumped_us = first.t_us
        sure = _SURE if len(boards) > 1 else _MAYBE
        return [Sensed(kind="bump", t_us=first.t_us, decided_us=now_us, confidence=sure, evidence={"scales": sure})]

    def _shook_everything(self, shakes: list[BumpEvidence], boards: set[str]) -> bool:
        """Most boards that feel shakes were shaken, and two at least where there are two."""
        feeling = sum(not judge.blurred for judge in self.judges.values())
        if feeling < 2:
            return any(shake.alone for shake in shakes)
        return 2 * len(boards) > feeling and len(boards) > 1
