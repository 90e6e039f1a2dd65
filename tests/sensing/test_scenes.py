"""What changed between two pictures: the light taken out, hands left out, shadows known for what they are."""

from __future__ import annotations

import numpy as np
import pytest

from companion.sensing.changes import Change, light_of
from companion.sensing.fitting import Window
from companion.sensing.glance import Mask, Small
from companion.sensing.glimpses import Look, Stillness, air_over
from companion.sensing.motion import Stir
from companion.sensing.scenes import Built, Scene
from tests.sensing.movie import Movie

_SIZE = (120, 160)
_FACTOR = 4.0


def _flat(value: float = 4.0, seed: int = 3) -> Small:
    noise = np.random.default_rng(seed).normal(0, 0.004, (480, 640, 3))
    return np.asarray(value + noise, np.float32)


def _look(picture: Small, t_us: int, *, whole: bool = True) -> Look:
    movie = Movie()
    window = Window(movie.painter.view(movie.plan.boards[0]), 0, 0, 640, 480)
    glance = picture.reshape(120, 4, 160, 4, 3).mean(axis=(1, 3)).astype(np.float32)
    image = np.zeros((480, 640, 3), np.uint8)
    return Look(t_us, t_us, window, picture, glance, np.ones(_SIZE, bool), _FACTOR, whole, image)


@pytest.fixture
def scene() -> Scene:
    movie = Movie()
    board = movie.plan.boards[0]
    return Scene(_look(_flat(), 0), air_over(board, movie.painter.view(board), (480, 640, 3), 162.0))


_MOVED = np.zeros(_SIZE, np.int64)


def _with_sleeve(to_border: bool = True) -> Small:
    picture = _flat()
    picture[100:420, 150 : 640 if to_border else 600] -= 0.5
    return picture


def test_the_light_is_the_same_though_a_sleeve_covers_most_of_the_picture() -> None:
    assert light_of(np.r_[np.full(70, -0.5), np.full(30, 0.01)].astype(np.float32)) == pytest.approx(0.01)
    assert light_of(np.full(100, -0.3, np.float32)) == pytest.approx(-0.3)
    assert light_of(np.zeros(0, np.float32)) == 0.0


def test_a_lamp_turned_down_changes_nothing() -> None:
    change = Change.between(_flat(4.0), _flat(3.6), np.ones((480, 640), bool))
    assert change.gain == pytest.approx([-0.4] * 3, abs=0.01)
    assert not change.changed.any()


@pytest.mark.parametrize("brighter", [0.17, -0.17])
def test_a_board_that_turns_white_in_brighter_light_or_comes_back_from_it_is_the_same(brighter: float) -> None:
    movie = Movie()
    board = movie.plan.boards[0]
    air = air_over(board, movie.painter.view(board), (480, 640, 3), 162.0)
    pale, white = _flat(4.0), _flat(4.0 + 0.17)
    pale[100:440, 100:560], white[100:440, 100:560] = 5.69, 5.71
    before, after = (pale, white) if brighter > 0 else (white, pale)
    assert Scene(_look(before, 0), air).is_same_light(_look(after, 1_000_000))
    after = after.copy()
    after[100:440, 100:560] = 4.5
    assert not Scene(_look(before, 0), air).is_same_light(_look(after, 1_000_000))


def test_a_lamp_that_is_dimmed_is_redder_and_hides_nothing(scene: Scene) -> None:
    dim = _look(_flat() + np.array((-0.3, -0.02, 0.1), np.float32), 1_000_000)
    assert scene.is_same_light(dim)
    scene.look(dim, _MOVED)
    assert scene.all_seen
    assert scene.known.all()


@pytest.mark.parametrize(("colours", "same"), [((-0.4, -0.4, -0.4), True), ((-0.5, -0.3, -0.2), False)])
def test_another_lamp_must_light_the_board_more_evenly_than_another_exposure(
    scene: Scene, colours: tuple[float, float, float], same: bool
) -> None:
    lit = _flat() + np.array(colours, np.float32)
    lit[250:330, 150:500] += 0.5
    assert scene.is_same_light(_look(lit, 1_000_000)) is same


