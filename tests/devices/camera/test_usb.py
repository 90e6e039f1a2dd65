"""USB cameras: real captures of a small film, and a capture of our own that fails as cameras do."""

from __future__ import annotations

import errno
import struct
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.devices.camera.capture import Capture, device_capture, video_capture
from companion.devices.camera.source import Clocks
from companion.devices.camera.usb import UsbCamera, VideoDevice, video_devices
from companion.errors import DeviceLost
from companion.session.clocks import ManualClock
from tests.devices.camera.conftest import START_S, film, grey

_START_US = int(START_S * 1e6)


class Plugged:
    """A capture whose answers the test sets."""

    def __init__(self) -> None:
        self.open = True
        self.comes = True
        self.whole = True
        self.stamp_ms = 0.0
        self.wishes: list[tuple[int, float]] = []
        self.released = 0
        self.fault: Exception | None = None

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.open

    def grab(self) -> bool:
        if self.fault is not None:
            raise self.fault
        return self.comes

    def retrieve(self) -> tuple[bool, Any]:
        return (True, grey(90)) if self.whole else (False, None)

    def get(self, which: int, /) -> float:
        return self.stamp_ms if which == cv2.CAP_PROP_POS_MSEC else 0.0

    def set(self, which: int, value: float, /) -> bool:
        self.wishes.append((which, value))
        return False

    def release(self) -> None:
        self.released += 1


@pytest.fixture
def device(tmp_path: Path) -> Path:
    path = tmp_path / "video0"
    path.touch()
    return path


@pytest.fixture
def capture() -> Plugged:
    return Plugged()


@pytest.fixture
def camera(device: Path, capture: Plugged, clock: ManualClock) -> UsbCamera:
    clocks = Clocks(clock.monotonic_ns, clock.monotonic_ns)
    return UsbCamera(str(device), (640, 480), 30, card="HD Webcam", capture=lambda path: capture, clocks=clocks)


