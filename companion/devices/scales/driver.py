"""The scales of a table: every module that is plugged in, known by its id, and taken up again when it was gone.

Nothing here raises or waits for long. Call `poll` some 20 times a second or more: it gives the samples since the last
time, on the host's monotonic clock. What goes wrong is told in `notices`, stands in `modules` while it lasts, and heals
by itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.devices.panel import Health
from companion.devices.presses import MonotonicNs
from companion.devices.scales.link import Counts, Link, Reading
from companion.devices.scales.messages import Hello, Type
from companion.devices.scales.port import OpenPort, Ports, Reader, SerialPort, usb_ports
from companion.devices.scales.troubles import Notice
from companion.errors import DeviceLost
from companion.sensing.streams import ScaleSample

ModuleState = Literal["ready", "greeting", "lost", "silent", "foreign", "version", "same id", "closed"]

_LOOK_US = 500_000
_AGAIN_US = 1_000_000
_STRANGER_AGAIN_US = 30_000_000
"""What did not answer may be anybody's: it is left alone for this long, for opening a port resets what is there."""
_NS_PER_US = 1000
_HOPELESS = ("silent", "foreign", "version")


class ModuleReport(Struct, frozen=True, kw_only=True):
    """A module or a port as it is now. Rates are samples a second: what it was told, and what it does."""

    name: str
    port: str
    state: ModuleState
    board: str = ""
    says: tuple[str, ...] = ()
    hello: Hello | None = None
    nominal_sps: int | None = None
    rate_hz: float | None = None
    expected: int = 0
    alive: int = 0
    skew_ppm: float | None = None
    rtt_us: float | None = None
    worst_loop_us: int = 0
    counts: Counts = Counts()


class _Module:
    """What is remembered of a module while it comes and goes."""

    def __init__(self, name: str, board: str) -> None:
        self.name = name
        self.board = board
        self.plug: _Plug | None = None
        self.past = Counts()
        self.port = ""
        self.says = ""
        self.hello: Hello | None = None


class _Plug:
    """An open port and the conversation on it."""

    def __init__(self, path: str, reader: Reader, now_us: int) -> None:
        self.path = path
        self.reader = reader
        self.link = Link(path, now_us)
        self.module: _Module | None = None
        self.name = Path(path).name

    def counts(self) -> Counts:
        return replace(self.link.counts(), queue_dropped=self.reader.dropped)


