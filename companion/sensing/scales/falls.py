"""How much a board's forces look like a castle piece that fell onto it: a few signs, weighed and added up.

Each sign is a plain physical one, near 0 where it says nothing and about 1 where it speaks clearly. Masses are counted
in lightest pieces and impulses as the time for which the lightest piece would have had to fall freely.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from companion.sensing.plan import Board, Point
from companion.sensing.scales.evidence import ImpactEvidence, Load
from companion.sensing.scales.pieces import Masses
from companion.sensing.scales.quiet import Rows
from companion.sensing.scales.site import Site

RECENT_US = 1_500_000
BEFORE_US = 100_000
_HAND_PIECES = 10.0
_HIT_S = 0.06
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
    dip: float
    """How much lighter the board was just before."""
    off: float
    """How hard something hit the board where no tower stands."""
    same: float
    """The total is what it was."""
    shift: float
    """How far the centre moved while the total is what it was."""
    up: float
    """The board is heavier."""
    up_off: float
    """What makes it heavier lies where no tower stands."""
    down: float
    """The board is lighter."""
    down_odd: float
    """What is missing is no single piece of a tower."""
    hand: float
    """How heavy a hand leant on the board just before."""


class Weights(msgspec.Struct, frozen=True):
    """What each sign adds to the log odds of a fall, and the log odds without any.

    Fitted by logistic regression to force-only recordings of the twin with seeds 1 to 4, rounded.
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
        push=0.5,
        hits=1.5,
        dip=0.2,
        off=0.6,
        same=-0.6,
        shift=1.4,
        up=-0.6,
        up_off=1.3,
        down=1.2,
        down_odd=1.2,
        hand=-0.5,
    ),
    bias=-2.9,
)
"""While things still move."""
AT_REST = Weights(
    Signs(
        push=0.4,
        hits=1.4,
        dip=0.2,
        off=0.5,
        same=-0.1,
        shift=1.6,
        up=-0.7,
        up_off=1.8,
        down=0.7,
        down_odd=0.5,
        hand=-0.5,
    ),
    bias=-2.8,
)
"""Once the load has settled."""


def signs(
    site: Site,
    masses: Masses,
    piece_g: float,
    rows: Rows,
    reference: Load,
    impacts: Sequence[ImpactEvidence],
    change: Load,
    sigma_g: float,
    shaken: float,
) -> Signs:
    """The signs of a fall with the newest row; `change` is what the load is now beside the reference.

    `shaken` is 1 where the whole board was: its impacts then say nothing.
    """
    newest_us = impacts[-1].t_us if impacts else rows.t_us[-1]
    recent = [impact for impact in impacts if newest_us - impact.t_us < RECENT_US]
    pushes = [impact.push_gs / piece_g * (1 - shaken) for impact in recent]
    grams = change.force_g / piece_g
    same = abs(grams) < _SAME_PART
    place = _place(site.board, change)
    beside = max((off(site, impact, piece_g) for impact in recent), default=0.0) * (1 - shaken)
    begin = rows.since((recent[0].t_us if recent else newest_us) - BEFORE_US)
    return Signs(
        push=_log(max(pushes, default=0.0), _HIT_S, -1.5, 2.0),
        hits=math.log1p(sum(push > _HIT_S for push in pushes)),
        dip=_within(max((impact.dip_g / piece_g for impact in recent), default=0.0), 0.0, 3.0) * (1 - shaken),
        off=beside,
        same=float(same),
        shift=_log(change.moment_gmm() / piece_g, _SHIFT_MM, -1.0, 2.5) if same else 0.0,
        up=float(grams >= _SAME_PART),
        up_off=site.off_tower(place) if grams >= _SAME_PART else 0.0,
        down=float(grams <= -_SAME_PART),
        down_odd=_odd(site, masses, change, sigma_g, place) if grams <= -_SAME_PART else 0.0,
        hand=_log(max(rows.force[begin:]) - reference.force_g, _HAND_PIECES * piece_g, 0.0, 3.0),
    )


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


def _odd(site: Site, masses: Masses, change: Load, sigma_g: float, place: Point) -> float:
    if masses.named(-change.force_g, sigma_g) is None:
        return 1.0
    return site.off_tower(place)


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
