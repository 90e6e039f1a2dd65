"""Tiles on a grid of cells of 5 by 5 feet: what overlaps, touches, is joined by entrances, is shut in.

x grows to the right and y downward. Every entrance lies in the middle of a cell's edge, so tiles joined by entrances
always lie on the same grid. A castle is a Board of bit masks, one bit a cell: shifting a mask moves a tile, and a few
operations on whole numbers answer what would take loops over cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from companion.rules.mad_king_ludwig.rooms import L_NOTCH_CELLS, RoomTile

TURNS = (0, 90, 180, 270)
"""How far a tile is turned, clockwise, in degrees."""
NORTH, EAST, SOUTH, WEST = SIDES = range(4)
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
_SIDE_NAMES = {"top": NORTH, "right": EAST, "bottom": SOUTH, "left": WEST}
_MARGIN_CELLS = 10
"""Free cells kept around a castle: more than the longest tile, so that a new one never leaves the board."""
_STRIDE_STEP = 32

Cell = tuple[int, int]
Edge = tuple[int, int, int]
"""A cell and one of its sides."""
Four = tuple[int, int, int, int]
"""A mask for each side."""


class Outline(NamedTuple):
    """A tile turned: which cells it lies on, and what its edges are.

    `corners` are the cells of which a cut corner leaves part free. `walls` are the straight edges with which it can
    touch another tile, entrances included. `below` are the entrances that lead downstairs.
    """

    width: int
    height: int
    cells: frozenset[Cell]
    corners: frozenset[Cell]
    walls: frozenset[Edge]
    doors: frozenset[Edge]
    below: frozenset[Edge]
    fence: frozenset[Edge]


@lru_cache(maxsize=1024)
def outline(tile: RoomTile, turn: int) -> Outline:
    """A tile's outline, turned clockwise by so many degrees."""
    found = _lying(tile)
    for _ in range(turn // 90):
        found = _turned(found)
    return found


def _lying(tile: RoomTile) -> Outline:
    """The outline as the tile's name is read."""
    cells = frozenset((x, y) for x in range(tile.width) for y in range(tile.height) if not _in_notch(tile, x, y))
    corners = _corners(tile) if is_cut(tile) else frozenset()
    walls = frozenset(edge for edge in _perimeter(cells) if _is_straight(tile, edge))
    doors = frozenset(_door(cells, text) for text in tile.doors)
    dark = frozenset(door for door in doors if _leads_below(tile, door))
    fence = frozenset(edge for edge in walls if edge[2] == NORTH) if tile.fence else frozenset()
    return Outline(tile.width, tile.height, cells, corners, walls, doors - dark, dark, fence)


def is_cut(tile: RoomTile) -> bool:
    """Whether the corners of a tile are cut away."""
    return tile.shape in ("circle", "octagon")


def _in_notch(tile: RoomTile, x: int, y: int) -> bool:
    """An L has no upper right quarter."""
    return tile.shape == "L" and x >= tile.width - L_NOTCH_CELLS and y < L_NOTCH_CELLS


def _corners(tile: RoomTile) -> frozenset[Cell]:
    return frozenset((x, y) for x in (0, tile.width - 1) for y in (0, tile.height - 1))


def _perimeter(cells: frozenset[Cell]) -> Iterator[Edge]:
    for x, y in cells:
        for side, (dx, dy) in enumerate(_STEPS):
            if (x + dx, y + dy) not in cells:
                yield x, y, side


def _is_straight(tile: RoomTile, edge: Edge) -> bool:
    """A round tile is straight only in the middle of its sides, an eight-sided one except at its corners."""
    x, y, side = edge
    if tile.shape == "circle":
        return (x if side in (NORTH, SOUTH) else y) == tile.width // 2
    return tile.shape != "octagon" or (x, y) not in _corners(tile)


def _door(cells: frozenset[Cell], text: str) -> Edge:
    """The edge an entrance lies on: the outermost cell of its row or column."""
    word, _, place = text.partition(" ")
    side, at = _SIDE_NAMES[word], int(place)
    if side in (NORTH, SOUTH):
        column = [y for x, y in cells if x == at]
        return at, (min(column) if side == NORTH else max(column)), side
    row = [x for x, y in cells if y == at]
    return (min(row) if side == WEST else max(row)), at, side


def _leads_below(tile: RoomTile, door: Edge) -> bool:
    return tile.floor == "below" or (tile.floor == "stairs" and door[2] == WEST)


def _turned(old: Outline) -> Outline:
    """An outline turned clockwise by a right angle."""

    def cells(some: Iterable[Cell]) -> frozenset[Cell]:
        return frozenset((old.height - 1 - y, x) for x, y in some)

    def edges(some: Iterable[Edge]) -> frozenset[Edge]:
        return frozenset((old.height - 1 - y, x, (side + 1) % 4) for x, y, side in some)

    return Outline(
        old.height, old.width, cells(old.cells), cells(old.corners),
        edges(old.walls), edges(old.doors), edges(old.below), edges(old.fence),
    )  # fmt: skip


@lru_cache(maxsize=256)
def turns(tile: RoomTile) -> tuple[int, ...]:
    """The turns that make a difference: hallways have two, a round room with four entrances has one."""
    seen: dict[Outline, int] = {}
    for turn in TURNS:
        seen.setdefault(outline(tile, turn), turn)
    return tuple(seen.values())


# Masks


class Masks(NamedTuple):
    """An outline as bit masks on a board of some stride. `doors` and `below` as in Outline, one mask a side."""

    cells: int
    corners: int
    walls: Four
    doors: Four
    below: Four
    fence: Four


@lru_cache(maxsize=4096)
def _masks(tile: RoomTile, turn: int, stride: int) -> Masks:
    """The masks of a tile at the board's first cell."""
    found = outline(tile, turn)
    return Masks(
        _mask(found.cells, stride), _mask(found.corners, stride),
        _by_side(found.walls, stride), _by_side(found.doors, stride),
        _by_side(found.below, stride), _by_side(found.fence, stride),
    )  # fmt: skip


def _mask(cells: Iterable[Cell], stride: int) -> int:
    return sum(1 << (y * stride + x) for x, y in cells)


def _by_side(edges: Iterable[Edge], stride: int) -> Four:
    north, east, south, west = (_mask(((x, y) for x, y, at in edges if at == side), stride) for side in SIDES)
    return north, east, south, west


def _shifted(masks: Masks, by: int) -> Masks:
    return Masks(
        masks.cells << by, masks.corners << by,
        _four(masks.walls, by), _four(masks.doors, by), _four(masks.below, by), _four(masks.fence, by),
    )  # fmt: skip


def _four(four: Four, by: int) -> Four:
    return four[0] << by, four[1] << by, four[2] << by, four[3] << by


def _meet(here: Four, there: Four, stride: int) -> int:
    """The cells of `there` whose edges lie against edges of `here`."""
    return (
        (here[0] >> stride & there[2]) | (here[1] << 1 & there[3]) | (here[2] << stride & there[0])
        | (here[3] >> 1 & there[1])
    )  # fmt: skip


# A castle on its board


class Lying(NamedTuple):
    """A tile in its place."""

    tile: RoomTile
    x: int
    y: int
    turn: int


class Board:
    """The tiles of a castle as masks. Made by `board`; never changed."""

    __slots__ = ("_corners_twice", "below", "doors", "fence", "height", "laid", "masks", "occupied", "origin", "stairs",
                 "stride", "walls")  # fmt: skip

    def __init__(self, laid: tuple[Lying, ...]) -> None:
        boxes = [(lie.x, lie.y, outline(lie.tile, lie.turn)) for lie in laid]
        left, top = min(x for x, _, _ in boxes), min(y for _, y, _ in boxes)
        width = max(x + shape.width for x, _, shape in boxes) - left + 2 * _MARGIN_CELLS
        self.height = max(y + shape.height for _, y, shape in boxes) - top + 2 * _MARGIN_CELLS
        self.stride = -(-width // _STRIDE_STEP) * _STRIDE_STEP
        self.origin = (left - _MARGIN_CELLS, top - _MARGIN_CELLS)
        self.laid = laid
        self.masks = tuple(self.placed(lie) for lie in laid)
        self._unite()

    def _unite(self) -> None:
        """What all tiles together occupy and border on."""
        self.occupied = self._corners_twice = 0
        for mask in self.masks:
            self._corners_twice |= self.occupied & mask.cells
            self.occupied |= mask.cells
        self.walls = _united(mask.walls for mask in self.masks)
        self.doors = _united(mask.doors for mask in self.masks)
        self.below = _united(mask.below for mask in self.masks)
        self.fence = _united(mask.fence for mask in self.masks)
        stairs = [mask for lie, mask in zip(self.laid, self.masks, strict=True) if lie.tile.floor == "stairs"]
        self.stairs = _united(_united((mask.doors, mask.below)) for mask in stairs)

    def holds(self, lie: Lying) -> bool:
        """Whether a tile lies within the board's reach; farther off it can touch nothing."""
        shape = outline(lie.tile, lie.turn)
        x, y = lie.x - self.origin[0], lie.y - self.origin[1]
        return x >= 1 and y >= 1 and x + shape.width < self.stride and y + shape.height < self.height

    def placed(self, lie: Lying) -> Masks:
        """The masks of a tile where it lies on this board."""
        return _shifted(_masks(lie.tile, lie.turn, self.stride), self._bit(lie.x, lie.y))

    def _bit(self, x: int, y: int) -> int:
        return (y - self.origin[1]) * self.stride + x - self.origin[0]

    # One more tile

    def overlapped(self, lie: Lying, masks: Masks) -> int | None:
        """The index of a tile that another would lie upon, or None. Cut corners may share a cell."""
        if not masks.cells & self.occupied:
            return None
        for index, (other, mask) in enumerate(zip(self.laid, self.masks, strict=True)):
            if mask.cells & masks.cells and not nests(lie, other):
                return index
        return None

    def joins(self, masks: Masks) -> bool:
        """Whether an entrance meets an entrance of the same floor."""
        return bool(_meet(masks.doors, self.doors, self.stride) or _meet(masks.below, self.below, self.stride))

    def mixes_floors(self, masks: Masks) -> bool:
        """Whether an entrance of one floor meets one of the other."""
        return bool(_meet(masks.doors, self.below, self.stride) or _meet(masks.below, self.doors, self.stride))

    def joins_stairs(self, masks: Masks) -> bool:
        """Whether an entrance meets an end of stairs."""
        return bool(_meet(_united((masks.doors, masks.below)), self.stairs, self.stride))

    def meets_fence(self, masks: Masks) -> bool:
        """Whether a tile would touch a fence, or its own fence a tile."""
        return bool(_meet(masks.walls, self.fence, self.stride) or _meet(masks.fence, self.walls, self.stride))

    def touching(self, masks: Masks) -> tuple[int, ...]:
        """The tiles that walls or entrances of another tile lie against."""
        return self._owners(_meet(masks.walls, self.walls, self.stride))

    def joined(self, masks: Masks) -> tuple[int, ...]:
        """The tiles that another tile is joined to by entrances of one floor."""
        main, below = _meet(masks.doors, self.doors, self.stride), _meet(masks.below, self.below, self.stride)
        return self._owners(main | below)

    def _owners(self, cells: int) -> tuple[int, ...]:
        """The tiles these cells belong to. Cells with straight edges are never shared, as cut corners may be."""
        return tuple(index for index, mask in enumerate(self.masks) if mask.cells & cells) if cells else ()

    def joined_sides(self, masks: Masks, index: int) -> tuple[int, ...]:
        """The sides of one of the castle's tiles on which another tile's entrances meet its own."""
        mask = self.masks[index]
        return tuple(
            side
            for side in SIDES
            if _moved(mask.doors[side], side, self.stride) & masks.doors[(side + 2) % 4]
            or _moved(mask.below[side], side, self.stride) & masks.below[(side + 2) % 4]
        )

    # Entrances

    def open_doors(self) -> Iterator[tuple[int, int, int, bool]]:
        """Entrances with nothing before them: the cell before each, its side seen from the castle, below or not."""
        for below, four in ((False, self.doors), (True, self.below)):
            for side in SIDES:
                before = _moved(four[side], side, self.stride) & ~self.occupied
                for bit in _bits(before):
                    y, x = divmod(bit, self.stride)
                    yield x + self.origin[0], y + self.origin[1], side, below

    def unmet(self, masks: Masks, more: Masks | None = None) -> bool:
        """Whether a tile has an entrance that meets no entrance of its floor; `more` adds a tile to the castle."""
        return self.count_unmet(masks, more) > 0

    def count_unmet(self, masks: Masks, more: Masks | None = None) -> int:
        """How many entrances of a tile meet no entrance of their floor."""
        doors = _united((self.doors, more.doors)) if more else self.doors
        below = _united((self.below, more.below)) if more else self.below
        return self._alone(masks.doors, doors) + self._alone(masks.below, below)

    def _alone(self, own: Four, others: Four) -> int:
        return sum(
            (_moved(own[side], side, self.stride) & ~others[(side + 2) % 4]).bit_count() for side in SIDES if own[side]
        )

    def leads_out(self, masks: Masks | None = None) -> bool:
        """Whether some entrance leads to the outside, with one more tile in the castle."""
        occupied = self.occupied | (masks.cells if masks else 0)
        doors = _united((self.doors, self.below, *((masks.doors, masks.below) if masks else ())))
        if doors[SOUTH] & ~_shadow_up(occupied >> self.stride, self.stride, self.height):
            return True
        if doors[NORTH] & ~_shadow_down(occupied << self.stride, self.stride, self.height):
            return True
        outside = self._outside(occupied, self._free_corners(masks))
        return any(_moved(doors[side], side, self.stride) & outside for side in SIDES)

    def outer_doors(self) -> tuple[int, ...]:
        """How many entrances of each tile lead to the outside."""
        outside = self._outside(self.occupied, self._free_corners(None))
        return tuple(
            sum(
                (_moved(mask.doors[side] | mask.below[side], side, self.stride) & outside).bit_count() for side in SIDES
            )
            for mask in self.masks
        )

    def _free_corners(self, masks: Masks | None) -> int:
        """Cut corners that only one tile lies on: part of them is open ground."""
        corners = 0
        for mask in self.masks:
            corners |= mask.corners
        twice = self._corners_twice
        if masks:
            twice |= self.occupied & masks.cells
            corners |= masks.corners
        return corners & ~twice

    def _outside(self, occupied: int, corners: int) -> int:
        """The free cells one can walk to from afar, edge by edge, never through a corner."""
        stride = self.stride
        everything = (1 << stride * self.height) - 1
        free = everything & ~(occupied & ~corners)
        reached = _frame(stride, self.height)
        while True:
            more = (reached | reached << 1 | reached >> 1 | reached << stride | reached >> stride) & free
            if more == reached:
                return reached
            reached = more


@lru_cache(maxsize=64)
def _frame(stride: int, height: int) -> int:
    """The outermost cells of a board."""
    row = (1 << stride) - 1
    sides = sum((1 | 1 << (stride - 1)) << y * stride for y in range(height))
    return row | row << (height - 1) * stride | sides


def _united(fours: Iterable[Four]) -> Four:
    north = east = south = west = 0
    for four in fours:
        north |= four[0]
        east |= four[1]
        south |= four[2]
        west |= four[3]
    return north, east, south, west


def _moved(mask: int, side: int, stride: int) -> int:
    """A mask moved by a cell toward a side."""
    if side == NORTH:
        return mask >> stride
    if side == SOUTH:
        return mask << stride
    return mask << 1 if side == EAST else mask >> 1


def _shadow_up(mask: int, stride: int, height: int) -> int:
    """All cells above those of a mask, and these."""
    by = 1
    while by < height:
        mask |= mask >> by * stride
        by *= 2
    return mask


def _shadow_down(mask: int, stride: int, height: int) -> int:
    """All cells below those of a mask, and these."""
    by = 1
    while by < height:
        mask |= mask << by * stride
        by *= 2
    return mask


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


# Cut corners


def nests(one: Lying, other: Lying) -> bool:
    """Whether two tiles whose boxes overlap do not: both have cut corners, and these leave room enough.

    Exact: round tiles by the distance of their centres, eight-sided ones (a corner of one cell is cut straight) by the
    distance from that cut. Tiles that just meet do not overlap.
    """
    if not (is_cut(one.tile) and is_cut(other.tile)):
        return False
    across, down = _overlap(one, other)
    if across <= 0 or down <= 0:
        return True
    rounds = [lie for lie in (one, other) if lie.tile.shape == "circle"]
    if len(rounds) == 2:
        return _rounds_apart(one, other)
    if len(rounds) == 1:
        size = rounds[0].tile.width
        away = size + 1 - across - down
        return away > 0 and 2 * away * away >= size * size
    return across == down == 1


def _overlap(one: Lying, other: Lying) -> tuple[int, int]:
    """How many cells the boxes of two tiles share across and down."""
    here, there = outline(one.tile, one.turn), outline(other.tile, other.turn)
    across = min(one.x + here.width, other.x + there.width) - max(one.x, other.x)
    down = min(one.y + here.height, other.y + there.height) - max(one.y, other.y)
    return across, down


def _rounds_apart(one: Lying, other: Lying) -> bool:
    """Whether round tiles are as far apart as their radii; in half cells, so that all is whole."""
    here, there = one.tile.width, other.tile.width
    across = 2 * (one.x - other.x) + here - there
    down = 2 * (one.y - other.y) + here - there
    return across * across + down * down >= (here + there) ** 2
