"""The command `companion simulate`: one recording, or a suite of them, with a bar that shows how far it is."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from companion.errors import Malformed
from companion.sensing.plan import PLAN_FILE
from companion.twin.record import Recorded, record
from companion.twin.scenario import read_scenario, scenario_names
from companion.twin.suite import FULL_RECORDINGS, SMALL, Counts, Size, contact_sheet, make_suite

_SHEET_PICTURES = 10
_SECONDS_A_STEP, _SECONDS_ABOUT = 4.0, 4.0


def listed() -> str:
    """The scenarios, one a line, with what they are about."""
    return "\n".join(f"{name:<24} {read_scenario(name).title}" for name in scenario_names())


def simulate(scenario: str, seed: int, out: Path | None, pictures: bool = True) -> Recorded:
    """Make one recording, by default in a folder named after the scenario and the seed."""
    script = read_scenario(scenario)
    folder = out or Path(f"{script.name}-{seed:03d}")
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


def sheet_of(out: Path, file: Path) -> int:
    """A contact sheet of up to ten recordings in a folder, spread over its scenarios; how many are on it."""
    found = sorted(folder.parent for folder in out.glob(f"*/{PLAN_FILE}"))
    if (out / PLAN_FILE).is_file():
        found = [out]
    if not found:
        raise Malformed(f"There are no recordings in {out}.")
    step = max(1, len(found) // _SHEET_PICTURES)
    chosen = found[::step][:_SHEET_PICTURES]
    contact_sheet(chosen, file)
    return len(chosen)


def about(made: Recorded) -> str:
    """One line on a recording."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in made.truth.items())
    return f"{made.folder}: {made.seconds:.1f} s, {made.frames} pictures, {made.samples} samples; {kinds}."


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description:<28}"),
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )
