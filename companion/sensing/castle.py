"""What stands on a board, piece by piece, as far as the eye has followed it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.sensing.plan import Board, Point
from companion.sensing.shapes import Kit, Shape

_CARRIED_MM = 1.0  # how far beside a single pillar the middle of a plate may seem to be that it carries


@dataclass(frozen=True)
class Standing:
    """A piece where it stands: its tower and level, its middle and turn, its foot's height.

    A bridge stands on two towers: `onto` is the second. Level 1 is the base tile; what is no level of its own is on
    the level of the plate it stands on.
    """

    shape: Shape
    tower: str
    level: int
    centre: Point
    turn_deg: float
    low_mm: float
    onto: str | None = None

    @property
    def high_mm(self) -> float:
        return self.low_mm + self.shape.tall_mm

    def is_like(self, other: Standing) -> bool:
        """Whether the other is a piece of this kind on the same level."""
        return (self.shape.kind, self.tower, self.level) == (other.shape.kind, other.tower, other.level)


class Castle:
    """The towers of one board."""

    def __init__(self, board: Board, kit: Kit) -> None:
        self.kit = kit
        self.towers = {tower.id: tower.centre_mm for tower in board.towers}
        self._pieces: list[Standing] = []

    def __iter__(self) -> Iterator[Standing]:
        return iter(self._pieces)

    def of(self, tower: str) -> list[Standing]:
        """The pieces of a tower, the lowest first; a bridge is of both its towers."""
        own = [piece for piece in self._pieces if tower in (piece.tower, piece.onto)]
        return sorted(own, key=lambda piece: piece.low_mm)

    def plates(self, tower: str) -> list[Standing]:
        """The floors of a tower and its roof, the lowest first."""
        return [piece for piece in self.of(tower) if self.kit.is_level(piece.shape)]

    def levels(self, tower: str) -> int:
        """How many levels a tower has: its floors, and its roof."""
        return max((piece.level for piece in self.plates(tower)), default=0)

    @property
    def is_flat(self) -> bool:
        """Whether nothing is built on any tower's base tile: neither a level nor a pillar."""
        pillars = any(piece.shape is self.kit.pillar for piece in self._pieces)
        return not pillars and all(self.levels(tower) < 2 for tower in self.towers)

    def top_mm(self, tower: str) -> float:
        """A tower's highest point above the board."""
        return max((piece.high_mm for piece in self.of(tower)), default=0.0)

    def middle(self, tower: str) -> Point:
        """Where a tower's top plate lies, or would lie."""
        plates = self.plates(tower)
        return plates[-1].centre if plates else self.towers[tower]

    def turn_deg(self, tower: str) -> float:
        """How a tower's top plate is turned."""
        plates = self.plates(tower)
        return plates[-1].turn_deg if plates else 0.0

    def surface_mm(self, tower: str) -> float:
        """What the next pillar of a tower would stand on."""
        plates = self.plates(tower)
        return plates[-1].high_mm if plates else 0.0

    def plate_low_mm(self, tower: str, level: int) -> float:
        """The underside of a plate that would be this level of a tower, above those that are there."""
        levels = self.levels(tower)
        if not levels:
            return self.kit.floor_low_mm(level)
        gap_mm = self.kit.pitch_mm - self.kit.floor.tall_mm
        return self.surface_mm(tower) + gap_mm + (level - levels - 1) * self.kit.pitch_mm

    def foot_mm(self, tower: str, centre: Point) -> float:
        """What a small piece at a place of a tower's top stands on: the plate, or a card on it."""
        surface = self.surface_mm(tower)
        for piece in self.of(tower):
            off_mm = max(abs(piece.centre[0] - centre[0]), abs(piece.centre[1] - centre[1]))
            if piece.shape.is_flat and piece.low_mm == surface and off_mm < 0.45 * piece.shape.narrow_mm:
                return piece.high_mm
        return surface

    def _carriers(self, tower: str) -> list[Standing]:
        """What is known to stand on a tower's top plate and could carry the next."""
        surface = self.surface_mm(tower)
        return [piece for piece in self.of(tower) if piece.low_mm >= surface and not piece.shape.is_flat]

    def cannot_carry(self, plate: Standing) -> bool:
        """Whether all that is known to stand under a plate is one pillar about its middle, but not under it.

        Nobody lays a plate on one pillar at its edge: where only that is known, others were not seen.
        """
        under = self._carriers(plate.tower)
        next_level = self.levels(plate.tower) + 1
        if next_level == 1 or plate.level != next_level or [each.shape for each in under] != [self.kit.pillar]:
            return False
        off_mm = math.dist(under[0].centre, plate.centre)
        return under[0].shape.narrow_mm / 2 + _CARRIED_MM < off_mm < plate.shape.wide_mm / 4

    def may_be_printed(self, tower: str) -> bool:
        """Whether a base tile is all there is of a tower: it may only be printed there."""
        return [piece.shape for piece in self.of(tower)] == [self.kit.base]

    def grounded(self, piece: Standing) -> Standing:
        """A floor that came over or onto a base tile on which nothing stands is that: it was only printed there."""
        floor = piece.shape in (self.kit.floor, self.kit.base)
        over_base = floor and piece.level in (1, 2) and self.levels(piece.tower) == 1
        if not over_base or self._carriers(piece.tower):
            return piece
        for printed in self.plates(piece.tower):
            self.take(printed)
        return replace(piece, shape=self.kit.base, level=1, low_mm=0.0)

    def add(self, piece: Standing) -> None:
        """A piece was put there. Floors that must be under it and were not seen are filled in."""
        if self.kit.is_level(piece.shape):
            for level in range(self.levels(piece.tower) + 1, piece.level):
                low_mm = self.plate_low_mm(piece.tower, level)
                self._pieces.append(replace(piece, shape=self.kit.plate(level), level=level, low_mm=low_mm))
        elif piece.level == 1 and not self.levels(piece.tower):
            self._pieces.append(self.base(piece.tower))
        self._pieces.append(piece)

    def base(self, tower: str) -> Standing:
        """A base tile as it would lie."""
        return Standing(self.kit.base, tower, 1, self.towers[tower], 0.0, 0.0)

    def assume(self, came: bool, kind: str, tower: str) -> Standing | None:
        """A piece that must have come or gone without being seen, by what stands there; None when it cannot be."""
        shape = self.kit.shapes.get(kind)
        if shape is None or tower not in self.towers:
            return None
        return self._must_have_come(shape, tower) if came else self._must_have_gone(shape, tower)

    def _must_have_come(self, shape: Shape, tower: str) -> Standing:
        levels = self.levels(tower)
        if self.kit.is_level(shape):
            low_mm = self.plate_low_mm(tower, levels + 1)
            piece = Standing(shape, tower, levels + 1, self.middle(tower), 0.0, low_mm)
            piece = self._laid(piece)
        else:
            low_mm = self.surface_mm(tower) if levels else self.base(tower).high_mm
            piece = Standing(shape, tower, max(1, levels), self.middle(tower), 0.0, low_mm)
        self.add(piece)
        return piece

    def _laid(self, plate: Standing) -> Standing:
        """A plate as what it is on its level: a base tile lies on the board, all others are floors or roofs."""
        if plate.shape not in (self.kit.floor, self.kit.base):
            return plate
        if plate.shape is not self.kit.floor:
            plate = self.grounded(plate)
        return replace(plate, shape=self.kit.plate(plate.level))

    def _must_have_gone(self, shape: Shape, tower: str) -> Standing | None:
        alike = [piece for piece in self.of(tower) if piece.shape is shape]
        if alike:
            self.take(alike[-1])
            return alike[-1]
        levels = self.levels(tower)
        if not levels or self.kit.is_level(shape):
            return None
        return Standing(shape, tower, levels, self.middle(tower), 0.0, self.surface_mm(tower))

    def take(self, piece: Standing) -> None:
        """A piece was taken away."""
        self._pieces.remove(piece)

    def rebuild(self, tower: str, pieces: Iterable[Standing]) -> None:
        """A tower read anew: these pieces and no others, and the bridges that lie on it."""
        kept = [piece for piece in self._pieces if piece.tower != tower or piece.onto is not None]
        self._pieces = kept + list(pieces)

    def restore(self, pieces: Iterable[Standing]) -> None:
        """All as it was."""
        self._pieces = list(pieces)
