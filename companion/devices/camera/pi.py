"""The Raspberry Pi camera on its ribbon cable, by picamera2. Its software is imported when it is opened."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module, util
from pathlib import Path
from typing import Any

from companion.devices.camera.source import Clocks, Size
from companion.errors import DeviceLost
from companion.sensing.streams import Frame

_US_PER_S = 1_000_000
_WAIT_S = 2.0
_BLUE_GREEN_RED = "RGB888"
"""libcamera names colours from the highest byte down: this is the order of OpenCV."""
_DEBIAN = Path("/usr/lib/python3/dist-packages")
_MODULE = "picamera2"
_USB = "/usb"
_BUFFERS = 4
_FAULTS = (RuntimeError, OSError, LookupError, ValueError, TypeError, AttributeError)

ImportPicamera = Callable[[], Any]


def is_installed(debian: Path = _DEBIAN) -> bool:
    """Whether picamera2 is here. It is to be had from Debian only, whose packages a .venv does not see by itself."""
    return util.find_spec(_MODULE) is not None or (debian / _MODULE).is_dir()


def import_picamera(debian: Path = _DEBIAN) -> Any:
    """The module picamera2. libcamera is told to keep its reports to itself."""
    os.environ.setdefault("LIBCAMERA_LOG_LEVELS", "*:ERROR")
    if util.find_spec(_MODULE) is None and is_installed(debian):
        sys.path.append(str(debian))  # the last place to look: everything else is still found where it was
    return import_module(_MODULE)


def on_ribbons(picamera: ImportPicamera = import_picamera) -> int:
    """How many cameras are on ribbon cables; none where picamera2 cannot be used."""
    try:
        return len(_places(picamera().Picamera2.global_camera_info()))
    except (ImportError, *_FAULTS):
        return 0


class PiCamera:
    """The camera of that number on the ribbon cables, running."""

    live = True
    over = False

    def __init__(
        self,
        size: Size,
        fps: int = 30,
        number: int = 0,
        *,
        picamera: ImportPicamera = import_picamera,
        clocks: Clocks | None = None,
    ) -> None:
        self._clocks = clocks or Clocks()
        self._index = 0
        with _told():
            maker = picamera().Picamera2
            place, model = _place(maker.global_camera_info(), number)
            self.name = f"Raspberry Pi camera {model}"
            self._camera = maker(place)
        try:
            with _told():
                self._run(size, fps)
        except DeviceLost:
            self.close()
            raise

    def read(self) -> Frame | None:
        with _told():
            request = self._requested()
            try:
                t_us = self._clocks.taken_us(request.get_metadata().get("SensorTimestamp"))
                image = request.make_array("main")
            finally:
                request.release()
        self._index += 1
        return Frame(t_us, self._index - 1, image)

    def close(self) -> None:
        with suppress(*_FAULTS):
            self._camera.close()

    def _run(self, size: Size, fps: int) -> None:
        period_us = _US_PER_S // fps
        self._camera.configure(
            self._camera.create_video_configuration(
                main={"size": size, "format": _BLUE_GREEN_RED},
                buffer_count=_BUFFERS,
                controls={"FrameDurationLimits": (period_us, period_us)},
            )
        )
        self._camera.start()

    def _requested(self) -> Any:
        """The next picture as the camera's own buffer. A camera that keeps us waiting is freed of what we asked for."""
        try:
            return self._camera.capture_request(wait=_WAIT_S)
        except TimeoutError:
            self._camera.cancel_all_and_flush()
            raise


def _places(found: list[dict[str, Any]]) -> list[int]:
    """Where ribbon cameras stand among all that libcamera found."""
    return [place for place, info in enumerate(found) if _USB not in str(info.get("Id", ""))]


def _place(found: list[dict[str, Any]], number: int) -> tuple[int, str]:
    """Where the ribbon camera of a number stands, and its model."""
    places = _places(found)
    if number >= len(places):
        raise DeviceLost(
            "No Raspberry Pi camera was found. Turn the Pi off, push the ribbon cable in at both ends, and start again."
        )
    return places[number], str(found[places[number]].get("Model", "")) or str(number)


@contextmanager
def _told() -> Iterator[None]:
    """Say whatever picamera2 does wrong as DeviceLost, in a sentence."""
    try:
        yield
    except DeviceLost:
        raise
    except ImportError as error:
        raise DeviceLost(
            "The Raspberry Pi camera cannot be used: its software is missing. "
            "Install it with: sudo apt-get install python3-picamera2."
        ) from error
    except TimeoutError as error:
        raise DeviceLost("The Raspberry Pi camera stopped. Check its ribbon cable; it is started anew.") from error
    except _FAULTS as error:
        raise DeviceLost(
            f"The Raspberry Pi camera does not work ({_reason(error)}). "
            "Close other programs that use it, and check its ribbon cable; it is tried again."
        ) from error


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()).strip(".'\"") or type(error).__name__
