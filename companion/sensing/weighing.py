"""How many levels towers have by what rests on their board: a level weighs several times what scales can be wrong by.

What a tower of so many levels weighs is known about: its floors, some pillars for each, and a few things more. With
three cells and more the moments tell the towers apart. It is weighed together with what a picture says of each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from companion.sensing.castle import Castle
from companion.sensing.plan import Board, Point
from companion.sensing.scales.evidence import Load
from companion.sensing.shapes import Kit
from companion.sensing.views import Floats

_LIKELIEST, _MOST_CASES = 4, 300  # numbers of levels that a tower may have, and castles that are compared
_PILLARS, _PILLARS_SD = 4.0, 1.0  # that carry a floor
_MORE, _MORE_SD = 0.3, 0.8  # small pieces on each level beside them
_TOP, _TOP_SD = 1.2, 2.0  # pillars' worth that stands on a tower's top
_SEEN_SD = 1.5  # and how far that is off which the picture shows
_MASS_SD, _PLACE_MM, _LOOSE_MM = 0.04, 3.0, 20.0  # of a floor's mass; how far floors, and small pieces, are off
_STORED_G, _STORED_SD_G = 3.0, 8.0  # what lies in an inventory
_BARE_SD_G = 0.5  # what may stand where no tower does
_ZERO_SD_G, _ZERO_LEVER_MM, _GAIN_SD = 0.8, 50.0, 0.01  # how far a scale's zero and gain are off, and at which lever
_FARTHEST = 4.5  # standard deviations: what rests there is no such castle, or the scale was never set to zero


class _Part(NamedTuple):
    """A part of a load: how much it weighs, at the least and about, and where it lies."""

    at_mm: Point
    least_g: float
    mean_g: float
    sd_g: float
    off_mm: float
    loose_gmm: float


def weighed(
    beliefs: Mapping[str, Floats], seen: Castle, board: Board, load: Load, centre_mm: Point | None
) -> dict[str, Floats] | None:
    """How likely each tower has 0, 1, 2 ... levels, by a picture's `beliefs` (logarithms) and by the load.

    What a picture rules out has the logarithm of nothing. If a tower has as many levels as in the castle that was
    `seen`, the same stands on its top, about. Without a `centre_mm` there are no moments. None where no castle would
    weigh so, or too many have to be compared.
    """
    grams, likely = _Grams.of(seen.kit), [_likeliest(belief) for belief in beliefs.values()]
    if grams is None or not likely or math.prod(map(len, likely)) > _MOST_CASES:
        return None
    parts = {
        tower: {count: grams.tower(seen, tower, count) for count in counts}
        for tower, counts in zip(beliefs, likely, strict=True)
    }
    stored = list(_stored(board))
    shares = {tower: np.full(len(belief), -np.inf) for tower, belief in beliefs.items()}
    nearest = math.inf
    for levels in product(*likely):
        castle = dict(zip(beliefs, levels, strict=True))
        far, chance = _fits([*(parts[tower][count] for tower, count in castle.items()), *stored], load, centre_mm)
        chance += sum(float(beliefs[tower][count]) for tower, count in castle.items())
        nearest = min(nearest, far)
        for tower, count in castle.items():
            shares[tower][count] = np.logaddexp(shares[tower][count], chance)
    if not nearest <= _FARTHEST:
        return None
    return {tower: np.exp(share - np.logaddexp.reduce(share)) for tower, share in shares.items()}


def _likeliest(belief: Floats) -> list[int]:
    """The numbers of levels that a tower may well have."""
    possible = np.flatnonzero(np.isfinite(belief))
    return sorted(possible[np.argsort(-belief[possible])[:_LIKELIEST]].tolist())


class _Grams(NamedTuple):
    """What pieces weigh."""

    base: float
    floor: float
    pillar: float
    small: float

    @classmethod
    def of(cls, kit: Kit) -> _Grams | None:
        pillar = kit.pillar.mass_g if kit.pillar is not None else None
        others = [shape.mass_g for shape in kit.small if shape.mass_g is not None and shape is not kit.pillar]
        if kit.base.mass_g is None or kit.floor.mass_g is None or pillar is None:
            return None
        return cls(kit.base.mass_g, kit.floor.mass_g, pillar, float(np.mean(others)) if others else pillar)

    def tower(self, seen: Castle, tower: str, levels: int) -> _Part:
        """A tower of so many levels."""
        at_mm = seen.towers[tower]
        if not levels:
            return _Part(at_mm, 0.0, 0.0, _BARE_SD_G, 0.0, 0.0)
        top, top_sd = _TOP * self.pillar, _TOP_SD * self.pillar
        if levels == seen.levels(tower):
            on_top = [
                each.shape.mass_g
                for each in seen.of(tower)
                if not seen.kit.is_level(each.shape) and each.level == levels
            ]
            top, top_sd = sum(mass or self.pillar for mass in on_top), _SEEN_SD * self.pillar
        above = levels - 1
        floors = self.base + above * self.floor
        small = above * (_PILLARS * self.pillar + _MORE * self.small) + top
        spread = above * ((_PILLARS_SD * self.pillar) ** 2 + (_MORE_SD * self.small) ** 2)
        spread += top_sd**2 + (_MASS_SD * floors) ** 2
        loose = _LOOSE_MM * top_sd * math.sqrt(levels)
        return _Part(at_mm, (1 - 2 * _MASS_SD) * floors, floors + small, math.sqrt(spread), _PLACE_MM, loose)


def _stored(board: Board) -> Iterator[_Part]:
    for area in board.inventory:
        (left, near), (right, far) = area.min_mm, area.max_mm
        reach = max(right - left, far - near) / 4
        yield _Part(((left + right) / 2, (near + far) / 2), 0.0, _STORED_G, _STORED_SD_G, 0.0, reach * _STORED_SD_G)


def _fits(parts: Sequence[_Part], load: Load, centre_mm: Point | None) -> tuple[float, float]:
    """How far a load is from what these weigh together, in standard deviations, and how likely it is (a logarithm)."""
    if load.force_g + 3 * _ZERO_SD_G < sum(part.least_g for part in parts):
        return math.inf, -math.inf
    found = np.array([load.force_g, load.x_gmm, load.y_gmm])
    zero = _ZERO_SD_G * np.array([1.0, _ZERO_LEVER_MM, _ZERO_LEVER_MM])
    spread = np.diag(zero**2 + (_GAIN_SD * found) ** 2)
    middle = centre_mm or (0.0, 0.0)
    for part in parts:
        lever = np.array([1.0, part.at_mm[0] - middle[0], part.at_mm[1] - middle[1]])
        found = found - part.mean_g * lever
        spread += part.sd_g**2 * np.outer(lever, lever)
        off_gmm = (part.mean_g * part.off_mm) ** 2 + part.loose_gmm**2
        spread += np.diag([0.0, off_gmm, off_gmm])
    if centre_mm is None:
        found, spread = found[:1], spread[:1, :1]
    far = float(found @ np.linalg.solve(spread, found))
    return math.sqrt(far), -0.5 * (far + float(np.linalg.slogdet(spread)[1]))
