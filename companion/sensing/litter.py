"""What lies about on a board since something fell there, until somebody clears it away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.sensing.castle import Castle
from companion.sensing.changes import Change, filled
from companion.sensing.fitting import Window
from companion.sensing.glance import Mask, Small, most
from companion.sensing.plan import Board
from companion.sensing.shapes import Kit, Shape
from companion.sensing.things import things
from companion.sensing.views import box_corners

_BESIDE_MM = 6.0  # what is so near to a tower may be part of it
_CLEARED = 0.6  # the share of a thing's pixels that changed as it was taken
_AS_BEFORE = 0.12  # in logarithms: the ground looks again as it did before


@dataclass(frozen=True, eq=False)
class Lying:
    """A thing on the ground: its pixels, how the ground looked there before, and the kinds it is as large as."""

    mask: Mask
    bare: Small
    like: dict[str, float]


class Litter:
    """The things that lie about on one board."""

    def __init__(self, board: Board, castle: Castle) -> None:
        self._board, self._castle = board, castle
        self._lying: list[Lying] = []

    def fell(self, change: Change, window: Window, least_px: int) -> None:
        """Take note of what came to lie on the ground."""
        towers = self._towers(window)
        ground = filled(window.project(box_corners(self._board, 0.0)), window.shape) & ~towers
        for spot in things(change, change.before, ground, towers, least_px):
            like = _sizes(self._castle.kit, self._board, window, spot)
            self._lying.append(Lying(spot, change.before[spot], like))

    @property
    def many(self) -> int:
        """How many things lie about."""
        return len(self._lying)

    def taken(self, change: Change) -> list[Lying]:
        """What was cleared away: the ground is seen there again."""
        gone = [each for each in self._lying if self._is_gone(each, change)]
        self._lying = [each for each in self._lying if each not in gone]
        return gone

    def forget(self) -> None:
        """The picture is another now: what lay about cannot be told from the ground."""
        self._lying = []

    def _is_gone(self, each: Lying, change: Change) -> bool:
        if not change.known[each.mask].all() or float(change.changed[each.mask].mean()) < _CLEARED:
            return False
        unlike = most((change.after[each.mask] - change.gain - each.bare)[None])
        return float(np.median(unlike)) < _AS_BEFORE

    def _towers(self, window: Window) -> Mask:
        """The pixels of all that stands, and a little around it."""
        covered = np.zeros(window.shape, bool)
        for tower in self._castle.towers:
            top_mm = max(self._castle.top_mm(tower), self._castle.kit.floor.tall_mm)
            half = self._castle.kit.widest_mm / 2 + _BESIDE_MM
            x, y = self._castle.middle(tower)
            ring = [(x + dx, y + dy, z) for dx in (-half, half) for dy in (-half, half) for z in (0.0, top_mm)]
            covered |= filled(window.project(np.array(ring)), window.shape)
        return covered


def _sizes(kit: Kit, board: Board, window: Window, spot: Mask) -> dict[str, float]:
    """How near each kind of piece is in size to what lies there, 1 at the best."""
    rows, columns = np.nonzero(spot)
    x, y = window.view.on_plane([(float(columns.mean()) + window.left, float(rows.mean()) + window.top)])[0]
    sizes: dict[str, float] = {}
    for shape in _lying(kit):
        pixels = max(1, int(window.mask(shape, (float(x), float(y)), 0.0, 0.0).sum()))
        near = min(pixels, len(rows)) / max(pixels, len(rows))
        sizes[shape.kind] = max(near, sizes.get(shape.kind, 0.0))
    return sizes


def _lying(kit: Kit) -> Iterator[Shape]:
    on_side = {shape.kind for shape in kit.lying}
    yield from kit.lying
    yield from (shape for shape in kit.shapes.values() if shape.kind not in on_side)
