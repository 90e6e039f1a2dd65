"""Joan: every decision of hers against a table made from the words of the rulebook, and her part at the table."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from companion.rules.base import Referee, Setup
from companion.rules.castle_dice import solo
from companion.rules.castle_dice.actions import (
    BringVillager,
    DrawCards,
    Gather,
    JoanGathers,
    JoanPicks,
    NameFirst,
    PickDice,
    PlayMessenger,
    Raid,
    RollFirst,
    RollWorld,
)
from companion.rules.castle_dice.game import GAME
from companion.rules.castle_dice.phases import next_at_market
from companion.rules.castle_dice.state import ANIMALS, FACES, JOAN_FACES, RESOURCES, Animal, Face, JoanFace, Resource
from tests.rules.castle_dice.table import Table, balanced, gathering, lay, table

NO_HERD: dict[Animal, int] = dict.fromkeys(ANIMALS, 0)


# Her choice dice


def told_choice(faces: tuple[JoanFace, ...], choices: int) -> list[Resource] | None:
    """The rulebook's words one after the other: waiting barns take what comes next."""
    dice: list[Resource] = []
    waiting = 0
    for face in faces:
        if face == "barn" and not dice:
            waiting += 1
        elif face == "barn":
            dice.append(dice[-1])
        else:
            dice += [face] * (waiting + 1)
            waiting = 0
    return dice[:choices] if len(dice) >= choices else None


@pytest.mark.parametrize("choices", [1, 2, 3])
def test_every_roll_for_her_choice_dice(choices: int) -> None:
    for faces in product(JOAN_FACES, repeat=choices):
        expected = told_choice(faces, choices)
        assert solo.choice_dice(faces, choices) == (tuple(expected) if expected else None), faces
        assert not solo.too_many(faces, choices)


@pytest.mark.parametrize("choices", [1, 2, 3])
def test_only_barns_are_rolled_on(choices: int) -> None:
    barn: JoanFace = "barn"
    barns = (barn,) * choices
    for more in range(3):
        rolled = (*barns, *barns[:1] * more)
        assert solo.choice_dice(rolled, choices) is None
        for face in RESOURCES:
            assert solo.choice_dice((*rolled, face), choices) == (face,) * choices
            assert not solo.too_many((*rolled, face), choices)
            assert solo.too_many((*rolled, face, "wood"), choices)


def test_every_priority() -> None:
    for count in range(1, 5):
        for dice in product(RESOURCES, repeat=count):
            most = max(dice.count(die) for die in dice)
            rarest = [die for die in RESOURCES if dice.count(die) == most][-1]
            assert solo.priority(dice) == rarest, dice
    assert solo.priority(()) is None


# What she gathers

_MOST_OF = {"wood": (0, 1, 2, 3), "stone": (0, 1, 2), "gold": (0, 1, 2), "land": (0, 1, 2), "iron": (0, 1, 2)}
"""The highest die of each resource that can lie in the world; lower ones beside it must not matter."""
_ANIMAL_FACES: tuple[Face, ...] = (
    "wood cow", "stone chicken", "iron chicken", "gold horse", "iron horse", "land pig", "iron pig",
)  # fmt: skip


def resource_world(highest: tuple[int, ...]) -> dict[Face, int]:
    """All dice up to the highest of each resource."""
    return {
        face: 2
        for resource, most in zip(RESOURCES, highest, strict=True)
        for face in FACES
        if face in {f"{resource} {worth}" for worth in range(1, most + 1)}
    }


def expected_take(highest: dict[str, int], wanted: Resource | None, face: JoanFace | None, animal: Face | None) -> str:
    """The table of the Solo Play Rules, top to bottom."""
    if wanted and highest[wanted]:
        return f"{wanted} {highest[wanted]}"
    if face is None:
        return "roll"
    if face == "barn" and animal:
        return animal
    if face != "barn" and highest[face]:
        return f"{face} {highest[face]}"
    rare_first = list(reversed(RESOURCES))
    for resource in rare_first:
        if highest[resource] >= 2:
            return f"{resource} {highest[resource]}"
    for resource in rare_first:
        if highest[resource] == 1:
            return f"{resource} 1"
    return animal or "nothing"


@pytest.mark.parametrize("animal", [None, "land pig"])
def test_every_world_of_resources(animal: Face | None) -> None:
    wishes: tuple[Resource | None, ...] = (None, *RESOURCES)
    rolls: tuple[JoanFace | None, ...] = (None, *JOAN_FACES)
    cases = 0
    for counts in product(*_MOST_OF.values()):
        highest = dict(zip(RESOURCES, counts, strict=True))
        world = {**resource_world(counts), **({animal: 1} if animal else {})}
        if not world:
            continue
        for wanted, face in product(wishes, rolls):
            cases += 1
            decision = solo.gather(world, wanted, NO_HERD, face)
            took = "roll" if isinstance(decision, solo.NeedsDie) else decision.die
            want = expected_take({str(key): value for key, value in highest.items()}, wanted, face, animal)
            assert took == want, (counts, wanted, face)
    assert cases == (4 * 3**4 - (animal is None)) * 6 * 7


def expected_animal(there: set[Face], herd: dict[Animal, int]) -> str:
    """An animal that completes a set, then pig, horse, chicken, cow; the rarest die that shows it."""
    low = min(herd.values())
    short = [animal for animal in ANIMALS if herd[animal] == low]
    wishes: list[Animal] = [*(short if len(short) == 1 else []), "pig", "horse", "chicken", "cow"]
    for animal in wishes:
        for die in reversed(RESOURCES):
            if any(face == f"{die} {animal}" for face in there):
                return f"{die} {animal}"
    raise AssertionError("no animal")


