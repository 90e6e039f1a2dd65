"""Rolled dice as one line of text, as people say them: `North: w112b s1c g2; East: wood 1 3 cow gold horse`.

A die is named by its word or first letter, and the faces that follow are its dice: numbers, `cow`, `chicken`,
`horse`, `pig`, `barbarian`, or c, h, p, b, also glued to the letter. A name and a colon say whose dice follow, a
semicolon ends them; the beginning of a name will do, or #1 for the first seat. Dice without a name were pooled
already; barbarians need an owner.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from companion.errors import Malformed
from companion.rules.castle_dice.state import FACES, RESOURCES, Animal, Face, Resource

BARBARIAN = "barbarian"
DICE: dict[Resource, int] = {"wood": 14, "stone": 14, "gold": 13, "land": 11, "iron": 11}
SIDES: dict[Resource, tuple[str, ...]] = {
    "wood": ("1", "1", "2", "3", "cow", BARBARIAN),
    "stone": ("1", "1", "2", "2", "chicken", BARBARIAN),
    "gold": ("1", "1", "1", "2", "horse", BARBARIAN),
    "land": ("1", "1", "2", "pig", "pig", BARBARIAN),
    "iron": ("1", "2", "pig", "horse", "chicken", BARBARIAN),
}
"""The six sides of each die; how many of each die the box holds is in DICE (box/components.toml)."""
_SIDE_LETTERS = {"c": ("cow", "chicken"), "h": ("horse",), "p": ("pig",), "b": (BARBARIAN,)}
_LETTERS: dict[Animal | str, str] = {"cow": "c", "chicken": "c", "horse": "h", "pig": "p", BARBARIAN: "b"}
_DIE_LETTERS: dict[str, Resource] = {die[0]: die for die in RESOURCES}
_ANIMALS: dict[str, Animal] = {"horse": "horse", "pig": "pig", "cow": "cow", "chicken": "chicken"}
_SIDE_WORDS = (*_ANIMALS, BARBARIAN)


class Rolled(Struct, frozen=True, kw_only=True):
    """What a roll brings: dice for the world, and barbarians for each player's camp."""

    world: dict[Face, int]
    camps: tuple[dict[Resource, int], ...]


def die_of(face: Face) -> Resource:
    """
    >>> die_of("iron pig")
    'iron'
    """
    return _DIE_LETTERS[face[0]]


def animal_on(face: Face) -> Animal | None:
    """
    >>> animal_on("iron pig"), animal_on("iron 2")
    ('pig', None)
    """
    return _ANIMALS.get(face.partition(" ")[2])


def worth(face: Face) -> int:
    """How much of its resource a die shows.

    >>> worth("wood 3"), worth("wood cow")
    (3, 0)
    """
    return 0 if animal_on(face) else int(face.partition(" ")[2])


def faces_of(die: Resource) -> tuple[Face, ...]:
    """The faces of a die that can lie in the world."""
    return tuple(face for face in FACES if die_of(face) == die)


def read(text: str, names: Sequence[str], taken: Sequence[Mapping[Resource, int]]) -> Rolled:
    """The roll a line tells, or Malformed with one sentence. `taken` are the dice each player rolls.

    >>> read("North: w12b; East: s1c", ["North", "East"], [{"wood": 3}, {"stone": 2}]).world
    {'wood 1': 1, 'wood 2': 1, 'stone 1': 1, 'stone chicken': 1}
    """
    rolled: Counter[tuple[int | None, Resource, str]] = Counter()
    for part in text.split(";"):
        owner, told = _owner(part, names, taken)
        rolled.update((owner, die, side) for die, side in _sides(told))
    _check_owners(rolled)
    _check_counts(rolled, names, taken)
    return _sorted_out(rolled, len(names))


def written(names: Sequence[str], rolls: Sequence[Iterable[tuple[Resource, str]]]) -> str:
    """The line that tells a roll; `read` turns it back.

    >>> written(["North", "East"], [[("wood", "1"), ("wood", "barbarian")], [("gold", "horse")]])
    'North: w1b; East: gh'
    """
    safe = [spoken(seat, name) for seat, name in enumerate(names)]
    told = [(name, _compact(rolled)) for name, rolled in zip(safe, rolls, strict=True)]
    lines = [(name, dice) for name, dice in told if dice]
    return lines[0][1] if len(lines) == 1 else "; ".join(f"{name}: {dice}" for name, dice in lines)


def spoken(seat: int, name: str) -> str:
    """How a player is named in a roll: by number where the name would end the line.

    >>> spoken(0, "North"), spoken(1, "East; or so")
    ('North', '#2')
    """
    return _number(seat) if ";" in name else name


def _compact(rolled: Iterable[tuple[Resource, str]]) -> str:
    letters = dict.fromkeys(RESOURCES, "")
    for die, side in rolled:
        letters[die] += _LETTERS.get(side, side)
    return " ".join(f"{die[0]}{told}" for die, told in letters.items() if told)


