"""Scales that are taught: what they learn of falls, and from what they cannot learn."""

from __future__ import annotations

import numpy as np
import pytest

from companion.errors import BadRecording
from companion.sensing.forest import Forest
from companion.twin.growing import Soil
from companion.twin.schooling import Lesson, drilled, taught_by
from companion.twin.training import Course

COURSE, SOIL = Course(times=6, together=64, left_out=0.1), Soil(trees=40, rate=0.3, symptoms_share=1.0)


def _drills(seeds: range) -> list[Lesson]:
    return [lesson for seed in seeds for lesson in drilled(seed)]


def test_falls_are_learned_from_drills_alone() -> None:
    ear, grown = taught_by(_drills(range(60)), COURSE, SOIL)
    forest, unseen = Forest(grown), _drills(range(500, 512))
    for fell in (True, False):
        felt = [each.felt for each in unseen if each.fell is fell]
        heard = np.array([ear.odds(each.trace, each.symptoms) > 0 for each in felt])
        told = np.array([forest.odds(np.array(each.symptoms)) > 0 for each in felt])
        assert (heard == fell).mean() > 0.7
        assert (told == fell).mean() > 0.7


def test_of_a_long_stir_a_few_rows_are_heard_and_the_same_ones_every_time() -> None:
    once, again = (_drills(range(3)) for _ in range(2))
    stirs = [lesson.stir for lesson in once]
    assert max(stirs.count(each) for each in set(stirs)) == 20
    assert [lesson.felt.symptoms for lesson in once] == [lesson.felt.symptoms for lesson in again]


@pytest.mark.parametrize("fell", [True, False])
def test_nothing_is_learned_where_nothing_falls_or_all_does(fell: bool) -> None:
    with pytest.raises(BadRecording, match="Nothing can be learned"):
        taught_by([lesson for lesson in _drills(range(6)) if lesson.fell is fell])
