"""Steps: the load has settled at another level than the reference.

The reference follows drift and creep from rows that are older than any undecided change, and stands still while
anything moves: it cannot swallow an event. How large a change must be follows from the noise and from how far quiet
levels have been seen to wander.
"""

from __future__ import annotations

import math

from companion.sensing.scales.evidence import Load, StepEvidence
from companion.sensing.scales.platform import Platform
from companion.sensing.scales.quiet import Level, Noise, Rows, followed

_REFERENCE_S = 2.5
_LEAST_STEP_G = 0.05
_LEAST_MOMENT_GMM = 6.0
_WANDER_SIGMAS = 4.3
_WHITE_SIGMAS = 5.0
_ALIKE = 4.0  # rows close to each other err alike: a young reference is worth that much less
_FIRST_WANDER = 2.0
_LEARN_WANDER_PER_S = 0.1
_LEARN_FIRST_PER_S, _FIRST_S = 0.5, 6.0
_SIGMA_OF_QUANTILE = 1 / 0.5244
_NEAR_PART = 0.35
_REST = 1.25
_MOVED = 0.75
_LET_GO_US = 1_500_000
_CLEAR_SIGMAS = 4.0
_SURE_REST = 0.7
_LEVER_MM = 50.0
_AGAIN_US = 1_000_000
_COUNTS_SIGMA_G = 0.05
_LEAST_SHARE = 0.5  # of the noise that equally noisy cells would make of a moment: less was learned by luck


