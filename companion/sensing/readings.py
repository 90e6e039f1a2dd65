"""What is known of a board's towers from looking at them, how sure that is, and what of it was said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.sensing.castle import Castle
from companion.sensing.changes import Change
from companion.sensing.glimpses import Look
from companion.sensing.plan import Board, Point
from companion.sensing.ruins import in_sight, may_lie, ruins, still_lies
from companion.sensing.scales.evidence import Load
from companion.sensing.scales.memory import Memory
from companion.sensing.towers import Bounds, read_towers
from companion.sensing.views import Floats
from companion.sensing.weighing import weighed

_READ_SURE = 0.95  # how sure a single picture must be of a tower to overrule what was followed
_SAY_SURE = 0.5  # and to say how high it is, when nothing else is known
_WEIGHS_US = 2_500_000  # how long scales may take to tell what rests on them


@dataclass(frozen=True, eq=False)
class Height:
    """How high a tower stands."""

    board: str
    tower: str
    levels: int
    top_mm: float
    t_us: int
    decided_us: int


class Readings:
    """Keeps a castle true to single pictures of it, where those are sure enough."""

    def __init__(self, board: Board, castle: Castle) -> None:
        self._board, self._castle = board, castle
        self._sure: dict[str, float] = {}
        self._beliefs: dict[str, Floats] = {}
        self.open: Look | None = None
        self._said: dict[str, tuple[int, float]] = {}

    def read(self, look: Look) -> None:
        """Towers as this picture alone shows them; what was followed is kept unless they are surely otherwise.

        Those that the first picture leaves `open` wait for the scales, if there are any.
        """
        first, beliefs = not self._sure, dict[str, Floats]()
        for tower, read in read_towers(look.picture, look.window, self._castle).items():
            beliefs[tower] = np.array(read.beliefs)
            before = self._sure.get(tower)
            unsure = before is not None and before < _READ_SURE and read.confidence > before
            other = read.levels != self._castle.levels(tower) and (read.confidence >= _READ_SURE or unsure)
            if before is None or other:
                self._castle.rebuild(tower, read.pieces)
            if before is None or other or unsure:
                self._sure[tower] = read.confidence
        self.open = look if first and self._board.cells and self.unsure else None
        self._beliefs = beliefs

    def weigh(self, memory: Memory | None, now_us: int, still: bool) -> bool:
        """Towers that were left open, by what rests on the board as well, if all is `still` since.

        True when nothing is waited for any more.
        """
        look = self.open
        if look is None:
            return False
        speaks = still and memory is not None and memory.alive and memory.feels
        load = memory.resting(look.since_us) if speaks and memory is not None else None
        if still and load is None and now_us - look.t_us < _WEIGHS_US:
            return False
        if load is not None and memory is not None:
            self._weigh(look, load, memory.centre_mm)
        self.open = None
        return True

    def _weigh(self, look: Look, load: Load, centre_mm: Point | None) -> None:
        unsure = self.unsure & self._beliefs.keys()
        beliefs = {tower: self._left_open(tower, tower in unsure) for tower in self._beliefs}
        shares = weighed(beliefs, self._castle, self._board, load, centre_mm)
        if shares is None:
            return
        levels = {tower: int(shares[tower].argmax()) for tower in unsure}
        other = {tower: Bounds(many, many) for tower, many in levels.items() if many != self._castle.levels(tower)}
        for tower, read in read_towers(look.picture, look.window, self._castle, other).items():
            self._castle.rebuild(tower, read.pieces)
        self._sure |= {tower: float(shares[tower].max()) for tower in unsure}

    def _left_open(self, tower: str, unsure: bool) -> Floats:
        """What was believed of a tower; of one that is sure, nothing else."""
        belief = self._beliefs[tower]
        known = np.arange(len(belief)) == self._castle.levels(tower)
        return belief if unsure else np.where(known, belief, -np.inf)

    def read_fallen(self, look: Look, change: Change) -> bool:
        """Towers after a fall: those that it touched are as this picture alone shows them. Whether all were seen."""
        seen = in_sight(self._castle, change, look.window)
        touched = ruins(self._castle, change, look.window)
        stood = Castle(self._board, self._castle.kit)
        stood.restore(list(self._castle))
        for tower, read in read_towers(look.picture, look.window, self._castle, touched).items():
            left = [each for each in read.pieces if may_lie(stood, each, change, look.window)]
            self._castle.rebuild(tower, left)
            self._sure[tower] = max(_SAY_SURE, read.confidence)
        for bridge in [each for each in stood if each.onto is not None]:
            if not still_lies(self._castle, stood, bridge, change, look.window):
                self._castle.take(bridge)
        return seen

    @property
    def unsure(self) -> set[str]:
        """The towers that may be others than they are taken for."""
        return {tower for tower in self._castle.towers if self._sure.get(tower, 0.0) < _READ_SURE}

    def levels(self, look: Look) -> dict[str, int]:
        """How many levels each tower has in this picture alone."""
        reads = read_towers(look.picture, look.window, self._castle)
        return {tower: read.levels for tower, read in reads.items()}

    def heights(self, look: Look) -> Iterator[Height]:
        """What is to be said of the towers that was not said yet; what is still open is not."""
        sure = _SAY_SURE if self.open is None else _READ_SURE
        for tower in self._castle.towers:
            reading = (self._castle.levels(tower), round(self._castle.top_mm(tower), 1))
            if self._said.get(tower) != reading and self._sure.get(tower, 0.0) >= sure:
                self._said[tower] = reading
                yield Height(self._board.id, tower, *reading, look.since_us, look.t_us)
