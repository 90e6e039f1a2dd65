"""The senses' scoreboard as a table: what each detector called rightly, how fast, and at what cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from companion.sensing import charts
from companion.sensing.bench import WATCH, Report, as_data, bench, recordings_in, robust, robust_data
from companion.sensing.disturbances import DISTURBANCES
from companion.sensing.scoring import SCORED_KINDS, Scores, Tally, quantile
from companion.text.bars import progress
from companion.text.paper import Grid, Paper, printer

_NONE = "-"
_NOTHING = "nothing"
_HEAD = (
    "detector",
    "kind",
    "happened",
    "called",
    "right",
    "recall",
    "precision",
    "tower",
    "level",
    "piece",
    "p50",
    "p95",
)
_COST_HEAD = (
    "detector",
    "levels right",
    "height p50",
    "height p95",
    "towers right at the end",
    "quiet and silent",
    "CPU",
    "in MOG2s",
)
_ROBUST_HEAD = (
    "disturbed by",
    "detector",
    "collapse",
    "precision",
    "p95",
    "placed",
    "precision",
    "removed",
    "precision",
    "tower",
    "level",
    "levels right",
    "height p95",
)


def run(
    folders: Sequence[Path], json: Path | None, plot: Path | None, only: Sequence[str], jobs: int, disturb: bool = False
) -> None:
    """Measure, print the scoreboard, and write it where it is wanted; with `disturb` also what is disturbed."""
    found = recordings_in(folders)
    runs = len(found) * (1 + len(DISTURBANCES) if disturb else 1)
    with progress() as bar:
        task = bar.add_task("watching", total=runs)

        def done(name: str) -> None:
            bar.update(task, advance=1, description=name)

        report = bench(found, only, jobs, done)
        reports = {_NOTHING: report.of(only or [WATCH])} | robust(found, only, jobs, done) if disturb else {}
    paper = printer()
    show(paper, report.totals())
    if reports:
        paper.say()
        show_robust(paper, reports)
    if json:
        data = as_data(report) | ({"disturbed": robust_data(reports)} if reports else {})
        json.write_bytes(msgspec.json.format(msgspec.json.encode(data), indent=1))
    if plot:
        charts.draw(report, plot)


def show(paper: Paper, totals: Mapping[str, Scores]) -> None:
    """Print the scoreboard: recall is of what happened, precision of calls; tower, level and piece of right calls."""
    first = next(iter(totals.values()))
    rows = tuple(_row(name, kind, scores.tally(kind)) for kind in SCORED_KINDS for name, scores in totals.items())
    shown = tuple(row for row in rows if row[2] != "0" or row[3] != "0")
    title = f"{first.recordings} recordings, {first.seconds / 60:.0f} minutes"
    numbers = frozenset(range(2, len(_HEAD)))
    paper.grid(Grid(head=_HEAD, rows=shown, title=title, numbers=numbers))
    paper.say()
    costs = tuple(_cost(name, scores) for name, scores in totals.items())
    paper.grid(Grid(head=_COST_HEAD, rows=costs, numbers=frozenset(range(1, len(_COST_HEAD)))))


def show_robust(paper: Paper, reports: Mapping[str, Report]) -> None:
    """Print what is left of the scores under each disturbance: recall and precision by kind, and heights."""
    rows = tuple(
        (disturbance, name, *_borne(scores))
        for disturbance, report in reports.items()
        for name, scores in report.totals().items()
    )
    paper.grid(Grid(head=_ROBUST_HEAD, rows=rows, numbers=frozenset(range(2, len(_ROBUST_HEAD)))))


def _borne(scores: Scores) -> tuple[str, ...]:
    fell, placed, removed = (scores.tally(kind) for kind in ("collapse", "placed", "removed"))
    both = placed + removed
    return (
        _percent(fell.recall),
        _percent(fell.precision),
        _in(quantile(fell.latencies_ms, 0.95), "ms", 0),
        _percent(placed.recall),
        _percent(placed.precision),
        _percent(removed.recall),
        _percent(removed.precision),
        _share(both.tower_right, both.right),
        _share(both.level_right, both.right),
        _share(scores.heights.level_right, scores.heights.said),
        _in(quantile(scores.heights.errors_mm, 0.95), "mm", 1),
    )


def _row(name: str, kind: str, tally: Tally) -> tuple[str, ...]:
    late = tally.latencies_ms
    return (
        name,
        kind,
        str(tally.happened),
        str(tally.called),
        str(tally.right),
        _percent(tally.recall),
        _percent(tally.precision),
        _share(tally.tower_right, tally.right) if kind in ("placed", "removed") else _NONE,
        _share(tally.level_right, tally.right) if kind in ("placed", "removed") else _NONE,
        _share(tally.piece_right, tally.right) if kind in ("placed", "removed") else _NONE,
        _in(quantile(late, 0.5), "ms", 0),
        _in(quantile(late, 0.95), "ms", 0),
    )


def _cost(name: str, scores: Scores) -> tuple[str, ...]:
    high = scores.heights
    cpu = _in(scores.cpu_ms_per_frame, "ms/frame", 2)
    return (
        name,
        _share(high.level_right, high.said),
        _in(quantile(high.errors_mm, 0.5), "mm", 1),
        _in(quantile(high.errors_mm, 0.95), "mm", 1),
        f"{high.right_at_end}/{high.towers}",
        f"{scores.quiet_and_silent}/{scores.quiet_recordings}",
        cpu if scores.frames else _in(scores.cpu_ms / max(scores.samples, 1), "ms/sample", 3),
        _in(scores.cost_in_mog2s, "x", 2),
    )


def _percent(share: float | None) -> str:
    return _NONE if share is None else f"{100 * share:.1f} %"


def _share(part: int, whole: int) -> str:
    return _percent(part / whole if whole else None)


def _in(value: float | None, unit: str, places: int) -> str:
    return _NONE if value is None else f"{value:.{places}f} {unit}"
