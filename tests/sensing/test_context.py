"""What the game knows shifts what is likely, modestly."""

from __future__ import annotations

from companion.sensing.context import Context
from companion.sensing.odds import confidence, odds


def test_a_recording_s_context_is_taken_as_far_as_it_is_understood() -> None:
    context = Context.of({"phase": "building", "board": "north", "base_tile": "yes", "weather": "rain"})
    assert context == Context(phase="building", board="north")


def test_nothing_known_shifts_nothing() -> None:
    assert Context.of({}).fall_odds("north") == 0.0
    assert Context(phase="building").lost_odds("north") == 0.0


def test_a_fall_is_likelier_on_the_board_at_turn() -> None:
    context = Context(phase="building", board="north")
    assert context.fall_odds("north") > 0 > context.fall_odds("south")


def test_levels_that_the_dragon_takes_are_hardly_a_fall() -> None:
    context = Context(board="north", removing=True)
    assert context.lost_odds("north") < context.fall_odds("north")
    assert context.lost_odds("south") == context.fall_odds("south")


def test_an_expected_base_tile_speaks_against_a_fall_and_never_silences_a_clear_one() -> None:
    context = Context(phase="income", board="north", base_tile=True)
    assert context.fall_odds("north") < 0
    assert confidence(odds(0.95) + context.fall_odds("north")) > 0.8
