"""A castle drawn to scale as SVG: tiles in their shapes, colours by type, entrances as gaps, fences, stairs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from html import escape

from companion.errors import Malformed
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.geometry import EAST, NORTH, SOUTH, WEST, Cell, Edge, Lying, Outline, outline
from companion.rules.mad_king_ludwig.purse import amount
from companion.rules.mad_king_ludwig.rooms import RoomTile, RoomType
from companion.rules.mad_king_ludwig.scoring_steps import room_points
from companion.rules.mad_king_ludwig.state import Castle

_CELL_PX = 26
_MARGIN_PX = 30
_FOOT_PX = 34
_LEAST_WIDE_PX = 320
"""What the words at the foot need."""
_CELL_FEET = 5
_DOOR_PX = 13
_WALL_PX = 3
_TEXT_PX = 9.5
_LETTER_EM = 0.58
_LINE_EM = 1.15

_FILL: dict[RoomType, str] = {
    "living": "#d9c2e9",
    "activity": "#e8c9a0",
    "sleeping": "#b9d7f2",
    "outdoor": "#bfe3b0",
    "utility": "#d5d5d5",
    "food": "#f6e18a",
    "corridor": "#f4efe4",
    "downstairs": "#a9a3b3",
}
_BELOW_CORRIDOR = "#c9c3d3"
_INK, _GROUND, _FENCE, _DOOR, _DARK_DOOR = "#2f2a35", "#fbf9f4", "#3d8b37", "#ffffff", "#5b5566"
_CORNER = {NORTH: ((0, 0), (1, 0)), EAST: ((1, 0), (1, 1)), SOUTH: ((0, 1), (1, 1)), WEST: ((0, 0), (0, 1))}
"""The two ends of each side of a cell."""


def svg(castle: Castle) -> str:
    """The castle as a whole SVG document. A castle kept in a ledger has no map and cannot be drawn."""
    if not castles.is_map(castle):
        raise Malformed("A castle kept in a ledger has no map to draw.")
    laid = castles.board(castle).laid
    left, top, right, bottom = _extent(laid)
    width = max(_LEAST_WIDE_PX, (right - left) * _CELL_PX + 2 * _MARGIN_PX)
    height = (bottom - top) * _CELL_PX + 2 * _MARGIN_PX + _FOOT_PX
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="DejaVu Sans, Verdana, sans-serif">',
        f"<title>A castle of {amount(len(laid), 'room')}</title>",
        f'<rect width="{width}" height="{height}" fill="{_GROUND}"/>',
        f'<g transform="translate({_MARGIN_PX - left * _CELL_PX},{_MARGIN_PX - top * _CELL_PX})">',
    ]
    for index, lie in enumerate(laid):
        parts += _tile(castle, index, lie)
    parts += ["</g>", *_foot(castle, height), "</svg>"]
    return "\n".join(parts) + "\n"


def _extent(laid: tuple[Lying, ...]) -> tuple[int, int, int, int]:
    shapes = [(lie, outline(lie.tile, lie.turn)) for lie in laid]
    return (
        min(lie.x for lie in laid),
        min(lie.y for lie in laid),
        max(lie.x + shape.width for lie, shape in shapes),
        max(lie.y + shape.height for lie, shape in shapes),
    )


def _tile(castle: Castle, index: int, lie: Lying) -> Iterator[str]:
    shape = outline(lie.tile, lie.turn)
    name = castles.room_name(castle, index)
    yield f'<g transform="translate({lie.x * _CELL_PX},{lie.y * _CELL_PX})">'
    yield f"<title>{escape(name)}: {lie.tile.type}, {lie.tile.sqft} square feet</title>"
    yield _body(lie.tile, shape)
    if lie.tile.floor == "stairs":
        yield from _steps(shape)
    yield from (_door(edge, _DOOR) for edge in sorted(shape.doors))
    yield from (_door(edge, _DARK_DOOR) for edge in sorted(shape.below))
    if shape.fence:
        yield _fence(lie.tile, shape)
    yield from _words(castle, index, lie.tile, shape)
    yield "</g>"


# Shapes


def _body(tile: RoomTile, shape: Outline) -> str:
    look = f'fill="{_colour(tile)}" stroke="{_INK}" stroke-width="{_WALL_PX}" stroke-linejoin="round"'
    width, height = shape.width * _CELL_PX, shape.height * _CELL_PX
    inset = _WALL_PX / 2
    if tile.shape == "circle":
        return f'<circle cx="{width / 2:g}" cy="{height / 2:g}" r="{width / 2 - inset:g}" {look}/>'
    points = _eight(width, height, inset) if tile.shape == "octagon" else _around(shape, inset)
    return f'<polygon points="{" ".join(f"{x:g},{y:g}" for x, y in points)}" {look}/>'


def _colour(tile: RoomTile) -> str:
    return _BELOW_CORRIDOR if tile.type == "corridor" and tile.floor == "below" else _FILL[tile.type]


def _eight(width: float, height: float, inset: float) -> list[tuple[float, float]]:
    cut, low = float(_CELL_PX), inset
    right, bottom = width - inset, height - inset
    return [
        (cut, low), (width - cut, low), (right, cut), (right, height - cut),
        (width - cut, bottom), (cut, bottom), (low, height - cut), (low, cut),
    ]  # fmt: skip


def _around(shape: Outline, inset: float) -> list[tuple[float, float]]:
    """The corners of a tile without cut corners, clockwise and drawn in a little: four, or six for an L."""
    missing = {(x, y) for x in range(shape.width) for y in range(shape.height)} - shape.cells
    width, height = shape.width, shape.height
    ring = [(0, 0), (width, 0), (width, height), (0, height)]
    if missing:
        ring = _with_notch(ring, missing)
    return [_drawn_in(point, ring, inset) for point in ring]


def _with_notch(ring: list[Cell], missing: set[Cell]) -> list[Cell]:
    """Replace the corner that is missing by the three around it."""
    left, top = min(x for x, _ in missing), min(y for _, y in missing)
    right, bottom = max(x for x, _ in missing) + 1, max(y for _, y in missing) + 1
    box = [(left, top), (right, top), (right, bottom), (left, bottom)]
    at = next(place for place, point in enumerate(ring) if point in box)
    corner = box.index(ring[at])
    before, inner, after = box[corner - 1], box[corner - 2], box[(corner + 1) % 4]
    return [*ring[:at], before, inner, after, *ring[at + 1 :]]


def _drawn_in(point: Cell, ring: list[Cell], inset: float) -> tuple[float, float]:
    """A corner moved into the tile by half a wall, so that neighbours' walls lie side by side."""
    x, y = point
    outer_x, outer_y = {x for x, _ in ring}, {y for _, y in ring}
    toward_x = -1 if x == max(outer_x) else 1 if x == min(outer_x) else 0
    toward_y = -1 if y == max(outer_y) else 1 if y == min(outer_y) else 0
    return x * _CELL_PX + inset * toward_x, y * _CELL_PX + inset * toward_y


