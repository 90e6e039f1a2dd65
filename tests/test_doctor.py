from __future__ import annotations

import sqlite3
from importlib import metadata
from pathlib import Path

import pytest

from companion import doctor
from companion.doctor import Check
from companion.rules.box import Learned
from companion.session.boxmemory import BoxMemory
from companion.session.journal import Cover, Journal, Row


def _save(games: Path, name: str) -> Path:
    path = games / f"{name}.sqlite"
    cover = Cover(id=name, game="castle-dukes", title="Castle Dukes", seats=("North", "East"), created_ms=0)
    row = Row(seq=1, kind="setup", node=1, rules=1, at_ms=0, over=False, origin="{}", label="The game begins")
    Journal.create(path, cover, (row,))
    return path


def _names(found: list[Check]) -> dict[str, str]:
    return {check.name: check.ok for check in found}


def test_everything_is_looked_at() -> None:
    found = doctor.checks()
    assert [check.name for check in found] == [
        "Python", "packages", "settings", "folder", "room", "journal", "saved games", "boxes", "display", "machine",
        "scales",
    ]  # fmt: skip
    assert all(check.says for check in found)


def test_looking_leaves_no_trace(companion_home: Path) -> None:
    doctor.checks()
    assert not companion_home.exists()
    assert list(companion_home.parent.iterdir()) == []


def test_whatever_is_not_good_has_a_remedy(companion_home: Path) -> None:
    (companion_home / "games").mkdir(parents=True)
    (companion_home / "games/broken.sqlite").write_text("garbage")
    (companion_home / "games/boxes").mkdir()
    (companion_home / "games/boxes/castle-dukes.toml").write_text("=")
    (companion_home / "config.toml").write_text("colour = 1")
    wrong = [check for check in doctor.checks() if check.ok != "good"]
    assert {check.name for check in wrong} >= {"saved game broken", "box castle-dukes", "settings"}
    assert all(check.remedy for check in wrong)
    assert doctor.worst(wrong) == "bad"


def test_settings_say_where_games_are(companion_home: Path, tmp_path: Path) -> None:
    companion_home.mkdir()
    (companion_home / "config.toml").write_text(f'games_folder = "{tmp_path / "castles"}"\n')
    told = next(check for check in doctor.checks() if check.name == "folder")
    assert str(tmp_path / "castles") in told.says


@pytest.mark.parametrize(
    ("version", "ok"), [((3, 11, 2), "good"), ((3, 13, 9), "good"), ((3, 10, 14), "bad"), ((3, 14, 0), "bad")]
)
def test_python(version: tuple[int, ...], ok: str) -> None:
    assert doctor.python(version).ok == ok


def test_a_missing_package_is_named() -> None:
    def version(package: str) -> str:
        if package == "rich":
            raise metadata.PackageNotFoundError(package)
        return "1.0"

    check = doctor.packages(version)
    assert (check.ok, check.says) == ("bad", "Missing: rich.")


@pytest.mark.parametrize(("free_mb", "ok"), [(4000, "good"), (200, "good"), (199, "warn"), (20, "warn"), (19, "bad")])
def test_room(tmp_path: Path, free_mb: int, ok: str) -> None:
    check = doctor.room(tmp_path / "not/yet", lambda path: free_mb * 1_000_000)
    assert check.ok == ok
    assert str(free_mb) in check.says


def test_a_file_in_the_way_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    check = doctor.data_folder(tmp_path / "home/games")
    assert check.ok == "bad"
    assert "in the way" in check.says
    assert doctor.journal(tmp_path / "home/games").ok == "bad"


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert doctor.data_folder(tmp_path).ok == "bad"


def test_a_journal_can_be_kept(tmp_path: Path) -> None:
    check = doctor.journal(tmp_path)
    assert check.ok == "good"
    assert sqlite3.sqlite_version in check.says
    assert list(tmp_path.iterdir()) == []


def test_a_disk_without_a_log_is_pointed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_journal_mode", lambda file: "delete")
    assert doctor.journal(tmp_path).ok == "warn"


