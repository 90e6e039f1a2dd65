"""The command `companion`. Each command is a few lines here; what it does lives in `text` and `session`.

What people got wrong is said in one sentence on standard error, with exit code 2: `main` is the one place for that.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion import __version__
from companion.errors import CompanionError, Malformed, PartMissing
from companion.scales_cli import scales

if TYPE_CHECKING:
    from companion.doctor import Check
    from companion.rules.base import Game
    from companion.sensing.streams import Sense

OK, SICK, WRONG = 0, 1, 2
_INTERRUPTED = 130
_PIPE_CLOSED = 141
_RESUME = "--resume"
_BASE_OF_USAGE_ERRORS: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="companion",
    help="A referee, scorekeeper and memory for castle-building board games. Without a command: the home screen.",
    add_completion=False,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
soak = typer.Typer(help="Long checks: random games, and games killed at random moments.", no_args_is_help=True)
bench = typer.Typer(help="Measurements on this machine.", no_args_is_help=True)
castle = typer.Typer(help="Castles of Mad King Ludwig as text and pictures.", no_args_is_help=True)
app.add_typer(soak, name="soak")
app.add_typer(bench, name="bench")
app.add_typer(castle, name="castle")
app.add_typer(scales, name="scales")

GameId = Annotated[str, typer.Argument(metavar="GAME", help="A game's id; the command 'games' lists them.")]
SavedId = Annotated[
    str, typer.Argument(metavar="ID", help="A saved game, or a part of its id. Default: the game last played.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON for programs.")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 done, 1 something is bad, 2 something was wrong with the input."""
    _forgive_odd_terminals()
    try:
        code = _run(_with_resume_value(list(sys.argv[1:] if arguments is None else arguments)))
        sys.stdout.flush()
    except BrokenPipeError:
        return _pipe_closed()
    except (CompanionError, _BASE_OF_USAGE_ERRORS) as error:
        return _say_wrong(_message(error))
    except UnicodeDecodeError:
        return _say_wrong("Standard input is not UTF-8 text.")
    except OSError as error:
        return _say_wrong(_os_sentence(error))
    except (KeyboardInterrupt, typer.Abort):
        return _INTERRUPTED
    return code


def _run(arguments: list[str]) -> int:
    code = typer.main.get_command(app).main(arguments, prog_name="companion", standalone_mode=False)
    return code if isinstance(code, int) else OK


def _with_resume_value(arguments: list[str]) -> list[str]:
    """`--resume` may stand alone: it then means the game last played."""
    return [
        f"{_RESUME}=" if word == _RESUME and after.startswith("-") else word
        for word, after in pairwise([*arguments, "-"])
    ]


def _forgive_odd_terminals() -> None:
    """A stream that is closed leads nowhere; a terminal without some letter shows a question mark for it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="replace")


def _message(error: Exception) -> str:
    words = getattr(error, "format_message", error.__str__)()
    sentence = " ".join(str(words).split())
    return sentence if sentence.endswith((".", "?", "!", ")")) else f"{sentence}."


def _os_sentence(error: OSError) -> str:
    where = f"'{error.filename}': " if error.filename else ""
    return f"{where}{error.strerror or error}."


def _say_wrong(sentence: str) -> int:
    sys.stdout.flush()
    if sentence.strip("."):  # a command without its word has shown its help, and says nothing more
        print(sentence, file=sys.stderr)
    return WRONG


def _pipe_closed() -> int:
    """Nobody reads any more. What is still in the buffer goes nowhere, so that Python's own goodbye is quiet too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _PIPE_CLOSED


def _print_json(value: object) -> None:
    from companion.text.sheets import pretty

    print(pretty(value))


def _game(game: str) -> Game[Any]:
    from companion.rules import registry

    return registry.get(game)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"companion {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def home(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and leave.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None and not _opened_window():
        from companion.text.evening import home as home_screen
        from companion.text.paper import paper
        from companion.text.saves import the_shelf

        home_screen(paper(), the_shelf())


