"""The moves of the gather phase: dice of the world, Pork Chops, and the cards played on one's go."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from companion.rules.castle_dice.actions import (
    BringVillager,
    Gather,
    PassBarbarian,
    PlayAdvisor,
    PlayGrandfather,
    PlayHungryBarbarians,
    PlayJester,
    PlayMaiden,
    PlayMessenger,
    PlayShepherd,
    PlaySoldier,
    PlaySquire,
    PorkChop,
    PostGuard,
    RollBack,
    SwapVillager,
)
from companion.rules.castle_dice.asks import chop_ask, donor_ask, farmers_ask, rolls_ask, swap_asks
from companion.rules.castle_dice.gather_cards import (
    ADVISOR,
    GRANDFATHER,
    HUNGRY,
    JESTER,
    MAIDEN,
    MESSENGER,
    SHEPHERD,
    SOLDIER,
    SQUIRE,
    camps_of,
    elder_dice,
    roomy,
)
from companion.rules.castle_dice.gathering import DAUGHTER, moats_left
from companion.rules.castle_dice.leads import PLURALS, power
from companion.rules.castle_dice.rolls import SIDES, animal_on, die_of, faces_of, worth, written
from companion.rules.castle_dice.state import (
    ANIMALS,
    FACES,
    NO_RESOURCES,
    PLACES,
    RESOURCES,
    Animal,
    Face,
    Place,
    Player,
    Resource,
    State,
    kind_of,
    post_of,
)
from companion.rules.castle_dice.supply import has_room, standing
from companion.rules.offers import Move
from companion.rules.table import Ask

_CHOSEN_BY_FARMERS = {1: 1, 2: 1, 3: 2}
_MOST_TAKEN = 2
"""How many tokens of an animal one gather can take, with farmers."""


def stand_in(names: tuple[str, ...], taken: tuple[Mapping[Resource, int], ...]) -> str:
    """A roll that could be, to stand in for the one to be told: it shows how a roll is written."""
    rolls = [[(die, SIDES[die][0]) for die in RESOURCES for _ in range(dice.get(die, 0))] for dice in taken]
    return written(names, rolls)


def told(face: Face) -> str:
    """A die of the world in words.

    >>> told("wood 2"), told("iron horse")
    ('2 wood', 'horse (iron die)')
    """
    animal = animal_on(face)
    return f"{animal} ({die_of(face)} die)" if animal else f"{worth(face)} {die_of(face)}"


# Dice


def gathers(state: State, seat: int) -> Iterator[Move]:
    """Every die a seat can take, plainly and with what helps."""
    for face in FACES:
        if state.world.get(face):
            count = f" (one of {state.world[face]})" if state.world[face] > 1 else ""
            yield from _takes(state, seat, face, count)
    if power(state, "pig") == seat:
        yield from _chops(state, seat, daughter=False)


def _takes(state: State, seat: int, face: Face, count: str) -> Iterator[Move]:
    animal = animal_on(face)
    if animal is None:
        yield Move(told(face) + count, Gather(seat=seat, die=face), group="Gather")
        return
    for donor in _donors(state, seat, animal):
        whence = "" if donor is None else f", from {state.names[donor]}"
        yield Move(told(face) + count + whence, Gather(seat=seat, die=face, take_from=donor), group="Gather")
    player = state.players[seat]
    if player.farmers and not player.farmed:
        yield from _farmed(state, seat, face, animal)
    if moats_left(player) > 0:
        label = f"1 {die_of(face)} instead of a {animal} (Deep Moat)"
        yield Move(label, Gather(seat=seat, die=face, moat=True), group="Gather")


def _donors(state: State, seat: int, animal: Animal, count: int = 1) -> tuple[int | None, ...]:
    """From whom so many of an animal can come: the bank, else those who have one."""
    return (None,) if state.tokens[animal] >= count else _owners(state, seat, animal) or (None,)


def _owners(state: State, seat: int, animal: Animal) -> tuple[int, ...]:
    return tuple(other for other, player in enumerate(state.players) if other != seat and player.animals[animal])


def _farmed(state: State, seat: int, face: Face, animal: Animal) -> Iterator[Move]:
    farmers = state.players[seat].farmers
    if farmers == 1:
        for donor in _donors(state, seat, animal, 2):
            whence = "" if donor is None else f", from {state.names[donor]}"
            action = Gather(seat=seat, die=face, farmers=(animal,), take_from=donor)
            yield Move(f"2 {PLURALS[animal]} ({die_of(face)} die, farmer){whence}", action, group="Gather")
        return
    count = _CHOSEN_BY_FARMERS[farmers]
    plenty = max(ANIMALS, key=lambda one: state.tokens[one])
    action = Gather(seat=seat, die=face, farmers=(plenty,) * count, take_from=_donors(state, seat, animal)[0])
    words = "and one of any animal" if count == 1 else "turned into 2 of any animal"
    asks = (farmers_ask(count), *_donor_asks(state, seat))
    yield Move(f"{told(face)} {words} (farmers)", action, asks, group="Gather")


def _donor_asks(state: State, seat: int) -> tuple[Ask, ...]:
    """Who gives an animal that the bank may lack, if anybody can (gather.shortage)."""
    scarce = [animal for animal in ANIMALS if state.tokens[animal] < _MOST_TAKEN]
    owners = sorted({owner for animal in scarce for owner in _owners(state, seat, animal)})
    return (donor_ask([(owner, state.names[owner]) for owner in owners]),) if owners else ()


def _chops(state: State, seat: int, *, daughter: bool) -> Iterator[Move]:
    """A Pork Chop of each die of the world."""
    for die in RESOURCES:
        there = tuple(face for face in faces_of(die) if state.world.get(face))
        if there:
            best = max(faces_of(die), key=worth)
            action = PorkChop(seat=seat, die=there[0], face=best, daughter=daughter)
            label = f"Pork Chop a {die} die" + (" (Daughter)" if daughter else "")
            asks = (*_chop_asks(state.players[seat], there, die), *_donor_asks(state, seat))
            yield Move(label, action, asks, group="Pork Chop")


def _chop_asks(player: Player, there: tuple[Face, ...], die: Resource) -> tuple[Ask, ...]:
    which = Ask(field="die", label="die to turn", kind="choice", options=chop_ask(there).options)
    count = _CHOSEN_BY_FARMERS.get(0 if player.farmed else player.farmers, 0)
    helped = (farmers_ask(count, low=0),) if count else ()
    return (*((which,) if len(there) > 1 else ()), chop_ask(faces_of(die)), *helped)


# What waits to be settled


def settling(state: State) -> Iterator[tuple[int | None, str, str, tuple[Move, ...]]]:
    """Seat, words, rule and moves of what must be settled before the next gather."""
    if state.messenger is not None:
        seat = state.messenger
        chooser = None if state.solo else (seat + 1) % len(state.players)
        moves = tuple(Move(f"A {kind}", BringVillager(seat=seat, villager=kind)) for kind in roomy(state.players[seat]))
        how = "By chance: which villager" if state.solo else "Choose the villager"
        yield chooser, f"{how} the King's Messenger brings to {state.names[seat]}.", "card.messenger", moves
    elif state.posting is not None:
        guards = state.players[state.posting].guards
        posts = tuple(post for post in RESOURCES if post not in guards)
        moves = tuple(Move(f"On {post}", PostGuard(seat=state.posting, post=post)) for post in posts)
        yield state.posting, "Where does the guard stand?", "build.guard-post", moves
    elif state.active is not None:
        seat, dice = state.active, elder_dice(state)
        taken = tuple(dice if other == seat else NO_RESOURCES for other in range(len(state.players)))
        action = RollBack(seat=seat, rolls=stand_in(state.names, taken))
        move = Move("Roll the dice back into the world", action, (rolls_ask(state.names, taken),))
        yield seat, "The Wise Grandfather's dice are rolled again.", "card.grandfather", (move,)


# Cards


def playable(state: State, seat: int, held: Collection[str]) -> Iterator[Move]:
    """The cards a seat may play on its go, of those it holds or may hold."""
    if JESTER in held or SOLDIER in held:
        yield from _rerolls(state, seat, held)
    if state.players[seat].gathered == 0:
        yield from _before_first(seat, held)
    for name, action in (
        (GRANDFATHER, PlayGrandfather(seat=seat)),
        (SQUIRE, PlaySquire(seat=seat)),
        (MESSENGER, PlayMessenger(seat=seat)),
        (MAIDEN, PlayMaiden(seat=seat)),
    ):
        if name in held:
            yield Move(f"{name}: {_EFFECTS[name]}", action, group="Cards")
    if DAUGHTER in held:
        yield from _chops(state, seat, daughter=True)
        yield from swaps(state, seat, daughter=True)


_EFFECTS = {
    GRANDFATHER: "gather twice, then roll both dice back",
    SQUIRE: "one of each guarded resource instead of a gather",
    MESSENGER: "a villager instead of a gather",
    MAIDEN: "exchange cards of the hand",
}


def _rerolls(state: State, seat: int, held: Collection[str]) -> Iterator[Move]:
    if SOLDIER in held:
        camps = camps_of(state, (seat,))
        action = PlaySoldier(seat=seat, rolls=stand_in(state.names, camps))
        label = f"{SOLDIER}: roll your barbarians into the world"
        yield Move(label, action, (rolls_ask(state.names, camps),), group="Cards")
    if JESTER in held:
        camps = camps_of(state, tuple(range(len(state.players))))
        jest = PlayJester(seat=seat, rolls=stand_in(state.names, camps))
        label = f"{JESTER}: everyone rolls their barbarians again"
        yield Move(label, jest, (rolls_ask(state.names, camps),), group="Cards")


def _before_first(seat: int, held: Collection[str]) -> Iterator[Move]:
    if ADVISOR in held:
        yield Move(f"{ADVISOR}: one more gather for each Wall", PlayAdvisor(seat=seat), group="Cards")
    if SHEPHERD in held:
        for animal in ANIMALS:
            action = PlayShepherd(seat=seat, animal=animal)
            yield Move(f"{SHEPHERD}: all {PLURALS[animal]} come to you", action, group="Cards")
    if HUNGRY in held:
        for one, other in combinations(ANIMALS, 2):
            label = f"{HUNGRY}: all {PLURALS[one]} and {PLURALS[other]} are eaten"
            yield Move(label, PlayHungryBarbarians(seat=seat, animals=(one, other)), group="Cards")


def passes(state: State, seat: int) -> Iterator[Move]:
    """Barbarians a Jester's player may hand on."""
    for die in RESOURCES:
        if state.passable[die] and state.players[seat].camp[die]:
            for to, name in enumerate(state.names):
                if to != seat:
                    action = PassBarbarian(seat=seat, die=die, to=to)
                    yield Move(f"Hand the {die} barbarian to {name}", action, group="Jester")


# Villager Choice


def on_mat(player: Player) -> tuple[Place, ...]:
    """The villagers that stand on a mat."""
    return tuple(
        place for place in PLACES
        if (post_of(place) in player.guards if post_of(place) else standing(player, kind_of(place)))
    )  # fmt: skip


def open_places(player: Player) -> tuple[Place, ...]:
    """Where another villager would fit."""
    return tuple(place for place in PLACES if has_room(player, kind_of(place)) and post_of(place) not in player.guards)


def pairs(player: Player) -> list[tuple[Place, Place]]:
    """Every change of a villager into another type that a mat allows."""
    return [(old, new) for old in on_mat(player) for new in open_places(player) if kind_of(old) != kind_of(new)]


def swaps(state: State, seat: int, *, daughter: bool) -> Iterator[Move]:
    """The Villager Choice, as one move with two questions."""
    found = pairs(state.players[seat])
    if found:
        old, new = found[0]
        action = SwapVillager(seat=seat, old=old, new=new, daughter=daughter)
        asks = swap_asks(dict.fromkeys(one for one, _ in found), dict.fromkeys(other for _, other in found))
        label = "Daughter: change a villager into another" if daughter else "Change a villager into another"
        yield Move(label, action, asks, group="Cards" if daughter else "")
