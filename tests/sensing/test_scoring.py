"""The matcher is strict, and fair."""

from __future__ import annotations

from typing import Any

import pytest

from companion.sensing.scoring import NOTHING, events, heights, match, quantile, score
from companion.sensing.streams import Sensed
from companion.sensing.truth import TowerTruth, Truth

_S = 1_000_000


def _happened(kind: str, at_s: float, board: str | None = "south", **more: Any) -> Truth:
    return Truth(kind=kind, t_us=round(at_s * _S), board=board, **more)


def _called(kind: Any, at_s: float, decided_s: float | None = None, board: str | None = "south", **more: Any) -> Sensed:
    decided = at_s + 0.1 if decided_s is None else decided_s
    return Sensed(kind=kind, t_us=round(at_s * _S), decided_us=round(decided * _S), board=board, **more)


def _right(truth: list[Truth], calls: list[Sensed]) -> tuple[int, int, int]:
    """How many were called rightly, missed and made up."""
    found = match(events(truth), calls)
    return len(found.matches), len(found.missed), len(found.wrong)


def test_one_accident_with_many_touches_wants_one_call() -> None:
    touches = [_happened("collapse", at) for at in (10.0, 11.0, 13.2)]
    assert [(event.t_us, event.until_us) for event in events(touches)] == [(10 * _S, round(13.2 * _S))]
    assert _right(touches, [_called("collapse", 10.02)]) == (1, 0, 0)
    assert _right(touches, [_called("collapse", 10.02), _called("collapse", 13.2)]) == (1, 0, 1)


def test_touches_far_apart_are_two_accidents() -> None:
    touches = [_happened("collapse", 10.0), _happened("collapse", 12.6)]
    assert _right(touches, [_called("collapse", 10.1)]) == (1, 1, 0)
    assert _right(touches, [_called("collapse", 10.1), _called("collapse", 12.7)]) == (2, 0, 0)


def test_accidents_on_two_boards_are_two() -> None:
    touches = [_happened("collapse", 10.0, "south"), _happened("collapse", 10.1, "north")]
    assert _right(touches, [_called("collapse", 10.0), _called("collapse", 10.1, board="north")]) == (2, 0, 0)
    assert _right(touches, [_called("collapse", 10.0), _called("collapse", 10.1, board="west")]) == (1, 1, 1)


def test_a_guess_is_right_only_if_something_touches_soon() -> None:
    guess = _called("collapse", 9.9, decided_s=9.8)
    assert _right([_happened("collapse", 10.0)], [guess]) == (1, 0, 0)
    assert _right([_happened("collapse", 11.5)], [guess]) == (0, 1, 1)
    assert _right([], [guess]) == (0, 0, 1)


def test_the_latency_of_a_guess_is_negative() -> None:
    found = match(events([_happened("collapse", 10.0)]), [_called("collapse", 9.9, decided_s=9.8)])
    assert found.matches[0].latency_ms == pytest.approx(-200)


def test_a_call_that_comes_when_nobody_waits_any_more_is_wrong() -> None:
    assert _right([_happened("collapse", 10.0)], [_called("collapse", 10.0, decided_s=14.9)]) == (1, 0, 0)
    assert _right([_happened("collapse", 10.0)], [_called("collapse", 10.0, decided_s=15.1)]) == (0, 1, 1)


def test_what_an_accident_throws_off_is_not_removed() -> None:
    assert _right([_happened("collapse", 10.0)], [_called("collapse", 10.0), _called("removed", 10.3)]) == (1, 0, 1)


def test_a_call_of_another_kind_counts_for_nothing() -> None:
    assert _right([_happened("collapse", 10.0)], [_called("removed", 10.0)]) == (0, 1, 1)
    assert _right([_happened("placed", 10.0)], [_called("placed", 10.0, board="north")]) == (0, 1, 1)


def test_one_placement_is_one_call() -> None:
    assert _right([_happened("placed", 5.0)], [_called("placed", 5.1), _called("placed", 5.2)]) == (1, 0, 1)
    assert _right([_happened("placed", 5.0)], [_called("placed", 7.0)]) == (0, 1, 1)


