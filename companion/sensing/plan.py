"""The plan of a table: its boards, their towers, cells and markers, the pieces, the camera.

It is what `recording.json` holds, and what a live table's calibration gives. Lengths in mm, masses in g.
Unknown keys are ignored; a wrong type or a missing key is an error that names the place.
"""

from __future__ import annotations

import codecs
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec

from companion.errors import BadRecording

PLAN_FILE = "recording.json"
FORMAT: Final = "castle-companion/recording"
VERSION = 1

Point: TypeAlias = tuple[float, float]
Point3: TypeAlias = tuple[float, float, float]


class Pose(msgspec.Struct, frozen=True):
    """Where a board's near-left corner lies on the table, and how the board is turned about it."""

    origin_mm: Point3
    yaw_deg: float = 0.0

    def on_table(self, x_mm: float, y_mm: float, z_mm: float = 0.0) -> Point3:
        """A point of the board's frame in the table's frame.

        >>> Pose((10.0, 300.0, 12.0), 180.0).on_table(10, 0)
        (0.0, 300.0, 12.0)
        """
        turn = math.radians(self.yaw_deg)
        cos, sin = math.cos(turn), math.sin(turn)
        ox, oy, oz = self.origin_mm
        x, y = ox + cos * x_mm - sin * y_mm, oy + sin * x_mm + cos * y_mm
        return (round(x, 9), round(y, 9), round(oz + z_mm, 9))


class Tower(msgspec.Struct, frozen=True):
    """A foundation of a board."""

    id: str
    centre_mm: Point


class Cell(msgspec.Struct, frozen=True):
    """A load cell under a board. Without `counts_per_g` it gives counts only; the gain may be negative."""

    id: str
    at_mm: Point | None = None
    counts_per_g: float | None = None
    zero_counts: float = 0.0


class Marker(msgspec.Struct, frozen=True):
    """A printed square flat on a board; at turn 0 its first corner is toward -x, +y of the board."""

    id: int
    centre_mm: Point
    size_mm: float
    turn_deg: float = 0.0


STORED_MM = 10.0
"""Around an inventory area: pieces are not set down exactly."""


class Area(msgspec.Struct, frozen=True):
    """A rectangle of a board where pieces lie that are in no castle."""

    min_mm: Point
    max_mm: Point

    def holds(self, x_mm: float, y_mm: float, beyond_mm: float = 0.0) -> bool:
        """Whether a place is in it, or so little beyond its edge."""
        (left, near), (right, far) = self.min_mm, self.max_mm
        return left - beyond_mm <= x_mm <= right + beyond_mm and near - beyond_mm <= y_mm <= far + beyond_mm


class Board(msgspec.Struct, frozen=True):
    """A player's board. Without a pose it is found from its markers."""

    id: str
    size_mm: Point
    seat: int | None = None
    pose: Pose | None = None
    towers: tuple[Tower, ...] = ()
    cells: tuple[Cell, ...] = ()
    markers: tuple[Marker, ...] = ()
    inventory: tuple[Area, ...] = ()


class Piece(msgspec.Struct, frozen=True):
    """A kind of piece: a block or plate (`size_mm`), round (`diameter_mm`, `height_mm`), or a figure (`height_mm`)."""

    mass_g: float | None = None
    size_mm: Point3 | None = None
    diameter_mm: float | None = None
    height_mm: float | None = None

    def tall_mm(self) -> float | None:
        """How high it stands the way it is built in."""
        return self.size_mm[2] if self.size_mm else self.height_mm


class Camera(msgspec.Struct, frozen=True):
    """A camera's geometry in OpenCV's convention: pixel centres at integers."""

    width: int
    height: int
    fps: float = 30.0
    dictionary: str = "DICT_4X4_50"
    matrix: tuple[Point3, Point3, Point3] | None = None
    distortion: tuple[float, ...] = ()


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of a table before anything moves on it."""

    format: Literal["castle-companion/recording"]
    version: int
    origin: str = ""
    game: str | None = None
    context: dict[str, Any] = {}
    boards: tuple[Board, ...]
    pieces: dict[str, Piece] = {}
    camera: Camera | None = None

    def board(self, board: str) -> Board:
        """The board of that name; KeyError when there is none."""
        for each in self.boards:
            if each.id == board:
                return each
        raise KeyError(board)


def read_plan(folder: Path) -> Plan:
    """The plan in a recording's folder; BadRecording says in a sentence why it cannot be read."""
    file = folder / PLAN_FILE
    try:
        return decode_plan(file.read_bytes().removeprefix(codecs.BOM_UTF8))
    except OSError as err:
        raise BadRecording(f"{file} cannot be read: {err.strerror or err}.") from err


def decode_plan(text: bytes | str) -> Plan:
    """A plan from its JSON; BadRecording names what is wrong and where."""
    try:
        plan = msgspec.json.decode(text, type=Plan)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as err:
        raise BadRecording(f"{PLAN_FILE} is not a recording's description: {err}.") from err
    for wrong in _wrong(plan):
        raise BadRecording(f"{PLAN_FILE}: {wrong}.")
    return plan


