"""Drills: made-up evenings of forces, so that what is learned of falls holds for other hands than the twin's.

Each is a short scene on a board of its own: people build, lean, tap, brush and bump, and now and then something falls.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from companion.sensing.plan import FORMAT, VERSION, Area, Board, Cell, Piece, Plan, Point, Tower
from companion.sensing.streams import ScaleSample
from companion.twin.forces import Array, Chip, Forces, sensed

_SECONDS = 16.0
_FIRST_S, _EACH_S = 3.2, 4.2
_ACTS = 3
_RATES_SPS = (80.0, 80.0, 86.0, 93.0, 40.0, 11.3, 10.0)
_BOARD = "north"
_INSET_MM = 15.0
_BESIDE_MM = 8.0  # from the edge of a tower at the least: what falls there touches the board
_HZ = 1000
_FIRST_MEDDLING_S = 1.5  # before that a board is at rest


@dataclass
class Drill:
    """A scene: its plan, what presses on the board, and when something touched it that should not."""

    chance: np.random.Generator
    plan: Plan
    forces: Forces
    touched_s: list[float] = field(default_factory=list)

    @classmethod
    def begun(cls, chance: np.random.Generator) -> Drill:
        """A board of its own, with towers that stand."""
        drill = cls(chance, _plan(chance), Forces(_SECONDS))
        for tower in drill.board.towers:
            drill.forces.rest(0.0, float(chance.choice((0.0, 12.0, 25.0, 45.0))) + 12.0, tower.centre_mm)
        return drill

    @property
    def board(self) -> Board:
        return self.plan.boards[0]

    def between(self, low: float, high: float) -> float:
        return float(self.chance.uniform(low, high))

    def tower(self) -> Point:
        """The middle of some tower."""
        return self.board.towers[int(self.chance.integers(len(self.board.towers)))].centre_mm

    def piece(self) -> str:
        return str(self.chance.choice(("pillar", "pillar", "floor-tile", "meeple")))

    def grams(self, piece: str) -> float:
        return (self.plan.pieces[piece].mass_g or 0.0) * self.between(0.97, 1.03)

    @property
    def half_mm(self) -> float:
        """Half of a floor tile."""
        tile = self.plan.pieces["floor-tile"].size_mm
        return tile[0] / 2 if tile else 0.0

    def on(self, tower: Point, piece: str) -> Point:
        """Where a piece may be built on a tower."""
        reach = 4.0 if piece == "floor-tile" else 0.75 * self.half_mm
        return (tower[0] + self.between(-reach, reach), tower[1] + self.between(-reach, reach))

    def anywhere(self) -> Point:
        return (self.between(5, self.board.size_mm[0] - 5), self.between(5, self.board.size_mm[1] - 5))

    def ground(self, near: Point) -> Point:
        """A bare place of the board, not far from another."""
        for _ in range(60):
            turn, far = self.between(0, 2 * math.pi), self.between(25, 110)
            place = (near[0] + far * math.cos(turn), near[1] + far * math.sin(turn))
            inside = all(2 < at < size - 2 for at, size in zip(place, self.board.size_mm, strict=True))
            stored = any(area.holds(*place) for area in self.board.inventory)
            if inside and not stored and all(_beside(place, each) > self.half_mm + _BESIDE_MM for each in self._feet):
                return place
        return (self.board.size_mm[0] / 2, self.board.size_mm[1] / 2)

    @property
    def _feet(self) -> list[Point]:
        return [tower.centre_mm for tower in self.board.towers]

    def samples(self) -> list[ScaleSample]:
        """What the scales say of it."""
        chip = Chip(
            rate_sps=float(self.chance.choice(_RATES_SPS)) * self.between(0.985, 1.0),
            noise_g=self.between(0.01, 0.04),
            drift_g=self.between(-0.15, 0.15),
            glitch_share=float(self.chance.choice((0.0, 0.0, 0.0, 0.005))),
            resonance_hz=self.between(55, 90),
            damping=self.between(0.02, 0.09),
        )
        return sensed(self.forces, self.board, chip, int(self.chance.integers(1 << 30)), start_us=0)


def _beside(place: Point, tower: Point) -> float:
    return max(abs(place[0] - tower[0]), abs(place[1] - tower[1]))


def drill(seed: int) -> Drill:
    """A scene of a few acts, one after the other; what has fallen stays where it lies."""
    chance = np.random.default_rng(seed)
    made = Drill.begun(chance)
    for number in range(_ACTS):
        acts = FALLS if chance.random() < 0.4 else LOOK_ALIKES
        act: Callable[[Drill, float], None] = acts[int(chance.integers(len(acts)))]
        act(made, _FIRST_S + number * _EACH_S + made.between(0, 0.4))
    return made


def meddled(plan: Plan, load: Array, chance: np.random.Generator) -> Array:
    """A load on the first board, and hands of another kind that lean on it, tap it and push its towers meanwhile."""
    drill = Drill(chance, plan, Forces(len(load) / _HZ))
    for _ in range(int(chance.integers(1, 4))):
        act = MEDDLING[int(chance.integers(len(MEDDLING)))]
        act(drill, drill.between(_FIRST_MEDDLING_S, max(len(load) / _HZ, 2 * _FIRST_MEDDLING_S)))
    meddled: Array = load + drill.forces.load
    return meddled


# What only looks like a fall


def _build(drill: Drill, t_s: float) -> None:
    piece = drill.piece()
    place = drill.on(drill.tower(), piece)
    drill.forces.place(t_s, drill.grams(piece), place, drill.between(1, 25))
    if drill.chance.random() < 0.4:
        _push(drill, t_s + drill.between(-0.3, 0.3))


def _drop_onto(drill: Drill, t_s: float) -> None:
    """A piece let go a little above where it belongs."""
    piece = drill.piece()
    place, grams = drill.on(drill.tower(), piece), drill.grams(piece)
    drill.forces.fall(t_s, grams, place, place, drill.between(1, 12))
    drill.forces.rest(t_s, grams, place)


def _take(drill: Drill, t_s: float) -> None:
    piece = drill.piece()
    drill.forces.take(t_s, drill.grams(piece), drill.on(drill.tower(), piece), drill.between(1, 15))


def _grip(drill: Drill, t_s: float) -> None:
    """A hand that holds on to a tower, pressing hard, lets go all at once: it took a piece, or set one down."""
    piece = drill.piece()
    place, grams = drill.on(drill.tower(), piece), drill.grams(piece)
    comes_s, holds_s, goes_s = drill.between(0.05, 0.3), drill.between(0.05, 0.8), drill.between(0.01, 0.08)
    times = np.arange(int((comes_s + holds_s + goes_s) * _HZ)) / _HZ
    shape = np.clip(np.minimum(times / comes_s, (times[-1] - times) / goes_s), 0, 1)
    unsteady = 1 + drill.between(0, 0.2) * np.sin(2 * np.pi * drill.between(2, 9) * times)
    drill.forces.press(t_s - comes_s - holds_s, math.exp(drill.between(2.0, 5.5)) * shape * unsteady, place)
    drill.forces.rest(t_s + drill.between(-0.1, goes_s), grams * float(drill.chance.choice((-1, -1, 1, 0))), place)
    if drill.chance.random() < 0.3:
        _wobble(drill, t_s + goes_s, drill.between(20, 300))


def _store(drill: Drill, t_s: float) -> None:
    if drill.board.inventory:
        area, piece = drill.board.inventory[0], drill.piece()
        place = tuple(drill.between(low + 5, high - 5) for low, high in zip(area.min_mm, area.max_mm, strict=True))
        drill.forces.place(t_s, drill.grams(piece), (place[0], place[1]), drill.between(1, 12))
        for _ in range(int(drill.chance.integers(0, 5))):  # it is dropped, or clatters under the hand
            hit_s = t_s + drill.between(-0.2, 0.2)
            drill.forces.press(hit_s, np.full(4, math.exp(drill.between(1.5, 4.5))), (place[0], place[1]))


def _lean(drill: Drill, t_s: float) -> None:
    drill.forces.hand(
        t_s - 0.5,
        drill.between(0.2, 2.5),
        math.exp(drill.between(0.5, 6.0)),
        drill.anywhere(),
        drill.between(0.01, 0.08),
        int(drill.chance.integers(1000)),
    )


def _tap(drill: Drill, t_s: float) -> None:
    """A finger that touches and leaves: on a tower, or on the board."""
    place = drill.tower() if drill.chance.random() < 0.6 else drill.anywhere()
    for _ in range(int(drill.chance.integers(1, 4))):
        times = np.linspace(0, math.pi, int(drill.between(25, 160)))
        drill.forces.press(t_s, math.exp(drill.between(1.0, 4.0)) * np.sin(times), place)
        t_s += drill.between(0.12, 0.5)


def _bump(drill: Drill, t_s: float) -> None:
    drill.forces.shake(t_s, math.exp(drill.between(3.5, 6.5)), drill.between(6, 22))


def _push(drill: Drill, t_s: float) -> None:
    """A tower pushed sideways, which bends back: the load leans over and stays the same."""
    for_s = drill.between(0.15, 1.0)
    times = np.arange(int(for_s * _HZ)) / _HZ
    shape = np.sin(np.pi * times / for_s) ** 2
    _tilt(drill, t_s, shape, drill.between(50, 900))
    if drill.chance.random() < 0.5:
        _wobble(drill, t_s + for_s, drill.between(20, 300))


def _wobble(drill: Drill, t_s: float, gmm: float) -> None:
    times = np.arange(_HZ) / _HZ
    _tilt(drill, t_s, np.exp(-times / drill.between(0.1, 0.3)) * np.sin(2 * np.pi * drill.between(3, 9) * times), gmm)


def _tilt(drill: Drill, t_s: float, shape: Array, gmm: float) -> None:
    """A moment without a force."""
    turn = drill.between(0, 2 * math.pi)
    reach = (50 * math.cos(turn), 50 * math.sin(turn))
    grams = shape * gmm / 50
    drill.forces.press(t_s, grams, reach)
    drill.forces.press(t_s, -grams, (0.0, 0.0))


def _brush(drill: Drill, t_s: float) -> None:
    """A tower that is brushed, rattles, and stands a little otherwise."""
    _push(drill, t_s)
    tower = drill.tower()
    for _ in range(int(drill.chance.integers(0, 4))):
        hit_s = t_s + drill.between(0.0, 0.4)
        drill.forces.press(hit_s, np.full(4, math.exp(drill.between(1.5, 4.0))), drill.on(tower, "pillar"))
    _tilt(drill, t_s + 0.2, np.ones(int(_SECONDS * _HZ)), drill.between(0, 25))


MEDDLING = (_lean, _lean, _tap, _push)
LOOK_ALIKES = (
    _build,
    _build,
    _drop_onto,
    _take,
    _grip,
    _grip,
    _store,
    _lean,
    _lean,
    _tap,
    _bump,
    _push,
    _brush,
    _brush,
)


# Falls


def _collapse(drill: Drill, t_s: float) -> None:
    """A part of a tower comes down: a few pieces, one after the other."""
    tower = drill.tower()
    if drill.chance.random() < 0.5:
        _push(drill, t_s - drill.between(0.1, 0.5))
    if drill.chance.random() < 0.3:
        drill.forces.hand(t_s - 0.5, drill.between(0.5, 1.5), drill.between(1, 15), tower)
    hits = []
    for number in range(int(drill.chance.integers(1, 6))):
        piece = drill.piece()
        goes = drill.ground(tower) if number == 0 or drill.chance.random() < 0.7 else drill.on(tower, piece)
        grams, off_s = drill.grams(piece), drill.between(0, 0.35) * (number > 0)
        hit_s = drill.forces.fall(t_s + off_s, grams, drill.on(tower, piece), goes, drill.between(24, 130))
        if _beside(goes, tower) > drill.half_mm:
            hits.append(hit_s)
        if drill.chance.random() < 0.12:  # it goes over the edge
            drill.forces.rest(hit_s + drill.between(0.1, 0.3), -grams, goes)
    drill.touched_s.append(min(hits))


def _slip(drill: Drill, t_s: float) -> None:
    """A piece slips from a hand onto the board."""
    piece = drill.piece()
    place, grams = drill.ground(drill.tower()), drill.grams(piece)
    drill.touched_s.append(drill.forces.fall(t_s, grams, place, place, drill.between(15, 140)))
    drill.forces.rest(t_s, grams, place)


def _roll(drill: Drill, t_s: float) -> None:
    """A pillar rolls over the board."""
    start = drill.ground(drill.tower())
    drill.forces.roll(t_s, drill.between(0.15, 0.8), drill.grams("pillar"), start, drill.ground(start))
    drill.touched_s.append(t_s)


def _bumped(drill: Drill, t_s: float) -> None:
    """The table is bumped, and something comes down."""
    _bump(drill, t_s - drill.between(0.1, 0.7))
    _collapse(drill, t_s)


FALLS = (_collapse, _collapse, _collapse, _collapse, _slip, _roll, _bumped)


# The board


def _plan(chance: np.random.Generator) -> Plan:
    grow = float(chance.uniform(0.85, 1.2))
    wide, deep = 250.0 * grow, 200.0 * grow
    towers = ((60.0 * grow, 60.0 * grow), (wide / 2, deep - 60.0 * grow), (wide - 60.0 * grow, 60.0 * grow))
    stored = chance.random() < 0.35
    size = (wide + (60.0 if stored else 0.0), deep)
    corners = [(x, y) for y in (_INSET_MM, deep - _INSET_MM) for x in (_INSET_MM, size[0] - _INSET_MM)]
    at = corners if chance.random() < 0.85 else [(size[0] / 2, deep / 2)]
    gain = float(chance.uniform(400, 1700))
    board = Board(
        id=_BOARD,
        size_mm=size,
        towers=tuple(Tower(name, place) for name, place in zip(("left", "middle", "right"), towers, strict=True)),
        cells=tuple(Cell(f"c{number}", place, gain, 80_000.0) for number, place in enumerate(at)),
        inventory=(Area((wide, 30.0), (wide + 56.0, deep - 30.0)),) if stored else (),
    )
    pieces = {
        "floor-tile": Piece(mass_g=float(chance.uniform(4.5, 8.5)), size_mm=(60.0 * grow, 60.0 * grow, 2.0)),
        "pillar": Piece(mass_g=float(chance.uniform(1.5, 3.0)), diameter_mm=12.0, height_mm=25.0),
        "meeple": Piece(mass_g=float(chance.uniform(1.0, 1.8)), size_mm=(16.0, 8.0, 16.0)),
    }
    return Plan(format=FORMAT, version=VERSION, boards=(board,), pieces=pieces)
