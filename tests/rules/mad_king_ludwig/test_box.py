"""The box data: every tile, its confidence, and what a table says of its own box."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.base import Setup
from companion.rules.mad_king_ludwig import GAME, rooms
from companion.rules.mad_king_ludwig.actions import CorrectBonus, CorrectRoom, CountStack
from companion.rules.mad_king_ludwig.rooms import CORRIDORS, SIZES, catalogue, checked, tile_from
from companion.rules.mad_king_ludwig.state import STACKS
from tests.rules.mad_king_ludwig.table import SEATS, table

STACKED = {room: tile for room, tile in catalogue().items() if room not in CORRIDORS}


def test_75_rooms_in_ten_stacks() -> None:
    assert len(STACKED) == 75
    counts = Counter(tile.sqft for tile in STACKED.values())
    assert counts == {size: 9 if size <= 300 else 6 for size in SIZES}
    assert tuple(int(size) for size in STACKS) == SIZES


def test_types_of_rooms() -> None:
    counts = Counter(tile.type for tile in STACKED.values())
    assert counts == {
        "food": 9, "living": 14, "utility": 9, "activity": 12, "downstairs": 10, "sleeping": 8, "outdoor": 11,
        "corridor": 2,
    }  # fmt: skip


@pytest.mark.parametrize("room", STACKED)
def test_each_type_looks_its_part(room: str) -> None:
    tile = STACKED[room]
    assert tile.fence == (tile.type == "outdoor")
    assert (tile.floor == "below") == (tile.type == "downstairs")
    assert (tile.centre == "adjacent") == (tile.type == "activity") == (tile.each < 0)
    assert (tile.centre == "each") == (tile.type == "downstairs")
    assert tile.shape == {150: "circle", 500: "circle", 600: "octagon", 300: "L"}.get(tile.sqft, tile.shape)


@pytest.mark.parametrize(
    ("room", "doors"),
    [
        ("kitchen", 2),
        ("great-hall", 11),
        ("hallway", 14),
        ("stairs", 2),
        ("foyer", 3),
        ("focus-room", 4),
        ("the-hole", 1),
    ],
)
def test_entrances(room: str, doors: int) -> None:
    assert len(catalogue()[room].doors) == doors


def test_confidence_is_told() -> None:
    told = {name: table.confidence for name, table in GAME.box.tables.items()}
    assert told["rooms"] == told["corridors"] == told["bonus-generic"] == "verified"
    assert told["bonus-rooms"] == told["prices"] == "single-source"
    assert told["large-stacks"] == "unknown"
    assert told["room-cards"] == "inferred"
    assert all(table.source for table in GAME.box.tables.values())


# Corrections


def test_a_tile_is_corrected_and_castles_counted_again() -> None:
    laid = table("foyer@0,0 larder@3,0")
    laid.do(CorrectRoom(tile=replace(catalogue()["larder"], points=4)))
    assert laid.player().placement == 4
    assert laid.changes("points") == [2]
    (learned,) = GAME.learns(laid.state, CorrectRoom(tile=replace(catalogue()["larder"], points=4)))
    assert (learned.table, learned.key, learned.entry["points"]) == ("rooms", "larder", 4)
    again = GAME.setup(Setup(seats=SEATS[:2], box={"rooms": {"larder": learned.entry}}))
    assert rooms.find("larder", again.own) == replace(catalogue()["larder"], points=4)
    assert again.players[0].castle.own == again.own


def test_a_correction_can_be_taken_back() -> None:
    larder = catalogue()["larder"]
    laid = table("foyer@0,0 larder@3,0").do(CorrectRoom(tile=replace(larder, points=4)), CorrectRoom(tile=larder))
    assert laid.state.own == ()
    assert laid.player().placement == 2


def test_a_room_of_another_edition_is_added() -> None:
    bedroom = replace(catalogue()["guest-bedroom"], id="kings-bedroom", name="King's Bedroom")
    laid = table().do(CorrectRoom(tile=bedroom))
    assert "kings-bedroom" in rooms.ids_of_size(300, laid.state.own)
    assert rooms.name("kings-bedroom", laid.state.own) == "King's Bedroom"


def test_a_tile_does_not_change_its_size() -> None:
    laid = table()
    large = replace(catalogue()["larder"], sqft=400, width=4, height=4)
    assert "another size" in laid.refuses(CorrectRoom(tile=large), "box.correct", final=True)
    laid.refuses(CorrectRoom(tile=replace(catalogue()["larder"], doors=())), "box.correct", final=True)


def test_a_stack_is_counted() -> None:
    laid = table(players=3).do(CountStack(size="350", tiles=4))
    assert (laid.state.stacks["350"], laid.state.starting_stacks["350"]) == (4, 4)
    fresh = GAME.setup(Setup(seats=SEATS[:3]))
    (learned,) = GAME.learns(fresh, CountStack(size="350", tiles=4))
    assert (learned.table, learned.key, learned.entry) == ("stacks", "3-350", {"tiles": 4})


def test_a_stack_cannot_hold_more_than_there_are() -> None:
    table(players=4).refuses(CountStack(size="350", tiles=7), "box.correct", final=True)
    full = GAME.setup(Setup(seats=SEATS[:4], box={"stacks": {"4-350": {"tiles": 30}}}))
    assert full.stacks["350"] == 6


def test_a_stack_already_drawn_from_teaches_nothing() -> None:
    laid = table("foyer@0,0 larder@3,0")
    assert GAME.learns(laid.state, CountStack(size="100", tiles=4)) == ()


def test_a_bonus_card_is_corrected() -> None:
    laid = table().do(CorrectBonus(card="type-food", points=2))
    assert laid.state.bonus_points == {"type-food": 2}
    (learned,) = GAME.learns(laid.state, CorrectBonus(card="type-food", points=2))
    assert (learned.table, learned.key, learned.entry) == ("bonus", "type-food", {"points": 2})


# Wrong tiles


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"doors": ()}, "at least one entrance"),
        ({"doors": ("left 0", "left 0")}, "twice"),
        ({"doors": ("left 2",)}, "'left 2'"),
        ({"sqft": 175}, "no stack"),
        ({"centre": "connected"}, "or neither"),
        ({"fence": True, "doors": ("top 0",)}, "'top 0'"),
        ({"shape": "circle", "width": 3, "height": 3, "doors": ("left 0",)}, "'left 0'"),
        ({"shape": "octagon", "width": 7, "height": 4, "sqft": 600, "doors": ("left 0",)}, "'left 0'"),
        ({"shape": "octagon", "width": 2, "height": 2}, "2 by 2 cells"),
        ({"shape": "circle", "width": 4, "height": 4}, "4 by 4 cells"),
        ({"shape": "circle", "width": 3, "height": 5}, "3 by 5 cells"),
        ({"shape": "L"}, "the shape 'L'"),
        ({"shape": "L", "width": 4, "height": 4}, "100 square feet and the shape 'L'"),
        ({"width": 4, "height": 1}, "the shape 'square'"),
        ({"shape": "rectangle", "width": 5, "height": 2}, "5 by 2 cells, 100 square feet"),
        ({"id": "?"}, "question mark"),
        ({"id": "lar?er"}, "question mark"),
        ({"floor": "stairs", "doors": ("right 0",)}, "leads down at its left end"),
        ({"floor": "stairs", "doors": ("left 0", "left 1", "right 0")}, "leads down at its left end"),
    ],
)
def test_what_no_tile_looks_like(changes: dict[str, object], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        checked(replace(catalogue()["larder"], **changes))


def test_a_box_that_is_not_one() -> None:
    with pytest.raises(Malformed, match="room tile"):
        tile_from({"id": "larder"})
    with pytest.raises(Malformed, match="no number of"):
        GAME.setup(Setup(seats=SEATS[:2], box={"setup": {"2": {"cards": "many"}}}))
    with pytest.raises(Malformed, match="prices"):
        GAME.setup(Setup(seats=SEATS[:2], box={"prices": {"2": {"marks": "cheap"}}}))
