"""Coins: taking them, each of the eleven effects with its ties, the end."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.rules.castle_builder import GAME
from companion.rules.castle_builder.actions import (
    BringDown,
    DiscardTiles,
    DrawTiles,
    NameCoin,
    PickTile,
    StealTile,
    TakeCoin,
)
from companion.rules.castle_builder.coins import NAMES, RED, words
from companion.rules.castle_builder.state import COINS, Coin, Tile
from tests.rules.castle_builder.table import DOOR_X, Table, at, balanced, baron, due, table

TAKE = TakeCoin(seat=0, slot=0)


# Taking


def test_a_coin_taken_is_replaced_at_once_and_kept() -> None:
    laid = due(coin="bitter-lady").do(TAKE)
    assert laid.north.coins == 1
    assert laid.state.coins == (None, None, None)
    assert laid.state.coin_pile == 36 - 3 - 1


def test_a_coin_must_be_due() -> None:
    laid = table(coins=("monk", None, None))
    laid.refuses(TAKE, "turn.pending")
    laid.overrule(TAKE)
    assert laid.north.coins == 1


def test_a_coin_not_entered_is_asked_for() -> None:
    laid = due(coin="monk")
    laid.refuses(TakeCoin(seat=0, slot=1), "market.entered", final=True)
    laid.do(TakeCoin(seat=0, slot=1, coin="bitter-lady"))
    assert laid.holders() == [3, 2]


def test_a_coin_is_what_was_entered() -> None:
    laid = due(coin="monk").do(NameCoin(slot=1, coin="thief"))
    laid.refuses(NameCoin(slot=1, coin="mill"), "market.entered")
    laid.refuses(TakeCoin(seat=0, slot=1, coin="mill"), "market.entered")


def test_coins_due_are_taken_one_by_one() -> None:
    laid = replaced(due(coin="most-roofs"), due=2).do(TAKE)
    assert (laid.state.phase, laid.state.active) == ("coin", 0)
    laid.do(TakeCoin(seat=0, slot=0, coin="most-roofs"))
    assert (laid.state.phase, laid.state.active) == ("turn", 1)


def replaced(laid: Table, **changes: object) -> Table:
    return Table(balanced(replace(laid.state, **changes)))


# The eleven effects


def test_effect_ruby_moves_one_more_step_with_all_it_brings() -> None:
    laid = due(baron(space=4), coin="ruby").do(TAKE)
    assert (laid.north.space, laid.state.due) == (5, 1)
    laid = due(baron(space=8), coin="ruby").do(TAKE)
    assert laid.north.space == 10, "a ruby area pushes on"


def test_effect_highest_tower_pays_two_tiles() -> None:
    high = baron(at(1, 0, 1), at(2, -1, 1, bottom="air-stone"))
    assert due(baron(), high, coin="highest-tower").do(TAKE).holders() == [3, 5]


def test_effect_thief_takes_a_tile_of_ones_choice_of_opponent() -> None:
    laid = due(baron(), baron(holder=2), baron(holder=4), players=3, coin="thief").do(TAKE)
    laid.refuses(DrawTiles(seat=0), "turn.pending")
    laid.refuses(StealTile(seat=0, victim=0), "coin.thief", final=True)
    laid.refuses(PickTile(seat=0, slot=0), "coin.take")
    laid.do(StealTile(seat=0, victim=2))
    assert laid.holders() == [4, 2, 3]
    assert laid.state.active == 1


def test_effect_thief_with_a_full_holder_discards() -> None:
    laid = due(baron(holder=7), coin="thief").do(TAKE, StealTile(seat=0, victim=1))
    assert laid.state.phase == "discard"
    laid.do(DiscardTiles(seat=0))
    assert (laid.holders(), laid.state.discard) == ([7, 2], 1)


@pytest.mark.parametrize(
    ("coin", "shown"),
    [("most-persons", {"persons": 2}), ("most-windows", {"windows": 2}), ("most-roofs", {"roof": True})],
)
def test_effect_most_pays_two_tiles_to_who_shows_most(coin: Coin, shown: dict[str, int]) -> None:
    laid = due(baron(), baron(at(1, 0, 1, **shown)), coin=coin).do(TAKE)
    assert laid.holders() == [3, 5]


def test_effect_bitter_lady_costs_every_opponent_a_tile() -> None:
    laid = due(baron(), baron(holder=0), baron(holder=4), players=3, coin="bitter-lady").do(TAKE)
    assert (laid.holders(), laid.state.discard) == ([3, 0, 3], 1)


def test_effect_mill_brings_new_tiles_and_one_is_taken() -> None:
    laid = due(coin="mill")
    laid = replaced(laid, tiles=(Tile(number=3), Tile(number=4), Tile(number=5))).do(TAKE)
    assert (laid.state.tiles, laid.state.discard) == ((None, None, None), 3)
    laid.do(PickTile(seat=0, slot=1))
    assert (laid.north.holder, laid.state.active) == (4, 1)


def test_effect_crumble_discards_a_bare_tile_of_ones_own() -> None:
    castle = (at(1, 0, 4), at(1, 2, 3), at(2, 1, 7))
    laid = due(baron(*castle), baron(at(1, 0, 1)), coin="crumble").do(TAKE)
    laid.refuses(BringDown(seat=0, owner=1, level=1, x=0), "coin.crumble")
    laid.do(BringDown(seat=0, owner=0, level=2, x=1))
    assert (laid.north.castle, laid.north.space, laid.state.discard) == (castle[:2], 0, 1)


def test_effect_monk_pays_three_tiles_to_the_poorest_before_this_coin() -> None:
    assert due(baron(coins=1), baron(coins=2), coin="monk").do(TAKE).holders() == [6, 3]


def test_effect_catapult_discards_a_bare_tile_of_an_opponent() -> None:
    laid = due(baron(at(1, 0, 1)), baron(at(1, 0, 2)), coin="catapult").do(TAKE)
    laid.refuses(BringDown(seat=0, owner=0, level=1, x=0), "coin.catapult")
    laid.do(BringDown(seat=0, owner=1, level=1, x=0))
    assert (laid.east.castle, laid.east.space) == ((), 1)


# Options


@pytest.mark.parametrize("coin", RED)
def test_peaceful_times_turns_red_coins_into_a_market_tile(coin: Coin) -> None:
    laid = due(baron(), baron(at(1, 0, 1)), coin=coin, options={"peaceful": True}).do(TAKE)
    assert laid.state.effect == "pick"
    laid.do(PickTile(seat=0, slot=0))
    assert laid.holders() == [4, 3]
    assert len(laid.east.castle) == 1


def test_peaceful_times_leaves_the_other_coins_alone() -> None:
    laid = due(coin="monk", options={"peaceful": True}).do(TAKE)
    assert laid.holders() == [6, 6]


def test_the_seventh_coin_wins() -> None:
    laid = due(baron(coins=6), coin="mill").do(TAKE)
    assert laid.state.over
    assert GAME.outcome(GAME.score(laid.state)).text == "North wins with 7 coins."


def test_reach_the_sky_goes_on_to_nine() -> None:
    laid = due(baron(coins=6), coin="most-roofs", options={"sky": True}).do(TAKE)
    assert not laid.state.over
    assert due(baron(coins=8), coin="most-roofs", options={"sky": True}).do(TAKE).state.over


# Rulings


def test_ruling_ends_at_once() -> None:
    laid = replaced(due(baron(coins=6), baron(coins=6), coin="highest-tower"), due=2).do(TAKE)
    assert (laid.state.over, laid.state.due, laid.holders()) == (True, 0, [3, 3])
    laid.refuses(DrawTiles(seat=1), "table.over")


def test_ruling_ties_all_paid() -> None:
    assert due(coin="highest-tower", players=3).do(TAKE).holders() == [5, 5, 5]
    tied = baron(at(1, 0, 1, windows=1))
    assert due(baron(), tied, tied, players=3, coin="most-windows").do(TAKE).holders() == [3, 5, 5]


@pytest.mark.parametrize("coin", ["most-persons", "most-windows", "most-roofs"])
def test_ruling_most_needs_one(coin: Coin) -> None:
    assert due(coin=coin).do(TAKE).holders() == [3, 3]


def test_ruling_monk_ties() -> None:
    laid = due(baron(coins=2), baron(coins=1), baron(coins=1), players=3, coin="monk").do(TAKE)
    assert laid.holders() == [3, 6, 6]
    assert due(baron(coins=1), baron(coins=1), coin="monk").do(TAKE).holders() == [6, 6], "before this coin"


def test_ruling_door_stands() -> None:
    laid = due(baron(at(1, 0, 1)), coin="crumble").do(TAKE)
    laid.refuses(BringDown(seat=0, owner=0, level=1, x=DOOR_X), "ruling.door-stands", final=True)


def test_ruling_half_bears() -> None:
    laid = due(baron(at(1, 0, 6), at(2, -1, 6, bottom="air-stone")), coin="crumble").do(TAKE)
    under = BringDown(seat=0, owner=0, level=1, x=0)
    laid.refuses(under, "ruling.half-bears")
    laid.refuses(BringDown(seat=0, owner=0, level=3, x=0), "ruling.half-bears", final=True)
    laid.overrule(under)
    assert len(laid.north.castle) == 1


def test_ruling_nothing_to_do() -> None:
    for coin in ("crumble", "catapult"):
        assert due(coin=coin).do(TAKE).state.active == 1
    assert due(baron(), baron(holder=0), coin="thief").do(TAKE).state.active == 1
    laid = due(baron(), baron(holder=0), baron(), players=3, coin="thief").do(TAKE)
    laid.refuses(StealTile(seat=0, victim=1), "ruling.nothing-to-do", final=True)


def test_ruling_gain_order() -> None:
    laid = due(coin="monk", players=3)
    barons = tuple(replace(each, holder=0) for each in laid.state.barons)
    laid = Table(replace(laid.state, barons=barons, pile=4, box_tiles=7)).do(TAKE)
    assert laid.holders() == [3, 1, 0]


def test_ruling_market_short() -> None:
    laid = Table(replace(table().state, pile=0, box_tiles=9, active=0))
    laid.do(DrawTiles(seat=0))
    assert laid.holders() == [3, 3]
    laid = due(coin="bitter-lady")
    short = replace(laid.state, pile=0, tiles=(None, None), box_tiles=8)
    assert Table(short).do(TAKE).state.tiles == (None, None, None)


def test_words_for_every_coin() -> None:
    state = table().state
    assert {coin: bool(words(state, coin)) for coin in COINS} == dict.fromkeys(COINS, True)
    assert set(NAMES) == set(COINS)
    assert words(state, "monk") == "fewest coins gains 3 tiles: North, East"
    assert words(state, "most-roofs").endswith("nobody")
    peaceful = table(options={"peaceful": True}).state
    assert {words(peaceful, coin) for coin in RED} == {"take a tile from the market"}
