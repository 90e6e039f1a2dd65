"""The real firmware in its emulator, listened to by the real driver over a pty, in the module's own time."""

from __future__ import annotations

from pathlib import Path

from companion.devices.scales.driver import ModuleReport, Scales
from companion.devices.scales.port import SerialPort
from companion.devices.scales.troubles import Notice
from companion.sensing.streams import ScaleSample
from tests.firmware.emulated import Emulator

_STEP_S = 0.05
_NS_PER_US = 1000


class Bench:
    """One emulated module and a driver. Time passes in `run` only, and the driver's clock is the emulator's."""

    def __init__(self, board: Emulator) -> None:
        self.board = board
        self._now_us = 0.0
        self.scales = Scales(ports=self._ports, open_port=_opened, monotonic_ns=self._now_ns, thread=False)
        self.samples: list[ScaleSample] = []
        self.notices: list[Notice] = []

    def run(self, seconds: float, step_s: float = _STEP_S) -> list[ScaleSample]:
        """Let time pass; the samples that came meanwhile. What is said takes up to a step to be heard."""
        before = len(self.samples)
        for _ in range(round(seconds / step_s)):
            self._now_us = self.board.run(step_s)
            self.samples += self.scales.poll()
        self.notices += self.scales.notices()
        return self.samples[before:]

    def report(self) -> ModuleReport:
        return self.scales.modules()[0]

    def told(self, kind: str) -> list[str]:
        return [notice.says for notice in self.notices if notice.kind == kind]

    def close(self) -> None:
        self.scales.close()
        self.board.close()

    def _ports(self) -> tuple[str, ...]:
        return (str(self.board.port),) if self.board.port.exists() else ()

    def _now_ns(self) -> int:
        return int(self._now_us * _NS_PER_US)


def _opened(path: str) -> SerialPort:
    return SerialPort(str(Path(path).resolve()), wait_s=0)
