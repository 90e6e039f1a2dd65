"""What has to be said at the table: dice rolled, cards drawn, choices among many, as questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import get_args

from companion.rules.castle_dice.cards import shown
from companion.rules.castle_dice.rolls import SIDES, spoken
from companion.rules.castle_dice.state import (
    ANIMALS,
    DECKS,
    JOAN_FACES,
    RESOURCES,
    CardKind,
    Face,
    Place,
    Resource,
    State,
)
from companion.rules.table import Ask, Option

DICE_TABLE = "dice"
_MOST_JOAN_ROLLS = 30
_EXAMPLE_ROLLS = ("w112b s1c", "g1h l2p")


def _options(values: Iterable[object]) -> tuple[Option, ...]:
    return tuple(Option(value=value, label=str(value)) for value in values)


def rolls_ask(names: Sequence[str], taken: Sequence[Mapping[Resource, int]]) -> Ask:
    """A roll in one line of text (see `rolls.read`), with an example; `taken` are the dice each player rolls."""
    label = f"what they show, as in '{_EXAMPLE_ROLLS[0]}' (c cow or chicken, h horse, p pig, b barbarian)"
    return Ask(field="rolls", label=label, kind="text", table=DICE_TABLE, fields=tuple(_dice(names, taken)))


def world_ask(names: Sequence[str], taken: Sequence[Mapping[Resource, int]]) -> Ask:
    """The roll of everybody's dice, with an example of theirs."""
    example = "; ".join(f"{name}: {dice}" for name, dice in zip(names, _EXAMPLE_ROLLS, strict=False))
    label = f"all dice in one line, as in '{example}' (c cow or chicken, h horse, p pig, b barbarian)"
    return Ask(field="rolls", label=label, kind="text", table=DICE_TABLE, fields=tuple(_dice(names, taken)))


def _dice(names: Sequence[str], taken: Sequence[Mapping[Resource, int]]) -> Iterator[Ask]:
    """Every player's dice of one kind, to be told die by die."""
    for seat, (name, dice) in enumerate(zip(names, taken, strict=True)):
        for die in RESOURCES:
            if count := dice.get(die, 0):
                yield Ask(
                    field=f"{spoken(seat, name)}: {die}", label=f"{die} dice of {name}", kind="list",
                    options=_options(dict.fromkeys(SIDES[die])), low=count, high=count,
                )  # fmt: skip


def wood_asks(names: Iterable[str]) -> tuple[Ask, ...]:
    """How much wood each of those who roll for the first turn has."""
    return tuple(
        Ask(field=f"wood/{place}", label=f"wood {name} rolled with two dice", kind="number", high=6, table=DICE_TABLE)
        for place, name in enumerate(names)
    )


def dice_ask(available: Iterable[Resource], count: int) -> Ask:
    """Which choice dice."""
    return Ask(field="dice", label="choice dice", kind="list", options=_options(available), low=count, high=count)


def joan_dice_ask(count: int) -> Ask:
    """Joan's die, once for each of her choice dice."""
    return Ask(
        field="faces", label="Joan's die, in order", kind="list", options=_options(JOAN_FACES), low=count,
        high=_MOST_JOAN_ROLLS, table=DICE_TABLE,
    )  # fmt: skip


JOAN_DIE_ASK = Ask(
    field="face", label="Joan's die", kind="choice", options=_options(JOAN_FACES), table=DICE_TABLE
)  # fmt: skip

TRACKER_ASKS = (
    *(Ask(field=f"fixed/{die}", label=f"fixed {die} dice", kind="number", high=9) for die in RESOURCES),
    Ask(field="choice", label="choice dice", kind="number", high=9),
)


def cards_ask(state: State, names: Iterable[str], count: int, low: int) -> Ask:
    """Which cards a hand holds; spaces would part a name, so labels have none."""
    options = tuple(Option(value=name, label=shown(state, name).replace(" ", "-")) for name in names)
    return Ask(field="cards", label="your cards", kind="list", options=options, low=low, high=count, table="cards")


def farmers_ask(count: int, low: int | None = None) -> Ask:
    """Which animals the farmers choose."""
    return Ask(
        field="farmers", label="animals the farmers bring", kind="list", options=_options(ANIMALS),
        low=count if low is None else low, high=count,
    )  # fmt: skip


def donor_ask(owners: Iterable[tuple[int, str]]) -> Ask:
    """Who gives an animal of which the bank has no token."""
    options = (Option(value=None, label="the bank"), *(Option(value=seat, label=name) for seat, name in owners))
    return Ask(field="take_from", label="what the bank lacks comes from", kind="choice", options=options)


def chop_ask(faces: Iterable[Face]) -> Ask:
    """To which face a Pork Chop turns a die."""
    return Ask(field="face", label="turn it to", kind="choice", options=_options(faces))


def swap_asks(old: Iterable[Place], new: Iterable[Place]) -> tuple[Ask, ...]:
    """Which villager becomes which."""
    return (
        Ask(field="old", label="villager to change", kind="choice", options=_options(old)),
        Ask(field="new", label="what it becomes", kind="choice", options=_options(new)),
    )


def bards_ask(count: int) -> Ask:
    """How many market cards are Bards."""
    return Ask(field="bards", label="Bards among your market cards", kind="number", high=count, table="cards")


CARD_ASK = Ask(
    field="card", label="card", kind="entry", table="cards",
    fields=(
        Ask(field="name", label="name", kind="text"),
        Ask(field="deck", label="deck", kind="choice", options=_options(DECKS)),
        Ask(field="kind", label="kind", kind="choice", options=_options(get_args(CardKind))),
        *(Ask(field=resource, label=f"{resource} it costs", kind="number", high=9) for resource in RESOURCES),
        Ask(field="vp", label="victory points", kind="number", high=9),
        Ask(field="copies", label="how many the box holds", kind="number", low=1, high=47),
    ),
)  # fmt: skip
