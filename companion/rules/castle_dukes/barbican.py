"""The barbican in front of a castle: whenever the castle changes its dials follow, for all to see."""

from __future__ import annotations

from companion.rules.base import Referee
from companion.rules.castle_dukes.castle import dials
from companion.rules.castle_dukes.state import RATINGS, Castle, Dials, State
from companion.rules.castle_dukes.supply import with_duke


def with_castle(referee: Referee, state: State, seat: int, castle: Castle) -> State:
    """The state with a duke's castle changed, every dial that turns noted (rulebook, The Castle Barbican)."""
    before, after = dials(state.dukes[seat].castle), dials(castle)
    for rating in RATINGS:
        value = getattr(after, rating)
        change = value - getattr(before, rating)
        if change:
            text = f"{state.seats[seat]}'s {rating} is now {value} ({change:+})."
            referee.note(text, seat=seat, what=rating, change=change, rule="barbican.live")
    return with_duke(state, seat, castle=castle)


def ratings(state: State, seat: int) -> Dials:
    """A duke's dials: what stands, or in a light game what the barbican was set to by hand."""
    duke = state.dukes[seat]
    return duke.dials if state.options.detail == "light" else dials(duke.castle)
