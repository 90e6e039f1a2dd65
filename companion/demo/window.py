"""The demo on a display: the real app on a home of its own, led by a finger that everybody can see."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout

from companion.app.here import Folders, devices_here
from companion.app.models.lookout import Lookout
from companion.app.models.settings import Settings, write
from companion.app.models.tables import Tables
from companion.app.shell import CompanionApp
from companion.app.words import _
from companion.demo import game
from companion.demo.chronicle import Chronicle
from companion.demo.guide import CaptionBar, FingerMark, Toucher, named, seen, standing_for, worded
from companion.demo.playing import Acts, Playing, Question, Wait, pause
from companion.demo.script import EVENING, Chapter, Look, Scene
from companion.errors import CompanionError
from companion.live.proposals import Answer, Proposal
from companion.rules.base import Action
from companion.session.session import Session
from companion.session.shelf import Shelf

if TYPE_CHECKING:
    from companion.app.here import Devices

_PATIENCE_S = 2.0
_START_S = 20.0
_READ_S = 0.9
_REPLAY_S = 10.0
_CATEGORY_S = 1.3
_MOST_CATEGORIES = 20
_STAYS_S = 12.0
_STAGE = "stage"
"""The device that the demo's own touches come from."""


class DemoApp(CompanionApp):
    """The app with a line of captions over it, and somebody who touches it."""

    def __init__(
        self,
        home: Path,
        tables: Tables,
        *,
        devices: Devices | None = None,
        now_us: Callable[[], int] = lambda: time.monotonic_ns() // 1000,
        script: Sequence[Chapter] = EVENING,
    ) -> None:
        super().__init__(Folders.under(home), devices=devices, tables=tables)
        self.now_us = now_us
        self.script = script
        self.autopilot: Autopilot | None = None

    def build(self) -> Any:
        glass = super().build()
        root = BoxLayout(orientation="vertical")
        bar, mark = CaptionBar(), FingerMark(glass.center)
        root.add_widget(bar)
        root.add_widget(glass)
        root.canvas.after.add(mark.drawn)
        self.autopilot = Autopilot(self, bar, mark)
        return root

    def on_stop(self) -> None:
        if self.autopilot is not None:
            self.autopilot.stop()
        super().on_stop()


