"""A game in progress that never loses a move. `dispatch` is the only way on; undo, redo and jump are recorded too."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.errors import DamagedGame, DiskTrouble, Malformed, NoSuchStep, ReadOnlyGame, SessionClosed
from companion.rules.base import Action, Correction, Dealer, Fact, Game, Setup, State, Step
from companion.rules.box import Box, Learned
from companion.rules.scores import Outcome, ScoreSheet
from companion.rules.table import Choice
from companion.session import origins, snapshots
from companion.session.boxmemory import BoxMemory
from companion.session.clocks import Clock, SeatClocks, SystemClock, Times
from companion.session.journal import BUSY_S, Cover, Journal, Kind, Row
from companion.session.origins import APP, CORRECTION, TABLE

GameOf = Callable[[str], Game[Any]]

_NS_PER_MS = 1_000_000
_MS_PER_S = 1000
_CLOCKS_NOTE = "clocks"
_KEPT_NOTE = "kept "

_encoder = msgspec.json.Encoder()
_facts_decoder = msgspec.json.Decoder(tuple[Fact, ...])


class HistoryLine(Struct, frozen=True, kw_only=True):
    """One line of the history. `stands` is false for what has been undone or left behind."""

    seq: int
    kind: Kind
    label: str
    origin: str
    at_ms: int
    facts: tuple[Fact, ...]
    rules: int
    stands: bool

    @property
    def at(self) -> datetime:
        return datetime.fromtimestamp(self.at_ms / _MS_PER_S, UTC)

    @property
    def seat(self) -> int | None:
        """The seat it came from, if it was one."""
        return origins.seat_of(self.origin)


class _KeptTimes(Struct, frozen=True):
    """What the clocks showed some time after line `seq`."""

    seq: int
    times: Times


class Session:
    """An open game. Owned by one thread; use it as a context manager or `close` it.

    `state` is None only when the game is read-only because today's rules no longer know such states.
    """

    def __init__(self, journal: Journal, game: Game[Any], clock: Clock, memory: BoxMemory | None) -> None:
        self.game = game
        self.read_only_because = ""
        self._journal = journal
        self._clock = clock
        self._memory = memory
        self._unlearned: tuple[Learned, ...] = ()
        self._closed = False
        self._load()
        self.clocks = SeatClocks.taken_up(self._kept_times(), clock)
        self._saved_clocks = _encoder.encode(self.clocks.times())

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        game_of: GameOf | None = None,
        read_only: bool = False,
        adopt_rules: bool = False,
        clock: Clock | None = None,
        memory: BoxMemory | None = None,
        busy_s: float = BUSY_S,
    ) -> Session:
        """Take up a saved game where it stood; nothing is replayed.

        A game of another rules version opens read-only, and says so in `read_only_because`. With `adopt_rules` it
        goes on under today's rules instead, marked as a correction, if they still know its state.
        """
        journal = Journal.open(path, read_only=read_only, busy_s=busy_s)
        try:
            game = (game_of or registered)(journal.cover.game)
            session = cls(journal, game, clock or SystemClock(), memory)
            session._settle_rights(read_only, adopt_rules)
        except BaseException:
            journal.close()
            raise
        return session

    # Where the game stands

    @property
    def id(self) -> str:
        """The name of the saved game, which is that of its file."""
        return self.path.stem

    @property
    def path(self) -> Path:
        return self._journal.path

    @property
    def cover(self) -> Cover:
        return self._journal.cover

    @property
    def setup(self) -> Setup:
        return msgspec.json.decode(self._journal.line(1).action, type=Setup)

    @property
    def state(self) -> State | None:
        return self._state

    @property
    def seq(self) -> int:
        """The number of the last line."""
        return self._line.seq

    @property
    def stands_at(self) -> int:
        """The number of the line whose state stands: the one an undo would take back."""
        return self._node.seq

    @property
    def read_only(self) -> bool:
        return bool(self.read_only_because)

    @property
    def undo_label(self) -> str | None:
        """What an undo would take back, or None."""
        return None if self._node.parent is None else self._node.label

    @property
    def redo_label(self) -> str | None:
        """What a redo would bring back, or None."""
        return None if self._redo is None else self._redo_text(self._redo)

    @property
    def box(self) -> Box:
        """The game's box with what this user's tables have told of it."""
        return self.game.box.with_learned(self._memory.entries(self.game.info.id) if self._memory else ())

    def score(self) -> ScoreSheet:
        return self.game.score(self._known_state())

    def outcome(self) -> Outcome:
        return self.game.outcome(self.score())

    def history(self, last: int | None = None) -> tuple[HistoryLine, ...]:
        """Everything that happened, in order, what was undone included; or the `last` few lines of it."""
        standing = self.standing()
        after = 0 if last is None else max(0, self.seq - last)
        return tuple(_told(row, row.node == row.seq and row.seq in standing) for row in self._journal.lines(after))

    def standing(self) -> set[int]:
        """The lines that led to the present state."""
        parents = self._journal.parents()
        standing: set[int] = set()
        seq: int | None = self._node.seq
        while seq is not None and seq not in standing:
            standing.add(seq)
            seq = parents.get(seq)
        return standing

    # Going on

    def dispatch(self, action: Action, origin: str = TABLE) -> Step[Any]:
        """Do something. A Refusal changes nothing; when this returns, the move is on the disk.

        When the disk does not take it (DiskTrouble), the game stands as before and it can be tried again. What people
        tell of their box is remembered; what the companion itself drew may be practice cards, and what a sensor saw may
        be a guess: neither is.
        """
        state = self._playable_state()
        source = origins.checked(origin)
        step = self.game.apply(state, action)
        if state.corrected:
            self.game.sound(step.state)
        row = self._row(
            "correction" if isinstance(action, Correction) else "action",
            parent=self._node.seq,
            label=self.game.label(state, action),
            origin=source,
            over=step.state.over,
            action=_encoder.encode(action),
            facts=_encoder.encode(step.facts),
            state=_packed(self.game, step.state),
        )
        self._record(row, row, None, step.state)
        if source != APP and not origins.is_sensor(source):
            self._learn(self.game.learns(state, action))
        return step

    def deal(self, choice: Choice, dealer: Dealer) -> Step[Any]:
        """Let the companion roll or draw what a choice asks for, and do it."""
        return self.dispatch(self.game.deal(self._playable_state(), choice, dealer, self.box), APP)

    def undo(self, origin: str = TABLE) -> HistoryLine:
        """Take back the last thing done that still stands."""
        self._playable_state()
        node = self._node
        if node.parent is None:
            raise NoSuchStep("There is nothing to undo.")
        return self._go("undo", node.parent, f"Undo: {node.label}", origin, redo=node, rest=self._rest())

    def redo(self, origin: str = TABLE) -> HistoryLine:
        """Bring back the last thing undone, unless something else was done since."""
        self._playable_state()
        if self._redo is None:
            raise NoSuchStep("There is nothing to redo.")
        rest = None if self._line.redo_rest is None else self._journal.line(self._line.redo_rest)
        redo = None if rest is None or rest.redo is None else self._journal.line(rest.redo)
        label = f"Redo: {self._redo_text(self._redo)}"
        return self._go("redo", self._redo.seq, label, origin, redo=redo, rest=rest.redo_rest if rest else None)

    def jump(self, seq: int, origin: str = TABLE) -> HistoryLine:
        """Let the game stand as it did after any line of the history. A redo leads back."""
        self._playable_state()
        target = self._journal.line(seq)
        if target.node == self._node.seq:
            raise NoSuchStep(f"The game stands at line {seq} already.")
        label = f"Back to line {seq}: {target.label}"
        return self._go("jump", target.node, label, origin, redo=self._node, rest=self._rest())

    def refresh(self) -> None:
        """Read-only: look again at what whoever plays has done since."""
        self._load()

    # Closing

    def save_clocks(self) -> None:
        """Keep what the clocks show between two moves; a pause and a close do so too."""
        times = self.clocks.times()
        clocks = _encoder.encode(times)
        if clocks != self._saved_clocks:
            self._journal.note(_CLOCKS_NOTE, _encoder.encode(_KeptTimes(self._line.seq, times)))
            self._saved_clocks = clocks

    def keep(self, name: str, value: bytes) -> None:
        """Keep a small thing with this game that is not part of its course; it replaces what had that name."""
        self._playable_state()
        self._journal.note(_KEPT_NOTE + name, value)

    def kept(self, prefix: str = "") -> dict[str, bytes]:
        """What was kept with this game under names that begin so, in the order of their names."""
        found = self._journal.notes(_KEPT_NOTE + prefix)
        return {name.removeprefix(_KEPT_NOTE): value for name, value in found.items()}

    def pause(self) -> None:
        """Stop every clock."""
        self.clocks.pause()
        if not self.read_only:
            self.save_clocks()

    def resume(self) -> None:
        """Let the clocks of the active seats run."""
        self.clocks.resume()

    def close(self) -> None:
        if self._closed:
            return
        if not self.read_only:
            self._learn(())
            with suppress(DiskTrouble):
                self.save_clocks()
        self._closed = True
        self._journal.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Inside

    def _load(self) -> None:
        try:
            line = self._journal.last()
            node = self._journal.row(line.node)
            redo = None if line.redo is None else self._journal.line(line.redo)
        except NoSuchStep as error:
            raise DamagedGame(str(self.path), "its history has gaps") from error
        self._stand(line, node, redo, self._unpacked(node))

    def _stand(self, line: Row, node: Row, redo: Row | None, state: State | None) -> None:
        self._line, self._node, self._redo, self._state = line, node, redo, state

    def _record(self, row: Row, node: Row, redo: Row | None, state: State) -> None:
        """Make a line durable, and only then let the game stand there."""
        self._journal.append(row)
        self._saved_clocks = row.clocks
        self._stand(row, node, redo, state)

    def _settle_rights(self, read_only: bool, adopt_rules: bool) -> None:
        now, then = self.game.info.rules_version, self._line.rules
        if now != then and adopt_rules and not read_only and self._state is not None:
            self._adopt(self._state, then)
            return
        self.read_only_because = self._why_not(read_only, then)
        if self.read_only and not read_only:
            self._journal.close()
            self._journal = Journal.open(self.path, read_only=True)

    def _why_not(self, read_only: bool, then: int) -> str:
        now = self.game.info.rules_version
        if then != now:
            age = "older" if then < now else "newer"
            shown = "" if self._state is not None else " Only its history can be shown."
            return f"This game was played under {age} rules (version {then}; today's is {now}).{shown}"
        if self._state is None:
            return "These rules do not know the state this game is in: only its history can be shown."
        return "It was opened read-only." if read_only else ""

    def _adopt(self, state: State, then: int) -> None:
        label = f"Went on with rules version {self.game.info.rules_version}, after version {then}"
        row = self._row(
            "correction",
            parent=self._node.seq,
            label=label,
            origin=CORRECTION,
            over=state.over,
            action=_encoder.encode(Correction(why=label)),
            state=snapshots.pack(state),
        )
        self._record(row, row, None, state)

    def _unpacked(self, row: Row) -> State | None:
        try:
            return snapshots.unpack(row.state, self.game)
        except ValueError as error:
            raise DamagedGame(str(self.path), f"the state of line {row.seq} is garbled") from error

    def _known_state(self) -> State:
        if self._state is None:
            raise ReadOnlyGame(self.read_only_because)
        return self._state

    def _playable_state(self) -> State:
        if self._closed:
            raise SessionClosed("This game has been closed.")
        if self.read_only_because:
            raise ReadOnlyGame(f"This game can be looked at and not played on. {self.read_only_because}")
        return self._known_state()

    def _row(
        self,
        kind: Kind,
        *,
        label: str,
        origin: str,
        over: bool,
        node: int | None = None,
        parent: int | None = None,
        redo: int | None = None,
        redo_rest: int | None = None,
        action: bytes = b"",
        facts: bytes = b"[]",
        state: bytes = b"",
    ) -> Row:
        """The next line."""
        seq = self._line.seq + 1
        return Row(
            seq=seq,
            kind=kind,
            node=seq if node is None else node,
            parent=parent,
            redo=redo,
            redo_rest=redo_rest,
            rules=self.game.info.rules_version,
            at_ms=self._clock.wall_ns() // _NS_PER_MS,
            over=over,
            origin=origin,
            label=label,
            action=action,
            facts=facts,
            clocks=_encoder.encode(self.clocks.times()),
            state=state,
        )

    def _go(self, kind: Kind, seq: int, label: str, origin: str, *, redo: Row | None, rest: int | None) -> HistoryLine:
        """Let the state of an earlier line stand, and record that."""
        source = origins.checked(origin)
        node = self._journal.row(seq)
        state = self._unpacked(node)
        if state is None:
            raise NoSuchStep(f"Line {seq} was played under older rules, and today's do not know the state it led to.")
        row = self._row(
            kind,
            node=seq,
            label=label,
            origin=source,
            over=state.over,
            redo=None if redo is None else redo.seq,
            redo_rest=rest,
        )
        self._record(row, node, redo, state)
        return _told(row, False)

    def _rest(self) -> int | None:
        """The line that holds the redo list as it is now, if it is not empty."""
        return None if self._line.redo is None else self._line.seq

    def _redo_text(self, target: Row) -> str:
        """What a redo does in words: one step on from here, or back to where a jump came from."""
        return target.label if target.parent == self._node.seq else f"back to line {target.seq}: {target.label}"

    def _kept_times(self) -> Times:
        """What the clocks showed last: with the last line, or after it if they were saved since."""
        noted = self._journal.noted(_CLOCKS_NOTE)
        with suppress(msgspec.MsgspecError):
            if noted is not None:
                kept = msgspec.json.decode(noted, type=_KeptTimes)
                if kept.seq == self._line.seq:
                    return kept.times
            return msgspec.json.decode(self._line.clocks, type=Times)
        return Times(seats_ms=(0,) * len(self.cover.seats))

    def _learn(self, learned: tuple[Learned, ...]) -> None:
        """Remember what the box holds. The move is safe already, so a disk in trouble only puts this off."""
        self._unlearned += learned
        if self._unlearned and self._memory is not None:
            with suppress(DiskTrouble):
                self._memory.add(self.game.info.id, *self._unlearned)
                self._unlearned = ()


def registered(game: str) -> Game[Any]:
    """A game of the registry, imported when it is needed."""
    from companion.rules import registry

    return registry.get(game)


def first_row(game: Game[Any], setup: Setup, clock: Clock) -> Row:
    """The first line of a new game. Raises what the game has against the set-up."""
    state = game.setup(setup)
    times = SeatClocks.fresh(len(setup.seats), clock).times()
    return Row(
        seq=1,
        kind="setup",
        node=1,
        rules=game.info.rules_version,
        at_ms=clock.wall_ns() // _NS_PER_MS,
        over=state.over,
        origin=TABLE,
        label=f"{game.info.title}: {', '.join(setup.seats)}",
        action=_encoder.encode(setup),
        clocks=_encoder.encode(times),
        state=_packed(game, state),
    )


def _packed(game: Game[Any], state: State) -> bytes:
    """The snapshot of a state, if it can be taken up again: numbers set by hand may grow past what a state holds."""
    snapshot = snapshots.pack(state)
    if snapshots.unpack(snapshot, game) is None:
        raise Malformed("This leads to a number that no saved game can hold, so it was not done.")
    return snapshot


def _told(row: Row, stands: bool) -> HistoryLine:
    facts: tuple[Fact, ...] = ()
    with suppress(msgspec.MsgspecError):
        facts = _facts_decoder.decode(row.facts)
    return HistoryLine(
        seq=row.seq,
        kind=row.kind,
        label=row.label,
        origin=row.origin,
        at_ms=row.at_ms,
        facts=facts,
        rules=row.rules,
        stands=stands,
    )
