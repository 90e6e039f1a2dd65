"""The step detector on real logs, beside a plain two-window one in the same run, and what a sample costs.

The logs are read from a folder that holds `coffee/coldstart.csv` (a cell at rest while it warms up),
`four-corners/*.txt` (a column of totals with glitches) and `four-cells/*.csv` (four cells, pushed). Steps of known mass
are added to the cold start. Noise and thresholds are learned online by the detector as at any table.
"""

from __future__ import annotations

import csv
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median

import msgspec
import numpy as np

from companion.errors import BadRecording
from companion.sensing.plan import FORMAT, VERSION, Board, Cell, Plan
from companion.sensing.scales.table import TableScales
from companion.sensing.streams import ScaleSample

COUNTS_PER_G = 1540.0
_BOARD = "log"
_PERIOD_US = 100_000
_STEP_EVERY = 72
_SHIFTS = 8
_NEAR_US = 1_500_000
_IN_TIME_US = 700_000
_CLOSE_G, _CLOSE_PART = 0.05, 0.05
_GLITCH_REACH = 4
_GLITCH_MADS = 6.0
_WINDOW_ROWS = 6
_TWO_WINDOWS_G = 0.1
_CELLS_MM = ((15.0, 15.0), (235.0, 15.0), (15.0, 185.0), (235.0, 185.0))
_RATE_SPS = 80.0
_CELL_NOISE_G = 0.05

Change = tuple[int, int, float]
"""When it happened, when it was decided (us), and the signed mass (g)."""
Detector = Callable[[Sequence[ScaleSample]], list[Change]]


