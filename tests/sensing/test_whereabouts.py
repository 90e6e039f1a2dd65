"""When markers are looked for, and what is said when they are not found or have moved."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from companion.sensing.plan import Camera, Plan
from companion.sensing.streams import Frame, Image
from companion.sensing.views import Lens
from companion.sensing.whereabouts import Whereabouts
from tests.sensing.painted import Painter, looking, one_board

_FRAME_US = 100_000
_EYE = (60.0, -310.0, 300.0)


def _camera(plan: Plan) -> Camera:
    assert plan.camera is not None
    return plan.camera


def _picture(plan: Plan, eye: tuple[float, float, float] = _EYE) -> Image:
    return Painter(plan, looking(Lens.of(_camera(plan)), eye, (0.0, 0.0, 20.0))).paint(noise=2.0)


def _watch(where: Whereabouts, picture: Image, frames: int, start: int = 0) -> list[str]:
    said: list[str] = []
    for at in range(start, start + frames):
        where.feed(Frame(at * _FRAME_US, at, picture), doubted=False)
        said += where.troubles()
    return said


def test_boards_are_found_at_once_and_nothing_is_said_of_it() -> None:
    plan = one_board()
    where = Whereabouts(plan, _camera(plan))
    assert _watch(where, _picture(plan), 50) == []
    assert set(where.views) == {"south"}


@pytest.mark.parametrize("far_mm", [10.0, 60.0])
def test_a_nudged_camera_is_told_once(far_mm: float) -> None:
    plan = one_board()
    where = Whereabouts(plan, _camera(plan))
    _watch(where, _picture(plan), 12)
    nudged = _picture(plan, (_EYE[0] + far_mm, *_EYE[1:]))
    assert _watch(where, nudged, 30, start=12) == ["The camera or a board was moved; the boards were found anew."]


def test_a_doubt_is_looked_into_at_once() -> None:
    plan = one_board()
    where = Whereabouts(plan, _camera(plan))
    where.feed(Frame(0, 0, _picture(plan)), doubted=False)
    nudged = _picture(plan, (_EYE[0] + 10.0, *_EYE[1:]))
    assert [where.feed(Frame(at * 33_000, at, nudged), doubted=True) for at in (1, 2)] == [False, True]


def test_markers_that_are_never_found_are_told_of_once() -> None:
    plan = one_board()
    where = Whereabouts(plan, _camera(plan))
    bare = np.full((480, 640, 3), 90, np.uint8)
    assert _watch(where, bare, 100) == [
        "No board's markers are found in the picture: are they in view, and of this dictionary?"
    ]


def test_a_dictionary_nobody_knows_is_a_fault_and_not_the_end() -> None:
    plan = one_board()
    camera = msgspec.structs.replace(_camera(plan), dictionary="DICT_9X9")
    where = Whereabouts(plan, camera)
    assert _watch(where, _picture(plan), 5) == ["There is no marker dictionary called 'DICT_9X9'."]
    assert where.views == {}


def test_a_board_that_alone_is_not_found_is_named() -> None:
    plan = one_board(posed=False)
    other = msgspec.structs.replace(plan.boards[0], id="north", markers=(plan.boards[0].markers[0],))
    lost = msgspec.structs.replace(other, markers=(msgspec.structs.replace(other.markers[0], id=40),))
    two = msgspec.structs.replace(plan, boards=(*plan.boards, lost))
    where = Whereabouts(two, _camera(two))
    assert _watch(where, _picture(one_board()), 40) == ["The markers of north are not found in the picture."]


def test_a_plan_without_markers_is_told_of() -> None:
    plan = one_board()
    bare = msgspec.structs.replace(plan, boards=(msgspec.structs.replace(plan.boards[0], markers=()),))
    where = Whereabouts(bare, _camera(bare))
    assert _watch(where, _picture(plan), 3) == ["No board has markers, so the camera cannot tell where the boards are."]


def test_a_board_without_markers_is_found_by_the_others_and_its_pose() -> None:
    plan = one_board()
    bare = msgspec.structs.replace(plan.boards[0], id="north", markers=())
    two = msgspec.structs.replace(plan, boards=(*plan.boards, bare))
    where = Whereabouts(two, _camera(two))
    assert _watch(where, _picture(plan), 40) == []
    assert set(where.views) == {"south", "north"}


def test_a_marker_that_the_dictionary_does_not_have_is_named_and_the_others_are_enough() -> None:
    plan = one_board()
    (south,) = plan.boards
    first, *others = south.markers
    strange = msgspec.structs.replace(south, markers=(msgspec.structs.replace(first, id=50), *others))
    where = Whereabouts(msgspec.structs.replace(plan, boards=(strange,)), _camera(plan))
    assert _watch(where, _picture(plan), 30) == ["DICT_4X4_50 has no marker 50."]
    assert set(where.views) == {"south"}
