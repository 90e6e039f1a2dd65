"""Pieces that are put into a board's inventory areas: they are in no castle, and lie or stand there anyhow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.sensing.changes import Change
from companion.sensing.fitting import Fit, Window, around, fit, turns_of
from companion.sensing.glance import Mask
from companion.sensing.plan import Area, Board
from companion.sensing.shapes import Kit, Shape
from companion.sensing.strewn import middle, told_by
from companion.sensing.views import Floats

_REACH_MM, _STEP_MM = 12.0, 3.0
_AROUND_MM = 8.0  # around an inventory area: pieces are not set down exactly
_PLAIN, _TOLD = 1.2, 1.45  # the score from which a piece is there, without what its outline tells, and with it
_USUAL = 0.15  # what a floor is ahead of other plates
_SHOWS = 0.15  # how much more of its outline shows now than before
_OF_IT = 0.4  # the share of what changed there that is behind it, the rest being its shadow


@dataclass(frozen=True, eq=False)
class Stored:
    """A piece that was put aside; `like` holds each kind it may be, with its score."""

    like: dict[str, float]
    score: float
    mask: Mask


def stored(change: Change, window: Window, board: Board, kit: Kit, blobs: Iterable[Mask]) -> list[Stored]:
    """The pieces that came to be in the inventory, by blobs of the change; those that were only moved did not."""
    found = [each for blob in blobs for each in _within(change, window, board, kit, blob)]
    came = [_came(each, kit) for each in found if each[0].appears >= _SHOWS]
    return came[sum(each[0].appears <= -_SHOWS for each in found) :]


def _came(fits: Sequence[Fit], kit: Kit) -> Stored:
    like: dict[str, float] = {}
    for each in fits:
        likely = told_by(each) + (_USUAL if each.shape is kit.floor else 0.0)
        like[each.shape.kind] = max(likely, like.get(each.shape.kind, 0.0))
    return Stored(like, min(1.0, fits[0].score), fits[0].mask)


def _within(change: Change, window: Window, board: Board, kit: Kit, blob: Mask) -> Iterator[list[Fit]]:
    """The kinds of piece that a blob in an inventory area may be or have been, the likeliest first."""
    for area in board.inventory:
        if not _has(area, middle(window, blob, 0.0)):
            continue
        fits = [each for shape in _shapes(kit) for each in _fit(change, window, area, shape, blob)]
        fits = [each for each in fits if each.score >= _PLAIN and _strength(each) >= _TOLD]
        fits = [each for each in fits if float(each.mask[blob].mean()) >= _OF_IT and each.known == 1.0]
        if fits:
            yield sorted(fits, key=_strength, reverse=True)
        return


def _strength(found: Fit) -> float:
    """How plainly a piece came or went."""
    return max(told_by(found), 2 * found.score - told_by(found))


def _shapes(kit: Kit) -> tuple[Shape, ...]:
    return (*dict.fromkeys((kit.floor, kit.base)), *kit.roofs, *kit.bridges, *kit.small, *kit.lying)


def _fit(change: Change, window: Window, area: Area, shape: Shape, blob: Mask) -> Iterator[Fit]:
    places = around(middle(window, blob, shape.tall_mm / 2), _REACH_MM, _STEP_MM)
    places = places[_inside(area, places)]
    if len(places):
        yield fit(change, window, shape, places, turns_of(shape), 0.0)


def _has(area: Area, point: tuple[float, float]) -> bool:
    return bool(_inside(area, np.array([point]))[0])


def _inside(area: Area, places: Floats) -> Mask:
    """Which places (n, 2) are in an area, or just beside it."""
    least, most = np.subtract(area.min_mm, _AROUND_MM), np.add(area.max_mm, _AROUND_MM)
    return np.asarray(np.all((places > least) & (places < most), axis=1))
