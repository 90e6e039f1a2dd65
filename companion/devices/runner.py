"""Small programs run one after the other in their own thread: the app never waits for them, nor fails by them."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from companion.devices.presses import MonotonicNs

_LONGEST_S = 20.0
_REST_NS = 20_000_000_000
_GOODBYE_S = 2.0


class Process(Protocol):
    """A program under way: what we use of `subprocess.Popen`."""

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, once it has ended. Raises subprocess.TimeoutExpired."""

    def terminate(self) -> None:
        """Ask it to end."""

    def kill(self) -> None:
        """End it."""


Start = Callable[[Sequence[str]], Process]


def start_quietly(command: Sequence[str]) -> Process:
    """Start a program that reads nothing and whose words go nowhere."""
    quiet = subprocess.DEVNULL
    return subprocess.Popen(list(command), stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


class Job(Struct, frozen=True):
    """What to run, made up in the thread. A higher `rank` cuts a lower one short; a lower one is not worth waiting."""

    command: Callable[[], Sequence[str]]
    rank: int = 0


class Runner:
    """One program at a time, and one that waits: of those that could wait, the newest does.

    After a failure `trouble` says so, nothing is started for a while, and then it is tried again.
    """

    def __init__(self, start: Start = start_quietly, monotonic_ns: MonotonicNs = time.monotonic_ns) -> None:
        self.trouble = ""
        self._start = start
        self._now_ns = monotonic_ns
        self._rests_until_ns = monotonic_ns()
        self._changed = threading.Condition()
        self._current: Job | None = None
        self._waiting: Job | None = None
        self._process: Process | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def put(self, job: Job) -> None:
        """Run a job as soon as its turn comes, unless something of a higher rank is under way."""
        with self._changed:
            if self._closed or self._outranks(job) or self._now_ns() < self._rests_until_ns:
                return
            self._waiting = job
            if self._process is not None and self._current is not None and self._current.rank < job.rank:
                self._process.terminate()
            self._changed.notify_all()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="companion-runner", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End what is under way; nothing is run any more."""
        with self._changed:
            self._closed, self._waiting = True, None
            if self._process is not None:
                self._process.terminate()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(_GOODBYE_S)

    def settle(self, patience_s: float = _GOODBYE_S) -> bool:
        """Wait until nothing is under way. For programs that end after the sound, and for tests."""
        with self._changed:
            return self._changed.wait_for(lambda: self._current is None and self._waiting is None, patience_s)

    def _outranks(self, job: Job) -> bool:
        return any(other is not None and other.rank > job.rank for other in (self._current, self._waiting))

    def _work(self) -> None:
        while (job := self._next()) is not None:
            self._do(job)

    def _next(self) -> Job | None:
        with self._changed:
            self._current = self._process = None
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._closed or self._waiting is not None)
            self._current, self._waiting = self._waiting, None
            return self._current

    def _do(self, job: Job) -> None:
        try:
            command = job.command()
            if not self._overtaken(job):
                self._told(command, self._run(job, command))
        except OSError as error:
            self._fail(f"{error.filename or 'A program'} cannot be used: {(error.strerror or str(error)).lower()}.")

    def _run(self, job: Job, command: Sequence[str]) -> int:
        process = self._start(command)
        with self._changed:
            self._process = process
            if self._overtaken(job):
                process.terminate()
        return _ended(process)

    def _overtaken(self, job: Job) -> bool:
        """Whether something more urgent has come meanwhile."""
        waiting = self._waiting
        return self._closed or (waiting is not None and waiting.rank > job.rank)

    def _told(self, command: Sequence[str], code: int) -> None:
        """A program that was cut short has no exit code of its own."""
        if code > 0:
            self._fail(f"{Path(command[0]).name} did not work (exit code {code}).")
        elif code == 0:
            self.trouble = ""

    def _fail(self, says: str) -> None:
        self.trouble = says
        self._rests_until_ns = self._now_ns() + _REST_NS


def _ended(process: Process) -> int:
    """Its exit code; what hangs is ended."""
    try:
        return process.wait(_LONGEST_S)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()
