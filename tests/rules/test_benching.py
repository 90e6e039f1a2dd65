"""How measurements are told."""

from __future__ import annotations

from companion.rules.benching import Timing, timed


def test_each_call_is_measured_by_the_clock_handed_in() -> None:
    readings = iter([0.0, 0.001, 1.0, 1.003, 2.0, 2.002])
    timing = timed("a thing", lambda: next(readings), [lambda: None] * 3, most_ms=5.0)
    assert (timing.samples, round(timing.p50_ms), round(timing.worst_ms), timing.ok) == (3, 2, 3, True)


def test_a_broken_promise_is_said() -> None:
    timing = Timing(what="a thing", samples=1, p50_ms=9.0, p95_ms=9.0, worst_ms=9.0, most_ms=5.0)
    assert not timing.ok
    assert "BROKEN" in str(timing)
