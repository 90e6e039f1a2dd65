"""Painted movies of one board: a hand comes, does something and goes, and the eye looks on."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.board_eye import Chance
from companion.sensing.eye import Eye
from companion.sensing.plan import Plan, Point, Tower
from companion.sensing.readings import Height
from companion.sensing.sights import Seen, Sight
from companion.sensing.signs import chance_of_fall
from companion.sensing.streams import Frame, Image
from companion.sensing.views import Floats, Lens
from tests.sensing.painted import Block, Colour, Painter, column, looking, one_board, plate

Shade = npt.NDArray[np.float32]
"""What is left of the light at each pixel: (height, width, 1)."""

FRAME_US = 33_333
_QUIET_FRAMES = 18
_SKIN = (120, 150, 200)
_LEVEL_MM = 27.0
_PILLARS = ((-20.0, 20.0), (20.0, 20.0), (-20.0, -20.0), (20.0, -20.0))
_SLEEVE_PX, _FIST_PX = 26, 22


class Movie:
    """A board before a painter, and what an eye has seen of it so far."""

    def __init__(
        self,
        plan: Plan | None = None,
        eye_mm: tuple[float, float, float] = (60.0, -310.0, 300.0),
        chance: Chance = chance_of_fall,
    ) -> None:
        self.plan = plan or one_board()
        assert self.plan.camera is not None
        self.painter = Painter(self.plan, looking(Lens.of(self.plan.camera), eye_mm, (0.0, 0.0, 20.0)))
        self.blocks: list[Block] = []
        self.eye = Eye(self.plan, self.plan.camera, chance)
        self.sights: list[Sight] = []
        self.frame = 0

    def tower(self, name: str) -> Tower:
        return next(tower for tower in self.plan.boards[0].towers if tower.id == name)

    def wait(self, frames: int = _QUIET_FRAMES, shade: Shade | None = None) -> None:
        """Nothing moves; a shade may darken some of the picture."""
        for _ in range(frames):
            picture = self.painter.paint(self.blocks, noise=2.5, seed=self.frame)
            self._show(picture if shade is None else np.asarray(picture * shade, np.uint8))

    def reach(self, tower: str, high_mm: float, act: Callable[[], None]) -> None:
        """A hand comes in over the near edge, does something at a tower, and goes."""
        self.come(tower, high_mm)
        act()
        self.go(tower, high_mm)

    def come(self, tower: str, high_mm: float, rests: int = 0) -> None:
        """A hand comes in over the near edge, and rests for so many frames."""
        start, goal = self._way(tower, high_mm)
        for step in [*np.linspace(0, 1, 6), *[1.0] * rests]:
            self._show(self._with_hand(start + (goal - start) * step))

    def go(self, tower: str, high_mm: float) -> None:
        """And goes."""
        start, goal = self._way(tower, high_mm)
        for step in np.linspace(1, 0, 6):
            self._show(self._with_hand(start + (goal - start) * step))
        self.wait()

    def carry(self, start_mm: Point, goal_mm: Point, frames: int, rests: int) -> None:
        """A hand moves from one place near the board to another, and rests there."""
        start, goal = self._over(start_mm), self._over(goal_mm)
        for step in [*np.linspace(0, 1, frames), *[1.0] * rests]:
            self._show(self._with_hand(start + (goal - start) * step))

    def leave(self, start_mm: Point) -> None:
        """It goes from there."""
        start = self._over(start_mm)
        for step in np.linspace(0, 1, 6):
            self._show(self._with_hand(start + (np.array([start[0], 560.0]) - start) * step))
        self.wait()

    def _over(self, place_mm: Point) -> Floats:
        return np.asarray(self.painter.view(self.plan.boards[0]).project([(*place_mm, 20.0)])[0], float)

    def _way(self, tower: str, high_mm: float) -> tuple[Floats, Floats]:
        """From where a hand comes, and to where, in the picture."""
        view = self.painter.view(self.plan.boards[0])
        goal = view.project([(*self.tower(tower).centre_mm, high_mm + 20.0)])[0]
        return np.array([goal[0] + 60.0, 560.0]), goal

    def fidget(self, tower: str, frames: int) -> None:
        """A hand stays at a tower and is never still."""
        goal = self.painter.view(self.plan.boards[0]).project([(*self.tower(tower).centre_mm, 50.0)])[0]
        for frame in range(frames):
            self._show(self._with_hand(goal + np.array((8.0 if frame % 4 < 2 else -8.0, 0.0))))

    def put_floor(self, tower: str, level: int, colour: Colour = (60, 90, 200)) -> None:
        """A hand lays a floor tile."""
        centre, low_mm = self.tower(tower).centre_mm, (level - 1) * _LEVEL_MM
        tile = plate("south", (centre[0] + 2, centre[1] - 1), (60.0, 60.0, 2.0), low_mm, colour, turn=3.0)
        self.reach(tower, low_mm, lambda: self.blocks.append(tile))

    def put_pillar(self, tower: str, level: int, corner: int) -> None:
        """A hand stands a pillar on a level's floor."""
        low_mm = (level - 1) * _LEVEL_MM + 2.0
        self.reach(tower, low_mm, lambda: self.blocks.append(self._pillar(tower, corner, low_mm)))

    def stand(self, tower: str, levels: int) -> None:
        """A tower that is there from the beginning, its top floor bare."""
        for level in range(1, levels + 1):
            low_mm = (level - 1) * _LEVEL_MM
            if level > 1:
                self.blocks += [self._pillar(tower, corner, low_mm - 25.0) for corner in range(4)]
            self.blocks.append(plate("south", self.tower(tower).centre_mm, (60.0, 60.0, 2.0), low_mm, (60, 90, 200)))

    def seen(self) -> list[tuple[bool, str | None, int | None]]:
        """Came or went, tower and level of each piece seen."""
        return [(sight.came, sight.tower, sight.level) for sight in self.sights if isinstance(sight, Seen)]

    def heights(self) -> dict[str, tuple[int, float]]:
        """The last height said of each tower."""
        return {sight.tower: (sight.levels, sight.top_mm) for sight in self.sights if isinstance(sight, Height)}

    def _pillar(self, tower: str, corner: int, low_mm: float) -> Block:
        centre, (x, y) = self.tower(tower).centre_mm, _PILLARS[corner]
        return column("south", (centre[0] + x, centre[1] + y), 12.0, 25.0, low_mm, (90, 160, 90))

    def _with_hand(self, at: Floats) -> Image:
        picture = self.painter.paint(self.blocks, noise=2.5, seed=self.frame)
        fist = (int(at[0]), int(at[1]))
        cv2.line(picture, fist, (fist[0] + 60, 560), _SKIN, _SLEEVE_PX, cv2.LINE_AA)
        cv2.circle(picture, fist, _FIST_PX, _SKIN, -1, cv2.LINE_AA)
        return picture

    def _show(self, picture: Image) -> None:
        self.frame += 1
        self.sights += self.eye.feed(Frame(self.frame * FRAME_US, self.frame, picture))
