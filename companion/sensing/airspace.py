"""The air over a board: which part of the picture its towers can be in, and when that part is quiet."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.sensing.changes import widened
from companion.sensing.fitting import Window
from companion.sensing.glance import Mask, Small, logarithmic, most, shrink_factor
from companion.sensing.motion import MOTION_LAG_US, Stir, Stirring
from companion.sensing.plan import Board
from companion.sensing.streams import Frame
from companion.sensing.views import Floats, View, box_corners

_MARGIN_PX = 12
_QUIET_S = 0.3  # nothing moved for so long: what is seen now is how things stand
_MEAN_FRAMES = 6  # pictures averaged into a quiet one
_STIRRED = 2  # moving pixels of a glance that end the quiet
_BRIEF_US = 1_200_000  # in less than this no hand comes, takes something and goes
_RIM_PX = 2  # of a glance: what is so near to the edge of the air may be coming in
_PEAK, _FADES = 4, 1.2  # moving pixels of a glance at which motion may be greatest, and how much fewer follow
_REMEMBER_S = 8.0  # glances kept to tell when something came to be where it is
_SAME = 0.08  # in logarithms: a place that looks as it does now
_OTHER = 0.16  # and one that looks otherwise


@dataclass(frozen=True, eq=False)
class Quiet:
    """How a board's part of the picture looks while nothing moves: averaged, in logarithms."""

    since_us: int
    t_us: int
    window: Window
    picture: Small
    glance: Small


def is_in_sight(board: Board, view: View, frame_shape: tuple[int, ...]) -> bool:
    """Whether any of a board's surface is in a picture taken so."""
    corners = box_corners(board, 0.0)
    if float(view.depth_mm(corners).min()) <= 0:
        return False
    pixels, (height, width) = view.project(corners), frame_shape[:2]
    (left, top), (right, bottom) = pixels.min(axis=0), pixels.max(axis=0)
    return bool(left < width and top < height and right > 0 and bottom > 0)


