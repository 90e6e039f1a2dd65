"""The journal of one saved game: a SQLite file to which lines are added and from which none is ever taken.

Each line stores what was done and the state it led to. Undo, redo and jump are lines too: they name the earlier line
whose state stands again. A line knows what it follows (`parent`) and what a redo would bring back (`redo`, and where
the rest of that list is), so that opening, undo and redo each read a few lines by number, however long the game is.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import astuple

from companion.errors import DamagedGame, DiskTrouble, NewerGame, NoSavedGame, NoSuchStep
from companion.session.lock import GameLock
from companion.session.trouble import of_database, told

_LAST_MS = 221_845_392_000_000

Millis = Annotated[int, Meta(ge=0, le=_LAST_MS)]
"""A moment, in milliseconds since 1970; calendars know it in every time zone (it ends with the year 8999)."""
Number = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""What a column of the journal holds."""
Kind = Literal["setup", "action", "correction", "undo", "redo", "jump"]

SUFFIX = ".sqlite"
BUSY_S = 2.0
"""How long to wait for another program that looks at the file."""

_APPLICATION_ID = 0x43614475
_HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\0"
_LARGEST_PAGE_BYTES = 65536

# The state comes last: lines are listed without reading the pages it spills onto.
_VERSION_1 = (
    """CREATE TABLE journal (
        seq INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        node INTEGER NOT NULL,
        parent INTEGER,
        redo INTEGER,
        redo_rest INTEGER,
        rules INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        over INTEGER NOT NULL,
        origin TEXT NOT NULL,
        label TEXT NOT NULL,
        action BLOB NOT NULL,
        facts BLOB NOT NULL,
        clocks BLOB NOT NULL,
        state BLOB NOT NULL
    )""",
    "CREATE TABLE notes (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_VERSION_1,)
"""The statements that lead from each layout of the file to the next; their number is the current layout."""


class Row(Struct, frozen=True, kw_only=True):
    """One line. `node` is the line whose state stands after it: itself, unless it is an undo, redo or jump.

    `redo` is the line a redo would bring back; the rest of that list is the one of line `redo_rest`. `action`,
    `facts` and `clocks` are JSON, `state` is a snapshot; an undo, redo or jump has neither action nor state.
    """

    seq: int
    kind: Kind
    node: int
    parent: int | None = None
    redo: int | None = None
    redo_rest: int | None = None
    rules: int
    at_ms: Millis
    over: bool
    origin: str
    label: str
    action: bytes = b""
    facts: bytes = b"[]"
    clocks: bytes = b""
    state: bytes = b""


class Cover(Struct, frozen=True, kw_only=True):
    """What a saved game is, on one page."""

    id: str
    game: str
    title: str
    seats: tuple[str, ...]
    created_ms: Millis


_FIELDS = Row.__struct_fields__
_ALL = ", ".join(_FIELDS)
_STATELESS = ", ".join(_FIELDS[:-1])
_INSERT = f"INSERT INTO journal ({_ALL}) VALUES ({', '.join('?' * len(_FIELDS))})"


class Journal:
    """An open saved game. Made by `Journal.create` once, then by `Journal.open`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: GameLock | None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock
        self.cover = self._read_cover()

    @classmethod
    def create(cls, path: Path, cover: Cover, rows: Iterable[Row]) -> None:
        """Put a new saved game there, whole or not at all. Raises FileExistsError if there is one already."""
        with told(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
        with GameLock(path):
            if path.exists():
                raise FileExistsError(path)
            draft = path.with_name(f".{path.name}")
            try:
                with told(path):
                    _write_draft(draft, cover, rows)
                    draft.rename(path)
                    _sync_folder(path.parent)
            finally:
                _clear_away(draft)

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False, busy_s: float = BUSY_S) -> Journal:
        """Open for playing, alone, or read-only beside whoever plays. A file that is not whole is left untouched."""
        if not path.is_file():
            raise NoSavedGame(f"There is no saved game '{path.stem}' in {path.parent}.")
        with ExitStack() as undone, told(path):
            lock = None if read_only else undone.enter_context(GameLock(path))
            _check_whole(path)
            connection = _for_reading(path, busy_s) if read_only else _for_playing(path, busy_s)
            undone.callback(connection.close)
            journal = cls(path, connection, lock)
            undone.pop_all()
        return journal

    # Reading

    def last(self) -> Row:
        """The last line, without its state."""
        return self._one(f"SELECT {_STATELESS} FROM journal ORDER BY seq DESC LIMIT 1")

    def row(self, seq: int) -> Row:
        """A line with its state."""
        return self._one(f"SELECT {_ALL} FROM journal WHERE seq = ?", seq)

    def line(self, seq: int) -> Row:
        """A line without its state."""
        return self._one(f"SELECT {_STATELESS} FROM journal WHERE seq = ?", seq)

    def lines(self, after: int = 0) -> Iterator[Row]:
        """Every line after a number, without states."""
        return self._many(f"SELECT {_STATELESS} FROM journal WHERE seq > ? ORDER BY seq", after)

    def rows(self) -> Iterator[Row]:
        """Every line with its state."""
        return self._many(f"SELECT {_ALL} FROM journal ORDER BY seq")

    def parents(self) -> dict[int, int | None]:
        """What each line that has a state follows."""
        with told(self.path):
            return dict(self._connection.execute("SELECT seq, parent FROM journal WHERE node = seq"))

    def faults(self) -> tuple[str, ...]:
        """What SQLite finds wrong with the whole file; empty when all is well."""
        with told(self.path):
            found = [str(text) for (text,) in self._connection.execute("PRAGMA integrity_check")]
        return () if found == ["ok"] else tuple(found)

    # Writing

    def append(self, row: Row) -> None:
        """Add a line. When this returns the line is on the disk; when it raises, the journal is as it was."""
        try:
            self._connection.execute(_INSERT, astuple(row))
        except sqlite3.Error as error:
            _roll_back(self._connection)
            raise of_database(self.path, error) from error

    def note(self, name: str, value: bytes) -> None:
        """Keep a small thing that is not part of the game's course."""
        with told(self.path):
            self._connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, value))

    def noted(self, name: str) -> bytes | None:
        with told(self.path):
            found = self._connection.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
        return bytes(found[0]) if found else None

    def notes(self, prefix: str) -> dict[str, bytes]:
        """The notes whose names begin so, in the order of their names."""
        query = "SELECT name, value FROM notes WHERE substr(name, 1, ?) = ? ORDER BY name"
        with told(self.path):
            return {name: bytes(value) for name, value in self._connection.execute(query, (len(prefix), prefix))}

    def close(self) -> None:
        try:
            self._connection.close()
        finally:
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_cover(self) -> Cover:
        try:
            found = self._connection.execute("SELECT value FROM notes WHERE name = 'cover'").fetchone()
            return msgspec.json.decode(found[0] if found else b"", type=Cover)
        except msgspec.MsgspecError as error:
            raise DamagedGame(str(self.path), "nothing in it says which game it is") from error

    def _one(self, query: str, *values: int) -> Row:
        for row in self._many(query, *values):
            return row
        raise NoSuchStep(f"There is no line {values[0]} in the history." if values else "The history is empty.")

    def _many(self, query: str, *values: int) -> Iterator[Row]:
        with told(self.path):
            for found in self._connection.execute(query, values):
                yield _row(self.path, found)


