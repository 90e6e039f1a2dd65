"""Everything that can be done in Castle Dukes. Seats count from 0, levels from 1, room and slot numbers from 0."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.rules.base import Action
from companion.rules.castle_dukes.state import (
    Card,
    Character,
    Chit,
    Counted,
    Decor,
    Dials,
    Guest,
    GuestCard,
    Item,
    Rating,
    RoomItem,
    Small,
    Spot,
    TopItem,
    TowerId,
)

Seat = Annotated[int, Meta(ge=0, le=7)]
Index = Annotated[int, Meta(ge=0, le=99)]
Level = Annotated[int, Meta(ge=1, le=99)]


# Room Phase


class NameRoom(Action, frozen=True, kw_only=True):
    """Say which room card lies face up in a slot."""

    slot: Index
    card: Card
    board: Index = 0


class TakeRoom(Action, frozen=True, kw_only=True):
    """Buy the room card of a slot. `card` is needed when nobody has entered it, `bonus` when the slot's is unknown."""

    seat: Seat
    slot: Index
    board: Index = 0
    card: Card | None = None
    bonus: Literal["none", "table", "serf", "coffer"] | None = None


class PassRooms(Action, frozen=True, kw_only=True):
    """Buy no more rooms this turn."""

    seat: Seat


# Opening purchases and Building Phase: acquiring


class DrawTile(Action, frozen=True, kw_only=True):
    """Draw a floor tile for 1 coin."""

    seat: Seat


class TakePillars(Action, frozen=True, kw_only=True):
    """Take a pair of pillars for 1 coin."""

    seat: Seat


class DrawConstruction(Action, frozen=True, kw_only=True):
    """Draw a construction card for 4 coins and say what it gives."""

    seat: Seat
    items: dict[TopItem, Small]
    name: Annotated[str, Meta(max_length=40)] = ""


class StopBuying(Action, frozen=True, kw_only=True):
    """Declare to be done with acquiring this turn."""

    seat: Seat


class DiscardItem(Action, frozen=True, kw_only=True):
    """Put an item of the inventory away to make room."""

    seat: Seat
    item: Item
    count: Annotated[int, Meta(ge=1, le=6)] = 1


class DiscardRoom(Action, frozen=True, kw_only=True):
    """Put a room card of the inventory away to make room. `card` is its place in the inventory."""

    seat: Seat
    card: Index


# Building Phase: placing


class PlaceTile(Action, frozen=True, kw_only=True):
    """Put a floor tile on a tower as its next level, and say what its floor side shows."""

    seat: Seat
    tower: TowerId
    spaces: Small = 1
    cobbles: Small = 1
    ends: bool = True


class PlaceRoof(Action, frozen=True, kw_only=True):
    """Cap a tower with a tile, bridge side up."""

    seat: Seat
    tower: TowerId


class PlaceBridge(Action, frozen=True, kw_only=True):
    """Lay a tile between the two front towers at a level."""

    seat: Seat
    level: Level


class PlacePillars(Action, frozen=True, kw_only=True):
    """Stand pillars on a floor tile. `cobbles`: how many empty markings they fill (by default as many as they can)."""

    seat: Seat
    tower: TowerId
    level: Level
    count: Annotated[int, Meta(ge=1, le=99)] = 1
    cobbles: Small | None = None


class BuildRoom(Action, frozen=True, kw_only=True):
    """Lay a room card of the inventory on a floor tile. `card` is its place in the inventory."""

    seat: Seat
    tower: TowerId
    level: Level
    card: Index = 0


class FurnishRoom(Action, frozen=True, kw_only=True):
    """Put a table, serf or coffer on a built room."""

    seat: Seat
    item: RoomItem
    tower: TowerId
    level: Level
    room: Index = 0


class ArmTop(Action, frozen=True, kw_only=True):
    """Put a brazier, battlement, cauldron or ballista on a roof or bridge tile."""

    seat: Seat
    item: TopItem
    tower: Spot
    level: Level


class FinishBuilding(Action, frozen=True, kw_only=True):
    """Be done with building this turn."""

    seat: Seat


class DropVines(Action, frozen=True, kw_only=True):
    """Vines have fallen onto a player board and stay there (Extra Hard variant)."""

    seat: Seat
    count: Annotated[int, Meta(ge=1, le=99)] = 1


# Collapses


class Crumble(Action, frozen=True, kw_only=True):
    """An accident, or with `deliberate` a Crumble token taken on purpose to rearrange the castle."""

    seat: Seat
    deliberate: bool = False


class TakeDown(Action, frozen=True, kw_only=True):
    """While rearranging: take a piece, and all that rests on it, off the castle into the hand."""

    seat: Seat
    what: Literal["tile", "room", "pillar", Character, Decor]
    tower: Spot
    level: Level
    room: Index = 0
    cobble: bool = False


class RehouseGuest(Action, frozen=True, kw_only=True):
    """While rearranging: put a guest taken down back into a room."""

    seat: Seat
    guest: Guest
    tower: TowerId
    level: Level
    room: Index = 0


class Settle(Action, frozen=True, kw_only=True):
    """Rearranging is over; the castle stands."""

    seat: Seat


# Guest Phase


class RevealGuests(Action, frozen=True, kw_only=True):
    """Turn up this turn's guest cards: one, or two with five or more players."""

    cards: tuple[GuestCard, ...]


