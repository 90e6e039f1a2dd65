"""Solid things among what changed between two pictures: no shimmering edges, no light and shadow, nothing that left.

A piece hides the ground's texture, has colours of its own and an outline. What only turns darker or brighter, all
colours alike, is light; a shadow that begins at a tower may be tinted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from companion.sensing.changes import Change, widened
from companion.sensing.glance import Mask, Small, greatest, least

_THICK = 0.2  # the share of a thing's pixels that are not at its border; shimmering edges are thin
_STRONG = 0.15  # in logarithms: how much a thing changes the picture at the least, in its middle
_LEVELS = 10.0  # grey levels: and so much, as what is dark flickers by a few when it is packed
_GREY = 0.05  # in logarithms: channels that change by the same, and a part of the change more, are light
_GREY_PART = 0.12
_TINTED_PART = 0.3  # of a shadow that is known by where it begins
_CLIPPED = 5.53  # in logarithms: brighter than this a channel may have been clipped
_BLACK = 3.7  # in logarithms: what is darker than this before and after says nothing
_DEEPEST_SHADOW = 1.3  # in logarithms: no shadow is darker in a lit room
SAME_TEXTURE = 0.45
"""The correlation from which the texture in a shadow is the ground's own."""
_SOME_TEXTURE = 0.2  # and from which it still shows, in a spot that turned darker evenly
_SAME_GROUND = 0.85  # and from which nothing can have come in front of it
_SHIFTED = 0.15  # the share of a spot that a shadow left, and that it came over, at the least
_EVEN = 0.2  # in logarithms: light changes a spot by about the same everywhere
_EVEN_PART = 0.5
_OLD_EDGE = 0.4  # what goes leaves less of an edge than this behind
_BRIGHT_EDGE = 0.9  # what is brighter and has less of an edge than there was is ground that a shadow left
_DARK_EDGE = 0.8  # and what is darker has this much of an edge, or it was ground in a shadow that moved
_NEW_EDGE = 1.5  # and what comes makes one, where there was little of it before
_GLOWS = 0.15  # in logarithms: ground that a shadow left is no brighter than that beside the ground around it
_AROUND_PX, _ENOUGH_PX = 12, 30  # how far around a thing that is, and how many pixels of it tell how it is lit
_MOST = 0.5
_LIT = 90  # percent: most of it is no brighter than where it is lit
_KERNEL = np.ones((3, 3), np.uint8)


def things(
    change: Change, before: Small, where: Mask, towers: Mask, least_px: int, grounds: Sequence[Mask] = ()
) -> Iterator[Mask]:
    """The solid things that came there between two pictures, each at least so large; shadows may begin at `towers`.

    How bright the ground is may differ between `grounds`: it is told by the one that a thing lies on for the most part.
    """
    bright = greatest(np.maximum(before, before + change.by_channel)) > _BLACK
    changed = (change.changed & where & bright).view(np.uint8)
    closed = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    large = np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= least_px) + 1
    if not len(large):
        return
    steep = (_steep(before), _steep(before + change.by_channel))
    spots = [np.asarray(labels == label) for label in large]
    tints = [tint for spot in spots if (tint := _tint(change.by_channel, before, _core(spot))) is not None]
    for spot in spots:
        thrown = bool((widened(spot, 1) & towers & change.changed).any())
        ground = max(grounds, key=lambda each: int((spot & each).sum()), default=where)
        glows = _glows(spot, change, before, where & ground)
        if thrown:
            spot &= glows | ~_shaded(change.by_channel, before)
        if int(spot.sum()) >= least_px and _is_solid(spot, thrown, change, before, tints, glows, *steep):
            yield spot


