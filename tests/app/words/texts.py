"""Every text that people come to see in a game: prompts, the picture, facts, labels, the score, the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.rules import random_play
from companion.rules.base import Action, Dealer, Game, GameInfo, Setup
from companion.rules.scores import Outcome, ScoreSheet
from companion.rules.table import Ask, Choice, Picture, Prompt


def of_box(game: Game[Any]) -> Iterator[str]:
    """What can be seen without playing."""
    yield from _of_info(game.info)
    for rule in game.rulebook:
        yield rule.text
        yield rule.cite


def of_game(game: Game[Any], setup: Setup, dealer: Dealer) -> Iterator[str]:
    """A game played by chance, all that is shown on the way."""
    return of_actions(game, setup, (action for _, action in random_play.play(game, setup, dealer)))


def of_actions(game: Game[Any], setup: Setup, actions: Iterable[Action], *, prompted: bool = True) -> Iterator[str]:
    """A game played again, all that is shown on the way; without `prompted`, all that is told of it."""
    state = game.setup(setup)
    for action in actions:
        if prompted:
            yield from (text for prompt in game.prompts(state) for text in of_prompt(prompt))
            yield from of_picture(game.picture(state))
        yield game.label(state, action)
        step = game.apply(state, action)
        yield from (fact.text for fact in step.facts)
        state = step.state
    yield from of_picture(game.picture(state))
    yield from of_sheet(game.score(state))
    yield from of_outcome(game.outcome(game.score(state)))


def of_prompt(prompt: Prompt) -> Iterator[str]:
    yield prompt.text
    for choice in prompt.choices:
        yield from _of_choice(choice)


def of_picture(picture: Picture) -> Iterator[str]:
    yield picture.headline
    yield from (mark.label for mark in picture.phases)
    yield from (counter.label for counter in picture.counters)
    for panel in picture.panels:
        yield panel.title
        for row in panel.rows:
            yield row.label
            yield from (piece.label for piece in row.pieces)


def of_sheet(sheet: ScoreSheet) -> Iterator[str]:
    for line in sheet.lines:
        yield line.label
        yield line.why
    yield from (tie_break.label for tie_break in sheet.tie_breaks)


def of_outcome(outcome: Outcome) -> Iterator[str]:
    yield from (outcome.text, outcome.decided_by, outcome.verdict)


def _of_info(info: GameInfo) -> Iterator[str]:
    yield info.title
    yield from info.senses.values()
    for option in info.options:
        yield option.label
        yield option.text
        yield from (value for value in option.values if isinstance(value, str))


def _of_choice(choice: Choice) -> Iterator[str]:
    yield choice.label
    yield choice.group
    if choice.refused:
        yield choice.refused.why
        yield choice.refused.cite
    for ask in choice.asks:
        yield from _of_ask(ask)


def _of_ask(ask: Ask) -> Iterator[str]:
    yield ask.label
    yield from (option.label for option in ask.options)
    for field in ask.fields:
        yield from _of_ask(field)
