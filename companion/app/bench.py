"""How the app feels, in numbers: starting beside a bare window, touch to paint, frames, memory.

Each measurement runs in a process of its own, without a display, on a home that goes away afterwards.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from companion.errors import CompanionError

_STARTS = 5
_LONGEST_S = 600.0
_MS_PER_S = 1000
_FRAME_HZ = 60
_SHARE = 0.95

START_AIM = 1.6
TOUCH_AIM_FRAMES = 2.0
FRAMES_AIM_HZ = 30.0
MEMORY_AIM = 1.15

_FIRST_FRAME = """
def stopped(*_):
    print(time.monotonic(), time.process_time(), flush=True)
    os._exit(0)
app.bind(on_start=lambda *_: __import__("kivy.core.window").core.window.Window.bind(on_flip=stopped))
app.run()
"""
"""The first picture is on the glass: say when, and leave."""

_BARE_WINDOW = f"""
import os, time
from kivy.config import Config
for key, value in (("width", "800"), ("height", "480"), ("multisamples", "0")):
    Config.set("graphics", key, value)
from kivy.app import App
from kivy.uix.label import Label
class Hello(App):
    def build(self):
        return Label(text="Hello")
app = Hello()
{_FIRST_FRAME}
"""

_COMPANION = f"""
import os, time
import companion.cli
from companion.app import kivyenv
kivyenv.hurry()
from companion.app import shell
app = shell.make(window=kivyenv.Window(offscreen=True))
{_FIRST_FRAME}
"""

_INSIDE = "from companion.app import measured; measured.main()"

Run = Callable[[Sequence[str], Path], str]
"""Runs Python with some arguments on a home, and gives what it printed."""


class BenchFailed(CompanionError, RuntimeError):
    """A measurement did not come to its end."""


class Row(Struct, frozen=True, kw_only=True):
    """One measurement beside its aim. `at_most` tells on which side of the aim it should be."""

    what: str
    value: float
    unit: str
    aim: float
    at_most: bool = True
    note: str = ""

    @property
    def ok(self) -> bool:
        return self.value <= self.aim if self.at_most else self.value >= self.aim

    def __str__(self) -> str:
        aim = f"aim: {'at most' if self.at_most else 'at least'} {self.aim:g}"
        return f"{self.what:<44} {self.value:>8.2f} {self.unit:<18} {aim:<20} {self.note}".rstrip()


class Inside(Struct, frozen=True, kw_only=True):
    """What the app measured of itself."""

    touch_s: tuple[float, ...]
    frames_hz: float
    memory_start_mb: float
    memory_end_mb: float
    actions: int


def run(starts: int = _STARTS, runner: Run | None = None, out: Callable[[str], object] = print) -> tuple[Row, ...]:
    """Measure and print. Raises BenchFailed."""
    python = runner or run_python
    with TemporaryDirectory(prefix="companion-bench-") as home:
        rows = (*starting(starts, python, Path(home)), *inside(python, Path(home)))
    for row in rows:
        out(str(row))
    return rows


def run_python(arguments: Sequence[str], home: Path) -> str:
    """Python in a process of its own, without a display. Raises BenchFailed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        check=False,
        env=_environment(home),
        text=True,
        timeout=_LONGEST_S,
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise BenchFailed(f"A measurement failed: {said[-1].rstrip('.')}.")
    return done.stdout


def _environment(home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "COMPANION_HOME": str(home),
        "KIVY_HOME": str(home / "kivy"),
        "KIVY_NO_ARGS": "1",
        "KIVY_NO_CONFIG": "1",
        "KIVY_NO_FILELOG": "1",
        "KIVY_LOG_MODE": "PYTHON",
        "SDL_VIDEODRIVER": "offscreen",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }


# Starting


def starting(starts: int, python: Run, home: Path) -> tuple[Row, ...]:
    """From nothing to the first frame, ours and a bare window turn about; the first of each warms the disk."""
    (home / "kivy").mkdir(parents=True, exist_ok=True)
    scripts = [_script(home, name, text) for name, text in (("ours", _COMPANION), ("bare", _BARE_WINDOW))]
    rounds = [[_until_frame(script, python, home) for script in scripts] for _ in range(starts + 1)]
    ours, bare = (_middle(spent) for spent in zip(*rounds[1:], strict=True))
    cpu = f"CPU alone {ours.cpu_s / bare.cpu_s:.2f} x"
    note = f"{ours.wall_s:.2f} s, a bare window {bare.wall_s:.2f} s; {cpu}; p50 of {starts}"
    value = ours.wall_s / bare.wall_s
    return (Row(what="start to first frame", value=value, unit="x a bare window", aim=START_AIM, note=note),)


def _script(home: Path, name: str, text: str) -> Path:
    """A program as a file, for Kivy looks up the source of an app."""
    file = home / f"{name}.py"
    file.write_text(text, encoding="utf-8")
    return file


class Spent(Struct, frozen=True):
    """Time on the wall, and of processors: the one people wait, the other does not depend on who else is computing."""

    wall_s: float
    cpu_s: float


def _until_frame(script: Path, python: Run, home: Path) -> Spent:
    begun = time.monotonic()
    shown, cpu_s = python((str(script),), home).split()[-2:]
    return Spent(float(shown) - begun, float(cpu_s))


def _middle(spent: Sequence[Spent]) -> Spent:
    return Spent(statistics.median(one.wall_s for one in spent), statistics.median(one.cpu_s for one in spent))


# Inside


def inside(python: Run, home: Path) -> tuple[Row, ...]:
    """What the app measures of itself in one long run."""
    return rows_of(msgspec.json.decode(python(("-c", _INSIDE), home), type=Inside))


def rows_of(found: Inside) -> tuple[Row, ...]:
    """What was measured, as rows."""
    times = sorted(found.touch_s)
    slow = times[min(len(times) - 1, int(len(times) * _SHARE))]
    touch_note = f"p95 of {len(times)}: {slow * _MS_PER_S:.1f} ms; p50 {statistics.median(times) * _MS_PER_S:.1f} ms"
    memory_note = f"{found.memory_start_mb:.0f} MB, after {found.actions} actions {found.memory_end_mb:.0f} MB"
    return (
        Row(
            what="touch to painted change, p95",
            value=slow * _FRAME_HZ,
            unit="frames of 1/60 s",
            aim=TOUCH_AIM_FRAMES,
            note=touch_note,
        ),
        Row(
            what="table with a 30 fps picture, an 80 Hz trace",
            value=found.frames_hz,
            unit="frames per second",
            aim=FRAMES_AIM_HZ,
            at_most=False,
        ),
        Row(
            what=f"memory after {found.actions} actions",
            value=found.memory_end_mb / found.memory_start_mb,
            unit="x the start",
            aim=MEMORY_AIM,
            note=memory_note,
        ),
    )
