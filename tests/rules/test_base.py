"""The vocabulary all games share, tried on Castle Dukes: corrections, decoding, set-up, answers, rulebooks."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.errors import CompanionError, Malformed, Refusal
from companion.rules.base import (
    TABLE_RULES,
    Action,
    Correction,
    Referee,
    Rule,
    Rulebook,
    Setup,
    kebab,
    put,
)
from companion.rules.castle_dukes import GAME
from companion.rules.castle_dukes.actions import AiTakes, Crumble, DrawTile, PlaceTile, TakeRoom
from companion.rules.castle_dukes.state import State
from companion.rules.table import Ask, Choice

TWO = Setup(seats=("North", "East"))


def start() -> State:
    return GAME.setup(TWO)


# Corrections


def test_a_correction_sets_numbers_by_their_path() -> None:
    step = GAME.apply(start(), Correction(why="miscounted", set={"dukes/0/coins": 3, "dukes/1/crumbles": 2}))
    assert (step.state.dukes[0].coins, step.state.dukes[1].crumbles) == (3, 2)
    assert step.state.corrected
    assert [fact.text for fact in step.facts] == [
        "Corrected by the table: miscounted.",
        "dukes/0/coins is now 3.",
        "dukes/1/crumbles is now 2.",
    ]
    assert {fact.rule for fact in step.facts} == {"table.correction"}


def test_what_is_not_there_yet_can_be_set_right() -> None:
    state = start()
    assert "tile" not in state.dukes[0].held
    step = GAME.apply(state, Correction(set={"dukes/0/held/tile": 2, "stock/tile": 48}))
    assert step.state.dukes[0].held["tile"] == 2


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("dukes/0/gold", 3, "The correction is not right: Object contains unknown field `gold` - at `dukes[0]`."),
        ("dukes/9/coins", 3, "There is nothing at 'dukes/9/coins' to set."),
        ("dukes/x/coins", 3, "There is nothing at 'dukes/x/coins' to set."),
        ("dukes/-1/coins", 3, "There is nothing at 'dukes/-1/coins' to set."),
        (
            "dukes/\N{ARABIC-INDIC DIGIT ONE}/coins",
            3,
            "There is nothing at 'dukes/\N{ARABIC-INDIC DIGIT ONE}/coins' to set.",
        ),
        ("turn/0", 3, "There is nothing at 'turn/0' to set."),
        ("", 3, "The correction is not right: Object contains unknown field ``."),
        ("dukes/0/coins", -1, "The correction is not right: Expected `int` >= 0 - at `dukes[0].coins`."),
        ("dukes/0/coins", "many", "The correction is not right: Expected `int`, got `str` - at `dukes[0].coins`."),
        ("phase", "tea", "The correction is not right: Invalid enum value 'tea' - at `phase`."),
    ],
)
def test_a_correction_that_makes_no_sense_is_one_sentence(path: str, value: object, words: str) -> None:
    with pytest.raises(Malformed) as caught:
        GAME.apply(start(), Correction(set={path: value}))
    assert str(caught.value) == words


def test_a_move_against_the_rules_is_done_and_the_rule_noted() -> None:
    move = {"do": "draw-tile", "seat": 0}
    with pytest.raises(Refusal):
        GAME.apply(start(), GAME.decode_action(move))
    step = GAME.apply(start(), Correction(move=move))
    assert step.state.dukes[0].held == {"tile": 1}
    assert step.state.corrected
    overruled = [fact for fact in step.facts if fact.text.startswith("Overruled: ")]
    assert [fact.rule for fact in overruled] == ["setup.free-coins"]


def test_what_cannot_be_done_is_not_done_by_a_correction_either() -> None:
    with pytest.raises(Refusal) as caught:
        GAME.apply(start(), Correction(move={"do": "draw-tile", "seat": 5}))
    assert caught.value.final
    with pytest.raises(Malformed):
        GAME.apply(start(), Correction(move={"do": "fly"}))
    with pytest.raises(Malformed, match="not another correction"):
        GAME.apply(start(), Correction(move={"do": "correct", "set": {"dukes/0/coins": 3}}))


def test_a_move_on_numbers_that_contradict_each_other_is_one_sentence() -> None:
    """What the rules trip over in a state set by hand is said; in any other state it is a fault of ours, and shows."""
    state = GAME.setup(Setup(seats=("North",)))
    odd = msgspec.structs.replace(state, boards=())
    with pytest.raises(IndexError):
        GAME.apply(odd, AiTakes(die="comfort"))
    with pytest.raises(Malformed, match="contradict each other"):
        GAME.apply(msgspec.structs.replace(odd, corrected=True), AiTakes(die="comfort"))
    with pytest.raises(Malformed, match="contradict each other"):
        GAME.apply(odd, Correction(move={"do": "ai-takes", "die": "comfort"}))


def test_a_correction_without_anything_is_a_remark() -> None:
    step = GAME.apply(start(), Correction(why="as agreed"))
    assert msgspec.structs.replace(step.state, corrected=False) == start()


def test_a_corrected_state_may_be_one_that_could_not_be() -> None:
    odd = GAME.apply(start(), Correction(set={"stock/tile": 7})).state
    raw = msgspec.json.decode(msgspec.json.encode(odd))
    assert GAME.decode_state(raw) == odd
    with pytest.raises(Malformed, match="This is not a possible state: 7 of tile are in play, and the box holds 50"):
        GAME.decode_state({**raw, "corrected": False})


def test_a_lenient_referee_notes_and_a_strict_one_refuses() -> None:
    strict, lenient = Referee(GAME.rulebook), Referee(GAME.rulebook, lenient=True)
    with pytest.raises(Refusal) as caught:
        strict.refuse("roof.level", "Too low.")
    assert (caught.value.rule, caught.value.cite, caught.value.final) == ("roof.level", "Roof Tiles", False)
    lenient.refuse("roof.level", "Too low.")
    assert [(fact.text, fact.rule) for fact in lenient.facts] == [("Overruled: Too low.", "roof.level")]
    with pytest.raises(Refusal) as final:
        lenient.impossible("roof.level", "There is none.")
    assert final.value.final


# Decoding


@pytest.mark.parametrize(
    "raw",
    [
        None,
        7,
        "draw-tile",
        [],
        {},
        {"do": None},
        {"do": "fly"},
        {"do": ["draw-tile"]},
        {"do": {"draw-tile": 1}},
        {"do": "draw-tile"},
        {"do": "draw-tile", "seat": "North"},
        {"do": "draw-tile", "seat": -1},
        {"do": "draw-tile", "seat": 8},
        {"do": "draw-tile", "seat": 0, "colour": "red"},
        {"do": "place-tile", "seat": 0, "tower": "fourth"},
        {"do": "take-room", "seat": 0, "slot": 0, "card": {"name": ""}},
        {"do": "correct", "set": 3},
    ],
)
def test_what_is_no_action_is_said_in_one_sentence(raw: object) -> None:
    with pytest.raises(Malformed) as caught:
        GAME.decode_action(raw)
    words = str(caught.value)
    assert words.endswith(".")
    assert "\n" not in words
    assert len(words) < 900


@pytest.mark.parametrize("raw", [None, 7, "x", [], {}, {"seats": ["North"]}, {"seats": "North"}])
def test_what_is_no_state_is_said_in_one_sentence(raw: object) -> None:
    with pytest.raises(Malformed, match=r"^The state is not right: [^\n]+\.$"):
        GAME.decode_state(raw)


def test_states_and_actions_round_trip() -> None:
    state = start()
    assert GAME.decode_state(msgspec.json.decode(msgspec.json.encode(state))) == state
    correction = Correction(why="so", set={"turn": 2}, move={"do": "crumble", "seat": 0})
    assert GAME.decode_action(msgspec.json.decode(msgspec.json.encode(correction))) == correction


@pytest.mark.parametrize(("name", "tag"), [("TakeRoom", "take-room"), ("Lose", "lose"), ("AiTakes", "ai-takes")])
def test_actions_are_named_in_kebab_case(name: str, tag: str) -> None:
    assert kebab(name) == tag


# Set-up


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (Setup(seats=()), "Castle Dukes is for 1 to 8 players, not 0."),
        (Setup(seats=tuple("ABCDEFGHI")), "Castle Dukes is for 1 to 8 players, not 9."),
        (Setup(seats=("North", "North")), "Each seat needs a name of its own, 1 to 40 characters long."),
        (Setup(seats=("North", "")), "Each seat needs a name of its own, 1 to 40 characters long."),
        (Setup(seats=("North", " East")), "Each seat needs a name of its own, 1 to 40 characters long."),
        (Setup(seats=("North", "E\nast")), "Each seat needs a name of its own, 1 to 40 characters long."),
        (Setup(seats=("North", "E" * 41)), "Each seat needs a name of its own, 1 to 40 characters long."),
        (Setup(seats=("North", "East"), first=2), "The first seat is a number from 0 to 1, not 2."),
        (Setup(seats=("North", "East"), first=-1), "The first seat is a number from 0 to 1, not -1."),
        (Setup(seats=("North", "East"), options={"turns": 10}), "Option 'turns' takes one of 9, 12, not 10."),
        (Setup(seats=("North", "East"), options={"turns": "9"}), "Option 'turns' takes one of 9, 12, not \"9\"."),
        (Setup(seats=("North", "East"), options={"vines": 1}), "Option 'vines' takes one of true, false, not 1."),
        (Setup(seats=("North",), options={"detail": "light"}),
         "The solo opponent reads the room cards, so a solo game cannot be played light."),
    ],
)  # fmt: skip
def test_a_set_up_that_is_not_one_is_said_in_one_sentence(setup: Setup, words: str) -> None:
    with pytest.raises(Malformed) as caught:
        GAME.setup(setup)
    assert str(caught.value) == words


def test_an_unknown_option_names_those_there_are() -> None:
    with pytest.raises(Malformed, match=r"has no option 'dragons'. Its options: detail, turns, vines"):
        GAME.setup(Setup(seats=("North", "East"), options={"dragons": 2}))


@pytest.mark.parametrize(
    "box",
    [
        {"slots": {"1-2/1": {"side": "1-2", "cost": "one", "bonus": "none"}}},
        {"slots": {"1-2/1": {"side": "1-2"}}},
        {"slots": {"1-2/1": 3}},
        {"slots": 3},
        {"components": {"damage-chit": {"count": "many"}}},
        {"components": {"damage-chit": {"count": 3}}},
        {"components": 3},
        {"slots": {f"{number}": {"side": "1-2", "cost": 1, "bonus": "none"} for number in range(50)}},
    ],
)
def test_box_data_that_is_not_right_is_said_in_one_sentence(box: dict[str, Any]) -> None:
    with pytest.raises(Malformed) as caught:
        GAME.setup(Setup(seats=("North", "East"), box=box))
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_options_left_out_are_as_by_default() -> None:
    state = start()
    assert {option.key: getattr(state.options, option.key) for option in GAME.info.options} == {
        option.key: option.default for option in GAME.info.options
    }


# Answers


def test_answers_are_put_into_the_choice() -> None:
    fields = (Ask(field="spaces", label="", kind="number"), Ask(field="ends", label="", kind="choice"))
    choice = Choice(label="Tile", action=PlaceTile(seat=1, tower="left"), asks=fields)
    assert GAME.answered(choice, {"spaces": 2, "ends": False}) == PlaceTile(seat=1, tower="left", spaces=2, ends=False)


def test_answers_reach_into_lists_and_are_checked() -> None:
    stand_in = GAME.decode_action({"do": "reveal-guests", "cards": [{"main": "king", "small": "king"}]})
    choice = Choice(label="Guests", action=stand_in)
    answered = GAME.answered(choice, {"cards/0/main": "knight", "cards/0/fire": True})
    assert msgspec.to_builtins(answered)["cards"] == ({"main": "knight", "small": "king", "fire": True},)
    for answers in ({"cards/0/main": "duke"}, {"cards/1/main": "king"}, {"colour": "red"}):
        with pytest.raises(Malformed):
            GAME.answered(choice, answers)


def test_a_value_is_put_at_a_path() -> None:
    raw = {"a": [{"b": 1}, {"b": 2}]}
    put(raw, "a/1/b", 3)
    assert raw == {"a": [{"b": 1}, {"b": 3}]}


# Rulebooks and hooks


def test_a_rulebook_knows_its_rules_and_those_of_every_table() -> None:
    rule = Rule(id="roof.high", text="High.", cite="Roofs")
    book = Rulebook([rule])
    assert list(book) == [*TABLE_RULES, rule]
    assert "roof.high" in book
    assert "roof.low" not in book
    with pytest.raises(ValueError, match=r"two rules are called roof\.high"):
        Rulebook([rule], [rule])


def test_nothing_is_secret_unless_a_game_says_so() -> None:
    state, action = start(), Crumble(seat=0)
    assert GAME.public_state(state) is state
    assert GAME.public_action(state, action) is action


def test_a_refusal_can_be_asked_for_without_being_raised() -> None:
    assert GAME.refusal(start(), DrawTile(seat=1)) is None
    refusal = GAME.refusal(start(), DrawTile(seat=0))
    assert refusal is not None
    assert isinstance(refusal, CompanionError)
    assert refusal.rule == "setup.free-coins"


def test_apply_leaves_the_state_before_as_it_was() -> None:
    state = start()
    before = msgspec.json.encode(state)
    GAME.apply(state, DrawTile(seat=1))
    GAME.refusal(state, TakeRoom(seat=0, slot=0))
    GAME.apply(state, Correction(set={"dukes/0/coins": 1}))
    assert msgspec.json.encode(state) == before


def test_the_tag_of_every_action_is_its_own() -> None:
    kinds: tuple[type[Action], ...] = (*GAME.action_types, Correction)
    assert len({kind.__struct_config__.tag for kind in kinds}) == len(kinds)
