"""The commands about the games themselves: what there is, by which rules, what a tally or a script comes to."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.shared import AsJson, GameId, box_called, print_json
from companion.errors import Malformed

app = typer.Typer()


@app.command()
def games(json: AsJson = False) -> None:
    """List the games: players, length, modes, options, and which senses help."""
    from companion.rules import registry
    from companion.text import listing
    from companion.text.paper import printer

    if json:
        print_json([game.info for game in registry.shelf()])
    else:
        listing.show_games(printer(), registry.shelf())


@app.command()
def rules(game: GameId, json: AsJson = False) -> None:
    """Everything a game knows: actions with fields and examples, options, rules and rulings with citations."""
    from companion.text import listing
    from companion.text.paper import printer

    entries = listing.listing(box_called(game))
    if json:
        print_json(entries)
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

    box = box_called(game)
    if template:
        print(sheets.template(box, players))
    elif schema:
        print(sheets.schema(box))
    elif not file:
        raise Malformed("Which tally? Name a FILE, or - for standard input; --template prints one to fill in.")
    else:
        sheet = sheets.sheet_of(box, files.read_json(file))
        print_json(sheets.as_data(box, sheet)) if json else sheets.show(printer(), box, sheet)


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

    box = box_called(game)
    state = _state_in(files.read_json(start)) if start else None
    report = scripts.run(box, files.read_text(script), files.spoken(script), state)
    print_json(scripts.as_data(box, report)) if json else scripts.show(printer(), box, report)
    if report.refused:
        raise Malformed(scripts.refusal_sentence(report.refused))


def _state_in(raw: object) -> object:
    """A state, or the state of a referee's report."""
    return raw["state"] if isinstance(raw, dict) and isinstance(raw.get("state"), dict) else raw
