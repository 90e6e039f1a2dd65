"""Everything that can be done in Castle Dice. Seats count from 0; in a solo game Joan is seat 1.

Rolled dice are one line of text, read by `rolls.read`: `North: w112 s1b; East: w3 sc g1`.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.rules.base import Action
from companion.rules.castle_dice.state import (
    Animal,
    Card,
    CardName,
    Face,
    HandDeck,
    JoanFace,
    Place,
    Resource,
    Small,
    Villager,
)

Seat = Annotated[int, Meta(ge=0, le=3)]
RollText = Annotated[str, Meta(max_length=1000)]
FewCards = Annotated[int, Meta(ge=0, le=20)]


# 1 Determine who goes first


class RollFirst(Action, frozen=True, kw_only=True):
    """How much wood each of those who roll for the first turn has rolled with two wood dice, in seat order."""

    wood: tuple[Annotated[int, Meta(ge=0, le=6)], ...]


class NameFirst(Action, frozen=True, kw_only=True):
    """Say who rolled the most wood, without the numbers."""

    seat: Seat


# 2 Choose and draw cards


class DiscardCard(Action, frozen=True, kw_only=True):
    """Lay a card of the hand down: by name, or unnamed from one of the two decks."""

    seat: Seat
    card: Annotated[str, Meta(max_length=40)] = ""
    deck: HandDeck | None = None


class DrawCards(Action, frozen=True, kw_only=True):
    """Draw so many cards of each deck."""

    seat: Seat
    castle: FewCards = 0
    village: FewCards = 0


class NameCards(Action, frozen=True, kw_only=True):
    """Tell the companion, in secret, which cards a hand holds that it has only counted so far."""

    seat: Seat
    cards: tuple[CardName, ...]


# 3 Pick choice dice


class ReadTracker(Action, frozen=True, kw_only=True):
    """Say what the Turn Tracker of this box shows for the present turn."""

    fixed: dict[Resource, Small]
    choice: Small


class PlayBrother(Action, frozen=True, kw_only=True):
    """Loyal Brother: five more choice dice instead of the fixed dice."""

    seat: Seat


class PickDice(Action, frozen=True, kw_only=True):
    """Take choice dice from the bank."""

    seat: Seat
    dice: tuple[Resource, ...]


class JoanPicks(Action, frozen=True, kw_only=True):
    """Joan takes her choice dice by her die: one face for each, and more only while all are barns."""

    faces: tuple[JoanFace, ...]


class SwapVillager(Action, frozen=True, kw_only=True):
    """Villager Choice: change a villager into another type, by the most cows or by a Daughter."""

    seat: Seat
    old: Place
    new: Place
    daughter: bool = False


class KeepVillagers(Action, frozen=True, kw_only=True):
    """Leave the Villager Choice of the cows unused."""

    seat: Seat


# 4 Roll dice


class RollWorld(Action, frozen=True, kw_only=True):
    """Everyone rolls: barbarians go to their owners' camps, all else forms the world."""

    rolls: RollText


# 5 Gather


class Gather(Action, frozen=True, kw_only=True):
    """Take a die out of the world. `farmers` are the animals farmers add (three farmers: take instead).

    `moat` takes one resource of the die instead of its animal. `take_from` gives the animal when the bank has none.
    """

    seat: Seat
    die: Face
    farmers: tuple[Animal, ...] = ()
    moat: bool = False
    take_from: Seat | None = None


class PorkChop(Action, frozen=True, kw_only=True):
    """Turn a die of the world to another face and gather it, by the most pigs or by a Daughter."""

    seat: Seat
    die: Face
    face: Face
    daughter: bool = False
    farmers: tuple[Animal, ...] = ()
    take_from: Seat | None = None


class PlaySoldier(Action, frozen=True, kw_only=True):
    """Soldier: roll one's barbarians into the world; barbarians that come up again stay."""

    seat: Seat
    rolls: RollText


class PlayGrandfather(Action, frozen=True, kw_only=True):
    """Wise Grandfather: gather once more; both dice are then rolled back into the world."""

    seat: Seat


class RollBack(Action, frozen=True, kw_only=True):
    """Roll the dice gathered under a Wise Grandfather back into the world."""

    seat: Seat
    rolls: RollText


class PlayMessenger(Action, frozen=True, kw_only=True):
    """King's Messenger, instead of a gather: the next player names a villager, which comes for free."""

    seat: Seat


class BringVillager(Action, frozen=True, kw_only=True):
    """The villager a King's Messenger brings to a seat."""

    seat: Seat
    villager: Villager


class PostGuard(Action, frozen=True, kw_only=True):
    """Where the guard brought by a King's Messenger stands."""

    seat: Seat
    post: Resource


class PlaySquire(Action, frozen=True, kw_only=True):
    """Squire, instead of a gather: one of each guarded resource."""

    seat: Seat


class PlayAdvisor(Action, frozen=True, kw_only=True):
    """Advisor, before the first gather: one more gather for each Wall."""

    seat: Seat


class PlayHungryBarbarians(Action, frozen=True, kw_only=True):
    """Hungry Barbarians, before the first gather: everyone discards all animals of two types."""

    seat: Seat
    animals: tuple[Animal, Animal]


class PlayShepherd(Action, frozen=True, kw_only=True):
    """Shepherd, before the first gather: all others hand over every animal of a type."""

    seat: Seat
    animal: Animal


class PlayJester(Action, frozen=True, kw_only=True):
    """Jester: everyone rolls their barbarians again; those of its player may be handed on."""

    seat: Seat
    rolls: RollText


