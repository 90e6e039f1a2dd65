"""A piece that rolls or slides about on a board: just as much more load as it weighs, where none can stand.

It need not have hit anything hard, and it may come to rest against a tower, or on the place of one. A hand that touches
a tower can seem to press beside it, but neither as evenly nor along a line.
"""

from __future__ import annotations

import math

import numpy as np

from companion.sensing.plan import Point
from companion.sensing.scales.evidence import Load
from companion.sensing.scales.pieces import Masses, is_wide
from companion.sensing.scales.quiet import Rows
from companion.sensing.scales.site import Site

_LONG_US = 75_000
_FEWEST_ROWS = 5
_STEADY_PART, _TREND_PART = 0.08, 0.035  # of the piece: how far its weight may seem to waver, and to change
_SIGMAS = 3.0
_LANDED_US = 150_000  # before it lies so, it was in the air
_IN_THE_AIR_PART = 0.3  # and no more of it was felt than this
_ASTRAY_MM, _NOISES = 4.0, 1.8  # from the line along which it moves, or so many times the noise
_BESIDE_MM = 8.0  # from the edge of the nearest tower
_EDGE_MM = 3.0  # from the board's edge


class Strays:
    """Watches one board that tells where its load lies."""

    def __init__(self, site: Site, masses: Masses) -> None:
        self._site, self._masses = site, masses

    def look(self, rows: Rows, reference: Load, sigma_g: float, sigma_gmm: float) -> int | None:
        """Since when a piece has been on the bare board, if one is there with the newest rows; the noise is given."""
        begin = min(rows.since(rows.t_us[-1] - _LONG_US), len(rows.t_us) - _FEWEST_ROWS)
        if begin < 0 or not self._masses.known:
            return None
        force = rows.force[begin:]
        grams = sum(force) / len(force) - reference.force_g
        if grams < self._masses.least_g or not _steady(force, grams, sigma_g):
            return None
        if not _let_go(rows, begin, grams + reference.force_g, grams):
            return None
        name = self._masses.named(grams, sigma_g)
        if name is None or is_wide(self._masses.pieces[name]):
            return None
        path = self._path(rows, begin, grams, reference, sigma_gmm)
        piece = self._masses.pieces[name]
        free = path is not None and all(
            self._site.on_bare_ground(place, _BESIDE_MM, _EDGE_MM) and not self._site.built_in(piece, place, 0.0)
            for place in path
        )
        return rows.t_us[begin] if free else None

    def _path(
        self, rows: Rows, begin: int, grams: float, reference: Load, sigma_gmm: float
    ) -> tuple[Point, Point] | None:
        """From where to where the load moved along a line; None where it did not."""
        many = len(rows.t_us) - begin
        at = np.linspace(-1.0, 1.0, many)
        x = (np.array(rows.x[begin:]) - reference.x_gmm) / grams
        y = (np.array(rows.y[begin:]) - reference.y_gmm) / grams
        (speed_x, middle_x), (speed_y, middle_y) = np.polyfit(at, x, 1), np.polyfit(at, y, 1)
        astray = np.hypot(x - middle_x - speed_x * at, y - middle_y - speed_y * at)
        if float(np.sqrt(np.mean(astray**2))) > max(_ASTRAY_MM, _NOISES * sigma_gmm / grams):
            return None
        width, depth = self._site.board.size_mm
        centre_x, centre_y = width / 2 + float(middle_x), depth / 2 + float(middle_y)
        half_x, half_y = float(speed_x) / 2, float(speed_y) / 2
        return (centre_x - half_x, centre_y - half_y), (centre_x + half_x, centre_y + half_y)


def _steady(force: list[float], grams: float, sigma_g: float) -> bool:
    half = len(force) // 2
    trend_g = abs(sum(force[-half:]) - sum(force[:half])) / half
    trend_limit_g = max(_TREND_PART * grams, _SIGMAS * sigma_g * math.sqrt(2 / half) / 2)
    return max(force) - min(force) < _STEADY_PART * grams + _SIGMAS * sigma_g and trend_g < trend_limit_g


def _let_go(rows: Rows, begin: int, level_g: float, grams: float) -> bool:
    """Whether the load came at once, as nobody sets a piece down: nothing of it was there a moment before."""
    before = rows.force[rows.since(rows.t_us[begin] - _LANDED_US) : begin]
    return bool(before) and min(before) < level_g - (1 - _IN_THE_AIR_PART) * grams
