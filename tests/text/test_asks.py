"""Answers as people type them."""

from __future__ import annotations

import io
from typing import Any

import pytest

from companion.errors import Malformed
from companion.rules.base import Action
from companion.rules.box import Box, Learned
from companion.rules.table import Ask, Choice, Option
from companion.text.asks import Aside, Questions, assignments, entry_value, pick, value_of
from companion.text.paper import PlainPaper
from tests.text.running import lines
from tests.text.toy import GAME, Build, Dig, Fly, Paint, Quarry


def _answered(choice: Choice, *typed: str, box: Box | None = None) -> tuple[Action | Aside, str]:
    into = io.StringIO()
    paper = PlainPaper(into, io.StringIO(lines(*typed)))
    return Questions(paper=paper, game=GAME, box=box or GAME.box).whole(choice), into.getvalue()


def _choice(action: Action, *asks: Ask) -> Choice:
    return Choice(label="?", action=action, asks=asks)


_FIELDS = (
    Ask(field="name", label="name", kind="text"),
    Ask(field="stones", label="stones", kind="number", high=9),
)
_CARD = _choice(
    Dig(card=Quarry(name="?")),
    Ask(field="card", label="Which card?", kind="entry", table="quarries", fields=_FIELDS),
)
_COUNT = _choice(Build(seat=0, count=2), Ask(field="count", label="How many?", kind="number", low=1, high=3))
_COLOURS = tuple(Option(value=colour, label=colour.title()) for colour in ("red", "blue", "green"))


def _card(*typed: str, box: Box | None = None) -> Action | Aside:
    return _answered(_CARD, *typed, box=box)[0]


@pytest.mark.parametrize("typed", [("2",), ("gran",), ("GRANITE",), ("a", "2"), ("", "g"), ("nothing", "gr")])
def test_a_known_thing_is_found_by_number_and_letters(typed: tuple[str, ...]) -> None:
    assert _card(*typed) == Dig(card=Quarry(name="Granite", stones=3))


def test_an_exact_name_beats_a_longer_one() -> None:
    box = GAME.box.with_learned([Learned(table="quarries", key="Sandpit Two", entry={"stones": 9})])
    assert _card("sandpit", box=box) == Dig(card=Quarry(name="Sandpit", stones=2))
    assert _card("sandpit t", box=box) == Dig(card=Quarry(name="Sandpit Two", stones=9))


@pytest.mark.parametrize(
    "typed",
    [
        ("name='Chalk Pit' stones=4",),
        ("stones=4 name='Chalk Pit'",),
        ("name='Chalk", "name='Chalk Pit' stones=4"),
        ("name='Chalk Pit' colour=white", "name='Chalk Pit' stones=4"),
        ("name=Chalk Pit", "new", "Chalk Pit", "4"),
    ],
)
def test_a_new_thing_in_one_line_or_field_by_field(typed: tuple[str, ...]) -> None:
    assert _card(*typed) == Dig(card=Quarry(name="Chalk Pit", stones=4))


def test_nothing_known_says_how_to_tell() -> None:
    answer, said = _answered(_CARD, "name=Clay", box=Box({}))
    assert answer == Dig(card=Quarry(name="Clay"))
    assert "None known yet. 'new' enters one step by step" in said
    assert "In one line: name=... stones=..." in said


def test_values_of_the_wrong_kind_are_refused_in_words() -> None:
    with pytest.raises(Malformed, match="stones"):
        _card("name=Clay stones=many")


def test_numbers_keep_to_their_bounds() -> None:
    for typed in (("2",), ("",), ("4", "0", "-1", "x", "2.0", "")):
        assert _answered(_COUNT, *typed)[0] == Build(seat=0, count=2)


def test_choices_by_number_or_letters() -> None:
    choice = _choice(Fly(seat=0, colour="blue"), Ask(field="colour", label="Which?", kind="choice", options=_COLOURS))
    for typed, colour in (("", "blue"), ("1", "red"), ("GREEN", "green"), ("g", "green")):
        assert _answered(choice, typed)[0] == Fly(seat=0, colour=colour)  # type: ignore[arg-type]
    assert _answered(choice, "4", "", "")[0] == Fly(seat=0, colour="blue")


def test_a_list_may_repeat_and_keeps_to_its_length() -> None:
    ask = Ask(field="colours", label="Which?", kind="list", low=2, high=3, options=_COLOURS)
    answer, said = _answered(_choice(Paint(seat=0, colours=()), ask), "", "1", "1 2 3 1", "1, 1 g")
    assert answer == Paint(seat=0, colours=("red", "red", "green"))
    assert "Name 2 to 3 of them" in said


def test_asides() -> None:
    for choice in (_CARD, _COUNT):
        assert _answered(choice, "b")[0] is Aside.BACK
        assert _answered(choice, "d")[0] is Aside.DRAW
    assert _card("new", "Clay", "b") is Aside.BACK


def test_text_may_be_any_word() -> None:
    choice = _choice(Fly(seat=0, colour="red"), Ask(field="motto", label="Motto?", kind="text"))
    assert _answered(choice, "d")[0] == Fly(seat=0, colour="red", motto="d")


def test_nobody_answers() -> None:
    with pytest.raises(EOFError):
        _card()


def test_part_of_an_entry_can_be_the_answer() -> None:
    ask = Ask(field="items", label="?", kind="entry", table="cards", part="gives")
    assert entry_value(ask, "Forge", {"gives": {"iron": 2}, "copies": 3}) == {"iron": 2}


@pytest.mark.parametrize(
    ("text", "value"), [("3", 3), ("true", True), ("Great", "Great"), ("[1, 2]", [1, 2]), ('"7"', "7"), ("", "")]
)
def test_values(text: str, value: Any) -> None:
    assert value_of(text) == value


def test_assignments_that_are_none() -> None:
    for text in ("name", "=3", "name=x y", "name='x"):
        with pytest.raises(Malformed):
            assignments(text)


def test_picking_needs_one() -> None:
    with pytest.raises(Malformed, match="1 to 3"):
        pick(_COLOURS, "")
    with pytest.raises(Malformed):
        pick((*_COLOURS, Option(value="grey", label="Grey")), "gre")
