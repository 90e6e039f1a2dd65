"""An evening at the terminal: from the shelf or a command to a table, through its game, to the rematch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from companion.errors import CompanionError, Malformed, ReadOnlyGame
from companion.rules import registry
from companion.rules.base import Game, Setup
from companion.session.dealing import RandomDealer
from companion.session.session import Session
from companion.session.shelf import Saved, Shelf
from companion.text import saves, seating
from companion.text.paper import Paper
from companion.text.play import Ending, TextTable

NO_DISPLAY = "There is no display or app here: this is the terminal session of the simulated table."
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
        raise ReadOnlyGame(f"{why}: 'companion history' shows it, --adopt-rules goes on.")
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


def home(paper: Paper, shelf: Shelf) -> None:
    """The shelf: games to go on with on top, then the boxes. Waits for a choice only where people can make one."""
    going_on = [saved for saved in shelf.list() if not saved.over and not saved.problem][:_SHOWN_OPEN]
    paper.say(NO_DISPLAY)
    _show_shelf(paper, going_on)
    if not paper.screen:
        paper.say("To play: companion play GAME. Everything else: companion --help.")
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
        text = paper.ask("A number, or Enter to leave >")
        if text in ("", "q"):
            return
        try:
            place = _place(text, len(going_on) + len(games))
            if place < len(going_on):
                take_up(paper, shelf, going_on[place].id, Wishes())
            else:
                begin(paper, shelf, games[place - len(going_on)], Wishes())
            return
        except CompanionError as error:
            paper.say(str(error), style="bad")


def _place(text: str, count: int) -> int:
    if not text.isdecimal() or not 0 < int(text) <= count:
        raise Malformed(f"A number from 1 to {count}, please.")
    return int(text) - 1
