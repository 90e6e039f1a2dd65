"""The keyboard on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.app.widgets.buttons import PushButton
from companion.app.widgets.keyboard import Keyboard
from tests.app.widgets.touched import Heard

if TYPE_CHECKING:
    from tests.app.driver import Driver


def _type(drive: Driver, keys: str) -> None:
    for key in keys:
        drive.tap(drive.find(PushButton, where=lambda button, key=key: getattr(button, "key", "") == key))


def test_a_name_is_typed_with_a_capital(drive: Driver) -> None:
    keyboard = drive.show(Keyboard(hint="Name"))
    heard = Heard().of(keyboard, "on_done")
    _type(drive, "nord")
    assert keyboard.text == "Nord"
    drive.tap(drive.find(PushButton, where=lambda key: key.icon == "space"))
    _type(drive, "ü")
    drive.tap(drive.find(PushButton, where=lambda key: key.icon == "check"))
    assert heard == [("on_done", "Nord Ü")]


def test_accents_and_digits_are_a_touch_away(drive: Driver) -> None:
    keyboard = drive.show(Keyboard(text="No"))
    drive.tap("áö")
    _type(drive, "é")
    assert (keyboard.text, keyboard.page) == ("Noé", "letters")
    drive.tap("áö")
    drive.tap("ąč")
    _type(drive, "ž")
    drive.tap("123")
    _type(drive, "7")
    assert keyboard.text == "Noéž7"


def test_a_name_has_an_end_and_can_be_taken_back(drive: Driver) -> None:
    keyboard = drive.show(Keyboard(longest=3))
    _type(drive, "west")
    assert keyboard.text == "Wes"
    drive.tap(drive.find(PushButton, where=lambda key: key.icon == "backspace"))
    assert keyboard.text == "We"


def test_an_empty_name_cannot_be_done(drive: Driver) -> None:
    keyboard = drive.show(Keyboard())
    heard = Heard().of(keyboard, "on_done")
    drive.tap(drive.find(PushButton, where=lambda key: key.icon == "check"))
    assert heard == []


@pytest.mark.parametrize("layout", ["qwerty", "qwertz", "azerty"])
@pytest.mark.parametrize("page", ["letters", "digits", "accents", "more accents"])
@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
def test_every_key_is_big_enough(drive: Driver, layout: str, page: str, size: tuple[int, int]) -> None:
    drive.show(Keyboard(layout=layout, page=page), size)
    assert drive.overlaps_and_cuts() == []


def test_real_keys_work_only_while_it_is_there(drive: Driver) -> None:
    from kivy.core.window import Window

    keyboard = drive.show(Keyboard())
    Window.dispatch("on_textinput", "a")
    Window.dispatch("on_key_down", 8, 0, None, [])
    Window.dispatch("on_textinput", "b")
    assert keyboard.text == "b"
    keyboard.parent.remove_widget(keyboard)
    Window.dispatch("on_textinput", "c")
    assert keyboard.text == "b"
