"""Castle Dukes: spending coins on tiles, pillars and construction cards, and the inventory's limits."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.rules.base import Action
from companion.rules.castle_dukes.actions import (
    DiscardItem,
    DiscardRoom,
    DrawConstruction,
    DrawTile,
    FinishBuilding,
    PlaceTile,
    StopBuying,
    TakePillars,
)
from companion.rules.castle_dukes.state import Options, Stocked
from tests.rules.castle_dukes.table import ATTIC, CELLAR, KITCHEN, Table, table

TILE = DrawTile(seat=0)
PILLARS = TakePillars(seat=0)
BRAZIERS = DrawConstruction(seat=0, items={"brazier": 2})


def opening(*coins: int) -> Table:
    """A table before the first turn, with so many free coins at each seat."""
    laid = table(players=len(coins), phase="opening")
    dukes = tuple(replace(duke, coins=free) for duke, free in zip(laid.state.dukes, coins, strict=True))
    return Table(replace(laid.state, dukes=dukes))


def without_supply(laid: Table, item: Stocked, left: int = 0) -> Table:
    """The table with all but a few of a component gone."""
    return Table(replace(laid.state, stock={**laid.state.stock, item: left}))


# The rulebook's examples


def test_three_coins_buy_two_tiles_and_a_pair_of_pillars() -> None:
    laid = table(coins=3).do(TILE, TILE, PILLARS)
    assert laid.north.held == {"tile": 2, "pillar": 2}
    assert laid.north.coins == 0


def test_three_coins_buy_three_pairs_of_pillars() -> None:
    laid = table(coins=3).do(PILLARS, PILLARS, PILLARS)
    assert laid.north.held == {"pillar": 6}


def test_with_one_pillar_held_only_five_more_fit() -> None:
    laid = table(coins=3, held={"pillar": 1}).do(PILLARS, PILLARS, PILLARS)
    assert laid.north.held == {"pillar": 6}
    assert laid.changes() == {"coins": -1, "pillar": 1}
    assert "ruling.pillars-what-fits" in laid.rules()


def test_with_two_braziers_held_a_card_for_two_gives_one() -> None:
    laid = table(held={"brazier": 2}).do(BRAZIERS)
    assert laid.north.held == {"brazier": 3}
    assert laid.changes() == {"coins": -4, "brazier": 1}


# Coins


@pytest.mark.parametrize("action", [TILE, PILLARS, BRAZIERS])
def test_what_cannot_be_paid_is_refused(action: Action) -> None:
    assert table(coins=0).refuses(action, "building.acquire").startswith("North has 0 coins")


def test_a_construction_card_costs_four() -> None:
    table(coins=3).refuses(BRAZIERS, "building.acquire")
    assert table(coins=4).do(BRAZIERS).north.coins == 0


def test_each_purchase_is_a_fact() -> None:
    laid = table().do(TILE)
    assert laid.changes() == {"coins": -1, "tile": 1}
    assert laid.state.stock["tile"] == 49


def test_a_construction_card_is_discarded_after_use() -> None:
    laid = table().do(DrawConstruction(seat=0, items={"ballista": 1, "cauldron": 2}))
    assert laid.state.stock["construction"] == 19
    assert laid.state.discard["construction"] == 1
    assert laid.north.held == {"ballista": 1, "cauldron": 2}


# Limits


def test_a_fourth_tile_is_refused() -> None:
    why = table(held={"tile": 3}).refuses(TILE, "inventory.limit")
    assert why == "North already holds 3 floor tiles; the limit is 3."


def test_a_seventh_pillar_is_refused() -> None:
    table(held={"pillar": 6}).refuses(PILLARS, "inventory.pillars")


def test_the_table_may_overrule_a_full_inventory() -> None:
    assert table(held={"tile": 3}).overrule(TILE).north.held == {"tile": 4}


def test_coins_never_go_below_zero_when_overruled() -> None:
    laid = table(coins=1).overrule(BRAZIERS)
    assert laid.north.coins == 0
    assert laid.north.held == {"brazier": 2}


@pytest.mark.parametrize(("item", "action"), [("tile", TILE), ("pillar", PILLARS), ("construction", BRAZIERS)])
def test_what_has_run_out_cannot_be_taken(item: Stocked, action: Action) -> None:
    without_supply(table(), item).refuses(action, "supply.limited", final=True)


def test_the_last_pillar_is_given_alone() -> None:
    laid = without_supply(table(), "pillar", 1).do(PILLARS)
    assert laid.north.held == {"pillar": 1}


def test_a_construction_card_gives_what_is_left() -> None:
    assert without_supply(table(), "brazier", 1).do(BRAZIERS).north.held == {"brazier": 1}


def test_discarded_tiles_come_back_when_none_is_left() -> None:
    laid = without_supply(table(held={"tile": 2}), "tile").do(DiscardItem(seat=0, item="tile", count=2), TILE)
    assert laid.north.held == {"tile": 1}
    assert "supply.reshuffle" in laid.rules()


# When


@pytest.mark.parametrize("phase", ["room", "guest-card", "dragon", "guests"])
@pytest.mark.parametrize("action", [TILE, PILLARS, BRAZIERS, StopBuying(seat=0), DiscardItem(seat=0, item="tile")])
def test_nothing_is_acquired_or_put_away_outside_the_building_phase(phase: str, action: Action) -> None:
    table(phase=phase, coins=5, held={"tile": 1}).refuses(action, "turn.phases")


@pytest.mark.parametrize("action", [TILE, PILLARS, BRAZIERS, StopBuying(seat=0)])
def test_who_has_declared_spends_no_more(action: Action) -> None:
    table().do(StopBuying(seat=0)).refuses(action, "building.declared")


def test_who_has_begun_to_place_spends_no_more() -> None:
    laid = table(held={"tile": 1}).do(PlaceTile(seat=0, tower="left"))
    laid.refuses(TILE, "building.declared")


def test_the_others_may_go_on_acquiring() -> None:
    laid = table().do(StopBuying(seat=0), DrawTile(seat=1))
    assert laid.state.dukes[1].held == {"tile": 1}


def test_declaring_says_how_many_coins_stay_unspent() -> None:
    laid = table(coins=2).do(StopBuying(seat=0))
    assert laid.north.stage == "placing"
    assert laid.facts[-1].text == "North is done acquiring: 2 coins can no longer be spent."


def test_only_seats_in_the_game_act() -> None:
    table().refuses(DrawTile(seat=2), "turn.seat", final=True)


@pytest.mark.parametrize(
    "action", [TILE, PILLARS, BRAZIERS, DiscardItem(seat=0, item="tile"), DiscardRoom(seat=0, card=0)]
)
def test_a_light_game_tracks_no_pieces(action: Action) -> None:
    table(options=Options(detail="light")).refuses(action, "light.only", final=True)


def test_a_light_game_still_has_its_declarations() -> None:
    assert table(options=Options(detail="light")).do(StopBuying(seat=0)).north.stage == "placing"


# Making room


def test_items_are_put_away_on_the_discard() -> None:
    laid = table(held={"pillar": 6}).do(DiscardItem(seat=0, item="pillar", count=2))
    assert laid.north.held == {"pillar": 4}
    assert laid.state.discard == {"pillar": 2}
    assert laid.changes() == {"pillar": -2}


def test_a_room_card_is_put_away_on_the_discard() -> None:
    laid = table(cards=(KITCHEN, ATTIC, CELLAR)).do(DiscardRoom(seat=0, card=1))
    assert laid.north.cards == (KITCHEN, CELLAR)
    assert laid.state.discard == {"room": 1}


def test_only_what_is_held_can_be_put_away() -> None:
    laid = table(held={"coffer": 1}, cards=(KITCHEN,))
    laid.refuses(DiscardItem(seat=0, item="coffer", count=2), "inventory.have", final=True)
    laid.refuses(DiscardItem(seat=0, item="serf"), "inventory.have", final=True)
    laid.refuses(DiscardRoom(seat=0, card=1), "inventory.have", final=True)


def test_who_has_finished_puts_nothing_away() -> None:
    laid = table(held={"coffer": 1}).do(FinishBuilding(seat=0))
    laid.refuses(DiscardItem(seat=0, item="coffer"), "building.finished")


# Free coins of the set-up


def test_free_coins_buy_tiles_and_pillars_then_the_first_turn_begins() -> None:
    laid = opening(0, 1, 2).do(DrawTile(seat=1), TakePillars(seat=2))
    assert laid.state.phase == "opening"
    assert laid.do(DrawTile(seat=2)).state.phase == "room"
    assert [duke.held for duke in laid.state.dukes] == [{}, {"tile": 1}, {"pillar": 2, "tile": 1}]
    assert [duke.coins for duke in laid.state.dukes] == [5, 5, 5]


def test_the_first_player_has_no_free_coin() -> None:
    opening(0, 1).refuses(TILE, "setup.free-coins")


def test_free_coins_buy_no_construction_card() -> None:
    opening(4, 0).refuses(BRAZIERS, "building.free-coins-last")


def test_free_coins_must_be_spent() -> None:
    assert "1 free coin" in opening(1, 1).refuses(StopBuying(seat=0), "setup.free-coins")
    assert opening(1, 0).overrule(StopBuying(seat=0)).state.phase == "room"


def test_free_coins_that_fit_nowhere_are_lost() -> None:
    laid = opening(7, 0).do(TILE, TILE, TILE, PILLARS, PILLARS)
    assert laid.state.phase == "opening"
    assert laid.do(PILLARS).state.phase == "room"
    assert laid.north.held == {"tile": 3, "pillar": 6}
    assert "ruling.late-coins" in laid.rules()
