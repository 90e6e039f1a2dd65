"""Where the senses come from: what the settings say, what is plugged in, what is installed."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.config import Config
from companion.errors import DeviceLost
from companion.live import sources
from companion.sensing.plan import encode_plan
from tests.sensing.forces import board, plan


@pytest.fixture(autouse=True)
def nothing_plugged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "usb_ports", lambda: ())


def describe(folder: Path) -> Path:
    file = folder / "table.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(encode_plan(plan((board("south"),))))
    return file


def test_without_devices_it_is_the_simulated_table() -> None:
    assert sources.choose(Config()).simulated


def test_without_devices_and_without_the_twin_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "find_spec", lambda name: None)
    chosen = sources.choose(Config())
    assert not chosen.simulated
    assert chosen.says.endswith(".")
    assert "castle-companion[twin]" in chosen.remedy
    with pytest.raises(DeviceLost):
        chosen.open(threading.Event())


def test_scales_without_a_described_table_say_what_to_do(companion_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "usb_ports", lambda: ("/dev/ttyUSB0",))
    chosen = sources.choose(Config())
    assert (chosen.simulated, "described" in chosen.says) == (False, True)
    assert str(companion_home / "table.json") in chosen.remedy


def test_a_described_table_is_the_one_with_real_devices(companion_home: Path) -> None:
    describe(companion_home)
    chosen = sources.choose(Config(scale_boards={"module-a": "south"}))
    table = chosen.open(threading.Event())
    assert (chosen.says, [each.id for each in table.plan.boards], table.alive) == ("", ["south"], True)
    assert list(table.told()) == []
    with pytest.raises(DeviceLost, match="Only the simulated table"):
        table.hand("knock left")
    scales = table.open_scales()
    assert scales.poll() == []
    scales.close()
    camera = table.open_camera()
    assert camera.status.state == "off"
    camera.close()
    table.close()


def test_the_settings_name_another_file_and_may_ask_for_the_simulation_all_the_same(tmp_path: Path) -> None:
    file = describe(tmp_path / "elsewhere")
    assert not sources.choose(Config(table_file=str(file))).simulated
    assert sources.choose(Config(table_file=str(file), table="simulated")).simulated
    assert sources.choose(Config(table="off")).says


@pytest.mark.parametrize("text", ["no JSON at all", "{}", '{"format": "castle-companion/recording", "version": 9}'])
def test_a_description_that_is_not_right_is_told_in_a_sentence(companion_home: Path, text: str) -> None:
    companion_home.mkdir(exist_ok=True)
    (companion_home / "table.json").write_text(text)
    says = sources.choose(Config(table="attached")).says
    assert "table.json is not right" in says
    assert says.endswith(".")
