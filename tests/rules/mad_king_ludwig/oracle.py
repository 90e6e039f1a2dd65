"""A slow second opinion on geometry: shapes as sampled points, entrances as points on edges, walks from cell to cell.

Nothing of the fast geometry is used but the printed tiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from companion.rules.mad_king_ludwig.rooms import RoomTile, find
from companion.rules.mad_king_ludwig.state import Castle

_SAMPLES = 10
_SKIN = 0.02
_OUT = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}
_NEXT = {"top": "right", "right": "bottom", "bottom": "left", "left": "top"}
_OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


class Door(NamedTuple):
    """An entrance as a point on the plane."""

    x: float
    y: float
    side: str
    below: bool


class Tile(NamedTuple):
    """A tile somewhere on the plane."""

    tile: RoomTile
    x: int
    y: int
    turn: int

    @property
    def size(self) -> tuple[int, int]:
        wide, high = self.tile.width, self.tile.height
        return (wide, high) if self.turn in (0, 180) else (high, wide)

    def unturned(self, x: float, y: float) -> tuple[float, float]:
        """A point of the plane in the coordinates of the tile as printed."""
        x, y = x - self.x, y - self.y
        wide, high = self.tile.width, self.tile.height
        return {0: (x, y), 90: (y, high - x), 180: (wide - x, high - y), 270: (wide - y, x)}[self.turn]

    def covers(self, x: float, y: float) -> bool:
        return _inside(self.tile, *self.unturned(x, y))

    def doors(self) -> list[Door]:
        return [Door(self.x + door.x, self.y + door.y, door.side, door.below) for door in _doors(self.tile, self.turn)]

    def cells(self) -> set[tuple[int, int]]:
        """Every cell of which the tile covers something."""
        return {(self.x + x, self.y + y) for x, y in _cells(self.tile, self.turn)}

    def corners(self) -> set[tuple[int, int]]:
        wide, high = self.size
        if self.tile.shape not in ("circle", "octagon"):
            return set()
        return {(self.x + i, self.y + j) for i in (0, wide - 1) for j in (0, high - 1)}


@cache
def _doors(tile: RoomTile, turn: int) -> tuple[Door, ...]:
    return tuple(_turned(Tile(tile, 0, 0, turn), door) for door in _printed(tile))


@cache
def _cells(tile: RoomTile, turn: int) -> frozenset[tuple[int, int]]:
    at = Tile(tile, 0, 0, turn)
    wide, high = at.size
    box = ((x, y) for x in range(wide) for y in range(high))
    return frozenset(cell for cell in box if any(at.covers(*point) for point in _points(*cell)))


def _points(x: int, y: int) -> Iterator[tuple[float, float]]:
    for i in range(_SAMPLES):
        for j in range(_SAMPLES):
            yield x + (i + 0.5) / _SAMPLES, y + (j + 0.5) / _SAMPLES


def _inside(tile: RoomTile, x: float, y: float) -> bool:
    wide, high = tile.width, tile.height
    if not (0 < x < wide and 0 < y < high):
        return False
    if tile.shape == "circle":
        return (x - wide / 2) ** 2 + (y - high / 2) ** 2 < (wide / 2) ** 2
    if tile.shape == "octagon":
        return min(x, wide - x) + min(y, high - y) > 1
    return tile.shape != "L" or x < wide - 2 or y > 2


def _printed(tile: RoomTile) -> list[Door]:
    found = []
    for text in tile.doors:
        side, _, place = text.partition(" ")
        along = int(place) + 0.5
        x = {"left": 0.0, "right": float(tile.width)}.get(side, along)
        y = {"top": 0.0, "bottom": float(tile.height)}.get(side, along)
        if tile.shape == "L" and side == "right" and along < 2:
            x -= 2
        if tile.shape == "L" and side == "top" and along > tile.width - 2:
            y += 2
        found.append(Door(x, y, side, tile.floor == "below" or (tile.floor == "stairs" and side == "left")))
    return found


def _turned(at: Tile, door: Door) -> Door:
    x, y, side, high, wide = door.x, door.y, door.side, at.tile.height, at.tile.width
    for _ in range(at.turn // 90):
        x, y, side = high - y, x, _NEXT[side]
        wide, high = high, wide
    return Door(at.x + x, at.y + y, side, door.below)


# Judging


def tiles_of(castle: Castle) -> list[Tile]:
    found = []
    for placed in castle.rooms:
        tile = find(placed.room)
        assert tile is not None
        assert placed.spot is not None
        found.append(Tile(tile, placed.spot.x, placed.spot.y, placed.spot.turn))
    return found


def overlap(one: Tile, other: Tile) -> bool:
    left, right = max(one.x, other.x), min(one.x + one.size[0], other.x + other.size[0])
    top, bottom = max(one.y, other.y), min(one.y + one.size[1], other.y + other.size[1])
    box = ((x, y) for x in range(left, right) for y in range(top, bottom))
    return any(one.covers(*point) and other.covers(*point) for cell in box for point in _points(*cell))


def joined(one: Tile, other: Tile) -> bool:
    return any(_meet(a, b) and a.below == b.below for a in one.doors() for b in other.doors())


def mixed(one: Tile, other: Tile) -> bool:
    return any(_meet(a, b) and a.below != b.below for a in one.doors() for b in other.doors())


def _meet(a: Door, b: Door) -> bool:
    return (a.x, a.y) == (b.x, b.y) and b.side == _OPPOSITE[a.side]


def touch(one: Tile, other: Tile, side: str = "") -> bool:
    """Whether walls lie flat against each other: along the middle of some cell's edge both tiles begin at once.

    With `side` only on that side of the first tile as printed.
    """
    return any(all(other.covers(*point) for point in points) for points in _before_walls(one, side))


def _before_walls(one: Tile, side: str) -> Iterator[list[tuple[float, float]]]:
    """Points just outside each straight piece of a tile's wall."""
    for x, y in one.cells():
        for name, (dx, dy) in _OUT.items():
            inner, outer = (_along_edge(x, y, dx, dy, skin) for skin in (-_SKIN, _SKIN))
            straight = all(one.covers(*point) for point in inner) and not any(one.covers(*point) for point in outer)
            if straight and side in ("", _as_printed(one, name)):
                yield outer


