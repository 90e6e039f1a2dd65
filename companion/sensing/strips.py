"""The force on each board as a strip under the picture: the last seconds of its weight, with the events marked."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np

from companion.sensing import pens
from companion.sensing.plan import Board
from companion.sensing.streams import Image, ScaleSample, Sensed
from companion.sensing.traces import BoardWeight

HEIGHT_PX = 72

_SHOWN_S = 10.0
_US_PER_S = 1_000_000
_LEAST_RANGE_G = 8.0
_CALM_DOWN = 0.97  # how fast the scale shrinks again after a blow, from picture to picture
_HEAD_PX, _FOOT_PX = 20, 7
_TEXT, _SMALL = 0.42, 0.36
_MARKED = ("placed", "removed", "collapse", "bump")


class Strip:
    """The strip of one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._weight = BoardWeight(board)
        self._trace: deque[tuple[int, float]] = deque()
        self._events: deque[Sensed] = deque()
        self._span_g: tuple[float, float] | None = None

    def felt(self, sample: ScaleSample) -> None:
        """One sample more of this board."""
        self._trace.append((sample.t_us, self._weight.grams(sample)))

    def heard(self, event: Sensed) -> None:
        """Something happened here, or to the whole table."""
        if event.kind in _MARKED and event.board in (None, self.board.id):
            self._events.append(event)

    def draw(self, canvas: Image, now_us: int) -> None:
        """Fill this part of a picture with the last seconds."""
        self._forget(now_us - round(_SHOWN_S * _US_PER_S))
        canvas[:] = pens.PAPER
        canvas[0] = pens.RULE
        self._seconds(canvas, now_us)
        if not self._weight.known or not self._trace:
            pens.write(canvas, f"{self.board.id}   no weight", (8, 13), _TEXT, pens.DIM)
            return
        for event in self._events:
            self._mark(canvas, event, now_us)
        self._line(canvas, now_us)
        pens.write(canvas, f"{self.board.id}   {self._trace[-1][1]:.1f} g", (8, 13), _TEXT)

    def _forget(self, before_us: int) -> None:
        while len(self._trace) > 1 and self._trace[1][0] < before_us:
            self._trace.popleft()
        while self._events and self._events[0].t_us < before_us:
            self._events.popleft()

    def _seconds(self, canvas: Image, now_us: int) -> None:
        """A faint line for each whole second."""
        for second in range(int(now_us // _US_PER_S - _SHOWN_S), now_us // _US_PER_S + 1):
            x = self._x(canvas, second * _US_PER_S, now_us)
            if 0 <= x < canvas.shape[1]:
                canvas[_HEAD_PX:, x] = pens.RULE

    def _mark(self, canvas: Image, event: Sensed, now_us: int) -> None:
        x, colour = self._x(canvas, event.t_us, now_us), pens.KINDS[event.kind]
        cv2.line(canvas, (x, _HEAD_PX - 1), (x, canvas.shape[0] - 1), colour, 2 if event.kind == "collapse" else 1)
        wide, _ = pens.extent(event.kind, _SMALL)
        if x > canvas.shape[1] // 4:
            pens.write(canvas, event.kind, (min(x - wide // 2, canvas.shape[1] - wide - 4), 13), _SMALL, colour)

    def _line(self, canvas: Image, now_us: int) -> None:
        low_g, high_g = self._span()
        down = canvas.shape[0] - _HEAD_PX - _FOOT_PX
        times, grams = (np.array(each, float) for each in zip(*self._trace, strict=True))
        xs = canvas.shape[1] * (1 - (now_us - times) / (_SHOWN_S * _US_PER_S))
        ys = canvas.shape[0] - _FOOT_PX - down * (grams - low_g) / (high_g - low_g)
        points = np.round(np.column_stack([xs, ys]) * 16).astype(np.int32)
        cv2.polylines(canvas, [points], False, pens.INK, 1, cv2.LINE_AA, 4)

    def _span(self) -> tuple[float, float]:
        """The least and the greatest weight that the strip has room for: it grows at once and shrinks slowly."""
        grams = [value for _, value in self._trace]
        low, high = min(grams), max(grams)
        spare = max(0.0, _LEAST_RANGE_G - (high - low)) / 2
        low, high = low - spare, high + spare
        if self._span_g is not None:
            old_low, old_high = self._span_g
            low = min(low, low + (old_low - low) * _CALM_DOWN)
            high = max(high, high + (old_high - high) * _CALM_DOWN)
        self._span_g = (low, high)
        return low, high

    @staticmethod
    def _x(canvas: Image, t_us: int, now_us: int) -> int:
        return int(canvas.shape[1] * (1 - (now_us - t_us) / (_SHOWN_S * _US_PER_S)))


def draw_strips(canvas: Image, strips: Sequence[Strip], now_us: int) -> None:
    """Share a picture out among the strips: one below the other, in two columns when there are more than two."""
    columns = columns_of(len(strips))
    wide = canvas.shape[1] // columns
    for number, strip in enumerate(strips):
        row, column = divmod(number, columns)
        left, top = column * wide, row * HEIGHT_PX
        strip.draw(canvas[top : top + HEIGHT_PX, left : left + wide - (column < columns - 1)], now_us)


def columns_of(strips: int) -> int:
    """In how many columns so many strips stand."""
    return 1 if strips <= 2 else 2
