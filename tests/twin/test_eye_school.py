"""Teaching the eye: which looks are lessons of a fall, and what is learned from them."""

from __future__ import annotations

import numpy as np
import pytest

from companion.errors import BadRecording
from companion.sensing.forest import Forest
from companion.sensing.scoring import Event
from companion.sensing.signs import UNKNOWN, Case, Signs
from companion.twin.eye_school import LookLesson, Teacher, grown_from_looks

_S = 1_000_000
_NOTHING = Signs(*[0.0] * len(Signs._fields))._replace(chance=UNKNOWN, amiss=UNKNOWN, amiss_mm=UNKNOWN)


def _case(since_s: float, calm_s: float, board: str = "south") -> Case:
    return Case(_NOTHING, board, round(since_s * _S), round(calm_s * _S), round((calm_s + 0.5) * _S))


def test_a_look_shows_a_fall_that_touched_since_the_one_before() -> None:
    teacher = Teacher("film", [Event(kind="collapse", t_us=5 * _S, until_us=6 * _S, board="south")])
    for case in (_case(1, 4), _case(4, 6), _case(6, 8), _case(4, 6, "north")):
        teacher.chance(case)
    assert [lesson.fell for lesson in teacher.lessons] == [False, True, False, False]


def test_the_truth_is_what_the_eye_goes_on_with() -> None:
    teacher = Teacher("film", [Event(kind="collapse", t_us=5 * _S, until_us=5 * _S, board="south")])
    assert teacher.chance(_case(4, 6)) > 0.9
    assert teacher.chance(_case(6, 8)) < 0.1


def test_what_falls_just_as_the_eye_looks_is_no_lesson() -> None:
    teacher = Teacher("film", [Event(kind="collapse", t_us=5 * _S, until_us=5 * _S, board="south")])
    teacher.chance(_case(3, 4.8))
    assert not teacher.lessons


def _lessons() -> list[LookLesson]:
    rng = np.random.default_rng(3)
    return [
        LookLesson(f"film-{at}", _NOTHING._replace(loose=float(rng.uniform(4, 9) if at % 3 == 0 else 0.1)), at % 3 == 0)
        for at in range(150)
    ]


def test_what_falls_have_in_common_is_learned_beyond_what_is_plain() -> None:
    grown = grown_from_looks(_lessons())
    forest = Forest(grown)
    assert forest.symptoms == Signs._fields
    assert grown.bias == 0.0
    assert forest.odds(np.array(_NOTHING._replace(loose=6.0))) > 2.0
    assert forest.odds(np.array(_NOTHING._replace(loose=0.1))) < 0.0


def test_nothing_is_learned_from_films_without_falls() -> None:
    with pytest.raises(BadRecording, match="some films must have falls"):
        grown_from_looks([lesson for lesson in _lessons() if not lesson.fell])
