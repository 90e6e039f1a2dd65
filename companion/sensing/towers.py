"""Towers that stand already, read from a single quiet picture: how many floors, where they lie, what is on top.

Floor by floor, each near the one below it, a slab is fitted to the picture twice: as the topmost, with all its sides
to be seen, and as one that carries another. What speaks for a tower of so many levels is weighed and compared.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from companion.sensing.castle import Castle, Standing
from companion.sensing.fitting import Window
from companion.sensing.glance import Small
from companion.sensing.plan import Point
from companion.sensing.rims import refined, thick
from companion.sensing.shapes import Kit, Shape
from companion.sensing.slabs import ROOM_PX, Ints, Relief, Sides, contrasts, sides
from companion.sensing.tops import pieces_on
from companion.sensing.views import Floats

_MOST_LEVELS = 7
_USUAL_LEVELS = 5  # each one more is less likely
_REACH_MM = 7.0  # how far a floor may lie from over the middle of the one below
_PLACE_MM = 3.0  # and how far it usually does
_TURN_DEG = 6.0  # how far it is usually turned
_TURNS_DEG = (-6.0, 0.0, 6.0)
_FINE_TURNS_DEG = (-2.5, 0.0, 2.5)
_COARSE_PX, _FINE_PX = 2, 1
_COARSE_ALONG = 12
_EDGE = 0.72  # a side as edge-like as this may be one or not
_EDGE_GAIN, _AGAINST, _FOR = 9.0, -1.2, 2.2
_NOISY = 0.1  # in logarithms: noise that drowns what tells a tile from a board
_ENOUGH = 0.5  # the share of a floor's sides that must be seen to be as sure as one can be
_PLAIN_FACE, _PLAINEST = 0.06, 0.3  # in logarithms: a face that is more unlike the board, and how much that tells
_PRINTED, _PRINTED_MM = 2.0, 1.6  # how much a place tells that is just the printed one, and how far off it may be
_SELDOM = 0.012  # how much surer it must be that a piece stands on a top that nobody touched
_PLAINLY, _CARRIES = 0.03, 3.0  # and one that tells how likely a base tile is there
_HOPELESS = 8.0  # a tower so much less likely than another, twice: no higher one is looked for


@dataclass(frozen=True)
class TowerRead:
    """A tower as one picture shows it; `confidence` is how sure its number of levels is, from 0 to 1.

    `beliefs` are the logarithms of how likely it has 0, 1, 2 ... levels.
    """

    levels: int
    pieces: list[Standing]
    top_mm: float
    confidence: float
    beliefs: tuple[float, ...] = ()


class Evidence(NamedTuple):
    """What speaks for a tower of some number of levels, each against nothing standing there at all.

    Of the top floor: its near and far sides as edges, its near and far contrast, the worst parts of its near sides.
    Of the floors below, by what the next one leaves to be seen: their sides, the worst parts of these, how poorly the
    poor ones show, their near contrast. Then how far floors lie from over each other, that there is a tower, its
    further levels, and that a base tile's face is unlike the board on every side.
    """

    near: float
    far: float
    near_contrast: float
    far_contrast: float
    near_least: float
    below: float
    below_least: float
    below_poor: float
    below_contrast: float
    misplaced: float
    any: float
    levels: float
    face: float


_WEIGHTS = Evidence(5.44, 3.82, 1.66, 1.57, 2.28, 1.01, 1.76, 1.37, 1.02, 1.24, -3.7, 0.32, 7.44)


@dataclass(frozen=True, eq=False)
class Laid:
    """A floor where it fits best, and how well."""

    centre: Point
    turn_deg: float
    score: float


@dataclass(frozen=True, eq=False)
class Floor:
    """A plate where it lies in a picture, over another one, and the height of its underside."""

    relief: Relief
    plate: Shape
    laid: Laid
    under: Laid
    low_mm: float

    @property
    def place(self) -> tuple[Point, float]:
        """Its middle and turn."""
        return self.laid.centre, self.laid.turn_deg

    @property
    def corners(self) -> Floats:
        return self.plate.corners(self.laid.centre, self.laid.turn_deg, self.low_mm)

    def sides(self, above: Floats) -> Sides:
        return sides(self.relief, self.plate, self.laid.centre, self.laid.turn_deg, self.low_mm, _HERE, above)

    @cached_property
    def contrasts(self) -> Floats:
        """How unlike it is to what is beside it, in logarithms, by its sides."""
        return contrasts(self.relief, self.plate, self.laid.centre, self.laid.turn_deg, self.low_mm)


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A tower of so many levels with its floors, the lowest first, and how much of its top floor's sides is seen."""

    floors: tuple[Laid, ...]
    evidence: Evidence
    seen: float

    @property
    def belief(self) -> float:
        """The logarithm of how much likelier it is than that nothing stands there."""
        return float(np.dot(self.evidence, _WEIGHTS)) - max(0, len(self.floors) - _USUAL_LEVELS)

    def with_face(self, face: float) -> Hypothesis:
        """The same, where the lowest floor shows so plainly: that tells a tower from nothing, not how high it is."""
        return replace(self, evidence=self.evidence._replace(face=face))


