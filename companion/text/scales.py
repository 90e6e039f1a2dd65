"""Scale modules at the terminal: a list, the findings of the check, and live bars with a trace."""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.devices.scales.driver import ModuleReport
from companion.doctor import Check
from companion.sensing.plan import Board, Plan
from companion.sensing.streams import ScaleSample
from companion.text.paper import Grid, Paper

_TARE_SAMPLES = 40
_SMOOTH = 16
_BUCKET_US = 100_000
_GONE_US = 1_000_000
_TRACE = 240
_BLOCKS = "▁▂▃▄▅▆▇█"
_BAR = "█"
_HALF_BAR = "▌"
_LEAST_COUNTS = 2000.0
_LEAST_G = 5.0
_NARROWEST = 20
_LABEL = 30


# What is there


def show_list(out: Paper, modules: Sequence[ModuleReport]) -> None:
    """A row for each module or port, then what is wrong with any."""
    if not modules:
        out.say("No USB serial port is there. Plug a scale module in, with a cable that carries data.")
        return
    rows = tuple(_row(module) for module in modules)
    out.grid(Grid(head=("id", "port", "state", "firmware", "cells", "samples/s"), rows=rows, numbers=frozenset({4, 5})))
    for module in modules:
        for says in module.says:
            out.say(f"{module.name}: {says}", style="bad")


def _row(module: ModuleReport) -> tuple[str, ...]:
    hello = module.hello
    known = hello is not None and bool(hello.firmware)
    return (
        (hello.id if hello else "") or "-",
        module.port,
        module.state,
        f"{hello.firmware} ({hello.build:08x})" if hello and known else "-",
        str(module.expected.bit_count()) if known else "-",
        str(module.nominal_sps) if known and module.nominal_sps else "-",
    )


def as_data(module: ModuleReport) -> dict[str, Any]:
    """A module for programs: everything that is known of it."""
    data: dict[str, Any] = msgspec.to_builtins(module)
    return data


def show_findings(out: Paper, found: Mapping[str, Sequence[Check]]) -> None:
    """What the check found, module by module, each trouble with what to do."""
    for name, checks in found.items():
        out.say(name, style="title")
        for check in checks:
            out.say(f"  {check.ok:<5} {check.name}: {check.says}", style="" if check.ok == "good" else "bad")
            if check.remedy:
                out.say(f"        {check.remedy}")


# What is on them


class Trace:
    """The readings of one board: newest of each cell, since when it is zero, and the sum over the last seconds."""

    def __init__(self, board: Board | None) -> None:
        cells = board.cells if board else ()
        gains = [cell.counts_per_g for cell in cells]
        self.gains = [gain for gain in gains if gain is not None] if None not in gains else []
        self._first: dict[int, list[int]] = {}
        self._newest: dict[int, deque[int]] = {}
        self._seen_us: dict[int, int] = {}
        self._now_us = 0
        self._fresh = False
        self._sums: deque[float] = deque(maxlen=_TRACE)
        self._bucket = -1
        self.reach = _LEAST_G if self.gains else _LEAST_COUNTS

    @property
    def unit(self) -> str:
        return "g" if self.gains else "counts"

    def add(self, sample: ScaleSample) -> None:
        self._now_us, self._fresh = sample.t_us, True
        for channel, count in enumerate(sample.counts):
            if count is not None:
                self._add(channel, count)
        bucket = sample.t_us // _BUCKET_US
        if bucket != self._bucket:
            self._bucket = bucket
            self._sums.append(self.total())
            self.reach = max(self.reach, abs(self.total()), *(abs(self.value(channel)) for channel in self.channels()))

    def channels(self) -> list[int]:
        """Those that give something; where there are gains, those that have one: counts and grams do not add up."""
        giving = (channel for channel, seen_us in self._seen_us.items() if self._now_us - seen_us < _GONE_US)
        return sorted(channel for channel in giving if not self.gains or channel < len(self.gains))

    def news(self) -> bool:
        """Whether anything came since this was last asked."""
        fresh, self._fresh = self._fresh, False
        return fresh

    def value(self, channel: int) -> float:
        """What lies on a cell since the beginning, in grams where its gain is known."""
        since = statistics.fmean(self._newest[channel]) - statistics.fmean(self._first[channel])
        return since / self.gains[channel] if self.gains else since

    def total(self) -> float:
        return sum(self.value(channel) for channel in self.channels())

    def line(self, width: int) -> str:
        """The sum over time as a row of blocks, newest at the right."""
        shown = list(self._sums)[-width:]
        if not shown:
            return ""
        low, high = min(shown), max(shown)
        span = max(high - low, 0.2 if self.gains else 200.0)
        return "".join(_BLOCKS[min(7, int((value - low) / span * 7.99))] for value in shown)

    def _add(self, channel: int, count: int) -> None:
        first = self._first.setdefault(channel, [])
        if len(first) < _TARE_SAMPLES:
            first.append(count)
        self._newest.setdefault(channel, deque(maxlen=_SMOOTH)).append(count)
        self._seen_us[channel] = self._now_us