def _opened_window() -> bool:
    """Run the app where there is a display. False where there is none, or it would not open."""
    from companion.app import kivyenv

    if not kivyenv.display_answers(os.environ):
        return False
    kivyenv.guard()
    kivyenv.on_a_display(os.environ)
    kivyenv.hurry()
    from companion.app import shell

    try:
        shell.run()
    except SystemExit:  # Kivy's way to say that no window could be had
        gc.enable()
        print("The window could not be opened.", file=sys.stderr)
        return False
    return True


# Games and rules


@app.command()
def games(json: AsJson = False) -> None:
    """List the games: players, length, modes, options, and which senses help."""
    from companion.rules import registry
    from companion.text import listing
    from companion.text.paper import printer

    if json:
        _print_json([game.info for game in registry.shelf()])
    else:
        listing.show_games(printer(), registry.shelf())


@app.command()
def rules(game: GameId, json: AsJson = False) -> None:
    """Everything a game knows: actions with fields and examples, options, rules and rulings with citations."""
    from companion.text import listing
    from companion.text.paper import printer

    entries = listing.listing(_game(game))
    if json:
        _print_json(entries)
    else:
        listing.show_rules(printer(), entries)


@app.command()
def score(
    game: GameId,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON of a tally, a state or an exported game; or -.")
    ] = "",
    json: AsJson = False,
    template: Annotated[bool, typer.Option("--template", help="Print a tally to fill in.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of a tally.")] = False,
    players: Annotated[int | None, typer.Option(help="For how many players the template is.")] = None,
) -> None:
    """Score a finished game from a tally, and say who won and by what."""
    from companion.text import files, sheets
    from companion.text.paper import printer

    box = _game(game)
    if template:
        print(sheets.template(box, players))
    elif schema:
        print(sheets.schema(box))
    elif not file:
        raise Malformed("Which tally? Name a FILE, or - for standard input; --template prints one to fill in.")
    else:
        sheet = sheets.sheet_of(box, files.read_json(file))
        _print_json(sheets.as_data(box, sheet)) if json else sheets.show(printer(), box, sheet)


@app.command()
def referee(
    game: GameId,
    script: Annotated[str, typer.Argument(metavar="SCRIPT", help="A set-up line, then one action to a line; or -.")],
    start: Annotated[str, typer.Option("--from", metavar="STATE", help="Begin with this state, not a set-up.")] = "",
    json: AsJson = False,
) -> None:
    """Apply a script of actions; show what each did, the state, and what can be done now."""
    from companion.text import files
    from companion.text import script as scripts
    from companion.text.paper import printer

    box = _game(game)
    state = _state_in(files.read_json(start)) if start else None
    report = scripts.run(box, files.read_text(script), files.spoken(script), state)
    _print_json(scripts.as_data(box, report)) if json else scripts.show(printer(), box, report)
    if report.refused:
        raise Malformed(scripts.refusal_sentence(report.refused))


def _state_in(raw: object) -> object:
    """A state, or the state of a referee's report."""
    return raw["state"] if isinstance(raw, dict) and isinstance(raw.get("state"), dict) else raw


# Playing


