"""Where the boards are: markers found in a picture, and the views solved from them.

A view is solved from all markers that are seen; markers that are covered later do not unsettle it. When what is
seen no longer fits what is remembered, the camera or a board was moved, and the view is solved anew.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from companion.errors import BadRecording
from companion.sensing.plan import Board, Camera, Marker, Plan
from companion.sensing.streams import Image
from companion.sensing.views import Floats, Lens, View

_MOVED_PX = 1.5  # a marker this far from where it should be has moved, or its board has, or the camera
_MOVED_TIMES = 2  # sightings in a row that must agree on it
_FIT_PX = 3.0  # corners that cannot be brought closer to a pose than this do not belong to it
_DETAIL_PX = 1920  # the width to which pictures are enlarged before markers are looked for
_REMEMBERED = 15  # sightings averaged for a corner
_NEAR_PX = (3, 27, 51)  # how far around itself a pixel is compared: beyond a marker's widest black, as it is enlarged

Corners = Mapping[int, Floats]
"""The four corners (4, 2) in pixels of each marker seen, by its number."""


def marker_dictionary(camera: Camera) -> cv2.aruco.Dictionary:
    """The dictionary that a camera's markers are of."""
    number = getattr(cv2.aruco, camera.dictionary, None)
    if not camera.dictionary.startswith("DICT_") or number is None:
        raise BadRecording(f"There is no marker dictionary called '{camera.dictionary}'.")
    return cv2.aruco.getPredefinedDictionary(number)


class MarkerFinder:
    """Finds the plan's markers in a picture, to a fraction of a pixel.

    Small pictures are enlarged first: a marker of a few pixels a cell is found more often and far more exactly so.
    """

    def __init__(self, camera: Camera, plan: Plan) -> None:
        dictionary = marker_dictionary(camera)
        wanted = cv2.aruco.DetectorParameters()
        wanted.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_CONTOUR
        wanted.adaptiveThreshWinSizeMin, wanted.adaptiveThreshWinSizeMax = _NEAR_PX[0], _NEAR_PX[-1]
        wanted.adaptiveThreshWinSizeStep = _NEAR_PX[1] - _NEAR_PX[0]
        self._detector = cv2.aruco.ArucoDetector(dictionary, wanted)
        self._known = {marker.id for board in plan.boards for marker in board.markers}
        self._zoom = max(1.0, _DETAIL_PX / camera.width)

    def find(self, gray: Image) -> dict[int, Floats]:
        """The corners of the markers of this plan that are seen exactly once."""
        large = cv2.resize(gray, None, fx=self._zoom, fy=self._zoom, interpolation=cv2.INTER_CUBIC)
        quads, ids, _ = self._detector.detectMarkers(large)
        numbers = [] if ids is None else [int(number) for number in np.asarray(ids).ravel()]
        return {
            number: (np.asarray(quad, float).reshape(4, 2) + 0.5) / self._zoom - 0.5
            for number, quad in zip(numbers, quads, strict=True)
            if number in self._known and numbers.count(number) == 1
        }

    def find_again(self, gray: Image, seen: Corners) -> dict[int, Floats]:
        """Markers looked for only around where they were seen before: cheap enough to do often."""
        found: dict[int, Floats] = {}
        for number, corners in seen.items():
            left, top, right, bottom = _surroundings(corners, gray.shape)
            here = self.find(gray[top:bottom, left:right]) if right - left > 8 and bottom - top > 8 else {}
            if number in here:
                found[number] = here[number] + (left, top)
        return found


