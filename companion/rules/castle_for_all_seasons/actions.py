"""Everything that can be done in A Castle for All Seasons. Seats count from 0."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.rules.base import Action
from companion.rules.castle_for_all_seasons.state import (
    Building,
    Card,
    Count,
    Gift,
    Kind,
    Laid,
    Resource,
    Seat,
    Source,
    Spot,
    Target,
    Tile,
    WinterCard,
    Worker,
)

Few = Annotated[int, Meta(ge=0, le=3)]
Space = Annotated[int, Meta(ge=1, le=15)]


class Payment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Resources spent: `own` pieces, and pieces got for `silver` put into the forge, by what they became."""

    own: dict[Kind, Count] = {}
    silver: dict[Kind, Count] = {}


# What the board shows; `practice` values are made up for playing without the box, and not remembered


class ReadTile(Action, frozen=True, kw_only=True):
    """Say what a building tile shows: its building value and the points before the crown."""

    building: Building
    printed: Tile
    practice: bool = False


class ReadFee(Action, frozen=True, kw_only=True):
    """Say what fee a helper's place shows."""

    spot: Spot
    talers: Annotated[int, Meta(ge=0, le=30)]
    practice: bool = False


class ReadCart(Action, frozen=True, kw_only=True):
    """Say how many pieces the board shows beside a cart or the rider."""

    cart: Resource
    pieces: Annotated[int, Meta(ge=1, le=9)]
    practice: bool = False


class ReadWinterSpaces(Action, frozen=True, kw_only=True):
    """Say which round spaces of the winter side show a winter card."""

    spaces: Annotated[tuple[Space, ...], Meta(min_length=1)]
    practice: bool = False


# Choosing cards


class LayCard(Action, frozen=True, kw_only=True):
    """Lay a character card for this round: face down, or, where the table plays with open entry, as revealed."""

    seat: Seat
    card: Laid


class Reveal(Action, frozen=True, kw_only=True):
    """All flip over their cards at the same time."""


class Equip(Action, frozen=True, kw_only=True):
    """Choose the free pieces of the worker who gets a stone block and any two of sand, wood and clay."""

    seat: Seat
    kinds: tuple[Kind, ...]


# The trader


class RecallHelper(Action, frozen=True, kw_only=True):
    """Take a trader's helper back because the village tavern could not be paid."""

    seat: Seat
    cart: Resource


class PostHelper(Action, frozen=True, kw_only=True):
    """Place a helper beside a cart or the rider."""

    seat: Seat
    cart: Resource
    source: Source = "stock"


class PostNobody(Action, frozen=True, kw_only=True):
    """Place no trader's helper."""

    seat: Seat


# Bricklayer, stonemason, worker


class TakeFromTower(Action, frozen=True, kw_only=True):
    """The bricklayer takes all pieces of one kind from the defense tower."""

    seat: Seat
    kind: Resource


class Buy(Action, frozen=True, kw_only=True):
    """The stonemason buys a piece from a worker card for a taler."""

    seat: Seat
    owner: Seat
    card: Worker
    kind: Resource


class AnswerSale(Action, frozen=True, kw_only=True):
    """The worker's owner sells the last piece, or refuses to."""

    seat: Seat
    sell: bool


class BuyNothing(Action, frozen=True, kw_only=True):
    """The stonemason buys nothing."""

    seat: Seat


class Erect(Action, frozen=True, kw_only=True):
    """Erect a building, paying its exact value."""

    seat: Seat
    building: Building
    payment: Payment


class DoneBuilding(Action, frozen=True, kw_only=True):
    """Erect no more buildings with this card."""

    seat: Seat


class PlaceHelper(Action, frozen=True, kw_only=True):
    """Place a helper in an erected building, or in the granary, for its fee."""

    seat: Seat
    spot: Target
    source: Source = "stock"


class PlaceInnkeeper(Action, frozen=True, kw_only=True):
    """Place a helper in the village tavern for 3 talers."""

    seat: Seat
    source: Source = "stock"


class DonePlacing(Action, frozen=True, kw_only=True):
    """Place no more helpers with this card."""

    seat: Seat


