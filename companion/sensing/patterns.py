"""Markers found by their patterns near where they must be: those too blurred or too small to be found unawares.

A view solved from a single small marker is right beside that marker and wrong farther off, the more so the higher a
tower is. But it tells where the next marker must be, nearly, and what it must look like; with that one the view is
right farther off, and so on until all that are in sight are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import numpy as np

from companion.sensing.glance import Small
from companion.sensing.markers import Corners, marker_corners, marker_dictionary, solve_view
from companion.sensing.plan import Board, Camera, Marker
from companion.sensing.streams import Image
from companion.sensing.views import Floats, Lens, View

_CELL_PX = 6  # a marker's cells when it is compared
_BLACK = 1  # cells around a marker's bits, and as many white ones around these
_REACH = 7  # cells that a marker may be from where it is looked for
_BLUR_PX = 1.1  # of the picture
_SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
_ALIKE = 0.75  # as a correlation: a marker in sight is more like its pattern, and what else is there is less


class PatternFinder:
    """Finds the markers of a board in a picture by how it stands, roughly."""

    def __init__(self, camera: Camera) -> None:
        self._dictionary = marker_dictionary(camera)
        self._lens = Lens.of(camera)
        self._cells = self._dictionary.markerSize + 2 * _BLACK
        self._drawn: dict[int, Small] = {}

    def unknown(self, boards: Iterable[Board]) -> list[int]:
        """The numbers of markers that the dictionary does not have."""
        return [marker.id for board in boards for marker in board.markers if not self._is_drawn(marker)]

    def complete(self, gray: Image, found: Corners, boards: Mapping[Board, View]) -> dict[int, Floats]:
        """Those found and those that are found now, by rough views of their boards."""
        known = dict(found)
        for board, view in boards.items():
            known |= self._of_board(gray, known, board, view)
        return known

    def _of_board(self, gray: Image, found: Corners, board: Board, view: View) -> dict[int, Floats]:
        """The markers of a board, those nearest to ones that are known first; what fits no view is none."""
        known = {marker: found[marker.id] for marker in board.markers if marker.id in found}
        missing = [marker for marker in board.markers if marker not in known and self._is_drawn(marker)]
        while missing:
            marker = min(missing, key=lambda each: _off_mm(each, known))
            missing.remove(marker)
            corners = self._find(gray, view, marker)
            if corners is not None and (better := self._view(known | {marker: corners})):
                known[marker], view = corners, better
        return {marker.id: corners for marker, corners in known.items()}

    def _is_drawn(self, marker: Marker) -> bool:
        """Whether there is such a marker in the dictionary."""
        return 0 <= marker.id < len(self._dictionary.bytesList)

    def _view(self, known: Mapping[Marker, Floats]) -> View | None:
        points = np.vstack([marker_corners(marker) for marker in known])
        solved = solve_view(self._lens, points, np.vstack(list(known.values())))
        return solved.view if solved else None

    def _find(self, gray: Image, view: View, marker: Marker) -> Floats | None:
        """A marker's corners (4, 2), or None where nothing near its place looks like it."""
        onto = self._flattening(view, marker)
        if onto is None or not _is_within(view, marker, gray):
            return None
        side = 2 * _CELL_PX * (self._cells // 2 + _BLACK + _REACH)
        flat = cv2.warpPerspective(gray, onto, (side, side), borderMode=cv2.BORDER_REPLICATE)
        like = cv2.matchTemplate(flat.astype(np.float32), self._pattern(marker.id, onto), cv2.TM_CCOEFF_NORMED)
        _, best, _, (x, y) = cv2.minMaxLoc(like)
        if best < _ALIKE or not (0 < x < like.shape[1] - 1 and 0 < y < like.shape[0] - 1):
            return None
        corner = np.array([x + _summit(like[y, x - 1 : x + 2]), y + _summit(like[y - 1 : y + 2, x])])
        flat_corners = (corner + _CELL_PX * (_SQUARE * self._cells + _BLACK) - 0.5).astype(np.float32)
        return np.asarray(cv2.perspectiveTransform(flat_corners[None], np.linalg.inv(onto))[0], float)

    def _flattening(self, view: View, marker: Marker) -> Floats | None:
        """What turns the picture about a marker's place so that it is seen straight from above, upright."""
        corners = marker_corners(marker)
        middle = corners.mean(axis=0)
        wide = 2 * (self._cells // 2 + _BLACK + _REACH)
        around = middle + (corners - middle) * (wide / self._cells)
        if (view.depth_mm(around) <= 0).any():
            return None
        square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * wide * _CELL_PX - 0.5
        return np.asarray(
            cv2.getPerspectiveTransform(view.project(around).astype(np.float32), square.astype(np.float32))
        )

    def _pattern(self, number: int, onto: Floats) -> Small:
        """A marker with white around it, as blurred as it is in a picture that is turned so."""
        if number not in self._drawn:
            drawn = cv2.aruco.generateImageMarker(self._dictionary, number, self._cells * _CELL_PX)
            white = _BLACK * _CELL_PX
            bordered = cv2.copyMakeBorder(drawn, white, white, white, white, cv2.BORDER_CONSTANT, value=255)
            self._drawn[number] = np.asarray(bordered, np.float32)
        return np.asarray(
            cv2.GaussianBlur(self._drawn[number], (0, 0), max(1.0, _BLUR_PX * self._enlarged(onto))), np.float32
        )

    def _enlarged(self, onto: Floats) -> float:
        """How many pixels there are of one in the middle of what was turned so."""
        back = np.linalg.inv(onto)
        middle = _CELL_PX * (self._cells // 2 + _BLACK + _REACH)
        pixel = cv2.perspectiveTransform((_SQUARE + middle).astype(np.float32)[None], back)[0]
        return float(1 / np.sqrt(max(cv2.contourArea(pixel), 1e-6)))


def _off_mm(marker: Marker, known: Mapping[Marker, Floats]) -> float:
    return min((float(np.hypot(*np.subtract(marker.centre_mm, each.centre_mm))) for each in known), default=0.0)


def _is_within(view: View, marker: Marker, gray: Image) -> bool:
    x, y = view.project([(*marker.centre_mm, 0.0)])[0]
    return bool(0 <= x < gray.shape[1] and 0 <= y < gray.shape[0])


def _summit(three: Floats) -> float:
    """Where a parabola through three values, the middle one the greatest, is highest: from -0.5 to 0.5."""
    left, top, right = (float(value) for value in three)
    bend = left - 2 * top + right
    return 0.5 * (left - right) / bend if bend < 0 else 0.0
