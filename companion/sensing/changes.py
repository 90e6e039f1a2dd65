"""What is different between two still pictures of a board, once the light is taken out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.edges import Slopes
from companion.sensing.glance import Mask, Small, greatest, least, most

_CHANGED = 0.07  # in logarithms: what counts as changed at the least
_NOISES = 6.0  # and how many times the noise of this pair of pictures
_CUT_PX = 3  # a change that comes so near to what is not known may go on there
_LIGHT_SAME, _LIGHT_SHARE = (
    0.06,
    0.2,
)  # pixels no brighter than that, and how many of them, for the light to be the same
_LIGHT_BIN, _LIGHT_BINS = 0.02, 60  # how finely changes of light are told apart, and how many such steps there are
_SHADE, _SHADE_SHARE = 0.04, 0.4  # how far colours may differ in what a shadow does to them
_WHITE = 5.56  # in logarithms: as bright as a picture can be, or nearly so
_SPECK_PX = 6  # fewer changed pixels than these together are noise


@dataclass(frozen=True, eq=False)
class Change:
    """The difference of two logarithmic pictures (height, width, 3) of one crop: after less before, less the light.

    `changed` are the pixels that are not what they were, without specks. What is not `known`, since something hides it,
    counts as the same. `gain` (3) is the light that was taken out.
    """

    before: Small
    after: Small
    by_channel: Small
    changed: Mask
    known: Mask
    gain: Small

    @classmethod
    def between(cls, before: Small, after: Small, known: Mask) -> Change:
        """From a still picture to a later one."""
        change: Small = after - before
        plain = change[::3, ::3][known[::3, ::3]]
        gain = np.array([light_of(plain[:, channel]) for channel in range(3)], np.float32)
        same = np.abs(plain - gain)
        same = same[same <= _LIGHT_SAME]
        noise = 1.48 * float(np.median(same)) if len(same) else 0.0
        same_light = float(np.abs(gain).max()) <= _CHANGED
        if same_light:
            change -= gain
        else:
            change = _within_range(before, after, gain)
        change = only_there(change, known)
        return cls(before, after, change, _changed(change, max(_CHANGED, _NOISES * noise)) & known, known, gain)

    def only(self, where: Mask) -> Change:
        """The part of the change that is there."""
        return replace(self, by_channel=only_there(self.by_channel, where), changed=self.changed & where)

    def behind(self, hidden: Mask) -> Change:
        """The change as far as it is not hidden."""
        return replace(self, changed=self.changed & ~hidden, known=self.known & ~hidden)

    def in_full_view(self) -> Change:
        """The parts of the change that end before what is not known."""
        count, labels = cv2.connectedComponents(widened(self.changed, 1).view(np.uint8), connectivity=8)
        cut = np.zeros(count, bool)
        cut[np.unique(labels[widened(~self.known, _CUT_PX)])] = True
        return self.only(~cut[labels]) if cut[1:].any() else self

    @cached_property
    def shadow(self) -> Mask:
        """Pixels that a shadow may have come over, or gone from: darker or brighter by much the same in all colours."""
        smooth = cv2.blur(self.by_channel, (3, 3))
        low, high = least(smooth), greatest(smooth)
        alike = high - low < _SHADE + _SHADE_SHARE * np.maximum(np.abs(low), np.abs(high))
        return np.asarray(alike & (low * high > 0))

    @cached_property
    def plain(self) -> Small:
        """The channel that shows the change best."""
        where = self.changed
        strength = np.abs(self.by_channel[where]).sum(axis=0) if where.any() else np.ones(3)
        return np.ascontiguousarray(self.by_channel[:, :, int(strength.argmax())])

    @cached_property
    def slopes(self) -> Slopes:
        """Edges of what changed: texture that stayed where it was has none."""
        return Slopes.of(self.plain, self.known)

    @cached_property
    def was(self) -> Slopes:
        """Edges of what was there before."""
        return Slopes.of(self.before, self.known)

    @cached_property
    def is_now(self) -> Slopes:
        """Edges of what is there now."""
        return Slopes.of(self.after, self.known)


def _changed(change: Small, limit: float) -> Mask:
    """Where a change (height, width, 3) is more than so much, without specks."""
    raw = most(cv2.blur(change, (3, 3))) > limit
    count, labels, stats, _ = cv2.connectedComponentsWithStats(raw.view(np.uint8), connectivity=8)
    real = stats[:, cv2.CC_STAT_AREA] >= _SPECK_PX
    real[0] = False
    return np.asarray(real[labels] if count > 1 else np.zeros_like(raw))


def _within_range(before: Small, after: Small, gain: Small) -> Small:
    """What changed by more than the light, as far as a camera can show it: nothing is brighter than white.

    What was white may have been brighter than that, so that it need not become darker with the light.
    """
    low, now = np.minimum(before + gain, _WHITE), np.minimum(after, _WHITE)
    high = np.where(before >= _WHITE, np.float32(_WHITE), low)
    return np.asarray(now - np.clip(now, low, high), np.float32)


def light_of(change: Small) -> float:
    """How much brighter it became all over, in logarithms, by a change of pixels (n).

    A sleeve may cover more than half of the picture, and alike. So the light is as it was if a good part of the pixels
    are; else it is what most of them have in common.
    """
    same = change[np.abs(change) <= _LIGHT_SAME]
    if len(same) >= _LIGHT_SHARE * len(change):
        return float(np.median(same)) if len(same) else 0.0
    bins = np.clip((change / _LIGHT_BIN).astype(np.int32) + _LIGHT_BINS, 0, 2 * _LIGHT_BINS)
    counts = np.convolve(np.bincount(bins, minlength=2 * _LIGHT_BINS + 1), (1, 2, 1), "same")
    about = (int(counts.argmax()) - _LIGHT_BINS) * _LIGHT_BIN
    return float(np.median(change[np.abs(change - about) <= 3 * _LIGHT_BIN]))


def only_there(picture: Small, where: Mask) -> Small:
    """A picture (height, width, 3) that is nothing elsewhere; several times faster than a product."""
    return np.asarray(cv2.copyTo(picture, where.view(np.uint8)), np.float32)


def laid_over(picture: Small, other: Small, where: Mask) -> Small:
    """A picture with another one's pixels there; several times faster than a choice by pixel."""
    return np.asarray(cv2.copyTo(other, where.view(np.uint8), picture.copy()), np.float32)


def filled(ring: npt.ArrayLike, shape: tuple[int, ...]) -> Mask:
    """The pixels inside a convex hull of points."""
    hull = cv2.convexHull(np.asarray(ring, np.float32))
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 1)
    return np.asarray(mask.astype(bool))


def widened(mask: Mask, by_px: int) -> Mask:
    """A mask with so many pixels more all around."""
    size = 2 * by_px + 1
    return np.asarray(cv2.dilate(mask.view(np.uint8), np.ones((size, size), np.uint8)).astype(bool))
