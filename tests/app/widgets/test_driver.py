"""The window that widgets are tested in, and what its checker sees."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from kivy.graphics import Color, Rectangle
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.app.widgets import look as look_module
from companion.app.widgets.buttons import PushButton, Toggle
from companion.app.widgets.look import target
from companion.app.widgets.numbers import Counter, Dial
from companion.app.widgets.pictures import SeatBadge
from companion.app.widgets.words import TextLabel
from tests.app.widgets.touched import LONG, fixed

if TYPE_CHECKING:
    from tests.app.driver import Driver


def test_widgets_that_are_gone_leave_nothing_behind(drive: Driver) -> None:
    host = drive.show(FloatLayout())
    gc.collect()
    followed = len(look_module._followers)
    made = [PushButton(text="Build", icon="pillar"), Counter(value=3), Dial(value=2), SeatBadge(name="North"), Toggle()]
    gone = [weakref.ref(widget) for widget in made]
    for widget in made:
        host.add_widget(widget)
    drive.frames(2)
    host.clear_widgets()
    del made, widget
    drive.frames(2)
    gc.collect()
    assert [reference() for reference in gone if reference() is not None] == []
    assert len(look_module._followers) <= followed


def test_the_checker_sees_what_is_wrong(drive: Driver) -> None:
    host = FloatLayout()
    for button in (
        fixed(PushButton(text="small"), 40, 63, at=(10, 10)),
        fixed(PushButton(text="one"), 100, 63, at=(300, 100)),
        fixed(PushButton(text="two"), 100, 63, at=(380, 120)),
        fixed(PushButton(text="out"), 100, 63, at=(750, 300)),
        fixed(TextLabel(text=LONG), 60, 20, at=(10, 400)),
        fixed(Label(text="a label of Kivy's own that is too long", font_size=20), 60, 20, at=(200, 400)),
    ):
        host.add_widget(button)
    drive.show(host)
    faults = " | ".join(drive.overlaps_and_cuts())
    for fault in (
        "PushButton 'small' is 40 px across",
        "'one' and PushButton 'two' overlap",
        "'out' sticks out of the window",
        "had to shrink",
        "Label 'a label of Kivy's own that is too long' is cut",
    ):
        assert fault in faults


def test_a_good_layout_has_no_faults(drive: Driver) -> None:
    row = BoxLayout(size_hint=(1, None), height=target())
    for text in ("Build", "Buy", "Rest"):
        row.add_widget(PushButton(text=text))
    drive.show(row)
    assert drive.overlaps_and_cuts() == []


def test_a_screenshot_is_a_picture_of_the_window(drive: Driver, tmp_path: Path) -> None:
    host = FloatLayout()
    with host.canvas:
        Color(1, 0, 0, 1)
        Rectangle(pos=(0, 0), size=(100, 50))
    drive.show(host, (640, 400))
    drive.screenshot(tmp_path / "shots" / "window.png")
    assert (tmp_path / "shots" / "window.png").read_bytes()[16:24] == (640).to_bytes(4, "big") + (400).to_bytes(
        4, "big"
    )
    seen = drive.pixels()
    assert (seen.at(10, 390), seen.at(10, 10)) == ((255, 0, 0), (0, 0, 0))


def test_waiting_in_vain_fails(drive: Driver) -> None:
    drive.show(Widget())
    with pytest.raises(AssertionError, match="in vain for a miracle"):
        drive.until(lambda: False, "a miracle")
