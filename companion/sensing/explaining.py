"""A change of the picture told as pieces: which came, which went, which lie about loose, what nothing explains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np

from companion.sensing.castle import Castle, Standing
from companion.sensing.changes import Change, filled, widened
from companion.sensing.fitting import Fit, Window, around, fit, turns_of
from companion.sensing.glance import Mask
from companion.sensing.leaning import touches_board
from companion.sensing.plan import Board, Point
from companion.sensing.shapes import Shape
from companion.sensing.stored import Stored, stored
from companion.sensing.strewn import lies, lies_rather
from companion.sensing.told import WIDENED_PX, Came, Expected, Leans, Loose, Told, Went
from companion.sensing.views import Floats

__all__ = ["SURE", "Came", "Expected", "Loose", "Telling", "Told", "Went"]

SURE = 0.75
"""A fit's score from which it is believed."""
_TOUCHED = 0.3  # the share of a piece's face that must have changed to be worth fitting
_SEEN = 0.6  # the share of a piece that must be in view to be judged
_EXPECTED = 0.25  # what a score gains when the other sense felt such a piece come or go
_EXPECTED_BESIDE = 0.1  # and when it felt one, if at another tower
_EXPECTED_KIND = 0.5  # and a kind, when it felt its weight
_APPEARS = 0.6  # how much it tells that an outline shows now and did not before
_EXPLAINS = 2.0  # how much sooner a piece is told for explaining all that changed
_KNOWN = 0.1  # what a piece that is known to stand there is ahead of one that is not
_SEEN_BETWEEN = 0.25  # the share that must be in view of what stands between two plates
_USUAL = 0.15  # what a floor is ahead of other plates, and a pillar of other small pieces
_HIGHER = 0.25  # what a floor loses for each level that would have to be under it and was not seen
_UNBASED = 0.25  # and a small piece for standing where no base tile was seen
_FLOOR_REACH_MM = 9.0
_BRIDGE_REACH_MM = 15.0
_TURNS_DEG = (-12.0, -8.0, -4.0, 0.0, 4.0, 8.0, 12.0)
_PLACE_MM = 4.0  # between places on a plate where small pieces are looked for
_INWARD_MM, _INWARD = 3.0, 0.35  # how far from a plate's edge a small piece stands at the least, also in its widths
_EVEN_MM = 4.0  # tops that a bridge can lie on are this even
_OUTLINED = 0.06  # how much more of an outline shows of what came at the least, or less of what went
_SOLID = 0.33  # and how much that is together with the share of its face that changed by more than a shadow
_PLAINLY = 0.6  # the share from which a piece that is known to stand there need not show otherwise that it went
_WHOLE_FACE, _REPRINTED = 0.85, 0.3  # the share of a plate's face, and how much less of an outline it may show then
_FELT_PART = 0.5  # of both, where the other sense felt one, and of plates
_FACE = 0.55  # the share of its face that must have changed of a small piece that came
_FACE_GONE = 0.7  # and of one that went though nobody had seen it come
_BLENDS_IN, _PLATE_BLENDS_IN = -0.04, -0.08  # in logarithms: what stands out less while it is there is no piece
_MOST_OF_IT = 0.4  # of what changed there by more than a shadow: a small piece that came is so much of it
_BEFORE_A_TOWER = 0.5  # the share of a thing that is seen before a tower from which it may be the tower itself
_MOST_PIECES = 6  # looked for in one change
_PIECE_SHARE = 0.35  # of the smallest piece's face: fewer changed pixels are no piece


