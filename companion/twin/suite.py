"""Many recordings at once: which scenarios with which seeds, made by a few processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Literal

import cv2
import msgspec

from companion.sensing.plan import PLAN_FILE
from companion.sensing.recording import FRAMES_FILE, SCALES_FILE
from companion.sensing.truth import read_truth
from companion.twin.record import Heard, Recorded, counted, record
from companion.twin.scenario import Scenario, Step, read_scenario, scenario_names

Size = Literal["small", "full"]
INDEX_FILE = "suite.json"
SMALL = (
    "build-first-levels",
    "build-two-boards",
    "bumps",
    "dragon-pulls-pillar",
    "falls-beside",
    "hands-rest",
    "knocked",
    "knocked-while-building",
    "lights",
    "off-balance",
    "rolling-pillar",
    "twice",
)
FULL_RECORDINGS, FULL_COLLAPSES, FULL_LOOK_ALIKES = 150, 100, 150
_MOST_ROUNDS = 12
_RECORDINGS_A_PROCESS = 8
_PORTION = 8  # recordings made before it is asked again whether there are enough
_BESIDE = ("drop beside", "lay beside")
_ALIKE_ACTS = ("rest", "lean", "hover", "reach", "bump", "lights", "shadow", "nudge", *_BESIDE, "store", "fumble")

Done = Callable[[Recorded], None]


class Task(msgspec.Struct, frozen=True):
    """One recording to make."""

    scenario: str
    seed: int

    @property
    def folder(self) -> str:
        return f"{Path(self.scenario).stem}-{self.seed:03d}"


class Counts(msgspec.Struct, frozen=True):
    """What a suite holds so far."""

    recordings: int = 0
    collapses: int = 0
    look_alikes: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.recordings} recordings, {self.seconds / 60:.1f} minutes: "
            f"{self.collapses} collapses, {self.look_alikes} that only look like one."
        )

    def with_one(self, made: Recorded) -> Counts:
        return Counts(
            self.recordings + 1,
            self.collapses + made.truth.get("collapse", 0),
            self.look_alikes + look_alikes(read_scenario(made.scenario)),
            self.seconds + made.seconds,
        )

    @property
    def enough(self) -> bool:
        return (
            self.recordings >= FULL_RECORDINGS
            and self.collapses >= FULL_COLLAPSES
            and self.look_alikes >= FULL_LOOK_ALIKES
        )


def look_alikes(scenario: Scenario) -> int:
    """How many things a script does that a careless detector takes for a collapse: not the hands of those who build.

    >>> look_alikes(read_scenario("knocked"))
    0
    """
    return sum(map(_is_look_alike, scenario.steps))


def _is_look_alike(step: Step) -> bool:
    base_tile = step.act == "drop" and step.piece == "floor-tile"
    return base_tile or step.act in _ALIKE_ACTS or (step.act == "brush" and step.how == "softly")


def small_tasks(first_seed: int = 1) -> list[Task]:
    """What the small suite is made of."""
    return [Task(name, seed) for seed, name in enumerate(SMALL, first_seed)]


def full_tasks(lap: int, fallen: Collection[str] = (), first_seed: int = 1) -> list[Task]:
    """One round of the full suite: every scenario, and when there are enough recordings those in which things fall."""
    names = scenario_names()
    wanted = names if lap * len(names) < FULL_RECORDINGS else [name for name in names if name in fallen]
    return [Task(name, first_seed + lap * len(names) + names.index(name)) for name in wanted]


def make_suite(size: Size, out: Path, jobs: int, done: Done, pictures: bool = True, first_seed: int = 1) -> Counts:
    """Make a suite in `out`; recordings that are there already, with pictures if wanted, are kept. Tells each.

    The full suite goes round its scenarios until there is enough of everything. Every recording has a seed of its
    own, counted from the first: another first seed gives a suite nobody has seen.
    """
    out.mkdir(parents=True, exist_ok=True)
    counts, index = Counts(), list[Recorded]()
    for lap in range(1 if size == "small" else _MOST_ROUNDS):
        fallen = {made.scenario for made in index if "collapse" in made.truth}
        tasks = small_tasks(first_seed) if size == "small" else full_tasks(lap, fallen, first_seed)
        portion = _PORTION if counts.recordings >= FULL_RECORDINGS else len(tasks)
        for at in range(0, len(tasks), portion):
            for made in make(tasks[at : at + portion], out, jobs, pictures):
                counts = counts.with_one(made)
                index.append(made)
                _write_index(out, index)
                done(made)
            if counts.enough:
                return counts
    return counts


def _write_index(out: Path, index: Sequence[Recorded]) -> None:
    lines = sorted(index, key=lambda made: made.folder)
    (out / INDEX_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(lines), indent=1))


def make(tasks: Sequence[Task], out: Path, jobs: int, pictures: bool = True) -> Generator[Recorded, None, None]:
    """The recordings of these tasks as they get done, by `jobs` processes that draw with one thread each."""
    if jobs <= 1:
        yield from (_make(task, out, pictures) for task in tasks)
        return
    os.environ["LP_NUM_THREADS"] = "1"  # read by the software renderer when a child process starts it
    batch = jobs * _RECORDINGS_A_PROCESS
    for at in range(0, len(tasks), batch):
        yield from _made_together(tasks[at : at + batch], out, jobs, pictures)


def _made_together(tasks: Sequence[Task], out: Path, jobs: int, pictures: bool) -> Iterator[Recorded]:
    """A batch, by processes that end with it: what a renderer forgets to give back does not add up."""
    spawn = get_context("spawn")
    enough = spawn.Event()
    with ProcessPoolExecutor(jobs, spawn, _begin_work, (enough,)) as pool:
        with _unheard_by_children():
            waiting: set[Future[Recorded]] = {pool.submit(_make, task, out, pictures, _go_on) for task in tasks}
        try:
            while waiting:
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from sorted((future.result() for future in ready), key=lambda made: made.folder)
        finally:
            enough.set()
            for future in waiting:
                future.cancel()


class _Enough(Exception):
    """Nobody wants the recording any more that is being made."""


_ENOUGH: list[Event] = []
"""In a process that works for a suite: set when the suite is given up."""


@contextmanager
def _unheard_by_children() -> Iterator[None]:
    """Ctrl+C is for this process, which then gives up the suite, and not for those that it starts meanwhile."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _begin_work(enough: Event) -> None:
    """At the start of a process."""
    cv2.setNumThreads(1)
    _ENOUGH.append(enough)


