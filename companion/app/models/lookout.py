"""Who watches the table: opens the live table when somebody needs it, and brings what it senses to the game's desk."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.app.models.cuttings import Cuttings, Saving, Tell
from companion.app.models.deskside import Deskside
from companion.app.models.model import Translate, plain
from companion.app.models.pretence import Pretence
from companion.app.models.replay import Footage, footage
from companion.app.models.settings import Settings
from companion.app.models.tables import SensedTable, Tables, troubled
from companion.errors import CompanionError
from companion.live.desk import Desk, seats_of
from companion.live.policies import KINDS, Kind
from companion.live.proposals import Decided, Proposal
from companion.live.shown import SenseHealth
from companion.session.session import Session

_MOST_TOLD = 200
_LOOK_AGAIN_US = 5_000_000
"""How often devices are looked for where there are none: they may be plugged in during a game."""
_CLOSING_S = 15.0
_CALLS = ".calls"
_LOST = "lost"


class Lookout(Deskside):
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
        self._tables = tables
        self._settings = settings
        self._now_us = now_us
        self._session: Session | None = None
        self._looking = False
        self._pretence = Pretence()
        self._can_simulate: bool | None = None
        self._offered_at: int | None = None
        self._seats = 0
        self._looked_us = 0
        self._context: object = None
        self._told: deque[dict[str, Any]] = deque(maxlen=_MOST_TOLD)
        self._lost: tuple[str, ...] = ()
        self._news: list[str] = []
        self._decided: set[str] = set()
        self._settled: list[Decided] = []
        self._shown: tuple[object, ...] = ()
        self._recorded = False
        self._cuttings = Cuttings()
        self._saving = Saving()
        self._closing: list[threading.Thread] = []

    # Who is there

    def attend(self, session: Session | None, *, looking: bool = False) -> None:
        """A game is on the table, or none; and somebody looks at the live table, or nobody.

        A simulated table is up while somebody looks at it, and takes part in a game once its hand was used: until then
        a real box stands there.
        """
        game = session if session is not None and not session.read_only else None
        if game is not self._session:
            self._session, self._pretence, self._can_simulate = game, Pretence(), None
            self._offered_at = game.seq if game is not None else None
            self._leave_desk()
        self._looking = looking
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
        if self.table is not None and not (wanted and self._may_stay(self.table, seats)):
            self._close_table()
        if wanted and self.table is None and self._tables is not None:
            self._open_table(seats)
        if not wanted:
            self._leave_desk()

    def _may_stay(self, table: SensedTable, seats: int) -> bool:
        """A table that is attached is what it is; a simulated one has a board for each seat, and a reason to be up."""
        large = self._seats >= seats or self.recording is not None
        return not table.simulated or (large and self._simulated_will_do)

    @property
    def _simulated_will_do(self) -> bool:
        chosen = self._looking or self._settings.watch == "simulated"
        return chosen or self._pretence.used or self.recording is not None

    def _open_table(self, seats: int) -> None:
        assert self._tables is not None
        self.table, self._seats, self._looked_us = self._tables(seats, self._simulated_will_do), seats, self._now_us()
        if self.table is not None:
            self.table.start()
            self.changed()
        elif self._can_simulate is None:
            spare = self._tables(seats, True)
            self._can_simulate = spare is not None and spare.simulated

    def _close_table(self) -> None:
        table, self.table = self.table, None
        self._leave_desk()
        self._lost, self._context, self._pretence = (), None, Pretence()
        self._told.clear()
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
            if self.table is not None:
                self._tell(self.table, {})
            self.changed()

    def close(self) -> None:
        """Let go of everything, and wait until it is gone."""
        self._session, self._looking = None, False
        self._close_table()
        self._saving.close()
        for thread in self._closing:
            thread.join(_CLOSING_S)

    # Time

    def poll(self, *, quick: bool = False) -> None:
        """What the senses said since the last time goes to the desk, and what the game knows goes back to them.

        A `quick` look does nothing unless something was sensed.
        """
        self._saving.settle()
        table = self.table
        if table is None:
            self._look_again()
            return
        self._hear(table)
        events = [event for event in table.poll() if not table.simulated or self._pretence.counts(event)]
        if quick and not events:
            return
        self._sit_down(table)
        if self.desk is not None:
            self.desk.sees = any(sense.sense == "camera" and sense.state == "ready" for sense in table.health)
            self.desk.take(events)
            self.desk.tick()
            self._tell(table, self.desk.context)
            self._note_decided(self.desk)
        self._look_after(table)
        self._tell_changes(table)
        if self._recorded and table.recording is None:
            self._settle()
        self._recorded = table.recording is not None

    def _look_again(self) -> None:
        """Something may have been plugged in meanwhile."""
        if self._session is not None and self._now_us() - self._looked_us >= _LOOK_AGAIN_US:
            self._looked_us = self._now_us()
            self._settle()

    def _hear(self, table: SensedTable) -> None:
        """What the simulated table says; what its hand could not do is said to people."""
        for told in table.told():
            self._told.append(told)
            if told["kind"] == "wrong":
                self._news.append(self.t(told["why"]))

    def _note_decided(self, desk: Desk) -> None:
        """What was decided without being asked is to be said."""
        new = [decided for decided in desk.decided if decided.id not in self._decided]
        self._decided.update(decided.id for decided in new)
        self._settled += [decided for decided in new if decided.by == "policy" and not decided.undone]

    def _sit_down(self, table: SensedTable) -> None:
        """The game's desk is opened as soon as the boards are known."""
        session = self._session
        if self.desk is not None or session is None or not table.ready or self.off:
            return
        self.desk = Desk(session, self._settings.sensing, seats_of(table.plan), now_us=self._now_us)
        self._decided, self._settled = {decided.id for decided in self.desk.decided}, []

    def _tell(self, table: SensedTable, context: Mapping[str, Any]) -> None:
        if context != self._context:
            self._context = context
            table.tell(context)

    def _tell_changes(self, table: SensedTable) -> None:
        """Subscribers are called when something is to be shown otherwise."""
        desk = self.desk
        desked = (desk.proposals, desk.out_of_step, desk.decided, desk.measured, desk.notes) if desk else ()
        shown = (table.ready, self._lost, table.recording, *desked)
        if shown != self._shown:
            self._shown = shown
            self.changed()

    # The simulated table

    @property
    def simulates(self) -> bool:
        """Whether the table is a simulated one, or would be if somebody looked at it."""
        return self.table.simulated if self.table is not None else bool(self._can_simulate)

    @property
    def offers_simulated(self) -> bool:
        """Whether a game has just been taken up, nothing watches it, and a simulated table could."""
        game = self._session
        return self.table is None and self.simulates and game is not None and game.seq == self._offered_at

    def decline_simulated(self) -> None:
        """People play with their own pieces: the simulated table is offered no more in this game."""
        self._offered_at = None
        self.changed()

    def hand(self, words: str) -> str:
        """Tell the simulated hand what to do, in a scenario's words. What is wrong with it, or nothing."""
        if self.table is None:
            return self.t("There is no simulated table.")
        try:
            self.table.hand(words)
        except CompanionError as error:
            return self.t(str(error))
        self._pretence.used = True
        return ""

    def told(self) -> list[dict[str, Any]]:
        """What the simulated table said since the last time."""
        found = list(self._told)
        self._told.clear()
        return found

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
                yield troubled(sense, self.t)[0]

    # What there is to answer

    @property
    def session(self) -> Session | None:
        """The game on the table."""
        return self._session

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits at the table, where a game is on it."""
        return tuple(self._session.cover.seats) if self._session else ()

    @property
    def newest(self) -> tuple[str, int]:
        """A board, and the time of the newest picture; nothing where there is none."""
        boards = self.table.plan.boards if self.table else ()
        picture = self.table.newest if self.table else None
        return (boards[0].id, picture.t_us) if boards and picture else ("", 0)

    def settled(self) -> list[Decided]:
        """What was decided without being asked, since the last time."""
        found, self._settled = self._settled, []
        return found

    def footage(self, proposal: Proposal) -> Footage:
        """What was kept of a proposal's event, as far as it has come."""
        evidence = self._cuttings.of(proposal.event, self.table)
        return footage(evidence) if evidence is not None else Footage(contact_us=proposal.event.t_us)

    # Recording

    @property
    def kept_with_game(self) -> Path | None:
        """Where calls are kept that belong to the game on the table."""
        path = self._session.path if self._session else None
        return path.with_name(f"{path.stem}{_CALLS}") if path else None

    def save(self, proposal: Proposal, folder: Path, words: str, tell: Tell) -> None:
        """Write what was kept of a proposal's event as a recording of its own. `tell` hears what came of it, later."""
        evidence = self._cuttings.of(proposal.event, self.table)
        if evidence is None:
            tell(self.t("Nothing watches the table, so there is nothing to record."))
        elif self._settings.recording == "never":
            tell(self.t("Recording is off in the settings."))
        else:
            self._saving.begin(evidence, folder, words, lambda says: tell(self.t(says)))

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