def darker(change: Change, before: Small, where: Mask, towers: Mask, least_px: int) -> Iterator[Mask]:
    """Dark spots that came beside towers of which a part changed that no shadow explains, each at least so large.

    They hide the ground, and have an outline: they are shadows of something that came, or lie there.
    """
    changed = cv2.morphologyEx((change.changed & where).view(np.uint8), cv2.MORPH_OPEN, _KERNEL)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    large = np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= least_px) + 1
    if not len(large):
        return
    steep = (_steep(before), _steep(before + change.by_channel))
    for spot in (np.asarray(labels == label) for label in large):
        core, beside = _core(spot), bool((widened(spot, 2) & towers & change.changed).any())
        if not beside or core.sum() < _MOST * spot.sum():
            continue
        dark = float(np.median(change.by_channel[core], axis=0).mean()) < -_STRONG
        hides = alike(before[core], before[core] + change.by_channel[core]) < SAME_TEXTURE
        if dark and hides and _steeper(spot, core, *steep) > _DARK_EDGE:
            yield spot


def unshaded(change: Change, before: Small, where: Mask) -> int:
    """How many pixels changed there by more than a shadow does."""
    return int((change.changed & where & ~_shaded(change.by_channel, before)).sum())


def is_shadow(change: Change, spot: Mask) -> bool:
    """Whether a spot only turned darker, with the ground's texture still on it: a shadow came over it."""
    core = _core(spot)
    by_channel, before = change.by_channel[core], change.before[core]
    darker = bool(core.any()) and bool((np.median(by_channel, axis=0) < 0).all())
    return darker and alike(before, before + by_channel) > _SOME_TEXTURE and _is_light(by_channel, before)


def _steeper(spot: Mask, core: Mask, steep_before: Small, steep_now: Small) -> float:
    """How much steeper the picture became at a spot's border."""
    border = np.asarray(cv2.dilate(spot.view(np.uint8), _KERNEL).astype(bool)) & ~core
    return float(steep_now[border].mean()) / max(float(steep_before[border].mean()), 1e-6)


def _glows(spot: Mask, change: Change, before: Small, where: Mask) -> Mask:
    """Pixels that are brighter than the ground around a spot is where it is lit: no shadow can have left them."""
    still = where & ~change.changed
    around = widened(spot, _AROUND_PX) & still
    ground = before[around if around.sum() >= _ENOUGH_PX else still].mean(axis=1)
    if len(ground) < _ENOUGH_PX:
        return np.zeros_like(spot)
    lit = float(np.percentile(ground, _LIT))
    return np.asarray((before + change.by_channel).mean(axis=2) > lit + _GLOWS)


def thickness(spot: Mask) -> float:
    """The share of a spot's pixels that are not at its border."""
    return float(_core(spot).sum() / max(1, spot.sum()))


def _core(spot: Mask) -> Mask:
    """A spot without its border."""
    return np.asarray(cv2.erode(spot.view(np.uint8), _KERNEL).astype(bool))


def _is_solid(
    spot: Mask,
    thrown: bool,
    change: Change,
    before: Small,
    tints: Sequence[Small],
    glows: Mask,
    steep_before: Small,
    steep_now: Small,
) -> bool:
    core = _core(spot)
    if core.sum() < _THICK * spot.sum():
        return False
    by_channel = change.by_channel[core]
    if float(np.median(np.abs(by_channel).max(axis=1))) < _STRONG or levels(change, before, core) < _LEVELS:
        return False
    steeper = _steeper(spot, core, steep_before, steep_now)
    brighter = bool((np.median(by_channel, axis=0) > 0).all())
    light = _is_light(by_channel, before[core], tints) or _is_moved_shadow(by_channel, before[core])
    if light and float(glows[core].mean()) > _MOST:  # unless the sun comes out there
        light = alike(before[core], before[core] + by_channel) > SAME_TEXTURE
    if not thrown and brighter and steeper > _NEW_EDGE and not light:
        return True  # a shadow that leaves shows no edge, unless it only moved with its tower
    return steeper > (_BRIGHT_EDGE if brighter else _OLD_EDGE) and not light


