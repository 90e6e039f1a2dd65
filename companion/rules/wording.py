"""Actions in a few words: a line of the history, the text of an undo button."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.rules.base import Action, Correction, kebab

Words = Callable[[Any, Any], str]
"""What an action does in a state, in words, without who does it."""


def worded(words: Mapping[type[Action], Words], names: Sequence[str], state: Any, action: Action) -> str:
    """Who does what. A seat that is not at the table does something we have no closer words for."""
    if isinstance(action, Correction):
        return f"Correction: {action.why or ', '.join(action.set) or 'a move against the rules'}"
    seat = getattr(action, "seat", None)
    if seat is not None and seat >= len(names):
        return f"Seat {seat}: {kebab(type(action).__name__).replace('-', ' ')}"
    what = words[type(action)](state, action)
    return f"{what[:1].upper()}{what[1:]}" if seat is None else f"{names[seat]}: {what}"


def plain(words: str) -> Words:
    """Words that are always the same."""
    return lambda state, action: words


def filled(words: str) -> Words:
    """Words with the action's fields in them: `robs {0.victim}`."""
    return lambda state, action: words.format(action)
