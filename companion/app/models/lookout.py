"""Who watches the table: opens the live table when somebody needs it, and brings what it senses to the game's desk."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from companion.app.models.model import Model, Translate, plain
from companion.app.models.replay import Footage, footage
from companion.app.models.settings import Settings
from companion.errors import CompanionError
from companion.live.desk import Desk
from companion.live.policies import KINDS, Kind
from companion.live.proposals import Decided, Measured, Mismatch, Outcome, Proposal
from companion.live.shown import Reading, SenseHealth
from companion.sensing.plan import Plan
from companion.sensing.streams import Frame, Sensed
from companion.session.session import Session
from companion.session.trouble import told

if TYPE_CHECKING:
    from companion.sensing.evidence import Evidence

_MOST_SENSED = 8
_CLOSING_S = 15.0
_CALLS = ".calls"
_LOST = "lost"


class SensedTable(Protocol):
    """What the app asks of a live table. Nothing here waits; `hand` and `record` may raise a CompanionError."""

    @property
    def simulated(self) -> bool: ...
    @property
    def plan(self) -> Plan: ...
    @property
    def ready(self) -> bool: ...
    @property
    def health(self) -> Sequence[SenseHealth]: ...
    @property
    def newest(self) -> Frame | None: ...
    @property
    def reading(self) -> Reading: ...
    @property
    def recording(self) -> Path | None: ...

    def start(self) -> None: ...
    def close(self) -> None: ...
    def poll(self) -> list[Sensed]: ...
    def tell(self, context: Any) -> None: ...
    def trace(self, board: str, seconds: float) -> list[tuple[int, float]]: ...
    def evidence(self, event: Sensed) -> Evidence: ...
    def record(self, folder: Path) -> object: ...
    def stop_recording(self) -> Path | None: ...
    def hand(self, words: str) -> None: ...
    def told(self) -> list[dict[str, Any]]: ...


Tables = Callable[[int, bool], SensedTable | None]
"""A table for so many seats, not started yet. The second word tells whether a simulated one will do."""


class Lookout(Model):
    """One live table at most, and one desk for the game at it.

    `attend` tells who is there; `poll` is called many times a second and does everything else. Questions grow old by
    `now_us`. Whoever subscribes is called when questions, marks or the table itself have changed.
    """

    def __init__(
        self,
        tables: Tables | None,
        settings: Settings,
        *,
        now_us: Callable[[], int],
        t: Translate = plain,
    ) -> None:
        super().__init__(t)
        self.table: SensedTable | None = None
        self.desk: Desk | None = None
        self._tables = tables
        self._settings = settings
        self._now_us = now_us
        self._session: Session | None = None
        self._looking = self._invited = False
        self._seats = 0
        self._told: object = None
        self._lost: tuple[str, ...] = ()
        self._news: list[str] = []
        self._shown: tuple[object, ...] = ()
        self._recorded = False
        self._closing: list[threading.Thread] = []
        self.sensed: tuple[Sensed, ...] = ()
        """The last things sensed, the newest last."""

    # Who is there

    def attend(self, session: Session | None, *, looking: bool = False) -> None:
        """A game is on the table, or none; and somebody looks at the live table, or nobody.

        A simulated table takes part in a game once somebody has looked at it: until then a real box stands there.
        """
        game = session if session is not None and not session.read_only else None
        if game is not self._session:
            self._session, self._invited = game, False
            self._leave_desk()
        self._looking = looking
        self._invited = self._invited or looking
        self._settle()

    def set(self, settings: Settings) -> None:
        """Let the settings hold, at once."""
        self._settings = settings
        if self.desk is not None:
            self.desk.policies = settings.sensing
        self._settle()

    @property
    def off(self) -> bool:
        """Whether the settings let nothing be sensed in a game."""
        return self._settings.watch == "off" or all(self._policy(kind) == "off" for kind in KINDS)

    def _policy(self, kind: Kind) -> str:
        return self._settings.sensing.of(kind)

    def _settle(self) -> None:
        """Opens the table, or closes it, or changes it for one with more boards. What is recorded is not cut short."""
        played = self._session is not None and not self.off
        wanted = self._settings.watch != "off" and (self._looking or played or self.recording is not None)
        seats = len(self._session.cover.seats) if self._session else 1
        small = self._seats < seats and self.recording is None
        if self.table is not None and (not wanted or small or not self._may_stay(self.table)):
            self._close_table()
        if wanted and self.table is None and self._tables is not None:
            self._open_table(seats)
        if not wanted:
            self._leave_desk()

    def _may_stay(self, table: SensedTable) -> bool:
        return not table.simulated or self._simulated_will_do

    @property
    def _simulated_will_do(self) -> bool:
        return self._invited or self._settings.watch == "simulated" or self.recording is not None

    def _open_table(self, seats: int) -> None:
        assert self._tables is not None
        self.table, self._seats = self._tables(seats, self._simulated_will_do), seats
        if self.table is not None:
            self.table.start()
            self.changed()

    def _close_table(self) -> None:
        table, self.table = self.table, None
        self._leave_desk()
        self._lost, self._told, self.sensed = (), None, ()
        if table is not None:
            self._let_go(table)
            self.changed()

    def _let_go(self, table: SensedTable) -> None:
        """Devices may take a moment to end, and nobody waits for them."""
        thread = threading.Thread(target=table.close, name="table-closing", daemon=True)
        thread.start()
        self._closing = [*(each for each in self._closing if each.is_alive()), thread]

    def _leave_desk(self) -> None:
        if self.desk is not None:
            self.desk = None
            self.changed()

    def close(self) -> None:
        """Let go of everything, and wait until it is gone."""
        self._session, self._looking = None, False
        self._close_table()
        for thread in self._closing:
            thread.join(_CLOSING_S)

    # Time

    def poll(self, *, quick: bool = False) -> None:
        """What the senses said since the last time goes to the desk, and what the game knows goes back to them.

        A `quick` look does nothing unless something was sensed.
        """
        table = self.table
        if table is None:
            return
        events = table.poll()
        if quick and not events:
            return
        self.sensed = (*self.sensed, *events)[-_MOST_SENSED:]
        self._sit_down(table)
        if self.desk is not None:
            self.desk.sees = any(sense.sense == "camera" and sense.state == "ready" for sense in table.health)
            self.desk.take(events)
            self.desk.tick()
            self._tell(table, self.desk.context)
        self._look_after(table)
        self._tell_changes(table)
        if self._recorded and table.recording is None:
            self._settle()
        self._recorded = table.recording is not None

    def _sit_down(self, table: SensedTable) -> None:
        """The game's desk is opened as soon as the boards are known."""
        session = self._session
        if self.desk is not None or session is None or not table.ready or self.off:
            return
        count = len(session.cover.seats)
        seats = {board.id: board.seat for board in table.plan.boards if board.seat is not None and board.seat < count}
        self.desk = Desk(session, self._settings.sensing, seats, now_us=self._now_us)

    def _tell(self, table: SensedTable, context: object) -> None:
        if context != self._told:
            self._told = context
            table.tell(context)

    def _tell_changes(self, table: SensedTable) -> None:
        """Subscribers are called when something is to be shown otherwise."""
        desk = self.desk
        desked = (desk.proposals, desk.out_of_step, desk.decided, desk.measured) if desk else ()
        shown = (table.ready, self._lost, table.recording, tuple(self.sensed), *desked)
        if shown != self._shown:
            self._shown = shown
            self.changed()

    # How the senses are

    @property
    def health(self) -> tuple[SenseHealth, ...]:
        return tuple(self.table.health) if self.table else ()

    @property
    def says(self) -> str:
        """What does not work now that should, and what to do about it; nothing where all is well."""
        return " ".join(self._lost)

    def news(self) -> str:
        """One sentence that nobody has heard yet, or nothing."""
        return self._news.pop(0) if self._news else ""

    def _look_after(self, table: SensedTable) -> None:
        lost = tuple(self._troubles(table)) if self._policy("fault") != "off" else ()
        if lost == self._lost:
            return
        self._news += [says for says in lost if says not in self._lost]
        if not lost:
            self._news = [says for says in self._news if says not in self._lost]
            self._news.append(self.t("All senses of the table work again."))
        self._lost = lost

    def _troubles(self, table: SensedTable) -> Iterator[str]:
        for sense in table.health:
            if sense.state == _LOST and sense.says:
                yield self.t(sense.says)

    # What there is to answer

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits at the table, where a game is on it."""
        return tuple(self._session.cover.seats) if self._session else ()

    @property
    def call(self) -> Proposal | None:
        """What the table must be called together for."""
        return next((proposal for proposal in self.proposals if proposal.urgent), None)

    @property
    def cards(self) -> tuple[Proposal, ...]:
        """What can be answered in passing."""
        return tuple(proposal for proposal in self.proposals if not proposal.urgent)

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        return tuple(self.desk.proposals) if self.desk else ()

    @property
    def questions(self) -> tuple[Proposal | Mismatch, ...]:
        """Everything that can be answered."""
        return (*self.proposals, *self.out_of_step)

    @property
    def out_of_step(self) -> tuple[Mismatch, ...]:
        return tuple(self.desk.out_of_step) if self.desk else ()

    @property
    def decided(self) -> tuple[Decided, ...]:
        return tuple(self.desk.decided) if self.desk else ()

    @property
    def measured(self) -> tuple[Measured, ...]:
        return tuple(self.desk.measured) if self.desk else ()

    def answer(self, question: str, answer: str, told: dict[str, Any] | None = None) -> Outcome | None:
        """Answer a proposal or a mismatch. What came of it, or nothing when it was gone by then."""
        if self.desk is None or not any(each.id == question for each in self.questions):
            return None
        outcome = self.desk.answer(question, answer, told)
        self.changed()
        return outcome

    def undo(self, decided: str) -> Outcome | None:
        """Take back what came of an answer; its question opens again."""
        if self.desk is None:
            return None
        outcome = self.desk.undo(decided)
        self.changed()
        return outcome

    def footage(self, proposal: Proposal) -> Footage:
        """What was kept of a proposal's event, as far as it has come."""
        event = proposal.event
        if self.table is None:
            return Footage(contact_us=event.t_us)
        return footage(self.table.evidence(event))

    # Recording

    @property
    def kept_with_game(self) -> Path | None:
        """Where calls are kept that belong to the game on the table."""
        path = self._session.path if self._session else None
        return path.with_name(f"{path.stem}{_CALLS}") if path else None

    def save(self, proposal: Proposal, folder: Path, words: str) -> str:
        """Write what was kept of a proposal's event as a recording of its own. One sentence about what came of it."""
        if self.table is None:
            return self.t("Nothing watches the table, so there is nothing to record.")
        if self._settings.recording == "never":
            return self.t("Recording is off in the settings.")
        try:
            with told(folder):
                folder.parent.mkdir(parents=True, exist_ok=True)
                saved = self.table.evidence(proposal.event).save(folder)
        except CompanionError as error:
            return self.t(str(error))
        return words.format(name=saved.name)

    @property
    def recording(self) -> Path | None:
        return self.table.recording if self.table else None

    def record(self, folder: Path) -> str:
        """Begin to record, or end it. One sentence about what came of it."""
        table = self.table
        if table is None:
            return self.t("Nothing watches the table, so there is nothing to record.")
        if table.recording is not None:
            kept = table.stop_recording()
            return self.t("The recording is kept as {name}.").format(name=kept.name) if kept else ""
        if self._settings.recording == "never":
            return self.t("Recording is off in the settings.")
        try:
            table.record(folder)
        except CompanionError as error:
            return self.t(str(error))
        self.changed()
        return ""
