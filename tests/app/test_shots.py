"""Pictures for the README: real, the same every time, and nothing of the user's touched."""

from __future__ import annotations

import os
import re
import struct
from pathlib import Path

import pytest

from companion.app import demo, shots
from companion.app.demo import Evening
from companion.errors import Malformed
from companion.session.shelf import Shelf


def _size(file: Path) -> tuple[int, ...]:
    return struct.unpack(">II", file.read_bytes()[16:24])


def test_pictures_are_the_same_every_time_in_every_size(tmp_path: Path, companion_home: Path) -> None:
    sizes = ((800, 480), (720, 1280))
    first = shots.shots(tmp_path / "first", sizes, only=("seats",))
    second = shots.shots(tmp_path / "second", sizes, only=("seats",))
    assert [file.name for file in first] == ["seats.png", "seats-720x1280.png"]
    assert [_size(file) for file in first] == list(sizes)
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]
    assert not companion_home.exists()


def test_pictures_differ_and_the_settings_come_back(tmp_path: Path) -> None:
    shelf, settings = shots.shots(tmp_path, only=("options", "settings"))
    assert shelf.read_bytes() != settings.read_bytes()


def test_a_picture_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=r"no picture called 'nowhere'\. Pictures: shelf"):
        shots.shots(tmp_path, only=("nowhere",))
    assert list(tmp_path.iterdir()) == []


def test_the_simulated_table_is_offered_where_nothing_is_plugged_in(tmp_path: Path) -> None:
    (offered,) = shots.shots(tmp_path / "offered", only=("offer",))
    (plain,) = shots.shots(tmp_path / "plain", only=("table",))
    assert offered.read_bytes() != plain.read_bytes()


def test_every_evening_that_a_scene_asks_for_is_played() -> None:
    played = {evening.name for evening in shots._EVENINGS}
    assert all(name in played for scene in shots._SCENES for name in scene.evenings)
    assert len(set(shots.names())) == len(shots.names())


def test_the_time_of_day_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Vienna")
    with shots._greenwich():
        assert os.environ["TZ"] == "UTC"
    assert os.environ["TZ"] == "Europe/Vienna"
    monkeypatch.delenv("TZ")
    with shots._greenwich():
        pass
    assert "TZ" not in os.environ


def test_a_demo_is_played_alike_every_time(tmp_path: Path) -> None:
    evening = Evening(name="dice", game="castle-builder", seed=3, least=10, ready=demo.first_seat_chooses)
    labels = []
    for name in ("first", "second"):
        made = demo.make(tmp_path / name, (evening,))
        with Shelf(made.home / "games").open(made.saved["dice"], read_only=True) as session:
            labels.append([(line.label, line.origin) for line in session.history()])
            assert demo.first_seat_chooses(session)
            assert session.clocks.table_s > 0
    assert labels[0] == labels[1]
    assert len(labels[0]) > 10


def test_the_readme_shows_the_pictures_that_are_kept() -> None:
    readme = Path(__file__).parents[2] / "README.md"
    shown = set(re.findall(r"\(companion/app/pictures/([a-z-]+)\.png\)", readme.read_text(encoding="utf-8")))
    assert shown == set(shots.README_NAMES) == {file.stem for file in shots.README_FOLDER.iterdir()}
    assert set(shots.README_NAMES) <= set(shots.names())
    assert all(_size(file) == (800, 480) for file in shots.README_FOLDER.iterdir())