class Autopilot:
    """Plays the evening by touching the app's own buttons. Somebody else's touch ends it, and the table is theirs."""

    def __init__(self, app: DemoApp, bar: CaptionBar, mark: FingerMark) -> None:
        self.chronicle = Chronicle()
        self._app = app
        self._bar, self._mark = bar, mark
        self._toucher = Toucher(mark)
        self._session: Session | None = None
        self._playing = Playing(self, app.now_us, app.script)
        Clock.schedule_interval(self._tick, 0)
        EventLoop.window.bind(on_touch_down=self._touched)

    @property
    def over(self) -> bool:
        """Whether it came to the end of the tally."""
        return self._playing.over

    @property
    def lookout(self) -> Lookout | None:
        return self._app.lookout

    def _tick(self, *__: Any) -> None:
        try:
            if self._playing.tick():
                return
            self._leave(f"{_('That was the demo.')} {_(self.chronicle.summary)}")
        except CompanionError as error:
            self._leave(_(str(error)))

    def _leave(self, caption: str) -> None:
        """Say the last word, and close by and by."""
        Clock.unschedule(self._tick)
        self._mark.hide()
        self._bar.say(caption, _("Touch to stay; it closes by itself."))
        Clock.schedule_once(self._close, _STAYS_S)

    def _touched(self, __: Any, touch: Any) -> None:
        if touch.device != _STAGE:
            self._bar.say(_("The demo has stopped: the table is yours."), "")
            self.stop()

    def _close(self, *__: Any) -> None:
        self._app.stop()

    def stop(self) -> None:
        """Touch nothing any more."""
        Clock.unschedule(self._tick)
        Clock.unschedule(self._close)
        EventLoop.window.unbind(on_touch_down=self._touched)
        self._mark.hide()

    # Finding the way

    def _tap(self, wanted: Any, patience_s: float = _PATIENCE_S) -> Acts[bool]:
        return (yield from self._toucher.tap(lambda: seen(self._app.glass, wanted), patience_s))

    @property
    def _place(self) -> str:
        """The screen that is shown."""
        return self._app.way[-1] if self._app.way else ""

    def begin(self) -> Acts[None]:
        self._bar.say(_("Castle Companion. A game of Castle Dukes waits for its last turn."))
        yield Wait(lambda: self._place == "shelf", _START_S)
        yield from pause(_READ_S)
        yield from self._tap(named("resume"), _START_S)
        if (yield Wait(lambda: self._place == "table", _START_S)):
            self._session = self._app.screen.what["session"]
        self._bar.say(_("The simulated table starts; that takes some seconds."))

    def turn_to(self, chapter: Chapter) -> None:
        """The captions tell enough."""

    def say(self, caption: str, at: Scene) -> Acts[None]:
        self._bar.say(_(caption))
        yield from pause(_READ_S)
        if at == "table" and self._place == "table":
            yield from self._to_live()
        elif at != "table" and self._place == "live":
            yield from self._to_game()

    def _to_live(self) -> Acts[None]:
        yield from self._tap(named("menu"))
        yield from self._tap(worded(_("Simulated table")))
        if not (yield Wait(lambda: self._place == "live", _PATIENCE_S)):
            self._app.go("live")

    def _to_game(self) -> Acts[None]:
        yield from self._tap(named("back"))
        if not (yield Wait(lambda: self._place != "live", _PATIENCE_S)):
            self._app.back()

    # Showing

    def look(self, step: Look) -> Acts[None]:
        if step.at == "tally":
            yield from self._tally()
        yield from pause(step.seconds)

    def call(self, proposal: Proposal) -> Acts[None]:
        watchman = self._app.watchman
        self._bar.say(_("The call: the fall in slow motion, over the load on the board."))
        if (yield Wait(lambda: watchman.call is not None, _PATIENCE_S)):
            yield Wait(lambda: watchman.call is None or not watchman.call.model.replay.playing, _REPLAY_S)

    def _tally(self) -> Acts[None]:
        if not (yield Wait(lambda: self._place == "tally", _PATIENCE_S)):
            self._app.go("tally", session=self._session)
        for _category in range(_MOST_CATEGORIES):
            yield from pause(_CATEGORY_S)
            if not (yield from self._tap(named("next"), _PATIENCE_S)):
                break

    # Touching

    def answer(self, question: Question, answer: Answer) -> Acts[None]:
        yield from self._touch_answer(question, answer)
        if not (yield Wait(lambda: not self._is_open(question), _PATIENCE_S)) and self.lookout is not None:
            self.lookout.answer(question.id, answer.id)

    def _touch_answer(self, question: Question, answer: Answer) -> Acts[None]:
        """Touch the button that stands for an answer: on the call, on the card, or on the sheet of all answers."""
        if self._app.watchman.call is not None:
            yield from self._tap(standing_for(answer.id))
            return
        first = self.lookout.cards[:1] if self.lookout else ()
        if [each.id for each in first] != [question.id]:
            return
        direct = "confirm" if answer.primary else "reject" if answer.weight == "reject" else ""
        if direct:
            yield from self._tap(named(direct))
        elif (yield from self._tap(named("more"))):
            yield from self._tap(worded(_(answer.label)))

    def _is_open(self, question: Question) -> bool:
        return self.lookout is not None and any(each.id == question.id for each in self.lookout.questions)

    def move(self, action: Action) -> Acts[None]:
        """Touch the move's button where it shows; what has to be told along with it is told at once."""
        line = self._session.seq if self._session else 0
        touched = yield from self._tap(standing_for(self._touch_id(action)), 0.0)
        if not touched or (self._session is not None and self._session.seq == line):
            yield from self.book(action)
        yield from pause(_READ_S)

    def _touch_id(self, action: Action) -> str:
        model = getattr(self._app.screen, "model", None)
        prompts = model.view.prompts if model is not None and self._place == "table" else ()
        choices = (choice for prompt in prompts for choice in prompt.choices)
        return next((choice.id for choice in choices if choice.action == action and not choice.asks), "")

    def book(self, action: Action) -> Acts[None]:
        yield from ()
        if self._session is not None:
            self._session.dispatch(action, game.origin(action))
        model = getattr(self._app.screen, "model", None)
        if self._place == "table" and model is not None:
            model.refresh()


def furnish(home: Path) -> None:
    """Leave the game and the settings of the demo in a home."""
    game.begin(Shelf(home / "games"))
    write(home / "app.toml", Settings(watch="simulated", recent_names=game.SEATS))


def run(home: Path, tables: Tables, say: Callable[[str], object]) -> bool:
    """Open the app on a home, let it play, and stay until the window closes. Whether it came to the tally."""
    furnish(home)
    app = DemoApp(home, tables, devices=devices_here)
    app.run()
    if app.autopilot is None or not app.autopilot.over:
        return False
    for sentence in (app.autopilot.chronicle.summary, *app.autopilot.chronicle.notes):
        say(sentence)
    return True
