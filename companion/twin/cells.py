"""Load cells under a board: from the load that physics knows to the raw counts that a chip gives.

A rigid plate lies on one to four cells of equal stiffness. Each cell rings at its resonance, creeps under load, drifts
as it warms up and is read by a chip of its own rate, which averages over a conversion, adds noise and sometimes says
something else altogether.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

import msgspec
import numpy as np

from companion.sensing.plan import Board, Cell, Point
from companion.sensing.streams import Flag, ScaleSample

FULL_SCALE_COUNTS = 2**23 - 1
_US_PER_S = 1_000_000
_SETTLING_SAMPLES = 4
_FEWEST_GLITCH_BITS, _MOST_GLITCH_BITS = 8, 23
_RATES_SPS = (80.0, 80.0, 86.0, 92.7, 93.0, 40.0, 11.3, 10.0)
_TAPS: tuple[tuple[float, ...], ...] = ((1.0,), (0.7, 0.25, 0.05), (0.5, 0.35, 0.15))
_CALIBRATION_ERROR = 0.004
_COUNTS_PER_G = (400.0, 1700.0)
_JITTER_US = 150.0


class CellTraits(msgspec.Struct, frozen=True, kw_only=True):
    """One cell as it really is, which no plan knows exactly."""

    counts_per_g: float = 1540.0
    zero_counts: float = 80_000.0
    resonance_hz: float = 70.0
    damping: float = 0.04
    noise_g: float = 0.0
    drift_g: float = 0.0
    drift_s: float = 240.0
    wander_g: float = 0.0
    """Standard deviation of its random walk after one second."""
    creep: float = 0.0
    """The share of a load that follows late."""
    creep_s: float = 60.0
    dead: bool = False


class ChipTraits(msgspec.Struct, frozen=True, kw_only=True):
    """How a board's cells are read."""

    rate_sps: float = 80.0
    taps: tuple[float, ...] = (1.0,)
    """How much of the last conversions is in a reading, newest first."""
    glitch_share: float = 0.0
    timeout_share: float = 0.0
    jitter_us: float = 0.0


class ScaleTraits(msgspec.Struct, frozen=True, kw_only=True):
    """Everything true of one board's scale."""

    cells: tuple[CellTraits, ...]
    at_mm: tuple[Point, ...]
    chip: ChipTraits = ChipTraits()


def share(at_mm: Sequence[Point]) -> list[tuple[float, float, float]]:
    """For each cell, how much of (load, first moment along x, along y) it carries.

    Statics of a rigid plate on cells of equal stiffness; a single cell carries all, wherever it lies. The shares of the
    load always add up to one.

    >>> share([(0, 0), (100, 0), (0, 100), (100, 100)])[0]
    (0.75, -0.005, -0.005)
    """
    points = np.asarray(at_mm, dtype=float).reshape(-1, 2)
    centre = points.mean(axis=0)
    spread = points - centre
    levers = spread @ np.linalg.pinv(spread.T @ spread)
    plain = 1.0 / len(points) - levers @ centre
    return [
        (round(float(p), 12), round(float(lx), 12), round(float(ly), 12))
        for p, (lx, ly) in zip(plain, levers, strict=True)
    ]


class _Cell:
    """The mechanics of one cell: ringing about its load, and creep."""

    def __init__(self, traits: CellTraits) -> None:
        self._omega = 2 * math.pi * traits.resonance_hz
        self._zeta = traits.damping
        self._creep, self._creep_s = traits.creep, traits.creep_s
        self._dt_us = 0
        self._steps = (0.0, 0.0, 0.0, 0.0, 0.0)
        self.grams = self._speed = self._crept = 0.0

    def rest(self, load_g: float) -> None:
        """As if this load had lain there for ever."""
        self.grams, self._speed, self._crept = load_g, 0.0, load_g * self._creep

    def feed(self, load_g: float, dt_us: int) -> float:
        """What the cell bears after a while under a steady load."""
        if dt_us != self._dt_us:
            self._prepare(dt_us)
        aa, ab, ba, bb, late = self._steps
        off = self.grams - load_g
        speed = self._speed
        self.grams = load_g + aa * off + ab * speed
        self._speed = ba * off + bb * speed
        self._crept += late * (load_g * self._creep - self._crept)
        return self.grams + self._crept

    def _prepare(self, dt_us: int) -> None:
        """The exact steps of a damped oscillator over `dt_us`."""
        self._dt_us = dt_us
        dt = dt_us / _US_PER_S
        damped = self._omega * math.sqrt(1 - self._zeta**2)
        decay, cos, sin = math.exp(-self._zeta * self._omega * dt), math.cos(damped * dt), math.sin(damped * dt)
        lag = self._zeta * self._omega / damped * sin
        self._steps = (
            decay * (cos + lag),
            decay * sin / damped,
            -decay * self._omega**2 / damped * sin,
            decay * (cos - lag),
            1 - math.exp(-dt / self._creep_s),
        )


