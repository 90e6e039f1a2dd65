"""The eye on painted movies: pieces that come and go, with tower, level and height."""

from __future__ import annotations

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
