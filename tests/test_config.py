from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import Config, config_file, read
from companion.errors import Malformed
from companion.session import folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_no_file_is_no_settings(file: Path) -> None:
    assert read(file) == Config()


def test_settings_are_read(file: Path) -> None:
    file.write_text('games_folder = "/srv/games"\n')
    assert read(file) == Config(games_folder="/srv/games")


def test_the_usual_file_lies_in_the_companions_home(companion_home: Path) -> None:
    companion_home.mkdir()
    config_file().write_text('games_folder = "castles"\n')
    assert config_file().parent == companion_home
    assert read().games == Path("castles")


def test_without_a_home_of_its_own_it_lies_where_the_platform_keeps_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMPANION_HOME")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_file() == tmp_path / "castle-companion" / "config.toml"


def test_games_are_kept_in_the_usual_place_unless_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/north")
    assert Config().games == folder.games()
    assert Config(games_folder="~/castles").games == Path("/home/north/castles")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('colour = "red"\n', "sets 'colour'"),
        ("games_folder = 4\n", "games_folder"),
        ("games_folder = [1]\n", "games_folder"),
        ("games_folder =\n", "not TOML"),
        ("games_folder = '\x00'\n", "not TOML"),
    ],
)
def test_what_is_wrong_is_named_with_its_file(file: Path, text: str, says: str) -> None:
    file.write_text(text)
    with pytest.raises(Malformed) as refused:
        read(file)
    assert says in str(refused.value)
    assert str(file) in str(refused.value)


def test_bytes_that_are_no_text_are_refused(file: Path) -> None:
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(Malformed, match="not TOML"):
        read(file)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="cannot be read: is a directory"):
        read(tmp_path)
