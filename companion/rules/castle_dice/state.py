"""What a game of Castle Dice is made of. Everything derived (leaders, costs, losses) is computed, never stored."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct, field

from companion.rules import base

Resource = Literal["wood", "stone", "gold", "land", "iron"]
"""From most common to rarest; a die is named after the resource it mostly shows."""
Animal = Literal["horse", "pig", "cow", "chicken"]
Villager = Literal["worker", "farmer", "merchant", "guard"]
Place = Literal[
    "worker", "farmer", "merchant", "guard wood", "guard stone", "guard gold", "guard land", "guard iron",
]  # fmt: skip
"""A villager where it stands; only guards choose their post."""
DeckId = Literal["castle", "village", "market"]
HandDeck = Literal["castle", "village"]
"""The decks whose cards count towards the size of a hand."""
Face = Literal[
    "wood 1", "wood 2", "wood 3", "wood cow",
    "stone 1", "stone 2", "stone chicken",
    "gold 1", "gold 2", "gold horse",
    "land 1", "land 2", "land pig",
    "iron 1", "iron 2", "iron pig", "iron horse", "iron chicken",
]  # fmt: skip
"""A die of the world pool: which die, and what it shows."""
JoanFace = Literal["wood", "stone", "gold", "land", "iron", "barn"]
Phase = Literal[
    "first", "cards", "dice", "villager", "roll", "gather", "market", "workers", "merchants", "build", "raid",
    "bards", "over",
]  # fmt: skip
CardKind = Literal["part", "wall", "villager", "action", "lasting"]
"""Parts and walls are built and stay, villagers leave a token, actions are discarded, lasting cards lie by the mat."""

RESOURCES: tuple[Resource, ...] = get_args(Resource)
ANIMALS: tuple[Animal, ...] = get_args(Animal)
VILLAGERS: tuple[Villager, ...] = get_args(Villager)
PLACES: tuple[Place, ...] = get_args(Place)
DECKS: tuple[DeckId, ...] = get_args(DeckId)
HAND_DECKS: tuple[HandDeck, ...] = get_args(HandDeck)
FACES: tuple[Face, ...] = get_args(Face)
JOAN_FACES: tuple[JoanFace, ...] = get_args(JoanFace)

TURNS = 7
HOLIDAYS = (3, 5, 7)
RESOURCE_CAP = 9

Count = Annotated[int, Meta(ge=0, le=999)]
Small = Annotated[int, Meta(ge=0, le=9)]
CardName = Annotated[str, Meta(min_length=1, max_length=40)]

NO_RESOURCES: dict[Resource, int] = dict.fromkeys(RESOURCES, 0)
NO_ANIMALS: dict[Animal, int] = dict.fromkeys(ANIMALS, 0)
NO_CARDS: dict[DeckId, int] = dict.fromkeys(DECKS, 0)


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card as printed. `copies` is how many of it the box holds."""

    name: CardName
    deck: DeckId
    kind: CardKind = "action"
    wood: Small = 0
    stone: Small = 0
    gold: Small = 0
    land: Small = 0
    iron: Small = 0
    vp: Small = 0
    copies: Annotated[int, Meta(ge=1, le=47)] = 1

    @property
    def cost(self) -> dict[Resource, int]:
        """What it costs to build, of each resource."""
        return {resource: getattr(self, resource) for resource in RESOURCES}


class Tracked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One turn of the Turn Tracker. Where sources disagree it is not `sure`, and the table is asked."""

    fixed: dict[Resource, Small]
    choice: Small
    sure: bool = True


class Deck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deck: how many cards are left to draw, those discarded by name, and those discarded unnamed."""

    draw: Count
    discard: dict[CardName, Count] = {}
    unnamed: Count = 0


