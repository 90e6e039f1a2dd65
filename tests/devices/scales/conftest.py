"""A table of simulated modules, in which time passes when it is told to."""

from __future__ import annotations

import pytest

from companion.devices.scales.driver import ModuleReport, Scales
from companion.devices.scales.troubles import Notice
from companion.devices.scales.twin import SimModule, SimTable
from companion.sensing.streams import ScaleSample
from companion.session.clocks import ManualClock

USB0, USB1 = "/dev/ttyUSB0", "/dev/ttyUSB1"
_START_S = 1000.0
_STEP_S = 0.01


class Table:
    """Modules on ports in memory, the driver that listens to them, and all it has said."""

    def __init__(self, boards: dict[str, str] | None = None) -> None:
        self.clock = ManualClock()
        self.clock.advance(_START_S)
        self.sockets = SimTable(self.clock.monotonic_ns)
        self.scales = Scales(
            boards,
            ports=self.sockets.ports,
            open_port=self.sockets.open,
            monotonic_ns=self.clock.monotonic_ns,
            thread=False,
        )
        self.samples: list[ScaleSample] = []
        self.notices: list[Notice] = []

    def only(self, port: str) -> Scales:
        """A driver that looks at one port, whatever is there."""
        return Scales(
            ports=lambda: (port,), open_port=self.sockets.open, monotonic_ns=self.clock.monotonic_ns, thread=False
        )

    def plug_in(self, module: SimModule, port: str = USB0) -> SimModule:
        self.sockets.plug_in(module, port)
        return module

    def run(self, seconds: float) -> list[ScaleSample]:
        """Let time pass; the samples that came meanwhile."""
        before = len(self.samples)
        for _ in range(round(seconds / _STEP_S)):
            self.clock.advance(_STEP_S)
            self.samples += self.scales.poll()
        self.notices += self.scales.notices()
        return self.samples[before:]

    def told(self, kind: str) -> list[str]:
        """What was said of a kind of trouble."""
        return [notice.says for notice in self.notices if notice.kind == kind]

    def module(self, name: str = "north") -> ModuleReport:
        return next(report for report in self.scales.modules() if report.name == name)


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def north(table: Table) -> SimModule:
    """A module that is plugged in and ready."""
    module = table.plug_in(SimModule("north"))
    table.run(2)
    assert table.module().state == "ready"
    return module