def _surroundings(corners: Floats, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the picture's part around a marker, half its size more on each side."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = 0.5 * (high - low).max() + 4
    left, top = np.maximum(low - margin, 0).astype(int).tolist()
    right, bottom = np.minimum(high + margin + 1, (shape[1], shape[0])).astype(int).tolist()
    return left, top, right, bottom


def marker_corners(marker: Marker) -> Floats:
    """A marker's corners (4, 3) in its board's mm, in the order in which they are found in a picture."""
    half = marker.size_mm / 2
    turn = math.radians(marker.turn_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    cx, cy = marker.centre_mm
    square = [(-half, half), (half, half), (half, -half), (-half, -half)]
    return np.array([(cx + cos * x - sin * y, cy + sin * x + cos * y, 0.0) for x, y in square])


@dataclass(frozen=True, eq=False)
class Solved:
    """A view, and how far the corners it was solved from lie from where it puts them (root mean square)."""

    view: View
    error_px: float


def solve_view(lens: Lens, points_mm: Floats, pixels: Floats) -> Solved | None:
    """The view from points (n, 3) lying in a plane of constant z, or in several, and their pixels (n, 2).

    Of the two mirror solutions of a plane the one seen from above with the lesser error is taken; None when the
    points do not fit any.
    """
    solved = [found for found in _candidates(lens, points_mm, pixels) if found.view.eye_mm[2] > points_mm[:, 2].max()]
    best = min(solved, key=lambda found: found.error_px, default=None)
    return best if best is not None and best.error_px <= _FIT_PX else None


def _candidates(lens: Lens, points_mm: Floats, pixels: Floats) -> list[Solved]:
    flat = np.ptp(points_mm[:, 2]) < 1e-6
    middle = points_mm.mean(axis=0)
    method = cv2.SOLVEPNP_IPPE if flat else cv2.SOLVEPNP_SQPNP
    _, turns, shifts, _ = cv2.solvePnPGeneric(points_mm - middle, pixels, lens.matrix, lens.distortion, flags=method)
    return [_refined(lens, points_mm, middle, pixels, turn, shift) for turn, shift in zip(turns, shifts, strict=True)]


def _refined(lens: Lens, points_mm: Floats, middle: Floats, pixels: Floats, turn: Floats, shift: Floats) -> Solved:
    turn, shift = cv2.solvePnPRefineLM(points_mm - middle, pixels, lens.matrix, lens.distortion, turn, shift)
    rotation = np.asarray(cv2.Rodrigues(turn)[0], float)
    view = View(lens, rotation, np.asarray(shift, float).ravel() - rotation @ middle)
    return Solved(view, _distance_px(view.project(points_mm), pixels))


def _distance_px(ours: Floats, theirs: Floats) -> float:
    return float(np.sqrt(((ours - theirs) ** 2).sum(axis=1).mean()))


class Sightings:
    """What has been seen of the markers: each corner averaged over its last sightings while it stays where it is.

    Corners are `better` known than before if the last picture showed them where they were.
    """

    def __init__(self) -> None:
        self._corners: dict[int, Floats] = {}
        self._times: dict[int, int] = {}
        self._moved: dict[int, int] = {}
        self.better = False

    @property
    def corners(self) -> Corners:
        return self._corners

    def add(self, found: Corners) -> set[int]:
        """Take in what was found in one picture; which markers are new to us or have moved for good."""
        changed, self.better = set(), False
        for number, corners in found.items():
            known = self._corners.get(number)
            if known is None or self._has_moved(number, known, corners):
                self._corners[number], self._times[number] = corners, 1
                changed.add(number)
            elif _distance_px(known, corners) <= _MOVED_PX:
                self.better |= self._times[number] < _REMEMBERED
                times = self._times[number] = min(self._times[number] + 1, _REMEMBERED)
                self._corners[number] = known + (corners - known) / times
        return changed

    @property
    def doubtful(self) -> bool:
        """Whether a marker was seen elsewhere than before, but not often enough to believe it."""
        return any(self._moved.values())

    def forget(self, numbers: set[int]) -> None:
        """Forget markers that are no longer where they were seen."""
        for number in numbers:
            self._corners.pop(number, None)
            self._times.pop(number, None)
            self._moved.pop(number, None)

    def _has_moved(self, number: int, known: Floats, seen: Floats) -> bool:
        """Whether its middle has; a corner that is badly seen, in a shadow or beside a hand, has not."""
        off = bool(np.hypot(*(seen.mean(axis=0) - known.mean(axis=0))) > _MOVED_PX)
        self._moved[number] = self._moved.get(number, 0) + 1 if off else 0
        if self._moved[number] < _MOVED_TIMES:
            return False
        self._moved[number] = 0
        return True


class BoardViews:
    """The views of a table's boards, kept up from one sighting of markers to the next."""

    def __init__(self, plan: Plan, camera: Camera) -> None:
        self._plan = plan
        self._camera = camera
        self._lens = Lens.of(camera)
        self._seen = Sightings()
        self.views: dict[str, View] = {}
        self.moved = 0

    def update(self, found: Corners) -> bool:
        """Take in the markers found in a picture; True when a view is new, known better, or something moved."""
        before = set(self._seen.corners)
        changed = self._seen.add(found)
        if not changed and not self._seen.better:
            return False
        if moved := changed & before:
            self.moved += 1
            self._forget_companions(moved, found)
        self._solve()
        return True

    def expected(self, found: Corners) -> dict[Board, View]:
        """Where boards are by what was found just now: as they were where that fits it, else by it alone."""
        views = {board: self._still(board, found) for board in self._plan.boards}
        if not all(views.values()):
            anew = BoardViews(self._plan, self._camera)
            anew.update(found)
            views = {board: view or anew.views.get(board.id) for board, view in views.items()}
        return {board: view for board, view in views.items() if view}

    def _still(self, board: Board, found: Corners) -> View | None:
        """A board's view, if some of its markers were found and are where that puts them."""
        view, seen = self.views.get(board.id), [marker for marker in board.markers if marker.id in found]
        if view is None or not seen:
            return None
        points, pixels = (
            np.vstack([marker_corners(each) for each in seen]),
            np.vstack([found[each.id] for each in seen]),
        )
        return view if _distance_px(view.project(points), pixels) <= _MOVED_PX else None

    @property
    def corners(self) -> Corners:
        """Where the markers were seen last."""
        return self._seen.corners

    @property
    def doubtful(self) -> bool:
        """Whether something seems to have moved, but has not been seen often enough to believe it."""
        return self._seen.doubtful

    def markers_seen(self, board: Board) -> int:
        """How many of a board's markers its view rests on."""
        return sum(marker.id in self._seen.corners for marker in board.markers)

    def _forget_companions(self, moved: set[int], found: Corners) -> None:
        """When markers moved, those of the same boards that are covered now have moved too, unseen."""
        for board in self._plan.boards:
            own = {marker.id for marker in board.markers}
            if own & moved:
                self._seen.forget(own - set(found))
        if all(number in moved for number in found):
            self._seen.forget(set(self._seen.corners) - set(found))

    def _solve(self) -> None:
        table = self._table_view()
        for board in self._plan.boards:
            view = self._view_of(board, table)
            if view is not None:
                self.views[board.id] = view

    def _table_view(self) -> View | None:
        """The table from the boards whose place on it is stated, all together."""
        points, pixels = [], []
        for board in self._plan.boards:
            if board.pose is None:
                continue
            for marker in board.markers:
                if marker.id in self._seen.corners:
                    points += [board.pose.on_table(*corner) for corner in marker_corners(marker).tolist()]
                    pixels.append(self._seen.corners[marker.id])
        solved = solve_view(self._lens, np.array(points), np.vstack(pixels)) if pixels else None
        return solved.view if solved else None

    def _view_of(self, board: Board, table: View | None) -> View | None:
        """By the table where that fits the board's own markers (or they are covered), else by its own markers alone."""
        seen = [marker for marker in board.markers if marker.id in self._seen.corners]
        by_table = table.of_board(board.pose) if table and board.pose else None
        if not seen:
            return by_table
        points = np.vstack([marker_corners(marker) for marker in seen])
        pixels = np.vstack([self._seen.corners[marker.id] for marker in seen])
        if by_table and _distance_px(by_table.project(points), pixels) <= _MOVED_PX:
            return by_table
        alone = solve_view(self._lens, points, pixels)
        return alone.view if alone else by_table
