"""Towers that the first picture leaves open, and what rests on the board."""

from __future__ import annotations

import msgspec
import pytest

from companion.sensing.plan import Plan
from companion.sensing.readings import Height
from companion.sensing.scales.evidence import Load
from companion.sensing.scales.memory import Memory
from tests.sensing.movie import FRAME_US, Movie
from tests.sensing.painted import one_board, plate

_PALE = (116, 146, 172)  # nearly the board's own colour
_CENTRE = (125.0, 100.0)


def _hardly_seen(plan: Plan) -> Movie:
    """A tower of one level on the right, and one of two on the left that hardly shows."""
    movie = Movie(plan)
    movie.stand("right", 1)
    left = movie.tower("left").centre_mm
    movie.blocks += [plate("south", left, (60.0, 60.0, 2.0), low_mm, _PALE) for low_mm in (0.0, 27.0)]
    return movie


def _rests(t_us: int = FRAME_US, more_g: float = 0.0, **traits: bool) -> Memory:
    """Scales that found at that time what those towers weigh."""
    load, towers = Load(more_g), {"left": 6.5 + 14.5, "right": 6.5}
    for tower in one_board().boards[0].towers:
        grams, (x, y) = towers.get(tower.id, 0.0), tower.centre_mm
        gone = Load(-grams, -grams * (x - _CENTRE[0]), -grams * (y - _CENTRE[1]))
        load = load.minus(gone)
    return msgspec.structs.replace(Memory(piece_g=2.0, centre_mm=_CENTRE, rests=((t_us, load),)), **traits)


def _said(movie: Movie, frames: int, memory: Memory | None) -> list[tuple[str, int]]:
    """What is said of towers, in its order; the scales speak from the 20th frame on."""
    movie.wait(20)
    movie.eye.board("south").memory = memory
    movie.wait(frames)
    return [(sight.tower, sight.levels) for sight in movie.sights if isinstance(sight, Height)]


def test_what_is_plain_is_said_at_once_and_what_is_open_once_it_is_weighed() -> None:
    movie = _hardly_seen(one_board())
    assert _said(movie, 0, None) == [("middle", 0), ("right", 1)]
    movie.eye.board("south").memory = _rests(20 * FRAME_US)
    movie.wait(2)
    assert movie.heights() == {"left": (2, 29.0), "middle": (0, 0.0), "right": (1, 2.0)}


def test_a_load_that_was_found_before_the_picture_is_none_of_it() -> None:
    movie = _hardly_seen(one_board())
    assert "left" not in dict(_said(movie, 20, _rests(-FRAME_US)))


@pytest.mark.parametrize("memory", [None, _rests(20 * FRAME_US, feels=False), _rests(20 * FRAME_US, alive=False)])
def test_scales_that_cannot_weigh_are_waited_for_no_longer_than_that(memory: Memory | None) -> None:
    movie = _hardly_seen(one_board())
    assert "left" not in dict(_said(movie, 20, memory))
    movie.wait(80)
    assert "left" in movie.heights()


def test_where_there_are_no_scales_nothing_is_waited_for() -> None:
    plan = one_board()
    bare = msgspec.structs.replace(plan, boards=(msgspec.structs.replace(plan.boards[0], cells=()),))
    assert "left" in dict(_said(_hardly_seen(bare), 0, None))


def test_what_is_plain_is_not_overruled_by_what_weighs_more() -> None:
    said = _said(_hardly_seen(one_board()), 20, _rests(20 * FRAME_US, more_g=30.0))
    assert [levels for tower, levels in said if tower != "left"] == [0, 1]


def test_where_something_moved_since_the_picture_the_load_is_of_another_time() -> None:
    movie = _hardly_seen(one_board())
    movie.wait(18)
    movie.put_floor("middle", 1)
    movie.eye.board("south").memory = _rests(60 * FRAME_US, more_g=6.5)
    movie.wait(2)
    assert movie.eye.board("south")._readings.open is None
