"""How Kivy is set up. It reads its settings when it is first imported, so `prepare` comes before any such import."""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from companion.errors import Malformed
from companion.session import folder

SIZE_VARIABLE = "COMPANION_SIZE"
FULLSCREEN_VARIABLE = "COMPANION_FULLSCREEN"
DENSITY_VARIABLE = "COMPANION_DENSITY"

_M_MMAP_THRESHOLD = -3
"""The parameter's number in glibc's malloc.h."""
_LARGE_BYTES = 64 * 1024

_MOUSE = "mouse,disable_multitouch"
"""A mouse without the red dots of a second, simulated finger."""


class Window(Struct, frozen=True, kw_only=True):
    """The window to open. One `density` pixel is 1/133 inch on the 7-inch display, where it is 1."""

    width: int = 800
    height: int = 480
    density: float = 1.0
    fullscreen: bool = False
    offscreen: bool = False
    max_fps: int = 60


def window_from_environment(otherwise: Window | None = None) -> Window:
    """The window that `COMPANION_SIZE` (such as 1280x720) and `COMPANION_DENSITY` (such as 1.5) ask for,
    over the whole screen with `COMPANION_FULLSCREEN`.

    >>> window_from_environment(Window(width=720, height=1280)).height
    1280
    """
    window = otherwise or Window()
    width, height = _size(os.environ.get(SIZE_VARIABLE), (window.width, window.height))
    return Window(
        width=width,
        height=height,
        density=_density(os.environ.get(DENSITY_VARIABLE), window.density),
        fullscreen=window.fullscreen or bool(os.environ.get(FULLSCREEN_VARIABLE)),
        offscreen=window.offscreen,
        max_fps=window.max_fps,
    )


def display_answers(environ: Mapping[str, str]) -> bool:
    """Whether a display is named and somebody answers there. One on another machine is taken at its word.

    >>> display_answers({}), display_answers({"DISPLAY": ":1789"}), display_answers({"DISPLAY": "other:0"})
    (False, False, True)
    """
    wayland, x11 = environ.get("WAYLAND_DISPLAY", ""), environ.get("DISPLAY", "")
    if wayland and _answers(str(Path(environ.get("XDG_RUNTIME_DIR", "/"), wayland))):
        return True
    host, _, number = x11.partition(":")
    if host not in ("", "unix"):
        return True
    place = f"/tmp/.X11-unix/X{number.partition('.')[0]}"
    return bool(number) and (_answers(place) or _answers(f"\0{place}"))


def _answers(place: str) -> bool:
    """Whether a local socket takes a connection."""
    with socket.socket(socket.AF_UNIX) as line:
        try:
            line.connect(place)
        except OSError:
            return False
    return True


def on_a_display(environ: MutableMapping[str, str]) -> None:
    """Keep SDL to the display that was named: where that is gone it would draw a window nobody can see.

    >>> environ = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}
    >>> on_a_display(environ); environ["SDL_VIDEODRIVER"]
    'wayland,x11'
    """
    named = {"WAYLAND_DISPLAY": "wayland", "DISPLAY": "x11"}
    environ.setdefault("SDL_VIDEODRIVER", ",".join(driver for name, driver in named.items() if environ.get(name)))


def guard() -> None:
    """What holds whoever imports Kivy first: it reads no command line, writes no logs and lives in our folder.

    Nor does it read a settings file, so a stale or garbled one cannot reach the table. Its log goes the way of all
    Python logs: otherwise it would take the standard error stream for itself, and errors would go unseen. Of its
    chatter (such as libraries it looked for in vain) only what is critical is passed on.
    """
    for name in ("KIVY_NO_ARGS", "KIVY_NO_FILELOG", "KIVY_NO_CONFIG"):
        os.environ[name] = "1"
    os.environ["KIVY_LOG_MODE"] = "PYTHON"
    logging.getLogger("kivy").addFilter(_critical)
    os.environ.setdefault("KIVY_HOME", str(folder.home() / "kivy"))


def hurry() -> None:
    """Look for no garbage while starting: what is made then stays. The app begins to with its first frame."""
    gc.disable()


def give_back_memory() -> None:
    """Have the C library give large blocks back when they are freed, as those of textures that are gone.

    By itself it keeps them after a while, more and more of them. Where it is not glibc, nothing happens.
    """
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)


def _critical(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.CRITICAL


def prepare(window: Window | None = None, home: Path | None = None) -> None:
    """Sets the environment and Kivy's configuration. Raises RuntimeError when Kivy's window is there already."""
    if "kivy.core.window" in sys.modules:
        raise RuntimeError("Kivy has opened its window already.")
    window = window or window_from_environment()
    _set_environment(window, home or folder.home() / "kivy")
    _set_config(window)


def _set_environment(window: Window, home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    os.environ["KIVY_HOME"] = str(home)
    os.environ["KIVY_METRICS_DENSITY"] = str(window.density)
    guard()
    if window.offscreen:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"


def _set_config(window: Window) -> None:
    """One way in for fingers: the window's own. The probing of devices would deliver each tap a second time."""
    from kivy.config import Config

    for key, value in {
        "width": str(window.width),
        "height": str(window.height),
        "multisamples": "0",
        "maxfps": str(window.max_fps),
        "fullscreen": "auto" if window.fullscreen else "0",
        "resizable": "1",
    }.items():
        Config.set("graphics", key, value)
    Config.set("kivy", "exit_on_escape", "0")
    for provider in list(Config.options("input")):
        Config.remove_option("input", provider)
    Config.set("input", "mouse", _MOUSE)


def _size(text: str | None, otherwise: tuple[int, int]) -> tuple[int, int]:
    if not text:
        return otherwise
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise Malformed(f"{SIZE_VARIABLE} is '{text}', and should be a width and a height such as 800x480.")
    return int(width), int(height)


def _density(text: str | None, otherwise: float) -> float:
    if not text:
        return otherwise
    try:
        density = float(text)
    except ValueError:
        density = 0.0
    if not 0.5 <= density <= 4.0:
        raise Malformed(f"{DENSITY_VARIABLE} is '{text}', and should be a number from 0.5 to 4.")
    return density