class Airspace:
    """One board's part of the picture, followed from quiet to quiet.

    At the places of its `surface` the board itself can be seen. The last stir was `within` when it was brief and
    nothing came into the air at first: a hand needs longer to come and go, and comes from beyond.
    """

    def __init__(self, board: Board, view: View, frame_shape: tuple[int, ...], height_mm: float) -> None:
        hull = cv2.convexHull(view.project(box_corners(board, height_mm)).astype(np.float32)).reshape(-1, 2)
        frame_height, frame_width = frame_shape[:2]
        left, top = np.maximum(np.floor(hull.min(axis=0)) - _MARGIN_PX, 0).astype(int).tolist()
        right = min(int(hull[:, 0].max()) + _MARGIN_PX, frame_width)
        bottom = min(int(hull[:, 1].max()) + _MARGIN_PX, frame_height)
        self.window = Window(view, left, top, max(1, right - left), max(1, bottom - top))
        self._factor = shrink_factor(frame_width)
        size = (round(frame_height / self._factor), round(frame_width / self._factor))
        self._air = _small_mask(hull.astype(float) / self._factor, size)
        self.surface = _small_mask(view.project(box_corners(board, 0.0)[:4]) / self._factor, size)
        self._rim = widened(~np.pad(self._air, 1), _RIM_PX)[1:-1, 1:-1]
        self._past: deque[tuple[int, Small]] = deque()
        self._quiet_since_us: int | None = None
        self._sum: Small | None = None
        self._summed = 0
        self._moving: deque[tuple[int, int]] = deque(maxlen=3)
        self._began_us: int | None = None
        self._stirs = self._came_in = False
        self.stirred_us: int | None = None
        self.stirring = Stirring()

    def look_through(self, view: View) -> None:
        """The same part of the picture, where the board is known better from now on."""
        self.window = replace(self.window, view=view)

    def feed(self, frame: Frame, now: Small, stir: Stir) -> Quiet | None:
        """A quiet picture at the moment the air has been quiet for long enough; None else."""
        self._remember(frame.t_us, now)
        moving = 0 if stir.light else int((stir.moving & self._air).sum())
        self._moving.append((frame.t_us, moving))
        if stir.light or moving >= _STIRRED:
            self._quiet_since_us, self._sum, self._summed = None, None, 0
            self.stirred_us = frame.t_us
            if not stir.light:
                self._note(frame.t_us, stir.moving, moving)
            if not self._stirs:
                self._stirs, self._began_us = True, frame.t_us
                self._came_in = stir.light or bool((stir.moving & self._rim).any())
            return None
        if self._quiet_since_us is None:
            self._quiet_since_us = frame.t_us
        if self._summed >= _MEAN_FRAMES or frame.t_us - self._quiet_since_us < _QUIET_S * 1e6:
            return None
        crop = self._crop(frame).astype(np.float32)
        self._sum = crop if self._sum is None else self._sum + crop
        self._summed += 1
        if self._summed < _MEAN_FRAMES:
            return None
        picture = logarithmic(self._sum * np.float32(1 / self._summed))
        self._stirs = False
        return Quiet(self._quiet_since_us, frame.t_us, self.window, picture, now)

    def _note(self, t_us: int, moves: Mask, moving: int) -> None:
        """Take note of how much moves, and how much of it does not reach in from beyond."""
        before = self.stirring
        began_us = t_us if before.began_us is None else before.began_us
        inmost = before.inmost
        if moving > inmost:
            _, labels = cv2.connectedComponents(moves.view(np.uint8), connectivity=8)
            beyond = np.zeros(int(labels.max()) + 1, bool)
            beyond[labels[self._rim & moves]] = True
            inmost = max(inmost, int((moves & self._air & ~beyond[labels]).sum()))
        self.stirring = Stirring(max(before.busiest, moving), inmost, began_us, t_us)

    def looked(self, t_us: int) -> None:
        """The board was looked at then: what moved until then is no longer counted."""
        after = self.stirring.last_us > t_us
        self.stirring = replace(self.stirring, began_us=t_us) if after else Stirring()

    @property
    def within(self) -> bool:
        """Whether no hand can have made the last stir."""
        if self._began_us is None or self.stirred_us is None or self._came_in:
            return False
        return self.stirred_us - self._began_us < _BRIEF_US

    @property
    def peak_us(self) -> int | None:
        """When more moved here than just before and just after, if the last frame shows that."""
        if len(self._moving) < 3:
            return None
        (_, early), (t_us, most_moving), (_, late) = self._moving
        peak = most_moving >= _PEAK and most_moving > early and most_moving > _FADES * late
        return t_us - MOTION_LAG_US if peak else None

    def since_us(self, mask: Mask, now: Small) -> int:
        """Since when the pixels of a mask (of the window) have looked as they do now."""
        return self._since_us(self._on_glance(mask), now)

    def changed_us(self, mask: Mask, before: Small, now: Small) -> int:
        """When the pixels of a mask changed, which a hand may have hidden.

        That is midway from when they were last seen as before to when they were first seen as they are now.
        """
        since_us = self._since_us(small := self._on_glance(mask), now)
        return (self._until_us(small, before, since_us) + since_us) // 2

    def story(self, small: Mask, before: Small, now: Small) -> tuple[int, int] | None:
        """Until when places of a glance looked as before, and since when as they do now; None where nobody can tell."""
        small = small & (most(now - before) > _OTHER)
        since_us = self._since_us(small, now) if small.any() else 0
        until_us = self._until_us(small, before, since_us)
        return (until_us, since_us) if until_us < since_us else None

    def strange(self, small: Mask, t_us: int, before: Small, now: Small) -> float:
        """How much of some places of a glance looked neither as before nor as now at a moment."""
        past = next((past for at_us, past in self._past if at_us >= t_us), now)
        return float(((most(past - before) > _OTHER) & (most(past - now) > _OTHER))[small].mean())

    def _since_us(self, small: Mask, now: Small) -> int:
        since = self._past[-1][0] if self._past else 0
        for t_us, past in reversed(self._past):
            if not _alike(past[small], now[small]):
                break
            since = t_us
        return since

    def _until_us(self, small: Mask, before: Small, since_us: int) -> int:
        """When places of a glance looked as before for the last time before then."""
        seen = (t_us for t_us, past in reversed(self._past) if t_us < since_us and _alike(past[small], before[small]))
        return next(seen, since_us)

    @property
    def air(self) -> Mask:
        """The places of the glance that belong to it."""
        return self._air

    def _on_glance(self, mask: Mask) -> Mask:
        """A window's mask on the glance: at least one pixel of it."""
        rows, columns = np.nonzero(mask)
        small = np.zeros_like(self._air)
        ys = ((rows + self.window.top) / self._factor).astype(int)
        xs = ((columns + self.window.left) / self._factor).astype(int)
        height, width = self._air.shape[:2]
        small[np.clip(ys, 0, height - 1), np.clip(xs, 0, width - 1)] = True
        return small

    def _remember(self, t_us: int, now: Small) -> None:
        self._past.append((t_us, now))
        while t_us - self._past[0][0] > _REMEMBER_S * 1e6:
            self._past.popleft()

    def _crop(self, frame: Frame) -> Small:
        window = self.window
        crop = frame.image[window.top : window.top + window.height, window.left : window.left + window.width]
        return np.asarray(crop)


def _alike(one: Small, other: Small) -> bool:
    """Whether most of some places (n, 3) look the same."""
    return float((np.abs(one - other).max(axis=1) < _SAME).mean()) >= 0.5


def _small_mask(ring: Floats, size: tuple[int, int]) -> Mask:
    mask = np.zeros(size, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(ring).astype(np.int32), 1)
    return np.asarray(mask > 0)
