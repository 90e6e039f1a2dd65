"""Teaching an ear: slopes that are true, lessons that are learned, and the same ear every time."""

from __future__ import annotations

import numpy as np
import pytest

from companion.sensing.scales.ear import Ear, Ears
from companion.sensing.scales.tracing import CHANNELS, NOWHERE_MM, ROWS, Array, Ground, Trace
from companion.twin.training import Course, Lessons, _otherwise, slopes, teach

NAMES = ("one", "other")
COURSE = Course(times=8, together=32, left_out=0.0, untold=0.0)


def _lessons(many: int, seed: int = 1) -> Lessons:
    """Loads that dip, and loads that do not; the symptoms say nothing."""
    chance = np.random.default_rng(seed)
    loads = np.zeros((many, ROWS + 1, 4), np.float32)
    loads[:, :, :3] = chance.normal(0, 0.05, (many, ROWS + 1, 3))
    loads[:, :, 3] = np.linspace(-1.2, 0, ROWS + 1)
    fell = chance.random(many) < 0.5
    for at, dips in enumerate(fell):
        begin = int(chance.integers(10, ROWS - 12))
        loads[at, begin : begin + 8, 0] += -3.0 if dips else 3.0
    towers, stored = np.zeros((many, 6, 2), np.float32), np.full((many, 2, 4), 999.0, np.float32)
    half, one = np.full((many, 2), 100.0, np.float32), np.ones(many, np.float32)
    symptoms = chance.normal(size=(many, 2)).astype(np.float32)
    return Lessons(Trace(loads, Ground(half, 30 * one, one, towers, stored)), symptoms, fell, one)


def _told(ear: Ear, lessons: Lessons) -> list[bool]:
    return [
        Ears([ear]).odds(Trace(loads, Ground(*(part[at] for part in lessons.traces.ground))), tuple(symptoms)) > 0
        for at, (loads, symptoms) in enumerate(zip(lessons.traces.loads, lessons.symptoms, strict=True))
    ]


def test_slopes_are_those_of_what_is_wrong() -> None:
    chance = np.random.default_rng(3)
    ear = teach(NAMES, _lessons(64), Course(times=1, together=32))
    heard = chance.normal(size=(300, CHANNELS, ROWS)).astype(np.float32)
    known, truth = chance.normal(size=(300, 4)).astype(np.float32), np.array([0.1, 0.9] * 150, np.float32)
    weight = np.linspace(0.5, 1.5, 300).astype(np.float32)
    found = slopes(ear, heard, known, truth, weight)
    assert set(found) == set(ear.weights) - {"large", "usual", "spread"}
    for name, slope in found.items():
        step = 0.004 * slope / np.linalg.norm(slope)
        less, more = (
            _wrong(Ear(NAMES, ear.weights | {name: ear.weights[name] + way * step}), heard, known, truth, weight)
            for way in (-1, 1)
        )
        assert (more - less) / 0.008 == pytest.approx(np.linalg.norm(slope), rel=0.05), name


def _wrong(ear: Ear, heard: Array, known: Array, truth: Array, weight: Array) -> float:
    odds = ear.listen(heard, known).odds.astype(float)
    return float((weight * (np.logaddexp(0, odds) - truth * odds)).mean())


def test_an_ear_learns_what_only_the_trace_tells() -> None:
    ear, unseen = teach(NAMES, _lessons(400), COURSE), _lessons(80, seed=2)
    assert np.mean(np.array(_told(ear, unseen)) == unseen.fell) > 0.95


def test_the_same_lessons_make_the_same_ear() -> None:
    once, again = (teach(NAMES, _lessons(64), Course(times=1, together=32)) for _ in range(2))
    assert Ears([once]).to_bytes() == Ears([again]).to_bytes()


def test_what_weighs_nothing_teaches_nothing() -> None:
    lessons = _lessons(300)
    wrongly = lessons._replace(fell=~lessons.fell, weight=np.full(300, 1e-9, np.float32))
    both = Lessons(
        Trace(
            np.concatenate([lessons.traces.loads] * 2),
            Ground(*(np.concatenate([part] * 2) for part in lessons.traces.ground)),
        ),
        np.concatenate([lessons.symptoms] * 2),
        np.concatenate([lessons.fell, wrongly.fell]),
        np.concatenate([lessons.weight, wrongly.weight]),
    )
    unseen = _lessons(80, seed=2)
    assert np.mean(np.array(_told(teach(NAMES, both, COURSE), unseen)) == unseen.fell) > 0.9


def test_what_a_board_lacks_stays_away_however_it_is_turned_and_stretched() -> None:
    traces = _lessons(64).traces
    towers = traces.ground.towers.copy()
    towers[:, 0], towers[:, 1:] = (40.0, -30.0), NOWHERE_MM
    traces = traces._replace(ground=traces.ground._replace(towers=towers))
    for seed in range(6):
        heard = _otherwise(traces, np.random.default_rng(seed), Course())
        assert (heard.ground.towers[:, 1:] == NOWHERE_MM).all()
        assert (heard.ground.stored == NOWHERE_MM).all(axis=2).all()
        far = np.abs(heard.ground.towers[:, 0]).max(axis=1) / heard.ground.half_size[:, 0]
        assert far == pytest.approx(np.full(64, 0.4), rel=1e-5)
        assert np.ptp(heard.ground.half_size[:, 0]) > 10
