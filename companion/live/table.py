"""The live table: devices are read, what they give is sensed, and the app asks for what came of it.

    table = LiveTable(simulated(("south", "north"), seed=1))
    table.start()
    for event in table.poll(): ...       # some 20 times a second, on the app's own thread
    table.close()

Nothing here waits for a device and nothing raises because of one. What is wrong stands in `health` and heals by itself.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, DeviceLost
from companion.live.log import TableLog
from companion.live.recorder import NO_TABLE, Memory, Recorder
from companion.live.running import Running
from companion.live.shown import Reading, SenseHealth, SenseKind, SenseState
from companion.live.sources import Sources
from companion.live.threads import Loop, NowUs
from companion.live.traces import Trace
from companion.sensing.evidence import Evidence
from companion.sensing.plan import Plan
from companion.sensing.streams import Frame, Sensed

_MOST_EVENTS = 2000
_KEEP_S = 0.1
_OPEN_AGAIN_US = 2_000_000
_TOLD_US = 10_000_000
"""How long health tells of something that is over."""
_NOT_UP = "The simulated table is not up yet; it takes a few seconds."


def monotonic_us() -> int:
    """The machine's clock that only goes on."""
    return time.monotonic_ns() // 1000


class LiveTable:
    """A table with its senses. All of it is for one thread, the app's; the others are inside.

    Without `threads` nothing runs by itself: `step` does what each of them would do next.
    """

    def __init__(
        self,
        sources: Sources,
        *,
        log: TableLog | None = None,
        now_us: NowUs = monotonic_us,
        recorder: Recorder | None = None,
        threads: bool = True,
    ) -> None:
        self.simulated = sources.simulated
        self.log = log or TableLog()
        self._sources = sources
        self._now_us = now_us
        self._threads = threads
        self._stop = threading.Event()
        self._memory = Memory(now_us, recorder) if threads else Memory(now_us, recorder, wait_s=0.0)
        self._events: deque[Sensed] = deque(maxlen=_MOST_EVENTS)
        self._context: Mapping[str, Any] = {}
        self._up: Running | None = None
        self._opening = "" if sources.says else "The table is starting."
        self._open_us = 0
        self._stumbled_us: int | None = None
        self._health: tuple[SenseHealth, ...] = self._looked_after(now_us())
        self._keeping = Loop("keeper", lambda: _Keeping(self), self._failed, now_us)
        self._remembering = Loop("memory", lambda: self._memory, self._failed, now_us)

    # For the app

    def start(self) -> None:
        """Bring everything up; returns at once."""
        self.log.say("the table starts")
        if self._threads:
            self._keeping.start()
            self._remembering.start()

    def close(self) -> None:
        """End everything. Waits some seconds at most."""
        self._stop.set()
        for loop in (self._keeping, self._remembering):
            loop.stop()
        ended = [loop.join() for loop in (self._keeping, self._remembering)]
        self._take_down()
        self._memory.stop()
        self.log.say("the table ends" if all(ended) else "the table ends, and leaves a thread behind that hangs")
        self.log.close()

    @property
    def ready(self) -> bool:
        """Whether the table is up, and `plan` known."""
        return self._up is not None

    @property
    def plan(self) -> Plan:
        """The table as it is laid out; without boards until it is up."""
        up = self._up
        return up.plan if up else NO_TABLE

    def poll(self) -> list[Sensed]:
        """The events since the last time, in the order in which they were decided."""
        events: list[Sensed] = []
        while self._events:
            events.append(self._events.popleft())
        return events

    def tell(self, context: Mapping[str, Any]) -> None:
        """What the game knows: whose turn, which phase, what is expected. It holds until the next time."""
        self._context = dict(context)
        up = self._up
        if up is not None:
            up.context = self._context

    @property
    def health(self) -> tuple[SenseHealth, ...]:
        """How each sense is, and whatever else there is to be said."""
        return self._health

    @property
    def newest(self) -> Frame | None:
        """The newest picture."""
        up = self._up
        return up.newest if up else None

    @property
    def reading(self) -> Reading:
        """What stands and lies on the boards, as it is read now."""
        up = self._up
        return up.reading if up else Reading(t_us=self._now_us())

    def trace(self, board: str, seconds: float) -> Trace:
        """Times and grams of a board's last seconds."""
        up = self._up
        return up.traces.trace(board, seconds) if up else []

    def evidence(self, event: Sensed) -> Evidence:
        """The pictures and samples around an event of the last seconds; less of them while it has just happened."""
        return self._memory.evidence(event)

    def record(self, folder: Path) -> None:
        """Record everything into a folder from now on; CompanionError says why it cannot be."""
        self._memory.record(folder, self._context)
        self.log.say(f"a recording begins: {folder}")

    def stop_recording(self) -> Path | None:
        """Finish the recording; where it is, None when there was none or nothing of it could be kept."""
        kept = self._memory.stop()
        self.log.say(f"the recording ends: {kept or self._memory.recorder.trouble or 'there was none'}")
        return kept

    @property
    def recording(self) -> Path | None:
        """Where a recording is under way."""
        return self._memory.recorder.folder

    def hand(self, words: str) -> None:
        """Tell the simulated hand what to do, in a scenario's words; DeviceLost when there is none."""
        up = self._up
        if up is None:
            raise DeviceLost(_NOT_UP if self.simulated else "There is no simulated table.")
        up.table.hand(words)

    def told(self) -> list[dict[str, Any]]:
        """What the simulated table said since the last time: done, wrong, and what truly happened."""
        up = self._up
        return list(up.table.told()) if up else []

    @property
    def counts(self) -> dict[str, int]:
        """What was counted since the table came up: items that found no room or came late, and threads mended."""
        up = self._up
        return up.counts() if up else {}

    def step(self) -> None:
        """Without threads: what each of them would do next."""
        self._keeping.once()
        for loop in self._up.loops if self._up else ():
            loop.once()
        self._remembering.once()

    # On the keeper's thread

    def keep(self) -> float:
        """Bring up what is down, look after what is up."""
        now_us = self._now_us()
        if self._up is not None and not self._up.table.alive:
            self.log.warn("the simulated table has ended by itself and is started again")
            self._opening = "The simulated table ended and is being started again."
            self._take_down()
        if self._up is None and not self._sources.says and now_us >= self._open_us:
            self._bring_up()
        if self._up is not None:
            for loop in self._up.loops:
                self._look_after(loop)
        self._health = self._looked_after(self._now_us())
        return _KEEP_S

    def _bring_up(self) -> None:
        try:
            table = self._sources.open(self._stop)
        except CompanionError as error:
            self._opening = str(error)
            self._open_us = self._now_us() + _OPEN_AGAIN_US
            if not self._stop.is_set():
                self.log.warn(f"the table does not come up: {error}")
            return
        if self._stop.is_set():
            table.close()
            return
        self.log.say(f"the table is up: {', '.join(board.id for board in table.plan.boards)}")
        self._memory.use(table.plan)
        up = Running(table, self._memory, self.log, self._now_us, self._events.append, self._failed, self._threads)
        up.context = self._context
        up.start()
        self._up, self._opening = up, ""

    def _take_down(self) -> None:
        up, self._up = self._up, None
        if up is not None:
            up.close()

    def _look_after(self, loop: Loop) -> None:
        if loop.hangs and loop.replace():
            self.log.warn(f"the thread '{loop.name}' hangs and is replaced")
            self._stumbled_us = self._now_us()

    def _looked_after(self, now_us: int) -> tuple[SenseHealth, ...]:
        found: list[SenseHealth] = []
        if self._sources.says:
            found.append(_entry("table", "off", self._sources.says, self._sources.remedy))
        elif self._opening:
            found.append(_entry("table", "starting", self._opening))
        up = self._up
        if up is not None:
            found += up.health(now_us)
        if self._stumbled_us is not None and now_us - self._stumbled_us < _TOLD_US:
            found.append(_entry("sensing", "starting", "Sensing stumbled and was started anew; the game goes on."))
        return (*found, *self._writing())

    def _writing(self) -> list[SenseHealth]:
        recorder, found = self._memory.recorder, list[SenseHealth]()
        if recorder.folder is not None:
            found.append(_entry("recording", "ready", f"The table is being recorded into {recorder.folder}."))
        elif recorder.trouble:
            found.append(_entry("recording", "lost", recorder.trouble, "Make room on the disk, and start it again."))
        if self.log.trouble:
            found.append(_entry("log", "lost", self.log.trouble, "Make room on the disk; the game goes on."))
        return found

    def _failed(self, name: str, error: Exception) -> None:
        self.log.warn(f"the thread '{name}' stumbled: {type(error).__name__}: {error}", error)
        self._stumbled_us = self._now_us()


class _Keeping:
    """The work of the thread that looks after the others."""

    def __init__(self, table: LiveTable) -> None:
        self._table = table

    def step(self) -> float:
        return self._table.keep()

    def close(self) -> None:
        """What is up stays up."""


def _entry(sense: SenseKind, state: SenseState, says: str, remedy: str = "") -> SenseHealth:
    return SenseHealth(name=sense.capitalize(), sense=sense, state=state, says=says, remedy=remedy)
