"""A finished game as a play for the BG Stats app.

BG Stats takes one play as JSON in a link. The format is documented by its makers under "Push plays to BG Stats from
other apps or websites" (www.bgstatsapp.com/support). Optional fields that some versions of the app ask for all the
same (winner, start player) are always given; nothing the companion does not know is made up.
"""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import quote

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from companion.rules.scores import Outcome, ScoreSheet
from companion.session.session import Session

_LINK = "https://app.bgstatsapp.com/createPlay.html?data="
_SOURCE = "Castle Companion"
_DATE = "%Y-%m-%d %H:%M:%S"
_S_PER_MIN = 60
_MS_PER_S = 1000


class PlayedGame(Struct, frozen=True, kw_only=True, rename="camel"):
    """Which game. BG Stats remembers what the user matched a `source_game_id` with."""

    name: str
    source_game_id: str
    highest_wins: bool = True
    no_points: bool = False


class Player(Struct, frozen=True, kw_only=True, rename="camel"):
    """One seat. BG Stats remembers whom the user matched a `source_player_id` with, so it is the name."""

    name: str
    source_player_id: str
    score: int
    rank: int
    winner: bool
    start_player: bool
    role: str | UnsetType = UNSET


class Play(Struct, frozen=True, kw_only=True, rename="camel"):
    """One play. The date is in UTC."""

    source_name: str
    source_play_id: str
    play_date: str
    game: PlayedGame
    players: tuple[Player, ...]
    duration_min: int | UnsetType = UNSET


def play(session: Session) -> Play:
    """The play a session is, as its score stands now; nobody has won before it is over."""
    sheet, setup = session.score(), session.setup
    outcome = session.game.outcome(sheet)
    if session.state is None or not session.state.over:
        outcome = replace(outcome, winners=())
    minutes = round(session.clocks.table_s / _S_PER_MIN)
    return Play(
        source_name=_SOURCE,
        source_play_id=session.id,
        play_date=datetime.fromtimestamp(session.cover.created_ms / _MS_PER_S, UTC).strftime(_DATE),
        game=PlayedGame(name=session.game.info.title, source_game_id=session.game.info.id),
        players=tuple(_player(sheet, outcome, seat, setup.seats, setup.first) for seat in range(len(sheet.names))),
        duration_min=minutes or UNSET,
    )


def play_json(session: Session) -> bytes:
    return msgspec.json.encode(play(session))


def link(session: Session) -> str:
    """An address that opens BG Stats with the play filled in."""
    return _LINK + quote(play_json(session), safe="")


def _player(sheet: ScoreSheet, outcome: Outcome, seat: int, people: tuple[str, ...], first: int) -> Player:
    return Player(
        name=sheet.names[seat],
        source_player_id=sheet.names[seat],
        score=sheet.total(seat),
        rank=_rank(outcome, seat),
        winner=seat in outcome.winners,
        start_player=seat == first,
        role=UNSET if seat < len(people) else "automatic opponent",
    )


def _rank(outcome: Outcome, seat: int) -> int:
    """The place counted from 1; those who share a place share its number, and the next place counts them all."""
    ahead = 0
    for group in outcome.ranking:
        if seat in group:
            break
        ahead += len(group)
    return ahead + 1
