"""A change of the picture told as pieces: which came, which went, which lie about loose, what nothing explains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.sensing.castle import Castle, Standing
from companion.sensing.changes import Change
from companion.sensing.fitting import Fit, Window, fit
from companion.sensing.glance import Mask
from companion.sensing.plan import Board, Point
from companion.sensing.shapes import Shape

_SURE = 0.75  # a fit's score from which it is believed
_TOUCHED = 0.3  # the share of a piece's face that must have changed to be worth fitting
_GONE = 0.5  # a piece of which this share changed is no longer there
_EXPECTED = 0.25  # what a score gains when the other sense felt such a piece come or go
_EXPECTED_KIND = 0.5  # and a kind, when it felt its weight
_FLOOR_REACH_MM = 9.0
_FLOOR_TURN_DEG = 12.0
_SMALL_TURN_DEG = 44.0
_MOST_PIECES = 6  # looked for in one change
_PIECE_SHARE = 0.35  # of the smallest piece's face: fewer changed pixels are no piece


@dataclass(frozen=True, eq=False)
class Came:
    """A piece that is there now; `like` holds each kind it may be, with its score."""

    piece: Standing
    score: float
    like: dict[str, float]
    mask: Mask


@dataclass(frozen=True, eq=False)
class Went:
    """A piece that stood there and does no more."""

    piece: Standing
    score: float
    mask: Mask


@dataclass(frozen=True, eq=False)
class Loose:
    """Something new on the board's ground that is in no tower."""

    centre: Point
    mask: Mask


@dataclass(frozen=True)
class Expected:
    """What another sense felt meanwhile: a piece that came or went, with its kind and tower where they are known."""

    came: bool
    kind: str | None
    tower: str | None

    def fits(self, came: bool, tower: str) -> bool:
        return self.came == came and self.tower in (None, tower)


@dataclass(eq=False)
class Told:
    """A change told as pieces. `unseen` was expected and not found, `rest` is what nothing explains."""

    came: list[Came] = field(default_factory=list)
    went: list[Went] = field(default_factory=list)
    loose: list[Loose] = field(default_factory=list)
    unseen: list[Expected] = field(default_factory=list)
    rest: Mask = field(default_factory=lambda: np.zeros((0, 0), bool))


