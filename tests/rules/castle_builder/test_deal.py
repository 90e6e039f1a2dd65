"""Drawing for the table: what is drawn fits, was left to draw, and the same dealer draws the same."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from companion.errors import Malformed
from companion.rules.base import Action
from companion.rules.box import Box, Learned
from companion.rules.castle_builder import GAME
from companion.rules.castle_builder.actions import (
    BuildTile,
    LoseTile,
    NameCoin,
    NameTile,
    RaiseCastle,
    TakeCoin,
    UsePractice,
)
from companion.rules.castle_builder.deal import coin, deal, left_of, market_tile
from companion.rules.castle_builder.state import Baron, Tile
from companion.rules.table import Ask, Choice
from tests.rules.castle_builder.table import Table, at, baron, due, table


class Shuffled:
    """A dealer with a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def pick(self, count: int) -> int:
        return self._random.randrange(count)


def offered(laid: Table, kind: type[Action], **fields: Any) -> Choice:
    """The first choice of a kind that asks for something."""
    choices = [choice for prompt in GAME.prompts(laid.state) for choice in prompt.choices]
    asking = [choice for choice in choices if choice.asks and isinstance(choice.action, kind)]
    return next(
        choice for choice in asking if all(getattr(choice.action, key) == value for key, value in fields.items())
    )


@pytest.mark.parametrize("seed", range(30))
def test_a_tile_dealt_for_a_spot_can_be_built_there(seed: int) -> None:
    laid = table(baron(at(1, 2, 5), at(1, 6, 4), holder=4), options={"royal": True})
    for prompt in GAME.prompts(laid.state):
        for choice in prompt.choices:
            if isinstance(choice.action, BuildTile) and choice.asks:
                assert GAME.refusal(laid.state, deal(laid.state, choice, Shuffled(seed), GAME.box)) is None


def test_the_same_dealer_draws_the_same() -> None:
    laid = table(baron(at(1, 2, 5)))
    choice = offered(laid, BuildTile, level=2)
    drawn = [deal(laid.state, choice, Shuffled(5), GAME.box) for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_tiles_that_are_seen_are_not_drawn_again() -> None:
    prince = Tile(name="prince", wild=True, top="air", persons=1)
    seen = table(tiles=(prince, prince, None)).state
    assert left_of(seen, GAME.box)[prince] == left_of(table().state, GAME.box)[prince] - 2


def test_the_court_of_everyone_is_not_in_the_pile() -> None:
    prince = Tile(name="prince", wild=True, top="air", persons=1)
    state = table(players=3, options={"royal": True}).state
    assert left_of(state, GAME.box)[prince] == left_of(table().state, GAME.box)[prince] - 3


def test_a_box_half_known_is_drawn_from() -> None:
    tile = Tile(number=5, windows=3)
    learned = Learned(table="tiles", key="5", entry={**msgspec.to_builtins(tile), "copies": 63})
    box = Box(GAME.box.tables).with_learned([learned])
    assert market_tile(table().state, Shuffled(1), box) == tile
    few = Box(GAME.box.tables).with_learned([Learned(table="tiles", key="5", entry=msgspec.to_builtins(tile))])
    assert tile not in left_of(table().state, few)


def test_coins_lying_in_the_market_are_not_drawn_twice() -> None:
    state = table(coins=("monk", "monk", "monk")).state
    assert "monk" not in {coin(state, Shuffled(seed), GAME.box) for seed in range(100)}


def test_an_unknown_board_is_dealt_as_practice() -> None:
    laid = table(path=(), foundation=None)
    for prompt in GAME.prompts(laid.state):
        for choice in prompt.choices:
            if prompt.must and choice.asks:
                assert deal(laid.state, choice, Shuffled(1), GAME.box) == UsePractice()


def test_market_and_coins_are_dealt() -> None:
    laid = due(coin="monk")
    for kind in (NameTile, NameCoin, TakeCoin):
        laid.do(deal(laid.state, offered(laid, kind), Shuffled(4), GAME.box))


def test_a_light_game_is_dealt_within_its_counters() -> None:
    options: dict[str, str | int | bool] = {"detail": "light"}
    found: Counter[int] = Counter()
    for seed in range(20):
        laid = table(Baron(holder=1), options=options)
        laid.do(deal(laid.state, offered(laid, RaiseCastle, level=2), Shuffled(seed), GAME.box))
        found[laid.north.windows] += 1
        lost = due(Baron(holder=3, built=1, levels=2, windows=1), coin="crumble", options=options)
        lost.do(TakeCoin(seat=0, slot=0))
        lost.do(deal(lost.state, offered(lost, LoseTile), Shuffled(seed), GAME.box))
        assert lost.north.built == 0
    assert len(found) > 1


def test_what_cannot_be_drawn_is_told() -> None:
    choice = Choice(label="", action=UsePractice(), asks=(Ask(field="name", label="name", kind="text"),))
    with pytest.raises(Malformed, match="cannot draw"):
        deal(table().state, choice, Shuffled(0), GAME.box)
