"""Where the boards are, kept up while the table is watched: when markers are looked for, and what is said of it."""

from __future__ import annotations

import cv2

from companion.errors import BadRecording
from companion.sensing.markers import BoardViews, MarkerFinder
from companion.sensing.patterns import PatternFinder
from companion.sensing.plan import Camera, Plan
from companion.sensing.streams import LONG_AGO_US, Frame
from companion.sensing.views import View

_LOOK_US = 1_000_000  # between two looks at the markers that are known
_OFTEN = 8  # looks, one at each frame, by which markers that are new or were moved are known well
_SEARCH_US = 1_000_000  # between two searches of the whole picture while something is missing
_PATIENCE_US = 3_000_000  # markers that are not found for so long are told of
_SEEN_SHARE = 0.5  # of the known markers: when fewer are found where they were, they are searched for elsewhere


class Whereabouts:
    """Looks at the markers now and then, and at once when somebody doubts that the boards are where they were."""

    def __init__(self, plan: Plan, camera: Camera) -> None:
        self._views = BoardViews(plan, camera)
        self._wanted = {board.id for board in plan.boards if board.markers or board.pose is not None}
        self._finder: MarkerFinder | None = None
        self._patterns: PatternFinder | None = None
        self._trouble: list[str] = []
        self._begun_us: int | None = None
        self._look_us = self._search_us = LONG_AGO_US
        self._often = _OFTEN
        self._scattered = False
        self._told = False
        try:
            self._finder, self._patterns = MarkerFinder(camera, plan), PatternFinder(camera)
            self._trouble += [
                f"{camera.dictionary} has no marker {each}." for each in self._patterns.unknown(plan.boards)
            ]
        except BadRecording as err:
            self._trouble.append(str(err))
        if not any(board.markers for board in plan.boards):
            self._finder = None
            self._trouble.append("No board has markers, so the camera cannot tell where the boards are.")

    @property
    def views(self) -> dict[str, View]:
        """The views of the boards that were found."""
        return self._views.views

    @property
    def moves(self) -> int:
        """How often the camera or a board was found to have moved."""
        return self._views.moved

    @property
    def doubtful(self) -> bool:
        """Whether a marker was seen elsewhere just now, and must be so again to be believed."""
        return self._views.doubtful

    def feed(self, frame: Frame, doubted: bool) -> bool:
        """Look at the markers if it is time; True when a board was found, is known better, or was moved."""
        if self._finder is None:
            return False
        if self._begun_us is None:
            self._begun_us = frame.t_us
        search = self._is_searching(doubted) and (doubted or self.doubtful or frame.t_us >= self._search_us)
        if not search and (frame.t_us < self._look_us or not self._views.corners):
            return False
        if search:
            self._search_us = frame.t_us + _SEARCH_US
        moved, known = self._views.moved, set(self._views.corners)
        fresh = self._take_in(self._finder, frame, search)
        again = self._views.moved > moved or not self._views.corners.keys() <= known
        self._often = _OFTEN if again else max(0, self._often - 1)
        self._look_us = frame.t_us + (0 if self._often else _LOOK_US)
        if self._views.moved > moved:
            self._trouble.append("The camera or a board was moved; the boards were found anew.")
        self._tell_missing(frame.t_us - self._begun_us)
        return fresh

    def troubles(self) -> list[str]:
        """What there is to say of it since last asked."""
        said, self._trouble = self._trouble, []
        return said

    def _is_searching(self, doubted: bool) -> bool:
        return doubted or self.doubtful or self._scattered or bool(self._missing)

    @property
    def _missing(self) -> set[str]:
        return self._wanted - self.views.keys()

    def _take_in(self, finder: MarkerFinder, frame: Frame, search: bool) -> bool:
        gray = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
        known = len(self._views.corners)
        found = finder.find(gray) if search else finder.find_again(gray, self._views.corners)
        if self._patterns is not None:
            found = self._patterns.complete(gray, found, self._views.expected(found))
        self._scattered = len(found) < _SEEN_SHARE * known
        return self._views.update(found)

    def _tell_missing(self, watched_us: int) -> None:
        """Say it once when boards are still not found."""
        if self._told or watched_us < _PATIENCE_US or not self._missing:
            return
        self._told = True
        if not self.views:
            self._trouble.append(
                "No board's markers are found in the picture: are they in view, and of this dictionary?"
            )
        else:
            self._trouble.append(f"The markers of {' and '.join(sorted(self._missing))} are not found in the picture.")
