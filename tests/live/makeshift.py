"""A makeshift table: simulated scale modules and a simulated camera, in which time passes when it is told to."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.devices.camera.feed import CameraFeed
from companion.devices.camera.twin import SimCamera
from companion.devices.scales.driver import Scales
from companion.devices.scales.twin import SimModule, SimTable, Source, trace
from companion.live.log import TableLog
from companion.live.recorder import Recorder
from companion.live.shown import SenseHealth
from companion.live.table import LiveTable
from companion.sensing.plan import Board, Camera, Plan
from companion.sensing.streams import Sensed
from companion.session.clocks import ManualClock
from companion.twin.forces import Chip, Forces, sensed
from tests.sensing.forces import board, plan

PORTS = {"south": "/dev/ttyUSB0", "north": "/dev/ttyUSB1"}
SIZE = (64, 48)
STEP_S = 0.02
_START_S = 1000.0
_NS_PER_US = 1000


def weighed(of: Board, forces: Forces, seed: int = 0) -> Source:
    """What a module reads under these forces, from the moment it is made."""
    samples = sensed(forces, of, Chip(rate_sps=93.0, noise_g=0.02), seed=seed, start_us=0)
    return trace([(sample.t_us, [float(count or 0) for count in sample.counts]) for sample in samples])


class Makeshift:
    """Sources, open table and the live table on them, all in one. `events` holds what was sensed so far."""

    simulated = False
    says = remedy = ""

    def __init__(self, home: Path, forces: dict[str, Forces] | None = None, *, recorder: Any = Recorder) -> None:
        self.clock = ManualClock()
        self.clock.advance(_START_S)
        self.sockets = SimTable(self.clock.monotonic_ns)
        self.camera = SimCamera(SIZE, monotonic_ns=self.clock.monotonic_ns)
        boards = tuple(board(name) for name in PORTS)
        self.plan: Plan = msgspec.structs.replace(plan(boards), camera=Camera(*SIZE, 30.0))
        self.modules = {
            each.id: SimModule(each.id, weighed(each, forces.get(each.id, Forces(1.0))))
            if forces
            else SimModule(each.id)
            for each in boards
        }
        self.alive = True
        self.opened = 0
        self.events: list[Sensed] = []
        self.log = TableLog(home, lambda: self.clock.monotonic_ns() / 1e9)
        self.table = LiveTable(self, log=self.log, now_us=self.now_us, recorder=recorder(self.now_us), threads=False)
        for name in PORTS:
            self.plug_in(name)
        self.table.start()

    def now_us(self) -> int:
        return self.clock.monotonic_ns() // _NS_PER_US

    # What befalls it

    def plug_in(self, name: str) -> None:
        if name == "camera":
            self.camera.plug_in()
        else:
            self.sockets.plug_in(self.modules[name], PORTS[name])

    def unplug(self, name: str) -> None:
        if name == "camera":
            self.camera.unplug()
        else:
            self.sockets.unplug(PORTS[name])

    def run(self, seconds: float) -> list[Sensed]:
        """Let time pass; what was sensed meanwhile."""
        found: list[Sensed] = []
        for _ in range(round(seconds / STEP_S)):
            self.clock.advance(STEP_S)
            self.table.step()
            found += self.table.poll()
        self.events += found
        return found

    def states(self) -> dict[str, str]:
        """The state of each sense by its name."""
        return {each.name: each.state for each in self.table.health}

    def health(self, name: str) -> SenseHealth:
        return next(each for each in self.table.health if each.name == name)

    # What the live table asks of it

    def open(self, stop: threading.Event) -> Makeshift:
        self.opened += 1
        self.alive = True
        return self

    def open_scales(self) -> Scales:
        return Scales(
            ports=self.sockets.ports, open_port=self.sockets.open, monotonic_ns=self.clock.monotonic_ns, thread=False
        )

    def open_camera(self) -> CameraFeed:
        return CameraFeed(self.camera.open, monotonic_ns=self.clock.monotonic_ns, thread=False)

    def hand(self, words: str) -> None:
        raise AssertionError(words)

    def told(self) -> Iterator[dict[str, Any]]:
        return iter(())

    def close(self) -> None:
        """Nothing is held open."""


READY = {"Camera": "ready", "Scales south": "ready", "Scales north": "ready"}
