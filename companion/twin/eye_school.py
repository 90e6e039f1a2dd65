"""Teaching the eye what a fall looks like: the signs of calm looks at films whose truth is known, a forest from them.

Every look is judged by what truly happened, so that all goes on as it would with an eye that is never wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.errors import BadRecording
from companion.sensing.forest import Grown
from companion.sensing.recording import Recording
from companion.sensing.scoring import Event, events
from companion.sensing.signs import Case, Signs, plain_odds
from companion.sensing.streams import Sense
from companion.sensing.truth import read_truth
from companion.sensing.watch import Watcher
from companion.twin.growing import Soil, grow

_SLACK_US = 50_000  # how far off it may be since when a board is calm
_SOON_US = 300_000  # what touches so soon after a look is of neither kind
_SURE = 0.99
_SENSES: tuple[tuple[Sense, ...], ...] = (("scales", "camera"), ("camera",))
SOIL = Soil(trees=100, deep=3, rate=0.08, rows_share=0.7, symptoms_share=0.4, restraint=6.0)
"""A look is seldom: there are fewer lessons than the scales have."""


class LookLesson(msgspec.Struct, frozen=True):
    """The signs of one look, and whether something had fallen since the one before."""

    film: str
    signs: Signs
    fell: bool


def look_lessons(folder: Path, senses: tuple[Sense, ...]) -> list[LookLesson]:
    """The lessons of one film, watched with these senses; none where it lacks one of them."""
    cv2.setNumThreads(1)
    recording = Recording.open(folder)
    if not set(senses) <= set(recording.senses):
        return []
    try:
        teacher = Teacher(folder.name, [each for each in events(read_truth(folder)) if each.kind == "collapse"])
    except BadRecording as error:
        raise BadRecording(f"{folder}: {error}") from error
    watcher = Watcher(recording.plan, senses, chance=teacher.chance, hasty=False)
    for item in recording.merged(senses):
        watcher.feed(item)
    for sentence in recording.unread.values():
        raise BadRecording(f"{folder}: {sentence}")
    return teacher.lessons


class Teacher:
    """Knows what fell when, and keeps the lessons."""

    def __init__(self, film: str, falls: Sequence[Event]) -> None:
        self._film, self._falls = film, falls
        self.lessons: list[LookLesson] = []

    def chance(self, case: Case) -> float:
        """The truth; a lesson where it is plain by then."""
        here = [each.t_us for each in self._falls if each.board == case.board]
        fell = any(case.since_us < t_us <= case.calm_us + _SLACK_US for t_us in here)
        if fell or not any(case.calm_us < t_us <= case.t_us + _SOON_US for t_us in here):
            self.lessons.append(LookLesson(self._film, case.signs, fell))
        return _SURE if fell else 1 - _SURE


def school_eye(
    folders: Sequence[Path], jobs: int = 1, done: Callable[[str], None] = lambda name: None, soil: Soil = SOIL
) -> Grown:
    """A forest grown from the films in these folders; BadRecording where nothing can be learned."""
    taught: list[LookLesson] = []
    tasks = list(product(folders, _SENSES))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for (folder, _), part in zip(tasks, pool.map(_lessons_of, tasks), strict=True):
            taught += part
            done(folder.name)
    return grown_from_looks(taught, soil)


def _lessons_of(task: tuple[Path, tuple[Sense, ...]]) -> list[LookLesson]:
    return look_lessons(*task)


def grown_from_looks(taught: Sequence[LookLesson], soil: Soil = SOIL) -> Grown:
    """A forest grown from lessons."""
    fell = np.array([lesson.fell for lesson in taught], bool)
    if not fell.any() or fell.all():
        raise BadRecording("Nothing can be learned from these recordings: some films must have falls, and some none.")
    found = np.array([lesson.signs for lesson in taught], float)
    prior = np.array([plain_odds(lesson.signs) for lesson in taught])
    return grow(Signs._fields, found, fell, np.ones(len(fell)), soil, prior)
