"""Castle Dukes: every refusal, fact, prompt and option names a rule that exists, and every rule is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import companion.rules.castle_dukes as package
from companion.errors import Refusal
from companion.rules import random_play
from companion.rules.base import Action, Correction, Setup
from companion.rules.castle_dukes import GAME
from companion.rules.castle_dukes.state import State
from companion.rules.table import Prompt, Reason

_GAMES = 30
_CHUNK = 5
_SOURCE = Path(package.__file__).parent
_DATA = {"rulebook.py", "rulings.py"}
_RULE_ID = re.compile(r"[a-z]+\.[a-z0-9][a-z0-9-]*")
_FAMILIES = {rule.id.partition(".")[0] for rule in GAME.rulebook}

_BY_HAND = {
    "table.over": "refused by the base of all games",
    "table.correction": "noted by the base of all games",
    "setup.board-side": "how the game is set up",
    "turn.first-player": "how turns go on",
    "tile.three-towers": "an action can name no fourth tower",
    "big.boards": "how the game is set up",
    "big.one-room": "whose turn it is to buy",
    "solo.first": "how the game is set up",
    "solo.height": "a line of the score",
    "score.bridges": "a line of the score",
    "score.serfs": "a line of the score",
    "score.battlements": "a line of the score",
    "score.coffers": "a line of the score",
    "score.guests": "a line of the score",
    "score.ratings": "lines of the score",
    "score.height": "a line of the score",
    "score.ties": "how prizes are shared",
    "score.crumbles": "a line of the score",
}
"""Rules that nothing refuses or notes by name: where they are at work instead."""


def literals() -> Iterator[tuple[str, str]]:
    """Every rule id in the source, with where it is."""
    for path in sorted(_SOURCE.glob("*.py")):
        if path.name in _DATA:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_rule(node.value):
                yield node.value, f"{path.name}:{node.lineno}"


def _is_rule(text: str) -> bool:
    return bool(_RULE_ID.fullmatch(text)) and text.partition(".")[0] in _FAMILIES


def arguments() -> Iterator[tuple[str, str]]:
    """Every literal that is handed over as a rule, whatever it looks like."""
    for path in sorted(_SOURCE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                for value in _rules_of(node):
                    if isinstance(value, ast.Constant) and value.value != "":
                        yield str(value.value), f"{path.name}:{node.lineno}"


def _rules_of(call: ast.Call) -> Iterator[ast.expr]:
    if isinstance(call.func, ast.Attribute) and call.func.attr in ("refuse", "impossible"):
        yield call.args[0]
    if isinstance(call.func, ast.Name) and call.func.id == "pointing":
        yield call.args[1]
    yield from (keyword.value for keyword in call.keywords if keyword.arg == "rule")


def test_every_rule_named_in_the_source_exists() -> None:
    found = [*literals(), *arguments()]
    assert len(found) > 150
    assert [(rule, where) for rule, where in found if rule not in GAME.rulebook] == []


def test_every_rule_is_named_in_the_source_or_known_to_be_at_work_elsewhere() -> None:
    named = {rule for rule, _ in literals()}
    silent = {rule.id for rule in GAME.rulebook if not rule.ruling} - named
    assert silent == set(_BY_HAND)


def test_every_rule_has_words_and_a_citation() -> None:
    for rule in GAME.rulebook:
        assert rule.text.endswith(".")
        assert rule.cite
        assert len(rule.text) < 250


def test_every_option_names_a_rule() -> None:
    assert [option.key for option in GAME.info.options if option.rule not in GAME.rulebook] == []


def games() -> list[Setup]:
    modes = [mode for mode in GAME.info.modes if mode.players < 4]
    return [
        Setup(seats=("North", "East", "South")[: mode.players], options=mode.options)
        for mode in (modes * _GAMES)[:_GAMES]
    ]


@pytest.mark.parametrize("start", range(0, _GAMES, _CHUNK))
def test_every_refusal_of_random_games_names_its_rule(start: int) -> None:
    refused = 0
    for number, setup in enumerate(games()[start : start + _CHUNK], start=start):
        for state, prompts in positions(setup, random_play.Luck(number)):
            refused += sum(cited(reason) for reason in reasons(state, prompts))
    assert refused > 1000


@pytest.mark.parametrize("start", [0, _CHUNK])
def test_whatever_is_refused_can_be_done_anyway(start: int) -> None:
    """All but what is impossible; and the game can be looked at and goes on."""
    overruled = 0
    for number, setup in enumerate(games()[start : start + _CHUNK], start=start):
        luck = random_play.Luck(number)
        for state, prompts in positions(setup, luck):
            attempts = [choice.action for prompt in prompts for choice in prompt.choices if not choice.legal]
            attempts += GAME.examples
            overruled += done_anyway(state, attempts[luck.pick(len(attempts))])
    assert overruled > 50


def positions(setup: Setup, luck: random_play.Luck) -> Iterator[tuple[State, tuple[Prompt, ...]]]:
    """The states of a random game, with what is offered in them."""
    state = GAME.setup(setup)
    while not state.over:
        prompts = GAME.prompts(state)
        yield state, prompts
        state = GAME.apply(state, random_play.choose(GAME, state, prompts, luck)).state


def reasons(state: State, prompts: tuple[Prompt, ...]) -> Iterator[Refusal | Reason]:
    """Why what is offered and refused is refused, and so for an example of every action."""
    yield from (choice.refused for prompt in prompts for choice in prompt.choices if choice.refused)
    yield from (refusal for example in GAME.examples if (refusal := GAME.refusal(state, example)))


def cited(reason: Refusal | Reason) -> bool:
    """Whether a reason is one sentence and cites a rule that exists."""
    known = reason.rule in GAME.rulebook and reason.cite == GAME.rulebook[reason.rule].cite
    assert known, reason
    assert reason.why.endswith(".")
    assert "\n" not in reason.why
    return True


def done_anyway(state: State, action: Action) -> bool:
    """Do a refused action as a correction. Whether there was anything to overrule."""
    refusal = GAME.refusal(state, action)
    if refusal is None or refusal.final:
        return False
    try:
        step = GAME.apply(state, Correction(move=msgspec.to_builtins(action)))
    except Refusal as second:
        return not second.final
    assert any(fact.text.startswith("Overruled") for fact in step.facts)
    assert GAME.decode_state(msgspec.json.decode(msgspec.json.encode(step.state))) == step.state
    assert GAME.picture(step.state).headline
    assert GAME.score(step.state).totals
    assert step.state.over or GAME.prompts(step.state)
    return True
