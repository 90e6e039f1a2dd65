"""The app around the screens: it starts quickly, leads from screen to screen, sleeps, wakes and closes cleanly."""

from __future__ import annotations

import gc
import sys
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from kivy.app import App
from kivy.clock import Clock
from kivy.metrics import Metrics
from msgspec import Struct

from companion.app import kivyenv, words
from companion.app.here import Folders as Folders
from companion.app.here import devices_here, rescued, table_here
from companion.app.models.settings import SettingsModel, TextSize
from companion.app.screens.base import CompanionScreen, held_sessions
from companion.app.theme import THEMES
from companion.app.watchman import Watchman
from companion.app.widgets.glass import Glass
from companion.app.widgets.look import colours, look
from companion.app.words import _
from companion.rules.base import Dealer
from companion.session import clocks
from companion.session.dealing import RandomDealer
from companion.session.session import Session
from companion.session.shelf import Shelf

if TYPE_CHECKING:
    from companion.app.here import Devices
    from companion.app.models.lookout import Lookout
    from companion.app.models.tables import Tables
    from companion.app.sideboard import Sideboard

SCREENS: Final = ("shelf", "seating", "table", "tally", "history", "evenings", "settings", "live")
"""Each in a module of its own under `screens`, imported when it is first shown."""

TICK_S: Final = 0.25
POLL_S: Final = 0.05
TEXT_SCALES: Final[dict[TextSize, float]] = {"normal": 1.0, "large": 1.15, "largest": 1.3}
_ESCAPE = 27
_S_PER_MIN = 60
_LIVE = "live"
_NEWS_S = 6.0
_QUIET_S = 1.0
_LITTER = 2
"""So many searches of the younger garbage since all of it was looked through."""


class _Stop(Struct, frozen=True, kw_only=True):
    """One screen on the way back, and what it is shown with."""

    screen: str
    what: dict[str, Any]


