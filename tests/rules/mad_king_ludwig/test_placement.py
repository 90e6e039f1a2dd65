"""Rules for Placing Rooms, and placement trees counted by hand."""

from __future__ import annotations

import pytest

from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.bench import THIRTY_ROOMS, rows
from companion.rules.mad_king_ludwig.notation import read
from companion.rules.mad_king_ludwig.placement import fits, objection, preview, previews, spots, where
from companion.rules.mad_king_ludwig.rooms import FOYER, catalogue
from companion.rules.mad_king_ludwig.scoring_steps import recount
from companion.rules.mad_king_ludwig.state import Castle, Spot

BELOW = "foyer@0,0 stairs@1,3/270"
"""The Foyer with stairs that lead down from its lower entrance."""
GATED = "foyer@0,0 gatehouse@3,1/90"
"""A Gatehouse right of the Foyer, its fence to the right, its second entrance to the left at y = 5."""


def at(x: int, y: int, turn: int = 0) -> Spot:
    return Spot(x=x, y=y, turn=turn)  # type: ignore[arg-type]


def broken(castle: str, room: str, spot: Spot) -> str | None:
    found = objection(read(castle), room, spot)
    return found.rule if found else None


# Rules 1 to 7


def test_an_entrance_must_meet_an_entrance() -> None:
    assert broken("foyer@0,0", "larder", at(3, 0)) is None
    assert broken("foyer@0,0", "larder", at(3, 1)) == "place.entrance"
    assert broken("foyer@0,0", "larder", at(30, 1)) == "place.entrance"


def test_tiles_never_overlap() -> None:
    found = objection(read("foyer@0,0"), "larder", at(2, 0))
    assert found is not None
    assert (found.rule, found.final) == ("place.overlap", True)
    assert found.why == "The Larder would lie on the Foyer."


def test_any_quarter_turn_will_do() -> None:
    turns = {spot.turn for spot in spots(Castle(), "larder")}
    assert turns == {0, 90, 180, 270}


def test_an_entrance_may_face_a_wall() -> None:
    """The Dirt Room's blank side closes one entrance of the Terrace Gardens, and is joined elsewhere."""
    castle = "foyer@0,0 sitting-room@3,0 terrace-gardens@3,-4"
    assert broken(castle, "dirt-room", at(6, 0, 180)) is None
    grown = read(f"{castle} dirt-room@6,0/180")
    assert 2 in castles.contacts(grown)[3].touches
    assert 2 not in castles.contacts(grown)[3].connects


def test_a_castle_keeps_a_way_out() -> None:
    two = "foyer@0,0 broom-closet@3,1/90 cloak-room@-2,0/270"
    assert broken(two, "powder-room", at(1, 3, 180)) == "place.way-out"
    assert broken(two, "larder", at(1, 3, 90)) is None
    assert not fits(read(two), "powder-room")


def test_an_entrance_into_a_court_is_no_way_out() -> None:
    """Four hallways shut in a court; what opens only to the court does not count as a way out."""
    ring = "foyer@0,-3 hallway@0,0 hallway@6,0/90 hallway@1,6 hallway@0,1/90"
    assert castles.board(read(ring)).leads_out()
    inner = read(f"{ring} larder@1,3")
    assert castles.outer_doors(inner)[5] == 0


def test_the_way_out_may_be_downstairs() -> None:
    """ruling.any-way-out: the last external entrance may belong to stairs."""
    castle = f"{BELOW} broom-closet@3,1/90"
    assert broken(castle, "cloak-room", at(-2, 0, 270)) is None


def test_floors_join_in_stairs_only() -> None:
    assert broken("foyer@0,0", "the-hole", at(-3, 0, 270)) == "place.floors"
    assert broken(BELOW, "the-hole", at(0, 6, 180)) is None
    assert broken(BELOW, "parlor", at(0, 6)) == "place.floors"
    assert broken(BELOW, "hallway", at(0, 6)) == "place.floors"
    assert broken(BELOW, "downstairs-hallway", at(0, 6)) is None
    assert broken("foyer@0,0", "downstairs-hallway", at(3, 1)) == "place.floors"


def test_stairs_lie_with_the_light_end_at_the_main_floor() -> None:
    assert broken("foyer@0,0", "stairs", at(1, 3, 270)) is None
    assert broken("foyer@0,0", "stairs", at(1, 3, 90)) == "place.floors"


def test_stairs_lead_up_again() -> None:
    assert broken(f"{BELOW} downstairs-hallway@1,6", "stairs", at(7, 6)) is None
    assert where(read(f"{BELOW} downstairs-hallway@1,6"), "stairs", at(7, 6)) == "right of the Downstairs Hallway"


def test_two_stairs_are_never_joined() -> None:
    assert broken(BELOW, "stairs", at(1, 6, 90)) == "place.stairs"
    light = "foyer@0,0 stairs@3,1/180"
    assert broken(light, "stairs", at(6, 1)) == "place.stairs"


def test_downstairs_walls_may_touch_the_main_floor() -> None:
    castle = f"{BELOW} hallway@3,1 hallway@3,2/90"
    assert broken(castle, "crypt", at(1, 6, 90)) is None
    found = castles.contacts(read(f"{castle} crypt@1,6/90"))[4]
    assert (found.connects, found.touches) == ((1,), (1, 3))


BENEATH = "foyer@0,0 hallway@3,1 gatehouse@3,2/180"
"""A Gatehouse under a hallway, its fence below it from x = 3 to 7."""


def test_nothing_touches_a_fence() -> None:
    assert broken("foyer@0,0 hallway@3,1", "gatehouse", at(3, 2, 180)) is None
    assert broken(f"{BENEATH} hallway@8,2/90", "larder", at(6, 4)) == "place.fence"
    assert broken(f"{BENEATH} hallway@8,2/90", "larder", at(6, 5)) is None


