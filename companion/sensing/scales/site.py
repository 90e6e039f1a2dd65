"""Where things lie on a board: on which tower, in the inventory, or on the bare ground between."""

from __future__ import annotations

import math

from companion.sensing.plan import STORED_MM, Board, Piece, Plan, Point
from companion.sensing.scales.pieces import is_wide
from companion.sensing.scales.tracing import Ground
from companion.sensing.shapes import Kit

_REACH_MM = 55.0
_EDGE_MM = 12.0
_BUILT, _WIDE_BUILT = 1.4, 0.8  # half tiles from its tower's middle: within which a piece is built in
_SPANNING_MM = 70.0
_OFF_FROM_MM, _OFF_SPAN_MM = 4.0, 16.0
_BEYOND_BOARD_MM = 25.0


class Site:
    """One board as a building site. Towers are as wide as the floor tiles of the box.

    `common` are the kinds of which towers are mostly made: floors, and what carries them.
    """

    def __init__(self, plan: Plan, board: Board) -> None:
        self.board = board
        kit = Kit(plan)
        self.half_mm = kit.floor.wide_mm / 2
        self.common = frozenset(shape.kind for shape in (kit.floor, kit.base, kit.pillar) if shape is not None)
        self._reach_mm = _reach_mm(board)
        self._grounds = {places: Ground.of(board, self.half_mm, places) for places in (False, True)}

    def ground(self, places: bool) -> Ground:
        """The board as an ear knows it; `places` where it tells where its load lies."""
        return self._grounds[places]

    def off_centre_mm(self, place: Point | None) -> float | None:
        """How far from the middle of the nearest tower something lies."""
        if place is None:
            return None
        return min((math.dist(tower.centre_mm, place) for tower in self.board.towers), default=None)

    def beside_mm(self, place: Point) -> float:
        """How far beside the nearest tower's floor something lies; negative above it."""
        return (
            min(
                max(abs(place[0] - tower.centre_mm[0]), abs(place[1] - tower.centre_mm[1]))
                for tower in self.board.towers
            )
            - self.half_mm
        )

    def tower_at(self, place: Point | None, spread_mm: float | None) -> str | None:
        """The tower that something at this place belongs to; None in an inventory area, far from all, or in doubt."""
        if place is None or spread_mm is None or self.stored(place):
            return None
        by_distance = sorted((math.dist(tower.centre_mm, place), tower.id) for tower in self.board.towers)
        if not by_distance or by_distance[0][0] > self._reach_mm + 2 * spread_mm:
            return None
        in_doubt = len(by_distance) > 1 and by_distance[1][0] - by_distance[0][0] < spread_mm
        return None if in_doubt else by_distance[0][1]

    def stored(self, place: Point) -> bool:
        """Whether that place is in an inventory area."""
        return any(area.holds(*place) for area in self.board.inventory)

    def built_in(self, piece: Piece | None, place: Point | None, spread_mm: float | None) -> bool:
        """Whether a piece can be part of a castle, or stored, where it lies; True where the place is not known."""
        if place is None or spread_mm is None or not self.board.towers or self.stored(place):
            return True
        longest = max(piece.size_mm) if piece is not None and piece.size_mm else 0.0
        reach = 2 * spread_mm + _BUILT * self.half_mm
        if longest > _SPANNING_MM:
            reach += longest / 2
        elif piece is not None and is_wide(piece):
            reach = 2 * spread_mm + _WIDE_BUILT * self.half_mm
        return any(math.dist(tower.centre_mm, place) <= reach for tower in self.board.towers)

    def on_board(self, place: Point | None, spread_mm: float | None) -> bool:
        """Whether a piece can lie there; True where the place is not known."""
        if place is None or spread_mm is None:
            return True
        return self._within(place, _EDGE_MM + 3 * spread_mm)

    def on_bare_ground(self, place: Point, clear_mm: float, edge_mm: float) -> bool:
        """Whether that place is on the board, away from its edge and from all towers, and not in the inventory."""
        stored = any(area.holds(*place, STORED_MM) for area in self.board.inventory)
        if not self.board.towers or stored or not self._within(place, -edge_mm):
            return False
        return self.beside_mm(place) > clear_mm

    def off_tower(self, place: Point) -> float:
        """0 on a tower or in an inventory area, 1 well beside them; 0 where nothing can lie at all."""
        if not self.board.towers or self.stored(place) or not self._within(place, _BEYOND_BOARD_MM):
            return 0.0
        return max(0.0, min(1.0, (self.beside_mm(place) - _OFF_FROM_MM) / _OFF_SPAN_MM))

    def _within(self, place: Point, slack_mm: float) -> bool:
        return all(-slack_mm <= at <= size + slack_mm for at, size in zip(place, self.board.size_mm, strict=True))


def _reach_mm(board: Board) -> float:
    """How far from its centre things of a tower may lie."""
    towers = board.towers
    apart = [math.dist(one.centre_mm, other.centre_mm) for at, one in enumerate(towers) for other in towers[at + 1 :]]
    return max(_REACH_MM, min(apart) / 2) if apart else _REACH_MM