class HouseGuest(Action, frozen=True, kw_only=True):
    """Put the guest just won into a room."""

    seat: Seat
    tower: TowerId
    level: Level
    room: Index = 0


# Dragon


class FaceDragon(Action, frozen=True, kw_only=True):
    """Choose to repel the dragon by offence or to withstand it by defence."""

    seat: Seat
    rating: Literal["offence", "defence"]


class SacrificePrincess(Action, frozen=True, kw_only=True):
    """Give up a princess to take 2 less damage."""

    seat: Seat
    tower: TowerId
    level: Level
    room: Index = 0


class DrawChits(Action, frozen=True, kw_only=True):
    """Draw five damage chits."""

    seat: Seat
    chits: tuple[Chit, ...]


class PickChit(Action, frozen=True, kw_only=True):
    """Choose which of the drawn chits to resolve next."""

    seat: Seat
    chit: Index


class Lose(Action, frozen=True, kw_only=True):
    """Remove one piece for the chit being resolved, with everything that rests on it.

    `cobble`: the pillar stood alone on its cobblestone marking.
    """

    seat: Seat
    what: Literal["tile", "room", "pillar", Character, Decor]
    tower: Spot
    level: Level
    room: Index = 0
    cobble: bool = False


# Solo opponent


class AiTakes(Action, frozen=True, kw_only=True):
    """The AI takes a room. `die` is needed when it has to roll."""

    die: Rating | None = None


class AiBurns(Action, frozen=True, kw_only=True):
    """The AI rolls for the damage the dragon does to it."""

    die: Rating


# Light game: the table counts, the companion keeps turns, coins, dials and the score


class Spend(Action, frozen=True, kw_only=True):
    """Pay coins for something the companion does not track."""

    seat: Seat
    coins: Annotated[int, Meta(ge=1, le=7)]


class SetDials(Action, frozen=True, kw_only=True):
    """Turn the barbican's dials."""

    seat: Seat
    dials: Dials


class AwardGuest(Action, frozen=True, kw_only=True):
    """Say who got the guest: nobody, one seat, or several where ties share."""

    seats: tuple[Seat, ...]


class DragonDone(Action, frozen=True, kw_only=True):
    """A seat has resolved its damage at the table."""

    seat: Seat


class CountCastle(Action, frozen=True, kw_only=True):
    """The final count of a castle, for the score."""

    seat: Seat
    counts: Counted


ACTIONS: tuple[type[Action], ...] = (
    NameRoom, TakeRoom, PassRooms,
    DrawTile, TakePillars, DrawConstruction, StopBuying, DiscardItem, DiscardRoom,
    PlaceTile, PlaceRoof, PlaceBridge, PlacePillars, BuildRoom, FurnishRoom, ArmTop, FinishBuilding, DropVines,
    Crumble, TakeDown, RehouseGuest, Settle,
    RevealGuests, HouseGuest,
    FaceDragon, SacrificePrincess, DrawChits, PickChit, Lose,
    AiTakes, AiBurns,
    Spend, SetDials, AwardGuest, DragonDone, CountCastle,
)  # fmt: skip

_KITCHEN = Card(name="Kitchen", comfort=1, king=1, princess=1, knight=1, serf=2)

EXAMPLES: tuple[Action, ...] = (
    NameRoom(slot=0, card=_KITCHEN),
    TakeRoom(seat=0, slot=2, card=_KITCHEN, bonus="serf"),
    PassRooms(seat=0),
    DrawTile(seat=0),
    TakePillars(seat=0),
    DrawConstruction(seat=0, items={"brazier": 2}),
    StopBuying(seat=0),
    DiscardItem(seat=0, item="coffer"),
    DiscardRoom(seat=0, card=0),
    PlaceTile(seat=0, tower="left", spaces=1, cobbles=2, ends=True),
    PlaceRoof(seat=0, tower="left"),
    PlaceBridge(seat=0, level=3),
    PlacePillars(seat=0, tower="left", level=1, count=2),
    BuildRoom(seat=0, tower="left", level=1, card=0),
    FurnishRoom(seat=0, item="table", tower="left", level=1),
    ArmTop(seat=0, item="brazier", tower="bridge", level=3),
    FinishBuilding(seat=0),
    DropVines(seat=0, count=1),
    Crumble(seat=0),
    TakeDown(seat=0, what="pillar", tower="left", level=1),
    RehouseGuest(seat=0, guest="king", tower="left", level=1),
    Settle(seat=0),
    RevealGuests(cards=(GuestCard(main="knight", small="king", fire=True),)),
    HouseGuest(seat=0, tower="left", level=1),
    FaceDragon(seat=0, rating="defence"),
    SacrificePrincess(seat=0, tower="left", level=1),
    DrawChits(
        seat=0,
        chits=(
            Chit(kind="tile"),
            Chit(kind="room"),
            Chit(kind="decor"),
            Chit(kind="character"),
            Chit(kind="pillar", count=2),
        ),
    ),
    PickChit(seat=0, chit=2),
    Lose(seat=0, what="pillar", tower="left", level=1),
    AiTakes(die="comfort"),
    AiBurns(die="offence"),
    Spend(seat=0, coins=3),
    SetDials(seat=0, dials=Dials(comfort=2, defence=1, offence=0)),
    AwardGuest(seats=(0,)),
    DragonDone(seat=0),
    CountCastle(seat=0, counts=Counted(left=3, middle=4, right=2, bridges=1, serfs=2, rooms=4)),
)