def test_a_fence_touches_nothing() -> None:
    """The Stables' fence would lie along the Foyer; a turn away it does not."""
    assert broken(GATED, "stables", at(-4, 3)) == "place.fence"
    assert broken(GATED, "stables", at(-7, 0)) is None


def test_fence_corners_may_touch() -> None:
    """The hallway's side lies along the Gatehouse and passes the end of its fence."""
    assert broken(BENEATH, "hallway", at(8, 2, 90)) is None
    assert castles.contacts(read(f"{BENEATH} hallway@8,2/90"))[3].touches == (1, 2)


# Trees


def tree(castle: str, *rooms: str) -> list[int]:
    """How many castles there are after each of these rooms was placed in every legal way."""
    level = [read(castle)]
    counts = []
    for room in rooms:
        level = [castles.with_room(each, room, spot) for each in level for spot in spots(each, room)]
        counts.append(len(level))
    return counts


def test_tree_of_the_foyer() -> None:
    """The Foyer has three entrances and nothing around it, so a room fits once for each pair of entrances.

    - One entrance: 3 spots. Closet after closet: 3, then 2 for each, and the third would shut the last way out.
    - The Larder's two entrances: 6 spots. Each leaves two of the Foyer's and one of its own, so 18 for a closet.
    - The Buttery looks the same turned around: 3. So does the Parlor from all four sides: 3; then 2 + 3 are open: 15.
    - The hallway looks the same turned around: 3 x 14 / 2 = 21.
    - The Kitchen's inner entrance lies two cells deep in its corner and the Foyer is three wide: only its outer one, 3.
    - Downstairs rooms need stairs: 0.
    """
    assert tree("foyer@0,0", "broom-closet", "cloak-room", "powder-room") == [3, 6, 0]
    assert tree("foyer@0,0", "larder", "broom-closet") == [6, 18]
    assert tree("foyer@0,0", "buttery") == [3]
    assert tree("foyer@0,0", "parlor", "study") == [3, 15]
    assert tree("foyer@0,0", "hallway") == [21]
    assert tree("foyer@0,0", "kitchen") == [3]
    assert tree("foyer@0,0", "the-hole") == [0]


def test_tree_below_the_stairs() -> None:
    """Open are the Foyer's left and right entrance and the dark end of the stairs.

    - The Hole has one entrance: 1. The Crypt has two: 2, and leaves one for the Hole: 2.
    - Stairs: left and right of the Foyer, never at other stairs: 2; then two dark ends each for the Hole: 4.
    - A downstairs hallway: 14 / 2 = 7. It has 13 entrances left, 7 x 13 = 91; but the Hole is three wide and two of the
      upper entrances are the stairs' neighbours. Lying across with its left end at -4 and 1 the hallway has one of
      those, at -3 to 0 both, upright none: 91 - 1 - 4 x 2 - 1 = 81.
    - After the Hole two closets would shut the castle: 1, 2, 0.
    """
    assert tree(BELOW, "the-hole") == [1]
    assert tree(BELOW, "crypt", "the-hole") == [2, 2]
    assert tree(BELOW, "stairs", "the-hole") == [2, 4]
    assert tree(BELOW, "downstairs-hallway", "the-hole") == [7, 81]
    assert tree(BELOW, "the-hole", "broom-closet", "cloak-room") == [1, 2, 0]


def test_tree_beside_the_gatehouse() -> None:
    """Open are the Foyer's left and lower entrance, and the Gatehouse's at its lower left; it stands at x = 3 and 4.

    - The Broom Closet: one spot each, 3. The lower two lie on each other, so a second closet has 1, 2 and 1 left: 4.
    - The Larder: 2 x 3 = 6.
    - A hallway left of the Foyer: 1 across, 6 upright. Below the Foyer across only with its left end at -4 or -3, or it
      would lie on the Gatehouse, and 1 upright: 3. At the Gatehouse 1 across, and upright only from y = 3 on, below
      the Foyer: 3, 4, 5. In all 7 + 3 + 4 = 14.
    - The Forum in three turns left of the Foyer and at the Gatehouse; below the Foyer it would lie on the Gatehouse: 6.
    """
    assert tree(GATED, "broom-closet", "cloak-room") == [3, 4]
    assert tree(GATED, "larder") == [6]
    assert tree(GATED, "hallway") == [14]
    assert tree(GATED, "forum") == [6]


# Previews


def test_previews_are_best_first_and_right() -> None:
    castle = read(THIRTY_ROOMS)
    for room in ("hallway", "kitchen", "salon", "stairs", "dungeon"):
        found = previews(castle, room)
        assert [each.points for each in found] == sorted((each.points for each in found), reverse=True)
        for each in found[:5]:
            grown = castles.with_room(castle, room, each.spot)
            assert recount(grown) - recount(castle) == each.points
            assert set(castles.completed(grown)) - set(castles.completed(castle)) == set(each.completes)


def test_a_spot_far_away_brings_only_the_corner() -> None:
    found = preview(Castle(), "kitchen", at(100, 100))
    assert (found.points, found.completes) == (1, ())
    assert where(Castle(), "kitchen", at(100, 100)) == "nowhere near the castle"


@pytest.mark.parametrize("room", [room for room in catalogue() if room != FOYER])
def test_every_room_can_be_placed_somewhere(room: str) -> None:
    assert spots(read(f"{BELOW} hallway@3,1 downstairs-hallway@-4,6"), room)


def test_the_bench_measures_every_row() -> None:
    ticks = iter(range(10_000_000))
    measured = rows(lambda: next(ticks) / 1_000_000)
    assert [row.samples > 50 for row in measured] == [True] * 3
    assert all(row.ok and "ms" in str(row) for row in measured)
