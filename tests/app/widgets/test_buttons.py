"""Buttons, switches and choices: tapped, held, off, and recoloured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.app import theme
from companion.app.widgets.buttons import HoldButton, PushButton, SegmentedChoice, Toggle
from companion.app.widgets.look import look
from tests.app.driver import window_box
from tests.app.widgets.touched import Heard, fixed, near

if TYPE_CHECKING:
    from tests.app.driver import Driver


def test_a_button_tells_that_it_was_tapped(drive: Driver) -> None:
    button = drive.show(fixed(PushButton(text="Build", icon="pillar"), 200, 63))
    heard = Heard().of(button, "on_press", "on_release")
    drive.tap("Build")
    assert heard == [("on_press",), ("on_release",)]


def test_a_finger_that_slides_away_takes_it_back(drive: Driver) -> None:
    button = drive.show(fixed(PushButton(text="Build"), 200, 63))
    heard = Heard().of(button, "on_release")
    finger = drive.press(button)
    assert button.pressed
    finger.to(600, 400)
    assert not button.pressed
    finger.up()
    assert heard == []


def test_a_second_finger_is_not_a_second_tap(drive: Driver) -> None:
    button = drive.show(fixed(PushButton(text="Build"), 200, 63))
    heard = Heard().of(button, "on_release")
    first, second = drive.press(button), drive.press(button)
    first.up()
    second.up()
    assert heard == [("on_release",)]


def test_a_button_that_is_off_looks_it_and_says_why(drive: Driver) -> None:
    button = drive.show(fixed(PushButton(text="Build", why="Only in the Building Phase."), 200, 63))
    heard = Heard().of(button, "on_release", "on_reason")
    assert near(drive.pixels().at(110, 480 - 110), theme.DARK.off)
    drive.tap(button)
    assert heard == [("on_reason", "Only in the Building Phase.")]
    button.why = ""
    drive.tap(button)
    assert heard[1:] == [("on_release",)]


def test_a_pressed_button_shows_it_within_a_frame(drive: Driver) -> None:
    button = drive.show(fixed(PushButton(text="Build", kind="primary"), 200, 63))
    assert near(drive.pixels().at(110, 480 - 110), theme.DARK.accent)
    finger = drive.press(button)
    drive.frames()
    assert near(drive.pixels().at(110, 480 - 110), theme.DARK.accent_pressed)
    finger.up()


@pytest.mark.parametrize("kind", ["primary", "plain", "quiet"])
def test_buttons_follow_the_theme_at_once(drive: Driver, kind: str) -> None:
    button = drive.show(fixed(PushButton(text="Build", note="for 3 coins", kind=kind), 200, 63))
    before = drive.pixels().rows
    look.theme = theme.LIGHT
    button.ground = "table"
    drive.frames(2)
    assert drive.pixels().rows != before


def test_held_buttons_count_only_when_held_long_enough(drive: Driver) -> None:
    button = drive.show(fixed(HoldButton(text="Give up", icon="close"), 200, 63))
    heard = Heard().of(button, "on_held", "on_early", "on_release")
    drive.tap(button)
    assert heard == [("on_early",)]
    drive.hold(button, 0.7)
    assert heard == [("on_early",)] * 2
    drive.hold(button, 0.9)
    assert heard[2:] == [("on_held",)]


def test_the_ring_fills_while_it_is_held_and_empties_when_let_go(drive: Driver) -> None:
    button = drive.show(fixed(HoldButton(text="Give up", icon="close"), 200, 80))
    assert drive.texts() == ["Give up"]
    still = drive.pixels().count(theme.DARK.on_danger, window_box(button))
    finger = drive.press(button)
    drive.advance(0.4)
    assert 0.4 < button.progress < 0.6
    lit = drive.pixels().count(theme.DARK.on_danger, window_box(button))
    drive.advance(0.3)
    assert drive.pixels().count(theme.DARK.on_danger, window_box(button)) > lit
    finger.up()
    drive.frames()
    assert button.progress == 0
    assert drive.pixels().count(theme.DARK.on_danger, window_box(button)) == still


def test_a_held_button_goes_by_the_clock_it_is_given(drive: Driver) -> None:
    seconds = iter(range(100))
    button = drive.show(fixed(HoldButton(text="Give up", now=lambda: float(next(seconds))), 200, 63))
    heard = Heard().of(button, "on_held")
    finger = drive.press(button)
    drive.frames(2)
    assert heard == [("on_held",)]
    finger.up()


def test_a_switch_turns_over(drive: Driver) -> None:
    switch = drive.show(fixed(Toggle(text="Sound"), 300, 63))
    heard = Heard().of(switch, "active")
    drive.tap(switch)
    drive.still()
    assert (heard, switch.knob) == ([("active", True)], 1.0)
    drive.tap(switch)
    assert not switch.active


def test_one_of_several_is_chosen(drive: Driver) -> None:
    choice = drive.show(fixed(SegmentedChoice(options=[(1, "auto"), (2, "ask"), (3, "off")], value=2), 400, 63))
    heard = Heard().of(choice, "on_choice")
    drive.tap("off")
    assert (choice.value, heard) == (3, [("on_choice", 3)])
    assert [button.chosen for button in reversed(choice.children)] == [False, False, True]
