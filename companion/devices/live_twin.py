"""The simulated table as a device: a process with a camera, scale modules and hands that do as they are told.

with LiveTwin.start(boards=("south", "north")) as twin:
    scales = Scales(ports=twin.ports, ...)      # serial ports to any driver
    frame = twin.pictures.newest()
    twin.say("place tile on left")
    for told in twin.told(): ...                # what it says: done, wrong, and what truly happened
"""

from __future__ import annotations

import contextlib
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import IO, Any

import msgspec

from companion.devices.shared_pictures import PictureReader
from companion.errors import CompanionError, DeviceLost
from companion.sensing.plan import Plan, decode_plan

_READY_S = 60.0
_LOOK_S = 0.1
_GOODBYE_S = 3.0
_MOST_LINES = 2000
"""What it said and nobody came for: beyond this the oldest is forgotten."""
_MODULE = "companion.twin.live"


class LiveTwin:
    """A running twin. `plan` is the table it plays on, `ports` the serial port of each board's module."""

    def __init__(self, process: subprocess.Popen[bytes], stop: threading.Event | None = None) -> None:
        self._process = process
        self._lines: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._listener = threading.Thread(target=self._listen, name="live-twin", daemon=True)
        self._listener.start()
        try:
            ready = self._ready(stop or threading.Event())
            self.plan: Plan = decode_plan(msgspec.json.encode(ready["plan"]))
            self.ports: dict[str, str] = ready["ports"]
            self.pictures = PictureReader(ready["pictures"])
        except CompanionError:
            self._stop()
            raise

    @classmethod
    def start(
        cls,
        boards: Sequence[str] = ("south",),
        seed: int = 1,
        *,
        built: bool = True,
        stop: threading.Event | None = None,
    ) -> LiveTwin:
        """Start one, with towers on its boards where it is `built`; DeviceLost when it does not come up.

        That takes some seconds; `stop` ends the waiting.
        """
        command = [sys.executable, "-m", _MODULE, "--boards", ",".join(boards), "--seed", str(seed)]
        command += [] if built else ["--empty"]
        pipe = subprocess.PIPE
        return cls(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL), stop)

    def say(self, words: str) -> None:
        """Tell its hands what to do, in a scenario's words."""
        try:
            into = self._pipe(self._process.stdin)
            into.write(words.strip().encode() + b"\n")
            into.flush()
        except (OSError, ValueError) as err:
            raise DeviceLost("The simulated table does not answer any more.") from err

    def told(self, wait_s: float = 0.0) -> Iterator[dict[str, Any]]:
        """What it has said since it was last asked; waits so long for the first thing, if there is nothing yet."""
        with contextlib.suppress(queue.Empty):
            line = self._lines.get(timeout=wait_s) if wait_s else self._lines.get_nowait()
            while line is not None:
                yield line
                line = self._lines.get_nowait()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        """End the process and wait for it."""
        self.pictures.close()
        self._stop()

    def __enter__(self) -> LiveTwin:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _stop(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._pipe(self._process.stdin).close()
        try:
            self._process.wait(_GOODBYE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listener.join(_GOODBYE_S)
        self._pipe(self._process.stdout).close()

    def _listen(self) -> None:
        for line in self._pipe(self._process.stdout):
            with contextlib.suppress(msgspec.DecodeError):
                self._lines.put(msgspec.json.decode(line, type=dict[str, Any]))
            if self._lines.qsize() > _MOST_LINES:
                with contextlib.suppress(queue.Empty):
                    self._lines.get_nowait()
        self._lines.put(None)

    def _ready(self, stop: threading.Event) -> dict[str, Any]:
        line: dict[str, Any] | None = None
        for _ in range(round(_READY_S / _LOOK_S)):
            with contextlib.suppress(queue.Empty):
                line = self._lines.get(timeout=_LOOK_S)
                break
            if stop.is_set():
                break
        if line is None or line.get("kind") != "ready":
            raise DeviceLost(f"The simulated table did not start. {(line or {}).get('why', '')}".rstrip())
        return line

    @staticmethod
    def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
        assert stream is not None
        return stream
