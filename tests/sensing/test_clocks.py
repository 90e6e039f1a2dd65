"""How far two clocks are apart, from moments that both senses notice."""

from __future__ import annotations

import random

import pytest

from companion.sensing.clocks import Clocks

_FRAME_US = 33_333


def _evening(offset_us: int, impacts: int, stray: int, seed: int = 1) -> Clocks:
    """Impacts some seconds apart; the camera sees each within a frame, and other motion about it."""
    chance = random.Random(seed)
    clocks = Clocks()
    for number in range(impacts):
        at_us = 5_000_000 + number * 3_000_000 + chance.randrange(1_000_000)
        clocks.felt(at_us)
        seen = [at_us + offset_us + chance.randrange(-_FRAME_US // 2, _FRAME_US // 2)]
        seen += [at_us + chance.randrange(-600_000, 600_000) for _ in range(stray)]
        for t_us in sorted(seen):
            clocks.saw(t_us)
    return clocks


@pytest.mark.parametrize("offset_us", [-60_000, 0, 40_000, 90_000])
def test_the_offset_is_learned_from_moments_that_both_notice(offset_us: int) -> None:
    clocks = _evening(offset_us, impacts=12, stray=1)
    assert clocks.offset_us == pytest.approx(offset_us, abs=15_000)
    assert clocks.on_scales(7_000_000) == 7_000_000 - clocks.offset_us


def test_without_enough_moments_the_clocks_are_taken_to_agree() -> None:
    assert _evening(60_000, impacts=2, stray=0).offset_us == 0


def test_clocks_that_are_far_apart_are_left_alone() -> None:
    assert _evening(800_000, impacts=12, stray=0).offset_us == 0
