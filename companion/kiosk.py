"""A Raspberry Pi that opens the companion by itself: a systemd user unit, a desktop entry, and all of it undone again.

Each file we write begins with a line that tells so, with a digest of the rest. By that line we know our own: a file
without it is not ours and comes back when the kiosk is undone, and one of ours that was changed is set aside.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from companion.errors import Malformed
from companion.session.trouble import told

UNIT = "castle-companion.service"
_ENTRY = "castle-companion.desktop"
_UNIT_FILE = Path(".config/systemd/user") / UNIT
_MENU_FILE = Path(".local/share/applications") / _ENTRY
_AUTOSTART_FILE = Path(".config/autostart") / _ENTRY
_FILES = (_UNIT_FILE, _MENU_FILE, _AUTOSTART_FILE)

_MARK = "# Written by Castle Companion, digest "
_KEPT = ".kept"
_CHANGED = ".changed"
_EXECUTABLE_ACCESS = os.X_OK
_SYSTEMCTL_S = 10.0

_ENVIRONMENT = {
    "COMPANION_FULLSCREEN": "1",
    "KIVY_WINDOW": "sdl2",
    "KIVY_GL_BACKEND": "sdl2",
    "SDL_VIDEO_MINIMIZE_ON_FOCUS_LOSS": "0",
}
"""The whole touchscreen, by the one window library that has touch on a Pi, and not gone when a dialog comes up."""

_UNIT_TEXT = """\
[Unit]
Description=Castle Companion
After=graphical-session.target
PartOf=graphical-session.target
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
ExecStart={command}
{environment}
Restart=on-failure
RestartSec=5

