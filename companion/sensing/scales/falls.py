"""How much a board's forces look like a castle piece that fell onto it: plain symptoms, a forest and an ear.

Each symptom is a physical one. Forces are counted in lightest pieces, moments in those times mm, and impulses as the
time for which the lightest piece would have had to fall freely. A forest of small trees weighs the symptoms alone, an
ear hears the last rows themselves as well: it is quicker, the forest is steadier on tables that neither knows. Their
mean finds more falls than the forest and is wrong less often than the ear. `companion fit` teaches both anew.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np

from companion.errors import Malformed
from companion.sensing.forest import Forest
from companion.sensing.odds import chance
from companion.sensing.plan import Point
from companion.sensing.scales.ear import Ears
from companion.sensing.scales.evidence import ImpactEvidence, Load
from companion.sensing.scales.pieces import Masses
from companion.sensing.scales.quiet import Rows
from companion.sensing.scales.site import Site
from companion.sensing.scales.tracing import Trace, trace
from companion.sensing.views import Floats

EARS_FILE, FOREST_FILE = "falls.npz", "falls.json"
_FEWEST_ROWS = 8
_NOTHING_FELL = -4.0  # log odds of the forest that no ear ever made up for
UNKNOWN = -999.0
"""What a place is where it cannot be told."""

_LONGEST_US = 6_000_000  # what happened longer ago says nothing more
_BEFORE_US = 300_000  # before it left its rest, a load may have moved a little already
_JUST_US, _SHORT_US, _LONG_US = 60_000, 130_000, 300_000
_IMPACT_S = 0.06  # what lasts longer is no impact
_TOUCH_S = 0.03
_PRESSES = 0.7  # lightest pieces that are more than a tremble
_SOME = 0.4  # and from which it can be told where they lie
_STEADY = 0.4
_WEIGHED = 0.15
_FAR_MM = 150.0


class Symptoms(NamedTuple):
    """What speaks for a fall or against it, since a board left its rest. Places are `UNKNOWN` where none is known."""

    row_s: float
    """How slow the chips are."""
    lightest: float
    """The least that lay on the board beside what rested on it before."""
    heaviest: float
    relieved: float
    """The least for longer than an impact lasts: what is in the air, or was lifted off."""
    leant: float
    """The most for longer than an impact lasts: a hand, or a piece more."""
    lighter: float
    """The part of the time for which the board was lighter than before."""
    heavier: float
    even: float
    """How evenly the force went to both sides."""
    shaken: float
    """The part of its impacts that shook the whole board, or others, too."""
    swings: float
    """How often the force changed sides in the last moments."""
    load: float
    """What lies there now beside what rested there before."""
    low: float
    """The least of the last moments."""
    moment_just: float
    """How far the centre of the load is from where it was, just now."""
    moment: float
    """And in the last moments."""
    farthest: float
    """And at the most."""
    beside_mm: float
    """How far beside the nearest tower lies what is more, or less, now; in an inventory area nothing is amiss."""
    beyond_mm: float
    """And how far beyond the board's edge."""
    built: float
    """It is a piece where one can be built in: 1; where none can: 0."""
    off_centre_mm: float
    """How far from the middle of a tower that piece lies."""
    hardest: float
    second: float
    """The hardest impacts."""
    hardest_beside_mm: float
    hardest_beyond_mm: float
    last_beside_mm: float
    """How far beside the nearest tower, and beyond the board's edge, they hit."""
    off: float
    """How hard something hit the board where no tower stands."""
    apart_mm: float
    """How far from each other they hit."""
    dip: float
    """How much lighter than at rest the board was just before an impact, at the most."""
    sunk: float
    """How much lighter it became just before one, whatever leant on it then."""
    hardest_sunk: float
    lead_s: float
    """For how long the load had moved before the first impact."""
    littered: float
    """Fallen pieces lie about already."""


class Scene(msgspec.Struct, frozen=True):
    """What a fall is looked for in: a board, what rested on it, what hit it, and since when its load has moved."""

    site: Site
    masses: Masses
    piece_g: float
    rows: Rows
    reference: Load
    impacts: tuple[ImpactEvidence, ...]
    since_us: int
    places: bool
    """Whether the board tells where its load lies."""
    shaken: float
    littered: bool


class Felt(NamedTuple):
    """What a board feels with its newest row: the symptoms, and the trace of the last rows."""

    symptoms: Symptoms
    trace: Trace


def chance_of_fall(felt: Felt) -> float:
    """How likely something has fallen. Where the forest is sure that nothing did, the ears, which cost more, rest."""
    told = forest().odds(np.array(felt.symptoms))
    return chance(told if told < _NOTHING_FELL else (ears().odds(felt.trace, felt.symptoms) + told) / 2)


@cache
def ears() -> Ears:
    """What was heard of falls; Malformed when that was with other symptoms."""
    learned = Ears.read(files(__package__).joinpath(EARS_FILE).read_bytes())
    if learned.symptoms != Symptoms._fields:
        raise Malformed(f"{EARS_FILE} was taught with other symptoms: teach it anew with companion fit.")
    return learned


@cache
def forest() -> Forest:
    """What was learned of falls by their symptoms; Malformed when that was of others."""
    data = files(__package__).joinpath(FOREST_FILE).read_bytes()
    return Forest.grown_of(data, Symptoms._fields, f"{FOREST_FILE} was grown from other symptoms", "companion fit")


def felt(scene: Scene) -> Felt | None:
    """What is felt with the newest row; None where too little was felt yet."""
    found = symptoms(scene)
    if found is None:
        return None
    ground = scene.site.ground(scene.places)
    return Felt(found, trace(scene.rows, scene.reference, scene.piece_g, ground))


def symptoms(scene: Scene) -> Symptoms | None:
    """The symptoms with the newest row; None where too little was felt yet."""
    rows = scene.rows
    since_us = max(scene.since_us, rows.t_us[-1] - _LONGEST_US)
    begin = min(rows.since(since_us - _BEFORE_US), len(rows.t_us) - _FEWEST_ROWS)
    if begin < 0:
        return None
    trace = _Trace(scene, begin)
    start = min(rows.since(since_us) - begin, len(trace.force) - 1)
    impacts = [each for each in scene.impacts if each.t_us >= since_us - _BEFORE_US]
    pushes = [each.push_gs / scene.piece_g for each in impacts]
    hardest = impacts[pushes.index(max(pushes))] if impacts else None
    change = trace.mean(_SHORT_US)
    place = trace.place(change)
    built, off_centre_mm = _piece(scene, abs(change[0]), place, trace.spread(_SHORT_US))
    force = trace.force[start:]
    most, least = float(force.max()), float(force.min())
    return Symptoms(
        row_s=rows.row_s,
        lightest=least,
        heaviest=most,
        relieved=-_lasting(-force, rows.row_s),
        leant=_lasting(force, rows.row_s),
        lighter=float((force < -_PRESSES).mean()),
        heavier=float((force > _PRESSES).mean()),
        even=min(most, -least) / max(most, -least, 1e-6),
        shaken=scene.shaken,
        swings=trace.swings(_LONG_US),
        load=trace.mean(_LONG_US)[0],
        low=float(trace.force[trace.since(_SHORT_US) :].min()),
        moment_just=math.hypot(*trace.mean(_JUST_US)[1:]),
        moment=math.hypot(*change[1:]),
        farthest=float(np.hypot(trace.x[start:], trace.y[start:]).max()),
        beside_mm=_beside_mm(scene, place),
        beyond_mm=_beyond_mm(scene, place),
        built=built,
        off_centre_mm=off_centre_mm,
        hardest=max(pushes, default=0.0),
        second=sorted(pushes)[-2] if len(pushes) > 1 else 0.0,
        hardest_beside_mm=_beside_mm(scene, hardest.position_mm if hardest else None),
        hardest_beyond_mm=_beyond_mm(scene, hardest.position_mm if hardest else None),
        last_beside_mm=_beside_mm(scene, impacts[-1].position_mm if impacts else None),
        off=max((_off_gs(scene.site, each) / scene.piece_g for each in impacts), default=0.0),
        apart_mm=_apart_mm(impacts, _TOUCH_S * scene.piece_g),
        dip=max((each.dip_g / scene.piece_g for each in impacts), default=0.0),
        sunk=max((each.sunk_g / scene.piece_g for each in impacts), default=0.0),
        hardest_sunk=hardest.sunk_g / scene.piece_g if hardest else 0.0,
        lead_s=(impacts[0].t_us - since_us) * 1e-6 if impacts else UNKNOWN,
        littered=float(scene.littered),
    )


