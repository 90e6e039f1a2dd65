"""Which piece weighs that much, and which tower stands there."""

from __future__ import annotations

import math
from collections.abc import Mapping

from companion.sensing.plan import Board, Piece, Point, Tower

_SLACK_G = 0.12
_SLACK_PART = 0.04
_SIGMAS = 3.0
_SMALLEST_PART = 0.4
_HAND_PART = 1.6
_LEAST_HAND_G = 15.0
_UNKNOWN_HAND_G = 40.0
_REACH_MM = 55.0
_EDGE_MM = 12.0
_BUILT_MM = 42.0
_SPANNING_MM = 70.0
_WIDE_MM, _WIDE_BUILT_MM, _MIDDLE_MM = 30.0, 24.0, 12.0


class Masses:
    """The pieces of a plan by their masses.

    `least_g` is the smallest change that can be a piece, 0 where no mass is known; `hand_g` is what no piece weighs.
    """

    def __init__(self, pieces: Mapping[str, Piece]) -> None:
        self.pieces = pieces
        self._masses = {name: piece.mass_g for name, piece in pieces.items() if piece.mass_g is not None}
        known = self._masses.values()
        self.lightest_g = min(known, default=0.0)
        self.heaviest_g = max(known, default=0.0)
        self.least_g = _SMALLEST_PART * self.lightest_g
        self.hand_g = max(_LEAST_HAND_G, _HAND_PART * self.heaviest_g) if self._masses else _UNKNOWN_HAND_G

    @property
    def known(self) -> bool:
        return bool(self._masses)

    def named(self, grams: float, sigma_g: float, off_centre_mm: float | None = None) -> str | None:
        """The piece that weighs that much, if any does nearly; None where the masses of all are further off.

        Where several do, the place decides as far as it is known: a wide piece lies about the middle of its tower, and
        what stands at its edge is a narrow one.
        """
        near = {
            name: abs(mass - grams) / self._slack(mass, sigma_g)
            for name, mass in self._masses.items()
            if abs(mass - grams) <= self._slack(mass, sigma_g)
        }
        return min(near, key=lambda name: (near[name] + self._misplaced(name, off_centre_mm), name), default=None)

    def _misplaced(self, name: str, off_centre_mm: float | None) -> float:
        if off_centre_mm is None:
            return 0.0
        wide = _is_wide(self.pieces[name])
        return float(off_centre_mm > _WIDE_BUILT_MM) if wide else float(off_centre_mm < _MIDDLE_MM)

    def could_be_two(self, grams: float, sigma_g: float) -> bool:
        """Whether two pieces together weigh that much."""
        masses = sorted(set(self._masses.values()))
        return any(
            abs(one + other - grams) <= self._slack(one + other, sigma_g)
            for at, one in enumerate(masses)
            for other in masses[at:]
        )

    @staticmethod
    def _slack(mass_g: float, sigma_g: float) -> float:
        return max(_SLACK_G + _SLACK_PART * mass_g, _SIGMAS * sigma_g)


def _is_wide(piece: Piece) -> bool:
    """Whether it is as wide as a floor: its second longest side counts, so that a bar is not wide."""
    return piece.size_mm is not None and sorted(piece.size_mm)[1] > _WIDE_MM


def off_centre_mm(board: Board, position: Point | None) -> float | None:
    """How far from the middle of the nearest tower something lies."""
    if position is None:
        return None
    return min((math.dist(tower.centre_mm, position) for tower in board.towers), default=None)


def tower_at(board: Board, position: Point | None, spread_mm: float | None) -> str | None:
    """The tower that something at this place belongs to; None in an inventory area, far from all, or in doubt."""
    if position is None or spread_mm is None or stored(board, position):
        return None
    by_distance = sorted((math.dist(tower.centre_mm, position), tower.id) for tower in board.towers)
    if not by_distance or by_distance[0][0] > reach_mm(board.towers) + 2 * spread_mm:
        return None
    in_doubt = len(by_distance) > 1 and by_distance[1][0] - by_distance[0][0] < spread_mm
    return None if in_doubt else by_distance[0][1]


def stored(board: Board, position: Point) -> bool:
    """Whether that place is in an inventory area."""
    return any(area.holds(*position) for area in board.inventory)


def built_in(board: Board, piece: Piece | None, position: Point | None, spread_mm: float | None) -> bool:
    """Whether a piece can be part of a castle, or stored, where it lies; True where the place is not known."""
    if position is None or spread_mm is None or not board.towers or stored(board, position):
        return True
    longest = max(piece.size_mm) if piece is not None and piece.size_mm else 0.0
    reach = 2 * spread_mm + _BUILT_MM
    if longest > _SPANNING_MM:
        reach += longest / 2
    elif piece is not None and _is_wide(piece):
        reach = 2 * spread_mm + _WIDE_BUILT_MM
    return any(math.dist(tower.centre_mm, position) <= reach for tower in board.towers)


def reach_mm(towers: tuple[Tower, ...]) -> float:
    """How far from its centre things of a tower may lie."""
    apart = [math.dist(one.centre_mm, other.centre_mm) for at, one in enumerate(towers) for other in towers[at + 1 :]]
    return max(_REACH_MM, min(apart) / 2) if apart else _REACH_MM


def on_board(board: Board, position: Point | None, spread_mm: float | None) -> bool:
    """Whether a piece can lie there; True where the place is not known."""
    if position is None or spread_mm is None:
        return True
    slack = _EDGE_MM + 3 * spread_mm
    return all(-slack <= at <= size + slack for at, size in zip(position, board.size_mm, strict=True))
