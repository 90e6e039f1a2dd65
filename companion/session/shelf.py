"""The folder of saved games: begin one, take one up again, list them, put one away."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import CompanionError, NoSavedGame
from companion.rules.base import Setup
from companion.session.boxmemory import BoxMemory
from companion.session.clocks import Clock, SystemClock
from companion.session.journal import SUFFIX, Cover, Journal, Row
from companion.session.lock import GameLock
from companion.session.session import GameOf, Session, first_row, registered
from companion.session.trouble import told

_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that look alike."""
_ID_LENGTH = 4
_MS_PER_S = 1000
_NAME = re.compile(r"\w[\w .-]{0,99}")
_TRASH = "trash"
_BOXES = "boxes"
_COMPANIONS = ("", "-wal", "-shm")
"""The files of one saved game."""


class Saved(Struct, frozen=True, kw_only=True):
    """One saved game at a glance. With a `problem`, nothing but its file is known."""

    id: str
    path: Path
    game: str = ""
    title: str = ""
    seats: tuple[str, ...] = ()
    created_ms: int = 0
    touched_ms: int = 0
    lines: int = 0
    last: str = ""
    over: bool = False
    problem: str = ""

    @property
    def touched(self) -> datetime:
        """When the last line was written."""
        return datetime.fromtimestamp(self.touched_ms / _MS_PER_S, UTC)


class Shelf:
    """The saved games of a folder. `memory` is what was learned of the boxes, by default kept in there too."""

    def __init__(
        self,
        folder: Path,
        *,
        game_of: GameOf | None = None,
        clock: Clock | None = None,
        memory: BoxMemory | None = None,
    ) -> None:
        self.folder = folder
        self.memory = memory or BoxMemory(folder / _BOXES)
        self.game_of: GameOf = game_of or registered
        self._clock: Clock = clock or SystemClock()

    def new(self, game_id: str, setup: Setup) -> Session:
        """Begin a game, with what is known of this table's box. It is on the disk before this returns."""
        game = self.game_of(game_id)
        setup = replace(setup, box={**self.memory.tables(game_id), **setup.box})
        row = first_row(game, setup, self._clock)
        saved = self.put(
            Cover(id="", game=game_id, title=game.info.title, seats=setup.seats, created_ms=row.at_ms), row
        )
        session = self.open(saved)
        session.resume()
        return session

    def put(self, cover: Cover, *rows: Row) -> str:
        """Put a whole journal on the shelf, under its own id if that is free, otherwise under a new one."""
        for saved in self._free_ids(cover):
            try:
                Journal.create(self.path(saved), replace(cover, id=saved), rows)
            except FileExistsError:
                continue
            return saved
        raise AssertionError("ids never end")

    def open(self, saved: str, *, read_only: bool = False, adopt_rules: bool = False) -> Session:
        """Take up a saved game where it stood (see `Session.open`)."""
        return Session.open(
            self.path(saved),
            game_of=self.game_of,
            read_only=read_only,
            adopt_rules=adopt_rules,
            clock=self._clock,
            memory=self.memory,
        )

    def latest(self) -> Session:
        """Take up the game last played that is not over; if all are over, the one last played."""
        found = [saved for saved in self.list() if not saved.problem]
        if not found:
            raise NoSavedGame(f"There is no saved game in {self.folder} yet.")
        return self.open(next((saved for saved in found if not saved.over), found[0]).id)

    def list(self) -> tuple[Saved, ...]:
        """Every saved game, the one last played first; damaged ones are listed with what is wrong, at the end."""
        if not self.folder.is_dir():
            return ()
        found = [_summary(path) for path in sorted(self.folder.glob(f"[!.]*{SUFFIX}")) if path.is_file()]
        return tuple(sorted(found, key=lambda saved: (bool(saved.problem), -saved.touched_ms, saved.id)))

    def discard(self, saved: str) -> Path:
        """Put a saved game into the folder's trash. Returns where it is now; nothing is ever deleted."""
        path = self.path(saved)
        if not path.is_file():
            raise NoSavedGame(f"There is no saved game '{saved}' in {self.folder}.")
        trash = self.folder / _TRASH
        with told(trash), GameLock(path):
            trash.mkdir(exist_ok=True)
            target = _unused(trash, path)
            for ending in _COMPANIONS:
                file = path.with_name(path.name + ending)
                if file.exists():
                    file.rename(target.with_name(target.name + ending))
        return target

    def path(self, saved: str) -> Path:
        """Where the saved game with an id is, or would be."""
        if not _NAME.fullmatch(saved):
            raise NoSavedGame(f"'{saved}' is not the name of a saved game.")
        return self.folder / f"{saved}{SUFFIX}"

    def _free_ids(self, cover: Cover) -> Iterator[str]:
        if cover.id and not self.path(cover.id).exists():
            yield cover.id
        day = datetime.fromtimestamp(cover.created_ms / _MS_PER_S, UTC).date()
        while True:
            letters = "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))
            yield f"{day.isoformat()}-{cover.game}-{letters}"


def _summary(path: Path) -> Saved:
    try:
        with Journal.open(path, read_only=True) as journal:
            last, cover = journal.last(), journal.cover
            standing = journal.line(last.node)
    except CompanionError as error:
        return Saved(id=path.stem, path=path, problem=str(error))
    return Saved(
        id=path.stem,
        path=path,
        game=cover.game,
        title=cover.title,
        seats=cover.seats,
        created_ms=cover.created_ms,
        touched_ms=last.at_ms,
        lines=last.seq,
        last=standing.label,
        over=last.over,
    )


def _unused(folder: Path, path: Path) -> Path:
    target, number = folder / path.name, 2
    while target.exists():
        target = folder / f"{path.stem}-{number}{SUFFIX}"
        number += 1
    return target
