"""A board on which something is always going on: what the simulated twin weighs when nobody says otherwise."""

from __future__ import annotations

import math
import random

from companion.devices.scales.twin import Source
from companion.sensing.plan import FORMAT, VERSION, Board, Cell, Plan

COUNTS_PER_G = 1540.0

_US_PER_S = 1e6
_ZEROS = (81_234.0, -12_600.0, 40_510.0, 7_020.0)
_CORNERS = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0))
_PIECES_G = (6.5, 2.0, 2.0, 2.0, 6.5, 1.5)
_EVERY_S = 3.0
_ROUND_S = _EVERY_S * (len(_PIECES_G) + 2)
_RING_G = 1.5
_RING_HZ = 6.0
_RING_S = 0.4
_NOISE_COUNTS = 60.0


def busy_board(seed: int = 0) -> Source:
    """A castle that grows piece by piece and is taken off again, with ringing and noise."""
    chance = random.Random(seed)
    places = [(chance.uniform(0.2, 0.8), chance.uniform(0.2, 0.8)) for _ in _PIECES_G]

    def counts(t_us: int, channel: int) -> float:
        t_s = t_us / _US_PER_S % _ROUND_S
        there = int(t_s / _EVERY_S)
        grams = sum(
            _PIECES_G[at] * _share(channel, *places[at])
            for at in range(len(_PIECES_G))
            if at < there < len(_PIECES_G) + 1
        )
        ringing = _RING_G * math.exp(-(t_s % _EVERY_S) / _RING_S) * math.sin(math.tau * _RING_HZ * t_s)
        moving = ringing / 4 if 0 < there <= len(_PIECES_G) + 1 else 0.0
        return _ZEROS[channel] + COUNTS_PER_G * (grams + moving) + chance.gauss(0, _NOISE_COUNTS)

    return counts


def busy_plan(board: str) -> Plan:
    """The calibration of that board."""
    cells = tuple(Cell(f"c{at}", counts_per_g=COUNTS_PER_G, zero_counts=zero) for at, zero in enumerate(_ZEROS))
    return Plan(format=FORMAT, version=VERSION, boards=(Board(id=board, size_mm=(250.0, 200.0), cells=cells),))


def _share(channel: int, x: float, y: float) -> float:
    """How much of a piece's weight a corner bears."""
    corner_x, corner_y = _CORNERS[channel]
    return (1 - abs(x - corner_x)) * (1 - abs(y - corner_y))
