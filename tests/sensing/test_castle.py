"""What counts as a level, how high things stand, and what must have happened unseen."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from companion.sensing.castle import Castle, Standing
from companion.sensing.plan import Piece
from companion.sensing.shapes import Kit, Shape, guises, shape_of
from tests.sensing.painted import one_board

_PIECES = {
    "floor-tile": Piece(6.5, (60.0, 60.0, 2.0)),
    "roof": Piece(8.0, (60.0, 60.0, 3.0)),
    "bridge": Piece(4.0, (100.0, 23.0, 2.0)),
    "pillar": Piece(2.0, diameter_mm=12.0, height_mm=25.0),
    "room": Piece(2.0, (28.0, 28.0, 2.0)),
    "meeple": Piece(1.4, (12.0, 9.0, 17.0)),
}


@pytest.fixture
def castle() -> Castle:
    plan = msgspec.structs.replace(one_board(), pieces=_PIECES)
    return Castle(plan.boards[0], Kit(plan))


def _raise(castle: Castle, tower: str, levels: int) -> None:
    for _ in range(levels):
        castle.assume(True, "floor-tile", tower)


def test_the_kit_knows_what_makes_a_level_and_what_lies_across(castle: Castle) -> None:
    kit = castle.kit
    assert [kit.is_level(kit.shapes[kind]) for kind in _PIECES] == [True, True, False, False, False, False]
    assert [shape.kind for shape in kit.bridges] == ["bridge"]
    assert {shape.kind for shape in kit.small} == {"pillar", "room", "meeple"}


def test_a_roof_is_a_level_of_its_own_above_the_floor_under_it(castle: Castle) -> None:
    _raise(castle, "left", 2)
    roof = castle.assume(True, "roof", "left")
    assert roof is not None
    assert (roof.level, castle.levels("left"), castle.top_mm("left")) == (3, 3, 57.0)


def test_what_is_built_on_a_roof_stands_as_high_as_the_roof_is_thick(castle: Castle) -> None:
    castle.assume(True, "floor-tile", "left")
    castle.assume(True, "roof", "left")
    floor = castle.assume(True, "floor-tile", "left")
    assert floor is not None
    assert (floor.level, floor.low_mm) == (3, 2.0 + 25.0 + 3.0 + 25.0)


def test_a_bridge_is_of_both_its_towers_and_a_level_of_none(castle: Castle) -> None:
    for tower in ("left", "right"):
        _raise(castle, tower, 2)
    bridge = Standing(castle.kit.bridges[0], "left", 2, (125.0, 60.0), 0.0, castle.surface_mm("left"), "right")
    castle.add(bridge)
    assert [castle.levels(tower) for tower in castle.towers] == [2, 0, 2]
    assert [castle.top_mm(tower) for tower in castle.towers] == [31.0, 0.0, 31.0]
    castle.rebuild("left", [])
    assert castle.top_mm("left") == 31.0, "a bridge lies there still"


def test_small_pieces_are_on_the_level_of_what_they_stand_on(castle: Castle) -> None:
    _raise(castle, "middle", 3)
    pillar = castle.assume(True, "pillar", "middle")
    assert pillar is not None
    assert (pillar.level, castle.levels("middle"), castle.top_mm("middle")) == (3, 3, 56.0 + 25.0)


def test_a_guest_in_a_room_stands_on_its_card(castle: Castle) -> None:
    _raise(castle, "middle", 1)
    castle.assume(True, "room", "middle")
    x, y = castle.middle("middle")
    assert castle.foot_mm("middle", (x + 5.0, y)) == 4.0
    assert castle.foot_mm("middle", (x + 22.0, y)) == 2.0


def test_what_was_taken_unseen_is_the_highest_of_its_kind(castle: Castle) -> None:
    _raise(castle, "left", 3)
    gone = castle.assume(False, "floor-tile", "left")
    assert gone is not None
    assert (gone.level, castle.levels("left")) == (3, 2)


def test_a_pillar_nobody_saw_is_taken_from_the_top_and_a_floor_that_is_not_there_cannot_be(castle: Castle) -> None:
    assert castle.assume(False, "floor-tile", "left") is None
    assert castle.assume(False, "pillar", "left") is None
    _raise(castle, "left", 2)
    pillar = castle.assume(False, "pillar", "left")
    assert pillar is not None
    assert pillar.level == 2
    assert castle.assume(True, "ladder", "left") is None


def test_floors_that_must_be_under_a_seen_one_are_filled_in(castle: Castle) -> None:
    castle.add(Standing(castle.kit.floor, "right", 3, (190.0, 60.0), 0.0, 54.0))
    assert [(piece.level, piece.low_mm) for piece in castle.of("right")] == [(1, 0.0), (2, 27.0), (3, 54.0)]


def test_plates_are_taken_for_plates_and_small_pieces_for_small_ones(castle: Castle) -> None:
    kit = castle.kit
    assert kit.akin(("roof",), ("floor-tile",))
    assert kit.akin(("pillar", "room"), ("meeple",))
    assert not kit.akin(("floor-tile", "roof"), ("meeple", "room"))
    assert kit.akin((), ("meeple",))


def test_what_stands_where_no_base_tile_was_seen_stands_on_one(castle: Castle) -> None:
    pillar = castle.assume(True, "pillar", "right")
    assert pillar is not None
    assert (pillar.level, pillar.low_mm, castle.levels("right")) == (1, castle.kit.floor.tall_mm, 1)


def _pillar(castle: Castle, at: tuple[float, float], tower: str = "left") -> Standing:
    return Standing(castle.kit.shapes["pillar"], tower, 1, at, 0.0, castle.surface_mm(tower))


def _floor(castle: Castle, at: tuple[float, float], level: int = 2, tower: str = "left") -> Standing:
    return Standing(castle.kit.floor, tower, level, at, 0.0, castle.kit.floor_low_mm(level))


def test_a_floor_on_a_single_pillar_stands_only_over_its_middle(castle: Castle) -> None:
    x, y = castle.towers["left"]
    _raise(castle, "left", 1)
    castle.add(_pillar(castle, (x, y)))
    assert not castle.cannot_carry(_floor(castle, (x + 5, y)))
    assert castle.cannot_carry(_floor(castle, (x + 9, y)))
    assert not castle.cannot_carry(_floor(castle, (x + 25, y)))  # others must stand there
    castle.add(_pillar(castle, (x + 20, y)))
    assert not castle.cannot_carry(_floor(castle, (x + 9, y)))


def test_where_nothing_is_known_to_stand_a_floor_may_be_carried(castle: Castle) -> None:
    x, y = castle.towers["left"]
    assert not castle.cannot_carry(_floor(castle, (x + 20, y), 1))
    _raise(castle, "left", 1)
    assert not castle.cannot_carry(_floor(castle, (x + 9, y)))


def test_a_floor_over_a_base_tile_that_carries_nothing_is_the_base_tile_itself(castle: Castle) -> None:
    _raise(castle, "left", 1)
    floor = castle.grounded(_floor(castle, castle.towers["left"]))
    castle.add(floor)
    assert (floor.level, castle.levels("left"), castle.top_mm("left")) == (1, 1, 2.0)


def test_a_floor_on_pillars_stays_where_it_is(castle: Castle) -> None:
    _raise(castle, "left", 1)
    castle.add(_pillar(castle, castle.towers["left"]))
    floor = _floor(castle, castle.towers["left"])
    assert castle.grounded(floor) is floor
    _raise(castle, "right", 2)
    higher = _floor(castle, castle.towers["right"], 3, "right")
    assert castle.grounded(higher) is higher


def test_a_floor_two_levels_up_is_not_carried_by_what_stands_below(castle: Castle) -> None:
    x, y = castle.towers["left"]
    _raise(castle, "left", 1)
    castle.add(_pillar(castle, (x, y)))
    assert not castle.cannot_carry(_floor(castle, (x + 9, y), 3))


def test_a_guest_alone_is_no_pillar(castle: Castle) -> None:
    x, y = castle.towers["left"]
    _raise(castle, "left", 1)
    castle.add(Standing(castle.kit.shapes["meeple"], "left", 1, (x, y), 0.0, castle.surface_mm("left")))
    assert not castle.cannot_carry(_floor(castle, (x + 9, y)))


@pytest.fixture
def based() -> Castle:
    """A castle of a box that has base tiles of their own."""
    pieces = {"base-tile": Piece(7.5, (64.0, 64.0, 3.0)), **_PIECES}
    plan = msgspec.structs.replace(one_board(), pieces=pieces)
    return Castle(plan.boards[0], Kit(plan))


def test_base_tiles_of_their_own_lie_on_the_board_and_nowhere_else(based: Castle) -> None:
    kit = based.kit
    assert (kit.base.kind, kit.floor.kind, [roof.kind for roof in kit.roofs]) == ("base-tile", "floor-tile", ["roof"])
    assert [kit.floor_low_mm(level) for level in (1, 2, 3)] == [0.0, 28.0, 55.0]
    assert [kit.named("floor-tile", level) for level in (1, 2, None)] == ["base-tile", "floor-tile", "floor-tile"]
    assert [kit.named(kind, 1) for kind in ("roof", "pillar")] == ["roof", "pillar"]


def test_a_plate_that_nobody_saw_is_what_it_must_be_on_its_level(based: Castle) -> None:
    laid = [based.assume(True, kind, "left") for kind in ("floor-tile", "floor-tile", "base-tile")]
    assert [(each.shape.kind, each.level) for each in laid if each] == [
        ("base-tile", 1),
        ("floor-tile", 2),
        ("floor-tile", 3),
    ]
    assert based.assume(False, "base-tile", "left") is not None


def test_a_base_tile_that_comes_where_one_seemed_to_lie_was_only_printed_there(based: Castle) -> None:
    based.add(based.base("left"))
    assert based.may_be_printed("left")
    laid = based.assume(True, "base-tile", "left")
    assert laid is not None
    assert (laid.level, based.levels("left")) == (1, 1)
    based.assume(True, "pillar", "left")
    assert not based.may_be_printed("left")


def _kit_of(**more: Piece) -> Kit:
    plan = one_board()
    return Kit(msgspec.structs.replace(plan, pieces={"floor-tile": plan.pieces["floor-tile"], **more}))


def test_a_figure_carries_nothing_and_what_is_too_low_is_none() -> None:
    kit = _kit_of(guest=Piece(1.5, height_mm=17.0), coin=Piece(1.0, height_mm=2.0))
    assert "guest" in kit.shapes
    assert "coin" not in kit.shapes
    assert kit.pillar is not None
    assert kit.pillar.kind == "pillar"
    assert kit.pitch_mm == _kit_of().pitch_mm


def test_a_small_tile_is_a_floor_by_its_name_and_a_small_card_is_none() -> None:
    pieces = {
        "floor-tile": Piece(4.0, (48.0, 39.0, 1.7)),
        "room-card": Piece(1.9, (38.0, 38.0, 2.0)),
        "pillar": Piece(3.5, diameter_mm=14.8, height_mm=34.0),
    }
    kit = Kit(msgspec.structs.replace(one_board(), pieces=pieces))
    assert (kit.floor.kind, kit.roofs) == ("floor-tile", ())
    assert kit.pitch_mm == pytest.approx(35.7)


def test_counters_are_no_plates_beside_floors_whatever_they_are_called() -> None:
    pieces = {**_PIECES, "damage-tile": Piece(0.6, (25.0, 25.0, 1.5)), "base_tile": Piece(7.0, (62.0, 62.0, 3.0))}
    kit = Kit(msgspec.structs.replace(one_board(), pieces=pieces))
    assert (kit.floor.kind, kit.base.kind) == ("floor-tile", "base_tile")
    assert not kit.is_level(kit.shapes["damage-tile"])


def test_a_castle_is_flat_until_something_is_laid_on_a_base_tile(castle: Castle) -> None:
    assert castle.is_flat
    castle.add(castle.base("left"))
    castle.add(castle.base("right"))
    assert castle.is_flat
    castle.assume(True, "floor-tile", "left")
    assert not castle.is_flat
    castle.rebuild("left", ())
    assert castle.is_flat
    castle.assume(True, "pillar", "right")
    assert not castle.is_flat


def _creases(shape: Shape, eye: tuple[float, float, float]) -> list[list[list[float]]]:
    found = shape.creases(shape.corners((0.0, 0.0), 0.0, 0.0), np.array(eye))
    return sorted(sorted(edge) for edge in np.round(found, 3).tolist())


def test_the_creases_of_a_box_are_the_three_edges_that_meet_in_its_nearest_corner() -> None:
    box = shape_of("box", Piece(1.0, (20.0, 10.0, 8.0)))
    assert box is not None
    assert _creases(box, (100.0, -100.0, 100.0)) == [
        [[-10.0, -5.0, 8.0], [10.0, -5.0, 8.0]],
        [[10.0, -5.0, 0.0], [10.0, -5.0, 8.0]],
        [[10.0, -5.0, 8.0], [10.0, 5.0, 8.0]],
    ]
    assert _creases(box, (0.0, 0.0, 100.0)) == [], "from above it is nothing but its silhouette"


def test_what_is_round_has_an_upper_rim_and_no_upright_creases() -> None:
    pillar = shape_of("pillar", Piece(1.0, diameter_mm=12.0, height_mm=25.0))
    assert pillar is not None
    rim = _creases(pillar, (0.0, -300.0, 300.0))
    assert rim
    assert all(end[2] == 25.0 and end[1] < 4.0 for edge in rim for end in edge)


def test_a_figure_has_no_creases_that_are_known() -> None:
    guest = shape_of("guest", Piece(1.0, height_mm=17.0))
    assert guest is not None
    assert _creases(guest, (0.0, -300.0, 300.0)) == []


def test_a_roof_with_a_ridge_shows_it_and_the_eaves_of_its_gable() -> None:
    roof = shape_of("roof", Piece(1.0, (40.0, 30.0, 15.0)))
    assert roof is not None
    gable = guises(roof)[-1]
    above = _creases(gable, (0.0, -50.0, 300.0))
    assert [[end[2] for end in edge] for edge in above] == [[15.0, 15.0]] * 2
    assert len(_creases(gable, (300.0, -100.0, 100.0))) > len(above), "and where a slope meets the end"
