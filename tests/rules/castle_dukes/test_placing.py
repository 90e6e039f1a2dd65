"""Castle Dukes: every way to place a piece, and every way it may not be placed."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.base import Action
from companion.rules.castle_dukes.actions import (
    ArmTop,
    BuildRoom,
    DropVines,
    FinishBuilding,
    FurnishRoom,
    PlaceBridge,
    PlacePillars,
    PlaceRoof,
    PlaceTile,
    StopBuying,
)
from companion.rules.castle_dukes.castle import dials, heights
from companion.rules.castle_dukes.state import (
    Bridge,
    Card,
    Castle,
    Dials,
    Duke,
    Options,
    Room,
    RoomItem,
    Tile,
    Top,
    TopItem,
)
from tests.rules.castle_dukes.table import ATTIC, CELLAR, KITCHEN, Table, floor, roofed, stack, table, with_kitchen

TILE = PlaceTile(seat=0, tower="left")
ROOF = PlaceRoof(seat=0, tower="left")
ONE_OF_EACH = (
    TILE,
    ROOF,
    PlaceBridge(seat=0, level=3),
    PlacePillars(seat=0, tower="left", level=1),
    BuildRoom(seat=0, tower="left", level=1),
    FurnishRoom(seat=0, item="table", tower="left", level=1),
    ArmTop(seat=0, item="brazier", tower="left", level=3),
)


def building(castle: Castle | None = None, *, options: Options | None = None, **held: int) -> Table:
    """A table whose North has this castle and these items to place."""
    return table(castle=castle or Castle(), held=held, stage="placing", options=options)


def bridge(level: int) -> PlaceBridge:
    return PlaceBridge(seat=0, level=level)


def pillars(count: int, *, level: int = 1, cobbles: int | None = None) -> PlacePillars:
    return PlacePillars(seat=0, tower="left", level=level, count=count, cobbles=cobbles)


def furnish(item: RoomItem, room: int = 0) -> FurnishRoom:
    return FurnishRoom(seat=0, item=item, tower="left", level=1, room=room)


def arm(item: TopItem, level: int = 3) -> ArmTop:
    return ArmTop(seat=0, item=item, tower="left", level=level)


# When


@pytest.mark.parametrize("action", ONE_OF_EACH)
@pytest.mark.parametrize("phase", ["opening", "room", "dragon"])
def test_items_are_placed_in_the_building_phase_only(phase: str, action: Action) -> None:
    table(phase=phase, held={"tile": 1}, cards=(KITCHEN,)).refuses(action, "building.only")


@pytest.mark.parametrize("action", ONE_OF_EACH)
def test_who_has_finished_places_no_more(action: Action) -> None:
    table(stage="done").refuses(action, "building.finished")


@pytest.mark.parametrize("action", ONE_OF_EACH)
def test_a_light_game_has_no_pieces_to_place(action: Action) -> None:
    table(options=Options(detail="light")).refuses(action, "light.only", final=True)


@pytest.mark.parametrize("action", ONE_OF_EACH)
def test_only_what_is_held_can_be_placed(action: Action) -> None:
    assert "0" in building().refuses(action, "inventory.have", final=True)


def test_only_seats_in_the_game_place() -> None:
    building(tile=1).refuses(PlaceTile(seat=5, tower="left"), "turn.seat", final=True)


def test_the_first_placement_ends_acquiring() -> None:
    laid = table(held={"tile": 2}, coins=3).do(TILE)
    assert laid.north.stage == "placing"
    assert laid.facts[0].text == "North is done acquiring: 3 coins can no longer be spent."
    assert laid.facts[0].rule == "building.declared"
    laid.do(PlaceTile(seat=0, tower="middle"))
    assert "building.declared" not in laid.rules()


def test_the_table_may_overrule_the_phase() -> None:
    assert heights(table(phase="guests", held={"tile": 1}).overrule(TILE).north.castle) == (1, 0, 0)


# Tiles


def test_a_base_tile_is_laid_as_its_floor_side_shows() -> None:
    laid = building(tile=1).do(PlaceTile(seat=0, tower="middle", spaces=2, cobbles=3, ends=False))
    assert laid.north.castle.middle == (Tile(spaces=2, cobbles=3, ends=False),)
    assert laid.north.held == {}
    assert laid.changes() == {"tile": -1}


def test_the_next_level_needs_a_pillar() -> None:
    bare = Castle(left=(Tile(cobbles=0),))
    building(bare, tile=1).refuses(TILE, "tile.next-level")
    laid = building(bare, tile=1, pillar=1).do(pillars(1), TILE)
    assert heights(laid.north.castle) == (2, 0, 0)


def test_every_cobblestone_marking_needs_a_pillar_first() -> None:
    castle = Castle(left=(Tile(cobbles=3),))
    laid = building(castle, tile=1, pillar=6).do(pillars(2))
    why = laid.refuses(TILE, "tile.cobbles")
    assert why == "North has pillars on 2 of 3 cobblestone markings on level 1 of the left tower."
    assert heights(laid.do(pillars(1), TILE).north.castle) == (2, 0, 0)


def test_three_towers_rise_independently() -> None:
    laid = building(tile=3).do(TILE, PlaceTile(seat=0, tower="middle"), PlaceTile(seat=0, tower="right"))
    assert heights(laid.north.castle) == (1, 1, 1)


# Pillars


def test_pillars_fill_empty_markings_first() -> None:
    castle = Castle(left=(Tile(cobbles=2),))
    tile = building(castle, pillar=3).do(pillars(3)).north.castle.left[0]
    assert (tile.pillars, tile.covered) == (3, 2)


def test_pillars_may_stand_beside_the_markings() -> None:
    castle = Castle(left=(Tile(cobbles=2),))
    laid = building(castle, pillar=3).do(pillars(3, cobbles=1))
    assert (laid.north.castle.left[0].pillars, laid.north.castle.left[0].covered) == (3, 1)
    assert laid.changes() == {"pillar": -3}


@pytest.mark.parametrize(("count", "cobbles"), [(1, 2), (3, 3)])
def test_markings_cannot_be_filled_from_nothing_nor_beyond_their_number(count: int, cobbles: int) -> None:
    castle = Castle(left=(Tile(cobbles=2),))
    building(castle, pillar=3).refuses(pillars(count, cobbles=cobbles), "pillar.place", final=True)


def test_pillars_can_be_added_below_later() -> None:
    laid = building(Castle(left=stack(3)), pillar=1).do(pillars(1))
    assert laid.north.castle.left[0].pillars == 2


def test_pillars_need_a_floor_tile() -> None:
    building(pillar=1).refuses(pillars(1), "pillar.place", final=True)


def test_a_roof_holds_no_pillar() -> None:
    building(Castle(left=roofed(3)), pillar=1).refuses(pillars(1, level=3), "roof.closed")


# Roofs and bridges


def test_a_roof_is_laid_on_level_3() -> None:
    laid = building(Castle(left=stack(2)), tile=1).do(ROOF)
    assert laid.north.castle.left[2].roof == Top()


@pytest.mark.parametrize("height", [0, 1])
def test_a_roof_is_not_laid_lower(height: int) -> None:
    building(Castle(left=stack(height)), tile=1).refuses(ROOF, "roof.level")


def test_a_roof_rests_on_pillars_as_any_tile() -> None:
    castle = Castle(left=(floor(), floor(cobbles=2)))
    building(castle, tile=1).refuses(ROOF, "tile.cobbles")


@pytest.mark.parametrize("action", [TILE, ROOF])
def test_a_roof_closes_the_tower(action: Action) -> None:
    building(Castle(left=roofed(3)), tile=1).refuses(action, "roof.closed")


def test_a_roof_holds_no_room() -> None:
    laid = table(castle=Castle(left=roofed(3)), cards=(KITCHEN,))
    laid.refuses(BuildRoom(seat=0, tower="left", level=3), "roof.closed")


def test_the_example_bridge_is_valid_on_level_3_and_not_on_level_4() -> None:
    castle = Castle(left=(*stack(3), floor(ends=False)), right=stack(4))
    laid = building(castle, tile=2)
    laid.refuses(bridge(4), "bridge.ends")
    assert laid.do(bridge(3)).north.castle.bridges == (Bridge(level=3),)


def test_roofs_always_have_bridge_ends() -> None:
    castle = Castle(left=roofed(3), right=stack(3))
    assert building(castle, tile=1).do(bridge(3)).north.castle.bridges == (Bridge(level=3),)


def test_a_bridge_needs_both_front_towers_on_its_level() -> None:
    building(Castle(left=stack(3), right=stack(2)), tile=1).refuses(bridge(3), "bridge.ends")
    building(Castle(left=stack(3), middle=stack(3)), tile=1).refuses(bridge(3), "bridge.ends")


def test_a_bridge_needs_level_3() -> None:
    building(Castle(left=stack(3), right=stack(3)), tile=1).refuses(bridge(2), "bridge.level")


def test_one_bridge_fits_on_each_level() -> None:
    castle = Castle(left=stack(4), right=stack(4), bridges=(Bridge(level=4),))
    laid = building(castle, tile=2)
    laid.refuses(bridge(4), "ruling.one-bridge-a-level", final=True)
    assert [here.level for here in laid.do(bridge(3)).north.castle.bridges] == [3, 4]


# Rooms


def with_cards(*cards: Card) -> Table:
    """A table with a three-level left tower; the cards are North's."""
    return table(castle=Castle(left=stack(3)), cards=cards, stage="placing")


