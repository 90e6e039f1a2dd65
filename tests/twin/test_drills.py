"""Drills: scenes made up from a seed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from companion.twin.drills import FALLS, LOOK_ALIKES, Drill, drill

Act = Callable[[Drill, float], None]


def test_a_seed_is_a_scene() -> None:
    once, again, other = drill(5), drill(5), drill(6)
    assert (once.plan, once.touched_s, once.samples()) == (again.plan, again.touched_s, again.samples())
    assert once.plan != other.plan


def test_some_drills_have_falls_and_some_have_none() -> None:
    falls = [len(drill(seed).touched_s) for seed in range(30)]
    assert 0 in falls
    assert sum(falls) > 20


@pytest.mark.parametrize("act", FALLS)
def test_a_fall_presses_on_the_board_and_says_when_it_touched(act: Act) -> None:
    made = Drill(np.random.default_rng(4))
    before = made.forces.load.copy()
    act(made, 4.0)
    (touched_s,) = made.touched_s
    assert 3.9 < touched_s < 5.0
    assert (made.forces.load != before).any()


@pytest.mark.parametrize("act", LOOK_ALIKES)
def test_what_only_looks_like_a_fall_says_of_no_touch(act: Act) -> None:
    made = Drill(np.random.default_rng(4))
    act(made, 4.0)
    assert made.touched_s == []
