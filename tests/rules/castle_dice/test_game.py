"""Whole games by chance, what can never be true, set-ups, and that every rule named in the code exists."""

from __future__ import annotations

import re
from importlib import resources
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.errors import Malformed, Refusal
from companion.rules import random_play, soak
from companion.rules.base import Correction, Fact, Setup
from companion.rules.castle_dice import audit
from companion.rules.castle_dice.actions import ACTIONS, EXAMPLES, FinishBuilding, NameFirst, PickDice, PlayCard, Raid
from companion.rules.castle_dice.cards import catalog
from companion.rules.castle_dice.game import GAME
from companion.rules.castle_dice.rolls import DICE
from companion.rules.castle_dice.rulings import RULINGS
from companion.rules.castle_dice.state import DECKS, State
from companion.rules.castle_dice.supply import VILLAGER_TOKENS
from tests.goldens import path_of
from tests.rules.castle_dice.table import SEATS, gathering, lay, table

_GAMES = 50
_CHUNK = 5


def _end_of(number: int) -> State:
    """The last state of a random game."""
    _, setup = soak.way_of(GAME, number)
    state = GAME.setup(setup)
    for before, action in random_play.play(GAME, setup, random_play.Luck(number)):
        state = GAME.apply(before, action).state
    return state


# Random games


@pytest.mark.parametrize("start", range(0, _GAMES, _CHUNK))
def test_random_games_end_and_every_check_holds(start: int) -> None:
    for number in range(start, start + _CHUNK):
        actions, failure = soak.play_number(GAME, number)
        assert failure is None, str(failure)
        assert actions > 100


def test_the_games_go_round_every_mode_and_number_of_players() -> None:
    ways = [soak.way_of(GAME, number) for number in range(_GAMES)]
    assert {way for way, _ in ways} >= {mode.key for mode in GAME.info.modes}
    assert {len(setup.seats) for _, setup in ways} == {1, 2, 3, 4}


def test_the_recorded_games_reach_every_move() -> None:
    """All but the play of a card nobody has published."""
    told = "".join(path_of("castle-dice", mode.key).read_text(encoding="utf-8") for mode in GAME.info.modes)
    tags = {str(kind.__struct_config__.tag) for kind in ACTIONS if kind is not PlayCard}
    assert {tag for tag in tags if f'{{"do":"{tag}"' not in told} == set()


def test_when_a_game_is_over_every_die_is_in_the_bank() -> None:
    for number in (0, 2, 3):
        state = _end_of(number)
        assert state.over
        assert state.bank == DICE


def test_a_number_that_is_not_told_is_noticed() -> None:
    state = table(2, resources={"wood": 2}).state
    rich = lay(state, 0, resources={"wood": 4}, workers=1)
    assert list(audit.faults(state, rich, ())) == [
        "North's wood changed by 2; +0 was told.",
        "North's worker changed by 1; +0 was told.",
    ]
    told = (Fact(text="", seat=0, what="wood", change=2), Fact(text="", seat=0, what="worker", change=1))
    assert list(audit.faults(state, rich, told)) == []


def test_secrets_are_not_in_public_states_or_open_prompts() -> None:
    setup = Setup(seats=SEATS[:3], options={"hands": "known"})
    for state, action in random_play.play(GAME, setup, random_play.Luck(3)):
        public = GAME.public_state(state)
        assert GAME.faults(public) == ()
        assert all(not player.cards for player in public.players)
        told = msgspec.json.encode(GAME.public_action(state, action)).decode()
        assert '"do":"name-cards"' not in told or '"cards":[]' in told


# Set-up and the box


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        (Setup(seats=()), "1 to 4 players"),
        (Setup(seats=(*SEATS, "NE")), "1 to 4 players"),
        (Setup(seats=SEATS[:2], options={"hands": "open"}), "takes one of"),
        (Setup(seats=SEATS[:2], options={"turns": 7}), "no option"),
        (Setup(seats=SEATS[:2], box={"turns": {"6": {"fixed": {"tin": 1}, "choice": 3}}}), "turn 6"),
        (Setup(seats=SEATS[:2], box={"components": {"castle": {"count": "many"}}}), "castle"),
        (Setup(seats=SEATS[:2], box={"cards": {"Page": {"deck": "cellar"}}}), "Page"),
    ],
)
def test_set_ups_that_cannot_be(setup: Setup, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        GAME.setup(setup)


def test_a_box_may_hold_other_numbers() -> None:
    box = {"components": {"village": {"count": 42}}, "tokens": {"pig": {"count": 30}}}
    state = GAME.setup(Setup(seats=SEATS[:2], box=box))
    assert (state.decks["village"].draw, state.tokens["pig"]) == (42, 30)
    assert GAME.faults(state) == ()


def test_the_box_data_agrees_with_the_rulebook() -> None:
    copies = {deck: sum(card.copies for card in catalog().values() if card.deck == deck) for deck in DECKS}
    assert copies == {"castle": 47, "village": 42, "market": 18}
    assert GAME.box["components"]["villager-tokens"]["count"] == VILLAGER_TOKENS
    assert sum(entry["count"] for entry in GAME.box["tokens"].values()) == 100
    assert sum(entry["copies"] for entry in GAME.box["practice-village"].values()) == 47 - 42
    assert GAME.box.tables["practice-village"].confidence == "practice"
    assert all(table.source and table.confidence for table in GAME.box.tables.values())


# What can never be true


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        ("bank/wood", 13, "13 wood dice"),
        ("tokens/pig", 3, "3 pig tokens"),
        ("villager_tokens", 59, "59 villager tokens"),
        ("decks/castle/draw", 40, "40 castle cards"),
        ("players/0/built", {"Dragon": 1}, "called 'Dragon'"),
        ("players/0/guards", ["wood", "wood"], "two guards"),
        ("first", 3, "first player"),
        ("active", 7, "not at the table"),
        ("over", True, "over only"),
        ("tracker", [], "0 turns"),
    ],
)
def test_faults_are_found(path: str, value: object, fault: str) -> None:
    state = GAME.setup(Setup(seats=SEATS[:2]))
    wrong = GAME.apply(state, Correction(set={path: value})).state
    assert any(fault in found for found in GAME.faults(wrong)), GAME.faults(wrong)


