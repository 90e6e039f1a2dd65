"""Replay a journal from its actions and compare every snapshot: for tests, for `doctor`, and for doubters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.errors import CompanionError, Malformed, Refusal
from companion.rules.base import Game, Setup, State
from companion.session import snapshots
from companion.session.journal import Journal, Row
from companion.session.session import GameOf, Session, registered


class Audit(Struct, frozen=True, kw_only=True):
    """What an audit looked at and what it found. `skipped` lines belong to another rules version."""

    lines: int
    replayed: int
    skipped: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.problems


def verify(game: Session | Path, *, game_of: GameOf | None = None) -> Audit:
    """Check that a saved game is whole and that every state follows, by today's rules, from the one before it.

    Each line is replayed on the snapshot it follows: if all agree, a replay from the set-up on agrees too, and a
    line that does not is named without dragging all later ones along.
    """
    path = game if isinstance(game, Path) else game.path
    rules = game.game if isinstance(game, Session) else None
    with Journal.open(path, read_only=True) as journal:
        return _Auditor(rules or (game_of or registered)(journal.cover.game)).run(journal)


class _Auditor:
    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._states: dict[int, State | None] = {}
        self._problems: list[str] = []
        self._replayed = 0
        self._skipped = 0

    def run(self, journal: Journal) -> Audit:
        self._problems.extend(journal.faults())
        lines = 0
        for lines, row in enumerate(journal.rows(), start=1):
            if row.seq != lines:
                self._problem(row, f"it should be line {lines}")
            self._check(row)
        return Audit(lines=lines, replayed=self._replayed, skipped=self._skipped, problems=tuple(self._problems))

    def _problem(self, row: Row, what: str) -> None:
        self._problems.append(f"Line {row.seq} ({row.label}): {what}.")

    def _check(self, row: Row) -> None:
        if row.node != row.seq:
            if row.node not in self._states:
                self._problem(row, f"it stands on line {row.node}, which has no state")
            return
        try:
            self._states[row.seq] = snapshots.unpack(row.state, self._game)
        except ValueError:
            self._states[row.seq] = None
            self._problem(row, "its state is garbled")
            return
        self._check_state(row, self._states[row.seq])

    def _check_state(self, row: Row, stored: State | None) -> None:
        if row.rules != self._game.info.rules_version:
            self._skipped += 1
            return
        if stored is None:
            self._problem(row, "these rules do not know its state")
            return
        try:
            replayed = self._replay(row)
        except (CompanionError, msgspec.MsgspecError) as error:
            self._problem(row, f"its action cannot be replayed: {_why(error)}")
            return
        self._replayed += 1
        if replayed is not None and not _same(replayed, stored):
            self._problem(row, "a replay leads to another state")

    def _replay(self, row: Row) -> State | None:
        """The state a line leads to, or None where the line before it is of other rules."""
        if row.kind == "setup":
            state: State = self._game.setup(msgspec.json.decode(row.action, type=Setup))
            return state
        if row.parent not in self._states:
            raise Malformed(f"it follows line {row.parent}, which has no state")
        before = self._states[row.parent]
        if before is None or _adopts(row):
            return None
        action = self._game.decode_action(msgspec.json.decode(row.action))
        after: State = self._game.apply(before, action).state
        return after


def _same(replayed: State, stored: State) -> bool:
    """Equal as JSON: a tuple that went through the journal may be a list now."""
    return replayed == stored or _plain(replayed) == _plain(stored)


def _plain(state: State) -> object:
    return msgspec.json.decode(msgspec.json.encode(state))


def _adopts(row: Row) -> bool:
    """A correction with nothing to show is the mark of a change of rules: the state is carried over as it is."""
    return row.kind == "correction" and row.facts == b"[]"


def _why(error: Exception) -> str:
    text = error.why if isinstance(error, Refusal) else str(error)
    return text.rstrip(".")
