"""What a screen is, and what it can ask of the shell it is shown in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.models.model import Callback, Message, Model, RuleText
from companion.app.models.settings import SettingsModel
from companion.app.widgets.buttons import HoldButton, PushButton
from companion.app.widgets.look import steps, target
from companion.app.widgets.pictures import IconView
from companion.app.widgets.scrolling import column
from companion.app.widgets.sheets import Sheet, Toast
from companion.app.widgets.words import TextLabel
from companion.app.words import _, current
from companion.rules.base import Dealer
from companion.session.clocks import Clock
from companion.session.session import Session
from companion.session.shelf import Shelf

if TYPE_CHECKING:
    from companion.app.models.lookout import Lookout
    from companion.app.sideboard import Sideboard
    from companion.devices.pins import ButtonName

Answer = tuple[Widget, Callback | None]
"""A button at the foot of a sheet with what it does, or a gap between them with None."""

_EMPTY_ICON_STEPS = 9
_NAMES_LENGTH = 36
_MS_PER_S = 1000
_DAYS = {"de": "%d.%m.%Y"}


class Shell(Protocol):
    """What holds the screens: the things all of them share, and the way from one to the next.

    `exports` is where games are written out to, `recordings` where tables are, `notices` what was found wrong at the
    start, `lookout` who watches the table (where `watches` tells that somebody can). The sessions among what a
    screen is shown with stay open while that screen is shown or on the way back, and are closed after that.
    """

    @property
    def shelf(self) -> Shelf: ...
    @property
    def settings(self) -> SettingsModel: ...
    @property
    def dealer(self) -> Dealer: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def exports(self) -> Path: ...
    @property
    def recordings(self) -> Path: ...
    @property
    def notices(self) -> list[str]: ...
    @property
    def sideboard(self) -> Sideboard: ...
    @property
    def lookout(self) -> Lookout | None: ...
    @property
    def watches(self) -> bool: ...

    def go(self, screen: str, **what: Any) -> None:
        """Show a screen (`shelf`, `seating`, `table`, `tally`, `history`, `evenings`, `settings`, `live`) over this."""

    def replace(self, screen: str, **what: Any) -> None:
        """Show a screen in the place of this one: the way back leads past it."""

    def back(self) -> None:
        """Back to the screen before."""

    def home(self) -> None:
        """Back to the shelf, from however far."""

    def anew(self) -> None:
        """Make this screen anew where it stands, as after a change of language or of the size of text."""


class CompanionScreen(FloatLayout):
    """One screen, as large as the window, made anew whenever it is shown.

    `enter(**what)` fills it, `leave()` lets go of all it holds, `tick()` comes four times a second between them. The
    shell calls them; a screen that is shown again gets what `kept` told before it was left.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.shell = shell
        self.what: dict[str, Any] = {}
        self._endings: list[Callback] = []
        self._mark: PushButton | None = None

    def enter(self, **what: Any) -> None:
        """Fill the screen."""
        self.what = what

    def leave(self) -> None:
        """Let go of what was held: subscriptions to models end here."""
        for end in self._endings:
            end()
        self._endings.clear()

    def tick(self) -> None:
        """Time has passed."""

    def kept(self) -> dict[str, Any]:
        """What to be shown again with."""
        return self.what

    def press(self, button: ButtonName) -> None:
        """A button of the panel was pressed: whoever calls, calls from any screen."""
        if button == "call":
            self.shell.sideboard.call()
            watched = self.shell.lookout is not None and self.shell.lookout.table is not None
            self.say(
                _("The senses saw nothing fall: touch what fell on the screen.")
                if watched
                else _("Nothing watches the table: touch what fell on the screen.")
            )

    def mark(self, says: str) -> None:
        """Show beside the title that something beside the screen does not work, or that all is well again.

        Touched, the mark says what it is.
        """
        bar = self._mark.parent if self._mark is not None else None
        if self._mark is not None and (bar is None or bar.parent is None or says != self._mark.says):
            if bar is not None:
                bar.remove_widget(self._mark)
            self._mark = None
        if says and self._mark is None:
            bar = next((widget for widget in self.walk(restrict=True) if isinstance(widget, TitleBar)), None)
            if bar is not None:
                self._mark = icon_button("warning", lambda: self.say(says), name="mark")
                self._mark.says = says
                bar.add_widget(self._mark)

    def go_back(self) -> None:
        """What the way back does; a screen with steps goes a step back first."""
        self.shell.back()

    def escape(self) -> None:
        """What Escape does: it closes what lies over the screen, or goes back."""
        over = next((child for child in self.children if getattr(child, "modal", False)), None)
        if over is None:
            self.go_back()
        elif getattr(over, "dismissable", True):
            over.close()

    # For screens

    @property
    def host(self) -> FloatLayout:
        """What sheets and toasts come up over."""
        return self

    @property
    def portrait(self) -> bool:
        """Whether the window is higher than wide."""
        return bool(self.shell_size[1] > self.shell_size[0])

    @property
    def shell_size(self) -> tuple[float, float]:
        """The size of the window, known before the first layout."""
        from kivy.core.window import Window

        return float(Window.width), float(Window.height)

    def follow_model(self, model: Model, show: Callable[[], object]) -> None:
        """Call `show` after every change of a model, until the screen is left."""
        self._endings.append(model.subscribe(show))

    def on_leaving(self, end: Callback) -> None:
        """Have something called when the screen is left."""
        self._endings.append(end)

    def say(self, message: Message | str | None, action: str = "", does: Callback | None = None) -> None:
        """Say one sentence at the foot of the screen, with one thing to do about it where there is one."""
        text = message.text if isinstance(message, Message) else message
        if not text:
            return
        toast = Toast(text=text, action_text=action)
        if does is not None:
            toast.bind(on_action=lambda *__: does())
        toast.show(self.host)

    def open_sheet(self, title: str, body: Widget, *answers: Answer, placement: str = "bottom") -> Sheet:
        """Ask something over the screen. Each answer closes the sheet, then does what it is for."""
        sheet = Sheet(title=title, body=body, actions=[widget for widget, _does in answers], placement=placement)
        for widget, does in answers:
            if does is not None:
                event = "on_held" if isinstance(widget, HoldButton) else "on_release"
                widget.bind(**{event: partial(_answered, sheet, does)})
        sheet.open(self.host)
        return sheet


