"""Whether a plate lies on its board or is only printed there: a strip of side shows under the edges that face the eye.

Across a printed edge the picture goes from one colour to the other in a single step, however blurred. Across the edge
of a plate it goes in two, as far apart as the side is high, and what is between is no mixture of the two.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import cv2
import numpy as np

from companion.sensing.plan import Point
from companion.sensing.shapes import Shape
from companion.sensing.slabs import BESIDE_MM, INSIDE_MM, NEXT, Relief, facing, strips
from companion.sensing.views import Floats

_ALONG = np.linspace(0.06, 0.94, 32)  # where along a side the picture is looked at
_STEP_PX, _ROOM_PX = 0.5, 4.0  # how finely across it, and how far to both sides
_OFF_PX = 2.0  # how far a plate's edge may be from where it was found
_TILTS_PX = np.linspace(-2.5, 2.5, 11)  # and how much it may be tilted, from end to end
_STAYS = 1e-6  # where nothing tells, a plate is left where it was found
_BLURS_PX = np.array([0.5, 0.8, 1.2, 1.7, 2.4])
_LOWEST_PX = 0.8  # a strip that is narrower is not looked for
_SEEN = 0.6  # the share of a side that must be seen
_PARTS = 0.25  # the share of a strip that may be less plain: patches on a board end somewhere
_TELLS, _TELLING, _UNSURE = 6.0, 0.05, 0.01  # in logarithms: a strip so plain is as often beside a print as by a plate
_LEAST, _MOST = 4.0, 5.0  # how much strips tell at the most, against a plate and for it
_FRAME, _BORDERED = 1.2, 1.0  # a printed frame is so much plainer on one side than on another, and tells so much
_FILLED, _OWN = 12.0, 0.08  # in logarithms: a face so unlike the board is as often a plate's as within a frame
_RATHER, _LITTLE = 0.25, 0.3  # the share of its points that may be more like it, and the least that must be seen
_TURNS_DEG, _REACH_PX = (-2.5, -1.25, 0.0, 1.25, 2.5), 3.0  # how far a plate's place may be off, in a relief's pixels
_WIDE_STEPS = 2  # to both sides, across which a picture changes at an edge
_MISFIT = 0.25  # of the step beside it: a strip's colour is not known better
_DARKEST = 8.0  # of brightness, at which logarithms are taken


def thick(relief: Relief, shape: Shape, centre: Point, turn_deg: float) -> float:
    """How much likelier it is that a plate lies there than that it is printed, as a logarithm.

    What shows strips may be a printed frame too: that shows on all sides, or it has the board within as well.
    """
    found = rims(relief, shape, centre, turn_deg)
    framed = min((rim.plain for rim in found if not rim.near), default=0.0)
    told = sum(_tells(rim, framed) for rim in found if rim.near)
    filled = _FILLED * math.log10((own(relief, shape, centre, turn_deg) + _UNSURE) / (_OWN + _UNSURE))
    return -float(np.logaddexp(-np.clip(told, -_LEAST, _MOST), -filled))


def _tells(rim: Rim, framed: float) -> float:
    """How much a side tells, where strips as plain as `framed` are on all sides: what is printed may have a frame.

    Where there is one it tells little against a plate: that may have a border of its own.
    """
    plain = math.sqrt(max(0.0, rim.plain**2 - (_FRAME * framed) ** 2))
    least = _LEAST * rim.sharp if max(rim.plain, framed) < _TELLING else _BORDERED
    return max(_TELLS * math.log10((plain + _UNSURE) / (_TELLING + _UNSURE)), -least)


def own(relief: Relief, shape: Shape, centre: Point, turn_deg: float) -> float:
    """How unlike a plate is to the board beside it, in logarithms, point by point, where it is rather like it."""
    within = strips(shape, centre, turn_deg, shape.tall_mm, INSIDE_MM)
    beside = strips(shape, centre, turn_deg, 0.0, BESIDE_MM)
    index = relief.index(np.concatenate([within, beside])).reshape(2, 4, len(INSIDE_MM), -1)
    seen = ~relief.hidden.ravel()[index].any(axis=(0, 2))
    if seen.mean() < _LITTLE:
        return _OWN
    high, low = np.median(relief.picture.reshape(-1, 3)[index], axis=2)
    return float(np.quantile(np.abs(high - low).max(axis=-1)[seen], _RATHER))


def refined(relief: Relief, shape: Shape, centre: Point, turn_deg: float) -> tuple[Point, float]:
    """A better place for a plate: where the picture changes most across all its sides at once, if they are seen."""
    reach = _REACH_PX / relief.zoom
    moves = np.arange(-reach, reach + _STEP_PX / 2, _STEP_PX)
    away = np.arange(-math.sqrt(2) * reach - _STEP_PX, math.sqrt(2) * reach + 2 * _STEP_PX, _STEP_PX)
    outs, changes = [], []
    for turn in _TURNS_DEG:
        top = relief.window.project(shape.corners(centre, turn_deg + turn, 0.0)[4:])
        outs.append(_outward(top))
        changes.append([_changes(relief, top[at], top[NEXT[at]], outs[-1][at], away) for at in range(4)])
    parts = np.array(changes) / np.maximum(np.max(changes, axis=(0, 2), keepdims=True), 1e-6)[0]
    found = []
    for out, part in zip(outs, parts, strict=True):
        off = out[:, 0, None, None] * moves[:, None] + out[:, 1, None, None] * moves
        stays = -_STAYS * np.hypot(moves[:, None], moves)
        found.append(stays + sum(np.interp(off[at], away, part[at]) for at in range(4)))
    turn_at, across, down = (int(at) for at in np.unravel_index(int(np.argmax(found)), np.shape(found)))
    moved = _moved(relief, centre, shape.tall_mm, np.array([moves[across], moves[down]]))
    return moved, turn_deg + _TURNS_DEG[turn_at]


def _moved(relief: Relief, centre: Point, high_mm: float, move: Floats) -> Point:
    x, y = centre
    here, aside, away = relief.window.project(np.array([(x, y, high_mm), (x + 1, y, high_mm), (x, y + 1, high_mm)]))
    by_mm = np.linalg.solve(np.column_stack([aside - here, away - here]), move)
    return x + float(by_mm[0]), y + float(by_mm[1])


def _changes(relief: Relief, start: Floats, end: Floats, out: Floats, away: Floats) -> Floats:
    """How much the picture changes so far out from a side, nothing where too little of it is seen."""
    line = start + _ALONG[:, None] * (end - start)
    line = line[~relief.hidden.ravel()[relief.within(line)]]
    if len(line) < _SEEN * len(_ALONG):
        return np.zeros(len(away))
    room = _STEP_PX * _WIDE_STEPS
    wide = np.concatenate([away[:_WIDE_STEPS] - room, away, away[-_WIDE_STEPS:] + room])
    points = (line + (wide[:, None] * out)[:, None]).astype(np.float32)
    colours = cv2.remap(
        relief.native, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    usual = np.median(colours, axis=1)
    return np.asarray(np.abs(usual[2 * _WIDE_STEPS :] - usual[: -2 * _WIDE_STEPS]).max(axis=1), float)


class Rim(NamedTuple):
    """A side of a plate: whether it faces the eye, how high it is in the picture, and the strip along it.

    `sharp`: how much of a strip so narrow is left by the picture's blur, from 0 to 1. `plain`: in logarithms, how much
    another colour it has than any mixture of those on both its sides, times that.
    """

    near: bool
    high_px: float
    sharp: float
    plain: float


def rims(relief: Relief, shape: Shape, centre: Point, turn_deg: float) -> list[Rim]:
    """The sides of a plate that would lie on the board, as far as they are seen and high enough.

    Along those that look away there is no side to be seen: they are searched for a strip like that of the near ones.
    """
    corners = shape.corners(centre, turn_deg, 0.0)
    low, top = relief.window.project(corners[:4]), relief.window.project(corners[4:])
    near = facing(corners[4:], relief.window.view.eye_mm)
    out = _outward(top)
    high = ((low + low[NEXT] - top - top[NEXT]) / 2 * out).sum(axis=1)
    faces = [at for at in range(4) if near[at] and high[at] >= _LOWEST_PX]
    if not faces:
        return []
    usual = float(np.mean(high[faces]))
    found = []
    for at in (*faces, *np.flatnonzero(~near)):
        height = float(high[at]) if near[at] else usual
        inside = _OFF_PX if near[at] else _OFF_PX + usual
        colours = _across(relief, top[at], top[NEXT[at]], out[at], inside + _ROOM_PX, height + _OFF_PX + _ROOM_PX)
        if colours is not None:
            found.append(Rim(bool(near[at]), height, *_plain(*colours, height, -inside)))
    return found


def _outward(ring: Floats) -> Floats:
    """The direction out of a ring across each of its sides."""
    way = ring[NEXT] - ring
    across = np.column_stack([way[:, 1], -way[:, 0]]) / np.maximum(np.hypot(*way.T), 1e-9)[:, None]
    return np.asarray(across * np.sign(((ring - ring.mean(axis=0)) * across).sum(axis=1))[:, None])


def _across(
    relief: Relief, start: Floats, end: Floats, out: Floats, inside: float, outside: float
) -> tuple[Floats, Floats] | None:
    """How far out, and the brightness there (out, along, 3), tilted so that the step is sharpest; None if not seen."""
    line = start + _ALONG[:, None] * (end - start)
    seen = ~relief.hidden.ravel()[relief.within(line)]
    if seen.mean() < _SEEN:
        return None
    line, shares = line[seen], _ALONG[seen] - 0.5
    away = np.arange(-inside, outside + _STEP_PX / 2, _STEP_PX)
    off = away[None, :, None] + (_TILTS_PX[:, None] * shares)[:, None]  # tilts, out, along
    points = (line + off[..., None] * out).astype(np.float32)
    flat = points.reshape(-1, line.shape[0], 2)
    colours = cv2.remap(relief.native, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    bright = np.exp(colours.reshape(*points.shape[:3], 3).astype(float))
    steep = (np.diff(np.median(bright, axis=2), axis=1) ** 2).sum(axis=(1, 2))
    return away, np.asarray(bright[int(steep.argmax())])


def _plain(away: Floats, bright: Floats, high_px: float, first: float) -> tuple[float, float]:
    """How sharp and how plain a strip so high is that begins at `first` or farther out."""
    starts = np.arange(first, _OFF_PX + 0.1, 0.25)
    start, blur = (each.ravel() for each in np.meshgrid(starts, _BLURS_PX))
    top = _step((away - start[:, None]) / blur[:, None])
    low = _step((away - start[:, None] - high_px) / blur[:, None])
    basis = np.stack([1 - top, top - low, low], axis=-1)
    usual = np.median(bright, axis=1)
    squares = np.einsum("nui,nuj->nij", basis, basis) + 1e-6 * np.eye(3)
    colours = np.linalg.solve(squares, np.einsum("nui,uc->nic", basis, usual))
    best = int(((usual - basis @ colours) ** 2).sum(axis=(1, 2)).argmin())
    each = np.linalg.solve(squares[best], basis[best].T @ bright.reshape(len(away), -1)).reshape(3, -1, 3)
    sharp = math.tanh(0.4 * high_px / blur[best])
    return sharp, sharp * _unmixed(*each)


def _unmixed(inside: Floats, strip: Floats, outside: Floats) -> float:
    """How much other colours (n, 3) are than any mixture of those beside them, but where they are so the least."""
    way = outside - inside
    share = np.clip(((strip - inside) * way).sum(axis=1) / np.maximum((way * way).sum(axis=1), 1e-9), 0, 1)
    mixed = inside + share[:, None] * way
    base = _MISFIT * np.abs(way).max(axis=1)[:, None]
    other = np.log(np.maximum(strip, _DARKEST) + base) - np.log(np.maximum(mixed, _DARKEST) + base)
    least, most = np.quantile(other, (_PARTS, 1 - _PARTS), axis=0)
    return float(np.maximum(least, -most).max(initial=0.0))


def _step(beyond: Floats) -> Floats:
    """From 0 to 1, as blurred edges go."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.85 * beyond * (1 + 0.055 * beyond**2)))
