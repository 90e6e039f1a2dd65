"""What a game of Castle Dukes is made of. Everything derived (dials, height, prices) is computed, never stored."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from companion.rules import base

Rating = Literal["comfort", "defence", "offence"]
Guest = Literal["king", "princess", "knight"]
Character = Literal["king", "princess", "knight", "serf"]
Decor = Literal["table", "coffer", "brazier", "battlement", "cauldron", "ballista"]
Item = Literal["tile", "pillar", "table", "serf", "coffer", "brazier", "battlement", "cauldron", "ballista"]
RoomItem = Literal["table", "serf", "coffer"]
"""What is placed on room cards, and what a slot of the game board may give as a bonus."""
TopItem = Literal["brazier", "battlement", "cauldron", "ballista"]
"""What is placed on roof and bridge tiles, and what a construction card may give."""
Stocked = Literal[
    "tile", "pillar", "table", "serf", "coffer", "brazier", "battlement", "cauldron", "ballista",
    "king", "princess", "knight", "room", "construction",
]  # fmt: skip
"""Everything the box holds a limited number of; `room` and `construction` are the cards."""
TowerId = Literal["left", "middle", "right"]
Spot = Literal["left", "middle", "right", "bridge"]
"""Where a level is: one of three towers, or the bridge between the two front towers (left and right)."""
Levels = Literal["any", "upper", "lower"]
ChitKind = Literal["tile", "room", "decor", "character", "pillar"]
Bonus = Literal["none", "table", "serf", "coffer", "unknown"]
Phase = Literal["opening", "room", "building", "guest-card", "dragon", "guests", "count", "over"]
Stage = Literal["acquiring", "placing", "done"]
SoloMode = Literal["baby", "duke", "awesome"]

RATINGS: tuple[Rating, ...] = get_args(Rating)
GUESTS: tuple[Guest, ...] = get_args(Guest)
ITEMS: tuple[Item, ...] = get_args(Item)
TOP_ITEMS: tuple[TopItem, ...] = get_args(TopItem)
ROOM_ITEMS: tuple[RoomItem, ...] = get_args(RoomItem)
TOWERS: tuple[TowerId, ...] = get_args(TowerId)
STOCKED: tuple[Stocked, ...] = get_args(Stocked)

Count = Annotated[int, Meta(ge=0, le=999)]
Small = Annotated[int, Meta(ge=0, le=9)]


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A room card as printed: what it adds to each rating, its guest slots, its points, where it may be built."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    comfort: Small = 0
    defence: Small = 0
    offence: Small = 0
    vp: Small = 0
    king: Small = 0
    princess: Small = 0
    knight: Small = 0
    serf: Small = 0
    levels: Levels = "any"


class Room(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A room card built into a castle, with what stands on it."""

    card: Card
    table: bool = False
    coffer: bool = False
    serf: Count = 0
    king: Count = 0
    princess: Count = 0
    knight: Count = 0


