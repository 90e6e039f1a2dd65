"""The commands `companion simulate` and `companion fit`, with a bar that shows how far they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from companion.errors import BadRecording, Malformed
from companion.sensing.bench import recordings_in
from companion.sensing.plan import PLAN_FILE, read_plan
from companion.sensing.recording import FRAMES_FILE
from companion.twin.eye_school import school_eye
from companion.twin.record import Recorded, record
from companion.twin.scenario import read_scenario, scenario_names
from companion.twin.schooling import EARS, MadeUp, school
from companion.twin.sheet import sheet_of
from companion.twin.suite import FULL_RECORDINGS, SMALL, Counts, Size, make_suite
from companion.twin.table import ORIGIN
from companion.twin.training import GOOD_COURSE

__all__ = ["MadeUp", "about", "fit", "fit_eye", "listed", "sheet_of", "simulate", "simulate_suite"]

_SECONDS_A_STEP, _SECONDS_ABOUT = 4.0, 4.0


def listed() -> str:
    """The scenarios, one a line, with what they are about."""
    return "\n".join(f"{name:<24} {read_scenario(name).title}" for name in scenario_names())


def simulate(scenario: str, seed: int, out: Path | None, pictures: bool = True) -> Recorded:
    """Make one recording, by default in a folder named after the scenario and the seed."""
    script = read_scenario(scenario)
    folder = out or Path(f"{script.name}-{seed:03d}")
    _check_free(folder)
    with _bar() as bar:
        about_s = _SECONDS_ABOUT + _SECONDS_A_STEP * sum(step.most for step in script.steps)
        task = bar.add_task(f"{script.name}, seed {seed}", total=about_s)
        made = record(
            script,
            seed,
            folder,
            pictures=pictures,
            heard=lambda seconds: bar.update(task, completed=min(seconds, 0.99 * about_s)),
        )
        bar.update(task, completed=about_s)
    return made


def simulate_suite(size: Size, out: Path, jobs: int, pictures: bool = True, first_seed: int = 1) -> Counts:
    """Make a suite of recordings in a folder."""
    with _bar() as bar:
        task = bar.add_task(f"{size} suite", total=len(SMALL) if size == "small" else FULL_RECORDINGS)

        def done(made: Recorded) -> None:
            bar.update(task, advance=1, description=made.folder)

        return make_suite(size, out, jobs, done, pictures, first_seed)


def fit(folders: Sequence[Path], out: Path, made_up: MadeUp, jobs: int) -> str:
    """Learn what falls feel like: ears, and a forest beside them; a sentence about it."""
    found = recordings_in(folders) if folders else []
    _check_writable(out)
    forest_out = _forest_beside(out)
    many = len(found) + made_up.rehearsals + made_up.drills
    if not many:
        raise Malformed("There is nothing to learn from: name recordings, or have some rehearsals or drills.")
    with _learning(forest_out, many + 1 + EARS * GOOD_COURSE.times) as done:
        learned = school(found, made_up, jobs, done)
    _keep(learned.ears.to_bytes(), out)
    _keep(msgspec.json.encode(learned.forest) + b"\n", forest_out)
    heard = f"Recordings: {len(found)}. Rehearsals: {made_up.rehearsals}. Drills: {made_up.drills}."
    return f"{out}: {len(learned.ears)} ears. {forest_out}: {len(learned.forest.asks)} trees. {heard}"


def _forest_beside(ears: Path) -> Path:
    """The file of the forest that goes with the ears of another."""
    forest = ears.with_suffix(".json")
    if forest == ears:
        raise Malformed(f"{ears} is where the forest goes: name another file for the ears, as falls.npz.")
    return forest


def fit_eye(folders: Sequence[Path], out: Path, jobs: int) -> str:
    """Learn what falls look like from films; a sentence about it."""
    found = [each for each in recordings_in(folders) if (each / FRAMES_FILE).is_file()]
    if not found:
        raise BadRecording("None of these recordings was filmed: the eye learns from films.")
    with _learning(out, 2 * len(found)) as done:
        grown = school_eye(found, jobs, done)
    _keep(msgspec.json.encode(grown) + b"\n", out)
    return f"{out}: {len(grown.asks)} trees. Films: {len(found)}."


@contextmanager
def _learning(out: Path, lessons: int) -> Iterator[Callable[[str], None]]:
    """A bar that hears of each lesson; Malformed before the first where what is learned could not be kept."""
    _check_writable(out)
    with _bar() as bar:
        task = bar.add_task("lessons", total=lessons)
        yield lambda name: bar.update(task, advance=1, description=name)


def _check_writable(out: Path) -> None:
    try:
        if out.is_dir():
            raise IsADirectoryError
        _part(out).touch()
        _part(out).unlink()
    except OSError as err:
        raise Malformed(f"{out} cannot be written: name a file in a folder that is there.") from err


def _keep(learned: bytes, out: Path) -> None:
    """Write what was learned, all of it or nothing."""
    _part(out).write_bytes(learned)
    _part(out).replace(out)


def _part(out: Path) -> Path:
    return out.with_name(f"{out.name}.part")


def _check_free(folder: Path) -> None:
    """What was recorded at a real table is not written over."""
    if (folder / PLAN_FILE).is_file() and read_plan(folder).origin != ORIGIN:
        raise BadRecording(f"{folder} holds a recording of a real table: name another folder.")


def about(made: Recorded) -> str:
    """One line on a recording, and one on each step that was left out."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in made.truth.items())
    made_of = f"{made.seconds:.1f} s, {made.frames} pictures, {made.samples} samples; {kinds}"
    return "\n".join([f"{made.folder}: {made_of}.", *(f"Left out: {why}" for why in made.undone)])


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description:<28}"),
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )
