"""What stands on a simulated board, read off the pieces themselves: levels, heights, free places."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from companion.twin.physics import Body, World
from companion.twin.pieces import (
    BATTLEMENT,
    BRAZIER,
    BRIDGE,
    FLOOR_TILE,
    LEVEL_KINDS,
    MEEPLE,
    PILLAR,
    ROOF,
    ROOM,
    extent_mm,
)
from companion.twin.turns import Vec, turned, yaw_of, yawed

_MM = 0.001
_LEVEL_PLAY_M = 0.0025
_LEVEL_TILT_COS = math.cos(math.radians(8.0))
_STANDING_COS = math.cos(math.radians(20.0))
_RIM_M = 0.0075
_FOOTPRINT_PLAY_M = 0.003
_TAKEN_M = 0.009

_PATTERNS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0.05, 0.0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (1, -1), (0, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1)),
    6: ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 1)),
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece is meant to go: its centre on the table in metres, and its yaw."""

    at: Vec
    yaw: float


@dataclass(frozen=True, slots=True)
class Standing:
    """A tower as it stands."""

    levels: int
    top_mm: float


class Castles:
    """The castles of a world, looked at afresh each time. Pieces in `away` (in a hand, on the shelf) do not count."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.away: set[int] = {piece.number for piece in world.pieces}
        self._gap_m = extent_mm(world.plan.pieces[PILLAR])[2] * _MM
        self._tile_half_m = extent_mm(world.plan.pieces[FLOOR_TILE])[0] * _MM / 2

    def centre(self, board: int, tower: str) -> Vec:
        """A foundation's centre in its board's frame, in metres."""
        x, y = next(each.centre_mm for each in self.world.plan.boards[board].towers if each.id == tower)
        return (x * _MM, y * _MM, 0.0)

    def towers(self, board: int) -> list[str]:
        return [tower.id for tower in self.world.plan.boards[board].towers]

    def tallest(self, board: int) -> str:
        return max(self.towers(board), key=lambda tower: len(self.stack(board, tower)))

    def here(self, kind: str | None = None) -> list[Body]:
        """The pieces on and about the boards."""
        return [each for each in self.world.pieces if each.number not in self.away and kind in (None, each.kind)]

    def stack(self, board: int, tower: str) -> list[Body]:
        """The tiles that are levels of a tower, from the base up."""
        flats = [
            (self._bottom(board, each), each)
            for each in self.here()
            if each.kind in LEVEL_KINDS and self._flat_over(board, tower, each)
        ]
        stack: list[Body] = []
        wanted = 0.0
        for bottom, tile in sorted(flats, key=lambda flat: flat[0]):
            if abs(bottom - wanted) < _LEVEL_PLAY_M:
                stack.append(tile)
                wanted = bottom + 2 * tile.half_m[2] + self._gap_m
        return stack

    def standing(self, board: int, tower: str) -> Standing:
        """Levels and the highest point of a tower above its board."""
        tops = [
            self.world.on_board(board, (0.0, 0.0, self.world.highest(each)))[2]
            for each in self.here()
            if self._belongs(board, tower, each)
        ]
        return Standing(len(self.stack(board, tower)), round(max(tops, default=0.0) / _MM, 3))

    def tower_of(self, board: int, piece: Body) -> str | None:
        """The tower a piece is part of, by where it is."""
        return next((tower for tower in self.towers(board) if self._belongs(board, tower, piece)), None)

    def level_of(self, board: int, tower: str, piece: Body) -> int:
        """The level a piece is on: a tile's own, or that of the tile below what stands there."""
        under = self._bottom(board, piece)
        return sum(
            1
            for tile in self.stack(board, tower)
            if tile is piece or self._bottom(board, tile) + tile.half_m[2] < under
        )

    def pillars_on(self, board: int, tower: str, level: int) -> list[Body]:
        """The pillars that stand on a level's tile."""
        return [
            each for each in self.here(PILLAR)
            if abs(self.world.upright(each)) > _STANDING_COS and self._over(board, tower, each)
            and self.level_of(board, tower, each) == level
        ]  # fmt: skip

    def loose(self, board: int, tower: str, kind: str) -> list[Body]:
        """The pieces of a kind in a tower, the highest first."""
        found = [each for each in self.here(kind) if self._belongs(board, tower, each)]
        return sorted(found, key=lambda each: -self.world.at(each)[2])

    # Where the next piece goes

    def place_for(self, board: int, tower: str, piece: Body, of: int = 4) -> Place:
        """The place somebody would aim at for a piece on a tower; `of` is how many pillars are meant to stand there."""
        stack = self.stack(board, tower)
        if piece.kind == BRIDGE:
            return self._bridge(board, piece)
        if piece.kind in LEVEL_KINDS:
            return self._next_level(board, tower, piece, stack)
        if not stack:
            return self._foundation(board, tower, piece)
        tile = stack[-1]
        dx, dy = self._slot(tile, piece, of)
        rise = tile.half_m[2] + self._room_under(tile, piece) + piece.half_m[2]
        return self._on_tile(tile, (dx, dy, rise))

    def _foundation(self, board: int, tower: str, piece: Body) -> Place:
        x, y, _ = self.centre(board, tower)
        return Place(self.world.on_table(board, (x, y, piece.half_m[2])), self.world.yaw(board))

    def _next_level(self, board: int, tower: str, piece: Body, stack: list[Body]) -> Place:
        if not stack:
            return self._foundation(board, tower, piece)
        pillars = self.pillars_on(board, tower, len(stack))
        top = max((self.world.highest(each) for each in pillars), default=self.world.highest(stack[-1]))
        x, y = self._middle(pillars) if pillars else self.world.at(stack[-1])[:2]
        bx, by, _ = self.world.at(stack[-1])
        aim = ((x + bx) / 2, (y + by) / 2) if len(pillars) > 2 else (x, y)
        return Place((*aim, top + piece.half_m[2]), yaw_of(self.world.turn(stack[-1])))

    def _middle(self, pillars: list[Body]) -> tuple[float, float]:
        xs, ys = ([self.world.at(each)[axis] for each in pillars] for axis in (0, 1))
        return ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)

    def _bridge(self, board: int, piece: Body) -> Place:
        ends = [self.stack(board, tower) for tower in ("left", "right")]
        tops = [self.world.at(stack[-1]) for stack in ends if stack]
        if len(tops) < 2:
            return self._foundation(board, "left", piece)
        (ax, ay, az), (bx, by, bz) = tops
        rise = max(az, bz) + ends[0][-1].half_m[2] + piece.half_m[2]
        return Place(((ax + bx) / 2, (ay + by) / 2, rise), math.atan2(by - ay, bx - ax))

    def _slot(self, tile: Body, piece: Body, of: int) -> tuple[float, float]:
        rim = tile.half_m[0] - _RIM_M
        slots = {
            PILLAR: [(x * rim, y * rim) for x, y in self._pattern(tile, of)],
            ROOM: [(0.0, 0.0)],
            MEEPLE: [(-0.008, 0.0), (0.008, 0.002), (0.0, -0.011), (0.0, 0.012)],
            BRAZIER: [(-0.6 * rim, 0.7 * rim), (0.6 * rim, 0.7 * rim)],
            BATTLEMENT: [(0.0, -0.6 * rim)],
        }[piece.kind]
        return max(slots, key=lambda slot: (min(self._room_at(tile, slot, piece), _TAKEN_M), -slots.index(slot)))

    def _pattern(self, tile: Body, of: int) -> tuple[tuple[float, float], ...]:
        """Where so many pillars stand on a tile; a room in its middle leaves the corners."""
        return _PATTERNS[min(6, max(of, 1 if of != 1 or not self._rooms_on(tile) else 4))]

    def _room_at(self, tile: Body, slot: tuple[float, float], piece: Body) -> float:
        """How far the nearest piece of the same kind is from a place on a tile."""
        x, y, z = self._on_tile(tile, (*slot, 0.0)).at
        near = [
            self.world.at(each)
            for each in self.here(piece.kind)
            if abs(self.world.at(each)[2] - z) < 0.03 and self.world.at(each)[2] > z
        ]
        return min((math.hypot(ax - x, ay - y) for ax, ay, _ in near), default=1.0)

    def _room_under(self, tile: Body, piece: Body) -> float:
        rooms = self._rooms_on(tile) if piece.kind == MEEPLE else []
        return 2 * rooms[0].half_m[2] if rooms else 0.0

    def _rooms_on(self, tile: Body) -> list[Body]:
        tx, ty, tz = self.world.at(tile)
        rooms = [each for each in self.here(ROOM) if 0 < self.world.at(each)[2] - tz < 0.01]
        return [each for each in rooms if math.dist(self.world.at(each)[:2], (tx, ty)) < self._tile_half_m]

    def _on_tile(self, tile: Body, offset: Vec) -> Place:
        x, y, z = self.world.at(tile)
        dx, dy, dz = turned(yawed(yaw_of(self.world.turn(tile))), offset)
        return Place((x + dx, y + dy, z + dz), yaw_of(self.world.turn(tile)))

    # Reading

    def _bottom(self, board: int, piece: Body) -> float:
        return self.world.on_board(board, self.world.at(piece))[2] - self.world.reach_up(piece)

    def _flat_over(self, board: int, tower: str, piece: Body) -> bool:
        return abs(self.world.upright(piece)) > _LEVEL_TILT_COS and self._over(board, tower, piece)

    def _over(self, board: int, tower: str, piece: Body) -> bool:
        x, y, z = self.world.on_board(board, self.world.at(piece))
        cx, cy, _ = self.centre(board, tower)
        reach = self._tile_half_m + _FOOTPRINT_PLAY_M
        return abs(x - cx) < reach and abs(y - cy) < reach and z > -0.002

    def _belongs(self, board: int, tower: str, piece: Body) -> bool:
        if piece.kind == BRIDGE:
            return self._bridge_over(board, tower, piece)
        return self._over(board, tower, piece)

    def _bridge_over(self, board: int, tower: str, piece: Body) -> bool:
        cx, cy, _ = self.centre(board, tower)
        for end in (-0.95, 0.95):
            dx, dy, dz = turned(self.world.turn(piece), (end * piece.half_m[0], 0.0, 0.0))
            x, y, z = self.world.at(piece)
            ex, ey, ez = self.world.on_board(board, (x + dx, y + dy, z + dz))
            if abs(ex - cx) < self._tile_half_m and abs(ey - cy) < self._tile_half_m and ez > self._gap_m:
                return True
        return False


