"""What a game of A Castle for All Seasons is made of. What can be derived (hands, empty places) is never stored."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from companion.rules import base

Kind = Literal["sand", "wood", "clay", "stone"]
"""What buildings are paid with; the four carts."""
Resource = Literal["sand", "wood", "clay", "stone", "silver"]
Gift = Literal["sand", "wood", "clay", "stone", "silver", "taler"]
"""What can be laid on the damsel's card."""
Worker = Literal["wood-worker", "sand-worker", "stone-worker"]
Card = Literal[
    "messenger", "trader", "bricklayer", "stonemason", "wood-worker", "sand-worker", "stone-worker", "master-builder"
]
Laid = Literal[
    "messenger", "trader", "bricklayer", "stonemason", "wood-worker", "sand-worker", "stone-worker", "master-builder",
    "face-down",
]  # fmt: skip
"""A card laid for this round; `face-down` is one whose face only its owner knows."""
Building = Literal[
    "palace", "keep", "tavern", "servants-house", "stable", "big-gate", "small-gate", "well", "tower", "house"
]
Place = Literal[
    "keep", "tavern", "big-gate", "small-gate", "stable", "servants-house", "market", "palace", "forge", "granary",
    "village-tavern",
]  # fmt: skip
"""What helpers stand in; the last two are winter cards."""
Spot = Literal[
    "keep", "tavern-12", "tavern-6", "big-gate", "small-gate", "stable-16", "stable-12",
    "servants-house-1", "servants-house-2", "servants-house-3",
    "market-1", "market-2", "palace-1", "palace-2", "forge-10", "forge-6",
]  # fmt: skip
"""A helper's place in the castle."""
Target = Literal[
    "keep", "tavern-12", "tavern-6", "big-gate", "small-gate", "stable-16", "stable-12",
    "servants-house-1", "servants-house-2", "servants-house-3",
    "market-1", "market-2", "palace-1", "palace-2", "forge-10", "forge-6", "granary",
]  # fmt: skip
"""Where a bricklayer or stonemason may place a helper."""
Source = Literal["stock", "sand", "wood", "clay", "stone", "silver", "innkeeper"]
"""Where a helper comes from: the own stock, a cart or the rider, the village tavern."""
WinterCard = Literal["village-tavern", "granary", "plague", "cracked-wall", "damsel", "snowdrift", "fireplace"]
Phase = Literal[
    "board", "court", "share", "lay", "draw", "winter", "reveal", "equip", "cards", "carts", "final", "over"
]
Stage = Literal["recall", "post", "take", "buy", "sale", "build", "helpers"]

KINDS: tuple[Kind, ...] = get_args(Kind)
RESOURCES: tuple[Resource, ...] = get_args(Resource)
CARDS: tuple[Card, ...] = get_args(Card)
WORKERS: tuple[Worker, ...] = get_args(Worker)
BUILDINGS: tuple[Building, ...] = get_args(Building)
SPOTS: tuple[Spot, ...] = get_args(Spot)
WINTER_CARDS: tuple[WinterCard, ...] = get_args(WinterCard)
FACE_DOWN: Laid = "face-down"

Count = Annotated[int, Meta(ge=0, le=999)]
Seat = Annotated[int, Meta(ge=0, le=3)]
Pieces = dict[Resource, Count]
"""Resource pieces by kind; what is none is not listed."""


class Tile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a building tile shows: the building value to pay and the points before the crown, both even."""

    value: Annotated[int, Meta(ge=2, le=60, multiple_of=2)]
    vp: Annotated[int, Meta(ge=0, le=60, multiple_of=2)]


class Printed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of what this table's board shows. `winter` are the round spaces with a winter card."""

    tiles: dict[Building, Tile] = {}
    fees: dict[Spot, Count] = {}
    carts: dict[Resource, Annotated[int, Meta(ge=1, le=9)]] = {}
    winter: tuple[Annotated[int, Meta(ge=1, le=15)], ...] | None = None


