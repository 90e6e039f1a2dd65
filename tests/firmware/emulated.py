"""The real firmware in its emulator, for tests: built once, scripted from Python, its serial line on a pty.

    with Emulator.start(tmp_path, chips=2) as board:      # time stands still but in run()
        board.set(0, 81234)
        board.send(frame)                                 # or open board.port with pyserial
        board.run(1.5)                                    # seconds of the module's time, as fast as possible
        bytes_sent = board.received()
        board.truth()                                     # what the chips really had

With `speed=1.0` time passes in real time, with `speed=0.0` as fast as the pty is read; `stop()` and `go(speed)` change
it. As on a real module, what is sent in the first milliseconds after a reset finds nobody listening: wait for BOOT.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import IO, Any

FIRMWARE = Path(__file__).parents[2] / "firmware"
PACKAGES = "gcc-avr avr-libc binutils-avr libsimavr-dev libelf-dev make gcc"

_PATIENCE_S = 30.0
_SIMAVR_HEADER = Path("/usr/include/simavr/sim_avr.h")


def missing() -> str | None:
    """Why the emulator cannot be built here, in words for a skipped test; None when it can."""
    tools = [tool for tool in ("avr-gcc", "make", "gcc") if shutil.which(tool) is None]
    if not _SIMAVR_HEADER.exists():
        tools.append("libsimavr-dev")
    return f"{', '.join(tools)} not found: apt-get install {PACKAGES}" if tools else None


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@cache
def build(*targets: str) -> Path:
    """Brings these make targets up to date in the build folder, which git ignores, and returns it."""
    folder = FIRMWARE / "build"
    folder.mkdir(exist_ok=True)
    with _one_at_a_time(folder):
        made = subprocess.run(
            ["make", "--no-print-directory", "-C", str(FIRMWARE), *targets], capture_output=True, text=True, check=False
        )
    if made.returncode:
        raise RuntimeError(f"make {' '.join(targets)} failed:\n{made.stdout}{made.stderr}")
    return folder


@dataclass(frozen=True, slots=True)
class Conversion:
    """What one conversion of a chip was, and what became of it: read, missed, torn or lost."""

    t_us: float
    chip: int
    counts: int
    fate: str


class Emulator:
    """One emulated module. Chips are numbered from 0; `None` means all of them.

    Times are seconds or microseconds of the module's world, which go on through resets.
    """

    def __init__(self, process: subprocess.Popen[str], folder: Path, port: Path) -> None:
        self._process = process
        self._folder = folder
        self._truth = folder / "truth"
        self._taken = 0
        self._fd = -1
        self.port = port
        """Where to open the serial line; the same path again after replug()."""

    @classmethod
    def start(cls, folder: Path | None = None, *, chips: int = 4, speed: float | None = None) -> Emulator:
        """Builds what is out of date, and powers a module up. `folder` takes its port and files."""
        built = build("elf", "emulator")
        folder = Path(tempfile.mkdtemp(prefix="module-", dir=folder))
        port = folder / "tty"
        words = [built / "emulator", built / "companion-scales.elf", "--chips", chips, "--link", port]
        words += ["--truth", folder / "truth"]
        if speed is not None:
            words += ["--speed", speed]
        process = subprocess.Popen(
            [str(word) for word in words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        board = cls(process, folder, port)
        board._answer()
        return board

    def __enter__(self) -> Emulator:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the emulator. May be called twice."""
        self._close_port()
        for pipe in (self._pipe(self._process.stdin), self._pipe(self._process.stdout)):
            pipe.close()
        self._process.wait(_PATIENCE_S)
        shutil.rmtree(self._folder, ignore_errors=True)

    # What happens to the chips

    def set(self, chip: int | None, counts: int) -> None:
        """From now on the chip converts to this, held to 24 bits."""
        self._command("set", _name(chip), counts)

    def trace(self, chip: int, counts: Iterable[int], *, loop: bool = False) -> None:
        """From now on one of these for each conversion; at the end the last one stays, or it starts over."""
        file = self._folder / f"trace{chip}"
        file.write_text("\n".join(map(str, counts)))
        self._command("trace", chip, file, "loop" if loop else "once")

    def oscillator(self, chip: int | None, factor: float) -> None:
        """How fast the chip runs: 1.0 is 80 (or 10) conversions a second. Real ones are 1.1 to 1.16, tests like 10."""
        self._command("oscillator", _name(chip), factor)

    def dead(self, chip: int | None, dead: bool = True) -> None:
        """The chip's data line comes off, or on again."""
        self._command("dead", _name(chip), int(dead))

    def stuck(self, chip: int | None, stuck: bool = True) -> None:
        """The chip's data line is shorted to ground, or freed."""
        self._command("stuck", _name(chip), int(stuck))

    def glitch(self, chip: int | None, every: int) -> None:
        """Every so many conversions come out as 2^n - 1; 0 for none."""
        self._command("glitch", _name(chip), every)

    def miss_pulse(self, chip: int | None, pulse: int = 12) -> None:
        """The chip does not see this clock pulse of the next reading: it falls out of step."""
        self._command("miss", _name(chip), pulse)

    # What happens to the line and the microcontroller

    def drop_every(self, n: int, *, to_module: bool = False) -> None:
        """Every nth byte on the line is lost; 0 for none."""
        self._command("drop", "in" if to_module else "out", n)

    def flip_every(self, n: int, *, to_module: bool = False) -> None:
        """Every nth byte on the line has a bit turned; 0 for none."""
        self._command("flip", "in" if to_module else "out", n)

    def unplug(self) -> None:
        """Pulls the USB plug: the port is gone, the module without power."""
        self._close_port()
        self._command("unplug")

    def replug(self) -> None:
        """Plugs it in again, at the same `port`."""
        self._command("replug")
        self._taken = self._bytes_out()

    def reset(self, *, after_bytes: int = 0) -> None:
        """The reset button; or pressed in the middle of things, when so many more bytes have been sent."""
        self._command("reset", *([after_bytes] if after_bytes else []))

    def hang(self) -> None:
        """The firmware runs in a circle until its watchdog bites."""
        self._command("hang")

    # Time

    def run(self, seconds: float) -> float:
        """Lets this much of the module's time pass, as fast as possible. Returns its clock in microseconds."""
        return float(self._command("run", f"{seconds:.9f}"))

    def stop(self) -> None:
        """Time stands still: the module is silent."""
        self._command("stop")

    def go(self, speed: float) -> None:
        """Time passes by itself: 1.0 real time, 0.0 as fast as the pty is read."""
        self._command("go", speed)

    # What came of it

    def send(self, data: bytes) -> None:
        """Puts bytes on the line to the module. They arrive when time passes; about 4000 can be on their way."""
        if os.write(self._open_port(), data) != len(data):
            raise BlockingIOError("More bytes are on their way to the module than the pty holds.")

    def received(self) -> bytes:
        """All bytes the module has sent since the last call. For tests that do not open `port` themselves."""
        fd, got = self._open_port(), bytearray()
        wanted = self._bytes_out() - self._taken
        while len(got) < wanted:
            if not select.select([fd], [], [], _PATIENCE_S)[0]:
                raise TimeoutError(f"{wanted - len(got)} bytes did not come out of the pty")
            got += os.read(fd, 65536)
        self._taken += len(got)
        return bytes(got)

    def truth(self) -> list[Conversion]:
        """Every conversion that has been read or lost so far, in the order in which that happened."""
        self._command("stats")
        rows = (line.split() for line in self._truth.read_text().splitlines())
        return [Conversion(float(t_us), int(chip), int(counts), fate) for t_us, chip, counts, fate in rows]

    def stats(self) -> dict[str, Any]:
        """`t_us`; bytes, dropped and flipped `to_pi` and `to_module`; for each of `chips` what was counted."""
        stats: dict[str, Any] = json.loads(self._command("stats"))
        return stats

    def _bytes_out(self) -> int:
        out = self.stats()["to_pi"]
        return int(out["bytes"] - out["dropped"])

    def _open_port(self) -> int:
        if self._fd < 0:
            self._fd = os.open(self.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        return self._fd

    def _close_port(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1

    def _command(self, *words: object) -> str:
        print(*words, file=self._pipe(self._process.stdin), flush=True)
        verdict, _, rest = self._answer().partition(" ")
        if verdict != "ok":
            raise ValueError(f"The emulator refused '{' '.join(map(str, words))}': {rest}.")
        return rest

    def _answer(self) -> str:
        line = self._pipe(self._process.stdout).readline().rstrip("\n")
        if not line:
            raise RuntimeError(f"The emulator ended with {self._process.wait(_PATIENCE_S)}.")
        return line

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        if pipe is None:
            raise RuntimeError("The emulator has no pipes.")
        return pipe


def _name(chip: int | None) -> str:
    return "*" if chip is None else str(chip)
