"""Every rule that is named exists, every ruling has its test, every option its rule."""

from __future__ import annotations

import re
from pathlib import Path

import companion.rules.castle_builder as package
from companion.rules.castle_builder import GAME
from companion.rules.castle_builder.rulebook import RULES
from companion.rules.castle_builder.rulings import RULINGS
from companion.rules.castle_builder.state import COINS

_CODE = Path(package.__file__).parent
_TESTS = Path(__file__).parent
_GROUPS = sorted({rule.id.partition(".")[0] for rule in (*RULES, *RULINGS)})
_NAMED = re.compile(rf'"((?:{"|".join(_GROUPS)})\.[a-z0-9-]+)"')


def _named_in_code() -> set[str]:
    files = (path for path in _CODE.glob("*.py") if path.name not in ("rulebook.py", "rulings.py"))
    return {found for path in files for found in _NAMED.findall(path.read_text(encoding="utf-8"))}


def test_every_rule_named_in_the_code_is_in_the_rulebook() -> None:
    named = _named_in_code()
    assert len(named) > 30
    assert [rule for rule in named if rule not in GAME.rulebook] == []


def test_every_coin_has_its_rule() -> None:
    assert all(f"coin.{coin}" in GAME.rulebook for coin in COINS)


def test_every_ruling_has_a_test_of_its_name() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in _TESTS.glob("test_*.py"))
    missing = [rule.id for rule in RULINGS if f"def test_{rule.id.replace('.', '_').replace('-', '_')}(" not in tests]
    assert missing == []


def test_options_and_rulings_point_at_each_other() -> None:
    assert all(option.rule in GAME.rulebook for option in GAME.info.options)
    keys = {option.key for option in GAME.info.options}
    assert {rule.option for rule in RULINGS if rule.option} <= keys


def test_rules_are_whole_sentences_with_a_citation() -> None:
    for rule in (*RULES, *RULINGS):
        assert rule.text.endswith(".")
        assert rule.cite
