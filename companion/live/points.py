"""An open question on the desk: asked, put off, not answered in time, or waiting for the table to be put right."""

from __future__ import annotations

from dataclasses import dataclass

from companion.live.pieces import Place, fits
from companion.live.policies import Kind
from companion.live.proposals import Mismatch, Proposal, Question, Why
from companion.sensing.streams import Sensed

_ASKED_US: dict[Kind, int] = {"placed": 120_000_000, "removed": 120_000_000, "collapse": 600_000_000}
"""How long a question is asked before it is left among what is out of step."""


@dataclass
class Point:
    """One question about `count` events of a kind, the newest of which is `event`."""

    number: int
    seat: int
    event: Sensed
    question: Question
    made_us: int
    expires_us: int
    count: int = 1
    overdue: bool = False
    waiting: bool = False
    later: bool = False

    @classmethod
    def about(cls, number: int, seat: int, event: Sensed, question: Question, now_us: int) -> Point:
        return cls(number, seat, event, question, now_us, now_us + _ASKED_US[event.kind])

    @property
    def id(self) -> str:
        return str(self.number)

    @property
    def board(self) -> str:
        return self.event.board or ""

    @property
    def asked(self) -> bool:
        """Whether it is a proposal; otherwise it is out of step."""
        return not self.overdue and not self.question.vetoed

    def put_off(self, now_us: int) -> None:
        """Ask again later, and no longer as a call."""
        self.later = True
        self.renew(now_us)

    def renew(self, now_us: int) -> None:
        """Ask for the whole time again."""
        self.overdue = False
        self.expires_us = now_us + _ASKED_US[self.event.kind]

    def merges(self, event: Sensed) -> bool:
        """Whether an event is one more of the same: pillars go up one by one."""
        mine = self.event
        alike = (mine.kind, mine.piece, mine.board, mine.tower, mine.level)
        same = alike == (event.kind, event.piece, event.board, event.tower, event.level)
        return same and self.asked and (event.kind, event.piece) == ("placed", "pillar")

    def turned_back_by(self, event: Sensed) -> bool:
        """Whether an event takes back what this one is about: put up and taken away again, or the other way round."""
        mine = self.event
        opposite = {mine.kind, event.kind} == {"placed", "removed"}
        where = mine.tower in (None, event.tower) or event.tower is None
        high = mine.level in (None, event.level) or event.level is None
        return opposite and mine.board == event.board and mine.piece == event.piece is not None and where and high

    def booked_by(self, seat: int, place: Place, change: int) -> bool:
        """Whether the game has just booked what this one is about."""
        kind = "placed" if change > 0 else "removed"
        return self.seat == seat and self.event.kind == kind and fits(self.event, place)

    def less(self, changes: dict[Place, int]) -> dict[Place, int]:
        """What else changed in the castle when this one was booked. A tower that was measured explains all of it."""
        if self.event.kind == "height":
            return {}
        rest, left = dict(changes), self.count
        sign = 1 if self.event.kind == "placed" else -1
        for place, change in changes.items():
            if left and change * sign > 0 and fits(self.event, place):
                mine = min(left, abs(change))
                rest[place] = change - mine * sign
                left -= mine
        return rest

    def proposal(self) -> Proposal:
        question = self.question
        return Proposal(
            id=self.id,
            kind=self.event.kind,
            seat=self.seat,
            board=self.board,
            title=question.title,
            text=question.text,
            event=self.event,
            answers=question.answers,
            made_us=self.made_us,
            expires_us=self.expires_us,
            count=self.count,
            urgent=question.urgent and not self.later,
        )

    def mismatch(self) -> Mismatch:
        why: Why = "vetoed" if self.question.vetoed else "unanswered"
        return Mismatch(
            id=self.id,
            why=why,
            seat=self.seat,
            board=self.board,
            sentence=self.question.text,
            answers=self.question.answers,
            tower=self.event.tower,
            event=self.event,
            waiting=self.waiting,
        )
