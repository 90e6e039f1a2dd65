"""Set-up for two, three and four players, and what is known of the board."""

from __future__ import annotations

import pytest

from companion.errors import Malformed
from companion.rules.base import Setup
from companion.rules.castle_for_all_seasons import GAME
from tests.rules.castle_for_all_seasons.table import BOX, SEATS, table

CARTS = {
    2: {"sand": 17, "wood": 15, "clay": 14, "stone": 14, "silver": 14},
    3: {"sand": 16, "wood": 14, "clay": 14, "stone": 14, "silver": 14},
    4: {"sand": 15, "wood": 13, "clay": 14, "stone": 14, "silver": 14},
}


@pytest.mark.parametrize(("players", "rounds", "helpers", "bank"), [(2, 12, 7, 87), (3, 15, 6, 81), (4, 12, 6, 81)])
def test_set_up(players: int, rounds: int, helpers: int, bank: int) -> None:
    state = table(players).state
    assert (state.rounds, state.bank) == (rounds, bank)
    assert state.stock == CARTS[players]
    assert state.tower == dict.fromkeys(CARTS[players], 1)
    assert sum(state.tiles.values()) == 23
    assert [builder.helpers for builder in state.builders] == [helpers] * players
    assert all(builder.held == {"sand": 1, "wood": 1} for builder in state.builders)


def test_the_starting_player_takes_the_taler_of_the_highest_space() -> None:
    state = GAME.setup(Setup(seats=SEATS[:3], first=1, box=BOX))
    assert [builder.talers for builder in state.builders] == [3, 4, 3]
    assert (state.spaces, state.round, state.first) == (14, 1, 1)


@pytest.mark.parametrize("players", [1, 5])
def test_for_two_to_four(players: int) -> None:
    with pytest.raises(Malformed, match="2 to 4"):
        GAME.setup(Setup(seats=(*SEATS, "NE")[:players]))


def test_unknown_values_are_not_invented() -> None:
    printed = GAME.setup(Setup(seats=SEATS[:2])).printed
    assert not {"well", "tower", "house"} & {*printed.tiles}
    assert {*printed.fees} == {
        "tavern-12", "tavern-6", "stable-16", "stable-12", "palace-1", "palace-2", "forge-10", "forge-6"
    }  # fmt: skip
    assert printed.carts == {}
    assert printed.winter is None


@pytest.mark.parametrize(
    "box",
    [
        {"fees": {"keep": {"talers": "ten"}}},
        {"buildings": {"tower": {"value": 7, "vp": 6}}},
        {"buildings": {"castle": {"value": 8, "vp": 6}}},
        {"carts": {"sand": {}}},
        {"fees": {"keep": 4}},
        {"winter-spaces": {"spaces": {"spaces": [16]}}},
    ],
)
def test_box_data_that_cannot_be(box: dict[str, object]) -> None:
    with pytest.raises(Malformed, match="box data for the board"):
        GAME.setup(Setup(seats=SEATS[:2], box=box))