@dataclass(frozen=True)
class Bounds:
    """What is known of a tower before it is read: the number of its levels, and whether something fell there.

    `odds` are the logarithms of how much likelier each number of levels is by what else is known.
    """

    least: int = 0
    most: int = _MOST_LEVELS
    fallen: bool = False
    odds: tuple[float, ...] = ()


UNKNOWN = Bounds()


def read_towers(
    picture: Small, window: Window, castle: Castle, wanted: Mapping[str, Bounds] | None = None
) -> dict[str, TowerRead]:
    """All towers of a board, or those that are wanted, the nearest first: what stands in front hides what is behind."""
    if not castle.towers:
        return {}
    wanted = dict.fromkeys(castle.towers, UNKNOWN) if wanted is None else wanted
    middle = np.mean(list(castle.towers.values()), axis=0)
    relief = Relief.of(picture, window, (float(middle[0]), float(middle[1])))
    found: dict[str, TowerRead] = {}
    for tower in sorted(castle.towers, key=lambda each: _away_mm(castle.towers[each], window)):
        pieces = castle.of(tower)
        if tower in wanted:
            found[tower] = _read(relief, castle.kit, tower, castle.towers[tower], wanted[tower])
            pieces = found[tower].pieces
        if pieces:
            relief.cover(np.vstack([_corners(piece) for piece in pieces]))
    return {tower: found[tower] for tower in castle.towers if tower in found}


def read_top(picture: Small, window: Window, castle: Castle, tower: str) -> list[Standing]:
    """The small pieces on a tower's top plate."""
    plates = castle.plates(tower)
    if not plates:
        return []
    return pieces_on(Relief.of(picture, window, plates[-1].centre), castle.kit.small, plates[-1])


def _away_mm(centre: Point, window: Window) -> float:
    return float(np.hypot(*(np.array(centre) - window.view.eye_mm[:2])))


def _corners(piece: Standing) -> Floats:
    return piece.shape.corners(piece.centre, piece.turn_deg, piece.low_mm)


def _read(relief: Relief, kit: Kit, tower: str, centre: Point, bounds: Bounds) -> TowerRead:
    stacks = hypotheses(relief, kit, centre, max(1, bounds.most), max(bounds.least, len(bounds.odds) - 2))
    beliefs = np.array([0.0, *(stack.belief for stack in stacks)])
    if beliefs.argmax() <= 1 and _carries(relief, kit, tower, stacks[0]):
        beliefs[1] = max(beliefs[1], _CARRIES)
    elif beliefs.argmax() == 1:  # what is only printed on the board is taken for a base tile, not for a tower
        beliefs[1:] += _lies(relief, kit, stacks[0], centre)
    known = min(len(beliefs), len(bounds.odds))
    beliefs[:known] += bounds.odds[:known]
    beliefs[: bounds.least] = beliefs[bounds.most + 1 :] = -np.inf
    levels = int(beliefs.argmax())
    shares = np.exp(beliefs - beliefs.max())
    pieces = [
        Standing(kit.plate(level), tower, level, laid.centre, laid.turn_deg, kit.floor_low_mm(level))
        for level, laid in enumerate(stacks[levels - 1].floors if levels else (), 1)
    ]
    if pieces:
        shapes = (*kit.small, *kit.lying) if bounds.fallen else kit.small
        pieces += pieces_on(relief, shapes, pieces[-1], 0.0 if bounds.fallen else _SELDOM)
    top_mm = max((piece.high_mm for piece in pieces), default=0.0)
    clear = min(1.0, stacks[max(levels, 1) - 1].seen / _ENOUGH) / (1 + (relief.noise / _NOISY) ** 2)
    return TowerRead(levels, pieces, top_mm, clear * float(shares[levels] / shares.sum()), tuple(beliefs.tolist()))