# Reading


def _owner(part: str, names: Sequence[str], taken: Sequence[Mapping[Resource, int]]) -> tuple[int | None, str]:
    """Whose dice a part tells, and the dice. Without a name they are the only roller's, or everybody's."""
    name, colon, told = part.rpartition(":")
    if colon:
        return _seat(name.strip(), names), told
    rollers = [seat for seat, dice in enumerate(taken) if any(dice.values())]
    return rollers[0] if len(rollers) == 1 else None, told


def _seat(name: str, names: Sequence[str]) -> int:
    wanted = name.casefold()
    found = [seat for seat, known in enumerate(names) if known == name]
    found = found or [seat for seat in range(len(names)) if name == _number(seat)]
    found = found or [seat for seat, known in enumerate(names) if wanted and known.casefold().startswith(wanted)]
    if len(found) != 1:
        raise Malformed(f"'{name}' is not one of the players: {', '.join(names)}.")
    return found[0]


def _number(seat: int) -> str:
    """How a seat is written whose name would be read as something else."""
    return f"#{seat + 1}"


def _sides(told: str) -> Iterable[tuple[Resource, str]]:
    die: Resource | None = None
    for word in _words(told):
        if word in _DIE_LETTERS:
            die = _DIE_LETTERS[word]
        elif die is None:
            raise Malformed(f"Say which die shows '{word}', as in 'wood {word}'.")
        else:
            yield die, _side(die, word)


def _words(told: str) -> Iterable[str]:
    """Every die by its first letter and every side as it is told, glued ones parted."""
    for word in re.findall(r"[^\s,]+", told.casefold()):
        plain = word.removesuffix("s") if len(word) > 2 else word
        if plain in _SIDE_WORDS:
            yield plain
        elif word in RESOURCES:
            yield word[0]
        elif re.fullmatch(r"[wsgli0-9chpb]+", word):
            yield from word
        else:
            raise Malformed(f"'{word}' is neither a die (wood, stone, gold, land, iron) nor what one shows.")


def _side(die: Resource, told: str) -> str:
    """The side of a die that a letter, a number or a word means."""
    for side in _SIDE_LETTERS.get(told, (told,)):
        if side in SIDES[die]:
            return side
    sides = ", ".join(dict.fromkeys(SIDES[die]))
    raise Malformed(f"{_a(die)} die has no '{told}': its sides are {sides}.")


def _a(die: Resource) -> str:
    return "An iron" if die == "iron" else f"A {die}"


# Checking


def _check_owners(rolled: Counter[tuple[int | None, Resource, str]]) -> None:
    for owner, die, side in rolled:
        if owner is None and side == BARBARIAN:
            raise Malformed(f"Say whose barbarian it is, as in 'North: {die} b'.")


def _check_counts(
    rolled: Counter[tuple[int | None, Resource, str]], names: Sequence[str], taken: Sequence[Mapping[Resource, int]]
) -> None:
    for seat, name in enumerate(names):
        for die in RESOURCES:
            told = sum(count for (owner, one, _), count in rolled.items() if (owner, one) == (seat, die))
            had = taken[seat].get(die, 0)
            if told > had:
                raise Malformed(
                    f"{name} rolls {dice_words(had, die)}, but {told} {'is' if told == 1 else 'are'} entered."
                )
    for die in RESOURCES:
        told = sum(count for (_, one, _), count in rolled.items() if one == die)
        had = sum(dice.get(die, 0) for dice in taken)
        if told != had:
            taken_words = f"{dice_words(had, die).capitalize()} {'was' if had == 1 else 'were'} taken"
            raise Malformed(f"{taken_words}, but {_entered(told)}.")


def _entered(count: int) -> str:
    return f"{count or 'none'} {'are' if count > 1 else 'is'} entered"


def dice_words(count: int, die: Resource) -> str:
    """
    >>> dice_words(1, "iron"), dice_words(0, "wood")
    ('1 iron die', 'no wood dice')
    """
    return f"{count or 'no'} {die} {'die' if count == 1 else 'dice'}"


def _sorted_out(rolled: Counter[tuple[int | None, Resource, str]], players: int) -> Rolled:
    world: Counter[Face] = Counter()
    camps: list[dict[Resource, int]] = [dict.fromkeys(RESOURCES, 0) for _ in range(players)]
    for (owner, die, side), count in rolled.items():
        if side == BARBARIAN and owner is not None:
            camps[owner][die] += count
        else:
            world[_face(die, side)] += count
    return Rolled(world={face: world[face] for face in FACES if world[face]}, camps=tuple(camps))


def _face(die: Resource, side: str) -> Face:
    return next(face for face in faces_of(die) if face == f"{die} {side}")
