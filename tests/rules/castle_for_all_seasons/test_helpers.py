"""Using helpers: when, where, how many, what for."""

from __future__ import annotations

import pytest

from companion.rules.castle_for_all_seasons.actions import (
    DoneBuilding,
    DonePlacing,
    Erect,
    Payment,
    PlaceHelper,
    PostNobody,
    TakeFromTower,
)
from companion.rules.castle_for_all_seasons.state import Target
from tests.rules.castle_for_all_seasons.table import EAST, NORTH, Table, table

TOWER = Payment(own={"stone": 1, "wood": 1, "sand": 1})


def builder(here: Table | None = None, talers: int = 40) -> Table:
    """North has erected a tower with the stonemason and may place helpers."""
    here = (here or table()).give(NORTH, stone=1, talers=talers).reveal("stonemason", "messenger", "messenger")
    return here.do(Erect(seat=NORTH, building="tower", payment=TOWER), DoneBuilding(seat=NORTH))


def test_a_helper_pays_the_fee_to_the_bank() -> None:
    here = builder()
    bank = here.state.bank
    here.do(PlaceHelper(seat=NORTH, spot="forge-10"))
    assert here.state.bank == bank + 10
    assert here.state.helpers == {"forge-10": NORTH}


@pytest.mark.parametrize(("spot", "fee"), [("forge-10", 10), ("forge-6", 6)])
def test_the_fees_of_the_forge(spot: Target, fee: int) -> None:
    """ruling.forge-fees"""
    here = builder()
    talers = here.talers(NORTH)
    assert here.do(PlaceHelper(seat=NORTH, spot=spot)).talers(NORTH) == talers - fee


def test_without_a_building_no_helper() -> None:
    here = table().give(NORTH, talers=40).reveal("bricklayer", "messenger", "messenger")
    here.do(TakeFromTower(seat=NORTH, kind="sand"), DoneBuilding(seat=NORTH))
    assert here.state.round == 2


def test_no_helper_where_none_was_erected() -> None:
    here = builder()
    here.refuses(PlaceHelper(seat=NORTH, spot="keep"), "helper.erected")
    here.overrule(PlaceHelper(seat=NORTH, spot="keep"))
    assert here.state.helpers == {"keep": NORTH}


def test_one_helper_on_a_place() -> None:
    here = builder(table().helper(EAST, "forge-10"))
    here.refuses(PlaceHelper(seat=NORTH, spot="forge-10"), "helper.one", final=True)


def test_two_helpers_on_different_buildings() -> None:
    here = builder().do(PlaceHelper(seat=NORTH, spot="forge-10"))
    here.refuses(PlaceHelper(seat=NORTH, spot="forge-6"), "helper.different")
    here.do(PlaceHelper(seat=NORTH, spot="market-1"))
    assert here.state.round == 2


def test_a_third_helper_only_by_agreement() -> None:
    here = builder(table().built("servants-house", by=EAST))
    here.do(PlaceHelper(seat=NORTH, spot="forge-10"))
    here.overrule(PlaceHelper(seat=NORTH, spot="forge-6"))
    assert here.state.round == 2


def test_the_fee_must_be_there() -> None:
    here = builder(talers=4)
    assert here.talers(NORTH) == 8
    here.refuses(PlaceHelper(seat=NORTH, spot="forge-10"), "helper.fee")
    here.overrule(PlaceHelper(seat=NORTH, spot="forge-10"))
    assert here.talers(NORTH) == 0


def test_who_can_afford_nothing_is_not_asked() -> None:
    here = builder(talers=0)
    assert here.state.round == 2


def test_trader_helpers_may_be_used() -> None:
    here = builder(table().post(NORTH, "sand", "silver"))
    here.do(PlaceHelper(seat=NORTH, spot="forge-10", source="silver"))
    assert {*here.state.posts} == {"sand"}
    assert here.state.builders[NORTH].helpers == 4
    here.refuses(PlaceHelper(seat=NORTH, spot="market-1", source="clay"), "helper.have", final=True)


def test_an_opponents_trader_helper_is_not_ones_own() -> None:
    here = builder(table().post(EAST, "clay"))
    here.refuses(PlaceHelper(seat=NORTH, spot="forge-10", source="clay"), "helper.have", final=True)


def test_only_in_the_own_turn() -> None:
    here = builder()
    here.refuses(PlaceHelper(seat=EAST, spot="forge-10"), "helper.cards")
    here.refuses(DonePlacing(seat=EAST), "helper.cards", final=True)
    assert here.do(DonePlacing(seat=NORTH)).state.round == 2


def test_two_cards_share_the_helpers_of_a_round() -> None:
    """ruling.helpers-by-round"""
    here = table(2).give(NORTH, stone=1, talers=50)
    here.reveal(("bricklayer", "stonemason"), ("messenger", "trader"))
    here.do(PostNobody(seat=EAST), TakeFromTower(seat=NORTH, kind="clay"))
    here.do(Erect(seat=NORTH, building="tower", payment=TOWER), DoneBuilding(seat=NORTH))
    here.do(PlaceHelper(seat=NORTH, spot="forge-10"), DonePlacing(seat=NORTH))
    here.do(DoneBuilding(seat=NORTH))
    assert here.stage() == (NORTH, "helpers")
    here.refuses(PlaceHelper(seat=NORTH, spot="forge-6"), "helper.different")
    here.do(PlaceHelper(seat=NORTH, spot="market-2"))
    assert here.state.round == 2


def test_three_rounds_fill_the_servants_house() -> None:
    here = table().built("servants-house", by=EAST).helper(NORTH, "servants-house-1", "servants-house-2")
    builder(here).do(PlaceHelper(seat=NORTH, spot="servants-house-3"))
    assert [*here.state.helpers.values()] == [NORTH] * 3
