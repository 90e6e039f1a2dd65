"""The open spots of a large castle are found well within what was promised."""

from __future__ import annotations

import pytest

from companion.rules.castle_builder.bench import rows


def test_open_spots_keep_to_their_budget(capsys: pytest.CaptureFixture[str]) -> None:
    measured = rows()
    assert [row.what for row in measured if row.budget_ms] == ["open spots and sums, 40 tiles"]
    assert all(row.p50_ms < row.budget_ms for row in measured if row.budget_ms)
    assert capsys.readouterr().out.count("p95") == len(measured)
