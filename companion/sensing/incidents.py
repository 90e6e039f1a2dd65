"""One accident, one collapse: however many pieces fall and whichever sense tells first."""

from __future__ import annotations

from collections import deque

ONE_ACCIDENT_US = 2_500_000  # touches on one board closer together than this are one accident
_REMEMBERED = 64


class Incidents:
    """The accidents of one board. `last_us` is when something fell last."""

    def __init__(self) -> None:
        self._fell_us: deque[int] = deque(maxlen=_REMEMBERED)
        self.last_us: int | None = None

    def is_new(self, t_us: int) -> bool:
        """Whether a fall at that time is an accident of its own; it is remembered either way."""
        self._fell_us.append(t_us)
        new = self.last_us is None or abs(t_us - self.last_us) >= ONE_ACCIDENT_US
        self.last_us = t_us if self.last_us is None else max(t_us, self.last_us)
        return new

    def before(self, t_us: int, within_us: int) -> bool:
        """Whether an accident happened before that time, and no longer before."""
        return any(0 < t_us - fell_us < within_us for fell_us in self._fell_us)

    def since(self, t_us: int) -> bool:
        """Whether an accident happened after that time."""
        return self.last_us is not None and self.last_us >= t_us

    def near(self, t_us: int, within_us: int = ONE_ACCIDENT_US) -> bool:
        """Whether an accident happened about then."""
        return self.last_us is not None and abs(t_us - self.last_us) < within_us
