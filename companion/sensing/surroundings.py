"""The table around a board, as far as its camera sees it: what came to lie there, and how.

What falls off a tower and over the board's edge is gone from the board as if a hand had taken it, and lies on the
table. A hand that lays a piece there is in front of the place before it lets go. What falls there just appears.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.airspace import Airspace
from companion.sensing.changes import Change, filled, widened
from companion.sensing.fitting import standing_out
from companion.sensing.glance import Mask, Small, logarithmic
from companion.sensing.glimpses import Look
from companion.sensing.ground import Miniature
from companion.sensing.plan import Board
from companion.sensing.shapes import Kit
from companion.sensing.streams import Image
from companion.sensing.things import things
from companion.sensing.views import View, box_corners

_WIDTH_PX = 320  # how finely the table is looked at
_BESIDE_PX = 2  # around the board and what came onto it, whose edges are seen
_SMALLEST, _LARGEST = 0.4, 1.8  # times the smallest and the largest piece on its side: what lies there is as large
_FEWEST_PX = 6
_CAME, _STANDS_OUT = 0.02, 0.1  # in logarithms: what came stands out more than the ground did, and plainly more
_AROUND_PX, _STRANGE = 2, 0.2  # of a glance, and the share of the places there that may look strange just then
_APPEARS_US = 360_000  # a hand that lays something down needs longer than this


@dataclass(frozen=True, eq=False)
class Thrown:
    """Something that came to lie beside a board with no hand in front of it: between these two moments."""

    before_us: int
    since_us: int


class Surroundings:
    """The table around one board, from one look to the next at all of it."""

    def __init__(self, board: Board, kit: Kit, view: View, frame_shape: tuple[int, ...]) -> None:
        self._lying = (*kit.lying, kit.floor)
        height, width = frame_shape[:2]
        self._window = Miniature(view, 0, 0, width, height, max(1, width // _WIDTH_PX))
        self._board = widened(filled(self._window.project(box_corners(board, 0.0)), self._window.shape), _BESIDE_PX)
        self._last: tuple[Image, Small] | None = None

    def looked(self, look: Look) -> None:
        """What comes to lie around the board from now on is new."""
        self._last = (self._small(look.image), look.glance)

    def thrown(self, look: Look, air: Airspace, towers: Mask, came: Mask, elsewhere: Mask) -> list[Thrown]:
        """What was thrown beside the board since the last look, and lies in sight.

        It is no part of what `came` onto the towers, as the board's window shows both; a shadow may begin at `towers`.
        What lies at the places of the glance that are `elsewhere` is other boards' affair.
        """
        if self._last is None:
            return []
        (image, glance), now = self._last, self._small(look.image)
        before = logarithmic(image.astype(np.float32))
        change = Change.between(before, logarithmic(now.astype(np.float32)), self._shrunk(look.still))
        where = change.known & ~self._board & ~self._shrunk(elsewhere)
        towers, came = (self._window.shrunk_mask(look.in_picture(each)) for each in (towers, came))
        found = (
            self._appeared(look.at_a_glance(self._window.enlarged(spot)), air, glance, look.glance)
            for spot in things(change, before, where & ~came, towers, _FEWEST_PX)
            if self._may_be_a_piece(spot) and not _is_part(spot, change, towers, came)
        )
        return [each for each in found if each is not None]

    @staticmethod
    def _appeared(places: Mask, air: Airspace, before: Small, now: Small) -> Thrown | None:
        """What appeared at some places of the glance, and no hand near it; None where one may have laid it there."""
        story = air.story(places, before, now)
        if story is None or story[1] - story[0] > _APPEARS_US:
            return None
        strange = air.strange(widened(places, _AROUND_PX), story[1], before, now)
        return Thrown(*story) if strange < _STRANGE else None

    def _may_be_a_piece(self, spot: Mask) -> bool:
        """Whether a spot is as large as a piece there, and none that comes from the picture's edge."""
        if spot[0].any() or spot[-1].any() or spot[:, 0].any() or spot[:, -1].any():
            return False
        rows, columns = np.nonzero(spot)
        pixel = (float(columns.mean()) * self._window.times, float(rows.mean()) * self._window.times)
        x, y = self._window.view.on_plane([pixel])[0]
        sizes = [int(self._window.mask(each, (float(x), float(y)), 0.0, 0.0).sum()) for each in self._lying]
        return _SMALLEST * min(sizes) <= len(rows) <= _LARGEST * max(sizes)

    def _small(self, image: Image) -> Image:
        return np.asarray(cv2.resize(image, self._window.shape[::-1], interpolation=cv2.INTER_AREA), np.uint8)

    def _shrunk(self, places: Mask) -> Mask:
        """A glance's mask at the size at which the table is looked at."""
        size = self._window.shape[::-1]
        return np.asarray(cv2.resize(places.view(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0)


def _is_part(spot: Mask, change: Change, towers: Mask, came: Mask) -> bool:
    """Whether a spot did not come to lie there: it left, or belongs to what came onto a tower and stands out there."""
    if standing_out(change, spot) < _CAME or (widened(spot, _BESIDE_PX) & came).any():
        return True
    _, labels = cv2.connectedComponents((change.changed | spot).view(np.uint8), connectivity=8)
    rest = np.isin(labels, labels[spot]) & towers & change.changed & ~spot
    return bool(rest.sum() >= spot.sum()) and standing_out(change, rest) > _STANDS_OUT