def _go_on(seconds: float) -> None:
    if any(enough.is_set() for enough in _ENOUGH):
        raise _Enough


def _make(task: Task, out: Path, pictures: bool, heard: Heard = lambda seconds: None) -> Recorded:
    folder = out / task.folder
    scenario = read_scenario(task.scenario)
    if _is_made(folder, pictures):
        return _made_before(scenario, task, folder)
    return record(scenario, task.seed, folder, pictures=pictures, heard=heard)


def _is_made(folder: Path, pictures: bool) -> bool:
    return (folder / PLAN_FILE).is_file() and (not pictures or (folder / FRAMES_FILE).is_file())


def _made_before(scenario: Scenario, task: Task, folder: Path) -> Recorded:
    truth = read_truth(folder)
    return Recorded(
        folder=folder.name,
        scenario=scenario.name,
        seed=task.seed,
        seconds=(truth[-1].t_us - truth[0].t_us) / 1e6 if truth else 0.0,
        frames=_rows(folder / FRAMES_FILE),
        samples=_rows(folder / SCALES_FILE),
        truth=counted([each.kind for each in truth]),
    )


def _rows(table: Path) -> int:
    """How many rows a table of a recording has below its heading; none where there is no such table."""
    return len(table.read_bytes().splitlines()) - 1 if table.is_file() else 0