def _along_edge(x: int, y: int, dx: int, dy: int, skin: float) -> list[tuple[float, float]]:
    middle_x, middle_y = x + 0.5 + dx * (0.5 + skin), y + 0.5 + dy * (0.5 + skin)
    return [(middle_x + abs(dy) * along, middle_y + abs(dx) * along) for along in (-0.2, 0.0, 0.2)]


def _as_printed(one: Tile, side: str) -> str:
    for _ in range((360 - one.turn) % 360 // 90):
        side = _NEXT[side]
    return side


def fenced_off(one: Tile, other: Tile) -> bool:
    """Whether one tile's fence touches the other."""
    return one.tile.fence and touch(one, other, "top")


def outer_doors(tiles: list[Tile]) -> list[int]:
    """How many entrances of each tile lead outside, walking from cell to cell."""
    claims: dict[tuple[int, int], int] = {}
    for tile in tiles:
        for cell in tile.cells():
            claims[cell] = claims.get(cell, 0) + 1
    cut = {cell for tile in tiles for cell in tile.corners() if claims[cell] == 1}
    solid = set(claims) - cut
    outside = _walk(solid)
    return [sum(_before(door) in outside for door in tile.doors()) for tile in tiles]


def _walk(solid: set[tuple[int, int]]) -> set[tuple[int, int]]:
    xs, ys = [x for x, _ in solid], [y for _, y in solid]
    low_x, high_x, low_y, high_y = min(xs) - 1, max(xs) + 1, min(ys) - 1, max(ys) + 1
    seen, todo = {(low_x, low_y)}, [(low_x, low_y)]
    while todo:
        x, y = todo.pop()
        for dx, dy in _OUT.values():
            cell = (x + dx, y + dy)
            inside = low_x <= cell[0] <= high_x and low_y <= cell[1] <= high_y
            if inside and cell not in solid and cell not in seen:
                seen.add(cell)
                todo.append(cell)
    return seen


def _before(door: Door) -> tuple[int, int]:
    dx, dy = _OUT[door.side]
    return int((door.x + dx * 0.5) // 1), int((door.y + dy * 0.5) // 1)


def legal(tiles: list[Tile], new: Tile) -> bool:
    """Rules 1 to 7 for placing rooms."""
    if not any(joined(new, other) for other in tiles) or any(mixed(new, other) for other in tiles):
        return False
    if any(overlap(new, other) for other in tiles):
        return False
    if new.tile.floor == "stairs" and any(joined(new, o) for o in tiles if o.tile.floor == "stairs"):
        return False
    if any(fenced_off(new, other) or fenced_off(other, new) for other in tiles):
        return False
    return any(outer_doors([*tiles, new]))


def spots(castle: Castle, room: str) -> set[tuple[int, int, int]]:
    """Every legal place, tried one by one; turns that look the same are one."""
    tiles = tiles_of(castle)
    tile = find(room)
    assert tile is not None
    taken = {(door.x, door.y) for there in tiles for door in there.doors()}
    low_x, low_y = min(t.x for t in tiles) - 8, min(t.y for t in tiles) - 8
    high_x, high_y = max(t.x + t.size[0] for t in tiles) + 1, max(t.y + t.size[1] for t in tiles) + 1
    return {
        (x, y, turn)
        for turn in different_turns(tile)
        for x in range(low_x, high_x)
        for y in range(low_y, high_y)
        if any((x + door.x, y + door.y) in taken for door in _doors(tile, turn))
        and legal(tiles, Tile(tile, x, y, turn))
    }


@cache
def different_turns(tile: RoomTile) -> tuple[int, ...]:
    seen: dict[object, int] = {}
    for turn in (0, 90, 180, 270):
        at = Tile(tile, 0, 0, turn)
        fence = _as_printed(at, "top") if tile.fence else ""
        seen.setdefault((frozenset(at.cells()), frozenset(at.doors()), fence), turn)
    return tuple(seen.values())
