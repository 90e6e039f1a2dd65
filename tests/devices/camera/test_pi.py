"""The Raspberry Pi camera against a module that behaves as picamera2's manual says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from companion.devices.camera.pi import PiCamera, import_picamera, is_installed, on_ribbons
from companion.devices.camera.source import Clocks
from companion.errors import DeviceLost
from companion.sensing.streams import Frame
from companion.session.clocks import ManualClock
from tests.devices.camera.conftest import START_S
from tests.devices.camera.fake_picamera import RIBBON, USB, Picamera

_START_NS = int(START_S * 1e9)
_SLEPT_NS = 7_000_000_000_000


@pytest.fixture
def module() -> Picamera:
    return Picamera()


@pytest.fixture
def clocks(clock: ManualClock) -> Clocks:
    """A machine that has slept for two hours."""
    return Clocks(clock.monotonic_ns, lambda: clock.monotonic_ns() + _SLEPT_NS)


def opened(module: Picamera, clocks: Clocks, **how: Any) -> PiCamera:
    return PiCamera((320, 240), picamera=lambda: module, clocks=clocks, **how)


def picture(camera: PiCamera) -> Frame:
    frame = camera.read()
    assert frame is not None
    return frame


def test_size_rate_and_the_order_of_colours(module: Picamera, clocks: Clocks) -> None:
    camera = opened(module, clocks, fps=40)
    frame = picture(camera)
    assert frame.image.shape == (240, 320, 3)
    assert tuple(frame.image[0, 0]) == (30, 20, 10)
    assert module.taken_by is not None
    assert module.taken_by.config is not None
    assert module.taken_by.config["controls"] == {"FrameDurationLimits": (25_000, 25_000)}
    assert camera.name == "Raspberry Pi camera imx708"


@pytest.mark.parametrize(
    ("stamp_ns", "t_us"),
    [
        (_START_NS - 40_000_000, _START_NS // 1000 - 40_000),
        (_START_NS + _SLEPT_NS - 40_000_000, _START_NS // 1000 - 40_000),
        (123, _START_NS // 1000),
        (None, _START_NS // 1000),
    ],
)
def test_its_time_is_the_sensors_on_our_clock(
    module: Picamera, clocks: Clocks, stamp_ns: int | None, t_us: int
) -> None:
    module.stamp_ns = stamp_ns
    assert picture(opened(module, clocks)).t_us == t_us


def test_every_buffer_is_given_back(module: Picamera, clocks: Clocks) -> None:
    camera = opened(module, clocks)
    assert [picture(camera).index for _ in range(20)] == list(range(20))


def test_closing_lets_go_of_it(module: Picamera, clocks: Clocks) -> None:
    opened(module, clocks).close()
    assert module.taken_by is None
    opened(module, clocks).close()


def test_a_ribbon_that_came_loose(module: Picamera, clocks: Clocks) -> None:
    camera = opened(module, clocks)
    module.stuck = True
    with pytest.raises(DeviceLost, match=r"stopped\. Check its ribbon cable"):
        camera.read()
    assert module.calls[-1] == "cancel"


@pytest.mark.parametrize("step", ["acquire", "configure", "start"])
def test_whatever_fails_is_one_sentence_and_nothing_stays_open(module: Picamera, clocks: Clocks, step: str) -> None:
    module.fails_on = step
    with pytest.raises(DeviceLost, match=rf"does not work \(Failed to {step} camera\)"):
        opened(module, clocks)
    assert module.taken_by is None


def test_one_that_another_program_uses(module: Picamera, clocks: Clocks) -> None:
    opened(module, clocks)
    with pytest.raises(DeviceLost, match="Close other programs that use it"):
        opened(module, clocks)


def test_closing_fails_quietly(module: Picamera, clocks: Clocks) -> None:
    camera = opened(module, clocks)
    module.fails_on = "close"
    camera.close()
    assert module.calls[-1] == "close"


def test_without_its_software(clocks: Clocks) -> None:
    def missing() -> Any:
        raise ModuleNotFoundError("No module named 'picamera2'")

    with pytest.raises(DeviceLost, match="sudo apt-get install python3-picamera2"):
        PiCamera((320, 240), picamera=missing, clocks=clocks)
    assert on_ribbons(missing) == 0


@pytest.mark.parametrize(
    ("found", "ribbons"), [([], 0), ([USB], 0), ([RIBBON], 1), ([USB, RIBBON], 1), ([RIBBON, RIBBON], 2)]
)
def test_usb_cameras_are_left_to_others(clocks: Clocks, found: list[dict[str, Any]], ribbons: int) -> None:
    module = Picamera(found)
    assert on_ribbons(lambda: module) == ribbons
    if ribbons:
        opened(module, clocks)
        assert module.taken_by is not None
        assert module.taken_by.info is RIBBON
    else:
        with pytest.raises(DeviceLost, match="No Raspberry Pi camera was found"):
            opened(module, clocks)


def test_the_second_of_two(clocks: Clocks) -> None:
    module = Picamera([RIBBON, USB, RIBBON | {"Model": "imx219"}])
    assert opened(module, clocks, number=1).name == "Raspberry Pi camera imx219"


def test_debians_package_is_found_from_a_venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("LIBCAMERA_LOG_LEVELS", "*:ERROR")
    assert not is_installed(tmp_path)
    (tmp_path / "picamera2").mkdir()
    (tmp_path / "picamera2/__init__.py").write_text("Picamera2 = 'found'\n")
    assert is_installed(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    assert import_picamera(tmp_path).Picamera2 == "found"
    monkeypatch.delitem(sys.modules, "picamera2")
    assert sys.path[-1] == str(tmp_path)
