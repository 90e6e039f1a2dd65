"""The room tiles: what the box data says of each, and what a table has corrected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct

from companion.errors import Malformed
from companion.rules.base import decode
from companion.rules.box import shipped

RoomType = Literal["living", "activity", "sleeping", "outdoor", "utility", "food", "corridor", "downstairs"]
Shape = Literal["square", "rectangle", "L", "circle", "octagon"]
Floor = Literal["main", "below", "stairs"]
Centre = Literal["none", "connected", "adjacent", "each"]

TYPES: tuple[RoomType, ...] = get_args(RoomType)
SIZES = (100, 150, 200, 250, 300, 350, 400, 450, 500, 600)
"""The ten sizes of room tiles in square feet. Hallways, stairs and foyers have none of these stacks."""
LARGE_FROM_SQFT = 350
L_NOTCH_CELLS = 2
"""An L has no upper right square of this length."""
_CELL_SQFT = 25
_CUT_CELLS = 4
_NOTCH_CELLS = L_NOTCH_CELLS**2

FOYER, HALLWAY, BELOW_HALLWAY, STAIRS = "foyer", "hallway", "downstairs-hallway", "stairs"
HALLWAYS = (HALLWAY, BELOW_HALLWAY)
CORRIDORS = (FOYER, *HALLWAYS, STAIRS)
"""The corridor tiles that belong to no room stack."""

_PACKAGE = "companion.rules.mad_king_ludwig"
RoomId = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[a-z0-9?]+(-[a-z0-9]+)*$")]


class RoomTile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tile as printed. Lengths are in cells of 5 by 5 feet, the tile lying as its name is read.

    `points` stand in the upper left, `each` and `types` in the centre: `connected` pays for every room of these types
    joined by an entrance, `adjacent` for every one that touches, `each` for every one in the castle. An entrance is a
    side and the cell along it (`left 0` is the upper end). A `fence` runs along the top. Stairs are dark at the left.
    """

    id: RoomId
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    type: RoomType
    sqft: Annotated[int, Meta(ge=25, le=1000)]
    shape: Shape
    width: Annotated[int, Meta(ge=1, le=9)]
    height: Annotated[int, Meta(ge=1, le=9)]
    points: Annotated[int, Meta(ge=0, le=20)] = 0
    centre: Centre = "none"
    each: Annotated[int, Meta(ge=-9, le=9)] = 0
    types: tuple[RoomType, ...] = ()
    doors: tuple[Annotated[str, Meta(pattern=r"^(left|right|top|bottom) [0-8]$")], ...] = ()
    fence: bool = False
    floor: Floor = "main"


@cache
def catalogue() -> Mapping[str, RoomTile]:
    """Every tile of the shipped box by its id."""
    box = shipped(_PACKAGE)
    return {key: tile_from(entry) for table in ("rooms", "corridors") for key, entry in box[table].items()}


def tile_from(entry: Mapping[str, Any]) -> RoomTile:
    """A tile from its entry in the box data."""
    return checked(decode(dict(entry), RoomTile, "The room tile"))


def find(room: str, own: Iterable[RoomTile] = ()) -> RoomTile | None:
    """The tile with an id, as this table's box has it, or None."""
    for tile in own:
        if tile.id == room:
            return tile
    return catalogue().get(room)


def name(room: str, own: Iterable[RoomTile] = ()) -> str:
    """
    >>> name("queens-bedroom"), name("?")
    ("Queen's Bedroom", 'an unknown room')
    """
    tile = find(room, own)
    return tile.name if tile else "an unknown room"


def is_stacked(tile: RoomTile) -> bool:
    """Whether a tile comes from one of the ten room stacks."""
    return tile.id not in CORRIDORS


def ids_of_size(sqft: int, own: Iterable[RoomTile] = ()) -> tuple[str, ...]:
    """The ids of all stacked tiles of a size."""
    tiles = {**catalogue(), **{tile.id: tile for tile in own}}
    return tuple(tile.id for tile in tiles.values() if tile.sqft == sqft and is_stacked(tile))


def checked(tile: RoomTile) -> RoomTile:
    """The tile itself, or Malformed when no tile can look like that."""
    if "?" in tile.id:
        raise Malformed(f"{tile.name} needs an id without a question mark: that stands for a tile nobody has named.")
    if not tile.doors:
        raise Malformed(f"{tile.name} needs at least one entrance.")
    if len(set(tile.doors)) < len(tile.doors):
        raise Malformed(f"{tile.name} has an entrance twice in the same place.")
    if is_stacked(tile) and tile.sqft not in SIZES:
        raise Malformed(f"{tile.name} has {tile.sqft} square feet, and no stack has tiles of that size.")
    if not _has_shape(tile):
        size = f"{tile.width} by {tile.height} cells"
        raise Malformed(
            f"{tile.name} cannot be a tile of {size}, {tile.sqft} square feet and the shape '{tile.shape}'."
        )
    for door in tile.doors:
        if not _fits(tile, door):
            raise Malformed(f"{tile.name} cannot have an entrance at '{door}'.")
    if tile.floor == "stairs" and sorted(door.split()[0] for door in tile.doors) != ["left", "right"]:
        raise Malformed(f"{tile.name} leads down at its left end and up at its right end, with an entrance at each.")
    if (tile.centre == "none") != (tile.each == 0 or not tile.types):
        raise Malformed(f"{tile.name} needs points and types in its centre, or neither.")
    return tile


def _has_shape(tile: RoomTile) -> bool:
    """Whether a tile's lengths and square feet go with its shape. A circle fills its cells only in part."""
    cells = tile.width * tile.height
    match tile.shape:
        case "circle":
            return tile.width == tile.height >= 3 and tile.width % 2 == 1
        case "octagon":
            return min(tile.width, tile.height) >= 3 and tile.sqft == _CELL_SQFT * (cells - _CUT_CELLS)
        case "L":
            return min(tile.width, tile.height) > L_NOTCH_CELLS and tile.sqft == _CELL_SQFT * (cells - _NOTCH_CELLS)
        case "square" if tile.width != tile.height:
            return False
    return tile.sqft == _CELL_SQFT * cells


def _fits(tile: RoomTile, door: str) -> bool:
    """Whether an entrance lies on a straight part of its side, away from the fence."""
    side, _, text = door.partition(" ")
    length = tile.width if side in ("top", "bottom") else tile.height
    place = int(text)
    if tile.fence and side == "top":
        return False
    if tile.shape == "circle":
        return place == length // 2
    return 1 <= place < length - 1 if tile.shape == "octagon" else place < length
