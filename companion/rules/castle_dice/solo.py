"""Joan, the solo opponent: which dice she takes and what she gathers, decided by pure functions (Solo Play Rules)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_dice import phases
from companion.rules.castle_dice.actions import JoanGathers, JoanPicks
from companion.rules.castle_dice.choosing import picked
from companion.rules.castle_dice.gathering import gathered
from companion.rules.castle_dice.rolls import animal_on, die_of, worth
from companion.rules.castle_dice.state import (
    ANIMALS,
    NO_RESOURCES,
    RESOURCES,
    Animal,
    Face,
    JoanFace,
    Resource,
    State,
)
from companion.rules.castle_dice.supply import from_world, take_animal, to_bank

_BARN_ORDER: tuple[Animal, ...] = ("pig", "horse", "chicken", "cow")


class Take(Struct, frozen=True, kw_only=True):
    """Joan takes a die, and why."""

    die: Face
    why: str


class NeedsDie(Struct, frozen=True, kw_only=True):
    """Joan has to roll her die first, and why."""

    why: str


Decision = Take | NeedsDie


# Her choice dice


def choice_dice(faces: Sequence[JoanFace], choices: int) -> tuple[Resource, ...] | None:
    """The dice Joan chooses by her die, one face for each; None while it must be rolled on.

    A barn is another of her last die, before the first one another of the next. Nothing but barns: roll until there is
    something else, and all dice are of that type.

    >>> choice_dice(["barn", "iron", "barn"], 3)
    ('iron', 'iron', 'iron')
    >>> choice_dice(["barn", "barn"], 2), choice_dice(["barn", "barn", "gold"], 2)
    (None, ('gold', 'gold'))
    """
    shown = [face for face in faces if face != "barn"]
    if len(faces) < choices or (choices and not shown):
        return None
    last: Resource | None = next((face for face in faces if face != "barn"), None)
    dice: list[Resource] = []
    for face in faces[:choices]:
        last = last if face == "barn" else face
        if last is not None:
            dice.append(last)
    return tuple(dice)


def too_many(faces: Sequence[JoanFace], choices: int) -> bool:
    """Whether more was rolled than she needed: extra faces come only after nothing but barns."""
    return any(choice_dice(faces[:count], choices) is not None for count in range(len(faces)))


def priority(dice: Sequence[Resource]) -> Resource | None:
    """The resource Joan took most of among her choice dice, the rarest when level.

    >>> priority(["wood", "wood", "iron"]), priority(["wood", "iron", "gold"])
    ('wood', 'iron')
    """
    return max(dice, key=lambda die: (dice.count(die), RESOURCES.index(die)), default=None)


# What she gathers


def gather(
    world: Mapping[Face, int], wanted: Resource | None, animals: Mapping[Animal, int], face: JoanFace | None
) -> Decision:
    """The die Joan takes out of a world that is not empty, or that she must roll first.

    Her priority, else what her die shows, else the rarest multiple, else the rarest single (solo.gather).
    """
    there = [die for die, count in world.items() if count]
    best = highest(there, wanted)
    if best:
        return Take(die=best, why=f"her priority is {wanted}")
    if face is None:
        return NeedsDie(why=f"there is no {wanted}" if wanted else "she has no priority")
    by_die = barn(there, animals) if face == "barn" else highest(there, face)
    if by_die:
        return Take(die=by_die, why=f"her die shows {face}")
    return _rarest(there, animals, face)


def highest(there: Sequence[Face], resource: Resource | None) -> Face | None:
    """The die of the world that gives most of a resource."""
    dice = [die for die in there if die_of(die) == resource and worth(die)]
    return max(dice, key=worth, default=None)


def barn(there: Sequence[Face], animals: Mapping[Animal, int]) -> Face | None:
    """The animal Joan wants most: one that completes a set, then pig, horse, chicken, cow."""
    completing = tuple(animal for animal in ANIMALS if _completes(animals, animal))
    for animal in (*completing, *_BARN_ORDER):
        dice = [die for die in there if animal_on(die) == animal]
        if dice:
            return max(dice, key=lambda die: RESOURCES.index(die_of(die)))
    return None


def _completes(animals: Mapping[Animal, int], animal: Animal) -> bool:
    more = {one: animals[one] + (one == animal) for one in ANIMALS}
    return min(more.values()) > min(animals.values())


def _rarest(there: Sequence[Face], animals: Mapping[Animal, int], face: JoanFace) -> Decision:
    """The rarest multiple, then the rarest single, then an animal (ruling.joan-only-animals)."""
    none = "there is no animal" if face == "barn" else f"there is no {face}"
    for least, words in ((2, "the rarest multiple"), (1, "the rarest single")):
        dice = [die for die in there if worth(die) >= least]
        if dice:
            best = max(dice, key=lambda die: (RESOURCES.index(die_of(die)), worth(die)))
            return Take(die=best, why=f"{none}, so she takes {words}")
    left = barn(there, animals)
    assert left is not None, "the world is not empty"
    return Take(die=left, why=f"{none} and no other resource")


# At the table


def joan_picks(referee: Referee, state: State, action: JoanPicks) -> State:
    """Joan takes the dice her die shows, and marks her priority (solo.joan-dice, solo.priority)."""
    seat = _joan(referee, state, "solo.joan-dice")
    if state.phase != "dice" or state.active != seat:
        referee.impossible("turn.order", "It is not Joan's turn to pick dice.")
    due = phases.choices_due(state, seat)
    dice = choice_dice(action.faces, due)
    if dice is None:
        short = len(action.faces) < due
        why = f"Joan rolls her die {due} times." if short else "Only barns: roll on until the die shows something else."
        referee.impossible("solo.joan-dice", why)
    if too_many(action.faces, due):
        referee.refuse("solo.joan-dice", f"Joan rolls her die {due} times, more only while it shows barns alone.")
    taken = _from_bank(referee, state, dice)
    wanted = priority(taken)
    if wanted:
        referee.note(f"Joan's priority this turn is {wanted}.", seat=seat, rule="solo.priority")
    return picked(referee, replace(state, priority=wanted), seat, {**NO_RESOURCES, **Counter(taken)})


def _from_bank(referee: Referee, state: State, dice: Sequence[Resource]) -> list[Resource]:
    """Her dice as far as the bank has them, else the rarest there is (ruling.joan-none-left)."""
    left, taken = dict(state.bank), []
    for die in dice:
        got = die if left[die] else max((one for one in RESOURCES if left[one]), key=RESOURCES.index)
        if got != die:
            referee.note(f"No {die} die is left: Joan takes {got}.", rule="ruling.joan-none-left")
        left[got] -= 1
        taken.append(got)
    return taken


def next_gather(state: State) -> Decision | None:
    """What Joan is about to do on her go, before her die is rolled."""
    if state.joan is None or state.active != state.joan or not any(state.world.values()):
        return None
    return gather(state.world, state.priority, state.players[state.joan].animals, None)


def joan_gathers(referee: Referee, state: State, action: JoanGathers) -> State:
    """Joan takes a die; an animal she keeps, a resource is not tracked (solo.gather)."""
    seat = _joan(referee, state, "solo.gather")
    if state.phase != "gather" or state.active != seat or not any(state.world.values()):
        referee.impossible("gather.one", "It is not Joan's go to gather.")
    decision = gather(state.world, state.priority, state.players[seat].animals, action.face)
    if isinstance(decision, NeedsDie):
        referee.impossible("solo.gather", f"Roll Joan's die: {decision.why}.")
    referee.note(f"Joan takes {decision.die}: {decision.why}.", seat=seat, rule="solo.gather")
    state = to_bank(from_world(state, decision.die), {die_of(decision.die): 1})
    animal = animal_on(decision.die)
    if animal:
        state = take_animal(referee, state, seat, animal, 0)
    return gathered(referee, state, seat)


def _joan(referee: Referee, state: State, rule: str) -> int:
    if state.joan is None:
        referee.impossible(rule, "Joan plays in solo games only.")
    return state.joan


HANDLERS: Handlers[State] = {JoanPicks: joan_picks, JoanGathers: joan_gathers}
