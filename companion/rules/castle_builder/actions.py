"""Everything that can be done in Castle Builder. Seats and market slots count from 0, levels and steps from 1."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.rules.base import Action
from companion.rules.castle_builder.state import Coin, Foundation, Level, Place, Small, Source, Space, Tile

Seat = Annotated[int, Meta(ge=0, le=3)]
Slot = Annotated[int, Meta(ge=0, le=2)]
Paid = Annotated[int, Meta(ge=0, le=99)]


# The box: what is asked for once


class LayPath(Action, frozen=True, kw_only=True):
    """Say which areas the path has, clockwise from the start area number 1."""

    spaces: Annotated[tuple[Space, ...], Meta(max_length=99)]


class LayFoundation(Action, frozen=True, kw_only=True):
    """Say how wide a foundation is and where its door stands."""

    foundation: Foundation


class UsePractice(Action, frozen=True, kw_only=True):
    """Play on the companion's own practice path and foundation."""


class NameTile(Action, frozen=True, kw_only=True):
    """Say which tile lies face up in the market."""

    slot: Slot
    tile: Tile


class NameCoin(Action, frozen=True, kw_only=True):
    """Say which coin lies in the market."""

    slot: Slot
    coin: Coin


# A turn


class DrawTiles(Action, frozen=True, kw_only=True):
    """Draw two tiles from the pile."""

    seat: Seat


class BuildTile(Action, frozen=True, kw_only=True):
    """Put a tile on the castle. `tile` is needed unless it lies entered in the market.

    `pay` is how many tiles of the holder are discarded to change its number by as many steps.
    """

    seat: Seat
    level: Level
    x: Place
    source: Source = "holder"
    tile: Tile | None = None
    pay: Paid = 0


class DiscardTiles(Action, frozen=True, kw_only=True):
    """Discard down to what the holder takes."""

    seat: Seat


class EndTurn(Action, frozen=True, kw_only=True):
    """Pass the turn on. A turn ends by itself; this is for when the table has set something right."""

    seat: Seat


# Coins


class TakeCoin(Action, frozen=True, kw_only=True):
    """Take a coin from the market. `coin` is needed when nobody has entered it."""

    seat: Seat
    slot: Slot
    coin: Coin | None = None


class StealTile(Action, frozen=True, kw_only=True):
    """The Thief: take a tile blindly from an opponent's holder."""

    seat: Seat
    victim: Seat


class BringDown(Action, frozen=True, kw_only=True):
    """Crumble or Catapult: discard a tile of a castle that bears no other."""

    seat: Seat
    owner: Seat
    level: Level
    x: Place


class PickTile(Action, frozen=True, kw_only=True):
    """Take a tile from the market into the holder."""

    seat: Seat
    slot: Slot


# Light game: the table handles tiles and barons, the companion keeps the counters


class RaiseCastle(Action, frozen=True, kw_only=True):
    """A tile was built on a level; its icons are added to the counters."""

    seat: Seat
    level: Level
    source: Source = "holder"
    pay: Paid = 0
    windows: Small = 0
    persons: Small = 0
    roof: bool = False


class Arrive(Action, frozen=True, kw_only=True):
    """The baron was moved: coins reached or passed, and whether it stopped on a tile area."""

    seat: Seat
    coins: Small = 0
    tile: bool = False


class LoseTile(Action, frozen=True, kw_only=True):
    """Crumble or Catapult: a tile left a castle; `level_gone` when it was the last of the top level."""

    seat: Seat
    owner: Seat
    windows: Small = 0
    persons: Small = 0
    roof: bool = False
    level_gone: bool = False


ACTIONS: tuple[type[Action], ...] = (
    LayPath, LayFoundation, UsePractice, NameTile, NameCoin,
    DrawTiles, BuildTile, DiscardTiles, EndTurn,
    TakeCoin, StealTile, BringDown, PickTile,
    RaiseCastle, Arrive, LoseTile,
)  # fmt: skip

EXAMPLES: tuple[Action, ...] = (
    LayPath(spaces=("start", "start", "start", "start", "plain", "ruby", "tile", "plain", "coin", "plain")),
    LayFoundation(foundation=Foundation(width=5, door=3)),
    UsePractice(),
    NameTile(slot=0, tile=Tile(number=7, windows=1)),
    NameCoin(slot=2, coin="monk"),
    DrawTiles(seat=0),
    BuildTile(seat=0, level=2, x=1, tile=Tile(number=7, rubies=1)),
    DiscardTiles(seat=0),
    EndTurn(seat=0),
    TakeCoin(seat=0, slot=1, coin="thief"),
    StealTile(seat=0, victim=1),
    BringDown(seat=0, owner=1, level=2, x=1),
    PickTile(seat=0, slot=2),
    RaiseCastle(seat=0, level=2, windows=1),
    Arrive(seat=0, coins=1),
    LoseTile(seat=0, owner=1, roof=True),
)
