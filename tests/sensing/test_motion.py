"""What moves at a glance, and what only shimmers."""

from __future__ import annotations

import numpy as np

from companion.sensing.glance import Small, glance
from companion.sensing.motion import Motion

_FRAME_US = 33_333
_BLOCK = (slice(40, 48), slice(60, 68))


def _moving(shown: Small, picture: Small) -> int:
    """How many pixels move when one picture follows another that was shown for a while."""
    motion = Motion()
    for number in range(10):
        motion.feed(number * _FRAME_US, shown)
    return int(motion.feed(10 * _FRAME_US, picture).moving.sum())


def _table() -> Small:
    return glance(np.full((480, 640, 3), 90, np.uint8))


def test_a_thing_that_comes_is_motion() -> None:
    later = _table()
    later[_BLOCK] += np.float32(0.1)
    assert _moving(_table(), later) > 30


def test_a_block_of_the_film_that_turns_a_little_bluer_is_none() -> None:
    later = _table()
    later[*_BLOCK, 0] += np.float32(0.1)
    assert _moving(_table(), later) == 0


def test_a_lamp_that_is_turned_up_moves_nothing() -> None:
    motion = Motion()
    motion.feed(0, _table())
    stir = motion.feed(_FRAME_US, _table() + np.float32(0.2))
    assert stir.light
    assert not stir.moving.any()
