"""Coins and who has won."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.base import Correction
from companion.rules.castle_builder import GAME
from companion.rules.castle_builder.scoring import BaronTally, Tally
from companion.rules.castle_builder.state import Options
from tests.rules.castle_builder.table import baron, table


def tally(*coins: int, **more: object) -> Tally:
    names = ("North", "East", "South", "West")
    players = tuple(BaronTally(name=name, coins=count) for name, count in zip(names, coins, strict=False))
    return Tally(players=players, **more)  # type: ignore[arg-type]


def test_coins_are_points() -> None:
    sheet = GAME.sheet(tally(7, 4, 5))
    assert sheet.totals == (7, 4, 5)
    assert sheet.lines[0].why == "7 of 7 coins"
    outcome = GAME.outcome(sheet)
    assert (outcome.winners, outcome.decided_by, outcome.text) == ((0,), "coins", "North wins with 7 coins.")


def test_ruling_places_by_coins() -> None:
    assert GAME.outcome(GAME.sheet(tally(7, 4, 5, 4))).ranking == ((0,), (2,), (1, 3))


def test_a_game_broken_off_may_be_level() -> None:
    outcome = GAME.outcome(GAME.sheet(tally(4, 4)))
    assert (outcome.decided_by, outcome.text) == ("shared", "North and East are level with 4 coins.")


def test_a_game_broken_off_has_a_leader_and_no_winner() -> None:
    assert GAME.outcome(GAME.sheet(tally(4, 1))).text == "North is ahead with 4 coins."
    assert GAME.outcome(GAME.sheet(tally(1, 7, goal=9))).text == "East is ahead with 7 coins."


def test_nine_with_reach_the_sky() -> None:
    sheet = GAME.sheet(tally(9, 8, goal=9))
    assert sheet.totals == (9, 8)
    assert GAME.outcome(sheet).text == "North wins with 9 coins."


@pytest.mark.parametrize(
    "wrong",
    [tally(7), tally(8, 1), tally(7, 7), tally(), replace(tally(1, 2), players=(BaronTally(name="North"),) * 2)],
)
def test_what_no_game_can_end_with(wrong: Tally) -> None:
    with pytest.raises(Malformed):
        GAME.sheet(wrong)


def test_a_corrected_game_is_scored_as_it_stands() -> None:
    state = table(baron(coins=6), baron(coins=6)).state
    fixed = GAME.apply(state, Correction(set={"barons/0/coins": 8, "barons/1/coins": 8})).state
    assert GAME.score(fixed).totals == (8, 8)


def test_the_template_scores() -> None:
    for players in (2, 3, 4):
        assert GAME.sheet(GAME.tally_template(players)).totals == (0,) * players
    for players in (1, 5):
        with pytest.raises(Malformed):
            GAME.tally_template(players)


def test_a_game_in_progress_has_a_score() -> None:
    laid = table(baron(coins=3), baron(coins=5))
    assert GAME.score(laid.state).totals == (3, 5)
    assert GAME.tally(replace(laid.state, options=Options(sky=True))).goal == 9
