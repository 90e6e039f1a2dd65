"""What a game of Castle Builder is made of. Everything derived (sums, heights, whose decision) is computed, not stored.

Holders are counted, never looked into: what lies in a holder is its owner's business until it is built.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from companion.rules import base

Coin = Literal[
    "ruby", "highest-tower", "thief", "most-persons", "bitter-lady", "most-windows", "mill", "most-roofs", "crumble",
    "monk", "catapult",
]  # fmt: skip
Space = Literal["plain", "start", "ruby", "tile", "coin"]
"""An area of the path. The four `start` areas are those numbered 1 to 4, in the order barons walk."""
Edge = Literal["stone", "air", "stone-air", "air-stone"]
"""The left and the right half of a tile's top or bottom."""
Half = Literal["stone", "air"]
Icon = Literal["windows", "persons", "roofs"]
Source = Literal["holder", "market-1", "market-2", "market-3", "prince", "princess"]
"""Where a tile is built from."""
Courtier = Literal["prince", "princess"]
Effect = Literal["thief", "crumble", "catapult", "pick"]
"""A coin effect that waits for a choice; `pick` takes a tile from the market (Mill, Peaceful Times)."""
Phase = Literal["layout", "discard", "move", "effect", "coin", "turn", "over"]

COINS: tuple[Coin, ...] = get_args(Coin)
SPACES: tuple[Space, ...] = get_args(Space)
EDGES: tuple[Edge, ...] = get_args(Edge)
ICONS: tuple[Icon, ...] = get_args(Icon)
SOURCES: tuple[Source, ...] = get_args(Source)
COURT: tuple[Courtier, ...] = get_args(Courtier)
MARKET_SOURCES: tuple[Source, ...] = ("market-1", "market-2", "market-3")

HOLDER_LIMIT = 7
DOOR_NUMBER = 2
MARKET_SIZE = 3

Count = Annotated[int, Meta(ge=0, le=999)]
Small = Annotated[int, Meta(ge=0, le=9)]
Number = Annotated[int, Meta(ge=0, le=99)]
Level = Annotated[int, Meta(ge=1, le=40)]
Place = Annotated[int, Meta(ge=-80, le=80)]
"""Half tile widths from the leftmost tile of the foundation: even on odd levels, odd on even ones."""


class Tile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A tile as printed. Number 0 means that none is; `wild` is the tick that fits on any sum.

    `no_new_floor` is the sign that it may not begin a level. A roof of any kind counts once.
    """

    name: Annotated[str, Meta(max_length=40)] = ""
    number: Number = 0
    wild: bool = False
    no_new_floor: bool = False
    bottom: Edge = "stone"
    top: Edge = "stone"
    rubies: Small = 0
    windows: Small = 0
    persons: Small = 0
    roof: bool = False


class Placed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tile in a castle."""

    level: Level
    x: Place
    tile: Tile


class Foundation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many tiles stand side by side on a foundation, and on which place, from the left, the door is."""

    width: Annotated[int, Meta(ge=1, le=20)]
    door: Annotated[int, Meta(ge=1, le=20)]


class Baron(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One player: the castle, how many tiles the holder has, the coins, and the area the baron stands on.

    `court` are the prince and princess beside the holder (Royal Strategy). `built`, `levels` and the icon counters
    are kept by hand in a light game only.
    """

    holder: Count = 0
    coins: Count = 0
    space: Count = 0
    castle: tuple[Placed, ...] = ()
    court: tuple[Courtier, ...] = ()
    built: Count = 0
    levels: Count = 1
    windows: Count = 0
    persons: Count = 0
    roofs: Count = 0


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was chosen at set-up (see `GameInfo.options` for the words)."""

    detail: Literal["full", "light"] = "full"
    sky: bool = False
    royal: bool = False
    peaceful: bool = False
    every_coin: bool = True


class State(base.State, frozen=True, kw_only=True):
    """The whole game. Seats are clockwise.

    `tiles` and `coins` are the market; None lies there unentered. `due` are the coins the active seat may still take,
    `effect` what it must choose for the coin just taken, `moving` (light game) that its baron's move is to be told.
    `acted` is set once the active seat has drawn or built this turn. `idle` counts the turns in a row in which
    nobody could do anything: no tile was built and none was left to draw.
    """

    options: Options
    first: Annotated[int, Meta(ge=0, le=3)]
    active: Annotated[int, Meta(ge=0, le=3)]
    barons: tuple[Baron, ...]
    box_tiles: Count
    pile: Count
    discard: Count = 0
    tiles: tuple[Tile | None, ...] = ()
    coin_pile: Count
    coins: tuple[Coin | None, ...] = ()
    path: tuple[Space, ...] = ()
    foundation: Foundation | None = None
    round: Annotated[int, Meta(ge=1)] = 1
    acted: bool = False
    idle: Count = 0
    moving: bool = False
    effect: Effect | None = None
    due: Count = 0

    @property
    def light(self) -> bool:
        return self.options.detail == "light"

    @property
    def goal(self) -> int:
        """How many coins win (Reach the Sky: nine)."""
        return 9 if self.options.sky else 7

    @property
    def order(self) -> tuple[int, ...]:
        """Seats in turn order."""
        return tuple((self.first + step) % len(self.seats) for step in range(len(self.seats)))

    @property
    def crowded(self) -> tuple[int, ...]:
        """Seats with more tiles than a holder takes."""
        return tuple(seat for seat, baron in enumerate(self.barons) if baron.holder > HOLDER_LIMIT)

    @property
    def phase(self) -> Phase:
        """What the table waits for."""
        waits: tuple[tuple[Phase, object], ...] = (
            ("over", self.over),
            ("layout", not self.light and not (self.path and self.foundation)),
            ("discard", self.crowded),
            ("move", self.moving),
            ("effect", self.effect),
            ("coin", self.due),
        )
        return next((phase for phase, waiting in waits if waiting), "turn")
