"""OpenCV's captures, opened without a word on the terminal: what goes wrong is told in our own words."""

from __future__ import annotations

import os
from typing import Any, Protocol

_V4L2_WAIT_S = "3"


class Capture(Protocol):
    """What we use of `cv2.VideoCapture`."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether it can be read."""

    def grab(self) -> bool:
        """Take the next picture; False when there is none."""

    def retrieve(self) -> tuple[bool, Any]:
        """Decode the picture that was taken."""

    def get(self, which: int, /) -> float:
        """A property, 0 where it is not known."""

    def set(self, which: int, value: float, /) -> bool:
        """Ask for a property."""

    def release(self) -> None:
        """Let go of it."""


def video_capture(path: str) -> Capture:
    """A video file."""
    import cv2

    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    return _quietly(path, cv2.CAP_FFMPEG)


def device_capture(path: str) -> Capture:
    """A video device of Linux."""
    import cv2

    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", _V4L2_WAIT_S)
    return _quietly(path, cv2.CAP_V4L2)


def _quietly(path: str, backend: int) -> Capture:
    import cv2

    loud = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        capture: Capture = cv2.VideoCapture(path, backend)
    finally:
        cv2.utils.logging.setLogLevel(loud)
    return capture
