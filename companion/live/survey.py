"""What stands on the table held against the game: questions that come from measuring, not from an event."""

from __future__ import annotations

from collections.abc import Collection

from companion.live.dukes import Dukes
from companion.live.heights import Apart, Heights
from companion.live.ledger import Ledger
from companion.live.points import Point
from companion.live.proposals import Measured, Mismatch, Proposal, Question, Tallest, Weight
from companion.rules.castle_dukes.state import State
from companion.sensing.streams import Sensed


class Survey:
    """The measured towers of one game of Castle Dukes."""

    def __init__(self, dukes: Dukes) -> None:
        self._dukes = dukes
        self._heights = Heights()
        self._asked: dict[tuple[str, str], tuple[State, int, Question]] = {}
        self._settled: tuple[Apart, ...] = ()
        self._counts: tuple[Proposal, ...] = ()

    @property
    def measured(self) -> tuple[Measured, ...]:
        return self._heights.measured

    @property
    def counts(self) -> tuple[Proposal, ...]:
        """In the count of a light game: each castle with its levels filled in."""
        return self._counts

    @property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """The towers that table and game do not agree on."""
        return tuple(self._mismatch(apart) for apart in self._settled)

    def take(self, event: Sensed, seat: int) -> None:
        """A tower was measured."""
        self._heights.take(event, seat)

    def compare(self, state: State, now_us: int, busy: Collection[str], ledger: Ledger) -> None:
        """Look again at all that is measured. On a `busy` board questions are open: it has not settled."""
        self._heights.compare(lambda seat: self._dukes.levels(state, seat), now_us, busy)
        for each in self._heights.measured:
            if self._heights.agrees(each.board, each.tower):
                ledger.agreed(each.seat, each.tower)
        self._settled = self._heights.settled(now_us)
        self._asked = {apart.tower: self._asked_about(state, apart) for apart in self._settled}
        counts = (self._count(state, seat, now_us) for seat in range(len(state.dukes)))
        self._counts = tuple(count for count in counts if count is not None)

    def blind(self) -> None:
        """Nobody looks: what was measured may be no longer so."""
        self._settled, self._counts = (), ()
        self._heights.unsettle()

    def tallest(self, state: State) -> tuple[Tallest, ...]:
        """Each castle's tallest tower, by the game and as measured."""
        return tuple(self._tallest(state, seat) for seat in range(len(state.dukes)))

    def point(self, id: str) -> Point | None:
        """The question of that id, as a point that has no number yet."""
        for apart in self._settled:
            if _id(apart) == id:
                return Point(0, apart.measured.seat, apart.measured.event, self._asked[apart.tower][2], 0, 0)
        for count in self._counts:
            if count.id == id:
                question = Question(title=count.title, text=count.text, answers=count.answers)
                return Point(0, count.seat, count.event, question, 0, 0)
        return None

    def leave(self, id: str, weight: Weight) -> None:
        """People put a tower right, or leave it as it is until it changes."""
        for apart in self._settled:
            if _id(apart) == id:
                apart.waiting, apart.aside = weight == "wait", weight == "ignore"
        self._settled = tuple(apart for apart in self._settled if not apart.aside)

    def _asked_about(self, state: State, apart: Apart) -> tuple[State, int, Question]:
        """The question about a tower, worked out once for each state and height."""
        levels = apart.measured.levels
        known = self._asked.get(apart.tower)
        if known is not None and known[0] is state and known[1] == levels:
            return known
        return state, levels, self._dukes.levels_question(state, apart.measured.seat, apart.measured.tower, levels)

    def _mismatch(self, apart: Apart) -> Mismatch:
        question, measured = self._asked[apart.tower][2], apart.measured
        return Mismatch(
            id=_id(apart),
            why="levels",
            seat=measured.seat,
            board=measured.board,
            sentence=question.text,
            answers=question.answers,
            tower=measured.tower,
            table=measured.levels,
            game=apart.game,
            event=measured.event,
            waiting=apart.waiting,
        )

    def _count(self, state: State, seat: int, now_us: int) -> Proposal | None:
        measured = self._heights.of(seat)
        question = self._dukes.count_question(state, seat, measured) if measured else None
        if question is None:
            return None
        newest = max(measured, key=lambda each: each.event.decided_us)
        known = next((each for each in self._counts if each.seat == seat), None)
        return Proposal(
            id=f"count {seat}",
            kind="height",
            seat=seat,
            board=newest.board,
            title=question.title,
            text=question.text,
            event=newest.event,
            answers=question.answers,
            made_us=known.made_us if known else now_us,
            expires_us=None,
        )

    def _tallest(self, state: State, seat: int) -> Tallest:
        measured = max((each.levels for each in self._heights.of(seat)), default=None)
        return Tallest(seat=seat, game=self._dukes.tallest(state, seat), measured=measured)


def _id(apart: Apart) -> str:
    return f"levels {apart.measured.board} {apart.measured.tower}"
