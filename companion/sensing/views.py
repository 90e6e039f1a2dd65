"""How a board stands before the camera: a view projects the board's millimetres into the picture's pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.plan import Board, Camera, Pose

Floats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lens:
    """A camera's matrix and distortion as OpenCV takes them."""

    matrix: Floats
    distortion: Floats

    @classmethod
    def of(cls, camera: Camera) -> Lens:
        """The stated lens; without one, a plain lens with the width of the picture as its focal length."""
        plain = ((camera.width, 0, (camera.width - 1) / 2), (0, camera.width, (camera.height - 1) / 2), (0, 0, 1))
        return cls(np.array(camera.matrix or plain, float), np.array(camera.distortion or (0.0,) * 5, float))


@dataclass(frozen=True, eq=False)
class View:
    """A frame of mm (a board's, or the table's) before the camera: turned by `rotation`, moved by `shift_mm`."""

    lens: Lens
    rotation: Floats
    shift_mm: Floats

    def project(self, points_mm: npt.ArrayLike) -> Floats:
        """Pixels (n, 2) of points (n, 3) in mm."""
        points = np.asarray(points_mm, float).reshape(-1, 1, 3)
        pixels, _ = cv2.projectPoints(points, self._turn, self.shift_mm, self.lens.matrix, self.lens.distortion)
        return np.asarray(pixels, float).reshape(-1, 2)

    def depth_mm(self, points_mm: npt.ArrayLike) -> Floats:
        """How far before the camera points (n, 3) are."""
        points = np.asarray(points_mm, float).reshape(-1, 3)
        return np.asarray(points @ self.rotation[2] + self.shift_mm[2], float)

    def on_plane(self, pixels: npt.ArrayLike, z_mm: float = 0.0) -> Floats:
        """Where the rays through pixels (n, 2) meet the plane at that height: points (n, 2) in mm."""
        lens = self.lens
        rays = cv2.undistortPoints(np.asarray(pixels, float).reshape(-1, 1, 2), lens.matrix, lens.distortion)
        ways = np.column_stack([rays.reshape(-1, 2), np.ones(len(rays))]) @ self.rotation
        eye = self.eye_mm
        return np.asarray(eye[:2] + ways[:, :2] * ((z_mm - eye[2]) / ways[:, 2])[:, None], float)

    @cached_property
    def eye_mm(self) -> Floats:
        """Where the camera is, in this frame."""
        return np.asarray(-self.rotation.T @ self.shift_mm, float)

    def of_board(self, pose: Pose) -> View:
        """The view of a board lying so in this (the table's) frame."""
        turn = np.radians(pose.yaw_deg)
        cos, sin = np.cos(turn), np.sin(turn)
        yaw = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
        return View(self.lens, self.rotation @ yaw, self.rotation @ np.array(pose.origin_mm) + self.shift_mm)

    @cached_property
    def _turn(self) -> Floats:
        return np.asarray(cv2.Rodrigues(self.rotation)[0], float)


def box_corners(board: Board, height_mm: float) -> Floats:
    """The eight corners of the room over a board up to that height."""
    width, depth = board.size_mm
    ground = [(0, 0), (width, 0), (width, depth), (0, depth)]
    return np.array([(x, y, z) for z in (0.0, height_mm) for x, y in ground])
