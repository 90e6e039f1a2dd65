"""How Kivy is set up."""

from __future__ import annotations

import pytest

from companion.app import kivyenv
from companion.errors import Malformed


def test_one_way_in_for_fingers_and_none_of_kivys_files() -> None:
    from kivy.config import Config

    assert Config.options("input") == ["mouse"]
    assert Config.get("graphics", "multisamples") == "0"
    assert Config.get("kivy", "exit_on_escape") == "0"


def test_the_window_is_prepared_once() -> None:
    with pytest.raises(RuntimeError, match="already"):
        kivyenv.prepare()


def test_size_and_density_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kivyenv.SIZE_VARIABLE, "1280x720")
    monkeypatch.setenv(kivyenv.DENSITY_VARIABLE, "1.5")
    window = kivyenv.window_from_environment()
    assert (window.width, window.height, window.density) == (1280, 720, 1.5)


@pytest.mark.parametrize(
    ("name", "text"), [("COMPANION_SIZE", "big"), ("COMPANION_SIZE", "0x5"), ("COMPANION_DENSITY", "9")]
)
def test_garbage_in_the_environment_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(Malformed, match=name):
        kivyenv.window_from_environment()