def test_late_calls_of_a_quick_hand_are_paired_in_order() -> None:
    placed = [_happened("placed", 5.0), _happened("placed", 6.0)]
    assert _right(placed, [_called("placed", 5.7), _called("placed", 7.2)]) == (2, 0, 0)


def test_the_right_tower_is_preferred_and_counted_apart() -> None:
    placed = [_happened("placed", 5.0, tower="left", level=2, piece="pillar")]
    calls = [_called("placed", 5.0, tower="right"), _called("placed", 5.3, tower="left", level=1, piece="pillar")]
    tally = score(placed, calls).tally("placed")
    assert (tally.right, tally.called) == (1, 2)
    assert (tally.tower_right, tally.level_right, tally.piece_right) == (1, 0, 1)


def test_a_bump_is_of_the_table_not_of_a_board() -> None:
    assert _right([_happened("bump", 3.0, None)], [_called("bump", 3.2, board=None)]) == (1, 0, 0)
    assert _right([_happened("bump", 3.0, None)], [_called("bump", 3.2, board="south")]) == (1, 0, 0)
    assert _right([_happened("bump", 3.0, None)], [_called("bump", 4.2, board=None)]) == (0, 1, 1)


def test_recall_and_precision() -> None:
    truth = [_happened("collapse", 10.0), _happened("collapse", 20.0), _happened("hand", 1.0)]
    scores = score(truth, [_called("collapse", 10.0), _called("collapse", 30.0), _called("fault", 30.0)])
    tally = scores.tally("collapse")
    assert (tally.recall, tally.precision) == (0.5, 0.5)
    assert tally.latencies_ms == pytest.approx((100.0,))
    assert scores.tally("placed").recall is None
    assert (scores.look_alikes, scores.quiet_recordings) == (1, 0)


def test_a_quiet_recording_counts_as_silent_only_without_a_call() -> None:
    assert score([_happened("hand", 1.0)], []).quiet_and_silent == 1
    assert score([_happened("hand", 1.0)], [_called("collapse", 1.0)]).quiet_and_silent == 0


def test_scores_add_up() -> None:
    one = score([_happened("collapse", 10.0)], [_called("collapse", 10.0)], seconds=20)
    none = score([_happened("collapse", 10.0)], [], seconds=30)
    both = NOTHING + one + none
    assert (both.recordings, both.seconds, both.tally("collapse").recall) == (2, 50, 0.5)


def _state(at_s: float, levels: int, top_mm: float) -> Truth:
    return _happened("state", at_s, towers={"left": TowerTruth(levels, top_mm)})


def _height(at_s: float, level: int, top_mm: float) -> Sensed:
    return _called("height", at_s, tower="left", level=level, top_mm=top_mm)


def test_a_height_is_held_against_what_was_true_then() -> None:
    truth = [_state(0.0, 1, 2.0), _state(10.0, 2, 29.0), _state(20.0, 3, 56.0)]
    found = heights(truth, [_height(15.0, 2, 30.5), _height(25.0, 2, 29.0)])
    assert found.errors_mm == pytest.approx((1.5, 27.0))
    assert (found.said, found.level_right, found.right_at_end, found.towers) == (2, 1, 0, 1)


def test_around_a_change_either_side_is_right() -> None:
    truth = [_state(0.0, 1, 2.0), _state(10.0, 2, 29.0)]
    assert heights(truth, [_height(9.5, 2, 29.0)]).errors_mm == (0.0,)
    assert heights(truth, [_height(11.0, 1, 2.0)]).errors_mm == (0.0,)
    assert heights(truth, [_height(12.0, 1, 2.0)]).errors_mm == (27.0,)


def test_who_says_nothing_says_that_nothing_stands() -> None:
    assert heights([_state(0.0, 0, 0.0)], []).right_at_end == 1
    assert heights([_state(0.0, 2, 29.0)], []).right_at_end == 0


def test_a_height_of_an_unknown_tower_is_said_and_not_right() -> None:
    found = heights([_state(0.0, 1, 2.0)], [_called("height", 1.0, tower="attic", level=1, top_mm=2.0)])
    assert (found.said, found.level_right) == (1, 0)


def test_quantiles() -> None:
    values = [float(value) for value in range(1, 101)]
    assert (quantile(values, 0.5), quantile(values, 0.95), quantile(values, 1.0)) == (50.0, 95.0, 100.0)
