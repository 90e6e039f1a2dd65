"""A plain board for made-up forces, and what a watcher tells of them."""

from __future__ import annotations

from companion.sensing.plan import FORMAT, VERSION, Area, Board, Cell, Piece, Plan, Tower
from companion.sensing.streams import ScaleSample, Sensed
from companion.sensing.watch import Watcher

SIZE_MM = (250.0, 200.0)
CORNERS_MM = ((15.0, 15.0), (235.0, 15.0), (15.0, 185.0), (235.0, 185.0))
TOWERS = (Tower("left", (60.0, 60.0)), Tower("middle", (125.0, 140.0)), Tower("right", (190.0, 60.0)))
LEFT, MIDDLE, RIGHT = (tower.centre_mm for tower in TOWERS)
PIECES = {
    "floor-tile": Piece(mass_g=6.5, size_mm=(60.0, 60.0, 2.0)),
    "pillar": Piece(mass_g=2.0, diameter_mm=12.0, height_mm=25.0),
    "meeple": Piece(mass_g=1.3, size_mm=(16.0, 8.0, 16.0)),
}


def plan(boards: tuple[Board, ...] | None = None) -> Plan:
    return Plan(format=FORMAT, version=VERSION, boards=boards or (board(),), pieces=PIECES)


def board(
    name: str = "north",
    cells: int = 4,
    gains: tuple[float | None, ...] = (1540.0, 1500.0, 1580.0, 1520.0),
    inventory: tuple[Area, ...] = (),
) -> Board:
    at = CORNERS_MM if cells > 1 else ((125.0, 100.0),)
    made = tuple(Cell(f"c{n}", at[n], gains[n], 80_000.0 + 5_000 * n) for n in range(cells))
    return Board(id=name, size_mm=SIZE_MM, towers=TOWERS, cells=made, inventory=inventory)


def watched(the_plan: Plan, *streams: list[ScaleSample]) -> list[Sensed]:
    """The events that a watcher tells of these samples."""
    watcher = Watcher(the_plan, ("scales",))
    ordered = sorted((sample for stream in streams for sample in stream), key=lambda sample: sample.t_us)
    return [event for sample in ordered for event in watcher.feed(sample)] + watcher.finish()
