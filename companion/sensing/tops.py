"""What stands on a tower's top floor, from a single picture: small pieces fitted by their silhouettes.

What has no plain outline, as a figure with arms, is told by how far the patch reaches that it makes on the floor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.sensing.castle import Standing
from companion.sensing.glance import Mask, Small
from companion.sensing.patches import patches, reach_px
from companion.sensing.plan import Point
from companion.sensing.shapes import Figure, Gable, OnItsSide, Shape, Tapered, guises
from companion.sensing.slabs import Ints, Relief
from companion.sensing.views import Floats

_STEP_PX = 2
_AROUND = 28  # points asked around a silhouette
_PART = 6  # of them that are judged apart
_AWAY_PX = 2.5  # colours are compared so far inside and outside of it
_UNLIKE = 0.2  # in logarithms: colours that differ so much are surely not the same
_SUPPORT = 0.25  # a piece whose middle is nearer to a floor's side than that part of its width falls off
_RIM_PX = 2  # what is so near to a floor's own outline, and along it, may be that outline and no piece
_ALONG = 0.9  # the cosine of what is still along it
_NEITHER = 0.75  # how edge-like and how unlike is there what speaks neither for a piece nor against it
_SQUARE = 1.6  # a piece less long than so many times its width looks much the same however it is turned
_LONG = 2.5  # a piece longer than that is easily mistaken for the edge of something else
_FLAT_MM = 4.0  # what is no higher is a card: other pieces may stand on it
_FINE_TURN_DEG = 12.0
_WIDE = 0.7  # a piece wider both ways than so much of its floor would jut out if it were turned much
_WIDE_DEG, _FINE_WIDE_DEG = (-12.0, 0.0, 12.0), (6.0, 3.0)
_QUARTER_DEG = (0.0, 22.5, 45.0, 67.5)
_HALF_DEG = (0.0, 45.0, 90.0, 135.0)
_ANY_WAY_DEG = (0.0, 25.0, 50.0, 75.0, 100.0, 125.0, 150.0)
_MOST = 6
_CANDIDATES, _CANDIDATES_WIDE = 48, 12  # places whose colours are looked at, of all whose edges were
_EDGES, _CONTRAST, _LEAST, _TALL = 0.53, 0.47, 0.165, 0.0025  # weights; the last for each mm of height
_CREASES, _PLAIN = 0.3, 0.7  # and that of creases; how plainly they show where it says nothing
_SURE, _SURE_LONG, _SURE_FLAT, _SURE_POINTED = 1.02, 1.09, 0.98, 0.945
_BEYOND_PX, _BEYOND_LEAST_PX, _BEYOND = 2.0, 6.0, 1 / 3  # from where, how far at least and in parts of its length
_PATCHED, _ALIKE = 0.6, 0.28  # what it weighs that a patch is just like a piece; one that may be print or piece
_HOPEFUL = 0.06  # so much less than sure may become sure when a spot is moved a little
_HOPEFUL_WIDE = 0.12  # or a wide one, at whose far ends a little is much
_ON_CARD = 0.05  # and so much surer must be what stands before a card or on it: a card has edges of its own
_STOREY, _ON_BASE = 2, 0.075  # the lowest floor that is no base tile; a pointed roof on such must be so much surer
_OVERLAP = 0.5  # the share of a silhouette that another may cover
_NEIGHBOURS: Ints = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.int32)


@dataclass(frozen=True, eq=False)
class Spot:
    """A piece at a place, and how well the picture supports it there.

    `edges`: how edge-like its silhouette is, `contrast`: how unlike the colours on both sides of it are, `least`: how
    well the worst part of it shows; each 0 to 1. `creases`: how plainly its edges within the silhouette show,
    less what says nothing. `beyond`: how much more plainly than that its long edges go on beyond its ends. `alike`: how
    alike it is to a patch of its floor, from 0 to 1.
    """

    shape: Shape
    centre: Point
    turn_deg: float
    edges: float
    contrast: float
    least: float
    creases: float = 0.0
    beyond: float = 0.0
    alike: float = 0.0

    @property
    def score(self) -> float:
        """Above 0 it is believed. A taller silhouette is less often there by chance than a lesser one within it."""
        shown = _EDGES * self.edges + _CONTRAST * self.contrast + _LEAST * self.least + _CREASES * self.creases
        outlined = shown - self.beyond + _TALL * self.shape.tall_mm - _sure(self.shape)
        return max(outlined, _PATCHED * (self.alike - _ALIKE))


def _sure(shape: Shape) -> float:
    if shape.tall_mm < _FLAT_MM:
        return _SURE_FLAT
    if _is_long(shape):
        return _SURE_LONG
    return _SURE_POINTED if _is_pointed(shape) else _SURE


def _is_long(shape: Shape) -> bool:
    width, depth = np.ptp(np.array(shape.ring_mm), axis=0)
    return bool(max(width, depth) > _LONG * min(width, depth))


def _is_pointed(shape: Shape) -> bool:
    """A roof with a point or a ridge: little else looks so."""
    return isinstance(shape, Gable | Tapered) and not isinstance(shape, Figure)


def pieces_on(relief: Relief, shapes: Iterable[Shape], floor: Standing, least: float = 0.0) -> list[Standing]:
    """The small pieces on a floor that nothing else lies on, as far as they can be told: cards first.

    One must have a score of more than `least`.
    """
    found = (spot for spot in spots(relief, shapes, floor) if spot.score > least + _seldom(spot.shape, floor))
    likely = sorted(found, key=lambda each: -each.score)
    cards = [_standing(spot, floor) for spot in likely if spot.shape.tall_mm < _FLAT_MM][:1]
    chosen: list[Standing] = []
    for spot in (each for each in likely if each.shape.tall_mm >= _FLAT_MM):
        piece = _standing(spot, floor)
        plain = spot.score > least + _ON_CARD or not any(_covers(relief, piece, card) for card in cards)
        if plain and len(chosen) < _MOST and not any(_covers(relief, piece, other) for other in chosen):
            chosen.append(piece)
    return cards + [_raised(piece, cards) for piece in chosen]


def _seldom(shape: Shape, floor: Standing) -> float:
    """How much surer a piece must be there: a roof closes a storey, and a base tile may be only printed."""
    return _ON_BASE if floor.level < _STOREY and _is_pointed(shape) else 0.0


def _standing(spot: Spot, floor: Standing) -> Standing:
    return Standing(spot.shape, floor.tower, floor.level, spot.centre, spot.turn_deg, floor.high_mm)


def _raised(piece: Standing, cards: list[Standing]) -> Standing:
    """A piece that stands on a card, if its middle is over one."""
    for card in cards:
        if np.hypot(piece.centre[0] - card.centre[0], piece.centre[1] - card.centre[1]) < 0.45 * card.shape.wide_mm:
            return replace(piece, low_mm=card.high_mm)
    return piece


def _covers(relief: Relief, one: Standing, other: Standing) -> bool:
    """Whether two pieces would be the same thing seen: one covers much of the other in the picture."""
    boxes = [relief.project(each.shape.corners(each.centre, each.turn_deg, each.low_mm)) for each in (one, other)]
    low = np.maximum(boxes[0].min(axis=0), boxes[1].min(axis=0))
    high = np.minimum(boxes[0].max(axis=0), boxes[1].max(axis=0))
    common = float(np.prod(np.maximum(high - low, 0)))
    return common > _OVERLAP * min(float(np.prod(np.ptp(box, axis=0))) for box in boxes)


def spots(relief: Relief, shapes: Iterable[Shape], floor: Standing) -> Iterator[Spot]:
    """For each kind of small piece the places that are better than all near them, and those of patches like it."""
    shapes = tuple(shapes)
    if floor.level >= _STOREY:
        yield from _patched(relief, shapes, floor)
    top = _Top.with_floor(relief, floor)
    offsets, places, inward_mm = _places(top, floor)
    for shape in (each for kind in shapes for each in guises(kind)):
        if shape.wide_mm <= floor.shape.wide_mm:
            stands = inward_mm >= _SUPPORT * shape.narrow_mm
            found = [
                spot
                for turn in _turns(shape, floor)
                for spot in _best_places(top, shape, floor, floor.turn_deg + turn, offsets[stands], places[stands])
            ]
            hopeful = _HOPEFUL
            if _is_wide(shape, floor):  # there is room for one
                found, hopeful = sorted(found, key=lambda each: -each.score)[:1], _HOPEFUL_WIDE
            yield from (_refined(top, floor, spot) if spot.score > -hopeful else spot for spot in found)


def _patched(relief: Relief, shapes: Iterable[Shape], floor: Standing) -> Iterator[Spot]:
    """Pieces that reach as far as a patch of the floor does."""
    small = [shape for shape in shapes if shape.tall_mm >= _FLAT_MM and not _is_wide(shape, floor)]
    ways = [(shape, floor.turn_deg + turn) for shape in small for turn in _turns(shape, floor)]
    found = patches(relief, floor) if ways else []
    if not found:
        return
    solids = [shape.corners(floor.centre, turn_deg, floor.high_mm) for shape, turn_deg in ways]
    ends = np.cumsum([len(corners) for corners in solids])[:-1]
    reach = np.array([reach_px(corners) for corners in np.split(relief.project(np.vstack(solids)), ends)])
    to_mm = _to_mm(relief, floor.centre, floor.high_mm)
    for patch in found:
        moved, alike = patch.fits(reach)
        places = moved @ to_mm.T + floor.centre
        inward_mm = _inward_mm(floor, places)
        for at in np.flatnonzero(alike > _ALIKE):
            shape, turn_deg = ways[at]
            if inward_mm[at] >= _SUPPORT * shape.narrow_mm:
                centre = (float(places[at, 0]), float(places[at, 1]))
                yield Spot(shape, centre, turn_deg, 0.0, 0.0, 0.0, alike=float(alike[at]))


def _is_wide(shape: Shape, floor: Standing) -> bool:
    return not shape.round and shape.narrow_mm > _WIDE * floor.shape.wide_mm


def _turns(shape: Shape, floor: Standing) -> tuple[float, ...]:
    if shape.round:
        return (0.0,)
    if _is_wide(shape, floor):
        return _WIDE_DEG + tuple(90.0 + turn for turn in _WIDE_DEG)
    if isinstance(shape, OnItsSide):
        return _ANY_WAY_DEG
    if isinstance(shape, Tapered):
        return _QUARTER_DEG
    if isinstance(shape, Gable):
        return _HALF_DEG
    width, depth = np.ptp(np.array(shape.ring_mm), axis=0)
    return (0.0, 45.0) if max(width, depth) <= _SQUARE * min(width, depth) else _HALF_DEG


def _places(relief: Relief, floor: Standing) -> tuple[Ints, Floats, Floats]:
    """Places on a floor: offsets (n, 2) in whole pixels from its middle, where they are (n, 2), how far inward (n)."""
    to_mm = _to_mm(relief, floor.centre, floor.high_mm)
    corners = relief.project(floor.shape.corners(floor.centre, floor.turn_deg, floor.high_mm)[:4])
    reach = int(np.abs(corners - corners.mean(axis=0)).max())
    steps = np.arange(-reach // _STEP_PX, reach // _STEP_PX + 1) * _STEP_PX
    offsets = np.array([(across, down) for down in steps for across in steps], np.int32)
    moved = offsets @ to_mm.T
    places = np.asarray(moved + floor.centre, float)
    inward_mm = _inward_mm(floor, places)
    over = inward_mm >= 0
    return offsets[over], places[over], inward_mm[over]


def _inward_mm(floor: Standing, places: Floats) -> Floats:
    """How far inward of a floor's sides places (n, 2) are."""
    turn = np.radians(floor.turn_deg)
    own = (places - floor.centre) @ np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(floor.shape.wide_mm / 2 - np.abs(own).max(axis=1), float)