class _Trace:
    """The forces and moments of a scene beside what rested there before, from one row on."""

    def __init__(self, scene: Scene, begin: int) -> None:
        rows, reference, piece_g = scene.rows, scene.reference, scene.piece_g
        self._scene = scene
        self._t_us = rows.t_us[begin:]
        self._rows, self._begin = rows, begin
        self.force = (np.array(rows.force[begin:]) - reference.force_g) / piece_g
        known = float(scene.places)
        self.x = (np.array(rows.x[begin:]) - reference.x_gmm) / piece_g * known
        self.y = (np.array(rows.y[begin:]) - reference.y_gmm) / piece_g * known

    def since(self, long_us: int) -> int:
        """The row that long ago; at least the one before the newest."""
        return min(self._rows.since(self._t_us[-1] - long_us) - self._begin, len(self._t_us) - 2)

    def mean(self, long_us: int) -> tuple[float, float, float]:
        """The force and its moments over the last moments."""
        begin = self.since(long_us)
        return tuple(float(each[begin:].mean()) for each in (self.force, self.x, self.y))  # type: ignore[return-value]

    def spread(self, long_us: int) -> float:
        """How far the force went in the last moments."""
        force = self.force[self.since(long_us) :]
        return float(force.max() - force.min())

    def swings(self, long_us: int) -> float:
        """How often the force went from one side to the other."""
        beyond = [force > 0 for force in self.force[self.since(long_us) :].tolist() if abs(force) > _PRESSES]
        return float(sum(one != other for one, other in pairwise(beyond)))

    def place(self, change: tuple[float, float, float]) -> Point | None:
        """Where a single thing would have to lie to make a change."""
        if abs(change[0]) < _SOME or not self._scene.places:
            return None
        width, depth = self._scene.site.board.size_mm
        return width / 2 + change[1] / change[0], depth / 2 + change[2] / change[0]


def _lasting(force: Floats, row_s: float) -> float:
    """The most of a force for longer than an impact lasts."""
    many = max(2, round(_IMPACT_S / row_s))
    if len(force) < many:
        return 0.0
    return float(np.lib.stride_tricks.sliding_window_view(force, many).min(axis=1).max())


def _beside_mm(scene: Scene, place: Point | None) -> float:
    if place is None or not scene.site.board.towers:
        return UNKNOWN
    if scene.site.stored(place):
        return -scene.site.half_mm
    return max(-_FAR_MM, min(_FAR_MM, scene.site.beside_mm(place)))


def _beyond_mm(scene: Scene, place: Point | None) -> float:
    if place is None:
        return UNKNOWN
    (x, y), (width, depth) = place, scene.site.board.size_mm
    return max(-_FAR_MM, min(_FAR_MM, -min(x, y, width - x, depth - y)))


def _piece(scene: Scene, pieces: float, place: Point | None, spread: float) -> tuple[float, float]:
    """Whether a change is a piece where one can be built in, and how far from the middle of a tower it lies."""
    masses, site = scene.masses, scene.site
    if not masses.known or spread > _STEADY or pieces < _SOME:
        return UNKNOWN, UNKNOWN
    name = masses.named(pieces * scene.piece_g, _WEIGHED * scene.piece_g / 2)
    if name is None:
        return UNKNOWN, UNKNOWN
    off_mm = site.off_centre_mm(place)
    return float(site.built_in(masses.pieces[name], place, 0.0)), UNKNOWN if off_mm is None else min(off_mm, _FAR_MM)


def _apart_mm(impacts: Sequence[ImpactEvidence], least_gs: float) -> float:
    """How far apart those hit that are a touch at least."""
    places = [each.position_mm for each in impacts if each.push_gs > least_gs and each.position_mm]
    return math.dist(*_corners(places)) if len(places) > 1 else 0.0


def _corners(places: Sequence[Point]) -> tuple[Point, Point]:
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return (min(xs), min(ys)), (max(xs), max(ys))


def _off_gs(site: Site, impact: ImpactEvidence) -> float:
    """The impulse of an impact where no tower stands."""
    return site.off_tower(impact.position_mm) * impact.push_gs if impact.position_mm is not None else 0.0