def encode_plan(plan: Plan) -> bytes:
    """A plan as recording.json holds it."""
    return msgspec.json.format(msgspec.json.encode(plan), indent=1)


_DISTORTIONS = (0, 4, 5, 8, 12, 14)  # how many numbers OpenCV's lens models have


def _wrong(plan: Plan) -> Iterator[str]:
    if not 1 <= plan.version <= VERSION:
        yield f"version {plan.version} is not known here (this Castle Companion reads version {VERSION})"
    yield from _twice("board", (board.id for board in plan.boards))
    for board in plan.boards:
        yield from (f"board '{board.id}': {wrong}" for wrong in _wrong_board(board))
    for name, piece in plan.pieces.items():
        yield from (f"piece '{name}' {wrong}" for wrong in _wrong_piece(piece))
    yield from _twice("marker", (str(marker.id) for board in plan.boards for marker in board.markers))
    if plan.camera is not None:
        yield from _wrong_camera(plan.camera)


def _wrong_camera(camera: Camera) -> Iterator[str]:
    if not _positive(camera.width, camera.height, camera.fps):
        yield "the camera's width, height and fps must be positive"
    if len(camera.distortion) not in _DISTORTIONS:
        yield f"the camera's distortion has {len(camera.distortion)} numbers, not one of {_DISTORTIONS}"
    if camera.matrix is not None and not _positive(camera.matrix[0][0], camera.matrix[1][1]):
        yield "the camera's matrix has no focal length"
    if not _within(_LARGEST_LENS, *camera.distortion, *(each for row in camera.matrix or () for each in row)):
        yield f"the camera's matrix and distortion have no numbers beyond {_LARGEST_LENS}"


_LARGEST_MM, _FARTHEST_MM = 5000, 20_000  # of a board, and on a table
_PIECE_MM, _PIECE_G, _LIGHTEST_G = 500, 5000, 0.001
_LARGEST_LENS = 1_000_000
_GAINS, _LARGEST_ZERO = (1e-6, 1e9), 1e12


def _wrong_piece(piece: Piece) -> Iterator[str]:
    sizes_mm = [each for each in (piece.diameter_mm, piece.height_mm, *(piece.size_mm or ())) if each is not None]
    if not _positive(piece.mass_g, *sizes_mm):
        yield "has a size or mass that is not positive"
    if not _within(_PIECE_MM, *sizes_mm):
        yield f"is measured in mm, and none is larger than {_PIECE_MM}"
    if piece.mass_g is not None and not _LIGHTEST_G <= piece.mass_g <= _PIECE_G:
        yield f"is weighed in g, and none weighs less than {_LIGHTEST_G} or more than {_PIECE_G}"


def _wrong_board(board: Board) -> Iterator[str]:
    if not _positive(*board.size_mm):
        yield "its size is not positive"
    elif max(board.size_mm) > _LARGEST_MM:
        yield f"its size is in mm, and no board is larger than {_LARGEST_MM}"
    yield from _twice("tower", (tower.id for tower in board.towers))
    yield from _twice("cell", (cell.id for cell in board.cells))
    if board.id != board.id.strip() or any(mark in board.id for mark in ',"\r\n'):
        yield "its id has a comma, a quotation mark or a blank at its end, which a table of samples cannot hold"
    yield from (f"cell '{cell.id}' has a gain of zero" for cell in board.cells if cell.counts_per_g == 0)
    yield from (f"cell '{cell.id}' has a gain or zero that no cell has" for cell in board.cells if _is_no_cell(cell))
    yield from (f"marker {marker.id} has no size" for marker in board.markers if not _positive(marker.size_mm))
    if not _within(_FARTHEST_MM, *_places(board)):
        yield f"places are in mm, and none is farther off than {_FARTHEST_MM}"


def _is_no_cell(cell: Cell) -> bool:
    gain = cell.counts_per_g
    return bool(gain and not _GAINS[0] <= abs(gain) <= _GAINS[1]) or not _within(_LARGEST_ZERO, cell.zero_counts)


def _places(board: Board) -> Iterator[float]:
    """All numbers of a board that are places, or the size of a marker."""
    yield from board.pose.origin_mm if board.pose is not None else ()
    for tower in board.towers:
        yield from tower.centre_mm
    for marker in board.markers:
        yield from (*marker.centre_mm, marker.size_mm)
    for cell in board.cells:
        yield from cell.at_mm or ()
    for area in board.inventory:
        yield from (*area.min_mm, *area.max_mm)


def _twice(what: str, ids: Iterator[str]) -> Iterator[str]:
    return (f"{what} '{name}' is listed twice" for name, times in Counter(ids).items() if times > 1)


def _within(most: float, *numbers: float) -> bool:
    return all(abs(number) <= most for number in numbers)


def _positive(*numbers: float | None) -> bool:
    return all(number is None or number > 0 for number in numbers)