def _door(edge: Edge, colour: str) -> str:
    """An entrance: a gap in the wall, dark where it leads downstairs."""
    x, y, side = edge
    along = (_CELL_PX - _DOOR_PX) / 2
    deep = _WALL_PX + 1
    far = _CELL_PX - deep
    at_x, at_y, wide, high = {
        NORTH: (along, 0.0, _DOOR_PX, deep),
        SOUTH: (along, far, _DOOR_PX, deep),
        WEST: (0.0, along, deep, _DOOR_PX),
        EAST: (far, along, deep, _DOOR_PX),
    }[side]
    left, top = x * _CELL_PX + at_x, y * _CELL_PX + at_y
    return f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}" fill="{colour}"/>'


def _fence(tile: RoomTile, shape: Outline) -> str:
    """The wrought iron edge, along the straight part of its side; round tiles carry it as an arc."""
    edges = sorted(shape.fence)
    side = edges[0][2]
    look = f'fill="none" stroke="{_FENCE}" stroke-width="{_WALL_PX + 1.5}" stroke-dasharray="4 2"'
    if tile.shape == "circle":
        return _arc(shape, side, look)
    ends = [(x + dx, y + dy) for x, y, _ in edges for dx, dy in _CORNER[side]]
    (x1, y1), (x2, y2) = min(ends), max(ends)
    dx, dy = {NORTH: (0, 2), SOUTH: (0, -2), WEST: (2, 0), EAST: (-2, 0)}[side]
    line = f'x1="{x1 * _CELL_PX + dx}" y1="{y1 * _CELL_PX + dy}" x2="{x2 * _CELL_PX + dx}" y2="{y2 * _CELL_PX + dy}"'
    return f"<line {line} {look}/>"


