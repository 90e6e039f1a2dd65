"""The shelf: games to go on with on top, then the boxes, and what was found damaged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from companion.app.models.model import Message, Model, Translate, plain
from companion.errors import CompanionError
from companion.rules import registry
from companion.rules.base import Game
from companion.session.clocks import Clock, SystemClock
from companion.session.session import Session
from companion.session.shelf import Saved, Shelf

T = TypeVar("T")

_NS_PER_S = 1_000_000_000
_MS_PER_S = 1000
_STEPS = (
    (86_400, "{n} days ago", "a day ago"),
    (3600, "{n} hours ago", "an hour ago"),
    (60, "{n} minutes ago", "a minute ago"),
)
_JUST_NOW = "just now"


class OpenGame(Struct, frozen=True, kw_only=True):
    """A game to go on with."""

    id: str
    game: str
    title: str
    names: tuple[str, ...]
    last: str
    when: str


class BoxCover(Struct, frozen=True, kw_only=True):
    """A box on the shelf."""

    game: str
    title: str
    players: tuple[int, int]
    minutes: tuple[int, int]
    players_text: str
    minutes_text: str


class Damaged(Struct, frozen=True, kw_only=True):
    """A file that could not be read, and what was done about it."""

    file: str
    text: str


class ShelfView(Struct, frozen=True, kw_only=True):
    """What the shelf shows. `finished` is how many games lie in the evenings."""

    open: tuple[OpenGame, ...]
    boxes: tuple[BoxCover, ...]
    damaged: tuple[Damaged, ...]
    finished: int
    message: Message | None


class ShelfModel(Model):
    """The boxes and the saved games. What goes wrong becomes a message."""

    def __init__(
        self,
        shelf: Shelf,
        games: Sequence[Game[Any]] | None = None,
        *,
        clock: Clock | None = None,
        t: Translate = plain,
    ) -> None:
        super().__init__(t)
        self.shelf = shelf
        self.message: Message | None = None
        self._games = tuple(games) if games is not None else registry.shelf()
        self._clock: Clock = clock or SystemClock()
        self._saved: tuple[Saved, ...] | None = None

    @property
    def view(self) -> ShelfView:
        saved = self._list()
        return ShelfView(
            open=tuple(self._open(one) for one in saved if not one.over and not one.problem),
            boxes=tuple(self._cover(game) for game in self._games),
            damaged=tuple(self._damaged(saved)),
            finished=sum(one.over for one in saved),
            message=self.message,
        )

    def refresh(self) -> None:
        """Look again at what is saved."""
        self._saved = None
        self.changed()

    def game(self, id: str) -> Game[Any]:
        return next(game for game in self._games if game.info.id == id)

    def resume(self, id: str, *, adopt_rules: bool = False, read_only: bool = False) -> Session | None:
        """Take up a game. None when that is not possible now; the message says why."""
        session = self._tried(lambda: self.shelf.open(id, adopt_rules=adopt_rules, read_only=read_only))
        if session is not None and session.read_only and not read_only:
            self.message = Message(text=self.t(session.read_only_because), weight="trouble")
            session.close()
            self.changed()
            return None
        return session

    def discard(self, id: str) -> None:
        """Put a saved game into the trash. To be held, not tapped."""
        if self._tried(lambda: self.shelf.discard(id)) is not None:
            self.message = Message(text=self.t("The game lies in the trash folder of the saved games now."))
        self.refresh()

    def _tried(self, does: Callable[[], T]) -> T | None:
        self.message = None
        try:
            return does()
        except CompanionError as error:
            self.message = self.trouble(error)
            self.refresh()
            return None

    def _list(self) -> tuple[Saved, ...]:
        if self._saved is None:
            try:
                self._saved = self.shelf.list()
            except OSError as error:
                self._saved = ()
                why = self.t("The folder of saved games cannot be read: {why}.")
                self.message = Message(text=why.format(why=error.strerror or error), weight="trouble")
        return self._saved

    def _open(self, saved: Saved) -> OpenGame:
        return OpenGame(
            id=saved.id,
            game=saved.game,
            title=self.t(saved.title),
            names=saved.seats,
            last=self.t(saved.last),
            when=self._ago(saved.touched_ms),
        )

    def _cover(self, game: Game[Any]) -> BoxCover:
        info = game.info
        return BoxCover(
            game=info.id,
            title=self.t(info.title),
            players=info.players,
            minutes=info.minutes,
            players_text=self.t("{range} players").format(range=_range(info.players)),
            minutes_text=self.t("{range} minutes").format(range=_range(info.minutes)),
        )

    def _damaged(self, saved: tuple[Saved, ...]) -> list[Damaged]:
        boxes = [Damaged(file=path.name, text=self._aside(path)) for path in self.shelf.memory.set_aside]
        return [Damaged(file=one.path.name, text=self.t(one.problem)) for one in saved if one.problem] + boxes

    def _aside(self, path: Path) -> str:
        return self.t("What was learned of a box could not be read and was set aside as {file}.").format(file=path.name)

    def _ago(self, touched_ms: int) -> str:
        seconds = max(0, self._clock.wall_ns() // _NS_PER_S - touched_ms // _MS_PER_S)
        for unit_s, many, one in _STEPS:
            if seconds >= unit_s:
                count = seconds // unit_s
                return self.t(one) if count == 1 else self.t(many).format(n=count)
        return self.t(_JUST_NOW)


def _range(pair: tuple[int, int]) -> str:
    low, high = pair
    return str(low) if low == high else f"{low}-{high}"
