"""The simulated table obeys statics: towers stand, tiles tip where they must, and scales read the truth."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from companion.sensing.plan import Plan
from companion.twin.castle import Castles, raise_tower
from companion.twin.physics import GRAVITY, STEP_S, Touch, World
from companion.twin.pieces import FLOOR_TILE, PILLAR
from companion.twin.table import nominal_table, varied_table
from companion.twin.turns import STRAIGHT, about

_MM = 0.001
_TIPS_WITHIN_S = 1.5
_LAID_STEPS = 150


def tower_of_tiles(levels: int, seed: int = 3) -> tuple[World, Castles]:
    stock = [FLOOR_TILE] * levels + [PILLAR] * 4 * (levels - 1)
    world = World(varied_table(("north",), seed), stock, seed)
    castles = Castles(world)
    raise_tower(castles, 0, "left", levels, 4, False, Random(seed), furnish=False)
    return world, castles


def weight_of(world: World) -> float:
    return sum(piece.mass_g for piece in world.pieces)


def grams(world: World, board: int = 0) -> tuple[float, float, float]:
    """What an ideal scale says: grams, and the centre of pressure in mm."""
    force, x, y = world.load()[board]
    return force / GRAVITY * 1000, x / force, y / force


def test_a_castle_of_five_levels_stands_for_a_minute() -> None:
    world, castles = tower_of_tiles(5)
    world.settle(0.5)
    before = [world.at(piece) for piece in world.pieces]
    world.settle(60.0)
    drift = max(math.dist(world.at(piece), was) for piece, was in zip(world.pieces, before, strict=True))
    assert drift < 0.1 * _MM
    assert castles.standing(0, "left").levels == 5


def test_the_height_of_a_tower_is_what_its_pieces_add_up_to() -> None:
    world, castles = tower_of_tiles(5)
    world.settle(0.5)
    tile, pillar = (world.plan.pieces[kind].tall_mm() or 0.0 for kind in (FLOOR_TILE, PILLAR))
    standing = castles.standing(0, "left")
    assert standing.levels == 5
    assert standing.top_mm == pytest.approx(5 * tile + 4 * pillar, abs=0.2)


def test_it_stands_by_physics_and_not_by_sleeping() -> None:
    world, _ = tower_of_tiles(5)
    for piece in world.pieces:
        world.keep_awake(piece, True)
    world.settle(0.5)
    before = [world.at(piece) for piece in world.pieces]
    world.settle(1.5)
    assert world.data.ntree_awake == len(world.pieces)
    drift = max(math.dist(world.at(piece), was) for piece, was in zip(world.pieces, before, strict=True))
    # Were this the speed of a steady creep, a minute would still stay below a tenth of a millimetre.
    assert drift * 60.0 / 1.5 < 0.1 * _MM


def tips(off_mm: float, way_deg: float) -> bool:
    """Whether a tile tips that was laid quietly off the middle of its pillar."""
    world = World(nominal_table(), [FLOOR_TILE, PILLAR, FLOOR_TILE])
    tile, z = world.pieces[-1], 0.0
    for piece in world.pieces:
        off = off_mm * _MM if piece is tile else 0.0
        way = math.radians(way_deg)
        at = (0.06 + off * math.cos(way), 0.06 + off * math.sin(way), z + piece.half_m[2])
        world.put(piece, world.on_table(0, at))
        z += 2 * piece.half_m[2]
    for _ in range(_LAID_STEPS):
        world.step()
        world.data.qvel[:] *= 0.5
    world.settle(_TIPS_WITHIN_S)
    return world.upright(tile) < math.cos(math.radians(5))


@pytest.mark.parametrize("way_deg", [0.0, 30.0, 135.0, 270.0])
def test_a_tile_on_one_pillar_tips_where_statics_says(way_deg: float) -> None:
    rim_mm = 6.0
    assert not tips(0.97 * rim_mm, way_deg)
    assert tips(1.03 * rim_mm, way_deg)


@pytest.mark.parametrize("asleep", [False, True])
def test_the_load_is_the_true_mass_where_it_truly_is(asleep: bool) -> None:
    world, _ = tower_of_tiles(4)
    for piece in world.pieces:
        world.keep_awake(piece, not asleep)
    world.settle(0.6)
    assert (world.data.ntree_awake == 0) is asleep
    reads = []
    for _ in range(50):
        world.step()
        reads.append(grams(world))
    read, x, y = np.mean(reads, axis=0)
    places = [world.on_board(0, world.at(piece)) for piece in world.pieces]
    assert read == pytest.approx(weight_of(world), abs=0.1)
    for axis, centre in ((0, x), (1, y)):
        true = sum(place[axis] * piece.mass_g for place, piece in zip(places, world.pieces, strict=True)) / weight_of(
            world
        )
        assert centre == pytest.approx(true / _MM, abs=0.5)


def test_a_falling_piece_weighs_nothing_until_it_lands() -> None:
    world = World(nominal_table(), [PILLAR])
    (pillar,) = world.pieces
    height = 0.05
    world.put(pillar, world.on_table(0, (0.06, 0.06, height + pillar.half_m[2])))
    loads = []
    for _ in range(400):
        world.step()
        loads.append(grams(world)[0])
    landed = next(at for at, load in enumerate(loads) if load > 0.1)
    assert landed * STEP_S == pytest.approx(math.sqrt(2 * height / GRAVITY), abs=0.004)
    momentum = sum(loads) / 1000 * GRAVITY * STEP_S
    assert momentum == pytest.approx(pillar.mass_g / 1000 * GRAVITY * 400 * STEP_S, rel=0.03)


def test_a_piece_half_on_the_board_is_weighed_by_what_rests_there() -> None:
    plan: Plan = nominal_table()
    world = World(plan, [FLOOR_TILE])
    (tile,) = world.pieces
    edge = plan.boards[0].size_mm[0] * _MM
    world.put(tile, world.on_table(0, (edge + 0.012, 0.08, 0.02)))
    for _ in range(20):
        world.settle(0.1)
        world.keep_awake(tile, world.straddles(tile))
    world.settle(0.5)
    assert world.straddles(tile)
    assert 0.1 < grams(world)[0] < tile.mass_g - 0.1


def test_a_shaken_table_shakes_every_board_and_nothing_stays() -> None:
    world = World(nominal_table(("south", "north")), [FLOOR_TILE])
    (tile,) = world.pieces
    world.put(tile, world.on_table(0, (0.06, 0.06, tile.half_m[2])))
    world.settle(0.3)
    quiet = world.load().copy()
    world.shake((0.0, 0.0, 2.0))
    world.step()
    world.step()
    shaken = world.load()
    world.shake((0.0, 0.0, 0.0))
    world.settle(0.5)
    assert (shaken[:, 0] > quiet[:, 0] + 0.3).all()
    assert world.load() == pytest.approx(quiet, abs=1e-3)


def test_boards_turned_every_way_read_in_their_own_frame() -> None:
    world = World(varied_table(("south", "north", "west", "east"), 5), [PILLAR] * 4)
    for board, pillar in enumerate(world.pieces):
        world.put(pillar, world.on_table(board, (0.07, 0.11, pillar.half_m[2])))
    world.settle(0.5)
    for board, pillar in enumerate(world.pieces):
        read, x, y = grams(world, board)
        assert read == pytest.approx(pillar.mass_g, abs=0.1)
        assert (x, y) == pytest.approx((70.0, 110.0), abs=0.5)


def test_a_piece_that_stands_on_a_board_touches_it_once() -> None:
    world = World(nominal_table(), [PILLAR, FLOOR_TILE])
    for piece, x in zip(world.pieces, (0.06, 0.16), strict=True):
        world.put(piece, world.on_table(0, (x, 0.06, piece.half_m[2])))
    for _ in range(5):
        world.step()
    assert world.data.ncon > 2
    assert world.touches(np.array([True, False])) == [Touch(board=0, piece=0)]


@pytest.mark.parametrize("lies", [False, True])
def test_a_piece_against_the_side_of_a_board_does_not_touch_its_surface(lies: bool) -> None:
    world = World(nominal_table(), [PILLAR])
    (pillar,) = world.pieces
    table_mm = -12.0
    turn = about((1.0, 0.0, 0.0), math.pi / 2) if lies else STRAIGHT
    up = pillar.half_m[0] if lies else pillar.half_m[2]
    world.put(pillar, world.on_table(0, (-pillar.half_m[0] + 0.00005, 0.06, table_mm * _MM + up)), turn)
    world.step()
    met = {world.model.geom(int(geom)).name for pair in world.data.contact.geom for geom in pair}
    assert "board/south" in met
    assert world.touches(np.array([True])) == []


@pytest.mark.parametrize("stock", [[], [FLOOR_TILE]])
def test_a_shaken_board_is_felt_with_all_that_sleeps_on_it(stock: list[str]) -> None:
    world = World(nominal_table(), stock)
    for tile in world.pieces:
        world.put(tile, world.on_table(0, (0.06, 0.06, tile.half_m[2])))
    world.settle(0.3)
    quiet, lift, plate_kg = world.load()[0, 0], 2.0, 0.35
    world.shake((0.0, 0.0, lift))
    assert world.data.ntree_awake == 0
    assert world.load()[0, 0] - quiet == pytest.approx((plate_kg + weight_of(world) / 1000) * lift)


@pytest.mark.parametrize("kind", [FLOOR_TILE, PILLAR, "meeple"])
def test_the_highest_point_of_a_piece_is_where_its_geometry_has_it(kind: str) -> None:
    world = World(nominal_table(), [kind])
    (piece,) = world.pieces
    chance = np.random.default_rng(1)
    hx, hy, hz = piece.half_m
    around = np.linspace(0, 2 * np.pi, 721)
    rim = np.array([(hx * np.cos(a), hx * np.sin(a)) for a in around])
    flat = rim if piece.round else np.array([(hx, hy), (hx, -hy), (-hx, hy), (-hx, -hy)])
    points = np.array([(x, y, z) for x, y in flat for z in (-hz, hz)])
    for _ in range(20):
        turn = chance.normal(size=4)
        w, x, y, z = turn / np.linalg.norm(turn)
        world.put(piece, (0.0, 0.0, 0.1), (w, x, y, z))
        up = np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])
        assert world.highest(piece) / _MM == pytest.approx(100 + (points @ up).max() / _MM, abs=0.01)
