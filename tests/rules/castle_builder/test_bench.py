"""What the bench measures. How long it takes is for `companion bench rules` to say, not for a test."""

from __future__ import annotations

from itertools import count

from companion.rules.castle_builder.bench import rows


def test_the_bench_measures_open_spots_and_prompts() -> None:
    ticks = count()
    measured = rows(lambda: next(ticks) / 1000)
    assert [row.what for row in measured if row.most_ms] == ["open spots and sums, 40 tiles"]
    assert [round(row.worst_ms) for row in measured] == [1, 1]