class TestSavedGames:
    def test_none(self, tmp_path: Path) -> None:
        assert doctor.saved_games(tmp_path / "games") == [Check(name="saved games", ok="good", says="None yet.")]

    def test_whole_ones_are_counted(self, tmp_path: Path) -> None:
        for name in ("one", "two"):
            _save(tmp_path, name)
        assert doctor.saved_games(tmp_path) == [Check(name="saved games", ok="good", says="2 whole.")]

    def test_damaged_ones_are_named_and_left_alone(self, tmp_path: Path) -> None:
        _save(tmp_path, "one")
        short = _save(tmp_path, "two")
        short.write_bytes(short.read_bytes()[:3000])
        before = short.read_bytes()
        found = doctor.saved_games(tmp_path)
        assert _names(found) == {"saved games": "good", "saved game two": "bad"}
        assert found[0].says == "1 whole."
        assert short.read_bytes() == before

    def test_garbled_pages_are_found(self, tmp_path: Path) -> None:
        path = _save(tmp_path, "one")
        raw = bytearray(path.read_bytes())
        page_bytes = int.from_bytes(raw[16:18], "big")
        raw[page_bytes : page_bytes + 100] = b"\xa5" * 100
        path.write_bytes(raw)
        assert _names(doctor.saved_games(tmp_path))["saved game one"] == "bad"

    def test_one_of_a_newer_companion_asks_for_an_update(self, tmp_path: Path) -> None:
        path = _save(tmp_path, "one")
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA user_version = 999")
        connection.close()
        assert _names(doctor.saved_games(tmp_path))["saved game one"] == "warn"

    def test_one_without_a_history_is_no_game(self, tmp_path: Path) -> None:
        cover = Cover(id="one", game="castle-dukes", title="Castle Dukes", seats=("North",), created_ms=0)
        Journal.create(tmp_path / "one.sqlite", cover, ())
        assert _names(doctor.saved_games(tmp_path))["saved game one"] == "bad"


class TestBoxes:
    def test_none(self, tmp_path: Path) -> None:
        assert doctor.boxes(tmp_path / "boxes") == [Check(name="boxes", ok="good", says="Nothing learned yet.")]

    def test_learned_ones_are_counted(self, tmp_path: Path) -> None:
        BoxMemory(tmp_path).add("castle-dukes", Learned(table="rooms", key="Library", entry={"cost": 3}))
        assert doctor.boxes(tmp_path) == [Check(name="boxes", ok="good", says="Learned entries for 1 game.")]

    @pytest.mark.parametrize("text", ["=", "rooms = 3", "[rooms]\nsource = 'us'\nconfidence = 'sure'"])
    def test_unreadable_ones_are_named_and_left_alone(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "castle-dukes.toml"
        path.write_text(text)
        assert _names(doctor.boxes(tmp_path)) == {"boxes": "good", "box castle-dukes": "bad"}
        assert path.read_text() == text

    def test_those_put_aside_are_pointed_out(self, tmp_path: Path) -> None:
        (tmp_path / "castle-dukes.toml").write_text("=")
        BoxMemory(tmp_path).entries("castle-dukes")
        assert _names(doctor.boxes(tmp_path)) == {"boxes": "good", "box castle-dukes.damaged-1": "warn"}


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"DISPLAY": ":0"}, "There is a display (DISPLAY=:0)."),
        ({"WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"}, "There is a display (WAYLAND_DISPLAY=wayland-1)."),
        ({"DISPLAY": ""}, "There is no display: the companion talks in the terminal."),
    ],
)
def test_display(environ: dict[str, str], says: str) -> None:
    assert doctor.display(environ).says == says


def test_a_raspberry_pi_is_known_by_its_model(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert doctor.machine(model).says == "Raspberry Pi 5 Model B Rev 1.0."
    assert "not a Raspberry Pi" in doctor.machine(tmp_path / "none").says


def test_no_scales_are_no_trouble(tmp_path: Path) -> None:
    check = doctor.scales(tmp_path)
    assert (check.ok, check.says) == ("good", "No USB serial port is there: no scale module is plugged in.")


def test_ports_of_scales_are_named(tmp_path: Path) -> None:
    (tmp_path / "ttyUSB0").touch()
    (tmp_path / "ttyACM1").touch()
    (tmp_path / "tty7").touch()
    assert doctor.scales(tmp_path).says.startswith("USB serial ports: ttyACM1, ttyUSB0.")


def test_a_port_that_may_not_be_used_has_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ttyUSB0").touch()
    monkeypatch.setattr("os.access", lambda path, mode: False)
    check = doctor.scales(tmp_path)
    assert (check.ok, check.says) == ("warn", "You may not use ttyUSB0.")
    assert "dialout" in check.remedy


@pytest.mark.parametrize(
    ("found", "worst"), [((), "good"), (("good", "bad", "warn"), "bad"), (("good", "warn"), "warn")]
)
def test_worst(found: tuple[doctor.Health, ...], worst: str) -> None:
    assert doctor.worst(Check(name="", ok=ok, says="") for ok in found) == worst
