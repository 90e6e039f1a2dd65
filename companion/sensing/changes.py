"""What is different between two quiet pictures of a board, once the light is taken out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.edges import Slopes
from companion.sensing.glance import Mask, Small, most

_CHANGED = 0.07  # in logarithms: what counts as changed at the least
_NOISES = 6.0  # and how many times the noise of this pair of pictures
_SPECK_PX = 6  # fewer changed pixels than these together are noise


@dataclass(frozen=True, eq=False)
class Change:
    """The difference of two logarithmic pictures (height, width, 3) of one crop: after less before, less the light."""

    by_channel: Small
    noise: float

    @classmethod
    def between(cls, before: Small, after: Small) -> Change:
        """From a quiet picture to a later one."""
        change: Small = after - before
        gain = np.median(change[::2, ::2].reshape(-1, 3), axis=0)
        change = change - gain.astype(np.float32)
        noise = 1.48 * float(np.median(np.abs(change[::2, ::2])))
        return cls(change, max(noise, 1e-3))

    @cached_property
    def changed(self) -> Mask:
        """Pixels that are not what they were, without specks."""
        smooth = cv2.GaussianBlur(self.by_channel, (3, 3), 0)
        raw = most(smooth) > max(_CHANGED, _NOISES * self.noise)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(raw.astype(np.uint8), connectivity=8)
        real = stats[:, cv2.CC_STAT_AREA] >= _SPECK_PX
        real[0] = False
        return np.asarray(real[labels] if count > 1 else np.zeros_like(raw))

    @cached_property
    def plain(self) -> Small:
        """The channel that shows the change best."""
        where = self.changed
        strength = np.abs(self.by_channel[where]).sum(axis=0) if where.any() else np.ones(3)
        return np.ascontiguousarray(self.by_channel[:, :, int(strength.argmax())])

    @cached_property
    def slopes(self) -> Slopes:
        """Edges of what changed: texture that stayed where it was has none."""
        return Slopes.of(self.plain)


def filled(ring: npt.ArrayLike, shape: tuple[int, ...]) -> Mask:
    """The pixels inside a convex hull of points."""
    hull = cv2.convexHull(np.asarray(ring, np.float32))
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 1)
    return np.asarray(mask.astype(bool))
