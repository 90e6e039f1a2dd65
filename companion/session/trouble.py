"""What disks and databases say when they fail, turned into one clear sentence."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import CompanionError, DamagedGame, DiskTrouble

_PRIMARY_CODE = 0xFF
"""SQLite's extended result codes carry the primary one in their low byte."""

_FULL = "The disk is full: nothing was saved. Make room and try again."
_LOCKED = "Another program holds {path}: nothing was saved. Close it there and try again."
_READ_ONLY = "{path} cannot be written to: nothing was saved. Check its permissions, or open the game read-only."
_FAILING = "The disk did not take {path} ({why}): nothing was saved. Try again."
_NOT_A_FOLDER = "{path} cannot be used: a file is where a folder should be."

_BY_CODE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
}
_BY_ERRNO = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,
    errno.EACCES: _READ_ONLY,
    errno.EPERM: _READ_ONLY,
    errno.EROFS: _READ_ONLY,
    errno.ENOTDIR: _NOT_A_FOLDER,
    errno.EEXIST: _NOT_A_FOLDER,
}
_DAMAGE = {
    sqlite3.SQLITE_NOTADB: "it is not a saved game",
    sqlite3.SQLITE_CORRUPT: "parts of it are missing or garbled",
    sqlite3.SQLITE_ERROR: "it is not laid out like a saved game",
    sqlite3.SQLITE_FORMAT: "it is not a saved game",
}


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Say failures of a database or of the disk beneath `path` as DiskTrouble or DamagedGame."""
    try:
        yield
    except CompanionError:
        raise
    except sqlite3.Error as error:
        raise of_database(path, error) from error
    except OSError as error:
        raise of_disk(path, error) from error


def of_database(path: Path, error: sqlite3.Error) -> CompanionError:
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE
    if code in _DAMAGE:
        return DamagedGame(str(path), _DAMAGE[code])
    return DiskTrouble(_BY_CODE.get(code, _FAILING).format(path=path, why=str(error)))


def of_disk(path: Path, error: OSError) -> DiskTrouble:
    why = (error.strerror or str(error)).lower()
    return DiskTrouble(_BY_ERRNO.get(error.errno or 0, _FAILING).format(path=path, why=why))
