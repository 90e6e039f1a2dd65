"""The kill test and the benchmark, in small."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.session import bench
from companion.session.dealing import RandomDealer
from companion.session.soak import kill_test
from tests.session import toy

KILLS = 20
HERE = "tests.session.toy:game_of"


def test_no_kill_loses_an_acknowledged_move(tmp_path: Path) -> None:
    report = kill_test(KILLS, seed=1, game=toy.ID, game_of=HERE, folder=tmp_path)
    assert report.problems == ()
    assert report.lost == 0
    assert report.rounds == KILLS
    assert report.acknowledged > KILLS
    assert report.ok
    assert "nothing lost" in str(report)


def test_the_benchmark_measures_every_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("_LONG_GAME", 200), ("_OPENINGS", 2), ("_RANDOM_GAMES_S", 0.01), ("_WARM_UP", 2)):
        monkeypatch.setattr(bench, name, value)
    measures = bench.run(game=toy.ID, game_of=toy.game_of, folder=tmp_path, samples=20)
    assert all(measure.value > 0 for measure in measures)
    assert [measure.what for measure in measures if measure.ratio is not None] == [
        "dispatch to durable, p50",
        "dispatch to durable, p99",
        "opening at 200 actions, p50",
        "undo at 200 actions, p50",
    ]
    assert len(capsys.readouterr().out.splitlines()) == len(measures)


def test_a_seeded_dealer_has_the_same_luck_twice_and_covers_all_faces() -> None:
    one, two = RandomDealer(5), RandomDealer(5)
    rolls = [one.pick(6) for _ in range(200)]
    assert rolls == [two.pick(6) for _ in range(200)]
    assert set(rolls) == set(range(6))
    assert {RandomDealer().pick(2) for _ in range(200)} == {0, 1}
