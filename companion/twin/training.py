"""Teaching an ear: what it got wrong is traced back through its layers, and each weight moved a little (AdamW).

Every lesson is heard turned and mirrored, a little louder or softer and with noise of its own, and with a part of what
was found left out: so that no single one is learned by heart. What is kept is the mean of the last steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from companion.sensing.scales.ear import (
    EVERYTHING,
    HEARD,
    LAYERS,
    NEWEST,
    PAD,
    UNKNOWN_BELOW,
    WIDE,
    Ear,
    Heard,
    Weights,
    beside,
    offsets,
    shapes,
    within,
)
from companion.sensing.scales.tracing import NOWHERE_MM, ROWS, Array, Ground, Trace, channels

_NEVER = 1e-8


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """How an ear is taught."""

    times: int = 5
    """How often each lesson is heard."""
    together: int = 256
    step: float = 2.5e-3
    begins: float = 0.15
    """The part of the course in which steps become larger; then they become smaller again."""
    fades: float = 0.05
    left_out: float = 0.15
    untold: float = 0.1
    """The part of all symptoms that is not told."""
    blur: float = 0.1
    louder: float = 0.15
    larger: float = 0.12
    """By how much boards and pieces are larger or smaller, as heavier or lighter ones are louder."""
    noise: float = 0.03
    noise_mm: float = 2.0
    doubt: float = 0.01
    """No lesson is surer than that."""
    kept: float = 0.998
    """How much of the mean of all steps stays with each."""
    seed: int = 1


GOOD_COURSE = Course()


class Lessons(NamedTuple):
    """What was felt, a row for each: traces, symptoms, whether something fell, and how much each counts."""

    traces: Trace
    symptoms: Array
    fell: npt.NDArray[np.bool_]
    weight: Array


def teach(
    names: tuple[str, ...],
    lessons: Lessons,
    course: Course = GOOD_COURSE,
    done: Callable[[str], None] = lambda name: None,
) -> Ear:
    """An ear that tells whether something fell; the same lessons make the same ear."""
    chance = np.random.default_rng(course.seed)
    ear = Ear(names, _newborn(len(names), lessons, chance))
    learned = [name for name in shapes(len(names)) if name not in ("large", "usual", "spread")]
    known = ear.known(lessons.symptoms)
    weight = (lessons.weight * (len(lessons.weight) / lessons.weight.sum())).astype(np.float32)
    pace = _Pace({name: ear.weights[name] for name in learned}, course)
    each_time = max(1, len(weight) // course.together)
    for time in range(course.times):
        order = chance.permutation(len(weight))
        for number in range(each_time):
            some = np.sort(order[number * course.together : (number + 1) * course.together])
            heard = channels(_otherwise(_some(lessons.traces, some), chance, course))
            told = _retold(known[some], chance, course)
            truth = np.where(lessons.fell[some], 1 - course.doubt, course.doubt).astype(np.float32)
            pace.step(
                slopes(ear, heard, told, truth, weight[some], _keep(len(some), len(known[0]), chance, course)),
                (time * each_time + number + 1) / (course.times * each_time),
            )
        done(f"heard {time + 1} times")
    return Ear(names, ear.weights | pace.mean())


def slopes(
    ear: Ear, heard: Array, known: Array, truth: Array, weight: Array, keep: tuple[Array, Array] = EVERYTHING
) -> Weights:
    """How the weighted mean of what an ear gets wrong (its log loss) changes with each of its weights."""
    passed = ear.listen(heard, known, keep)
    wrong = (weight * (1 / (1 + np.exp(-passed.odds)) - truth) / len(truth))[:, None].astype(np.float32)
    found: Weights = {"last": passed.sums[2].T @ wrong, "last_bias": wrong.sum(axis=0)}
    back = _only(wrong @ ear.weights["last"].T, passed.sums[2])
    found |= {"second": passed.sums[1].T @ back, "second_bias": back.sum(axis=0)}
    back = _only(back @ ear.weights["second"].T, passed.sums[1]) * keep[1]
    found |= {"first": passed.sums[0].T @ back, "first_bias": back.sum(axis=0)}
    back = back @ ear.weights["first"].T * keep[0]
    return found | _through_layers(ear, passed, back[:, :HEARD])


def _through_layers(ear: Ear, passed: Heard, back: Array) -> Weights:
    """The slopes of the layers, by those of what was found in their last rows (n, 3 wide)."""
    last = passed.rows[-1][:, :, PAD:-PAD]
    newest, most, mean = (np.ascontiguousarray(each.T) for each in np.split(back, 3, axis=1))
    rows = np.zeros_like(passed.rows[-1])
    inner = rows[:, :, PAD:-PAD]
    inner[:] = mean[:, :, None] / ROWS
    inner[:, :, -NEWEST:] += newest[:, :, None] / NEWEST
    np.put_along_axis(
        inner,
        (at := last.argmax(axis=2)[:, :, None]),
        np.take_along_axis(inner, at, axis=2) + most[:, :, None],
        axis=2,
    )
    found: Weights = {}
    for number in reversed(range(len(LAYERS))):
        layer, before = LAYERS[number], passed.rows[number]
        made = _only(rows, passed.found[number])
        flat, under = made.reshape(WIDE, -1), before.reshape(len(before), -1)
        long = flat.shape[1]
        found[f"layer{number}"] = np.stack(
            [flat[:, PAD:-PAD] @ under[:, PAD + off : long - PAD + off].T for off in offsets(layer)]
        )
        found[f"bias{number}"] = flat.sum(axis=1)
        if number:
            mirrored = np.ascontiguousarray(ear.weights[f"layer{number}"][::-1].transpose(0, 2, 1))
            rows = rows + within(beside(made, mirrored, layer))
    return found


def _only(back: Array, found: Array) -> Array:
    """What comes back where something was found; the rest has no part in it."""
    return np.where(found > 0, back, np.float32(0))


class _Pace:
    """Moves weights, each by what its slopes were like lately (AdamW), and remembers their mean."""

    def __init__(self, weights: Weights, course: Course) -> None:
        self._weights, self._course = weights, course
        self._lately = {name: np.zeros_like(each) for name, each in weights.items()}
        self._squares = {name: np.zeros_like(each) for name, each in weights.items()}
        self._mean = {name: np.zeros(each.shape) for name, each in weights.items()}
        self._steps = 0

    def step(self, found: Weights, way: float) -> None:
        """One step; so much of the way is gone then, from 0 to 1."""
        self._steps += 1
        course, steps = self._course, self._steps
        size = course.step * _height(way, course.begins)
        for name, weight in self._weights.items():
            lately, squares = self._lately[name], self._squares[name]
            lately += 0.1 * (found[name] - lately)
            squares += 0.001 * (found[name] ** 2 - squares)
            usual = np.sqrt(squares / (1 - 0.999**steps)) + _NEVER
            weight -= (size * (lately / (1 - 0.9**steps) / usual + course.fades * weight)).astype(np.float32)
            self._mean[name] += (1 - course.kept) * (weight - self._mean[name])

    def mean(self) -> Weights:
        """The mean of all steps, the last ones above all."""
        part = 1 - self._course.kept**self._steps
        return {name: (each / part).astype(np.float32) for name, each in self._mean.items()}


def _height(way: float, begins: float) -> float:
    """How large a step is: it rises to 1 and falls again, as a cosine does."""
    if way < begins:
        return 0.04 + 0.96 * (0.5 - 0.5 * math.cos(math.pi * way / begins))
    return 0.5 + 0.5 * math.cos(math.pi * (way - begins) / (1 - begins))


def _newborn(symptoms: int, lessons: Lessons, chance: np.random.Generator) -> Weights:
    """Weights to begin with: small ones at random, and what is usual of each symptom."""
    weights: Weights = {}
    for name, shape in shapes(symptoms).items():
        into = shape[0] * shape[2] if len(shape) == 3 else shape[0]
        part = chance.uniform(-1, 1, shape) / math.sqrt(into)
        weights[name] = (np.zeros(shape) if "bias" in name else part).astype(np.float32)
    return weights | _usual(lessons.symptoms)


def _usual(symptoms: Array) -> Weights:
    """How large each symptom is when it is known at all, and how it spreads."""
    large, usual, spread = (np.ones(symptoms.shape[1], np.float32) for _ in range(3))
    for column, values in enumerate(symptoms.T):
        known = values[values >= UNKNOWN_BELOW]
        some = np.abs(known[known != 0])
        if len(some):
            large[column] = np.median(some)
            even = np.arcsinh(known / large[column])
            usual[column], spread[column] = even.mean(), max(float(even.std()), 0.1)
    return {"large": large, "usual": usual, "spread": spread}


def _some(traces: Trace, rows: npt.NDArray[np.intp]) -> Trace:
    """Some of many traces."""
    return Trace(traces.loads[rows], Ground(*(each[rows] for each in traces.ground)))


def _otherwise(traces: Trace, chance: np.random.Generator, course: Course) -> Trace:
    """The same traces on a board mirrored or turned, with a little noise, of somewhat larger and heavier pieces."""
    loads = traces.loads.copy()
    half_size, half_tile, places, towers, stored = (each.copy() for each in traces.ground)
    missing = [each[:, :, 0] == NOWHERE_MM for each in (towers, stored)]
    for axis in (0, 1):
        if chance.random() < 0.5:
            loads[:, :, 1 + axis] *= -1
            towers[:, :, axis] *= -1
            stored[:, :, [axis, 2 + axis]] = -stored[:, :, [2 + axis, axis]]
    if chance.random() < 0.5:
        loads[:, :, [1, 2]] = loads[:, :, [2, 1]]
        half_size, towers, stored = half_size[:, ::-1], towers[:, :, ::-1], stored[:, :, [1, 0, 3, 2]]
    many = len(loads)
    larger = np.exp(course.larger * chance.normal(size=(many, 1, 1))).astype(np.float32)
    loads[:, :, 1:3] *= larger
    half_size, half_tile = half_size * larger[:, 0], half_tile * larger[:, 0, 0]
    towers, stored = towers * larger, stored * larger
    for each, none in zip((towers, stored), missing, strict=True):
        each[none] = NOWHERE_MM
    loads[:, :, :3] *= np.exp(course.louder * chance.normal(size=(many, 1, 1)))
    noisy = chance.random((many, 1, 1)) * chance.normal(size=(*loads.shape[:2], 3))
    loads[:, :, :3] += noisy * (course.noise, course.noise_mm, course.noise_mm)
    return Trace(loads.astype(np.float32), Ground(half_size, half_tile, places, towers, stored))


def _retold(known: Array, chance: np.random.Generator, course: Course) -> Array:
    """Symptoms told less exactly, and some of them not at all."""
    told = known + course.blur * chance.normal(size=known.shape)
    return (told * (chance.random(known.shape) >= course.untold)).astype(np.float32)


def _keep(many: int, known: int, chance: np.random.Generator, course: Course) -> tuple[Array, Array]:
    """Which sums are kept, for each of many lessons, and by how much louder they are for the rest."""
    stay = 1 - course.left_out
    sizes = shapes(known // 2)["first"]
    first, second = ((chance.random((many, size)) < stay) / stay for size in sizes)
    return first.astype(np.float32), second.astype(np.float32)
