"""Which part of the camera's picture is shown: all of the boards, as large as may be, and calm."""

from __future__ import annotations

import pytest

from companion.app.models.framing import View, framed
from companion.live.shown import BoardReading, Reading, TowerReading

_PICTURE = (640.0, 480.0)
_WIDE, _SQUARE = (480.0, 200.0), (300.0, 300.0)


def _reading(left: float = 200, top: float = 200, side: float = 150, tower_top: float = 0.0) -> Reading:
    outline = ((left, top), (left + side, top), (left + side, top + side), (left, top + side))
    tower = TowerReading(tower="left", outline=((left, tower_top), (left + 20, top))) if tower_top else None
    board = BoardReading(board="south", outline=outline, towers=(tower,) if tower else ())
    return Reading(t_us=0, boards=(board,))


def _framed(reading: Reading, shape: tuple[float, float], before: View | None = None) -> View:
    view = framed(reading, _PICTURE, shape, before)
    assert view is not None
    return view


@pytest.mark.parametrize("shape", [_WIDE, _SQUARE])
def test_the_boards_are_in_it_and_it_fills_its_place(shape: tuple[float, float]) -> None:
    left, top, wide, tall = _framed(_reading(), shape)
    assert left < 200 < 350 < left + wide
    assert top < 200 < 350 < top + tall
    assert wide / tall == pytest.approx(shape[0] / shape[1])
    assert wide * tall < 640 * 480 / 2


def test_it_stays_within_the_picture() -> None:
    left, top, wide, tall = _framed(_reading(left=480, top=320), _WIDE)
    assert (left + wide, top + tall) == (pytest.approx(640), pytest.approx(480))
    assert _framed(_reading(left=0, top=0, side=480), _WIDE) == (0, 0, 640, 480)


def test_what_was_shown_stays_while_it_will_do() -> None:
    first = _framed(_reading(), _SQUARE)
    assert _framed(_reading(left=203, top=198), _SQUARE, first) == first
    assert _framed(_reading(tower_top=90), _SQUARE, first) != first, "a castle has grown out of it"
    assert _framed(_reading(side=80), _SQUARE, first) != first, "it is far too large"
    assert _framed(_reading(), _WIDE, first) != first, "its place has another shape"


def test_all_is_shown_while_no_board_is_found() -> None:
    assert framed(Reading(t_us=0), _PICTURE, _WIDE) is None
    assert framed(_reading(), _PICTURE, (0.0, 0.0)) is None
