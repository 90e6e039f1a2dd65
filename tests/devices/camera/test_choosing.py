"""Which camera is taken: the one that is named, a Pi's own, the first USB camera that gives a picture, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.devices.camera.choosing import CameraConfig, Finder, find_camera
from companion.devices.camera.feed import OffCamera
from companion.devices.camera.film import FilmCamera
from companion.devices.camera.source import Size, Source
from companion.devices.camera.twin import SimCamera, SimSource
from companion.devices.camera.usb import VideoDevice
from companion.errors import DeviceLost
from companion.session.clocks import ManualClock
from tests.devices.camera.conftest import film


class Machine:
    """A machine with cameras of all kinds, and a list of what was opened."""

    def __init__(self, clock: ManualClock, ribbons: int = 0, usb: tuple[str, ...] = ()) -> None:
        self.opened: list[str] = []
        self.ribbons = ribbons
        self.cameras = {path: SimCamera(monotonic_ns=clock.monotonic_ns) for path in usb}
        self.pi = SimCamera(monotonic_ns=clock.monotonic_ns)

    def finder(self, use: str = "auto") -> Finder:
        return Finder(
            CameraConfig(use=use),
            ribbons=lambda: self.ribbons,
            open_pi=self._open_pi,
            devices=lambda: tuple(VideoDevice(path, "HD Webcam") for path in self.cameras),
            open_usb=self._open_usb,
        )

    def _open_pi(self, size: Size, fps: int) -> Source:
        self.opened.append("pi")
        return self.pi.open()

    def _open_usb(self, path: str, size: Size, fps: int, *, card: str = "") -> SimSource:
        self.opened.append(f"{path} {card}".strip())
        if path not in self.cameras:
            raise DeviceLost(f"There is no camera at {path}.")
        return self.cameras[path].open()


class TestByItself:
    def test_the_pis_own_camera_comes_first(self, clock: ManualClock) -> None:
        machine = Machine(clock, 1, ("/dev/video0",))
        machine.finder().open()
        assert machine.opened == ["pi"]

    def test_then_the_first_that_gives_a_picture(self, clock: ManualClock) -> None:
        machine = Machine(clock, 1, ("/dev/video0", "/dev/video2", "/dev/video4"))
        machine.pi.unplug()
        machine.cameras["/dev/video0"].mute = True
        machine.finder().open()
        assert machine.opened == ["pi", "/dev/video0 HD Webcam", "/dev/video2 HD Webcam"]
        assert [camera.open_now for camera in machine.cameras.values()] == [0, 1, 0]

    def test_one_that_is_lost_at_once_is_closed(self, clock: ManualClock) -> None:
        machine = Machine(clock, 0, ("/dev/video0",))
        camera = machine.cameras["/dev/video0"]
        source = camera.open()
        camera.open = lambda: source  # type: ignore[method-assign]
        camera.unplug()
        with pytest.raises(DeviceLost, match="unplugged"):
            machine.finder().open()
        assert camera.open_now == 0

    def test_none(self, clock: ManualClock) -> None:
        with pytest.raises(DeviceLost, match=r"No camera was found\. Plug in a USB camera"):
            Machine(clock).finder().open()

    def test_why_the_only_one_does_not_work(self, clock: ManualClock) -> None:
        machine = Machine(clock, 0, ("/dev/video0",))
        machine.cameras["/dev/video0"].mute = True
        with pytest.raises(DeviceLost, match="The simulated camera gives no pictures"):
            machine.finder().open()

    def test_one_that_comes_back_at_another_port(self, clock: ManualClock) -> None:
        machine = Machine(clock, 0, ("/dev/video0",))
        finder = machine.finder()
        finder.open()
        machine.cameras = {"/dev/video1": machine.cameras["/dev/video0"]}
        finder.open()
        assert machine.opened == ["/dev/video0 HD Webcam", "/dev/video1 HD Webcam"]


class TestByName:
    @pytest.mark.parametrize(
        ("use", "opened"),
        [
            ("picamera", "pi"),
            ("2", "/dev/video2 HD Webcam"),
            ("/dev/video2", "/dev/video2 HD Webcam"),
        ],
    )
    def test_a_camera(self, clock: ManualClock, use: str, opened: str) -> None:
        machine = Machine(clock, 1, ("/dev/video0", "/dev/video2"))
        machine.finder(use).open()
        assert machine.opened == [opened]

    def test_a_camera_that_is_not_there_is_not_replaced_by_another(self, clock: ManualClock) -> None:
        with pytest.raises(DeviceLost, match="There is no camera at /dev/video7"):
            Machine(clock, 1, ("/dev/video0",)).finder("7").open()

    def test_a_film(self, tmp_path: Path, clock: ManualClock) -> None:
        source = Machine(clock).finder(str(film(tmp_path / "film.avi"))).open()
        assert isinstance(source, FilmCamera)

    def test_nonsense_is_told_what_may_be_set(self, clock: ManualClock) -> None:
        with pytest.raises(DeviceLost, match=r"There is no camera 'webcam'\. The setting 'camera' may be auto"):
            Machine(clock).finder("webcam").open()


def test_no_camera_is_wanted() -> None:
    camera = find_camera(CameraConfig(use="off"))
    assert isinstance(camera, OffCamera)
    assert camera.status.state == "off"


def test_a_camera_is_found_without_anybody_waiting(tmp_path: Path) -> None:
    camera = find_camera(CameraConfig(use=str(film(tmp_path / "film.avi"))))
    frame = camera.newest(wait_s=10)
    assert frame is not None
    assert frame.image.shape == (48, 64, 3)
    assert camera.status.name == "film.avi"
    camera.close()
    assert camera.status.state == "off"
