"""What is told of a board's load."""

from __future__ import annotations

import pytest

from companion.live.traces import Traces
from companion.sensing.streams import ScaleSample
from companion.twin.forces import Chip, Forces, sensed
from tests.sensing.forces import board, plan

_S = 1_000_000


def _read(grams: float) -> Traces:
    forces = Forces(1.0)
    forces.rest(0.0, grams, (125.0, 100.0))
    traces = Traces(plan((board("south"),)))
    for sample in sensed(forces, board("south"), Chip(rate_sps=93.0, noise_g=0.0), start_us=0):
        traces.add(sample)
    return traces


def test_what_lies_on_a_board_is_told_while_its_scales_speak() -> None:
    traces = _read(40.0)
    assert traces.grams("south", _S) == pytest.approx(40.0, rel=0.02)
    assert traces.grams("south", 3 * _S) is None
    assert traces.grams("north", _S) is None


def test_a_board_never_weighs_less_than_nothing() -> None:
    traces = _read(0.0)
    (t_us, grams), *_ = traces.trace("south", 1.0)
    assert grams == pytest.approx(0.0, abs=1.0)
    low = Traces(plan((board("south"),)))
    zeros = [cell.zero_counts or 0 for cell in board("south").cells]
    low.add(ScaleSample(t_us, "south", tuple(round(zero) - 1000 for zero in zeros)))
    assert low.trace("south", 1.0)[0][1] < -1.0
    assert low.grams("south", t_us) == 0.0