class Scale:
    """A board's scale: feed it the load at every step of physics, take its samples."""

    def __init__(self, board: str, traits: ScaleTraits, rng: np.random.Generator) -> None:
        self.board = board
        self.traits = traits
        self._rng = rng
        self._shares = share(traits.at_mm)
        self._cells = [_Cell(cell) for cell in traits.cells]
        self._sums = [0.0] * len(self._cells)
        self._steps = 0
        self._recent: list[deque[float]] = [deque(maxlen=len(traits.chip.taps)) for _ in self._cells]
        self._period_us = _US_PER_S / traits.chip.rate_sps
        self._began_us: int | None = None
        self._last_us = 0
        self._due_us = 0.0
        self._wander = [0.0] * len(self._cells)
        self._taken = 0

    def feed(self, t_us: int, grams: float, moment_x: float, moment_y: float) -> ScaleSample | None:
        """The load (g) and its first moments (g mm, in the board's frame) up to `t_us`; a sample when one is ready."""
        if self._began_us is None:
            self._begin(t_us, grams, moment_x, moment_y)
        dt_us = t_us - self._last_us
        self._last_us = t_us
        sums = self._sums
        for number, (cell, (whole, along_x, along_y)) in enumerate(zip(self._cells, self._shares, strict=True)):
            load = whole * grams + along_x * moment_x + along_y * moment_y
            sums[number] += cell.feed(load, dt_us) if dt_us else cell.grams
        self._steps += 1
        return self._convert(t_us) if t_us >= self._due_us else None

    def _begin(self, t_us: int, grams: float, moment_x: float, moment_y: float) -> None:
        self._began_us = self._last_us = t_us
        self._due_us = t_us + self._period_us * float(self._rng.uniform(0.05, 1))
        for cell, (whole, along_x, along_y) in zip(self._cells, self._shares, strict=True):
            cell.rest(whole * grams + along_x * moment_x + along_y * moment_y)

    def _convert(self, t_us: int) -> ScaleSample:
        """One reading of every cell, and of the chip's moods."""
        stated_us = self._due_us + self._rng.normal(0, self.traits.chip.jitter_us)
        self._due_us = max(self._due_us + self._period_us, t_us + 1.0)
        self._taken += 1
        flags = Flag.SETTLING if self._taken <= _SETTLING_SAMPLES else Flag(0)
        counts: list[int | None] = []
        for number in range(len(self._cells)):
            count = self._count(number, (t_us - (self._began_us or 0)) / _US_PER_S)
            counts.append(max(-FULL_SCALE_COUNTS - 1, min(FULL_SCALE_COUNTS, count)))
        self._sums, self._steps = [0.0] * len(self._cells), 0
        flags |= self._moods(counts)
        return ScaleSample(round(stated_us), self.board, tuple(counts), flags)

    def _count(self, number: int, age_s: float) -> int:
        traits = self.traits.cells[number]
        recent = self._recent[number]
        recent.appendleft(self._sums[number] / self._steps)
        taps = self.traits.chip.taps[: len(recent)]
        grams = sum(tap * value for tap, value in zip(taps, recent, strict=True)) / sum(taps)
        self._wander[number] += self._rng.normal(0, traits.wander_g) * math.sqrt(self._period_us / _US_PER_S)
        grams += traits.drift_g * -math.expm1(-age_s / traits.drift_s) + self._wander[number]
        grams += self._rng.normal(0, traits.noise_g)
        return round(traits.zero_counts + traits.counts_per_g * grams)

    def _moods(self, counts: list[int | None]) -> Flag:
        """Dead cells, missed readings, values of another kind and of the neighbour, and what the module says of it."""
        flags = Flag(0)
        rng, chip = self._rng, self.traits.chip
        true = list(counts)
        for number, traits in enumerate(self.traits.cells):
            luck, which = rng.random(), rng.random()
            if traits.dead or luck < chip.timeout_share:
                counts[number] = None
                flags |= Flag.TIMEOUT
            elif luck > 1 - chip.glitch_share:
                counts[number] = self._glitch(true, number, which)
                flags |= Flag.DESYNC if which > 0.8 else Flag(0)
            if counts[number] is not None and abs(counts[number] or 0) >= FULL_SCALE_COUNTS:
                flags |= Flag.SATURATED
        return flags

    def _glitch(self, true: Sequence[int | None], number: int, which: float) -> int | None:
        if which < 0.5 and len(true) > 1:
            return true[(number + 1) % len(true)]
        bits = int(self._rng.integers(_FEWEST_GLITCH_BITS, _MOST_GLITCH_BITS, endpoint=True))
        return (1 << bits) - 1


# Made up at random


def plain_traits(at_mm: Sequence[Point], rate_sps: float = 80.0, noise_g: float = 0.0) -> ScaleTraits:
    """A scale with nothing wrong with it."""
    return ScaleTraits(
        cells=tuple(CellTraits(noise_g=noise_g) for _ in at_mm),
        at_mm=tuple(at_mm),
        chip=ChipTraits(rate_sps=rate_sps),
    )


def any_traits(at_mm: Sequence[Point], rng: np.random.Generator) -> ScaleTraits:
    """A scale as somebody might have built it, some better, some worse."""
    chip = ChipTraits(
        rate_sps=float(rng.choice(_RATES_SPS)) * float(rng.uniform(0.985, 1.0)),
        taps=_TAPS[int(rng.integers(len(_TAPS)))],
        glitch_share=float(rng.choice((0.0, 0.0, 0.0, 0.004, 0.02))),
        timeout_share=float(rng.choice((0.0, 0.0, 0.002))),
        jitter_us=_JITTER_US,
    )
    gain = float(rng.uniform(*_COUNTS_PER_G)) * float(rng.choice((1, 1, 1, -1)))
    dead = int(rng.integers(len(at_mm))) if len(at_mm) > 2 and rng.random() < 0.04 else None
    cells = tuple(_any_cell(gain, rng, number == dead) for number in range(len(at_mm)))
    return ScaleTraits(cells=cells, at_mm=tuple(at_mm), chip=chip)


def _any_cell(gain: float, rng: np.random.Generator, dead: bool) -> CellTraits:
    return CellTraits(
        counts_per_g=gain * float(rng.normal(1, 0.02)),
        zero_counts=float(rng.integers(-300_000, 300_000)),
        resonance_hz=float(rng.uniform(60, 85)),
        damping=float(rng.uniform(0.02, 0.08)),
        noise_g=float(rng.uniform(0.01, 0.03)),
        drift_g=float(rng.normal(0, 0.1)),
        drift_s=float(rng.uniform(120, 400)),
        wander_g=float(rng.uniform(0.0005, 0.003)),
        creep=float(rng.uniform(0.0003, 0.002)),
        creep_s=float(rng.uniform(20, 120)),
        dead=dead,
    )


def stated(board: Board, traits: ScaleTraits, rng: np.random.Generator | None = None) -> tuple[Cell, ...]:
    """What a calibration of this scale would have found: right to less than a percent, exact without `rng`."""
    ids = [cell.id for cell in board.cells] or [f"c{number}" for number in range(len(traits.cells))]
    return tuple(
        Cell(
            id=name,
            at_mm=at,
            counts_per_g=round(cell.counts_per_g * (1 + (rng.normal(0, _CALIBRATION_ERROR) if rng else 0.0)), 3),
            zero_counts=round(cell.zero_counts + (rng.normal(0, abs(cell.counts_per_g)) if rng else 0.0)),
        )
        for name, cell, at in zip(ids, traits.cells, traits.at_mm, strict=True)
    )
