"""Pieces that are gathered up after a fall: the load goes down a flight of stairs, a tread for each piece or handful.

The hand knocks about what it gathers, and takes the next piece before the load has settled. Between two of them the
load lies still for a moment all the same: such a tread is a piece or two lower than the one before.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.sensing.incidents import ONE_ACCIDENT_US
from companion.sensing.scales.boards import BoardScales
from companion.sensing.scales.evidence import Load, StepEvidence
from companion.sensing.scales.pieces import Masses
from companion.sensing.scales.quiet import Rows
from companion.sensing.scales.site import Site

_LEFT_ALONE_US = 800_000  # after a fall nobody gathers anything up for so long at the least
_WHOLE_PART = 0.75  # of the lightest piece: what is less is none
_TREAD_US = 120_000  # for so long the load lies still between two pieces
_FEWEST_ROWS = 3
_STEADY_PART, _SIGMAS = 0.4, 8.0  # of the lightest piece, and of the noise: how far a load that lies still may waver
_EACH_US = 1_000_000  # so long it takes a hand to reach for one piece more where no tread tells of it
_MOST = 4  # pieces from one tread to the next that can be told apart by their weight


class Taken(msgspec.Struct, frozen=True):
    """What was taken: when, how heavy it is, and which piece that is, if it is one."""

    t_us: int
    grams: float
    piece: str | None


class Gathering:
    """Watches one board for what is gathered up. `touched_us` of an accident is when something last fell in it."""

    def __init__(self, scales: BoardScales, site: Site, masses: Masses) -> None:
        self._scales, self._site, self._masses = scales, site, masses
        self._lying_us: int | None = None

    def begin(self) -> None:
        """What fell has come to lie, if it had not before."""
        if self._lying_us is None and self._scales.rows.t_us:
            self._lying_us = self._scales.rows.t_us[-1]

    def end(self) -> None:
        """Somebody builds again: what lay about is cleared away."""
        self._lying_us = None

    def is_on(self, t_us: int) -> bool:
        """Whether things lay about then, and had for a while."""
        return self._lying_us is not None and t_us > self._lying_us + _LEFT_ALONE_US

    def taken(self, step: StepEvidence, touched_us: int | None, knocked: bool) -> list[Taken]:
        """What was taken until the load settled, in the order of time; nothing where it did not come about so.

        It lay on the board, and what goes again as soon as an accident brought it did not. A board on which things are
        `knocked` over loses some of them at once.
        """
        less = self._is_less(step.change) and (touched_us is None or not self._is_back(step, touched_us))
        if not less or not self.is_on(step.began_us):
            return []
        flight = list(self._flight(step))
        if not self._lay_there(step.change) and not self._lay_there(*(drop.change for drop in flight)):
            return []
        taken = [each for drop in flight for each in drop.pieces(step.sigma.force_g, self._masses, self._site.common)]
        return taken if all(each.piece for each in taken) or not knocked else []

    def _lay_there(self, *changes: Load) -> bool:
        """Whether what went lay on the board, all of it."""
        return all(self._site.on_board(*self._scales.steps.position(change)) for change in changes)

    def _is_back(self, step: StepEvidence, touched_us: int) -> bool:
        """Whether no less is on the board than before an accident just now."""
        gained = self._scales.rests.gained(touched_us)
        return step.began_us - touched_us < ONE_ACCIDENT_US and gained is not None and not self._is_less(gained)

    def _is_less(self, change: Load) -> bool:
        return self._masses.known and change.force_g < -_WHOLE_PART * self._masses.lightest_g

    def _flight(self, step: StepEvidence) -> Iterator[_Drop]:
        """From tread to tread, each lower by what a few pieces weigh."""
        rows, steps, masses = self._scales.rows, self._scales.steps, self._masses
        assert steps.reference is not None
        reference, sigma_g = steps.reference, step.sigma.force_g
        steady_g = max(_STEADY_PART * masses.lightest_g, _SIGMAS * steps.force_noise.sigma)
        top = _Tread(step.began_us, step.began_us, reference, reference)
        flight = [_Tread(step.t_us, step.decided_us, rows.level().load, rows.level().load)]
        for tread in reversed(list(_treads(rows, rows.since(step.began_us), steady_g))):
            drops_g = (tread.force_g - flight[-1].force_g, reference.force_g - tread.force_g)
            if abs(drops_g[0]) < steady_g:
                flight[-1] = tread.until(flight[-1])
            elif abs(drops_g[1]) < steady_g:
                top = top if top.to_us > tread.to_us else top.until(tread)
            elif all(masses.together(grams, sigma_g, _MOST) for grams in drops_g):
                flight.append(tread)
        for upper, lower in zip([top, *flight[:0:-1]], reversed(flight), strict=True):
            yield _Drop(upper.to_us, lower.from_us, lower.first.minus(upper.last))


class _Tread(msgspec.Struct, frozen=True):
    """A load that lay still for a moment; its centre may have moved from the `first` to the `last` of it."""

    from_us: int
    to_us: int
    first: Load
    last: Load

    @property
    def force_g(self) -> float:
        return self.first.force_g

    def until(self, later: _Tread) -> _Tread:
        """This one and a later one as one."""
        return _Tread(self.from_us, later.to_us, self.first, later.last)


class _Drop(msgspec.Struct, frozen=True):
    """By how much the load is less on the lower one of two treads, and from when to when it became so."""

    from_us: int
    to_us: int
    change: Load

    def pieces(self, sigma_g: float, masses: Masses, common: frozenset[str]) -> Iterator[Taken]:
        """What was taken: one piece after the other, the last as the lower tread was reached.

        More than a hand can take in that time left the board at once, in a handful or with a push.
        """
        grams, long_us = -self.change.force_g, self.to_us - self.from_us
        pieces = masses.together(grams, sigma_g, _MOST, common)
        if not pieces or len(pieces) > 1 + long_us // _EACH_US:
            yield Taken(self.to_us, grams, None)
            return
        for left, piece in zip(range(len(pieces) - 1, -1, -1), pieces, strict=True):
            yield Taken(self.to_us - left * long_us // len(pieces), grams * masses.part(piece, pieces), piece)


def _treads(rows: Rows, begin: int, steady_g: float) -> Iterator[_Tread]:
    """Where the load lay still for a moment, the oldest first."""
    while begin < len(rows.t_us):
        end = _still_until(rows, begin, steady_g)
        if end - begin >= _FEWEST_ROWS and rows.t_us[end - 1] - rows.t_us[begin] >= _TREAD_US:
            level = rows.level_of(begin, end)
            yield _Tread(level.from_us, level.to_us, level.load, level.load)
            begin = end
        else:
            begin += 1


def _still_until(rows: Rows, begin: int, steady_g: float) -> int:
    """The first row that is no longer as still as those from `begin`."""
    low = high = rows.force[begin]
    for index in range(begin, len(rows.force)):
        low, high = min(low, rows.force[index]), max(high, rows.force[index])
        if high - low > steady_g:
            return index
    return len(rows.force)