class PassBarbarian(Action, frozen=True, kw_only=True):
    """Hand a barbarian rolled for a Jester to another player."""

    seat: Seat
    die: Resource
    to: Seat


class PlayMaiden(Action, frozen=True, kw_only=True):
    """Maiden: lay down castle and village cards and draw as many."""

    seat: Seat


class JoanGathers(Action, frozen=True, kw_only=True):
    """Joan takes a die out of the world. `face` is her die, where she has to roll it."""

    face: JoanFace | None = None


# 6 Market, 7 workers, 8 merchants


class GoToMarket(Action, frozen=True, kw_only=True):
    """Trade sets of the four animals for market cards; 0 sets is to stay away."""

    seat: Seat
    sets: FewCards


class WorkersProduce(Action, frozen=True, kw_only=True):
    """Every worker produces one of the resource it stands on."""


class UseMerchant(Action, frozen=True, kw_only=True):
    """A merchant turns one of a resource into one of the next rarer."""

    seat: Seat
    resource: Resource


class StopTrading(Action, frozen=True, kw_only=True):
    """Use no more merchants this turn."""

    seat: Seat


# 9 Build, 10 raid


class Build(Action, frozen=True, kw_only=True):
    """Build a castle part or a villager. A guard needs a `post`, an animal Wall its `animal`."""

    seat: Seat
    card: CardName
    post: Resource | None = None
    animal: Animal | None = None
    alchemy: bool = False


class PlayAlchemist(Action, frozen=True, kw_only=True):
    """Alchemist: roll one of each die; the result lowers the cost of one card this turn."""

    seat: Seat
    rolls: RollText


class PlayVolunteer(Action, frozen=True, kw_only=True):
    """Volunteer: stays by the mat and counts as a Wall."""

    seat: Seat


class FinishBuilding(Action, frozen=True, kw_only=True):
    """Be done building this turn."""

    seat: Seat


class Raid(Action, frozen=True, kw_only=True):
    """The barbarians raid everyone, and the turn ends."""


class RevealBards(Action, frozen=True, kw_only=True):
    """Say at the end how many of one's uncounted market cards are Bards."""

    seat: Seat
    bards: FewCards


# Cards of this box that nobody has published


class ReadCard(Action, frozen=True, kw_only=True):
    """Tell the companion a card it does not know, or what is printed on it otherwise in this box."""

    card: Card


class PlayCard(Action, frozen=True, kw_only=True):
    """Play an action card the companion has learned: it pays and discards it, the table does what it says."""

    seat: Seat
    card: CardName


ACTIONS: tuple[type[Action], ...] = (
    RollFirst, NameFirst,
    DiscardCard, DrawCards, NameCards,
    ReadTracker, PlayBrother, PickDice, JoanPicks, SwapVillager, KeepVillagers,
    RollWorld,
    Gather, PorkChop, PlaySoldier, PlayGrandfather, RollBack, PlayMessenger, BringVillager, PostGuard, PlaySquire,
    PlayAdvisor, PlayHungryBarbarians, PlayShepherd, PlayJester, PassBarbarian, PlayMaiden, JoanGathers,
    GoToMarket, WorkersProduce, UseMerchant, StopTrading,
    Build, PlayAlchemist, PlayVolunteer, FinishBuilding, Raid, RevealBards,
    ReadCard, PlayCard,
)  # fmt: skip

EXAMPLES: tuple[Action, ...] = (
    RollFirst(wood=(3, 1)),
    NameFirst(seat=0),
    DiscardCard(seat=0, card="Worker"),
    DrawCards(seat=0, castle=1, village=3),
    NameCards(seat=0, cards=("Worker", "Tall Keep")),
    ReadTracker(fixed={"wood": 2, "gold": 1, "iron": 1}, choice=3),
    PlayBrother(seat=0),
    PickDice(seat=0, dice=("gold", "gold", "land")),
    JoanPicks(faces=("barn", "iron", "gold")),
    SwapVillager(seat=0, old="worker", new="guard gold"),
    KeepVillagers(seat=0),
    RollWorld(rolls="North: w12b s1 g11 l2p; East: w1c s2 g1h i1"),
    Gather(seat=0, die="wood 2"),
    PorkChop(seat=0, die="wood 1", face="wood 3"),
    PlaySoldier(seat=0, rolls="w2 ib"),
    PlayGrandfather(seat=0),
    RollBack(seat=0, rolls="w1 g2"),
    PlayMessenger(seat=0),
    BringVillager(seat=0, villager="guard"),
    PostGuard(seat=0, post="gold"),
    PlaySquire(seat=0),
    PlayAdvisor(seat=0),
    PlayHungryBarbarians(seat=0, animals=("horse", "pig")),
    PlayShepherd(seat=0, animal="cow"),
    PlayJester(seat=0, rolls="North: wb; East: s1"),
    PassBarbarian(seat=0, die="wood", to=1),
    PlayMaiden(seat=0),
    JoanGathers(face="barn"),
    GoToMarket(seat=0, sets=1),
    WorkersProduce(),
    UseMerchant(seat=0, resource="wood"),
    StopTrading(seat=0),
    Build(seat=0, card="Guard", post="gold"),
    PlayAlchemist(seat=0, rolls="w2 s1 gh l1 ib"),
    PlayVolunteer(seat=0),
    FinishBuilding(seat=0),
    Raid(),
    RevealBards(seat=0, bards=1),
    ReadCard(card=Card(name="Merchant", deck="village", kind="villager", gold=3, copies=7)),
    PlayCard(seat=0, card="A card of your box"),
)
