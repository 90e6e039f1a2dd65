"""Shapes, turning, what overlaps, touches, is joined and is shut in; and a slow second opinion on all of it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.bench import THIRTY_ROOMS
from companion.rules.mad_king_ludwig.geometry import Board, Lying, nests, outline, turns
from companion.rules.mad_king_ludwig.notation import read
from companion.rules.mad_king_ludwig.placement import contact, spots
from companion.rules.mad_king_ludwig.rooms import FOYER, catalogue
from companion.rules.mad_king_ludwig.state import Castle
from tests.rules.mad_king_ludwig import oracle

ROOMS = [room for room in catalogue() if room != FOYER]
TURN = st.sampled_from((0, 90, 180, 270))

PINWHEEL = "foyer@0,-3 hallway@0,0 hallway@6,0/90 hallway@1,6 hallway@0,1/90"
"""Four hallways around a court of five by five cells, the Foyer outside."""


def lie(room: str, x: int, y: int, turn: int = 0) -> Lying:
    return Lying(catalogue()[room], x, y, turn)


def touching(one: Lying, other: Lying) -> bool:
    board = Board((one,))
    return bool(board.touching(board.placed(other)))


# Shapes


@pytest.mark.parametrize("room", catalogue())
def test_square_feet_are_the_cells_without_cut_corners(room: str) -> None:
    tile = catalogue()[room]
    shape = outline(tile, 0)
    if tile.shape != "circle":
        assert 25 * len(shape.cells - shape.corners) == tile.sqft
    assert len(shape.doors) + len(shape.below) == len(tile.doors)
    assert shape.doors | shape.below <= shape.walls


@given(room=st.sampled_from(sorted(catalogue())))
def test_four_quarter_turns_are_none(room: str) -> None:
    tile = catalogue()[room]
    assert outline(tile, 360) == outline(tile, 0)
    assert len({outline(tile, turn) for turn in (0, 90, 180, 270)}) == len(turns(tile))


def test_turning_is_clockwise() -> None:
    stairs = outline(catalogue()["stairs"], 90)
    assert (stairs.width, stairs.height) == (1, 3)
    assert stairs.below == {(0, 0, 0)}
    assert stairs.doors == {(0, 2, 2)}


@pytest.mark.parametrize(
    ("room", "count"), [("hallway", 2), ("parlor", 1), ("buttery", 2), ("larder", 4), ("stairs", 4), ("observatory", 1)]
)
def test_turns_that_make_a_difference(room: str, count: int) -> None:
    assert len(turns(catalogue()[room])) == count


# Cut corners (ruling.cut-corners)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (lie("forum", 0, 0), lie("theater", 4, 4), True),
        (lie("forum", 0, 0), lie("theater", 4, 3), True),
        (lie("forum", 0, 0), lie("theater", 4, 2), False),
        (lie("parlor", 0, 0), lie("study", 2, 2), False),
        (lie("forum", 0, 0), lie("parlor", 4, 4), True),
        (lie("forum", 0, 0), lie("parlor", 4, 3), False),
        (lie("stables", 0, 0), lie("vestibule", 6, 3), True),
        (lie("stables", 0, 0), lie("vestibule", 5, 3), False),
        (lie("stables", 0, 0), lie("forum", 6, 3), True),
        (lie("stables", 0, 0), lie("parlor", 6, 3), False),
        (lie("stables", 0, 0), lie("larder", 6, 3), False),
        (lie("forum", 0, 0), lie("larder", 4, 4), False),
    ],
)
def test_cut_corners_share_space_only_as_far_as_tiles_do_not_overlap(one: Lying, other: Lying, apart: bool) -> None:
    assert nests(one, other) is apart
    assert nests(other, one) is apart
    assert oracle.overlap(oracle.Tile(*one), oracle.Tile(*other)) is not apart


@pytest.mark.parametrize(
    ("one", "other", "touch"),
    [
        (lie("larder", 0, 0), lie("pantry", 2, 0), True),
        (lie("larder", 0, 0), lie("pantry", 2, 1), True),
        (lie("larder", 0, 0), lie("pantry", 2, 2), False),
        (lie("forum", 0, 0), lie("larder", 5, 1), True),
        (lie("forum", 0, 0), lie("larder", 5, 0), False),
        (lie("forum", 0, 0), lie("theater", 4, 3), False),
        (lie("stables", 0, 0), lie("vestibule", 6, 3), False),
        (lie("stables", 0, 0), lie("larder", 7, -1), False),
        (lie("stables", 0, 0), lie("larder", 7, 0), True),
        (lie("kitchen", 0, 0), lie("larder", 2, 0), True),
    ],
)
def test_touching(one: Lying, other: Lying, touch: bool) -> None:
    """ruling.round-sides: a round tile touches only in the middle of its sides."""
    assert touching(one, other) is touch
    assert touching(other, one) is touch
    assert oracle.touch(oracle.Tile(*one), oracle.Tile(*other)) is touch


# Ways out


def test_a_court_is_shut_in() -> None:
    castle = read(PINWHEEL)
    inside = 5
    doors = castles.outer_doors(castle)
    assert doors[0] == 2
    closed = {1: 1 + 1 + 1, 2: 1 + 1, 3: 1 + 1, 4: 1 + 1}
    for index, joined in closed.items():
        assert doors[index] == 14 - inside - joined
    assert list(doors) == oracle.outer_doors(oracle.tiles_of(castle))


def test_an_entrance_to_a_court_is_not_external() -> None:
    castle = read(f"{PINWHEEL} larder@1,3/0")
    assert castles.external_entrances(castle) == 0
    assert castles.external_entrances(read("foyer@0,0 larder@3,0")) == 1


def test_a_diagonal_gap_is_sealed() -> None:
    """ruling.diagonal-sealed: the hallways meet only in their corners, and the Larder between them is shut in."""
    pushed = read("foyer@0,-3 hallway@0,0 hallway@6,1/90 hallway@0,6 hallway@-1,0/90 larder@0,2")
    assert castles.outer_doors(pushed)[5] == 0


def test_the_space_of_a_cut_corner_is_open() -> None:
    """The Larder's entrance looks at the corner cut off the Stables, and from there the way is free."""
    castle = read("foyer@0,0 stables@3,-1 larder@10,-2/180")
    assert castles.outer_doors(castle)[2] == 2
    assert castles.contacts(castle)[2].touches == ()