def raise_tower(
    castles: Castles,
    board: int,
    tower: str,
    levels: int,
    pillars: int,
    roofed: bool,
    chance: Random,
    furnish: bool = True,
) -> None:
    """A tower that somebody has built before: pieces off the shelf, each set down with a small error.

    Its top is left bare: rooms and guests live below.
    """
    for level in range(1, levels + 1):
        _set_down(castles, board, tower, FLOOR_TILE, 1, chance)
        covered = level < levels or roofed
        if furnish and covered and chance.random() < 0.7:
            _set_down(castles, board, tower, ROOM, 1, chance)
            if chance.random() < 0.5:
                _set_down(castles, board, tower, MEEPLE, 1, chance)
        if covered:
            for _ in range(pillars):
                _set_down(castles, board, tower, PILLAR, pillars, chance)
    if roofed:
        _set_down(castles, board, tower, ROOF, 1, chance)


def _set_down(castles: Castles, board: int, tower: str, kind: str, of: int, chance: Random) -> None:
    piece = next((each for each in castles.world.pieces if each.kind == kind and each.number in castles.away), None)
    if piece is None:
        return
    place = castles.place_for(board, tower, piece, of)
    x, y, z = place.at
    error = (chance.gauss(0, 0.0008), chance.gauss(0, 0.0008))
    castles.world.put(piece, (x + error[0], y + error[1], z), yawed(place.yaw + chance.gauss(0, 0.02)))
    castles.away.discard(piece.number)