class Injected(msgspec.Struct, frozen=True, kw_only=True):
    """How the steps of one mass were found.

    `close` is the share of masses within 0.05 g or 5 %, `extra` counts events that no step made, and `whole` the steps
    that were found, weighed closely and decided in time, with no other event before the next step.
    """

    grams: float
    steps: int
    found: int
    extra: int
    whole: int
    close: float
    in_time: float
    p95_s: float


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What one detector did with all the logs."""

    name: str
    cold_start_events: int
    injected: tuple[Injected, ...]
    corner_events: int
    corner_glitches: int
    glitch_events: int
    pushes: int


def measure(folder: Path, masses_g: Sequence[float] = (0.1, 0.2, 0.5, 2.0)) -> tuple[Measured, ...]:
    """Both detectors on the logs in a folder; BadRecording says which log is missing or cannot be read."""
    cold = _cold_start(folder / "coffee" / "coldstart.csv")
    corners = [_column(file) for file in _some(folder / "four-corners", "*.txt")]
    cells = [_four_cells(file) for file in _some(folder / "four-cells", "*.csv")]
    detectors: tuple[tuple[str, Detector], ...] = (("companion", watched), ("two windows", two_windows))
    return tuple(_measured(name, detect, cold, corners, cells, masses_g) for name, detect in detectors)


def watched(samples: Sequence[ScaleSample]) -> list[Change]:
    """The changes of mass that our detector tells."""
    table = TableScales(_plan(len(samples[0].counts)))
    events = [event for sample in samples for event in table.push(sample)] + table.finish()
    return [
        (event.t_us, event.decided_us, (event.grams or 0.0) * (1 if event.kind == "placed" else -1))
        for event in events
        if event.kind in ("placed", "removed", "collapse")
    ]


def two_windows(samples: Sequence[ScaleSample]) -> list[Change]:
    """The plain way: two neighbouring windows whose means differ by more than a tenth of a gram."""
    rows: deque[tuple[int, float]] = deque(maxlen=2 * _WINDOW_ROWS)
    found: list[Change] = []
    for sample in samples:
        rows.append((sample.t_us, sum(value or 0 for value in sample.counts) / COUNTS_PER_G))
        if len(rows) < 2 * _WINDOW_ROWS:
            continue
        values = [grams for _, grams in rows]
        change = (sum(values[_WINDOW_ROWS:]) - sum(values[:_WINDOW_ROWS])) / _WINDOW_ROWS
        if abs(change) > _TWO_WINDOWS_G:
            found.append((rows[_WINDOW_ROWS][0], sample.t_us, change))
            rows.clear()
    return found


def position_errors_mm(steps: int = 300, grams: float = 2.0, seed: int = 0) -> list[float]:
    """How far from where it lies a step is placed: four cells at 80 samples/s with 0.05 g of noise each."""
    rng = np.random.default_rng(seed)
    at = np.array(_CELLS_MM)
    errors: list[float] = []
    for _ in range(steps):
        place = rng.uniform((30.0, 30.0), (220.0, 170.0))
        samples = _stepping(rng, at, place, grams)
        table = TableScales(_plan(4))
        judge = table.judges[_BOARD]
        found = [each for sample in samples for each in _steps_of(table, sample)]
        errors.append(min((math.dist(each, place) for each in found), default=math.inf))
        assert judge.scales.platform.moments_known
    return sorted(errors)


def detection_us(seconds: float = 60.0, seed: int = 0) -> float:
    """Microseconds for one sample of four cells through all stages, with a step each three seconds."""
    rng = np.random.default_rng(seed)
    many = int(seconds * _RATE_SPS)
    loads = 2.0 * (np.arange(many) // int(3 * _RATE_SPS))
    grams = loads[:, None] * 0.25 + rng.normal(0.0, _CELL_NOISE_G, (many, 4))
    samples = _samples(grams)
    table = TableScales(_plan(4))
    began = time.process_time()
    for sample in samples:
        table.push(sample)
    return (time.process_time() - began) / many * 1e6


# Measuring


def _measured(
    name: str,
    detect: Detector,
    cold: Sequence[ScaleSample],
    corners: Sequence[Sequence[ScaleSample]],
    cells: Sequence[Sequence[ScaleSample]],
    masses_g: Sequence[float],
) -> Measured:
    told = [(log, detect(log)) for log in corners]
    glitches = [_glitches(log) for log in corners]
    return Measured(
        name=name,
        cold_start_events=len(detect(cold)),
        injected=tuple(_injected(detect, cold, grams) for grams in masses_g),
        corner_events=sum(len(changes) for _, changes in told),
        corner_glitches=sum(map(len, glitches)),
        glitch_events=sum(_made_by(at, changes) for (_, changes), at in zip(told, glitches, strict=True)),
        pushes=sum(len(detect(log)) for log in cells),
    )


def _injected(detect: Detector, cold: Sequence[ScaleSample], grams: float) -> Injected:
    errors: list[float] = []
    late: list[int] = []
    steps = extra = whole = 0
    close = max(_CLOSE_G, _CLOSE_PART * grams)
    for shift in range(_SHIFTS):
        at = range(60 + shift * _STEP_EVERY // _SHIFTS, len(cold) - 60, _STEP_EVERY)
        changes = detect(_with_steps(cold, at, grams))
        steps += len(at)
        used: set[int] = set()
        for number, index in enumerate(at):
            t_us = cold[index].t_us
            mine = _first_after(changes, used, t_us, 1 if number % 2 == 0 else -1)
            if mine is not None:
                used.add(mine)
                errors.append(abs(abs(changes[mine][2]) - grams))
                late.append(changes[mine][1] - t_us)
                until_us = cold[min(index + _STEP_EVERY, len(cold) - 1)].t_us
                alone = sum(t_us <= decided_us < until_us for _, decided_us, _ in changes) == 1
                whole += alone and errors[-1] <= close and late[-1] <= _IN_TIME_US
        extra += len(changes) - len(used)
    return Injected(
        grams=grams,
        steps=steps,
        found=len(late),
        extra=extra,
        whole=whole,
        close=_share(error <= close for error in errors),
        in_time=_share(us <= _IN_TIME_US for us in late),
        p95_s=sorted(late)[int(0.95 * len(late))] / 1e6 if late else math.inf,
    )


def _first_after(changes: Sequence[Change], used: set[int], t_us: int, sign: int) -> int | None:
    for index, (_, decided_us, grams) in enumerate(changes):
        if index not in used and t_us <= decided_us <= t_us + _NEAR_US and grams * sign > 0:
            return index
    return None


def _with_steps(cold: Sequence[ScaleSample], at: Iterable[int], grams: float) -> list[ScaleSample]:
    added, begins = 0, set(at)
    found: list[ScaleSample] = []
    for index, sample in enumerate(cold):
        if index in begins:
            added = round(grams * COUNTS_PER_G) - added
        found.append(ScaleSample(sample.t_us, sample.board, tuple((value or 0) + added for value in sample.counts)))
    return found


def _glitches(log: Sequence[ScaleSample]) -> list[int]:
    """The times of single samples far from all their neighbours."""
    values = [float(sample.counts[0] or 0) for sample in log]
    around = [
        values[max(0, at - _GLITCH_REACH) : at] + values[at + 1 : at + 1 + _GLITCH_REACH] for at in range(len(log))
    ]
    strays = [abs(value - median(near)) for value, near in zip(values, around, strict=True)]
    limits = [_GLITCH_MADS * max(1.0, median(abs(value - median(near)) for value in near)) for near in around]
    return [sample.t_us for sample, stray, limit in zip(log, strays, limits, strict=True) if stray > limit]


def _made_by(glitches: Sequence[int], changes: Sequence[Change]) -> int:
    """How many changes are said to have happened at a glitch."""
    times = set(glitches)
    return sum(1 for t_us, _, _ in changes if t_us in times)


def _share(hits: Iterable[bool]) -> float:
    told = list(hits)
    return sum(told) / len(told) if told else 0.0


# Logs and made-up samples


def _plan(cells: int) -> Plan:
    at = _CELLS_MM if cells == 4 else ((125.0, 100.0),) * cells
    made = tuple(Cell(f"c{channel}", at[channel], COUNTS_PER_G) for channel in range(cells))
    return Plan(format=FORMAT, version=VERSION, boards=(Board(id=_BOARD, size_mm=(250.0, 200.0), cells=made),))


def _cold_start(file: Path) -> list[ScaleSample]:
    rows = _table(file)
    return [ScaleSample(round(float(row["time"]) * 1e6), _BOARD, (round(float(row["raw_data"])),)) for row in rows]


def _column(file: Path) -> list[ScaleSample]:
    """One total a line, in g; played at ten a second."""
    totals = [float(line) for line in file.read_text().split()]
    return [ScaleSample(at * _PERIOD_US, _BOARD, (round(grams * COUNTS_PER_G),)) for at, grams in enumerate(totals)]


def _four_cells(file: Path) -> list[ScaleSample]:
    rows = [[float(row[f"lc{cell}"]) for cell in range(1, 5)] for row in _table(file) if all(row.values())]
    return [
        ScaleSample(at * _PERIOD_US, _BOARD, tuple(round(grams * COUNTS_PER_G) for grams in row))
        for at, row in enumerate(rows)
    ]


def _table(file: Path) -> list[dict[str, str]]:
    try:
        with file.open(newline="") as lines:
            return list(csv.DictReader(lines))
    except OSError as err:
        raise BadRecording(f"{file} cannot be read: {err.strerror or err}.") from err


def _some(folder: Path, pattern: str) -> list[Path]:
    found = sorted(folder.glob(pattern))
    if not found:
        raise BadRecording(f"{folder} holds no log.")
    return found


def _stepping(rng: np.random.Generator, at: np.ndarray, place: np.ndarray, grams: float) -> list[ScaleSample]:
    many, begin = int(4 * _RATE_SPS), int(2.5 * _RATE_SPS)
    spread = at - at.mean(axis=0)
    shares = 0.25 + spread @ np.linalg.pinv(spread.T @ spread) @ (place - at.mean(axis=0))
    loads = np.where(np.arange(many) < begin, 0.0, grams)
    return _samples(loads[:, None] * shares + rng.normal(0.0, _CELL_NOISE_G, (many, 4)))


def _samples(grams: np.ndarray) -> list[ScaleSample]:
    counts = np.rint(grams * COUNTS_PER_G).astype(int).tolist()
    return [ScaleSample(round(at * 1e6 / _RATE_SPS), _BOARD, tuple(row)) for at, row in enumerate(counts)]


def _steps_of(table: TableScales, sample: ScaleSample) -> list[tuple[float, float]]:
    table.push(sample)
    return [place for each in table.evidence if (place := getattr(each, "position_mm", None)) is not None]