class TestReading:
    def test_a_real_capture(self, tmp_path: Path, clock: ManualClock) -> None:
        path = film(tmp_path / "film.avi")
        clocks = Clocks(clock.monotonic_ns, clock.monotonic_ns)
        camera = UsbCamera(str(path), (64, 48), capture=video_capture, clocks=clocks)
        for index in range(10):
            frame = camera.read()
            assert frame is not None
            assert (frame.index, frame.image.shape, frame.t_us) == (index, (48, 64, 3), _START_US)
            assert frame.image.mean() == pytest.approx(20 * (index + 1), abs=3)
        assert [camera.read() for _ in range(9)] == [None] * 9
        with pytest.raises(DeviceLost, match=r"gives no pictures\. Plug it in again"):
            camera.read()
        camera.close()

    def test_what_is_asked_for_in_the_order_that_drivers_need(self, camera: UsbCamera, capture: Plugged) -> None:
        assert capture.wishes == [
            (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
            (cv2.CAP_PROP_FRAME_WIDTH, 640),
            (cv2.CAP_PROP_FRAME_HEIGHT, 480),
            (cv2.CAP_PROP_FPS, 30),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ]
        assert camera.name.startswith("HD Webcam at ")

    @pytest.mark.parametrize(
        ("stamp_ms", "t_us"),
        [
            (START_S * 1e3 - 25.5, _START_US - 25_500),
            (0.0, _START_US),
            (40.0, _START_US),
            (1_700_000_000_000.0, _START_US),
            (START_S * 1e3 + 500, _START_US),
        ],
    )
    def test_the_drivers_time_counts_where_it_is_of_our_clock(
        self, camera: UsbCamera, capture: Plugged, stamp_ms: float, t_us: int
    ) -> None:
        capture.stamp_ms = stamp_ms
        frame = camera.read()
        assert frame is not None
        assert frame.t_us == t_us

    def test_a_spoilt_picture_leaves_a_gap(self, camera: UsbCamera, capture: Plugged) -> None:
        camera.read()
        capture.whole = False
        assert camera.read() is None
        capture.whole = True
        frame = camera.read()
        assert frame is not None
        assert frame.index == 2

    def test_spoilt_pictures_now_and_then_are_forgiven(self, camera: UsbCamera, capture: Plugged) -> None:
        for _ in range(30):
            capture.whole = not capture.whole
            camera.read()
        assert capture.released == 0


class TestGone:
    def test_unplugged(self, camera: UsbCamera, capture: Plugged, device: Path) -> None:
        device.unlink()
        capture.comes = False
        with pytest.raises(DeviceLost, match=r"was unplugged\. Plug it in again; it is taken up by itself"):
            camera.read()

    def test_a_driver_that_raises(self, camera: UsbCamera, capture: Plugged) -> None:
        capture.fault = OSError(errno.EIO, "Input/output error")
        with pytest.raises(DeviceLost, match="gives no pictures"):
            camera.read()

    def test_nothing_there(self, tmp_path: Path) -> None:
        with pytest.raises(DeviceLost, match=r"There is no camera at .*video7. Plug it in"):
            UsbCamera(str(tmp_path / "video7"), (640, 480))

    def test_not_allowed(self, device: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("os.access", lambda path, mode: False)
        with pytest.raises(DeviceLost, match="usermod -aG video"):
            UsbCamera(str(device), (640, 480))

    def test_in_use(self, device: Path, capture: Plugged) -> None:
        capture.open = False
        with pytest.raises(DeviceLost, match="Close other programs that use it"):
            UsbCamera(str(device), (640, 480), capture=lambda path: capture)
        assert capture.released == 1

    def test_a_file_is_no_camera_and_nothing_is_printed(self, device: Path, capfd: pytest.CaptureFixture[str]) -> None:
        made: Capture = device_capture(str(device))
        assert not made.isOpened()
        assert capfd.readouterr() == ("", "")


def capability(driver: str, card: str, everything: int, here: int = 0) -> bytes:
    return struct.pack("=16s32s32sIII12x", driver.encode(), card.encode(), b"usb-1", 0x60000, everything, here)


class TestFinding:
    def devices(self, dev: Path, answers: dict[str, bytes | OSError]) -> tuple[VideoDevice, ...]:
        for name in answers:
            (dev / name).touch()

        def ask(path: str) -> bytes:
            answer = answers[Path(path).name]
            if isinstance(answer, OSError):
                raise answer
            return answer

        found = video_devices(dev, ask)
        return tuple(VideoDevice(Path(device.path).name, device.card) for device in found)

    def test_cameras_in_the_order_of_their_numbers(self, tmp_path: Path) -> None:
        webcam = capability("uvcvideo", "HD Webcam", 0x84A00001, 0x04200001)
        found = self.devices(tmp_path, {"video10": webcam, "video2": webcam, "videotape": webcam})
        assert found == (VideoDevice("video2", "HD Webcam"), VideoDevice("video10", "HD Webcam"))

    def test_what_takes_no_pictures_is_none(self, tmp_path: Path) -> None:
        answers: dict[str, bytes | OSError] = {
            "video0": capability("uvcvideo", "HD Webcam", 0x84A00001, 0x04A00000),
            "video1": capability("old", "Tuner without caps", 0x00000001),
            "video10": capability("bcm2835-codec", "bcm2835-codec-decode", 0x84204000, 0x04204000),
            "video13": capability("bcm2835-isp", "bcm2835-isp", 0x85200001, 0x05200001),
            "video20": OSError(errno.ENODEV, "No such device"),
            "video21": PermissionError(errno.EACCES, "Permission denied"),
        }
        assert self.devices(tmp_path, answers) == (
            VideoDevice("video1", "Tuner without caps"),
            VideoDevice("video21", ""),
        )

    def test_files_are_no_devices(self, tmp_path: Path) -> None:
        (tmp_path / "video0").touch()
        assert video_devices(tmp_path) == ()
