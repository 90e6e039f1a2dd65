"""Which camera: the one that the settings name, or else the first that gives a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from companion.devices.camera.feed import Camera, CameraFeed, OffCamera
from companion.devices.camera.film import FilmCamera
from companion.devices.camera.pi import PiCamera, on_ribbons
from companion.devices.camera.source import OpenSource, Size, Source
from companion.devices.camera.usb import UsbCamera, VideoDevice, video_devices
from companion.errors import DeviceLost

AUTO, OFF, PI = "auto", "off", "picamera"

_MOST_READS = 30
"""A camera takes a while to wake up; one that gives nothing by then is none."""
_NONE_FOUND = (
    "No camera was found. Plug in a USB camera, or connect a Raspberry Pi camera and install python3-picamera2."
)


class CameraConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which camera to use: `auto`, `off`, `picamera`, a number or path of a video device, a video or a recording.

    `size` and `fps` are what is asked for; a USB camera gives what comes closest. A film is shown in its own time,
    over and over in a `loop`.
    """

    use: str = AUTO
    size: Size = (640, 480)
    fps: int = 30
    loop: bool = False


class OpenUsb(Protocol):
    """How a video device is opened."""

    def __call__(self, path: str, size: Size, fps: int, *, card: str = "") -> Source: ...


class Finder(Struct, frozen=True):
    """Finds a camera and opens it, each time anew: a camera may come back at another port."""

    config: CameraConfig
    ribbons: Callable[[], int] = on_ribbons
    open_pi: Callable[[Size, int], Source] = PiCamera
    devices: Callable[[], tuple[VideoDevice, ...]] = video_devices
    open_usb: OpenUsb = UsbCamera

    def open(self) -> Source:
        """An open camera. Raises DeviceLost when there is none, or the one that is named does not work."""
        use, size, fps = self.config.use, self.config.size, self.config.fps
        if use == AUTO:
            return self._first()
        if use == PI:
            return self.open_pi(size, fps)
        if use.isdecimal() or use.startswith("/dev/"):
            return self._usb(f"/dev/video{use}" if use.isdecimal() else use)
        film = Path(use).expanduser()
        if film.exists():
            return FilmCamera(film, loop=self.config.loop)
        raise DeviceLost(
            f"There is no camera '{use}'. The setting 'camera' may be auto, off, picamera, a number, "
            "a device such as /dev/video0, a video or a recording."
        )

    def _usb(self, path: str) -> Source:
        card = next((device.card for device in self.devices() if device.path == path), "")
        return self.open_usb(path, self.config.size, self.config.fps, card=card)

    def _first(self) -> Source:
        """The camera of a Pi, or the first USB camera that gives a picture."""
        says = _NONE_FOUND
        for open_one in self._candidates():
            try:
                return _proven(open_one())
            except DeviceLost as error:
                says = str(error)
        raise DeviceLost(says)

    def _candidates(self) -> Iterator[OpenSource]:
        if self.ribbons():
            yield partial(self.open_pi, self.config.size, self.config.fps)
        for device in self.devices():
            yield partial(self._usb, device.path)


def find_camera(config: CameraConfig | None = None) -> Camera:
    """The camera of this machine. It is looked for on a thread of its own, and again whenever it is lost.

    Returns at once. Where nobody named a camera and there is none, its state is `off` until one is plugged in.
    """
    config = config or CameraConfig()
    if config.use == OFF:
        return OffCamera()
    return CameraFeed(Finder(config).open, expected=config.use != AUTO)


def _proven(source: Source) -> Source:
    """The same camera, once it has given a picture."""
    try:
        if any(source.read() is not None for _ in range(_MOST_READS)):
            return source
    except DeviceLost:
        source.close()
        raise
    source.close()
    raise DeviceLost(f"The {source.name} gives no pictures. Plug it in again, into another port if need be.")
