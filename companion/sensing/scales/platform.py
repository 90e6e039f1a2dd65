"""From the cells of a board to force and moments.

With every cell alive the force is their sum and the moment the sum of force times place. Where a cell is dead, or its
gain unknown, the others stand in for it as under a stiff plate on equal springs, whose cells' forces are linear in
their places: three cells that are not in line then say all. A single cell, or cells of unknown place, give force only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.sensing.plan import Board, Cell, Point
from companion.sensing.scales.evidence import Row

_NOMINAL_COUNTS_PER_G = 1000.0
_HOLD_US = 300_000
_DEAD_US = 2_000_000


class Platform:
    """The cells under a board: `row` makes a reading of force and moments of a row of counts.

    `grams_known` is False where no cell has a gain: forces are then in thousands of counts. `moments_known` says
    whether positions can be told with the cells alive now. `changed` is True for a reading that cannot be compared
    with the one before because another set of cells made it. `levers_mm` is how many times as noisy as the force its
    moments along x and y are, where all cells are equally noisy.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.centre_mm: Point = (board.size_mm[0] / 2, board.size_mm[1] / 2)
        self.grams_known = any(cell.counts_per_g is not None for cell in board.cells)
        self._cells = board.cells
        self.gains = tuple(_gain(cell) for cell in board.cells)
        self._usable = tuple(not self.grams_known or cell.counts_per_g is not None for cell in board.cells)
        self._held: list[float] = [0.0] * len(self._cells)
        self._seen_us: list[int | None] = [None] * len(self._cells)
        self._live: tuple[int, ...] = ()
        self._weights: tuple[tuple[float, float, float], ...] = ()
        self._started_us: int | None = None
        self.moments_known = False
        self.levers_mm: tuple[float, float] = (0.0, 0.0)
        self.complete = False
        self.changed = False

    @property
    def live(self) -> tuple[int, ...]:
        """The channels that readings are made of now."""
        return self._live

    @property
    def known_centre_mm(self) -> Point | None:
        """What moments are about; None while there are none."""
        return self.centre_mm if self.moments_known else None

    def row(self, t_us: int, counts: Sequence[float | None]) -> Row | None:
        """The reading of these counts; None while no cell has said anything lately.

        A channel without a value keeps its last one for a short time, then it counts as dead until it speaks again.
        """
        if self._started_us is None:
            self._started_us = t_us
        self._take(t_us, counts)
        live = self._live_at(t_us)
        self.changed = live != self._live
        if self.changed:
            self._use(live)
        if not live:
            return None
        force = x = y = 0.0
        held = self._held
        for channel, (to_force, to_x, to_y) in zip(live, self._weights, strict=True):
            grams = held[channel]
            force += to_force * grams
            x += to_x * grams
            y += to_y * grams
        return Row(t_us, force, x, y)

    def dead(self, t_us: int) -> list[Cell]:
        """The cells that have been silent for long."""
        begun = self._started_us if self._started_us is not None else t_us
        return [
            cell
            for cell, seen_us in zip(self._cells, self._seen_us, strict=True)
            if t_us - (begun if seen_us is None else seen_us) > _DEAD_US
        ]

    def _take(self, t_us: int, counts: Sequence[float | None]) -> None:
        for channel, value in enumerate(counts):
            if value is None:
                continue
            self._seen_us[channel] = t_us
            if self._usable[channel]:
                self._held[channel] = (value - self._cells[channel].zero_counts) / self.gains[channel]

    def _live_at(self, t_us: int) -> tuple[int, ...]:
        oldest_us = t_us - _HOLD_US
        return tuple(
            [
                channel
                for channel, seen_us in enumerate(self._seen_us)
                if seen_us is not None and seen_us >= oldest_us and self._usable[channel]
            ]
        )

    def _use(self, live: tuple[int, ...]) -> None:
        self._live = live
        self.complete = len(live) == len(self._cells)
        places = [cell.at_mm for cell in self._cells]
        known = [place for place in places if place is not None]
        if len(known) < len(places) or not live:
            self._weights = tuple((len(places) / len(live), 0.0, 0.0) for _ in live)
            self.moments_known, self.levers_mm = False, (0.0, 0.0)
            return
        weights, rank = _weights(np.array(known, dtype=float) - np.array(self.centre_mm), live)
        self._weights = tuple((float(row[0]), float(row[1]), float(row[2])) for row in weights.T)
        noise = np.linalg.norm(weights, axis=1)
        self.levers_mm = (float(noise[1] / noise[0]), float(noise[2] / noise[0]))
        self.moments_known = rank == 3 or (self.complete and len(places) > 2)


def _gain(cell: Cell) -> float:
    return cell.counts_per_g if cell.counts_per_g is not None else _NOMINAL_COUNTS_PER_G


def _weights(places: np.ndarray, live: tuple[int, ...]) -> tuple[np.ndarray, int]:
    """What force, x and y moment take of each live cell (3 rows), and how much of the load they determine."""
    whole = np.vstack([np.ones(len(places)), places.T])
    if len(live) == len(places):
        return whole, int(np.linalg.matrix_rank(whole))
    shape = whole.T
    seen = shape[list(live)]
    rank = int(np.linalg.matrix_rank(seen))
    if rank < 3:
        return np.vstack([np.full(len(live), len(places) / len(live)), np.zeros((2, len(live)))]), rank
    return whole @ shape @ np.linalg.pinv(seen), rank
