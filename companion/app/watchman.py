"""Brings what the senses find to the screen: a call over whatever is shown, and what was kept of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from kivy.clock import Clock

from companion.app.models.keeping import dated
from companion.app.models.settings import Settings
from companion.app.words import _
from companion.session.session import Session

if TYPE_CHECKING:
    from companion.app.models.call import CallModel
    from companion.app.models.lookout import Lookout
    from companion.app.models.settings import SettingsModel
    from companion.app.models.tables import Tables
    from companion.app.screens.base import CompanionScreen
    from companion.app.screens.call import CallCover
    from companion.app.screens.replies import Replies
    from companion.app.sideboard import Sideboard
    from companion.app.widgets.glass import Glass
    from companion.devices.pins import ButtonName
    from companion.live.proposals import Proposal
    from companion.rules.table import Choice
    from companion.session import clocks

WATCH_S: Final = 1 / 60
ROUND_S: Final = 0.05
"""How often all is looked after while nothing is sensed."""
GAMES: Final = ("castle-dukes",)
"""The games whose castles are watched."""

_REHEARSE_S: Final = 3.0
"""So long after the table is up, its senses have given something to watch."""
_NS_PER_US = 1000


class Place(Protocol):
    """What the watchman needs of the app around it."""

    glass: Glass
    screen: CompanionScreen
    settings: SettingsModel
    clock: clocks.Clock
    recordings: Path

    @property
    def sideboard(self) -> Sideboard: ...


class Watchman:
    """Stands beside the screens. Until the first frame is shown he does nothing, and without `tables` never."""

    def __init__(self, place: Place, tables: Tables | None) -> None:
        self._place = place
        self._tables = tables
        self._begun = False
        self._due_s = 0.0
        self._rehearsed: CallCover | None = None
        self.lookout: Lookout | None = None
        self.call: CallCover | None = None

    @property
    def can_watch(self) -> bool:
        """Whether there are tables to watch, and the settings want it."""
        return self._tables is not None and self._place.settings.settings.watch != "off"

    # Coming and going

    def begin(self) -> None:
        """The first frame is shown: there is time now."""
        self._begun = self._tables is not None

    def attend(self, session: Session | None, *, looking: bool) -> None:
        """A game is on the table, or none; somebody looks at the live table, or nobody."""
        game = session if session is not None and session.cover.game in GAMES else None
        if self.lookout is None and self._begun and (looking or game is not None):
            from companion.app.models.lookout import Lookout

            self.lookout = Lookout(self._tables, self._place.settings.settings, now_us=self._now_us, t=_)
            Clock.schedule_interval(self._watch, WATCH_S)
        if self.lookout is not None:
            self.lookout.attend(game, looking=looking)
            self._show_call(self.lookout)
            self._cover_anew(self.lookout)

    def _now_us(self) -> int:
        return self._place.clock.monotonic_ns() // _NS_PER_US

    def set(self, settings: Settings) -> None:
        """Let the settings hold."""
        if self.lookout is not None:
            self.lookout.set(settings)

    def close(self) -> None:
        """Let go of everything."""
        Clock.unschedule(self._watch)
        Clock.unschedule(self._rehearse_whole)
        self._uncover()
        if self.lookout is not None:
            self.lookout.close()
            self.lookout = None

    # What is said beside the screen

    @property
    def says(self) -> str:
        return self.lookout.says if self.lookout else ""

    def news(self) -> str:
        """One sentence that nobody has heard yet, or nothing."""
        return self.lookout.news() if self.lookout else ""

    def press(self, button: ButtonName) -> bool:
        """While a call is up, the panel's button for a call plays it again; answers are given on the screen."""
        if self.call is None:
            return False
        if button == "call":
            self.call.play_again()
        else:
            self._place.screen.say(_("Answer the call on the screen first."))
        return True

    # Calls

    def _watch(self, *__: Any) -> None:
        lookout, now_s = self.lookout, Clock.get_time()
        if lookout is not None:
            quick = now_s < self._due_s
            self._due_s = self._due_s if quick else now_s + ROUND_S
            lookout.poll(quick=quick)
            if lookout.desk is not None and self._rehearsed is None:
                self._rehearse(lookout)
                Clock.schedule_once(self._rehearse_whole, _REHEARSE_S)
            self._place.glass.recording = lookout.recording is not None
            self._show_call(lookout)
            self._say_settled(lookout)

    def _rehearse(self, lookout: Lookout) -> None:
        """Makes a call that nobody sees: the first real one finds its words measured and its icons drawn."""
        from companion.app.models.call import CallModel, rehearsal
        from companion.app.screens.call import CallCover, CallDoings

        model = CallModel(lookout, rehearsal(lookout.names[0], *lookout.newest), lookout.names, t=_)
        doings = CallDoings(answer=lambda __: None, keep=lambda: None, report=lambda: None)
        self._rehearsed = CallCover(model, doings)
        self._rehearsed.size = self._place.glass.size

    def _rehearse_whole(self, *__: Any) -> None:
        """Once more, with something to watch."""
        if self.lookout is not None and self.lookout.desk is not None:
            self._rehearse(self.lookout)

    def _show_call(self, lookout: Lookout) -> None:
        wanted, call = lookout.call, self.call
        if call is not None and (wanted is None or wanted.id != call.model.proposal.id):
            self._uncover()
        elif call is not None and wanted is not None and wanted.answers != call.model.proposal.answers:
            call.model.proposal = wanted
            self._cover_anew(lookout)
        if wanted is not None and self.call is None:
            self._cover(lookout, wanted)

    def _cover(self, lookout: Lookout, proposal: Proposal) -> None:
        from companion.app.models.call import CallModel

        model = CallModel(lookout, proposal, lookout.names, t=_)
        self._lay(lookout, model).open()
        self._place.glass.wake()
        self._place.sideboard.call(proposal.seat, model.spoken)

    def _cover_anew(self, lookout: Lookout) -> None:
        """The same call, in another language or on another size of screen."""
        if self.call is not None:
            model = self.call.model
            self._uncover()
            self._lay(lookout, model).open(flashing=False)

    def _lay(self, lookout: Lookout, model: CallModel) -> CallCover:
        from companion.app.screens.call import CallCover, CallDoings

        proposal = model.proposal
        answer = partial(self._answer, lookout, proposal)
        keep = partial(self._save, lookout, proposal, lambda: lookout.kept_with_game, _("Kept with the game."))
        report = partial(self._save, lookout, proposal, lambda: self._place.recordings, _("Reported as {name}."))
        self.call = CallCover(model, CallDoings(answer=answer, keep=keep, report=report))
        self._place.glass.cover(self.call)
        return self.call

    def _uncover(self) -> None:
        call, self.call = self.call, None
        if call is not None:
            call.close()
            self._place.glass.uncover()

    def _answer(self, lookout: Lookout, proposal: Proposal, answer: str) -> None:
        self._replies(lookout).reply(proposal.id, answer)
        self._show_call(lookout)

    def _replies(self, lookout: Lookout) -> Replies:
        from companion.app.screens.replies import Replies

        return Replies(lookout, partial(self._ask, lookout), partial(self._say, lookout))

    def _ask(self, lookout: Lookout, choice: Choice, told: Callable[[Any], object]) -> None:
        from companion.app.screens.replies import Telling

        if lookout.session is not None:
            Telling(self.call or self._place.screen.host, lookout.session, choice, told)

    def _say(self, lookout: Lookout, message: str, action: str = "", does: Callable[[], object] | None = None) -> None:
        """On the call, while it is up; there nothing is to be undone."""
        self._show_call(lookout)
        if self.call is not None:
            self.call.say(message)
        else:
            self._place.screen.say(message, action, does)

    def _say_settled(self, lookout: Lookout) -> None:
        """What was booked without being asked is said wherever people look, and an accident is heard, too."""
        for decided in lookout.settled():
            self._replies(lookout).say_settled(decided)
            if decided.kind == "collapse":
                self._place.glass.wake()
                self._place.sideboard.call(decided.seat, _(decided.title))

    def _save(self, lookout: Lookout, proposal: Proposal, where: Callable[[], Path | None], words: str) -> None:
        """Write what was kept of a call as a recording of its own."""
        folder = where()
        if folder is not None:
            place = dated(folder, "call", self._place.clock.wall_ns())
            lookout.save(proposal, place, words, partial(self._say, lookout))
