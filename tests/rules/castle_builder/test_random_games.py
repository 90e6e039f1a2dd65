"""Whole games by chance: nothing created or lost, one baron per area, the market full, and an end."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.rules.base import Mode, Setup
from companion.rules.castle_builder import GAME
from companion.rules.castle_builder.actions import BuildTile, TakeCoin
from companion.rules.castle_builder.state import COINS, MARKET_SIZE, Coin, State
from companion.rules.random_play import Luck, play, watched
from tests.rules.castle_builder.table import BOX, SEATS

_GAMES = 50
_MODES = GAME.info.modes


def mode_of(seed: int) -> Mode:
    return _MODES[seed % len(_MODES)]


@pytest.mark.parametrize("seed", range(_GAMES))
def test_a_random_game(seed: int) -> None:
    mode = mode_of(seed)
    box = BOX if seed % 2 else {}
    after: State | None = None
    setup = Setup(seats=SEATS[: mode.players], options=mode.options, box=box)
    for state, action in watched(GAME, setup, Luck(seed)):
        _check_table(state)
        after = GAME.apply(state, action).state
    assert after is not None
    assert after.over
    assert max(baron.coins for baron in after.barons) == after.goal


def _check_table(state: State) -> None:
    if state.path:
        assert len({baron.space for baron in state.barons}) == len(state.barons)
    assert len(state.tiles) == len(state.coins) == MARKET_SIZE


def test_random_games_reach_every_rule() -> None:
    coins: Counter[Coin] = Counter()
    paid: Counter[int] = Counter()
    for seed in range(2 * len(_MODES)):
        mode = mode_of(seed)
        for state, action in play(GAME, Setup(seats=SEATS[: mode.players], options=mode.options), Luck(seed)):
            if isinstance(action, TakeCoin) and (coin := action.coin or state.coins[action.slot]):
                coins[coin] += 1
            if isinstance(action, BuildTile):
                paid[action.pay] += 1
    assert set(coins) == set(COINS)
    assert paid[1] > 0
    assert max(paid) > 1
