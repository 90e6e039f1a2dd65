"""Pictures of a model without a screen: where the camera stands, and shots that are drawn when something has moved."""

from __future__ import annotations

import sys
from typing import Any, cast

import cv2
import mujoco
import numpy as np
import numpy.typing as npt

from companion.sensing.plan import Camera, Plan, Point3
from companion.sensing.streams import Image
from companion.twin.camera import Eye, Lens, project
from companion.twin.looks import EYE, board_corners
from companion.twin.prints import DICTIONARY

_MM = 0.001
_SEEN_MM = 0.02
"""Nothing that moved less than this is drawn anew."""
_SEEN_TURN = 0.0005
_TALL_MM = 165.0
_MARGIN = 0.03
_NEAREST_MM, _FARTHEST_MM = 300.0, 3000.0
_FITTING_STEPS = 24
_CLEAR_OF_ARMS_MM = 600.0
"""Nearer than this somebody's sleeve would fill the picture."""
_MOST_GEOMS = 2000
_SHADOW_MAP_PX, _SMALL_SHADOW_MAP_PX = 1024, 512
_BELOW_M = -0.1
_HIDDEN_GROUP = 5
"""A group of geoms that MuJoCo does not draw unless told to."""
_NOT_DRAWN = (
    mujoco.mjtRndFlag.mjRND_REFLECTION,
    mujoco.mjtRndFlag.mjRND_SKYBOX,
    mujoco.mjtRndFlag.mjRND_HAZE,
    mujoco.mjtRndFlag.mjRND_FOG,
)


class _Canvas:
    """MuJoCo's renderer on a context of its own: whatever window system others use, this draws without one."""

    def __init__(self, model: Any, width: int, height: int) -> None:
        self._open = False
        self._gl = _gl_context()(width, height)
        self._gl.make_current()
        self._context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100.value)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, self._context)
        self._scene = mujoco.MjvScene(model=model, maxgeom=_MOST_GEOMS)
        for flag in _NOT_DRAWN:
            self._scene.flags[flag] = 0
        self._options = mujoco.MjvOption()
        self._camera = mujoco.MjvCamera()
        self._camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
        self._area = mujoco.MjrRect(0, 0, width, height)
        self._buffer = np.empty((height, width, 3), np.uint8)
        self._open = True

    def draw(self, model: Any, data: Any, camera: int) -> Image:
        self._gl.make_current()
        self._camera.fixedcamid = camera
        mujoco.mjv_updateScene(
            model, data, self._options, None, self._camera, mujoco.mjtCatBit.mjCAT_ALL.value, self._scene
        )
        mujoco.mjr_render(self._area, self._scene, self._context)
        mujoco.mjr_readPixels(self._buffer, None, self._area, self._context)
        return cast(Image, cv2.cvtColor(cv2.flip(self._buffer, 0), cv2.COLOR_RGB2BGR))

    def close(self) -> None:
        """Give back what it holds, in its own context: freed in another's, it would take that one's textures away."""
        if self._open:
            self._open = False
            self._gl.make_current()
            self._context.free()
            self._gl.free()

    def __del__(self) -> None:
        if not sys.is_finalizing():
            self.close()


def _gl_context() -> Any:
    """Without a screen where that is possible, whatever was imported before."""
    if sys.platform == "linux":
        from mujoco.egl import GLContext
    else:
        from mujoco.gl_context import GLContext
    return GLContext


class Drawing:
    """Draws a dressed model as one pinhole camera sees it."""

    def __init__(self, model: Any, camera: Camera, eye: Eye, size: float = 1.0) -> None:
        """`size` is the share of the pinhole's width and height to draw: less is faster."""
        self._model = model
        self.eye = eye
        pinhole = Lens(camera).pinhole
        model.cam_fovy[self._number] = pinhole.fovy_deg
        self._stand(eye)
        model.vis.quality.shadowsize = _SHADOW_MAP_PX if size == 1 else _SMALL_SHADOW_MAP_PX
        self._canvas = _Canvas(model, round(pinhole.width * size), round(pinhole.height * size))
        self._groups = np.where(model.geom_group == _HIDDEN_GROUP, 0, model.geom_group)
        self._last: Image | None = None
        self._drawn_at: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None = None

    @property
    def _number(self) -> int:
        return int(mujoco.mj_name2id(self._model, mujoco.mjtObj.mjOBJ_CAMERA, EYE))

    def shot(self, data: Any, anew: bool = False) -> Image:
        """What is there now, blue, green, red; the last shot again when nothing has moved since."""
        if self._last is None or anew or self._moved(data):
            self._point(data)
            self._hide(data)
            self._last = self._canvas.draw(self._model, data, self._number)
            self._drawn_at = (data.xpos.copy(), data.xquat.copy())
        return self._last

    def stand(self, eye: Eye) -> None:
        """Move the camera."""
        self._stand(eye)
        self._last = None

    def close(self) -> None:
        self._canvas.close()

    def _stand(self, eye: Eye) -> None:
        self.eye = eye
        right, down, forward = eye.axes()
        turn = np.zeros(4)
        mujoco.mju_mat2Quat(turn, np.stack([right, -down, -forward], axis=1).ravel())
        self._model.cam_pos[self._number] = np.asarray(eye.at_mm) * _MM
        self._model.cam_quat[self._number] = turn

    def _point(self, data: Any) -> None:
        """What MuJoCo would do itself at its next step, if a sleeping table did not keep it from it."""
        right, down, forward = self.eye.axes()
        data.cam_xpos[self._number] = np.asarray(self.eye.at_mm) * _MM
        data.cam_xmat[self._number] = np.stack([right, -down, -forward], axis=1).ravel()

    def _hide(self, data: Any) -> None:
        """What lies below the table costs time to draw, and is not seen."""
        below = data.geom_xpos[:, 2] < _BELOW_M
        self._model.geom_group[:] = np.where(below, _HIDDEN_GROUP, self._groups)

    def _moved(self, data: Any) -> bool:
        if self._drawn_at is None:
            return True
        places, turns = self._drawn_at
        return bool(np.abs(data.xpos - places).max() > _SEEN_MM * _MM or np.abs(data.xquat - turns).max() > _SEEN_TURN)


