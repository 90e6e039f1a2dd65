"""A stand-in for the module picamera2, as far as its manual describes what we use of it.

Buffers are few and must be released; a request takes no number but a time to wait; a camera is one program's at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

RIBBON = {"Model": "imx708", "Location": 2, "Rotation": 180, "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}
USB = {"Model": "HD Webcam", "Location": 0, "Rotation": 0, "Id": "/base/scb/pcie/usb@0,0-1.3:1.0-046d:0825", "Num": 1}
_STREAM_KEYS = {"format", "size", "stride", "framesize", "preserve_ar"}


class Picamera:
    """The module: what is connected, and what goes wrong with it. Its `Picamera2` is what `picamera2.Picamera2` is."""

    def __init__(self, found: list[dict[str, Any]] | None = None) -> None:
        self.found = [RIBBON] if found is None else found
        self.taken_by: Camera | None = None
        self.stuck = False
        self.stamp_ns: int | None = 0
        self.fails_on = ""
        self.pixel = (10, 20, 30)
        """Red, green, blue of what it sees."""
        self.calls: list[str] = []
        self.Picamera2 = self

    def global_camera_info(self) -> list[dict[str, Any]]:
        return self.found

    def __call__(self, camera_num: int = 0) -> Camera:
        return Camera(self, camera_num)

    def called(self, what: str) -> None:
        self.calls.append(what)
        if what == self.fails_on:
            raise RuntimeError(f"Failed to {what} camera.")


class Camera:
    """An object of the class Picamera2."""

    def __init__(self, module: Picamera, camera_num: int) -> None:
        self.module = module
        self.info = module.found[camera_num]
        module.called("acquire")
        if module.taken_by is not None:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        module.taken_by = self
        self.config: dict[str, Any] | None = None
        self.started = False
        self.free = 0

    def create_video_configuration(
        self, main: dict[str, Any], buffer_count: int = 6, controls: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        if set(main) - _STREAM_KEYS:
            raise ValueError("Bad key: valid stream configuration keys are ...")
        return {"main": main, "buffer_count": buffer_count, "controls": controls or {}}

    def configure(self, config: dict[str, Any]) -> None:
        self.module.called("configure")
        if self.started:
            raise RuntimeError("Camera must be stopped before configuring")
        self.config = config
        self.free = config["buffer_count"]

    def start(self) -> None:
        self.module.called("start")
        if self.config is None:
            raise RuntimeError("Camera has not been configured")
        self.started = True

    def capture_request(self, wait: float | None = None) -> Request:
        if not self.started:
            raise RuntimeError("Camera is not started")
        if self.module.stuck or self.free == 0:
            assert wait is not None, "This would wait for ever."
            raise TimeoutError
        self.free -= 1
        return Request(self)

    def cancel_all_and_flush(self) -> None:
        self.module.called("cancel")

    def close(self) -> None:
        self.module.called("close")
        self.started = False
        if self.module.taken_by is self:
            self.module.taken_by = None


class Request:
    """A picture in one of the camera's own buffers."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._released = False

    def get_metadata(self) -> dict[str, Any]:
        stamp_ns = self._camera.module.stamp_ns
        return {"ExposureTime": 9000} | ({} if stamp_ns is None else {"SensorTimestamp": stamp_ns})

    def make_array(self, name: str) -> np.ndarray[Any, Any]:
        assert not self._released
        assert self._camera.config is not None
        stream = self._camera.config[name]
        width, height = stream["size"]
        red, green, blue = self._camera.module.pixel
        pixel = {"RGB888": (blue, green, red), "BGR888": (red, green, blue)}[stream["format"]]
        return np.full((height, width, 3), pixel, np.uint8)

    def release(self) -> None:
        assert not self._released, "CompletedRequest: lock now has negative ref_count"
        self._released = True
        self._camera.free += 1
