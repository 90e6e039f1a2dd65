"""Impacts: what hits a board is over within two or three rows, and what fell from it made it lighter just before.

A hand loads and unloads over many rows. A row takes 11 to 25 ms here; slower chips blur an impact into a touch, so
nothing is said at their rates.
"""

from __future__ import annotations

from statistics import median

from companion.sensing.plan import Point
from companion.sensing.scales.evidence import BumpEvidence, ImpactEvidence
from companion.sensing.scales.quiet import Rows
from companion.sensing.streams import LONG_AGO_US

SLOWEST_ROW_S = 0.034
_LEAST_PEAK_G = 0.8
_PEAK_SIGMAS = 9.0
_REACH = 2
_PUSH_ROWS = 3
_DIP_FROM_US = 180_000
_STEADY_US, _FALL_US = 300_000, 130_000  # before an impact: since when the load is looked at, and since when it sinks
_SWINGS = 3
_SWING_US = 300_000
_SWING_SIGMAS = 7.0
_LEAST_SWING_G = 0.5
_EVEN = 0.35
_REST_US = 600_000


class Impacts:
    """Finds peaks in the force of one board. `push` looks at the row before the last two: that is its delay."""

    def __init__(self, board: str) -> None:
        self._board = board

    def push(
        self, rows: Rows, reference_g: float, sigma_g: float, centre_mm: Point | None = None
    ) -> ImpactEvidence | None:
        """The impact that the newest row makes certain, if any; moments are about `centre_mm`, None if unknown."""
        force = rows.force
        peak = len(force) - 1 - _REACH
        if peak < _REACH or rows.row_s > SLOWEST_ROW_S:
            return None
        top = force[peak]
        if top < force[peak - 1] or top <= force[peak + 1]:
            return None
        left, right = min(force[peak - 1], force[peak - 2]), min(force[peak + 1], force[peak + 2])
        if top - max(left, right) < max(_LEAST_PEAK_G, _PEAK_SIGMAS * sigma_g):
            return None
        touch_us = self._touch(rows, peak)
        return ImpactEvidence(
            board=self._board,
            t_us=touch_us,
            decided_us=rows.t_us[-1],
            peak_g=top - max(left, right),
            height_g=top - reference_g,
            push_gs=(top - max(left, right)) * rows.row_s,
            dip_g=self._dip(rows, peak, reference_g),
            position_mm=self._position(rows, rows.since(touch_us), centre_mm),
            sunk_g=_sunk_g(rows, touch_us),
        )

    @staticmethod
    def _touch(rows: Rows, peak: int) -> int:
        """The row in which the force rises: the one before the peak when it already has a good part of it."""
        force = rows.force
        early = force[peak - 1] - force[peak - 2] > 0.3 * (force[peak] - force[peak - 2])
        return rows.t_us[peak - 1 if early else peak]

    @staticmethod
    def _position(rows: Rows, touch: int, centre_mm: Point | None) -> Point | None:
        """Where it hit: the moments that go with the force, from what came on top of the rows before it."""
        if centre_mm is None or touch < 2:
            return None
        begin, end = touch - 1, touch + _PUSH_ROWS
        force, x, y = (_on_top(values, begin, end) for values in (rows.force, rows.x, rows.y))
        power = sum(each * each for each in force) or 1.0
        along_x = sum(mine * yours for mine, yours in zip(force, x, strict=True)) / power
        along_y = sum(mine * yours for mine, yours in zip(force, y, strict=True)) / power
        return (centre_mm[0] + along_x, centre_mm[1] + along_y)

    @staticmethod
    def _dip(rows: Rows, peak: int, reference_g: float) -> float:
        begin = max(rows.since(rows.t_us[peak] - _DIP_FROM_US), 1)
        force = rows.force
        pairs = [(force[index - 1] + force[index]) / 2 for index in range(begin, peak)]
        return reference_g - min(pairs) if pairs else 0.0


def _sunk_g(rows: Rows, hit_us: int) -> float:
    """By how much the load sank in a moment before an impact from where it was before that moment."""
    begin, fall, hit = rows.since(hit_us - _STEADY_US), rows.since(hit_us - _FALL_US), rows.since(hit_us)
    if fall - begin < 2 or hit - fall < 3:
        return 0.0
    force = rows.force
    return median(force[begin:fall]) - min((force[at] + force[at + 1]) / 2 for at in range(fall, hit - 1))


def _on_top(values: list[float], begin: int, end: int) -> list[float]:
    before = (values[begin] + values[begin - 1]) / 2
    return [value - before for value in values[begin:end]]


class Swings:
    """Finds shaking: the force goes to either side of the reference, again and again, about as far."""

    def __init__(self, board: str) -> None:
        self._board = board
        self._crossed: list[tuple[int, float]] = []
        self._quiet_from_us = LONG_AGO_US

    def push(self, rows: Rows, reference_g: float, sigma_g: float) -> BumpEvidence | None:
        """A shake at the row that makes it certain; then nothing until it has died down."""
        t_us, beyond = rows.t_us[-1], rows.force[-1] - reference_g
        if abs(beyond) < max(_LEAST_SWING_G, _SWING_SIGMAS * sigma_g):
            return None
        if self._crossed and (self._crossed[-1][1] > 0) == (beyond > 0):
            if abs(beyond) > abs(self._crossed[-1][1]):
                self._crossed[-1] = (self._crossed[-1][0], beyond)
        else:
            self._crossed.append((t_us, beyond))
        self._crossed = [swing for swing in self._crossed if t_us - swing[0] < _SWING_US]
        return self._shake(t_us)

    def _shake(self, t_us: int) -> BumpEvidence | None:
        if len(self._crossed) < _SWINGS:
            return None
        up = max(swing for _, swing in self._crossed)
        down = -min(swing for _, swing in self._crossed)
        if min(up, down) < _EVEN * max(up, down):
            return None
        started, fresh = self._crossed[0][0], t_us > self._quiet_from_us
        self._quiet_from_us = t_us + _REST_US
        return BumpEvidence(self._board, started, t_us, up + down) if fresh else None
