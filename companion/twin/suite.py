"""Many recordings at once: which scenarios with which seeds, made by a few processes, and a contact sheet of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from typing import Literal

import cv2
import msgspec
import numpy as np

from companion.errors import BadRecording
from companion.sensing.plan import PLAN_FILE
from companion.sensing.recording import Recording
from companion.sensing.streams import Frame, Image
from companion.sensing.truth import Truth, read_truth
from companion.twin.record import Heard, Recorded, record
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
_ALIKE_ACTS = ("rest", "lean", "hover", "reach", "bump", "lights", "shadow", "nudge", "drop beside", "store", "fumble")
_TILE_WIDTH_PX, _TILE_HEIGHT_PX = 480, 360
_AFTER_FALL_US = 250_000
_SHEET_COLUMNS = 2
_LABEL_PX = 26

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
    """Make a suite in `out`; recordings that are there already are kept. Tells each that is done.

    The full suite goes round its scenarios until there is enough of everything. Every recording has a seed of its
    own, counted from the first: another first seed gives a suite nobody has seen.
    """
    out.mkdir(parents=True, exist_ok=True)
    counts, index = Counts(), list[Recorded]()
    for lap in range(1 if size == "small" else _MOST_ROUNDS):
        fallen = {made.scenario for made in index if "collapse" in made.truth}
        tasks = small_tasks(first_seed) if size == "small" else full_tasks(lap, fallen, first_seed)
        for made in make(tasks, out, jobs, pictures):
            counts = counts.with_one(made)
            index.append(made)
            _write_index(out, index)
            done(made)
        if counts.enough:
            break
    return counts


def _write_index(out: Path, index: Sequence[Recorded]) -> None:
    lines = sorted(index, key=lambda made: made.folder)
    (out / INDEX_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(lines), indent=1))


def make(tasks: Sequence[Task], out: Path, jobs: int, pictures: bool = True) -> Iterator[Recorded]:
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
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting: set[Future[Recorded]] = {pool.submit(_make, task, out, pictures) for task in tasks}
        try:
            while waiting:
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from sorted((future.result() for future in ready), key=lambda made: made.folder)
        finally:
            for future in waiting:
                future.cancel()


def _make(task: Task, out: Path, pictures: bool, heard: Heard = lambda seconds: None) -> Recorded:
    folder = out / task.folder
    scenario = read_scenario(task.scenario)
    if (folder / PLAN_FILE).is_file():
        return _made_before(scenario, task, folder)
    cv2.setNumThreads(1)
    return record(scenario, task.seed, folder, pictures=pictures, heard=heard)


def _made_before(scenario: Scenario, task: Task, folder: Path) -> Recorded:
    truth = read_truth(folder)
    kinds = [each.kind for each in truth]
    return Recorded(
        folder=folder.name,
        scenario=scenario.name,
        seed=task.seed,
        seconds=(truth[-1].t_us - truth[0].t_us) / 1e6 if truth else 0.0,
        frames=0,
        samples=0,
        truth={kind: kinds.count(kind) for kind in sorted(set(kinds))},
    )


# A contact sheet


def contact_sheet(folders: Sequence[Path], file: Path) -> None:
    """One telling picture of each recording, side by side, with its name."""
    tiles = [tile for folder in folders if (tile := _tile(folder)) is not None]
    if not tiles:
        raise BadRecording("There is no recording with pictures for a contact sheet.")
    blank = np.full_like(tiles[0], 255)
    tiles += [blank] * (-len(tiles) % _SHEET_COLUMNS)
    rows = [np.hstack(tiles[at : at + _SHEET_COLUMNS]) for at in range(0, len(tiles), _SHEET_COLUMNS)]
    if not cv2.imwrite(str(file), np.vstack(rows)):
        raise BadRecording(f"No picture can be written to {file}.")


def _tile(folder: Path) -> Image | None:
    recording = Recording.open(folder)
    if "camera" not in recording.senses:
        return None
    frame = _telling_frame(recording, read_truth(folder))
    if frame is None:
        return None
    tile = cv2.resize(frame.image, (_TILE_WIDTH_PX, _TILE_HEIGHT_PX), interpolation=cv2.INTER_AREA)
    label = np.full((_LABEL_PX, _TILE_WIDTH_PX, 3), 255, np.uint8)
    cv2.putText(label, folder.name, (6, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)
    return np.vstack([label, np.asarray(tile, np.uint8)])


def _telling_frame(recording: Recording, truth: Sequence[Truth]) -> Frame | None:
    """The first picture after the moment that matters most."""
    wanted = _telling_us(truth)
    found = None
    for frame in recording.frames():
        found = frame
        if frame.t_us >= wanted:
            break
    return found


def _telling_us(truth: Sequence[Truth]) -> int:
    for kind in ("collapse", "bump", "light", "removed", "hand", "placed"):
        for each in truth:
            if each.kind == kind:
                return each.t_us + (_AFTER_FALL_US if kind == "collapse" else 2 * _AFTER_FALL_US)
    return truth[-1].t_us if truth else 0