@app.command()
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's id. Without one, you choose.")] = "",
    text: Annotated[bool, typer.Option("--text", help="At the terminal, even where there is a display.")] = False,
    seats: Annotated[str, typer.Option(metavar="A,B,...", help="Names clockwise around the table.")] = "",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Set an option; may be repeated.")
    ] = None,
    resume: Annotated[
        str | None, typer.Option(_RESUME, metavar="[ID]", help="Go on with a saved game, by default the last one.")
    ] = None,
    adopt_rules: Annotated[
        bool, typer.Option("--adopt-rules", help="Go on under today's rules with a game of another version.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="The same luck every time, when the companion draws.")] = None,
    auto_draw: Annotated[
        bool, typer.Option("--auto-draw", help="The companion draws and rolls: no box needed.")
    ] = False,
) -> None:
    """Play a whole game, or go on with one. Every move is saved as it is made."""
    from companion.text import evening, seating
    from companion.text.paper import paper
    from companion.text.saves import the_shelf

    names = seating.parsed_seats(seats) if seats else None
    wishes = evening.Wishes(seats=names, settings=tuple(settings or ()), seed=seed, auto_draw=auto_draw)
    if resume is not None:
        evening.take_up(paper(), the_shelf(), resume or game, wishes, adopt_rules=adopt_rules)
    elif game:
        evening.begin(paper(), the_shelf(), game, wishes)
    else:
        evening.home(paper(), the_shelf())


# Saved games


@app.command()
def sessions(json: AsJson = False) -> None:
    """List the saved games, the one last played first."""
    from companion.text import saves
    from companion.text.paper import printer

    found = saves.the_shelf().list()
    _print_json([saves.as_data(saved) for saved in found]) if json else saves.show(printer(), found)


@app.command()
def history(saved: SavedId = "", json: AsJson = False) -> None:
    """Everything that happened in a saved game; corrections and what was undone are marked."""
    from companion.text import history as histories
    from companion.text import saves
    from companion.text.paper import printer

    with saves.looked_at(saved) as session:
        lines = session.history()
        if json:
            _print_json([histories.as_data(line) for line in lines])
        else:
            histories.show(printer(), lines, session.cover.seats)


class Format(StrEnum):
    """What a saved game can be written as."""

    JSON = "json"
    CSV = "csv"
    SCORES = "scores"
    BGSTATS = "bgstats"


@app.command("export")
def export_game(
    saved: SavedId = "",
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="Where to. Default: standard output.")
    ] = "-",
    form: Annotated[
        Format, typer.Option("--format", help="All of it, its history, its score sheet, or a play for BG Stats.")
    ] = Format.JSON,
) -> None:
    """Write a saved game as a file for others."""
    from companion.text.exports import write

    write(saved, form.value, output)


@app.command("import")
def import_game(file: Annotated[str, typer.Argument(metavar="FILE", help="A game exported as JSON.")]) -> None:
    """Take in a game that was exported as JSON."""
    from companion.session.exchange import import_json
    from companion.text.command import typed
    from companion.text.saves import the_shelf

    saved = import_json(the_shelf(), Path(file))
    print(f"Taken in as {saved}. To go on: {typed('play')} --resume {saved}")


# Senses


class Senses(StrEnum):
    """What a recording may be watched with."""

    SCALES = "scales"
    CAMERA = "camera"
    BOTH = "both"

    @property
    def used(self) -> tuple[Sense, ...]:
        both: tuple[Sense, ...] = ("scales", "camera")
        return tuple(sense for sense in both if self in (sense, Senses.BOTH))


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
    watch(Path(recording), used, print, json, explain=explain, overlay=_file(overlay), evidence=_file(evidence))


@app.command("record")
def record_table(
    out: Annotated[str, typer.Argument(metavar="OUT", help="The folder of the recording.")],
    seconds: Annotated[float | None, typer.Option(min=0.1, help="How long. Default: until Ctrl+C.")] = None,
) -> None:
    """Record the live table: what its scales and its camera give, to be watched later."""
    from companion import config
    from companion.text.live_table import record

    print(f"Recorded: {record(Path(out), seconds, config.read(), print)}")


@bench.command("live")
def bench_live(
    rounds: Annotated[int, typer.Option(min=1, help="How many simulated tables; two towers fall on each.")] = 6,
) -> None:
    """Measure in real time how soon the live table tells of a collapse, on simulated tables."""
    from companion.text.live_table import bench_live as measure

    _twin()
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
        _twin().simulate("mixed-evening", 1, played)
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
    twin = _twin()
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


def _file(name: str) -> Path | None:
    return Path(name) if name else None


def _twin() -> ModuleType:
    try:
        from companion.twin import command
    except ModuleNotFoundError as error:
        raise PartMissing("The simulated table", error.name or "", "twin") from error
    return command


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
    run(where, _file(json), _file(plot), only=only or [], jobs=jobs, disturb=disturb)


@bench.command("eye")
def bench_eye(
    recording: Annotated[str, typer.Argument(metavar="RECORDING", help="The folder of a recording with a video.")],
    minutes: Annotated[float, typer.Option(min=0.05, help="How long it is watched over and over for memory.")] = 10.0,
) -> None:
    """Measure what a picture costs beside OpenCV's MOG2, at two sizes, and whether memory grows."""
    from companion.text.eye_bench import run

    if not run(Path(recording), minutes):
        raise typer.Exit(SICK)


