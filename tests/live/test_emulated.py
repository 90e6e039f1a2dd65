"""The real firmware in its emulator under a table with a game on it: it stops, hangs and is unplugged, and heals."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.models.lookout import Lookout
from companion.app.models.settings import Settings
from companion.devices.camera.feed import Camera
from companion.devices.scales.driver import Scales
from companion.devices.scales.port import SerialPort
from companion.errors import DeviceLost
from companion.live.log import TableLog
from companion.live.table import LiveTable
from companion.rules.base import Setup
from companion.sensing.plan import Plan
from companion.session.shelf import Shelf
from tests.devices.scales.emulation import Bench
from tests.firmware.emulated import Emulator, missing
from tests.sensing.forces import board, plan

pytestmark = pytest.mark.skipif(missing() is not None, reason=missing() or "")

_STEP_S = 0.05
_NS_PER_US = 1000
_US_PER_S = 1_000_000
_UP_S, _LOST_S, _HEAL_S = 3.0, 5.0, 8.0


class Emulated:
    """A table whose one board stands on an emulated module. Time passes in `run` and `stand_still` only."""

    simulated = False
    says = remedy = ""
    alive = True

    def __init__(self, module: Emulator, name: str, home: Path) -> None:
        self.module = module
        self.plan: Plan = plan((board(name),))
        self._now_us = 0.0
        self._stood_us = 0
        self.table = LiveTable(self, log=TableLog(home), now_us=self.now_us, threads=False)
        self.lookout = Lookout(lambda _seats, _simulated: self.table, Settings(), now_us=self.now_us)

    def now_us(self) -> int:
        return int(self._now_us) + self._stood_us

    def run(self, seconds: float) -> None:
        """Let the module's time and everybody else's pass."""
        for _ in range(round(seconds / _STEP_S)):
            self._now_us = self.module.run(_STEP_S)
            self._look()

    def stand_still(self, seconds: float) -> None:
        """Time passes, and the module does nothing."""
        for _ in range(round(seconds / _STEP_S)):
            self._stood_us += round(_STEP_S * _US_PER_S)
            self._look()

    def _look(self) -> None:
        self.table.step()
        self.lookout.poll()

    @property
    def state(self) -> str:
        (scales,) = self.table.health
        return scales.state

    # What the live table asks of it

    def open(self, stop: threading.Event) -> Emulated:
        return self

    def open_scales(self) -> Scales:
        def opened(path: str) -> SerialPort:
            return SerialPort(str(Path(path).resolve()), wait_s=0)

        def now_ns() -> int:
            return self.now_us() * _NS_PER_US

        return Scales(ports=self._ports, open_port=opened, monotonic_ns=now_ns, thread=False)

    def _ports(self) -> tuple[str, ...]:
        return (str(self.module.port),) if self.module.port.exists() else ()

    def open_camera(self) -> Camera:
        raise DeviceLost("There is no camera.")

    def hand(self, words: str) -> None:
        raise DeviceLost("There are no hands.")

    def told(self) -> Iterator[dict[str, Any]]:
        return iter(())

    def close(self) -> None:
        """The module goes on."""


@pytest.fixture
def emulated(tmp_path: Path) -> Iterator[Emulated]:
    module = Emulator.start(tmp_path, chips=4)
    module.set(None, 85_000)
    bench = Bench(module)
    bench.run(_UP_S)
    name = bench.report().board
    bench.scales.close()
    with Shelf(tmp_path / "games").new("castle-dukes", Setup(seats=("North", "East"))) as session:
        made = Emulated(module, name, tmp_path / "log")
        made.lookout.attend(session)
        made.run(_UP_S)
        yield made
        made.lookout.close()
    module.close()


def _stop(table: Emulated) -> None:
    table.stand_still(_LOST_S)


def _hang(table: Emulated) -> None:
    table.module.hang()
    table.stand_still(_LOST_S)


def _unplug(table: Emulated) -> None:
    table.module.unplug()
    table.stand_still(_LOST_S)
    assert "unplugged" in table.lookout.says or "gone" in table.lookout.says
    table.module.replug()


def _news(lookout: Lookout) -> list[str]:
    return list(iter(lookout.news, ""))


@pytest.mark.parametrize("befalls", [_stop, _hang, _unplug])
def test_a_microcontroller_that_stops_is_told_and_the_game_goes_on_until_it_is_back(
    emulated: Emulated, befalls: Callable[[Emulated], None]
) -> None:
    lookout = emulated.lookout
    session = lookout.session
    assert session is not None
    assert (emulated.state, lookout.says) == ("ready", "")
    before = session.state
    befalls(emulated)
    assert emulated.state == "lost"
    assert lookout.says
    assert _news(lookout)[-1] == lookout.says
    emulated.run(_HEAL_S)
    assert (emulated.state, lookout.says) == ("ready", "")
    assert _news(lookout) == ["All senses of the table work again."]
    assert (lookout.questions, lookout.decided) == ((), ())
    assert session.state is before
    assert len(emulated.table.trace(emulated.plan.boards[0].id, 1.0)) > 50
