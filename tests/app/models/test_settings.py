from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.models.settings import Settings, SettingsModel, read, settings_file, write
from companion.errors import Malformed
from companion.live.policies import Policies


def test_settings_survive_and_lie_beside_the_configuration(companion_home: Path) -> None:
    assert settings_file() == companion_home / "app.toml"
    model = SettingsModel()
    model.set("theme", "light")
    model.set("sensing.collapse", "auto")
    model.set("lock_min", 10)
    model.remember_names(("North", "East"))
    again = SettingsModel().settings
    assert again == Settings(
        theme="light", lock_min=10, sensing=Policies(collapse="auto"), recent_names=("North", "East")
    )


def test_no_file_means_the_usual_settings(settings: SettingsModel) -> None:
    assert settings.settings == Settings()
    assert settings.message is None
    assert not settings.file.exists()


@pytest.mark.parametrize(
    "garbage", [b"\xff\xfe\x00", b"theme = ", b"theme = 7\n", b'theme = "pink"\n', b"sensing = 3\n", b"lock_min = -1\n"]
)
def test_garbage_is_set_aside_and_said_and_kept(tmp_path: Path, garbage: bytes) -> None:
    file = tmp_path / "app.toml"
    file.write_bytes(garbage)
    model = SettingsModel(file)
    assert model.settings == Settings()
    assert model.message is not None
    assert "app.damaged-1.toml" in model.message.text
    assert (tmp_path / "app.damaged-1.toml").read_bytes() == garbage
    model.set("sound", False)
    assert read(file) == Settings(sound=False)


def test_a_second_damaged_file_does_not_replace_the_first(tmp_path: Path) -> None:
    for garbage in ("one", "two"):
        (tmp_path / "app.toml").write_text(garbage)
        SettingsModel(tmp_path / "app.toml")
    assert [(tmp_path / f"app.damaged-{n}.toml").read_text() for n in (1, 2)] == ["one", "two"]


@pytest.mark.parametrize(("text", "key"), [("colour = 1\n", "colour"), ('[sensing]\nsmell = "ask"\n', "smell")])
def test_an_unknown_key_is_an_error_that_names_key_and_file(tmp_path: Path, text: str, key: str) -> None:
    file = tmp_path / "app.toml"
    file.write_text(text)
    with pytest.raises(Malformed, match=f"app.toml sets '{key}'"):
        read(file)
    message = SettingsModel(file).message
    assert message is not None
    assert f"'{key}'" in message.text


def test_a_disk_in_trouble_is_said_and_the_setting_holds(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file where the folder should be")
    model = SettingsModel(tmp_path / "config" / "app.toml")
    model.set("motion", False)
    assert not model.settings.motion
    assert model.message is not None
    assert model.message.weight == "trouble"


def test_what_is_no_setting_is_refused(settings: SettingsModel) -> None:
    with pytest.raises(Malformed):
        settings.set("theme", "pink")
    assert settings.settings == Settings()


def test_every_setting_has_a_row_whose_choices_can_be_set(settings: SettingsModel) -> None:
    rows = settings.rows()
    shown = {row.key.partition(".")[0] for row in rows}
    assert shown == set(Settings.__struct_fields__) - {"recent_names"}
    for row in rows:
        assert sum(choice.chosen for choice in row.choices) == 1, row
        for choice in row.choices:
            settings.set(row.key, choice.value)
            assert settings.value(row.key) == choice.value


def test_names_are_kept_the_last_first_and_not_for_ever(settings: SettingsModel) -> None:
    settings.remember_names(tuple(f"Guest {n}" for n in range(30)))
    settings.remember_names(("Guest 3", "North"))
    names = settings.settings.recent_names
    assert names[:3] == ("Guest 3", "North", "Guest 0")
    assert len(names) == len(set(names)) == 24


def test_a_write_leaves_no_draft_behind(tmp_path: Path) -> None:
    write(tmp_path / "app.toml", Settings(speech=True))
    assert [path.name for path in tmp_path.iterdir()] == ["app.toml"]
