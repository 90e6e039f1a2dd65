"""Everything that can be done at the table. Seats and a castle's rooms count from 0; room 0 is the Foyer."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.rules.base import Action
from companion.rules.mad_king_ludwig.rooms import RoomId, RoomTile, RoomType, catalogue
from companion.rules.mad_king_ludwig.state import BonusId, Card, Count, FavourId, Index, Marks, Size, Spot

Seat = Annotated[int, Meta(ge=0, le=3)]


# Set-up


class RevealFavour(Action, frozen=True, kw_only=True):
    """Turn up the next King's Favour."""

    favour: FavourId


class DrawBonus(Action, frozen=True, kw_only=True):
    """Draw bonus cards: three at set-up, two for a completed utility room."""

    seat: Seat
    cards: tuple[Card, ...]


class ReturnBonus(Action, frozen=True, kw_only=True):
    """Put one of the bonus cards just drawn at the bottom of the deck and keep the rest."""

    seat: Seat
    card: Card


class CountStack(Action, frozen=True, kw_only=True):
    """Say how many tiles a face-down stack really holds."""

    size: Size
    tiles: Annotated[int, Meta(ge=0, le=30)]


class CorrectRoom(Action, frozen=True, kw_only=True):
    """Say what a tile of this table's box prints, where the companion has it otherwise or does not know it."""

    tile: RoomTile


class CorrectBonus(Action, frozen=True, kw_only=True):
    """Say how many points a bonus card of this table's box prints."""

    card: BonusId
    points: Annotated[int, Meta(ge=0, le=20)]


# The Master Builder


class DrawRoom(Action, frozen=True, kw_only=True):
    """Draw a room card and lay the top tile of its stack below the contract board, or turn up a tile on the deck."""

    room: RoomId


class SkipCard(Action, frozen=True, kw_only=True):
    """A room card was drawn whose stack is empty: another replaces it."""

    size: Size


class MoveRoom(Action, frozen=True, kw_only=True):
    """Move a room to another price; the room that lay there changes places with it."""

    seat: Seat
    room: RoomId
    price: Marks


class PriceRooms(Action, frozen=True, kw_only=True):
    """Lay all rooms anew, from the lowest price to the highest."""

    seat: Seat
    rooms: tuple[RoomId, ...]


class OpenSale(Action, frozen=True, kw_only=True):
    """The prices stand: buying begins."""

    seat: Seat


# Buying and placing


class Buy(Action, frozen=True, kw_only=True):
    """Buy a room of the contract board, a hallway or stairs, and take it in hand."""

    seat: Seat
    room: RoomId


class Pass(Action, frozen=True, kw_only=True):
    """Buy nothing and take 5000."""

    seat: Seat


class PlaceRoom(Action, frozen=True, kw_only=True):
    """Place the tile in hand on the map."""

    seat: Seat
    spot: Spot


class NoteRoom(Action, frozen=True, kw_only=True):
    """Place the tile in hand in the ledger: which rooms it is joined to, which else it touches, which are now complete.

    Rooms are named by their place in the castle; the new one is the next number.
    """

    seat: Seat
    connects: tuple[Index, ...] = ()
    touches: tuple[Index, ...] = ()
    completes: tuple[Index, ...] = ()


class PutBack(Action, frozen=True, kw_only=True):
    """Give back a tile in hand that fits nowhere, and get the money back."""

    seat: Seat


# Rewards


class TakeReward(Action, frozen=True, kw_only=True):
    """Take one of the completion rewards that wait.

    For completed downstairs rooms `chosen` says which of the other seven, and `room` which of them to re-score.
    """

    seat: Seat
    reward: Index
    chosen: RoomType | None = None
    room: Index | None = None


class TakeCorridor(Action, frozen=True, kw_only=True):
    """Take a free hallway or stairs for a completed corridor room."""

    seat: Seat
    room: RoomId


class DeclineReward(Action, frozen=True, kw_only=True):
    """Do without the free hallway or stairs."""

    seat: Seat


class PeekStack(Action, frozen=True, kw_only=True):
    """Look through a stack for a completed sleeping room and lay up to two of its tiles on the deck, in this order.

    A tile kept secret even from the companion is `?`.
    """

    seat: Seat
    size: Size
    rooms: tuple[RoomId, ...] = ()


# The end


class ShowBonus(Action, frozen=True, kw_only=True):
    """Show the bonus cards that were kept hidden."""

    seat: Seat
    cards: tuple[BonusId, ...]


class CountEntrances(Action, frozen=True, kw_only=True):
    """Count a castle's external entrances, those of corridor rooms left out."""

    seat: Seat
    external: Count


ACTIONS: tuple[type[Action], ...] = (
    RevealFavour, DrawBonus, ReturnBonus, CountStack, CorrectRoom, CorrectBonus,
    DrawRoom, SkipCard, MoveRoom, PriceRooms, OpenSale,
    Buy, Pass, PlaceRoom, NoteRoom, PutBack,
    TakeReward, TakeCorridor, DeclineReward, PeekStack,
    ShowBonus, CountEntrances,
)  # fmt: skip

EXAMPLES: tuple[Action, ...] = (
    RevealFavour(favour="rooms-food"),
    DrawBonus(seat=0, cards=("hallways", "cash", "type-food")),
    ReturnBonus(seat=0, card="cash"),
    CountStack(size="350", tiles=5),
    CorrectRoom(tile=catalogue()["kitchen"]),
    CorrectBonus(card="type-food", points=3),
    DrawRoom(room="kitchen"),
    SkipCard(size="300"),
    MoveRoom(seat=0, room="kitchen", price=8000),
    PriceRooms(seat=0, rooms=("kitchen", "salon", "pantry", "stables", "crypt")),
    OpenSale(seat=0),
    Buy(seat=1, room="kitchen"),
    Pass(seat=1),
    PlaceRoom(seat=1, spot=Spot(x=3, y=0, turn=90)),
    NoteRoom(seat=1, connects=(0,), touches=(2,), completes=(0,)),
    PutBack(seat=1),
    TakeReward(seat=1, reward=0),
    TakeCorridor(seat=1, room="stairs"),
    DeclineReward(seat=1),
    PeekStack(seat=1, size="300", rooms=("scullery",)),
    ShowBonus(seat=0, cards=("hallways", "cash")),
    CountEntrances(seat=0, external=7),
)
