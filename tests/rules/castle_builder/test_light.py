"""The light game: no tiles entered, everything else kept."""

from __future__ import annotations

from typing import Any

from companion.rules.castle_builder.actions import (
    Arrive,
    BringDown,
    BuildTile,
    DrawTiles,
    LayFoundation,
    LayPath,
    LoseTile,
    NameTile,
    RaiseCastle,
    TakeCoin,
)
from companion.rules.castle_builder.state import Baron, Foundation, Tile
from tests.rules.castle_builder.table import PATH, Table, due, table

LIGHT: dict[str, str | int | bool] = {"detail": "light"}


def light(*barons: Baron, **changes: Any) -> Table:
    return table(*barons, options=LIGHT, **changes)


def kept(**changes: int) -> Baron:
    return Baron(holder=3, **changes)  # type: ignore[arg-type]


def test_a_light_game_needs_no_board() -> None:
    laid = light()
    assert (laid.state.phase, laid.state.path, laid.state.foundation) == ("turn", (), None)


def test_building_raises_the_counters_and_asks_for_the_move() -> None:
    laid = light().do(RaiseCastle(seat=0, level=2, windows=2, persons=1, roof=True))
    assert (laid.north.built, laid.north.levels, laid.north.holder) == (1, 2, 2)
    assert (laid.north.windows, laid.north.persons, laid.north.roofs) == (2, 1, 1)
    assert laid.state.phase == "move"
    laid.do(Arrive(seat=0, coins=1, tile=True))
    assert (laid.north.holder, laid.state.phase) == (3, "coin")


def test_the_first_level_gives_no_move() -> None:
    assert light().do(RaiseCastle(seat=0, level=1, source="market-2")).state.active == 1


def test_levels_go_up_one_by_one() -> None:
    laid = light()
    laid.refuses(RaiseCastle(seat=0, level=3), "light.level")
    assert laid.overrule(RaiseCastle(seat=0, level=3)).north.levels == 3


def test_paying_is_kept_by_count() -> None:
    laid = light(Baron(holder=2)).do(RaiseCastle(seat=0, level=2, pay=1))
    assert (laid.north.holder, laid.state.discard) == (0, 1)
    light().refuses(RaiseCastle(seat=0, level=2, pay=2), "pay.one-step")


def test_a_move_is_told_once() -> None:
    laid = light()
    laid.refuses(Arrive(seat=0, coins=1), "turn.pending")
    laid.do(RaiseCastle(seat=0, level=2), Arrive(seat=0))
    assert laid.state.active == 1


def test_one_coin_a_move_where_the_table_plays_so() -> None:
    laid = table(options={**LIGHT, "every_coin": False}).do(RaiseCastle(seat=0, level=2))
    laid.refuses(Arrive(seat=0, coins=2), "ruling.every-coin-area")


def test_coins_compare_the_counters() -> None:
    high = due(kept(), kept(levels=4, built=4), coin="highest-tower", options=LIGHT)
    assert high.do(TakeCoin(seat=0, slot=0)).holders() == [3, 5]
    roofs = due(kept(roofs=2, built=2), kept(roofs=2, built=3), coin="most-roofs", options=LIGHT)
    assert roofs.do(TakeCoin(seat=0, slot=0)).holders() == [5, 5]


def test_the_ruby_coin_asks_for_another_move() -> None:
    laid = due(coin="ruby", options=LIGHT).do(TakeCoin(seat=0, slot=0))
    assert laid.state.phase == "move"
    assert laid.do(Arrive(seat=0)).state.active == 1


def test_a_catapult_takes_icons_off_the_counters() -> None:
    laid = due(kept(built=1), kept(built=3, levels=2, windows=2, roofs=1), coin="catapult", options=LIGHT)
    laid.do(TakeCoin(seat=0, slot=0))
    laid.refuses(LoseTile(seat=0, owner=0), "coin.catapult")
    laid.refuses(LoseTile(seat=0, owner=1, windows=3), "light.counters", final=True)
    laid.do(LoseTile(seat=0, owner=1, windows=1, roof=True, level_gone=True))
    assert (laid.east.built, laid.east.levels, laid.east.windows, laid.east.roofs) == (2, 1, 1, 0)


def test_the_door_level_is_never_lost() -> None:
    laid = due(kept(built=1), coin="crumble", options=LIGHT).do(TakeCoin(seat=0, slot=0))
    laid.refuses(LoseTile(seat=0, owner=0, level_gone=True), "light.counters", final=True)


def test_full_and_light_do_not_mix() -> None:
    laid = light()
    for action in (
        BuildTile(seat=0, level=1, x=0, tile=Tile(number=3)),
        BringDown(seat=0, owner=0, level=1, x=0),
        NameTile(slot=0, tile=Tile(number=3)),
        LayPath(spaces=PATH),
        LayFoundation(foundation=Foundation(width=5, door=3)),
    ):
        laid.refuses(action, "light.only", final=True)
    full = table()
    for told in (RaiseCastle(seat=0, level=1), Arrive(seat=0), LoseTile(seat=0, owner=0)):
        full.refuses(told, "light.full-only", final=True)


def test_drawing_is_as_ever() -> None:
    assert light().do(DrawTiles(seat=0)).north.holder == 5
