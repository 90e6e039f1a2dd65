"""What this user's tables have told the companion about their boxes: one TOML file per game, in the form of the
shipped `box/*.toml`, so that it can be read, put right by hand and shared.
"""

from __future__ import annotations

import fcntl
import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from companion.rules.box import BoxTable, Entry, Learned
from companion.session.trouble import told

_OWNER_ONLY = 0o600
_SOURCE = "this table"

Tables = dict[str, BoxTable]


class BoxMemory:
    """The learned entries of every game, in a folder. Safe to use from several processes.

    A file that cannot be read is set aside under another name, never dropped; `set_aside` lists those.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.set_aside: tuple[Path, ...] = ()
        self._known: dict[str, tuple[tuple[int, int, int], Tables]] = {}

    def entries(self, game: str) -> tuple[Learned, ...]:
        """Everything learned of a game's box."""
        tables = self._read(game)
        return tuple(
            Learned(table=name, key=key, entry=entry)
            for name, table in tables.items()
            for key, entry in table.entries.items()
        )

    def tables(self, game: str) -> dict[str, dict[str, Entry]]:
        """The same by table and key, as a set-up takes it."""
        return {name: dict(table.entries) for name, table in self._read(game).items()}

    def add(self, game: str, *learned: Learned) -> None:
        """Remember entries; what was known under the same key is replaced. On the disk when this returns."""
        if _with(self._read(game), learned) != self._read(game):
            self._change(game, lambda tables: _with(tables, learned))

    def forget(self, game: str, table: str, key: str) -> None:
        """Drop an entry that was wrong, if it is there."""
        self._change(game, lambda tables: _without(tables, table, key))

    def _change(self, game: str, change: Callable[[Tables], Tables]) -> None:
        with told(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._alone():
                before = self._read(game)
                after = change(before)
                if after != before:
                    _write(self._path(game), after)

    def _read(self, game: str) -> Tables:
        """The tables of a game; its file is read again only when it has changed."""
        path = self._path(game)
        try:
            stamp = _stamp(path)
            if game not in self._known or self._known[game][0] != stamp:
                raw = tomllib.loads(path.read_text(encoding="utf-8"))
                self._known[game] = stamp, msgspec.convert(raw, Tables)
            return self._known[game][1]
        except FileNotFoundError:
            return {}
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError):
            self._put_aside(path)
            return {}
        except OSError:
            with told(path):
                raise

    def _put_aside(self, path: Path) -> None:
        number = 1
        while (aside := path.with_name(f"{path.stem}.damaged-{number}.toml")).exists():
            number += 1
        with told(path):
            path.rename(aside)
        self.set_aside += (aside,)

    def _path(self, game: str) -> Path:
        return self.folder / f"{game}.toml"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait for other processes that change the same folder."""
        lock = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _OWNER_ONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def _stamp(path: Path) -> tuple[int, int, int]:
    """What changes whenever a file is replaced or written to."""
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _with(tables: Tables, learned: tuple[Learned, ...]) -> Tables:
    changed = dict(tables)
    for item in learned:
        old = changed.get(item.table) or BoxTable(source=_SOURCE, confidence="learned")
        entries = {**old.entries, item.key: _said(item.entry)}
        changed[item.table] = msgspec.structs.replace(old, entries=entries)
    return changed


def _without(tables: Tables, table: str, key: str) -> Tables:
    if table not in tables or key not in tables[table].entries:
        return tables
    entries = {name: entry for name, entry in tables[table].entries.items() if name != key}
    return {**tables, table: msgspec.structs.replace(tables[table], entries=entries)}


def _said(value: Any) -> Any:
    """TOML has no null: what was left unsaid is left out."""
    if isinstance(value, dict):
        return {str(key): _said(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_said(item) for item in value if item is not None]
    return value


def _write(path: Path, tables: Tables) -> None:
    """Put a new file in the place of the old one: a crash leaves the one or the other."""
    text = tomli_w.dumps(msgspec.to_builtins(tables))
    draft = path.with_name(f".{path.name}")
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