def test_an_entrance_that_faces_a_round_side_leads_nowhere() -> None:
    """ruling.round-sides: the Larder's entrance looks at the Forum beside the middle."""
    castle = read("foyer@0,0 forum@20,20 larder@25,19")
    assert castles.outer_doors(castle)[2] == 2
    beside = read("foyer@0,0 forum@20,20 larder@25,20")
    assert castles.outer_doors(beside)[2] == 1
    assert castles.contacts(beside)[2].touches == ()


# The second opinion


def grown(seed: int, size: int) -> Castle:
    """A castle built by chance."""
    chance, castle = Random(seed), Castle()
    while len(castle.rooms) < size:
        room = chance.choice(ROOMS)
        if any(placed.room == room for placed in castle.rooms) and room not in ("hallway", "stairs"):
            continue
        found = spots(castle, room)
        if found:
            castle = castles.with_room(castle, room, chance.choice(found))
    return castle


@pytest.mark.parametrize("seed", range(4))
def test_contacts_agree_with_the_second_opinion(seed: int) -> None:
    castle = grown(seed, 14)
    tiles = oracle.tiles_of(castle)
    for index, found in enumerate(castles.contacts(castle)):
        others = [at for at in range(len(tiles)) if at != index]
        assert found.connects == tuple(at for at in others if oracle.joined(tiles[index], tiles[at]))
        assert found.touches == tuple(at for at in others if oracle.touch(tiles[index], tiles[at]))
    assert list(castles.outer_doors(castle)) == oracle.outer_doors(tiles)


@pytest.mark.parametrize("seed", range(3))
def test_spots_agree_with_the_second_opinion(seed: int) -> None:
    castle = grown(seed, 7)
    for room in Random(seed).sample(ROOMS, 6):
        found = {(spot.x, spot.y, spot.turn) for spot in spots(castle, room)}
        assert found == oracle.spots(castle, room), room


def test_spots_among_thirty_rooms_agree_with_the_second_opinion() -> None:
    castle = read(THIRTY_ROOMS)
    for room in ("stairs", "kitchen"):
        found = {(spot.x, spot.y, spot.turn) for spot in spots(castle, room)}
        assert found == oracle.spots(castle, room), room


@given(seed=st.integers(0, 30), room=st.sampled_from(ROOMS))
def test_a_preview_sees_what_the_castle_then_is(seed: int, room: str) -> None:
    castle = grown(seed % 5, 8)
    for spot in spots(castle, room)[:3]:
        new = contact(castle, room, spot)
        assert castles.contacts(castles.with_room(castle, room, spot))[-1] == new
