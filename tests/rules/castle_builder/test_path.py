"""The baron's way: steps, gliding, rubies, tile areas, coins."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.castle_builder.actions import BuildTile, DrawTiles, LayPath
from companion.rules.castle_builder.path import journey, path_fault, preview, steps_for
from companion.rules.castle_builder.state import Placed, Space, Tile
from tests.rules.castle_builder.table import PATH, Table, at, baron, table


def walker(space: int, *others: int, level: int = 2, **changes: Any) -> Table:
    """North builds a tile on a level, from an area of the path, with others standing where said."""
    north = baron(*_tower(level - 1), space=space)
    rest = tuple(baron(space=other) for other in others)
    laid = table(north, *rest, players=max(2, 1 + len(rest)), **changes)
    return laid.do(BuildTile(seat=0, level=level, x=level - 1, tile=Tile(number=1, bottom="stone-air")))


def _tower(height: int) -> tuple[Placed, ...]:
    """A thin tower, each tile half over the one below."""
    return (at(1, 0, 1), *(at(level, level - 1, 1, bottom="stone-air") for level in range(2, height + 1)))


@pytest.mark.parametrize(("level", "rubies", "steps"), [(1, 3, 0), (2, 0, 2), (2, 1, 3), (3, 0, 3), (4, 2, 6)])
def test_steps_are_the_level_and_the_rubies_but_none_on_the_first(level: int, rubies: int, steps: int) -> None:
    assert steps_for(level, rubies) == steps


def test_the_first_level_does_not_move_the_baron() -> None:
    laid = table().do(BuildTile(seat=0, level=1, x=0, tile=Tile(number=3, rubies=2)))
    assert laid.north.space == 0
    assert "baron.level-one" in {fact.rule for fact in laid.facts}


def test_occupied_areas_count_as_steps() -> None:
    assert walker(5, 6, level=3).north.space == 8


def test_gliding_to_the_next_empty_area() -> None:
    laid = walker(4, 6, 7)
    assert laid.north.space == 8
    assert "gliding over 2" in " ".join(fact.text for fact in laid.facts)


def test_example_gliding_over_three_barons_onto_a_ruby_and_one_further() -> None:
    laid = walker(3, 6, 7, 8, level=3)
    assert laid.north.space == 10
    assert laid.north.holder == 2, "the tile area was only passed"


def test_a_tile_area_pays_only_who_stops_there() -> None:
    assert walker(5, level=2).north.holder == 3
    assert walker(6, level=2).north.holder == 2


def test_rubies_one_after_another_push_on_and_may_lap() -> None:
    laid = walker(12, level=2)
    assert laid.north.space == 0


def test_a_ruby_step_onto_a_baron_glides() -> None:
    laid = walker(7, 10, level=2)
    assert laid.north.space == 11
    assert laid.state.due == 1


def test_coins_reached_and_passed() -> None:
    assert walker(3, level=2).state.due == 1
    assert walker(4, level=2).state.due == 1
    assert walker(5, level=3).state.due == 0


def test_ruling_every_coin_area() -> None:
    assert walker(10, level=3).state.due == 2
    assert walker(10, 11, 12, level=2).state.due == 2, "gliding over a coin area is passing it"
    assert walker(10, level=3, options={"every_coin": False}).state.due == 1


def test_ruling_tile_before_coin() -> None:
    laid = table(
        baron(at(1, 0, 1), holder=7, space=4), tiles=(Tile(number=1, bottom="stone-air", rubies=1), None, None)
    )
    laid.do(BuildTile(seat=0, level=2, x=1, source="market-1"))
    assert (laid.state.phase, laid.north.holder, laid.state.due) == ("discard", 8, 1)


def test_ruling_start_areas() -> None:
    for players in (2, 3, 4):
        assert [each.space for each in table(players=players).state.barons] == list(range(players))


def test_the_starting_player_is_last_on_the_path() -> None:
    path: tuple[Space, ...] = ("start", "plain", "start", "start", "plain", "start", "coin", "plain")
    laid = table(players=3, path=(), first=1, active=1).do(LayPath(spaces=path))
    assert [each.space for each in laid.state.barons] == [3, 0, 2]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (PATH[:7], "at least 8"),
        (("plain", *PATH[:10]), "start areas"),
        (("start", *PATH), "start areas"),
        (("start",) * 4 + ("plain",) * 6, "coin area"),
    ],
)
def test_what_is_no_path(path: tuple[Space, ...], words: str) -> None:
    assert words in path_fault(path)
    table(path=()).refuses(LayPath(spaces=path), "setup.path", final=True)


def test_a_journey_always_ends() -> None:
    crowded: tuple[Space, ...] = ("start",) * 4 + ("ruby",) * 6 + ("coin",)
    assert journey(crowded, {0, 1, 2}, 3, 2).end == 10
    assert journey(("ruby",) * 8, set(), 0, 1).trail


def test_the_preview_tells_where_a_placement_will_move_the_baron() -> None:
    laid = table(baron(space=10))
    assert preview(laid.state, 0, 3) == "3 steps to area 14: 2 coins"
    assert preview(laid.state, 0, 0) == "no steps"
    assert preview(table(baron(space=5)).state, 0, 2) == "2 steps to area 8: a tile"


def test_the_preview_is_what_happens() -> None:
    laid = table(baron(at(1, 0, 1), space=3))
    label = next(label for label in laid.labels() if label.startswith("Level 2 at 1½"))
    assert label.endswith("2 steps to area 6: a coin")
    laid.do(BuildTile(seat=0, level=2, x=1, tile=Tile(number=1, bottom="stone-air")))
    assert (laid.north.space, laid.state.due) == (5, 1)
    laid.refuses(DrawTiles(seat=0), "turn.pending")
