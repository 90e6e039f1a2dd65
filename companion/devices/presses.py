"""Presses on their way from a button to the app: stamped, without the bouncing of contacts, never more than a few."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, Full, Queue

from msgspec import Struct

from companion.devices.pins import ButtonName

_QUIET_US = 30_000
"""A contact bounces for up to 20 ms when it closes and when it opens: a press counts after this long a rest."""
_MOST_WAITING = 16
_NS_PER_US = 1000

MonotonicNs = Callable[[], int]


class Press(Struct, frozen=True):
    """A button went down, at a moment of the monotonic clock."""

    button: ButtonName
    t_us: int


class Presses:
    """A bounded queue between the thread that reads the buttons and the app. What finds no room is dropped and counted.

    `down` and `up` are for that thread, one call for each edge; `take` is for the app.
    """

    def __init__(self, monotonic_ns: MonotonicNs) -> None:
        self._now_ns = monotonic_ns
        self._queue: Queue[Press] = Queue(_MOST_WAITING)
        self._up_at_us: dict[ButtonName, int] = {}
        self.dropped = 0

    def down(self, button: ButtonName) -> None:
        """A contact closed."""
        now_us = self._now_us()
        last_up_us = self._up_at_us.get(button)
        if last_up_us is not None and now_us - last_up_us < _QUIET_US:
            return
        try:
            self._queue.put_nowait(Press(button, now_us))
        except Full:
            self.dropped += 1

    def up(self, button: ButtonName) -> None:
        """A contact opened."""
        self._up_at_us[button] = self._now_us()

    def take(self) -> tuple[Press, ...]:
        """Everything pressed since the last time, in order."""
        taken: list[Press] = []
        while len(taken) < _MOST_WAITING:
            try:
                taken.append(self._queue.get_nowait())
            except Empty:
                break
        return tuple(taken)

    def _now_us(self) -> int:
        return self._now_ns() // _NS_PER_US
