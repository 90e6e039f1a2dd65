"""The game the demo joins: two dukes have gathered pieces for eight turns, and have not built anything yet.

All of it is done by the rules, move by move. What the box would decide, such as which chits are drawn, is told here,
and hits nothing: the dragon came twice, and found no castle.
"""

from __future__ import annotations

from msgspec import Struct

from companion.rules import registry
from companion.rules.base import Action, Setup, decode
from companion.rules.castle_dukes.actions import (
    DrawChits,
    DrawTile,
    FaceDragon,
    FinishBuilding,
    PassRooms,
    PickChit,
    RevealGuests,
    TakePillars,
    TakeRoom,
)
from companion.rules.castle_dukes.phases import dragon_seat
from companion.rules.castle_dukes.state import Card, Chit, Duke, GuestCard, State
from companion.session import origins
from companion.session.session import Session
from companion.session.shelf import Shelf

GAME = "castle-dukes"
SEATS = ("South", "North")
SOUTH, NORTH = range(2)
BOARDS = ("south", "north")
LAST_TURN = 9

_ROOMS = ("Great Hall", "Strongroom")
"""The room that each duke buys."""
_TILES, _PILLARS = 3, 6
_NOTHING_HIT = (
    Chit(kind="decor"), Chit(kind="character"), Chit(kind="decor", count=2), Chit(kind="character"), Chit(kind="room"),
)  # fmt: skip
_GUESTS = (
    GuestCard(main="princess", small="king"),
    GuestCard(main="knight", small="princess"),
    GuestCard(main="princess", small="knight"),
    GuestCard(main="knight", small="king"),
    GuestCard(main="princess", small="princess"),
)
"""The guests of the turns before, none with fire. They find no castle, and leave."""


class Joined(Struct, frozen=True, kw_only=True):
    """A saved game that stands at the beginning of its last Building Phase."""

    id: str
    moves: int


def begin(shelf: Shelf) -> Joined:
    """Play a new game up to where the demo joins it, and leave it saved."""
    with shelf.new(GAME, Setup(seats=SEATS)) as session:
        while not is_joined(state_of(session)):
            action = _next(state_of(session))
            session.dispatch(action, origin(action))
        return Joined(id=session.id, moves=session.seq)


def is_joined(state: State) -> bool:
    """Whether the last turn has come to its Building Phase."""
    return (state.turn, state.phase) == (LAST_TURN, "building")


def state_of(session: Session) -> State:
    """The state of a game of Castle Dukes."""
    assert isinstance(session.state, State)
    return session.state


def origin(action: Action) -> origins.Origin:
    """Who does this: the seat it names, or the table."""
    seat = getattr(action, "seat", None)
    return origins.seat(seat) if isinstance(seat, int) else origins.TABLE


# The moves of the eight turns


def _next(state: State) -> Action:
    if state.phase == "opening":
        return DrawTile(seat=next(seat for seat, duke in enumerate(state.dukes) if duke.coins))
    if state.phase == "room":
        return _in_rooms(state)
    if state.phase == "building":
        return _gathering(state)
    if state.phase == "guest-card":
        return RevealGuests(cards=(_GUESTS[len(state.guest_cards)],))
    return _under_fire(state)


def _in_rooms(state: State) -> Action:
    assert state.buyer is not None
    seat = state.buyer
    if state.turn > 1 or state.dukes[seat].cards:
        return PassRooms(seat=seat)
    slot = next(at for at, slot in enumerate(state.boards[0]) if slot.filled)
    unknown = state.boards[0][slot].bonus == "unknown"
    return TakeRoom(seat=seat, slot=slot, card=_room(_ROOMS[seat]), bonus="none" if unknown else None)


def _room(name: str) -> Card:
    return decode(registry.get(GAME).box["practice-rooms"][name], Card, "A practice room")


def _gathering(state: State) -> Action:
    """Tiles first, then pillars, as far as coins and the inventory reach."""
    seat = next(seat for seat, duke in enumerate(state.dukes) if duke.stage != "done")
    duke: Duke = state.dukes[seat]
    if duke.coins and duke.held.get("tile", 0) < _TILES:
        return DrawTile(seat=seat)
    if duke.coins and duke.held.get("pillar", 0) < _PILLARS:
        return TakePillars(seat=seat)
    return FinishBuilding(seat=seat)


def _under_fire(state: State) -> Action:
    for seat, duke in enumerate(state.dukes):
        if duke.attack is None:
            return FaceDragon(seat=seat, rating="defence")
    seat = dragon_seat(state) or 0
    attack = state.dukes[seat].attack
    assert attack is not None
    if not attack.chits:
        return DrawChits(seat=seat, chits=_NOTHING_HIT)
    return PickChit(seat=seat, chit=len(attack.resolved))