def _refined(top: _Top, floor: Standing, spot: Spot) -> Spot:
    """A spot moved by a pixel and turned a little to where it fits best, a wide one again and by less; its creases."""
    to_mm = _to_mm(top, spot.centre, floor.high_mm)
    for finely in _FINE_WIDE_DEG if _is_wide(spot.shape, floor) else (_FINE_TURN_DEG,):
        turns = (0.0,) if spot.shape.round else (-finely, 0.0, finely)
        spot = max(
            (_moved(top, floor, spot, spot.turn_deg + turn, to_mm) for turn in turns), key=lambda each: each.score
        )
    beyond = _beyond(top, spot, floor.high_mm) if _is_long(spot.shape) else 0.0
    return replace(spot, creases=_creases(top, spot, floor.high_mm), beyond=beyond)


def _moved(top: _Top, floor: Standing, spot: Spot, turn_deg: float, to_mm: Floats) -> Spot:
    """A spot turned so, where it shows best within a pixel."""
    silhouette = _Silhouette.of(top, spot.shape, spot.centre, turn_deg, floor.high_mm)
    found = silhouette.shows(top, _NEIGHBOURS)
    at = int(_shown(found).argmax())
    x, y = _NEIGHBOURS[at] @ to_mm.T + spot.centre
    return _spot(spot.shape, (x, y), turn_deg, found[:, at])


