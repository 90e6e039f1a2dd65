"""A camera as people have one: from clean pictures of a pinhole to what a webcam hands over.

The lens is exactly the one that the plan states. What the sensor adds is noise, blur, a rolling exposure, exposure
that is corrected in steps, compression, lost pictures and times that are not quite right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias, cast

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.sensing.plan import Camera, Point3
from companion.sensing.streams import Image

Shade: TypeAlias = npt.NDArray[np.float32]
"""How bright each part of the picture is lit: (rows, columns) or (rows, columns, 3), stretched over the picture."""

_MARGIN_PX = 2
_NOISE_FIELDS = 6
_UNBENDING_STEPS = 12
_BLUR_KERNEL = (5, 5)
_BRIGHTNESS_BAND = (0.55, 1.45)
_GAINS = (0.4, 3.0)
_LEVELS = (0.67, 1.45)
"""While the picture is so dark or bright, as a share of what it aims at, the exposure stays as it is."""


class Pinhole(msgspec.Struct, frozen=True):
    """The picture to render: no distortion, the principal point in the middle, square pixels."""

    width: int
    height: int
    focal_px: float

    @property
    def fovy_deg(self) -> float:
        return math.degrees(2 * math.atan(self.height / 2 / self.focal_px))


class Lens:
    """The stated camera: which pinhole to render for it, and how to bend that picture."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        rays = _rays(camera)
        matrix = np.asarray(camera.matrix, dtype=float)
        focal = float(max(matrix[0, 0], matrix[1, 1]))
        half_x, half_y = np.abs(rays).reshape(-1, 2).max(axis=0) * focal + _MARGIN_PX
        self.pinhole = Pinhole(2 * math.ceil(half_x), 2 * math.ceil(half_y), focal)
        middle = np.array([(self.pinhole.width - 1) / 2, (self.pinhole.height - 1) / 2])
        source = (rays * focal + middle).astype(np.float32)
        self._maps = cv2.convertMaps(source, None, cv2.CV_16SC2)

    def bend(self, clean: Image) -> Image:
        """A picture of the pinhole as the lens shows it."""
        return cast(Image, cv2.remap(clean, self._maps[0], self._maps[1], cv2.INTER_LINEAR))


def project(camera: Camera, points_mm: npt.ArrayLike, eye: Eye) -> npt.NDArray[np.float64]:
    """Where points of the table (mm) are in the picture of a camera that stands at `eye`."""
    turn, shift = eye.extrinsics()
    found, _ = cv2.projectPoints(
        np.asarray(points_mm, dtype=float).reshape(-1, 3),
        cv2.Rodrigues(turn)[0],
        shift,
        np.asarray(camera.matrix, dtype=float),
        np.asarray(camera.distortion or (0.0,) * 5, dtype=float),
    )
    return np.asarray(found, np.float64).reshape(-1, 2)


