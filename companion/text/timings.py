"""Measurements of the games that have promised some, as text."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter
from typing import Any

from companion.rules.base import Game
from companion.rules.benching import Timing


def show(games: Iterable[Game[Any]]) -> None:
    """Measure each game that has a bench, and print the rows."""
    for game in games:
        for row in rows(game):
            print(f"{game.info.title}: {row}")


def rows(game: Game[Any]) -> list[Timing]:
    """What a game's `bench` module measures; nothing where it has none."""
    module = f"{type(game).__module__.rpartition('.')[0]}.bench"
    if find_spec(module) is None:
        return []
    measured: list[Timing] = import_module(module).rows(perf_counter)
    return measured