def test_a_room_is_built_on_a_free_space_and_turns_the_dials() -> None:
    laid = with_cards(ATTIC, KITCHEN).do(BuildRoom(seat=0, tower="left", level=2, card=1))
    assert laid.north.castle.left[1].rooms == (Room(card=KITCHEN),)
    assert laid.north.cards == (ATTIC,)
    assert laid.changes() == {"room": -1, "comfort": 1}


def test_a_full_tile_takes_no_more_rooms() -> None:
    laid = with_cards(KITCHEN, KITCHEN).do(BuildRoom(seat=0, tower="left", level=1))
    laid.refuses(BuildRoom(seat=0, tower="left", level=1), "room.space")
    assert len(laid.overrule(BuildRoom(seat=0, tower="left", level=1)).north.castle.left[0].rooms) == 2


def test_a_room_needs_a_floor_tile() -> None:
    with_cards(KITCHEN).refuses(BuildRoom(seat=0, tower="right", level=1), "room.space", final=True)


def test_upper_rooms_are_built_from_level_3_on() -> None:
    laid = with_cards(ATTIC)
    laid.refuses(BuildRoom(seat=0, tower="left", level=2), "room.upper")
    assert dials(laid.do(BuildRoom(seat=0, tower="left", level=3)).north.castle) == Dials(offence=2)


