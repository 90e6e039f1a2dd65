"""The commands of an evening and of the games that were saved on others."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.shared import AsJson, print_json

RESUME = "--resume"

app = typer.Typer()

SavedId = Annotated[
    str, typer.Argument(metavar="ID", help="A saved game, or a part of its id. Default: the game last played.")
]


@app.command()
def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's id. Without one, you choose.")] = "",
    text: Annotated[bool, typer.Option("--text", help="At the terminal, even where there is a display.")] = False,
    seats: Annotated[str, typer.Option(metavar="A,B,...", help="Names clockwise around the table.")] = "",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Set an option; may be repeated.")
    ] = None,
    resume: Annotated[
        str | None, typer.Option(RESUME, metavar="[ID]", help="Go on with a saved game, by default the last one.")
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


@app.command()
def sessions(json: AsJson = False) -> None:
    """List the saved games, the one last played first."""
    from companion.text import saves
    from companion.text.paper import printer

    found = saves.the_shelf().list()
    print_json([saves.as_data(saved) for saved in found]) if json else saves.show(printer(), found)


@app.command()
def history(saved: SavedId = "", json: AsJson = False) -> None:
    """Everything that happened in a saved game; corrections and what was undone are marked."""
    from companion.text import history as histories
    from companion.text import saves
    from companion.text.paper import printer

    with saves.looked_at(saved) as session:
        lines = session.history()
        if json:
            print_json([histories.as_data(line) for line in lines])
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
