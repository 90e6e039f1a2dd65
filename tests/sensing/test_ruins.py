"""After a fall: which towers it touched, what is left of them, and what lies about until it is cleared away."""

from __future__ import annotations

import math

import numpy as np
import pytest

from companion.sensing import towers
from companion.sensing.airspace import Airspace
from companion.sensing.castle import Castle, Standing
from companion.sensing.changes import Change
from companion.sensing.fitting import Window
from companion.sensing.glance import Small, logarithmic
from companion.sensing.litter import Litter
from companion.sensing.ruins import in_sight, may_lie, ruins, still_lies
from companion.sensing.shapes import Kit, OnItsSide, Shape
from companion.sensing.towers import Bounds, read_towers
from tests.sensing.movie import Movie
from tests.sensing.painted import Block, column, plate

_GREEN = (90, 160, 90)


def _lying(x: float, y: float, low_mm: float) -> list[Block]:
    """A pillar on its side, slice by slice."""
    wide_mm = [2 * math.sqrt(36.0 - (z - 5.0) ** 2) for z in range(0, 12, 2)]
    return [plate("south", (x, y), (25.0, wide, 2.0), low_mm + 2.0 * at, _GREEN) for at, wide in enumerate(wide_mm)]


@pytest.fixture
def movie() -> Movie:
    movie = Movie()
    movie.stand("left", 3)
    movie.stand("right", 2)
    return movie


@pytest.fixture
def castle(movie: Movie) -> Castle:
    castle = Castle(movie.plan.boards[0], Kit(movie.plan))
    for tower, levels in (("left", 3), ("right", 2)):
        for _ in range(levels):
            castle.assume(True, "floor-tile", tower)
    return castle


def _picture(movie: Movie) -> tuple[Small, Window]:
    board = movie.plan.boards[0]
    shown = movie.painter.paint(movie.blocks, noise=2.0)
    window = Airspace(board, movie.painter.view(board), shown.shape, 162.0).window
    return logarithmic(window.crop(shown).astype(np.float32)), window


def _change(movie: Movie, before: Small) -> Change:
    after, window = _picture(movie)
    return Change.between(before, after, np.ones(window.shape, bool))


def _knock(movie: Movie, above_mm: float) -> None:
    """All of the left tower above a height is gone."""
    movie.blocks = [each for each in movie.blocks if each.footprint[0][0] > 110 or each.low_mm < above_mm]


def test_only_towers_that_look_otherwise_were_touched(movie: Movie, castle: Castle) -> None:
    before, window = _picture(movie)
    assert ruins(castle, _change(movie, before), window) == {}
    _knock(movie, 10.0)
    (touched,) = ruins(castle, _change(movie, before), window).items()
    assert (touched[0], touched[1].least, touched[1].most, touched[1].fallen) == ("left", 1, 4, True)


def test_a_floor_that_looks_as_it_did_still_stands(movie: Movie, castle: Castle) -> None:
    before, window = _picture(movie)
    movie.blocks.append(plate("south", (60.0, 60.0), (10.0, 10.0, 10.0), 56.0, _GREEN))
    odds = ruins(castle, _change(movie, before), window)["left"].odds
    assert sorted(odds[:4]) == list(odds[:4])
    assert odds[3] - odds[2] > 1.0
    assert odds[4] < odds[3], "nobody builds meanwhile"


def test_a_floor_that_looks_quite_otherwise_fell_though_it_seems_to_lie_there(movie: Movie, castle: Castle) -> None:
    before, window = _picture(movie)
    _knock(movie, 50.0)
    ((_, bounds),) = ruins(castle, _change(movie, before), window).items()
    assert bounds.odds[3] - bounds.odds[2] < -1.0
    movie.stand("left", 3)
    picture, _ = _picture(movie)
    assert read_towers(picture, window, castle, {"left": Bounds(1, 3, fallen=True)})["left"].levels == 3
    told = Bounds(1, 3, fallen=True, odds=(0.0, 0.0, 0.0, -99.0))
    assert read_towers(picture, window, castle, {"left": told})["left"].levels < 3