def _creases(top: _Top, spot: Spot, low_mm: float) -> float:
    """How plainly a spot's creases show, less what says nothing; 0 where it has none."""
    corners = spot.shape.corners(spot.centre, spot.turn_deg, low_mm)
    edges = spot.shape.creases(corners, top.window.view.eye_mm)
    if not len(edges):
        return 0.0
    lines = _Silhouette(*_line_points(top.project(edges.reshape(-1, 3)).reshape(-1, 2, 2)))
    here = np.zeros((1, 2), np.int32)
    return 0.5 * float(lines.across(top, here).mean() + lines.unlike(top, here).mean()) - _PLAIN


def _beyond(top: _Top, spot: Spot, low_mm: float) -> float:
    """How plainly both of a long spot's long edges go on beyond one of its ends, more than says nothing.

    What does is a frame on the floor, or a board's joint, and no piece; two cards in one line are seldom.
    """
    ring = _hull(top, spot.shape.corners(spot.centre, spot.turn_deg, low_mm))
    sides = np.stack([ring, np.roll(ring, -1, axis=0)], axis=1)
    length = np.hypot(*(sides[:, 1] - sides[:, 0]).T)
    shown = sorted(max(_prolonged(top, side[::way]) for way in (1, -1)) for side in sides[np.argsort(length)[-2:]])
    return max(0.0, shown[0] - _PLAIN)


