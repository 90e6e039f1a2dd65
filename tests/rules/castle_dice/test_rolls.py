"""A whole world roll in one line: every way to write it, every way to get it wrong."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import Malformed
from companion.rules.castle_dice.game import GAME
from companion.rules.castle_dice.rolls import DICE, SIDES, faces_of, read, worth, written
from companion.rules.castle_dice.state import FACES, RESOURCES, Resource
from tests.rules.castle_dice.table import SEATS

NAMES = ("North", "East")
TAKEN: tuple[dict[Resource, int], ...] = ({"wood": 3, "stone": 2}, {"wood": 1, "gold": 2, "iron": 1})


@pytest.mark.parametrize(
    "text",
    [
        "North: w12b s1c; East: w3 gh1 ip",
        "North: wood 1 2 barbarian stone 1 chicken; East: wood 3 gold horse 1 iron pig",
        "north: w 12b, s 1c; e: w3g1h ip",
        "East: W3 G1H IP; North: W12B S1C",
        "wood 1 2 3 stone 1 chicken gold 1 horse iron pig; North: wood b",
        "#1: w12b s1c; #2: w3 gh1 ip",
        "w1 w2 w3 s c 1, g 1 h, i p; no: w barbarians",
    ],
)
def test_the_same_roll_in_many_ways(text: str) -> None:
    roll = read(text, NAMES, TAKEN)
    assert roll.world == {
        "wood 1": 1, "wood 2": 1, "wood 3": 1, "stone 1": 1, "stone chicken": 1,
        "gold 1": 1, "gold horse": 1, "iron pig": 1,
    }  # fmt: skip
    assert [sum(camp.values()) for camp in roll.camps] == [1, 0]
    assert roll.camps[0]["wood"] == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "4 wood dice were taken, but none is entered."),
        ("North: w12b s1c; East: w3 gh1", "1 iron die was taken, but none is entered."),
        ("North: w12bb s1c; East: w3 gh1 ip", "North rolls 3 wood dice, but 4 are entered."),
        ("North: w12b s1c g1; East: w3 gh1 ip", "North rolls no gold dice, but 1 is entered."),
        ("w1231 s1c gh1 ip l1", "No land dice were taken, but 1 is entered."),
        ("North: w12b s1h; East: w3 gh1 ip", "A stone die has no 'h': its sides are 1, 2, chicken, barbarian."),
        ("North: w12b i3", "An iron die has no '3': its sides are 1, 2, pig, horse, chicken, barbarian."),
        ("North: w4", "A wood die has no '4': its sides are 1, 2, 3, cow, barbarian."),
        ("w12b", "Say whose barbarian it is, as in 'North: wood b'."),
        ("1 2", "Say which die shows '1', as in 'wood 1'."),
        ("South: w1", "'South' is not one of the players: North, East."),
        (": w1", "'' is not one of the players: North, East."),
        ("wood one", "'one' is neither a die (wood, stone, gold, land, iron) nor what one shows."),
        ("d", "'d' is neither a die (wood, stone, gold, land, iron) nor what one shows."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(Malformed) as caught:
        read(text, NAMES, TAKEN)
    assert str(caught.value) == sentence


def test_a_name_that_begins_like_another_is_asked_for_whole() -> None:
    with pytest.raises(Malformed, match="not one of the players"):
        read("N: w1", ("Nora", "Nick"), ({"wood": 1}, {}))


def test_one_roller_needs_no_name_even_for_barbarians() -> None:
    assert read("wb i1", NAMES, ({"wood": 1, "iron": 1}, {})).camps[0]["wood"] == 1


def test_a_world_of_four_players_is_one_line() -> None:
    taken: list[dict[Resource, int]] = [{"wood": 2, "stone": 2, "gold": 3}] * 4
    roll = read("w1123cc1 s1122112c g111h2h11112; N: gb; W: wood b", SEATS, taken)
    assert sum(roll.world.values()) == 26
    assert [sum(camp.values()) for camp in roll.camps] == [1, 0, 0, 1]


sides = st.sampled_from(RESOURCES).flatmap(lambda die: st.tuples(st.just(die), st.sampled_from(SIDES[die])))


@given(
    st.lists(st.lists(sides, max_size=12), min_size=1, max_size=4),
    st.sampled_from([SEATS, ("a;b", "north", "North", "x: y"), ("#2", "w", "wood", "1")]),
)
def test_what_is_written_can_be_read(rolls: list[list[tuple[Resource, str]]], names: tuple[str, ...]) -> None:
    seated = names[: len(rolls)]
    taken: list[dict[Resource, int]] = [dict(Counter(die for die, _ in own)) for own in rolls]
    roll = read(written(seated, rolls), seated, taken)
    barbarians = [Counter(die for die, side in own if side == "barbarian") for own in rolls]
    assert [+Counter(camp) for camp in roll.camps] == barbarians
    others = Counter(f"{die} {side}" for own in rolls for die, side in own if side != "barbarian")
    assert roll.world == dict(others)


def test_the_dice_are_those_of_the_box() -> None:
    entries = GAME.box["dice"]
    assert {die: entries[die]["count"] for die in RESOURCES} == DICE
    assert {die: tuple(entries[die]["faces"]) for die in RESOURCES} == SIDES
    assert sum(DICE.values()) == 63


def test_faces_of_the_world_are_the_sides_without_barbarians() -> None:
    told = {f"{die} {side}" for die in RESOURCES for side in SIDES[die] if side != "barbarian"}
    assert told == set(FACES) == {face for die in RESOURCES for face in faces_of(die)}
    assert [worth(face) for face in faces_of("wood")] == [1, 2, 3, 0]
