"""Who has won: coins, and nothing but coins."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.castle_builder.state import State
from companion.rules.places import decide
from companion.rules.scores import Line, Outcome, ScoreSheet
from companion.rules.tallies import SEAT_NAMES, check_names, check_players

_TITLE = "Castle Builder"
_PLAYERS = (2, 4)
_KEY = "coins"

Coins = Annotated[int, Meta(ge=0, le=36)]


class BaronTally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The coins in front of one player."""

    name: str
    coins: Coins = 0


class Tally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that counts, players in table order. `goal` is 7, or 9 with Reach the Sky."""

    game: Literal["castle-builder"] = "castle-builder"
    goal: Literal[7, 9] = 7
    players: tuple[BaronTally, ...]


class CorrectedTally(Tally, frozen=True, kw_only=True):
    """What a game has come to that the table has corrected: it is not held against the rules."""


def template(players: int) -> Tally:
    """A tally of zeros to fill in."""
    check_players(_TITLE, _PLAYERS, players)
    return Tally(players=tuple(BaronTally(name=name) for name in SEAT_NAMES[:players]))


def checked(tally: Tally) -> Tally:
    """The tally itself, or Malformed when no game could stand so."""
    check_players(_TITLE, _PLAYERS, len(tally.players))
    check_names([baron.name for baron in tally.players])
    if not isinstance(tally, CorrectedTally):
        _check_coins(tally)
    return tally


def _check_coins(tally: Tally) -> None:
    for baron in tally.players:
        if baron.coins > tally.goal:
            raise Malformed(f"{baron.name} has {baron.coins} coins, and the game ends at once with {tally.goal}.")
    if sum(baron.coins == tally.goal for baron in tally.players) > 1:
        raise Malformed(f"Only one player can have {tally.goal} coins: the game ends at once.")


def sheet(tally: Tally) -> ScoreSheet:
    """One line for each player; what is equal shares its place (ruling.places-by-coins)."""
    checked(tally)
    lines = tuple(
        Line(
            seat=seat, key=_KEY, label="Coins", count=baron.coins, points=baron.coins,
            why=_why(baron.coins, tally.goal),
        )
        for seat, baron in enumerate(tally.players)
    )  # fmt: skip
    return ScoreSheet(names=tuple(baron.name for baron in tally.players), lines=lines)


def _why(coins: int, goal: int) -> str:
    return f"{coins} of {goal} coins"


def outcome(sheet: ScoreSheet) -> Outcome:
    """Who has won in coins; of a game that ended before the goal, who is ahead."""
    found = decide(sheet)
    names = " and ".join(sheet.names[seat] for seat in found.winners)
    coins = sheet.total(found.winners[0])
    amount = f"{coins} coin{'' if coins == 1 else 's'}"
    if len(found.winners) > 1:
        return replace(found, text=f"{names} are level with {amount}.")
    reached = sheet.lines[found.winners[0]].why == _why(coins, coins)
    return replace(found, decided_by=_KEY, text=f"{names} {'wins' if reached else 'is ahead'} with {amount}.")


# From a game


def tally(state: State) -> Tally:
    """The coins as they are."""
    barons = zip(state.seats, state.barons, strict=True)
    players = tuple(BaronTally(name=name, coins=baron.coins) for name, baron in barons)
    kind = CorrectedTally if state.corrected else Tally
    return kind(goal=9 if state.options.sky else 7, players=players)