def test_every_barn() -> None:
    """All animals that can lie there, all herds of up to two of each; also when nothing but animals is left."""
    for present in product((False, True), repeat=len(_ANIMAL_FACES)):
        there = {face for face, lies in zip(_ANIMAL_FACES, present, strict=True) if lies}
        if not there:
            continue
        for counts in product(range(3), repeat=4):
            herd = dict(zip(ANIMALS, counts, strict=True))
            want = expected_animal(there, herd)
            by_barn = solo.gather({**dict.fromkeys(there, 1), "iron 2": 1}, "wood", herd, "barn")
            no_resource = solo.gather(dict.fromkeys(there, 1), "wood", herd, "iron")
            assert isinstance(by_barn, solo.Take)
            assert isinstance(no_resource, solo.Take)
            assert by_barn.die == no_resource.die == want, (there, herd)


def test_dice_that_are_gone_do_not_tempt_her() -> None:
    decision = solo.gather({"iron 2": 0, "iron 1": 1}, "iron", NO_HERD, None)
    assert isinstance(decision, solo.Take)
    assert decision.die == "iron 1"


# At the table


def solo_table() -> Table:
    return Table(GAME.setup(Setup(seats=("North",))))


def test_joan_rolls_for_the_first_turn_and_has_no_hand() -> None:
    begun = solo_table().do(RollFirst(wood=(1, 4)))
    assert (begun.state.first, begun.state.active, begun.state.phase) == (1, 0, "cards")
    begun.do(DrawCards(seat=0, castle=3, village=2))
    assert (begun.state.phase, begun.state.active) == ("dice", 1)
    assert sum(begun.east.hidden.values()) == 0


def test_joan_picks_marks_her_priority_and_gathers() -> None:
    begun = solo_table().do(NameFirst(seat=1), DrawCards(seat=0, castle=5))
    begun.refuses(JoanPicks(faces=("barn",)), "solo.joan-dice", final=True)
    assert "Only barns" in begun.refuses(JoanPicks(faces=("barn", "barn")), "solo.joan-dice", final=True)
    begun.refuses(JoanPicks(faces=("wood", "wood", "wood")), "solo.joan-dice")
    begun.do(JoanPicks(faces=("barn", "land")))
    assert begun.state.priority == "land"
    assert begun.east.dice == {"wood": 2, "stone": 2, "gold": 1, "land": 2, "iron": 0}
    begun.do(PickDice(seat=0, dice=("iron", "iron")))
    begun.do(RollWorld(rolls="North: w11 s1b g1 i2p; Joan: w2b s12 gh l21"))
    assert begun.state.active == 1
    begun.refuses(Gather(seat=0, die="iron 2"), "gather.one")
    begun.do(JoanGathers())
    assert "land 2" not in begun.state.world
    begun.do(Gather(seat=0, die="land 1"))
    begun.refuses(JoanGathers(), "solo.gather", final=True)
    begun.do(JoanGathers(face="barn"))
    assert begun.east.animals["pig"] == 1
    begun.refuses(JoanGathers(face="barn"), "gather.one", final=True)


def test_a_die_that_is_gone_is_replaced_by_the_rarest() -> None:
    begun = solo_table().do(NameFirst(seat=0), DrawCards(seat=0, castle=5))
    emptied = replace(begun.state, bank={**begun.state.bank, "wood": 0, "iron": 0})
    emptied = replace(emptied, active=1)
    step = GAME.apply(emptied, JoanPicks(faces=("wood", "stone")))
    assert step.state.priority == "land"
    assert "ruling.joan-none-left" in {fact.rule for fact in step.facts}


def test_joan_trades_every_set_on_holidays_and_only_then() -> None:
    herd: dict[Animal, int] = {"horse": 2, "pig": 3, "cow": 2, "chicken": 2}
    state = lay(table(1, "market").state, 1, animals=herd)
    for turn, cards in ((2, 0), (3, 2), (5, 2), (6, 0), (7, 2)):
        after = next_at_market(Referee(GAME.rulebook), replace(state, turn=turn, active=None))
        assert after.players[1].hidden["market"] == cards
        assert after.players[1].animals["pig"] == 3 - cards
        assert GAME.faults(after) == ()


def test_joans_barbarians_raid_nobody_and_their_dice_go_back() -> None:
    begun = Table(lay(table(1, "raid", resources={"wood": 3}, camp={"wood": 1}).state, 1, camp={"iron": 2}))
    begun.do(Raid())
    assert begun.north.resources["wood"] == 2
    assert begun.state.bank["iron"] == 11


def test_joans_cows_give_nothing_but_must_be_beaten() -> None:
    begun = lay(table(1, "dice", animals={"cow": 1}, workers=1).state, 1, animals={"cow": 2})
    picture = GAME.picture(begun)
    leads = next(panel for panel in picture.panels if panel.title == "Who leads")
    assert leads.rows[0].pieces[0].label == "Joan leads, without its power"


def test_chance_picks_the_villager_of_a_messenger() -> None:
    begun = gathering(1, {"wood 1": 2}, hidden={"village": 1}, farmers=3).do(PlayMessenger(seat=0))
    (prompt,) = GAME.prompts(begun.state)
    assert prompt.seat is None
    assert [choice.action for choice in prompt.choices] == [
        BringVillager(seat=0, villager="worker"),
        BringVillager(seat=0, villager="merchant"),
        BringVillager(seat=0, villager="guard"),
    ]


def test_joan_does_not_play_with_others() -> None:
    two = table(2, "gather")
    two.refuses(JoanGathers(), "solo.gather", final=True)
    two.refuses(JoanPicks(faces=("wood",)), "solo.joan-dice", final=True)
    assert balanced(two.state) == two.state
