"""The eye on painted movies: pieces that come and go, with tower, level and height."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest

from companion.sensing.board_eye import BoardEye
from companion.sensing.changes import Change
from companion.sensing.explaining import Expected, Telling, Told
from companion.sensing.eye import Eye
from companion.sensing.falling import Fallen
from companion.sensing.fitting import Window
from companion.sensing.plan import Board, Camera, Pose
from companion.sensing.shapes import Kit
from companion.sensing.sights import Seen
from companion.sensing.signs import Case
from tests.sensing.movie import Movie
from tests.sensing.painted import column, one_board, plate


def test_a_tower_is_followed_piece_by_piece() -> None:
    movie = Movie()
    movie.wait(25)
    movie.put_floor("right", 1)
    movie.put_pillar("right", 1, 0)
    movie.put_pillar("right", 1, 3)
    movie.put_floor("right", 2, colour=(200, 160, 60))
    assert movie.seen() == [(True, "right", 1), (True, "right", 1), (True, "right", 1), (True, "right", 2)]
    assert movie.heights() == {"left": (0, 0.0), "middle": (0, 0.0), "right": (2, 29.0)}


def test_a_base_tile_is_seen_though_its_outline_was_printed_there_before() -> None:
    movie = Movie()
    (x, y), line = movie.tower("left").centre_mm, (85, 105, 125)
    movie.blocks += [plate("south", (x, y + dy), (61.0, 1.5, 0.01), 0.0, line) for dy in (-30.0, 30.0)]
    movie.blocks += [plate("south", (x + dx, y), (1.5, 61.0, 0.01), 0.0, line) for dx in (-30.0, 30.0)]
    movie.wait(25)
    tile = plate("south", (x, y), (60.0, 60.0, 2.0), 0.0, (150, 175, 160))
    movie.reach("left", 0.0, lambda: movie.blocks.append(tile))
    assert movie.seen() == [(True, "left", 1)]
    assert movie.heights()["left"] == (1, 2.0)


def test_a_hand_that_only_visits_and_a_lamp_that_is_turned_down_are_nothing() -> None:
    movie = Movie()
    movie.put_floor("left", 1)
    before = (movie.seen(), movie.heights())
    movie.reach("left", 30.0, lambda: None)
    movie.painter.light = 0.75
    movie.wait(30)
    assert (movie.seen(), movie.heights()) == before


def test_a_pillar_that_stands_where_no_base_tile_shows_stands_on_one() -> None:
    movie = Movie()
    movie.wait(25)
    movie.put_pillar("left", 1, 0)
    assert movie.seen() == [(True, "left", 1)]
    assert movie.heights()["left"] == (1, pytest.approx(27.0, abs=1.0))


def test_an_arm_that_rests_in_another_light_is_not_taken_for_the_board() -> None:
    movie = Movie()
    movie.wait(25)
    movie.put_floor("left", 1)
    arm = np.ones((480, 640, 1), np.float32)
    arm[120:, 250:560] = 0.2
    movie.painter.light = 0.75
    movie.wait(35, shade=arm)
    movie.painter.light = 1.0
    movie.wait(25)
    movie.put_pillar("left", 1, 0)
    assert movie.seen() == [(True, "left", 1)] * 2


def test_a_board_in_another_light_is_taken_as_it_looks_after_a_while() -> None:
    movie = Movie()
    movie.wait(25)
    movie.put_floor("left", 1)
    lamp = np.ones((480, 640, 1), np.float32)
    lamp[:, :320] = 0.4
    movie.painter.light = 0.8
    movie.wait(60, shade=lamp)
    movie.blocks.append(column("south", (80.0, 80.0), 12.0, 25.0, 2.0, (90, 160, 90)))
    movie.wait(30, shade=lamp)
    assert movie.seen() == [(True, "left", 1)] * 2


def test_a_piece_that_is_taken_is_seen_to_go() -> None:
    movie = Movie()
    movie.wait(25)
    movie.put_floor("middle", 1)
    movie.put_pillar("middle", 1, 1)
    movie.reach("middle", 30.0, lambda: movie.blocks.__delitem__(-1))
    assert movie.seen() == [(True, "middle", 1), (True, "middle", 1), (False, "middle", 1)]
    assert movie.heights()["middle"] == (1, 2.0)


def test_with_scales_a_change_waits_until_it_is_felt() -> None:
    movie = Movie()
    movie.wait(25)
    board = movie.eye.board("south")
    board.weighed = True
    movie.put_floor("left", 1)
    assert movie.seen() == []
    board.expect(Expected(True, ("floor-tile",), "left"))
    movie.wait(1)
    assert movie.seen() == [(True, "left", 1)]
    movie.put_pillar("left", 1, 0)
    assert len(movie.seen()) == 1
    movie.wait(80)  # what is plain is followed in the end, felt or not
    assert movie.heights()["left"] == (1, 27.0)


def test_a_view_that_is_only_known_better_does_not_make_the_eye_forget() -> None:
    movie = Movie()
    movie.wait(25)
    board = movie.eye.board("south")
    assert board.view is not None
    better = replace(board.view, shift_mm=board.view.shift_mm + np.array((1.5, 0.0, 0.0)))
    movie.reach("right", 0.0, lambda: movie.stand("right", 1))
    movie.sights.clear()
    board.look_through(better, (480, 640, 3), moved=False)
    assert board.view is better
    movie.put_pillar("right", 1, 0)
    assert movie.seen() == [(True, "right", 1)]


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(lambda board: {"towers": ()}, id="no towers"),
        pytest.param(lambda board: {"pose": Pose((9_000.0, 300.0, 12.0)), "markers": ()}, id="out of the picture"),
        pytest.param(lambda board: {"pose": Pose((0.0, -9_000.0, 12.0)), "markers": ()}, id="behind the camera"),
    ],
)
def test_a_board_without_a_castle_in_sight_is_nothing_to_stumble_over(odd: Callable[[Board], dict[str, Any]]) -> None:
    plan = one_board()
    board = msgspec.structs.replace(plan.boards[0], **odd(plan.boards[0]))
    movie = Movie(plan)
    movie.eye = Eye(msgspec.structs.replace(plan, boards=(board,)), plan.camera or Camera(640, 480))
    movie.wait(25)
    movie.put_floor("left", 1)
    assert not [sight for sight in movie.sights if isinstance(sight, Seen | Fallen)]


def test_a_box_of_floors_alone_is_read_as_if_pillars_carried_them() -> None:
    plan = one_board()
    kit = Kit(msgspec.structs.replace(plan, pieces={"floor-tile": plan.pieces["floor-tile"]}))
    assert kit.pitch_mm == pytest.approx(27.0)
    assert kit.pillar is not None


def test_who_asks_what_was_built_hears_all_of_it_and_no_more_once_something_else_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tell, told_less = Telling.tell, list[bool]()

    def both(self: Telling, change: Change, window: Window, *args: Any, **kwargs: Any) -> Told:
        stood = list(eye.castle)
        whole = tell(self, change, window)
        eye.castle.restore(stood)
        built = tell(self, change, window, while_built=True)
        eye.castle.restore(stood)
        assert built.only_built == whole.only_built
        if whole.only_built:
            assert [each.piece for each in built.came] == [each.piece for each in whole.came]
        told_less.append(built.many < whole.many)
        return tell(self, change, window, *args, **kwargs)

    movie = Movie()
    eye = movie.eye.board("south")
    movie.put_floor("left", 1)
    movie.put_pillar("left", 1, 0)
    movie.put_pillar("left", 1, 3)
    monkeypatch.setattr(Telling, "tell", both)
    movie.put_pillar("left", 1, 1)
    assert told_less
    assert not any(told_less)
    movie.reach("left", 30.0, lambda: movie.blocks.__delitem__(slice(-2, None)))
    assert any(told_less)


def _with_a_pillar_felt(movie: Movie, expected: Expected) -> BoardEye:
    """A hand sets down a pillar, which is felt, and stays about."""
    movie.stand("left", 1)
    movie.wait(25)
    eye = movie.eye.board("south")
    eye.weighed = True
    movie.fidget("left", 6)
    x, y = movie.tower("left").centre_mm
    movie.blocks.append(column("south", (x - 20.0, y + 20.0), 12.0, 25.0, 2.0, (90, 160, 90)))
    movie.fidget("left", 6)
    eye.expect(expected)
    movie.fidget("right", 45)
    return eye


def test_while_a_fall_is_felt_nothing_is_told_before_the_hand_is_gone() -> None:
    told = []
    for fall in (False, True):
        movie = Movie()
        _with_a_pillar_felt(movie, Expected(True, () if fall else ("pillar",), None if fall else "left", fall=fall))
        told.append(movie.seen())
        movie.wait(60)
        assert movie.seen() == [(True, "left", 1)]
    assert told == [[(True, "left", 1)], []]


def test_a_piece_that_was_told_while_a_hand_was_about_counts_at_the_next_calm_look_and_at_no_later_one() -> None:
    came: list[float] = []

    def counted(case: Case) -> float:
        came.append(case.signs.came)
        return 0.0

    movie = Movie(chance=counted)
    eye = _with_a_pillar_felt(movie, Expected(True, ("pillar",), "left"))
    assert movie.seen() == [(True, "left", 1)]
    assert not came
    movie.wait(60)
    assert came == [1.0]
    eye.weighed = False
    movie.put_floor("right", 1)
    assert came == [1.0, 1.0]
    assert movie.seen() == [(True, "left", 1), (True, "right", 1)]
