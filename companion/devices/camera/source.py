"""What every camera is to the feed, and how its own time becomes that of the monotonic clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeAlias

from msgspec import Struct

from companion.devices.presses import MonotonicNs
from companion.sensing.streams import Frame

Size: TypeAlias = tuple[int, int]
"""Width and height in pixels."""

_NS_PER_US = 1000
_OLDEST_NS = 2_000_000_000
"""A picture is handed over within this time of being taken; a stamp that says otherwise is of another clock."""


class Source(Protocol):
    """An open camera. It is opened, read and closed by one thread; each may take its time."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def live(self) -> bool:
        """Whether it looks at something real, whose picture is never twice the same."""

    @property
    def over(self) -> bool:
        """Whether it has shown all it has."""

    def read(self) -> Frame | None:
        """The next picture; None when there is none for a moment. Raises DeviceLost, in a sentence with a remedy.

        `index` counts the pictures that were taken: a gap tells of pictures that were lost on the way.
        """

    def close(self) -> None:
        """Let go of it; never raises."""


OpenSource = Callable[[], Source]


def boottime_ns() -> int:
    """The clock that also runs while the machine sleeps."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


class Clocks(Struct, frozen=True):
    """The clocks that drivers stamp pictures with."""

    monotonic_ns: MonotonicNs = time.monotonic_ns
    boottime_ns: MonotonicNs = boottime_ns

    def now_us(self) -> int:
        return self.monotonic_ns() // _NS_PER_US

    def taken_us(self, stamp_ns: float | None) -> int:
        """When a picture that has just arrived was taken, by its driver's stamp; now where that fits neither clock.

        >>> clocks = Clocks(lambda: 5_000_000_000, lambda: 9_000_000_000)
        >>> [clocks.taken_us(stamp) for stamp in (4_990_000_000, 8_990_000_000, 1_700_000_000e9, 0, None)]
        [4990000, 4990000, 5000000, 5000000, 5000000]
        """
        now_ns = self.monotonic_ns()
        if stamp_ns:
            for slept_ns in (0, self.boottime_ns() - now_ns):
                if 0 <= now_ns + slept_ns - stamp_ns <= _OLDEST_NS:
                    return int(stamp_ns - slept_ns) // _NS_PER_US
        return now_ns // _NS_PER_US
