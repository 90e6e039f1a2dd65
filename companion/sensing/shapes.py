"""The pieces as solids: how a tile, a pillar or a meeple of this box stands when it is built in."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from companion.sensing.glance import Mask
from companion.sensing.plan import Piece, Plan, Point
from companion.sensing.views import Floats

_FLAT = 0.15  # a plate is at most this tall for its lesser width
_PLATE_MM = 40.0  # and at least this wide both ways; smaller flat ones are cards
_TILES = {"tile", "floor", "base"}  # words in the name of what is a plate though it is smaller,
_SMALL_MM, _SMALL_PART = 20.0, 0.7  # but for counters: so wide at the least, also in times of the widest
_CARD_MM = 4.0  # what is no taller is a card or a plate
BASE = "base"
"""In the name of what lies under a tower and nowhere else."""
_LONG = 1.5  # what is taller than so many times its width falls over onto its side
_ROUND_CORNERS = 10
_FIGURE, _HEAD = 0.7, 0.5  # how wide a figure is for its height where only that is known, and its head for its foot
_FIGURE_MM = 10.0  # what is lower than this may be anything
_ROOF, _RIDGE = "roof", 0.02  # in the name of what may be pointed, and how wide it is then at its top
_NOMINAL = {
    "floor-tile": Piece(6.5, (60.0, 60.0, 2.0)),
    "pillar": Piece(2.0, diameter_mm=12.0, height_mm=25.0),
}


@dataclass(frozen=True)
class Shape:
    """A kind of piece as an upright prism about its middle."""

    kind: str
    ring_mm: tuple[Point, ...]
    tall_mm: float
    mass_g: float | None
    round: bool

    @property
    def wide_mm(self) -> float:
        """Its greatest width."""
        return float(np.ptp(np.array(self.ring_mm), axis=0).max())

    @property
    def narrow_mm(self) -> float:
        """Its least width."""
        return float(np.ptp(np.array(self.ring_mm), axis=0).min())

    @property
    def is_flat(self) -> bool:
        """Whether it lies like a card: other pieces may stand on it."""
        return self.tall_mm < _CARD_MM

    def corners(self, centre: Point, turn_deg: float, low_mm: float) -> Floats:
        """The corners (2 n, 3) of the piece standing there, in its board's mm: the lower ones first."""
        turn = math.radians(turn_deg)
        cos, sin = math.cos(turn), math.sin(turn)
        ring = np.array(self.ring_mm) @ np.array([[cos, sin], [-sin, cos]]) + centre
        low, high = np.full((len(ring), 1), low_mm), np.full((len(ring), 1), low_mm + self.tall_mm)
        return np.vstack([np.hstack([ring, low]), np.hstack([ring, high])])

    def creases(self, corners: Floats, eye: Floats) -> Floats:
        """The edges (n, 2, 3) within its silhouette, where two of its faces meet that both face the eye.

        `corners` are its own as it stands. What is round has none between its sides.
        """
        count = len(corners) // 2
        this = np.arange(count)
        following = np.roll(this, -1)
        sides = _faces(corners[np.stack([this, following, count + following, count + this], axis=1)], corners, eye)
        edges = [np.stack([this, count + this], axis=1)[sides & np.roll(sides, 1) & (not self.round)]]
        for end in (0, count):
            ring = corners[end : end + count]
            if _faces(ring[None], corners, eye)[0]:
                edges.append(end + np.stack([this, following], axis=1)[sides])
        return np.asarray(corners[np.concatenate(edges)], float)


def _faces(rings: Floats, corners: Floats, eye: Floats) -> Mask:
    """Which faces (n, corners, 3) of a solid face the eye."""
    middles = rings.mean(axis=1)
    normals = np.cross(rings[:, 1] - rings[:, 0], rings[:, 2] - rings[:, 1])
    outward = ((middles - corners.mean(axis=0)) * normals).sum(axis=1)
    return np.asarray(((eye - middles) * normals).sum(axis=1) * outward > 0)


