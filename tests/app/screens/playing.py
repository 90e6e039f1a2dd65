"""A hand that plays at a real table screen: everything it touches, it finds on the glass and taps there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from companion.app.models.prompts import ChoiceView, PromptView
from companion.app.models.settings import SettingsModel
from companion.app.models.steps import Answers
from companion.app.models.table import TableModel
from companion.app.screens.castle_dukes import DukesCentre
from companion.app.screens.counting import CounterBox
from companion.app.screens.covers import Cover
from companion.app.screens.laying_out import CheckRow
from companion.app.screens.seats import SeatCard
from companion.app.screens.table import TableScreen
from companion.app.screens.towers import TowerPad
from companion.app.sideboard import Sideboard
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.keyboard import Keyboard
from companion.app.widgets.look import look
from companion.app.widgets.scrolling import Scroller
from companion.app.widgets.sheets import Sheet
from companion.rules.base import Action, Dealer, Setup, Step
from companion.rules.table import Choice, Prompt
from companion.session.clocks import ManualClock
from companion.session.dealing import RandomDealer
from companion.session.origins import TABLE
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.app.driver import SIZE_PX, Driver
from tests.app.models.hand import Hand, _same
from tests.app.screens.evening import Evening

NAMES = ("North", "East", "South", "West", "NE", "SE", "SW", "NW")
EVENING_S = 1_700_000_000
_PATIENCE_S = 0.7
"""What comes up under a finger is touched only after it was seen."""


class Doorman:
    """A shell that keeps the table on the glass, and a note of where it was asked to go."""

    def __init__(self, folder: Path) -> None:
        self.clock = ManualClock(wall_s=EVENING_S)
        self.shelf = Shelf(folder / "games", clock=self.clock)
        self.settings = SettingsModel(folder / "app.toml")
        self.dealer: Dealer = RandomDealer(1)
        self.exports = folder / "exports"
        self.recordings = folder / "recordings"
        self.lookout = None
        self.watches = False
        self.sideboard = Sideboard()
        self.notices: list[str] = []
        self.gone: list[str] = []

    def go(self, screen: str, **what: Any) -> None:
        self.gone.append(screen)

    def replace(self, screen: str, **what: Any) -> None:
        self.gone.append(screen)

    def back(self) -> None:
        self.gone.append("back")

    def home(self) -> None:
        self.gone.append("home")

    def anew(self) -> None:
        self.gone.append("anew")


def begun(door: Doorman, game: str, seats: int, options: dict[str, Any] | None = None) -> Session:
    """A game that people have just sat down to."""
    return door.shelf.new(game, Setup(seats=NAMES[:seats], options=options or {}))


def seated(drive: Driver, door: Doorman, session: Session, size: tuple[int, int] = SIZE_PX) -> TableScreen:
    """The table screen of a session on the glass, with nothing moving."""
    look.motion = False
    screen = TableScreen(door)
    drive.show(screen, size)
    screen.size = size
    screen.enter(session=session)
    drive.frames(4)
    return screen


def sit_down(evening: Evening, game: str, seats: int) -> ScreenHand:
    """From the shelf to a table, by touches: the box, the people, the options as they are, the checklist."""
    drive = evening.drive
    drive.tap(drive.find(Cover, where=lambda cover: cover.game == game))
    drive.still()
    count = evening.app.screen.model.view.count
    for _ in range(abs(seats - count)):
        drive.tap(drive.find(id="more" if seats > count else "fewer"))
        drive.frames(2)
    for _ in range(2):
        drive.tap(drive.find(id="next"))
        drive.still()
    drive.tap(drive.find_all(CheckRow)[0])
    drive.tap(drive.find(id="next"))
    drive.still()
    assert len(evening.app.screen.model.session.cover.seats) == seats
    return ScreenHand(drive, evening.app.screen)


class ScreenHand(Hand):
    """Plays by taps alone; with `often`, each kind of move that often, and on the model from then on."""

    def __init__(self, drive: Driver, screen: TableScreen, often: int | None = None) -> None:
        super().__init__(screen.model)
        self.drive = drive
        self.screen = screen
        self.taps = 0
        self.seat_taps = 0
        self.tapped: Counter[str] = Counter()
        self._often = often
        self._unseen = False

    def _pick(self, dealer: Dealer) -> tuple[Prompt, Choice]:
        prompt, choice = super()._pick(dealer)
        do = str(choice.action.__struct_config__.tag)
        before, self._unseen = self._unseen, self._often is not None and self.tapped[do] >= self._often
        if before and not self._unseen:
            self.drive.frames(3)
        if not self._unseen:
            self.tapped[do] += 1
        return prompt, choice

    def touch(self, id: str) -> None:
        assert id, "there is nothing to touch"
        if self._unseen:
            super().touch(id)
            return
        before = self.model.view
        self.tap(self._seen(id) or self._reached(id))
        self.touches += 1
        assert self.model.view is not before, f"the tap on {id} did nothing"

    def tap(self, widget: Any) -> None:
        self.taps += 1
        self._reveal(widget)
        if getattr(widget, "deaf", False):
            self.drive.advance(_PATIENCE_S, step=_PATIENCE_S)
        self.drive.tap(widget)

    def play_out(self, dealer: RandomDealer, most: int = 3000) -> int:
        """Play by chance until the game is over; how many moves that took."""
        moves = 0
        while not self.model.view.over:
            self.play(dealer)
            moves += 1
            assert moves < most
        return moves

    def play_unseen(self, dealer: RandomDealer) -> None:
        """One move on the model; the screen follows with the next frame."""
        often, self._often = self._often, 0
        if not self.model.view.over:
            self.play(dealer)
        self._often = often
        self._unseen = False

    # Finding what an id stands for

    def _seen(self, id: str) -> Any:
        """The widget on the glass that stands for an id."""
        found: list[Any] = self.drive.find_all(where=lambda one: _stands_for(one, id), under=self._top())
        for widget in found:
            if isinstance(widget, CounterBox):
                return widget._plus if widget.touch_ids[1] == id else widget._minus
            return widget
        return None

    def _top(self) -> Any:
        """What can be reached: the uppermost sheet or curtain, or the whole screen."""
        over = [one for one in self.screen.host.children if getattr(one, "modal", False)]
        return over[0] if over else self.screen

    def _reached(self, id: str) -> Any:
        """An id that is folded away: its seat is touched first, then the place where it lies."""
        if self._known(id):
            return self._searched(self._known(id))
        if self._in_section(id):
            return self._found(id)
        prompt = self._prompt_of(id)
        if prompt.urgency == "any-time":
            self.tap(self.drive.find(PushButton, id="anytime"))
            return self._found(id)
        if prompt.seat is not None and self.screen._focus != prompt.seat:
            self.tap(self.seat_card(prompt.seat))
            self.seat_taps += 1
        return self._seen(id) or self._in_castle(id) or self._unfolded(prompt, id)

    def _known(self, id: str) -> str:
        """The name of a known thing that is too far down the list."""
        entry = self._now().entry if self.model.view.asking else None
        return next((button.label for button in entry.known if button.id == id), "") if entry else ""

    def _in_section(self, id: str) -> bool:
        """Whether an id is among values that are not on show; they are brought up."""
        entry = self._now().entry if self.model.view.asking else None
        if entry is None:
            return False
        for section in entry.sections:
            if any(button.id == id for button in section.buttons):
                label = section.label[:1].upper() + section.label[1:]
                self.tap(self.drive.find(PushButton, text=label))
                return True
        if any(id in (chip.plus, chip.minus) for chip in entry.chips):
            self.tap(self.drive.find(PushButton, text="One by one"))
            return True
        return False

    def _searched(self, label: str) -> Any:
        """By a letter, as people search."""
        self.tap(self.drive.find(PushButton, text="Search"))
        self.tap(self.drive.find(PushButton, where=lambda one: one.text == label[0] and one.halign == "center"))
        return self.drive.find_all(PushButton, where=lambda one: one.text == label and one.halign == "left")[0]

    def _found(self, id: str) -> Any:
        widget = self._seen(id)
        assert widget is not None, f"{id} is nowhere on the glass: {self.drive.texts()}"
        return widget

    def _prompt_of(self, id: str) -> PromptView:
        for prompt in self.model.view.prompts:
            if prompt.open == id or any(id in ids_of(choice) for choice in prompt.choices):
                return prompt
        raise AssertionError(f"{id} belongs to no prompt: {self.drive.texts()}")

    def _in_castle(self, id: str) -> Any:
        centre = self.screen.centre
        duke = centre._duke if isinstance(centre, DukesCentre) else None
        for tower in duke.towers if duke else ():
            at_levels = [choice for level in tower.levels for choice in level.choices]
            bridges = [choice for bridge in duke.bridges for choice in bridge.choices] if duke else []
            if any(id in ids_of(choice) for choice in (*tower.next, *at_levels, *bridges)):
                pads = [pad for pad in self.drive.find_all(TowerPad) if pad.tower == tower.tower]
                self.tap(pads[0])
                return self._found(id)
        return None

    def _unfolded(self, prompt: PromptView, id: str) -> Any:
        folds: list[Any] = self.drive.find_all(where=lambda one: str(getattr(one, "touch_id", "")).startswith("fold"))
        mine = [fold for fold in folds if fold.text == prompt.text]
        assert mine, f"{prompt.text} is not folded: {self.drive.texts()}"
        self.tap(mine[0])
        return self._found(id)

    def _reveal(self, widget: Any) -> None:
        """Scroll to a row that is out of sight."""
        above = widget.parent
        while above is not None and above is not above.parent:
            if isinstance(above, Scroller):
                above.reveal(widget)
                self.drive.frames(1)
                return
            above = above.parent

    def seat_card(self, seat: int) -> SeatCard:
        return next(card for card in self.drive.find_all(SeatCard) if card.view and card.view.seat == seat)

    # Questions

    def _answered_before(self, view: ChoiceView, answers: Answers) -> str:
        """Answers stand by a move only on the sheet of its tower or folding."""
        if self._unseen or self._seen(view.id) is not None:
            return ""
        return next((answer.id for answer in view.quick if _same(answer.value, answers)), "")

    def _find(self, prompt: Prompt, choice: Choice) -> tuple[ChoiceView, PromptView]:
        asking = self.model.view.asking
        if asking is not None and asking.title != choice.label and not self._unseen:
            self.close_sheet()
        return super()._find(prompt, choice)

    def close_sheet(self) -> None:
        sheet = self.sheet()
        self.tap(next(one for one in self.drive.find_all(PushButton, under=sheet) if one.icon == "close"))

    def sheet(self) -> Sheet:
        top = self._top()
        assert isinstance(top, Sheet), top
        return top

    def _key(self, key: str) -> Any:
        keyboard = self.drive.find(Keyboard)
        return next(one for one in self.drive.find_all(PushButton, under=keyboard) if one.key == key)

    def _name(self, name: str) -> None:
        if self._unseen:
            super()._name(name)
            return
        entry = self._now().entry
        assert entry is not None
        self.touch(entry.toggle_naming)
        self._strike(name)
        self.tap(self._key("check"))
        self.drive.frames(3)

    def _write(self, text: str) -> None:
        if self._unseen:
            super()._write(text)
            return
        self._strike(text)
        self.tap(self._key("check"))
        self.drive.frames(3)

    def _strike(self, text: str) -> None:
        """Key by key, in place of what stands there."""
        keyboard = self.drive.find(Keyboard)
        while keyboard.text:
            self.tap(self._key("backspace"))
        for letter in text:
            page = "letters" if letter.isalpha() or letter in " -'" else "digits"
            if keyboard.page != page:
                self.tap(self._key("123" if page == "digits" else "abc"))
            if letter.isalpha() and keyboard.capital != letter.isupper():
                self.tap(self._key("shift"))
            self.tap(self._key({" ": "space"}.get(letter, letter.lower())))
        assert keyboard.text == text


def ids_of(choice: ChoiceView) -> tuple[str, ...]:
    """What a move can be touched by: itself, and with answers given before."""
    return (choice.id, *(answer.id for answer in choice.quick))


def _stands_for(widget: Any, id: str) -> bool:
    return getattr(widget, "touch_id", None) == id or id in getattr(widget, "touch_ids", ())


@cache
def has(*kinds: str) -> Callable[[TableModel], bool]:
    """Whether a move of a kind is legal now; the same question each time it is asked with the same words."""
    return lambda model: any(
        choice.do in kinds and choice.legal for prompt in model.view.prompts for choice in prompt.choices
    )


class _Noted(Session):
    """A session that notes what is dispatched through it."""

    def __init__(self, session: Session) -> None:
        self.__dict__ = session.__dict__
        self._moves: list[tuple[Action, str]] = []

    def dispatch(self, action: Action, origin: str = TABLE) -> Step[Any]:
        self._moves.append((action, origin))
        return super().dispatch(action, origin)


_played: dict[tuple[object, ...], list[tuple[Action, str]]] = {}
"""Games played before, by what they were played to: to play one again costs no looking for moves."""


def played_to(door: Doorman, session: Session, until: Callable[[TableModel], bool] | int, seed: int = 3) -> Session:
    """The same session after so many moves by chance, or when something is so; nothing is shown meanwhile."""
    key = (session.cover.game, repr(session.setup), until, seed)
    if key in _played:
        for action, origin in _played[key]:
            session.dispatch(action, origin)
    else:
        _played[key] = _play_to(door, session, until, seed)
    return session


def _play_to(
    door: Doorman, session: Session, until: Callable[[TableModel], bool] | int, seed: int
) -> list[tuple[Action, str]]:
    noted = _Noted(session)
    hand, dealer, moves = Hand(TableModel(noted, dealer=RandomDealer(1), clock=door.clock)), RandomDealer(seed), 0
    while not (moves >= until if isinstance(until, int) else until(hand.model)):
        hand.play(dealer)
        moves += 1
        assert not hand.model.view.over, "the game ended before that"
    return noted._moves


def legal(screen: TableScreen, kind: str) -> ChoiceView:
    """A legal move of a kind."""
    prompts = screen.model.view.prompts
    return next(choice for prompt in prompts for choice in prompt.choices if choice.do == kind and choice.legal)
