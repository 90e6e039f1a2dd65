"""What the game has booked and the table has not shown yet: people may touch the screen first and build then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from companion.live.pieces import Place, fits
from companion.sensing.streams import Sensed

_KEPT_US = 300_000_000  # how long a booking waits to be seen: afterwards the senses have missed it


@dataclass
class _Entry:
    """So many pieces of a kind that are to come, or with a negative count to go."""

    seat: int
    place: Place
    count: int
    until_us: int


class Ledger:
    """Bookings that wait for their pieces to be sensed."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []

    def booked(self, seat: int, changes: Mapping[Place, int], now_us: int) -> None:
        """The game has put up (or with negative counts taken down) these pieces. What went and came back is even."""
        for place, change in changes.items():
            rest = self._evened(seat, place, change)
            if rest:
                self._entries.append(_Entry(seat, place, rest, now_us + _KEPT_US))

    def _evened(self, seat: int, place: Place, change: int) -> int:
        for entry in self._entries:
            if (entry.seat, entry.place) == (seat, place) and entry.count * change < 0:
                even = min(abs(entry.count), abs(change)) * (1 if change > 0 else -1)
                entry.count += even
                change -= even
        self._entries = [entry for entry in self._entries if entry.count]
        return change

    def shown(self, seat: int, event: Sensed) -> bool:
        """Whether the event is a piece that was booked before; it is taken off the ledger."""
        sign = 1 if event.kind == "placed" else -1
        for entry in self._entries:
            if entry.seat == seat and entry.count * sign > 0 and fits(event, entry.place):
                entry.count -= sign
                self._entries = [each for each in self._entries if each.count]
                return True
        return False

    def agreed(self, seat: int, tower: str) -> None:
        """A tower is read just as high as the game has it: no tile of it is waited for."""
        self._entries = [entry for entry in self._entries if (entry.seat, entry.place) != (seat, ("tile", tower))]

    def forget(self, now_us: int) -> None:
        """Wait no longer for what was missed."""
        self._entries = [entry for entry in self._entries if entry.until_us > now_us]


def difference(before: Counter[Place], after: Counter[Place]) -> dict[Place, int]:
    """What came (positive) and went (negative).

    >>> difference(Counter({("tile", "left"): 2}), Counter({("tile", "left"): 1, ("pillar", "left"): 1}))
    {('tile', 'left'): -1, ('pillar', 'left'): 1}
    """
    places = dict.fromkeys((*before, *after))
    return {place: after[place] - before[place] for place in places if after[place] != before[place]}