[Install]
WantedBy=graphical-session.target
"""

_ENTRY_TEXT = """\
[Desktop Entry]
Type=Application
Name=Castle Companion
Comment=A referee, scorekeeper and memory for castle-building board games
Comment[de]=Schiedsrichter, Punktezähler und Gedächtnis für Burgen-Brettspiele
Exec={command}
Icon=applications-games
Terminal=false
Categories=Game;BoardGame;
"""

_AUTOSTART = (
    "systemctl --user import-environment DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR; "
    'systemctl --user start {unit} || exec "$0"'
)
"""Not every desktop reaches graphical-session.target. Starting a unit that runs already does nothing."""

Systemctl = Callable[[Sequence[str]], bool]
"""Runs `systemctl --user` with some words, and tells whether that worked."""


class Report(Struct, frozen=True):
    """What was done, a sentence each, and what is left for people to do."""

    did: tuple[str, ...]
    left: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join((*self.did, *self.left))


def systemctl(words: Sequence[str]) -> bool:
    """Whether the user's systemd is there and did it."""
    try:
        done = subprocess.run(
            ["systemctl", "--user", *words], capture_output=True, check=False, timeout=_SYSTEMCTL_S, text=True
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def install(home: Path, executable: Path, systemctl: Systemctl = systemctl) -> Report:
    """Let a user's desktop open the companion. Doing it again changes nothing. Raises Malformed and DiskTrouble."""
    _check(executable)
    texts = (_unit(executable), _menu_entry(executable), _autostart_entry(executable))
    did = [line for file, text in zip(_FILES, texts, strict=True) for line in _put(home / file, text)]
    if systemctl(("daemon-reload",)) and systemctl(("enable", UNIT)):
        did.append("systemd knows of it, and starts the companion with the desktop.")
        return Report(tuple(did), (f"To open it now: systemctl --user start {UNIT}",))
    return Report(
        tuple(did),
        (
            "systemd is not running for this user now; the companion opens with the desktop all the same.",
            f"To have systemd start it: systemctl --user daemon-reload && systemctl --user enable --now {UNIT}",
        ),
    )


def remove(home: Path, systemctl: Systemctl = systemctl) -> Report:
    """Undo `install`: what was there before it is there again, and nothing else. Raises DiskTrouble."""
    known = systemctl(("disable", UNIT)) if _is_ours(home / _UNIT_FILE) else False
    did = [line for file in _FILES for line in _take_away(home / file)]
    if known:
        systemctl(("daemon-reload",))
        did.append("systemd does not start the companion any more.")
    for file in _FILES:
        _tidy(home, (home / file).parent)
    return Report(tuple(did) or ("There was nothing to undo.",))


# The files


def _unit(executable: Path) -> str:
    environment = "\n".join(f"Environment={name}={value}" for name, value in _ENVIRONMENT.items())
    return _UNIT_TEXT.format(command=_unit_quoted(str(executable)), environment=environment)


def _menu_entry(executable: Path) -> str:
    return _ENTRY_TEXT.format(command=_entry_quoted(str(executable)))


def _autostart_entry(executable: Path) -> str:
    words = ("sh", "-c", _AUTOSTART.format(unit=UNIT), str(executable))
    return _ENTRY_TEXT.format(command=" ".join(_entry_quoted(word) for word in words))


def _unit_quoted(word: str) -> str:
    """As ExecStart= wants it.

    >>> _unit_quoted("/opt/50% off/run")
    '"/opt/50%% off/run"'
    """
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


def _entry_quoted(word: str) -> str:
    """As Exec= wants it: quoted for the command line, and once more for the file.

    >>> print(_entry_quoted('the "$HOME" of 50%'))
    "the \\\\"\\\\$HOME\\\\" of 50%%"
    """
    escaped = word.replace("\\", "\\\\")
    for letter in '"`$':
        escaped = escaped.replace(letter, f"\\{letter}")
    escaped = escaped.replace("\\", "\\\\").replace("%", "%%")
    return f'"{escaped}"'


def _check(executable: Path) -> None:
    if not str(executable).isprintable():
        raise Malformed("The path of the companion has characters in it that a desktop entry cannot hold.")
    if not executable.is_absolute() or not executable.is_file() or not os.access(executable, _EXECUTABLE_ACCESS):
        raise Malformed(f"{executable} is not the full path of a program that can be started.")


# Ours or not


def _signed(text: str) -> str:
    return f"{_MARK}{_digest(text)}\n{text}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _read(file: Path) -> str | None:
    """What is in a file; what is not text cannot be ours."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None


def _is_ours(file: Path) -> bool:
    return (_read(file) or "").startswith(_MARK)


def _is_unchanged(text: str) -> bool:
    mark, _, rest = text.partition("\n")
    return mark == f"{_MARK}{_digest(rest)}"


def _put(file: Path, text: str) -> Iterator[str]:
    """Write a file of ours, and say what became of the one that was there."""
    with told(file):
        signed, before = _signed(text), _read(file)
        if before == signed:
            yield f"{file} is there already."
            return
        if before is not None and not _is_unchanged(before):
            yield from _set_aside(file, _CHANGED if before.startswith(_MARK) else _KEPT)
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f".{file.name}.draft")
        draft.write_text(signed, encoding="utf-8")
        draft.replace(file)
        yield f"Wrote {file}."


def _take_away(file: Path) -> Iterator[str]:
    """Remove a file of ours, and put back the one that was there before."""
    with told(file):
        now = _read(file)
        if now is not None and not now.startswith(_MARK):
            yield f"{file} is not ours; it was left as it is."
            return
        if now is not None and not _is_unchanged(now):
            yield from _set_aside(file, _CHANGED)
        elif now is not None:
            file.unlink()
            yield f"Removed {file}."
        kept = _aside(file, _KEPT, 1)
        if kept.exists():
            kept.rename(file)
            yield f"Put {file} back as it was."


def _set_aside(file: Path, ending: str) -> Iterator[str]:
    number = 1
    while (aside := _aside(file, ending, number)).exists():
        number += 1
    file.rename(aside)
    yield f"{file.name} was {'changed' if ending == _CHANGED else 'there before'}: it is kept as {aside}."


def _aside(file: Path, ending: str, number: int) -> Path:
    return file.with_name(f"{file.name}{ending}-{number}")


def _tidy(home: Path, folder: Path) -> None:
    """Remove folders that nothing is left in, up to the home."""
    while folder != home and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