class Telling:
    """Tells changes of one board, following its castle as it goes."""

    def __init__(self, board: Board, castle: Castle) -> None:
        self._board = board
        self._castle = castle
        self._kit = castle.kit
        self._expected: list[Expected] = []
        self._smallest: tuple[Window, int] | None = None

    def tell(
        self,
        change: Change,
        window: Window,
        expected: Iterable[Expected] = (),
        unfelt: float = SURE,
        while_built: bool = False,
    ) -> Told:
        """Explain a change piece by piece, the surest first, and bring the castle up to it.

        A piece that is not expected must have a score of `unfelt` at the least. `while_built` only pieces that came to
        stand are told, and nothing more once anything else is.
        """
        self._expected = list(expected)
        told = Told(rest=change.changed.copy())
        least_px = self.least_px(window)
        while told.many < _MOST_PIECES and int(told.rest.sum()) >= least_px:
            left = change.only(told.rest) if told.many else change
            sure = [each for each in self._candidates(left, window, told) if each.score >= self._least(each, unfelt)]
            if not sure:
                break
            found = max(sure, key=lambda each: each.score + _EXPLAINS * each.explained)
            if self._lies(left, window, found):
                told.strewn.append(found.mask)
                told.rest &= ~widened(found.mask, WIDENED_PX) & ~change.shadow
            else:
                self._take_in(found, told, change.shadow, window, self._leans(left, window, found))
            if while_built and not told.only_built:
                return told
        told.loose = list(self._loose(told.rest, window, least_px))
        told.unseen = self._expected
        return told

    def _least(self, each: Came | Went, unfelt: float) -> float:
        """The score from which a piece is believed."""
        return SURE if self._felt(isinstance(each, Came), each.piece.shape.kind) else unfelt

    def _felt(self, came: bool, kind: str) -> list[Expected]:
        """What was felt that may have been such a piece, or one that is easily taken for it."""
        return [each for each in self._expected if each.came == came and self._kit.akin(each.kinds, (kind,))]

    def strewn(self, change: Change, window: Window, told: Told) -> list[Mask]:
        """Where small pieces lie on the ground, also those among what no piece explains."""
        fits = (lies(change, window, self._castle, self._board, each.mask) for each in told.loose)
        return [*told.strewn, *(each.mask for each in fits if each is not None)]

    def stored(self, change: Change, window: Window, told: Told) -> list[Stored]:
        """The pieces that came to be in the inventory, among what no other piece explains."""
        if not self._board.inventory:
            return []
        blobs = _blobs(told.rest & change.changed, self.least_px(window))
        return stored(change, window, self._board, self._kit, blobs)

    def _lies(self, change: Change, window: Window, found: Came | Went) -> bool:
        """Whether a small piece that came lies on the ground and stands on no plate."""
        if not isinstance(found, Came) or found.piece.onto is not None or self._kit.is_level(found.piece.shape):
            return False
        return lies_rather(change, window, self._castle, self._board, found)

    def _leans(self, change: Change, window: Window, found: Came | Went) -> bool:
        """Whether a plate that came slipped from its tower."""
        plates = self._castle.plates(found.piece.tower)
        if not plates or not isinstance(found, Came) or not self._kit.is_level(found.piece.shape):
            return False
        if self._castle.cannot_carry(found.piece):
            return True
        return touches_board(change, window, found.piece, below=plates[-1], lowest=plates[0])

    def _take_in(self, found: Came | Went, told: Told, shadow: Mask, window: Window, leans: bool) -> None:
        """One more piece is told. It has a shadow, which is no piece."""
        came, piece = isinstance(found, Came), found.piece
        kind, met = piece.shape.kind, self._felt(came, piece.shape.kind)
        best = min(met, key=lambda each: (not each.fits(came, piece.tower), not each.may_be(came, kind)), default=None)
        if best is not None:
            self._expected.remove(best)
        if leans:
            felt_us = best.t_us if best is not None else None
            told.leans.append(Leans(found.mask, felt_us))
        elif isinstance(found, Came):
            found = replace(found, piece=self._castle.grounded(piece))
            self._castle.add(found.piece)
            told.came.append(found)
        else:
            if piece in self._castle:
                self._castle.take(piece)
            found = replace(found, mask=found.mask | (told.rest & self._uncovered(piece, window)))
            told.went.append(found)
        told.rest &= ~widened(found.mask, WIDENED_PX) & ~shadow

    def _uncovered(self, piece: Standing, window: Window) -> Mask:
        """What a piece that went may have hidden, down to the plate below it; other plates may be wider than it."""
        if not self._kit.is_level(piece.shape):
            return np.zeros(window.shape, bool)
        plates, low_mm = (piece.shape, *self._kit.roofs), self._castle.surface_mm(piece.tower)
        corners = [
            plate.corners(piece.centre, piece.turn_deg, each) for plate in plates for each in (low_mm, piece.low_mm)
        ]
        return filled(window.project(np.vstack(corners)), window.shape)

    def _candidates(self, change: Change, window: Window, told: Told) -> Iterator[Came | Went]:
        """All pieces that may have come or gone; with one that came, nobody takes another that was never seen."""
        rest = told.rest
        yield from self._removals(change, window, rest)
        for tower in self._castle.towers:
            yield from self._plates(change, window, rest, tower)
            fits = self._smalls(change, window, rest, tower)
            based = self._castle.levels(tower) > 0
            yield from self._came(change, fits, tower, max(1, self._castle.levels(tower)), 0.0 if based else _UNBASED)
            if not told.came and based:
                yield from self._went_unknown(change, fits, tower, self._castle.levels(tower))
                yield from self._pulled(change, window, rest, tower)
        yield from self._bridges(change, window, rest)

    def _removals(self, change: Change, window: Window, rest: Mask) -> Iterator[Went]:
        for piece in self._castle:
            if self._carries(piece):
                continue
            mask = window.mask(piece.shape, piece.centre, piece.turn_deg, piece.low_mm)
            if _share(rest, mask & change.known) > _TOUCHED and _share(change.known, mask) >= _SEEN:
                turns = [piece.turn_deg + turn for turn in (-4.0, 0.0, 4.0)]
                found = fit(change, window, piece.shape, around(piece.centre, 3.0), turns, piece.low_mm)
                plainly = _solid(change, found) >= _PLAINLY and not self._blends_in(False, found)
                if not plainly and not self._shows(False, change, found):
                    continue
                likelier = self._likelier(False, piece.tower, piece.shape.kind)
                score = found.score + _KNOWN - _APPEARS * found.appears + likelier
                yield Went(piece, score, found.mask, found.explained)

    def _carries(self, piece: Standing) -> bool:
        """Whether a plate above rests on it, so that it cannot have been taken."""
        towers = (piece.tower, piece.onto) if piece.onto else (piece.tower,)
        return any(piece.level < self._castle.levels(tower) for tower in towers)

    def _plates(self, change: Change, window: Window, rest: Mask, tower: str) -> Iterator[Came]:
        levels, near = self._castle.levels(tower), self._castle.middle(tower)
        anew = (1,) if self._castle.may_be_printed(tower) else ()
        for level in (levels + 1, levels + 2, *anew):
            shapes = (self._kit.plate(level), *(self._kit.roofs if level > 1 else ()))
            low_mm = self._castle.plate_low_mm(tower, level) if level > levels else 0.0
            mask = window.mask(shapes[0], near, 0.0, low_mm)
            if _share(rest, mask & change.known) < _TOUCHED or _share(change.known, mask) < _SEEN:
                continue
            turns = [self._castle.turn_deg(tower) + turn for turn in _TURNS_DEG]
            places = around(near, _FLOOR_REACH_MM)
            fits = [fit(change, window, shape, places, turns, low_mm) for shape in shapes]
            yield from self._came(change, fits, tower, level, unlikely=_HIGHER * abs(level - levels - 1))

    def _smalls(self, change: Change, window: Window, rest: Mask, tower: str) -> list[Fit]:
        """Pillars, rooms, guests on the top plate of a tower, each where it fits best.

        What stands upright where no plate is known stands on a base tile that looks like the board.
        """
        plates = self._castle.plates(tower)
        plate, fits = plates[-1] if plates else self._castle.base(tower), []
        if not self._stirred_over(plate, window, rest):
            return []
        for shape in self._kit.small if plates else self._kit.upright:
            places = self._free_places(plate, shape)
            if len(places):
                fits.append(fit(change, window, shape, places, turns_of(shape, plate.turn_deg), plate.high_mm))
        return [each for each in fits if each.known >= _SEEN and each.inside >= _FACE]

    def _pulled(self, change: Change, window: Window, rest: Mask, tower: str) -> Iterator[Went]:
        """Pillars, rooms and guests from between a tower's plates, as far as those above leave them to be seen."""
        plates = self._castle.plates(tower)
        for plate in plates[:-1]:
            hidden = np.zeros(window.shape, bool)
            for above in plates[plate.level :]:
                hidden |= window.mask(above.shape, above.centre, above.turn_deg, above.low_mm)
            if self._stirred_over(plate, window, rest & ~hidden):
                left = change.behind(hidden)
                places = around(plate.centre, plate.shape.wide_mm / 2, _PLACE_MM)
                fits = [
                    fit(left, window, shape, places, turns_of(shape, plate.turn_deg), plate.high_mm)
                    for shape in self._kit.small
                    if not shape.is_flat
                ]
                fits = [each for each in fits if each.known >= _SEEN_BETWEEN]
                yield from self._went_unknown(left, fits, tower, plate.level)

    def _went_unknown(self, change: Change, fits: list[Fit], tower: str, level: int) -> Iterator[Went]:
        """A piece that went though nobody had seen it come."""
        fits = [each for each in fits if each.inside >= _FACE_GONE and self._shows(False, change, each)]
        if not fits:
            return
        kinds = {kind for each in self._expected if each.fits(False, tower) for kind in each.kinds}
        best = max(
            fits,
            key=lambda each: (
                each.score
                + each.explained
                + self._usual(each.shape)
                - _APPEARS * each.appears
                + (_EXPECTED_KIND if each.shape.kind in kinds else 0.0)
            ),
        )
        piece = Standing(best.shape, tower, level, best.centre, best.turn_deg, best.low_mm)
        score = best.score - _APPEARS * best.appears + self._likelier(False, tower, best.shape.kind)
        yield Went(piece, score, best.mask, best.explained)

    def _stirred_over(self, plate: Standing, window: Window, rest: Mask) -> bool:
        """Whether anything changed where small pieces on a plate would be seen."""
        ground = plate.shape.corners(plate.centre, plate.turn_deg, plate.high_mm)[:4]
        tall_mm = max((shape.tall_mm for shape in self._kit.small), default=0.0)
        room = filled(window.project(np.vstack([ground, ground + np.array((0.0, 0.0, tall_mm))])), window.shape)
        return int((rest & room).sum()) >= self.least_px(window)

    def _free_places(self, plate: Standing, shape: Shape) -> Floats:
        """Places (n, 2) on a plate where no other piece stands in the way."""
        half = plate.shape.wide_mm / 2 - max(_INWARD_MM, _INWARD * shape.narrow_mm)
        places = around(plate.centre, half, _PLACE_MM)
        for piece in self._castle.of(plate.tower):
            if piece.low_mm >= plate.high_mm and not piece.shape.is_flat and not shape.is_flat:
                apart = 0.35 * (piece.shape.narrow_mm + shape.narrow_mm)
                places = places[np.hypot(*(places - piece.centre).T) > apart]
        return places

    def _bridges(self, change: Change, window: Window, rest: Mask) -> Iterator[Came]:
        """What lies across from one tower's top to another's."""
        for one, other in combinations(self._castle.towers, 2) if self._kit.bridges else ():
            if not self._castle.levels(one) or not self._castle.levels(other):
                continue
            surfaces = [self._castle.surface_mm(tower) for tower in (one, other)]
            (ax, ay), (bx, by) = self._castle.middle(one), self._castle.middle(other)
            far_mm = float(np.hypot(bx - ax, by - ay))
            spans = [shape for shape in self._kit.bridges if far_mm - self._kit.floor.wide_mm < shape.wide_mm]
            middle, turn = ((ax + bx) / 2, (ay + by) / 2), float(np.degrees(np.arctan2(by - ay, bx - ax)))
            if abs(surfaces[0] - surfaces[1]) > _EVEN_MM or not spans:
                continue
            mask = window.mask(spans[0], middle, turn, max(surfaces))
            if _share(rest, mask & change.known) < _TOUCHED or _share(change.known, mask) < _SEEN:
                continue
            places = around(middle, _BRIDGE_REACH_MM)
            fits = [
                fit(change, window, shape, places, [turn + each for each in _TURNS_DEG], max(surfaces))
                for shape in spans
            ]
            yield from self._came(
                change, fits, one, min(self._castle.levels(one), self._castle.levels(other)), onto=other
            )

    def _came(
        self, change: Change, fits: list[Fit], tower: str, level: int, unlikely: float = 0.0, onto: str | None = None
    ) -> Iterator[Came]:
        """The piece that came there, the likeliest kind of those that show now and did not before."""
        fits = [each for each in fits if self._shows(True, change, each) and self._is_most(change, each)]
        if not fits:
            return
        kinds = {kind for each in self._expected if each.fits(True, tower) for kind in each.kinds}
        like = {
            each.shape.kind: each.score + each.explained + self._usual(each.shape) + _APPEARS * each.appears
            for each in fits
        }
        best = max(fits, key=lambda each: like[each.shape.kind] + (_EXPECTED_KIND if each.shape.kind in kinds else 0.0))
        small = not self._kit.is_level(best.shape) and onto is None
        on_plate = small and not best.shape.is_flat and self._castle.levels(tower) > 0
        low_mm = self._castle.foot_mm(tower, best.centre) if on_plate else best.low_mm
        piece = Standing(best.shape, tower, level, best.centre, best.turn_deg, low_mm, onto)
        score = best.score + _APPEARS * best.appears - unlikely + self._likelier(True, tower, best.shape.kind)
        yield Came(piece, score, like, best.mask, best.explained)

    def _shows(self, came: bool, change: Change, found: Fit) -> bool:
        """Whether a piece may have come or gone by how its outline differs, and no shadow only came over it or left.

        Less is enough where such a piece was felt, and of a plate: others lie below it, or its place is printed there,
        so that one whose whole face is another need not show by its outline.
        """
        plate = self._kit.is_level(found.shape)
        part = _FELT_PART if plate or self._felt(came, found.shape.kind) else 1.0
        differs, solid = found.appears if came else -found.appears, _solid(change, found)
        reprinted = plate and came and solid >= _WHOLE_FACE and differs > -_REPRINTED
        shows = reprinted or (differs > part * _OUTLINED and solid + differs > part * _SOLID)
        return shows and not self._blends_in(came, found)

    def _blends_in(self, came: bool, found: Fit) -> bool:
        """Whether a piece would stand out less from what is around it while it is there than while it is not."""
        stands_out = found.stands_out if came else -found.stands_out
        return stands_out < (_PLATE_BLENDS_IN if self._kit.is_level(found.shape) else _BLENDS_IN)

    def _is_most(self, change: Change, found: Fit) -> bool:
        """Whether a small piece that was not felt is a good part of what changed just there, and not beside it only."""
        if self._kit.is_level(found.shape) or self._felt(True, found.shape.kind):
            return True
        solid = change.changed & ~change.shadow
        _, labels = cv2.connectedComponents(solid.view(np.uint8), connectivity=8)
        touched = np.isin(labels, np.unique(labels[found.mask & solid]))
        return _share(widened(found.mask, WIDENED_PX), touched & solid) >= _MOST_OF_IT

    def _usual(self, shape: Shape) -> float:
        return _USUAL if shape in (self._kit.floor, self._kit.base, self._kit.pillar) else 0.0

    def _likelier(self, came: bool, tower: str, kind: str) -> float:
        """How much more or less likely it is for what the other sense felt; nothing where it felt nothing."""
        if not self._expected:
            return 0.0
        felt = [each for each in self._expected if each.may_be(came, kind)]
        if any(each.fits(came, tower) for each in felt):
            return _EXPECTED
        return _EXPECTED_BESIDE if felt else -_EXPECTED

    def _loose(self, rest: Mask, window: Window, least_px: int) -> Iterator[Loose]:
        width, depth = self._board.size_mm
        towers = self._towers(window)
        for blob in _blobs(rest, least_px):
            point = _foot(blob, window)
            on_board = 0 <= point[0] <= width and 0 <= point[1] <= depth
            if on_board and not any(area.holds(*point) for area in self._board.inventory):
                yield Loose(point, blob, lies=_share(towers, blob) < _BEFORE_A_TOWER)

    def _towers(self, window: Window) -> Mask:
        """Where the towers are that stand, from their base tiles to their top plates."""
        where = np.zeros(window.shape, bool)
        for tower in self._castle.towers:
            ends = self._castle.plates(tower)[:1] + self._castle.plates(tower)[-1:]
            corners = [each.shape.corners(each.centre, each.turn_deg, each.low_mm) for each in ends]
            if corners:
                where |= filled(window.project(np.vstack(corners)), window.shape)
        return where

    def least_px(self, window: Window) -> int:
        """The fewest changed pixels that may be a piece, by the smallest one lying at the far side of the board."""
        if self._smallest is None or self._smallest[0] is not window:
            shapes = self._kit.small or (self._kit.floor,)
            far = (self._board.size_mm[0] / 2, self._board.size_mm[1])
            smallest_px = min(int(window.mask(shape, far, 0.0, 0.0).sum()) for shape in shapes)
            self._smallest = (window, max(8, round(_PIECE_SHARE * smallest_px)))
        return self._smallest[1]


def _share(mask: Mask, of: Mask) -> float:
    """How much of one mask is in another."""
    return float(mask[of].mean()) if of.any() else 0.0


def _solid(change: Change, found: Fit) -> float:
    """The share of a piece's face that changed by more than a shadow."""
    where = found.mask & change.known
    return float((change.changed[where] & ~change.shadow[where]).mean()) if where.any() else 0.0


def _blobs(mask: Mask, least_px: int) -> Iterator[Mask]:
    """Connected parts of a mask, gaps of a pixel closed, the largest first."""
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    areas = stats[1:, cv2.CC_STAT_AREA]
    for index in np.argsort(-areas)[:_MOST_PIECES]:
        if areas[index] >= least_px:
            yield np.asarray(labels == index + 1)


def _foot(blob: Mask, window: Window) -> Point:
    """Where a blob lies if it lies on the board: the middle of its lowest rows."""
    rows, columns = np.nonzero(blob)
    low = rows >= np.quantile(rows, 0.9)
    x, y = window.view.on_plane([(float(columns[low].mean()) + window.left, float(rows.max()) + window.top)])[0]
    return (float(x), float(y))
