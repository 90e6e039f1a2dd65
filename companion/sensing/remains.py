"""What went from a tower and weighs on the board all the same: nobody took it, so it fell or was put elsewhere."""

from __future__ import annotations

from companion.sensing.plan import STORED_MM, Board
from companion.sensing.scales.evidence import Load
from companion.sensing.told import Went

_STAYS = 0.3  # the part of what went that may have left the board, or come to it
_BESIDE_MM = 4.0  # what lies so far beside a tower's floor is not on it


def lies_about(board: Board, half_mm: float, went: Went, gained: Load) -> bool:
    """Whether what went lies on the bare board now, by the load that was gained.

    Towers are twice `half_mm` wide.
    """
    mass_g = went.piece.shape.mass_g
    if not mass_g or abs(gained.force_g) > _STAYS * mass_g:
        return False
    x, y = went.piece.centre[0] + gained.x_gmm / mass_g, went.piece.centre[1] + gained.y_gmm / mass_g
    within = 0 < x < board.size_mm[0] and 0 < y < board.size_mm[1]
    stored = any(area.holds(x, y, STORED_MM) for area in board.inventory)
    beside = (max(abs(x - at.centre_mm[0]), abs(y - at.centre_mm[1])) - half_mm for at in board.towers)
    return within and not stored and min(beside, default=0.0) > _BESIDE_MM
