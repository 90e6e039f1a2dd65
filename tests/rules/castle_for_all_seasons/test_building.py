"""Bricklayer, stonemason, worker, master builder: resources, buildings, rewards."""

from __future__ import annotations

from companion.rules.castle_for_all_seasons.actions import (
    AnswerSale,
    Buy,
    BuyNothing,
    DoneBuilding,
    Erect,
    Payment,
    PlaceHelper,
    PostNobody,
    TakeFromTower,
)
from tests.rules.castle_for_all_seasons.table import EAST, NORTH, SOUTH, Table, table

TOWER = Payment(own={"stone": 1, "wood": 1, "sand": 1})
STABLE = Payment(own={"stone": 2, "clay": 1, "sand": 4})


def bricklayer(here: Table | None = None) -> Table:
    """North has taken sand from the tower and may build."""
    here = here or table()
    return here.reveal("bricklayer", "messenger", "messenger").do(TakeFromTower(seat=NORTH, kind="sand"))


# Bricklayer


def test_all_pieces_of_one_kind_from_the_tower() -> None:
    here = table().reveal("bricklayer", "messenger", "messenger")
    assert here.stage() == (NORTH, "take")
    here.do(TakeFromTower(seat=NORTH, kind="silver"))
    assert here.held(NORTH)["silver"] == 1
    assert "silver" not in here.state.tower
    here.refuses(TakeFromTower(seat=NORTH, kind="stone"), "turn.order")


def test_a_kind_the_tower_does_not_have() -> None:
    here = table().reveal("bricklayer", "bricklayer", "messenger")
    here.do(TakeFromTower(seat=NORTH, kind="sand")).through()
    here.refuses(TakeFromTower(seat=EAST, kind="sand"), "brick.take", final=True)


def test_a_taler_for_each_piece_used() -> None:
    here = bricklayer(table().give(NORTH, stone=2, clay=1, sand=2))
    before = here.talers(NORTH)
    here.do(Erect(seat=NORTH, building="stable", payment=STABLE))
    assert here.talers(NORTH) == before + 7
    assert here.points(NORTH) == 0
    assert "stable" not in here.state.tiles


def test_a_bricklayer_with_a_poor_bank() -> None:
    here = table().give(NORTH, stone=1).empty_bank(left=2)
    here.reveal("bricklayer", "sand-worker", "sand-worker").do(TakeFromTower(seat=NORTH, kind="sand"))
    here.do(Erect(seat=NORTH, building="tower", payment=TOWER))
    assert (here.talers(NORTH), here.state.bank) == (4 + 2, 0)


def test_silver_goes_through_the_forge_and_counts_as_a_piece() -> None:
    here = bricklayer(table().give(NORTH, silver=2))
    before = here.talers(NORTH)
    here.do(Erect(seat=NORTH, building="tower", payment=Payment(own={"wood": 1, "sand": 1}, silver={"stone": 1})))
    assert here.state.forge == 1
    assert here.held(NORTH) == {"sand": 1, "silver": 1}
    assert here.talers(NORTH) == before + 3


def test_the_pieces_come_back_to_the_carts() -> None:
    here = bricklayer(table().give(NORTH, stone=1))
    stone = here.state.stock["stone"]
    here.do(Erect(seat=NORTH, building="tower", payment=TOWER))
    assert here.state.stock["stone"] == stone + 1


# Paying


def test_not_more_and_not_less_than_the_value() -> None:
    here = bricklayer(table().give(NORTH, stone=2, clay=1, sand=5))
    here.refuses(
        Erect(seat=NORTH, building="stable", payment=Payment(own={"stone": 2, "clay": 1, "sand": 5})), "build.exact"
    )
    here.refuses(
        Erect(seat=NORTH, building="stable", payment=Payment(own={"stone": 2, "clay": 1, "sand": 3})), "build.exact"
    )


def test_three_kinds_at_least() -> None:
    here = bricklayer(table().give(NORTH, stone=2, clay=2, sand=2))
    two = Erect(seat=NORTH, building="stable", payment=Payment(own={"stone": 2, "clay": 2}))
    here.refuses(two, "build.kinds")
    here.overrule(two)
    assert "stable" not in here.state.tiles


