"""Saved games as people and programs list them, and how a command finds the one that is meant."""

from __future__ import annotations

from collections.abc import Iterable

from companion import config
from companion.errors import NoSavedGame
from companion.rules import registry
from companion.session.session import Session
from companion.session.shelf import Saved, Shelf
from companion.text.command import typed
from companion.text.paper import Grid, Paper

_WHEN = "%Y-%m-%d %H:%M"


def the_shelf() -> Shelf:
    """The shelf of whoever sits here."""
    return Shelf(config.read().games)


def found(shelf: Shelf, wanted: str) -> str:
    """The id of the game that is meant: an id, the beginning of one, or for nothing the game last played.

    The id of a box means its game last played. What is not over comes before what is.
    """
    known = [saved for saved in shelf.list() if not saved.problem]
    if wanted in {saved.id for saved in known} or (wanted and shelf.path(wanted).is_file()):
        return wanted
    if not wanted or wanted in registry.ids():
        of_box = [saved for saved in known if wanted in ("", saved.game)]
        if not of_box:
            raise NoSavedGame(f"There is no saved game{f' of {wanted}' if wanted else ''} yet.")
        return min(of_box, key=lambda saved: saved.over).id
    return _only(wanted, [saved.id for saved in known if saved.id.startswith(wanted) or saved.id.endswith(wanted)])


def _only(wanted: str, ids: list[str]) -> str:
    if len(ids) != 1:
        which = f"'{wanted}' can mean {', '.join(ids)}." if ids else f"There is no saved game '{wanted}'."
        raise NoSavedGame(f"{which} '{typed('sessions')}' lists them." if not ids else which)
    return ids[0]


def looked_at(wanted: str) -> Session:
    """A saved game for reading only."""
    shelf = the_shelf()
    return shelf.open(found(shelf, wanted), read_only=True)


def show(paper: Paper, games: Iterable[Saved]) -> None:
    """One saved game a line, the one last played first."""
    rows = tuple(_row(saved) for saved in games)
    if not rows:
        paper.say(f"No game has been saved yet. Begin one with: {typed('play')}")
        return
    head = ("id", "game", "seats", "moves", "last move", "last played")
    paper.grid(Grid(head=head, rows=rows, numbers=frozenset({3})))


def _row(saved: Saved) -> tuple[str, ...]:
    if saved.problem:
        return (saved.id, "", "", "", saved.problem, "")
    last = "over" if saved.over else saved.last
    when = saved.touched.astimezone().strftime(_WHEN)
    return (saved.id, saved.title, ", ".join(saved.seats), str(saved.lines - 1), last, when)


def as_data(saved: Saved) -> dict[str, object]:
    """A saved game as plain data."""
    return {
        "id": saved.id,
        "game": saved.game,
        "title": saved.title,
        "seats": saved.seats,
        "lines": saved.lines,
        "last": saved.last,
        "over": saved.over,
        "touched": saved.touched.isoformat(),
        "file": str(saved.path),
        "problem": saved.problem,
    }