def test_what_was_taken_for_a_fall_may_have_been_one_floor_more(movie: Movie, castle: Castle) -> None:
    before, _ = _picture(movie)
    movie.put_floor("right", 3)
    picture, window = _picture(movie)
    assert read_towers(picture, window, castle, ruins(castle, _change(movie, before), window))["right"].levels == 3


def test_where_nothing_stood_nothing_stands_though_a_pillar_does(movie: Movie, castle: Castle) -> None:
    before, window = _picture(movie)
    _knock(movie, 10.0)
    movie.blocks.append(column("south", (125.0, 140.0), 12.0, 25.0, 0.0, _GREEN))
    assert list(ruins(castle, _change(movie, before), window)) == ["left"]


def test_a_tower_that_is_hidden_by_a_nearer_one_is_not_judged_by_it() -> None:
    movie = Movie(eye_mm=(-120.0, -300.0, 200.0))
    castle = Castle(movie.plan.boards[0], Kit(movie.plan))
    for tower, levels in (("left", 4), ("middle", 1)):
        movie.stand(tower, levels)
        for _ in range(levels):
            castle.assume(True, "floor-tile", tower)
    before, window = _picture(movie)
    low = window.mask(castle.kit.base, (125.0, 140.0), 0.0, 0.0)
    nearer = [window.mask(each.shape, each.centre, 0.0, each.low_mm) for each in castle if each.tower == "left"]
    hidden = low & np.logical_or.reduce(nearer)
    assert hidden.sum() > 0.3 * low.sum()
    change = _change(movie, before)
    change.changed[hidden] = True
    assert "middle" not in ruins(castle, change, window)
    change.changed[low] = True
    assert "middle" in ruins(castle, change, window)


