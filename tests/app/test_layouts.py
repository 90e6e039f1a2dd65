"""Every screen in every size, in German, with the most seats a game allows and names as long as people have.

A scene leads somewhere; the driver then looks at the boxes of all that shows there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.models.prompts import ChoiceView
from companion.app.screens.asides import sheets_over
from companion.app.screens.table import TableScreen
from companion.rules import registry
from companion.session.shelf import Shelf
from tests import goldens
from tests.app.driver import Driver
from tests.app.screens.evening import LONG_NAMES, SIZES, Evening, an_evening, past_evenings
from tests.app.watched import Watch, collapse, height, placed

MOST_SEATS = {
    "castle-dukes": "eight-players",
    "castle-for-all-seasons": "winter-four",
    "mad-king-ludwig": "four-players",
    "castle-dice": "four-players",
    "castle-builder": "four-players",
}
"""The golden game of each box with the most seats."""

STOPS = (0, 1 / 3, 2 / 3, 5 / 6)
"""How far a game is on when the table is looked at."""
_SETTLE_FRAMES = 6
_SETTLED_S = 10


@pytest.fixture(scope="module")
def past_games() -> Iterator[Path]:
    yield from past_evenings()


@pytest.fixture
def evening(drive: Driver, past_games: Path) -> Iterator[Evening]:
    """An evening with past games behind it."""
    with TemporaryDirectory(prefix="companion-layouts-") as home:
        copytree(past_games, Path(home) / "games")
        yield from an_evening(drive, Path(home))


class Walk:
    """Looks at one place after another and keeps what was wrong there."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.faults: dict[str, list[str]] = {}

    def look(self, where: str) -> None:
        self.settle()
        if found := self.evening.drive.overlaps_and_cuts():
            self.faults[where] = found

    def settle(self) -> None:
        """What was asked for is laid out: nothing moves here."""
        self.evening.drive.frames(_SETTLE_FRAMES)

    @property
    def screen(self) -> Any:
        return self.evening.app.screen

    def table(self, games: Path, popups: set[str]) -> None:
        """The table of a saved game, every question it can ask now, and the other things over it once."""
        shelf = Shelf(games, clock=self.evening.clock)
        session = shelf.open(shelf.list()[0].id)
        self.evening.app.go("table", session=session)
        self.look(f"table at {session.seq}")
        for name, opens in _popups(self.screen).items():
            kind = name.split(":")[0]
            if (name == kind and kind in popups) or not opens():
                continue
            popups.add(kind)
            self.look(f"{name} at {session.seq}")
            self._close_all()
        self.evening.app.home()

    def _close_all(self) -> None:
        for sheet in sheets_over(self.screen.host):
            sheet.close()
        self.settle()
        assert not sheets_over(self.screen.host)


def _walk(evening: Evening, size: tuple[int, int]) -> Walk:
    """In German, and with nothing painted after the first frames: boxes are all that is looked at."""
    evening.start(size, language="de", motion=False, recent_names=LONG_NAMES)
    evening.drive.blind = True
    return Walk(evening)


@pytest.mark.parametrize("size", SIZES)
def test_the_shelf_and_what_is_kept(evening: Evening, size: tuple[int, int]) -> None:
    for game, seats in (("castle-dukes", 8), ("mad-king-ludwig", 4)):
        evening.begin(*LONG_NAMES[:seats], game=game)
    walk = _walk(evening, size)
    walk.look("shelf")
    games = walk.screen._model.view.open
    walk.screen._show_all(games)
    walk.look("all open games")
    walk.screen._offer(walk.screen.children[0], games[0])
    walk.look("one open game")
    _settings(walk)
    _evenings(walk)
    assert walk.faults == {}


def _settings(walk: Walk) -> None:
    screen = walk.evening.go("settings")
    while True:
        walk.look(f"settings from {screen._scroller.scroll:.0f} on")
        if screen._scroller.scroll >= screen._scroller.furthest:
            break
        screen._scroller.go_to(screen._scroller.scroll + screen._scroller.height / 2)
    walk.evening.app.back()


def _evenings(walk: Walk) -> None:
    screen = walk.evening.go("evenings")
    for tab in ("games", "records", "plots"):
        screen.show_tab(tab)
        walk.look(tab)
    for past in screen.model.view.games:
        screen.open_game(past.id)
        walk.look(f"{past.title} of {len(past.names)}")
        screen.escape()
    walk.evening.app.back()


@pytest.mark.parametrize("size", SIZES)
def test_sitting_down(evening: Evening, size: tuple[int, int]) -> None:
    walk = _walk(evening, size)
    for game in registry.ids():
        screen = walk.evening.go("seating", game=game)
        screen.model.set_count(screen.model.view.counts[-1])
        walk.look(f"people of {game}")
        screen.name_seat(0)
        walk.look(f"naming for {game}")
        screen.escape()
        for step in ("options", "checklist"):
            screen.model.go(step)
            walk.look(f"{step} of {game}")
        walk.evening.app.home()
    assert walk.faults == {}


@pytest.fixture(scope="module")
def tables() -> Iterator[Callable[[str], list[Path]]]:
    """Saved games of a box with the most seats, each further on than the one before; played once for all sizes."""
    with TemporaryDirectory(prefix="companion-tables-") as folder:
        yield cache(lambda game: list(_stops(Path(folder) / game, game)))