def _arc(shape: Outline, side: int, look: str) -> str:
    """A quarter of the circle, in the middle of a side."""
    radius = shape.width * _CELL_PX / 2
    inner = radius - 2
    reach = inner * 0.7071
    turn = {NORTH: 0, EAST: 90, SOUTH: 180, WEST: 270}[side]
    start, end = f"{radius - reach:g} {radius - reach:g}", f"{radius + reach:g} {radius - reach:g}"
    path = f"M {start} A {inner:g} {inner:g} 0 0 1 {end}"
    return f'<path d="{path}" transform="rotate({turn} {radius:g} {radius:g})" {look}/>'


def _steps(shape: Outline) -> Iterator[str]:
    """Stairs darken step by step toward the end that leads down."""
    ((down_x, down_y, _),) = shape.below
    across = shape.width > 1
    count = 6
    step = max(shape.width, shape.height) * _CELL_PX / count
    for place in range(count):
        near_dark = place if (down_x if across else down_y) == 0 else count - 1 - place
        shade = 0.62 * (1 - near_dark / (count - 1))
        x, y = (place * step, _WALL_PX) if across else (_WALL_PX, place * step)
        wide, high = (step, _CELL_PX - 2 * _WALL_PX) if across else (_CELL_PX - 2 * _WALL_PX, step)
        yield (
            f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" fill="{_INK}" fill-opacity="{shade:.2f}"'
            f' stroke="{_INK}" stroke-opacity="0.25" stroke-width="0.5"/>'
        )


# Words


def _words(castle: Castle, index: int, tile: RoomTile, shape: Outline) -> Iterator[str]:
    """The name and what the room is worth now, along the longer side and as small as it must be."""
    upright = shape.width < shape.height and shape.width <= 2
    x, y, across, down = _text_box(tile, shape)
    if upright:
        across, down = down, across
    points = room_points(castle, index)
    lines = [*textwrap.wrap(castles.room_name(castle, index), 14 if across > 2 else 9)]
    if tile.points or tile.centre != "none":
        lines.append(f"{points}")
    size = _fitting(lines, across * _CELL_PX - 10, down * _CELL_PX - 8)
    turn = f' transform="rotate(-90 {x:g} {y:g})"' if upright else ""
    halo = f' stroke="{_FILL[tile.type]}" stroke-width="2.5" paint-order="stroke"' if tile.floor == "stairs" else ""
    top = y - size * _LINE_EM * (len(lines) - 1) / 2 + size * 0.35
    for place, line in enumerate(lines):
        weight = ' font-weight="bold"' if line == f"{points}" and place == len(lines) - 1 else ""
        yield (
            f'<text x="{x:g}" y="{top + place * size * _LINE_EM:.1f}" font-size="{size:.1f}" text-anchor="middle"'
            f' fill="{_INK}"{weight}{halo}{turn}>{escape(line)}</text>'
        )


def _text_box(tile: RoomTile, shape: Outline) -> tuple[float, float, float, float]:
    """The middle of the text in pixels, and its room in cells: an L has it in its full half."""
    if tile.shape != "L":
        return shape.width * _CELL_PX / 2, shape.height * _CELL_PX / 2, shape.width, shape.height
    missing = {(x, y) for x in range(shape.width) for y in range(shape.height)} - shape.cells
    upper = min(y for _, y in missing) == 0
    middle = shape.height * (0.75 if upper else 0.25)
    return shape.width * _CELL_PX / 2, middle * _CELL_PX, shape.width, shape.height / 2


def _fitting(lines: list[str], wide: float, high: float) -> float:
    longest = max(len(line) for line in lines)
    return max(4.0, min(_TEXT_PX, wide / (longest * _LETTER_EM), high / (len(lines) * _LINE_EM)))


def _foot(castle: Castle, height: int) -> Iterator[str]:
    """A scale of ten feet, and the whole size."""
    y = height - _FOOT_PX / 2
    ten = 2 * _CELL_PX
    yield f'<path d="M {_MARGIN_PX} {y - 4} v 8 m 0 -4 h {ten} m 0 -4 v 8" stroke="{_INK}" fill="none"/>'
    rooms = amount(len(castle.rooms), "room")
    text = f"{2 * _CELL_FEET} feet; {rooms}, {castles.feet(castle)} square feet"
    yield f'<text x="{_MARGIN_PX + ten + 8}" y="{y + 4}" font-size="11" fill="{_INK}">{text}</text>'