@pytest.mark.parametrize("lamp", [0.5, -0.5])
def test_a_lamp_makes_nothing_brighter_than_white(lamp: float) -> None:
    real = _flat(4.0)
    real[100:200, 100:300] = 5.4 if lamp > 0 else 5.9
    before, after = np.minimum(real, 5.6), np.minimum(real + np.float32(lamp), 5.6)
    after[300:340, 300:340] += 0.4
    change = Change.between(before, after, np.ones((480, 640), bool))
    assert change.changed[305:335, 305:335].all()
    assert not change.changed[:250].any()


def test_what_lies_half_beyond_the_board_and_has_no_arm_is_no_hand_once_all_is_calm(scene: Scene) -> None:
    rows, columns = np.nonzero(scene._air)
    edge = 4 * int(columns[rows == 80].max())
    picture = _flat(seed=4)
    picture[300:360, edge - 40 : edge + 60] -= 0.5
    scene.look(_look(picture, 1_000_000, whole=False), _MOVED)
    assert not scene.all_seen
    scene.look(_look(picture, 1_000_000), _MOVED)
    assert scene.all_seen
    picture[300:360, edge - 40 :] -= 0.5
    scene.look(_look(picture, 1_000_000), _MOVED)
    assert not scene.all_seen


@pytest.mark.parametrize("light", [0.0, -0.3])
def test_what_is_built_is_disturbed_when_as_much_of_it_as_a_piece_looks_otherwise(scene: Scene, light: float) -> None:
    tower, beside = np.zeros(_SIZE, bool), np.zeros(_SIZE, bool)
    tower[40:80, 60:80], beside[40:80, 90:110] = True, True
    glance = _look(_flat(seed=5), 1).glance
    assert scene.shown(1, glance) is None, "nobody knows yet what is built"
    scene.built = Built(tower, floor_px=300.0)

    def disturbed(where: Mask, places: int) -> bool:
        unlike = glance + np.float32(light)
        rows, columns = (each[:places] for each in np.nonzero(where))
        unlike[rows, columns] -= 0.4
        shown = scene.shown(1, unlike)
        return shown is not None and shown.disturbed

    assert disturbed(tower, 100)
    assert not disturbed(tower, 50)
    assert not disturbed(beside, 400)


def _scene_of(picture: Small) -> Scene:
    movie = Movie()
    board = movie.plan.boards[0]
    return Scene(_look(picture, 0), air_over(board, movie.painter.view(board), (480, 640, 3), 162.0))


@pytest.mark.parametrize("whole", [True, False])
def test_a_tower_s_shadow_that_goes_to_the_picture_s_edge_is_no_hand(whole: bool) -> None:
    pile = np.random.default_rng(5).normal(0, 0.1, (120, 160, 1)).repeat(4, 0).repeat(4, 1)
    carpet: Small = _flat() + pile.astype(np.float32)
    scene = _scene_of(carpet)
    shaded, covered = carpet.copy(), carpet.copy()
    shaded[300:360, 300:] -= 0.5
    covered[300:360, 300:] = 3.5
    scene.look(_look(shaded, 1_000_000, whole=whole), _MOVED)
    assert scene.all_seen
    scene.look(_look(covered, 1_000_000, whole=whole), _MOVED)
    assert not scene.all_seen


@pytest.mark.parametrize("whole", [True, False])
def test_a_grey_sleeve_over_a_plain_table_is_a_hand_though_one_lamp_lights_both(whole: bool) -> None:
    slope = np.linspace(0, 0.4, 640, dtype=np.float32)[None, :, None]
    scene = _scene_of(_flat() + slope)
    sleeve = _flat(seed=4) + slope
    sleeve[300:360, 300:] -= 0.5
    scene.look(_look(sleeve, 1_000_000, whole=whole), _MOVED)
    assert not scene.all_seen


def test_what_falls_to_the_picture_s_edge_where_no_hand_came_is_no_hand(scene: Scene) -> None:
    look = _look(_with_sleeve(), 1_000_000)
    scene.look(look, _MOVED, alone=True)
    assert scene.all_seen
    scene.look(look, _MOVED)
    assert not scene.all_seen