def test_lower_rooms_are_built_on_levels_1_and_2() -> None:
    laid = with_cards(CELLAR)
    laid.refuses(BuildRoom(seat=0, tower="left", level=3), "room.lower")
    assert dials(laid.do(BuildRoom(seat=0, tower="left", level=2)).north.castle) == Dials(defence=2)


def test_one_table_and_one_coffer_stand_on_a_room() -> None:
    laid = building(with_kitchen(), table=2, coffer=2).do(furnish("coffer"))
    assert laid.changes() == {"coffer": -1}
    laid.do(furnish("table"))
    assert laid.changes() == {"table": -1, "comfort": 1, "defence": 1}
    laid.refuses(furnish("table"), "table.limit", final=True)
    laid.refuses(furnish("coffer"), "coffer.limit", final=True)


def test_serfs_stand_in_serf_slots_only() -> None:
    laid = building(with_kitchen(), serf=3).do(furnish("serf"), furnish("serf"))
    assert laid.refuses(furnish("serf"), "serf.slot") == "Kitchen has 2 serf slots and 2 serfs."
    assert laid.overrule(furnish("serf")).north.castle.left[0].rooms[0].serf == 3


@pytest.mark.parametrize(
    ("item", "rule"), [("table", "table.limit"), ("coffer", "coffer.limit"), ("serf", "serf.slot")]
)
def test_furniture_needs_a_room(item: RoomItem, rule: str) -> None:
    table(castle=with_kitchen(), held={item: 1}).refuses(furnish(item, room=1), rule, final=True)


# Construction items


def test_two_braziers_stand_on_a_roof() -> None:
    laid = building(Castle(left=roofed(3)), brazier=3).do(arm("brazier"))
    assert laid.facts[-1].text == "North's defence is now 1 (+1)."
    assert laid.changes() == {"brazier": -1, "defence": 1}
    laid.do(arm("brazier")).refuses(arm("brazier"), "brazier.limit")
    assert dials(laid.overrule(arm("brazier")).north.castle).defence == 3


def test_one_battlement_stands_on_a_roof() -> None:
    laid = building(Castle(left=roofed(3)), battlement=2).do(arm("battlement"))
    laid.refuses(arm("battlement"), "battlement.limit")


@pytest.mark.parametrize("item", ["cauldron", "ballista"])
def test_cauldrons_and_ballistae_need_a_battlement(item: TopItem) -> None:
    table(castle=Castle(left=roofed(3)), held={item: 1}).refuses(arm(item), "battlement.slots")


def test_cauldrons_and_ballistae_share_three_places() -> None:
    laid = building(Castle(left=roofed(3, battlement=1)), cauldron=3, ballista=3)
    laid.do(arm("cauldron"), arm("cauldron"), arm("ballista"))
    assert laid.changes() == {"ballista": -1, "offence": 2}
    assert dials(laid.north.castle) == Dials(defence=2, offence=4)
    laid.refuses(arm("cauldron"), "battlement.slots")
    laid.refuses(arm("ballista"), "battlement.slots")


def test_construction_items_stand_on_bridges_too() -> None:
    castle = Castle(left=stack(3), right=stack(3), bridges=(Bridge(level=3),))
    laid = building(castle, brazier=1).do(ArmTop(seat=0, item="brazier", tower="bridge", level=3))
    assert laid.north.castle.bridges == (Bridge(level=3, top=Top(brazier=1)),)


