"""Many random games of every box: each mode, each number of players, options by chance, all under a referee's eyes.

Games are numbered. A number alone says how its game is played and all its luck, so a failure can be played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from companion.errors import Malformed
from companion.rules import registry
from companion.rules.base import Game, Setup
from companion.rules.random_play import Luck, watched

_SEATS = ("North", "East", "South", "West", "NE", "SE", "SW", "NW")
_GAMES = {"castle-dukes": 1000}
_GAMES_OF_OTHERS = 500
_PROGRESS_LINES = 20
_ENOUGH_FAILURES = 5
"""A box that fails this often is not played further."""


class Failure(Struct, frozen=True, kw_only=True):
    """A random game that went wrong."""

    game: str
    way: str
    number: int
    actions: int
    problem: str

    def __str__(self) -> str:
        return (
            f"{self.game}, {self.way}, game {self.number}, after {self.actions} actions: {self.problem}\n"
            f"  Play it again: companion soak rules {self.game} --games 1 --seed {self.number}"
        )


class Report(Struct, frozen=True, kw_only=True):
    """How a soak went."""

    games: int
    actions: int
    failures: tuple[Failure, ...]

    @property
    def ok(self) -> bool:
        return not self.failures

    def __str__(self) -> str:
        verdict = "all ended, every check held" if self.ok else f"{len(self.failures)} failed"
        return f"{self.games} random games, {self.actions} actions: {verdict}."


def soak(
    games_per_game: int | None, seed: int, report: Callable[[str], None], ids: Iterable[str] | None = None
) -> Report:
    """Play so many games of each box (by default 1000 of Castle Dukes, 500 of any other), telling how far it is."""
    played = [
        _soak_game(registry.get(id), games_per_game or _GAMES.get(id, _GAMES_OF_OTHERS), seed, report)
        for id in (registry.ids() if ids is None else ids)
    ]
    return Report(
        games=sum(part.games for part in played),
        actions=sum(part.actions for part in played),
        failures=tuple(failure for part in played for failure in part.failures),
    )


def _soak_game(game: Game[Any], games: int, seed: int, report: Callable[[str], None]) -> Report:
    done = actions = 0
    failures: list[Failure] = []
    for done, number in enumerate(range(seed, seed + games), start=1):
        taken, failure = play_number(game, number)
        actions += taken
        if failure:
            failures.append(failure)
            report(str(failure))
        if len(failures) == _ENOUGH_FAILURES:
            break
        if done == games or done % max(1, games // _PROGRESS_LINES) == 0:
            report(f"{game.info.title}: {done} of {games} games, {actions} actions, {len(failures)} failed")
    return Report(games=done, actions=actions, failures=tuple(failures))


def play_number(game: Game[Any], number: int) -> tuple[int, Failure | None]:
    """Play the game of a number: how many actions it took, and what went wrong."""
    way, setup = way_of(game, number)
    actions = 0
    try:
        for _ in watched(game, setup, Luck(number)):
            actions += 1
    except Exception as error:  # noqa: BLE001 - whatever a game raises is what a soak is looking for
        problem = f"{type(error).__name__}: {error}"
        return actions, Failure(game=game.info.id, way=way, number=number, actions=actions, problem=problem)
    return actions, None


def way_of(game: Game[Any], number: int) -> tuple[str, Setup]:
    """How the game of a number is set up: even numbers go round the modes, odd ones round the numbers of players."""
    luck = Luck(~number)
    if number % 2 == 0:
        mode = game.info.modes[number // 2 % len(game.info.modes)]
        return mode.key, _setup(mode.players, dict(mode.options), luck)
    low, high = game.info.players
    players = low + number // 2 % (high - low + 1)
    options = {option.key: option.values[luck.pick(len(option.values))] for option in game.info.options}
    setup = _setup(players, options, luck)
    return f"{players} players, options {options}", setup if _possible(game, setup) else _setup(players, {}, luck)


def _setup(players: int, options: dict[str, str | int | bool], luck: Luck) -> Setup:
    return Setup(seats=_SEATS[:players], first=luck.pick(players), options=options)


def _possible(game: Game[Any], setup: Setup) -> bool:
    """Whether these options go together."""
    try:
        game.setup(setup)
    except Malformed:
        return False
    return True
