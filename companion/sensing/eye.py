"""The camera's part: frames in, what the eye sees of each board out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.sensing.airspace import Airspace, Quiet
from companion.sensing.castle import Castle
from companion.sensing.changes import Change, filled
from companion.sensing.explaining import Came, Expected, Telling, Told, Went
from companion.sensing.falling import Fallen, FallWatch
from companion.sensing.glance import Mask, Small, glance, shrink_factor
from companion.sensing.glimpses import STILL_US, Glimpses, Look, Stillness, Times, air_over
from companion.sensing.markers import marker_corners
from companion.sensing.motion import Motion, Stir
from companion.sensing.plan import Board, Camera, Plan
from companion.sensing.scenes import Scene
from companion.sensing.shapes import Kit
from companion.sensing.streams import Frame
from companion.sensing.towers import read_top, read_towers
from companion.sensing.views import View, box_corners
from companion.sensing.whereabouts import Whereabouts

_LEAST_LEVELS = 6  # how high the air over a board is watched at the least
_READ_SURE = 0.95  # how sure a single picture must be of a tower to overrule what was followed
_SAY_SURE = 0.5  # and to say how high it is, when nothing else is known
_MOST_READS = 4  # how often towers that were not well seen are read again
_MARKER_CHANGED = 0.15  # of a marker's pixels: it is not where it was
_SAME_VIEW_PX = 1.0  # views that differ no more show the same


@dataclass(frozen=True, eq=False)
class Seen:
    """A piece that came or went, as the eye saw it."""

    came: bool
    board: str
    tower: str
    level: int
    like: dict[str, float]
    t_us: int
    decided_us: int
    score: float


@dataclass(frozen=True, eq=False)
class Height:
    """How high a tower stands."""

    board: str
    tower: str
    levels: int
    top_mm: float
    t_us: int
    decided_us: int


@dataclass(frozen=True, eq=False)
class Trouble:
    """Something about the picture itself."""

    what: str
    t_us: int


@dataclass(frozen=True, eq=False)
class Looked:
    """The board was looked at while nothing moved: what was expected since the last look and `unseen` is not there."""

    board: str
    t_us: int
    unseen: tuple[Expected, ...]


Sight = Seen | Fallen | Height | Trouble | Looked


class Eye:
    """Follows all boards of a table through its camera's frames."""

    def __init__(self, plan: Plan, camera: Camera) -> None:
        self._whereabouts = Whereabouts(plan, camera)
        kit = Kit(plan)
        self._boards = [BoardEye(board, kit) for board in plan.boards]
        self._motion = Motion()
        self._stillness = Stillness()

    def feed(self, frame: Frame) -> list[Sight]:
        """What is decided with this frame."""
        now = glance(frame.image)
        stir = self._motion.feed(frame.t_us, now)
        self._stillness.feed(stir)
        self._find_boards(frame)
        sights: list[Sight] = [Trouble(what, frame.t_us) for what in self._whereabouts.troubles()]
        for board in self._boards:
            sights += board.feed(frame, now, stir, self._stillness.moved_us)
        return sights

    @property
    def peaks_us(self) -> list[int]:
        """When motion over any board was at its greatest, where the last frame shows that it is over."""
        return [board.peak_us for board in self._boards if board.peak_us is not None]

    def board(self, board: str) -> BoardEye:
        """The eye on one board."""
        return next(each for each in self._boards if each.board.id == board)

    def _find_boards(self, frame: Frame) -> None:
        if self._whereabouts.feed(frame, any(board.doubted for board in self._boards)):
            for board in self._boards:
                board.look_through(self._whereabouts.views.get(board.board.id), frame.image.shape)
        if not self._whereabouts.doubtful:
            for board in self._boards:
                board.believe()