class Top(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What stands on a roof or bridge tile."""

    brazier: Count = 0
    battlement: Count = 0
    cauldron: Count = 0
    ballista: Count = 0


class Tile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A floor tile in a tower, floor side up, or bridge side up as a roof (then `roof` is set).

    `spaces` are its room spaces, `cobbles` its cobblestone markings, `ends` whether it has bridge ends. `pillars`
    counts those standing on it, `covered` the markings that hold at least one of them.
    """

    spaces: Small = 1
    cobbles: Small = 1
    ends: bool = True
    pillars: Count = 0
    covered: Count = 0
    rooms: tuple[Room, ...] = ()
    roof: Top | None = None


class Bridge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tile between the two front towers at a level."""

    level: Annotated[int, Meta(ge=1, le=99)]
    top: Top = Top()


class Castle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Three towers, each from level 1 up, and the bridges."""

    left: tuple[Tile, ...] = ()
    middle: tuple[Tile, ...] = ()
    right: tuple[Tile, ...] = ()
    bridges: tuple[Bridge, ...] = ()


class Dials(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The three ratings of a barbican."""

    comfort: Count = 0
    defence: Count = 0
    offence: Count = 0


class Chit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A dragon damage chit: lose one or two of a kind."""

    kind: ChitKind
    count: Annotated[int, Meta(ge=1, le=2)] = 1


class Attack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One duke's part in a dragon attack. `owed` is what must still be lost for the chit being resolved."""

    facing: Literal["offence", "defence"]
    damage: Annotated[int, Meta(ge=1, le=4)]
    sacrificed: bool = False
    chits: tuple[Chit, ...] = ()
    resolved: tuple[int, ...] = ()
    owed: Chit | None = None


class Counted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A castle as counted at the table at the end of a light game."""

    left: Count = 0
    middle: Count = 0
    right: Count = 0
    bridges: Count = 0
    serfs: Count = 0
    battlements: Count = 0
    coffers: Count = 0
    rooms: Count = 0
    high_rooms: Count = 0
    room_vp: Count = 0
    kings: Count = 0
    princesses: Count = 0
    knights: Count = 0


class Duke(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One player. `held` and `cards` are the inventory.

    While `rearranging` (after an accident, or after a Crumble token taken on purpose) pieces may be taken down into
    `loose` and put up again. `dials`, `guests` and `counted` are kept by hand in a light game only.
    """

    coins: Count = 0
    held: dict[Item, Count] = {}
    cards: tuple[Card, ...] = ()
    castle: Castle = Castle()
    stage: Stage = "done"
    passed: bool = False
    crumbles: Count = 0
    vines_hung: Count = 0
    vines_dropped: Count = 0
    rearranging: bool = False
    loose: dict[Stocked, Count] = {}
    loose_cards: tuple[Card, ...] = ()
    attack: Attack | None = None
    dials: Dials = Dials()
    guests: dict[Guest, Count] = {}
    counted: Counted | None = None


class Slot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A room slot of the game board. `filled` with `card` None is a face-up card nobody has entered."""

    cost: Small
    bonus: Bonus = "unknown"
    filled: bool = True
    card: Card | None = None


class GuestCard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The big guest, the small guest, and whether the card has the fire icon."""

    main: Guest
    small: Guest
    fire: bool = False


class Visit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A guest who has chosen: the seats that must still say where it lives."""

    guest: Guest
    seats: tuple[int, ...]


class Ai(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The solo opponent: a barbican and guests, no castle. `picks` are the rooms it still takes this Room Phase."""

    mode: SoloMode
    comfort: Count = 0
    defence: Count = 0
    offence: Count = 0
    king: Count = 0
    princess: Count = 0
    knight: Count = 0
    picks: Count = 0
    burns: Count = 0


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was chosen at set-up (see `GameInfo.options` for the words)."""

    detail: Literal["full", "light"] = "full"
    turns: Literal[9, 12] = 9
    vines: bool = False
    solo: SoloMode = "duke"
    zero_ranks: bool = True
    turn9_check: bool = True
    late_coins: Literal["continue", "three"] = "continue"


class State(base.State, frozen=True, kw_only=True):
    """The whole game. Seats are clockwise; in a solo game the AI sits after the only duke as seat 1.

    `buyer` is the seat whose Room Phase turn it is. `attacks` are the turns the dragon came.
    """

    options: Options
    first: Annotated[int, Meta(ge=0, le=7)]
    dukes: tuple[Duke, ...]
    boards: tuple[tuple[Slot, ...], ...]
    stock: dict[Stocked, Count]
    discard: dict[Stocked, Count] = {}
    chits: Annotated[int, Meta(ge=5, le=40)] = 15
    turn: Annotated[int, Meta(ge=1, le=12)] = 1
    phase: Phase = "opening"
    buyer: int | None = None
    guest_cards: tuple[GuestCard, ...] = ()
    guests: tuple[Guest, ...] = ()
    visit: Visit | None = None
    attacks: tuple[int, ...] = ()
    ai: Ai | None = None

    @property
    def sets(self) -> int:
        """How many boxes are in play."""
        return 2 if len(self.dukes) > 4 else 1

    @property
    def order(self) -> tuple[int, ...]:
        """Seats in this turn's order, the AI included."""
        seats = len(self.seats) + (self.ai is not None)
        return tuple((self.first + step) % seats for step in range(seats))
