"""The final score: score track, favours, depleted stacks, bonus cards and money, line by line; and the solo titles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.mad_king_ludwig import bonus, favours
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.purse import amount
from companion.rules.mad_king_ludwig.rooms import HALLWAYS, STAIRS
from companion.rules.mad_king_ludwig.state import UNKNOWN, BonusId, Count, FavourId, Marks, Player, Points, State
from companion.rules.places import Award, decide
from companion.rules.scores import Line, Outcome, ScoreSheet, TieBreak

SEAT_NAMES = ("North", "East", "South", "West")
_MOST_PLAYERS = len(SEAT_NAMES)
_NAME_LENGTH = 40
_DEPLETED_POINTS = 2
_MARKS_A_POINT = 10000
_BANDS = (
    (50, "Court Jester"),
    (70, "Servant to his Royal Majesty"),
    (85, "The Duke of Castle Building"),
    (100, "The Supreme Prince Regent of Palaces"),
)
_TOP_BAND = "King of Grand Castle Construction"

Feet = Annotated[int, Meta(ge=0, le=99_999)]


class PlayerTally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is counted for one player.

    `start`, `placement` and `rewards` are the score track: put all of it into `placement` where nobody knows the parts.
    `depleted` counts the rooms from stacks that are empty. `favours` and `bonus` say how much of what the tile or card
    counts the player has: rooms, square feet, entrances, different sizes; money comes from `marks`.
    """

    name: str
    start: Points = 0
    placement: Points = 0
    rewards: Points = 0
    marks: Marks = 0
    feet: Feet = 0
    depleted: Count = 0
    favours: dict[FavourId, Marks] = {}
    bonus: dict[BonusId, Marks] = {}


class Tally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that is scored, players in table order. `bonus_points`: what this table's cards print otherwise."""

    game: Literal["mad-king-ludwig"] = "mad-king-ludwig"
    players: tuple[PlayerTally, ...]
    favours: tuple[FavourId, ...] = ()
    bonus_points: dict[BonusId, Count] = {}


_EXAMPLE_FAVOURS: tuple[FavourId, ...] = ("rooms-food", "money", "external-entrances", "large-rooms")
_EXAMPLE_BONUS: tuple[BonusId, ...] = ("hallways", "cash", "type-food", "size-100")


def template(players: int) -> Tally:
    """A tally of zeros to fill in, with favours and bonus cards to replace by those of the game."""
    if not 1 <= players <= _MOST_PLAYERS:
        raise Malformed(f"Castles of Mad King Ludwig is for 1 to {_MOST_PLAYERS} players, not {players}.")
    chosen = _EXAMPLE_FAVOURS[:players] if players > 1 else ()
    counted: dict[FavourId, int] = {favour: 0 for favour in chosen if favour != "money"}
    tallies = (
        PlayerTally(name=name, favours=counted, bonus={_EXAMPLE_BONUS[seat]: 0})
        for seat, name in enumerate(SEAT_NAMES[:players])
    )
    return Tally(players=tuple(tallies), favours=chosen)


def checked(tally: Tally) -> Tally:
    """The tally itself, or Malformed when no game could end so."""
    if not 1 <= len(tally.players) <= _MOST_PLAYERS:
        raise Malformed(f"Castles of Mad King Ludwig is for 1 to {_MOST_PLAYERS} players, not {len(tally.players)}.")
    names = [player.name for player in tally.players]
    if len(set(names)) < len(names) or not all(name.strip() and len(name) <= _NAME_LENGTH for name in names):
        raise Malformed(f"Each player needs a name of its own, 1 to {_NAME_LENGTH} characters long.")
    if len(set(tally.favours)) < len(tally.favours):
        raise Malformed("Each favour lies open only once.")
    if len(names) == 1 and tally.favours:
        raise Malformed("A solo game has no favours.")
    for player in tally.players:
        _check_player(tally, player)
    held = [card for player in tally.players for card in player.bonus]
    if len(set(held)) < len(held):
        raise Malformed("Each bonus card is there only once.")
    return tally


def _check_player(tally: Tally, player: PlayerTally) -> None:
    for favour in player.favours:
        if favour not in tally.favours:
            raise Malformed(f"{player.name} has a count for '{favour}', which is not among the favours of this game.")
    for favour in tally.favours:
        if favour not in player.favours and favour != "money":
            raise Malformed(f"{player.name} lacks a count for the favour '{favour}'.")


# The lines


