"""Room Placement Scoring, step by step, and completion."""

from __future__ import annotations

import pytest

from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.notation import read, read_legal
from companion.rules.mad_king_ludwig.placement import preview, previews
from companion.rules.mad_king_ludwig.rooms import catalogue
from companion.rules.mad_king_ludwig.scoring_steps import recount, room_points
from companion.rules.mad_king_ludwig.state import Castle, Spot

HALL = "foyer@0,0 great-hall@3,0"
ORATORY = f"{HALL} oratory@10,0/180"
"""The Oratory's two left entrances both meet the Great Hall; its third looks down."""


def lines(castle: str, word: str) -> list[tuple[int, int, str]]:
    """The lines of placing the room of one more word of notation."""
    before, after = read_legal(castle), read_legal(f"{castle} {word}")
    placed = after.rooms[-1]
    assert placed.spot is not None
    found = preview(before, placed.room, placed.spot)
    assert recount(after) - recount(before) == found.points
    return [(line.step, line.points, line.why) for line in found.lines]


def complete(castle: str) -> set[str]:
    built = read_legal(castle)
    return {castles.room_name(built, index) for index in castles.completed(built)}


# Steps


def test_step_1_the_corner() -> None:
    assert lines("foyer@0,0", "larder@3,0") == [(1, 2, "Larder: 2 in its corner")]


def test_step_2_the_centre_of_the_new_room() -> None:
    """The Salon pays 2 for each activity room it is joined to."""
    found = lines("foyer@0,0 parlor@3,0 flute-room@6,0", "salon@9,0")
    assert found == [
        (1, 3, "Salon: 3 in its corner"),
        (2, 2, "Salon joined to the Flute Room (activity)"),
        (4, -1, "Flute Room touches the Salon (living)"),
    ]


def test_step_3_the_centres_of_joined_rooms() -> None:
    found = lines("foyer@0,0 parlor@3,0", "flute-room@6,0")
    assert found == [
        (1, 3, "Flute Room: 3 in its corner"),
        (2, -1, "Flute Room touches the Parlor (living)"),
        (3, 1, "Parlor joined to the Flute Room (activity)"),
    ]


def test_step_4_activity_rooms_that_touch() -> None:
    """A room that only leans on an activity room costs as much as one joined to it."""
    castle = "foyer@0,0 hallway@3,1 billiards-room@3,2/180"
    built = read_legal(f"{castle} larder@8,2/90")
    assert castles.contacts(built)[3].connects == (1,)
    assert 2 in castles.contacts(built)[3].touches
    assert (4, -1, "Billiards Room touches the Larder (food)") in lines(castle, "larder@8,2/90")


def test_step_5_downstairs_rooms_count_every_new_room() -> None:
    castle = "foyer@0,0 stairs@1,3/270 fungus-room@0,6"
    assert (5, 1, "Fungus Room counts the Larder (food)") in lines(castle, "larder@3,0")
    assert lines(castle, "parlor@3,0") == [(1, 4, "Parlor: 4 in its corner")]


def test_a_downstairs_room_counts_itself() -> None:
    """The Dungeon pays 2 for each downstairs room, the new one included."""
    assert lines("foyer@0,0 stairs@1,3/270", "dungeon@-2,6/180") == [
        (1, 1, "Dungeon: 1 in its corner"),
        (2, 2, "Dungeon: +2 for each of 1 downstairs rooms"),
    ]


def test_the_foyer_is_a_corridor_room() -> None:
    """ruling.foyer-is-corridor: the Gallery of Mirrors pays for it, the Audience Room pays."""
    found = lines("foyer@0,0", "gallery-of-mirrors@3,0")
    assert (2, 2, "Gallery of Mirrors joined to the Foyer (corridor)") in found
    assert (2, -2, "Audience Room touches the Foyer (corridor)") in lines("foyer@0,0", "audience-room@-7,0")


def test_two_entrances_between_two_rooms_count_once() -> None:
    """ruling.two-doors-once: the Stables pay 1 for the Audience Room, joined twice."""
    castle = "foyer@0,0 stables@3,0"
    built = read_legal(f"{castle} audience-room@10,0/180")
    joints = castles.board(built)
    assert joints.count_unmet(joints.masks[2]) == 1
    assert lines(castle, "audience-room@10,0/180") == [
        (1, 7, "Audience Room: 7 in its corner"),
        (3, 1, "Stables joined to the Audience Room (activity)"),
    ]


def test_points_may_be_negative() -> None:
    """ruling.minus-points: a hallway along the Audience Room costs 2."""
    found = lines("foyer@0,0 audience-room@-7,0", "hallway@-6,-1")
    assert found == [(4, -2, "Audience Room touches the Hallway (corridor)")]


# Completion


def test_a_room_with_one_entrance_completes_itself() -> None:
    assert complete("foyer@0,0 broom-closet@3,1/90") == {"Broom Closet"}


def test_two_entrances_that_meet_one_neighbour_are_both_joined() -> None:
    assert complete(ORATORY) == set()
    assert complete(f"{ORATORY} broom-closet@11,2/180") == {"Oratory", "Broom Closet"}


def test_an_entrance_that_faces_a_wall_never_completes() -> None:
    """The Dirt Room's blank wall stands before an entrance of the Terrace Gardens."""
    castle = read_legal("foyer@0,0 sitting-room@3,0 terrace-gardens@3,-4 dirt-room@6,0/180")
    board = castles.board(castle)
    assert castles.entrances_left(castle, 2) == 3
    assert sum(1 for *_, below in board.open_doors() if not below) < sum(
        castles.entrances_left(castle, index) for index in range(4)
    )


def test_an_entrance_before_a_wall_keeps_its_room_incomplete_for_good() -> None:
    """The Dirt Room's blank side stands before the Larder's second entrance: nothing can complete that room."""
    castle = read("foyer@0,0 larder@3,0 dirt-room@5,0")
    assert castles.entrances_left(castle, 1) == 1
    assert castles.outer_doors(castle)[1] == 0
    assert not any(1 in each.completes for room in catalogue() for each in previews(castle, room))


def test_an_entrance_into_a_court_leaves_a_room_incomplete() -> None:
    ring = read("foyer@0,-3 hallway@0,0 hallway@6,0/90 hallway@1,6 hallway@0,1/90 larder@1,3")
    assert not castles.contacts(ring)[5].complete
    assert castles.external_entrances(ring) == 0


def test_the_foyer_can_be_completed() -> None:
    castle = "foyer@0,0 larder@3,0 broom-closet@-2,0/270 powder-room@1,3/180"
    assert "Foyer" in complete(castle)


@pytest.mark.parametrize("room", ["throne-room", "singers-chamber", "forum"])
def test_worth_of_a_lone_room(room: str) -> None:
    castle = Castle(rooms=(*Castle().rooms, read(f"foyer@0,0 {room}@50,50").rooms[1]))
    assert room_points(castle, 1) == catalogue()[room].points


def test_recount_of_a_whole_castle() -> None:
    """Foyer 0; Great Hall 1 + 1 for the closet (utility); Oratory 4; Broom Closet 1."""
    castle = read_legal(f"{ORATORY} broom-closet@4,2/180")
    assert [room_points(castle, index) for index in range(4)] == [0, 2, 4, 1]
    assert recount(castle) == 7


def test_names_of_twins() -> None:
    castle = read("foyer@0,0 hallway@3,1 hallway@9,1")
    assert [castles.room_name(castle, index) for index in range(3)] == ["Foyer", "Hallway 1", "Hallway 2"]
    assert Spot(x=1, y=2) == Spot(x=1, y=2, turn=0)