class Scales:
    """All modules. `boards` names the board of a module's id; a board is called like its module where none is named.

    `ports` lists the ports to look at, `open_port` opens one; with `thread` False ports are read by `poll` itself.
    """

    def __init__(
        self,
        boards: Mapping[str, str] | None = None,
        *,
        ports: Ports = usb_ports,
        open_port: OpenPort = SerialPort,
        monotonic_ns: MonotonicNs = time.monotonic_ns,
        thread: bool = True,
    ) -> None:
        self._boards = dict(boards or {})
        self._ports = ports
        self._open_port = open_port
        self._now_ns = monotonic_ns
        self._thread = thread
        self._plugs: dict[str, _Plug] = {}
        self._modules: dict[str, _Module] = {}
        self._not_before_us: dict[str, int] = {}
        self._strangers: dict[str, ModuleReport] = {}
        self._notices: list[Notice] = []
        self._next_look_us = self._now_us()

    # For the table

    def poll(self) -> list[ScaleSample]:
        """The samples since the last time, those of one board in order."""
        now_us = self._now_us()
        if now_us >= self._next_look_us:
            self._next_look_us = now_us + _LOOK_US
            self._look(now_us)
        samples: list[ScaleSample] = []
        for plug in list(self._plugs.values()):
            samples += self._served(plug)
        return samples

    def notices(self) -> list[Notice]:
        """What people should hear and have not been told yet."""
        told, self._notices = self._notices, []
        return told

    def modules(self) -> tuple[ModuleReport, ...]:
        """Every module that is or was there, then the ports where something else is."""
        known = [self._report(module) for module in self._modules.values()]
        nameless = [self._plug_report(plug) for plug in self._plugs.values() if plug.module is None]
        return (*known, *nameless, *self._strangers.values())

    @property
    def health(self) -> Health:
        """How the scales are, all in all."""
        reports = self.modules()
        wrong = [say for report in reports if report.board for say in report.says]
        if any(report.state != "ready" for report in reports if report.board):
            return Health("lost", wrong[0] if wrong else "A scale module is not ready yet.")
        ready = any(report.state == "ready" for report in reports)
        return Health("ready" if ready else "off", wrong[0] if wrong else "")

    def command(self, name: str, type: Type, payload: bytes = b"") -> Callable[[], int | None]:
        """Tell a module something, as often as it takes. What comes back says its answer, None until there is one."""
        module = self._modules.get(name)
        if module is None or module.plug is None:
            raise DeviceLost(f"There is no scale module '{name}' plugged in.")
        link = module.plug.link
        link.command(type, payload)
        return lambda: link.result(type)

    def close(self) -> None:
        """Let go of every port."""
        for plug in self._plugs.values():
            plug.reader.close()
        self._plugs.clear()

    def __enter__(self) -> Scales:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Ports that come and go

    def _look(self, now_us: int) -> None:
        found = self._ports()
        for path in [path for path in self._plugs if path not in found]:
            self._lose(self._plugs[path], DeviceLost(f"{path} is gone."))
        for path in [path for path in self._not_before_us if path not in found]:
            del self._not_before_us[path]
            self._strangers.pop(path, None)
        for path in found:
            if path not in self._plugs and now_us >= self._not_before_us.get(path, now_us):
                self._open(path, now_us)

    def _open(self, path: str, now_us: int) -> None:
        try:
            port = self._open_port(path)
        except DeviceLost as error:
            self._not_before_us[path] = now_us + _AGAIN_US
            self._stranger(ModuleReport(name=Path(path).name, port=path, state="closed", says=(str(error),)))
            return
        self._strangers.pop(path, None)
        self._plugs[path] = _Plug(path, Reader(port, self._now_ns, thread=self._thread), now_us)

    def _stranger(self, report: ModuleReport) -> None:
        if self._strangers.get(report.port) != report:
            self._strangers[report.port] = report
            if report.state in ("closed", "same id"):
                kind: Literal["closed", "same id"] = "closed" if report.state == "closed" else "same id"
                self._tell(Notice(t_us=self._now_us(), kind=kind, says=" ".join(report.says)), report.name)

    def _lose(self, plug: _Plug, error: DeviceLost) -> None:
        self._let_go(plug, _AGAIN_US)
        module = plug.module
        if module is not None:
            module.says = f"The module was unplugged: {error} It is taken up again when it is back."
            self._tell(Notice(t_us=self._now_us(), kind="unplugged", says=module.says), module.name)

    def _let_go(self, plug: _Plug, again_us: int) -> None:
        plug.reader.close()
        self._plugs.pop(plug.path, None)
        self._not_before_us[plug.path] = self._now_us() + again_us
        if plug.module is not None:
            plug.module.past += plug.counts()
            plug.module.plug = None

    # One conversation

    def _served(self, plug: _Plug) -> list[ScaleSample]:
        readings: list[Reading] = []
        link = plug.link
        for at_us, data in plug.reader.take():
            readings += link.take(data, at_us)
        if plug.module is None and link.state == "ready":
            self._identify(plug)
        self._answer(plug)
        self._tell_all(plug)
        module = plug.module
        if module is None:
            return []
        return [ScaleSample(reading.t_us, module.board, reading.counts, reading.flags) for reading in readings]

    def _answer(self, plug: _Plug) -> None:
        if plug.reader.lost is not None:
            self._lose(plug, plug.reader.lost)
            return
        try:
            sent = plug.link.due(self._now_us())
            if sent:
                plug.reader.port.write(sent)
        except DeviceLost as error:
            self._lose(plug, error)
            return
        if plug.link.state in _HOPELESS:
            self._give_up(plug)

    def _identify(self, plug: _Plug) -> None:
        hello = plug.link.hello
        name = (hello.id if hello else "") or plug.name
        module = self._modules.get(name)
        if module is None:
            module = self._modules[name] = _Module(name, self._boards.get(name, name))
        if module.plug is not None:
            self._same_id(plug, name, module.plug.path)
            return
        plug.module, plug.name, module.plug, module.hello = module, name, plug, hello
        if module.says:
            says = f"The module is back at {plug.path}."
            self._tell(Notice(t_us=self._now_us(), kind="unplugged", says=says, over=True), name)
        module.port, module.says = plug.path, ""

    def _same_id(self, plug: _Plug, name: str, other: str) -> None:
        says = f"The modules at {other} and {plug.path} are both called '{name}'; the second is not used."
        remedy = f"Give it another id: companion scales name {plug.path} ID."
        self._let_go(plug, _STRANGER_AGAIN_US)
        self._stranger(ModuleReport(name=plug.name, port=plug.path, state="same id", says=(says, remedy)))

    def _give_up(self, plug: _Plug) -> None:
        """Free the port, so that it can be flashed. A module that was known is called again soon."""
        self._tell_all(plug)
        report = self._plug_report(plug)
        self._let_go(plug, _STRANGER_AGAIN_US if plug.module is None else _AGAIN_US)
        if plug.module is None:
            self._stranger(report)
        else:
            plug.module.says = " ".join(report.says)

    # What is told

    def _tell_all(self, plug: _Plug) -> None:
        for notice in plug.link.troubles.take():
            self._tell(notice, plug.name)

    def _tell(self, notice: Notice, name: str) -> None:
        self._notices.append(replace(notice, module=name))

    def _report(self, module: _Module) -> ModuleReport:
        if module.plug is None:
            return ModuleReport(
                name=module.name, board=module.board, port=module.port, state="lost", says=(module.says,),
                hello=module.hello, counts=module.past,
            )  # fmt: skip
        report = self._plug_report(module.plug)
        return replace(report, name=module.name, board=module.board, counts=module.past + report.counts)

    def _plug_report(self, plug: _Plug) -> ModuleReport:
        link = plug.link
        hello, status = link.hello, link.status
        newest = status or hello
        return ModuleReport(
            name=plug.name,
            port=plug.path,
            state=link.state,
            says=link.troubles.standing(),
            hello=hello,
            nominal_sps=newest.rate_sps if newest else None,
            rate_hz=link.rate_hz,
            expected=newest.expected if newest else 0,
            alive=status.alive if status else 0,
            skew_ppm=link.clock.skew_ppm if link.clock.known else None,
            rtt_us=link.clock.rtt_us,
            worst_loop_us=link.worst_loop_us,
            counts=plug.counts(),
        )

    def _now_us(self) -> int:
        return self._now_ns() // _NS_PER_US
