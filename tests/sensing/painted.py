"""Pictures of a table painted face by face: a second, plain renderer that knows nothing of the twin."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.markers import marker_corners
from companion.sensing.plan import FORMAT, Board, Camera, Cell, Marker, Piece, Plan, Pose, Tower
from companion.sensing.streams import Image
from companion.sensing.views import Floats, Lens, View

Colour = tuple[int, int, int]

_SUN = np.array([0.4, -0.3, 0.87])
_MARKER_CELLS = 6
_FINE = 4  # sub-pixel bits of OpenCV's fills
_OVER = 3  # pixels painted for each pixel of the picture, each way


@dataclass(frozen=True)
class Block:
    """An upright prism on a board: its footprint in the board's mm, from one height to another."""

    board: str
    footprint: tuple[tuple[float, float], ...]
    low_mm: float
    high_mm: float
    colour: Colour


def plate(
    board: str,
    centre: tuple[float, float],
    size: tuple[float, float, float],
    low_mm: float,
    colour: Colour,
    turn: float = 0.0,
) -> Block:
    """A tile or card lying flat."""
    half_x, half_y = size[0] / 2, size[1] / 2
    square = [(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)]
    return Block(board, _placed(square, centre, turn), low_mm, low_mm + size[2], colour)


def column(board: str, centre: tuple[float, float], across: float, tall: float, low_mm: float, colour: Colour) -> Block:
    """A standing pillar."""
    ring = [(across / 2 * math.cos(turn), across / 2 * math.sin(turn)) for turn in np.linspace(0, math.tau, 13)[:-1]]
    return Block(board, _placed(ring, centre, 0.0), low_mm, low_mm + tall, colour)


def _placed(
    ring: Iterable[tuple[float, float]], centre: tuple[float, float], turn: float
) -> tuple[tuple[float, float], ...]:
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return tuple((centre[0] + cos * x - sin * y, centre[1] + sin * x + cos * y) for x, y in ring)


def one_board(width: int = 640, height: int = 480, *, posed: bool = True, distortion: tuple[float, ...] = ()) -> Plan:
    """A table with one board that has four markers, four cells and three towers, and a camera."""
    corners = [(14.0, 14.0), (236.0, 14.0), (236.0, 186.0), (14.0, 186.0)]
    board = Board(
        "south",
        (250.0, 200.0),
        seat=0,
        pose=Pose((-125.0, -100.0, 12.0)) if posed else None,
        towers=(Tower("left", (60.0, 60.0)), Tower("middle", (125.0, 140.0)), Tower("right", (190.0, 60.0))),
        cells=tuple(Cell(f"c{at}", corner, 1500.0) for at, corner in enumerate(corners)),
        markers=tuple(Marker(at, corner, 20.0) for at, corner in enumerate(corners)),
    )
    focal = 0.95 * width
    lens = ((focal, 0.0, width / 2), (0.0, focal, height / 2), (0.0, 0.0, 1.0))
    pieces = {
        "floor-tile": Piece(6.5, (60.0, 60.0, 2.0)),
        "pillar": Piece(2.0, diameter_mm=12.0, height_mm=25.0),
    }
    camera = Camera(width, height, 30.0, matrix=lens, distortion=distortion)
    return Plan(format=FORMAT, version=1, game="castle-dukes", boards=(board,), pieces=pieces, camera=camera)


def looking(lens: Lens, eye_mm: tuple[float, float, float], at_mm: tuple[float, float, float]) -> View:
    """The table's view of a camera standing at one point and looking at another, upright."""
    forward = np.subtract(at_mm, eye_mm)
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    rotation = np.array([right, np.cross(forward, right), forward])
    return View(lens, rotation, -rotation @ np.array(eye_mm))


