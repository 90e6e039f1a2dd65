"""Turns: drawing, the holder's limit, the reshuffle, what must be settled first."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Correction
from companion.rules.castle_builder import GAME
from companion.rules.castle_builder.actions import BuildTile, DiscardTiles, DrawTiles, EndTurn, PickTile, TakeCoin
from companion.rules.castle_builder.state import Tile
from tests.rules.castle_builder.table import Table, baron, due, table


def test_everyone_begins_with_three_tiles_and_a_full_market() -> None:
    state = table(players=4).state
    assert [each.holder for each in state.barons] == [3] * 4
    assert (len(state.tiles), len(state.coins)) == (3, 3)
    assert (state.pile, state.coin_pile) == (126 - 12 - 3, 33)


def test_royal_strategy_hands_out_prince_and_princess() -> None:
    state = table(players=4, options={"royal": True}).state
    assert state.pile == 126 - 12 - 3 - 8
    assert all(each.court == ("prince", "princess") for each in state.barons)


def test_drawing_takes_two_and_passes_the_turn_clockwise() -> None:
    laid = table(players=3).do(DrawTiles(seat=0), DrawTiles(seat=1), DrawTiles(seat=2))
    assert laid.holders() == [5, 5, 5]
    assert (laid.state.active, laid.state.round) == (0, 2)


def test_the_starting_player_begins() -> None:
    laid = table(first=1, active=1)
    assert "East's turn" in laid.refuses(DrawTiles(seat=0), "turn.order")


def test_ruling_draw_over_limit() -> None:
    laid = table(baron(holder=7)).do(DrawTiles(seat=0))
    assert (laid.state.phase, laid.north.holder) == ("discard", 9)
    laid.refuses(DrawTiles(seat=1), "turn.pending")
    laid.refuses(DiscardTiles(seat=1), "draw.limit", final=True)
    laid.do(DiscardTiles(seat=0))
    assert (laid.north.holder, laid.state.discard, laid.state.active) == (7, 2, 1)


def test_several_holders_may_have_to_be_cleared() -> None:
    laid = due(baron(holder=6), baron(holder=7), coin="highest-tower").do(TakeCoin(seat=0, slot=0))
    assert laid.state.crowded == (0, 1)
    laid.do(DiscardTiles(seat=1), DiscardTiles(seat=0))
    assert laid.holders() == [7, 7]


def test_the_discard_is_shuffled_in_when_the_pile_runs_out() -> None:
    state = table().state
    laid = Table(replace(state, pile=1, discard=5, box_tiles=6 + 6 + 3)).do(DrawTiles(seat=0))
    assert (laid.state.pile, laid.state.discard, laid.north.holder) == (4, 0, 5)
    assert "draw.reshuffle" in {fact.rule for fact in laid.facts}


def test_ruling_holders_counted() -> None:
    """Drawing asks for nothing, and the state knows a number and no tile."""
    laid = table()
    draw = next(choice for prompt in GAME.prompts(laid.state) for choice in prompt.choices if "Draw" in choice.label)
    assert draw.asks == ()
    before = laid.state
    laid.do(DrawTiles(seat=0))
    assert laid.north == replace(before.barons[0], holder=5)


def test_the_court_does_not_count_for_the_limit() -> None:
    laid = table(baron(holder=7, court=("prince", "princess")), options={"royal": True})
    assert laid.state.phase == "turn"


def test_a_turn_set_right_can_be_ended_by_hand() -> None:
    laid = due(coin="monk")
    laid.refuses(EndTurn(seat=0), "turn.pending")
    laid.state = GAME.apply(laid.state, Correction(why="no coin there", set={"due": 0})).state
    laid.refuses(DrawTiles(seat=0), "turn.one")
    assert laid.labels()[0] == "End the turn"
    assert laid.do(EndTurn(seat=0)).state.active == 1
    laid.refuses(EndTurn(seat=1), "turn.one")


def test_ruling_stuck() -> None:
    """Nothing left to draw, and nobody builds for a whole round."""
    laid = Table(replace(table().state, pile=0, box_tiles=9))
    laid.do(DrawTiles(seat=0), BuildTile(seat=1, level=1, x=0, tile=Tile(number=3)), DrawTiles(seat=0))
    assert not laid.state.over
    laid.do(DrawTiles(seat=1))
    assert laid.state.over
    assert laid.labels() == []


def test_there_is_no_such_seat() -> None:
    table().refuses(DrawTiles(seat=3), "turn.seat", final=True)


def test_effects_are_not_to_be_had_without_their_coin() -> None:
    laid = table(tiles=(Tile(number=3), None, None))
    laid.refuses(PickTile(seat=0, slot=0), "turn.pending")
    assert laid.overrule(PickTile(seat=0, slot=0)).north.holder == 4
