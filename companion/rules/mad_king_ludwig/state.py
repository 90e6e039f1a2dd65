"""What a game of Castles of Mad King Ludwig is made of. What a castle's geometry tells is computed, never stored."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from companion.rules import base
from companion.rules.mad_king_ludwig.rooms import FOYER, RoomId, RoomTile, RoomType

FavourId = Literal[
    "rooms-living", "rooms-activity", "rooms-sleeping", "rooms-outdoor",
    "rooms-utility", "rooms-food", "rooms-corridor", "rooms-downstairs",
    "feet-living", "feet-activity", "feet-sleeping", "feet-outdoor",
    "feet-utility", "feet-food", "feet-corridor", "feet-downstairs",
    "money", "external-entrances", "completed-rooms", "incomplete-rooms",
    "circular-rooms", "square-rooms", "small-rooms", "large-rooms",
]  # fmt: skip
BonusId = Literal[
    "unique-sizes", "unique-types", "hallways", "stairs", "external-entrances", "completed-rooms",
    "square-rooms", "round-rooms", "cash",
    "type-living", "type-activity", "type-sleeping", "type-outdoor",
    "type-utility", "type-food", "type-corridor", "type-downstairs",
    "size-100", "size-150", "size-200", "size-250", "size-300",
    "size-350", "size-400", "size-450", "size-500", "size-600",
]  # fmt: skip
Card = Literal[BonusId, "?"]
"""A bonus card, or one that only its owner knows."""
Phase = Literal["favours", "bonus", "draw", "pricing", "buying", "reveal", "over"]
Size = Literal["100", "150", "200", "250", "300", "350", "400", "450", "500", "600"]
"""A stack of room tiles by its square feet."""

FAVOURS: tuple[FavourId, ...] = get_args(FavourId)
BONUSES: tuple[BonusId, ...] = get_args(BonusId)
STACKS: tuple[Size, ...] = get_args(Size)
UNKNOWN: Literal["?"] = "?"

Count = Annotated[int, Meta(ge=0, le=999)]
Marks = Annotated[int, Meta(ge=0, le=9_999_000)]
Points = Annotated[int, Meta(ge=-999, le=999)]
Along = Annotated[int, Meta(ge=-200, le=200)]
Index = Annotated[int, Meta(ge=0, le=199)]


class Spot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a tile lies: its upper left cell once turned, in cells of 5 feet from the Foyer's, and its turn."""

    x: Along
    y: Along
    turn: Literal[0, 90, 180, 270] = 0


class Placed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A room of a castle. On a map only its spot is kept; in a ledger what it was said to join and touch."""

    room: RoomId
    spot: Spot | None = None
    connects: tuple[Index, ...] = ()
    touches: tuple[Index, ...] = ()
    complete: bool = False


class Castle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rooms in the order they were placed, the Foyer first. `own` are tiles this table's box prints otherwise."""

    rooms: Annotated[tuple[Placed, ...], Meta(min_length=1)] = (Placed(room=FOYER, spot=Spot(x=0, y=0)),)
    own: tuple[RoomTile, ...] = ()


class Player(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One player. `start` is the first space on the score track, `placement` the points of placing rooms.

    `rewards` are the points of completing them. `drawn` are bonus cards of which one must go back. `external` is
    counted by hand at the end of a ledger game.
    """

    marks: Marks = 0
    castle: Castle = Castle()
    start: Points = 0
    placement: Points = 0
    rewards: Points = 0
    bonus: tuple[Card, ...] = ()
    drawn: tuple[Card, ...] = ()
    external: Count | None = None

    @property
    def track(self) -> int:
        """Where the marker stands on the score track."""
        return self.start + self.placement + self.rewards


class Space(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A space of the contract board, the room below it, and the coins on that room."""

    price: Marks
    room: RoomId | None = None
    coins: Marks = 0


class Reward(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A completion reward to take. `rooms` are the castle's rooms it is for; `turn` as in Turn."""

    kind: RoomType
    rooms: tuple[Index, ...]
    turn: Count = 0


class Hand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tile taken and not yet placed, with what was paid for it. A free one was a reward.

    `turn` is the turn whose reward it was, which may be over; None is the turn being taken.
    """

    room: RoomId
    price: Marks = 0
    coins: Marks = 0
    space: Index | None = None
    free: bool = False
    turn: Count | None = None


class Turn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose turn it is to buy. `number` counts the extra turns; `buys` says whether a purchase is due.

    `doing` is the reward being carried out; `corridor_taken` and `below_taken` are the turns whose reward was used.
    """

    seat: Annotated[int, Meta(ge=0, le=3)]
    number: Count = 0
    buys: bool = True
    hand: Hand | None = None
    rewards: tuple[Reward, ...] = ()
    doing: Reward | None = None
    corridor_taken: tuple[Count, ...] = ()
    below_taken: tuple[Count, ...] = ()


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was chosen at set-up (see `GameInfo.options` for the words)."""

    castles: Literal["map", "ledger"] = "map"
    bonus: Literal["entered", "hidden"] = "entered"
    downstairs_once: bool = False


class State(base.State, frozen=True, kw_only=True):
    """The whole game. Seats are clockwise; `master` is the Master Builder.

    `deck` counts the room cards not yet drawn, `cards_drawn` those drawn of each size, `stacks` the tiles of each
    size. `laid` are tiles put face down by sleeping rewards, the last on top; `gone` are tiles out of the game.
    `dealt` is what the bank has paid out in all: what players and rooms now hold. `starting_stacks` are what the table
    began with, and `bonus_points` the points this table's cards print otherwise.
    """

    options: Options
    master: Annotated[int, Meta(ge=0, le=3)]
    players: tuple[Player, ...]
    spaces: tuple[Space, ...]
    stacks: dict[Size, Count]
    starting_stacks: dict[Size, Count]
    hallways: Count
    stairs: Count
    starting_corridors: tuple[Count, Count]
    deck: Count
    dealt: Marks
    phase: Phase = "favours"
    round: Count = 1
    last_round: bool = False
    favours: tuple[FavourId, ...] = ()
    favour_tiles: Count = 0
    cards_drawn: dict[Size, Count] = {}
    laid: tuple[RoomId, ...] = ()
    gone: tuple[RoomId, ...] = ()
    returned: tuple[Card, ...] = ()
    turn: Turn | None = None
    own: tuple[RoomTile, ...] = ()
    bonus_points: dict[BonusId, Count] = {}

    @property
    def solo(self) -> bool:
        return len(self.seats) == 1

    @property
    def order(self) -> tuple[int, ...]:
        """Seats in the order they buy: the Master Builder's left-hand neighbour first, the Master Builder last."""
        seats = len(self.seats)
        return tuple((self.master + step) % seats for step in range(1, seats + 1))
