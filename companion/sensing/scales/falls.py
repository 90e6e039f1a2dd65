"""How much a board's forces look like a castle piece that fell onto it: a few signs, weighed and added up.

Each sign is a plain physical one, near 0 where it says nothing and about 1 where it speaks clearly. Masses are counted
in lightest pieces and impulses as the time for which the lightest piece would have had to fall freely.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

import msgspec

from companion.sensing.plan import Board, Point
from companion.sensing.scales.evidence import ImpactEvidence, Load
from companion.sensing.scales.pieces import Masses
from companion.sensing.scales.quiet import Rows
from companion.sensing.scales.site import Site

RECENT_US = 1_500_000
BEFORE_US = 100_000
_STEADY_US, _FALL_US = 300_000, 130_000  # before an impact: since when the load is looked at, and since when it sinks
_HIT_S, _TOUCH_S, _IMPACT_S = 0.06, 0.03, 0.06
_APART_MM, _FAR_APART = 30.0, 4.0
_BEYOND_MM = 20.0
_LONG_LEAD_S = 1.5
_MANY = 8.0  # pieces: more tell no more
_SAME_PART = 0.5
_SHIFT_MM = 14.0
_EVEN = 0.15
_MIDDLE_PART = 0.25


class Signs(msgspec.Struct, frozen=True, array_like=True):
    """What speaks for a fall and what against it."""

    push: float
    """How hard the hardest impact was."""
    hits: float
    """How many impacts were hard."""
    apart: float
    """How far from each other they hit the board."""
    dip: float
    """How much lighter the board became just before one of them, whatever leant on it then."""
    off: float
    """How hard something hit the board where no tower stands."""
    same: float
    """The total is what it was."""
    shift: float
    """How far the centre moved while the total is what it was."""
    up: float
    """How much heavier the board is."""
    up_hit: float
    """How hard it was hit where it is heavier now."""
    up_built: float
    """What makes it heavier is a piece where one can be built in."""
    up_lies: float
    """What makes it heavier is a piece where none is built."""
    down: float
    """How much lighter the board is."""
    down_built: float
    """What is missing is a piece of a tower."""
    beyond: float
    """How far beyond the board's edge a single thing would have to lie to make the change."""
    hand: float
    """How heavy a hand leant on the board just before, for longer than an impact lasts."""
    lead: float
    """For how long the load had moved before the first impact."""
    littered: float
    """Fallen pieces lie about already."""


class Weights(msgspec.Struct, frozen=True):
    """What each sign adds to the log odds of a fall, and the log odds without any.

    Fitted by logistic regression to force-only recordings of the twin with seeds 5000 to 5999, rounded.
    """

    each: Signs
    bias: float

    def odds(self, found: Signs) -> float:
        """The log odds of a fall."""
        weights: tuple[float, ...] = msgspec.structs.astuple(self.each)
        values: tuple[float, ...] = msgspec.structs.astuple(found)
        return self.bias + sum(weight * value for weight, value in zip(weights, values, strict=True))