@dataclass(frozen=True)
class OnItsSide(Shape):
    """A piece that lies where it fell, along its x: `end_mm` is the ring of an end, across and up."""

    end_mm: tuple[Point, ...] = ()

    @classmethod
    def of(cls, shape: Shape) -> OnItsSide:
        """Of a piece that is taller than wide."""
        half, side = shape.tall_mm / 2, shape.wide_mm / 2
        ring = ((-half, -side), (half, -side), (half, side), (-half, side))
        thick_mm = shape.wide_mm if shape.round else shape.narrow_mm
        end = tuple((y, x + thick_mm / 2) for x, y in shape.ring_mm)
        return cls(shape.kind, ring, thick_mm, shape.mass_g, round=False, end_mm=end)

    def corners(self, centre: Point, turn_deg: float, low_mm: float) -> Floats:
        """The corners (2 n, 3) of its two ends."""
        turn, half = math.radians(turn_deg), self.ring_mm[1][0]
        cos, sin = math.cos(turn), math.sin(turn)
        ends = np.array([(x, across, up) for x in (-half, half) for across, up in self.end_mm])
        return np.asarray(ends @ np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]]) + (*centre, low_mm), float)


@dataclass(frozen=True)
class Tapered(Shape):
    """A piece that is less wide at its `head` than at its foot: by that part of it."""

    head: float = _HEAD

    def corners(self, centre: Point, turn_deg: float, low_mm: float) -> Floats:
        """The corners (2 n, 3): those of its foot, then those of its head."""
        corners = super().corners(centre, turn_deg, low_mm)
        head = corners[len(self.ring_mm) :, :2]
        head[:] = centre + self.head * (head - centre)
        return corners


@dataclass(frozen=True)
class Figure(Tapered):
    """A piece that stands on a foot and has a lesser head, as meeples and pawns do."""

    def creases(self, corners: Floats, eye: Floats) -> Floats:
        """None: what it looks like between foot and head is not known."""
        return np.zeros((0, 2, 3))


@dataclass(frozen=True)
class Gable(Shape):
    """A piece that is as long at its top as at its foot, along its x, and no wider there than a ridge."""

    def corners(self, centre: Point, turn_deg: float, low_mm: float) -> Floats:
        """The corners (2 n, 3): those of its foot, then those of its ridge."""
        ridge = replace(self, ring_mm=tuple((x, _RIDGE * y) for x, y in self.ring_mm))
        foot, head = (super(Gable, each).corners(centre, turn_deg, low_mm) for each in (self, ridge))
        return np.vstack([foot[: len(self.ring_mm)], head[len(self.ring_mm) :]])


def guises(shape: Shape) -> tuple[Shape, ...]:
    """The solids that a piece may be: a roof that is no plate may be pointed, or have a ridge."""
    if _ROOF not in shape.kind or shape.is_flat or type(shape) is not Shape:
        return (shape,)
    of = (shape.kind, shape.ring_mm, shape.tall_mm, shape.mass_g, shape.round)
    return (shape, Tapered(*of, head=_RIDGE), Gable(*of))


def shape_of(kind: str, piece: Piece) -> Shape | None:
    """A piece as a solid, one of which only the height is known as a figure; None when its sizes are not known."""
    if piece.size_mm is not None:
        x, y, z = piece.size_mm
        ring = ((-x / 2, -y / 2), (x / 2, -y / 2), (x / 2, y / 2), (-x / 2, y / 2))
        return Shape(kind, ring, z, piece.mass_g, round=False)
    if piece.height_mm is None:
        return None
    if piece.diameter_mm is None:
        if piece.height_mm < _FIGURE_MM:
            return None
        return Figure(kind, _circle(_FIGURE * piece.height_mm), piece.height_mm, piece.mass_g, round=True)
    return Shape(kind, _circle(piece.diameter_mm), piece.height_mm, piece.mass_g, round=True)


def _circle(wide_mm: float) -> tuple[Point, ...]:
    turns = [math.tau * corner / _ROUND_CORNERS for corner in range(_ROUND_CORNERS)]
    return tuple((wide_mm / 2 * math.cos(turn), wide_mm / 2 * math.sin(turn)) for turn in turns)


