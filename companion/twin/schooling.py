"""Teaching the scales what a fall feels like: ears and a forest, from what is felt in evenings whose truth is known.

Evenings are recordings, rehearsals by the twin, and drills.

A board's stir, from rest to rest, is one lesson, of which a few rows are heard. Once something has touched the board,
they are those of a fall; shortly before that they are of neither kind.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import msgspec
import numpy as np

from companion.errors import BadRecording
from companion.sensing.forest import Grown
from companion.sensing.incidents import ONE_ACCIDENT_US
from companion.sensing.plan import Plan
from companion.sensing.recording import Recording
from companion.sensing.scales.ear import Ears
from companion.sensing.scales.falls import Felt, Symptoms
from companion.sensing.scales.judgement import BoardJudge
from companion.sensing.scales.table import TableScales
from companion.sensing.scales.tracing import Ground, Trace
from companion.sensing.scoring import Event, events
from companion.sensing.streams import ScaleSample
from companion.sensing.truth import read_truth
from companion.twin.drills import drill
from companion.twin.growing import GOOD_SOIL, Soil, grow
from companion.twin.rehearsals import rehearsal
from companion.twin.training import GOOD_COURSE, Course, Lessons, teach

EARS = 3
"""So many ears are taught."""
_SOON_US = 300_000  # before the touch things may fall already
_SLACK_US = 400_000  # what touched so long before a stir was noticed is of it
_LATE_US, _LATE_WEIGHT = 1_500_000, 0.3  # what is told so late is worth less
_DRILL, _DRILL_WEIGHT = "drill", 0.3  # and what no physics made
_REHEARSAL, _RECORDED_WEIGHT = "rehearsal", 4.0  # what was recorded is rare, and of other hands: worth more
_ROWS, _FRESH_ROWS = 20, 10  # of a stir that are heard, at the most, and of them just after something fell
_FRESH_S, _FEWEST_FRESH = 0.6, 6


class Schooled(NamedTuple):
    """What was learned."""

    ears: Ears
    forest: Grown


class MadeUp(NamedTuple):
    """How much is learned from that nobody recorded. The seeds of rehearsals are counted from `first_seed`."""

    rehearsals: int = 0
    drills: int = 0
    first_seed: int = 1

    @property
    def seeds(self) -> range:
        return range(self.first_seed, self.first_seed + self.rehearsals)


class Lesson(msgspec.Struct, frozen=True):
    """What is felt with one row of a stir, and whether something had fallen by then, perhaps long before: `late`."""

    stir: str
    felt: Felt
    fell: bool
    late: bool = False


def lessons(folder: Path) -> list[Lesson]:
    """The lessons of one recording."""
    recording = Recording.open(folder)
    try:
        falls = [event for event in events(read_truth(folder)) if event.kind == "collapse"]
    except BadRecording as error:
        raise BadRecording(f"{folder}: {error}") from error
    samples = (item for item in recording.merged(("scales",)) if isinstance(item, ScaleSample))
    found = _few(_taught(folder.name, recording.plan, samples, falls))
    for sentence in recording.unread.values():
        raise BadRecording(f"{folder}: {sentence}")
    return found


def drilled(seed: int) -> list[Lesson]:
    """The lessons of one drill."""
    made = drill(seed)
    times_us = [round(t_s * 1e6) for t_s in made.touched_s]
    falls = [Event(kind="collapse", t_us=t_us, until_us=t_us, board=made.board.id) for t_us in times_us]
    return _few(_taught(f"{_DRILL}-{seed}", made.plan, made.samples(), falls))


def rehearsed(seed: int) -> list[Lesson]:
    """The lessons of one rehearsal, as each kind of scale feels it."""
    return [
        lesson
        for number, reading in enumerate(rehearsal(seed))
        for lesson in _few(_taught(f"{_REHEARSAL}-{seed}-{number}", reading.plan, reading.samples, reading.falls))
    ]


def _few(taught: Iterable[Lesson]) -> list[Lesson]:
    """Some rows of each stir, whichever they are, but the same ones every time; many of what has just fallen."""
    stirs: dict[str, list[Lesson]] = {}
    for lesson in taught:
        stirs.setdefault(lesson.stir, []).append(lesson)
    return [rows[at] for stir, rows in stirs.items() for at in _chosen(rows, crc32(stir.encode()))]


def _chosen(rows: Sequence[Lesson], seed: int) -> list[int]:
    """Which rows of a stir are heard."""
    chance = np.random.default_rng(seed)
    fell = [at for at, lesson in enumerate(rows) if lesson.fell]
    if not fell:
        return sorted(chance.permutation(len(rows))[:_ROWS].tolist())
    fresh = fell[: max(_FEWEST_FRESH, round(_FRESH_S / rows[fell[0]].felt.symptoms.row_s))]
    chosen = {*chance.permutation(fresh)[:_FRESH_ROWS].tolist()}
    return sorted(chosen | {*chance.permutation(len(rows))[: _ROWS - _FRESH_ROWS].tolist()})


def _taught(name: str, plan: Plan, samples: Iterable[ScaleSample], falls: Sequence[Event]) -> Iterator[Lesson]:
    table = TableScales(plan, chance=lambda found: 0.0)
    pupils = {board: _Pupil(f"{name}/{board}", judge, falls) for board, judge in table.judges.items()}
    for sample in samples:
        if sample.board in pupils:
            table.push(sample)
            yield from pupils[sample.board].learned()


class _Pupil:
    """Follows one board from stir to stir. When something fell it is told, as another sense would tell it."""

    def __init__(self, name: str, judge: BoardJudge, falls: Sequence[Event]) -> None:
        self._name, self._judge = name, judge
        self._falls = [event for event in falls if event.board == judge.board.id]
        self._untold = list(self._falls)
        self._stirs = 0
        self._began_us: int | None = None
        self._last_us = 0

    def learned(self) -> Iterator[Lesson]:
        """The lesson of the newest row, if it is one."""
        rows = self._judge.scales.rows
        if not rows.t_us or rows.t_us[-1] == self._last_us:
            return
        now_us = self._last_us = rows.t_us[-1]
        found = self._judge.felt()
        if found is None:
            self._began_us = None
            self._tell(now_us)
            return
        if self._began_us is None:
            self._began_us, self._stirs = now_us, self._stirs + 1
        fell = [each for each in self._falls if self._began_us - _SLACK_US <= each.t_us <= now_us]
        if self._is_plain(now_us, fell):
            late = bool(fell) and now_us - fell[-1].t_us > _LATE_US
            yield Lesson(f"{self._name}/{self._stirs}", found, bool(fell), late)

    def _is_plain(self, now_us: int, fell: list[Event]) -> bool:
        """Whether it can be said what this row is of: not just before a fall, nor of what an earlier one left."""
        soon = any(now_us < each.t_us <= now_us + _SOON_US for each in self._falls)
        after = any(each.t_us <= now_us < each.until_us + ONE_ACCIDENT_US for each in self._falls if each not in fell)
        return bool(fell) or not (soon or after)

    def _tell(self, now_us: int) -> None:
        """What fell lies about from the next rest on."""
        while self._untold and self._untold[0].until_us < now_us:
            self._untold.pop(0)
            self._judge.fell()


def school(
    folders: Sequence[Path],
    made_up: MadeUp,
    jobs: int = 1,
    done: Callable[[str], None] = lambda name: None,
) -> Schooled:
    """What the recordings in these folders teach, and what is made up; BadRecording where nothing can be learned."""
    taught: list[Lesson] = []
    with _workers(jobs) as pool:
        for folder, part in zip(folders, pool.map(lessons, folders, chunksize=4), strict=True):
            taught += part
            done(folder.name)
        for seed, part in zip(made_up.seeds, pool.map(rehearsed, made_up.seeds), strict=True):
            taught += part
            done(f"{_REHEARSAL} {seed}")
        for seed, part in enumerate(pool.map(drilled, range(made_up.drills), chunksize=16)):
            taught += part
            done(f"{_DRILL} {seed}")
    return taught_by(taught, done=done)


@contextmanager
def _workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that do what is under way, and no more, once this one is interrupted."""
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def taught_by(
    taught: Sequence[Lesson],
    course: Course = GOOD_COURSE,
    soil: Soil = GOOD_SOIL,
    done: Callable[[str], None] = lambda name: None,
    ears: int = EARS,
) -> Schooled:
    """What these lessons teach; each stir counts about as much, however long it was.

    Ears that begin otherwise are wrong about other things.
    """
    heard = as_heard(taught)
    if not heard.fell.any() or heard.fell.all():
        raise BadRecording("Nothing can be learned here: there must be evenings with falls, and some without.")
    found, weight = heard.symptoms.astype(float), heard.weight.astype(float)
    forest = grow(Symptoms._fields, found, heard.fell, weight, soil)
    done("grown")
    courses = [msgspec.structs.replace(course, seed=course.seed + number) for number in range(ears)]
    return Schooled(Ears([teach(Symptoms._fields, heard, each, done) for each in courses]), forest)


def as_heard(taught: Sequence[Lesson]) -> Lessons:
    """Lessons as ears and trees take them in."""
    _, stirs, many = np.unique([lesson.stir for lesson in taught], return_inverse=True, return_counts=True)
    worth = np.array([_worth(lesson) for lesson in taught])
    traces = [lesson.felt.trace for lesson in taught]
    grounds = (np.stack(part) for part in zip(*(each.ground for each in traces), strict=True))
    return Lessons(
        traces=Trace(np.stack([each.loads for each in traces]), Ground(*grounds)),
        symptoms=np.array([lesson.felt.symptoms for lesson in taught], np.float32),
        fell=np.array([lesson.fell for lesson in taught], bool),
        weight=(worth / np.sqrt(many[stirs])).astype(np.float32),
    )


def _worth(lesson: Lesson) -> float:
    """How much a lesson counts, by how it came about and when it tells."""
    late = _LATE_WEIGHT if lesson.late else 1.0
    if lesson.stir.startswith(f"{_DRILL}-"):
        return late * _DRILL_WEIGHT
    return late * (1.0 if lesson.stir.startswith(f"{_REHEARSAL}-") else _RECORDED_WEIGHT)
