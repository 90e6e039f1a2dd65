"""What coins compare castles by: levels, windows, persons, roofs; from the tiles, or in a light game as counted."""

from __future__ import annotations

from companion.rules.base import Referee
from companion.rules.castle_builder import castle
from companion.rules.castle_builder.state import Icon, State


def height(state: State, seat: int) -> int:
    """How many levels a castle has."""
    baron = state.barons[seat]
    return baron.levels if state.light else castle.levels(baron.castle)


def icons(state: State, seat: int, icon: Icon) -> int:
    """How many windows, persons or roofs a castle shows."""
    baron = state.barons[seat]
    return int(getattr(baron, icon)) if state.light else castle.icons(baron.castle, icon)


def tiles_built(state: State, seat: int) -> int:
    """How many tiles a castle has, the door not counted."""
    baron = state.barons[seat]
    return baron.built if state.light else len(baron.castle)


def note_height(referee: Referee, state: State, seat: int, before: int) -> None:
    """Tell how high a castle is now, if that has changed."""
    now = height(state, seat)
    if now != before:
        text = f"{state.seats[seat]}'s castle is {now} level{'' if now == 1 else 's'} high."
        referee.note(text, seat=seat, what="levels", change=now - before)
