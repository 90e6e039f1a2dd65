"""Who holds what: players' marks and points, the bank's payments, hallways and stairs."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.rules.base import Referee
from companion.rules.mad_king_ludwig.rooms import HALLWAYS
from companion.rules.mad_king_ludwig.state import BONUSES, Player, State, Turn


def marks(amount: int) -> str:
    """
    >>> marks(15000)
    '15000 M'
    """
    return f"{amount} M"


def amount(count: int, thing: str) -> str:
    """
    >>> amount(1, "room"), amount(2, "bonus card")
    ('1 room', '2 bonus cards')
    """
    return f"{count} {thing}{'' if count == 1 else 's'}"


def with_player(state: State, seat: int, **changes: Any) -> State:
    """The state with one player changed."""
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


def with_turn(state: State, **changes: Any) -> State:
    """The state with the turn changed."""
    assert state.turn is not None
    return replace(state, turn=replace(state.turn, **changes))


def turn_of(referee: Referee, state: State, seat: int) -> tuple[Turn, Player]:
    """The turn and its player, if it is this seat's."""
    if state.phase != "buying" or state.turn is None:
        referee.impossible("turn.phase", "Nobody is buying now.")
    if state.turn.seat != seat:
        name = state.seats[state.turn.seat]
        referee.impossible("buy.order", f"It is {name}'s turn, not {state.seats[seat]}'s.")
    return state.turn, state.players[seat]


def from_bank(referee: Referee, state: State, seat: int, amount: int, rule: str) -> State:
    """The bank pays a player."""
    referee.note(f"{state.seats[seat]} takes {marks(amount)}.", seat=seat, what="marks", change=amount, rule=rule)
    state = replace(state, dealt=state.dealt + amount)
    return with_player(state, seat, marks=state.players[seat].marks + amount)


def to_bank(referee: Referee, state: State, seat: int, amount: int, rule: str) -> State:
    """A player pays the bank."""
    referee.note(
        f"{state.seats[seat]} pays the bank {marks(amount)}.", seat=seat, what="marks", change=-amount, rule=rule
    )
    state = replace(state, dealt=state.dealt - amount)
    return with_player(state, seat, marks=state.players[seat].marks - amount)


def hand_over(referee: Referee, state: State, payer: int, to: int, amount: int, rule: str) -> State:
    """One player pays another."""
    names = state.seats[payer], state.seats[to]
    referee.note(f"{names[0]} pays {names[1]} {marks(amount)}.", seat=payer, what="marks", change=-amount, rule=rule)
    referee.note(f"{names[1]} gets {marks(amount)}.", seat=to, what="marks", change=amount, rule=rule)
    state = with_player(state, payer, marks=state.players[payer].marks - amount)
    return with_player(state, to, marks=state.players[to].marks + amount)


def reward_points(referee: Referee, state: State, seat: int, points: int, why: str, rule: str) -> State:
    """Points of a completion reward."""
    referee.note(f"{points:+d} {why}.", seat=seat, what="points", change=points, rule=rule)
    return with_player(state, seat, rewards=state.players[seat].rewards + points)


def corridor_left(state: State, room: str) -> int:
    """How many hallways or stairs are left."""
    return state.hallways if room in HALLWAYS else state.stairs


def with_corridor(state: State, room: str, change: int) -> State:
    """The state with a hallway or stairs taken or put back."""
    if room in HALLWAYS:
        return replace(state, hallways=max(0, state.hallways + change))
    return replace(state, stairs=max(0, state.stairs + change))


def bonus_left(state: State) -> int:
    """How many bonus cards the deck holds."""
    return len(BONUSES) - sum(len(player.bonus) + len(player.drawn) for player in state.players)
