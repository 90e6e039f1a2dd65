"""Watching a table: samples and frames in, events out, the same live and from a recording."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.sensing.clocks import Clocks
from companion.sensing.context import Context
from companion.sensing.eye import Eye, Sight, Trouble
from companion.sensing.judgement import BoardJudgement
from companion.sensing.plan import Plan
from companion.sensing.recording import Item
from companion.sensing.scales.evidence import ImpactEvidence
from companion.sensing.scales.table import TableScales
from companion.sensing.streams import ScaleSample, Sense, Sensed


class Watcher:
    """Feed it what the senses give in the order of time; it returns events as they are decided.

    Its answers depend on the items alone: not on a clock, nor on how fast they come.
    """

    def __init__(self, plan: Plan, senses: Iterable[Sense] = ("scales", "camera")) -> None:
        self.plan = plan
        self.senses = tuple(senses)
        self.scales = TableScales(plan) if "scales" in self.senses else None
        self.eye = Eye(plan, plan.camera) if "camera" in self.senses and plan.camera else None
        self._boards = {
            board.id: BoardJudgement(
                board.id,
                self.eye.board(board.id) if self.eye else None,
                scales=self.scales is not None and board.id in self.scales.judges,
            )
            for board in plan.boards
        }
        self._now_us = 0
        self._clocks = Clocks()
        if plan.context:
            self.tell(Context.of(plan.context))

    def tell(self, context: Context) -> None:
        """What the game knows of the table from now on; it shifts what is likely and never decides alone.

        May be called at any time, from the thread that feeds.
        """
        for board in self._boards.values():
            board.tell(context)

    def judgement(self, board: str) -> BoardJudgement:
        """What joins the senses of a board; KeyError when there is no such board."""
        return self._boards[board]

    def feed(self, item: Item) -> list[Sensed]:
        """The events that this sample or frame decides."""
        self._now_us = item.t_us
        if isinstance(item, ScaleSample):
            felt = self.scales.push(item) if self.scales else []
            self._compare_clocks()
            return [event for each in felt for event in self._felt(each)]
        sights = self.eye.feed(item) if self.eye else []
        self._compare_clocks(seen=True)
        seen = [event for sight in sights for event in self._saw(sight)]
        return seen + self._due(at_end=False)

    def finish(self) -> list[Sensed]:
        """The events that are decided by nothing more coming."""
        felt = self.scales.finish() if self.scales else []
        return [event for each in felt for event in self._felt(each)] + self._due(at_end=True)

    def _felt(self, event: Sensed) -> list[Sensed]:
        judgement = self._boards.get(event.board) if event.board else None
        return judgement.felt(event) if judgement else [event]

    def _saw(self, sight: Sight) -> list[Sensed]:
        if isinstance(sight, Trouble):
            return [_trouble(sight)]
        t_us = min(self._clocks.on_scales(sight.t_us), self._now_us)
        return self._boards[sight.board].saw(replace(sight, t_us=t_us))

    def _compare_clocks(self, seen: bool = False) -> None:
        """What hit a board, and when most moved: both senses' moments, where there are both."""
        if self.scales is None or self.eye is None:
            return
        if seen:
            for t_us in self.eye.peaks_us:
                self._clocks.saw(t_us)
            return
        for each in self.scales.evidence:
            if isinstance(each, ImpactEvidence):
                self._clocks.felt(each.t_us)

    def _due(self, at_end: bool) -> list[Sensed]:
        return [event for board in self._boards.values() for event in board.due(self._now_us, at_end)]


def _trouble(trouble: Trouble) -> Sensed:
    return Sensed(
        kind="fault",
        t_us=trouble.t_us,
        decided_us=trouble.t_us,
        what=trouble.what,
        device="camera",
        evidence={"camera": 1.0},
    )
