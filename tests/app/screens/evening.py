"""An app with a home of its own, and evenings to look back on, for tests of its screens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from companion.app import shell, words
from companion.rules import registry
from companion.rules.base import Setup
from companion.rules.random_play import play
from companion.session.clocks import ManualClock
from companion.session.dealing import RandomDealer
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests import goldens
from tests.app.driver import Driver

EVENING_S = 1_700_000_000
SIZES = ((800, 480), (1280, 720), (720, 1280))
LONG_NAMES = (
    "North-North-Easterly", "South Southwestern", "Easternmost Corner", "Westernmost", "North-Eastern", "South-East",
    "South-West", "North-Northwest",
)  # fmt: skip
FINISHED = ("eight", "four", "solo")


class Evening:
    """Starts apps on one home folder. `start` may be called again, as after a restart."""

    def __init__(self, drive: Driver, home: Path) -> None:
        self.drive = drive
        self.folders = shell.Folders.under(home)
        self.clock = ManualClock(wall_s=EVENING_S)
        self.app: Any = None

    def start(self, size: tuple[int, int] = SIZES[0], **settings: Any) -> Any:
        """An app with some settings, and its shelf."""
        self.app = shell.make(self.folders, dealer=RandomDealer(1), clock=self.clock)
        if settings:
            self.app.settings.change(**settings)
        self.drive.start(self.app, size)
        self.drive.still()
        return self.app

    def go(self, screen: str, **what: Any) -> Any:
        self.app.go(screen, **what)
        self.drive.still()
        return self.app.screen

    def shelf(self) -> Shelf:
        return Shelf(self.folders.games, clock=self.clock)

    def begin(self, *names: str, game: str = "castle-dukes") -> str:
        """A game just begun, to be found on the shelf."""
        with self.shelf().new(game, Setup(seats=names or ("North", "East"))) as session:
            return session.id

    def finished(self, which: str) -> Session:
        """A game that was played to its end."""
        players = {"eight": 8, "four": 4, "solo": 1}[which]
        saved = next(saved for saved in self.app.shelf.list() if len(saved.seats) == players)
        opened: Session = self.app.shelf.open(saved.id)
        return opened

    def faults(self) -> list[str]:
        self.drive.still()
        return self.drive.overlaps_and_cuts()


def _played(folder: Path) -> None:
    clock = ManualClock(wall_s=EVENING_S - 86_400)
    shelf = Shelf(folder, clock=clock)
    dukes = registry.get("castle-dukes")
    for mode in ("eight-players", "light", "solo-baby"):
        setup, actions = goldens.parse(dukes, goldens.path_of("castle-dukes", mode).read_text(encoding="utf-8"))
        named = replace(setup, seats=LONG_NAMES[: len(setup.seats)])
        _finish(shelf, clock, "castle-dukes", named, actions)
    setup = Setup(seats=("North", "East", "South"))
    builder = registry.get("castle-builder")
    for seed in (5, 6):
        actions = [action for _, action in play(builder, setup, RandomDealer(seed))]
        _finish(shelf, clock, "castle-builder", setup, actions)


def _finish(shelf: Shelf, clock: ManualClock, game: str, setup: Setup, actions: Any) -> None:
    with shelf.new(game, setup) as session:
        for action in actions:
            clock.advance(10)
            session.dispatch(action)


def an_evening(drive: Driver, home: Path) -> Iterator[Evening]:
    """An app's home with nothing in it, left as it was found."""
    yield Evening(drive, home)
    drive.stop_app()
    words.use("en")


def past_evenings() -> Iterator[Path]:
    """A folder of games that were played to their end: eight seats, four, one, and three of another box."""
    with TemporaryDirectory(prefix="companion-evenings-") as folder:
        games = Path(folder) / "games"
        _played(games)
        yield games
