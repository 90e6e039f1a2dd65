"""The table around a board on painted movies: what falls off it, and what a hand lays there."""

from __future__ import annotations

import msgspec

from companion.sensing.falling import Fallen
from companion.sensing.plan import Board, Marker, Plan, Point, Pose, Tower
from tests.sensing.movie import FRAME_US, Movie
from tests.sensing.painted import one_board, plate

_GREEN = (90, 160, 90)
_BESIDE = (-45.0, 70.0)  # on the table


def _based(movie: Movie | None = None) -> Movie:
    """A board with a base tile on the left, and a pillar that was stood on it."""
    movie = movie or Movie()
    movie.wait(25)
    movie.put_floor("left", 1)
    movie.put_pillar("left", 1, 3)
    movie.sights.clear()
    return movie


def _move_away(movie: Movie, to: Point = _BESIDE) -> None:
    """The pillar is gone from its tower, and lies elsewhere."""
    del movie.blocks[-1]
    movie.blocks.append(plate("south", to, (25.0, 12.0, 12.0), 0.0, _GREEN, turn=20.0))


def _falls(movie: Movie) -> list[Fallen]:
    return [sight for sight in movie.sights if isinstance(sight, Fallen)]


def test_a_pillar_that_is_knocked_off_the_board_fell_and_was_not_taken() -> None:
    movie = _based()
    movie.come("left", 30.0)
    began_us = movie.frame * FRAME_US
    _move_away(movie)
    movie.go("left", 30.0)
    (fall,) = _falls(movie)
    assert fall.thrown
    assert abs(fall.t_us - began_us) < 100_000
    assert not movie.seen()
    assert movie.heights()["left"] == (1, 2.0)


def test_a_pillar_that_a_hand_lays_beside_the_board_was_taken() -> None:
    movie = _based()
    movie.come("left", 30.0)
    pillar = movie.blocks.pop()
    movie.carry(movie.tower("left").centre_mm, _BESIDE, frames=8, rests=12)
    movie.blocks.append(pillar)
    _move_away(movie)
    movie.leave(_BESIDE)
    assert not _falls(movie)
    assert movie.seen() == [(False, "left", 1)]


def test_what_drops_on_the_table_while_no_tower_loses_anything_is_no_fall() -> None:
    movie = _based()
    movie.come("right", 30.0)
    movie.blocks.append(plate("south", _BESIDE, (25.0, 12.0, 12.0), 0.0, _GREEN, turn=20.0))
    movie.go("right", 30.0)
    assert not _falls(movie)
    assert not movie.seen()


def test_a_piece_that_a_hand_takes_away_is_told_though_the_hand_stays_about() -> None:
    movie = _based()
    movie.come("left", 30.0)
    del movie.blocks[-1]
    movie.fidget("right", 120)
    assert not _falls(movie)
    assert movie.seen() == [(False, "left", 1)]


def test_what_is_thrown_nearer_to_another_board_is_that_ones_to_tell() -> None:
    assert _falls(_thrown(_two_boards(gap_mm=200.0)))
    assert not _falls(_thrown(_two_boards(gap_mm=60.0)))


def test_what_is_seen_over_another_board_lies_behind_it() -> None:
    assert _falls(_thrown(_two_boards(gap_mm=10.0, nearer_mm=205.0)))


def _two_boards(gap_mm: float, nearer_mm: float = 0.0) -> Plan:
    plan = one_board()
    (south,) = plan.boards
    assert south.pose is not None
    x, y, z = south.pose.origin_mm
    west = Board(
        "west",
        (70.0, 200.0),
        pose=Pose((x - gap_mm - 70.0, y - nearer_mm, z)),
        towers=(Tower("only", (35.0, 100.0)),),
        markers=(Marker(10, (50.0, 20.0), 20.0), Marker(11, (50.0, 180.0), 20.0)),
    )
    return msgspec.structs.replace(plan, boards=(south, west))


def _thrown(plan: Plan) -> Movie:
    """A pillar is knocked off the first board, and the camera sees all of the table."""
    movie = _based(Movie(plan, eye_mm=(0.0, -480.0, 560.0)))
    movie.come("left", 30.0)
    _move_away(movie)
    movie.go("left", 30.0)
    return movie
