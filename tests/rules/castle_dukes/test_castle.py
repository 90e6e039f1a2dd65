"""Castle Dukes: what a castle is worth, and what falls when a piece is removed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import NoSuchPiece
from companion.rules.castle_dukes import castle as castles
from companion.rules.castle_dukes.actions import Lose
from companion.rules.castle_dukes.castle import (
    Target,
    dials,
    heights,
    open_slots,
    pieces,
    remove,
    targets,
    total_levels,
)
from companion.rules.castle_dukes.state import Bridge, Card, Castle, ChitKind, Dials, Room, Tile, Top
from tests.rules.castle_dukes.table import ATTIC, CELLAR, KITCHEN, floor, roofed, stack, with_kitchen

KINDS: tuple[ChitKind, ...] = ("tile", "room", "decor", "character", "pillar")
FRONTS = {"left": stack(4), "right": roofed(4)}


def test_dials_add_rooms_and_what_stands_on_them() -> None:
    hall = Room(
        card=Card(name="Hall", comfort=2, defence=3, offence=1), table=True, knight=2, king=1, serf=1, coffer=True
    )
    top = Top(brazier=2, battlement=1, cauldron=1, ballista=2)
    castle = Castle(
        left=(floor(rooms=(hall,)), floor(), Tile(roof=top)), bridges=(Bridge(level=3, top=Top(brazier=1)),)
    )
    assert dials(castle) == Dials(comfort=2 + 1, defence=3 + 1 + 2 + 1 + 1, offence=1 + 1 + 2 * 2 + 2)


def test_an_empty_castle_shows_zero() -> None:
    assert dials(Castle()) == Dials()
    assert pieces(Castle()) == {}


def test_a_roof_is_a_level_and_a_bridge_is_not() -> None:
    castle = Castle(left=roofed(3), right=stack(3), bridges=(Bridge(level=3),))
    assert heights(castle) == (3, 0, 3)
    assert total_levels(castle) == 6


def test_pieces_counts_floors_roofs_and_bridges_as_tiles() -> None:
    castle = Castle(left=roofed(4, brazier=1), right=stack(3), bridges=(Bridge(level=3, top=Top(battlement=1)),))
    assert pieces(castle) == {"tile": 8, "pillar": 6, "brazier": 1, "battlement": 1}


def test_open_slots_are_printed_slots_less_who_lives_there() -> None:
    castle = with_kitchen(king=1, serf=1)
    assert open_slots(castle, "king") == ()
    assert open_slots(castle, "princess") == (("left", 1, 0),)
    assert open_slots(castle, "serf") == (("left", 1, 0),)


def test_a_target_is_what_an_action_points_at() -> None:
    action = Lose(seat=1, what="pillar", tower="right", level=2, cobble=True)
    assert Target.of(action) == Target(what="pillar", tower="right", level=2, cobble=True)


def test_pillar_targets_tell_spare_ones_from_those_alone_on_a_marking() -> None:
    castle = Castle(left=(floor(cobbles=2, pillars=3, covered=2),), middle=(floor(),), right=(floor(covered=0),))
    assert [(target.tower, target.cobble) for target in targets(castle, "pillar")] == [
        ("left", False),
        ("left", True),
        ("middle", True),
        ("right", False),
    ]


def test_decors_and_characters_are_told_apart() -> None:
    castle = Castle(left=with_kitchen(table=True, coffer=True, serf=2, king=1).left, right=roofed(3, brazier=2))
    assert [target.what for target in targets(castle, "decor")] == ["table", "coffer", "brazier"]
    assert [target.what for target in targets(castle, "character")] == ["king", "serf"]
    assert len(targets(castle, "room")) == 1
    assert len(targets(castle, "tile")) == 4


def test_a_removed_room_takes_everything_on_it_along() -> None:
    castle = with_kitchen(table=True, serf=2, princess=1)
    left, removed, cards = remove(castle, Target(what="room", tower="left", level=1))
    assert removed == {"room": 1, "table": 1, "serf": 2, "princess": 1}
    assert cards == (KITCHEN,)
    assert left == Castle(left=(floor(),))


def test_a_removed_battlement_takes_its_arms_but_no_brazier() -> None:
    castle = Castle(left=roofed(3, brazier=2, battlement=1, cauldron=2, ballista=1))
    left, removed, _ = remove(castle, Target(what="battlement", tower="left", level=3))
    assert removed == {"battlement": 1, "cauldron": 2, "ballista": 1}
    assert castles.top_at(left, "left", 3) == Top(brazier=2)


def test_a_removed_tile_takes_all_above_it_and_the_bridges_there() -> None:
    castle = Castle(**FRONTS, bridges=(Bridge(level=3, top=Top(brazier=1)), Bridge(level=4)))
    left, removed, _ = remove(castle, Target(what="tile", tower="left", level=4))
    assert removed == {"tile": 2, "pillar": 1}
    assert left == Castle(left=stack(3), right=roofed(4), bridges=(Bridge(level=3, top=Top(brazier=1)),))
    bare, removed, _ = remove(castle, Target(what="tile", tower="right", level=1))
    assert bare == Castle(left=stack(4))
    assert removed == {"tile": 6, "pillar": 3, "brazier": 1}


def test_the_middle_tower_bears_no_bridge() -> None:
    castle = Castle(**FRONTS, middle=stack(3), bridges=(Bridge(level=3),))
    left, _, _ = remove(castle, Target(what="tile", tower="middle", level=1))
    assert left == Castle(**FRONTS, bridges=(Bridge(level=3),))


def test_a_bridge_is_removed_with_what_stands_on_it_only() -> None:
    castle = Castle(**FRONTS, bridges=(Bridge(level=3, top=Top(battlement=1, ballista=2)), Bridge(level=4)))
    left, removed, _ = remove(castle, Target(what="tile", tower="bridge", level=3))
    assert removed == {"tile": 1, "battlement": 1, "ballista": 2}
    assert left == Castle(**FRONTS, bridges=(Bridge(level=4),))


def test_the_last_pillar_takes_down_everything_above_it() -> None:
    castle = Castle(left=(floor(), floor(rooms=(Room(card=CELLAR, coffer=True),)), floor()))
    left, removed, cards = remove(castle, Target(what="pillar", tower="left", level=1, cobble=True))
    assert left == Castle(left=(floor(pillars=0, covered=0),))
    assert removed == {"tile": 2, "pillar": 3, "room": 1, "coffer": 1}
    assert cards == (CELLAR,)


def test_a_pillar_beside_others_is_lost_alone() -> None:
    castle = Castle(left=(floor(cobbles=2, pillars=3, covered=2), floor()))
    spare, removed, _ = remove(castle, Target(what="pillar", tower="left", level=1))
    assert (spare.left[0].pillars, spare.left[0].covered) == (2, 2)
    marked, _, _ = remove(castle, Target(what="pillar", tower="left", level=1, cobble=True))
    assert (marked.left[0].pillars, marked.left[0].covered) == (2, 1)
    assert removed == {"pillar": 1}
    assert len(spare.left) == len(marked.left) == 2


@pytest.mark.parametrize(
    "target",
    [
        Target(what="tile", tower="left", level=5),
        Target(what="tile", tower="bridge", level=3),
        Target(what="pillar", tower="left", level=1),
        Target(what="pillar", tower="bridge", level=3),
        Target(what="pillar", tower="right", level=1, cobble=True),
        Target(what="room", tower="left", level=1, room=1),
        Target(what="room", tower="bridge", level=3),
        Target(what="serf", tower="left", level=1),
        Target(what="table", tower="left", level=2),
        Target(what="brazier", tower="left", level=1),
        Target(what="ballista", tower="bridge", level=3),
    ],
)
def test_what_is_not_there_cannot_be_removed(target: Target) -> None:
    with pytest.raises(NoSuchPiece, match=r"There is no .*\."):
        remove(with_kitchen(), target)


# Any castle


ROOMS = st.builds(
    Room,
    card=st.sampled_from((KITCHEN, ATTIC, CELLAR)),
    table=st.booleans(),
    coffer=st.booleans(),
    serf=st.integers(0, 2),
    king=st.integers(0, 1),
    princess=st.integers(0, 1),
    knight=st.integers(0, 1),
)
TOPS = st.builds(
    lambda brazier, arms: Top(brazier=brazier, **arms),
    st.integers(0, 2),
    st.sampled_from(
        ({}, {"battlement": 1}, {"battlement": 1, "cauldron": 2}, {"battlement": 1, "cauldron": 1, "ballista": 2})
    ),
)


@st.composite
def floors(draw: st.DrawFn) -> Tile:
    cobbles, spare = draw(st.integers(0, 3)), draw(st.integers(0, 2))
    pillars = cobbles + spare or 1
    rooms = tuple(draw(st.lists(ROOMS, max_size=2)))
    return Tile(spaces=2, cobbles=cobbles, covered=cobbles, pillars=pillars, ends=draw(st.booleans()), rooms=rooms)


@st.composite
def towers(draw: st.DrawFn) -> tuple[Tile, ...]:
    tiles = tuple(draw(st.lists(floors(), max_size=5)))
    roof = draw(st.none() | TOPS) if len(tiles) >= 2 else None
    return (*tiles, Tile(spaces=0, cobbles=0, roof=roof)) if roof else tiles


@st.composite
def any_castle(draw: st.DrawFn) -> Castle:
    castle = Castle(left=draw(towers()), middle=draw(towers()), right=draw(towers()))
    levels = [level for level in range(3, 7) if castles.can_bear_bridge(castle, level) and draw(st.booleans())]
    return Castle(
        left=castle.left,
        middle=castle.middle,
        right=castle.right,
        bridges=tuple(Bridge(level=level, top=draw(TOPS)) for level in levels),
    )


def cards_of(castle: Castle) -> Counter[Card]:
    return Counter(room.card for _, _, _, room in castles.rooms(castle))


@given(castle=any_castle(), kind=st.sampled_from(KINDS))
def test_removing_never_counts_wrong(castle: Castle, kind: ChitKind) -> None:
    for target in targets(castle, kind):
        left, removed, cards = remove(castle, target)
        assert Counter(pieces(left)) + Counter(removed) == Counter(pieces(castle))
        assert cards_of(left) + Counter(cards) == cards_of(castle)
        assert removed[target.what] >= 1
        assert len(cards) == removed.get("room", 0)


@given(castle=any_castle(), kind=st.sampled_from(KINDS))
def test_nothing_is_left_in_the_air(castle: Castle, kind: ChitKind) -> None:
    for target in targets(castle, kind):
        left, _, _ = remove(castle, target)
        assert all(castles.can_bear_bridge(left, bridge.level) for bridge in left.bridges)
        for id in ("left", "middle", "right"):
            tiles = castles.tower(left, id)
            assert all(tile.pillars for tile in tiles[:-1])
            assert all(tile.covered <= tile.pillars for tile in tiles)
            assert id == target.tower or tiles == castles.tower(castle, id)


@given(castle=any_castle())
def test_there_is_a_target_for_every_sort_of_piece(castle: Castle) -> None:
    sorts = {target.what for kind in KINDS for target in targets(castle, kind)}
    assert sorts == set(pieces(castle))
    assert all(castles.kind_of(target.what) == kind for kind in KINDS for target in targets(castle, kind))
