"""What several commands share: exit codes, words of their arguments, and what they print JSON with."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.errors import PartMissing

if TYPE_CHECKING:
    from companion.rules.base import Game

OK, SICK, WRONG = 0, 1, 2

GameId = Annotated[str, typer.Argument(metavar="GAME", help="A game's id; the command 'games' lists them.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON for programs.")]


def print_json(value: object) -> None:
    """Print a value for programs."""
    from companion.text.sheets import pretty

    print(pretty(value))


def box_called(game: str) -> Game[Any]:
    """A game by its id. Raises Malformed when there is none."""
    from companion.rules import registry

    return registry.get(game)


def path_of(name: str) -> Path | None:
    """The path that an option names, where it was given."""
    return Path(name) if name else None


def the_twin() -> ModuleType:
    """The commands of the simulated table. Raises PartMissing where it is not installed."""
    try:
        from companion.twin import command
    except ModuleNotFoundError as error:
        raise PartMissing("The simulated table", error.name or "", "twin") from error
    return command
