"""Which part of a camera's picture is worth showing: the boards with what stands on them, as large as it fits."""

from __future__ import annotations

from collections.abc import Iterable

from companion.live.shown import Reading

Point = tuple[float, float]
View = tuple[float, float, float, float]
"""The left edge, the top edge, the width and the height of a part of a picture."""

_ROOM = 1.12
_HEADROOM = 0.12
"""How much more than the boards is shown all round, and above them for castles that grow."""
_EDGE = 0.02
_TOO_WIDE, _SAME_SHAPE = 1.25, 0.02
"""A view is kept while everything is in it with this share to spare, and it is not so much wider than it need be."""


def framed(reading: Reading, picture: Point, shape: Point, before: View | None = None) -> View | None:
    """The part of a picture of this size to show in a place of this shape; None for all of it.

    What was shown before stays while it will do, so that the picture does not swim.
    """
    points = list(_points(reading))
    if not points or min(shape) <= 0:
        return None
    wanted = _around(points, picture, shape)
    return before if before is not None and _will_do(before, wanted) and _holds(before, points) else wanted


def _will_do(before: View, wanted: View) -> bool:
    """Whether a view has the shape that is wanted, and is not much larger."""
    (_, _, wide, tall), (_, _, best_wide, best_tall) = before, wanted
    return abs(wide * best_tall - best_wide * tall) < _SAME_SHAPE * wide * tall and wide <= best_wide * _TOO_WIDE


def _points(reading: Reading) -> Iterable[Point]:
    for board in reading.boards:
        yield from board.outline
        for tower in board.towers:
            yield from tower.outline


def _around(points: list[Point], picture: Point, shape: Point) -> View:
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, low = min(y for _, y in points), max(y for _, y in points)
    top -= (low - top) * _HEADROOM
    wide, tall = (right - left) * _ROOM, (low - top) * _ROOM
    wide, tall = max(wide, tall * shape[0] / shape[1]), max(tall, wide * shape[1] / shape[0])
    wide, tall = min(wide, picture[0]), min(tall, picture[1])
    x, y = (left + right - wide) / 2, (top + low - tall) / 2
    return max(0.0, min(x, picture[0] - wide)), max(0.0, min(y, picture[1] - tall)), wide, tall


def _holds(view: View, points: list[Point]) -> bool:
    left, top, wide, tall = view
    across, down = wide * _EDGE, tall * _EDGE
    return all(left + across <= x <= left + wide - across and top + down <= y <= top + tall - down for x, y in points)