def test_only_what_one_has() -> None:
    here = bricklayer(table().give(NORTH, stone=1))
    here.refuses(Erect(seat=NORTH, building="stable", payment=STABLE), "build.have", final=True)
    silver = Payment(own={"wood": 1, "sand": 1}, silver={"stone": 1})
    here.refuses(Erect(seat=NORTH, building="tower", payment=silver), "build.have", final=True)


def test_who_cannot_pay_is_told_so() -> None:
    here = bricklayer()
    why = here.refuses(Erect(seat=NORTH, building="palace", payment=Payment()), "build.exact")
    assert why == "North cannot pay exactly 30 with 3 kinds or more."


def test_at_most_two_buildings_a_card() -> None:
    here = bricklayer(table().give(NORTH, stone=3, wood=2, sand=2))
    for _ in range(2):
        here.do(Erect(seat=NORTH, building="tower", payment=TOWER))
    assert here.stage() == (NORTH, "helpers")
    here.refuses(Erect(seat=NORTH, building="tower", payment=TOWER), "ruling.build-then-helpers")
    here.overrule(Erect(seat=NORTH, building="tower", payment=TOWER))
    assert here.state.builders[NORTH].tiles == {"tower": 3}


def test_a_building_that_stands_is_not_erected_again() -> None:
    here = bricklayer(table().built("stable", by=EAST))
    here.refuses(Erect(seat=NORTH, building="stable", payment=STABLE), "build.tile", final=True)


def test_only_in_the_own_turn() -> None:
    here = table().give(EAST, stone=1)
    bricklayer(here).refuses(Erect(seat=EAST, building="tower", payment=TOWER), "turn.order")
    here.refuses(DoneBuilding(seat=EAST), "turn.order", final=True)


# Stonemason


def mason(here: Table | None = None, other: str = "sand-worker") -> Table:
    return (here or table()).reveal("stonemason", other, "messenger")  # type: ignore[arg-type]


def test_buying_from_a_worker() -> None:
    here = mason().do(Buy(seat=NORTH, owner=EAST, card="sand-worker", kind="clay"))
    assert (here.talers(NORTH), here.talers(EAST)) == (3, 4)
    assert here.held(NORTH) == {"sand": 1, "wood": 1, "clay": 1}
    assert here.state.builders[EAST].carried == {"sand-worker": {"sand": 2}}
    assert here.stage() == (NORTH, "build")
    here.refuses(Buy(seat=NORTH, owner=EAST, card="sand-worker", kind="sand"), "turn.order", final=True)


def test_never_from_the_stock() -> None:
    here = mason(table().give(EAST, stone=1))
    here.refuses(Buy(seat=NORTH, owner=EAST, card="sand-worker", kind="stone"), "mason.workers", final=True)
    here.refuses(Buy(seat=NORTH, owner=SOUTH, card="sand-worker", kind="sand"), "mason.workers", final=True)
    here.refuses(Buy(seat=NORTH, owner=3, card="sand-worker", kind="sand"), "mason.workers", final=True)


def test_a_stonemason_without_talers_or_workers_goes_on_to_build() -> None:
    assert mason(table().strip(NORTH)).stage() == (NORTH, "build")
    assert mason(other="messenger").stage() == (NORTH, "build")


def test_not_from_the_own_worker() -> None:
    here = table(2).reveal(("stonemason", "sand-worker"), ("wood-worker", "messenger"))
    here.refuses(Buy(seat=NORTH, owner=NORTH, card="sand-worker", kind="clay"), "mason.own")
    here.do(Buy(seat=NORTH, owner=EAST, card="wood-worker", kind="silver"))


def test_the_last_piece_may_be_kept_or_sold() -> None:
    """ruling.last-piece"""
    here = table(4).reveal("stonemason", "stonemason", "stonemason", "sand-worker")
    here.do(Buy(seat=0, owner=3, card="sand-worker", kind="clay")).through()
    here.do(Buy(seat=1, owner=3, card="sand-worker", kind="sand")).through()
    here.do(Buy(seat=2, owner=3, card="sand-worker", kind="sand"))
    assert here.stage() == (2, "sale")
    here.refuses(AnswerSale(seat=0, sell=True), "mason.last", final=True)
    kept = Table(here.state).do(AnswerSale(seat=3, sell=False))
    assert kept.stage() == (2, "buy")
    kept.refuses(Buy(seat=2, owner=3, card="sand-worker", kind="sand"), "mason.last")
    kept.do(BuyNothing(seat=2)).through()
    assert kept.state.builders[3].held == {"sand": 2, "wood": 1}
    here.do(AnswerSale(seat=3, sell=True)).through()
    assert (here.talers(3), here.held(3)) == (6 if here.state.first != 3 else 7, {"sand": 1, "wood": 1})


