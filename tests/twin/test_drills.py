"""Drills: scenes made up from a seed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from companion.twin.drills import FALLS, LOOK_ALIKES, Drill, drill, meddled

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
    made = Drill.begun(np.random.default_rng(4))
    before = made.forces.load.copy()
    act(made, 4.0)
    (touched_s,) = made.touched_s
    assert 3.9 < touched_s < 5.0
    assert (made.forces.load != before).any()


@pytest.mark.parametrize("act", LOOK_ALIKES)
def test_what_only_looks_like_a_fall_says_of_no_touch(act: Act) -> None:
    made = Drill.begun(np.random.default_rng(4))
    act(made, 4.0)
    assert made.touched_s == []


def test_hands_that_meddle_press_for_a_while_and_leave_all_as_it_was() -> None:
    plan = Drill.begun(np.random.default_rng(1)).plan
    load = np.tile((50.0, 5000.0, 4000.0), (9_043, 1))
    meddled_with = [meddled(plan, load, np.random.default_rng(seed)) for seed in range(8)]
    assert all((each[:900] == load[:900]).all() for each in meddled_with)
    assert all(abs(each - load).max() > 1.0 for each in meddled_with)
    assert (meddled(plan, load, np.random.default_rng(3)) == meddled_with[3]).all()
