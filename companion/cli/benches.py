"""The commands `companion bench ...` and `companion soak ...`: measurements, and long checks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.shared import SICK, box_called, path_of, the_twin

soak = typer.Typer(help="Long checks: random games, and games killed at random moments.", no_args_is_help=True)
bench = typer.Typer(help="Measurements on this machine.", no_args_is_help=True)


@soak.command("rules")
def soak_rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="One game only. Default: every game.")] = "",
    number: Annotated[int | None, typer.Option("--games", min=1, help="How many random games of each.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The number of the first game.")] = 0,
) -> None:
    """Play random legal games to their end while a referee checks what must always hold."""
    from companion.rules.soak import soak as soak_games

    report = soak_games(number, seed, print, (box_called(game).info.id,) if game else None)
    print(report)
    if not report.ok:
        raise typer.Exit(SICK)


@soak.command("session")
def soak_session(
    rounds: Annotated[int, typer.Option(min=1, help="How many times a playing program is killed.")] = 200,
    seed: Annotated[int, typer.Option(help="Another seed, other moments.")] = 0,
) -> None:
    """Kill a playing program at random moments and look for every move it had acknowledged."""
    from companion.session.soak import kill_test

    report = kill_test(rounds, seed)
    print(report, *report.problems, sep="\n")
    if not report.ok:
        raise typer.Exit(SICK)


@bench.command("live")
def bench_live(
    rounds: Annotated[int, typer.Option(min=1, help="How many simulated tables; three towers fall on each.")] = 6,
) -> None:
    """Measure in real time how soon the live table tells of a collapse, on simulated tables."""
    from companion.text.live_table import bench_live as measure

    the_twin()
    if not measure(rounds):
        raise typer.Exit(SICK)


@bench.command("soak")
def bench_soak(
    recording: Annotated[
        str, typer.Argument(metavar="[RECORDING]", show_default=False, help="What is played. Default: a simulated one.")
    ] = "",
    hours: Annotated[float, typer.Option(min=0.1, help="How long, in the table's own time.")] = 2.0,
) -> None:
    """Let the live table run for hours as fast as it can, and look whether memory and files stay the same."""
    from companion.session import folder
    from companion.text.live_table import bench_soak as measure

    played = Path(recording) if recording else folder.home() / "cache" / "soak"
    if not recording and not played.is_dir():
        played.parent.mkdir(parents=True, exist_ok=True)
        the_twin().simulate("mixed-evening", 1, played)
    if not measure(played, hours):
        raise typer.Exit(SICK)


@bench.command("scales")
def bench_scales(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="Real logs: coffee, four-corners, four-cells.")],
) -> None:
    """Measure the scales' step detector on real logs, beside a plain one, and what a sample costs."""
    from companion.text.scale_bench import run

    if not run(Path(folder)):
        raise typer.Exit(SICK)


@bench.command("sensing")
def bench_sensing(
    folders: Annotated[list[str], typer.Argument(metavar="DIR...", help="Recordings with a truth, or folders of them")],
    json: Annotated[str, typer.Option(metavar="FILE", help="Also write the scoreboard as JSON.")] = "",
    plot: Annotated[str, typer.Option(metavar="DIR", help="Also draw it as pictures.")] = "",
    only: Annotated[list[str] | None, typer.Option(metavar="NAME", help="One detector only; may be repeated.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="How many recordings are watched at once.")] = 2,
    disturb: Annotated[
        bool, typer.Option("--disturb", help="Also with covered markers, dead cells and the like: nine times the work.")
    ] = False,
) -> None:
    """Hold what the watcher says of recordings beside what really happened, and beside two plain detectors."""
    from companion.text.scoreboard import run

    where = [Path(folder) for folder in folders]
    run(where, path_of(json), path_of(plot), only=only or [], jobs=jobs, disturb=disturb)


@bench.command("eye")
def bench_eye(
    recording: Annotated[str, typer.Argument(metavar="RECORDING", help="The folder of a recording with a video.")],
    minutes: Annotated[float, typer.Option(min=0.05, help="How long it is watched over and over for memory.")] = 10.0,
) -> None:
    """Measure what a picture costs beside OpenCV's MOG2, at two sizes, and whether memory grows."""
    from companion.text.eye_bench import run

    if not run(Path(recording), minutes):
        raise typer.Exit(SICK)


@bench.command("session")
def bench_session() -> None:
    """Measure how long a move takes until it is safe, opening and undoing long games, and random games."""
    from companion.session import bench as measuring

    measuring.run()


@bench.command("rules")
def bench_rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="One game only. Default: every game.")] = "",
) -> None:
    """Measure what a table waits for: open spots, previews, prompts, each beside what it may take."""
    from companion.rules import registry
    from companion.text import timings

    timings.show((box_called(game),) if game else registry.shelf())


@bench.command("app")
def bench_app() -> None:
    """Measure the app: its start, a touch, the table's frames, and memory. It needs no display."""
    from companion.app import bench as measuring

    measuring.run()


@bench.command("call")
def bench_call(
    rounds: Annotated[int, typer.Option(min=1, help="How many simulated tables; three towers fall on each.")] = 6,
) -> None:
    """Measure in real time how soon a fall is on the screen, beside the detector's own delay. It needs no display."""
    the_twin()
    from companion.app.call_bench import run

    if not run(rounds):
        raise typer.Exit(SICK)
