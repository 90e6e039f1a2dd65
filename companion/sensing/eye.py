"""The camera's part: frames in, what the eye sees of each board out."""

from __future__ import annotations

import cv2
import numpy as np

from companion.sensing.board_eye import BoardEye, Chance
from companion.sensing.glance import glance
from companion.sensing.glimpses import Stillness
from companion.sensing.motion import Motion
from companion.sensing.plan import Camera, Plan
from companion.sensing.shapes import Kit
from companion.sensing.sights import Sight, Trouble
from companion.sensing.signs import chance_of_fall
from companion.sensing.streams import Frame
from companion.sensing.whereabouts import Whereabouts


class Eye:
    """Follows all boards of a table through its camera's frames. `chance` says how likely something fell."""

    def __init__(self, plan: Plan, camera: Camera, chance: Chance = chance_of_fall) -> None:
        self._whereabouts = Whereabouts(plan, camera)
        kit = Kit(plan)
        self._boards = [BoardEye(board, kit, chance) for board in plan.boards]
        self._motion = Motion()
        self._stillness = Stillness()

    def feed(self, frame: Frame) -> list[Sight]:
        """What is decided with this frame."""
        now = glance(frame.image)
        stir = self._motion.feed(frame.t_us, now)
        self._stillness.feed(stir)
        self._find_boards(frame)
        sights: list[Sight] = [Trouble(what, frame.t_us) for what in self._whereabouts.troubles()]
        for board in self._boards:
            sights += board.feed(frame, now, stir, self._stillness.moved_us)
        return sights

    @property
    def peaks_us(self) -> list[int]:
        """When motion over any board was at its greatest, where the last frame shows that it is over."""
        return [board.peak_us for board in self._boards if board.peak_us is not None]

    def board(self, board: str) -> BoardEye:
        """The eye on one board."""
        return next(each for each in self._boards if each.board.id == board)

    def _share_out(self) -> None:
        """What lies on the table belongs to the board that it is nearest to."""
        seen = [(board, board.surface) for board in self._boards if board.surface is not None]
        away = [cv2.distanceTransform((~surface).view(np.uint8), cv2.DIST_L2, 3) for _, surface in seen]
        for (board, _), mine in zip(seen, away, strict=True):
            board.elsewhere = np.logical_or.reduce([each < mine for each in away])

    def _find_boards(self, frame: Frame) -> None:
        moves = self._whereabouts.moves
        if self._whereabouts.feed(frame, any(board.doubted for board in self._boards)):
            for board in self._boards:
                view = self._whereabouts.views.get(board.board.id)
                board.look_through(view, frame.image.shape, moved=self._whereabouts.moves > moves)
            self._share_out()
        if not self._whereabouts.doubtful:
            for board in self._boards:
                board.believe()
