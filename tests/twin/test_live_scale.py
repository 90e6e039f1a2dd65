"""A live scale: whatever hits a board is felt whole, however its module's chips happen to convert."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from companion.twin.cells import CellTraits, ChipTraits, ScaleTraits
from companion.twin.live_scale import READINGS_SPS, LiveScale
from companion.twin.physics import G_PER_N
from companion.twin.table import nominal_table

_PUSH_N = 2.0
_PUSH_MS = 4
_COUNTS_PER_G = 1000.0


def _scale() -> LiveScale:
    board = nominal_table().boards[0]
    places = tuple(cell.at_mm or (0.0, 0.0) for cell in board.cells)
    cells = tuple(CellTraits(counts_per_g=_COUNTS_PER_G, zero_counts=0.0, damping=0.5) for _ in places)
    traits = ScaleTraits(cells=cells, at_mm=places, chip=ChipTraits(rate_sps=READINGS_SPS))
    scale = LiveScale(board, traits, np.random.default_rng(1), lambda: 0.0)
    scale.line.close()
    module = scale.line.module
    module.hello, module.rounds = replace(module.hello, streaming=True), []
    return scale


def _load(newtons: float) -> tuple[float, float, float]:
    wide, deep = nominal_table().boards[0].size_mm
    return newtons, newtons * wide / 2, newtons * deep / 2


def _felt_gs(push_at_ms: int) -> list[float]:
    """The impulse that each channel tells of a short push, in gram seconds."""
    scale = _scale()
    module = scale.line.module
    for step in range(1, 1200):
        force = _PUSH_N if 0 <= step - push_at_ms < _PUSH_MS else 0.0
        scale.feed(1000 * step, _load(force), 1000 * step)
        module.exchange(b"", 1000 * step)
    assert module.rounds
    conversion_s = (module.rounds[-1].t_us - module.rounds[0].t_us) / 1e6 / (len(module.rounds) - 1)
    readings = [each.counts for each in module.rounds]
    return [sum(counts[number] or 0 for counts in readings) / _COUNTS_PER_G * conversion_s for number in range(4)]


@pytest.mark.parametrize("push_at_ms", [400, 403, 406, 409, 651])
def test_nothing_of_a_push_is_lost_between_two_conversions(push_at_ms: int) -> None:
    whole_gs = _PUSH_N * G_PER_N * _PUSH_MS / 1000
    assert _felt_gs(push_at_ms) == pytest.approx([whole_gs / 4] * 4, rel=0.15)


def test_what_lies_there_at_first_lay_there_before() -> None:
    scale = _scale()
    for step in range(1, 400):
        scale.feed(1000 * step, _load(1.0), 1000 * step + 300_000)
    scale.line.module.exchange(b"", 1000)
    scale.line.module.exchange(b"", 350_000)
    told = [count for each in scale.line.module.rounds or () for count in each.counts if count is not None]
    assert len(told) > 20
    assert told == pytest.approx([G_PER_N / 4 * _COUNTS_PER_G] * len(told), rel=0.02)
