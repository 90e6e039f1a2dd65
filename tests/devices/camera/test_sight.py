"""What counts as black and as frozen, and what does not."""

from __future__ import annotations

import numpy as np
import pytest

from companion.devices.camera.sight import Sight, is_dark
from companion.sensing.streams import Image
from tests.devices.camera.conftest import grey

_PERIOD_US = 40_000


def noise(seed: int, level: float, spread: float) -> Image:
    chance = np.random.default_rng(seed)
    return np.clip(chance.normal(level, spread, (48, 64, 3)), 0, 255).astype(np.uint8)


def shown(sight: Sight, pictures: int, picture: Image | None = None, start: int = 0, level: float = 90) -> str:
    for number in range(start, start + pictures):
        sight.look(noise(number, level, 2) if picture is None else picture, number * _PERIOD_US)
    return sight.trouble


@pytest.mark.parametrize(("level", "spread", "dark"), [(0, 0, True), (12, 8, True), (35, 15, False), (90, 2, False)])
def test_dark(level: float, spread: float, dark: bool) -> None:
    assert is_dark(noise(1, level, spread)) == dark


def test_a_lid_with_a_bright_edge_is_still_dark() -> None:
    picture = np.zeros((480, 640, 3), np.uint8)
    picture[:, :2] = 200
    assert is_dark(picture)
    picture[:, :20] = 200
    assert not is_dark(picture)


def test_a_dark_table_with_white_markers_is_not() -> None:
    picture = np.full((480, 640, 3), 15, np.uint8)
    picture[100:140, 100:140] = 180
    assert not is_dark(picture)


def test_a_quiet_table_is_no_trouble() -> None:
    assert shown(Sight(), 150) == ""


def test_one_pixel_that_changes_now_and_then_is_enough() -> None:
    sight, picture = Sight(), grey(90)
    for number in range(300):
        if number % 50 == 0:
            picture = picture.copy()
            picture[8, 8] += 1
        sight.look(picture, number * _PERIOD_US)
        assert sight.trouble == ""


def test_the_same_pixels_for_seconds() -> None:
    sight = Sight()
    assert shown(sight, 75, grey(90)) == ""
    assert shown(sight, 1, grey(90), start=75) == "frozen"
    assert sight.still_us(80 * _PERIOD_US) == 80 * _PERIOD_US
    assert shown(sight, 1, start=76) == ""


def test_a_buffer_that_is_written_again_is_not_frozen() -> None:
    sight, buffer = Sight(), grey(90)
    for number in range(100):
        buffer[:] = noise(number, 90, 2)
        sight.look(buffer, number * _PERIOD_US)
    assert sight.trouble == ""


def test_dark_for_a_moment_is_forgiven() -> None:
    sight = Sight()
    assert shown(sight, 45, level=5) == ""
    assert shown(sight, 1, start=45) == ""
    assert shown(sight, 45, start=46, level=5) == ""
    assert shown(sight, 10, start=91, level=5) == "black"
