"""A test vocabulary of the desk: a game laid out in the middle, pieces put up and taken away, time passing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from companion.live.desk import Desk
from companion.live.policies import Kind, Policies
from companion.live.proposals import Answer, Mismatch, Outcome, Proposal
from companion.rules.base import Action, Correction, Setup
from companion.rules.castle_dukes.state import Castle, Duke, State, Tile
from companion.sensing.streams import Sensed
from companion.session.session import Session
from companion.session.shelf import Shelf

SEATS = ("North", "East")
BOARDS = {"north": 0, "east": 1}
BOTH = {"scales": 0.9, "camera": 0.9}
SECOND_US = 1_000_000
LONG_S = 10


class LiveTable:
    """One game at a table with senses. `now_us` is the desk's clock; events happen at it."""

    def __init__(self, session: Session, **policies: Any) -> None:
        self.session = session
        self.now_us = 1_000 * SECOND_US
        self.desk = Desk(session, Policies(**policies), BOARDS, now_us=lambda: self.now_us)

    @property
    def state(self) -> State:
        assert isinstance(self.session.state, State)
        return self.session.state

    @property
    def north(self) -> Duke:
        return self.state.dukes[0]

    # What the senses say

    def sense(self, kind: Kind, board: str = "north", **fields: Any) -> None:
        """An event just now, half a second after the last."""
        self.now_us += SECOND_US // 2
        told = {"evidence": BOTH, "confidence": 0.95, **fields}
        self.desk.take([Sensed(kind=kind, t_us=self.now_us, decided_us=self.now_us, board=board, **told)])

    def place(self, piece: str | None, tower: str | None = "left", level: int | None = None, **fields: Any) -> None:
        self.sense("placed", piece=piece, tower=tower, level=level, **fields)

    def remove(self, piece: str | None, tower: str | None = "left", level: int | None = None, **fields: Any) -> None:
        self.sense("removed", piece=piece, tower=tower, level=level, **fields)

    def fall(self, board: str = "north", **fields: Any) -> None:
        self.sense("collapse", board, **fields)

    def measure(self, tower: str, levels: int, **fields: Any) -> None:
        self.sense("height", tower=tower, level=levels, top_mm=27.0 * levels, **fields)

    def wait(self, seconds: float = LONG_S) -> None:
        self.now_us += round(seconds * SECOND_US)
        self.desk.tick()

    # What is on the desk

    @property
    def asked(self) -> Proposal:
        """The one open question."""
        (proposal,) = self.desk.proposals
        return proposal

    @property
    def mismatch(self) -> Mismatch:
        """The one thing out of step."""
        (mismatch,) = self.desk.out_of_step
        return mismatch

    def weights(self) -> list[str]:
        return [answer.weight for answer in self.asked.answers]

    def answer(self, weight: str, question: Proposal | Mismatch | None = None, told: Any = None) -> Outcome:
        """Give the first answer of a weight."""
        question = question or self.asked
        return self.desk.answer(question.id, answer_of(question, weight).id, told)

    def do(self, *actions: Action) -> None:
        """Somebody touches the screen."""
        for action in actions:
            self.session.dispatch(action)
        self.desk.tick()


def answer_of(question: Proposal | Mismatch, weight: str) -> Answer:
    return next(answer for answer in question.answers if answer.weight == weight)


@contextmanager
def live_table(
    folder: Path, *, options: dict[str, Any] | None = None, phase: str = "building", sets: Any = None, **policies: Any
) -> Iterator[LiveTable]:
    """A game between North and East. `sets` are numbers of North's duke."""
    shelf = Shelf(folder)
    with shelf.new("castle-dukes", Setup(seats=SEATS, options=options or {})) as session:
        lay_out(session, phase, sets or {})
        yield LiveTable(session, **policies)


def lay_out(session: Session, phase: str, north: dict[str, Any]) -> None:
    """Put the game into the middle of a phase; pieces in North's hands and castle come out of the box."""
    state = session.state
    assert isinstance(state, State)
    stage = "placing" if phase == "building" else "done"
    dukes = [msgspec.to_builtins(Duke(stage=stage)), msgspec.to_builtins(Duke(stage=stage))]  # type: ignore[arg-type]
    dukes[0] |= msgspec.to_builtins(north)
    session.dispatch(Correction(why="laid out", set={"phase": phase, "turn": 5, "buyer": None, "dukes": dukes}))


def floor(pillars: int = 1) -> Tile:
    return Tile(pillars=pillars, covered=min(1, pillars))


def towers(left: int = 0, middle: int = 0, right: int = 0) -> Castle:
    """A castle of plain towers, a pillar on each tile."""
    return Castle(left=(floor(),) * left, middle=(floor(),) * middle, right=(floor(),) * right)
