"""The ground of a board: how it looks with nothing lying on it, and what has come to lie there since.

A castle piece on the ground beside the foundations has fallen, whoever let go of it. Only ground is looked at that no
tower hides and that lies outside the inventory areas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from companion.sensing.changes import Change, filled, laid_over, widened
from companion.sensing.fitting import Window
from companion.sensing.glance import Mask, Small
from companion.sensing.markers import marker_corners
from companion.sensing.plan import STORED_MM, Board, Point
from companion.sensing.shapes import Figure, Kit
from companion.sensing.things import darker, levels, thickness, things, unshaded
from companion.sensing.views import Floats

_EDGE_MM = 2.0  # the rim of a board is not looked at
_BESIDE_MM = 5.0  # around what stands, which may be read a little off
_CLOSE_MM = 2.0  # and as exactly as it is known
_NEXT_MM = 9.0  # around the next piece that may come onto a tower, as it is not set down exactly
_PIECE_SHARE = 0.5  # of the smallest piece's face: fewer changed pixels are no piece
_BRIDGE_MM = 10.0  # how far above and below the towers' tops it may be
_MARKER_PX = 1  # around a marker
_HIDES_BLACK = 0.3  # the share of its black that what lies on a marker changes where it lies
_MARGIN = 0.25  # how far around it the paper is white on which it is printed, in its sizes
_ON_MARKER, _SPILLS = 0.7, 0.2  # a shift or glare changes more of a marker than this, and less of what is around it
_FEWEST_PX = 8
_ENOUGH_PX = 28  # of the smallest piece tell it from nothing
_AMONG_LITTER = 1.0  # smallest pieces: what comes to lie where others lie already must be more than this
_BESIDE_LEVELS = 20.0  # grey levels: what came to lie beside the board changes the picture by so much
_LARGEST = 1.6  # floor tiles: what is larger is no piece
_THICK = 0.4  # the share of a thing's pixels that are not at its border; a tower that was shifted shows thin edges
_CAST_PIECES = 2.0  # smallest pieces: what a dark spot must be as large as
_TORN, _SOLID = 0.3, 0.25  # floor tiles that a torn tower changed by, and the share of it that no shadow explains
_NO_FLOOR = 0.5  # floor tiles: what is smaller is none that was laid


@dataclass(frozen=True)
class Column:
    """The room that a tower fills: where its top plate lies or would lie, how that is turned, and how high it is.

    Its lowest plate lies at its `foot`.
    """

    middle: Point
    turn_deg: float
    top_mm: float
    foot: tuple[Point, float] | None = None


@dataclass(frozen=True, eq=False)
class Miniature(Window):
    """A window so many times smaller: as small as the smallest piece can be told in."""

    times: int

    @classmethod
    def of(cls, window: Window, board: Board, kit: Kit) -> Miniature:
        """The smallest one that still shows each piece of the kit at the far side of a board."""
        times = max(1, int(np.sqrt(_smallest_px(window, board, kit) / _ENOUGH_PX)))
        return cls(window.view, window.left, window.top, window.width, window.height, times)

    @property
    def shape(self) -> tuple[int, int]:
        return (self.height // self.times, self.width // self.times)

    def project(self, points_mm: Floats) -> Floats:
        """Pixels of the miniature."""
        return np.asarray((super().project(points_mm) + 0.5) / self.times - 0.5)

    def shrunk(self, picture: Small) -> Small:
        """A picture of the window made small."""
        return np.asarray(cv2.resize(picture, self.shape[::-1], interpolation=cv2.INTER_AREA))

    def shrunk_mask(self, mask: Mask) -> Mask:
        """A mask of the window made small."""
        return np.asarray(cv2.resize(mask.view(np.uint8), self.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)

    def enlarged(self, mask: Mask) -> Mask:
        """A mask of the miniature on the window."""
        size = (self.width, self.height)
        return np.asarray(cv2.resize(mask.view(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0)


def _smallest_px(window: Window, board: Board, kit: Kit) -> int:
    """How many pixels the smallest piece has at the far side of a board; how wide a figure is, nobody knows."""
    far = (board.size_mm[0] / 2, board.size_mm[1])
    small = tuple(each for each in kit.small if not isinstance(each, Figure)) or (kit.floor,)
    return max(1, min(int(window.mask(each, far, 0.0, 0.0).sum()) for each in small))


def is_covered(marker: Mask, changed: Mask, bare: Small) -> bool:
    """Whether something lies on a marker: it is thick, leaves a part in sight or lies beside it, too, and hides black.

    A shadow, or a shift of less than its squares, changes hardly any of the black.
    """
    on_it, around = changed & marker, widened(marker, _MARKER_PX) & ~marker
    part = float(on_it.sum()) <= _ON_MARKER * float(marker.sum())
    spills = float((changed & around).sum()) >= _SPILLS * float(around.sum())
    if thickness(on_it) < _THICK or not (part or spills):
        return False
    rows, columns = np.nonzero(on_it)
    bright = bare.mean(axis=2)
    black = marker & (bright < (bright[marker].min() + bright[marker].max()) / 2)
    black &= filled(np.column_stack([columns, rows]), marker.shape)
    return float((black & changed).sum()) >= _HIDES_BLACK * float(black.sum())


@dataclass(frozen=True, eq=False)
class Lying:
    """Something that came to lie there: its pixels in the miniature, and how many of the smallest piece it may be."""

    mask: Mask
    pieces: float


@dataclass(frozen=True, eq=False)
class Sights:
    """What a look at a board shows beside the last calm one.

    `lying` came to lie on the bare ground, `beside` on the table beside the board or over its edge. `torn` is how much
    changed where each tower stands, in floor tiles. What is `near` came so close to a tower or onto the place of one
    that it may belong there. `where_torn` are the changed pixels of each tower. What is `cast` is a dark spot beside a
    torn tower: a shadow, if any piece came to throw it.
    """

    lying: list[Lying]
    beside: list[Lying]
    torn: list[float]
    near: tuple[Lying, ...] = ()
    where_torn: Sequence[Mask] = ()
    cast: tuple[Lying, ...] = ()


NOTHING = Sights([], [], [])


class Ground:
    """The ground of one board. Pictures and masks are those of its miniature."""

    def __init__(self, board: Board, kit: Kit, window: Miniature) -> None:
        self._kit, self._window = kit, window
        width, depth = board.size_mm
        self._board = self._area((_EDGE_MM, _EDGE_MM), (width - _EDGE_MM, depth - _EDGE_MM))
        self._plain = self._board.copy()
        self._rim = self._board & widened(~self._board, 1)
        for area in board.inventory:
            (left, near), (right, far) = area.min_mm, area.max_mm
            least, most = (left - STORED_MM, near - STORED_MM), (right + STORED_MM, far + STORED_MM)
            self._plain &= ~self._area(least, most, kit.pitch_mm)
        corners = (marker_corners(marker) for marker in board.markers)
        self._markers = [widened(filled(window.project(each), window.shape), _MARKER_PX) for each in corners]
        margins = [widened(each, round(_MARGIN * float(np.sqrt(each.sum())))) for each in self._markers]
        paper = np.logical_or.reduce([np.zeros(window.shape, bool), *margins])
        self._grounds = (self._board & ~paper, ~self._board)
        self._piece_px = _smallest_px(window, board, kit)
        self._floor_px = int(window.mask(kit.floor, (width / 2, depth / 2), 0.0, 0.0).sum())
        self._last_standing: tuple[tuple[Column, ...], list[Mask], Mask] | None = None
        self._bare: Small | None = None
        self._gain: Small = np.zeros(3, np.float32)
        self._was_seen: Mask = np.zeros(window.shape, bool)
        self._litter: Mask = np.zeros(window.shape, bool)
        self._found: Mask = np.zeros(window.shape, bool)
        self._doubtful: Mask = np.zeros(window.shape, bool)
        self._last_change: tuple[Small, Mask] | None = None

    def look(self, picture: Small, known: Mask, columns: Sequence[Column], calm: bool) -> Sights:
        """What is new where the board is known, since nothing hides it. A calm picture is the next one's measure."""
        towers, covered = self._standing(tuple(columns))
        free = known & self._plain & ~covered
        if self._bare is None:
            self._bare, self._was_seen = picture.copy(), free
            return NOTHING
        change = Change.between(self._bare, picture, known)
        shimmering = self._shimmering(change, self._bare, calm)
        where = (free & self._was_seen & ~shimmering) | (~self._board & ~covered)
        lying, beside = self._things(change, self._bare, where, covered)
        self._found, before = self._all(lying), self._litter
        stands = np.logical_or.reduce([np.zeros_like(known), *(self._close(each) for each in columns)])
        plain = known & self._plain & ~stands & ~shimmering
        near = tuple(self._near(change, self._bare, plain, stands)) if calm else ()
        cast = tuple(self._cast(change, self._bare, plain & ~before, columns)) if calm else ()
        self._litter = (self._found if calm else self._found & before) | (before & ~known)
        taken_in = known & ~self._litter & ~self._found
        if not calm:  # what a hand leaves half in sight is not taken for the ground
            taken_in &= ~widened(change.changed, 1)
        self._gain = change.gain
        if calm:
            self._last_change = (self._bare, change.changed & self._plain & ~stands)
        self.take_in(picture, taken_in)
        self._was_seen |= free
        pieces, others = (
            [each for each in some if not self._may_be_a_hand(each.mask, calm)]
            for some in (self._more(lying, before, known), beside)
        )
        torn = [change.changed & tower for tower in towers]
        if pieces and not calm:
            arms = self._arms(change.changed)
            pieces = [each for each in pieces if not (each.mask & arms).any()]
        return Sights(pieces, others, self.floors(torn), near, torn, cast)

    def within(self, sights: Sights, changed: Mask) -> Sights:
        """What of it is where something changed."""
        torn = [each & changed for each in sights.where_torn]
        lying, beside, near, cast = (
            [each for each in some if int(changed[each.mask].sum()) >= _PIECE_SHARE * max(1, int(each.mask.sum()))]
            for some in (sights.lying, sights.beside, sights.near, sights.cast)
        )
        return Sights(lying, beside, self.floors(torn), tuple(near), torn, tuple(cast))

    def _shimmering(self, change: Change, bare: Small, calm: bool) -> Mask:
        """The markers that the least shift, glare or shadow may have changed, and of the others what is in sight.

        While hands are about, all of them.
        """
        where = np.zeros(self._window.shape, bool)
        for marker in self._markers:
            hidden = calm and is_covered(marker, change.changed, bare)
            where |= marker & ~change.changed if hidden else marker
        return where

    def _arms(self, changed: Mask) -> Mask:
        """The connected parts of a change that are larger than a floor beyond the board."""
        count, labels = cv2.connectedComponents(changed.view(np.uint8), connectivity=8)
        beyond = np.bincount(labels[changed & ~self._board], minlength=count) > self._floor_px
        return np.asarray(beyond[labels] & changed)

    @property
    def floor_px(self) -> int:
        """The pixels of a floor tile in the miniature."""
        return max(1, self._floor_px)

    def floors(self, torn: Iterable[Mask]) -> list[float]:
        """How large each mask is, in floor tiles."""
        return [float(each.sum()) / self.floor_px for each in torn]

    def _may_be_a_hand(self, spot: Mask, calm: bool) -> bool:
        """Whether a thing comes from beyond the picture's edge or, while hands are about, over that of the board.

        What rests beside the board and comes from nowhere was thrown there, unless it is over the board, too, and
        larger than a floor beside it: then it is an arm.
        """
        if calm and not (spot & self._board).any():
            return False
        if int((spot & ~self._board).sum()) > self._floor_px:
            return True
        beyond = bool(spot[0].any() or spot[-1].any() or spot[:, 0].any() or spot[:, -1].any())
        return beyond or (not calm and bool((widened(spot, 1) & self._rim).any()))

    def _near(self, change: Change, bare: Small, where: Mask, stands: Mask) -> Iterator[Lying]:
        """Small things that came to lie where a tower stands close by, or where one would stand."""
        for spot in things(change, bare, where, stands, self._least_px):
            small = spot.sum() < _NO_FLOOR * self._floor_px
            if small and thickness(spot) >= _THICK and not (spot & self._found).any():
                yield self.lying(spot & ~self._litter)

    def _cast(self, change: Change, bare: Small, where: Mask, columns: Sequence[Column]) -> Iterator[Lying]:
        """Dark spots that came beside towers which are torn by more than a shadow."""
        towers = (each & change.changed for each in self.towers(columns))
        torn = [each for each in towers if each.sum() >= _TORN * self._floor_px]
        solid = [each for each in torn if unshaded(change, bare, each) >= _SOLID * each.sum()]
        if solid:
            spots = darker(change, bare, where, np.logical_or.reduce(solid), round(_CAST_PIECES * self._piece_px))
            yield from (self.lying(spot) for spot in spots)

    def take_in(self, picture: Small, where: Mask) -> None:
        """What this picture shows there is as it should be, in the light of the last look."""
        if self._bare is not None:
            self._bare = laid_over(self._bare, picture - self._gain, where)

    def fell(self) -> None:
        """What changed at the last calm look fell: it lies on the ground, which is as it was before."""
        self._doubtful = np.zeros_like(self._doubtful)
        if self._bare is not None and self._last_change is not None:
            before, changed = self._last_change
            self._bare = laid_over(self._bare, before, changed)
            self._litter |= changed

    def begin_anew(self, picture: Small) -> None:
        """All is as this picture shows it, in its light."""
        self._bare, self._gain, self._last_change = picture.copy(), np.zeros(3, np.float32), None

    def told(self, near: Iterable[Lying] = (), glimpsed: bool = False) -> None:
        """What lies there was told, and some of what is near: it is not new any more, unless it was only `glimpsed`."""
        lies = self._found | self._all(near)
        self._doubtful = (self._doubtful | (lies & ~self._litter)) if glimpsed else np.zeros_like(lies)
        self._litter |= lies

    def disbelieve(self) -> None:
        """Nobody believed what was told at a glimpse: it is new to the next look."""
        self._litter &= ~self._doubtful
        self._doubtful = np.zeros_like(self._doubtful)

    def _more(self, found: list[Lying], before: Mask, known: Mask) -> list[Lying]:
        """What lies there and did not; nothing when litter was only moved about."""
        parts = [self.lying(each.mask & ~before) for each in found]
        least = _AMONG_LITTER if before.any() else _PIECE_SHARE
        more = int(self._found.sum()) - int((before & known).sum())
        return [part for part in parts if part.pieces >= least] if more >= least * self._piece_px else []

    @property
    def _least_px(self) -> int:
        return max(_FEWEST_PX, round(_PIECE_SHARE * self._piece_px))

    def lying(self, spot: Mask) -> Lying:
        """Something that lies there."""
        return Lying(spot, float(spot.sum()) / self._piece_px)

    def _things(self, change: Change, bare: Small, where: Mask, towers: Mask) -> tuple[list[Lying], list[Lying]]:
        """The pieces that came onto the ground, and those beside the board or over its edge for the greater part."""
        lying, beside = [], []
        for spot in things(change, bare, where, towers, self._least_px, self._grounds):
            if 2 * int((spot & self._board).sum()) > int(spot.sum()):
                lying.append(self.lying(spot))
            elif spot.sum() < _LARGEST * self._floor_px and levels(change, bare, spot) >= _BESIDE_LEVELS:
                beside.append(self.lying(spot))
        return lying, beside

    def _all(self, found: Iterable[Lying]) -> Mask:
        union = np.zeros(self._window.shape, bool)
        for each in found:
            union |= each.mask
        return widened(union, 1)

    def covered(self, columns: Sequence[Column]) -> Mask:
        """The pixels of all towers, and of what may lie across."""
        return self._standing(tuple(columns))[1]

    def towers(self, columns: Sequence[Column]) -> list[Mask]:
        """The pixels of each tower, and of the next piece that may come onto it."""
        return self._standing(tuple(columns))[0]

    def _standing(self, columns: tuple[Column, ...]) -> tuple[list[Mask], Mask]:
        """The pixels of each tower, and of them all with what may lie across."""
        if self._last_standing is None or self._last_standing[0] != columns:
            towers = [self._tower(column) for column in columns]
            nowhere = np.zeros(self._window.shape, bool)
            covered = np.logical_or.reduce([nowhere, *towers, *self._bridges(columns)])
            self._last_standing = (columns, towers, covered)
        return self._last_standing[1:]

    def _tower(self, column: Column) -> Mask:
        """The pixels that a tower covers, or may cover with the next piece."""
        return self._block(column, _BESIDE_MM, 0.0, column.top_mm) | self._next(column)

    def _next(self, column: Column) -> Mask:
        """The pixels that the next piece of a tower may cover."""
        thick_mm = max(shape.tall_mm for shape in (self._kit.floor, self._kit.base, *self._kit.roofs))
        next_mm = self._kit.pitch_mm - self._kit.floor.tall_mm + thick_mm if column.top_mm > 0 else thick_mm
        return self._block(column, _NEXT_MM, column.top_mm, column.top_mm + next_mm)

    def on_top(self, columns: Sequence[Column]) -> Mask:
        """The pixels in which the next pieces of towers that stand may be seen."""
        nowhere = np.zeros(self._window.shape, bool)
        tops = (self._next(each) for each in columns if each.top_mm > 0)
        return np.asarray(np.logical_or.reduce([nowhere, *tops]))

    def _close(self, column: Column) -> Mask:
        """The pixels of what stands of a tower, as exactly as it is known."""
        if column.foot is None:
            return np.zeros(self._window.shape, bool)
        (foot, turn_deg), low_mm = column.foot, self._kit.base.tall_mm
        rings = [
            self._ring(Column(foot, turn_deg, low_mm), _CLOSE_MM, 0.0, low_mm),
            self._ring(column, _CLOSE_MM, low_mm, column.top_mm),
        ]
        return filled(self._window.project(np.vstack(rings)), self._window.shape)

    def _bridges(self, columns: Sequence[Column]) -> Iterator[Mask]:
        """The pixels that a piece may cover which lies from one tower to another, where there are such pieces."""
        longest = max((each.wide_mm for each in self._kit.shapes.values()), default=0.0)
        for one, other in combinations([column for column in columns if column.top_mm > 0], 2):
            gap_mm = float(np.hypot(*np.subtract(one.middle, other.middle))) - self._kit.floor.wide_mm
            low_mm, high_mm = sorted((one.top_mm, other.top_mm))
            if longest > gap_mm and high_mm - low_mm < self._kit.pitch_mm / 2:
                rings = [self._ring(each, 0.0, low_mm - _BRIDGE_MM, high_mm + _BRIDGE_MM) for each in (one, other)]
                yield filled(self._window.project(np.vstack(rings)), self._window.shape)

    def _block(self, column: Column, beside_mm: float, low_mm: float, high_mm: float) -> Mask:
        return filled(self._window.project(self._ring(column, beside_mm, low_mm, high_mm)), self._window.shape)

    def _ring(self, column: Column, beside_mm: float, low_mm: float, high_mm: float) -> Floats:
        """The corners of a tower from one height to another, and so much more around it."""
        half, turn = self._kit.widest_mm / 2 + beside_mm, np.radians(column.turn_deg)
        square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        corners = square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + column.middle
        return np.array([(x, y, z) for x, y in corners for z in (low_mm, high_mm)])

    def _area(self, least: Point, most: Point, high_mm: float = 0.0) -> Mask:
        """The pixels of a rectangle of the board, and of what stands on it."""
        corners = [(x, y, z) for x in (least[0], most[0]) for y in (least[1], most[1]) for z in (0.0, high_mm)]
        return filled(self._window.project(np.array(corners)), self._window.shape)