def _carries(relief: Relief, kit: Kit, tower: str, stack: Hypothesis) -> bool:
    """Whether a pillar plainly stands on a base tile: on what is only printed none does."""
    base = Standing(kit.base, tower, 1, stack.floors[0].centre, stack.floors[0].turn_deg, 0.0)
    return kit.pillar is not None and bool(pieces_on(relief, (kit.pillar,), base, _PLAINLY))


def hypotheses(relief: Relief, kit: Kit, centre: Point, most: int = _MOST_LEVELS, least: int = 0) -> list[Hypothesis]:
    """Towers of one level, two, three, and so on, up to the least it can be and then as long as there is hope."""
    found: list[Hypothesis] = []
    below: list[Floor] = []
    sums = np.zeros(5)
    near = Laid(centre, 0.0, 0.0)
    for level in range(1, most + 1):
        low_mm, plate = kit.floor_low_mm(level), kit.plate(level)
        top, lower = (Floor(relief, plate, laid, near, low_mm) for laid in _laid(relief, kit, plate, near, low_mm))
        lower = top if lower.place == top.place else lower
        carried = _of_lower(below[-1], top) if below else np.zeros(5)
        stack = _hypothesis([*below, top], sums + carried)
        found.append(stack.with_face(found[0].evidence.face) if found else stack)
        if level >= least and _is_hopeless(found):
            break
        if below and lower is not top:
            carried = _of_lower(below[-1], lower)
        sums = sums + carried
        below.append(lower)
        near = lower.laid
    return found


def _is_hopeless(found: list[Hypothesis]) -> bool:
    best = max(0.0, *(each.belief for each in found))
    return len(found) >= 3 and all(each.belief < best - _HOPELESS for each in found[-2:])


def _hypothesis(floors: list[Floor], below: Floats) -> Hypothesis:
    top = floors[-1]
    seen, unlike = top.sides(top.corners), top.contrasts
    edge = seen.share * (seen.top[0] - 0.7)
    contrast = seen.share * _unlikeness(unlike)
    least = seen.share * (seen.least[0] - 0.5)
    near, far = seen.near, ~seen.near
    evidence = Evidence(
        near=float(edge[near].sum()),
        far=float(edge[far].sum()),
        near_contrast=float(contrast[near].sum()),
        far_contrast=float(contrast[far].sum()),
        near_least=float(least[near].sum()),
        below=float(below[0]),
        below_least=float(below[1]),
        below_poor=float(below[2]),
        below_contrast=float(below[3]),
        misplaced=float(below[4]) + _misplaced(top.laid, top.under),
        any=1.0,
        levels=len(floors) - 1.0,
        face=_face(unlike, seen.share) if len(floors) == 1 else 0.0,
    )
    return Hypothesis(tuple(floor.laid for floor in floors), evidence, float(seen.share.mean()))


def _unlikeness(unlike: Floats) -> Floats:
    """From -0.9 for a side that is just like what is beside it to 0.9 for one that is most unlike it."""
    return np.asarray(np.clip(np.log10((unlike + 0.01) / 0.06), -0.9, 0.9))


def _face(unlike: Floats, seen: Floats) -> float:
    """How plainly a plate is unlike what is beside it, by the side where it is least so."""
    if (seen < _ENOUGH).any():
        return 0.0
    return float(np.clip(np.log10((unlike.min() + 0.01) / _PLAIN_FACE), 0.0, _PLAINEST))


def _lies(relief: Relief, kit: Kit, stack: Hypothesis, place: Point) -> float:
    """What makes of the belief in a base tile how much likelier it is than nothing and a place printed like one."""
    base = stack.floors[0]
    centre, turn_deg = refined(relief, kit.base, base.centre, base.turn_deg)
    lies = thick(relief, kit.base, centre, turn_deg) + _raised(relief, kit.base, centre, turn_deg, place)
    return -float(np.logaddexp(0.0, stack.belief - lies))


def _raised(relief: Relief, plate: Shape, centre: Point, turn_deg: float, place: Point) -> float:
    """Nothing for a base tile, less the nearer it lies to where its printed place would seem to be if it were as high.

    What is printed is not turned, and is farther from the eye than it would be at a tile's height.
    """
    eye = relief.window.view.eye_mm
    seems = np.array(place) + (eye[:2] - place) * plate.tall_mm / float(eye[2])
    turned_mm = math.radians(turn_deg) * plate.wide_mm / 2
    off_mm = math.hypot(*(np.array(centre) - seems), turned_mm)
    return -_PRINTED * max(0.0, 1 - (off_mm / _PRINTED_MM) ** 2)