class CompanionApp(App):
    """The app. It is the `Shell` of its screens."""

    title = "Castle Companion"
    glass: Glass
    screen: CompanionScreen

    def __init__(
        self,
        folders: Folders,
        *,
        dealer: Dealer | None = None,
        clock: clocks.Clock | None = None,
        devices: Devices | None = None,
        tables: Tables | None = None,
    ) -> None:
        super().__init__()
        self._devices = devices
        self.watchman = Watchman(self, tables)
        self._quiet_until_s = 0.0
        self.folders = folders
        self.exports = folders.exports
        self.recordings = folders.recordings
        self.clock: clocks.Clock = clock or clocks.SystemClock()
        self.dealer: Dealer = dealer or RandomDealer()
        words.use("")
        self.settings = SettingsModel(folders.settings, t=_)
        self.shelf = Shelf(folders.games, clock=self.clock)
        self._way: list[_Stop] = []
        self._made_for: tuple[float, ...] = ()
        self._spoken: tuple[str, str] | None = None
        kept = self.settings.message
        self.notices = [text for text in (_(folders.trouble), kept.text if kept else "") if text]
        """What was found wrong at the start, for the shelf to say."""

    # Starting and ending

    def build(self) -> Glass:
        """The window's root, with the shelf on it."""
        from kivy.core.window import Window

        self.glass = Glass(size=Window.size)
        self._apply()
        self.settings.subscribe(self._apply)
        Window.bind(on_keyboard=self._key)
        self._paint_window()
        look.bind(theme=self._paint_window)
        self.go("shelf")
        self.glass.fbind("size", Clock.create_trigger(self._resized, -1))
        Clock.schedule_interval(self._tick, TICK_S)
        Window.bind(on_flip=self._seen)
        return self.glass

    def open_settings(self, *__: Any) -> bool:
        """Kivy's own settings are none of ours."""
        return False

    def on_pause(self) -> bool:
        """The window goes away for a while: what the clocks show is kept."""
        for session in self._held():
            if not session.read_only:
                session.save_clocks()
        return True

    def on_stop(self) -> None:
        """Everything is on the disk before the window closes."""
        from kivy.core.window import Window

        Clock.unschedule(self._tick)
        Clock.unschedule(self._poll)
        self.watchman.close()
        Window.unbind(on_flip=self._seen)
        Window.unbind(on_keyboard=self._key)
        look.unbind(theme=self._paint_window)
        held = self._held()
        self._way.clear()
        self.screen.leave()
        for session in held:
            session.close()
        if "sideboard" in self.__dict__:
            self.sideboard.close()

    # The way from screen to screen

    def go(self, screen: str, **what: Any) -> None:
        """Show a screen over the one shown now."""
        self._keep_top()
        self._way.append(_Stop(screen=screen, what=what))
        self._show()

    def replace(self, screen: str, **what: Any) -> None:
        """Show a screen in the place of the one shown now."""
        held = self._held()
        self._way[-1:] = [_Stop(screen=screen, what=what)]
        self._show()
        self._close_unless_held(held)

    def back(self) -> None:
        """Back to the screen before; from the first there is nowhere to go."""
        self._back_to(len(self._way) - 1)

    def home(self) -> None:
        """Back to the shelf."""
        self._back_to(1)

    def anew(self) -> None:
        """Make the screen anew."""
        self._keep_top()
        self._show()

    @property
    def way(self) -> tuple[str, ...]:
        """The names of the screens on the way back, the one shown last."""
        return tuple(stop.screen for stop in self._way)

    def _back_to(self, count: int) -> None:
        if 0 < count < len(self._way):
            held = self._held()
            del self._way[count:]
            self._show()
            self._close_unless_held(held)

    def _keep_top(self) -> None:
        if self._way:
            self._way[-1] = _Stop(screen=self._way[-1].screen, what=self.screen.kept())

    def _show(self) -> None:
        stop = self._way[-1]
        if self.glass.children:
            self.screen.leave()
        self._leave_names(stop.what)
        self._attend()
        self.screen = self._made(stop.screen)
        self._made_for = tuple(self.glass.size)
        self.glass.show(self.screen)
        self.screen.enter(**stop.what)

    def _made(self, name: str) -> CompanionScreen:
        module = import_module(f"companion.app.screens.{name}")
        made: CompanionScreen = getattr(module, f"{name.capitalize()}Screen")(self)
        return made

    def _leave_names(self, what: dict[str, Any]) -> None:
        """People's names are never translated, whatever they mean as words; nor are those printed in their box."""
        held = held_sessions(what)
        at_table = [name for session in held for name in session.cover.seats]
        words.leave(at_table or self.settings.settings.recent_names, held[0].box if held else None)

    def _attend(self) -> None:
        """Who is there now: a game on the way, and somebody who looks at the live table."""
        held = self._held()
        self.watchman.attend(held[-1] if held else None, looking=self._way[-1].screen == _LIVE)

    def _held(self) -> list[Session]:
        return [session for stop in self._way for session in held_sessions(stop.what)]

    def _close_unless_held(self, before: list[Session]) -> None:
        held = self._held()
        for session in before:
            if not any(session is kept for kept in held):
                session.close()

    # Settings, time and keys

    def _apply(self) -> None:
        """Let the settings hold, at once."""
        now = self.settings.settings
        look.motion, look.theme, look.palette = now.motion, THEMES[now.theme], now.palette
        self.glass.idle_s = now.lock_min * _S_PER_MIN
        if self._spoken != (now.language, now.text_size):
            again, self._spoken = self._spoken is not None, (now.language, now.text_size)
            Metrics.fontscale = TEXT_SCALES[now.text_size]
            words.use(now.language)
            if again:
                Clock.schedule_once(lambda *__: self.anew(), -1)

        if "sideboard" in self.__dict__:
            self.sideboard.set(now, words.current().language)
        self.watchman.set(now)

    # What stands beside the screen

    @property
    def lookout(self) -> Lookout | None:
        """Who watches the table; nobody where there is nothing to watch it with, or nothing to watch."""
        return self.watchman.lookout

    @property
    def watches(self) -> bool:
        """Whether there is anything to watch the table with."""
        return self.watchman.can_watch

    @cached_property
    def sideboard(self) -> Sideboard:
        """The panel, the sounds and the voice, looked for after the first frame."""
        from companion.app.sideboard import Sideboard

        found = self._devices() if self._devices else Sideboard(t=_)
        found.set(self.settings.settings, words.current().language)
        return found

    def _seen(self, *__: Any) -> None:
        """The first picture is on the glass: now there is time for what stands beside it."""
        from kivy.core.window import Window

        Window.unbind(on_flip=self._seen)
        Clock.schedule_interval(self._poll, POLL_S)
        self.watchman.begin()
        self._attend()
        self.screen.say(rescued(self.recordings))
        gc.enable()
        kivyenv.give_back_memory()

    def _poll(self, *__: Any) -> None:
        """A button wakes, too. What there is to say waits until somebody can read it."""
        for button in self.sideboard.poll():
            if not self.glass.wake() and not self.watchman.press(button):
                self.screen.press(button)
        self.screen.mark(" ".join(says for says in (self.sideboard.says, self.watchman.says) if says))
        if not self.glass.asleep and Clock.get_time() >= self._quiet_until_s:
            says = self.sideboard.news() or self.watchman.news()
            self._quiet_until_s = Clock.get_time() + _NEWS_S if says else 0.0
            self.screen.say(says)

    def _paint_window(self, *__: Any) -> None:
        from kivy.core.window import Window

        Window.clearcolor = colours().table

    def _resized(self, *__: Any) -> None:
        """A screen is laid out for one size of window."""
        if tuple(self._made_for) != tuple(self.glass.size):
            self.anew()

    def _tick(self, *__: Any) -> None:
        self.glass.doze()
        if not self.glass.asleep:
            self.screen.tick()
        if self.glass.untouched_s >= _QUIET_S and gc.get_count()[-1] >= _LITTER:
            gc.collect()  # now, when nobody waits for anything: what was drawn before holds buffers of the display

    def _key(self, __: Any, code: int, *___: Any) -> bool:
        """A key wakes, too; Escape is the way back."""
        if self.glass.wake():
            return True
        if code == _ESCAPE:
            (self.watchman.call or self.screen).escape()
            return True
        return False


def make(
    folders: Folders | None = None,
    window: kivyenv.Window | None = None,
    *,
    dealer: Dealer | None = None,
    clock: clocks.Clock | None = None,
    devices: Devices | None = None,
    tables: Tables | None = None,
) -> CompanionApp:
    """An app ready to `run`. The window is opened when the app is, as `window` or the environment asks.

    Without `devices` nothing stands beside the screen, without `tables` nothing watches the table.
    """
    if "kivy.core.window" not in sys.modules:
        window = window or kivyenv.window_from_environment()
        kivyenv.prepare(window)
        Metrics.density = window.density
    return CompanionApp(folders or Folders.usual(), dealer=dealer, clock=clock, devices=devices, tables=tables)


def run(folders: Folders | None = None, window: kivyenv.Window | None = None) -> None:
    """Open the window and stay until it is closed."""
    app = make(folders, window, devices=devices_here, tables=table_here)
    gc.freeze()  # what was read up to here stays, and need not be looked through for garbage in a game
    app.run()