MOVING = Weights(
    Signs(
        push=-0.1,
        hits=0.5,
        apart=1.0,
        dip=0.2,
        off=0.2,
        same=-2.0,
        shift=1.8,
        up=-0.4,
        up_hit=0.3,
        up_built=-1.1,
        up_lies=3.3,
        down=1.3,
        down_built=-2.6,
        beyond=0.9,
        hand=-0.1,
        lead=-1.1,
        littered=-0.2,
    ),
    bias=-2.8,
)
"""While things still move."""
AT_REST = Weights(
    Signs(
        push=-0.7,
        hits=0.6,
        apart=0.8,
        dip=0.6,
        off=0.9,
        same=-1.3,
        shift=2.1,
        up=-1.6,
        up_hit=0.8,
        up_built=1.1,
        up_lies=6.1,
        down=1.9,
        down_built=-2.8,
        beyond=1.1,
        hand=0.2,
        lead=-1.2,
        littered=-1.1,
    ),
    bias=-4.5,
)
"""Once the load has settled."""
BY_FEW = Weights(
    Signs(
        push=0.6,
        hits=1.2,
        apart=0.0,
        dip=0.5,
        off=0.0,
        same=-1.2,
        shift=1.2,
        up=-1.0,
        up_hit=0.4,
        up_built=0.1,
        up_lies=0.0,
        down=0.5,
        down_built=-0.8,
        beyond=0.0,
        hand=-0.3,
        lead=-1.7,
        littered=0.3,
    ),
    bias=-2.1,
)
"""Where nothing tells at which place a load lies."""
BLURRED = Weights(
    Signs(
        push=0.0,
        hits=0.0,
        apart=0.0,
        dip=0.0,
        off=0.0,
        same=-1.5,
        shift=2.4,
        up=0.1,
        up_hit=0.4,
        up_built=-0.3,
        up_lies=4.5,
        down=2.2,
        down_built=-1.7,
        beyond=1.0,
        hand=-0.2,
        lead=2.3,
        littered=-0.4,
    ),
    bias=-5.2,
)
"""Where chips are too slow to show impacts, once the load has settled."""


class Scene(msgspec.Struct, frozen=True):
    """What a fall is looked for in: a board, what rested on it, what hit it, and since when its load has moved.

    `shaken` is 1 where the whole board was: its impacts then say nothing.
    """

    site: Site
    masses: Masses
    piece_g: float
    rows: Rows
    reference: Load
    impacts: tuple[ImpactEvidence, ...]
    left_us: int
    shaken: float
    littered: bool


def signs(scene: Scene, change: Load, position: tuple[Point | None, float | None], sigma_g: float) -> Signs:
    """The signs of a fall with the newest row; `change` is what the load is now beside the reference, and where.

    `sigma_g` is how far off that may be, infinite where it still moves.
    """
    site, rows, piece_g, told = scene.site, scene.rows, scene.piece_g, 1 - scene.shaken
    newest_us = scene.impacts[-1].t_us if scene.impacts else rows.t_us[-1]
    recent = [impact for impact in scene.impacts if newest_us - impact.t_us < RECENT_US]
    first_us = recent[0].t_us if recent else newest_us
    pushes = [impact.push_gs / piece_g * told for impact in recent]
    push = _log(max(pushes, default=0.0), _HIT_S, -1.5, 2.0)
    grams = change.force_g / piece_g
    same, up, down = abs(grams) < _SAME_PART, grams >= _SAME_PART, grams <= -_SAME_PART
    name = scene.masses.named(abs(change.force_g), sigma_g) if sigma_g < math.inf else None
    built = name is not None and site.built_in(scene.masses.pieces[name], *position)
    return Signs(
        push=push,
        hits=math.log1p(sum(push > _HIT_S for push in pushes)),
        apart=_apart(recent, _TOUCH_S * piece_g) * told,
        dip=_within(_dip(rows, recent) / piece_g, 0.0, 3.0) * told,
        off=max((off(site, impact, piece_g) for impact in recent), default=0.0) * told,
        same=float(same),
        shift=_log(change.moment_gmm() / piece_g, _SHIFT_MM, -1.0, 2.5) if same else 0.0,
        up=_many(grams) if up else 0.0,
        up_hit=push if up else 0.0,
        up_built=float(up and built),
        up_lies=float(up and name is not None and not built),
        down=_many(-grams) if down else 0.0,
        down_built=float(down and built),
        beyond=0.0 if same else _beyond(site.board, change),
        hand=_log(_leant_g(rows, first_us - _STEADY_US, scene.reference) / piece_g, 1.0, 0.0, 5.0),
        lead=_within((first_us - scene.left_us) * 1e-6, 0.0, _LONG_LEAD_S),
        littered=float(scene.littered),
    )


def _many(pieces: float) -> float:
    return math.log1p(min(pieces, _MANY))