def levels(change: Change, before: Small, spot: Mask) -> float:
    """By how many grey levels a spot changed, in the channel that shows it best."""
    by = np.abs(np.expm1(change.by_channel[spot])) * np.exp(before[spot])
    return float(np.median(by, axis=0).max())


def _shaded(change: Small, before: Small) -> Mask:
    """Pixels that a tower's shadow may have come over or left: darker or brighter, all colours about alike."""
    clipped = before > _CLIPPED
    clipped &= clipped.sum(axis=2, keepdims=True) == 1
    darkest, brightest = least(change), greatest(change)
    weakest = greatest(np.where(clipped, np.float32(-np.inf), change))
    darker = (weakest < 0) & (weakest - darkest < _GREY - _TINTED_PART * darkest) & (darkest > -_DEEPEST_SHADOW)
    brighter = (darkest > 0) & (brightest - darkest < _GREY + _TINTED_PART * brightest) & (brightest < _DEEPEST_SHADOW)
    return np.asarray(darker | brighter)


def _tint(change: Small, before: Small, core: Mask) -> Small | None:
    """What the light does to each colour on a spot that keeps all its texture; None where it has none, or another."""
    if not core.any() or alike(before[core], (before + change)[core]) < _SAME_GROUND:
        return None
    return np.asarray(np.median(change[core], axis=0))


def _is_light(change: Small, before: Small, tints: Sequence[Small] = ()) -> bool:
    """Whether only the light on a spot changed: all colours alike, and evenly or with the ground's texture on it.

    The light may be tinted where the texture stayed, or where it did the same elsewhere.
    """
    by_channel = np.median(change, axis=0)
    brightest = np.median(before, axis=0) + np.maximum(by_channel, 0)
    clipped = brightest > _CLIPPED
    whole = by_channel[~clipped] if clipped.sum() == 1 else by_channel
    strength = float(np.abs(whole).max())
    texture = alike(before, before + change)
    known = texture > _SAME_GROUND or any(np.abs(by_channel - tint).max() < _GREY for tint in tints)
    part = _TINTED_PART if known else _GREY_PART
    if float(np.ptp(whole)) > _GREY + part * strength or strength > _DEEPEST_SHADOW:
        return False
    return _is_even(change.mean(axis=1), strength) or texture > SAME_TEXTURE


def _is_even(change: Small, strength: float) -> bool:
    """Whether a spot changed by about the same everywhere, but for where it did not at all."""
    there = np.abs(change) >= np.median(np.abs(change)) / 2
    low, high = np.percentile(change[there], [10, 90])
    return bool(high - low < _EVEN + _EVEN_PART * strength)


def _is_moved_shadow(change: Small, before: Small) -> bool:
    """Whether a shadow left a part of a spot and as deep a one came over the rest."""
    darker = change.mean(axis=1) < 0
    if not _SHIFTED < float(darker.mean()) < 1 - _SHIFTED:
        return False
    depths = [float(np.median(np.abs(change[part].mean(axis=1)))) for part in (darker, ~darker)]
    as_deep = abs(depths[0] - depths[1]) < _GREY + _GREY_PART * max(depths)
    return as_deep and all(_is_light(change[part], before[part]) for part in (darker, ~darker))


def alike(one: Small, other: Small) -> float:
    """How alike the texture of two spots is: 1 the same, 0 another."""
    mine, yours = (np.asarray(each - each.mean(axis=0), np.float64).ravel() for each in (one, other))
    spread = float(np.linalg.norm(mine) * np.linalg.norm(yours))
    return float(mine @ yours) / spread if spread > 0 else 0.0


def _steep(picture: Small) -> Small:
    """How steep a picture is at each pixel, in any colour."""
    right = cv2.Scharr(picture, cv2.CV_32F, 1, 0, scale=1 / 32)
    down = cv2.Scharr(picture, cv2.CV_32F, 0, 1, scale=1 / 32)
    return greatest(cv2.magnitude(right, down))
