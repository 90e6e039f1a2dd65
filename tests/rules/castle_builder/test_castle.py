"""Open spots and what they need."""

from __future__ import annotations

from companion.rules.castle_builder import castle
from companion.rules.castle_builder.bench import TILES, large_castle
from companion.rules.castle_builder.layout import practice_foundation
from companion.rules.castle_builder.state import EDGES, Foundation, Placed, Tile
from tests.rules.castle_builder.table import DOOR_X, at

FOUNDATION = Foundation(width=5, door=3)


def needs(*tiles: Placed) -> dict[tuple[int, int], int | None]:
    return {(spot.level, spot.x): spot.needs for spot in castle.open_spots(FOUNDATION, tiles)}


def test_an_empty_foundation_is_open_around_and_over_the_edges_of_the_door() -> None:
    assert needs() == {(1, 0): None, (1, 2): None, (1, 6): None, (1, 8): None, (2, 3): 2, (2, 5): 2}


def test_every_spot_has_the_sum_of_what_is_below() -> None:
    found = needs(at(1, 2, 10), at(1, 6, 9), at(2, 3, 12), at(2, 5, 11))
    assert found[(3, 4)] == 23
    assert found[(2, 1)] == 10
    assert found[(2, 7)] == 9
    assert (2, 3) not in found


def test_a_spot_says_what_pattern_it_takes() -> None:
    spots = {(spot.level, spot.x): spot for spot in castle.open_spots(FOUNDATION, (at(1, 2, 5, top="air-stone"),))}
    assert spots[2, 3].bottom == "stone"
    assert spots[2, 1].bottom == "air"
    assert spots[2, 5].bottom == "stone-air"
    assert not spots[1, 0].new_floor
    assert spots[2, 3].new_floor


def test_spots_over_air_alone_come_last() -> None:
    spots = castle.open_spots(FOUNDATION, (at(1, 0, 5, top="air"), at(1, 8, 5, top="air")))
    airy = [spot.bottom == "air" for spot in spots]
    assert airy == sorted(airy)
    assert any(airy)


def test_the_stand_in_tile_fits_its_spot() -> None:
    tiles = large_castle()
    for count in range(TILES):
        for spot in castle.open_spots(practice_foundation(), tiles[:count]):
            tile = castle.fitting_tile(spot)
            assert not castle.mismatch(spot, tile)
            assert castle.steps_off(spot, tile) == 0
            assert tile.wild or tile.number


def test_a_large_castle_is_sound_and_has_forty_tiles() -> None:
    tiles = large_castle()
    assert len(tiles) == TILES
    assert list(castle.faults(practice_foundation(), tiles)) == []


def test_faults_name_what_cannot_be() -> None:
    assert list(castle.faults(FOUNDATION, (at(3, 0, 1),))) == ["has a tile on level 3 at 1 that rests on nothing"]
    assert list(castle.faults(FOUNDATION, (at(2, 2, 1),))) == ["has a tile on level 2 at 2 that is beside every place"]
    assert "pattern" in next(castle.faults(FOUNDATION, (at(1, 0, 1, bottom="air"),)))
    assert next(castle.faults(FOUNDATION, (at(1, DOOR_X, 1),))) == "has two tiles in one place"


def test_loose_tiles_bear_nothing() -> None:
    tiles = (at(1, 0, 1), at(1, 2, 1), at(1, 8, 1), at(2, 1, 2))
    assert castle.loose_tiles(tiles) == (at(1, 8, 1), at(2, 1, 2))


def test_levels_and_icons() -> None:
    tiles = (at(1, 0, 1, windows=2, roof=True), at(1, 2, 1, windows=1, persons=1), at(2, 1, 2, roof=True))
    assert castle.levels(()) == 1
    assert castle.levels(tiles) == 2
    assert [castle.icons(tiles, icon) for icon in ("windows", "persons", "roofs")] == [3, 1, 2]


def test_every_edge_has_two_halves() -> None:
    assert [castle.halves(edge) for edge in EDGES] == [
        ("stone", "stone"), ("air", "air"), ("stone", "air"), ("air", "stone"),
    ]  # fmt: skip


def test_needed_tells_the_door() -> None:
    spots = {(spot.level, spot.x): spot for spot in castle.open_spots(FOUNDATION, (at(1, 2, 10),))}
    assert castle.needed(spots[2, 3]) == "needs 12 (10 + door 2)"
    assert castle.needed(spots[2, 5]) == "needs 2 (door 2 + air)"
    assert castle.needed(spots[1, 0]) == "any number"
    assert castle.short(Tile()) == "0"
