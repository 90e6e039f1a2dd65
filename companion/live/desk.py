"""The desk between the senses and the game: what is sensed is laid before people, and what they answer is booked.

It is owned by the thread that owns the session. Events come in by `take`, time by `tick`; whoever shows the desk
reads `proposals`, `out_of_step` and `decided`. Nothing is booked without an answer unless the policy of
its kind is `auto`, nothing that was asked is dropped, and every decision can be taken back.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.errors import CompanionError
from companion.live.booking import Clerk, refused
from companion.live.dukes import Dukes
from companion.live.points import Point
from companion.live.policies import Policies
from companion.live.proposals import Answer, By, Decided, Measured, Mismatch, Note, Outcome, Proposal, Tallest
from companion.live.questions import Questions
from companion.live.survey import Survey
from companion.rules.base import Fact
from companion.rules.castle_dukes.state import State
from companion.sensing.plan import Plan
from companion.sensing.streams import Sensed
from companion.session.session import Session

_SURE = 0.8  # how sure an event must be to be booked without asking
_MOST_NOTES = 50


def seats_of(plan: Plan) -> dict[str, int]:
    """Which seat each board of a table belongs to."""
    return {board.id: board.seat for board in plan.boards if board.seat is not None}


class Desk:
    """The desk of one game. `policies`, `seats` and `sees` (whether a camera looks on) may be set at any time."""

    def __init__(
        self,
        session: Session,
        policies: Policies | None = None,
        seats: Mapping[str, int] | None = None,
        *,
        now_us: Callable[[], int] = lambda: time.monotonic_ns() // 1000,
    ) -> None:
        self.policies = policies or Policies()
        self.seats: Mapping[str, int] = dict(seats or {})
        self.sees = True
        self._session = session
        self._now_us = now_us
        self._dukes = Dukes(session.game)
        self._questions = Questions(session, self._dukes, now_us)
        self._survey = Survey(self._dukes)
        self._clerk = Clerk(session)
        self._notes: deque[Note] = deque(maxlen=_MOST_NOTES)

    # What is on it

    @property
    def says(self) -> str:
        """Why the senses do nothing in this game, in a sentence; empty where they do."""
        if not isinstance(self._session.state, State | None):
            return f"{self._session.game.info.title} is played without the table's senses."
        return self._session.read_only_because

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """The questions to people, the oldest first."""
        asked = (point.proposal() for point in self._questions.points if point.asked)
        return (*asked, *self._survey.counts)

    @property
    def out_of_step(self) -> tuple[Mismatch, ...]:
        """Where table and game differ, or may: what stands, what the rules do not allow, what nobody answered."""
        points = (point.mismatch() for point in self._questions.points if not point.asked)
        return (*points, *self._survey.mismatches)

    @property
    def decided(self) -> tuple[Decided, ...]:
        """What became of earlier questions, the oldest first."""
        return self._questions.decisions.decided

    @property
    def notes(self) -> tuple[Note, ...]:
        """Bumps and faults, the oldest first."""
        return tuple(self._notes)

    @property
    def measured(self) -> tuple[Measured, ...]:
        """Every tower as it was read last."""
        return self._survey.measured

    @property
    def tallest(self) -> tuple[Tallest, ...]:
        """Each castle's tallest tower, by the game and as measured, for the tally."""
        state = self._questions.playing()
        return self._survey.tallest(state) if state else ()

    @property
    def context(self) -> dict[str, Any]:
        """What the detectors are told of the game: plain data."""
        state = self._questions.playing()
        return self._dukes.context(state, self.seats) if state else {}

    # What comes in

    def take(self, events: Iterable[Sensed]) -> None:
        """Take events in the order they were sensed."""
        self._questions.follow()
        for event in events:
            self._take(event)
        self._compare()

    def tick(self) -> None:
        """Time has passed, and the game may have gone on: call it a few times a second."""
        self._questions.follow()
        now_us = self._now_us()
        for point in self._questions.points:
            point.overdue = point.overdue or point.expires_us <= now_us
        self._questions.ledger.forget(now_us)
        self._questions.decisions.save()
        self._compare()

    def _take(self, event: Sensed) -> None:
        state, policy = self._questions.playing(), self.policies.of(event.kind)
        if state is None or policy == "off":
            return
        if event.kind in ("bump", "fault"):
            self._notes.append(_note(event))
            return
        seat = self.seats.get(event.board or "", -1)
        if state.over or not 0 <= seat < len(state.dukes):
            return
        if event.kind == "height":
            self._survey.take(event, seat)
            return
        point = self._questions.hear(state, seat, event)
        if point is not None and policy == "auto":
            self._answer_itself(point)

    def _answer_itself(self, point: Point) -> None:
        primary = point.question.primary
        if primary is not None and not primary.asks and point.event.confidence >= _SURE:
            self._do(point, primary, None, "policy")

    # What people answer

    def answer(self, id: str, answer_id: str, told: Mapping[str, object] | None = None) -> Outcome:
        """Answer a proposal or mend a mismatch. `told` holds what the answer's `asks` ask for, by field."""
        self._questions.follow()
        point = self._questions.find(id) or self._survey.point(id)
        answers = point.question.answers if point else ()
        answer = next((answer for answer in answers if answer.id == answer_id), None)
        if point is None or answer is None:
            return Outcome(done=False, says="That is no longer asked.")
        if answer.asks and told is None:
            return Outcome(done=False, says=f"This still asks for {', '.join(ask.label for ask in answer.asks)}.")
        if not point.number and answer.weight in ("wait", "ignore"):
            self._survey.leave(id, answer.weight)
            outcome = Outcome(done=True)
        else:
            outcome = self._do(point, answer, told, "people")
        self._questions.decisions.save()
        self._compare()
        return outcome

    def _do(self, point: Point, answer: Answer, told: Mapping[str, object] | None, by: By) -> Outcome:
        if answer.weight == "later":
            point.put_off(self._now_us())
            return Outcome(done=True)
        if answer.weight == "wait":
            point.waiting = True
            return Outcome(done=True)
        bound_to = self._questions.earlier(point.event, point.number) if answer.weight == "same" else ""
        try:
            if answer.weight == "undo":
                booked = self._clerk.undo_last(point.event)
            else:
                booked = self._clerk.book(answer, point.seat, point.event, told)
        except CompanionError as error:
            self._questions.follow(quietly=True)
            return refused(error)
        self._questions.end(point, answer.label, answer.weight, by, booked.lines, bound_to)
        self._questions.follow(own=point)
        return Outcome(done=True, facts=booked.facts)

    # What is taken back

    def undo(self, id: str) -> Outcome:
        """Take a decision back: what it booked is undone, and its question is open again."""
        self._questions.follow()
        decided = self._questions.decisions.find(id)
        if decided is None or decided.asked_again:
            return Outcome(done=False, says="There is nothing to take back.")
        try:
            facts = self._unbooked(decided)
        except CompanionError as error:
            return refused(error)
        self._questions.follow(quietly=True)
        self._questions.open_again(decided)
        self._questions.decisions.save()
        self._compare()
        return Outcome(done=True, facts=facts)

    def _unbooked(self, decided: Decided) -> tuple[Fact, ...]:
        """What of it stands is taken out. Some or all of it may have been undone by hand before."""
        if decided.ending == "undo":
            return self._clerk.redo(decided)
        lines = self._clerk.standing(decided)
        if decided.kind == "collapse" and lines and not self._clerk.is_last(decided):
            return self._clerk.give_token_back(decided.seat)
        return self._clerk.unbook(lines)

    # What stands

    def _compare(self) -> None:
        """Hold what is measured against the game."""
        state = self._questions.playing()
        if state is None or not self.sees or self.policies.height == "off":
            self._survey.blind()
            return
        busy = {point.board for point in self._questions.points if point.asked}
        self._survey.compare(state, self._now_us(), busy, self._questions.ledger)


def _note(event: Sensed) -> Note:
    text = "The table was bumped." if event.kind == "bump" else (event.what or "A sensor does not answer.")
    return Note(kind=event.kind, text=text, t_us=event.t_us)