class Eye(msgspec.Struct, frozen=True):
    """Where a camera stands on the table's frame, what it looks at, and how it is rolled."""

    at_mm: Point3
    looks_at_mm: Point3
    roll_deg: float = 0.0

    def axes(self) -> npt.NDArray[np.float64]:
        """Its right, down and forward in the table's frame, as rows."""
        forward = np.subtract(self.looks_at_mm, self.at_mm)
        forward = forward / np.linalg.norm(forward)
        right = np.cross(forward, (0.0, 0.0, 1.0))
        right = right / np.linalg.norm(right)
        down = np.cross(forward, right)
        roll = math.radians(self.roll_deg)
        turned = math.cos(roll) * right + math.sin(roll) * down
        return np.stack([turned, np.cross(forward, turned), forward])

    def extrinsics(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Rotation and shift (mm) from the table's frame to OpenCV's camera frame."""
        axes = self.axes()
        return axes, -axes @ np.asarray(self.at_mm, dtype=float)


def _rays(camera: Camera) -> npt.NDArray[np.float64]:
    """For each pixel the direction it looks in, x and y at depth one, by a few steps toward what the lens bends."""
    columns, rows = np.meshgrid(np.arange(camera.width, dtype=float), np.arange(camera.height, dtype=float))
    matrix = np.asarray(camera.matrix, dtype=float)
    wanted = np.stack([(columns - matrix[0, 2]) / matrix[0, 0], (rows - matrix[1, 2]) / matrix[1, 1]], axis=-1)
    rays = wanted.copy()
    for _ in range(_UNBENDING_STEPS if any(camera.distortion) else 0):
        rays += wanted - _bent(rays, camera.distortion)
    return rays


def _bent(rays: npt.NDArray[np.float64], distortion: Sequence[float]) -> npt.NDArray[np.float64]:
    """OpenCV's lens model with its first five numbers: k1, k2, p1, p2, k3."""
    k1, k2, p1, p2, k3 = (*distortion, 0.0, 0.0, 0.0, 0.0, 0.0)[:5]
    x, y = rays[..., 0], rays[..., 1]
    square = x * x + y * y
    radial = 1 + square * (k1 + square * (k2 + square * k3))
    return np.stack(
        [
            x * radial + 2 * p1 * x * y + p2 * (square + 2 * x * x),
            y * radial + p1 * (square + 2 * y * y) + 2 * p2 * x * y,
        ],
        axis=-1,
    )


class SensorTraits(msgspec.Struct, frozen=True, kw_only=True):
    """What is peculiar about one camera."""

    noise: float = 0.0
    """Standard deviation, in grey levels of 255, of a middle grey."""
    blur_px: float = 0.0
    jpeg_quality: int = 0
    """0: not compressed."""
    exposure_s: float = 0.008
    readout_s: float = 0.0
    brightness: float = 1.0
    tint: Point3 = (1.0, 1.0, 1.0)
    """Blue, green, red."""
    vignette: float = 0.0
    aims_at: float = 0.0
    """The mean grey that the exposure aims at when it starts, and when it is corrected; 0: exposed as it is."""
    adapts_s: float = 0.0
    """How long after a change of light the exposure is corrected; 0: never."""
    drop_share: float = 0.0
    late_us: int = 0
    """By how much its clock is ahead of the scales'."""
    jitter_us: float = 0.0
    wrong_time_share: float = 0.0


def any_sensor(rng: np.random.Generator) -> SensorTraits:
    """A camera as somebody might own one."""
    return SensorTraits(
        noise=float(rng.uniform(1.0, 5.0)),
        blur_px=float(rng.uniform(0.3, 1.0)),
        jpeg_quality=int(rng.integers(60, 95)),
        exposure_s=float(rng.uniform(0.004, 0.022)),
        readout_s=float(rng.uniform(0.005, 0.028)),
        brightness=float(rng.uniform(0.85, 1.1)),
        tint=(float(rng.uniform(0.9, 1.1)), 1.0, float(rng.uniform(0.92, 1.08))),
        vignette=float(rng.uniform(0.0, 0.3)),
        aims_at=float(rng.uniform(85, 120)),
        adapts_s=float(rng.choice((0.0, 0.25, 0.5, 1.0))),
        drop_share=float(rng.choice((0.0, 0.0, 0.01, 0.04))),
        late_us=int(rng.integers(-20_000, 45_000)),
        jitter_us=float(rng.uniform(100, 4000)),
        wrong_time_share=float(rng.choice((0.0, 0.0, 0.003))),
    )


class Sensor:
    """Turns clean pictures into a camera's: one shot for a still table, more for one that moves."""

    def __init__(self, camera: Camera, traits: SensorTraits, rng: np.random.Generator) -> None:
        self.lens = Lens(camera)
        self.traits = traits
        self._rng = rng
        self._size = (camera.height, camera.width)
        self._noise = [self._noise_field() for _ in range(_NOISE_FIELDS)] if traits.noise else []
        self._still = self._shading()
        self._gain = 1.0
        self._exposed = not traits.aims_at
        self._wanted_since_us: int | None = None

    def take(self, shots: Sequence[Image], moments_s: Sequence[float], shade: Shade | None, t_us: int) -> Image:
        """One picture from clean ones, taken at these moments before or after its middle, under this light."""
        bent = [self.lens.bend(shot) for shot in shots]
        picture = bent[0].astype(np.float32) if len(bent) == 1 else self._rolled(bent, moments_s)
        picture *= self._lit(shade)
        self._adapt(float(picture[::16, ::16].mean()), t_us)
        if self.traits.blur_px:
            picture = cv2.GaussianBlur(picture, _BLUR_KERNEL, self.traits.blur_px)
        if self._noise:
            picture += self._grain(picture)
        return self._compressed(cv2.convertScaleAbs(np.maximum(picture, 0, out=picture)))

    def _lit(self, shade: Shade | None) -> npt.NDArray[np.float32]:
        if shade is None:
            return self._still * np.float32(self._gain)
        wide = cv2.resize(_three(shade) * np.float32(self._gain), self._size[::-1], interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.multiply(wide, self._still), np.float32)

    def stamp(self, t_us: int) -> int | None:
        """The time the camera gives a picture; None when the picture is lost."""
        traits, rng = self.traits, self._rng
        luck, slip = rng.random(), rng.normal(0, traits.jitter_us)
        wrong = rng.integers(-60_000, 60_000)
        if luck < traits.drop_share:
            return None
        return round(t_us + traits.late_us + slip) + (int(wrong) if luck > 1 - traits.wrong_time_share else 0)

    def _rolled(self, bent: Sequence[Image], moments_s: Sequence[float]) -> npt.NDArray[np.float32]:
        """Each row exposed in its own moment: the shots in the shares that its exposure has of them."""
        shares = row_shares(self._size[0], moments_s, self.traits.exposure_s, self.traits.readout_s)
        picture = np.zeros((*self._size, 3), np.float32)
        for shot, share in zip(bent, shares.T, strict=True):
            picture += shot * share[:, None, None]
        return picture

    def _adapt(self, mean: float, t_us: int) -> None:
        """Correct the exposure in one step, some time after the picture got too dark or too bright."""
        traits, seen = self.traits, max(mean, 1.0)
        if not self._exposed:  # it has been looking at the table for long
            self._exposed, self._gain = True, float(np.clip(traits.aims_at / seen, *_GAINS))
            return
        if not traits.adapts_s or not traits.aims_at:
            return
        if not _LEVELS[0] < seen / traits.aims_at < _LEVELS[1]:
            self._wanted_since_us = t_us if self._wanted_since_us is None else self._wanted_since_us
            if t_us - self._wanted_since_us >= traits.adapts_s * 1e6:
                step = float(np.clip((traits.aims_at / seen) ** 0.7, *_BRIGHTNESS_BAND))
                self._gain = float(np.clip(self._gain * step, *_GAINS))
                self._wanted_since_us = None
        else:
            self._wanted_since_us = None

    def _shading(self) -> npt.NDArray[np.float32]:
        """What never changes: brightness, tint and the darker corners."""
        height, width = self._size
        rows = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
        columns = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
        even = 1 - self.traits.vignette * (rows**2 + columns**2) / 2
        tint = np.asarray(self.traits.tint, np.float32) * self.traits.brightness
        return (even[:, :, None] * tint).astype(np.float32)

    def _noise_field(self) -> npt.NDArray[np.float32]:
        """Noise about one, a little alike in neighbouring pixels and partly grey, as after demosaicing."""
        height, width = self._size
        grey = self._rng.normal(0, 1, (height + 32, width + 32, 1)).astype(np.float32)
        colour = self._rng.normal(0, 0.6, (height + 32, width + 32, 3)).astype(np.float32)
        return np.asarray(cv2.GaussianBlur(grey + colour, (3, 3), 0.6), np.float32)

    def _grain(self, picture: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Noise that grows with the root of the light around it."""
        height, width = self._size
        field = self._noise[int(self._rng.integers(_NOISE_FIELDS))]
        down, right = (int(shift) for shift in self._rng.integers(0, 32, 2))
        rough = field[down : down + height, right : right + width]
        small = cv2.resize(picture[::4, ::4], (width // 8, height // 8), interpolation=cv2.INTER_AREA)
        strength = np.sqrt(np.maximum(small, 4.0) * (self._gain / 128.0)) * self.traits.noise
        wide = cv2.resize(strength.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.multiply(rough, wide), np.float32)

    def _compressed(self, picture: Image) -> Image:
        if not self.traits.jpeg_quality:
            return picture
        _, data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, self.traits.jpeg_quality))
        return cast(Image, cv2.imdecode(data, cv2.IMREAD_COLOR))


def row_shares(rows: int, moments_s: Sequence[float], exposure_s: float, readout_s: float) -> npt.NDArray[np.float32]:
    """For each row how much of each shot its exposure holds, whose middle is 0; the first row is exposed first.

    >>> row_shares(3, (-0.25, 0.25), 0.25, 0.25)[:, 0].tolist()
    [1.0, 0.5, 0.0]
    """
    starts = np.linspace(0, readout_s, rows)[:, None] - (exposure_s + readout_s) / 2
    between = [(early + late) / 2 for early, late in pairwise(moments_s)]
    edges = np.asarray([-math.inf, *between, math.inf])
    late = np.minimum(starts + exposure_s, edges[None, 1:])
    early = np.maximum(starts, edges[None, :-1])
    return np.asarray(np.clip(late - early, 0, None) / exposure_s, np.float32)


def _three(shade: Shade) -> Shade:
    return shade if shade.ndim == 3 else np.repeat(shade[:, :, None], 3, axis=2)
