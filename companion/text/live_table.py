"""`companion record`, `bench live` and `bench soak`: the live table in the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.config import Config
from companion.errors import BadRecording, DeviceLost, DiskTrouble
from companion.live.bench import LiveReport, measure, quantile
from companion.live.shown import SenseHealth
from companion.live.soak import Look, SoakReport, soak
from companion.live.sources import choose
from companion.live.table import LiveTable
from companion.sensing.plan import PLAN_FILE
from companion.sensing.recording import Recording
from companion.text.paper import Grid, Paper, printer

_UP_S = 90.0
_READY_S = 15.0
_LOOK_S = 0.1
_PROMISED_MS = 350.0

Say = Callable[[str], None]
Sleep = Callable[[float], None]


def record(out: Path, seconds: float | None, config: Config, say: Say, sleep: Sleep = time.sleep) -> Path:
    """Record the live table for so long, or until somebody interrupts; where the recording is."""
    if (out / PLAN_FILE).exists():
        raise BadRecording(f"{out} is a recording already. Choose another folder.")
    sources = choose(config)
    if sources.says:
        raise DeviceLost(f"{sources.says} {sources.remedy}".strip())
    table = LiveTable(sources)
    table.start()
    try:
        _wait(table, _UP_S, lambda: table.ready, say, sleep)
        _wait(table, _READY_S, lambda: _all_ready(table.health), say, sleep)
        table.record(out)
        what = "the simulated table" if sources.simulated else "the table"
        say(f"Recording {what} into {out}. Ctrl+C ends it.")
        _run(table, seconds, say, sleep)
        kept = table.stop_recording()
    finally:
        table.close()
    if kept is None:
        raise DiskTrouble(_trouble(table.health) or f"Nothing of the recording {out} could be kept.")
    return kept


def _run(table: LiveTable, seconds: float | None, say: Say, sleep: Sleep) -> None:
    try:
        _wait(table, seconds if seconds is not None else float("inf"), lambda: table.recording is None, say, sleep)
    except KeyboardInterrupt:
        say("That is enough.")


def _wait(table: LiveTable, seconds: float, over: Callable[[], bool], say: Say, sleep: Sleep) -> None:
    """Wait so long, or until it is over; say what changes meanwhile."""
    told: set[str] = set()
    for _ in range(round(min(seconds, 1e7) / _LOOK_S)):
        if over():
            return
        for health in table.health:
            line = f"{health.name}: {health.says} {health.remedy}".strip()
            if health.state == "lost" and line not in told:
                told.add(line)
                say(line)
        table.poll()
        sleep(_LOOK_S)


def _all_ready(health: Sequence[SenseHealth]) -> bool:
    return bool(health) and all(each.state in ("ready", "off") for each in health)


def _trouble(health: Sequence[SenseHealth]) -> str:
    return next((each.says for each in health if each.sense == "recording"), "")


def bench_live(rounds: int, out: Paper | None = None) -> bool:
    """Measure and show; False when p95 is beyond what was promised."""
    out = out or printer()
    report = measure(rounds, out.say)
    decided = [call.decided_ms for call in report.calls]
    given = [call.out_ms for call in report.calls]
    rows = (
        ("from touch to the detector's decision", _ms(decided, 0.5), _ms(decided, 0.95)),
        ("from touch to the app", _ms(given, 0.5), _ms(given, 0.95)),
        ("a picture's age when the app sees it", _ms(report.behind_ms, 0.5), _ms(report.behind_ms, 0.95)),
    )
    out.grid(Grid(head=("live table", "p50", "p95"), rows=rows, numbers=frozenset({1, 2})))
    for line in _about(report):
        out.say(line)
    return bool(given) and quantile(given, 0.95) <= _PROMISED_MS


def _about(report: LiveReport) -> list[str]:
    touches = len(report.calls) + report.missed
    counted = ", ".join(f"{many} {name}" for name, many in report.counts.items())
    return [
        f"{len(report.calls)} of {touches} collapses called, {report.false} called without a touch.",
        f"Pictures a second: p50 {quantile(report.fps, 0.5):.0f}, p5 {quantile(report.fps, 0.05):.0f}. "
        f"The table was up after {quantile(report.up_s, 0.5):.1f} s.",
        f"Counted: {counted}.",
    ]


def _ms(values: Sequence[float], share: float) -> str:
    return f"{quantile(values, share):.0f} ms" if values else "none"


def bench_soak(recording: Path, hours: float, out: Paper | None = None) -> bool:
    """Soak and show; False when memory, files or threads have grown, or sensing stumbled."""
    out = out or printer()
    paper = out

    def tell(look: Look) -> None:
        paper.say(
            f"{look.table_s / 60:5.0f} min of table time: {look.memory_mb:6.1f} MB, {look.files} files, "
            f"{look.threads} threads"
        )

    report = soak(Recording.open(recording), hours, tell)
    for line in _soaked(report):
        out.say(line)
    return report.flat


def _soaked(report: SoakReport) -> list[str]:
    table_s = report.looks[-1].table_s
    events = ", ".join(f"{many} {kind}" for kind, many in sorted(report.events.items()))
    return [
        f"{table_s / 3600:.2f} h in {report.took_s:.0f} s: {table_s / report.took_s:.1f} times as fast as time, "
        f"{report.laps} laps.",
        f"Events: {events or 'none'}. Counted: {', '.join(f'{many} {name}' for name, many in report.counts.items())}.",
        f"Memory grew by {report.grown_mb:.1f} MB: {'flat' if report.flat else 'NOT flat'}.",
    ]
