"""A home with some evenings behind it: games played by seeded chance, the same every time. For pictures and benches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.app.models.prompts import active_seats
from companion.app.models.settings import Settings, write
from companion.rules import registry
from companion.rules.base import Action, Setup
from companion.rules.random_play import Luck, pick
from companion.rules.table import Choice, Prompt
from companion.session import origins
from companion.session.clocks import ManualClock
from companion.session.session import Session
from companion.session.shelf import Shelf

SEATS = ("North", "East", "South", "West")
SETTINGS = Settings(language="en", sound=False, recent_names=SEATS)

_FIRST_EVENING_S = 1_736_530_200
_DAY_S = 86_400
_THINKING_S = 7
_MOST_ACTIONS = 3000

Ready = Callable[[Session], bool]
"""Whether a game stands as it should for a picture."""


class Evening(Struct, frozen=True, kw_only=True):
    """One game of the demo: played with a seed for at least so many actions, then until it is ready."""

    name: str
    game: str
    seed: int
    least: int = 0
    ready: Ready


class Demo(Struct, frozen=True, kw_only=True):
    """The home, its clock, and its saved games by the names of their evenings."""

    home: Path
    clock: ManualClock
    saved: dict[str, str]


def over(session: Session) -> bool:
    """The game has ended."""
    return session.state is not None and session.state.over


def first_seat_chooses(session: Session) -> bool:
    """The seat at the foot of the screen is the only one to move, and has more than one way to."""
    prompts = [prompt for prompt in session.game.prompts(session.state) if prompt.must]
    return {prompt.seat for prompt in prompts} == {0} and sum(map(_plain_moves, prompts)) > 1


def first_seat_builds(session: Session) -> bool:
    """The seat at the foot of the screen may build, and has something to."""
    prompts = session.game.prompts(session.state)
    return any(prompt.seat == 0 and _plain_moves(prompt) > 2 and not prompt.secret for prompt in prompts)


def card_is_asked(session: Session) -> bool:
    """The seat at the foot of the screen takes a card that the companion does not know yet."""
    return bool(asking_choices(session))


def asking_choices(session: Session) -> list[Choice]:
    """The moves of the first seat that ask for a thing out of the box."""
    prompts = [prompt for prompt in session.game.prompts(session.state) if prompt.seat == 0 and prompt.must]
    choices = (choice for prompt in prompts for choice in prompt.choices if choice.legal)
    return [choice for choice in choices if choice.asks and choice.asks[0].kind == "entry"]


def _plain_moves(prompt: Prompt) -> int:
    return sum(choice.legal and not choice.asks for choice in prompt.choices)


def make(home: Path, evenings: tuple[Evening, ...], settings: Settings = SETTINGS) -> Demo:
    """Play the evenings, a day between each, and leave their games saved in a home."""
    clock = ManualClock(wall_s=_FIRST_EVENING_S)
    shelf = Shelf(home / "games", clock=clock)
    write(home / "app.toml", settings)
    saved = {}
    for evening in evenings:
        saved[evening.name] = _played(shelf, evening, clock)
        clock.advance(_DAY_S)
    return Demo(home=home, clock=clock, saved=saved)


def _played(shelf: Shelf, evening: Evening, clock: ManualClock) -> str:
    game = registry.get(evening.game)
    luck = Luck(evening.seed)
    with shelf.new(evening.game, Setup(seats=SEATS[: game.info.players[1]])) as session:
        for step in range(_MOST_ACTIONS):
            if over(session) or (step >= evening.least and evening.ready(session)):
                break
            _think(session, clock)
            play_on(session, luck)
        return session.id


def _think(session: Session, clock: ManualClock) -> None:
    """Time passes for those whose move it is."""
    active = active_seats(session.game.prompts(session.state))
    session.clocks.activate(seat for seat in active if seat < len(SEATS))
    clock.advance(_THINKING_S)


def play_on(session: Session, luck: Luck) -> None:
    """One more action by chance."""
    action = pick(session.game, session.state, luck)
    session.dispatch(action, _origin(action))


def _origin(action: Action) -> origins.Origin:
    seat: Any = getattr(action, "seat", None)
    return origins.seat(seat) if isinstance(seat, int) and seat < len(SEATS) else origins.TABLE