def test_the_stonemason_scores_the_crown() -> None:
    here = mason(table().give(NORTH, stone=2, clay=1, sand=3), other="messenger")
    here.do(Erect(seat=NORTH, building="stable", payment=STABLE))
    assert here.points(NORTH) == 14


# Worker


def test_the_worker_brings_his_pieces_and_scores_half() -> None:
    """ruling.worker-half"""
    here = table().give(NORTH, stone=1).reveal("sand-worker", "messenger", "messenger")
    assert here.held(NORTH) == {"sand": 3, "wood": 1, "stone": 1, "clay": 1}
    here.do(Erect(seat=NORTH, building="tower", payment=TOWER))
    assert here.points(NORTH) == 3


def test_a_worker_places_no_helper() -> None:
    here = table().give(NORTH, stone=1, talers=20).reveal("sand-worker", "messenger", "messenger")
    here.do(Erect(seat=NORTH, building="tower", payment=TOWER))
    here.refuses(PlaceHelper(seat=NORTH, spot="forge-10"), "helper.cards")
    here.do(DoneBuilding(seat=NORTH))
    assert here.state.round == 2


def test_two_workers_of_one_player_one_after_the_other() -> None:
    """ruling.two-workers"""
    here = table(2).reveal(("wood-worker", "sand-worker"), ("messenger", "trader"))
    assert here.stage() == (EAST, "post")
    here.do(PostNobody(seat=EAST))
    assert here.state.turn is not None
    assert here.state.turn.card == "wood-worker"
    here.do(DoneBuilding(seat=NORTH))
    assert here.state.turn.card == "sand-worker"
    assert here.held(NORTH) == {"wood": 3, "silver": 1, "sand": 3, "clay": 1}


# Master builder


def test_five_points_for_each_building_of_others() -> None:
    """ruling.master-builder-others"""
    here = table().round(2).played(SOUTH, "trader", "messenger").give(NORTH, stone=2, wood=2, sand=2)
    here.reveal("sand-worker", "messenger", "master-builder")
    for _ in range(2):
        here.do(Erect(seat=NORTH, building="tower", payment=TOWER))
    assert here.points(SOUTH) == 10
    assert here.state.builders[SOUTH].played == ()


def test_own_buildings_do_not_count_and_both_cards_come_back() -> None:
    here = table(2).round(2).played(NORTH, "trader").give(NORTH, stone=1)
    here.reveal(("sand-worker", "master-builder"), ("messenger", "bricklayer"))
    here.do(TakeFromTower(seat=EAST, kind="clay")).do(DoneBuilding(seat=EAST))
    here.do(Erect(seat=NORTH, building="tower", payment=TOWER), DoneBuilding(seat=NORTH))
    assert here.points(NORTH) == 3
    assert here.state.builders[NORTH].played == ()
    assert here.state.round == 3


# The end of a round and of the game


def test_the_marker_passes_on() -> None:
    here = table().reveal("messenger", "messenger", "messenger")
    assert (here.state.first, here.state.round, here.talers(EAST)) == (EAST, 2, 3 + 8 + 1)


def test_the_last_building_makes_the_round_the_last() -> None:
    here = table().give(NORTH, stone=1).give(EAST, stone=1)
    for building, count in dict(here.state.tiles).items():
        here.built(building, by=SOUTH, count=count if building != "tower" else count - 1)
    here.reveal("sand-worker", "sand-worker", "messenger").do(Erect(seat=NORTH, building="tower", payment=TOWER))
    assert here.stage() == (EAST, "build")
    assert "end.last-building" in here.rules()
    here.do(DoneBuilding(seat=EAST))
    assert here.state.over
    assert here.state.round == 1


def test_the_game_ends_after_its_rounds() -> None:
    here = table(3).round(15).reveal("messenger", "messenger", "messenger")
    assert here.state.over
    short = table(4).round(12).reveal("messenger", "messenger", "messenger", "messenger")
    assert short.state.over
