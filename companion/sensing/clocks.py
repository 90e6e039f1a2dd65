"""How far the camera's clock is ahead of the scales': learned from what both senses notice at the same moment.

What hits a board is felt in a blink, and seen as motion that is at its greatest. A single pair says little, since much
moves about an impact; the lag at which pairs meet again and again is the offset.
"""

from __future__ import annotations

from collections import deque

_FARTHEST_US = 150_000  # clocks that differ by more are broken, and left alone
_STEP_US = 5_000
_BLUR_US = 20_000  # how exactly a frame's time can tell
_MOMENTS = 24  # remembered of each sense
_LEAST_PAIRS = 4  # that must agree
_AGREE_PART = 0.5  # of all impacts that were seen at all


class Clocks:
    """Learns the offset of two clocks from the moments that each sense notices."""

    def __init__(self) -> None:
        self._felt: deque[int] = deque(maxlen=_MOMENTS)
        self._seen: deque[int] = deque(maxlen=_MOMENTS)
        self.offset_us = 0

    def felt(self, t_us: int) -> None:
        """The scales felt something hit a board."""
        self._felt.append(t_us)

    def saw(self, t_us: int) -> None:
        """The eye saw motion over a board at its greatest."""
        self._seen.append(t_us)
        self._learn()

    def on_scales(self, t_us: int) -> int:
        """A time of the camera's clock on the scales'."""
        return t_us - self.offset_us

    def _learn(self) -> None:
        lags = [seen - felt for felt in self._felt for seen in self._seen if abs(seen - felt) <= _FARTHEST_US]
        paired = sum(any(abs(seen - felt) <= _FARTHEST_US for seen in self._seen) for felt in self._felt)
        steps = range(-_FARTHEST_US, _FARTHEST_US + 1, _STEP_US)
        best = max(steps, key=lambda at: (_votes(lags, at), -abs(at)))
        agreeing = [lag for lag in lags if abs(lag - best) <= _BLUR_US]
        if len(agreeing) >= max(_LEAST_PAIRS, _AGREE_PART * paired):
            self.offset_us = sorted(agreeing)[len(agreeing) // 2]


def _votes(lags: list[int], at_us: int) -> float:
    """How many pairs are about so far apart; nearer ones count more."""
    return sum(max(0.0, 1 - abs(lag - at_us) / (2 * _BLUR_US)) for lag in lags)
