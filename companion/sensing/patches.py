"""Patches that stand out of a floor: what is on it, however it is shaped, or is printed there.

How far a patch reaches each way tells how large a piece it is: a figure with arms reaches as far as the box around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.castle import Standing
from companion.sensing.glance import Mask, Small
from companion.sensing.slabs import Relief
from companion.sensing.views import Floats

_WAYS = 16
_ANGLES = 2 * np.pi / _WAYS * np.arange(_WAYS)
_OUTWARD: Floats = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_LEVELS = (0.3, 0.6, 1.0)  # in logarithms: how unlike the floor a patch is; shadows are so at the first, rarely further
_SPREAD = 2.0  # it is that much more unlike than most of the floor is to itself
_MOSTLY = 60  # percent of a floor are bare
_BARE_PX = 60  # a floor of which less is seen has none
_SAMPLE = 3  # every so many pixels of it are asked
_LEAST_PX, _MOST = 12, 0.4  # how large a patch is, the most in parts of the floor
_FILLED = 0.5  # it fills that part of the outline around it: lines that cross do not
_MISFIT = 0.25  # of a piece's size: a patch that reaches so much farther or less far is something else

Face: TypeAlias = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Patch:
    """How far a patch reaches each way in a relief, in pixels; where its floor `cuts` it off it may go on."""

    reach: Floats
    cut: Mask

    def fits(self, reach: Floats) -> tuple[Floats, Floats]:
        """How far pieces that reach so far (n, ways) are moved to be there (n, 2), and how alike they are then, to 1.

        What is cut off says less of how far it reaches, and of where it is.
        """
        seen = ~self.cut
        if seen.sum() < _WAYS // 2:
            return np.zeros((len(reach), 2)), np.zeros(len(reach))
        more = self.reach - reach
        moved = more[:, seen] @ np.linalg.pinv(_OUTWARD[seen]).T
        off = more - moved @ _OUTWARD.T
        off[:, self.cut] = np.maximum(off[:, self.cut], 0.0)
        alike = 1 - np.sqrt(np.mean(off**2, axis=1)) / (_MISFIT * reach.mean(axis=1))
        return moved, np.maximum(0.0, alike) * float(seen.mean()) ** 2


def reach_px(corners: Floats) -> Floats:
    """How far what has these corners in a relief reaches each way."""
    return np.asarray((corners @ _OUTWARD.T).max(axis=0), float)


def patches(relief: Relief, floor: Standing) -> list[Patch]:
    """The patches of a floor's face that are unlike most of it."""
    ring = relief.project(floor.shape.corners(floor.centre, floor.turn_deg, floor.low_mm)[4:])
    height, width = relief.hidden.shape
    low, high = np.clip([ring.min(axis=0) - 1, ring.max(axis=0) + 2], 0, (width, height)).astype(int)
    if (high - low).min() < 1:
        return []
    face: Face = np.zeros((high - low)[::-1], np.uint8)
    cv2.fillConvexPoly(face, np.rint(ring - low).astype(np.int32), 1)
    inner = _eroded(face)
    core = _eroded(inner)
    unlike = _unlike(relief.picture[low[1] : high[1], low[0] : high[0]], core > 0)
    if unlike is None:
        return []
    rim, most_px = inner > core, _MOST * float(face.sum())
    return [patch for level in _LEVELS for patch in _patches(inner * np.asarray(unlike > level), rim, low, most_px)]


def _eroded(face: Face) -> Face:
    return np.asarray(cv2.erode(face, np.ones((3, 3), np.uint8), borderValue=0), np.uint8)


def _unlike(picture: Small, core: Mask) -> Small | None:
    """How unlike most of a face each pixel is, where that is more than the face is to itself; else nothing."""
    colours = picture[core][::_SAMPLE]
    if len(colours) < _BARE_PX // _SAMPLE:
        return None
    usual = np.median(colours, axis=0)
    for _ in range(2):
        off = np.abs(colours - usual).max(axis=1)
        usual = np.median(colours[off <= np.percentile(off, _MOSTLY)], axis=0)
    unlike = np.abs(picture - usual).max(axis=2)
    least = _SPREAD * np.percentile(unlike[core], _MOSTLY)
    return np.asarray(np.where(unlike > least, unlike, 0.0), np.float32)


def _patches(where: Face, rim: Mask, low: npt.NDArray[np.int_], most_px: float) -> list[Patch]:
    count, label, stats, _ = cv2.connectedComponentsWithStats(where, connectivity=4)
    found = []
    for at in range(1, count):
        if _LEAST_PX <= stats[at, cv2.CC_STAT_AREA] <= most_px:
            outline = cv2.convexHull(cv2.findNonZero((label == at).astype(np.uint8)))[:, 0]
            if stats[at, cv2.CC_STAT_AREA] >= _FILLED * cv2.contourArea(outline):
                reach = outline @ _OUTWARD.T
                x, y = outline[reach.argmax(axis=0)].T
                found.append(Patch(reach.max(axis=0) + _OUTWARD @ low + 0.5, rim[y, x]))
    return found
