"""What went from a tower and weighs on the board all the same: nobody took it, so it fell or was put elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from companion.sensing.plan import Board, Point
from companion.sensing.scales.evidence import Load
from companion.sensing.told import Went

_STAYS = 0.3  # the part of what went that may have left the board, or come to it
_BESIDE_MM = 4.0  # what lies so far beside a tower's floor is not on it
_STORED_MM = 10.0  # around an inventory area: pieces are not set down exactly


def lies_about(board: Board, half_mm: float, went: Sequence[Went], gained: Load, centre_mm: Point) -> bool:
    """Whether what went lies on the bare board now, by the load that was gained, with moments about a centre.

    Towers are twice `half_mm` wide.
    """
    masses = [each.piece.shape.mass_g or 0.0 for each in went]
    total = sum(masses)
    if not total or abs(gained.force_g) > _STAYS * min(masses):
        return False
    moments = [
        sum(mass * (each.piece.centre[axis] - centre_mm[axis]) for mass, each in zip(masses, went, strict=True))
        for axis in (0, 1)
    ]
    x = centre_mm[0] + (moments[0] + gained.x_gmm) / total
    y = centre_mm[1] + (moments[1] + gained.y_gmm) / total
    return _is_bare(board, half_mm, (x, y))


def _is_bare(board: Board, half_mm: float, place: Point) -> bool:
    """Whether a place is on the board, on no tower and in no inventory area."""
    x, y = place
    stored = any(
        area.min_mm[0] - _STORED_MM < x < area.max_mm[0] + _STORED_MM
        and area.min_mm[1] - _STORED_MM < y < area.max_mm[1] + _STORED_MM
        for area in board.inventory
    )
    beside = (max(abs(x - at.centre_mm[0]), abs(y - at.centre_mm[1])) - half_mm for at in board.towers)
    within = 0 < x < board.size_mm[0] and 0 < y < board.size_mm[1]
    return within and not stored and min(beside, default=0.0) > _BESIDE_MM
