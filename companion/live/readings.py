"""What the senses read on the table just now, and where in the picture it is."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np

from companion.live.shown import BoardReading, Reading, TowerReading
from companion.live.traces import Traces
from companion.sensing.board_eye import BoardEye
from companion.sensing.eye import Eye
from companion.sensing.plan import Board, Plan
from companion.sensing.streams import Sensed
from companion.sensing.views import Floats
from companion.sensing.watch import Watcher

Outline: TypeAlias = tuple[tuple[float, float], ...]


class Readings:
    """Keeps the heights that were told, and joins them with loads and outlines.

    While the eye is looking at a picture, outlines are those of before.
    """

    def __init__(self, plan: Plan, traces: Traces) -> None:
        self._plan = plan
        self._traces = traces
        self._heights: dict[tuple[str, str], tuple[int | None, float | None]] = {}
        self._outlines: dict[tuple[str, str | None], Outline] = {}

    def take(self, event: Sensed) -> None:
        """Remember a height."""
        if event.kind == "height" and event.board is not None and event.tower is not None:
            self._heights[event.board, event.tower] = (event.level, event.top_mm)

    def read(self, watcher: Watcher, now_us: int) -> Reading:
        """All boards as they are read now. While nothing is seen, no tower has a height."""
        if watcher.eye is not None and not watcher.looking:
            self._outline(watcher.eye)
        sees = watcher.eye is not None and not watcher.blind
        return Reading(t_us=now_us, boards=tuple(self._board(board, sees, now_us) for board in self._plan.boards))

    def _outline(self, eye: Eye) -> None:
        for board in self._plan.boards:
            seen = eye.board(board.id)
            self._outlines[board.id, None] = board_outline(board, seen)
            self._outlines |= {(board.id, tower.id): tower_outline(tower.id, seen) for tower in board.towers}

    def _board(self, board: Board, sees: bool, now_us: int) -> BoardReading:
        return BoardReading(
            board=board.id,
            seat=board.seat,
            grams=self._traces.grams(board.id, now_us),
            towers=tuple(self._tower(board.id, tower.id, sees) for tower in board.towers),
            outline=self._outlines.get((board.id, None), ()) if sees else (),
        )

    def _tower(self, board: str, tower: str, sees: bool) -> TowerReading:
        if not sees:
            return TowerReading(tower=tower)
        levels, top_mm = self._heights.get((board, tower), (None, None))
        outline = self._outlines.get((board, tower), ())
        return TowerReading(tower=tower, levels=levels, top_mm=top_mm, outline=outline)


def board_outline(board: Board, eye: BoardEye) -> Outline:
    """The board's edge in the picture; nothing while it has not been found there."""
    if eye.view is None:
        return ()
    width, depth = board.size_mm
    return _points(eye.view.project([(0, 0, 0), (width, 0, 0), (width, depth, 0), (0, depth, 0)]))


def tower_outline(tower: str, eye: BoardEye) -> Outline:
    """A line around all that stands in a tower; nothing for a bare foundation."""
    pieces = eye.castle.of(tower)
    if eye.view is None or not pieces:
        return ()
    corners = np.vstack([piece.shape.corners(piece.centre, piece.turn_deg, piece.low_mm) for piece in pieces])
    hull = cv2.convexHull(eye.view.project(corners).astype(np.float32))
    return _points(np.asarray(hull, float).reshape(-1, 2))


def _points(pixels: Floats) -> Outline:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in pixels)
