"""What moves, at a glance: pixels that changed since a moment ago, once a change of light is taken out."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.glance import Mask, Small, most

_BACK_S = 0.07  # what a glance is compared with: long enough for a slow hand to show, short enough to end with it
MOTION_LAG_US = 35_000
"""How long ago what is seen to move did so, in the middle."""
_CHANGED = 0.06  # in logarithms: six percent brighter or darker
_LIGHT = 0.015  # the whole picture this much brighter or darker since the last glance: the light, or the exposure
_LIGHT_CALM_S = 0.25  # after a change of light nothing is believed for so long
_NEIGHBOURS = 4  # pixels of nine that must have changed together
_NOISES = 4.0  # a change must be so many times what the pixel does by itself: edges shimmer
_LEARN = 0.08  # how fast a pixel's own shimmer is learned
_MOST_SHIMMER = 0.04  # in logarithms
_COLOURS = np.array((0.5, 1.0, 0.5), np.float32)  # films keep colours coarsely: blue and red flicker in whole blocks


@dataclass(frozen=True, eq=False, slots=True)
class Stir:
    """What moved at one glance; `light` when the light changed just before, and what moved cannot be told."""

    t_us: int
    moving: Mask
    light: bool


@dataclass(frozen=True, eq=False)
class Stirring:
    """What moved over a board since a calm look, in pixels of a glance: at once, and of that not in from beyond."""

    busiest: int = 0
    inmost: int = 0
    began_us: int | None = None
    last_us: int = 0

    @property
    def seconds(self) -> float:
        return 0.0 if self.began_us is None else (self.last_us - self.began_us) * 1e-6


class Motion:
    """Compares each glance with the one a moment before."""

    def __init__(self) -> None:
        self._past: deque[tuple[int, Small]] = deque()
        self._dark_until_us: int | None = None
        self._shimmer: Small | None = None

    def feed(self, t_us: int, now: Small) -> Stir:
        """The motion at a glance; nothing moves at the first."""
        self._past.append((t_us, now))
        while len(self._past) > 2 and t_us - self._past[1][0] >= _BACK_S * 1e6:
            self._past.popleft()
        before = self._past[0][1]
        change: Small = now - before
        gain = float(np.median(change[::6, ::6, 1]))
        if abs(gain) > _LIGHT:
            self._dark_until_us = t_us + round(_LIGHT_CALM_S * 1e6)
        light = self._dark_until_us is not None and t_us <= self._dark_until_us
        return Stir(t_us, together(self._beyond_shimmer(most((change - gain) * _COLOURS), light)), light)

    def _beyond_shimmer(self, change: Small, light: bool) -> Mask:
        """Pixels that changed more than they do by themselves, which is learned on the way."""
        if self._shimmer is None:
            self._shimmer = np.full_like(change, _CHANGED / _NOISES)
        limit = np.maximum(_NOISES * self._shimmer, _CHANGED)
        if not light and len(self._past) > 2:
            once = np.minimum(change, 2 * self._shimmer + 0.002)
            self._shimmer = np.minimum(self._shimmer + _LEARN * (once - self._shimmer), _MOST_SHIMMER)
        return np.asarray(change > limit)


def together(changed: Mask) -> Mask:
    """Changed pixels that are not alone: single ones are noise."""
    near = cv2.boxFilter(changed.view(np.uint8), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(changed & (near >= _NEIGHBOURS))