class Builder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One player. `helpers` are those in the own stock.

    `laid` are the cards chosen for this round and not yet revealed, still counted with the hand; `played` lie face
    up, `lost` are back in the box. `carried` is what lies on the worker cards of this round. `erected` and `placed`
    tell of this round only. `converted` and `converted_talers` are what became points at the end.
    """

    talers: Count = 0
    held: Pieces = {}
    points: Count = 0
    helpers: Count = 0
    laid: tuple[Laid, ...] = ()
    played: tuple[Card, ...] = ()
    lost: tuple[Card, ...] = ()
    carried: dict[Worker, Pieces] = {}
    tiles: dict[Building, Count] = {}
    erected: Count = 0
    placed: tuple[Place, ...] = ()
    converted_talers: Count = 0
    converted: dict[Kind, Count] = {}


class Post(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A trader's helper beside a cart or the rider, and the round it came."""

    seat: Seat
    round: Count


class Task(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A played card that waits to be executed, or a worker that waits to be equipped."""

    seat: Seat
    card: Card


class Sale(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece on a worker card that a stonemason wants."""

    owner: Seat
    card: Worker
    kind: Resource


class Turn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The card being executed. `built` counts its buildings; `asked` is the piece whose owner may refuse the sale."""

    seat: Seat
    card: Card
    stage: Stage
    built: Count = 0
    asked: Sale | None = None
    declined: tuple[Seat, ...] = ()


class Tavern(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The village tavern: talers on the card, and whose innkeeper stands there."""

    talers: Count = 0
    innkeeper: Seat | None = None


class Damsel(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The damsel of the castle: who has dropped out, who has given, what lies on the card.

    `asked` are the seats still to answer at the beginning of this round; once she is won, `sharing` lists those who
    share what lies on the card, the next one first.
    """

    declared: bool = False
    out: tuple[Seat, ...] = ()
    gave: tuple[Seat, ...] = ()
    talers: Count = 0
    pieces: Pieces = {}
    asked: tuple[Seat, ...] = ()
    sharing: tuple[Seat, ...] = ()


class Winter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The winter game: cards drawn, the round of the last one, who still owes it, and the cards that stay."""

    drawn: tuple[WinterCard, ...] = ()
    last: Count = 0
    pending: tuple[Seat, ...] = ()
    tavern: Tavern | None = None
    granary: tuple[Seat, ...] | None = None
    damsel: Damsel | None = None


class Settling(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A conversion at the end that waits for its player."""

    seat: Seat
    place: Literal["market", "palace"]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was chosen at set-up (see `GameInfo.options` for the words)."""

    season: Literal["summer", "winter"] = "summer"
    cards: Literal["secret", "table"] = "secret"
    fireplace: bool = False
    tribute: Literal["from-yield", "on-top"] = "from-yield"
    innkeeper: Literal["free", "as-helper"] = "free"


class State(base.State, frozen=True, kw_only=True):
    """The whole game. Seats are clockwise; `first` is the starting player.

    `stock` is what carts and rider hold, `spaces` the talers still on the round spaces, `boxed` and `boxed_talers`
    what went back into the box. `queue` are the cards still to execute, `equipping` the workers still to equip;
    `carts_due`: a trader was played and the carts have not paid yet.
    """

    options: Options
    printed: Printed
    first: Seat
    builders: tuple[Builder, ...]
    stock: Pieces
    tower: Pieces
    bank: Count
    spaces: Count
    tiles: dict[Building, Count]
    forge: Count = 0
    boxed: Pieces = {}
    boxed_talers: Count = 0
    posts: dict[Resource, Post] = {}
    helpers: dict[Spot, Seat] = {}
    round: Annotated[int, Meta(ge=0, le=15)] = 0
    phase: Phase = "board"
    equipping: tuple[Task, ...] = ()
    queue: tuple[Task, ...] = ()
    carts_due: bool = False
    turn: Turn | None = None
    winter: Winter | None = None
    settling: tuple[Settling, ...] = ()

    @property
    def rounds(self) -> int:
        """How long the game is (The last round)."""
        return 15 if len(self.seats) == 3 else 12

    @property
    def space(self) -> int:
        """The round space this round's taler lay on."""
        return self.rounds - self.round + 1

    @property
    def order(self) -> tuple[int, ...]:
        """Seats from the starting player on, clockwise."""
        return tuple((self.first + step) % len(self.seats) for step in range(len(self.seats)))
