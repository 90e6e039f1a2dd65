"""Pieces that are put aside: they are seen in the inventory, and of no tower."""

from __future__ import annotations

import msgspec

from companion.sensing.falling import Fallen
from companion.sensing.plan import Area, Plan
from companion.sensing.sights import Seen
from tests.sensing.movie import Movie
from tests.sensing.painted import column, one_board, plate

_STORE = Area((95.0, 5.0), (155.0, 75.0))
_IN_STORE = (125.0, 35.0)


def _plan() -> Plan:
    plan = one_board()
    board = msgspec.structs.replace(plan.boards[0], inventory=(_STORE,))
    return msgspec.structs.replace(plan, boards=(board,))


def _seen(movie: Movie) -> list[Seen]:
    return [sight for sight in movie.sights if isinstance(sight, Seen)]


def test_a_pillar_that_is_put_aside_is_seen_to_come_to_no_tower_and_did_not_fall() -> None:
    movie = Movie(_plan())
    movie.stand("left", 1)
    movie.wait(25)
    pillar = column("south", _IN_STORE, 12.0, 25.0, 0.0, (90, 160, 90))
    movie.reach("right", 10.0, lambda: movie.blocks.append(pillar))
    (seen,) = _seen(movie)
    assert (seen.came, seen.tower, seen.level) == (True, None, None)
    assert max(seen.like, key=lambda kind: seen.like[kind]) == "pillar"
    assert not any(isinstance(sight, Fallen) for sight in movie.sights)


def test_a_floor_that_is_put_aside_is_told_as_a_floor() -> None:
    movie = Movie(_plan())
    movie.wait(25)
    tile = plate("south", _IN_STORE, (60.0, 60.0, 2.0), 0.0, (60, 90, 200), turn=15.0)
    movie.reach("right", 10.0, lambda: movie.blocks.append(tile))
    (seen,) = _seen(movie)
    assert seen.tower is None
    assert max(seen.like, key=lambda kind: seen.like[kind]) == "floor-tile"


def test_a_pillar_that_is_only_moved_about_there_did_not_come() -> None:
    movie = Movie(_plan())
    movie.blocks.append(column("south", (110.0, 25.0), 12.0, 25.0, 0.0, (90, 160, 90)))
    movie.wait(25)
    there = column("south", (140.0, 55.0), 12.0, 25.0, 0.0, (90, 160, 90))
    movie.reach("right", 10.0, lambda: movie.blocks.__setitem__(0, there))
    assert not _seen(movie)