@pytest.mark.parametrize(
    "path", ["bank/wood", "tokens/pig", "decks/market", "players/1/camp/iron", "players/0/hidden/castle"]
)
def test_a_state_with_a_count_missing_is_none(path: str) -> None:
    raw = msgspec.to_builtins(GAME.setup(Setup(seats=SEATS[:2])))
    *parents, last = path.split("/")
    part: Any = raw
    for key in parents:
        part = part[int(key)] if isinstance(part, list | tuple) else part[key]
    del part[last]
    with pytest.raises(Malformed, match="missing"):
        GAME.decode_state(raw)


def test_joan_at_a_full_table_is_a_fault() -> None:
    state = replace(GAME.setup(Setup(seats=SEATS[:2])), solo=True)
    assert GAME.faults(state) == ("there is not one player for each seat, and Joan only for a game of one.",)
    with pytest.raises(Malformed, match="contradict each other"):
        GAME.apply(state, Correction(set={"turn": 2}))


def test_more_copies_than_the_box_holds_is_a_fault() -> None:
    state = table(2, cards={"Alchemist": 1}).state
    twice = replace(state.players[0], cards={"Alchemist": 2})
    pile = replace(state.decks["castle"], draw=45)
    wrong = replace(state, players=(twice, state.players[1]), decks={**state.decks, "castle": pile})
    assert GAME.faults(wrong) == ("more copies of a castle card lie about than the box holds.",)


def test_a_correction_sets_numbers_right_and_stays_within_the_silo() -> None:
    state = table(2).state
    after = GAME.apply(state, Correction(why="we forgot one", set={"players/0/resources/wood": 4})).state
    assert after.players[0].resources["wood"] == 4
    with pytest.raises(Malformed):
        GAME.apply(state, Correction(set={"players/0/resources/wood": 10}))


# Rules


def test_every_rule_named_in_the_code_exists() -> None:
    folder = resources.files("companion.rules.castle_dice")
    families = {rule.id.partition(".")[0] for rule in GAME.rulebook} - {"table"}
    named = re.compile(rf'"((?:{"|".join(families)})\.[a-z0-9-]+)"')
    found = {
        rule
        for file in folder.iterdir()
        if file.name.endswith(".py") and file.name not in ("rulebook.py", "rulings.py")
        for rule in named.findall(file.read_text(encoding="utf-8"))
    }
    assert len(found) > 60
    assert {rule for rule in found if rule not in GAME.rulebook} == set()


def test_every_ruling_says_where_and_every_option_has_one() -> None:
    assert all(rule.ruling and rule.cite and rule.text for rule in RULINGS)
    assert {rule.option for rule in RULINGS if rule.option} == {option.key for option in GAME.info.options}
    assert all(option.rule in GAME.rulebook for option in GAME.info.options)


def test_there_is_an_example_of_every_action() -> None:
    assert [type(example) for example in EXAMPLES] == list(ACTIONS)
    for example in EXAMPLES:
        assert GAME.decode_action(msgspec.to_builtins(example)) == example


def test_seats_that_are_not_there_cannot_act() -> None:
    state = table(2).state
    with pytest.raises(Refusal) as caught:
        GAME.apply(state, FinishBuilding(seat=2))
    assert (caught.value.rule, caught.value.final) == ("turn.seat", True)
    solo = table(1, "build").state
    with pytest.raises(Refusal):
        GAME.apply(solo, FinishBuilding(seat=1))
    assert GAME.apply(GAME.setup(Setup(seats=("North",))), NameFirst(seat=1)).state.first == 1


@pytest.mark.parametrize("state", [table(2, "cards").state, gathering().state, table(1, "dice").state])
def test_no_example_can_break_a_table(state: State) -> None:
    """Every action at every table is done, refused, or done anyway: never a crash, never a piece lost."""
    for example in EXAMPLES:
        moves = (example, Correction(why="agreed", move=msgspec.to_builtins(example)))
        for move in moves:
            refusal = GAME.refusal(state, move)
            if refusal:
                assert refusal.rule in GAME.rulebook
                continue
            after = GAME.apply(state, move).state
            assert GAME.faults(after) == ()
            assert msgspec.json.decode(msgspec.json.encode(after), type=State) == after
            GAME.prompts(after)
            GAME.picture(after)
        assert GAME.label(state, example)


def test_a_finished_game_takes_no_moves() -> None:
    state = _end_of(1)
    for action in (Raid(), PickDice(seat=0, dice=())):
        refusal = GAME.refusal(state, action)
        assert refusal is not None
        assert refusal.rule == "table.over"
    assert GAME.prompts(state) == ()
