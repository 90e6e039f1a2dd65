"""Placement rules, numbers and building: the rulebook's examples, and each rule for and against."""

from __future__ import annotations

import pytest

from companion.rules.castle_builder.actions import BuildTile, DrawTiles
from companion.rules.castle_builder.state import Tile
from tests.rules.castle_builder.table import DOOR_X, SIDE_WALL, Table, at, baron, table


def build(level: int, x: int, tile: Tile, **more: object) -> BuildTile:
    return BuildTile(seat=0, level=level, x=x, tile=tile, **more)  # type: ignore[arg-type]


def four_and_three() -> Table:
    return table(baron(at(1, 0, 4), at(1, 2, 3)))


# The rulebook's examples


def test_example_a_7_stands_on_a_4_and_a_3() -> None:
    laid = four_and_three().do(build(2, 1, Tile(number=7)))
    assert laid.north.castle[-1] == at(2, 1, 7)


def test_example_a_10_and_a_14_need_a_24() -> None:
    laid = table(baron(at(1, 0, 10), at(1, 2, 14)))
    assert "needs 24 (10 + 14)" in laid.refuses(build(2, 1, Tile(number=20)), "place.number")
    laid.do(build(2, 1, Tile(number=24)))


def test_example_the_princess_fits_on_any_sum() -> None:
    four_and_three().do(build(2, 1, Tile(name="princess", wild=True, top="air")))


def test_example_a_side_wall_on_the_6_beside_other_tiles() -> None:
    laid = table(baron(at(1, 0, 1), at(1, 2, 1), at(1, 6, 5), at(1, 8, 6), at(2, 1, 2)))
    laid.do(build(2, 9, SIDE_WALL))


def test_example_the_top_side_wall_may_not_be_higher_than_the_rest() -> None:
    table(baron(at(1, 8, 6))).refuses(build(2, 9, SIDE_WALL), "place.no-new-floor")


def test_example_air_does_not_match_the_stone_of_the_3() -> None:
    laid = table(baron(at(1, 0, 4), at(1, 2, 3), at(1, 6, 1), at(2, 5, 3)))
    assert "below it is stone" in laid.refuses(build(2, 1, SIDE_WALL), "place.pattern")


def test_example_the_5_does_not_match_the_sky_underneath() -> None:
    laid = table(baron(at(1, 0, 2, top="air"), at(1, 2, 3)))
    laid.refuses(build(2, 1, Tile(number=5)), "place.pattern")


def test_example_sides_need_not_match() -> None:
    laid = table(baron(at(1, 0, 2), at(1, 2, 3), at(1, 6, 12), at(2, 1, 5, top="air")))
    laid.do(build(2, 5, Tile(number=14)))


@pytest.mark.parametrize("tile", [Tile(number=24), Tile(wild=True), Tile(number=8, top="air", roof=True)])
def test_example_the_first_level_takes_anything(tile: Tile) -> None:
    laid = table().do(build(1, 0, tile))
    assert len(laid.north.castle) == 1


def test_example_no_side_wall_on_the_foundation() -> None:
    table().refuses(build(1, 8, SIDE_WALL), "place.first-level")


def test_example_an_11_becomes_a_12_for_one_tile() -> None:
    laid = table(baron(at(1, 2, 10)))
    assert laid.refuses(build(2, 3, Tile(number=11)), "place.number").endswith("pay 1 tile.")
    laid.do(build(2, 3, Tile(number=11), pay=1))
    assert (laid.north.holder, laid.state.discard) == (1, 1)


def test_example_the_angry_noble_moves_3_and_the_lady_4() -> None:
    laid = table(baron(at(1, 2, 10), at(1, 6, 9), at(2, 3, 11), holder=5))
    laid.do(build(2, 5, Tile(number=10, rubies=1), pay=1))
    assert laid.north.space == 3
    laid.do(DrawTiles(seat=1), build(3, 4, Tile(name="lady", wild=True, rubies=1)))
    assert laid.north.space == 7


# Paying


def test_paying_a_number_up_or_down_costs_one_tile() -> None:
    for number in (6, 8):
        assert four_and_three().do(build(2, 1, Tile(number=number), pay=1)).north.holder == 1


def test_paying_a_market_tile_is_paid_from_the_holder() -> None:
    laid = table(baron(at(1, 0, 4), at(1, 2, 3)), tiles=(Tile(number=8), None, None))
    laid.do(BuildTile(seat=0, level=2, x=1, source="market-1", pay=1))
    assert (laid.north.holder, laid.state.tiles) == (2, (None, None, None))


def test_paying_two_steps_needs_royal_strategy() -> None:
    castle = (at(1, 0, 4), at(1, 2, 3))
    table(baron(*castle)).refuses(build(2, 1, Tile(number=9), pay=2), "pay.one-step")
    laid = table(baron(*castle), options={"royal": True}).do(build(2, 1, Tile(number=9), pay=2))
    assert laid.north.holder == 0


def test_paying_needs_tiles_in_the_holder() -> None:
    laid = table(baron(at(1, 0, 4), at(1, 2, 3), holder=1))
    laid.refuses(build(2, 1, Tile(number=8), pay=1), "pay.holder", final=True)


def test_paying_changes_the_number_only_while_it_is_built() -> None:
    laid = table(baron(at(1, 0, 4), at(1, 2, 3), at(2, 3, 5), holder=4))
    laid.do(build(2, 1, Tile(number=8), pay=1), DrawTiles(seat=1))
    laid.do(build(3, 2, Tile(number=13)))