class Monitor:
    """What `companion scales monitor` shows: feed it samples, ask it for lines."""

    def __init__(self, plan: Plan | None = None) -> None:
        self._boards = {board.id: board for board in plan.boards} if plan else {}
        self._traces: dict[str, Trace] = {}
        self.told: deque[str] = deque(maxlen=4)

    def add(self, samples: Sequence[ScaleSample]) -> None:
        for sample in samples:
            trace = self._traces.get(sample.board)
            if trace is None:
                trace = self._traces[sample.board] = self._begun(sample.board)
            trace.add(sample)

    def _begun(self, name: str) -> Trace:
        trace = Trace(self._boards.get(name))
        if self._boards and not trace.gains:
            self.told.append(f"{name}: the plan has no gains for a board of this id, so these are counts.")
        return trace

    def lines(self, modules: Sequence[ModuleReport], width: int) -> list[str]:
        """The whole picture."""
        room = max(_NARROWEST, width - _LABEL)
        drawn = [line for module in modules for line in self._module(module, room)]
        return [*(drawn or ["Waiting for a scale module to be plugged in."]), "", *self.told]

    def plain(self) -> list[str]:
        """A line for each board, for pipes and logs: what came since the last time."""
        return [
            f"{board}: {_in_a_line(trace) if trace.news() else 'no reading'}" for board, trace in self._traces.items()
        ]

    def _module(self, module: ModuleReport, room: int) -> list[str]:
        rate = f"{module.rate_hz:.1f}/s" if module.rate_hz else "-"
        counts = module.counts
        head = f"{module.name} at {module.port}: {module.state}, {rate}, {counts.samples} samples, {counts.lost} lost"
        trace = self._traces.get(module.board)
        lines = [head, *(f"  ! {says}" for says in module.says)]
        return lines if trace is None else [*lines, *_bars(trace, room), f"{'':{_LABEL - 1}}{trace.line(room)}"]


def _in_a_line(trace: Trace) -> str:
    decimals = _decimals(trace)
    cells = ", ".join(f"c{at} {trace.value(at):+.{decimals}f}" for at in trace.channels())
    return f"{trace.total():+.{decimals}f} {trace.unit} ({cells})"


def _bars(trace: Trace, room: int) -> list[str]:
    shown = [(f"c{channel}", trace.value(channel)) for channel in trace.channels()]
    return [
        f"  {name:<5} {value:>+12.{_decimals(trace)}f} {trace.unit:<6}  {bar(value / trace.reach, room)}"
        for name, value in [*shown, ("all", trace.total())]
    ]


def bar(share: float, room: int) -> str:
    """
    >>> bar(0.5, 5), bar(2.0, 3), bar(-0.1, 9)
    ('██▌', '███', '')
    """
    halves = int(min(max(share, 0.0), 1.0) * room * 2)
    return _BAR * (halves // 2) + _HALF_BAR * (halves % 2)


def _decimals(trace: Trace) -> int:
    return 2 if trace.gains else 0
