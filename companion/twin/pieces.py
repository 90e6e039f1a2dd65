"""The kinds of pieces, from pieces.toml, and the set of them that one recording plays with."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from random import Random

import msgspec

from companion.errors import Malformed
from companion.sensing.plan import Piece, Point3

FLOOR_TILE, PILLAR, ROOM, MEEPLE = "floor-tile", "pillar", "room", "meeple"
BRAZIER, BATTLEMENT, ROOF, BRIDGE = "brazier", "battlement", "roof", "bridge"
LEVEL_KINDS = (FLOOR_TILE, ROOF)
"""What makes a level of a tower."""

_FILE = "pieces.toml"


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of piece as the parameter file has it: nominal size and mass, and how sets and single pieces differ."""

    mass_g: float
    size_mm: Point3 | None = None
    diameter_mm: float | None = None
    height_mm: float | None = None
    spread: float = 0.0
    odd: float = 0.0

    def __post_init__(self) -> None:
        if (self.size_mm is None) == (self.diameter_mm is None or self.height_mm is None):
            raise ValueError("a piece has either size_mm, or diameter_mm and height_mm")

    def nominal(self) -> Piece:
        return Piece(self.mass_g, self.size_mm, self.diameter_mm, self.height_mm)


@cache
def kinds() -> Mapping[str, Kind]:
    """Every kind of piece by its name.

    >>> kinds()["pillar"].mass_g
    2.0
    """
    return read_kinds((files(__package__) / _FILE).read_text("utf-8"))


def read_kinds(text: str) -> dict[str, Kind]:
    """Kinds from the text of a parameter file; Malformed names what is wrong."""
    try:
        return msgspec.convert(tomllib.loads(text), dict[str, Kind])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as err:
        raise Malformed(f"{_FILE} does not describe pieces: {err}.") from err


def spoken(kind: str) -> str:
    """A kind as people say it.

    >>> spoken("floor-tile")
    'floor tile'
    """
    return kind.replace("-", " ")


def nominal_set() -> dict[str, Piece]:
    """The pieces at their nominal size and mass."""
    return {name: kind.nominal() for name, kind in kinds().items()}


def varied_set(chance: Random) -> dict[str, Piece]:
    """A set as another printing of the game might be: every kind a little larger, smaller, lighter or heavier.

    The floor plan keeps its proportions: tiles, roofs and bridges grow together.
    """
    flat = _about_one(chance, kinds()[FLOOR_TILE].spread)
    return {name: _varied(chance, name, kind, flat) for name, kind in kinds().items()}


def mass_of_one(chance: Random, kind: str, piece: Piece) -> float:
    """The mass in g of a single piece of a set."""
    odd = max(-2.5, min(2.5, chance.gauss(0.0, 1.0))) * kinds()[kind].odd
    return round((piece.mass_g or 0.0) * (1.0 + odd), 4)


def extent_mm(piece: Piece) -> Point3:
    """The box around a piece as it stands."""
    if piece.size_mm is not None:
        return piece.size_mm
    assert piece.diameter_mm is not None
    assert piece.height_mm is not None
    return (piece.diameter_mm, piece.diameter_mm, piece.height_mm)


def _varied(chance: Random, name: str, kind: Kind, flat: float) -> Piece:
    tall, mass = _about_one(chance, kind.spread), _about_one(chance, 2 * kind.spread)
    wide = flat if name in (FLOOR_TILE, ROOF, BRIDGE) else _about_one(chance, kind.spread / 2)
    if kind.size_mm is not None:
        x, y, z = kind.size_mm
        return Piece(
            mass_g=round(kind.mass_g * mass, 2), size_mm=(round(x * wide, 1), round(y * wide, 1), round(z * tall, 2))
        )
    assert kind.diameter_mm is not None
    assert kind.height_mm is not None
    return Piece(
        mass_g=round(kind.mass_g * mass, 2),
        diameter_mm=round(kind.diameter_mm * wide, 1),
        height_mm=round(kind.height_mm * tall, 1),
    )


def _about_one(chance: Random, spread: float) -> float:
    return 1.0 + chance.uniform(-spread, spread)
