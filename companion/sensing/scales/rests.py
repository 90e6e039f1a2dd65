"""What rested on a board, and when: so that an accident that was none can be weighed afterwards."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from companion.sensing.scales.evidence import Load
from companion.sensing.scales.quiet import Rows

_APART_US = 100_000  # how often what rests is noted
_REMEMBERED = 100
_AFTER_US = 300_000  # what rests so soon after an event may be part of it


class Rests:
    """The loads that rested on one board in the last seconds."""

    def __init__(self) -> None:
        self._loads: deque[tuple[int, Load]] = deque(maxlen=_REMEMBERED)

    def note(self, rows: Rows) -> None:
        """The board lies still, as its newest rows tell."""
        if not self._loads or rows.t_us[-1] - self._loads[-1][0] >= _APART_US:
            self._loads.append((rows.t_us[-1], rows.level().load))

    def forget(self) -> None:
        """Other cells speak from now on: what they say is not to be held against what these said."""
        self._loads.clear()

    @property
    def loads(self) -> tuple[tuple[int, Load], ...]:
        """When what rested there, in the order of time."""
        return tuple(self._loads)

    def rested_us(self, until_us: int) -> int | None:
        """When the board lay still last until then; None where nobody knows."""
        return next((t_us for t_us, _ in reversed(self._loads) if t_us <= until_us), None)

    def gained(self, since_us: int) -> Load | None:
        """What came onto the board since then, less what went; None where it did not lie still before and after."""
        return gained(self._loads, since_us)


def gained(loads: Sequence[tuple[int, Load]], since_us: int) -> Load | None:
    """What came since then by what rested when, less what went; None where nothing rested before and after."""
    before = next((load for t_us, load in reversed(loads) if t_us <= since_us), None)
    if before is None or loads[-1][0] <= since_us + _AFTER_US:
        return None
    return loads[-1][1].minus(before)