def _apart(impacts: Sequence[ImpactEvidence], least_gs: float) -> float:
    """How far about their middle those hit that are a touch at least."""
    touches = [(each.push_gs, each.position_mm) for each in impacts if each.push_gs > least_gs and each.position_mm]
    whole = sum(push for push, _ in touches)
    if len(touches) < 2:
        return 0.0
    x = sum(push * place[0] for push, place in touches) / whole
    y = sum(push * place[1] for push, place in touches) / whole
    spread = sum(push * ((place[0] - x) ** 2 + (place[1] - y) ** 2) for push, place in touches) / whole
    return min(_FAR_APART, math.sqrt(spread) / _APART_MM)


def _dip(rows: Rows, impacts: Sequence[ImpactEvidence]) -> float:
    """By how much the load sank in a moment before an impact from where it was before that moment."""
    return max((_sunk(rows, impact.t_us) for impact in impacts), default=0.0)


def _sunk(rows: Rows, hit_us: int) -> float:
    begin, fall, hit = rows.since(hit_us - _STEADY_US), rows.since(hit_us - _FALL_US), rows.since(hit_us)
    if fall - begin < 2 or hit - fall < 3:
        return 0.0
    force = rows.force
    return median(force[begin:fall]) - min((force[at] + force[at + 1]) / 2 for at in range(fall, hit - 1))


def _leant_g(rows: Rows, since_us: int, reference: Load) -> float:
    """The most that lay on the board for longer than an impact lasts."""
    force = rows.force[rows.since(since_us) :]
    many = max(2, round(_IMPACT_S / rows.row_s))
    return max((min(force[at : at + many]) for at in range(len(force) - many + 1)), default=0.0) - reference.force_g


def _beyond(board: Board, change: Load) -> float:
    x, y = _place(board, change)
    outside = -min(x, y, board.size_mm[0] - x, board.size_mm[1] - y)
    return _within(outside / _BEYOND_MM, 0.0, 3.0)


def _within(value: float, least: float, most: float) -> float:
    return max(least, min(most, value))


def _log(value: float, one: float, least: float, most: float) -> float:
    return _within(math.log(max(value, 1e-9) / one), least, most)


def _place(board: Board, change: Load) -> Point:
    grams = change.force_g or 1e-9
    return (board.size_mm[0] / 2 + change.x_gmm / grams, board.size_mm[1] / 2 + change.y_gmm / grams)


def off(site: Site, impact: ImpactEvidence, piece_g: float) -> float:
    """How hard an impact hit the board where no tower stands."""
    if impact.position_mm is None:
        return 0.0
    return site.off_tower(impact.position_mm) * _log(impact.push_gs / piece_g, _HIT_S / 2, 0.0, 2.0)


def is_shaken(rows: Rows, begin: int, reference: Load, middle_mm: float) -> bool:
    """Whether the force swings to both sides about the middle of a board, as when the table under it is bumped.

    What falls makes the board lighter in one place and hits it in another.
    """
    up, down = _Half(), _Half()
    for force_g, x_gmm, y_gmm in zip(rows.force[begin:], rows.x[begin:], rows.y[begin:], strict=True):
        force = force_g - reference.force_g
        (up if force > 0 else down).add(force, x_gmm - reference.x_gmm, y_gmm - reference.y_gmm)
    outward = max(up.centre_mm(), down.centre_mm()) / middle_mm
    return outward < 1 and min(up.most, down.most) > _EVEN * (1 + outward) * max(up.most, down.most)


class _Half:
    """One side of a swing: how far it went, and where it acted."""

    def __init__(self) -> None:
        self.most = self._ff = self._fx = self._fy = 0.0

    def add(self, force: float, x: float, y: float) -> None:
        self.most = max(self.most, abs(force))
        self._ff += force * force
        self._fx += force * x
        self._fy += force * y

    def centre_mm(self) -> float:
        return math.hypot(self._fx, self._fy) / self._ff if self._ff else math.inf


def middle_mm(board: Board) -> float:
    """How far from its middle a board's own weight may seem to act."""
    return _MIDDLE_PART * math.hypot(*board.size_mm) / 2
