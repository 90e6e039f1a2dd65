"""The command `companion fit`: what it learns, and what it says of what it cannot learn from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from companion.cli import OK, WRONG, main
from companion.sensing.forest import Forest
from companion.sensing.scales.ear import Ears
from companion.sensing.scales.falls import FOREST_FILE, Symptoms
from companion.sensing.signs import Signs
from companion.twin.record import record
from companion.twin.scenario import parse_scenario, read_scenario

SHIPPED_FOREST = files("companion.sensing.scales").joinpath(FOREST_FILE)
NOTHING_MADE_UP = ("--rehearsals", "0", "--drills", "0")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of one recording, in which a tower falls."""
    folder = tmp_path_factory.mktemp("suite")
    record(read_scenario("knocked"), 3, folder / "knocked-003", pictures=False)
    return folder


def test_an_ear_is_taught_by_recordings_and_drills(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "falls.npz"
    assert main(["fit", str(suite), "--out", str(out), "--rehearsals", "1", "--drills", "3", "--jobs", "1"]) == OK
    assert "Recordings: 1. Rehearsals: 1. Drills: 3." in capsys.readouterr().out
    assert Ears.read(out.read_bytes()).symptoms == Symptoms._fields
    assert Forest.read((tmp_path / "falls.json").read_bytes()).symptoms == Symptoms._fields
    assert sorted(each.name for each in tmp_path.iterdir()) == ["falls.json", "falls.npz"]


def test_what_cannot_be_meant_is_said_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, why in (
        (["--eye", str(tmp_path), "--rehearsals", "3"], "leave out --rehearsals"),
        (["--eye", str(tmp_path), "--seed", "3"], "leave out --rehearsals"),
        (["--eye"], "name a folder"),
        ([*NOTHING_MADE_UP, "--out", str(tmp_path / "falls.npz")], "nothing to learn from"),
    ):
        assert main(["fit", *words]) == WRONG
        assert why in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_said_before_anything_is_learned(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for out in (tmp_path, tmp_path / "nowhere" / "falls.npz"):
        assert main(["fit", str(suite), "--out", str(out)]) == WRONG
        assert "cannot be written" in capsys.readouterr().err
    assert main(["fit", str(suite), "--out", str(tmp_path / "falls.json")]) == WRONG
    assert "name another file for the ear" in capsys.readouterr().err


def test_recordings_that_cannot_be_read_are_named(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "knocked-004"
    bad.mkdir()
    for each in (suite / "knocked-003").iterdir():
        (bad / each.name).write_bytes(each.read_bytes())
    (bad / "truth.jsonl").write_text('{"kind": ')
    assert main(["fit", str(bad), "--out", str(tmp_path / "falls.npz"), *NOTHING_MADE_UP]) == WRONG
    assert "knocked-004" in capsys.readouterr().err
    assert main(["fit", str(tmp_path / "nothing")]) == WRONG
    assert not (tmp_path / "falls.npz").exists()


_PUSHED = """
# A tower is knocked over.
castle left 3 levels
hover at left for 1
knock left hard
"""


def test_what_a_fall_looks_like_is_learned_from_films(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suite: Path
) -> None:
    out = tmp_path / "looks.json"
    assert main(["fit", "--eye", str(suite), "--out", str(out)]) == WRONG
    assert "None of these recordings was filmed" in capsys.readouterr().err
    for seed in (2, 7):  # what is plain at a glimpse is no lesson: one of them might be
        record(parse_scenario(_PUSHED, "pushed"), seed, tmp_path / "films" / f"pushed-{seed}")
    assert main(["fit", "--eye", str(tmp_path / "films"), "--out", str(out), "--jobs", "1"]) == OK
    assert "Films: 2." in capsys.readouterr().out
    assert Forest.read(out.read_bytes()).symptoms == Signs._fields
