"""Glitch rejection: readings that no load can have made are taken out before anything is computed from them.

Bit-banged converters now and then give a value of 2^n - 1, the value of a neighbouring channel, or a wild one. What
has such a signature goes at once; a jump of one channel alone is held back for a single row and judged by what follows.
A jump that other channels feel, too, is believed at once: on slow chips a row is a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from companion.sensing.streams import Flag, ScaleSample

Counts: TypeAlias = tuple[float | None, ...]
Clean: TypeAlias = tuple[int, Counts]

_FULL_SCALE = 2**23 - 1
_SMALLEST_PATTERN = 255
_JUMP_SIGMAS = 8.0
_JUMP_G = 0.6
_ALIKE_G = 0.5
_NEIGHBOUR_JUMP_G = 4.0
_STILL_PART = 0.25
_IMPLAUSIBLE_PEAK_G = 600.0
_IMPLAUSIBLE_PULL_G = 60.0
_BACK_PART = 0.05
_BACK_SIGMAS = 4.0
_SUPPORT_PART = 0.03
_PATIENCE = 3


class GlitchFilter:
    """Cleans the rows of one board: `push` returns the rows that are now certain, oldest first.

    A channel's value is None where the converter gave none or where it was a glitch. `glitches` counts by channel.
    """

    def __init__(self, counts_per_g: Sequence[float]) -> None:
        self._gains = tuple(counts_per_g)
        self._last: list[float | None] = [None] * len(self._gains)
        self._refused = [0] * len(self._gains)
        self._held: tuple[int, Counts, int] | None = None
        self.glitches = [0] * len(self._gains)
        self.noise_g = 0.05

    def push(self, sample: ScaleSample) -> list[Clean]:
        """Take in a row; what comes out is this row, or none, or a row that was held back and this one."""
        t_us, counts = sample.t_us, self._plausible(sample)
        if self._held is not None:
            return self._resolved(t_us, counts)
        return self._taken(t_us, counts)

    def _taken(self, t_us: int, counts: Counts) -> list[Clean]:
        """A row, unless it must be held back."""
        lonely = self._lonely_jump(counts)
        if lonely is not None:
            self._held = (t_us, counts, lonely)
            return []
        self._remember(counts)
        return [(t_us, counts)]

    def flush(self) -> list[Clean]:
        """The row still held back, without what was doubtful in it."""
        if self._held is None:
            return []
        t_us, counts, lonely = self._held
        self._held = None
        return [(t_us, _without(counts, lonely))]

    def _plausible(self, sample: ScaleSample) -> Counts:
        raw = sample.counts
        if sample.flags & Flag.SETTLING:
            return (None,) * len(self._gains)
        kept: list[float | None] = []
        for channel, value in enumerate(raw[: len(self._gains)]):
            last = self._last[channel]
            if value is None or value >= _FULL_SCALE or value < -_FULL_SCALE:
                kept.append(None)
            elif last is None or abs(value - last) < _JUMP_G * abs(self._gains[channel]):
                self._refused[channel] = 0
                kept.append(value)
            else:
                kept.append(self._unless_a_glitch(channel, value, last, raw))
        kept += [None] * (len(self._gains) - len(kept))
        return tuple(kept)

    def _unless_a_glitch(self, channel: int, value: int, last: float, raw: Sequence[int | None]) -> float | None:
        if self._refused[channel] < _PATIENCE and self._signature(channel, value, last, raw):
            self.glitches[channel] += 1
            self._refused[channel] += 1
            return None
        if self._refused[channel] == _PATIENCE:
            self._last[channel] = value
        self._refused[channel] = 0
        return value

    def _signature(self, channel: int, value: int, last: float, raw: Sequence[int | None]) -> bool:
        jump_g = (value - last) / self._gains[channel]
        if jump_g > _IMPLAUSIBLE_PEAK_G or jump_g < -_IMPLAUSIBLE_PULL_G or _is_pattern(value):
            return True
        if abs(jump_g) < _NEIGHBOUR_JUMP_G:
            return False
        alike = _ALIKE_G * abs(self._gains[channel])
        return any(
            other != channel and abs(counts - value) < alike and self._stiller(other, counts, jump_g)
            for other, counts in enumerate(raw[: len(self._gains)])
            if counts is not None
        )

    def _stiller(self, channel: int, counts: int, than_g: float) -> bool:
        """Whether a channel moved much less than that: a load that moves one cell moves its neighbours with it."""
        last = self._last[channel]
        return last is not None and abs(counts - last) < _STILL_PART * abs(than_g * self._gains[channel])

    def _lonely_jump(self, counts: Counts) -> int | None:
        """The channel that jumps while no other one feels anything; None where all may be as it seems."""
        limit = max(_JUMP_G, _JUMP_SIGMAS * self.noise_g)
        jumping = [
            channel
            for channel, (value, last) in enumerate(zip(counts, self._last, strict=True))
            if value is not None and last is not None and abs(value - last) > limit * abs(self._gains[channel])
        ]
        return jumping[0] if len(jumping) == 1 and not self._supported(jumping[0], counts) else None

    def _resolved(self, t_us: int, counts: Counts) -> list[Clean]:
        assert self._held is not None
        held_us, held, lonely = self._held
        self._held = None
        if not self._came_back(lonely, held, counts):
            self._remember(held)
            self._remember(counts)
            return [(held_us, held), (t_us, counts)]
        self.glitches[lonely] += 1
        held = _without(held, lonely)
        self._remember(held)
        return [(held_us, held), *self._taken(t_us, counts)]

    def _came_back(self, channel: int, held: Counts, counts: Counts) -> bool:
        before, peak, after = self._last[channel], held[channel], counts[channel]
        if before is None or peak is None or after is None:
            return False
        gain = abs(self._gains[channel])
        return abs(after - before) < max(_BACK_SIGMAS * self.noise_g * gain, _BACK_PART * abs(peak - before))

    def _supported(self, channel: int, held: Counts) -> bool:
        """Whether another channel felt it too: a load between the cells is felt by more than one."""
        peak, before = held[channel], self._last[channel]
        if peak is None or before is None:
            return False
        part_g = _SUPPORT_PART * abs(peak - before) / abs(self._gains[channel])
        limit_g = max(part_g, _BACK_SIGMAS * self.noise_g)
        return any(
            other != channel and value is not None and last is not None and abs((value - last) / gain) > limit_g
            for other, (value, last, gain) in enumerate(zip(held, self._last, self._gains, strict=True))
        )

    def _remember(self, counts: Counts) -> None:
        for channel, value in enumerate(counts):
            if value is not None:
                self._last[channel] = value


def _without(counts: Counts, wild: int) -> Counts:
    """A row without the value of one channel."""
    return tuple(None if channel == wild else value for channel, value in enumerate(counts))


def _is_pattern(value: int) -> bool:
    """All ones below some bit, or only that bit and ones above: what a clock pulse too many or too few leaves."""
    ones = value if value >= 0 else ~value
    return (ones >= _SMALLEST_PATTERN and ones & (ones + 1) == 0) or value in (0, -1)
