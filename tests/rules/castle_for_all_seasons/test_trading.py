"""Messenger and trader: the bank, the carts and the rider, displacing, what the carts pay."""

from __future__ import annotations

import pytest

from companion.rules.base import Setup
from companion.rules.castle_for_all_seasons import GAME
from companion.rules.castle_for_all_seasons.actions import PostHelper, PostNobody, ReadCart
from companion.rules.castle_for_all_seasons.state import Resource
from tests.rules.castle_for_all_seasons.table import EAST, NORTH, SOUTH, Table, table


def trader(here: Table | None = None) -> Table:
    """North executes a trader; the others play messengers."""
    return (here or table()).reveal("trader", "messenger", "messenger")


def test_the_messenger_takes_eight_talers() -> None:
    assert trader().talers(EAST) == 3 + 8


def test_the_messenger_takes_what_the_bank_has() -> None:
    here = table().empty_bank(left=11)
    here.reveal("messenger", "messenger", "trader")
    assert (here.talers(NORTH), here.talers(EAST), here.state.bank) == (4 + 8, 3 + 3, 0)
    assert any("the bank has no more" in fact.text for fact in here.facts)


def test_an_empty_bank_pays_nothing() -> None:
    here = table().empty_bank().reveal("messenger", "messenger", "trader")
    assert here.talers(NORTH) == 4


def test_a_helper_to_a_cart_pays_with_the_tribute_first() -> None:
    here = trader().do(PostHelper(seat=NORTH, cart="clay"))
    assert here.held(NORTH)["clay"] == 3
    assert here.state.tower["clay"] == 2
    assert here.state.builders[NORTH].helpers == 5


def test_the_tribute_on_top() -> None:
    """ruling.tribute"""
    here = trader(table(tribute="on-top")).do(PostHelper(seat=NORTH, cart="clay"))
    assert (here.held(NORTH)["clay"], here.state.tower["clay"]) == (4, 2)


@pytest.mark.parametrize(("left", "tower", "got"), [(0, 1, 0), (1, 2, 0), (2, 2, 1)])
def test_when_a_cart_runs_out_the_tower_comes_first(left: int, tower: int, got: int) -> None:
    here = table()
    here.give(SOUTH, stone=14 - left)
    trader(here).do(PostHelper(seat=NORTH, cart="stone"))
    assert (here.state.tower["stone"], here.held(NORTH).get("stone", 0)) == (tower, got)


def test_every_owner_is_paid_once_after_the_last_trader() -> None:
    here = table().post(EAST, "sand").reveal("trader", "messenger", "trader")
    here.do(PostHelper(seat=NORTH, cart="clay"))
    assert "clay" not in here.held(NORTH)
    here.do(PostHelper(seat=SOUTH, cart="stone"))
    assert here.held(NORTH)["clay"] == 3
    assert here.held(EAST)["sand"] == 1 + 3
    assert here.held(SOUTH)["stone"] == 3


def test_without_a_trader_the_carts_pay_nothing() -> None:
    """ruling.no-trader-no-pay"""
    here = table().post(EAST, "sand").reveal("messenger", "messenger", "messenger")
    assert here.held(EAST) == {"sand": 1, "wood": 1}
    assert here.state.round == 2


def test_the_rider_after_all_carts() -> None:
    here = trader(table().post(EAST, "sand", "wood", "clay"))
    here.refuses(PostHelper(seat=NORTH, cart="silver"), "trader.rider")
    full = trader(table().post(EAST, "sand", "wood", "clay", "stone"))
    full.do(PostHelper(seat=NORTH, cart="silver"))
    assert full.held(NORTH)["silver"] == 3


@pytest.mark.parametrize("cart", ["sand", "silver"])
def test_displacing_when_all_carts_have_a_helper(cart: Resource) -> None:
    here = trader(table().post(EAST, "sand", "wood").post(SOUTH, "clay", "stone", "silver"))
    owner = here.state.posts[cart].seat
    here.do(PostHelper(seat=NORTH, cart=cart))
    assert here.state.posts[cart].seat == NORTH
    assert here.state.builders[owner].helpers == (5 if owner == EAST else 4)


def test_no_displacing_while_a_cart_is_free() -> None:
    here = trader(table().post(EAST, "sand", "wood", "clay"))
    here.refuses(PostHelper(seat=NORTH, cart="sand"), "trader.displace")
    here.overrule(PostHelper(seat=NORTH, cart="sand"))
    assert here.state.posts["sand"].seat == NORTH


def test_the_rider_is_not_displaced_while_a_cart_is_free() -> None:
    here = trader(table().post(EAST, "sand", "wood", "clay", "silver"))
    here.refuses(PostHelper(seat=NORTH, cart="silver"), "trader.displace")


def test_a_helper_of_the_same_round_stays() -> None:
    here = table().post(SOUTH, "sand", "wood", "clay").reveal("trader", "trader", "messenger")
    here.do(PostHelper(seat=NORTH, cart="stone"))
    here.refuses(PostHelper(seat=EAST, cart="stone"), "trader.same-round")
    here.do(PostHelper(seat=EAST, cart="sand"))


def test_nobody_displaces_himself() -> None:
    """ruling.trader-from-stock"""
    here = trader(table().post(NORTH, "sand", "wood", "clay", "stone"))
    here.refuses(PostHelper(seat=NORTH, cart="sand"), "trader.displace")
    here.refuses(PostHelper(seat=NORTH, cart="silver", source="sand"), "ruling.trader-from-stock")


def test_a_trader_may_place_nobody_and_the_carts_still_pay() -> None:
    """ruling.trader-may-pass"""
    here = trader(table().post(NORTH, "sand")).do(PostNobody(seat=NORTH))
    assert here.held(NORTH)["sand"] == 1 + 3


def test_a_trader_without_helpers() -> None:
    here = table().built("servants-house", "palace").post(NORTH, "sand")
    here.helper(NORTH, "servants-house-1", "servants-house-2", "servants-house-3", "palace-1", "palace-2")
    trader(here)
    assert here.held(NORTH)["sand"] == 1 + 3
    assert here.state.round == 2


def test_only_the_trader_places() -> None:
    here = table().reveal("trader", "messenger", "trader")
    here.refuses(PostHelper(seat=SOUTH, cart="sand"), "turn.order")
    here.refuses(PostNobody(seat=SOUTH), "turn.order", final=True)
    here.overrule(PostHelper(seat=SOUTH, cart="sand"))
    assert here.stage() == (NORTH, "post")


def test_a_cart_that_is_not_read_waits_for_the_table() -> None:
    here = trader(Table(GAME.setup(Setup(seats=("North", "East", "South")))))
    here.do(PostHelper(seat=NORTH, cart="wood"))
    assert here.state.phase == "carts"
    here.do(ReadCart(cart="wood", pieces=3))
    assert here.held(NORTH)["wood"] == 1 + 2
    assert here.state.round == 2