class Telling:
    """Tells changes of one board, following its castle as it goes."""

    def __init__(self, board: Board, castle: Castle) -> None:
        self._board = board
        self._castle = castle
        self._kit = castle.kit
        self._expected: list[Expected] = []

    def tell(self, change: Change, window: Window, expected: Iterable[Expected] = ()) -> Told:
        """Explain a change piece by piece, the surest first, and bring the castle up to it."""
        self._expected = list(expected)
        told = Told(rest=change.changed.copy())
        least_px = self._least_px(window)
        while len(told.came) + len(told.went) < _MOST_PIECES and int(told.rest.sum()) >= least_px:
            left = Change(change.by_channel * told.rest[:, :, None], change.noise) if told.came or told.went else change
            found = max(self._candidates(left, window, told.rest), key=lambda each: each.score, default=None)
            if found is None or found.score < _SURE:
                break
            self._take_in(found, told)
        told.loose = list(self._loose(told.rest, window, least_px))
        told.unseen = self._expected
        return told

    def fell(self, change: Change, window: Window) -> list[Went]:
        """After a fall: the pieces that no longer stand, judged each by what was seen of it before."""
        hidden = np.zeros(window.shape, bool)
        gone = []
        for piece in sorted(self._castle, key=lambda each: -each.low_mm):
            mask = window.mask(piece.shape, piece.centre, piece.turn_deg, piece.low_mm)
            seen = mask & ~hidden
            hidden |= mask
            share = float(change.changed[seen].mean()) if seen.any() else 0.0
            if share > _GONE:
                gone.append(Went(piece, share, mask))
        return self._with_what_they_carried(gone)

    def _with_what_they_carried(self, gone: list[Went]) -> list[Went]:
        """Nothing stands on a floor that fell."""
        lowest: dict[str, int] = {}
        for each in gone:
            if each.piece.shape is self._kit.floor:
                lowest[each.piece.tower] = min(each.piece.level, lowest.get(each.piece.tower, each.piece.level))
        known = {id(each.piece) for each in gone}
        gone += [
            Went(piece, _GONE, np.zeros((0, 0), bool))
            for piece in self._castle
            if id(piece) not in known and piece.tower in lowest and piece.level >= lowest[piece.tower]
        ]
        for each in gone:
            self._castle.take(each.piece)
        return gone

    def _take_in(self, found: Came | Went, told: Told) -> None:
        came, tower = isinstance(found, Came), found.piece.tower
        met = [each for each in self._expected if each.fits(came, tower)]
        if met:
            self._expected.remove(min(met, key=lambda each: each.kind != found.piece.shape.kind))
        if isinstance(found, Came):
            self._castle.add(found.piece)
            told.came.append(found)
        else:
            self._castle.take(found.piece)
            told.went.append(found)
        told.rest &= ~_widened(found.mask)

    def _candidates(self, change: Change, window: Window, rest: Mask) -> Iterator[Came | Went]:
        went = list(self._removals(change, window, rest))
        yield from went
        yield from self._floors(change, window, rest)
        for label in _blobs(rest, self._least_px(window)):
            yield from self._smalls(change, window, label)

    def _removals(self, change: Change, window: Window, rest: Mask) -> Iterator[Went]:
        for piece in self._castle:
            if self._carries(piece):
                continue
            mask = window.mask(piece.shape, piece.centre, piece.turn_deg, piece.low_mm)
            if mask.any() and rest[mask].mean() > _TOUCHED:
                found = fit(change, window, piece.shape, piece.centre, piece.low_mm, reach_mm=3.0, turns_deg=4.0)
                yield Went(piece, found.score + 0.1 + self._likelier(False, piece.tower), found.mask)

    def _carries(self, piece: Standing) -> bool:
        """Whether a floor above rests on it, so that it cannot have been taken."""
        return piece.level < self._castle.levels(piece.tower)

    def _floors(self, change: Change, window: Window, rest: Mask) -> Iterator[Came]:
        for tower in self._castle.towers:
            levels, near = self._castle.levels(tower), self._castle.middle(tower)
            for level in (levels + 1, levels + 2):
                plates = (self._kit.floor, *self._kit.roofs) if level > 1 else (self._kit.floor,)
                low_mm = self._kit.floor_low_mm(level)
                mask = window.mask(self._kit.floor, near, 0.0, low_mm)
                if not mask.any() or rest[mask].mean() < _TOUCHED:
                    continue
                fits = [self._fit_plate(change, window, shape, near, low_mm) for shape in plates]
                yield self._came(fits, tower, level, unlikely=0.25 * (level - levels - 1))

    @staticmethod
    def _fit_plate(change: Change, window: Window, shape: Shape, near: Point, low_mm: float) -> Fit:
        return fit(change, window, shape, near, low_mm, reach_mm=_FLOOR_REACH_MM, turns_deg=_FLOOR_TURN_DEG)

    def _smalls(self, change: Change, window: Window, blob: Mask) -> Iterator[Came]:
        """Pillars, rooms, guests on the top floor of a tower under this blob."""
        for tower in self._castle.towers:
            levels = self._castle.levels(tower)
            if levels:
                low_mm = self._kit.surface_mm(levels)
                near = _foot(blob, window, low_mm, self._kit.pillar)
                if self._over(tower, near):
                    fits = [
                        fit(change, window, shape, near, low_mm, reach_mm=9.0, turns_deg=_SMALL_TURN_DEG)
                        for shape in self._kit.small
                    ]
                    if fits:
                        yield self._came(fits, tower, levels)

    def _came(self, fits: list[Fit], tower: str, level: int, unlikely: float = 0.0) -> Came:
        kinds = {each.kind for each in self._expected if each.fits(True, tower)}
        best = max(fits, key=lambda each: each.score + (_EXPECTED_KIND if each.shape.kind in kinds else 0.0))
        on = level - 1 if best.shape in self._kit.roofs else level  # a roof belongs to the floor below it
        piece = Standing(best.shape, tower, on, best.centre, best.turn_deg, best.low_mm)
        like = {each.shape.kind: each.score for each in fits}
        return Came(piece, best.score - unlikely + self._likelier(True, tower), like, best.mask)

    def _likelier(self, came: bool, tower: str) -> float:
        """How much more or less likely it is for what the other sense felt; nothing where it felt nothing."""
        if not self._expected:
            return 0.0
        return _EXPECTED if any(each.fits(came, tower) for each in self._expected) else -_EXPECTED

    def _over(self, tower: str, point: Point) -> bool:
        """Whether a point is over a tower's top floor, or hardly beside it."""
        half = self._kit.floor.wide_mm / 2 + 4.0
        middle = self._castle.middle(tower)
        return abs(point[0] - middle[0]) <= half and abs(point[1] - middle[1]) <= half

    def _loose(self, rest: Mask, window: Window, least_px: int) -> Iterator[Loose]:
        width, depth = self._board.size_mm
        for blob in _blobs(rest, least_px):
            point = _foot(blob, window, 0.0, None)
            on_board = 0 <= point[0] <= width and 0 <= point[1] <= depth
            if on_board and not any(area.holds(*point) for area in self._board.inventory):
                yield Loose(point, blob)

    def _least_px(self, window: Window) -> int:
        """The fewest changed pixels that may be a piece, by the smallest one lying at the far side of the board."""
        shapes = self._kit.small or (self._kit.floor,)
        far = (self._board.size_mm[0] / 2, self._board.size_mm[1])
        return max(8, round(_PIECE_SHARE * min(int(window.mask(shape, far, 0.0, 0.0).sum()) for shape in shapes)))


def _blobs(mask: Mask, least_px: int) -> Iterator[Mask]:
    """Connected parts of a mask, gaps of a pixel closed, the largest first."""
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    areas = stats[1:, cv2.CC_STAT_AREA]
    for index in np.argsort(-areas)[:_MOST_PIECES]:
        if areas[index] >= least_px:
            yield np.asarray(labels == index + 1)


def _foot(blob: Mask, window: Window, low_mm: float, shape: Shape | None) -> Point:
    """Where a blob stands if its foot is at a height: the middle of its lowest rows, half a piece's width in."""
    rows, columns = np.nonzero(blob)
    low = rows >= np.quantile(rows, 0.9)
    pixel = (float(columns[low].mean()) + window.left, float(rows.max()) + window.top)
    x, y = window.view.on_plane([pixel], low_mm)[0]
    inward = shape.wide_mm / 2 if shape else 0.0
    away = np.array([x, y]) - window.view.eye_mm[:2]
    away /= np.linalg.norm(away)
    return (float(x + away[0] * inward), float(y + away[1] * inward))


def _widened(mask: Mask) -> Mask:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((7, 7), np.uint8)).astype(bool))
