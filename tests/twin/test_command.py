"""The words `companion simulate` and `companion bench sensing` at the command line."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.cli import OK, WRONG, main
from companion.sensing.plan import PLAN_FILE, encode_plan
from companion.twin.table import nominal_table


def test_without_a_scenario_it_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate"]) == OK
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("knocked ") for line in lines)
    assert all(len(line.split()) > 1 for line in lines)


def test_an_unknown_scenario_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "earthquake"]) == WRONG
    assert "There is no scenario called 'earthquake'." in capsys.readouterr().err


def test_a_recording_is_made_and_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "calm"
    assert main(["simulate", "quiet", "--seed", "2", "--out", str(folder), "--no-camera"]) == OK
    assert (folder / PLAN_FILE).is_file()
    assert "0 pictures" in capsys.readouterr().out
    board = tmp_path / "board.json"
    assert (
        main(["bench", "sensing", str(folder), "--only", "weight threshold", "--jobs", "1", "--json", str(board)]) == OK
    )
    assert "weight threshold" in capsys.readouterr().out
    assert set(msgspec.json.decode(board.read_bytes())["detectors"]) == {"weight threshold"}


def test_what_could_not_be_done_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("remove roof from left\nwait 0.1\n")
    assert main(["simulate", str(tmp_path / "mine.txt"), "--out", str(tmp_path / "mine"), "--no-camera"]) == OK
    assert "Left out: There is no roof to take from the left tower." in capsys.readouterr().out


def test_a_recording_of_a_real_table_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = msgspec.structs.replace(nominal_table(), origin="recorded")
    (tmp_path / PLAN_FILE).write_bytes(encode_plan(plan))
    assert main(["simulate", "quiet", "--out", str(tmp_path), "--no-camera"]) == WRONG
    assert "holds a recording of a real table" in capsys.readouterr().err
    assert (tmp_path / PLAN_FILE).read_bytes() == encode_plan(plan)


def test_a_folder_without_recordings_is_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "sensing", str(tmp_path)]) == WRONG
    assert "no recording with a truth" in capsys.readouterr().err
    assert main(["simulate", "--out", str(tmp_path), "--sheet", str(tmp_path / "sheet.png")]) == WRONG


def test_a_detector_that_does_not_exist_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "quiet", "--seed", "2", "--out", str(tmp_path / "calm"), "--no-camera"]) == OK
    assert main(["bench", "sensing", str(tmp_path), "--only", "crystal ball"]) == WRONG
    assert "crystal ball" in capsys.readouterr().err
