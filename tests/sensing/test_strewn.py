"""Pillars that lie on the ground, told by their shape from those that stand and from all else."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from companion.sensing.castle import Castle, Standing
from companion.sensing.changes import Change, filled
from companion.sensing.fitting import Window
from companion.sensing.glance import Mask
from companion.sensing.plan import Area, Board
from companion.sensing.shapes import Kit, OnItsSide, Shape
from companion.sensing.strewn import lies, lies_rather
from companion.sensing.told import Came
from companion.sensing.views import Lens
from tests.sensing.painted import looking, one_board

_AT = (60.0, 60.0)
_BESIDE = (100.0, 60.0)  # just beside a floor there
_SHADE = (-0.4, -0.4, -0.4)  # as grey as a shadow


@pytest.fixture
def window() -> Window:
    plan = one_board()
    assert plan.camera is not None
    return Window(looking(Lens.of(plan.camera), (60.0, -310.0, 300.0), (60.0, 60.0, 20.0)), 0, 0, 640, 480)


@pytest.fixture
def castle() -> Castle:
    castle = Castle(_board(), Kit(one_board()))
    castle.add(Standing(castle.kit.floor, "left", 1, _AT, 0.0, 0.0))
    return castle


def _board(inventory: tuple[Area, ...] = ()) -> Board:
    return msgspec.structs.replace(one_board().boards[0], inventory=inventory)


def _pillar() -> Shape:
    pillar = Kit(one_board()).pillar
    assert pillar is not None
    return pillar


def _came(
    window: Window, shape: Shape, centre: tuple[float, float], low_mm: float, shadow: bool = False
) -> tuple[Change, Mask]:
    """A grey piece that came onto a grainy ground, or the shadow of one, through which the grain is seen."""
    chance = np.random.default_rng(3)
    before = np.asarray(4.6 + chance.normal(0, 0.03, (*window.shape, 3)), np.float32)
    face = filled(window.silhouette(shape, centre, 30.0, low_mm), window.shape)
    after = before + chance.normal(0, 0.01, before.shape).astype(np.float32)
    after[face] = (before[face] if shadow else np.float32(4.6)) + np.array(_SHADE, np.float32)
    return Change.between(before, cv2.GaussianBlur(after, (0, 0), 0.6), np.ones(window.shape, bool)), face


def test_a_pillar_on_its_side_lies_on_the_ground(window: Window, castle: Castle) -> None:
    change, blob = _came(window, OnItsSide.of(_pillar()), _BESIDE, 0.0)
    found = lies(change, window, castle, _board(), blob)
    assert found is not None
    assert found.centre == pytest.approx(_BESIDE, abs=4.0)
    on_tower, anywhere = (Standing(_pillar(), tower, 1, _AT, 0.0, 2.0) for tower in ("left", "right"))
    assert lies_rather(change, window, castle, _board(), Came(on_tower, 1.0, {}, blob, 0.0))
    assert not lies_rather(change, window, castle, _board(), Came(on_tower, 2.5, {}, blob, 0.0))
    assert lies_rather(change, window, castle, _board(), Came(anywhere, 1.0, {}, blob, 0.0))


def test_the_shadow_of_a_pillar_is_no_pillar(window: Window, castle: Castle) -> None:
    change, blob = _came(window, OnItsSide.of(_pillar()), _BESIDE, 0.0, shadow=True)
    assert lies(change, window, castle, _board(), blob) is None


def test_what_lies_where_pieces_are_stored_did_not_fall(window: Window, castle: Castle) -> None:
    change, blob = _came(window, OnItsSide.of(_pillar()), _BESIDE, 0.0)
    assert lies(change, window, castle, _board((Area((90.0, 40.0), (130.0, 80.0)),)), blob) is None


def test_a_pillar_that_stands_on_a_floor_does_not_lie(window: Window, castle: Castle) -> None:
    change, blob = _came(window, _pillar(), (_AT[0] + 20, _AT[1] + 20), 2.0)
    assert lies(change, window, castle, _board(), blob) is None


def test_what_is_much_larger_than_a_pillar_is_none(window: Window, castle: Castle) -> None:
    change, blob = _came(window, castle.kit.floor, (150.0, 80.0), 0.0)
    assert lies(change, window, castle, _board(), blob) is None
