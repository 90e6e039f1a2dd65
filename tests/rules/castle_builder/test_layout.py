"""The box: laid out once, remembered, played on again."""

from __future__ import annotations

import pytest

from companion.errors import Malformed
from companion.rules.base import Action, Setup, decode
from companion.rules.castle_builder import GAME
from companion.rules.castle_builder.actions import (
    BuildTile,
    DrawTiles,
    LayFoundation,
    LayPath,
    NameTile,
    UsePractice,
)
from companion.rules.castle_builder.layout import practice_foundation, practice_path
from companion.rules.castle_builder.state import Foundation, State, Tile
from tests.rules.castle_builder.table import BOX, PATH, SEATS, Table, table

WIDE = Foundation(width=7, door=4)


def unknown() -> Table:
    return Table(GAME.setup(Setup(seats=SEATS[:3])))


def known_by(*actions: Action) -> dict[str, dict[str, object]]:
    """A box that knows what these actions tell."""
    box: dict[str, dict[str, object]] = {}
    for action in actions:
        for item in GAME.learns(unknown().state, action):
            box.setdefault(item.table, {})[item.key] = item.entry
    return box


def test_a_new_box_asks_for_its_board_first() -> None:
    laid = unknown()
    assert laid.state.phase == "layout"
    laid.refuses(DrawTiles(seat=0), "turn.pending")
    laid.refuses(BuildTile(seat=0, level=1, x=0, tile=Tile(number=3)), "setup.path", final=True)
    laid.do(LayPath(spaces=PATH), LayFoundation(foundation=WIDE))
    assert laid.state.phase == "turn"
    assert [each.space for each in laid.state.barons] == [0, 1, 2]


def test_what_was_laid_out_is_known_the_next_time() -> None:
    box = known_by(LayPath(spaces=PATH), LayFoundation(foundation=WIDE))
    state = GAME.setup(Setup(seats=SEATS[:2], box=box))
    assert (state.phase, state.path, state.foundation) == ("turn", PATH, WIDE)


def test_half_a_box_asks_for_the_other_half() -> None:
    state = GAME.setup(Setup(seats=SEATS[:2], box=known_by(LayPath(spaces=PATH))))
    laid = Table(state)
    assert [label for label in laid.labels() if "Lay out" in label] == []
    assert laid.do(UsePractice()).state.path == PATH


def test_the_practice_board_is_never_learned() -> None:
    assert GAME.learns(unknown().state, UsePractice()) == ()
    laid = unknown().do(UsePractice())
    assert (laid.state.path, laid.state.foundation) == (practice_path(), practice_foundation())
    laid.refuses(UsePractice(), "setup.path")


def test_practice_data_says_that_it_is() -> None:
    tables = GAME.box.tables
    practice = {name: table.confidence for name, table in tables.items() if name.startswith("practice-")}
    assert set(practice.values()) == {"practice"}
    assert sum(entry["copies"] for entry in tables["practice-tiles"].entries.values()) == 126
    assert sum(entry["copies"] for entry in tables["practice-coins"].entries.values()) == 36


def test_tiles_are_learned_as_they_are_built_or_entered() -> None:
    tile = Tile(number=7, rubies=1, windows=2)
    for action in (BuildTile(seat=0, level=1, x=0, tile=tile), NameTile(slot=0, tile=tile)):
        (learned,) = GAME.learns(unknown().state, action)
        assert (learned.table, learned.key) == ("tiles", "7, 1 ruby, 2 windows")
        assert learned.entry["number"] == 7
        assert decode(learned.entry, Tile, "tile") == tile
        assert learned.entry["name"] == "", "what it is kept under is not its name"
    assert GAME.learns(unknown().state, BuildTile(seat=0, level=1, x=0, source="market-1")) == ()


def test_a_path_laid_out_again_by_agreement_leaves_the_barons_where_they_are() -> None:
    laid = table()
    laid.refuses(LayPath(spaces=(*PATH, "plain")), "setup.path")
    laid.overrule(LayPath(spaces=(*PATH, "plain")))
    assert [each.space for each in laid.state.barons] == [0, 1]


def test_a_door_beside_the_foundation_is_impossible() -> None:
    beside = LayFoundation(foundation=Foundation(width=3, door=4))
    unknown().refuses(beside, "setup.foundation", final=True)
    table().refuses(LayFoundation(foundation=WIDE), "setup.foundation")


def test_entering_a_market_tile() -> None:
    laid = table().do(NameTile(slot=1, tile=Tile(number=5)))
    assert laid.state.tiles == (None, Tile(number=5), None)
    laid.refuses(NameTile(slot=1, tile=Tile(number=6)), "market.entered")
    laid.refuses(NameTile(slot=0, tile=Tile()), "tile.entered", final=True)
    assert laid.overrule(NameTile(slot=1, tile=Tile(number=6))).state.tiles[1] == Tile(number=6)


@pytest.mark.parametrize(
    "box",
    [
        {"path": {"board": {"spaces": ["start", "moat"]}}},
        {"path": {"board": {"spaces": ["start", "coin"]}}},
        {"path": {"board": {"areas": 3}}},
        {"path": {"board": 7}},
        {"foundation": {"board": {"width": 3}}},
        {"foundation": {"board": {"width": 3, "door": 5}}},
        {"tile-count": {"tiles": {"count": "many"}}},
        {"tile-count": {"tiles": {"count": 3}}},
    ],
)
def test_box_data_that_is_not_right_is_told(box: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        GAME.setup(Setup(seats=SEATS[:2], box=box))


def test_a_box_with_another_number_of_tiles_says_so() -> None:
    state: State = GAME.setup(Setup(seats=SEATS[:2], box={**BOX, "tile-count": {"tiles": {"count": 130}}}))
    assert state.pile == 130 - 6 - 3
    assert GAME.faults(state) == ()
