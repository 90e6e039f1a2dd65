"""The plan of a simulated table: boards with towers, cells and markers at the seats, and a set of pieces."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from companion.errors import Malformed
from companion.sensing.plan import FORMAT, VERSION, Area, Board, Cell, Marker, Piece, Plan, Point, Pose, Tower
from companion.twin.pieces import extent_mm, nominal_set, varied_set

SEATS = ("south", "north", "west", "east")
"""Who may sit at the table; south sits where the camera stands."""
TOWERS = ("left", "middle", "right")
ORIGIN = "simulated"
"""What a plan says of itself that belongs to no real table."""

_YAW_DEG = {"south": 0.0, "north": 180.0, "west": -90.0, "east": 90.0}
_TURN_WOBBLE_DEG = 2.5
_BOARD_MM: Point = (250.0, 200.0)
_BOARD_TOP_MM = 12.0
_INVENTORY_MM = 66.0
_BETWEEN_MM = 70.0
_CELL_INSET_MM = 15.0
_MARKER_MM = 40.0
_MARKERS_A_BOARD = 3
_TOWER_MM: tuple[Point, ...] = ((60.0, 60.0), (125.0, 140.0), (190.0, 60.0))
_TILE_MM = 60.0


class Layout(msgspec.Struct, frozen=True):
    """The measures of all boards of one recording: they come from one box."""

    size_mm: Point = _BOARD_MM
    top_mm: float = _BOARD_TOP_MM
    marker_mm: float = _MARKER_MM
    towers_mm: tuple[Point, ...] = _TOWER_MM
    inventory: bool = False


def nominal_table(boards: Sequence[str] = ("south",)) -> Plan:
    """The table of the parameter file, nothing varied."""
    seats = _seated(boards)
    return _plan([_board(seat, at, Layout(), (0.0, 0.0), 0.0) for seat, at in seats], nominal_set())


def varied_table(boards: Sequence[str], seed: int, inventory: bool = False) -> Plan:
    """A table like no other: sizes, masses, places and turns drawn from the seed; some have an inventory anyway."""
    chance = Random(f"table/{seed}")
    pieces = varied_set(chance)
    layout = _varied_layout(chance, extent_mm(pieces["floor-tile"])[0], inventory)
    laid = []
    for seat, at in _seated(boards):
        shift = (chance.uniform(-12, 12), chance.uniform(-12, 12))
        laid.append(_board(seat, at, layout, shift, chance.uniform(-_TURN_WOBBLE_DEG, _TURN_WOBBLE_DEG)))
    return _plan(laid, pieces)


def middle_cell(board: Board) -> Cell:
    """The one cell of a budget platform."""
    return Cell("c0", (board.size_mm[0] / 2, board.size_mm[1] / 2))


def _plan(boards: list[Board], pieces: dict[str, Piece]) -> Plan:
    return Plan(
        format=FORMAT,
        version=VERSION,
        origin=ORIGIN,
        game="castle-dukes",
        context={"phase": "building"},
        boards=tuple(boards),
        pieces=pieces,
    )


def _seated(boards: Sequence[str]) -> list[tuple[str, int]]:
    for board in boards:
        if board not in SEATS:
            raise Malformed(f"There is no seat called '{board}' at the simulated table: {', '.join(SEATS)}.")
    if not boards or len(set(boards)) < len(boards):
        raise Malformed("A table has one to four boards, each at a seat of its own.")
    return [(board, at) for at, board in enumerate(boards)]


def _varied_layout(chance: Random, tile_mm: float, inventory: bool) -> Layout:
    grow = tile_mm / _TILE_MM
    wide, deep = chance.uniform(246, 266) * grow, chance.uniform(196, 212) * grow
    sway = chance.uniform(-4, 4)
    near = chance.uniform(56, 62) * grow
    towers = (
        (60 * grow + sway, near),
        (wide / 2 + chance.uniform(-4, 4), deep - 60 * grow + chance.uniform(-2, 4)),
        (wide - 60 * grow + sway, near),
    )
    inventory = chance.random() < 0.35 or inventory
    return Layout(
        size_mm=(round(wide + (_INVENTORY_MM if inventory else 0.0), 1), round(deep, 1)),
        top_mm=round(chance.uniform(9, 16), 1),
        marker_mm=round(chance.uniform(36, 42) * grow, 1),
        towers_mm=tuple((round(x, 1), round(y, 1)) for x, y in towers),
        inventory=inventory,
    )


def _board(seat: str, at: int, layout: Layout, shift: Point, turn_deg: float) -> Board:
    yaw = _YAW_DEG[seat] + turn_deg
    wide, deep = layout.size_mm
    # The boards lie round a free middle; west and east stand clear of the corners of the other two.
    out = (_BETWEEN_MM + deep) / 2 + (0.0 if seat in ("south", "north") else wide / 2)
    centre = {"south": (0, -out), "north": (0, out), "west": (-out, 0), "east": (out, 0)}[seat]
    corner = Pose((0.0, 0.0, 0.0), yaw).on_table(wide / 2, deep / 2)
    origin = (round(centre[0] + shift[0] - corner[0], 2), round(centre[1] + shift[1] - corner[1], 2), layout.top_mm)
    return Board(
        id=seat,
        seat=at,
        size_mm=layout.size_mm,
        pose=Pose(origin, round(yaw, 2)),
        towers=tuple(Tower(name, place) for name, place in zip(TOWERS, layout.towers_mm, strict=True)),
        cells=_cells(layout.size_mm),
        markers=_markers(at, layout),
        inventory=_inventory(layout),
    )


def _cells(size_mm: Point) -> tuple[Cell, ...]:
    (wide, deep), inset = size_mm, _CELL_INSET_MM
    corners = ((inset, inset), (wide - inset, inset), (wide - inset, deep - inset), (inset, deep - inset))
    return tuple(Cell(f"c{at}", (round(x, 1), round(y, 1))) for at, (x, y) in enumerate(corners))


def _markers(at: int, layout: Layout) -> tuple[Marker, ...]:
    """Two in the far corners, one between the front towers: where no tower's foot is."""
    half, (left, _, right) = layout.marker_mm / 2, layout.towers_mm
    deep = layout.size_mm[1]
    play = min(right[0] + left[0], layout.size_mm[0])
    inset = half + 4.0
    places = ((inset, deep - inset), (play - inset, deep - inset), ((left[0] + right[0]) / 2, inset + 2.0))
    return tuple(
        Marker(_MARKERS_A_BOARD * at + nth, (round(x, 1), round(y, 1)), layout.marker_mm)
        for nth, (x, y) in enumerate(places)
    )


def _inventory(layout: Layout) -> tuple[Area, ...]:
    if not layout.inventory:
        return ()
    wide, deep = layout.size_mm
    return (Area((round(wide - _INVENTORY_MM + 4.0, 1), 34.0), (round(wide - 4.0, 1), round(deep - 34.0, 1))),)
