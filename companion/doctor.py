"""How the companion is: one check for each thing an evening depends on, with a remedy where something is wrong.

The doctor looks and changes nothing; everything it looks at can be handed in.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from companion import config
from companion.errors import CompanionError, Malformed, NewerGame
from companion.rules.box import BoxTable
from companion.session import folder
from companion.session.journal import SUFFIX, Journal
from companion.session.shelf import Shelf

Health = Literal["good", "warn", "bad"]

_OLDEST = (3, 11)
_TOO_NEW = (3, 14)
_PACKAGES = ("msgspec", "platformdirs", "rich", "tomli-w", "typer")
_ROOM_WANTED_MB = 200
_ROOM_NEEDED_MB = 20
_BYTES_PER_MB = 1_000_000
_MODEL_FILE = Path("/proc/device-tree/model")
_DEV = Path("/dev")
_USB_SERIAL = ("ttyUSB*", "ttyACM*")
_SET_UP_AGAIN = "Delete the folder .venv and start ./run."


class Check(Struct, frozen=True, kw_only=True):
    """What was looked at, how it is, in a sentence, and what to do about it."""

    name: str
    ok: Health
    says: str
    remedy: str = ""


def checks() -> list[Check]:
    """Everything, on this machine, for this user."""
    found = [python(sys.version_info[:3]), packages(), settings(config.config_file())]
    try:
        games = config.read().games
    except Malformed:
        games = folder.games()
    found += [data_folder(games), room(games), journal(games), *saved_games(games), *boxes(Shelf(games).memory.folder)]
    return [*found, display(os.environ), machine(_MODEL_FILE), scales(_DEV)]


def worst(found: Iterable[Check]) -> Health:
    """
    >>> worst([Check(name="Python", ok="good", says=""), Check(name="room", ok="warn", says="")])
    'warn'
    """
    order: tuple[Health, ...] = ("good", "warn", "bad")
    return max((check.ok for check in found), key=order.index, default="good")


# What it runs on


def python(version: tuple[int, ...]) -> Check:
    text = ".".join(map(str, version))
    if _OLDEST <= version < _TOO_NEW:
        return Check(name="Python", ok="good", says=f"Python {text}.")
    remedy = "Make .venv anew with another: delete it, then COMPANION_PYTHON=/path/to/python3 ./run."
    return Check(name="Python", ok="bad", says=f"Python {text} is not one of 3.11 to 3.13.", remedy=remedy)


def packages(version: Callable[[str], str] = metadata.version) -> Check:
    there: dict[str, str] = {}
    missing: list[str] = []
    for package in _PACKAGES:
        try:
            there[package] = version(package)
        except metadata.PackageNotFoundError:
            missing.append(package)
    if missing:
        return Check(name="packages", ok="bad", says=f"Missing: {', '.join(missing)}.", remedy=_SET_UP_AGAIN)
    return Check(name="packages", ok="good", says=", ".join(f"{name} {there[name]}" for name in there) + ".")


def display(environ: Mapping[str, str]) -> Check:
    for variable in ("WAYLAND_DISPLAY", "DISPLAY"):
        if environ.get(variable):
            return Check(name="display", ok="good", says=f"There is a display ({variable}={environ[variable]}).")
    return Check(name="display", ok="good", says="There is no display: the companion talks in the terminal.")


def machine(model_file: Path) -> Check:
    try:
        model = model_file.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        model = ""
    if "Raspberry Pi" in model:
        return Check(name="machine", ok="good", says=f"{model}.")
    return Check(name="machine", ok="good", says=f"{model or 'This'} is not a Raspberry Pi: no table panel here.")


def scales(dev: Path) -> Check:
    """Whether the ports at which scale modules can be may be used."""
    ports = sorted(port for pattern in _USB_SERIAL for port in dev.glob(pattern))
    shut = [port.name for port in ports if not os.access(port, os.R_OK | os.W_OK)]
    if shut:
        remedy = "sudo usermod -aG dialout $USER, then log out and in again."
        return Check(name="scales", ok="warn", says=f"You may not use {', '.join(shut)}.", remedy=remedy)
    if not ports:
        return Check(name="scales", ok="good", says="No USB serial port is there: no scale module is plugged in.")
    says = f"USB serial ports: {', '.join(port.name for port in ports)}. 'companion scales list' asks who is there."
    return Check(name="scales", ok="good", says=says)


def settings(file: Path) -> Check:
    try:
        config.read(file)
    except Malformed as error:
        return Check(name="settings", ok="bad", says=str(error), remedy="Put it right, or take the file away.")
    says = f"Read from {file}." if file.exists() else f"None set; they would be in {file}."
    return Check(name="settings", ok="good", says=says)


# Where games are kept


def data_folder(games: Path) -> Check:
    there = _nearest(games)
    if not there.is_dir():
        return _folder_trouble(f"{there} is in the way: a file where a folder should be.", "Move that file away.")
    if not os.access(there, os.W_OK | os.X_OK):
        return _folder_trouble(f"{there} cannot be written to.", "Make it yours (chown), or set COMPANION_HOME.")
    says = f"Saved games are kept in {games}." if games.is_dir() else f"{games} will be made with the first game."
    return Check(name="folder", ok="good", says=says)


def _folder_trouble(says: str, remedy: str) -> Check:
    return Check(name="folder", ok="bad", says=says, remedy=remedy)


def room(games: Path, free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free) -> Check:
    free_mb = free_bytes(_nearest(games)) // _BYTES_PER_MB
    says = f"{free_mb} MB are free where games are kept."
    if free_mb >= _ROOM_WANTED_MB:
        return Check(name="room", ok="good", says=says)
    ok: Health = "warn" if free_mb >= _ROOM_NEEDED_MB else "bad"
    return Check(name="room", ok=ok, says=says, remedy=f"Make room: an evening should have {_ROOM_WANTED_MB} MB.")


def journal(games: Path) -> Check:
    """Whether a journal that outlives a pulled plug can be kept there."""
    try:
        with tempfile.TemporaryDirectory(dir=_nearest(games), prefix=".doctor-") as scratch:
            mode = _journal_mode(Path(scratch) / f"scratch{SUFFIX}")
    except (OSError, sqlite3.Error) as error:
        remedy = "Keep games on another disk: set COMPANION_HOME, or games_folder in the settings."
        return Check(name="journal", ok="bad", says=f"No journal can be kept there: {error}.", remedy=remedy)
    if mode == "wal":
        return Check(name="journal", ok="good", says=f"SQLite {sqlite3.sqlite_version} keeps its log there.")
    remedy = "Keep games on a local disk: set COMPANION_HOME, or games_folder in the settings."
    return Check(name="journal", ok="warn", says=f"SQLite falls back to its '{mode}' journal there.", remedy=remedy)


def _journal_mode(file: Path) -> str:
    connection = sqlite3.connect(file, isolation_level=None)
    try:
        mode = str(connection.execute("PRAGMA journal_mode = WAL").fetchone()[0])
        connection.execute("CREATE TABLE scratch (line TEXT)")
        connection.execute("INSERT INTO scratch VALUES ('written')")
        return mode
    finally:
        connection.close()


def _nearest(path: Path) -> Path:
    """The path itself, or the closest thing above it that exists."""
    return next(there for there in (path, *path.absolute().parents) if there.exists())


# What is kept


def saved_games(games: Path) -> list[Check]:
    """One check of all that are whole, and one for each that is not."""
    found = {path: _saved_game(path) for path in sorted(games.glob(f"[!.]*{SUFFIX}"))}
    trouble = [check for check in found.values() if check is not None]
    whole = len(found) - len(trouble)
    says = f"{whole} whole." if found else "None yet."
    return [Check(name="saved games", ok="good", says=says), *trouble]


def _saved_game(path: Path) -> Check | None:
    name = f"saved game {path.stem}"
    try:
        with Journal.open(path, read_only=True) as opened:
            faults = opened.faults()
            opened.last()
    except NewerGame as error:
        return Check(name=name, ok="warn", says=str(error), remedy="Update Castle Companion: git pull.")
    except CompanionError as error:
        return Check(name=name, ok="bad", says=str(error), remedy=_bring_back(path))
    return Check(name=name, ok="bad", says=f"{path}: {faults[0]}.", remedy=_bring_back(path)) if faults else None


def _bring_back(path: Path) -> str:
    return f"Keep a copy of {path.name}, then bring the game back from an export or a backup."


def boxes(learned: Path) -> list[Check]:
    """What the table has told about its boxes: readable, and nothing put aside."""
    files = sorted(learned.glob("[!.]*.toml"))
    aside = [path for path in files if ".damaged-" in path.name]
    unreadable = {path: why for path in files if path not in aside and (why := _unreadable(path))}
    trouble = [
        *(_box_trouble(path, "It was put aside because it could not be read.", "warn") for path in aside),
        *(_box_trouble(path, f"It cannot be read: {why}.", "bad") for path, why in unreadable.items()),
    ]
    read = len(files) - len(trouble)
    says = f"Learned entries for {read} game{'' if read == 1 else 's'}." if files else "Nothing learned yet."
    return [Check(name="boxes", ok="good", says=says), *trouble]


def _unreadable(path: Path) -> str:
    try:
        msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), dict[str, BoxTable])
    except (OSError, ValueError) as error:
        return str(error)
    return ""


def _box_trouble(path: Path, says: str, ok: Health) -> Check:
    return Check(name=f"box {path.stem}", ok=ok, says=says, remedy=f"Put {path} right by hand, or take it away.")
