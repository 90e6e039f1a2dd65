"""Whatever the senses say and whatever people touch: the desk does not fall over, and nothing happens by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.live.proposals import Answer, Mismatch, Proposal
from companion.rules.base import Correction, Setup
from companion.rules.castle_dukes import GAME
from companion.rules.castle_dukes.state import State
from companion.rules.random_play import Luck, pick, play
from companion.session.audit import verify
from companion.session.shelf import Shelf
from tests.live.table import SEATS, LiveTable
from tests.rules.castle_dukes.table import census

_PIECES = (None, "floor-tile", "roof", "bridge", "pillar", "room", "meeple", "brazier", "battlement", "thing")
_TOWERS = (None, "left", "middle", "right", "chimney")
_KINDS = ("placed", "placed", "removed", "removed", "collapse", "height", "bump", "fault")

steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("sense"),
            st.sampled_from(_KINDS),
            st.sampled_from(("north", "east", "nowhere", None)),
            st.sampled_from(_PIECES),
            st.sampled_from(_TOWERS),
            st.one_of(st.none(), st.integers(0, 6)),
            st.sampled_from((0.3, 0.9)),
        ),
        st.tuples(st.just("answer"), st.integers(0, 99), st.integers(0, 99)),
        st.tuples(st.just("undo"), st.integers(0, 99)),
        st.tuples(st.just("move"), st.integers(0, 999)),
        st.tuples(st.just("take back")),
        st.tuples(st.just("wait"), st.sampled_from((0.2, 9.0, 130.0))),
    ),
    min_size=1,
    max_size=25,
)


@cache
def game(seed: int, detail: str) -> tuple[State, ...]:
    """The states of a game by chance."""
    setup = Setup(seats=SEATS, options={"detail": detail})
    return tuple(state for state, _ in play(GAME, setup, Luck(seed)))


@contextmanager
def table_at(state: State, detail: str, policy: str) -> Iterator[LiveTable]:
    """A table whose game stands so."""
    parts = {name: msgspec.to_builtins(getattr(state, name)) for name in state.__struct_fields__}
    del parts["seats"], parts["options"], parts["corrected"], parts["over"]
    with TemporaryDirectory() as folder:
        shelf = Shelf(Path(folder))
        with shelf.new("castle-dukes", Setup(seats=SEATS, options={"detail": detail})) as session:
            session.dispatch(Correction(why="laid out", set=parts))
            yield LiveTable(session, placed=policy, removed=policy, collapse=policy)


class Chaos:
    """Does what a step says, and checks what must hold."""

    def __init__(self, table: LiveTable, policy: str) -> None:
        self.table = table
        self.policy = policy

    def run(self, step: tuple[Any, ...]) -> None:
        getattr(self, f"_{step[0].replace(' ', '_')}")(*step[1:])
        self._check()

    def _sense(
        self, kind: Any, board: Any, piece: str | None, tower: str | None, level: int | None, sure: float
    ) -> None:
        before = self.table.session.seq
        self.table.sense(kind, board, piece=piece, tower=tower, level=level, confidence=sure)
        if self.policy == "ask" or sure < 0.8:
            assert self.table.session.seq == before, "nothing is booked that nobody answered"

    def _wait(self, seconds: float) -> None:
        before = self.table.session.seq
        self.table.wait(seconds)
        assert self.table.session.seq == before

    def _answer(self, which: int, how: int) -> None:
        questions = self._questions()
        if not questions:
            return
        question = questions[which % len(questions)]
        answer = question.answers[how % len(question.answers)]
        before, known = self.table.state, {each.id for each in self.table.desk.decided}
        outcome = self.table.desk.answer(question.id, answer.id)
        assert outcome.done != bool(answer.asks), f"{answer.label}: {outcome.says}"
        new = [each for each in self.table.desk.decided if each.id not in known]
        if outcome.done and answer.actions and how % 2:
            assert self.table.desk.undo(new[0].id).done
            assert msgspec.structs.replace(self.table.state, corrected=True) == before

    def _undo(self, which: int) -> None:
        decided = self.table.desk.decided
        if decided:
            outcome = self.table.desk.undo(decided[which % len(decided)].id)
            assert outcome.done or outcome.says

    def _move(self, luck: int) -> None:
        if not self.table.state.over:
            self.table.session.dispatch(pick(GAME, self.table.state, Luck(luck)))

    def _take_back(self) -> None:
        if self.table.session.undo_label and self.table.session.stands_at > 2:
            self.table.session.undo()

    def _questions(self) -> list[Proposal | Mismatch]:
        return [*self.table.desk.proposals, *self.table.desk.out_of_step]

    def _check(self) -> None:
        self.table.desk.tick()
        for question in self._questions():
            ids = [answer.id for answer in question.answers]
            assert len(set(ids)) == len(ids)
            assert sum(answer.primary for answer in question.answers) <= 1
            self._try(question.answers)
        assert msgspec.json.encode(self.table.desk.context)

    def _try(self, answers: tuple[Answer, ...]) -> None:
        """What can be touched can be done: no answer is refused."""
        for answer in answers:
            state = self.table.state
            for action in answer.actions:
                state = GAME.apply(state, action).state


@pytest.mark.parametrize(("detail", "policy"), [("full", "ask"), ("full", "auto"), ("light", "auto")])
def test_any_evening_goes_well(detail: str, policy: str) -> None:
    @settings(max_examples=25)
    @given(seed=st.integers(0, 3), at=st.integers(0, 10_000), does=steps)
    def evening(seed: int, at: int, does: list[tuple[Any, ...]]) -> None:
        states = game(seed, detail)
        with table_at(states[at % len(states)], detail, policy) as table:
            whole = census(table.state) if detail == "full" else {}
            chaos = Chaos(table, policy)
            for step in does:
                chaos.run(step)
            if detail == "full":
                assert census(table.state) == whole, "no piece is made or lost"
            assert not verify(table.session).problems

    evening()
