"""Towers that stand already, read from single painted pictures."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from companion.sensing import tops
from companion.sensing.airspace import Airspace
from companion.sensing.castle import Castle, Standing
from companion.sensing.fitting import Window
from companion.sensing.glance import Small, logarithmic
from companion.sensing.plan import Piece
from companion.sensing.rims import refined, rims, thick
from companion.sensing.shapes import Kit, Shape
from companion.sensing.slabs import Relief, contrasts, sides
from companion.sensing.towers import TowerRead, read_towers
from tests.sensing.movie import Movie
from tests.sensing.painted import Block, Colour, column, one_board, plate

_COLOURS: tuple[Colour, ...] = ((60, 90, 200), (180, 190, 200), (60, 140, 70), (90, 60, 60))
_EYES = ((60.0, -310.0, 300.0), (-150.0, -260.0, 330.0), (10.0, -300.0, 380.0))


def _picture(movie: Movie, seed: int = 0) -> tuple[Small, Window]:
    board = movie.plan.boards[0]
    shown = movie.painter.paint(movie.blocks, noise=2.0, seed=seed)
    window = Airspace(board, movie.painter.view(board), shown.shape, 162.0).window
    crop = shown[window.top : window.top + window.height, window.left : window.left + window.width]
    return logarithmic(crop.astype(np.float32)), window


def _read(movie: Movie) -> dict[str, TowerRead]:
    return read_towers(*_picture(movie), Castle(movie.plan.boards[0], Kit(movie.plan)))


def _build(movie: Movie, tower: str, levels: int, seed: int) -> None:
    """A tower as somebody builds one: each floor a little off and turned, in a colour of its own."""
    chance = np.random.default_rng(seed)
    x, y = movie.tower(tower).centre_mm
    for level in range(1, levels + 1):
        x, y = x + chance.normal(0, 1.5), y + chance.normal(0, 1.5)
        low_mm, colour = (level - 1) * 27.0, _COLOURS[int(chance.integers(len(_COLOURS)))]
        if level > 1:
            movie.blocks += [
                column("south", (x + dx, y + dy), 12.0, 25.0, low_mm - 25.0, (90, 160, 90))
                for dx, dy in ((-20, 20), (20, 20), (-20, -20), (20, -20))
            ]
        turn = float(chance.normal(0, 3))
        movie.blocks.append(plate("south", (x, y), (60.0, 60.0, 2.0), low_mm, colour, turn))


@pytest.mark.parametrize("seed", range(3))
def test_the_levels_of_towers_are_read_from_one_picture(seed: int) -> None:
    movie = Movie(eye_mm=_EYES[seed])
    levels = {"left": (1, 3, 0)[seed], "middle": (4, 2, 5)[seed], "right": (0, 1, 2)[seed]}
    for at, (tower, count) in enumerate(levels.items()):
        _build(movie, tower, count, 10 * seed + at)
    read = _read(movie)
    assert {tower: each.levels for tower, each in read.items()} == levels
    for tower, count in levels.items():
        assert read[tower].top_mm == pytest.approx((count - 1) * 27.0 + 2.0 if count else 0.0)
        assert [piece.level for piece in read[tower].pieces] == list(range(1, count + 1))


def test_an_empty_board_has_no_towers_even_where_places_for_them_are_printed() -> None:
    movie = Movie()
    for tower in movie.plan.boards[0].towers:
        (x, y), line = tower.centre_mm, (70, 90, 110)
        movie.blocks += [plate("south", (x, y + dy), (64.0, 1.0, 0.01), 0.0, line) for dy in (-32.0, 32.0)]
        movie.blocks += [plate("south", (x + dx, y), (1.0, 64.0, 0.01), 0.0, line) for dx in (-32.0, 32.0)]
    assert {tower: each.levels for tower, each in _read(movie).items()} == {"left": 0, "middle": 0, "right": 0}


def test_a_pale_base_tile_is_told_from_the_place_that_is_printed_for_it() -> None:
    movie = Movie()
    movie.blocks.append(plate("south", (61.0, 59.0), (60.0, 60.0, 2.0), 0.0, (124, 154, 158)))
    read = _read(movie)
    assert {tower: each.levels for tower, each in read.items()} == {"left": 1, "middle": 0, "right": 0}


def test_a_coloured_place_for_a_tower_is_no_base_tile_for_want_of_sides() -> None:
    movie = Movie()
    for thick_mm, levels in ((0.01, 0), (2.0, 1)):
        place = plate("south", movie.tower("left").centre_mm, (60.0, 60.0, thick_mm), 0.0, (120, 170, 230))
        movie.blocks = [place]
        assert _read(movie)["left"].levels == levels


@pytest.mark.parametrize("tall", [2.0, 4.0])
@pytest.mark.parametrize("eye", _EYES)
@pytest.mark.parametrize("colour", [(90, 170, 60), (230, 200, 120), (150, 120, 190)])
def test_a_place_that_is_printed_as_large_as_a_tile_is_none(
    tall: float, eye: tuple[float, float, float], colour: Colour
) -> None:
    plan = one_board()
    plan = msgspec.structs.replace(plan, pieces={**plan.pieces, "base-tile": Piece(12.0, (60.0, 60.0, tall))})
    for thick_mm, levels in ((0.01, 0), (tall, 1)):
        movie = Movie(plan, eye_mm=eye)
        movie.blocks = [plate("south", movie.tower("left").centre_mm, (60.0, 60.0, thick_mm), 0.0, colour)]
        assert _read(movie)["left"].levels == levels


def test_a_print_with_a_dark_line_around_it_has_no_sides() -> None:
    movie = Movie()
    movie.blocks = [
        plate("south", (60.0, 60.0), (66.0, 66.0, 0.01), 0.0, (40, 50, 60)),
        plate("south", (60.0, 60.0), (60.0, 60.0, 0.02), 0.0, (120, 170, 230)),
    ]
    relief, base = Relief.of(*_picture(movie), (125.0, 100.0)), Kit(movie.plan).base
    assert max(rim.plain for rim in rims(relief, base, (60.0, 58.5), 0.0) if rim.near) > 0.1
    assert thick(relief, base, (60.0, 58.5), 0.0) < 0
    movie.blocks = [plate("south", (60.0, 60.0), (60.0, 60.0, 2.0), 0.0, (120, 170, 230))]
    assert thick(Relief.of(*_picture(movie), (125.0, 100.0)), base, (60.0, 60.0), 0.0) > 0


def test_a_printed_frame_has_the_board_within_though_patches_break_it() -> None:
    movie = Movie()
    patches = [plate("south", at, (30.0, 30.0, 0.005), 0.0, (90, 170, 60)) for at in ((30.0, 45.0), (92.0, 70.0))]
    lines = [plate("south", (60.0, 60.0 + dy), (62.0, 2.0, 0.01), 0.0, (30, 40, 50)) for dy in (-30.0, 30.0)]
    lines += [plate("south", (60.0 + dx, 60.0), (2.0, 62.0, 0.01), 0.0, (30, 40, 50)) for dx in (-30.0, 30.0)]
    movie.blocks = [*patches, *lines[:3], plate("south", (90.0, 60.0), (2.0, 62.0, 0.01), 0.0, (90, 170, 60))]
    relief, base = Relief.of(*_picture(movie), (125.0, 100.0)), Kit(movie.plan).base
    assert max(rim.plain for rim in rims(relief, base, (60.0, 59.0), 0.0) if rim.near) > 0.1
    assert thick(relief, base, (60.0, 59.0), 0.0) < 0


def test_a_base_tile_is_found_again_from_a_place_beside_it() -> None:
    movie = Movie()
    movie.blocks = [plate("south", (60.0, 60.0), (60.0, 60.0, 2.0), 0.0, (120, 170, 230), 2.0)]
    relief, base = Relief.of(*_picture(movie), (125.0, 100.0)), Kit(movie.plan).base
    (x, y), turn_deg = refined(relief, base, (62.0, 57.5), 0.0)
    assert (x, y) == (pytest.approx(60.0, abs=1.0), pytest.approx(60.0, abs=1.0))
    assert turn_deg == pytest.approx(2.0, abs=1.3)
    assert thick(relief, base, (x, y), turn_deg) > 0


def test_a_place_whose_sides_cannot_be_seen_from_above_is_left_open() -> None:
    movie = Movie(eye_mm=(0.0, -30.0, 430.0))
    movie.blocks = [plate("south", movie.tower("left").centre_mm, (60.0, 60.0, 0.01), 0.0, (90, 170, 60))]
    assert _read(movie)["left"].confidence < 0.9


def test_a_pillar_on_the_top_floor_is_part_of_the_height() -> None:
    movie = Movie()
    _build(movie, "left", 2, 4)
    movie.blocks.append(column("south", (45.0, 70.0), 12.0, 25.0, 29.0, (90, 160, 90)))
    left = _read(movie)["left"]
    assert (left.levels, left.top_mm) == (2, pytest.approx(54.0))
    assert [piece.shape.kind for piece in left.pieces] == ["floor-tile", "floor-tile", "pillar"]
    assert left.pieces[-1].centre == pytest.approx((45.0, 70.0), abs=3.0)


def test_a_figure_of_which_only_the_height_is_known_is_part_of_the_height() -> None:
    plan = one_board()
    plan = msgspec.structs.replace(plan, pieces={**plan.pieces, "guest": Piece(1.5, height_mm=17.0)})
    movie = Movie(plan)
    _build(movie, "left", 2, 4)
    movie.blocks += [
        column("south", (58.0, 66.0), across, 4.25, 29.0 + at * 4.25, (30, 40, 220))
        for at, across in enumerate((11.0, 9.5, 8.0, 6.5))
    ]
    left = _read(movie)["left"]
    assert (left.levels, left.top_mm) == (2, pytest.approx(46.0))
    assert left.pieces[-1].shape.kind == "guest"


@pytest.mark.parametrize(
    ("wide_mm", "ridged", "turn"),
    [((34.0, 34.0), False, 0.0), ((34.0, 34.0), False, 28.0), ((46.0, 38.0), True, 0.0), ((46.0, 38.0), True, 90.0)],
)
def test_a_roof_that_is_pointed_or_has_a_ridge_is_part_of_the_height(
    wide_mm: tuple[float, float], ridged: bool, turn: float
) -> None:
    movie = Movie()
    movie.plan = msgspec.structs.replace(movie.plan, pieces={**movie.plan.pieces, "roof": Piece(5.0, (*wide_mm, 26.0))})
    _build(movie, "left", 2, 3)
    place, steps, (long_mm, across_mm) = movie.tower("left").centre_mm, 26, wide_mm
    for at in range(steps):
        left = 1 - at / steps
        layer = (long_mm if ridged else long_mm * left, across_mm * left, 1.0)
        movie.blocks.append(plate("south", place, layer, 29.0 + at, (40, 60, 190), turn))
    assert _read(movie)["left"].top_mm == pytest.approx(55.0)


@pytest.mark.parametrize("turn", [0.0, 8.0, -14.0])
def test_a_roof_nearly_as_wide_as_its_floor_is_found_however_it_is_laid(turn: float) -> None:
    plan = one_board()
    movie = Movie(msgspec.structs.replace(plan, pieces={**plan.pieces, "roof": Piece(5.0, (56.0, 48.0, 16.0))}))
    _build(movie, "left", 2, 3)
    x, y = movie.tower("left").centre_mm
    movie.blocks += [
        plate("south", (x, y), (56.0, 48.0 - at * 3, 1.0), 29.0 + at, (150, 160, 170), turn) for at in range(16)
    ]
    assert _read(movie)["left"].top_mm == pytest.approx(45.0)


def _star(centre: tuple[float, float], wide_mm: float, tall_mm: float, low_mm: float) -> list[Block]:
    """A figure with arms: upright, thin, and far from filling the box around it."""
    x, y = centre
    black = (25, 22, 20)
    half, foot = wide_mm / 2, tall_mm / 3
    parts = [
        (-half, -half / 3, 0.0, foot),
        (half / 3, half, 0.0, foot),
        (-half / 2, half / 2, foot / 2, 1.6 * foot),
        (-half, half, 1.4 * foot, 2 * foot),
        (-half / 4, half / 4, 2 * foot, tall_mm),
    ]
    return [
        plate("south", (x + (left + right) / 2, y), (right - left, 5.0, high - low), low_mm + low, black)
        for left, right, low, high in parts
    ]


def test_a_figure_with_arms_is_told_by_how_far_it_reaches() -> None:
    plan = one_board()
    sizes = {"meeple": Piece(1.0, (16.0, 5.0, 20.0)), "brazier": Piece(1.0, diameter_mm=9.0, height_mm=11.0)}
    tops_mm = []
    for place in ((-8.0, 0.0), (9.0, -7.0), (0.0, -12.0)):
        movie = Movie(msgspec.structs.replace(plan, pieces={**plan.pieces, **sizes}))
        _build(movie, "left", 2, 3)
        x, y = movie.tower("left").centre_mm
        movie.blocks += _star((x + place[0], y + place[1]), 16.0, 20.0, 29.0)
        tops_mm.append(_read(movie)["left"].top_mm)
    assert tops_mm == pytest.approx([49.0] * 3)


def _beyond(long_mm: float) -> float:
    """How plainly the edges of a card of 28 mm go on beyond its ends, of something as long as this."""
    movie = Movie()
    movie.blocks += [
        plate("south", (60.0, 60.0), (60.0, 60.0, 2.0), 0.0, (90, 40, 60)),
        plate("south", (60.0, 55.0), (long_mm, 2.0, 16.0), 2.0, (190, 200, 205)),
    ]
    relief = Relief.of(*_picture(movie), (60.0, 60.0))
    card = Shape("room", ((-14.0, -1.0), (14.0, -1.0), (14.0, 1.0), (-14.0, 1.0)), 16.0, 1.0, round=False)
    floor = Standing(Kit(movie.plan).floor, "left", 1, (60.0, 60.0), 0.0, 0.0)
    spot = tops.Spot(card, (60.0, 55.0), 0.0, 0.9, 0.9, 0.9)
    return tops._beyond(tops._Top.with_floor(relief, floor), spot, floor.high_mm)


def test_edges_that_go_on_beyond_the_ends_of_a_card_are_no_card() -> None:
    assert _beyond(28.0) == 0.0
    assert _beyond(54.0) > 0.1


def _with_outline(edges: float, creases: float) -> tops.Spot:
    kit = Kit(one_board())
    assert kit.pillar is not None
    return tops.Spot(kit.pillar, (0.0, 0.0), 0.0, edges, edges, edges, creases)


def test_a_faint_piece_is_believed_whose_creases_show_and_a_print_like_its_outline_is_not() -> None:
    assert _with_outline(0.8, 0.2).score > 0 > _with_outline(0.8, 0.0).score
    assert _with_outline(0.9, 0.0).score > 0 > _with_outline(0.9, -0.4).score


def _painted_spot(seen: bool) -> tops.Spot:
    """A pillar on a floor, or one whose upper face is painted like its sides."""
    movie = Movie()
    movie.blocks += [
        plate("south", movie.tower("left").centre_mm, (60.0, 60.0, 2.0), 0.0, (180, 190, 200)),
        column("south", (60.0, 60.0), 12.0, 25.0, 2.0, (90, 160, 90)),
    ]
    kit = Kit(movie.plan)
    picture, window = _picture(movie)
    assert kit.pillar is not None
    if not seen:
        around = window.project(kit.pillar.corners((60.0, 60.0), 0.0, 2.0))
        hull = cv2.convexHull(np.rint(around).astype(np.int32))
        cv2.fillConvexPoly(picture, hull, picture[tuple(np.rint(around.mean(axis=0)).astype(int)[::-1])].tolist())
    floor = Standing(kit.floor, "left", 1, movie.tower("left").centre_mm, 0.0, 0.0)
    found = tops.spots(Relief.of(picture, window, floor.centre), (kit.pillar,), floor)
    return max(found, key=lambda spot: spot.score)


def test_a_solid_shows_the_rim_of_its_upper_face_and_a_blot_like_it_does_not() -> None:
    pillar, blot = _painted_spot(True), _painted_spot(False)
    assert pillar.creases > 0.1
    assert blot.creases < -0.2


def test_the_outline_of_the_top_floor_is_no_roof() -> None:
    plan = one_board()
    movie = Movie(msgspec.structs.replace(plan, pieces={**plan.pieces, "roof": Piece(5.0, (60.0, 58.0, 14.0))}))
    for seed in range(4):
        movie.blocks = []
        _build(movie, "left", 2, seed)
        assert _read(movie)["left"].top_mm == pytest.approx(29.0)


def test_a_pillar_tells_that_a_base_tile_is_there_whose_sides_do_not_show() -> None:
    levels = []
    for pillar in (False, True):
        movie = Movie()
        movie.blocks.append(plate("south", (60.0, 60.0), (60.0, 60.0, 0.01), 0.0, (120, 170, 230)))
        if pillar:
            movie.blocks.append(column("south", (62.0, 58.0), 12.0, 25.0, 2.0, (30, 40, 200)))
        levels.append(_read(movie)["left"].levels)
    assert levels == [0, 1]


@pytest.mark.parametrize(("score", "kinds"), [(0.03, ["room"]), (0.08, ["room", "pillar"])])
def test_what_stands_before_a_card_must_be_plain(
    monkeypatch: pytest.MonkeyPatch, score: float, kinds: list[str]
) -> None:
    movie = Movie()
    movie.stand("left", 1)
    kit = Kit(movie.plan)
    floor = Standing(kit.floor, "left", 1, movie.tower("left").centre_mm, 0.0, 0.0)
    room = Shape("room", kit.floor.ring_mm, 2.0, 2.0, round=False)
    assert kit.pillar is not None

    class Scored(tops.Spot):
        @property
        def score(self) -> float:
            return self.edges

    found = [Scored(room, floor.centre, 0.0, 0.1, 0.0, 0.0), Scored(kit.pillar, floor.centre, 0.0, score, 0.0, 0.0)]
    monkeypatch.setattr(tops, "spots", lambda *args: iter(found))
    pieces = tops.pieces_on(Relief.of(*_picture(movie), floor.centre), (), floor)
    assert [piece.shape.kind for piece in pieces] == kinds


def test_floors_are_found_where_they_lie() -> None:
    movie = Movie()
    movie.blocks.append(plate("south", (63.0, 57.0), (60.0, 60.0, 2.0), 0.0, (60, 90, 200), turn=5.0))
    floor = _read(movie)["left"].pieces[0]
    assert floor.centre == pytest.approx((63.0, 57.0), abs=1.5)
    assert floor.turn_deg == pytest.approx(5.0, abs=3.5)


@pytest.mark.parametrize("noise", [0.4, 1.0])
def test_a_tower_that_cannot_be_seen_well_is_not_sure(noise: float) -> None:
    movie = Movie()
    _build(movie, "left", 2, 4)
    picture, window = _picture(movie)
    noisy = picture + np.random.default_rng(0).normal(0, noise, picture.shape).astype(np.float32)
    castle = Castle(movie.plan.boards[0], Kit(movie.plan))
    sure, unsure = (read_towers(each, window, castle)["left"].confidence for each in (picture, noisy))
    assert sure > 0.9
    assert unsure < 0.5


def test_a_floor_is_unlike_the_board_on_all_four_sides() -> None:
    movie = Movie()
    movie.blocks.append(plate("south", (60.0, 60.0), (60.0, 60.0, 2.0), 0.0, (60, 90, 200)))
    picture, window = _picture(movie)
    relief = Relief.of(picture, window, (125.0, 100.0))
    floor = Kit(movie.plan).floor
    assert contrasts(relief, floor, (60.0, 60.0), 0.0, 0.0).min() > 0.2
    assert contrasts(relief, floor, (190.0, 60.0), 0.0, 0.0).max() < 0.05


def test_what_a_floor_above_leaves_to_be_seen_depends_on_where_it_lies() -> None:
    movie = Movie()
    picture, window = _picture(movie)
    relief = Relief.of(picture, window, (125.0, 100.0))
    floor, here = Kit(movie.plan).floor, np.zeros((1, 2), np.int32)
    shares = [
        sides(relief, floor, (60.0, 60.0), 0.0, 0.0, here, floor.corners(above, 0.0, 27.0)).lower_share
        for above in ((60.0, 60.0), (60.0, 45.0), (60.0, 95.0))
    ]
    over, nearer, farther = (float(share.sum()) for share in shares)
    assert nearer < over < farther
    assert farther == pytest.approx(4.0)


def test_the_eye_says_how_high_towers_are_that_stand_from_the_beginning() -> None:
    movie = Movie()
    movie.stand("left", 3)
    movie.stand("right", 1)
    movie.wait(25)
    assert movie.heights() == {"left": (3, 56.0), "middle": (0, 0.0), "right": (1, 2.0)}
    for corner in range(3):
        movie.put_pillar("right", 1, corner)
    movie.put_floor("right", 2)
    assert movie.seen() == [(True, "right", 1)] * 3 + [(True, "right", 2)]
    assert movie.heights() == {"left": (3, 56.0), "middle": (0, 0.0), "right": (2, 29.0)}