class Steps:
    """Compares settled levels of one board with the reference.

    `rest` is True while the load lies still, at the reference or elsewhere. A step is told once, and again each second
    while nobody accepts it; `accept` makes the level of the newest step the reference.
    """

    def __init__(self, board: str, platform: Platform) -> None:
        self._board = board
        self._platform = platform
        self.force_noise = Noise(_COUNTS_SIGMA_G)
        self._moment_noise = Noise(_COUNTS_SIGMA_G * 100)
        self.reference: Load | None = None
        self._weight = 0
        self._force_wander = 0.0
        self._moment_wander = 0.0
        self._told: Level | None = None
        self.rest = False
        self.away = Load(0.0)
        self.threshold_g = _LEAST_STEP_G
        self.threshold_gmm = _LEAST_MOMENT_GMM
        self._moved = False
        self._learned_s = 0.0
        self._still_from_us = 0
        self._left_us = 0

    @property
    def moment_sigma(self) -> float:
        """The white noise of the noisier moment. A few readings that happen to agree do not make it small."""
        return max(self._moment_noise.sigma, _LEAST_SHARE * max(self._platform.levers_mm) * self.force_noise.sigma)

    def forget(self) -> None:
        """Start over without a reference, as when other cells speak from now on."""
        self.reference = None
        self._told = None
        self.rest = False

    def push(self, rows: Rows) -> StepEvidence | None:
        """Look at the newest rows; a step when they have settled elsewhere."""
        self._learn_noise(rows)
        if not rows.full() or not self.force_noise.learned:
            self.rest = False
            return None
        level = rows.level()
        if self.reference is None:
            self._begin(rows, level)
            return None
        away = self.away = level.load.minus(self.reference)
        unrest = rows.unrest(self.force_noise.sigma, self.moment_sigma, away)
        self.rest = unrest < _REST
        self._set_thresholds(rows, level.rows)
        beyond = max(abs(away.force_g) / self.threshold_g, away.moment_gmm() / self.threshold_gmm)
        if unrest > _MOVED:
            self._left_us = self._left_us if self._moved else level.to_us
            self._moved, self._still_from_us = True, level.to_us
        if not self.rest:
            return None
        if beyond > 1:
            if self._moved:
                return self._step(rows, level, unrest)
            self._drift(level)
            return None
        self._told = None
        if self._moved and beyond > _NEAR_PART:
            self._too_small(level)
            return None
        self._moved = False
        self._learn_wander(rows)
        self._follow(rows, level)
        return None

    def accept(self) -> None:
        """The newest level is what changes are counted from now on."""
        if self._told is not None:
            self.reference, self._weight = self._told.load, self._told.rows
            self._told = None
            self._moved = False

    @property
    def left_us(self) -> int | None:
        """When the load left the reference; None while it is there."""
        return self._left_us if self._moved else None

    def position(self, change: Load) -> tuple[tuple[float, float] | None, float | None]:
        """Where a single piece would have to lie to make this change, and how far off that may be."""
        return self._position(change, self._sigma(self._weight))

    def _begin(self, rows: Rows, level: Level) -> None:
        self.rest = rows.unrest(self.force_noise.sigma, self.moment_sigma, Load(0.0)) < 1
        if self.rest:
            self.reference, self._weight = level.load, level.rows
            white = _FIRST_WANDER * math.sqrt(1 / level.rows + rows.row_s / _REFERENCE_S)
            self._force_wander = white * self.force_noise.sigma
            self._moment_wander = white * self.moment_sigma
            self._set_thresholds(rows, level.rows)

    def _learn_noise(self, rows: Rows) -> None:
        in_action = self.reference is not None and not self.rest
        self.force_noise.update(rows.force[-1], rows.row_s, in_action)
        if self._platform.moments_known:
            along_x, along_y = self._platform.levers_mm
            noisier = rows.x if along_x >= along_y else rows.y
            self._moment_noise.update(noisier[-1], rows.row_s, in_action)

    def _set_thresholds(self, rows: Rows, many: int) -> None:
        white = _WHITE_SIGMAS * math.sqrt(1 / many + 1 / max(1, self._weight))
        settled = max(1.0, _REFERENCE_S / rows.row_s)
        alike = _ALIKE * many
        young = _WANDER_SIGMAS * math.sqrt((1 + alike / max(1, self._weight)) / (1 + alike / settled))
        least = _LEAST_STEP_G if self._platform.grams_known else 0.0
        self.threshold_g = max(least, white * self.force_noise.sigma, young * self._force_wander, 1e-9)
        self.threshold_gmm = (
            max(_LEAST_MOMENT_GMM, white * self.moment_sigma, young * self._moment_wander)
            if self._platform.moments_known
            else math.inf
        )

    def _too_small(self, level: Level) -> None:
        """A change that stays below what noise could have made is let go, once no later row can tell otherwise."""
        if level.to_us - self._still_from_us > _LET_GO_US:
            self.reference, self._weight, self._moved = level.load, level.rows, False

    def _follow(self, rows: Rows, level: Level) -> None:
        assert self.reference is not None
        most = max(level.rows, int(_REFERENCE_S / rows.row_s))
        for index in range(rows.window - rows.moved_out, rows.window):
            self._weight = min(self._weight + 1, most)
            part = 1 / self._weight
            force, x, y = self.reference.force_g, self.reference.x_gmm, self.reference.y_gmm
            self.reference = Load(
                force + part * (rows.force[index] - force),
                x + part * (rows.x[index] - x),
                y + part * (rows.y[index] - y),
            )

    def _learn_wander(self, rows: Rows) -> None:
        self._learned_s += rows.row_s
        step = (_LEARN_WANDER_PER_S if self._learned_s > _FIRST_S else _LEARN_FIRST_PER_S) * rows.row_s
        away = self.away
        self._force_wander = followed(self._force_wander, abs(away.force_g) * _SIGMA_OF_QUANTILE, step)
        moment = max(abs(away.x_gmm), abs(away.y_gmm))
        self._moment_wander = followed(self._moment_wander, moment * _SIGMA_OF_QUANTILE, step)

    def _drift(self, level: Level) -> None:
        """A level that was reached without anything moving is the reference itself that has wandered."""
        self.reference, self._weight = level.load, level.rows

    def _step(self, rows: Rows, level: Level, unrest: float) -> StepEvidence | None:
        if self._told is not None and level.to_us - self._told.to_us < _AGAIN_US and self._same(level, self._told):
            return None
        change = self.away
        arrived_us, clear = self._arrived(rows, level.load)
        if (arrived_us > level.from_us) if clear else (unrest > _SURE_REST):
            return None
        self._told = level
        sigma = self._sigma(level.rows)
        position, spread = self._position(change, sigma)
        return StepEvidence(
            board=self._board,
            t_us=arrived_us,
            began_us=self._left_us,
            decided_us=level.to_us,
            change=change,
            sigma=sigma,
            position_mm=position,
            spread_mm=spread,
        )

    def _arrived(self, rows: Rows, level: Load) -> tuple[int, bool]:
        """When the load came to its new level for good, and whether noise leaves that in no doubt."""
        change = self.away
        if abs(change.force_g) * _LEVER_MM > change.moment_gmm():
            values, there, apart, sigma = rows.force, level.force_g, change.force_g, self.force_noise.sigma
        elif abs(change.x_gmm) > abs(change.y_gmm):
            values, there, apart, sigma = rows.x, level.x_gmm, change.x_gmm, self.moment_sigma
        else:
            values, there, apart, sigma = rows.y, level.y_gmm, change.y_gmm, self.moment_sigma
        near = abs(apart) / 2
        index = len(values) - 1
        while index > 0 and (abs(values[index] - there) < near or abs(values[index - 1] - there) < near):
            index -= 1
        return rows.t_us[min(index + 1, len(values) - 1)], abs(apart) > _CLEAR_SIGMAS * sigma

    def _same(self, one: Level, other: Level) -> bool:
        apart = one.load.minus(other.load)
        return abs(apart.force_g) < self.threshold_g and apart.moment_gmm() < self.threshold_gmm

    def _sigma(self, many: int) -> Load:
        white = 1 / many + 1 / max(1, self._weight)
        force = math.sqrt(white * self.force_noise.sigma**2 + self._force_wander**2)
        moment = math.sqrt(white * self.moment_sigma**2 + self._moment_wander**2)
        return Load(force, moment, moment)

    def _position(self, change: Load, sigma: Load) -> tuple[tuple[float, float] | None, float | None]:
        if not self._platform.moments_known or abs(change.force_g) < 3 * sigma.force_g:
            return None, None
        x, y = change.x_gmm / change.force_g, change.y_gmm / change.force_g
        spread = math.hypot(sigma.x_gmm, math.hypot(x, y) * sigma.force_g) / abs(change.force_g)
        centre = self._platform.centre_mm
        return (centre[0] + x, centre[1] + y), spread
