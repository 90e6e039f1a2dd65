"""Pictures of the demo: the table with what is read in it, a fall frame by frame, and the force of it."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import cv2
import numpy as np

from companion.live.shown import BoardReading, Reading, TowerReading
from companion.rules.castle_dukes.supply import amount
from companion.sensing import pens
from companion.sensing.evidence import Evidence, Picture
from companion.sensing.resizing import resized
from companion.sensing.streams import Image
from companion.sensing.views import Floats

_QUALITY = 88
_WIDE_PX = 960
_LABEL, _TEXT = 0.5, 0.45
_ROOM, _UPWARD = 1.25, 0.06
"""How much more than the boards is shown, and how far above their middle the picture's middle is: castles are high."""
_STRIP_AT_S = (-0.6, -0.2, 0.0, 0.15, 0.4, 0.9)
_STRIP_ROW = 3
_GAP_PX = 6
_TRACE_HIGH_PX = 300
_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX = 66, 18, 30, 34
_SPAN_S = (-1.5, 1.2)
_LEAST_SPAN_G = 20.0
_STEPS_G, _MOST_LINES = (5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000), 6
"""How far apart the lines of a diagram may be, and how many there are at most."""
_FINE = 4
_US_PER_S = 1_000_000
_CONTACT = pens.KINDS["collapse"]


def jpeg(image: Image) -> bytes:
    """A photograph as a file."""
    return cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))[1].tobytes()


def png(image: Image) -> bytes:
    """A drawing as a file."""
    return cv2.imencode(".png", image)[1].tobytes()


# The table


class View(NamedTuple):
    """The part of a picture that is worth looking at: its upper left corner, its size, and what it is enlarged by."""

    left: int
    top: int
    wide: int
    high: int
    zoom: float

    def of(self, image: Image) -> Image:
        """That part of a picture, enlarged."""
        part = image[self.top : self.top + self.high, self.left : self.left + self.wide]
        return resized(np.ascontiguousarray(part), (round(self.wide * self.zoom), round(self.high * self.zoom)))

    def pixels(self, points: Sequence[tuple[float, float]]) -> Floats:
        """Where points of the picture are in the enlarged part."""
        return (np.asarray(points, float) - (self.left, self.top)) * self.zoom


def view_of(image: Image, boards: Sequence[BoardReading], wide_px: int = _WIDE_PX) -> View:
    """The boards with what may stand on them, in the shape of the picture; all of it while they are not found."""
    high, wide = image.shape[:2]
    points = [point for board in boards for point in board.outline]
    if not points:
        return View(0, 0, wide, high, wide_px / wide)
    low, far = np.min(points, axis=0), np.max(points, axis=0)
    share = min(1.0, max(far[0] - low[0], (far[1] - low[1]) * wide / high) * _ROOM / wide)
    part = np.array((wide, high)) * share
    middle = (low + far) / 2 - (0, part[1] * _UPWARD)
    left, top = np.clip(middle - part / 2, 0, np.array((wide, high)) - part)
    return View(int(left), int(top), int(part[0]), int(part[1]), wide_px / int(part[0]))


def table(image: Image, reading: Reading, names: Sequence[str]) -> Image:
    """The newest picture with every board and tower that is read in it."""
    view = view_of(image, reading.boards)
    canvas = view.of(image)
    for board in reading.boards:
        _draw_board(canvas, board, view, names)
    for board in reading.boards:
        for tower in board.towers:
            if tower.levels:
                _draw_tower(canvas, tower, view)
    return canvas


def _draw_board(canvas: Image, board: BoardReading, view: View, names: Sequence[str]) -> None:
    if not board.outline:
        return
    ring = view.pixels(board.outline)
    pens.outline(canvas, ring, pens.BOARD)
    name = names[board.seat] if board.seat is not None and board.seat < len(names) else board.board
    words = name if board.grams is None else f"{name}: {board.grams:.0f} g"
    nearest = ring[int(np.argmax(ring[:, 1]))]
    _write(canvas, words, float(nearest[0]), float(nearest[1]) + 6)


def _draw_tower(canvas: Image, tower: TowerReading, view: View) -> None:
    if not tower.outline:
        return
    ring = view.pixels(tower.outline)
    pens.outline(canvas, ring, pens.TOWER, 2, share=0.12)
    words = f"{tower.tower}: {amount(tower.levels or 0, 'level')}"
    words += "" if tower.top_mm is None else f", {tower.top_mm:.0f} mm"
    high = pens.plate_size(words, _LABEL)[1]
    _write(canvas, words, float(ring[:, 0].mean()), float(ring[:, 1].min()) - high - 6, pens.TOWER)


def _write(canvas: Image, words: str, middle: float, top: float, colour: pens.Colour = pens.INK) -> None:
    """Words on a plate, as near to their place as the picture has room."""
    wide, high = pens.plate_size(words, _LABEL)
    left = int(np.clip(middle - wide / 2, 0, canvas.shape[1] - wide))
    pens.label(canvas, words, (left, int(np.clip(top, 0, canvas.shape[0] - high))), _LABEL, colour)


# A fall


