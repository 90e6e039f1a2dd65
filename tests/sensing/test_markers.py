"""Views from markers: all, some, remembered, moved."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from companion.errors import BadRecording
from companion.sensing.markers import BoardViews, MarkerFinder, marker_corners, solve_view
from companion.sensing.plan import Marker, Plan
from companion.sensing.streams import Image
from companion.sensing.views import Lens, View
from tests.sensing.painted import Painter, looking, one_board

_EYES = [(0.0, -300.0, 330.0), (180.0, -320.0, 300.0), (-60.0, -420.0, 420.0)]


def _painter(plan: Plan, eye: tuple[float, float, float]) -> Painter:
    assert plan.camera is not None
    posed = one_board(distortion=plan.camera.distortion)
    return Painter(posed, looking(Lens.of(plan.camera), eye, (0.0, 0.0, 10.0)))


def _gray(picture: Image) -> Image:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))


def _off_px(ours: View, theirs: View) -> float:
    """How far apart two views put the points of a tall castle, at the most."""
    points = [(x, y, z) for x in (30.0, 220.0) for y in (30.0, 170.0) for z in (0.0, 60.0, 140.0)]
    return float(np.abs(ours.project(points) - theirs.project(points)).max())


def _finder(plan: Plan) -> MarkerFinder:
    assert plan.camera is not None
    return MarkerFinder(plan.camera, plan)


def _views(plan: Plan) -> BoardViews:
    assert plan.camera is not None
    return BoardViews(plan, plan.camera)


@pytest.mark.parametrize("eye", _EYES)
@pytest.mark.parametrize("posed", [True, False])
def test_a_view_is_right_to_a_pixel_with_and_without_a_stated_pose(
    eye: tuple[float, float, float], posed: bool
) -> None:
    plan = one_board(posed=posed, distortion=(-0.1, 0.02, 0.0, 0.0, 0.0))
    painter = _painter(plan, eye)
    views = _views(plan)
    found = _finder(plan).find(_gray(painter.paint(noise=2.0)))
    assert views.update(found)
    assert len(found) == 4
    assert _off_px(views.views["south"], painter.view(painter.plan.boards[0])) < 1.5


def test_two_markers_are_enough_and_covered_ones_are_remembered() -> None:
    plan = one_board()
    painter = _painter(plan, _EYES[0])
    finder, views = _finder(plan), _views(plan)
    painter.covered = {0, 1}
    views.update(finder.find(_gray(painter.paint(noise=2.0))))
    assert views.markers_seen(plan.boards[0]) == 2
    assert _off_px(views.views["south"], painter.view(plan.boards[0])) < 3
    painter.covered = {0, 1, 2, 3}
    assert not views.update(finder.find(_gray(painter.paint(noise=2.0))))
    assert "south" in views.views


def test_markers_are_found_again_where_they_were() -> None:
    plan = one_board()
    painter, finder = _painter(plan, _EYES[0]), _finder(plan)
    gray = _gray(painter.paint(noise=2.0))
    first = finder.find(gray)
    again = finder.find_again(gray, first)
    assert again.keys() == first.keys()
    assert max(float(np.abs(again[number] - first[number]).max()) for number in first) < 0.5


def test_a_nudged_camera_is_noticed_and_the_view_solved_anew() -> None:
    plan = one_board()
    finder, views = _finder(plan), _views(plan)
    still, nudged = _painter(plan, _EYES[0]), _painter(plan, (10.0, -300.0, 330.0))
    for turn in range(3):
        views.update(finder.find(_gray(still.paint(noise=2.0, seed=turn))))
    assert views.moved == 0
    seen = finder.find(_gray(nudged.paint(noise=2.0)))
    assert not views.update(seen), "one sighting may be an error"
    assert views.update(seen)
    assert views.moved == 1
    assert _off_px(views.views["south"], nudged.view(plan.boards[0])) < 1.5


def test_a_point_on_the_board_goes_into_the_picture_and_back() -> None:
    painter = _painter(one_board(distortion=(-0.1, 0.02, 0.0, 0.0, 0.0)), _EYES[1])
    view = painter.view(painter.plan.boards[0])
    points = np.array([(10.0, 20.0), (200.0, 150.0)])
    pixels = view.project(np.column_stack([points, np.full(2, 54.0)]))
    assert view.on_plane(pixels, 54.0) == pytest.approx(points, abs=0.05)


def test_a_turned_marker_has_its_first_corner_turned_with_it() -> None:
    assert marker_corners(Marker(0, (10.0, 10.0), 4.0))[0] == pytest.approx((8.0, 12.0, 0.0))
    assert marker_corners(Marker(0, (10.0, 10.0), 4.0, turn_deg=90.0))[0] == pytest.approx((8.0, 8.0, 0.0))


def test_points_that_fit_no_view_give_none() -> None:
    plan = one_board()
    assert plan.camera is not None
    points = np.vstack([marker_corners(marker) for marker in plan.boards[0].markers])
    assert solve_view(Lens.of(plan.camera), points, np.random.default_rng(1).uniform(0, 400, (16, 2))) is None


def test_an_unknown_dictionary_is_named() -> None:
    plan = one_board()
    assert plan.camera is not None
    with pytest.raises(BadRecording, match="DICT_9X9"):
        MarkerFinder(msgspec.structs.replace(plan.camera, dictionary="DICT_9X9"), plan)
