"""A floor that slipped from its pillars and leans, told from one that lies flat in the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.sensing.castle import Standing
from companion.sensing.changes import Change, filled
from companion.sensing.fitting import Window
from companion.sensing.leaning import Leaning, touches_board
from companion.sensing.shapes import Kit, Shape
from companion.sensing.views import Lens
from tests.sensing.painted import looking, one_board

_AT = (60.0, 60.0)


@pytest.fixture
def window() -> Window:
    plan = one_board()
    assert plan.camera is not None
    return Window(looking(Lens.of(plan.camera), (60.0, -310.0, 300.0), (60.0, 60.0, 20.0)), 0, 0, 640, 480)


def _floor() -> Shape:
    return Kit(one_board()).floor


def _leaning(tilt_deg: float, toward_deg: float) -> Leaning:
    floor = _floor()
    return Leaning(floor.kind, floor.ring_mm, floor.tall_mm, floor.mass_g, False, tilt_deg, toward_deg)


def _came(window: Window, shape: Shape, centre: tuple[float, float], low_mm: float) -> Change:
    """A plate of another colour that came onto a grainy ground."""
    chance = np.random.default_rng(3)
    before = np.asarray(4.6 + chance.normal(0, 0.01, (*window.shape, 3)), np.float32)
    face = filled(window.silhouette(shape, centre, 0.0, low_mm), window.shape)
    after = before + chance.normal(0, 0.01, before.shape).astype(np.float32)
    after[face] += np.array((-0.5, -0.3, 0.2), np.float32)
    return Change.between(before, cv2.GaussianBlur(after, (0, 0), 0.6), np.ones(window.shape, bool))


def _standing(level: int, low_mm: float) -> Standing:
    return Standing(_floor(), "left", level, _AT, 0.0, low_mm)


def _touches(change: Change, window: Window) -> bool:
    base = _standing(1, 0.0)
    return touches_board(change, window, _standing(2, 27.0), below=base, lowest=base)


def test_a_leaning_plate_stands_on_its_lowest_edge_and_keeps_its_size() -> None:
    corners = _leaning(30.0, 90.0).corners(_AT, 0.0, 5.0)
    assert corners[:, 2].min() == pytest.approx(5.0)
    assert corners[corners[:, 2] < 7.0, 1].min() > _AT[1]
    flat = _floor().corners(_AT, 0.0, 5.0)
    apart, was = (np.linalg.norm(each[0] - each, axis=1) for each in (corners, flat))
    assert apart == pytest.approx(was)


@pytest.mark.parametrize("toward_deg", [0.0, 180.0, 270.0])
def test_a_floor_that_leans_on_the_board_beside_its_tower_touches_it(window: Window, toward_deg: float) -> None:
    toward = np.radians(toward_deg)
    centre = (_AT[0] + 15 * float(np.cos(toward)), _AT[1] + 15 * float(np.sin(toward)))
    assert _touches(_came(window, _leaning(35.0, toward_deg), centre, 0.0), window)


def test_a_floor_that_lies_flat_on_its_pillars_does_not(window: Window) -> None:
    assert not _touches(_came(window, _floor(), _AT, 27.0), window)


def test_a_floor_that_leans_on_the_floor_below_does_not(window: Window) -> None:
    below, lowest = _standing(2, 27.0), _standing(1, 0.0)
    change = _came(window, _leaning(35.0, 180.0), (_AT[0] + 12, _AT[1]), below.high_mm)
    assert not touches_board(change, window, _standing(3, 54.0), below=below, lowest=lowest)