class BoardEye:
    """Follows one board from one look to the next."""

    def __init__(self, board: Board, kit: Kit) -> None:
        self.board = board
        self.castle = Castle(board, kit)
        self.view: View | None = None
        self._kit = kit
        self._telling = Telling(board, self.castle)
        self._air: Airspace | None = None
        self._falls: FallWatch | None = None
        self._glimpses: Glimpses | None = None
        self._scene: Scene | None = None
        self._sure: dict[str, float] = {}
        self._reads = 0
        self._said: dict[str, tuple[int, float]] = {}
        self._expected: list[Expected] = []
        self._doubt: Look | None = None
        self._believed: Look | None = None

    def look_through(self, view: View | None, frame_shape: tuple[int, ...]) -> None:
        """See the board so from now on; a view that differs hardly changes nothing, another begins a new scene."""
        if view is None or view is self.view:
            return
        if self.view is not None and self._hardly_differs(view, self.view):
            return
        self.view, self._scene, self._doubt, self._believed = view, None, None, None
        self._air = Airspace(self.board, view, frame_shape, self._height_mm())
        self._falls = FallWatch(self.board, self.castle, self._air)
        self._glimpses = Glimpses(self._air.window, air_over(self.board, view, frame_shape, self._height_mm()))

    def _hardly_differs(self, view: View, other: View) -> bool:
        corners = box_corners(self.board, self._height_mm())
        return float(np.abs(view.project(corners) - other.project(corners)).max()) < _SAME_VIEW_PX

    @property
    def busy(self) -> bool:
        return self._air is not None and self._air.busy

    @property
    def peak_us(self) -> int | None:
        """When motion over this board was at its greatest, if the last frame shows that it is over."""
        return self._air.peak_us if self._air is not None else None

    def stirred_since(self, t_us: int) -> bool:
        """Whether anything moved over this board since then."""
        return self._air is not None and self._air.stirred_us is not None and self._air.stirred_us >= t_us

    @property
    def doubted(self) -> bool:
        """Whether the board may no longer be where it was: the markers should be looked at."""
        return self._doubt is not None

    def believe(self) -> None:
        """The markers were looked at: the board is where it was."""
        self._believed, self._doubt = self._doubt, None

    def expect(self, expected: Expected) -> None:
        """Another sense felt this; look for it from now on."""
        self._expected.append(expected)

    def feed(self, frame: Frame, now: Small, stir: Stir, moved_us: Times) -> list[Sight]:
        """What is decided with this frame about this board."""
        if self._air is None or self._glimpses is None or self._falls is None:
            return []
        quiet = self._air.feed(frame, now, stir)
        glimpse = self._glimpses.feed(frame, now, moved_us)
        look = (_whole(quiet, frame, moved_us) if quiet else glimpse) or self._believed
        if look is None or self.doubted:
            return []
        self._glimpses.looked(look)
        if self._scene is not None:
            return self._compare(self._air, self._falls, self._scene, look, moved_us)
        if not look.whole:
            return []
        self._scene = Scene(look, air_over(self.board, look.window.view, frame.image.shape, self._height_mm()))
        self._read(look, list(self.castle.towers))
        self._falls.look(look, look.on_window(look.still))
        self._falls.looked(look)
        return list(self._heights(look))

    def _read(self, look: Look, towers: list[str]) -> None:
        """Towers as this picture alone shows them; what was followed is kept unless they are surely otherwise."""
        for tower, read in read_towers(look.picture, look.window, self.castle).items():
            if tower not in towers:
                continue
            before = self._sure.get(tower)
            unsure = before is not None and before < _READ_SURE and read.confidence > before
            other = read.levels != self.castle.levels(tower) and (read.confidence >= _READ_SURE or unsure)
            if before is None or other:
                self.castle.rebuild(tower, read.pieces)
            if before is None or other or unsure:
                self._sure[tower] = read.confidence

    def _read_again(self, look: Look) -> None:
        """Towers that were not well seen so far, a few times."""
        unsure = [tower for tower, sure in self._sure.items() if sure < _READ_SURE]
        if unsure and self._reads < _MOST_READS:
            self._reads += 1
            self._read(look, unsure)

    def _compare(self, air: Airspace, falls: FallWatch, scene: Scene, look: Look, moved_us: Times) -> list[Sight]:
        if not scene.is_same_light(look):
            if look.whole:
                scene.begin_anew(look)
            return []
        if not scene.look(look, moved_us) and not look.whole:
            return []
        change = scene.change(look)
        if look is not self._believed and self._seems_moved(look, change):
            self._doubt = look
            return []
        self._believed = None
        fallen = falls.look(look, change.known)
        if fallen is None and look.whole and falls.suspicious:
            reads = read_towers(look.picture, look.window, self.castle)
            fallen = falls.lost(look, {tower: read.levels for tower, read in reads.items()})
        sights: list[Sight] = [fallen] if fallen else []
        if look.whole and (scene.all_seen or falls.down):
            sights += self._look_at_all(air, falls, scene, look, change)
            falls.looked(look)
            return sights
        if falls.down or falls.doubtful:  # what became of the towers is told once all is seen
            scene.take_in(look, change, change.changed)
            return sights
        return self._look_at_part(air, falls, scene, look, change)

    def _seems_moved(self, look: Look, change: Change) -> bool:
        """Whether all markers that are seen are not as they were: a nudged board or camera, rather than pieces."""
        shares = []
        for marker in self.board.markers:
            mask = filled(look.window.project(marker_corners(marker)), look.window.shape)
            if mask.any() and change.known[mask].all():
                shares.append(float(change.changed[mask].mean()))
        return bool(shares) and min(shares) > _MARKER_CHANGED

    def _look_at_all(self, air: Airspace, falls: FallWatch, scene: Scene, look: Look, change: Change) -> list[Sight]:
        """Nothing is in the way: what is different now is so for good."""
        expected, self._expected = self._expected, []
        scene.take_in(look, change, change.changed)
        if falls.down:
            self._telling.fell(change, look.window)
            self._read(look, list(self.castle.towers))
            return [Looked(self.board.id, look.t_us, tuple(expected)), *self._heights(look)]
        if not change.changed.any():
            return [Looked(self.board.id, look.t_us, tuple(expected)), *self._heights(look)]
        told = self._telling.tell(change, look.window, expected)
        looked = Looked(self.board.id, look.t_us, tuple(told.unseen))
        fallen = falls.went(look, len(told.went) - len(told.came))
        if fallen is not None:
            self._read(look, list(self.castle.towers))
            return [fallen, looked, *self._heights(look)]
        return [*self._pieces(air, look, told), looked, *self._heights(look)]

    def _look_at_part(self, air: Airspace, falls: FallWatch, scene: Scene, look: Look, change: Change) -> list[Sight]:
        """A hand is about: only what is plain already is taken for what it is, all else waits."""
        stood = list(self.castle)
        told = self._telling.tell(change.in_full_view(), look.window, self._expected)
        plain = (told.came and not told.went) or (len(told.went) == 1 and not told.came and not told.loose)
        if not plain:
            self.castle.restore(stood)
            scene.take_in(look, change, change.changed)
            return []
        self._expected = list(told.unseen)
        explained = told.explained(change)
        scene.take_in(look, change, change.changed & ~explained)
        scene.forget(explained)
        falls.explained(look, explained & change.known)
        return [*self._pieces(air, look, told), *self._heights(look)]

    def _pieces(self, air: Airspace, look: Look, told: Told) -> list[Sight]:
        changes: list[Came | Went] = [*told.came, *told.went]
        for tower in {each.piece.tower for each in told.went if self._kit.is_level(each.piece.shape)}:
            for piece in read_top(look.picture, look.window, self.castle, tower):
                self.castle.add(piece)
        return [self._seen(air, look, each) for each in changes]

    def _seen(self, air: Airspace, look: Look, each: Came | Went) -> Seen:
        like = each.like if isinstance(each, Came) else {each.piece.shape.kind: each.score}
        t_us = air.since_us(each.mask, look.glance)
        piece = each.piece
        return Seen(
            isinstance(each, Came),
            self.board.id,
            piece.tower,
            piece.level,
            like,
            t_us,
            look.t_us,
            min(1.0, each.score),
        )

    def _heights(self, look: Look) -> Iterator[Height]:
        for tower in self.castle.towers:
            reading = (self.castle.levels(tower), round(self.castle.top_mm(tower), 1))
            if self._said.get(tower) != reading and self._sure.get(tower, 0.0) >= _SAY_SURE:
                self._said[tower] = reading
                yield Height(self.board.id, tower, *reading, look.since_us, look.t_us)

    def _height_mm(self) -> float:
        top = max((self.castle.top_mm(tower) for tower in self.castle.towers), default=0.0)
        return max(_LEAST_LEVELS * self._kit.pitch_mm, top + 2 * self._kit.pitch_mm)


def _whole(quiet: Quiet, frame: Frame, moved_us: Times) -> Look:
    still: Mask = frame.t_us - moved_us >= STILL_US
    factor = shrink_factor(frame.image.shape[1])
    return Look(quiet.since_us, quiet.t_us, quiet.window, quiet.picture, quiet.glance, still, factor, whole=True)
