"""Hours at the live table in minutes: whether its memory and its open files stay what they were."""

from __future__ import annotations

import gc
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from companion.live.log import TableLog
from companion.live.looped import LoopedTable
from companion.live.table import LiveTable
from companion.sensing.recording import Recording
from companion.session import folder

_STEP_US = 20_000
_US_PER_S = 1_000_000
_LOOK_S = 900.0
_RECORD_EVERY_S, _RECORD_FROM_S, _RECORD_FOR_S = 600.0, 100.0, 30.0
"""Never while somebody looks: what a recording holds open is no leak."""
_WARM_S = 300.0
_KB_PER_MB = 1000
_GROWTH_MB = 25.0
_SELF = Path("/proc/self")


class Look(Struct, frozen=True):
    """What the process holds at a moment of the table's time."""

    table_s: float
    memory_mb: float
    files: int
    threads: int


class SoakReport(Struct, frozen=True, kw_only=True):
    """A soak from its beginning to its end."""

    looks: tuple[Look, ...]
    events: dict[str, int]
    counts: dict[str, int]
    took_s: float
    laps: int

    @property
    def grown_mb(self) -> float:
        """How much more memory there is at the end than after the first minutes."""
        return self.looks[-1].memory_mb - self.looks[1].memory_mb

    @property
    def flat(self) -> bool:
        """Whether memory, files and threads are what they were, and no thread had to be mended."""
        first, last = self.looks[1], self.looks[-1]
        same = last.files <= first.files and last.threads <= first.threads
        return same and self.grown_mb < _GROWTH_MB and not self.counts["mended"]


class _TableTime:
    """A clock that goes as fast as the machine can."""

    def __init__(self) -> None:
        self.now_us = _US_PER_S

    def __call__(self) -> int:
        return self.now_us


def soak(recording: Recording, hours: float, tell: Callable[[Look], None] = lambda look: None) -> SoakReport:
    """Let a recording run through the live table over and over for so many hours of its own time.

    Everything but the drivers takes part: queues, order, detectors, readings, the last seconds, and a short recording
    every ten minutes.
    """
    began_s, clock = time.monotonic(), _TableTime()
    with folder.scratch() as scratch:
        table = LoopedTable(recording, clock)
        live = LiveTable(table, log=TableLog(Path(scratch)), now_us=clock, threads=False)
        live.start()
        looks, events = [_look(0.0)], Counter[str]()
        tell(looks[0])
        run = _Soak(live, clock, Path(scratch) / "recording", events)
        for until_s in _moments(hours * 3600):
            run.until(until_s)
            run.end_recording()
            looks.append(_look(until_s))
            tell(looks[-1])
        counts = live.counts
        live.close()
    took_s = time.monotonic() - began_s
    return SoakReport(looks=tuple(looks), events=dict(events), counts=counts, took_s=took_s, laps=table.laps)


class _Soak:
    def __init__(self, live: LiveTable, clock: _TableTime, kept: Path, events: Counter[str]) -> None:
        self._live, self._clock, self._kept, self._events = live, clock, kept, events

    def until(self, table_s: float) -> None:
        """Play on until this time of the table."""
        while self._clock.now_us < (table_s + 1) * _US_PER_S:
            self._clock.now_us += _STEP_US
            self._live.step()
            self._events.update(event.kind for event in self._live.poll())
            self._record(self._clock.now_us / _US_PER_S % _RECORD_EVERY_S)

    def _record(self, in_round_s: float) -> None:
        wanted = 0 < in_round_s - _RECORD_FROM_S < _RECORD_FOR_S
        if wanted and self._live.recording is None:
            self._live.record(self._kept)
        elif not wanted:
            self.end_recording()

    def end_recording(self) -> None:
        """What a recording holds open is no growth: none runs while memory and files are looked at."""
        if self._live.recording is not None:
            self._live.stop_recording()
            shutil.rmtree(self._kept, ignore_errors=True)


def _moments(seconds: float) -> list[float]:
    """When to look: after the first minutes, then every quarter of an hour, and at the end."""
    return [_WARM_S, *(at * _LOOK_S for at in range(1, 1 + int(seconds / _LOOK_S)) if at * _LOOK_S < seconds), seconds]


def _look(table_s: float) -> Look:
    gc.collect()
    status = dict(line.split(":", 1) for line in (_SELF / "status").read_text().splitlines() if ":" in line)
    memory_mb = int(status["VmRSS"].split()[0]) / _KB_PER_MB
    return Look(table_s, memory_mb, len(list((_SELF / "fd").iterdir())), threading.active_count())
