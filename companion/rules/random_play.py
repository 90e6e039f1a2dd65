"""Whole games played by chance through prompts alone, with a referee who checks what must always hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

import msgspec

from companion.errors import CompanionError
from companion.rules.base import Action, Dealer, Fact, Game, Setup, State
from companion.rules.table import Choice, Prompt

S = TypeVar("S", bound=State)
Audit = Callable[[Any, Any, Sequence[Fact]], Iterable[str]]
"""What is wrong with a step from one state to another, by the facts told of it."""

_MOST_ACTIONS = 5000
_OPTIONAL_ONE_IN = 40
_WORD_BITS = 64
_WORD = (1 << _WORD_BITS) - 1


class BrokenGame(CompanionError, AssertionError):
    """A random game came upon something that must never happen."""


class Luck:
    """A Dealer by a seed: the same luck every time, on every machine (SplitMix64).

    >>> luck = Luck(7)
    >>> [luck.pick(6) for _ in range(5)]
    [2, 0, 5, 3, 2]
    """

    def __init__(self, seed: int) -> None:
        self._mark = seed & _WORD

    def pick(self, count: int) -> int:
        """A number from 0 up to but not including `count`, each as likely."""
        self._mark = (self._mark + 0x9E3779B97F4A7C15) & _WORD
        mixed = self._mark
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _WORD
        return ((mixed ^ (mixed >> 31)) * count) >> _WORD_BITS


# Playing


def play(game: Game[Any], setup: Setup, dealer: Dealer) -> Iterator[tuple[Any, Action]]:
    """Play a game to its end; gives each action with the state it was taken in."""
    return _play(game, setup, dealer, _applied)


def watched(game: Game[Any], setup: Setup, dealer: Dealer) -> Iterator[tuple[Any, Action]]:
    """Play a game to its end under a referee who checks every prompt, every step and the end. Raises BrokenGame."""
    return _play(game, setup, dealer, check, watch=True)


def _play(
    game: Game[Any], setup: Setup, dealer: Dealer, step: Callable[[Game[Any], Any, Action], Any], *, watch: bool = False
) -> Iterator[tuple[Any, Action]]:
    state = game.setup(setup)
    for _ in range(_MOST_ACTIONS):
        prompts = game.prompts(state)
        if watch:
            check_prompts(game, state, prompts)
        if state.over:
            return
        action = choose(game, state, prompts, dealer)
        yield state, action
        state = step(game, state, action)
    raise BrokenGame(f"{game.info.title} does not end: {_MOST_ACTIONS} actions were taken.")


def _applied(game: Game[S], state: S, action: Action) -> S:
    return game.apply(state, action).state


def pick(game: Game[S], state: S, dealer: Dealer) -> Action:
    """A legal action by chance, its draws dealt from the box."""
    return choose(game, state, game.prompts(state), dealer)


def choose(game: Game[S], state: S, prompts: Iterable[Prompt], dealer: Dealer) -> Action:
    """One of the legal choices of these prompts by chance. What need not be done is done now and then."""
    found = [(prompt.must, [choice for choice in prompt.choices if choice.legal]) for prompt in prompts]
    pressing = [choices for must, choices in found if must and choices]
    optional = [choices for must, choices in found if not must and choices]
    now_and_then = dealer.pick(_OPTIONAL_ONE_IN) == 0
    offered = optional or pressing if now_and_then else pressing or optional
    if not offered:
        raise BrokenGame(f"Nobody can do anything: {game.picture(state).headline}.")
    choices = offered[dealer.pick(len(offered))]
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


# Checking


def check(game: Game[S], state: S, action: Action) -> S:
    """Apply an action and check what must hold. Returns the state after.

    Nothing is created or lost, the state before is as it was (so that taking back an action is the identity), state
    and action round-trip through JSON, every fact names a rule that exists, and the game's own audit finds nothing.
    """
    told = game.label(state, action)
    before = msgspec.json.encode(state)
    step = game.apply(state, action)
    if msgspec.json.encode(state) != before:
        raise BrokenGame(f"{told} has changed the state before it.")
    _check_round_trips(game, step.state, action)
    for fact in step.facts:
        if fact.rule and fact.rule not in game.rulebook:
            raise BrokenGame(f"{told} names a rule that does not exist: {fact.rule}.")
    for fault in (*game.faults(step.state), *_audit(type(game))(state, step.state, step.facts)):
        raise BrokenGame(f"After {told}: {fault}")
    return step.state


def _check_round_trips(game: Game[S], state: S, action: Action) -> None:
    if msgspec.json.decode(msgspec.json.encode(state), type=game.state_type) != state:
        raise BrokenGame(f"The state after {action} does not round-trip.")
    if game.decode_action(msgspec.json.decode(msgspec.json.encode(action))) != action:
        raise BrokenGame(f"The action {action} does not round-trip.")


def check_prompts(game: Game[S], state: S, prompts: Sequence[Prompt]) -> None:
    """What must be done can be done, reasons name rules that exist, and only a finished game asks for nothing."""
    headline = game.picture(state).headline
    if bool(prompts) == state.over:
        raise BrokenGame(f"{headline}: {'something' if prompts else 'nothing'} is asked for.")
    for prompt in prompts:
        if prompt.must and not any(choice.legal for choice in prompt.choices):
            raise BrokenGame(f"{headline}: nothing that must be done can be done: {prompt.text}")
        if prompt.rule not in game.rulebook:
            raise BrokenGame(f"{headline}: a prompt names a rule that does not exist: {prompt.rule}.")
        for choice in prompt.choices:
            _check_reason(game, choice)
    if state.over:
        game.outcome(game.score(state))


def _check_reason(game: Game[S], choice: Choice) -> None:
    reason = choice.refused
    if reason and (reason.rule not in game.rulebook or game.rulebook[reason.rule].cite != reason.cite):
        raise BrokenGame(f"'{choice.label}' is refused by a rule that does not exist: {reason.rule}.")


@cache
def _audit(kind: type[Game[Any]]) -> Audit:
    """A game's own audit: `faults` of the module `audit` in its package, where there is one."""
    name = f"{kind.__module__.rpartition('.')[0]}.audit"
    if find_spec(name) is None:
        return lambda before, after, facts: ()
    found: Audit = import_module(name).faults
    return found