def _answered(sheet: Sheet, does: Callback, *__: Any) -> None:
    sheet.close()
    does()


def held_sessions(what: dict[str, Any]) -> list[Session]:
    """The sessions among what a screen is shown with."""
    return [value for value in what.values() if isinstance(value, Session)]


def few_names(names: Sequence[str], longest: int = _NAMES_LENGTH) -> str:
    """Names in a row, as many as are short enough together.

    >>> few_names(("North", "East", "South", "West"), longest=12)
    'North, East and 2 more'
    """
    shown = list(names)
    while len(shown) > 1 and len(", ".join(shown)) > longest:
        shown.pop()
    if len(shown) == len(names):
        return ", ".join(names)
    return _("{names} and {n} more").format(names=", ".join(shown), n=len(names) - len(shown))


def day(at_ms: int) -> str:
    """A date as people here write it."""
    at = datetime.fromtimestamp(at_ms / _MS_PER_S).astimezone()
    return at.strftime(_DAYS.get(current().language, "%Y-%m-%d"))


def icon_button(icon: str, does: Callback, **properties: Any) -> PushButton:
    """A square button with nothing but an icon, on the table."""
    properties = {"kind": "quiet", "ground": "table", **properties}
    return button("", does, icon=icon, size_hint=(None, None), size=(target(), target()), **properties)


def button(text: str, does: Callback, **properties: Any) -> PushButton:
    """A button that does something when it is tapped."""
    name = properties.pop("name", "")
    made = PushButton(text=text, **properties)
    made.name = name
    made.bind(on_release=lambda *__: does())
    return made


def fitted(made: PushButton, least: float = 0.0) -> PushButton:
    """A button as wide as its words."""
    made.height = target()
    made.size_hint_x, made.width = None, max(made.ideal_width() + steps(1), target(), least)
    return made


def page(*parts: Any, **properties: Any) -> BoxLayout:
    """A column that fills the screen, with the margins all screens have."""
    box = BoxLayout(orientation="vertical", **{"padding": steps(2), "spacing": steps(1.5), **properties})
    for part in parts:
        box.add_widget(part)
    return box


def row(*parts: Any, **properties: Any) -> BoxLayout:
    """Things side by side, as high as a touch target unless told otherwise."""
    box = BoxLayout(**{"size_hint_y": None, "height": target(), "spacing": steps(1), **properties})
    for part in parts:
        box.add_widget(part)
    return box


class TitleBar(BoxLayout):
    """The head of a screen."""


def title_bar(title: str, back: Callback | None, *actions: Any) -> TitleBar:
    """The head of a screen: the way back, its title, and at the right what else there is."""
    bar = TitleBar(size_hint_y=None, height=target(), spacing=steps(1))
    if back is not None:
        bar.add_widget(icon_button("back", back, name="back"))
    bar.add_widget(TextLabel(text=title, role="large", serif=True, ground="table"))
    for action in actions:
        bar.add_widget(action)
    return bar


def empty_state(icon: str, text: str) -> BoxLayout:
    """What a screen shows when there is nothing to show yet."""
    box = BoxLayout(orientation="vertical", spacing=steps(2), padding=steps(2))
    box.add_widget(Widget())
    picture = IconView(kind=icon, ground="table", size_hint_y=None, height=steps(_EMPTY_ICON_STEPS))
    box.add_widget(picture)
    words = TextLabel(text=text, tone="soft", ground="table", halign="center", grows=True)
    box.add_widget(words)
    box.add_widget(Widget())
    return box


def rule_sheet(rule: RuleText) -> Sheet:
    """The rule behind something, in our words, and where the rulebook has it."""
    body = column(spacing=steps(2))
    body.add_widget(TextLabel(text=rule.text, grows=True))
    cite = _("House ruling: {cite}") if rule.ruling else _("Rulebook: {cite}")
    body.add_widget(TextLabel(text=cite.format(cite=rule.cite), tone="soft", grows=True))
    return Sheet(title=_("The rule"), body=body, placement="centre")
