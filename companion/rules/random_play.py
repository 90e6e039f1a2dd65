"""Whole games played by chance through prompts alone, with a referee who checks what must always hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from companion.errors import CompanionError
from companion.rules.base import Action, Dealer, Game, Setup, State
from companion.rules.table import Choice

S = TypeVar("S", bound=State)

_MOST_ACTIONS = 5000
_OPTIONAL_ONE_IN = 40


class BrokenGame(CompanionError, AssertionError):
    """A random game came upon something that must never happen."""


def prompts(game: Game[S], state: S) -> list[list[Choice]]:
    """The legal choices of each prompt that has any: of those that must be answered where there are some."""
    found = [(prompt.must, [choice for choice in prompt.choices if choice.legal]) for prompt in game.prompts(state)]
    musts = [choices for must, choices in found if must and choices]
    return musts or [choices for _, choices in found if choices]


def any_time(game: Game[S], state: S) -> list[list[Choice]]:
    """The legal choices of each prompt that need not be answered."""
    found = ([choice for choice in prompt.choices if choice.legal] for prompt in game.prompts(state) if not prompt.must)
    return [choices for choices in found if choices]


def play(game: Game[Any], setup: Setup, dealer: Dealer) -> Iterator[tuple[Any, Action]]:
    """Play a game to its end; gives each action with the state it was taken in."""
    state = game.setup(setup)
    for _ in range(_MOST_ACTIONS):
        if state.over:
            return
        action = pick(game, state, dealer)
        yield state, action
        state = game.apply(state, action).state
    raise BrokenGame(f"{game.info.title} does not end: {_MOST_ACTIONS} actions were taken.")


def pick(game: Game[S], state: S, dealer: Dealer) -> Action:
    """A legal action by chance, its draws dealt from the box. What need not be done is done now and then."""
    optional = any_time(game, state) if dealer.pick(_OPTIONAL_ONE_IN) == 0 else []
    open_prompts = optional or prompts(game, state)
    if not open_prompts:
        raise BrokenGame(f"Nobody can do anything: {game.picture(state).headline}.")
    choices = open_prompts[dealer.pick(len(open_prompts))]
    choice = weighted(choices, [game.appeal(choice) for choice in choices], dealer)
    return game.deal(state, choice, dealer, game.box) if choice.asks else choice.action


def weighted(choices: list[Choice], weights: list[int], dealer: Dealer) -> Choice:
    """One of the choices, each as likely as its weight."""
    mark = dealer.pick(sum(weights))
    for choice, weight in zip(choices, weights, strict=True):
        mark -= weight
        if mark < 0:
            return choice
    raise BrokenGame("A dealer picked a number out of range.")


def check(game: Game[S], state: S, action: Action) -> S:
    """Apply an action and check the invariants: nothing created or lost, JSON round-trips. Returns the state after."""
    after = game.apply(state, action).state
    faults = game.faults(after)
    if faults:
        raise BrokenGame(f"After {game.label(state, action)}: {faults[0]}")
    if msgspec.json.decode(msgspec.json.encode(after), type=game.state_type) != after:
        raise BrokenGame(f"The state after {game.label(state, action)} does not round-trip.")
    if game.decode_action(msgspec.json.decode(msgspec.json.encode(action))) != action:
        raise BrokenGame(f"The action {action} does not round-trip.")
    return after
