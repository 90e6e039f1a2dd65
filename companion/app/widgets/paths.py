"""Icon paths to points: a small language of absolute moves on a grid with y down.

M x y, L x y, H x, V y, Q cx cy x y, C c1x c1y c2x c2y x y and Z as in SVG; O cx cy r is a circle, E cx cy rx ry an
ellipse, R x y width height radius a rectangle with round corners. Every command letter is written out.

>>> flattened("M1 1 H3 V4 Z")
(Outline(points=((1.0, 1.0), (3.0, 1.0), (3.0, 4.0)), closed=True),)
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

from msgspec import Struct

from companion.errors import Malformed

Point = tuple[float, float]

_CURVE_STEPS = 12
_ROUND_STEPS = 32
_TOKEN = re.compile(r"([A-Za-z])|(-?(?:\d+\.?\d*|\.\d+))|(\S)")
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "C": 6, "Z": 0, "O": 3, "E": 4, "R": 5}


class Outline(Struct, frozen=True):
    """A run of points, joined back to the first when closed."""

    points: tuple[Point, ...]
    closed: bool


@cache
def flattened(path: str) -> tuple[Outline, ...]:
    """The outlines of a path, curves cut into short straight pieces. Raises Malformed."""
    pen = _Pen()
    for letter, numbers in _commands(path):
        pen.draw(letter, numbers)
    return pen.finished()


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    letter, numbers = "", []
    for command, number, stray in _TOKEN.findall(path):
        if stray or (command and command not in _NUMBERS) or (number and not letter):
            raise Malformed(f"The path '{path}' has '{stray or command or number}' where it cannot be.")
        if number:
            numbers.append(float(number))
            continue
        if letter:
            yield _checked(path, letter, numbers)
        letter, numbers = command, []
    if letter:
        yield _checked(path, letter, numbers)


def _checked(path: str, letter: str, numbers: list[float]) -> tuple[str, list[float]]:
    if len(numbers) != _NUMBERS[letter]:
        raise Malformed(f"The path '{path}' gives {letter} {len(numbers)} numbers instead of {_NUMBERS[letter]}.")
    return letter, numbers


class _Pen:
    def __init__(self) -> None:
        self._outlines: list[Outline] = []
        self._points: list[Point] = []

    def draw(self, letter: str, numbers: list[float]) -> None:
        if letter in "OER":
            self._lift()
            self._outlines.append(Outline(tuple(_SHAPES[letter](*numbers)), True))
        elif letter == "M":
            self._lift()
            self._points = [(numbers[0], numbers[1])]
        elif letter == "Z":
            self._lift(closed=True)
        else:
            self._line(letter, numbers)

    def _line(self, letter: str, numbers: list[float]) -> None:
        if not self._points:
            raise Malformed(f"A path draws {letter} before it moves anywhere.")
        x, y = self._points[-1]
        if letter == "H":
            self._points.append((numbers[0], y))
        elif letter == "V":
            self._points.append((x, numbers[0]))
        else:
            through = [(x, y), *zip(numbers[0::2], numbers[1::2], strict=True)]
            self._points.extend(_bent(through))

    def _lift(self, closed: bool = False) -> None:
        if len(self._points) > 1:
            points = self._points[:-1] if closed and self._points[0] == self._points[-1] else self._points
            self._outlines.append(Outline(tuple(points), closed))
        self._points = []

    def finished(self) -> tuple[Outline, ...]:
        self._lift()
        return tuple(self._outlines)


def _bent(through: list[Point]) -> Iterator[Point]:
    """The Bezier curve through its control points, without its start."""
    steps = 1 if len(through) == 2 else _CURVE_STEPS
    for step in range(1, steps + 1):
        points, share = through, step / steps
        while len(points) > 1:
            points = [_between(a, b, share) for a, b in pairwise(points)]
        yield points[0]


def _between(a: Point, b: Point, share: float) -> Point:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def _ellipse(cx: float, cy: float, rx: float, ry: float, start: float = 0.0, share: float = 1.0) -> Iterator[Point]:
    steps = max(2, round(_ROUND_STEPS * share))
    for step in range(steps if share == 1.0 else steps + 1):
        turn = 2 * math.pi * (start + share * step / steps)
        yield (cx + rx * math.cos(turn), cy + ry * math.sin(turn))


def _circle(cx: float, cy: float, r: float) -> Iterator[Point]:
    return _ellipse(cx, cy, r, r)


def _rectangle(x: float, y: float, width: float, height: float, radius: float) -> Iterator[Point]:
    right, bottom = x + width - radius, y + height - radius
    corners = (
        (right, bottom, 0.0),
        (x + radius, bottom, 0.25),
        (x + radius, y + radius, 0.5),
        (right, y + radius, 0.75),
    )
    for cx, cy, start in corners:
        if radius:
            yield from _ellipse(cx, cy, radius, radius, start, 0.25)
        else:
            yield (cx, cy)


_SHAPES: dict[str, Callable[..., Iterator[Point]]] = {"O": _circle, "E": _ellipse, "R": _rectangle}