def _prolonged(top: _Top, side: Floats) -> float:
    """How plainly a side (2, 2) goes on beyond its end."""
    long_px = float(np.hypot(*(side[1] - side[0])))
    ends = np.array([_BEYOND_PX, _BEYOND_PX + max(_BEYOND_LEAST_PX, _BEYOND * long_px)])
    line = _Silhouette(*_line_points((side[1] + ends[:, None] * (side[1] - side[0]) / max(long_px, 1e-9))[None]))
    here = np.zeros((1, 2), np.int32)
    return 0.5 * float(line.across(top, here).mean() + line.unlike(top, here).mean())


def _shown(found: Floats) -> Floats:
    return np.asarray(np.array([_EDGES, _CONTRAST, _LEAST]) @ found)


def _spot(shape: Shape, centre: tuple[float, float], turn_deg: float, found: Floats) -> Spot:
    edges, contrast, least = found.tolist()
    return Spot(shape, (float(centre[0]), float(centre[1])), turn_deg, edges, contrast, least)


def _to_mm(relief: Relief, centre: Point, z_mm: float) -> Floats:
    """What a step of a pixel right, and of one down, is in mm about a place at a height."""
    x, y = centre
    here, aside, away = relief.project(np.array([(x, y, z_mm), (x + 1, y, z_mm), (x, y + 1, z_mm)]))
    return np.asarray(np.linalg.inv(np.column_stack([aside - here, away - here])))


def _best_places(
    top: _Top, shape: Shape, floor: Standing, turn_deg: float, offsets: Ints, places: Floats
) -> Iterator[Spot]:
    silhouette = _Silhouette.of(top, shape, floor.centre, turn_deg, floor.high_mm)
    wide = _is_wide(shape, floor)
    likely = np.argsort(-silhouette.across(top, offsets).mean(axis=1))[: _CANDIDATES_WIDE if wide else _CANDIDATES]
    places = places[likely]
    found = silhouette.shows(top, offsets[likely])
    scores = _shown(found)
    for _ in range(1 if wide else _MOST):
        at = int(scores.argmax())
        if scores[at] <= 0:
            return
        yield _spot(shape, (places[at, 0], places[at, 1]), turn_deg, found[:, at])
        near = np.hypot(*(places - places[at]).T) < 0.8 * min(shape.wide_mm, 20.0)
        scores[near] = 0.0


@dataclass(frozen=True, eq=False)
class _Top(Relief):
    """A picture in which a floor's own outline, its `rim`, speaks neither for a piece that stands there nor against."""

    rim: Mask

    @classmethod
    def with_floor(cls, relief: Relief, floor: Standing) -> _Top:
        """The picture about a floor: slopes across its outline are as steep as says nothing."""
        own = {"right": relief.right.copy(), "down": relief.down.copy(), "rim": np.zeros(relief.hidden.shape, bool)}
        top = cls(**vars(relief) | own)
        corners = relief.project(floor.shape.corners(floor.centre, floor.turn_deg, floor.low_mm))
        hull = np.asarray(cv2.convexHull(corners.astype(np.float32)), float).reshape(-1, 2)
        for ring in (hull, corners[4:]):
            for start, way in zip(ring, np.roll(ring, -1, axis=0) - ring, strict=True):
                top._add(start, way)
        return top

    def _add(self, start: Floats, way: Floats) -> None:
        """One more edge of the floor: slopes another way there are something else's, and stay."""
        long_px = max(float(np.hypot(*way)), 1e-9)
        across = np.array([way[1], -way[0]]) / long_px
        along = start + np.linspace(0, 1, int(2 * long_px) + 1)[:, None] * way
        beside = np.arange(-_RIM_PX, _RIM_PX + 0.5, 0.5)[:, None, None] * across
        points = (along + beside).reshape(-1, 2)
        height, width = self.hidden.shape
        inside = np.all((points >= 0) & (points <= (width - 1, height - 1)), axis=1)
        at = _flat(self, points[inside])
        self.rim.reshape(-1)[at] = True
        right, down = self.right.reshape(-1), self.down.reshape(-1)
        same = np.abs(right[at] * across[0] + down[at] * across[1]) > _ALONG * np.hypot(right[at], down[at])
        right[at[same]], down[at[same]] = _NEITHER * across


