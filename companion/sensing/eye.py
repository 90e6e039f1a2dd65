"""The camera's part: frames in, what the eye sees of each board out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2

from companion.sensing.airspace import Airspace, Quiet
from companion.sensing.castle import Castle
from companion.sensing.changes import Change
from companion.sensing.explaining import Came, Expected, Telling, Told, Went
from companion.sensing.glance import Small, glance
from companion.sensing.markers import BoardViews, MarkerFinder
from companion.sensing.motion import Motion, Stir
from companion.sensing.plan import Board, Camera, Plan
from companion.sensing.shapes import Kit
from companion.sensing.streams import Frame
from companion.sensing.towers import read_towers
from companion.sensing.views import View

_LEAST_LEVELS = 6  # how high the air over a board is watched at the least
_LOOK_S = 0.5  # between two looks at the markers that are known
_SEARCH_S = 1.0  # between two searches of the whole picture while some board has not been found
_READ_SURE = 0.8  # how sure a single picture must be of a tower to overrule what was followed
_FALL_PIECES = 2  # pieces seen to go at once, with something lying about: a fall


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
class Fallen:
    """Pieces that stood no longer do and lie about: a collapse seen after the fact."""

    board: str
    towers: tuple[str, ...]
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
        self._finder = MarkerFinder(camera, plan)
        self._views = BoardViews(plan, camera)
        kit = Kit(plan)
        self._boards = [BoardEye(board, kit) for board in plan.boards]
        self._motion = Motion()
        self._next_look_us: int | None = None
        self._next_search_us: int | None = None

    def feed(self, frame: Frame) -> list[Sight]:
        """What is decided with this frame."""
        now = glance(frame.image)
        stir = self._motion.feed(frame.t_us, now)
        sights = list(self._look_at_markers(frame))
        for board in self._boards:
            sights += board.feed(frame, now, stir)
        return sights

    def board(self, board: str) -> BoardEye:
        """The eye on one board."""
        return next(each for each in self._boards if each.board.id == board)

    def _look_at_markers(self, frame: Frame) -> Iterator[Sight]:
        search = self._next_search_us is None or frame.t_us >= self._next_search_us
        look = self._next_look_us is None or frame.t_us >= self._next_look_us
        missing = any(board.board.markers and not board.view for board in self._boards)
        if not ((missing and search) or (look and not missing)):
            return
        self._next_look_us = frame.t_us + round(_LOOK_S * 1e6)
        self._next_search_us = frame.t_us + round(_SEARCH_S * 1e6)
        gray = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
        found = self._finder.find(gray) if missing else self._finder.find_again(gray, self._views.corners)
        moved = self._views.moved
        if self._views.update(found):
            for board in self._boards:
                board.look_through(self._views.views.get(board.board.id), frame.image.shape)
        if self._views.moved > moved:
            yield Trouble("The camera or a board was moved; the boards were found anew.", frame.t_us)


class BoardEye:
    """Follows one board from one quiet picture to the next."""

    def __init__(self, board: Board, kit: Kit) -> None:
        self.board = board
        self.castle = Castle(board, kit)
        self.view: View | None = None
        self._kit = kit
        self._telling = Telling(board, self.castle)
        self._air: Airspace | None = None
        self._before: Quiet | None = None
        self._known = False
        self._said: dict[str, tuple[int, float]] = {}
        self._expected: list[Expected] = []

    def look_through(self, view: View | None, frame_shape: tuple[int, ...]) -> None:
        """See the board so from now on; the next quiet picture is the first through this view."""
        if view is None or view is self.view:
            return
        self.view, self._before = view, None
        self._air = Airspace(self.board, view, frame_shape, self._height_mm())

    @property
    def busy(self) -> bool:
        return self._air is not None and self._air.busy

    def stirred_since(self, t_us: int) -> bool:
        """Whether anything moved over this board since then."""
        return self._air is not None and self._air.stirred_us is not None and self._air.stirred_us >= t_us

    def expect(self, expected: Expected) -> None:
        """Another sense felt this; look for it in the next quiet picture."""
        self._expected.append(expected)

    def feed(self, frame: Frame, now: Small, stir: Stir) -> list[Sight]:
        """What is decided with this frame about this board."""
        quiet = self._air.feed(frame, now, stir) if self._air else None
        if quiet is None or self._air is None:
            return []
        before = self._before
        if before is not None and self._air.covered(before.glance, quiet.glance):
            return []
        self._before = quiet
        if before is None:
            self._read(quiet, list(self.castle.towers))
            return list(self._heights(quiet))
        return self._compare(self._air, before, quiet)

    def _read(self, quiet: Quiet, towers: list[str]) -> None:
        """Towers as this picture alone shows them; what was followed is kept unless they are surely otherwise."""
        for tower, read in read_towers(quiet.picture, quiet.window, self.castle).items():
            other = read.levels != self.castle.levels(tower) and read.confidence >= _READ_SURE
            if not self._known or (tower in towers and other):
                self.castle.rebuild(tower, read.pieces)
        self._known = True

    def _compare(self, air: Airspace, before: Quiet, quiet: Quiet) -> list[Sight]:
        change = Change.between(before.picture, quiet.picture)
        expected, self._expected = self._expected, []
        if not change.changed.any():
            return [Looked(self.board.id, quiet.t_us, tuple(expected))]
        stood = len(list(self.castle))
        told = self._telling.tell(change, quiet.window, expected)
        sights: list[Sight] = []
        if told.loose and stood and not told.came:
            fell = self._telling.fell(change, quiet.window)
            if fell or len(told.went) >= _FALL_PIECES:
                sights.append(self._fallen(air, quiet, fell, told))
                self._read(quiet, [each.piece.tower for each in (*fell, *told.went)])
                return [*sights, *self._heights(quiet)]
        changes: list[Came | Went] = [*told.came, *told.went]
        sights += [self._seen(air, quiet, each) for each in changes]
        sights.append(Looked(self.board.id, quiet.t_us, tuple(told.unseen)))
        return [*sights, *self._heights(quiet)]

    def _fallen(self, air: Airspace, quiet: Quiet, fell: list[Went], told: Told) -> Fallen:
        towers = tuple(sorted({each.piece.tower for each in (*fell, *told.went)}))
        t_us = min((air.since_us(each.mask, quiet.glance) for each in told.loose), default=quiet.since_us)
        return Fallen(self.board.id, towers, t_us, quiet.t_us, 0.9)

    def _seen(self, air: Airspace, quiet: Quiet, each: Came | Went) -> Seen:
        like = each.like if isinstance(each, Came) else {each.piece.shape.kind: each.score}
        t_us = air.since_us(each.mask, quiet.glance)
        piece = each.piece
        return Seen(
            isinstance(each, Came),
            self.board.id,
            piece.tower,
            piece.level,
            like,
            t_us,
            quiet.t_us,
            min(1.0, each.score),
        )

    def _heights(self, quiet: Quiet) -> Iterator[Height]:
        for tower in self.castle.towers:
            reading = (self.castle.levels(tower), round(self.castle.top_mm(tower), 1))
            if self._said.get(tower) != reading:
                self._said[tower] = reading
                yield Height(self.board.id, tower, *reading, quiet.since_us, quiet.t_us)

    def _height_mm(self) -> float:
        top = max((self.castle.top_mm(tower) for tower in self.castle.towers), default=0.0)
        return max(_LEAST_LEVELS * self._kit.pitch_mm, top + 2 * self._kit.pitch_mm)
