"""The shelf: which games there are."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from companion.errors import UnknownGame
from companion.rules.base import Game

_PACKAGES = {
    "castle-dukes": "companion.rules.castle_dukes",
    "castle-for-all-seasons": "companion.rules.castle_for_all_seasons",
    "mad-king-ludwig": "companion.rules.mad_king_ludwig",
    "castle-dice": "companion.rules.castle_dice",
    "castle-builder": "companion.rules.castle_builder",
}


def ids() -> tuple[str, ...]:
    """The ids of all games, in shelf order."""
    return tuple(_PACKAGES)


@cache
def get(game: str) -> Game[Any]:
    """The game with an id. Its package is imported on first use."""
    if game not in _PACKAGES:
        raise UnknownGame(game, ids())
    found: Game[Any] = import_module(_PACKAGES[game]).GAME
    return found


def shelf() -> tuple[Game[Any], ...]:
    """Every game."""
    return tuple(get(game) for game in ids())
