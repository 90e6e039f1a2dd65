"""Scales that are taught: what they learn of falls, and from what they cannot learn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from companion.errors import BadRecording
from companion.sensing.forest import Forest
from companion.twin import schooling
from companion.twin.growing import Soil
from companion.twin.rehearsals import KINDS
from companion.twin.schooling import Lesson, MadeUp, _few, as_heard, drilled, rehearsed, school, taught_by
from companion.twin.training import Course

COURSE, SOIL = Course(times=6, together=64, left_out=0.1), Soil(trees=40, rate=0.3, symptoms_share=1.0)


def _drills(seeds: range) -> list[Lesson]:
    return [lesson for seed in seeds for lesson in drilled(seed)]


def test_falls_are_learned_from_drills_alone() -> None:
    ears, grown = taught_by(_drills(range(60)), COURSE, SOIL, ears=1)
    forest, unseen = Forest(grown), _drills(range(500, 512))
    for fell in (True, False):
        felt = [each.felt for each in unseen if each.fell is fell]
        heard = np.array([ears.odds(each.trace, each.symptoms) > 0 for each in felt])
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


def test_many_rows_are_heard_of_what_has_just_fallen() -> None:
    felt = drilled(0)[0].felt
    rows = [
        Lesson("stir", felt._replace(symptoms=felt.symptoms._replace(row_s=0.02)), at >= 1000) for at in range(2000)
    ]
    heard = _few(rows)
    fresh = [each for each in heard if any(each is row for row in rows[1000:1030])]
    assert len(fresh) >= 10
    assert 18 <= len(heard) <= 20


def test_rehearsals_are_counted_from_a_seed_and_each_scale_has_its_lessons() -> None:
    assert list(MadeUp(3, 0, 7).seeds) == [7, 8, 9]
    stirs = {lesson.stir.rsplit("/", 2)[0] for lesson in rehearsed(78)}
    assert stirs == {f"rehearsal-78-{number}" for number in range(len(KINDS))}


def test_what_was_recorded_is_worth_more_than_what_is_made_up_and_a_drill_less_than_a_rehearsal() -> None:
    felt = drilled(0)[0].felt
    names = ("drill-3/north/1", "rehearsal-3-0/south/1", "drilled/south/1")
    weights = as_heard([Lesson(name, felt, fell=False) for name in names]).weight
    assert (weights / weights[1]).tolist() == pytest.approx([0.3, 1.0, 4.0])


def test_several_ears_learn_apart_and_the_same_ones_every_time() -> None:
    once, again = (taught_by(_drills(range(8)), COURSE, SOIL, ears=2) for _ in range(2))
    assert once.ears.to_bytes() == again.ears.to_bytes()
    first, second = once.ears
    assert abs(first.weights["layer1"] - second.weights["layer1"]).max() > 0.01


def test_who_is_interrupted_begins_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    shut: list[dict[str, bool]] = []

    class Pool:
        def __init__(self, *_: object) -> None: ...

        def map(self, work: object, seeds: Iterable[int], chunksize: int = 1) -> Iterator[list[Lesson]]:
            return ([] for _ in seeds)

        def shutdown(self, **how: bool) -> None:
            shut.append(how)

    def stop(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(schooling, "ProcessPoolExecutor", Pool)
    with pytest.raises(KeyboardInterrupt):
        school([], MadeUp(rehearsals=5), done=stop)
    assert shut == [{"cancel_futures": True}]
