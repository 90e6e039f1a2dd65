"""How much a board looks as if something had fallen on it: signs of a calm look, weighed by a forest of small trees.

Each sign is a plain one: what lies about, what came and went, what no piece explains, how much moved, and what the
scales felt meanwhile. Areas are counted in floor tiles or in smallest pieces, forces in lightest pieces, moments in
those times mm. `companion fit --eye` grows the forest anew.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from companion.sensing.changes import Change
from companion.sensing.falling import Fallen
from companion.sensing.forest import Forest
from companion.sensing.ground import Sights
from companion.sensing.motion import Stirring
from companion.sensing.odds import confidence, odds
from companion.sensing.plan import Point
from companion.sensing.scales.evidence import Load
from companion.sensing.scales.memory import Memory
from companion.sensing.shapes import Kit
from companion.sensing.told import Came, Expected, Told, Went

FOREST_FILE = "looks.json"
UNKNOWN = -999.0
"""What a sign is where nobody can tell it."""
_LONGEST_S = 20.0
_DOUBT = -0.2  # log odds: what was learned speaks no louder against what is plain
_NOT_SAID, _FELT = -2.5, 0.5  # log odds of a fall that cannot be read plainly, and how much those of the scales count
_WEIGHS, _LIES_MM = 0.5, 30.0  # lightest pieces, and those times mm: so little more or less is as it is told
_ABOUT_MM = 8.0  # how exactly it can be seen where a piece stands
_MORE, _UNSEEN = 0.7, 0.0  # lightest pieces more than told; log odds where what the scales feel lies out of sight
_STAYED, _SHIFTED_MM, _DISPLACED = 0.35, 30.0, 0.6  # so little came or went, and lies so far off; log odds of that
_THROWN = 1.0  # log odds where the scales feel a fall and something was thrown beside the board
_AS_TOLD, _AS_BEFORE = -4.0, -1.5  # log odds where all weighs and lies so, as pieces are told or nothing is
_TORN = 0.3  # floor tiles that changed where a tower stands: it was touched


class Signs(NamedTuple):
    """What speaks for a fall since the last calm look, or against it. `UNKNOWN` is what nobody tells."""

    said: float
    """How sure a plain reading of the picture is."""
    stirred_s: float
    """For how long something moved over the board."""
    busiest: float
    """How much moved at once, at the most."""
    inmost: float
    """And of that, what did not reach in from beyond: a hand does."""
    alone: float
    """No hand can have done it: 1."""
    changed: float
    solid: float
    """How much looks otherwise, and by more than a shadow."""
    lying: float
    largest: float
    """Smallest pieces that lie on the bare ground, in all and the largest."""
    beside: float
    """Things beside the board."""
    torn: float
    torn_most: float
    torn_towers: float
    """How much changed where towers stand, where it did most, and at how many."""
    near: float
    cast: float
    """Smallest pieces close to a tower that no piece explains; dark spots there."""
    came: float
    went: float
    floors_came: float
    floors_went: float
    """Pieces that came and went, without those that were only moved."""
    leans: float
    strewn: float
    """Floors that lean, small pieces on their side."""
    loose: float
    rest: float
    rest_solid: float
    """What no piece explains: blobs of it, all of it, and what of it is no shadow."""
    worst: float
    """How surely the least sure piece came or went."""
    muddled: float
    littered: float
    cleared: float
    """Things that lay about since an earlier fall, and those of them that were taken."""
    felt_came: float
    felt_went: float
    felt_fall: float
    unseen: float
    """What the scales told meanwhile: pieces that came and went, a fall they doubt; pieces that nobody sees."""
    chance: float
    """How likely a fall was to the scales, at the most."""
    hardest: float
    hits: float
    """How hard the board was hit, and how often."""
    gained: float
    moved_mm: float
    """What lies there more than before, and how far its centre went."""
    amiss: float
    amiss_mm: float
    """And how far that is from what the pieces weigh that came and went."""
    thrown: float
    """Things beside the board that no hand laid there."""


@dataclass(frozen=True, eq=False)
class Found:
    """All that a calm look found. `floor_px` are the pixels of a floor tile in it, and `glance_px` in a glance.

    `fallen` is what a plain reading makes of it. What is `near` towers is explained by no piece. Pieces that came or
    went since the last calm look, and were told while a hand was about, are in `earlier`.
    """

    kit: Kit
    change: Change
    told: Told
    sights: Sights
    fallen: Fallen | None
    alone: bool
    near: float
    strewn: int
    loose: float
    stirring: Stirring
    floor_px: float
    glance_px: float
    since_us: int
    memory: Memory | None
    expected: Sequence[Expected] = ()
    earlier: Sequence[Came | Went] = ()
    thrown: int = 0
    littered: int = 0
    cleared: int = 0

    def signs(self) -> Signs:
        """The signs of it."""
        change, told, sights = self.change, self.told, self.sights
        solid = change.changed & ~change.shadow
        rest = change.changed & ~told.explained(change)
        pieces = [*self.earlier, *told.but_moved]
        felt = [each for each in self.expected if not each.fall]
        return Signs(
            said=self.fallen.score if self.fallen is not None else 0.0,
            stirred_s=min(_LONGEST_S, self.stirring.seconds),
            busiest=self.stirring.busiest / self.glance_px,
            inmost=self.stirring.inmost / self.glance_px,
            alone=float(self.alone),
            changed=float(change.changed.sum()) / self.floor_px,
            solid=float(solid.sum()) / self.floor_px,
            lying=sum(each.pieces for each in sights.lying),
            largest=max((each.pieces for each in sights.lying), default=0.0),
            beside=float(len(sights.beside)),
            torn=sum(sights.torn),
            torn_most=max(sights.torn, default=0.0),
            torn_towers=float(sum(each >= _TORN for each in sights.torn)),
            near=self.near,
            cast=max((each.pieces for each in sights.cast), default=0.0),
            came=float(sum(isinstance(each, Came) for each in pieces)),
            went=float(sum(isinstance(each, Went) for each in pieces)),
            floors_came=self._floors(pieces, Came),
            floors_went=self._floors(pieces, Went),
            leans=float(len(told.leans)),
            strewn=float(self.strewn),
            loose=self.loose,
            rest=float(rest.sum()) / self.floor_px,
            rest_solid=float((rest & solid).sum()) / self.floor_px,
            worst=min([*(each.score for each in told.came), *(each.score for each in told.went)], default=UNKNOWN),
            muddled=float(told.muddled),
            littered=float(self.littered),
            cleared=float(self.cleared),
            felt_came=float(sum(each.came for each in felt)),
            felt_went=float(sum(not each.came for each in felt)),
            felt_fall=float(len(self.expected) - len(felt)),
            unseen=float(sum(not each.fall for each in told.unseen)),
            **self._felt(),
            thrown=float(self.thrown),
        )

    def _floors(self, pieces: Sequence[Came | Went], way: type[Came | Went]) -> float:
        return float(sum(isinstance(each, way) and self.kit.is_level(each.piece.shape) for each in pieces))

    def _felt(self) -> dict[str, float]:
        """The signs that the scales tell."""
        names = ("chance", "hardest", "hits", "gained", "moved_mm", "amiss", "amiss_mm")
        felt = dict.fromkeys(names, UNKNOWN)
        memory = self.memory
        if memory is None:
            return felt
        if memory.feels:
            hits = memory.hits_since(self.since_us)
            felt["chance"] = memory.likeliest(self.since_us)
            felt["hardest"] = max((each.push_gs for each in hits), default=0.0) / memory.piece_g
            felt["hits"] = float(len(hits))
        gained = gained_meanwhile(memory, self.since_us, self.stirring)
        if gained is None:
            return felt
        felt["gained"] = gained.force_g / memory.piece_g
        weighed = self._weighed(gained.force_g, memory.piece_g)
        left_g = gained.force_g - sum(grams for grams, _ in weighed)
        felt["amiss"] = left_g / memory.piece_g
        if memory.centre_mm is not None:
            x, y = memory.centre_mm
            felt["moved_mm"] = gained.moment_gmm() / memory.piece_g
            left_x = gained.x_gmm - sum(grams * (at[0] - x) for grams, at in weighed)
            left_y = gained.y_gmm - sum(grams * (at[1] - y) for grams, at in weighed)
            felt["amiss_mm"] = math.hypot(left_x, left_y) / memory.piece_g
        return felt

    def _weighed(self, gained_g: float, piece_g: float) -> list[tuple[float, Point]]:
        """What the pieces weigh that came, and those that went the less, and where.

        A single plate, and nothing else, is the one that weighs so, if any does: a roof may look like a floor.
        """
        pieces = [*self.earlier, *self.told.came, *self.told.went]
        if len(pieces) != 1 or not self.kit.is_level(pieces[0].piece.shape):
            return [(_gained_g(each), each.piece.centre) for each in pieces]
        plate = pieces[0]
        sign, plates = 1.0 if isinstance(plate, Came) else -1.0, (self.kit.plate(plate.piece.level), *self.kit.roofs)
        masses = (each.mass_g for each in plates if each.mass_g is not None)
        likely = (sign * grams for grams in masses if abs(gained_g - sign * grams) < _WEIGHS * piece_g)
        return [(next(likely, _gained_g(plate)), plate.piece.centre)]


def gained_meanwhile(memory: Memory, since_us: int, stirring: Stirring) -> Load | None:
    """What came onto a board while something moved over it, less what went; None where that cannot be said."""
    return memory.gained(max(since_us, stirring.began_us or since_us), stirring.last_us)


def _gained_g(each: Came | Went) -> float:
    """What a piece weighs, the less if it went; nothing where nobody knows."""
    grams = each.piece.shape.mass_g or 0.0
    return grams if isinstance(each, Came) else -grams


@dataclass(frozen=True, eq=False)
class Case:
    """What there is to judge: the signs of a calm look at a board, when it was last looked at, and since when calm."""

    signs: Signs
    board: str
    since_us: int
    calm_us: int
    t_us: int


def chance_of_fall(case: Case) -> float:
    """How likely something has fallen."""
    return confidence(plain_odds(case.signs) + max(_DOUBT, forest().odds(np.array(case.signs))))


def plain_odds(signs: Signs) -> float:
    """What can be said without having learned anything, as log odds: what is read plainly, and what the scales feel.

    What falls mostly lies elsewhere than before: where the pieces that came and went account for all the load and for
    its centre, hardly anything else moved.
    """
    plainly = odds(signs.said) if signs.said else _UNSEEN if _is_unseen(signs) else _NOT_SAID
    if _is_displaced(signs):
        plainly = max(plainly, _DISPLACED)
    if signs.thrown and signs.felt_fall:
        plainly = max(plainly, _THROWN)
    felt = _FELT * odds(signs.chance) if signs.chance != UNKNOWN else 0.0
    if signs.said and signs.felt_came and signs.unseen:  # it came, however softly, and stands nowhere
        felt = max(felt, 0.0)
    return plainly + felt + _weighed(signs)


def _is_unseen(signs: Signs) -> bool:
    """Whether something came that the scales take for a fall and that is nowhere to be seen, as behind a tower."""
    return bool(signs.felt_fall) and not signs.came and signs.amiss >= _MORE


def _is_displaced(signs: Signs) -> bool:
    """Whether the scales take for a fall what neither brought nor took a piece, and all the same lies elsewhere now.

    What lies about already may have rolled there.
    """
    if UNKNOWN in (signs.gained, signs.moved_mm) or signs.felt_came or signs.felt_went or signs.littered:
        return False
    return bool(signs.felt_fall) and abs(signs.gained) < _STAYED and signs.moved_mm >= _SHIFTED_MM


def _weighed(signs: Signs) -> float:
    """What the load says of what is told, as log odds; of what left the board, it cannot say how."""
    if (
        signs.thrown
        or UNKNOWN in (signs.amiss, signs.amiss_mm)
        or abs(signs.amiss) >= _WEIGHS
        or signs.amiss_mm >= max(_LIES_MM, _ABOUT_MM * abs(signs.gained))
    ):
        return 0.0
    return _AS_TOLD if signs.came or signs.went else _AS_BEFORE


@cache
def forest() -> Forest:
    """What was learned of falls; Malformed when that was of other signs."""
    data = files(__package__).joinpath(FOREST_FILE).read_bytes()
    return Forest.grown_of(data, Signs._fields, f"{FOREST_FILE} was grown from other signs", "companion fit --eye")