class Kit:
    """The shapes of a table's pieces, and what they are in a castle: floors, what carries floors, and all else."""

    def __init__(self, plan: Plan) -> None:
        found = [shape_of(kind, piece) for kind, piece in plan.pieces.items()]
        shapes = [shape for shape in found if shape is not None]
        plates = _plates(shapes)
        if not plates:
            shapes += [shape for kind, piece in _NOMINAL.items() if (shape := shape_of(kind, piece))]
            plates = _plates(shapes)
        elif all(shape in plates or isinstance(shape, Figure) for shape in shapes) and (
            pillar := shape_of("pillar", _NOMINAL["pillar"])
        ):
            shapes.append(pillar)  # something must carry the floors
        self.shapes = {shape.kind: shape for shape in shapes}
        self.floor = min(plates, key=_unlike_a_floor)
        self.base = next((shape for shape in plates if BASE in shape.kind), self.floor)
        self.roofs = tuple(shape for shape in plates if shape is not self.floor and BASE not in shape.kind)
        self.widest_mm = max(self.floor.wide_mm, self.base.wide_mm)
        self.bridges = tuple(shape for shape in shapes if shape not in plates and _is_bridge(shape, self.floor))
        self.small = tuple(shape for shape in shapes if shape not in plates and shape not in self.bridges)
        self.pillar = _pillar(self.small)
        self.lying = tuple(OnItsSide.of(shape) for shape in self.small if shape.tall_mm > _LONG * shape.wide_mm)
        self.upright = tuple(shape for shape in self.small if shape.tall_mm > shape.wide_mm)
        self.pitch_mm = self.floor.tall_mm + (self.pillar.tall_mm if self.pillar else 0.0)

    def plate(self, level: int) -> Shape:
        """What a level's plate is: the lowest is the base tile, where there are such, all others are floors."""
        return self.base if level == 1 else self.floor

    def floor_low_mm(self, level: int) -> float:
        """The underside of a level's plate when all below it are floors; level 1 lies on the board."""
        return 0.0 if level == 1 else (level - 1) * self.pitch_mm + self.base.tall_mm - self.floor.tall_mm

    def is_level(self, shape: Shape) -> bool:
        """Whether such a piece makes a level of its tower: a floor does, a roof does, a bridge does not."""
        return shape is self.floor or shape in self.roofs or BASE in shape.kind

    def named(self, kind: str, level: int | None) -> str:
        """The kind of a plate by its level: base tiles lie on the board and nowhere else."""
        if level is None or kind not in (self.floor.kind, self.base.kind):
            return kind
        return self.plate(level).kind

    def akin(self, kinds: Iterable[str], others: Iterable[str]) -> bool:
        """Whether pieces of these kinds may be taken for one another: plates for plates, others for others."""
        mine, yours = (
            {self.is_level(self.shapes[kind]) for kind in each if kind in self.shapes} for each in (kinds, others)
        )
        return not mine or not yours or bool(mine & yours)


def _unlike_a_floor(shape: Shape) -> tuple[bool, bool, float]:
    """What the floors of a tower are is least so."""
    return (BASE in shape.kind, not _is_tile(shape), shape.tall_mm)


def _plates(shapes: Iterable[Shape]) -> list[Shape]:
    """The floors, roofs and base tiles among some shapes: large ones, and tiles by name that are nearly as large."""
    flat = [shape for shape in shapes if not shape.round and shape.tall_mm <= _FLAT * shape.narrow_mm]
    widest = max((shape.narrow_mm for shape in flat if _is_tile(shape) or shape.narrow_mm >= _PLATE_MM), default=0.0)
    least_mm = max(_SMALL_MM, _SMALL_PART * widest)
    return [each for each in flat if each.narrow_mm >= (least_mm if _is_tile(each) else _PLATE_MM)]


def _is_tile(shape: Shape) -> bool:
    return bool(_TILES & set(re.split(r"[^a-z]+", shape.kind.lower())))


def _is_bridge(shape: Shape, floor: Shape) -> bool:
    """Flat, and longer than a floor is wide: it lies across from one tower to another."""
    return not shape.round and shape.wide_mm > floor.wide_mm and shape.tall_mm <= _FLAT * shape.narrow_mm


def _pillar(small: tuple[Shape, ...]) -> Shape | None:
    """The piece that carries floors: the one called so, else the tallest; no figure does."""
    small = tuple(shape for shape in small if not isinstance(shape, Figure))
    return min(small, key=lambda shape: ("pillar" not in shape.kind, -shape.tall_mm), default=None)