@dataclass
class Painter:
    """Paints a table before one camera."""

    plan: Plan
    table: View
    cloth: Colour = (92, 104, 96)
    wood: Colour = (120, 150, 178)
    light: float = 1.0
    covered: set[int] = field(default_factory=set)
    _painted: tuple[object, Image] | None = None

    def paint(self, blocks: Sequence[Block] = (), *, noise: float = 0.0, seed: int = 0) -> Image:
        """The picture: the cloth, the boards with their markers, the blocks, nearest last."""
        camera = self.plan.camera
        assert camera is not None
        if self._painted is None or self._painted[0] != (tuple(blocks), frozenset(self.covered)):
            self._painted = ((tuple(blocks), frozenset(self.covered)), self._clean(camera, blocks))
        return self._developed(self._painted[1], noise, seed)

    def _clean(self, camera: Camera, blocks: Sequence[Block]) -> Image:
        picture = np.full((camera.height * _OVER, camera.width * _OVER, 3), self.cloth, np.uint8)
        for board in self.plan.boards:
            self._board(picture, board)
        for block in sorted(blocks, key=self._nearest_last):
            for ring, colour in self._faces(block):
                self._fill(picture, ring, colour)
        small = cv2.resize(picture, None, fx=1 / _OVER, fy=1 / _OVER, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.GaussianBlur(small, (3, 3), 0.5))

    def view(self, board: Board) -> View:
        """What the truth about a board's view is."""
        assert board.pose is not None
        return self.table.of_board(board.pose)

    def _board(self, picture: Image, board: Board) -> None:
        width, depth = board.size_mm
        view = self.view(board)
        self._fill(picture, view.project([(0, 0, 0), (width, 0, 0), (width, depth, 0), (0, depth, 0)]), self.wood)
        for marker in board.markers:
            if marker.id not in self.covered:
                self._marker(picture, view, marker)

    def _marker(self, picture: Image, view: View, marker: Marker) -> None:
        """A white quiet zone, then the marker cell by cell."""
        camera = self.plan.camera
        assert camera is not None
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, camera.dictionary))
        cells = cv2.aruco.generateImageMarker(dictionary, marker.id, _MARKER_CELLS)
        first, across, _, down = marker_corners(marker)
        right, under = (across - first) / _MARKER_CELLS, (down - first) / _MARKER_CELLS
        whole = [(-1, -1), (_MARKER_CELLS + 1, -1), (_MARKER_CELLS + 1, _MARKER_CELLS + 1), (-1, _MARKER_CELLS + 1)]
        self._fill(picture, view.project([first + x * right + y * under for x, y in whole]), (250, 250, 250))
        for row, col in np.argwhere(cells < 128):
            ring = [(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)]
            self._fill(picture, view.project([first + x * right + y * under for x, y in ring]), (10, 10, 10))

    def _faces(self, block: Block) -> list[tuple[Floats, Colour]]:
        view = self.view(self.plan.board(block.board))
        ring = np.array(block.footprint)
        top = np.column_stack([ring, np.full(len(ring), block.high_mm)])
        low = np.column_stack([ring, np.full(len(ring), block.low_mm)])
        sides = [np.array([low[i - 1], low[i], top[i], top[i - 1]]) for i in range(len(ring))]
        toward = [side for side in sides if self._seen_from_outside(view, side)]
        return [(view.project(face), self._lit(face, block.colour)) for face in (*toward, top)]

    @staticmethod
    def _seen_from_outside(view: View, face: Floats) -> bool:
        outward = np.cross(face[1] - face[0], face[3] - face[0])
        return float(outward @ (view.eye_mm - face[0])) > 0

    def _nearest_last(self, block: Block) -> tuple[float, float]:
        """Seen from above nothing hides what stands higher."""
        view = self.view(self.plan.board(block.board))
        return (block.low_mm, -float(view.depth_mm([(*corner, block.low_mm) for corner in block.footprint]).mean()))

    @staticmethod
    def _lit(face: Floats, colour: Colour) -> Colour:
        outward = np.cross(face[1] - face[0], face[-1] - face[0])
        shade = 0.55 + 0.45 * max(0.0, float(outward / np.linalg.norm(outward) @ _SUN))
        return (int(colour[0] * shade), int(colour[1] * shade), int(colour[2] * shade))

    @staticmethod
    def _fill(picture: Image, ring: Floats, colour: Colour) -> None:
        fine = np.round(((ring + 0.5) * _OVER - 0.5) * (1 << _FINE)).astype(np.int32)
        cv2.fillConvexPoly(picture, fine, colour, cv2.LINE_8, _FINE)

    def _developed(self, picture: Image, noise: float, seed: int) -> Image:
        seen = picture.astype(np.float32) * self.light
        if noise:
            seen += noise * np.roll(_grain(picture.shape), 7919 * seed)
        return np.asarray(np.clip(seen, 0, 255), np.uint8)


@cache
def _grain(shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    return np.random.default_rng(0).normal(0, 1, shape).astype(np.float32)
