"""Moves before the rules have looked at them."""

from __future__ import annotations

from typing import NamedTuple

from companion.rules.base import Action
from companion.rules.table import Ask


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
    """The moves of one seat, or with seat None of the table."""

    seat: int | None
    text: str
    rule: str
    moves: tuple[Move, ...]
    must: bool = False
