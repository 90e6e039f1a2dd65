"""How far a simulated table is part of a game: as far as its hand has been.

A game is played with the pieces of a real box until somebody moves simulated ones. What stands on the simulated table
is held against the game only where that hand has changed it.
"""

from __future__ import annotations

from companion.sensing.streams import Sensed


class Pretence:
    """Tells what a simulated table senses apart from what merely stands there. `used`: the hand was told something."""

    def __init__(self) -> None:
        self.used = False
        self._first: dict[tuple[str, str], int | None] = {}
        self._changed: set[tuple[str, str]] = set()

    def counts(self, event: Sensed) -> bool:
        """Whether an event is part of the game.

        >>> pretence, tower = Pretence(), {"t_us": 0, "decided_us": 0, "board": "south", "tower": "left"}
        >>> pretence.counts(Sensed(kind="height", level=0, **tower))
        False
        >>> pretence.used = True
        >>> pretence.counts(Sensed(kind="height", level=0, **tower))
        False
        >>> pretence.counts(Sensed(kind="height", level=1, **tower))
        True
        """
        if event.kind != "height" or event.board is None or event.tower is None:
            return self.used or event.kind == "fault"
        tower = (event.board, event.tower)
        if not self.used:
            self._first[tower] = event.level
        elif event.level != self._first.get(tower, 0):
            self._changed.add(tower)
        return tower in self._changed
