"""Winter cards: when they come, and what each of them does."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.rules.base import Setup
from companion.rules.castle_for_all_seasons import GAME
from companion.rules.castle_for_all_seasons.actions import (
    DoneBuilding,
    DonePlacing,
    DrawWinter,
    Erect,
    FeedFire,
    GiveCard,
    LayCard,
    Payment,
    PayTribute,
    PlaceHelper,
    PlaceInnkeeper,
    PostHelper,
    ReadWinterSpaces,
    RecallHelper,
    RepairWall,
    Reveal,
    TakeFromTower,
)
from companion.rules.castle_for_all_seasons.phases import cards_missing
from companion.rules.castle_for_all_seasons.state import Card, Tavern, Winter, WinterCard
from companion.rules.castle_for_all_seasons.supply import with_builder
from tests.rules.castle_for_all_seasons.table import BOX, EAST, NORTH, SEATS, SOUTH, Table, table, tavern, winter

TOWER = Payment(own={"stone": 1, "wood": 1, "sand": 1})


def drawn(card: WinterCard, here: Table | None = None) -> Table:
    """A winter card has just come, in the second round, all cards laid."""
    return (here or winter().round(2)).lay("messenger", "messenger", "messenger").draw(card)


# Drawing


def test_the_card_comes_when_all_have_laid_and_before_the_reveal() -> None:
    here = winter()
    here.refuses(DrawWinter(card="granary"), "winter.draw", final=True)
    here.lay("messenger", "messenger", "trader")
    assert here.state.phase == "draw"
    here.refuses(Reveal(), "cards.reveal", final=True)
    here.draw("granary")
    assert here.state.phase == "reveal"


def test_a_card_comes_only_once() -> None:
    here = drawn("granary").do(Reveal())
    here.lay("trader", "trader", "trader")
    here.refuses(DrawWinter(card="granary"), "winter.draw", final=True)


def test_only_on_marked_spaces() -> None:
    """Spaces count down: round 1 of 15 takes the taler of space 15."""
    box = {**BOX, "winter-spaces": {"spaces": {"spaces": [14]}}}
    here = Table(GAME.setup(Setup(seats=SEATS[:3], options={"season": "winter"}, box=box)))
    here.lay("messenger", "messenger", "messenger")
    assert here.state.phase == "reveal"
    here.do(Reveal()).lay("trader", "trader", "trader")
    assert here.state.phase == "draw"


def test_the_spaces_are_asked_for_once() -> None:
    here = Table(GAME.setup(Setup(seats=SEATS[:2], options={"season": "winter"})))
    assert (here.state.phase, here.state.round) == ("board", 0)
    here.do(ReadWinterSpaces(spaces=(3, 11, 3)))
    assert here.state.printed.winter == (11, 3)
    assert here.state.round == 1
    here.refuses(ReadWinterSpaces(spaces=(1,)), "board.read")
    table().refuses(ReadWinterSpaces(spaces=(1,)), "winter.spaces", final=True)


def test_summer_draws_nothing() -> None:
    table().lay("messenger", "messenger", "messenger").refuses(DrawWinter(card="plague"), "winter.draw", final=True)


def test_no_card_left_no_card_drawn() -> None:
    here = winter()
    cards: tuple[WinterCard, ...] = ("village-tavern", "granary", "plague", "cracked-wall", "damsel", "snowdrift")
    assert here.state.winter is not None
    here.stands(replace(here.state, winter=replace(here.state.winter, drawn=cards)))
    assert here.lay("messenger", "messenger", "messenger").state.phase == "reveal"


# Plague


def test_plague_takes_a_card_or_a_taler_for_each() -> None:
    here = winter().round(2).played(NORTH, "trader", "bricklayer").played(EAST, "trader")
    drawn("plague", here)
    here.refuses(Reveal(), "cards.reveal", final=True)
    here.refuses(GiveCard(seat=NORTH, card="messenger"), "winter.give", final=True)
    here.do(PayTribute(seat=NORTH))
    assert here.talers(NORTH) == 4 - 2
    here.do(GiveCard(seat=EAST, card="trader"))
    assert here.state.builders[EAST].lost == ("trader",)
    assert here.state.phase == "reveal"


def test_who_has_played_nothing_loses_nothing() -> None:
    """ruling.plague-pile"""
    here = drawn("plague")
    assert here.state.phase == "reveal"


def test_plague_must_be_paid_in_full() -> None:
    here = winter().round(2).strip(NORTH).give(NORTH, talers=1).played(NORTH, "trader", "bricklayer")
    drawn("plague", here)
    here.refuses(PayTribute(seat=NORTH), "winter.plague")
    here.refuses(PayTribute(seat=EAST), "winter.draw", final=True)
    here.refuses(RepairWall(seat=NORTH), "winter.draw", final=True)
    here.overrule(PayTribute(seat=NORTH))
    assert here.talers(NORTH) == 0


def test_a_lost_card_does_not_come_back() -> None:
    here = drawn("plague", winter().round(2).played(NORTH, "trader", "bricklayer"))
    here.do(GiveCard(seat=NORTH, card="trader"), Reveal())
    here.lay("master-builder", "trader", "trader").draw("granary").do(Reveal())
    assert here.state.builders[NORTH].lost == ("trader",)


def test_all_cards_in_hand_with_one_lost() -> None:
    """ruling.all-cards"""
    here = winter().round(3)
    here.stands(with_builder(here.state, NORTH, lost=("trader",)))
    here.refuses(LayCard(seat=NORTH, card="master-builder"), "master.all-cards", final=True)


def test_two_players_with_a_short_hand() -> None:
    """ruling.short-hand"""
    here = winter(2).round(5)
    played: tuple[Card, ...] = ("messenger", "bricklayer", "stonemason", "wood-worker", "sand-worker", "stone-worker")
    here.stands(with_builder(here.state, NORTH, played=played, lost=("trader",)))
    assert cards_missing(here.state, NORTH) == 1
    here.do(LayCard(seat=NORTH, card="master-builder"))


# Snowdrift


def test_snowdrift_takes_a_worker_or_three_talers() -> None:
    here = drawn("snowdrift", winter().round(2).played(EAST, "sand-worker"))
    here.refuses(GiveCard(seat=NORTH, card="trader"), "winter.give", final=True)
    here.do(GiveCard(seat=NORTH, card="stone-worker"), GiveCard(seat=EAST, card="sand-worker"), PayTribute(seat=SOUTH))
    assert here.state.builders[NORTH].lost == ("stone-worker",)
    assert here.state.builders[EAST].played == ()
    assert here.talers(SOUTH) == 0
    assert here.state.phase == "reveal"


def test_too_few_talers_while_there_is_a_worker() -> None:
    here = drawn("snowdrift", winter().round(2).strip(NORTH).give(NORTH, talers=2))
    here.refuses(PayTribute(seat=NORTH), "winter.snowdrift")


def test_without_workers_one_pays_what_one_has() -> None:
    """ruling.snowdrift-poor"""
    here = winter().round(2).strip(NORTH).give(NORTH, talers=2)
    here.stands(with_builder(here.state, NORTH, lost=("wood-worker", "sand-worker", "stone-worker")))
    drawn("snowdrift", here).do(PayTribute(seat=NORTH))
    assert here.talers(NORTH) == 0


# Cracked wall


def test_up_to_three_stone_blocks() -> None:
    here = drawn("cracked-wall", winter().round(2).give(NORTH, stone=4, silver=1).give(EAST, stone=1))
    here.refuses(RepairWall(seat=NORTH, stones=3, silver=1), "winter.wall")
    here.do(RepairWall(seat=NORTH, stones=2, silver=1))
    assert here.points(NORTH) == 9
    assert here.state.forge == 1
    here.do(RepairWall(seat=EAST))
    assert here.points(EAST) == 0
    assert here.state.phase == "reveal"


def test_stones_one_does_not_have() -> None:
    here = drawn("cracked-wall", winter().round(2).give(NORTH, stone=1))
    here.refuses(RepairWall(seat=NORTH, stones=2), "build.have", final=True)
    here.refuses(RepairWall(seat=NORTH, silver=1), "build.have", final=True)


def test_nobody_is_asked_who_has_neither_stone_nor_silver() -> None:
    assert drawn("cracked-wall").state.phase == "reveal"


# Fireplace


def test_the_fireplace_is_off() -> None:
    """ruling.fireplace"""
    here = winter().lay("messenger", "messenger", "messenger")
    here.refuses(DrawWinter(card="fireplace"), "ruling.fireplace", final=True)


def test_the_fireplace_takes_two_beams() -> None:
    here = winter(fireplace=True).round(2).give(NORTH, wood=2).strip(SOUTH).give(SOUTH, silver=2)
    drawn("fireplace", here)
    here.refuses(FeedFire(seat=NORTH, wood=1), "winter.fireplace")
    here.do(FeedFire(seat=NORTH, wood=2), FeedFire(seat=EAST, wood=1))
    assert here.held(EAST) == {"sand": 1}
    here.do(FeedFire(seat=SOUTH, silver=2))
    assert (here.state.forge, here.held(SOUTH)) == (2, {})
    assert here.state.phase == "reveal"


# Village tavern


def test_the_trader_pays_onto_the_card() -> None:
    here = tavern(winter()).reveal("trader", "messenger", "messenger")
    assert here.talers(NORTH) == 3
    assert here.state.winter is not None
    assert here.state.winter.tavern == Tavern(talers=1)


def test_the_trader_pays_the_innkeeper() -> None:
    here = tavern(winter(), innkeeper=EAST).reveal("trader", "messenger", "messenger")
    assert (here.talers(NORTH), here.talers(EAST)) == (3, 3 + 8 + 1)


def test_the_innkeepers_own_trader_pays_nothing() -> None:
    """ruling.innkeeper-own-toll"""
    here = tavern(winter(), innkeeper=NORTH).reveal("trader", "messenger", "messenger")
    assert here.talers(NORTH) == 4
    here.do(PostHelper(seat=NORTH, cart="sand", source="innkeeper"))
    assert here.state.winter is not None
    assert here.state.winter.tavern == Tavern()


def test_who_cannot_pay_takes_a_helper_back() -> None:
    here = tavern(winter()).strip(NORTH).post(NORTH, "sand", "clay")
    here.reveal("trader", "messenger", "messenger")
    assert here.stage() == (NORTH, "recall")
    here.refuses(RecallHelper(seat=NORTH, cart="stone"), "helper.have", final=True)
    here.refuses(RecallHelper(seat=EAST, cart="sand"), "winter.tavern-toll", final=True)
    here.do(RecallHelper(seat=NORTH, cart="clay"))
    assert {*here.state.posts} == {"sand"}
    assert here.stage() == (NORTH, "post")


@pytest.mark.parametrize("carts", [("sand",), ()])
def test_with_one_helper_or_none_there_is_nothing_to_choose(carts: Any) -> None:
    here = tavern(winter()).strip(NORTH).post(NORTH, *carts).reveal("trader", "messenger", "messenger")
    assert here.state.posts == {}
    assert here.stage() == (NORTH, "post")
    assert here.state.builders[NORTH].helpers == 6


def test_placing_an_innkeeper_needs_no_building() -> None:
    """ruling.innkeeper-free"""
    here = tavern(winter(), talers=2).reveal("bricklayer", "messenger", "messenger")
    here.do(TakeFromTower(seat=NORTH, kind="sand"), DoneBuilding(seat=NORTH), PlaceInnkeeper(seat=NORTH))
    assert here.talers(NORTH) == 4 - 3 + 2
    assert here.state.winter is not None
    assert here.state.winter.tavern == Tavern(innkeeper=NORTH)
    assert here.state.round == 2


def test_one_innkeeper_at_a_time_and_not_in_summer() -> None:
    here = tavern(winter(), innkeeper=EAST).give(NORTH, stone=1, talers=20)
    here.reveal("stonemason", "messenger", "messenger")
    here.do(Erect(seat=NORTH, building="tower", payment=TOWER), DoneBuilding(seat=NORTH))
    here.refuses(PlaceInnkeeper(seat=NORTH), "winter.tavern", final=True)
    here.refuses(PlaceInnkeeper(seat=EAST), "helper.cards")


def test_an_innkeeper_may_move_into_a_building() -> None:
    here = tavern(winter(), innkeeper=NORTH).give(NORTH, stone=1, talers=20)
    here.reveal("stonemason", "messenger", "messenger")
    here.do(Erect(seat=NORTH, building="tower", payment=TOWER), DoneBuilding(seat=NORTH))
    here.do(PlaceHelper(seat=NORTH, spot="forge-10", source="innkeeper"))
    assert here.state.winter is not None
    assert here.state.winter.tavern == Tavern()
    here.do(PlaceInnkeeper(seat=NORTH))


def test_an_innkeeper_as_a_helper() -> None:
    here = tavern(winter(innkeeper="as-helper"), talers=1).give(NORTH, talers=10)
    here.reveal("stonemason", "messenger", "messenger").do(DoneBuilding(seat=NORTH))
    assert here.state.round == 2
    built = tavern(winter(innkeeper="as-helper")).give(NORTH, talers=40, stone=1)
    built.reveal("stonemason", "messenger", "messenger")
    built.do(Erect(seat=NORTH, building="tower", payment=TOWER), DoneBuilding(seat=NORTH))
    built.do(PlaceInnkeeper(seat=NORTH), PlaceHelper(seat=NORTH, spot="forge-6"))
    assert built.state.round == 2


# Granary


def granary(here: Table, *helpers: int) -> Table:
    for seat in helpers:
        here.stands(
            replace(
                with_builder(here.state, seat, helpers=here.state.builders[seat].helpers - 1),
                winter=Winter(drawn=("granary",), granary=(*_granary(here), seat)),
                printed=replace(here.state.printed, winter=()),
            )
        )
    return here


def _granary(here: Table) -> tuple[int, ...]:
    return (here.state.winter.granary if here.state.winter else None) or ()


def test_the_granary_has_three_places_for_five_talers() -> None:
    """ruling.granary-three"""
    here = granary(winter(), EAST, SOUTH).give(NORTH, stone=1, talers=30)
    here.reveal("stonemason", "messenger", "messenger")
    here.do(Erect(seat=NORTH, building="tower", payment=TOWER), DoneBuilding(seat=NORTH))
    talers = here.talers(NORTH)
    here.do(PlaceHelper(seat=NORTH, spot="granary"))
    assert here.talers(NORTH) == talers - 5
    assert _granary(here) == (EAST, SOUTH, NORTH)
    here.refuses(PlaceHelper(seat=NORTH, spot="granary"), "helper.different")
    here.do(DonePlacing(seat=NORTH))


def test_no_granary_in_summer() -> None:
    here = table().give(NORTH, stone=1, talers=30).reveal("stonemason", "messenger", "messenger")
    here.do(Erect(seat=NORTH, building="tower", payment=TOWER), DoneBuilding(seat=NORTH))
    here.refuses(PlaceHelper(seat=NORTH, spot="granary"), "winter.granary", final=True)


@pytest.mark.parametrize(
    ("helpers", "points"), [((NORTH,), [10, 0]), ((NORTH, EAST), [7, 7]), ((NORTH, NORTH, EAST), [6, 3])]
)
def test_the_granary_scores_by_its_helpers(helpers: tuple[int, ...], points: list[int]) -> None:
    sheet = GAME.score(granary(winter(2), *helpers).state)
    assert [line.points for line in sheet.lines if line.key == "granary"] == points
