"""The eye on painted movies: pieces that come and go, with tower, level and height."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.sensing.explaining import Expected
from tests.sensing.movie import Movie


def test_a_tower_is_followed_piece_by_piece() -> None:
    movie = Movie()
    movie.wait(25)
    movie.put_floor("right", 1)
    movie.put_pillar("right", 1, 0)
    movie.put_pillar("right", 1, 3)
    movie.put_floor("right", 2, colour=(200, 160, 60))
    assert movie.seen() == [(True, "right", 1), (True, "right", 1), (True, "right", 1), (True, "right", 2)]
    assert movie.heights() == {"left": (0, 0.0), "middle": (0, 0.0), "right": (2, 29.0)}


def test_a_hand_that_only_visits_and_a_lamp_that_is_turned_down_are_nothing() -> None:
    movie = Movie()
    movie.put_floor("left", 1)
    before = (movie.seen(), movie.heights())
    movie.reach("left", 30.0, lambda: None)
    movie.painter.light = 0.75
    movie.wait(30)
    assert (movie.seen(), movie.heights()) == before


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
