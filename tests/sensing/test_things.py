"""What is solid among what changed: pieces are, whatever light, shadow and a packed picture do is not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from companion.sensing.changes import Change
from companion.sensing.glance import Mask, Small
from companion.sensing.things import darker, levels, thickness, things, unshaded

_SIZE = (60, 80)
_SPOT = np.s_[20:40, 25:50]
_LEAST_PX = 20


def _ground(level: float = 4.6, texture: float = 0.0) -> Small:
    chance = np.random.default_rng(7)
    blotches = np.repeat(np.repeat(chance.normal(0, 1, (15, 20, 1)), 4, axis=0), 4, axis=1)
    return np.asarray(level + texture * blotches + chance.normal(0, 0.004, (*_SIZE, 3)), np.float32)


def _found(before: Small, after: Small) -> list[Mask]:
    everywhere, nowhere = np.ones(_SIZE, bool), np.zeros(_SIZE, bool)
    noise = np.random.default_rng(11).normal(0, 0.004, after.shape).astype(np.float32)
    change = Change.between(before, after + noise, everywhere)
    assert change.changed[_SPOT].any(), "nothing changed at all"
    return list(things(change, before, everywhere, nowhere, _LEAST_PX))


def _with(before: Small, by: tuple[float, float, float]) -> Small:
    after = before.copy()
    after[_SPOT] += np.array(by, np.float32)
    return after


def _tile(before: Small, colour: tuple[float, float, float]) -> Small:
    after = before.copy()
    after[_SPOT] = np.array(colour, np.float32)
    return after


def test_a_tile_that_hides_the_ground_is_a_thing() -> None:
    before = _ground(texture=0.1)
    (spot,) = _found(before, _tile(before, (4.3, 4.9, 5.1)))
    assert spot[_SPOT].all()


def test_a_plain_tile_on_a_lively_ground_is_a_thing_though_it_has_fewer_edges() -> None:
    before = _ground(texture=0.3)
    assert len(_found(before, _tile(before, (5.2, 4.65, 4.2)))) == 1


def test_a_pale_tile_beside_a_tower_is_no_sunlight_though_the_table_beyond_the_board_is_as_bright() -> None:
    before = _ground(4.8, texture=0.05)
    before[:, 55:] = 5.6
    board, nowhere = np.ones(_SIZE, bool), np.zeros(_SIZE, bool)
    board[:, 55:] = False
    change = Change.between(before, _tile(before, (5.52, 5.5, 5.5)), np.ones(_SIZE, bool))
    tower = nowhere.copy()
    tower[20:40, 20:26] = True
    where = ~tower
    assert not list(things(change, before, where, tower, _LEAST_PX))
    assert len(list(things(change, before, where, tower, _LEAST_PX, (board, ~board)))) == 1


def test_what_is_dark_may_flicker_by_a_few_grey_levels() -> None:
    dark, bright = _ground(3.75), _ground(5.0)
    by = (-0.18, -0.02, -0.02)
    assert not _found(dark, _with(dark, by))
    assert len(_found(bright, _with(bright, by))) == 1


def test_a_pale_tile_on_plain_ground_is_a_thing_as_no_shadow_leaves_so_bright_a_spot() -> None:
    before = _ground()
    assert len(_found(before, _tile(before, (5.1, 5.1, 5.1)))) == 1
    shaded = _with(before, (-0.5, -0.5, -0.5))
    assert not _found(shaded, before), "the shadow left"


def test_the_sun_on_the_same_texture_is_no_thing() -> None:
    before = _ground(texture=0.15)
    assert not _found(before, _with(before, (0.4, 0.4, 0.4)))


def test_a_thin_thing_is_mostly_border() -> None:
    spot, line = np.zeros(_SIZE, bool), np.zeros(_SIZE, bool)
    spot[_SPOT], line[20:40, 30:32] = True, True
    assert thickness(spot) == pytest.approx(18 * 23 / (20 * 25))
    assert thickness(line) == 0


def test_a_change_is_measured_in_grey_levels_of_the_plainest_channel() -> None:
    before = np.full((*_SIZE, 3), np.log(100.0), np.float32)
    after = before.copy()
    after[_SPOT] = np.log((100.0, 80.0, 130.0))
    spot = np.zeros(_SIZE, bool)
    spot[_SPOT] = True
    change = Change.between(before, after, np.ones(_SIZE, bool))
    assert levels(change, before, spot) == pytest.approx(30.0, abs=0.5)


def _part_in_shadow(before: Small) -> Small:
    after = before.copy()
    after[20:40, 25:50] -= 0.09  # what is left of the light at its edge
    after[20:40, 25:42] -= 0.45
    return after


def _tinted(before: Small) -> Small:
    return _with(before, (0.38, 0.26, 0.36))


def _moved_shadow(before: Small) -> Small:
    after = _with(before, (-0.5, -0.52, -0.52))
    after[20:40, 39:50] += np.float32(1.0)
    return after


@pytest.mark.parametrize(
    ("lit", "texture"),
    [
        pytest.param(_part_in_shadow, 0.0, id="a shadow that reaches over a part of it"),
        pytest.param(_tinted, 0.15, id="a tinted light on the same texture"),
        pytest.param(_moved_shadow, 0.0, id="a shadow that moved on"),
    ],
)
def test_light_and_shadow_are_no_things(lit: Callable[[Small], Small], texture: float) -> None:
    before = _ground(texture=texture)
    assert not _found(before, lit(before))


def test_a_tint_that_is_light_elsewhere_is_light_on_bare_ground_too() -> None:
    bare, lively = _ground(), _ground(texture=0.15)
    before = np.where(np.arange(80)[None, :, None] < 54, bare, lively)
    by = np.array((0.38, 0.26, 0.36), np.float32)
    here, both = before.copy(), before.copy()
    here[_SPOT] += by
    both[_SPOT] += by
    both[5:55, 56:78] += by
    assert len(_found(before, here)) == 1
    assert not _found(before, both)


def test_a_dark_spot_beside_a_torn_tower_is_cast_or_lies_there() -> None:
    before, towers = _ground(texture=0.1), np.zeros(_SIZE, bool)
    towers[10:50, 51:70] = True
    after = _tile(before, (4.0, 4.0, 4.0))
    after[12:48, 52:68] = np.array((5.0, 4.2, 3.9), np.float32)
    change = Change.between(before, after, np.ones(_SIZE, bool))
    (spot,) = darker(change, before, ~towers, towers, _LEAST_PX)
    assert spot[_SPOT].mean() > 0.9
    assert not list(darker(change, before, ~towers, np.zeros(_SIZE, bool), _LEAST_PX)), "no tower is torn beside it"
    assert unshaded(change, before, towers) > 0.9 * 36 * 16
