"""An evening at the terminal: from the shelf or a command to a table, through its game, to the rematch."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import CompanionError, Malformed, ReadOnlyGame
from companion.rules import registry
from companion.rules.base import Game, Setup
from companion.session.dealing import RandomDealer
from companion.session.session import Session
from companion.session.shelf import Saved, Shelf
from companion.text import saves, seating
from companion.text.asks import listed_at
from companion.text.command import typed
from companion.text.paper import Paper
from companion.text.play import Ending, TextTable

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
_SHOWN_OPEN = 5


class Wishes(Struct, frozen=True, kw_only=True):
    """What people said when they asked for a game. Seats None means: ask for them."""

    seats: tuple[str, ...] | None = None
    settings: tuple[str, ...] = ()
    seed: int | None = None
    auto_draw: bool = False


def begin(paper: Paper, shelf: Shelf, game_id: str, wishes: Wishes) -> None:
    """A new game, and those after it."""
    try:
        setup = _seated(paper, registry.get(game_id), wishes)
        if wishes.seats is None and not wishes.auto_draw:
            wishes = replace(wishes, auto_draw=not seating.box_at_hand(paper))
    except (EOFError, KeyboardInterrupt):
        paper.say("\nNo game was begun.")
        return
    _evening(paper, shelf, wishes, lambda: shelf.new(game_id, setup))


def _seated(paper: Paper, game: Game[Any], wishes: Wishes) -> Setup:
    options = seating.parsed_options(game, wishes.settings)
    if wishes.seats is None:
        return seating.dialogue(paper, game, options)
    return Setup(seats=wishes.seats, options=options)


def take_up(paper: Paper, shelf: Shelf, wanted: str, wishes: Wishes, *, adopt_rules: bool = False) -> None:
    """A saved game, from where it stood."""
    saved = saves.found(shelf, wanted)
    _evening(paper, shelf, wishes, lambda: _playable(shelf.open(saved, adopt_rules=adopt_rules)))


def _playable(session: Session) -> Session:
    if session.read_only:
        session.close()
        why = session.read_only_because.rstrip(".")
        raise ReadOnlyGame(f"{why}: '{typed('history')}' shows it, --adopt-rules goes on.")
    return session


def _evening(paper: Paper, shelf: Shelf, wishes: Wishes, first: Callable[[], Session]) -> None:
    """Play, and play again with the same seats while people want to."""
    dealer = RandomDealer(wishes.seed)
    deal_in = first
    while True:
        with deal_in() as session:
            ending = TextTable(session, paper, dealer, auto_draw=wishes.auto_draw).play()
            game_id, setup = session.game.info.id, session.setup
        if ending is not Ending.REMATCH:
            return
        deal_in = _again(shelf, game_id, setup)


def _again(shelf: Shelf, game_id: str, setup: Setup) -> Callable[[], Session]:
    return lambda: shelf.new(game_id, setup)


# The home screen


def greeting(environ: Mapping[str, str]) -> str:
    """Why people find themselves in the terminal.

    >>> greeting({})
    'There is no display here: this is the terminal session of the simulated table.'
    """
    named = next((environ[name] for name in _DISPLAYS if environ.get(name)), "")
    why = f"The display {named} does not answer" if named else "There is no display here"
    return f"{why}: this is the terminal session of the simulated table."


def home(paper: Paper, shelf: Shelf) -> None:
    """The shelf: games to go on with on top, then the boxes. Waits for a choice only where people can make one."""
    going_on = [saved for saved in shelf.list() if not saved.over and not saved.problem][:_SHOWN_OPEN]
    paper.say(greeting(os.environ))
    _show_shelf(paper, going_on)
    if not paper.screen:
        paper.say(f"To play: {typed('play GAME')}. Everything else: {typed('--help')}.")
        return
    try:
        _pick(paper, shelf, going_on)
    except (EOFError, KeyboardInterrupt):
        paper.say()


def _show_shelf(paper: Paper, going_on: Sequence[Saved]) -> None:
    number = 0
    if going_on:
        paper.say("\nGo on with", style="title")
    for number, saved in enumerate(going_on, start=1):
        paper.say(f"  {number:>2} {saved.title}: {', '.join(saved.seats)} ({saved.last})")
    paper.say("\nOn the shelf", style="title")
    for place, game in enumerate(registry.shelf(), start=number + 1):
        low, high = game.info.players
        paper.say(f"  {place:>2} {game.info.title} ({low} to {high} players; {game.info.id})")
    paper.say()


def _pick(paper: Paper, shelf: Shelf, going_on: Sequence[Saved]) -> None:
    games = registry.ids()
    while True:
        text = paper.ask("A number or a name, or Enter to leave >")
        if text in ("", "q"):
            return
        try:
            place = _place(text, len(going_on), games)
            if place < len(going_on):
                take_up(paper, shelf, going_on[place].id, Wishes())
            else:
                begin(paper, shelf, games[place - len(going_on)], Wishes())
            return
        except CompanionError as error:
            paper.say(str(error), style="bad")


def _place(text: str, going_on: int, games: Sequence[str]) -> int:
    """Where in the list people point: by its number, or by a part of a box's id or title."""
    count = going_on + len(games)
    if (place := listed_at(text, count)) is not None:
        return place
    meant = [place for place, game in enumerate(games, start=going_on) if _is_called(game, text.casefold())]
    if len(meant) != 1:
        raise Malformed(f"A number from 1 to {count}, or the name of one of these boxes, please.")
    return meant[0]


def _is_called(game_id: str, text: str) -> bool:
    return text in game_id or text in registry.get(game_id).info.title.casefold()
