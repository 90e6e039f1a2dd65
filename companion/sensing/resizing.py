"""Pictures made smaller or larger, and the camera that would have taken them so."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from companion.sensing.plan import Camera, Plan
from companion.sensing.streams import Image
from companion.sensing.views import Lens

Size = tuple[int, int]
"""Width and height in pixels."""


def resized(image: Image, size: Size) -> Image:
    """The picture in that size."""
    if size == image.shape[1::-1]:
        return image
    smaller = size[0] <= image.shape[1]
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_LINEAR), np.uint8)


def seen_at(plan: Plan, size: Size) -> Plan:
    """The table as its camera would see it with pictures of that size."""
    return plan if plan.camera is None else msgspec.structs.replace(plan, camera=camera_at(plan.camera, size))


def camera_at(camera: Camera, size: Size) -> Camera:
    """The camera whose pictures were brought to that size; the middles of pixels stay at whole numbers.

    >>> camera_at(Camera(640, 480, matrix=((600, 0, 319.5), (0, 600, 239.5), (0, 0, 1))), (320, 240)).matrix
    ((300.0, 0.0, 159.5), (0.0, 300.0, 119.5), (0.0, 0.0, 1.0))
    """
    along, down = size[0] / camera.width, size[1] / camera.height
    change = np.array([(along, 0, (along - 1) / 2), (0, down, (down - 1) / 2), (0, 0, 1)])
    matrix = tuple(tuple(row) for row in (change @ Lens.of(camera).matrix).tolist())
    return msgspec.structs.replace(camera, width=size[0], height=size[1], matrix=matrix)
