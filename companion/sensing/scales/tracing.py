"""The last rows of a board's load as an ear takes them in: beside what rested there before, and beside the towers.

Forces are counted in lightest pieces, moments in those times mm about the board's middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from companion.sensing.plan import STORED_MM, Board
from companion.sensing.scales.evidence import Load
from companion.sensing.scales.quiet import Rows

Array: TypeAlias = npt.NDArray[np.float32]

ROWS = 96
"""So many rows are listened to."""
CHANNELS = 15
_TOWERS, _AREAS = 12, 4  # so many towers and inventory areas of a board are known, at the most
NOWHERE_MM = 999.0
"""Where a tower or an area is that a board does not have."""
_SOME = 0.4  # lightest pieces from which it can be told where they lie
_GAP_S, _SHORTEST_S, _LONGEST_S = 0.0125, 0.001, 0.3
_NEAR_MM, _BESIDE, _BEYOND = 40.0, (-2.0, 3.0), (-3.0, 3.0)
_MOMENT_MM = 20.0


class Ground(NamedTuple):
    """What of a board matters to a load: all from its middle. Each may have one dimension more before its own."""

    half_size: Array
    """(2): half of its width and depth."""
    half_tile: Array
    """Half of a floor."""
    places: Array
    """1 where the board tells where its load lies, else 0."""
    towers: Array
    """(towers, 2)"""
    stored: Array
    """(areas, 4): inventory areas from their least to their most."""

    @classmethod
    def of(cls, board: Board, half_tile_mm: float, places: bool) -> Ground:
        """The ground of a board."""
        x, y = board.size_mm[0] / 2, board.size_mm[1] / 2
        towers = np.full((_TOWERS, 2), NOWHERE_MM, np.float32)
        for at, tower in enumerate(board.towers[:_TOWERS]):
            towers[at] = tower.centre_mm[0] - x, tower.centre_mm[1] - y
        stored = np.full((_AREAS, 4), NOWHERE_MM, np.float32)
        for at, area in enumerate(board.inventory[:_AREAS]):
            stored[at] = area.min_mm[0] - x, area.min_mm[1] - y, area.max_mm[0] - x, area.max_mm[1] - y
        return cls(
            np.array((x, y), np.float32),
            np.array(half_tile_mm, np.float32),
            np.array(places, np.float32),
            towers,
            stored,
        )


class Trace(NamedTuple):
    """The last rows: (rows + 1, 4) of force, moments and seconds before the newest one, and the ground under them."""

    loads: Array
    ground: Ground


def trace(rows: Rows, reference: Load, piece_g: float, ground: Ground) -> Trace:
    """The trace of the newest rows; what is missing of them is as at rest."""
    begin = max(0, len(rows.t_us) - ROWS - 1)
    loads = np.zeros((ROWS + 1, 4), np.float32)
    last = loads[ROWS + 1 - (len(rows.t_us) - begin) :]
    last[:, 0] = (np.array(rows.force[begin:]) - reference.force_g) / piece_g
    last[:, 1] = (np.array(rows.x[begin:]) - reference.x_gmm) / piece_g * ground.places
    last[:, 2] = (np.array(rows.y[begin:]) - reference.y_gmm) / piece_g * ground.places
    last[:, 3] = (np.array(rows.t_us[begin:]) - rows.t_us[-1]) * 1e-6
    return Trace(loads, ground)


def channels(heard: Trace) -> Array:
    """What is listened to in traces (n, ...): (n, channels, rows).

    Load and moments, how they change from row to row, and how far beside the towers, and beyond the board's edge, a
    single thing would have to lie to make that load, or that change.
    """
    load, change = heard.loads[:, 1:], np.diff(heard.loads, axis=1)
    places = np.broadcast_to(heard.ground.places[:, None], load.shape[:2])
    gap_s = np.clip(change[:, :, 3], _SHORTEST_S, _LONGEST_S)
    found = [
        np.arcsinh(load[:, :, 0]),
        np.arcsinh(5 * load[:, :, 0]) / 3,
        np.arcsinh(np.hypot(load[:, :, 1], load[:, :, 2]) / _MOMENT_MM),
        np.arcsinh(change[:, :, 0]),
        np.arcsinh(np.hypot(change[:, :, 1], change[:, :, 2]) / _MOMENT_MM),
        *_place(load, heard.ground),
        *_place(change, heard.ground),
        np.log(gap_s / _GAP_S),
        places,
        np.arcsinh(load[:, :, 1] / _MOMENT_MM),
        np.arcsinh(load[:, :, 2] / _MOMENT_MM),
    ]
    return np.stack(found, axis=1).astype(np.float32)


def _place(load: Array, ground: Ground) -> Iterator[Array]:
    """How far beside the nearest tower loads (n, rows, 4) lie, and beyond the board's edge, and whether that is known.

    In an inventory area nothing is amiss.
    """
    known = (np.abs(load[:, :, 0]) > _SOME) & (ground.places[:, None] > 0)
    force = np.where(known, load[:, :, 0], np.float32(1))
    x, y = load[:, :, 1] / force, load[:, :, 2] / force
    half = ground.half_tile[:, None]
    beside = np.full_like(x, NOWHERE_MM)
    for tower in _there(ground.towers):
        off = np.maximum(np.abs(x - tower[:, :1]), np.abs(y - tower[:, 1:])) - half
        beside = np.minimum(beside, off)
    for area in _there(ground.stored):
        least, most = area[:, None, :2] - STORED_MM, area[:, None, 2:] + STORED_MM
        inside = (x > least[..., 0]) & (y > least[..., 1]) & (x < most[..., 0]) & (y < most[..., 1])
        beside = np.where(inside, -half, beside)
    nowhere = (ground.towers[:, :, 0] == NOWHERE_MM).all(axis=1)  # without towers nothing is beside them
    beside = np.where(nowhere[:, None], np.float32(0), beside)
    beyond = np.maximum(np.abs(x) - ground.half_size[:, :1], np.abs(y) - ground.half_size[:, 1:])
    yield np.where(known, np.clip(beside / _NEAR_MM, *_BESIDE), np.float32(0))
    yield np.where(known, np.clip(beyond / _NEAR_MM, *_BEYOND), np.float32(0))
    yield known.astype(np.float32)


def _there(places: Array) -> Iterator[Array]:
    """Towers or areas, those of each trace one by one, but for what none of them has."""
    return (place for place in np.moveaxis(places, 1, 0) if (place[:, 0] != NOWHERE_MM).any())
