"""The heights of the towers as they are read, and where they differ from the game's for good."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from companion.live.proposals import Measured
from companion.sensing.streams import Sensed

_SURE = 0.8  # how sure a height must be to be held against the game
_SETTLED_US = 8_000_000  # how long table and game may differ: a hand builds while another touches the screen

Tower: TypeAlias = tuple[str, str]
"""A board and a tower on it."""
LevelsOf: TypeAlias = Callable[[int], Mapping[str, int]]
"""The levels of a seat's towers by the game."""


@dataclass
class Apart:
    """A tower that the table and the game do not agree on, and since when."""

    measured: Measured
    game: int
    since_us: int
    waiting: bool = False
    aside: bool = False

    @property
    def tower(self) -> Tower:
        return self.measured.board, self.measured.tower


class Heights:
    """What is measured, tower by tower, compared with the game."""

    def __init__(self) -> None:
        self._measured: dict[Tower, Measured] = {}
        self._apart: dict[Tower, Apart] = {}

    @property
    def measured(self) -> tuple[Measured, ...]:
        return tuple(self._measured[tower] for tower in sorted(self._measured))

    def take(self, event: Sensed, seat: int) -> bool:
        """A tower was measured. Whether that is sure enough to keep."""
        if event.board is None or event.tower is None or event.level is None or event.confidence < _SURE:
            return False
        self._measured[event.board, event.tower] = Measured(
            seat=seat, board=event.board, tower=event.tower, levels=event.level, top_mm=event.top_mm, event=event
        )
        return True

    def of(self, seat: int) -> tuple[Measured, ...]:
        """The towers of one seat."""
        return tuple(each for each in self.measured if each.seat == seat)

    def compare(self, levels_of: LevelsOf, now_us: int, busy: Collection[str] = ()) -> None:
        """Hold all that is measured against the game. On a `busy` board the time to settle begins anew."""
        apart = {}
        for tower, measured in self._measured.items():
            game = levels_of(measured.seat).get(measured.tower)
            if game is not None and game != measured.levels:
                apart[tower] = self._still(measured, game, now_us, measured.board in busy)
        self._apart = apart

    def _still(self, measured: Measured, game: int, now_us: int, busy: bool) -> Apart:
        known = self._apart.get((measured.board, measured.tower))
        if known is None or (known.measured.levels, known.game) != (measured.levels, game):
            return Apart(measured, game, now_us)
        if busy:
            known.since_us = now_us
        return known

    def settled(self, now_us: int) -> tuple[Apart, ...]:
        """What differs for long enough to be shown, less what was set aside."""
        found = (self._apart[tower] for tower in sorted(self._apart))
        return tuple(each for each in found if not each.aside and now_us - each.since_us >= _SETTLED_US)

    def unsettle(self) -> None:
        """Begin to compare anew."""
        self._apart = {}

    def agrees(self, board: str, tower: str) -> bool:
        """Whether the tower is measured, and is as the game has it."""
        return (board, tower) in self._measured and (board, tower) not in self._apart