def _of_lower(floor: Floor, above: Floor) -> Floats:
    """What a floor that carries another adds: sides, their worst parts, how poor it is, contrast, how misplaced."""
    seen = floor.sides(above.corners)
    share, near = seen.lower_share, seen.near
    edges = float((share * (seen.lower[0] - 0.7)).sum())
    least = float((share * (seen.least[0] - 0.5))[near].sum())
    mean = float((share * seen.lower[0]).sum() / max(share.sum(), 1e-6))
    poor = min(0.0, mean - 0.65) * min(1.0, float(share.sum()))
    contrast = float((share * _unlikeness(floor.contrasts))[near].sum())
    return np.array([edges, least, 10 * poor, contrast, _misplaced(floor.laid, floor.under)])


def _misplaced(laid: Laid, under: Laid) -> float:
    """Nothing for a floor just over the one below it, less the farther it is off and turned."""
    off_mm = np.hypot(laid.centre[0] - under.centre[0], laid.centre[1] - under.centre[1])
    off_deg = laid.turn_deg - under.turn_deg
    return float(-0.5 * (off_mm / _PLACE_MM) ** 2 - 0.5 * (off_deg / _TURN_DEG) ** 2)


_HERE: Ints = np.zeros((1, 2), np.int32)


def _laid(relief: Relief, kit: Kit, plate: Shape, near: Laid, low_mm: float) -> tuple[Laid, Laid]:
    """A floor about another one's place, as the topmost and as one that carries another."""
    coarse = _search(relief, kit, plate, near, near, low_mm, _TURNS_DEG, _COARSE_PX)
    fine = _search(relief, kit, plate, coarse[0], near, low_mm, _FINE_TURNS_DEG, _FINE_PX)
    if (coarse[0].centre, coarse[0].turn_deg) == (coarse[1].centre, coarse[1].turn_deg):
        return fine
    return fine[0], _search(relief, kit, plate, coarse[1], near, low_mm, _FINE_TURNS_DEG, _FINE_PX)[1]


def _search(
    relief: Relief,
    kit: Kit,
    plate: Shape,
    start: Laid,
    under: Laid,
    low_mm: float,
    turns: tuple[float, ...],
    step_px: int,
) -> tuple[Laid, Laid]:
    """The best topmost and the best carrying floor about a start, not far from over the one below it."""
    offsets, places = _places(relief, start.centre, low_mm, step_px)
    off_mm = np.hypot(places[:, 0] - under.centre[0], places[:, 1] - under.centre[1])
    best = [Laid(start.centre, start.turn_deg, -np.inf)] * 2
    for turn in turns:
        turn_deg = start.turn_deg + turn
        above = plate.corners(start.centre, turn_deg, low_mm + kit.pitch_mm)
        along = _COARSE_ALONG if step_px > 1 else 2 * _COARSE_ALONG - 4
        seen = sides(relief, plate, start.centre, turn_deg, low_mm, offsets, above, along)
        usual = -0.5 * (off_mm / _PLACE_MM) ** 2 - 0.5 * ((turn_deg - under.turn_deg) / _TURN_DEG) ** 2
        for role, (edges, share) in enumerate(((seen.top, seen.share), (seen.lower, seen.lower_share))):
            scores = np.clip(_EDGE_GAIN * (edges - _EDGE), _AGAINST, _FOR) @ share + usual
            at = int(scores.argmax())
            if scores[at] > best[role].score:
                best[role] = Laid((float(places[at, 0]), float(places[at, 1])), turn_deg, float(scores[at]))
    return best[0], best[1]


def _places(relief: Relief, centre: Point, low_mm: float, step_px: int) -> tuple[Ints, Floats]:
    """Places about a point: offsets (n, 2) in whole pixels, and where they are in mm (n, 2)."""
    x, y = centre
    here, aside, away = relief.project(np.array([(x, y, low_mm), (x + 1, y, low_mm), (x, y + 1, low_mm)]))
    to_mm = np.linalg.inv(np.column_stack([aside - here, away - here]))
    reach = step_px if step_px == _FINE_PX else ROOM_PX // step_px * step_px
    steps = np.arange(-reach, reach + 1, step_px)
    offsets = np.array([(across, down) for down in steps for across in steps], np.int32)
    moved = offsets @ to_mm.T
    near = np.hypot(moved[:, 0], moved[:, 1]) <= _REACH_MM
    return offsets[near], np.asarray(moved[near] + centre, float)
