"""The eye beside the scales: it looks at one frame at a time, and what it saw is taken up when the next one comes.

A look may take long, and nobody waits for it. What the scales ask of the eye meanwhile is answered by what was taken
up last, and what they say to it is heard when the look is over. A frame that comes while the eye still looks at an
earlier one is let pass.

So all depends on which frames are looked at, and on nothing else: not on how long a look takes, nor on which thread it
is done. A recording tells which frames a live table let pass, and so gives the same events, if it holds all the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TypeAlias

from companion.sensing.board_eye import BoardEye, Chance
from companion.sensing.castle import Castle, Standing
from companion.sensing.eye import Eye
from companion.sensing.plan import Camera, Plan
from companion.sensing.scales.memory import Memory
from companion.sensing.scenes import Shown
from companion.sensing.sights import Sight
from companion.sensing.signs import chance_of_fall
from companion.sensing.streams import LONG_AGO_US, Frame
from companion.sensing.told import Expected
from companion.sensing.views import View

Look: TypeAlias = Callable[[], list[Sight]]
Aside: TypeAlias = Callable[[Look], "Future[list[Sight]]"]
"""Begins a look somewhere else, one after another, and promises what it will have seen."""

_BEHIND_US = 300_000
"""An eye that has taken up nothing for so long, while frames came, cannot say that nothing moved."""
_HANGS_S = 15.0
"""A look that takes so long never ends."""
_PATIENCE_S = 5.0
"""So long one that is needed now is waited for: less than a thread may take before it is thought to hang."""


def at_once(look: Look) -> Future[list[Sight]]:
    """Looks here and now: for recordings, which can wait."""
    seen: Future[list[Sight]] = Future()
    seen.set_result(look())
    return seen


class Gaze:
    """An eye and the look that is under way. Raises TimeoutError where a look never ends."""

    def __init__(self, plan: Plan, camera: Camera, aside: Aside = at_once, chance: Chance = chance_of_fall) -> None:
        self.eye = Eye(plan, camera, chance)
        self._aside = aside
        self._boards = {board.id: BoardGaze(self.eye.board(board.id)) for board in plan.boards}
        self._look: Future[list[Sight]] | None = None
        self._began_us = self._taken_us = LONG_AGO_US

    @property
    def busy(self) -> bool:
        """Whether the eye still looks at a frame; while it does, nobody else may touch it."""
        return self._look is not None and not self._look.done()

    def board(self, board: str) -> BoardGaze:
        """The eye on one board, as others may know it."""
        return self._boards[board]

    def begin(self, frame: Frame, memories: Mapping[str, Memory]) -> None:
        """Look at this frame; what was seen of the one before must have been taken up.

        `memories` are those of the scales that speak, by their boards.
        """
        for name, board in self._boards.items():
            board.begin(memories.get(name))
        self._began_us = frame.t_us
        self._look = self._aside(lambda: self.eye.feed(frame))

    def let_pass(self, frame: Frame) -> None:
        """This frame is not looked at: it comes while the eye is busy."""
        if self._taken_us != LONG_AGO_US and frame.t_us - self._taken_us > _BEHIND_US:
            for board in self._boards.values():
                board.behind = True
        if self.busy and frame.t_us - self._began_us > _HANGS_S * 1_000_000:
            raise TimeoutError("The eye has been looking at one picture for too long.")

    def end(self) -> list[Sight] | None:
        """What was seen of the frame that was looked at; waits for it. None where there is nothing to take up."""
        look, self._look = self._look, None
        if look is None:
            return None
        sights = look.result(_PATIENCE_S)
        self._taken_us = self._began_us
        for board in self._boards.values():
            board.end(self._taken_us)
        return sights


class BoardGaze:
    """One board's eye as it was when a look was last taken up.

    `behind` says that much has passed since which it has not looked at, `looked_us` when the last frame was taken that
    it has. `assume` is for the moments at which no look is under way; the eye does not hear of it during one that it is
    given up with.
    """

    def __init__(self, eye: BoardEye) -> None:
        self.board = eye.board
        self.view: View | None = eye.view
        self.behind = False
        self.looked_us = LONG_AGO_US
        self._eye = eye
        self._stirred_us = LONG_AGO_US
        self._shown: Shown | None = None
        self._stood: Castle | None = None
        self._said: list[Callable[[], None]] = []

    def begin(self, memory: Memory | None = None) -> None:
        """A look begins: from now on the eye hears nothing, and the castle is as it stood."""
        self._eye.memory = memory
        self._stood = Castle(self.board, self._eye.castle.kit)
        self._stood.restore(list(self._eye.castle))

    def end(self, frame_us: int) -> None:
        """The look at the frame of that time is over, and taken up."""
        self._stood, self.behind, self.looked_us = None, False, frame_us
        for said in self._said:
            said()
        self._said.clear()
        self.view = self._eye.view
        if self._eye.stirred_since(frame_us):
            self._stirred_us = frame_us
        self._shown = self._eye.shown

    # As the eye itself

    @property
    def castle(self) -> Castle:
        return self._eye.castle if self._stood is None else self._stood

    @property
    def weighed(self) -> bool:
        return self._eye.weighed

    @weighed.setter
    def weighed(self, weighed: bool) -> None:
        self._eye.weighed = weighed

    def stirred_since(self, t_us: int) -> bool:
        """Whether anything moved over this board since then; what was not looked at may have."""
        return self.behind or self._stirred_us >= t_us

    def disturbed_since(self, t_us: int) -> bool:
        """Whether the last picture, if taken since then, shows otherwise what is built; it may where nobody knows."""
        shown = self._shown
        return self.behind or shown is None or (shown.t_us >= t_us and shown.disturbed)

    def expect(self, expected: Expected) -> None:
        self._say(lambda: self._eye.expect(expected))

    def expect_no_more(self, expected: Expected) -> None:
        self._say(lambda: self._eye.expect_no_more(expected))

    def fell(self, t_us: int) -> None:
        self._say(lambda: self._eye.fell(t_us))

    def assume(self, came: bool, kind: str, tower: str) -> Standing | None:
        return (self._eye if self._stood is None else self._stood).assume(came, kind, tower)

    def _say(self, words: Callable[[], None]) -> None:
        if self._stood is not None:
            self._said.append(words)
        else:
            words()
