"""`companion demo`: what it is told, and what it answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.demo import command, terminal


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Where the demo was played, without playing it; it comes to the tally where the folder's name says so."""
    folders: list[Path] = []

    def run(folder: Path, *_: Any) -> bool:
        folders.append(folder)
        return "well" in folder.name

    monkeypatch.setattr(terminal, "run", run)
    return folders


@pytest.mark.parametrize(("name", "code"), [("well", 0), ("badly", 1)])
def test_the_exit_code_tells_whether_it_came_to_the_tally(
    tmp_path: Path, played: list[Path], name: str, code: int
) -> None:
    assert main(["demo", "--text", "--keep", str(tmp_path / name)]) == code
    assert played == [tmp_path / name]


def test_without_a_display_it_plays_at_the_terminal_in_a_folder_of_its_own(
    tmp_path: Path, played: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    main(["demo"])
    assert [folder.parent for folder in played] == [tmp_path / "demo"]


@pytest.mark.parametrize("make", [lambda path: path.write_text(""), lambda path: (path / "games").mkdir(parents=True)])
def test_it_never_writes_over_what_is_there(
    tmp_path: Path, played: list[Path], capsys: pytest.CaptureFixture[str], make: Any
) -> None:
    kept = tmp_path / "kept"
    make(kept)
    assert main(["demo", "--text", "--keep", str(kept)]) == 2
    assert capsys.readouterr().err == f"{kept} is there already: --keep needs a folder that is new or empty.\n"
    assert not played


def test_without_the_simulated_table_it_says_how_to_get_it(
    played: list[Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda _name: None)
    assert main(["demo"]) == 2
    assert "pip install 'castle-companion[twin]'" in capsys.readouterr().err
    assert not played


@pytest.mark.parametrize("arguments", [["--fast"], ["--keep"], ["somewhere"]])
def test_wrong_words_are_answered_with_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", *arguments]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