def strip(evidence: Evidence, reading: Reading) -> Image | None:
    """The fall on its board in a few pictures, the one of the contact marked. None where nothing was seen of it."""
    if not evidence.pictures:
        return None
    boards = [board for board in reading.boards if board.board == evidence.event.board]
    view = view_of(evidence.pictures[0].image(), boards, _WIDE_PX // _STRIP_ROW - _GAP_PX)
    chosen = list(dict.fromkeys(_nearest(evidence, after_s) for after_s in _STRIP_AT_S))
    cells = [_cell(picture, evidence, view) for picture in chosen]
    cells += [np.full_like(cells[0], pens.PAPER)] * (-len(cells) % _STRIP_ROW)
    rows = [np.hstack(cells[at : at + _STRIP_ROW]) for at in range(0, len(cells), _STRIP_ROW)]
    return np.vstack(rows)[:-_GAP_PX, :-_GAP_PX]


def _nearest(evidence: Evidence, after_s: float) -> Picture:
    wanted_us = evidence.event.t_us + after_s * _US_PER_S
    return min(evidence.pictures, key=lambda picture: abs(picture.t_us - wanted_us))


def _cell(picture: Picture, evidence: Evidence, view: View) -> Image:
    shown = view.of(picture.image())
    after_s = (picture.t_us - evidence.event.t_us) / _US_PER_S
    contact = picture == evidence.moment()
    if contact:
        cv2.rectangle(shown, (1, 1), (shown.shape[1] - 2, shown.shape[0] - 2), _CONTACT, 3)
    pens.label(shown, "contact" if contact else f"{after_s:+.2f} s", (6, 6), _TEXT)
    cell: Image = np.full((shown.shape[0] + _GAP_PX, shown.shape[1] + _GAP_PX, 3), pens.PAPER, np.uint8)
    cell[: shown.shape[0], : shown.shape[1]] = shown
    return cell


# A force


def trace(evidence: Evidence, called_us: int) -> Image | None:
    """The load of the board around the contact. None where nothing was weighed."""
    points = [
        ((t_us - evidence.event.t_us) / _US_PER_S, grams)
        for t_us, grams in evidence.force_g()
        if _SPAN_S[0] <= (t_us - evidence.event.t_us) / _US_PER_S <= _SPAN_S[1]
    ]
    if len(points) < 2:
        return None
    return _Diagram(points).drawn((called_us - evidence.event.t_us) / _US_PER_S)


class _Diagram:
    """Grams over seconds."""

    def __init__(self, points: Sequence[tuple[float, float]]) -> None:
        self._points = points
        low, high = min(grams for _, grams in points), max(grams for _, grams in points)
        spare = max(_LEAST_SPAN_G - (high - low), 0.15 * (high - low)) / 2
        self._low, self._high = low - spare, high + spare

    def drawn(self, called_s: float) -> Image:
        canvas: Image = np.full((_TRACE_HIGH_PX, _WIDE_PX, 3), pens.PAPER, np.uint8)
        self._rule(canvas)
        line = [(self._x(at_s), self._y(grams)) for at_s, grams in self._points]
        fine = np.round(np.asarray(line) * (1 << _FINE)).astype(np.int32)
        cv2.polylines(canvas, [fine], False, pens.MOVING, 2, cv2.LINE_AA, _FINE)
        self._mark(canvas, 0.0, "contact", _CONTACT)
        if 0 < called_s <= _SPAN_S[1]:
            self._mark(canvas, called_s, "called", pens.INK)
        return canvas

    def _x(self, at_s: float) -> float:
        begin, end = _SPAN_S
        return _LEFT_PX + (at_s - begin) / (end - begin) * (_WIDE_PX - _LEFT_PX - _RIGHT_PX)

    def _y(self, grams: float) -> float:
        share = (grams - self._low) / (self._high - self._low)
        return _TRACE_HIGH_PX - _BOTTOM_PX - share * (_TRACE_HIGH_PX - _TOP_PX - _BOTTOM_PX)

    def _rule(self, canvas: Image) -> None:
        step = next(each for each in _STEPS_G if (self._high - self._low) / each <= _MOST_LINES)
        for nth in range(ceil(self._low / step), int(self._high // step) + 1):
            grams, y = nth * step, round(self._y(nth * step))
            cv2.line(canvas, (_LEFT_PX, y), (_WIDE_PX - _RIGHT_PX, y), pens.RULE, 1)
            words = f"{grams} g"
            pens.write(canvas, words, (_LEFT_PX - 10 - pens.extent(words, _TEXT)[0], y + 5), _TEXT, pens.DIM)
        for half in range(round(_SPAN_S[0] * 2), int(_SPAN_S[1] * 2) + 1):
            words = f"{half / 2:+.1f} s" if half else "0 s"
            left = round(self._x(half / 2)) - pens.extent(words, _TEXT)[0] // 2
            pens.write(canvas, words, (left, _TRACE_HIGH_PX - 12), _TEXT, pens.DIM)

    def _mark(self, canvas: Image, at_s: float, words: str, colour: pens.Colour) -> None:
        x = round(self._x(at_s))
        cv2.line(canvas, (x, _TOP_PX - 6), (x, _TRACE_HIGH_PX - _BOTTOM_PX), colour, 1, cv2.LINE_AA)
        right = x + 8 + pens.extent(words, _TEXT)[0] < _WIDE_PX and at_s > 0
        left = x + 8 if right else x - 8 - pens.extent(words, _TEXT)[0]
        pens.write(canvas, words, (left, _TOP_PX + 6), _TEXT, colour)
