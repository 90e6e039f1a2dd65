"""What stands on a board, piece by piece, as far as the eye has followed it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.sensing.plan import Board, Point
from companion.sensing.shapes import Kit, Shape


@dataclass(frozen=True)
class Standing:
    """A piece where it stands: its tower and level, its middle and turn, its foot's height."""

    shape: Shape
    tower: str
    level: int
    centre: Point
    turn_deg: float
    low_mm: float

    @property
    def high_mm(self) -> float:
        return self.low_mm + self.shape.tall_mm


class Castle:
    """The towers of one board."""

    def __init__(self, board: Board, kit: Kit) -> None:
        self.kit = kit
        self.towers = {tower.id: tower.centre_mm for tower in board.towers}
        self._pieces: list[Standing] = []

    def __iter__(self) -> Iterator[Standing]:
        return iter(self._pieces)

    def of(self, tower: str) -> list[Standing]:
        """The pieces of a tower, the lowest first."""
        return sorted((piece for piece in self._pieces if piece.tower == tower), key=lambda piece: piece.low_mm)

    def levels(self, tower: str) -> int:
        """How many floors a tower has."""
        return max((piece.level for piece in self.of(tower) if piece.shape is self.kit.floor), default=0)

    def top_mm(self, tower: str) -> float:
        """A tower's highest point above the board."""
        return max((piece.high_mm for piece in self.of(tower)), default=0.0)

    def middle(self, tower: str) -> Point:
        """Where a tower's top floor lies, or would lie."""
        floors = [piece for piece in self.of(tower) if piece.shape is self.kit.floor]
        return floors[-1].centre if floors else self.towers[tower]

    def add(self, piece: Standing) -> None:
        """A piece was put there. Floors that must be under it and were not seen are filled in."""
        if piece.shape is self.kit.floor:
            for level in range(self.levels(piece.tower) + 1, piece.level):
                self._pieces.append(replace(piece, level=level, low_mm=self.kit.floor_low_mm(level)))
        self._pieces.append(piece)

    def assume(self, came: bool, kind: str, tower: str) -> Standing | None:
        """A piece that must have come or gone without being seen, by what stands there; None when it cannot be."""
        shape = self.kit.shapes.get(kind)
        if shape is None or tower not in self.towers:
            return None
        if not came:
            alike = [piece for piece in self.of(tower) if piece.shape is shape]
            if alike:
                self.take(alike[-1])
            return alike[-1] if alike else None
        levels = self.levels(tower)
        level = levels + 1 if shape is self.kit.floor else max(1, levels)
        plate = shape is self.kit.floor or shape in self.kit.roofs
        low_mm = self.kit.floor_low_mm(levels + 1) if plate else self.kit.surface_mm(levels)
        piece = Standing(shape, tower, level, self.middle(tower), 0.0, low_mm)
        self.add(piece)
        return piece

    def take(self, piece: Standing) -> None:
        """A piece was taken away."""
        self._pieces.remove(piece)

    def rebuild(self, tower: str, pieces: Iterable[Standing]) -> None:
        """A tower read anew: these pieces and no others."""
        self._pieces = [piece for piece in self._pieces if piece.tower != tower] + list(pieces)
