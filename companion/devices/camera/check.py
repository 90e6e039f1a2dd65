"""The camera's line in `companion doctor`: whether there is one, and whether it sees anything."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.devices.camera.choosing import AUTO, OFF, CameraConfig, find_camera
from companion.devices.camera.feed import Camera, CameraStatus
from companion.devices.camera.sight import is_dark
from companion.doctor import Check

_PATIENCE_S = 8.0
_WAIT_S = 0.02
_NAME = "camera"


def camera(
    config: CameraConfig | None = None,
    find: Callable[[CameraConfig], Camera] = find_camera,
    now_s: Callable[[], float] = time.monotonic,
) -> Check:
    """Look through the camera for a moment. Takes a few seconds at most; without any camera, none."""
    config = config or CameraConfig()
    if config.use == OFF:
        return Check(name=_NAME, ok="good", says="It is turned off in the settings.")
    feed = find(config)
    try:
        status = _looked(feed, now_s)
    finally:
        feed.close()
    return _judged(status, named=config.use != AUTO)


def _looked(feed: Camera, now_s: Callable[[], float]) -> CameraStatus:
    """How the camera is once it has shown something bright, or will not."""
    until_s = now_s() + _PATIENCE_S
    status = feed.status
    while now_s() < until_s and status.state in ("starting", "ready"):
        frame = feed.newest(wait_s=_WAIT_S)
        status = feed.status
        if frame is not None and not is_dark(frame.image):
            break
    return status


def _judged(status: CameraStatus, *, named: bool) -> Check:
    if status.state in ("ready", "ended") and status.size is not None:
        width, height = status.size
        return Check(name=_NAME, ok="good", says=f"{status.name} gives pictures of {width} x {height}.")
    if status.state == "off" and not named:
        return Check(name=_NAME, ok="good", says=status.says, remedy="Without one the companion works as well.")
    says = "The camera took too long to start." if status.state == "starting" else status.says
    remedy = 'See to it, or set camera = "off" in the settings.' if named else "Unplug it and plug it in again."
    return Check(name=_NAME, ok="warn", says=says, remedy=remedy)