def test_ruling_pay_exact() -> None:
    laid = four_and_three()
    laid.refuses(build(2, 1, Tile(number=7), pay=1), "ruling.pay-exact")
    laid.refuses(build(2, 1, Tile(wild=True), pay=1), "ruling.pay-exact")
    royal = table(baron(at(1, 0, 4), at(1, 2, 3)), options={"royal": True})
    royal.refuses(build(2, 1, Tile(number=8), pay=2), "ruling.pay-exact")


# Rulings on placing


def test_ruling_sum_of_all_below() -> None:
    laid = table(baron(at(1, 0, 6)))
    edge = Tile(number=6, bottom="air-stone")
    assert "needs 6 (air + 6)" in laid.refuses(build(2, -1, Tile(number=5, bottom="air-stone")), "place.number")
    laid.do(build(2, -1, edge))


def test_ruling_door_is_2_tile() -> None:
    laid = table(baron(at(1, 2, 5)))
    laid.refuses(build(1, DOOR_X, Tile(number=5)), "place.free", final=True)
    laid.refuses(build(2, 3, Tile(number=5)), "place.number")
    laid.do(build(2, 3, Tile(number=7)))
    table().do(build(1, 0, Tile(number=3, no_new_floor=True)))


def test_ruling_first_level_any() -> None:
    table().do(build(1, 0, Tile(number=77)))
    table().refuses(build(1, 0, Tile(number=77), pay=1), "ruling.pay-exact")


def test_ruling_bricks() -> None:
    laid = four_and_three()
    laid.refuses(build(2, 2, Tile(number=3)), "ruling.bricks", final=True)
    laid.refuses(build(1, 10, Tile(number=3)), "ruling.bricks", final=True)
    laid.refuses(build(1, -2, Tile(number=3)), "ruling.bricks", final=True)
    laid.refuses(build(2, -1, Tile(number=4)), "place.pattern")


def test_ruling_touches_below() -> None:
    floating = build(3, 2, Tile(wild=True, bottom="air"))
    laid = four_and_three()
    laid.refuses(floating, "ruling.touches-below")
    laid.overrule(floating)
    assert laid.state.corrected


def test_ruling_slid_under() -> None:
    laid = table(baron(at(1, 2, 3), at(2, 1, 3, bottom="air-stone")))
    laid.refuses(build(1, 0, Tile(number=4)), "ruling.slid-under")
    laid.do(build(1, 0, Tile(number=4, top="stone-air")))


def test_ruling_joker_number() -> None:
    laid = table(baron(at(1, 0, 0, wild=True), at(1, 2, 3), at(1, 6, 5, wild=True)))
    laid.do(build(2, 1, Tile(number=3)), DrawTiles(seat=1))
    laid.do(build(2, 5, Tile(number=7)))


# Sources


def test_a_tile_from_an_empty_holder_cannot_be() -> None:
    table(baron(holder=0)).refuses(build(1, 0, Tile(number=3)), "build.source", final=True)


def test_the_market_is_filled_at_once() -> None:
    laid = table(tiles=(Tile(number=3), Tile(number=4), None))
    laid.do(BuildTile(seat=0, level=1, x=0, source="market-2"))
    assert laid.state.tiles == (Tile(number=3), None, None)
    assert laid.north.castle[0].tile == Tile(number=4)


def test_a_market_tile_not_entered_is_asked_for() -> None:
    laid = table()
    laid.refuses(BuildTile(seat=0, level=1, x=0, source="market-1"), "tile.entered", final=True)
    laid.do(BuildTile(seat=0, level=1, x=0, source="market-1", tile=Tile(number=3)))
    assert laid.north.holder == 3


def test_a_market_tile_is_what_was_entered_unless_the_table_says_otherwise() -> None:
    other = BuildTile(seat=0, level=1, x=0, source="market-1", tile=Tile(number=9))
    laid = table(tiles=(Tile(number=3), None, None))
    laid.refuses(other, "market.entered")
    assert laid.overrule(other).north.castle[0].tile.number == 9


def test_a_tile_has_a_number_or_a_tick() -> None:
    table().refuses(build(1, 0, Tile()), "tile.entered", final=True)


def test_the_court_is_built_as_from_the_holder() -> None:
    laid = table(options={"royal": True})
    assert laid.north.court == ("prince", "princess")
    laid.do(build(1, 0, Tile(wild=True, top="air", persons=1), source="princess"))
    assert (laid.north.court, laid.north.holder) == (("prince",), 3)
    assert laid.north.castle[0].tile.name == "princess"
    laid.do(DrawTiles(seat=1)).refuses(build(1, 2, Tile(wild=True), source="princess"), "royal.court", final=True)


def test_there_is_no_court_without_royal_strategy() -> None:
    table().refuses(build(1, 0, Tile(wild=True), source="prince"), "royal.court", final=True)


def test_building_is_one_turn() -> None:
    laid = table().do(build(1, 0, Tile(number=3)))
    assert laid.state.active == 1
    laid.refuses(build(1, 2, Tile(number=3)), "turn.order")


def test_building_out_of_turn_by_agreement_takes_the_turn() -> None:
    laid = table().overrule(BuildTile(seat=1, level=1, x=0, tile=Tile(number=3)))
    assert laid.state.active == 0
    assert len(laid.east.castle) == 1


def test_doing_it_anyway_keeps_the_game_going() -> None:
    wrong = build(2, 1, Tile(number=20), pay=0)
    laid = four_and_three().overrule(wrong)
    assert laid.north.castle[-1].tile.number == 20
    assert laid.labels()