@pytest.mark.parametrize("item", ["brazier", "battlement", "cauldron", "ballista"])
def test_construction_items_stand_on_no_floor_tile(item: TopItem) -> None:
    table(castle=Castle(left=stack(3)), held={item: 1}).refuses(arm(item), "top.only", final=True)


# Finishing


def test_the_phase_ends_when_all_have_finished() -> None:
    laid = table().do(StopBuying(seat=0), FinishBuilding(seat=0))
    assert (laid.state.phase, laid.north.stage) == ("building", "done")
    laid.refuses(FinishBuilding(seat=0), "building.finished")
    laid.do(FinishBuilding(seat=1))
    assert (laid.state.phase, laid.state.turn) == ("room", 2)


def test_building_is_finished_in_the_building_phase_only() -> None:
    table(phase="room").refuses(FinishBuilding(seat=0), "building.only")


def test_nobody_finishes_while_rearranging() -> None:
    table(rearranging=True).refuses(FinishBuilding(seat=0), "crumble.replace")


def test_a_light_game_finishes_building_too() -> None:
    assert table(options=Options(detail="light")).do(FinishBuilding(seat=0)).north.stage == "done"


# Rearranging


def rearranging(phase: str = "dragon", **north: Any) -> Table:
    return table(phase=phase, rearranging=True, **north)


def test_loose_pieces_are_placed_in_any_phase() -> None:
    laid = rearranging(loose={"tile": 1, "pillar": 1}).do(TILE, pillars(1))
    assert laid.north.loose == {}
    assert laid.north.castle.left == (Tile(pillars=1, covered=1),)
    assert laid.changes() == {}


def test_outside_the_building_phase_the_inventory_stays_closed() -> None:
    rearranging(loose={"pillar": 1}, held={"tile": 1}).refuses(TILE, "building.only")
    laid = rearranging(castle=Castle(left=(Tile(),)), loose={"pillar": 1}, held={"pillar": 1})
    laid.refuses(pillars(2), "building.only")


def test_in_the_building_phase_loose_pieces_come_first() -> None:
    laid = rearranging("building", castle=Castle(left=(Tile(),)), loose={"pillar": 1}, held={"pillar": 2})
    laid.do(pillars(1))
    assert (laid.north.loose, laid.north.held, laid.north.stage) == ({}, {"pillar": 2}, "acquiring")
    laid.do(pillars(2))
    assert (laid.north.held, laid.north.stage) == ({}, "placing")


def test_loose_cards_are_counted_before_those_of_the_inventory() -> None:
    laid = rearranging("building", castle=Castle(left=(floor(spaces=2),)), loose_cards=(CELLAR,), cards=(KITCHEN,))
    laid.do(BuildRoom(seat=0, tower="left", level=1, card=1))
    assert (laid.north.cards, laid.north.loose_cards) == ((), (CELLAR,))
    laid.do(BuildRoom(seat=0, tower="left", level=1, card=0))
    assert [room.card for room in laid.north.castle.left[0].rooms] == [KITCHEN, CELLAR]


# Vines


VINES = Options(vines=True)


def test_each_tile_above_level_1_brings_a_vine() -> None:
    castle = Castle(left=stack(3), right=roofed(3))
    laid = building(castle, options=VINES, tile=3).do(bridge(3))
    assert laid.changes() == {"tile": -1, "vines": 1}
    laid.do(ROOF)
    assert laid.north.vines_hung == 2
    assert "vines.hang" in laid.rules()
    laid.do(PlaceTile(seat=0, tower="middle"))
    assert laid.north.vines_hung == 2


def test_without_the_variant_no_vine_is_hung() -> None:
    assert building(Castle(left=stack(1)), tile=1).do(TILE).north == Duke(
        coins=5, stage="placing", castle=Castle(left=(floor(), Tile()))
    )


def test_a_tile_put_back_brings_no_second_vine() -> None:
    laid = rearranging("building", options=VINES, castle=Castle(left=stack(1)), loose={"tile": 1}).do(TILE)
    assert laid.north.vines_hung == 0


@pytest.mark.parametrize("phase", ["room", "building", "guests"])
def test_dropped_vines_stay_on_the_board(phase: str) -> None:
    laid = table(phase=phase, options=VINES, vines_hung=3).do(DropVines(seat=0, count=2))
    assert (laid.north.vines_hung, laid.north.vines_dropped) == (1, 2)
    laid.refuses(DropVines(seat=0, count=2), "vines.hang")
    laid.overrule(DropVines(seat=0, count=2))
    assert (laid.north.vines_hung, laid.north.vines_dropped) == (0, 4)


def test_no_vines_drop_in_a_game_without_them() -> None:
    table().refuses(DropVines(seat=0), "vines.hang")


def test_a_light_game_counts_dropped_vines() -> None:
    laid = table(options=Options(detail="light", vines=True)).do(DropVines(seat=0, count=2))
    assert laid.north.vines_dropped == 2