# The companion itself


@app.command()
def doctor(json: AsJson = False) -> None:
    """Check what an evening depends on, and say what to do where something is wrong."""
    from companion import doctor as practice
    from companion.text.paper import printer

    found = [*practice.checks(), _camera_check()]
    if json:
        _print_json(found)
    else:
        out = printer()
        for check in found:
            out.say(f"{check.ok:<5} {check.name}: {check.says}", style="" if check.ok == "good" else "bad")
            if check.remedy:
                out.say(f"      {check.remedy}")
    if practice.worst(found) == "bad":
        raise typer.Exit(SICK)


def _camera_check() -> Check:
    from companion import config
    from companion.devices.camera import check
    from companion.devices.camera.choosing import CameraConfig

    try:
        here = config.read()
    except Malformed:
        here = config.Config()
    return check.camera(CameraConfig(use=here.camera))


@soak.command("rules")
def soak_rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="One game only. Default: every game.")] = "",
    number: Annotated[int | None, typer.Option("--games", min=1, help="How many random games of each.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The number of the first game.")] = 0,
) -> None:
    """Play random legal games to their end while a referee checks what must always hold."""
    from companion.rules.soak import soak as soak_games

    report = soak_games(number, seed, print, (_game(game).info.id,) if game else None)
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

    timings.show((_game(game),) if game else registry.shelf())


@castle.command("draw")
def castle_draw(
    notation: Annotated[str, typer.Argument(metavar="NOTATION", help="For example: 'foyer@0,0 kitchen@3,-1/90'.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; - prints it.")
    ] = "castle.svg",
) -> None:
    """Draw a castle to scale as an SVG picture. Its notation lists room@x,y/turn."""
    from companion.rules.mad_king_ludwig.draw import svg
    from companion.rules.mad_king_ludwig.notation import read
    from companion.text import exports

    exports.put(svg(read(notation)).encode(), "The castle", output)


@bench.command("app")
def bench_app() -> None:
    """Measure the app: its start, a touch, the table's frames, and memory. It needs no display."""
    from companion.app import bench as measuring

    measuring.run()


@bench.command("call")
def bench_call(
    rounds: Annotated[int, typer.Option(min=1, help="How many simulated tables; two towers fall on each.")] = 6,
) -> None:
    """Measure in real time how soon a fall is on the screen, beside the detector's own delay. It needs no display."""
    _twin()
    from companion.app.call_bench import run

    if not run(rounds):
        raise typer.Exit(SICK)


# The app


@app.command()
def demo(
    keep: Annotated[
        str, typer.Option(metavar="FOLDER", help="Keep the game, and without a display pictures and report, there.")
    ] = "",
    text: Annotated[bool, typer.Option("--text", help="At the terminal, even where there is a display.")] = False,
) -> None:
    """See an evening play itself on the simulated table, in under four minutes: on a display, or as a report."""
    from companion.demo import command

    if not command.run(keep, text=text):
        raise typer.Exit(SICK)


@app.command()
def shots(
    folder: Annotated[
        str, typer.Argument(metavar="[FOLDER]", show_default=False, help="Where the pictures of all screens go.")
    ] = "",
    every_size: Annotated[bool, typer.Option("--every-size", help="Also at 1280x720 and 720x1280.")] = False,
) -> None:
    """Take pictures of every screen of the app; without a folder, those of the README anew. It needs no display."""
    from companion.app import shots as pictures

    where, only = (Path(folder), ()) if folder else (pictures.README_FOLDER, pictures.README_NAMES)
    taken = pictures.shots(where, pictures.SIZES if every_size else pictures.SIZES[:1], only)
    print(f"{len(taken)} pictures are in {where}.")


@app.command("install-kiosk")
def install_kiosk(
    undo: Annotated[bool, typer.Option("--undo", help="Take away all that was installed.")] = False,
) -> None:
    """Let a Raspberry Pi open the companion by itself after every start."""
    from companion import kiosk

    print(kiosk.remove(Path.home()) if undo else kiosk.install(Path.home(), Path(sys.argv[0]).resolve()))
