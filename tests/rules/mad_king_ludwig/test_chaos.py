"""Whatever is tried at the table, allowed, refused or overruled: nothing breaks, no mark and no tile is lost."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from companion.errors import CompanionError
from companion.rules import random_play
from companion.rules.base import Action, Correction, Mode, Setup
from companion.rules.mad_king_ludwig import GAME
from companion.rules.mad_king_ludwig import actions as do
from companion.rules.mad_king_ludwig.rooms import TYPES, catalogue
from companion.rules.mad_king_ludwig.state import BONUSES, FAVOURS, STACKS, Spot, State
from tests.rules.mad_king_ludwig.table import SEATS

_ROOMS = sorted(catalogue())
_MOST_STEPS = 120
_LOST = ("M are on the table", "tiles of", "created or lost", "on the table 2 times", "in two places")


class Chance:
    """A dealer with a seed who also makes up actions."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def pick(self, count: int) -> int:
        return self.random.randrange(count)

    def action(self, state: State) -> Action:
        """Something somebody might try, sensible or not."""
        pick = self.random
        seat, room, size = pick.randrange(len(state.seats)), self._room(state), pick.choice(STACKS)
        few = tuple(pick.randrange(8) for _ in range(pick.randrange(3)))
        spot = Spot(x=pick.randint(-9, 9), y=pick.randint(-9, 9), turn=pick.choice((0, 90, 180, 270)))
        return pick.choice(
            (
                do.RevealFavour(favour=pick.choice(FAVOURS)),
                do.DrawBonus(seat=seat, cards=tuple(pick.sample(BONUSES, pick.randint(1, 3)))),
                do.ReturnBonus(seat=seat, card=pick.choice(BONUSES)),
                do.DrawRoom(room=room),
                do.SkipCard(size=size),
                do.MoveRoom(seat=seat, room=room, price=pick.choice((1000, 4000, 15000))),
                do.OpenSale(seat=seat),
                do.Buy(seat=seat, room=room),
                do.Pass(seat=seat),
                do.PlaceRoom(seat=seat, spot=spot),
                do.NoteRoom(seat=seat, connects=few, touches=few[:1], completes=few[1:]),
                do.PutBack(seat=seat),
                do.TakeReward(seat=seat, reward=pick.randrange(3), chosen=pick.choice((None, *TYPES))),
                do.TakeCorridor(seat=seat, room=room),
                do.DeclineReward(seat=seat),
                do.PeekStack(seat=seat, size=size, rooms=(room,)),
                do.CountStack(size=size, tiles=pick.randrange(9)),
                do.ShowBonus(seat=seat, cards=tuple(pick.sample(BONUSES, 2))),
                do.CountEntrances(seat=seat, external=pick.randrange(9)),
            )
        )

    def _room(self, state: State) -> str:
        on_board = [space.room for space in state.spaces if space.room]
        return self.random.choice([*_ROOMS, *on_board * 5, "stairs", "hallway"])


@pytest.mark.parametrize("seed", range(8))
def test_chaos(seed: int) -> None:
    mode: Mode = GAME.info.modes[seed % len(GAME.info.modes)]
    chance = Chance(seed)
    state = GAME.setup(Setup(seats=SEATS[: mode.players], options=mode.options))
    for _ in range(_MOST_STEPS):
        if state.over:
            break
        state = _tried(state, chance.action(state))
        state = _tried(state, Correction(move=msgspec.to_builtins(chance.action(state))))
        if not state.over:
            state = GAME.apply(state, random_play.pick(GAME, state, chance)).state
        lost = [fault for fault in GAME.faults(state) if any(words in fault for words in _LOST)]
        assert lost == []
        assert GAME.decode_state(msgspec.json.decode(msgspec.json.encode(state))) == state


def _tried(state: State, action: Action) -> State:
    GAME.label(state, action)
    try:
        return GAME.apply(state, action).state
    except CompanionError:
        return state
