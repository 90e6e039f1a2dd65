"""Drawing castles from their notation."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli import main


def test_a_castle_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "castle.svg"
    assert main(["castle", "draw", "foyer@0,0", "-o", str(file)]) == 0
    assert file.read_text(encoding="utf-8").lstrip().startswith(("<svg", "<?xml"))
    assert capsys.readouterr().out == f"The castle is written to {file}.\n"


@pytest.mark.parametrize("notation", ["", "foyer", "foyer@0", "tearoom@0,0", "foyer@0,0/45"])
def test_what_is_no_castle_is_said_in_one_sentence(notation: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["castle", "draw", notation, "-o", "-"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.strip().splitlines()) == 1
