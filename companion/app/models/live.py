"""The live table as it is shown: where each tower is in the picture, and what a finger on it tells the hand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from companion.live.shown import BoardReading, Reading, TowerReading

if TYPE_CHECKING:
    from companion.sensing.plan import Board, Plan

Point = tuple[float, float]

FLOOR_TILE = "floor-tile"
PIECES = (FLOOR_TILE, "pillar", "room", "roof", "brazier", "battlement", "meeple")
"""What the tray offers, as far as the table has it. A bridge lies on two towers and is no piece for one finger."""
ABOVE_PX = (640, 480)
"""The size of the drawing from above, where there is no camera."""

_TILE_MM = 60.0
_NEAR_PX = 40.0
_MARGIN = 0.08


class Spot(Struct, frozen=True, kw_only=True):
    """A tower in the picture: all of it that stands, or its bare foundation."""

    board: str
    tower: str
    outline: tuple[Point, ...]

    @property
    def middle(self) -> Point:
        return _middle(self.outline)


class Hand(Struct, frozen=True):
    """Tells the simulated hand what a finger did, in the words of a scenario. `boards` are those of the table.

    >>> Hand(("south", "north")).place("pillar", "north", "left")
    'north: place pillar on left'
    >>> Hand(("south",)).knock("south", "left", hard=True)
    'knock left hard'
    """

    boards: tuple[str, ...]

    def place(self, piece: str, board: str, tower: str) -> str:
        return self._at(board, f"place {piece} on {tower}")

    def remove(self, piece: str, board: str, tower: str) -> str:
        return self._at(board, f"remove {piece} from {tower}")

    def knock(self, board: str, tower: str, *, hard: bool) -> str:
        return self._at(board, f"knock {tower} {'hard' if hard else 'softly'}")

    def brush(self, board: str, tower: str) -> str:
        return self._at(board, f"brush pillar of {tower}")

    def clear(self, board: str) -> str:
        return self._at(board, "clear board")

    def bump(self) -> str:
        return "bump table hard"

    def take_back(self) -> str:
        """For the piece that was set last, wherever that was."""
        return "take back"

    def _at(self, board: str, words: str) -> str:
        return words if board == self.boards[0] else f"{board}: {words}"


def tray(plan: Plan) -> tuple[str, ...]:
    """The kinds of pieces that can be taken from the tray."""
    return tuple(kind for kind in PIECES if kind in plan.pieces)


def spots(plan: Plan, reading: Reading) -> tuple[Spot, ...]:
    """Every tower that has a place in the picture."""
    boards = {board.id: board for board in plan.boards}
    return tuple(
        spot
        for board in reading.boards
        if board.board in boards
        for spot in _board_spots(plan, boards[board.board], board)
    )


def _board_spots(plan: Plan, board: Board, read: BoardReading) -> Iterator[Spot]:
    for tower in board.towers:
        stands = next((each.outline for each in read.towers if each.tower == tower.id), ())
        outline = stands or foundation(board, read.outline, tower.centre_mm, tile_side(plan))
        if outline:
            yield Spot(board=board.id, tower=tower.id, outline=outline)


def tile_side(plan: Plan) -> float:
    """The side of a floor tile in mm."""
    tile = plan.pieces.get(FLOOR_TILE)
    return tile.size_mm[0] if tile and tile.size_mm else _TILE_MM


def foundation(board: Board, corners: Sequence[Point], centre: Point, side: float) -> tuple[Point, ...]:
    """The footprint of a base tile, in a picture in which the board's four corners are known; else nothing."""
    if len(corners) != 4:
        return ()
    import cv2
    import numpy as np

    wide, deep = board.size_mm
    flat = np.array([(0, 0), (wide, 0), (wide, deep), (0, deep)], np.float32)
    seen = cv2.getPerspectiveTransform(flat, np.array(corners, np.float32))
    half, (x, y) = side / 2, centre
    tile = np.array([[(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]])
    return tuple((float(px), float(py)) for px, py in cv2.perspectiveTransform(tile, seen)[0])


def spot_at(found: Iterable[Spot], pixel: Point, near_px: float = _NEAR_PX) -> Spot | None:
    """The tower under a pixel: the one it lies in, else the nearest within reach."""
    known = tuple(found)
    inside = [spot for spot in known if _holds(spot.outline, pixel)]
    near = [spot for spot in known if math.dist(spot.middle, pixel) <= near_px]
    return min(inside or near, key=lambda spot: math.dist(spot.middle, pixel), default=None)


def crossed(found: Iterable[Spot], path: Sequence[Point]) -> Spot | None:
    """The first tower that a finger's path goes through."""
    known = tuple(found)
    return next((spot for pixel in path for spot in known if _holds(spot.outline, pixel)), None)


def _holds(outline: Sequence[Point], pixel: Point) -> bool:
    """Whether a point lies in a polygon: an odd number of edges is to its right."""
    x, y = pixel
    odd = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            odd = not odd
    return odd


def _middle(outline: Sequence[Point]) -> Point:
    return (sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline))


def from_above(plan: Plan, reading: Reading) -> Reading:
    """The same reading, drawn from above: for a table without a camera."""
    poses = {board.id: _placed(board) for board in plan.boards}
    every = [point for corners in poses.values() for point in corners]
    if not every:
        return reading
    fit = _Fit(every)
    boards = []
    for read in reading.boards:
        board = next((each for each in plan.boards if each.id == read.board), None)
        if board is None:
            continue
        corners = tuple(fit.pixel(point) for point in poses[board.id])
        towers = tuple(_from_above(plan, board, corners, tower) for tower in read.towers)
        boards.append(replace(read, outline=corners, towers=towers))
    return replace(reading, boards=tuple(boards))


def _from_above(plan: Plan, board: Board, corners: tuple[Point, ...], read: TowerReading) -> TowerReading:
    centre = next((tower.centre_mm for tower in board.towers if tower.id == read.tower), None)
    return replace(read, outline=foundation(board, corners, centre, tile_side(plan))) if centre else read


def _placed(board: Board) -> tuple[Point, ...]:
    """The corners of a board on the table; one of unknown place lies at the origin."""
    wide, deep = board.size_mm
    corners = ((0.0, 0.0), (wide, 0.0), (wide, deep), (0.0, deep))
    return tuple(board.pose.on_table(x, y)[:2] if board.pose else (x, y) for x, y in corners)


class _Fit:
    """From the table's mm to pixels of the drawing from above, with a margin all round."""

    def __init__(self, points: Sequence[Point]) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        wide, tall = (side * (1 - 2 * _MARGIN) for side in ABOVE_PX)
        self._scale = min(wide / max(1.0, max(xs) - min(xs)), tall / max(1.0, max(ys) - min(ys)))
        self._middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)

    def pixel(self, point: Point) -> Point:
        x = ABOVE_PX[0] / 2 + (point[0] - self._middle[0]) * self._scale
        return x, ABOVE_PX[1] / 2 - (point[1] - self._middle[1]) * self._scale
