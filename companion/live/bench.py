"""How soon the live table tells of a collapse: from the touch to the app, in real time, on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from companion.errors import CompanionError
from companion.live.sources import simulated
from companion.live.table import LiveTable, monotonic_us
from companion.sensing.streams import Sensed

_POLL_S = 1 / 60
_UP_S = 90.0
_SETTLE_S = 6.0
_AFTER_S = 8.0
_ACT_S = 30.0
_SAME_US = 2_500_000
_US_PER_MS = 1000
_BOARDS = ("south", "north")
_ACTS = ("knock left", "north: knock right", "knock right")


class Call(Struct, frozen=True):
    """A collapse that was called: ms after the touch, when it was decided and when the app had it."""

    decided_ms: float
    out_ms: float


class LiveReport(Struct, frozen=True, kw_only=True):
    """All calls, the touches that were not called, the calls without a touch, and how well the table kept its time."""

    calls: tuple[Call, ...]
    missed: int
    false: int
    fps: tuple[float, ...]
    behind_ms: tuple[float, ...]
    up_s: tuple[float, ...]
    counts: dict[str, int]


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of them lies.

    >>> quantile([3.0, 1.0, 2.0], 0.5)
    2.0
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def measure(rounds: int, say: Callable[[str], None], seed: int = 100) -> LiveReport:
    """Bring down some towers in each round, the last where pieces lie about already; each round on another table."""
    watches = [_Watch(seed + number) for number in range(rounds)]
    for number, watch in enumerate(watches):
        watch.play()
        say(f"round {number + 1} of {rounds}: {len(watch.touches)} touches, {len(watch.called)} calls")
    judged = [watch.judged() for watch in watches]
    counts: dict[str, int] = {}
    for watch in watches:
        for name, many in watch.counts.items():
            counts[name] = counts.get(name, 0) + many
    return LiveReport(
        calls=tuple(call for calls, _, _ in judged for call in calls),
        missed=sum(missed for _, missed, _ in judged),
        false=sum(false for _, _, false in judged),
        fps=tuple(fps for watch in watches for fps in watch.fps),
        behind_ms=tuple(ms for watch in watches for ms in watch.behind_ms),
        up_s=tuple(watch.up_s for watch in watches),
        counts=counts,
    )


class _Watch:
    """One table, watched as the app does."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.touches: list[int] = []
        self.called: list[tuple[Sensed, int]] = []
        self.fps: list[float] = []
        self.behind_ms: list[float] = []
        self.counts: dict[str, int] = {}
        self.up_s = 0.0
        self._done = 0
        self._seen_us = 0

    def play(self) -> None:
        table = LiveTable(simulated(_BOARDS, self._seed, built=True))
        table.start()
        try:
            self.up_s = self._until(table, _UP_S, lambda: table.ready)
            self._until(table, _SETTLE_S)
            for number, act in enumerate(_ACTS, start=1):
                table.hand(act)
                self._until(table, _ACT_S, lambda number=number: self._done >= number)  # type: ignore[misc]
                self._until(table, _AFTER_S)
            self.counts = table.counts
        finally:
            table.close()

    def judged(self) -> tuple[list[Call], int, int]:
        """The calls that belong to a touch, the touches without, and the calls without."""
        calls, left = [], list(self.called)
        for touch_us in self.touches:
            near = [each for each in left if abs(each[0].t_us - touch_us) < _SAME_US]
            if near:
                event, out_us = near[0]
                left.remove(near[0])
                calls.append(Call((event.decided_us - touch_us) / _US_PER_MS, (out_us - touch_us) / _US_PER_MS))
        return calls, len(self.touches) - len(calls), len(left)

    def _until(self, table: LiveTable, seconds: float, true: Callable[[], bool] = lambda: False) -> float:
        """Poll so long, or until it is true; how long it was."""
        began_s = time.monotonic()
        while time.monotonic() - began_s < seconds and not true():
            self._look(table)
            time.sleep(_POLL_S)
        return time.monotonic() - began_s

    def _look(self, table: LiveTable) -> None:
        now_us = monotonic_us()
        self.called += [(event, now_us) for event in table.poll() if event.kind == "collapse"]
        for told in table.told():
            self._hear(told)
        frame = table.newest
        if frame is not None and frame.t_us != self._seen_us:
            if self._seen_us:
                self.fps.append(1e6 / (frame.t_us - self._seen_us))
            self.behind_ms.append((now_us - frame.t_us) / _US_PER_MS)
            self._seen_us = frame.t_us

    def _hear(self, told: dict[str, Any]) -> None:
        if told["kind"] == "wrong":
            raise CompanionError(f"The simulated hand cannot '{told['line']}': {told['why']}")
        self._done += told["kind"] == "done"
        if told["kind"] == "truth" and told["event"]["kind"] == "collapse":
            self.touches.append(told["at_us"])