class Player(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One player mat and what lies by it. Joan's is the last in a solo game.

    The hand is `cards` (told to the companion) and `hidden` (only counted). `workers` stand on that many resources,
    the most common first. `built` are the cards by the mat, `walls` the animals chosen for animal Walls.
    `dice` wait to be rolled, `camp` holds barbarians by their die. The rest is about this turn: `gathered` counts
    gathers, `maiden` the cards laid down for a Maiden, `alchemy` what an Alchemist takes off one card.
    """

    resources: dict[Resource, Annotated[int, Meta(ge=0, le=RESOURCE_CAP)]] = field(default_factory=NO_RESOURCES.copy)
    animals: dict[Animal, Count] = field(default_factory=NO_ANIMALS.copy)
    workers: Annotated[int, Meta(ge=0, le=5)] = 0
    farmers: Annotated[int, Meta(ge=0, le=3)] = 0
    merchants: Annotated[int, Meta(ge=0, le=3)] = 0
    guards: tuple[Resource, ...] = ()
    cards: dict[CardName, Count] = {}
    hidden: dict[DeckId, Count] = field(default_factory=NO_CARDS.copy)
    built: dict[CardName, Count] = {}
    walls: tuple[Animal, ...] = ()
    dice: dict[Resource, Count] = field(default_factory=NO_RESOURCES.copy)
    camp: dict[Resource, Count] = field(default_factory=NO_RESOURCES.copy)
    brother: bool = False
    picked: bool = False
    gathered: Count = 0
    farmed: bool = False
    moats_used: Count = 0
    skips: bool = False
    maiden: Count | None = None
    trades: Count = 0
    alchemy: dict[Resource, Count] | None = None
    done: bool = False

    @property
    def villagers(self) -> int:
        return self.workers + self.farmers + self.merchants + len(self.guards)

    @property
    def barbarians(self) -> int:
        return sum(self.camp.values())


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was chosen at set-up (see `GameInfo.options` for the words)."""

    hands: Literal["counted", "known"] = "counted"
    guardhouse: Literal["Guardhouse", "Great Hall"] = "Guardhouse"
    raid: Literal["all", "own-colour"] = "all"


class State(base.State, frozen=True, kw_only=True):
    """The whole game. Seats are clockwise; in a solo game Joan sits after the only player as seat 1.

    `sizes` and `herd` are what the box holds of cards and animal tokens, `box_cards` what the table said of its cards.
    `rollers` still roll for the first turn. `active` is whose go it is, with `gathers` left in it. `elder` are the dice
    a Wise Grandfather rolls back. `passable` are barbarians a Jester may hand on. `messenger` waits for a villager,
    `posting` for a guard's post. `chopped`: the Pork Chop of the pigs is used. `priority` is Joan's resource.
    """

    options: Options
    players: tuple[Player, ...]
    bank: dict[Resource, Count]
    tokens: dict[Animal, Count]
    villager_tokens: Count
    decks: dict[DeckId, Deck]
    sizes: dict[DeckId, Count]
    herd: dict[Animal, Count]
    tracker: tuple[Tracked, ...]
    solo: bool = False
    box_cards: dict[CardName, Card] = {}
    turn: Annotated[int, Meta(ge=1, le=TURNS)] = 1
    phase: Phase = "first"
    first: Annotated[int, Meta(ge=0, le=3)] = 0
    rollers: tuple[int, ...] = ()
    active: int | None = None
    gathers: Count = 0
    world: dict[Face, Count] = {}
    elder: tuple[Resource, ...] | None = None
    passable: dict[Resource, Count] = field(default_factory=NO_RESOURCES.copy)
    messenger: int | None = None
    posting: int | None = None
    chopped: bool = False
    priority: Resource | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all players, Joan included."""
        return (*self.seats, JOAN) if self.solo else self.seats

    @property
    def joan(self) -> int | None:
        """Joan's place, in a solo game."""
        return len(self.seats) if self.solo else None

    @property
    def order(self) -> tuple[int, ...]:
        """Players in this turn's order, clockwise from the first."""
        count = len(self.players)
        return tuple((self.first + step) % count for step in range(count))

    @property
    def tracked(self) -> Tracked:
        """What the Turn Tracker shows for this turn."""
        return self.tracker[self.turn - 1]

    @property
    def holiday(self) -> bool:
        return self.turn in HOLIDAYS


JOAN = "Joan"


def guard_at(post: Resource) -> Place:
    """
    >>> guard_at("gold")
    'guard gold'
    """
    return PLACES[PLACES.index("guard wood") + RESOURCES.index(post)]


def post_of(place: Place) -> Resource | None:
    """
    >>> post_of("guard iron"), post_of("worker")
    ('iron', None)
    """
    kind, _, post = place.partition(" ")
    return next((resource for resource in RESOURCES if resource == post), None) if kind == "guard" else None


def kind_of(place: Place) -> Villager:
    """
    >>> kind_of("guard iron")
    'guard'
    """
    return next(kind for kind in VILLAGERS if place.startswith(kind))
