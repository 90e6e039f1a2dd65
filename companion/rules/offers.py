"""Moves as a game thinks of them, before the rules have looked at them, and the prompts they become."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from companion.errors import Refusal
from companion.rules.base import Action, Game, State
from companion.rules.table import Ask, Choice, Prompt, Reason

S = TypeVar("S", bound=State)


class Move(NamedTuple):
    """A move to offer; with `asks` the action carries stand-in values for what is still to be said.

    `closes` as in Choice.
    """

    label: str
    action: Action
    asks: tuple[Ask, ...] = ()
    group: str = ""
    closes: bool = False


class Offer(NamedTuple):
    """The moves of one seat, or with seat None of the table. `must`, `secret` and `standing` as in Prompt."""

    seat: int | None
    text: str
    rule: str
    moves: tuple[Move, ...]
    must: bool = False
    secret: bool = False
    standing: bool = False


def prompts_of(game: Game[S], state: S, offers: Iterable[Offer]) -> tuple[Prompt, ...]:
    """The offers as prompts, each move tried against the rules: what they refuse says why."""
    return tuple(_prompt(game, state, offer) for offer in offers if offer.moves)


def _prompt(game: Game[S], state: S, offer: Offer) -> Prompt:
    return Prompt(
        seat=offer.seat,
        text=offer.text,
        rule=offer.rule,
        choices=tuple(_choice(game, state, move) for move in offer.moves),
        must=offer.must,
        secret=offer.secret,
        standing=offer.standing,
    )


def _choice(game: Game[S], state: S, move: Move) -> Choice:
    refusal = game.refusal(state, move.action)
    return Choice(
        label=move.label,
        action=move.action,
        asks=move.asks,
        refused=_reason(refusal) if refusal else None,
        group=move.group,
        closes=move.closes,
    )


def _reason(refusal: Refusal) -> Reason:
    return Reason(why=refusal.why, rule=refusal.rule, cite=refusal.cite)