def sheet(tally: Tally) -> ScoreSheet:
    """Score a tally (Game End)."""
    checked(tally)
    contests = {favour: _contest(tally, favour) for favour in tally.favours}
    lines = [line for seat, player in enumerate(tally.players) for line in _player_lines(tally, contests, seat, player)]
    feet = TieBreak(label="castle size in square feet", values=tuple(player.feet for player in tally.players))
    return ScoreSheet(names=tuple(player.name for player in tally.players), lines=tuple(lines), tie_breaks=(feet,))


def _contest(tally: Tally, favour: FavourId) -> tuple[Award, ...]:
    return favours.awards([_have(player, favour) for player in tally.players])


def _have(player: PlayerTally, favour: FavourId) -> int:
    return player.favours.get(favour, player.marks if favour == "money" else 0)


def _player_lines(
    tally: Tally, contests: dict[FavourId, tuple[Award, ...]], seat: int, player: PlayerTally
) -> Iterator[Line]:
    yield _line(seat, "start", "Starting space", player.start, player.start, "first space on the score track")
    yield _line(seat, "placement", "Placing rooms", player.placement, player.placement, "points as rooms went down")
    yield _line(seat, "rewards", "Completing rooms", player.rewards, player.rewards, "points of completion rewards")
    for favour, awards in contests.items():
        have = _have(player, favour)
        why = f"{have}: {awards[seat].why}" if have else "none, so nothing"
        yield _line(seat, f"favour-{favour}", f"Favour: {favours.name(favour)}", have, awards[seat].points, why)
    points = player.depleted * _DEPLETED_POINTS
    why = f"{amount(player.depleted, 'room')} from empty stacks, {_DEPLETED_POINTS} each"
    yield _line(seat, "depleted", "Depleted stacks", player.depleted, points, why)
    money = player.marks // _MARKS_A_POINT
    yield _line(seat, "money", "Money", player.marks, money, f"{player.marks} M, 1 for every {_MARKS_A_POINT}")
    for id, count in player.bonus.items():
        card = bonus.card(id, tally.bonus_points)
        counted = count or (player.marks if id == "cash" else 0)
        yield _line(seat, f"bonus-{id}", f"Bonus: {card.name}", counted, card.worth(counted), card.why(counted))


def _line(seat: int, key: str, label: str, count: int, points: int, why: str) -> Line:
    return Line(seat=seat, key=key, label=label, count=count, points=points, why=why)


def outcome(sheet: ScoreSheet) -> Outcome:
    """Who won; alone, which title the score earns."""
    found = decide(sheet)
    return replace(found, verdict=title(sheet.total(0))) if len(sheet.names) == 1 else found


def title(points: int) -> str:
    """
    >>> title(50), title(51), title(101)
    ('Court Jester', 'Servant to his Royal Majesty', 'King of Grand Castle Construction')
    """
    return next((name for most, name in _BANDS if points <= most), _TOP_BAND)


# From a game


def tally(state: State) -> Tally:
    """What will be scored of a game as it stands. Bonus cards count once they are shown; alone there is no secret."""
    players = tuple(_counted(state, name, player) for name, player in zip(state.seats, state.players, strict=True))
    return Tally(players=players, favours=state.favours, bonus_points=state.bonus_points)


def _counted(state: State, name: str, player: Player) -> PlayerTally:
    castle, external = player.castle, bonus.external_of(player)
    return PlayerTally(
        name=name,
        start=player.start,
        placement=player.placement,
        rewards=player.rewards,
        marks=player.marks,
        feet=castles.feet(castle),
        depleted=depleted_rooms(state, player),
        favours={favour: favours.value(favour, player) for favour in state.favours},
        bonus={card: bonus.count(card, castle, player.marks, external) for card in _shown(state, player)},
    )


def _shown(state: State, player: Player) -> Iterator[BonusId]:
    if state.solo or state.phase in ("reveal", "over"):
        yield from (card for card in player.bonus if card != UNKNOWN)


def depleted_rooms(state: State, player: Player) -> int:
    """How many of a castle's rooms come from stacks that are empty now."""
    rooms = sum(state.stacks.get(str(tile.sqft), 1) == 0 for tile in castles.stacked(player.castle))  # type: ignore[call-overload]
    halls = castles.count_room(player.castle, *HALLWAYS) if not state.hallways else 0
    return rooms + halls + (castles.count_room(player.castle, STAIRS) if not state.stairs else 0)
