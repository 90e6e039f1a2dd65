"""Every way to play every game has a whole recorded game, and the rules still tell it word for word."""

from __future__ import annotations

import pytest

from companion.rules import registry
from companion.rules.base import Mode
from tests.goldens import FOLDER, parse, path_of, render

_MODES = [(game.info.id, mode) for game in registry.shelf() for mode in game.info.modes]


@pytest.mark.parametrize(("game", "mode"), _MODES, ids=[f"{game}-{mode.key}" for game, mode in _MODES])
def test_golden(game: str, mode: Mode) -> None:
    path = path_of(game, mode.key)
    assert path.exists(), f"{game} {mode.key} has no golden: python -m tests.goldens {game} {mode.key} > {path.name}"
    told = path.read_text(encoding="utf-8")
    setup, actions = parse(registry.get(game), told)
    assert len(setup.seats) == mode.players
    assert mode.options.items() <= setup.options.items()
    assert render(registry.get(game), setup, actions) == told


def test_every_game_says_how_it_can_be_played() -> None:
    assert all(game.info.modes for game in registry.shelf())


def test_no_golden_is_left_over() -> None:
    known = {path_of(game, mode.key) for game, mode in _MODES}
    assert set(FOLDER.rglob("*.txt")) == known
