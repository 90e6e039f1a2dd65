"""Threads that do one thing again and again: watched, mended when they stumble, replaced when they hang."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

NowUs = Callable[[], int]

_REST_S = 0.5
"""After a failure, so long until it is tried again."""
_GOODBYE_S = 3.0
_HANGS_US = 8_000_000
_MOST_ABANDONED = 4
_US_PER_S = 1_000_000


class Work(Protocol):
    """What a loop does."""

    def step(self) -> float:
        """Do what is to be done now; how many seconds may pass until the next time."""

    def close(self) -> None:
        """Let go of everything."""


Make = Callable[[], Work]
Failed = Callable[[str, Exception], None]
"""Hears the name of the loop, and what was raised."""


class Loop:
    """Makes a work and steps it on a thread of its own. Work that raises is told, closed and made anew.

    Without `start`, `once` does what the thread would do next.
    """

    def __init__(self, name: str, make: Make, failed: Failed, now_us: NowUs) -> None:
        self.name = name
        self.failures = 0
        self._make = make
        self._failed = failed
        self._now_us = now_us
        self._turn = _Turn()
        self._abandoned: list[_Turn] = []

    def start(self) -> None:
        turn = self._turn
        turn.beat_us = self._now_us()
        turn.thread = threading.Thread(target=self._run, args=(turn,), name=f"live-{self.name}", daemon=True)
        turn.thread.start()

    def once(self) -> None:
        """One step, unless the loop would still be waiting."""
        turn, now_us = self._turn, self._now_us()
        if now_us >= turn.next_us:
            turn.next_us = now_us + round(self._step(turn) * _US_PER_S)

    @property
    def hangs(self) -> bool:
        """Whether its step has been under way for far too long."""
        turn = self._turn
        return turn.thread is not None and self._now_us() - turn.beat_us > _HANGS_US

    def replace(self) -> bool:
        """Leave a thread that hangs to itself, and begin anew; False when too many have been left already."""
        self._abandoned = [turn for turn in self._abandoned if turn.alive]
        if len(self._abandoned) >= _MOST_ABANDONED:
            return False
        self._turn.stop.set()
        self._abandoned.append(self._turn)
        self._turn = _Turn()
        self.start()
        return True

    def stop(self) -> None:
        """Ask it to end. It does so after the step under way."""
        self._turn.stop.set()

    def join(self) -> bool:
        """Wait for its end; False when it hangs and was left behind."""
        turn = self._turn
        if turn.thread is None:
            self._close(turn)
            return True
        turn.thread.join(_GOODBYE_S)
        return not turn.alive

    def _run(self, turn: _Turn) -> None:
        while not turn.stop.is_set():
            turn.beat_us = self._now_us()
            turn.stop.wait(self._step(turn))
        self._close(turn)

    def _step(self, turn: _Turn) -> float:
        try:
            if turn.work is None:
                turn.work = self._make()
            return turn.work.step()
        except Exception as error:  # noqa: BLE001 - whatever breaks one sense must not end the table
            self.failures += 1
            self._failed(self.name, error)
            self._close(turn)
            return _REST_S

    def _close(self, turn: _Turn) -> None:
        work, turn.work = turn.work, None
        if work is None:
            return
        try:
            work.close()
        except Exception as error:  # noqa: BLE001 - as above
            self._failed(self.name, error)


class _Turn:
    """A thread's life, from its start until it ends or is left to itself."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.thread: threading.Thread | None = None
        self.work: Work | None = None
        self.beat_us = 0
        self.next_us = 0

    @property
    def alive(self) -> bool:
        return self.thread is not None and self.thread.is_alive()
