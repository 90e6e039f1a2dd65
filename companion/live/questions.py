"""The open questions of one game: which events need one, what explains one, and what can be answered as it goes on."""

from __future__ import annotations

from collections.abc import Callable

from companion.live.decisions import Decisions
from companion.live.dukes import Dukes, Past
from companion.live.ledger import Ledger, difference
from companion.live.pieces import Place, fits, is_tile
from companion.live.points import Point
from companion.live.proposals import By, Decided, Ending, Question, Weight
from companion.rules.castle_dukes.state import State
from companion.sensing.streams import Sensed
from companion.session.session import Session

_MOST_OPEN = 20  # questions at a time; the oldest is set aside for a new one
_LATELY = 4  # lines of the history that may explain a fall


class Questions:
    """What is asked, from the first word of the senses to the decision."""

    def __init__(self, session: Session, dukes: Dukes, now_us: Callable[[], int]) -> None:
        self._session = session
        self._dukes = dukes
        self._now_us = now_us
        self.decisions = Decisions(session)
        self.ledger = Ledger()
        self.points: list[Point] = []
        self._seq, self._state = session.seq, self.playing()
        self._came: tuple[int, int, dict[Place, int]] = (0, 0, {})
        """The last line that put pieces up, at which seat, and which."""
        self._take_up()

    def playing(self) -> State | None:
        """The game as it stands, where it is one that the senses can follow and that can be played on."""
        state = self._session.state
        return state if isinstance(state, State) and not self._session.read_only else None

    def _take_up(self) -> None:
        """Questions that were open when the game was last closed are open still."""
        state = self.playing()
        for number, record in self.decisions.load():
            if state is not None and record.seat < len(state.dukes) and self._dukes.asks(state, record.event):
                question = self._dukes.question(state, record.seat, record.event, record.count, Past())
                point = Point.about(number, record.seat, record.event, question, self._now_us())
                point.count, point.overdue = record.count, True
                self.points.append(point)

    def find(self, id: str) -> Point | None:
        return next((point for point in self.points if point.id == id), None)

    # Events

    def hear(self, state: State, seat: int, event: Sensed) -> Point | None:
        """An event about a castle. Returns the question that it raises, if it raises one of its own."""
        if not self._dukes.asks(state, event) or self._is_explained(state, seat, event):
            return None
        return self.ask(state, seat, event)

    def _is_explained(self, state: State, seat: int, event: Sensed) -> bool:
        """Whether a piece goes with an open question, or the game knows it already."""
        if event.kind == "collapse":
            return False
        for point in reversed(self.points):
            if point.turned_back_by(event):
                self._fewer(point, 1, "Taken back", "withdrawn")
                return True
            if point.merges(event):
                self._more(point, event)
                return True
        why = "The game has it" if self._is_known(state, seat, event) else ""
        why = why or ("It lay about after the accident" if self._is_gathered(event) else "")
        if why:
            self.end(self._point(seat, event, self._dukes.known(state, seat, event)), why, "known", "table")
        return bool(why)

    def _is_gathered(self, event: Sensed) -> bool:
        """Whether a piece was taken from no tower where things lay about: what is left of the towers is measured."""
        return event.kind == "removed" and event.tower is None and bool(self.earlier(event, 0))

    def _is_known(self, state: State, seat: int, event: Sensed) -> bool:
        """Whether the game has booked it before. A level, where it is told, says it best."""
        booked = self.ledger.shown(seat, event)
        height = self._dukes.levels(state, seat).get(event.tower or "")
        if height is None or event.level is None:
            return booked
        if event.kind == "removed" and event.level > height:
            return True
        return (event.level <= height) == (event.kind == "placed") if is_tile(event) else booked

    def ask(self, state: State, seat: int, event: Sensed, count: int = 1) -> Point:
        """Open a question."""
        point = self._point(seat, event, self._dukes.question(state, seat, event, count, self._past(seat, event)))
        point.count = count
        self.points.append(point)
        self.decisions.asked(point.number, seat, event, count)
        if len(self.points) > _MOST_OPEN:
            self.end(self._least(), "Set aside for newer ones", "ignore", "table")
        return point

    def _least(self) -> Point:
        """The question to set aside when there are too many: the oldest, and a call only when there is nothing else."""
        return min(self.points, key=lambda point: point.event.kind == "collapse")

    def _point(self, seat: int, event: Sensed, question: Question) -> Point:
        return Point.about(self.decisions.number(), seat, event, question, self._now_us())

    def _more(self, point: Point, event: Sensed) -> None:
        """One more of the same."""
        point.event, point.count = event, point.count + 1
        point.renew(self._now_us())
        self.decisions.asked(point.number, point.seat, event, point.count)
        self._ask_again(point)

    def _fewer(self, point: Point, count: int, answer: str, ending: Ending) -> None:
        """So many of what a question is about are explained."""
        if count >= point.count:
            self.end(point, answer, ending, "table")
            return
        point.count -= count
        self.decisions.asked(point.number, point.seat, point.event, point.count)
        self._ask_again(point)

    def end(
        self,
        point: Point,
        answer: str,
        ending: Weight | Ending,
        by: By,
        lines: tuple[int, ...] = (),
        bound_to: str = "",
    ) -> None:
        """A question is no longer open. One that came from measuring gets its number now."""
        if point in self.points:
            self.points.remove(point)
        point.number = point.number or self.decisions.number()
        self.decisions.close(
            Decided(
                id=point.id,
                kind=point.event.kind,
                seat=point.seat,
                board=point.board,
                title=point.question.title,
                answer=answer,
                ending=ending,
                by=by,
                event=point.event,
                count=point.count,
                lines=lines,
                bound_to=bound_to,
            )
        )

    def open_again(self, decided: Decided) -> None:
        """Ask anew what was decided; what was measured asks by itself."""
        state = self.playing()
        asks = state is not None and self._dukes.asks(state, decided.event)
        point = self.ask(state, decided.seat, decided.event, decided.count) if state is not None and asks else None
        self.decisions.take_back(decided.id, point.id if point else "")

    # The game goes on

    def follow(self, *, own: Point | None = None, quietly: bool = False) -> None:
        """What the game has booked since explains open questions, and changes what can be answered.

        `own` is the question whose answer was booked just now; `quietly`: what changed explains nothing.
        """
        if self._session.seq == self._seq:
            return
        before, after = self._state, self.playing()
        self._seq, self._state = self._session.seq, after
        self.decisions.follow()
        if before is None or after is None:
            return
        for seat in range(len(after.dukes)) if not quietly else ():
            self._explain(before, after, seat, own if own is not None and own.seat == seat else None)
        for point in self.points:
            self._ask_again(point)

    def _explain(self, before: State, after: State, seat: int, own: Point | None) -> None:
        changes = difference(self._dukes.standing(before, seat), self._dukes.standing(after, seat))
        if any(change > 0 for change in changes.values()):
            self._came = self._session.stands_at, seat, changes
        if own is not None:
            changes = own.less(changes)
        elif after.dukes[seat].crumbles > before.dukes[seat].crumbles:
            self._token_taken(seat)
        rest = {place: self._explained(seat, place, change) for place, change in changes.items()}
        self.ledger.booked(seat, rest, self._now_us())

    def _token_taken(self, seat: int) -> None:
        """A Crumble token was booked by hand: it answers the oldest call of that seat."""
        calls = [point for point in self.points if point.seat == seat and point.event.kind == "collapse"]
        for call in calls[:1]:
            self.end(call, "Booked by hand", "known", "table")

    def _explained(self, seat: int, place: Place, change: int) -> int:
        """Let a booking answer the open questions about it. Returns what is left of it."""
        for point in list(self.points):
            if change and point.booked_by(seat, place, change):
                count = min(point.count, abs(change))
                self._fewer(point, count, "Booked by hand", "known")
                change -= count if change > 0 else -count
        return change

    def _ask_again(self, point: Point) -> None:
        state = self.playing()
        if state is not None:
            past = self._past(point.seat, point.event, point.number)
            point.question = self._dukes.question(state, point.seat, point.event, point.count, past)

    # What happened before

    def earlier(self, event: Sensed, number: int) -> str:
        """The accident that a fall may be part of: an open call on the same board, or one that was answered."""
        for point in self.points:
            before = point.event.t_us <= event.t_us and point.number != number
            if before and point.event.kind == "collapse" and point.board == event.board:
                return point.id
        return self.decisions.earlier(event)

    def _past(self, seat: int, event: Sensed, number: int = 0) -> Past:
        if event.kind == "placed":
            return Past()
        if event.kind == "removed":
            return Past(undo=self._undo_label(seat, event))
        lines = (line for line in self._session.history(_LATELY) if line.stands)
        facts = tuple(fact for line in lines for fact in line.facts)
        return Past(earlier=bool(self.earlier(event, number)), facts=facts)

    def _undo_label(self, seat: int, event: Sensed) -> str:
        """The last booking in words, if it put up the piece that was taken away."""
        line, at, changes = self._came
        here = line == self._session.stands_at and at == seat
        put_up = any(change > 0 and fits(event, place) for place, change in changes.items())
        return (self._session.undo_label or "") if here and put_up else ""
