"""What the table is shown and asked: stand-ins that hold, draws that follow the box, words that help."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.rules import random_play
from companion.rules.base import Setup
from companion.rules.castle_dice.actions import FinishBuilding, Gather, JoanPicks, NameCards, PickDice, RollWorld
from companion.rules.castle_dice.deal import deal, pile
from companion.rules.castle_dice.game import GAME
from companion.rules.castle_dice.leads import lead_text, leader, power
from companion.rules.castle_dice.rolls import read
from companion.rules.random_play import Luck
from companion.rules.table import Choice
from tests.rules.castle_dice.table import SEATS, gathering, lay, table, with_east


def _at(raw: Any, path: str) -> Any:
    for key in path.split("/"):
        raw = raw[int(key)] if isinstance(raw, list | tuple) else raw[key]
    return raw


@pytest.mark.parametrize(("players", "hands"), [(1, "counted"), (4, "counted"), (2, "known")])
def test_stand_ins_are_whole_answers_and_draws_are_legal(players: int, hands: str) -> None:
    setup = Setup(seats=SEATS[:players], options={"hands": hands})
    dealer = Luck(players)
    for state, _ in random_play.play(GAME, setup, Luck(7)):
        for prompt in GAME.prompts(state):
            for choice in prompt.choices:
                _check_asks(state, choice, dealer)


def _check_asks(state: Any, choice: Choice, dealer: Luck) -> None:
    raw = msgspec.to_builtins(choice.action)
    if not choice.asks:
        return
    if choice.asks[0].kind != "entry":
        assert GAME.answered(choice, {ask.field: _at(raw, ask.field) for ask in choice.asks}) == choice.action
    if choice.legal:
        dealt = GAME.deal(state, choice, dealer, GAME.box)
        assert GAME.refusal(state, dealt) is None, dealt


def the_choice(state: Any, kind: type) -> Choice:
    return next(
        choice for prompt in GAME.prompts(state) for choice in prompt.choices if isinstance(choice.action, kind)
    )


def test_the_same_dealer_rolls_the_same() -> None:
    state = replace(table(4, "roll", dice={"wood": 5, "iron": 3}).state, active=None)
    choice = the_choice(state, RollWorld)
    first, again = (deal(state, choice, Luck(3), GAME.box) for _ in range(2))
    assert first == again
    assert isinstance(first, RollWorld)
    taken = [player.dice for player in state.players]
    assert sum(read(first.rolls, SEATS, taken).world.values()) <= 8


def test_a_die_rolls_its_sides_as_often_as_it_has_them() -> None:
    state = replace(table(2, "roll", dice={"land": 11}).state, active=None)
    choice = the_choice(state, RollWorld)
    faces: Counter[str] = Counter()
    for seed in range(200):
        dealt = deal(state, choice, Luck(seed), GAME.box)
        assert isinstance(dealt, RollWorld)
        faces.update(read(dealt.rolls, SEATS[:2], [state.players[0].dice, {}]).world)
    assert set(faces) == {"land 1", "land 2", "land pig"}
    assert 1.7 < faces["land pig"] / faces["land 2"] < 2.3


def test_cards_are_drawn_from_what_lies_face_down() -> None:
    state = table(2, "cards", cards={"Alchemist": 1}, hidden={"castle": 3}).state
    left = pile(state, "castle", GAME.box)
    assert left.total() == 46
    assert left["Alchemist"] == 0
    assert pile(state, "village", GAME.box).total() == 47
    assert pile(state, "village", GAME.box)["Worker"] == 9


def test_a_whole_deck_can_be_drawn() -> None:
    hidden = {"castle": 47, "village": 47, "market": 18}
    state = lay(GAME.setup(Setup(seats=SEATS[:2], options={"hands": "known"})), 0, hidden=hidden)
    told = deal(state, the_choice(state, NameCards), Luck(1), GAME.box)
    assert isinstance(told, NameCards)
    assert len(told.cards) == 112
    assert GAME.faults(GAME.apply(state, told).state) == ()


def test_picked_dice_are_there() -> None:
    state = table(4, "dice").state
    few = replace(state, bank={"wood": 0, "stone": 0, "gold": 0, "land": 2, "iron": 0})
    choice = the_choice(few, PickDice)
    dealt = deal(few, choice, Luck(1), GAME.box)
    assert isinstance(dealt, PickDice)
    assert set(dealt.dice) == {"land"}
    assert len(dealt.dice) == 2


def test_joans_die_is_rolled_on_while_it_shows_barns() -> None:
    state = replace(table(1, "dice").state, active=1)
    lengths = set()
    for seed in range(300):
        dealt = deal(state, the_choice(state, JoanPicks), Luck(seed), GAME.box)
        assert isinstance(dealt, JoanPicks)
        assert GAME.refusal(state, dealt) is None
        lengths.add(len(dealt.faces))
    assert lengths > {2}


# Words that help


def test_who_leads_and_what_it_gives() -> None:
    begun = with_east(gathering(animals={"pig": 2, "cow": 1}), animals={"cow": 1, "horse": 1})
    state = begun.state
    assert (leader(state, "pig"), leader(state, "cow"), leader(state, "horse"), leader(state, "chicken")) == (
        0,
        None,
        1,
        None,
    )
    assert lead_text(state, "pig") == "North may Pork Chop"
    assert lead_text(state, "horse") == "East goes first next turn"
    assert lead_text(state, "cow") == "nobody leads"
    assert lead_text(replace(state, chopped=True), "pig") == "North leads; the Pork Chop of this turn is used"


def test_of_joans_animals_only_the_horses_have_power() -> None:
    state = lay(table(1).state, 1, animals={"horse": 1, "pig": 1, "cow": 1, "chicken": 1})
    assert power(state, "horse") == 1
    assert [power(state, animal) for animal in ("pig", "cow", "chicken")] == [None, None, None]


def test_the_build_prompt_tells_the_raid_and_what_lacks() -> None:
    begun = table(2, hidden={"village": 1}, resources={"wood": 2, "iron": 1}, camp={"gold": 2}, guards=("iron",))
    prompt = next(prompt for prompt in GAME.prompts(begun.state) if prompt.seat == 0)
    assert prompt.text == "Build with 2 wood, 1 iron. The raid will take 2 wood of that."
    refused = {choice.label: choice.refused.why for choice in prompt.choices if choice.refused}
    assert refused["Merchant (3 gold)"] == "North lacks 3 gold for Merchant."
    assert [choice.action for choice in prompt.choices if choice.closes] == [FinishBuilding(seat=0)]


def test_three_farmers_are_asked_which_two() -> None:
    begun = gathering(world={"land pig": 2}, farmers=3)
    choice = next(
        choice
        for prompt in GAME.prompts(begun.state)
        for choice in prompt.choices
        if isinstance(choice.action, Gather) and choice.asks
    )
    (ask,) = choice.asks
    assert (ask.field, ask.kind, ask.low, ask.high) == ("farmers", "list", 2, 2)