def _row(path: Path, found: tuple[object, ...]) -> Row:
    try:
        return msgspec.convert(dict(zip(_FIELDS, found, strict=False)), Row, strict=False)
    except msgspec.ValidationError as error:
        raise DamagedGame(str(path), f"a line of its history cannot be read ({error})") from error


# Opening files


def _check_whole(path: Path) -> None:
    """Find at a glance what is no saved game, or is cut short. What a log still holds is SQLite's to judge."""
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise DamagedGame(str(path), "it is not a saved game")
    page_bytes = int.from_bytes(header[16:18], "big")
    page_bytes = _LARGEST_PAGE_BYTES if page_bytes == 1 else page_bytes
    pages = int.from_bytes(header[28:32], "big")
    if not _has_log(path) and path.stat().st_size < pages * page_bytes:
        raise DamagedGame(str(path), "it is shorter than it should be")


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _connect(path: Path, how: str, busy_s: float) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{how}"
    return sqlite3.connect(uri, uri=True, timeout=busy_s, isolation_level=None)


def _for_playing(path: Path, busy_s: float) -> sqlite3.Connection:
    if not os.access(path, os.W_OK):
        raise DiskTrouble(f"{path} cannot be written to. Check its permissions, or open the game read-only.")
    connection = _connect(path, "mode=rw", busy_s)
    try:
        _migrate(connection, _version(path, connection))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def _for_reading(path: Path, busy_s: float) -> sqlite3.Connection:
    """A connection that cannot write.

    One that could write leaves no files behind when it closes, so it is tried first; then one that cannot; and in a
    folder where SQLite cannot even keep its shared index, one that takes the file as it lies.
    """
    for how in ("mode=rw", "mode=ro"):
        try:
            return _reader(path, how, busy_s)
        except sqlite3.OperationalError:
            continue
    return _reader(path, "mode=ro&immutable=1", busy_s)


def _reader(path: Path, how: str, busy_s: float) -> sqlite3.Connection:
    connection = _connect(path, how, busy_s)
    try:
        version = _version(path, connection)
        if version < len(MIGRATIONS):
            connection = _brought_up_in_memory(connection, version)
        connection.execute("PRAGMA query_only = 1")
    except BaseException:
        connection.close()
        raise
    return connection


def _brought_up_in_memory(old: sqlite3.Connection, version: int) -> sqlite3.Connection:
    """An older layout read as the current one, without touching the file."""
    memory = sqlite3.connect(":memory:", isolation_level=None)
    old.backup(memory)
    old.close()
    _migrate(memory, version)
    return memory


def _version(path: Path, connection: sqlite3.Connection) -> int:
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
        raise DamagedGame(str(path), "it is not a saved game")
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(MIGRATIONS):
        raise NewerGame(str(path))
    return version


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring a file to the current layout, all the way or not at all."""
    if version == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise


def _roll_back(connection: sqlite3.Connection) -> None:
    """SQLite ends a transaction by itself after some failures, and not after others."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


# Making files


def _write_draft(draft: Path, cover: Cover, rows: Iterable[Row]) -> None:
    _clear_away(draft)
    connection = sqlite3.connect(draft, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        _migrate(connection, 0)
        connection.execute("BEGIN")
        connection.execute("INSERT INTO notes VALUES ('cover', ?)", (msgspec.json.encode(cover),))
        connection.executemany(_INSERT, (astuple(row) for row in rows))
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


def _sync_folder(folder: Path) -> None:
    """A new name is as durable as its folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _clear_away(draft: Path) -> None:
    for ending in ("", "-journal", "-wal", "-shm"):
        draft.with_name(draft.name + ending).unlink(missing_ok=True)
