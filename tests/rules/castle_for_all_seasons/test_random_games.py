"""Whole games by chance: nothing is created or lost, prompts never run dry, corrections never break a state."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from companion.errors import Refusal
from companion.rules.base import Action, Correction, Mode
from companion.rules.castle_for_all_seasons import GAME
from companion.rules.castle_for_all_seasons.payments import is_exact
from companion.rules.castle_for_all_seasons.state import State
from companion.rules.random_play import check, pick, play
from companion.session.dealing import RandomDealer
from tests.goldens import setup_of

_GAMES = 50
_MODES = GAME.info.modes


@pytest.mark.parametrize("seed", range(_GAMES))
def test_a_game_by_chance(seed: int) -> None:
    state: State | None = None
    for before, action in play(GAME, setup_of(_MODES[seed % len(_MODES)]), RandomDealer(seed)):
        state = check(GAME, before, action)
        assert GAME.label(before, action)
        assert not GAME.faults(GAME.public_state(state))
    assert state is not None
    assert state.over
    assert state.round == state.rounds or not state.tiles
    assert GAME.outcome(GAME.score(state)).winners
    assert GAME.picture(state).headline == "Game over"


@pytest.mark.parametrize("mode", _MODES, ids=[mode.key for mode in _MODES])
def test_prompts_keep_their_promises(mode: Mode) -> None:
    """Whoever must act can; payments offered are exact; whatever is refused names its rule."""
    for state, _ in play(GAME, setup_of(mode), RandomDealer(99)):
        prompts = GAME.prompts(state)
        assert any(prompt.must for prompt in prompts)
        assert all(any(choice.legal for choice in prompt.choices) for prompt in prompts if prompt.must)
        assert all(prompt.rule in GAME.rulebook for prompt in prompts)
        for choice in (choice for prompt in prompts for choice in prompt.choices):
            assert choice.refused is None or choice.refused.rule in GAME.rulebook
            for ask in choice.asks:
                if ask.field == "payment":
                    values = [option.value for option in ask.options]
                    tile = state.printed.tiles[choice.action.building]  # type: ignore[attr-defined]
                    assert all(is_exact(tile.value, value) for value in values)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(7))
def test_what_the_table_does_anyway_leaves_a_game_that_goes_on(seed: int) -> None:
    chance, seen, done = Random(seed), list[Action](), 0
    for state, action in play(GAME, setup_of(_MODES[seed]), RandomDealer(seed)):
        seen.append(action)
        if chance.random() < 0.1:
            refused = [choice.action for prompt in GAME.prompts(state) for choice in prompt.choices if choice.refused]
            done += _done_anyway(state, chance.choice([*refused, *chance.choices(seen, k=3)]), seed)
    assert done


def _done_anyway(state: State, action: Action, seed: int) -> bool:
    """Do something out of place as a correction, and play on a while; False where not even that can be."""
    try:
        state = GAME.apply(state, Correction(move=msgspec.to_builtins(action))).state
    except Refusal:
        return False
    assert not GAME.faults(state)
    dealer = RandomDealer(seed)
    for _ in range(25):
        if state.over:
            break
        state = check(GAME, state, pick(GAME, state, dealer))
    assert GAME.score(state).totals
    return True
