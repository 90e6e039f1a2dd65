"""The one thread that senses: items in the order of time go in, events and readings come out.

It does not wait for the eye, which looks at pictures aside, except for the look under way when a sense comes or goes,
and for each look while no scales speak.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.live.aside import LookingAside
from companion.live.inbox import Inbox, InOrder, Passing
from companion.live.readings import Readings
from companion.live.shown import Reading
from companion.live.threads import NowUs
from companion.sensing.context import Context
from companion.sensing.gaze import at_once
from companion.sensing.plan import Plan
from companion.sensing.recording import Item
from companion.sensing.streams import Sensed
from companion.sensing.watch import Watcher

_WAIT_S = 0.02
_READ_US = 100_000


def understood(known: Mapping[str, Any], board: str) -> Context:
    """The desk's words about a board as the detectors take them.

    >>> known = {"phase": "building", "boards": {"south": {"at_turn": True, "base_tiles": ["left"]}, "north": {}}}
    >>> understood(known, "north")
    Context(phase='building', board='south', base_tile=False, removing=False)
    """
    boards: Mapping[str, Mapping[str, Any]] = known.get("boards", {})
    own = boards.get(board, {})
    at_turn = [name for name, each in boards.items() if each.get("at_turn")]
    return Context(
        phase=str(known.get("phase", "")),
        board=board if board in at_turn else next(iter(at_turn), None),
        base_tile=bool(own.get("at_turn") and own.get("base_tiles")),
        removing=bool(own.get("removing")),
    )


class Watching:
    """The work of the sensing thread. `emit` is given each event, `show` each new reading; `context` is asked for.

    `passing` hears of the frames that nobody looks at.

    One that hung and was `left` to itself says nothing more. Without `threads` it looks at pictures itself, and waits
    for nothing.
    """

    def __init__(
        self,
        plan: Plan,
        inbox: Inbox,
        readings: Readings,
        emit: Callable[[Sensed], None],
        show: Callable[[Reading], None],
        now_us: NowUs,
        *,
        context: Callable[[], Mapping[str, Any]] = dict,
        passing: Passing = lambda frame: None,
        threads: bool = True,
    ) -> None:
        self._aside = LookingAside() if threads and plan.camera is not None else None
        self.watcher = Watcher(plan, aside=self._aside or at_once, passing=passing)
        self.order = InOrder(now_us, passing)
        self._inbox, self._readings, self._emit, self._show = inbox, readings, emit, show
        self._now_us, self._wait_s = now_us, _WAIT_S if threads else 0.0
        self._context, self._known = context, dict[str, Any]()
        self._read_us = 0
        self.left = False

    def step(self) -> float:
        known = self._context()
        if known != self._known:
            self._known = dict(known)
            for board in self.watcher.plan.boards:
                self.watcher.tell(understood(known, board.id), board.id)
        for item in self.order.add(self._inbox.take(self._wait_s)):
            self._tell(self._sensed(item))
        now_us = self._now_us()
        if now_us - self._read_us >= _READ_US and not self.left:
            self._read_us = now_us
            self._show(self._readings.read(self.watcher, now_us))
        return 0.0

    def _sensed(self, item: Item) -> list[Sensed]:
        """The events that it decides. Where the eye breaks or hangs, what waits for it is told first."""
        try:
            return self.watcher.feed(item)
        except Exception:
            self._tell(self.watcher.break_off())
            raise

    def _tell(self, events: list[Sensed]) -> None:
        for event in events if not self.left else ():
            self._readings.take(event)
            self._emit(event)

    def close(self) -> None:
        if self._aside is not None:
            self._aside.close()