def _stops(folder: Path, game: str) -> Iterator[Path]:
    setup, actions = goldens.parse(registry.get(game), _golden(game))
    shelf = Shelf(folder / "playing")
    session = shelf.new(game, replace(setup, seats=LONG_NAMES[: len(setup.seats)]))
    done = 0
    for stop in (round(len(actions) * stop) for stop in STOPS):
        for action in actions[done:stop]:
            session.dispatch(action)
        done = stop
        session.close()
        yield copytree(folder / "playing", folder / str(stop))
        session = shelf.open(session.id)
    session.close()


def _golden(game: str) -> str:
    """The text of a golden game, with seats spoken of by number where an action has their names."""
    text = goldens.path_of(game, MOST_SEATS[game]).read_text(encoding="utf-8")
    for at, name in enumerate(goldens.SEATS, start=1):
        text = text.replace(f"{name}: ", f"#{at}: ")
    return text


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", MOST_SEATS)
def test_the_table(evening: Evening, tables: Callable[[str], list[Path]], size: tuple[int, int], game: str) -> None:
    walk = _walk(evening, size)
    popups: set[str] = set()
    for folder in tables(game):
        with TemporaryDirectory(prefix="companion-table-") as here:
            walk.table(copytree(folder, Path(here) / "games"), popups)
    assert walk.faults == {}
    assert popups >= {"asked", "seat", "overview", "menu", "rule"}


def _popups(screen: TableScreen) -> dict[str, Callable[[], bool]]:
    """What can come up over the table now, by the touch that brings it."""
    found: dict[str, Callable[[], bool]] = {
        "menu": lambda: _did(screen._open_menu),
        "overview": lambda: not screen._overview.disabled and _did(screen._open_overview),
        "any time": lambda: not screen._anytime.disabled and _did(screen._open_any_time),
        "seat": lambda: _touch_seat(screen),
        "rule": lambda: _explain(screen),
    }
    kinds: dict[str, ChoiceView] = {}
    for choice in _choices(screen):
        if choice.why:
            kinds.setdefault("refused", choice)
        elif choice.asks:
            kinds.setdefault(f"asked: {choice.do}", choice)
    return found | {name: _toucher(screen, choice) for name, choice in kinds.items()}


def _choices(screen: TableScreen) -> list[ChoiceView]:
    return [choice for prompt in screen.model.view.prompts for choice in prompt.choices]


def _did(does: Callable[[], object]) -> bool:
    does()
    return True


def _touch_seat(screen: TableScreen) -> bool:
    seat = screen.model.view.seats[-1]
    screen._focus = seat.seat
    return _did(lambda: screen._touch_seat(seat))


def _explain(screen: TableScreen) -> bool:
    rule = next((prompt.rule for prompt in screen.model.view.prompts if prompt.rule), None)
    return rule is not None and _did(lambda: screen._explain(rule))


def _toucher(screen: TableScreen, choice: ChoiceView) -> Callable[[], bool]:
    """Touches a move by what it is: its id may be another by then."""

    def touch() -> bool:
        now = next((one for one in _choices(screen) if one.action == choice.action and one.do == choice.do), None)
        return now is not None and _did(lambda: screen.model.touch(now.id))

    return touch


@pytest.mark.parametrize("size", SIZES)
def test_the_senses(evening: Evening, size: tuple[int, int]) -> None:
    """The call, the questions in passing, the way back into step, the live table and how the senses are."""
    watch = Watch(evening)
    watch.start(size=size, language="de", recent_names=LONG_NAMES)
    evening.drive.blind = True
    walk = Walk(evening)
    walk.look("the shelf with its way there")
    watch.build(*LONG_NAMES[:2])
    walk.settle()
    watch.table.lose("Camera", "The camera is starting.", "Plug its cable in again; it is taken up by itself.")
    watch.sense(placed("pillar"), height(2, 54.0))
    walk.look("a question")
    walk.screen._senses._open_more()
    walk.look("its answers")
    sheets_over(walk.screen.host)[0].close()
    watch.lookout.answer(watch.lookout.cards[0].id, "reject")
    watch.table.heal()
    evening.drive.advance(0.3)
    evening.clock.advance(_SETTLED_S)
    evening.drive.advance(0.3)
    walk.look("out of step")
    walk.screen._senses._open_mismatches()
    walk.look("the way back")
    sheets_over(walk.screen.host)[0].close()
    evening.go("live")
    walk.look("the live table")
    walk.screen._open_health()
    walk.look("how the senses are")
    sheets_over(walk.screen.host)[0].close()
    watch.sense(collapse())
    walk.look("a call")
    assert watch.call is not None
    assert walk.faults == {}


@pytest.mark.parametrize("size", SIZES)
def test_the_tally_and_the_history(evening: Evening, size: tuple[int, int]) -> None:
    walk = _walk(evening, size)
    session = evening.finished("eight")
    screen = evening.go("tally", session=session)
    while True:
        walk.look(f"tally {screen.model.view.step}")
        if screen.model.view.podium is not None:
            break
        screen.model.next()
    screen._offer_forms()
    walk.look("forms to write it out in")
    screen = evening.go("history", session=session)
    walk.look("history")
    screen._open(screen.model.view.lines[-2])
    walk.look("a line of it")
    assert walk.faults == {}
