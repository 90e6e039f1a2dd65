"""Markers found by their patterns where a rough view says they must be."""

from __future__ import annotations

import cv2
import numpy as np

from companion.sensing.markers import BoardViews, MarkerFinder
from companion.sensing.patterns import PatternFinder
from companion.sensing.plan import Camera
from companion.sensing.streams import Image
from companion.sensing.views import Floats, Lens, View
from tests.sensing.painted import Painter, looking, one_board

_PLAN = one_board(posed=False)
_BOARD = _PLAN.boards[0]


def _camera() -> Camera:
    assert _PLAN.camera is not None
    return _PLAN.camera


def _painter() -> Painter:
    return Painter(one_board(), looking(Lens.of(_camera()), (0.0, -300.0, 330.0), (0.0, 0.0, 10.0)))


def _gray(painter: Painter) -> Image:
    return np.asarray(cv2.cvtColor(painter.paint(noise=2.0), cv2.COLOR_BGR2GRAY))


def _off_px(view: View, painter: Painter) -> float:
    points = [(x, y, z) for x in (30.0, 220.0) for y in (30.0, 170.0) for z in (0.0, 140.0)]
    return float(np.abs(view.project(points) - painter.view(painter.plan.boards[0]).project(points)).max())


def _one_seen(gray: Image) -> dict[int, Floats]:
    """One marker, its corners as inexact as small blurred ones are."""
    number, corners = min(MarkerFinder(_camera(), _PLAN).find(gray).items())
    return {number: corners + np.array([(0.4, -0.3), (-0.4, 0.4), (0.3, 0.4), (-0.3, -0.4)])}


def _rough(found: dict[int, Floats]) -> View:
    views = BoardViews(_PLAN, _camera())
    views.update(found)
    return views.views["south"]


def test_one_marker_tells_where_the_others_must_be_and_they_make_the_view_right() -> None:
    painter = _painter()
    gray = _gray(painter)
    one = _one_seen(gray)
    found = PatternFinder(_camera()).complete(gray, one, {_BOARD: _rough(one)})
    assert found.keys() == {marker.id for marker in _BOARD.markers}
    assert _off_px(_rough(one), painter) > 6
    assert _off_px(_rough(found), painter) < 2


def test_markers_that_are_covered_are_not_imagined() -> None:
    painter = _painter()
    one = _one_seen(_gray(painter))
    painter.covered = {marker.id for marker in _BOARD.markers} - one.keys()
    assert PatternFinder(_camera()).complete(_gray(painter), one, {_BOARD: _rough(one)}).keys() == one.keys()


def test_where_boards_are_expected_follows_what_was_found_just_now() -> None:
    painter = _painter()
    found = MarkerFinder(_camera(), _PLAN).find(_gray(painter))
    views = BoardViews(_PLAN, _camera())
    views.update(found)
    assert views.expected(found)[_BOARD] is views.views["south"]
    assert views.expected({}) == {}
    moved = {number: corners + 20.0 for number, corners in found.items()}
    expected = views.expected(moved)[_BOARD]
    corner = expected.project([(0.0, 0.0, 0.0)]) - views.views["south"].project([(0.0, 0.0, 0.0)])
    assert np.abs(corner - 20.0).max() < 5
