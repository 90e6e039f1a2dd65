"""USB cameras, and whatever else Linux calls a video device, by OpenCV."""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.devices.camera.capture import Capture, device_capture
from companion.devices.camera.source import Clocks, Size
from companion.errors import DeviceLost
from companion.sensing.streams import Frame

_DEV = Path("/dev")
_NS_PER_MS = 1_000_000
_MOST_FAILURES = 10
"""So many pictures in a row that did not come: the camera is gone."""

_QUERYCAP = 0x80685600
_CAPABILITY = struct.Struct("=16s32s32sIII12x")
"""Linux's v4l2_capability: driver, card, bus, version, what the driver can do, what this device can do."""
_CAN_CAPTURE = 0x1
_KNOWS_DEVICE = 0x80000000
_NO_CAMERAS = ("bcm2835-codec", "bcm2835-isp", "pispbe", "rp1-cfe", "rpi-hevc-dec", "rpivid", "unicam")
"""Parts of a Raspberry Pi that are video devices and give no picture as they are."""

OpenCapture = Callable[[str], Capture]


class VideoDevice(Struct, frozen=True):
    """A video device that can take pictures, and what its maker calls it."""

    path: str
    card: str = ""


def video_devices(dev: Path = _DEV, ask: Callable[[str], bytes] | None = None) -> tuple[VideoDevice, ...]:
    """The cameras that Linux knows, in the order of their numbers."""
    numbered = [path for path in dev.glob("video*") if path.name.removeprefix("video").isdecimal()]
    numbered.sort(key=lambda path: int(path.name.removeprefix("video")))
    found = (_described(str(path), ask or _ask) for path in numbered)
    return tuple(device for device in found if device is not None)


def _described(path: str, ask: Callable[[str], bytes]) -> VideoDevice | None:
    """What a device says about itself; one that may not be asked may still be a camera."""
    try:
        answer = ask(path)
    except PermissionError:
        return VideoDevice(path)
    except OSError:
        return None
    driver, card, _, _, everything, here = _CAPABILITY.unpack(answer)
    able = here if everything & _KNOWS_DEVICE else everything
    if not able & _CAN_CAPTURE or _text(driver).startswith(_NO_CAMERAS):
        return None
    return VideoDevice(path, _text(card))


def _ask(path: str) -> bytes:
    device = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return fcntl.ioctl(device, _QUERYCAP, bytes(_CAPABILITY.size))
    finally:
        os.close(device)


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace").strip()


class UsbCamera:
    """A camera at a path such as /dev/video0, running. It gives the size that comes closest to what is asked for."""

    live = True
    over = False

    def __init__(
        self,
        path: str,
        size: Size,
        fps: int = 30,
        *,
        card: str = "",
        capture: OpenCapture = device_capture,
        clocks: Clocks | None = None,
    ) -> None:
        self.name = f"{card} at {path}" if card else f"camera at {path}"
        self._path = path
        self._clocks = clocks or Clocks()
        self._index = self._failures = 0
        self._check_access()
        self._capture = capture(path)
        if not self._capture.isOpened():
            self.close()
            raise DeviceLost(f"{path} does not open as a camera. Close other programs that use it; it is tried again.")
        self._ask_for(size, fps)

    def read(self) -> Frame | None:
        """The next picture. Its time is taken before it is decoded."""
        import cv2

        try:
            came = self._capture.grab()
            t_us = self._clocks.taken_us(self._capture.get(cv2.CAP_PROP_POS_MSEC) * _NS_PER_MS)
            whole, image = self._capture.retrieve() if came else (False, None)
        except (cv2.error, OSError) as error:
            raise DeviceLost(self._gone()) from error
        self._index += came
        if not whole or image is None:
            self._fail()
            return None
        self._failures = 0
        return Frame(t_us, self._index - 1, image)

    def close(self) -> None:
        self._capture.release()

    def _check_access(self) -> None:
        if not Path(self._path).exists():
            raise DeviceLost(f"There is no camera at {self._path}. Plug it in; it is taken up by itself.")
        if not os.access(self._path, os.R_OK | os.W_OK):
            raise DeviceLost(
                f"{self._path} may not be used by you: sudo usermod -aG video $USER, then log out and in again."
            )

    def _ask_for(self, size: Size, fps: int) -> None:
        """Compressed pictures first, for raw ones of that size are often slow; and never an old one in a queue."""
        import cv2

        wishes: tuple[tuple[int, Any], ...] = (
            (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
            (cv2.CAP_PROP_FRAME_WIDTH, size[0]),
            (cv2.CAP_PROP_FRAME_HEIGHT, size[1]),
            (cv2.CAP_PROP_FPS, fps),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        )
        for which, value in wishes:
            self._capture.set(which, value)

    def _fail(self) -> None:
        self._failures += 1
        if self._failures >= _MOST_FAILURES or not Path(self._path).exists():
            raise DeviceLost(self._gone())

    def _gone(self) -> str:
        if not Path(self._path).exists():
            return f"The camera at {self._path} was unplugged. Plug it in again; it is taken up by itself."
        return f"The camera at {self._path} gives no pictures. Plug it in again, into another port if need be."
