"""Every ruling is named and tested, and every rule id the code uses exists."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from companion.rules.castle_for_all_seasons import GAME
from companion.rules.castle_for_all_seasons.actions import ACTIONS, EXAMPLES
from companion.rules.castle_for_all_seasons.rulebook import RULES
from companion.rules.castle_for_all_seasons.rulings import RULINGS
from companion.rules.castle_for_all_seasons.state import WINTER_CARDS
from companion.rules.castle_for_all_seasons.winter import _RULES

_CODE = resources.files("companion.rules.castle_for_all_seasons")
_AREAS = "|".join(sorted({rule.id.partition(".")[0] for rule in (*RULES, *RULINGS)}))
_ID = re.compile(rf'"((?:{_AREAS})\.[a-z0-9-]+)"')
_TESTS = Path(__file__).parent


def used() -> set[str]:
    """Every rule id in the code, the rulebook aside."""
    files = [
        file for file in _CODE.iterdir() if file.name.endswith(".py") and file.name not in ("rulebook.py", "rulings.py")
    ]
    return {found for file in files for found in _ID.findall(file.read_text(encoding="utf-8"))}


def test_every_rule_named_in_the_code_exists() -> None:
    assert len(used()) > 50
    assert [rule for rule in sorted(used()) if rule not in GAME.rulebook] == []


def test_winter_cards_have_rules() -> None:
    assert {*_RULES} == {*WINTER_CARDS}
    assert all(f"winter.{rule}" in GAME.rulebook for rule in _RULES.values())


def test_every_rule_has_a_citation_and_a_text() -> None:
    for rule in GAME.rulebook:
        assert rule.cite
        assert rule.text.endswith(".")


@pytest.mark.parametrize("ruling", [rule.id for rule in RULINGS])
def test_every_ruling_has_a_test(ruling: str) -> None:
    named = "\n".join(file.read_text(encoding="utf-8") for file in _TESTS.glob("test_*.py"))
    assert ruling in named


def test_options_belong_to_rules() -> None:
    keys = {option.key for option in GAME.info.options}
    assert {rule.option for rule in RULINGS if rule.option} <= keys
    assert all(option.rule in GAME.rulebook for option in GAME.info.options)
    assert all(option.default in option.values for option in GAME.info.options)


def test_an_example_of_every_action() -> None:
    assert [type(example) for example in EXAMPLES] == [*ACTIONS]
