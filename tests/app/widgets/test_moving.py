"""What is turned towards its player, and what moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app import theme
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.look import look
from companion.app.widgets.motion import drop_in, glide, slide
from companion.app.widgets.scrolling import Scroller, column
from companion.app.widgets.turning import Rotated
from tests.app.driver import FRAME_S, window_box
from tests.app.widgets.touched import Heard, fixed

if TYPE_CHECKING:
    from tests.app.driver import Driver


# Turned


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_what_is_turned_is_touched_where_it_is_seen(drive: Driver, angle: int) -> None:
    row = BoxLayout()
    buttons = [PushButton(text=name) for name in ("one", "two", "three")]
    for button in buttons:
        row.add_widget(button)
    turned = fixed(Rotated(angle=angle), 300, 300)
    turned.add_widget(row)
    drive.show(turned)
    heard = Heard()
    for button in buttons:
        button.bind(on_release=lambda pressed: heard.append(pressed.text))
        drive.tap(button)
    assert heard == ["one", "two", "three"]
    seen = drive.pixels()
    buttons[0].kind = "danger"
    drive.frames(2)
    changed = window_box(buttons[0])
    assert drive.pixels().count(theme.DARK.danger, changed) > seen.count(theme.DARK.danger, changed) + 5000


def test_the_far_sides_first_button_is_at_our_right(drive: Driver) -> None:
    turned, first = fixed(Rotated(angle=180), 300, 100), PushButton(text="one")
    row = BoxLayout()
    row.add_widget(first)
    row.add_widget(PushButton(text="two"))
    turned.add_widget(row)
    drive.show(turned)
    assert window_box(first).left == pytest.approx(250, abs=3)


def test_a_turned_list_scrolls_its_own_way(drive: Driver) -> None:
    content = column()
    for at in range(20):
        content.add_widget(PushButton(text=f"Row {at}", size_hint_y=None, height=64))
    scroller, turned = Scroller(), fixed(Rotated(angle=180), 300, 300)
    scroller.add_widget(content)
    turned.add_widget(scroller)
    drive.show(turned)
    drive.drag((250, 350), (250, 150), seconds=0.5)
    assert scroller.scroll > 150


# Motion


def test_things_glide_and_arrive(drive: Driver) -> None:
    widget, heard = fixed(Widget(), 50, 50), Heard()
    drive.show(widget)
    glide(widget, done=lambda: heard.append("there"), x=300)
    drive.frames(3)
    assert 100 < widget.x < 300
    drive.advance(0.25)
    assert (widget.x, heard) == (300, ["there"])


def test_motion_is_never_in_the_way(drive: Driver) -> None:
    widget = drive.show(fixed(Widget(), 50, 50))
    glide(widget, seconds=5.0, x=300)
    drive.advance(0.25 + 2 * FRAME_S)
    assert widget.x == 300


def test_without_motion_things_are_there_at_once(drive: Driver) -> None:
    look.motion = False
    widget, heard = drive.show(fixed(Widget(), 50, 50)), Heard()
    drop_in(widget, (10, 20))
    assert tuple(widget.pos) == (10, 20)
    slide(widget, (0, 0), (200, 100), done=lambda: heard.append("there"))
    assert (tuple(widget.pos), heard) == ((200, 100), ["there"])
