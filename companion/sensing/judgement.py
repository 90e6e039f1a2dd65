"""The senses of one board joined: each tells what it knows, and one physical event becomes one event."""

from __future__ import annotations

import msgspec

from companion.sensing.collapse import Collapses, Feeling
from companion.sensing.context import Context
from companion.sensing.falling import Fallen
from companion.sensing.gaze import BoardGaze
from companion.sensing.incidents import ONE_ACCIDENT_US, Incidents
from companion.sensing.placement import Placements, fallen, seen_alone
from companion.sensing.readings import Height
from companion.sensing.sights import Looked, Seen, Sight
from companion.sensing.streams import LONG_AGO_US, Sensed

_GATHERS_US = 5_000_000  # a hand that took something up so short a time ago is still about
_BORNE_US = 2_000_000  # so long before it is seen a hand may have begun to set a piece down
_STOOD_US = 1_000_000  # what was placed so long before things lay about was not part of their fall


class BoardJudgement:
    """Joins the scales and the eye of one board; either may be missing. What happened before is in `incidents`."""

    def __init__(
        self,
        board: str,
        eye: BoardGaze | None,
        scales: Feeling | None,
        incidents: Incidents,
        hasty: bool = True,
    ) -> None:
        self.board = board
        self._gathered_us = self._weighed_us = LONG_AGO_US
        self._collapses = Collapses(board, eye, scales, incidents, hasty)
        self._scales = scales
        self._placements = Placements(eye) if eye is not None and scales is not None else None
        if eye is not None:
            eye.weighed = scales is not None

    def tell(self, context: Context) -> None:
        """What the game knows from now on."""
        self._collapses.context = context

    @property
    def context(self) -> Context:
        """What the game knows of this board."""
        return self._collapses.context

    def felt(self, event: Sensed) -> list[Sensed]:
        """An event as the scales alone tell it."""
        if event.kind == "collapse":
            return self._fell(self._collapses.felt(event))
        if self._placements and event.kind in ("placed", "removed"):
            if self._placements.has_no_place(event):
                return self._fell(self._collapses.felt(fallen(event)))
            if gathered := self._is_gathered(event):
                self._gathered_us = event.t_us
                self._collapses.gathered(event.t_us)
            elif self._is_thrown(event, self._placements):
                return []
            return self._placements.felt(event, gathered)
        return [event]

    def saw(self, sight: Sight) -> list[Sensed]:
        """What the eye says about this board."""
        if isinstance(sight, Fallen):
            called = self._collapses.saw(sight)
            if self._placements and (called or self._collapses.near(sight.t_us)):
                self._placements.drop(sight.t_us - _STOOD_US, sight.t_us, thrown=sight.thrown)
            return called
        if isinstance(sight, Seen):
            return self._piece(sight)
        if isinstance(sight, Looked):
            return self._looked(sight)
        return [_height(sight)] if isinstance(sight, Height) else []

    def due(self, now_us: int, at_end: bool = False) -> list[Sensed]:
        """What need not wait any longer."""
        found = self.falls_due(now_us, at_end)
        if self._placements is None:
            return found
        return [*found, *self._unfelt(self._placements, now_us, at_end), *self._placements.due(now_us, at_end)]

    def _unfelt(self, placements: Placements, now_us: int, at_end: bool) -> list[Sensed]:
        """What was seen and not felt, as a hand bore it for long, say, but weighs on the board by now, or is gone.

        What weighs there is told once.
        """
        found: list[Sensed] = []
        for seen in placements.unfelt(now_us, at_end):
            since_us = seen.t_us - _BORNE_US
            weighed = self._scales.untold(since_us) if self._scales is not None else None
            if weighed is not None and weighed.piece is not None and since_us > self._weighed_us:
                told = placements.weigh(seen, msgspec.structs.replace(weighed.piece, decided_us=now_us))
                self._weighed_us = now_us if told else self._weighed_us
                found += told
        return found

    def falls_due(self, now_us: int, at_end: bool = False) -> list[Sensed]:
        """The falls that need not wait any longer; for these the eye may be busy."""
        return self._fell(self._collapses.due(now_us, at_end))

    def _looked(self, looked: Looked) -> list[Sensed]:
        dropped = self._collapses.looked(looked)
        if self._placements is None:
            return []
        found = [each for event in dropped for each in self._instead(event, self._placements)]
        return found + self._placements.looked(looked)

    def _instead(self, event: Sensed, placements: Placements) -> list[Sensed]:
        """What happened where no fall is seen that was felt: a piece came or went, however hard it was put down."""
        weighed = self._scales.weighed(event.t_us) if self._scales is not None else None
        if weighed is None:
            return placements.vouch(event.t_us)
        return placements.felt(weighed.piece) if weighed.piece is not None else []

    def _fell(self, collapses: list[Sensed]) -> list[Sensed]:
        """What was felt about a collapse that is told was part of it, but for what came long after it."""
        for event in collapses:
            if self._placements:
                self._placements.drop(event.t_us - ONE_ACCIDENT_US, event.t_us, event.t_us + ONE_ACCIDENT_US)
        return collapses

    def _is_thrown(self, event: Sensed, placements: Placements) -> bool:
        """Whether what is felt to be gone was part of a fall that is told already."""
        fell_us = self._collapses.fell_us(event.t_us) if event.kind == "removed" else None
        return fell_us is not None and not placements.was_taken(event, fell_us)

    def _is_gathered(self, event: Sensed) -> bool:
        """Whether a hand took what has lain about since a fall: it was of no tower.

        What goes at once is thrown off, unless a hand is gathering up already.
        """
        if event.kind != "removed" or event.tower is not None or not self._collapses.before(event.t_us - _STOOD_US):
            return False
        return event.t_us - self._gathered_us < _GATHERS_US or not self._collapses.just_before(event.t_us)

    def _piece(self, seen: Seen) -> list[Sensed]:
        if not seen.came and seen.tower is not None and self._collapses.near(seen.t_us):
            return []
        return self._placements.saw(seen) if self._placements else [seen_alone(seen)]


def _height(height: Height) -> Sensed:
    return Sensed(
        kind="height",
        t_us=height.t_us,
        decided_us=height.decided_us,
        board=height.board,
        tower=height.tower,
        level=height.levels,
        top_mm=height.top_mm,
        evidence={"camera": 1.0},
    )
