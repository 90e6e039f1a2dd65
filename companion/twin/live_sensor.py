"""The live twin's camera behind its lens: a plain sensor that costs little, for pictures that must come in time."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.streams import Image

_NOISE = 2.0
_NOISE_FIELDS = 4
_MARGIN_PX = 16
_BLUR_KERNEL = (3, 3)
_BLUR_PX = 0.5
_AIMS_AT = 110.0
_ADAPTS_PER_PICTURE = 0.15
_GAINS = (0.4, 3.0)
_EVERY_PX = 16

Shade = npt.NDArray[np.float32]


class LiveSensor:
    """Makes a camera's picture of a clean one: exposed, a little soft, with noise that is new each time."""

    def __init__(self, width: int, height: int, rng: np.random.Generator) -> None:
        self._size = (width, height)
        self._rng = rng
        self._gain = 0.0
        self._lighter = [self._field() for _ in range(_NOISE_FIELDS)]
        self._darker = [self._field() for _ in range(_NOISE_FIELDS)]

    def take(self, shot: Image, shade: Shade | None) -> Image:
        """The picture of a shot of any size, under a shadow where there is one."""
        width, height = self._size
        picture = shot
        if shot.shape[:2] != (height, width):
            picture = np.asarray(cv2.resize(shot, self._size, interpolation=cv2.INTER_LINEAR), np.uint8)
        else:
            picture = np.asarray(cv2.GaussianBlur(shot, _BLUR_KERNEL, _BLUR_PX), np.uint8)
        if shade is not None:
            picture = self._shaded(picture, shade)
        picture = np.asarray(cv2.convertScaleAbs(picture, alpha=self._exposed(picture)), np.uint8)
        noisy = cv2.subtract(cv2.add(picture, self._any(self._lighter)), self._any(self._darker))
        return np.asarray(noisy, np.uint8)

    def _shaded(self, picture: Image, shade: Shade) -> Image:
        wide = np.asarray(cv2.resize(shade, self._size, interpolation=cv2.INTER_LINEAR), np.float32)
        wide = wide if wide.ndim == 3 else np.repeat(wide[:, :, None], 3, axis=2)
        return np.asarray(cv2.multiply(picture, wide, dtype=cv2.CV_8U), np.uint8)

    def _exposed(self, picture: Image) -> float:
        """The gain that brings the picture to its brightness, found at once at first and then little by little."""
        seen = max(1.0, float(picture[::_EVERY_PX, ::_EVERY_PX].mean()))
        wanted = float(np.clip(_AIMS_AT / seen, *_GAINS))
        self._gain += (wanted - self._gain) * (_ADAPTS_PER_PICTURE if self._gain else 1.0)
        return self._gain

    def _field(self) -> Image:
        width, height = self._size
        shape = (height + _MARGIN_PX, width + _MARGIN_PX, 3)
        rough = np.abs(self._rng.normal(0, 2 * _NOISE, shape)).astype(np.float32)
        return np.asarray(cv2.GaussianBlur(rough, _BLUR_KERNEL, 0.6).round(), np.uint8)

    def _any(self, fields: list[Image]) -> Image:
        width, height = self._size
        field = fields[int(self._rng.integers(len(fields)))]
        down, right = (int(shift) for shift in self._rng.integers(0, _MARGIN_PX, 2))
        return field[down : down + height, right : right + width]
