"""Box data: it loads, says where it comes from, and never claims more than is known."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.rules.base import decode
from companion.rules.box import Box, BoxTable, Learned, shipped
from companion.rules.castle_dukes.guests import CARDS, FIRES, MAIN, SMALL
from companion.rules.castle_dukes.state import RATINGS, Card, Chit, Tile
from companion.rules.castle_dukes.supply import ONE_SET

PACKAGE = "companion.rules.castle_dukes"
BOX = shipped(PACKAGE)


def copies(table: str) -> int:
    return sum(entry.get("copies", 1) for entry in BOX[table].values())


def cards(table: str) -> list[Card]:
    return [decode(entry, Card, key) for key, entry in BOX[table].items()]


@pytest.mark.parametrize("name", BOX.tables)
def test_every_table_names_its_source(name: str) -> None:
    table = BOX.tables[name]
    assert table.source
    assert table.note or table.confidence == "verified"


@pytest.mark.parametrize("name", BOX.tables)
def test_practice_data_is_called_practice(name: str) -> None:
    assert name.startswith("practice-") == (BOX.tables[name].confidence == "practice")


def test_component_counts_are_those_the_rules_use() -> None:
    assert {key: BOX["components"][key]["count"] for key in ONE_SET} == ONE_SET
    assert BOX["components"]["guest-card"]["count"] == CARDS
    assert BOX["components"]["damage-chit"]["count"] == 15
    assert BOX["components"]["crumble"]["count"] == 12


def test_guest_cards_are_those_the_rules_use() -> None:
    entries = BOX["guest-cards"]
    assert (entries["main"], entries["small"], entries["fire"]["count"]) == (MAIN, SMALL, FIRES)
    assert sum(MAIN.values()) == sum(SMALL.values()) == CARDS


def test_of_the_real_rooms_only_the_kitchen_is_known() -> None:
    assert cards("rooms") == [Card(name="Kitchen", comfort=1)]
    assert BOX.tables["rooms"].confidence == "unknown"


def test_nothing_is_claimed_of_construction_cards_and_floor_sides() -> None:
    assert BOX["construction"] == BOX["tiles"] == {}


def test_of_the_chits_only_the_floor_tile_is_known() -> None:
    assert BOX["damage-chits"] == {"tile": {"kind": "tile", "count": 1, "copies": 1}}


@pytest.mark.parametrize("side", ["1-2", "3-4"])
def test_slots_cost_one_to_five(side: str) -> None:
    slots = [entry for entry in BOX["slots"].values() if entry["side"] == side]
    assert [slot["cost"] for slot in slots] == [1, 2, 3, 4, 5]
    assert slots[0]["bonus"] == "none"
    assert {slot["bonus"] for slot in slots} <= {"none", "table", "serf", "coffer", "unknown"}


def test_practice_rooms_are_a_whole_deck() -> None:
    deck = cards("practice-rooms")
    assert copies("practice-rooms") == len({card.name for card in deck}) == ONE_SET["room"]
    assert {card.name: card.name for card in deck} == {key: key for key in BOX["practice-rooms"]}
    assert all(any(getattr(card, rating) for card in deck) for rating in RATINGS)
    assert {card.levels for card in deck} == {"any", "upper", "lower"}
    assert all(sum(getattr(card, guest) for card in deck) >= ONE_SET["king"] for guest in MAIN)


def test_practice_construction_cards_fit_the_box() -> None:
    assert copies("practice-construction") == ONE_SET["construction"]
    given: Counter[str] = Counter()
    for entry in BOX["practice-construction"].values():
        given.update({item: count * entry["copies"] for item, count in entry["items"].items()})
    assert set(given) == {"brazier", "battlement", "cauldron", "ballista"}
    assert all(count <= BOX["components"][item]["count"] for item, count in given.items())


def test_practice_chits_are_a_whole_bag_with_one_floor_tile() -> None:
    assert copies("practice-chits") == BOX["components"]["damage-chit"]["count"]
    chits = [
        decode({"kind": entry["kind"], "count": entry["count"]}, Chit, key)
        for key, entry in BOX["practice-chits"].items()
        for _ in range(entry["copies"])
    ]
    assert [chit for chit in chits if chit.kind == "tile"] == [Chit(kind="tile")]
    assert {chit.kind for chit in chits} == {"tile", "room", "decor", "character", "pillar"}


def test_practice_tiles_are_a_whole_stack() -> None:
    assert copies("practice-tiles") == ONE_SET["tile"]
    tiles = [
        decode({key: value for key, value in entry.items() if key != "copies"}, Tile, "tile")
        for entry in BOX["practice-tiles"].values()
    ]
    assert {tile.ends for tile in tiles} == {True, False}
    assert all(tile.cobbles for tile in tiles)


# Any box


def test_an_unknown_table_is_empty() -> None:
    assert BOX["dragons"] == {}


def test_learned_entries_win_and_leave_the_shipped_box_alone() -> None:
    box = Box({"rooms": BoxTable(source="rulebook", confidence="unknown", entries={"Kitchen": {"comfort": 1}})})
    news = [
        Learned(table="rooms", key="Kitchen", entry={"comfort": 1, "serf": 2}),
        Learned(table="rooms", key="Solar", entry={"comfort": 3}),
        Learned(table="owls", key="Barn owl", entry={}),
    ]
    richer = box.with_learned(news)
    assert richer["rooms"] == {"Kitchen": {"comfort": 1, "serf": 2}, "Solar": {"comfort": 3}}
    assert richer.tables["owls"].confidence == "learned"
    assert box["rooms"] == {"Kitchen": {"comfort": 1}}