# Winter


class DrawWinter(Action, frozen=True, kw_only=True):
    """The starting player turns up the top winter card."""

    card: WinterCard


class GiveCard(Action, frozen=True, kw_only=True):
    """Plague: lose a played card. Snowdrift: give up a worker."""

    seat: Seat
    card: Card


class PayTribute(Action, frozen=True, kw_only=True):
    """Plague or snowdrift: pay talers to the bank instead of giving up a card."""

    seat: Seat


class RepairWall(Action, frozen=True, kw_only=True):
    """Cracked wall: give up stone blocks, some of them got for silver, for 3 points each; or none."""

    seat: Seat
    stones: Few = 0
    silver: Few = 0


class FeedFire(Action, frozen=True, kw_only=True):
    """Fireplace: pay wooden beams, some of them got for silver."""

    seat: Seat
    wood: Few = 0
    silver: Few = 0


class DeclareCourtship(Action, frozen=True, kw_only=True):
    """Declare the wish to court the damsel of the castle."""

    seat: Seat


class Court(Action, frozen=True, kw_only=True):
    """Lay a piece or a taler on the damsel's card."""

    seat: Seat
    gift: Gift


class LeaveCourt(Action, frozen=True, kw_only=True):
    """Drop out of the courting for the rest of the game."""

    seat: Seat


class TakeGift(Action, frozen=True, kw_only=True):
    """Take a piece or a taler from the card of the damsel somebody else has won."""

    seat: Seat
    gift: Gift


# The end


class ConvertTalers(Action, frozen=True, kw_only=True):
    """Market: turn talers into points."""

    seat: Seat
    talers: Count


class ConvertResources(Action, frozen=True, kw_only=True):
    """Palace: turn resources into points."""

    seat: Seat
    payment: Payment


ACTIONS: tuple[type[Action], ...] = (
    ReadTile, ReadFee, ReadCart, ReadWinterSpaces,
    LayCard, Reveal, Equip,
    RecallHelper, PostHelper, PostNobody,
    TakeFromTower, Buy, AnswerSale, BuyNothing, Erect, DoneBuilding, PlaceHelper, PlaceInnkeeper, DonePlacing,
    DrawWinter, GiveCard, PayTribute, RepairWall, FeedFire, DeclareCourtship, Court, LeaveCourt, TakeGift,
    ConvertTalers, ConvertResources,
)  # fmt: skip

EXAMPLES: tuple[Action, ...] = (
    ReadTile(building="tower", printed=Tile(value=8, vp=6)),
    ReadFee(spot="keep", talers=10),
    ReadCart(cart="sand", pieces=4),
    ReadWinterSpaces(spaces=(11, 9, 7, 5, 3, 1)),
    LayCard(seat=0, card="messenger"),
    Reveal(),
    Equip(seat=0, kinds=("clay", "wood")),
    RecallHelper(seat=0, cart="clay"),
    PostHelper(seat=0, cart="clay"),
    PostNobody(seat=0),
    TakeFromTower(seat=0, kind="stone"),
    Buy(seat=0, owner=1, card="sand-worker", kind="clay"),
    AnswerSale(seat=1, sell=False),
    BuyNothing(seat=0),
    Erect(seat=0, building="stable", payment=Payment(own={"stone": 2, "clay": 1, "sand": 4})),
    DoneBuilding(seat=0),
    PlaceHelper(seat=0, spot="forge-10"),
    PlaceInnkeeper(seat=0, source="clay"),
    DonePlacing(seat=0),
    DrawWinter(card="granary"),
    GiveCard(seat=0, card="sand-worker"),
    PayTribute(seat=0),
    RepairWall(seat=0, stones=2, silver=1),
    FeedFire(seat=0, wood=2),
    DeclareCourtship(seat=0),
    Court(seat=0, gift="sand"),
    LeaveCourt(seat=0),
    TakeGift(seat=1, gift="taler"),
    ConvertTalers(seat=0, talers=8),
    ConvertResources(seat=0, payment=Payment(own={"stone": 3}, silver={"stone": 2})),
)
