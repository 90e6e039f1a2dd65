"""The commands of the senses: a recording watched or made, and a table simulated."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.shared import AsJson, path_of, the_twin
from companion.errors import Malformed

if TYPE_CHECKING:
    from companion.sensing.streams import Sense

app = typer.Typer()


class Senses(StrEnum):
    """What a recording may be watched with."""

    SCALES = "scales"
    CAMERA = "camera"
    BOTH = "both"

    @property
    def used(self) -> tuple[Sense, ...]:
        both: tuple[Sense, ...] = ("scales", "camera")
        return tuple(sense for sense in both if self in (sense, Senses.BOTH))


_MADE_UP = 1800  # rehearsals, and drills, that the scales learn from where nobody says how many


@app.command("watch")
def watch_recording(
    recording: Annotated[str, typer.Argument(metavar="RECORDING", help="The folder of a recording.")],
    senses: Annotated[Senses | None, typer.Option(help="What to watch with. Default: what the recording has.")] = None,
    json: AsJson = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="As a story, with what each event was decided on.")
    ] = False,
    overlay: Annotated[
        str, typer.Option(metavar="FILE.mp4", help="Also draw what was sensed into a copy of the video.")
    ] = "",
    evidence: Annotated[
        str, typer.Option(metavar="DIR", help="Also keep each collapse as a small recording of its own.")
    ] = "",
) -> None:
    """Tell what happened on a recorded table: pieces placed and taken, collapses, bumps, faults."""
    from companion.text.watching import watch

    used = senses.used if senses else ()
    watch(Path(recording), used, print, json, explain=explain, overlay=path_of(overlay), evidence=path_of(evidence))


@app.command("record")
def record_table(
    out: Annotated[str, typer.Argument(metavar="OUT", help="The folder of the recording.")],
    seconds: Annotated[float | None, typer.Option(min=0.1, help="How long. Default: until Ctrl+C.")] = None,
) -> None:
    """Record the live table: what its scales and its camera give, to be watched later."""
    from companion import config
    from companion.text.live_table import record

    print(f"Recorded: {record(Path(out), seconds, config.read(), print)}")


class SuiteSize(StrEnum):
    """How many recordings a suite has: a few minutes' work, or an hour's and more."""

    SMALL = "small"
    FULL = "full"


@app.command("simulate")
def simulate_table(
    scenario: Annotated[
        str,
        typer.Argument(
            metavar="SCENARIO", help="What happens: a name, or a script of your own as .txt. Default: a list."
        ),
    ] = "",
    seed: Annotated[
        int, typer.Option(min=0, help="Another seed, another table, another evening; a suite counts from it.")
    ] = 1,
    out: Annotated[str, typer.Option(metavar="DIR", help="Where the recording goes, or the suite's recordings.")] = "",
    suite: Annotated[SuiteSize | None, typer.Option(help="Many scenarios with many seeds.")] = None,
    sheet: Annotated[str, typer.Option(metavar="FILE", help="Also a contact sheet of what is in DIR.")] = "",
    jobs: Annotated[int, typer.Option(min=1, help="How many recordings of a suite are made at once.")] = 2,
    no_camera: Annotated[bool, typer.Option("--no-camera", help="Scales only: far faster.")] = False,
) -> None:
    """Play a scenario on a simulated table and record what scales and camera sense of it, with the truth."""
    twin = the_twin()
    if suite and scenario:
        raise Malformed("A suite chooses its scenarios itself: name a scenario, or --suite, but not both.")
    if suite:
        out = out or f"suite-{suite.value}"
        print(twin.simulate_suite(suite.value, Path(out), jobs, not no_camera, seed))
    elif scenario:
        print(twin.about(twin.simulate(scenario, seed, Path(out) if out else None, not no_camera)))
    elif not sheet:
        print(twin.listed())
    if sheet:
        twin.sheet_of(Path(out or "."), Path(sheet))


@app.command("fit")
def fit(
    suites: Annotated[
        list[str] | None,
        typer.Argument(metavar="DIR...", help="Recordings with a truth, or suites of them; with --eye, films."),
    ] = None,
    eye: Annotated[bool, typer.Option("--eye", help="What a fall looks like, instead of what it feels like.")] = False,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="What was learned, by default falls.npz with falls.json beside it, or looks.json: to take the place "
            "of those in companion/sensing/scales, or of companion/sensing/looks.json.",
        ),
    ] = None,
    rehearsals: Annotated[
        int | None,
        typer.Option(
            min=0, help=f"How many short evenings of the simulated table the scales learn from. Default: {_MADE_UP}."
        ),
    ] = None,
    drills: Annotated[
        int | None, typer.Option(min=0, help=f"How many drills, made-up forces, they learn from. Default: {_MADE_UP}.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Rehearsals are counted from it. Default: 1.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="How many recordings are learned from at once.")] = 2,
) -> None:
    """Learn what a fall feels like to the scales: from rehearsals, drills and recordings; or from films its look."""
    folders = [path_of(suite) for suite in suites or ()]
    if eye and (rehearsals, drills, seed) != (None, None, None):
        raise Malformed("The eye learns from films alone: leave out --rehearsals, --drills and --seed.")
    if eye and not folders:
        raise Malformed("The eye learns from films: name a folder with recordings that were filmed.")
    if eye:
        print(the_twin().fit_eye(folders, Path(out or "looks.json"), jobs))
        return
    rehearsals, drills = (_MADE_UP if many is None else many for many in (rehearsals, drills))
    made_up = the_twin().MadeUp(rehearsals, drills, 1 if seed is None else seed)
    print(the_twin().fit(folders, Path(out or "falls.npz"), made_up, jobs))
