"""Made-up forces on boards: hands, placements, falls and bumps at 1 kHz, sensed by cells that ring, drift and glitch.

It is cruder than the physics and needs no engine; what is done when is known exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from companion.sensing.plan import Board, Point
from companion.sensing.streams import Flag, ScaleSample

Array = npt.NDArray[np.float64]

_HZ = 1000
_G_MM_S2 = 9810.0
_HIT_S = 0.004


@dataclass
class Forces:
    """What presses on one board over time: a force in g, and its moments about the board's corner in g mm."""

    seconds: float
    load: Array = field(init=False)

    def __post_init__(self) -> None:
        self.load = np.zeros((round(self.seconds * _HZ), 3))

    def press(self, t_s: float, grams: Array, place: Point) -> None:
        """A force that begins at some time and goes as the array says."""
        begin = int(t_s * _HZ)
        part = grams[: max(0, len(self.load) - begin)]
        self.load[begin : begin + len(part)] += np.outer(part, (1.0, *place))

    def rest(self, t_s: float, grams: float, place: Point) -> None:
        """Something lies there from then on; a negative mass has left."""
        self.press(t_s, np.full(len(self.load), grams), place)

    def hand(self, t_s: float, for_s: float, grams: float, place: Point, tremor: float = 0.03, seed: int = 0) -> None:
        """A hand leans on the board: smooth to come and to go, never quite still."""
        times = np.arange(int(for_s * _HZ)) / _HZ
        ramp = min(0.15, for_s / 3)
        shape = np.clip(np.minimum(times, for_s - times) / ramp, 0, 1)
        smooth = 0.5 - 0.5 * np.cos(np.pi * shape)
        chance = np.random.default_rng(seed)
        shaking = sum(np.sin(2 * np.pi * hz * times + chance.uniform(0, 6)) for hz in (1.3, 4.1, 8.7))
        self.press(t_s, grams * smooth * (1 + tremor * shaking), place)

    def place(self, t_s: float, grams: float, place: Point, press_g: float = 12.0) -> None:
        """A hand sets a piece down, presses a little and lets go."""
        self.hand(t_s - 0.4, 0.5, press_g, place)
        self.rest(t_s, grams, place)

    def take(self, t_s: float, grams: float, place: Point, press_g: float = 8.0) -> None:
        """A hand touches a piece and lifts it off."""
        self.hand(t_s - 0.45, 0.4, press_g, place)
        self.rest(t_s, -grams, place)

    def fall(self, t_s: float, grams: float, start: Point, end: Point, height_mm: float) -> float:
        """A piece loses its hold and falls; returns when it hits the board. It bounces once or twice."""
        falls_s = math.sqrt(2 * height_mm / _G_MM_S2)
        self.rest(t_s, -grams, start)
        hit_s, speed = t_s + falls_s, math.sqrt(2 * height_mm * _G_MM_S2)
        first = hit_s
        while True:
            back = 0.35 * speed
            impulse_gs = grams * (speed + back) / _G_MM_S2
            width = int(_HIT_S * _HZ)
            self.press(hit_s, np.full(width, impulse_gs / _HIT_S), end)
            if back < 60:
                break
            hit_s, speed = hit_s + 2 * back / _G_MM_S2, back
        self.rest(hit_s, grams, end)
        return first

    def roll(self, t_s: float, for_s: float, grams: float, start: Point, end: Point) -> None:
        """A piece that weighs nothing before rolls evenly from one place to another, and lies there."""
        many = int(for_s * _HZ)
        way = np.linspace(start, end, many)
        begin = int(t_s * _HZ)
        self.load[begin : begin + many] += grams * np.column_stack([np.ones(many), way])
        self.rest(t_s + for_s, grams, end)

    def shake(self, t_s: float, grams: float, hz: float = 11.0) -> None:
        """The table is bumped: the board swings to and fro about what lies on it."""
        times = np.arange(_HZ) / _HZ
        self.press(t_s, grams * np.exp(-times / 0.15) * np.sin(2 * np.pi * hz * times), (125.0, 100.0))


@dataclass(frozen=True)
class Chip:
    """How the cells of a board are read."""

    rate_sps: float = 80.0
    noise_g: float = 0.05
    drift_g: float = 0.0
    glitch_share: float = 0.0
    resonance_hz: float = 70.0
    damping: float = 0.04
    dead: tuple[int, ...] = ()
    offset_s: float = 0.0


def sensed(forces: Forces, of: Board, chip: Chip, seed: int = 0, start_us: int = 5_000_000) -> list[ScaleSample]:
    """The samples that the cells of a board give under these forces."""
    chance = np.random.default_rng(seed)
    cells = _ringing(_shared(forces.load, of), chip)
    summed = np.vstack([np.zeros(len(of.cells)), np.cumsum(cells, axis=0)])
    period = _HZ / chip.rate_sps
    ends = np.arange(period + chip.offset_s * _HZ, len(cells), period).astype(int)
    begins = np.maximum(ends - int(period), 0)
    grams = (summed[ends] - summed[begins]) / (ends - begins)[:, None]
    grams = grams + chance.normal(0, chip.noise_g, grams.shape)
    grams = grams + chip.drift_g * (1 - np.exp(-ends / _HZ / 200.0))[:, None]
    gains = np.array([cell.counts_per_g or 1000.0 for cell in of.cells])
    zeros = np.array([cell.zero_counts for cell in of.cells])
    counts = np.rint(grams * gains + zeros).astype(int)
    _glitch(counts, chip.glitch_share, chance)
    return [
        ScaleSample(
            start_us + int(end * 1e6 / _HZ),
            of.id,
            tuple(None if channel in chip.dead else value for channel, value in enumerate(row)),
            Flag.TIMEOUT if chip.dead else Flag(0),
        )
        for end, row in zip(ends.tolist(), counts.tolist(), strict=True)
    ]


def _shared(load: Array, of: Board) -> Array:
    """A stiff plate on equal springs: each cell's share is linear in its place."""
    if len(of.cells) == 1:
        return load[:, :1]
    at = np.array([cell.at_mm for cell in of.cells])
    spread = at - at.mean(axis=0)
    levers = spread @ np.linalg.pinv(spread.T @ spread)
    centred = load[:, 1:] - load[:, :1] * at.mean(axis=0)
    shared: Array = load[:, :1] / len(at) + centred @ levers.T
    return shared


def _ringing(cells: Array, chip: Chip) -> Array:
    many = 2 * len(cells)
    hz = np.fft.rfftfreq(many, 1 / _HZ) / chip.resonance_hz
    answer = 1 / (1 - hz**2 + 2j * chip.damping * hz)
    padded = np.vstack([cells, np.repeat(cells[-1:], many - len(cells), axis=0)])
    padded[-len(cells) // 2 :] = cells[0]
    rung: Array = np.fft.irfft(np.fft.rfft(padded, axis=0) * answer[:, None], many, axis=0)[: len(cells)]
    return rung


def _glitch(counts: npt.NDArray[np.int_], share: float, chance: np.random.Generator) -> None:
    hit = np.argwhere(chance.random(counts.shape) < share)
    for row, channel in hit:
        if chance.random() < 0.5 or counts.shape[1] == 1:
            counts[row, channel] = 2 ** int(chance.integers(8, 24)) - 1
        else:
            counts[row, channel] = counts[row, (channel + 1) % counts.shape[1]]