@dataclass(frozen=True, eq=False)
class _Silhouette:
    """Points around a piece in the picture, and the outward direction at each."""

    points: Floats
    outward: Floats

    @classmethod
    def of(cls, relief: Relief, shape: Shape, centre: Point, turn_deg: float, low_mm: float) -> _Silhouette:
        return cls(*_ring_points(_hull(relief, shape.corners(centre, turn_deg, low_mm))))

    def across(self, relief: Relief, offsets: Ints) -> Small:
        """How squarely the picture slopes across each point, moved by each offset: (n, points)."""
        at = _within(relief, _flat(relief, self.points)[None] + relief.steps(offsets)[:, None])
        normal = self.outward.astype(np.float32)
        return np.abs(relief.right.ravel()[at] * normal[:, 0] + relief.down.ravel()[at] * normal[:, 1])

    def unlike(self, top: _Top, offsets: Ints) -> Small:
        """How unlike the colours are inside and outside of each point: (n, points) from 0 to 1."""
        steps, colours = top.steps(offsets)[:, None], top.picture.reshape(-1, 3)
        here, inside, outside = (
            _within(top, _flat(top, self.points + away * self.outward)[None] + steps)
            for away in (0.0, -_AWAY_PX, _AWAY_PX)
        )
        unlike = np.minimum(np.abs(colours[inside] - colours[outside]).max(axis=2) / _UNLIKE, 1.0)
        return np.asarray(np.where(top.rim.ravel()[here], _NEITHER, unlike), np.float32)

    def shows(self, top: _Top, offsets: Ints) -> Floats:
        """A spot's edges, contrast and least at each offset: (3, n)."""
        across, unlike = self.across(top, offsets), self.unlike(top, offsets)
        shown = 0.5 * (across + unlike)
        sums = np.cumsum(np.concatenate([shown, shown[:, : _PART - 1]], axis=1), axis=1)
        parts = np.concatenate([sums[:, _PART - 1 : _PART], sums[:, _PART:] - sums[:, :-_PART]], axis=1) / _PART
        return np.stack([across.mean(axis=1), unlike.mean(axis=1), parts.min(axis=1)]).astype(float)


def _hull(relief: Relief, corners: Floats) -> Floats:
    """The outline (n, 2) of a piece with these corners in the picture."""
    hull = cv2.convexHull(relief.project(corners).astype(np.float32))
    return np.asarray(hull, float).reshape(-1, 2)


def _flat(relief: Relief, pixels: Floats) -> Ints:
    rounded = np.rint(pixels).astype(np.int32)
    return np.asarray(rounded[:, 1] * relief.hidden.shape[1] + rounded[:, 0], np.int32)


def _within(relief: Relief, index: Ints) -> Ints:
    """Beyond the picture's upper and lower end its rim goes on."""
    return np.clip(index, 0, relief.hidden.size - 1)


def _line_points(lines: Floats) -> tuple[Floats, Floats]:
    """Points evenly along lines (n, 2, 2), and the direction across at each."""
    way = lines[:, 1] - lines[:, 0]
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
    ends = np.cumsum(length)
    along = (np.arange(_AROUND) + 0.5) / _AROUND * ends[-1]
    line = np.searchsorted(ends, along)
    share = (along - (ends - length)[line]) / length[line]
    across = np.column_stack([way[:, 1], -way[:, 0]]) / length[:, None]
    return lines[line, 0] + share[:, None] * way[line], across[line]


def _ring_points(ring: Floats) -> tuple[Floats, Floats]:
    """Points evenly along a closed ring, and the outward direction at each."""
    points, normal = _line_points(np.stack([ring, np.roll(ring, -1, axis=0)], axis=1))
    outward = np.sign(((points - ring.mean(axis=0)) * normal).sum(axis=1))[:, None] * normal
    return points, outward