def test_all_floors_that_stood_are_tried_however_little_the_picture_shows_of_them(
    movie: Movie, castle: Castle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(towers, "_is_hopeless", lambda found: True)
    picture, window = _picture(movie)
    told = Bounds(1, 4, fallen=True, odds=(0.0, 0.0, 0.0, 99.0, 90.0))
    assert read_towers(picture, window, castle, {"left": told})["left"].levels == 3


def test_a_bridge_falls_with_what_carried_it(movie: Movie, castle: Castle) -> None:
    before, window = _picture(movie)
    shape = Shape("bridge", ((-50.0, -11.0), (50.0, -11.0), (50.0, 11.0), (-50.0, 11.0)), 2.0, None, round=False)
    bridge = Standing(shape, "left", 2, (125.0, 60.0), 0.0, castle.surface_mm("right"), "right")
    same = _change(movie, before)
    assert still_lies(castle, castle, bridge, same, window)
    castle.take(castle.plates("right")[-1])
    assert not still_lies(castle, castle, bridge, same, window)
    castle.assume(True, "floor-tile", "right")
    movie.blocks.append(plate("south", (125.0, 60.0), (100.0, 22.0, 2.0), bridge.low_mm, _GREEN))
    assert not still_lies(castle, castle, bridge, _change(movie, before), window)


def test_a_bridge_stays_though_what_stood_before_it_is_gone() -> None:
    movie = Movie(eye_mm=(280.0, -300.0, 260.0))
    castle = Castle(movie.plan.boards[0], Kit(movie.plan))
    for tower, levels in (("left", 2), ("middle", 2), ("right", 5)):
        movie.stand(tower, levels)
        for _ in range(levels):
            castle.assume(True, "floor-tile", tower)
    shape = Shape("bridge", ((-50.0, -11.0), (50.0, -11.0), (50.0, 11.0), (-50.0, 11.0)), 2.0, None, round=False)
    bridge = Standing(shape, "middle", 2, (92.0, 100.0), 50.0, castle.surface_mm("left"), "left")
    before, window = _picture(movie)
    change = _change(movie, before)
    right = [window.mask(each.shape, each.centre, 0.0, each.low_mm) for each in castle.of("right")]
    change.changed[np.logical_or.reduce(right)] = True
    assert change.changed[window.mask(shape, bridge.centre, 50.0, bridge.low_mm)].mean() > 0.2
    assert still_lies(castle, castle, bridge, change, window)


def test_pillars_of_which_a_floor_fell_are_left_though_they_were_in_sight_before(movie: Movie, castle: Castle) -> None:
    before, window = _picture(movie)
    pillar = Standing(castle.kit.shapes["pillar"], "left", 2, (60.0, 60.0), 0.0, castle.kit.floor_low_mm(2) + 2.0)
    assert may_lie(castle, pillar, _change(movie, before), window)


def test_what_did_not_stand_there_and_is_no_change_was_not_left_by_a_fall(movie: Movie, castle: Castle) -> None:
    before, window = _picture(movie)
    pillar = Standing(castle.kit.shapes["pillar"], "left", 3, (60.0, 60.0), 0.0, castle.surface_mm("left"))
    same = _change(movie, before)
    assert not may_lie(castle, pillar, same, window)
    assert all(may_lie(castle, plate, same, window) for plate in castle)
    castle.add(pillar)
    assert may_lie(castle, pillar, same, window)
    castle.take(pillar)
    movie.blocks.append(column("south", (60.0, 60.0), 12.0, 25.0, 56.0, _GREEN))
    assert may_lie(castle, pillar, _change(movie, before), window)


def test_nothing_is_said_of_a_tower_whose_top_is_hidden(movie: Movie, castle: Castle) -> None:
    before, window = _picture(movie)
    _knock(movie, 10.0)
    change = _change(movie, before)
    assert in_sight(castle, change, window)
    change.known[:] = False
    assert not in_sight(castle, change, window)
    assert ruins(castle, change, window) == {}


def test_a_pillar_that_fell_onto_a_floor_is_part_of_the_height(movie: Movie, castle: Castle) -> None:
    before, _ = _picture(movie)
    _knock(movie, 50.0)
    movie.blocks = [each for each in movie.blocks if each.footprint[0][0] > 110 or each.low_mm < 28.0]
    movie.blocks += _lying(62.0, 52.0, 29.0)
    picture, window = _picture(movie)
    read = read_towers(picture, window, castle, ruins(castle, _change(movie, before), window))
    assert list(read) == ["left"]
    assert read["left"].levels == 2
    assert read["left"].top_mm == pytest.approx(41.0, abs=0.1)
    assert isinstance(read["left"].pieces[-1].shape, OnItsSide)


def test_a_piece_on_its_side_is_as_high_as_it_was_wide(movie: Movie) -> None:
    pillar = OnItsSide.of(Kit(movie.plan).shapes["pillar"])
    corners = pillar.corners((10.0, 20.0), 90.0, 5.0)
    assert np.ptp(corners, axis=0) == pytest.approx([12.0, 25.0, 12.0], abs=0.7)
    assert corners.min(axis=0) == pytest.approx([4.0, 7.5, 5.0], abs=0.4)


def test_what_lies_about_is_gone_once_the_ground_is_seen_again(movie: Movie, castle: Castle) -> None:
    board = movie.plan.boards[0]
    litter = Litter(board, castle)
    before, window = _picture(movie)
    bare = list(movie.blocks)
    movie.blocks += _lying(125.0, 40.0, 0.0)
    fell = _change(movie, before)
    litter.fell(fell, window, 20)
    assert litter.taken(_change(movie, fell.after)) == []
    movie.blocks = bare
    (gone,) = litter.taken(_change(movie, fell.after))
    assert max(gone.like, key=lambda kind: gone.like[kind]) == "pillar"
    assert litter.taken(_change(movie, fell.after)) == []
