"""Corrections without what only some at the table may know: they are kept and told like every other move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.rules.base import Action, Correction

Fields = Mapping[str, object]


def veiled(correction: Correction, parts: Mapping[str, object], moves: Mapping[type[Action], Fields]) -> Correction:
    """The correction as it may be told.

    `parts` are the hidden parts of a state by name, with what is told instead; `moves` the hidden fields of a move.

    >>> veiled(Correction(set={"players/0/cards/Bard": 1, "turn": 2}), {"cards": {}}, {}).set
    {'players/0/cards': {}, 'turn': 2}
    """
    told = (_at(path, value, parts) for path, value in correction.set.items())
    fields = {kind.__struct_config__.tag: hidden for kind, hidden in moves.items()}
    move = correction.move
    return replace(correction, set=dict(told), move=move and {**move, **fields.get(move.get("do"), {})})


def _at(path: str, value: Any, parts: Mapping[str, object]) -> tuple[str, object]:
    """A path and its value, cut short where something hidden begins."""
    names = path.split("/")
    for place, name in enumerate(names, start=1):
        if name in parts:
            return "/".join(names[:place]), parts[name]
    return path, _within(value, parts)


def _within(value: Any, parts: Mapping[str, object]) -> object:
    """A value with whatever is hidden in it."""
    if isinstance(value, Mapping):
        return {name: parts[name] if name in parts else _within(inner, parts) for name, inner in value.items()}
    return [_within(inner, parts) for inner in value] if isinstance(value, list | tuple) else value
