"""A table while it is up: its threads, what they share, and what they have found last."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.live.inbox import Inbox
from companion.live.log import TableLog
from companion.live.reading import Looking, Weighing
from companion.live.readings import Readings
from companion.live.recorder import Memory
from companion.live.shown import Reading, SenseHealth
from companion.live.sources import OpenTable
from companion.live.supervision import camera_health, scales_health
from companion.live.threads import Failed, Loop, NowUs
from companion.live.traces import Traces
from companion.live.watching import Watching
from companion.sensing.recording import Item
from companion.sensing.streams import Frame, ScaleSample, Sensed


class Running:
    """Reads the devices of an open table, senses, and keeps the newest of all. `context` is what the game knows."""

    def __init__(
        self,
        table: OpenTable,
        memory: Memory,
        log: TableLog,
        now_us: NowUs,
        emit: Callable[[Sensed], None],
        failed: Failed,
        threads: bool = True,
    ) -> None:
        self.table = table
        self.plan = table.plan
        self.context: Mapping[str, Any] = {}
        self.newest: Frame | None = None
        self.reading = Reading(t_us=now_us())
        self.traces = Traces(self.plan)
        self._memory, self._log, self._now_us, self._emit, self._threads = memory, log, now_us, emit, threads
        self._inbox = Inbox(passing=memory.passed)
        self._readings = Readings(self.plan, self.traces)
        self._began_us = now_us()
        self._weighing: Weighing | None = None
        self._looking: Looking | None = None
        self._watching: Watching | None = None
        self._late = self._let_pass = 0
        self.loops = [Loop("scales", self._weigh, failed, now_us), Loop("sensing", self._watch, failed, now_us)]
        if self.plan.camera is not None:
            self.loops.insert(1, Loop("camera", self._look, failed, now_us))

    def start(self) -> None:
        """Let every thread begin, if there are to be threads."""
        for loop in self.loops if self._threads else ():
            loop.start()

    def close(self) -> None:
        """End every thread, and the table."""
        for loop in self.loops:
            loop.stop()
        for loop in self.loops:
            if not loop.join():
                self._log.warn(f"the thread '{loop.name}' hangs and is left behind")
        self.table.close()

    def health(self, now_us: int) -> list[SenseHealth]:
        """How its senses are."""
        looking, weighing = self._looking, self._weighing
        reports, felt_us = (weighing.reports, weighing.felt_us) if weighing else ((), {})
        camera = camera_health(self.plan, looking.status if looking else None)
        return camera + scales_health(self.plan, reports, felt_us, self._began_us, now_us)

    def counts(self) -> dict[str, int]:
        """What found no room, came late or while the eye was busy, or had to be mended."""
        watching = self._watching
        return {
            "dropped frames": self._inbox.dropped_frames,
            "let pass": self._let_pass + (watching.watcher.let_pass if watching else 0),
            "dropped samples": self._inbox.dropped_samples,
            "unremembered": self._memory.inbox.dropped_frames + self._memory.inbox.dropped_samples,
            "late": self._late + (watching.order.late if watching else 0),
            "mended": sum(loop.failures for loop in self.loops),
        }

    # The work of each thread

    def _weigh(self) -> Weighing:
        self._weighing = Weighing(self.table.open_scales(), self.plan, self._felt, self._log, self._now_us)
        return self._weighing

    def _look(self) -> Looking:
        wait_s = {} if self._threads else {"wait_s": 0.0}
        camera = self.table.open_camera()
        self._looking = Looking(camera, self.plan, self._inbox.put, self._memory.inbox.put, self._show, **wait_s)
        return self._looking

    def _watch(self) -> Watching:
        before = self._watching
        if before is not None:
            before.left = True
            self._late += before.order.late
            self._let_pass += before.watcher.let_pass
        self._watching = Watching(
            self.plan,
            self._inbox,
            self._readings,
            self._emit,
            self._read,
            self._now_us,
            context=lambda: self.context,
            passing=self._memory.passed,
            threads=self._threads,
        )
        return self._watching

    def _felt(self, samples: Sequence[Item]) -> None:
        self._inbox.put(samples)
        self._memory.inbox.put(samples)
        for sample in samples:
            if isinstance(sample, ScaleSample):
                self.traces.add(sample)

    def _show(self, frame: Frame) -> None:
        self.newest = frame

    def _read(self, reading: Reading) -> None:
        self.reading = reading
