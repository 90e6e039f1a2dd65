"""Answers by chance: pieces counted out, talers converted, cards drawn are always possible ones."""

from __future__ import annotations

import pytest

from companion.errors import Malformed
from companion.rules.base import Action
from companion.rules.box import Box
from companion.rules.castle_for_all_seasons import GAME
from companion.rules.castle_for_all_seasons.actions import ConvertResources, ConvertTalers, DrawWinter, Erect, ReadFee
from companion.rules.castle_for_all_seasons.asks import FEE_ASK
from companion.rules.castle_for_all_seasons.deal import deal
from companion.rules.table import Ask, Choice
from companion.session.dealing import RandomDealer
from tests.rules.castle_for_all_seasons.table import NORTH, Table, table, winter


def asking(here: Table, kind: type[Action]) -> list[Choice]:
    """The choices of a kind that ask for something, last the one that asks for most."""
    choices = [choice for prompt in GAME.prompts(here.state) for choice in prompt.choices if choice.asks]
    return sorted(
        (choice for choice in choices if isinstance(choice.action, kind)), key=lambda choice: len(choice.asks)
    )


def dealt(here: Table, choice: Choice) -> list[Action]:
    """Thirty answers, each of which the rules allow."""
    found = [deal(here.state, choice, RandomDealer(seed), GAME.box) for seed in range(30)]
    assert all(GAME.refusal(here.state, action) is None for action in found)
    return found


def test_pieces_counted_out_pay_exactly() -> None:
    here = table().give(NORTH, sand=5, wood=5, clay=4, stone=4, silver=3)
    here.reveal("stonemason", "messenger", "messenger")
    choices = asking(here, Erect)
    assert len(choices[0].asks) == 1
    assert len(choices[-1].asks) == 8
    for choice in (choices[0], choices[-1]):
        assert len({*map(str, dealt(here, choice))}) > 5


def test_talers_and_resources_are_converted_as_the_rules_allow() -> None:
    here = table().built("palace").helper(NORTH, "market-1", "palace-1").round(15)
    here.give(NORTH, talers=9, stone=3, clay=3, silver=3).reveal("messenger", "messenger", "messenger")
    assert len({*map(str, dealt(here, asking(here, ConvertTalers)[0]))}) > 3
    here.do(ConvertTalers(seat=NORTH, talers=0))
    assert len({*map(str, dealt(here, asking(here, ConvertResources)[0]))}) > 5


def test_a_winter_card_of_those_left() -> None:
    here = winter().lay("messenger", "messenger", "messenger")
    drawn = dealt(here, asking(here, DrawWinter)[0])
    assert {action.card for action in drawn if isinstance(action, DrawWinter)} == {
        "village-tavern", "granary", "plague", "cracked-wall", "damsel", "snowdrift"
    }  # fmt: skip


def test_nothing_asked_nothing_dealt() -> None:
    action = ReadFee(spot="keep", talers=3)
    assert deal(table().state, Choice(label="", action=action), RandomDealer(0), GAME.box) == action


def test_what_cannot_be_drawn() -> None:
    unknown = Choice(label="", action=ReadFee(spot="keep", talers=0), asks=(FEE_ASK,))
    with pytest.raises(Malformed, match="nothing to draw for 'keep'"):
        deal(table().state, unknown, RandomDealer(0), Box({}))
    words = Choice(label="", action=DrawWinter(card="plague"), asks=(Ask(field="card", label="Why", kind="text"),))
    with pytest.raises(Malformed, match="cannot draw this: Why"):
        deal(table().state, words, RandomDealer(0), GAME.box)
