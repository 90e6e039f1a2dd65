"""What a change of the picture is told as: pieces that came and went, what lies loose, what was not found."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from companion.sensing.castle import Standing
from companion.sensing.changes import Change, widened
from companion.sensing.glance import Mask
from companion.sensing.plan import Point
from companion.sensing.shapes import BASE

WIDENED_PX = 3
"""How far around a piece it still shows."""
_SHADOW_PX = 60  # how far beside a piece its shadow is looked for
_MOST_BY_HAND = 2  # pieces that a hand moves between two looks, if it both puts and takes
_TOUCH_MM = 3.0  # a plate that went from so little above a piece lay on it


@dataclass(frozen=True, eq=False)
class Came:
    """A piece that is there now; `like` holds each kind it may be, with its score."""

    piece: Standing
    score: float
    like: dict[str, float]
    mask: Mask
    explained: float


@dataclass(frozen=True, eq=False)
class Went:
    """A piece that stood there and does no more."""

    piece: Standing
    score: float
    mask: Mask
    explained: float


@dataclass(frozen=True, eq=False)
class Leans:
    """A plate that leans, down to the board; `felt_us` is when another sense felt it come, where it did."""

    mask: Mask
    felt_us: int | None


@dataclass(frozen=True, eq=False)
class Loose:
    """Something new that is no piece of a tower.

    `lies` when it is on the board's ground, as far as it is to be seen: else it is before or on a tower that stands.
    """

    centre: Point
    mask: Mask
    lies: bool


@dataclass(frozen=True)
class Expected:
    """What another sense felt: a piece that came or went, the kinds it may be, its tower where known, and when.

    It may as well be a `fall`: something then came to lie somewhere.
    """

    came: bool
    kinds: tuple[str, ...]
    tower: str | None
    t_us: int = 0
    fall: bool = False

    def fits(self, came: bool, tower: str | None) -> bool:
        return self.came == came and self.tower in (None, tower)

    @property
    def is_base(self) -> bool:
        """Whether it can only have been a base tile."""
        return bool(self.kinds) and all(BASE in kind for kind in self.kinds)

    def may_be(self, came: bool, kind: str) -> bool:
        """Whether it may have been a piece of this kind."""
        return self.came == came and (not self.kinds or kind in self.kinds)


@dataclass(eq=False)
class Told:
    """A change told as pieces. `unseen` was expected and not found, `rest` is what nothing explains.

    `strewn` is where small pieces lie on the ground.
    """

    came: list[Came] = field(default_factory=list)
    went: list[Went] = field(default_factory=list)
    leans: list[Leans] = field(default_factory=list)
    strewn: list[Mask] = field(default_factory=list)
    loose: list[Loose] = field(default_factory=list)
    unseen: list[Expected] = field(default_factory=list)
    rest: Mask = field(default_factory=lambda: np.zeros((0, 0), bool))

    @property
    def many(self) -> int:
        """How many pieces are told."""
        return len(self.came) + len(self.went) + len(self.leans) + len(self.strewn)

    @property
    def only_built(self) -> bool:
        """Whether pieces came to stand, and nothing else happened that can be told."""
        return bool(self.came) and not self.went and not self.leans and not self.strewn

    @property
    def only_based(self) -> bool:
        """Whether nothing went and what came weighs like base tiles and nothing else: these have fallen nowhere."""
        felt = [each for each in self.unseen if each.came]
        return bool(felt) and not self.lost and all(each.is_base for each in felt)

    @property
    def but_moved(self) -> list[Came | Went]:
        """The pieces that came or went; one that stood elsewhere on the same plate before was only moved.

        And one that is seen where a plate went from above it was only uncovered.
        """
        came, went = [each for each in self.came if not self._is_uncovered(each.piece)], []
        for each in self.went:
            moved = next((other for other in came if other.piece.is_like(each.piece)), None)
            if moved is None:
                went.append(each)
            else:
                came.remove(moved)
        return [*came, *went]

    def _is_uncovered(self, piece: Standing) -> bool:
        """Whether a piece stands just below where a higher one went from the same tower."""
        return any(
            other.piece.tower == piece.tower
            and other.piece.level == piece.level + 1
            and other.piece.low_mm >= piece.high_mm - _TOUCH_MM
            for other in self.went
        )

    @property
    def lost(self) -> int:
        """How many pieces went and did not only move."""
        return sum(isinstance(each, Went) for each in self.but_moved)

    @property
    def muddled(self) -> bool:
        """Whether more pieces came and went at once than a hand puts and takes."""
        came = sum(isinstance(each, Came) for each in self.but_moved)
        return came > 0 and self.lost > 0 and came + self.lost > _MOST_BY_HAND

    @property
    def _masks(self) -> list[Mask]:
        pieces: list[Came | Went | Leans] = [*self.came, *self.went, *self.leans]
        return [each.mask for each in pieces]

    def covered(self, shape: tuple[int, ...]) -> Mask:
        """Where the pieces are that came and went, and a little around them."""
        where = np.zeros(shape, bool)
        for mask in self._masks:
            where |= widened(mask, WIDENED_PX)
        return where

    def explained(self, change: Change) -> Mask:
        """Where the pieces are that came and went, a little around them, and where their shadows are close by."""
        where = self.covered(change.known.shape)
        for mask in self._masks:
            reach_px = int(np.clip(2 * np.sqrt(mask.sum()), 2 * WIDENED_PX, _SHADOW_PX))
            where |= widened(mask, reach_px) & change.shadow & change.changed
        return where
