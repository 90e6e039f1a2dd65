"""The twin on a pseudo terminal, through pyserial: a port like any other, with a cable to pull."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.devices.scales.driver import Scales
from companion.devices.scales.port import SerialPort, usb_ports
from companion.devices.scales.twin import PtyModule, SimModule
from companion.errors import DeviceLost
from companion.sensing.streams import ScaleSample
from companion.session.clocks import ManualClock

_STEP_S = 0.01
_MOST_STEPS = 20_000


class Wire:
    """A twin on a pty and a driver without a thread, pumped in turn."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.clock.advance(50)
        self.module = SimModule("north")
        self.module.rounds = []
        self.twin = PtyModule(self.module, self.clock.monotonic_ns)
        self.scales = Scales(
            ports=self.twin.ports,
            open_port=lambda path: SerialPort(path, wait_s=0),
            monotonic_ns=self.clock.monotonic_ns,
            thread=False,
        )
        self.samples: list[ScaleSample] = []

    def until(self, done: Callable[[], bool]) -> None:
        for _ in range(_MOST_STEPS):
            if done():
                return
            self.clock.advance(_STEP_S)
            self.twin.step()
            self.samples += self.scales.poll()
        raise AssertionError("It did not come to that.")

    def state(self) -> str:
        return next((report.state for report in self.scales.modules()), "none")


@pytest.fixture
def wire() -> Iterator[Wire]:
    made = Wire()
    yield made
    made.scales.close()
    made.twin.close()


def test_rounds_come_through_the_pty(wire: Wire) -> None:
    wire.until(lambda: len(wire.samples) >= 500)
    assert wire.module.rounds is not None
    sent = [round.counts for round in wire.module.rounds]
    assert [sample.counts for sample in wire.samples] == sent[: len(wire.samples)]


def test_the_cable_is_pulled_and_put_back(wire: Wire) -> None:
    wire.until(lambda: len(wire.samples) >= 50)
    wire.twin.unplug()
    wire.until(lambda: wire.state() == "lost")
    wire.twin.plug_in()
    before = len(wire.samples)
    wire.until(lambda: wire.state() == "ready" and len(wire.samples) >= before + 50)
    assert [(notice.kind, notice.over) for notice in wire.scales.notices()] == [
        ("unplugged", False),
        ("unplugged", True),
    ]


def test_a_thread_reads_while_the_twin_lives_in_real_time() -> None:
    with PtyModule(SimModule("north")).running() as twin, Scales(ports=twin.ports) as scales:
        heard: list[ScaleSample] = []
        while len(heard) < 20:
            heard += scales.poll()
        assert heard[0].board == "north"


def test_a_port_is_one_programs_alone(wire: Wire) -> None:
    wire.until(lambda: wire.state() == "ready")
    with pytest.raises(DeviceLost, match="in use by another program"):
        SerialPort(wire.twin.path)


def test_a_port_that_is_not_there() -> None:
    with pytest.raises(DeviceLost, match="Nothing is plugged in at /dev/nowhere"):
        SerialPort("/dev/nowhere")


def test_a_file_is_no_port(tmp_path: Path) -> None:
    (tmp_path / "ttyUSB0").touch()
    for path in (tmp_path, tmp_path / "ttyUSB0"):
        with pytest.raises(DeviceLost, match=f"{path} is not a serial port"):
            SerialPort(str(path))


def test_a_port_that_may_not_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(DeviceLost, match="dialout"):
        SerialPort("/dev/ttyUSB0")


def test_usb_ports_are_found_by_their_names(tmp_path: Path) -> None:
    for name in ("ttyUSB1", "ttyACM0", "ttyS0", "null"):
        (tmp_path / name).touch()
    assert [Path(port).name for port in usb_ports(tmp_path)] == ["ttyACM0", "ttyUSB1"]


def test_what_finds_no_room_on_the_line_is_lost_and_counted(wire: Wire) -> None:
    wire.until(lambda: len(wire.samples) >= 20)
    for _ in range(5000):
        wire.clock.advance(_STEP_S)
        wire.twin.step()
    wire.until(lambda: wire.scales.modules()[0].counts.lost > 100)
    before = len(wire.samples)
    wire.until(lambda: wire.state() == "ready" and len(wire.samples) >= before + 100)
    assert wire.scales.modules()[0].counts.restarts == 0
