"""Looking while hands are still about: the places of a board that are still again, though others are not."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.airspace import Quiet
from companion.sensing.changes import filled
from companion.sensing.fitting import Window
from companion.sensing.glance import Mask, Small, logarithmic, shrink_factor
from companion.sensing.motion import Stir
from companion.sensing.plan import Board
from companion.sensing.streams import LONG_AGO_US, Frame, Image
from companion.sensing.views import View, box_corners

STILL_US = 300_000
"""What has not moved for so long is still."""
_BETWEEN_US = 550_000  # between two glimpses of a board
_MEAN_FRAMES = 5  # pictures averaged into one
_FRESH_PX = 6  # places of a glance that came to rest and were not looked at: worth a glimpse

Times: TypeAlias = npt.NDArray[np.int64]


class Stillness:
    """When each place of the glance moved last."""

    def __init__(self) -> None:
        self._moved_us: Times | None = None

    def feed(self, stir: Stir) -> None:
        """What moves just now; a change of light moves everything."""
        if self._moved_us is None:
            self._moved_us = np.full(stir.moving.shape, stir.t_us, np.int64)
        elif stir.light:
            self._moved_us[:] = stir.t_us
        else:
            near = cv2.dilate(stir.moving.view(np.uint8), np.ones((5, 5), np.uint8))
            self._moved_us[near > 0] = stir.t_us

    @property
    def moved_us(self) -> Times:
        assert self._moved_us is not None, "nothing was fed yet"
        return self._moved_us


@dataclass(frozen=True, eq=False)
class Look:
    """A board's part of the picture, averaged, in logarithms; which places of the glance are `still`.

    It is `whole` when nothing moves anywhere over the board. All of the last picture is in `image`.
    """

    since_us: int
    t_us: int
    window: Window
    picture: Small
    glance: Small
    still: Mask
    factor: float
    whole: bool
    image: Image

    def on_window(self, mask: Mask) -> Mask:
        """A glance's mask on the window."""
        rows = _places(self.window.top, self.window.height, self.factor, mask.shape[0])
        columns = _places(self.window.left, self.window.width, self.factor, mask.shape[1])
        return np.asarray(mask[rows[:, None], columns])

    def on_glance(self, mask: Mask) -> Mask:
        """A window's mask on the glance: every place that it touches."""
        rows, columns = np.nonzero(mask)
        return self._touched(rows + self.window.top, columns + self.window.left)

    def in_picture(self, mask: Mask) -> Mask:
        """A window's mask in all of the picture."""
        whole = np.zeros(self.image.shape[:2], bool)
        window = self.window
        whole[window.top : window.top + window.height, window.left : window.left + window.width] = mask
        return whole

    def at_a_glance(self, mask: Mask) -> Mask:
        """A mask of all of the picture on the glance: every place that it touches."""
        return self._touched(*np.nonzero(mask))

    def _touched(self, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> Mask:
        small = np.zeros(self.still.shape, bool)
        height, width = self.still.shape[:2]
        ys, xs = (rows / self.factor).astype(np.intp), (columns / self.factor).astype(np.intp)
        small[np.minimum(ys, height - 1), np.minimum(xs, width - 1)] = True
        return small


def whole_look(quiet: Quiet, frame: Frame, moved_us: Times, air: Mask) -> Look:
    """A look while the air is quiet: it is still there, whatever flickered, and elsewhere where nothing moved."""
    still: Mask = air | (frame.t_us - moved_us >= STILL_US)
    factor = shrink_factor(frame.image.shape[1])
    return Look(quiet.since_us, quiet.t_us, quiet.window, quiet.picture, quiet.glance, still, factor, True, frame.image)


def air_over(board: Board, view: View, frame_shape: tuple[int, ...], height_mm: float) -> Mask:
    """The places of a glance where a board's towers can be seen."""
    factor = shrink_factor(frame_shape[1])
    size = (round(frame_shape[0] / factor), round(frame_shape[1] / factor))
    return filled(view.project(box_corners(board, height_mm)) / factor, size)


def _places(start: int, count: int, factor: float, most: int) -> npt.NDArray[np.intp]:
    return np.minimum(((np.arange(count) + start) / factor).astype(np.intp), most - 1)


class Glimpses:
    """Looks at the parts of one board that came to rest since they were looked at last."""

    def __init__(self, window: Window, air: Mask) -> None:
        self._window = window
        self._air = air
        self._looked_us: Times | None = None
        self._crops: deque[Image] = deque(maxlen=_MEAN_FRAMES)
        self._last_us = LONG_AGO_US

    def look_through(self, view: View) -> None:
        """The same part of the picture, where the board is known better from now on."""
        self._window = replace(self._window, view=view)

    def feed(self, frame: Frame, now: Small, moved_us: Times) -> Look | None:
        """A look at this board if it is worth one."""
        if self._looked_us is None:
            self._looked_us = moved_us.copy()
        unseen = (moved_us > self._looked_us) & self._air
        if not unseen.any():
            self._crops.clear()
            return None
        self._crops.append(self._window.crop(frame.image).copy())
        still = frame.t_us - moved_us >= STILL_US
        fresh = int((unseen & still).sum())
        if fresh < _FRESH_PX or len(self._crops) < _MEAN_FRAMES or frame.t_us - self._last_us < _BETWEEN_US:
            return None
        self._last_us = frame.t_us
        since_us = int(moved_us[unseen & still].max())
        factor = shrink_factor(frame.image.shape[1])
        return Look(since_us, frame.t_us, self._window, self._mean(), now, still, factor, False, frame.image)

    def looked(self, look: Look) -> None:
        """What was still in this look has been looked at."""
        if self._looked_us is not None:
            self._looked_us[look.still] = look.t_us

    def _mean(self) -> Small:
        total = np.zeros(self._crops[0].shape, np.float32)
        for crop in self._crops:
            cv2.accumulate(crop, total)
        return logarithmic(total * np.float32(1 / len(self._crops)))
