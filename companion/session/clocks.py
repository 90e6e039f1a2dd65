"""Time at the table: one running total per seat, several seats at once, a pause, and nothing while it is off.

Totals are kept in the journal with every line, so a pulled plug loses at most the time since the last line. They run
on a monotonic clock that starts anew with the process: the time the machine was off or asleep never counts.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import Malformed

_NS_PER_S = 1_000_000_000
_NS_PER_MS = 1_000_000


class Clock(Protocol):
    """Where time comes from."""

    def monotonic_ns(self) -> int:
        """Time that only goes on, from any start."""

    def wall_ns(self) -> int:
        """Time since 1970 (UTC), as far as the machine knows it."""


class SystemClock:
    """The machine's own clocks."""

    def monotonic_ns(self) -> int:
        return time.monotonic_ns()

    def wall_ns(self) -> int:
        return time.time_ns()


class ManualClock:
    """A clock for tests: it moves when told.

    >>> clock = ManualClock()
    >>> clock.advance(1.5)
    >>> clock.monotonic_ns()
    1500000000
    """

    def __init__(self, wall_s: int = 0) -> None:
        self._ns = 0
        self._wall_ns = wall_s * _NS_PER_S

    def monotonic_ns(self) -> int:
        return self._ns

    def wall_ns(self) -> int:
        return self._wall_ns + self._ns

    def advance(self, seconds: float) -> None:
        self._ns += round(seconds * _NS_PER_S)


class Times(Struct, frozen=True, kw_only=True):
    """What the clocks show: thinking time of each seat, playing time of the table, and who is thinking now."""

    seats_ms: tuple[int, ...]
    table_ms: int = 0
    active: tuple[int, ...] = ()
    paused: bool = False


class SeatClocks:
    """The clocks of one table. Time passes for the table and for every active seat, unless paused."""

    def __init__(self, times: Times, clock: Clock) -> None:
        self._clock = clock
        self._seats_ns = [ms * _NS_PER_MS for ms in times.seats_ms]
        self._table_ns = times.table_ms * _NS_PER_MS
        self._active = times.active
        self._paused = times.paused
        self._since_ns = clock.monotonic_ns()

    @classmethod
    def fresh(cls, seats: int, clock: Clock) -> SeatClocks:
        """Clocks at zero, running for the table and for nobody yet."""
        return cls(Times(seats_ms=(0,) * seats), clock)

    @classmethod
    def taken_up(cls, times: Times, clock: Clock) -> SeatClocks:
        """Clocks of a game opened again: paused, until someone says it goes on."""
        return cls(replace(times, paused=True), clock)

    @property
    def active(self) -> tuple[int, ...]:
        return self._active

    @property
    def paused(self) -> bool:
        return self._paused

    def activate(self, seats: Iterable[int]) -> None:
        """From now on it is these seats whose time runs."""
        chosen = tuple(sorted(set(seats)))
        if any(not 0 <= seat < len(self._seats_ns) for seat in chosen):
            raise Malformed(f"The clocks have seats 0 to {len(self._seats_ns) - 1}.")
        self._settle()
        self._active = chosen

    def pause(self) -> None:
        self._settle()
        self._paused = True

    def resume(self) -> None:
        self._settle()
        self._paused = False

    def seat_s(self, seat: int) -> float:
        """How long a seat has been thinking."""
        self._settle()
        return self._seats_ns[seat] / _NS_PER_S

    @property
    def table_s(self) -> float:
        """How long the table has been playing."""
        self._settle()
        return self._table_ns / _NS_PER_S

    def times(self) -> Times:
        self._settle()
        return Times(
            seats_ms=tuple([ns // _NS_PER_MS for ns in self._seats_ns]),
            table_ms=self._table_ns // _NS_PER_MS,
            active=self._active,
            paused=self._paused,
        )

    def _settle(self) -> None:
        """Book the time since the last look."""
        now_ns = self._clock.monotonic_ns()
        passed_ns, self._since_ns = now_ns - self._since_ns, now_ns
        if self._paused:
            return
        self._table_ns += passed_ns
        for seat in self._active:
            self._seats_ns[seat] += passed_ns