def plain_camera(width: int = 640, height: int = 480, fps: float = 30.0, focal_px: float = 600.0) -> Camera:
    """A camera with nothing wrong with it."""
    matrix = ((focal_px, 0.0, (width - 1) / 2), (0.0, focal_px, (height - 1) / 2), (0.0, 0.0, 1.0))
    return Camera(width, height, fps, DICTIONARY, matrix, (0.0,) * 5)


def any_camera(rng: np.random.Generator, boards: int, fps: float = 30.0, size: tuple[int, int] | None = None) -> Camera:
    """A webcam of some make: wider or narrower, not quite centred, with a little distortion. Large for many boards."""
    width, height = size or ((640, 480) if boards <= 2 else (1280, 720))
    focal = width * float(rng.uniform(1.15, 1.5) if boards == 1 else rng.uniform(0.8, 1.15))
    matrix = (
        (round(focal, 2), 0.0, round(width / 2 + float(rng.normal(0, 5)), 2)),
        (0.0, round(focal * float(rng.normal(1, 0.002)), 2), round(height / 2 + float(rng.normal(0, 5)), 2)),
        (0.0, 0.0, 1.0),
    )
    k1 = float(rng.uniform(-0.12, 0.06))
    bent = (k1, -k1 * float(rng.uniform(0.1, 0.5)), *(float(p) for p in rng.normal(0, 0.0006, 2)), 0.0)
    return Camera(width, height, fps, DICTIONARY, matrix, tuple(round(number, 6) for number in bent))


def any_eye(rng: np.random.Generator, plan: Plan, camera: Camera) -> Eye:
    """Somewhere on the camera's side of the table, high enough, and as near as shows all boards and their towers."""
    aside, up = float(rng.uniform(-0.45, 0.45)), float(rng.uniform(0.85, 1.7))
    roll, room = float(rng.normal(0, 1.5)), float(rng.uniform(1, 1.12))
    return fitted_eye(plan, camera, (aside, -1.0, up), roll, room)


def fitted_eye(
    plan: Plan, camera: Camera, back: Point3 = (0.0, -1.0, 0.9), roll_deg: float = 0.0, room: float = 1.0
) -> Eye:
    """The nearest place toward `back` from the boards that shows them all, clear of arms; then `room` times as far."""
    points = [corner for board in plan.boards for z in (0.0, _TALL_MM) for corner in board_corners(board, z)]
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    x, y, z = (float(value) for value in (low + high) / 2)
    middle = (x, y, z * 0.7)
    away = np.asarray(back) / np.linalg.norm(back)

    def at(distance_mm: float) -> Eye:
        x, y, z = (float(value) for value in np.asarray(middle) + away * distance_mm)
        return Eye((x, y, z), middle, roll_deg)

    near, far = _NEAREST_MM, _FARTHEST_MM
    for _ in range(_FITTING_STEPS):
        half = (near + far) / 2
        near, far = (near, half) if _all_seen(camera, points, at(half)) else (half, far)
    return at(max(far, _CLEAR_OF_ARMS_MM) * room)


def _all_seen(camera: Camera, points: list[Point3], eye: Eye) -> bool:
    turn, shift = eye.extrinsics()
    if ((np.asarray(points) @ turn.T + shift)[:, 2] <= 1.0).any():
        return False
    size = np.asarray([camera.width, camera.height])
    found = project(camera, points, eye) / size
    return bool((found > _MARGIN).all() and (found < 1 - _MARGIN).all())


def nudged(eye: Eye, size: float, rng: np.random.Generator) -> Eye:
    """The camera after somebody has knocked against it: a few mm and degrees away for a `size` of 1."""
    shift = rng.normal(0, 6, 3) * size
    swing = rng.normal(0, 25, 3) * size
    x, y, z = (float(a + b) for a, b in zip(eye.at_mm, shift, strict=True))
    u, v, w = (float(a + b) for a, b in zip(eye.looks_at_mm, swing, strict=True))
    return Eye((x, y, z), (u, v, w), eye.roll_deg + float(rng.normal(0, 1.2)) * size)
