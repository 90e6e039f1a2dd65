"""When a load is at rest, and how noisy rest is.

The noise is learned from each board as it runs: white noise from neighbouring readings, and the slower wander from
how far settled levels stray from the reference. Nobody states it, no log was fitted.
"""

from __future__ import annotations

import math
from bisect import bisect_left

import msgspec

from companion.sensing.scales.evidence import Load, Row

_WINDOW_S = 0.54
_FEWEST_ROWS = 5
_LONGEST_GAP_S = 0.35
_LEARN_GAP = 0.05  # how far one gap between rows moves what is known of them, once there were some
_KEPT_S = 8.0
_FIRST_NOISE_S = 1.2
_FIRST_ROWS = 10
_QUANTILE = 0.4
_SIGMA_OF_QUANTILE = 1 / (0.5244 * math.sqrt(2))
_LEARN_PER_S = 0.25
_LEARN_IN_ACTION_PER_S = 0.02
_LEAST_SIGMA = 0.002
_TREND_SIGMAS = 4.0
_RANGE_FACTOR = 2.0
_TREND_PART = 0.015
_RANGE_PART = 0.04


def followed(estimate: float, value: float, step: float) -> float:
    """An estimate of the 40 % quantile, moved by one more value: little, and never far."""
    return max(_LEAST_SIGMA, estimate * (1 + (_QUANTILE if value > estimate else _QUANTILE - 1) * step))


class Noise:
    """The white noise of a stream of readings, as one standard deviation.

    It follows a low quantile of the differences between neighbours, which an evening full of hands barely moves.
    """

    def __init__(self, guess: float) -> None:
        self.sigma = guess
        self._first: list[float] | None = []
        self._first_s = 0.0
        self._last: float | None = None

    def update(self, value: float, dt_s: float, in_action: bool) -> None:
        """Take in a reading that came `dt_s` after the one before."""
        last, self._last = self._last, value
        if last is None:
            return
        difference = abs(value - last)
        if self._first is not None:
            self._begin(difference, dt_s)
            return
        step = (_LEARN_IN_ACTION_PER_S if in_action else _LEARN_PER_S) * min(dt_s, 0.2)
        self.sigma = followed(self.sigma, difference * _SIGMA_OF_QUANTILE, step)

    def _begin(self, difference: float, dt_s: float) -> None:
        assert self._first is not None
        self._first.append(difference)
        self._first_s += dt_s
        if self._first_s >= _FIRST_NOISE_S and len(self._first) >= _FIRST_ROWS:
            ordered = sorted(self._first)
            self.sigma = max(_LEAST_SIGMA, ordered[int(_QUANTILE * len(ordered))] * _SIGMA_OF_QUANTILE)
            self._first = None

    @property
    def learned(self) -> bool:
        return self._first is None


class Level(msgspec.Struct, frozen=True):
    """A load averaged over some rows, and from when to when they were read."""

    load: Load
    rows: int
    from_us: int
    to_us: int


class Rows:
    """The last seconds of a board's readings, and whether the newest of them lie still.

    `window` is where the newest half second begins. The lists are for reading only.
    """

    def __init__(self) -> None:
        self.t_us: list[int] = []
        self.force: list[float] = []
        self.x: list[float] = []
        self.y: list[float] = []
        self.window = 0
        self.row_s = 0.0125
        self._gaps = 0
        self.moved_out = 0

    def push(self, row: Row) -> None:
        """Add a reading; `moved_out` is then how many rows have just become older than the window."""
        if self.t_us:
            dt_s = (row.t_us - self.t_us[-1]) * 1e-6
            if dt_s > _LONGEST_GAP_S:
                self.window = len(self.t_us)
            elif dt_s > 0:
                self._gaps += 1
                self.row_s += max(_LEARN_GAP, 1 / self._gaps) * (dt_s - self.row_s)
        self.t_us.append(row.t_us)
        self.force.append(row.force_g)
        self.x.append(row.x_gmm)
        self.y.append(row.y_gmm)
        before, oldest_us = self.window, row.t_us - int(_WINDOW_S * 1e6)
        while self.t_us[self.window] < oldest_us:
            self.window += 1
        self.moved_out = self.window - before
        if self.window > 256 and self.t_us[128] < row.t_us - int(_KEPT_S * 1e6):
            self._forget(128)

    def clear(self) -> None:
        """Forget all, as when another set of cells speaks from now on."""
        for column in (self.t_us, self.force, self.x, self.y):
            column.clear()
        self.window = 0

    def full(self) -> bool:
        """Whether the window holds enough rows to judge by."""
        inside = len(self.t_us) - self.window
        return inside >= _FEWEST_ROWS and self.t_us[-1] - self.t_us[self.window] >= (_WINDOW_S - 1.6 * self.row_s) * 1e6

    def level(self) -> Level:
        """The window's mean."""
        return self.level_of(self.window, len(self.t_us))

    def level_of(self, begin: int, end: int) -> Level:
        """The mean of the rows from `begin` up to `end`."""
        many = end - begin
        load = Load(sum(self.force[begin:end]) / many, sum(self.x[begin:end]) / many, sum(self.y[begin:end]) / many)
        return Level(load, many, self.t_us[begin], self.t_us[end - 1])

    def since(self, t_us: int) -> int:
        """The index of the first row at or after a time."""
        return bisect_left(self.t_us, t_us)

    def unrest(self, force_sigma: float, moment_sigma: float, away: Load) -> float:
        """How much the window drifts or shakes: below 1 no more than noise does, or than a small part of `away`."""
        return max(
            _unrest(self.force[self.window :], force_sigma, abs(away.force_g)),
            _unrest(self.x[self.window :], moment_sigma, abs(away.x_gmm)),
            _unrest(self.y[self.window :], moment_sigma, abs(away.y_gmm)),
        )

    def _forget(self, many: int) -> None:
        for column in (self.t_us, self.force, self.x, self.y):
            del column[:many]
        self.window -= many


def _unrest(values: list[float], sigma: float, away: float) -> float:
    many = len(values)
    limit = max(_RANGE_FACTOR * (1.2 + 0.85 * math.log(many)) * sigma, _RANGE_PART * away)
    half = many // 2
    trend = abs(sum(values[many - half :]) - sum(values[:half])) / half
    trend_limit = max(_TREND_SIGMAS * sigma * math.sqrt(2 / half), _TREND_PART * away)
    return max((max(values) - min(values)) / limit, trend / trend_limit)
