"""How long things take, beside what they may take. The clock is handed in: rules have none of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

Clock = Callable[[], float]
"""Seconds from anywhere, going forward: time.perf_counter."""

_MS_PER_S = 1000


class Timing(Struct, frozen=True, kw_only=True):
    """One thing measured so many times. `most_ms` is what its 95th percentile may be, where that was promised."""

    what: str
    samples: int
    p50_ms: float
    p95_ms: float
    worst_ms: float
    most_ms: float | None = None

    @property
    def ok(self) -> bool:
        return self.most_ms is None or self.p95_ms < self.most_ms

    def __str__(self) -> str:
        promised = "" if self.most_ms is None else f"   at most {self.most_ms:g} ms: {'kept' if self.ok else 'BROKEN'}"
        return (
            f"{self.what:<44} p50 {self.p50_ms:>7.3f} ms   p95 {self.p95_ms:>7.3f} ms   worst {self.worst_ms:>7.3f} ms"
            f"   of {self.samples}{promised}"
        )


def timed(what: str, clock: Clock, calls: Iterable[Callable[[], object]], most_ms: float | None = None) -> Timing:
    """Run each call once and tell how long they took."""
    ms = sorted(_seconds(clock, call) * _MS_PER_S for call in calls)
    return Timing(
        what=what,
        samples=len(ms),
        p50_ms=ms[len(ms) // 2],
        p95_ms=ms[min(len(ms) - 1, len(ms) * 95 // 100)],
        worst_ms=ms[-1],
        most_ms=most_ms,
    )


def _seconds(clock: Clock, call: Callable[[], object]) -> float:
    start = clock()
    call()
    return clock() - start
