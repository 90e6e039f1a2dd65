"""The camera's line of the doctor."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.devices.camera import check
from companion.devices.camera.choosing import CameraConfig
from companion.devices.camera.feed import Camera, CameraState, CameraStatus
from companion.doctor import Check
from companion.sensing.streams import Frame
from tests.devices.camera.conftest import film, grey


class Staged:
    """A camera that is as it is told, one state after the other, and then stays so."""

    def __init__(self, *states: CameraState, shade: int | None = None, says: str = "") -> None:
        self._states = list(states)
        self._shade = shade
        self._says = says
        self.closed = False
        self.now_s = 0.0

    @property
    def status(self) -> CameraStatus:
        state = self._states.pop(0) if len(self._states) > 1 else self._states[0]
        return CameraStatus(state=state, says=self._says, name="HD Webcam at /dev/video0", size=(64, 48))

    def newest(self, wait_s: float = 0.0) -> Frame | None:
        self.now_s += wait_s
        return None if self._shade is None else Frame(0, 0, grey(self._shade))

    def close(self) -> None:
        self.closed = True


def looked(camera: Staged, use: str = "auto") -> Check:
    def find(config: CameraConfig) -> Camera:
        return camera

    found = check.camera(CameraConfig(use=use), find, lambda: camera.now_s)
    assert camera.closed
    assert camera.now_s < 9
    return found


def test_one_that_sees() -> None:
    found = looked(Staged("starting", "ready", shade=90))
    assert (found.ok, found.says) == ("good", "HD Webcam at /dev/video0 gives pictures of 64 x 48.")


def test_none_is_no_trouble() -> None:
    found = looked(Staged("starting", "off", says="No camera was found."))
    assert (found.ok, found.says) == ("good", "No camera was found.")
    assert found.remedy == "Without one the companion works as well."


@pytest.mark.parametrize("state", ["off", "lost"])
def test_one_that_is_named_and_missing(state: CameraState) -> None:
    found = looked(Staged("starting", state, says="There is no camera at /dev/video3."), use="3")
    assert (found.ok, found.says) == ("warn", "There is no camera at /dev/video3.")
    assert 'camera = "off"' in found.remedy


def test_a_covered_lens() -> None:
    found = looked(Staged("ready", "ready", "black", shade=0, says="The camera sees only black."))
    assert (found.ok, found.says) == ("warn", "The camera sees only black.")
    assert found.remedy


def test_one_that_never_comes_up() -> None:
    found = looked(Staged("starting"))
    assert (found.ok, found.says) == ("warn", "The camera took too long to start.")


def test_one_that_is_turned_off() -> None:
    assert check.camera(CameraConfig(use="off")).says == "It is turned off in the settings."


def test_with_a_real_feed(tmp_path: Path) -> None:
    found = check.camera(CameraConfig(use=str(film(tmp_path / "film.avi", range(100, 200, 10)))))
    assert (found.ok, found.says) == ("good", "film.avi gives pictures of 64 x 48.")