@pytest.mark.parametrize("to_border", [True, False])
def test_a_sleeve_is_in_the_way_and_no_part_of_the_scene(scene: Scene, to_border: bool) -> None:
    look = _look(_with_sleeve(to_border), 1_000_000, whole=False)
    scene.look(look, _MOVED)
    change = scene.change(look)
    assert not scene.all_seen
    assert not change.known[200:300, 250:500].any()
    scene.take_in(look, change, change.changed)
    assert scene.picture[250, 400] == pytest.approx(4.0, abs=0.05)


def test_what_has_lain_still_for_long_is_no_hand(scene: Scene) -> None:
    look = _look(_with_sleeve(), 12_000_000, whole=False)
    scene.look(look, _MOVED)
    assert scene.all_seen


def test_a_piece_is_seen_where_no_hand_is(scene: Scene) -> None:
    picture = _flat()
    picture[100:420, 360:] -= 0.5
    picture[300:330, 200:220] += 0.4
    look = _look(picture, 1_000_000, whole=False)
    assert scene.look(look, _MOVED)
    change = scene.change(look).in_full_view()
    assert change.changed[305:325, 203:217].all()
    assert int(change.changed.sum()) < 1000


def test_what_goes_on_behind_a_hand_is_not_told_yet() -> None:
    before, known = _flat(), np.ones((480, 640), bool)
    known[:, 320:] = False
    after = before.copy()
    after[200:240, 300:340] += 0.4
    after[50:80, 50:80] += 0.4
    change = Change.between(before, after, known).in_full_view()
    assert change.changed[55:75, 55:75].all()
    assert not change.changed[200:240].any()


def test_a_shadow_darkens_all_colours_alike_and_a_piece_does_not() -> None:
    before = _flat()
    after = before.copy()
    after[100:140, 100:140] -= 0.4
    after[200:240, 200:240] += np.array((0.5, -0.2, 0.1), np.float32)
    change = Change.between(before, after, np.ones((480, 640), bool))
    assert change.shadow[105:135, 105:135].all()
    assert not change.shadow[205:235, 205:235].any()


def test_what_came_behind_a_hand_is_looked_at_for_the_first_time_when_the_hand_is_gone(scene: Scene) -> None:
    covered = _look(_with_sleeve(), 1_000_000, whole=False)
    scene.look(covered, _MOVED)
    scene.take_in(covered, scene.change(covered), scene.change(covered).changed)
    hidden = np.zeros((480, 640), bool)
    hidden[250:280, 400:430] = True
    scene.forget(hidden)
    picture = _flat()
    picture[250:280, 400:430] += 0.4
    look = _look(picture, 2_000_000)
    scene.look(look, _MOVED)
    assert not scene.change(look).changed.any()


def test_another_light_on_half_the_board_begins_a_new_scene(scene: Scene) -> None:
    patchy = _flat(3.4)
    patchy[:, ::2] += np.random.default_rng(0).uniform(-0.6, 0.6, (480, 320, 1)).astype(np.float32)
    patchy[:240] += 0.35
    assert scene.is_same_light(_look(_flat(3.6), 1_000_000)), "evenly darker can be compared"
    assert not scene.is_same_light(_look(_flat(3.6), 1_000_000, whole=False)), "but not while hands are about"
    assert not scene.is_same_light(_look(patchy - 0.4 * (patchy > 3.5), 1_000_000, whole=False))


def test_places_are_still_when_nothing_moved_there() -> None:
    stillness = Stillness()
    nothing = np.zeros(_SIZE, bool)
    stillness.feed(Stir(0, nothing, light=False))
    moving = nothing.copy()
    moving[60, 80] = True
    stillness.feed(Stir(100, moving, light=False))
    assert stillness.moved_us[60, 80] == 100
    assert stillness.moved_us[10, 10] == 0
    stillness.feed(Stir(200, nothing, light=True))
    assert (stillness.moved_us == 200).all()
