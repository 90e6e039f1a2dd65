"""What comes over the screen: sheets and toasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.uix.floatlayout import FloatLayout

from companion.app.widgets.buttons import PushButton
from companion.app.widgets.scrolling import Scroller
from companion.app.widgets.sheets import Sheet, Toast
from companion.app.widgets.words import TextLabel
from tests.app.driver import window_box
from tests.app.widgets.touched import LONG, Heard

if TYPE_CHECKING:
    from tests.app.driver import Driver


def _screen(drive: Driver) -> tuple[FloatLayout, Heard]:
    host = FloatLayout()
    button = PushButton(text="Below", size_hint=(None, None), size=(200, 64), pos=(300, 400))
    host.add_widget(button)
    drive.show(host)
    return host, Heard().of(button, "on_release")


def test_a_sheet_takes_every_touch_until_it_is_closed(drive: Driver) -> None:
    host, below = _screen(drive)
    action = PushButton(text="Yes", kind="primary")
    sheet = Sheet(title="Sure?", body=TextLabel(text="Really?", grows=True), actions=[action], dismissable=False)
    heard = Heard().of(sheet, "on_close").of(action, "on_release")
    sheet.open(host)
    drive.still()
    drive.tap("Below")
    assert below == []
    drive.tap("Yes")
    sheet.close()
    drive.still()
    assert heard == [("on_release",), ("on_close",)]
    assert sheet.parent is None
    drive.tap("Below")
    assert below == [("on_release",)]


def test_a_touch_outside_closes_a_sheet_that_lets_it(drive: Driver) -> None:
    host, below = _screen(drive)
    sheet = Sheet(title="Rule", body=TextLabel(text="Words.", grows=True))
    heard = Heard().of(sheet, "on_close")
    sheet.open(host)
    drive.still()
    assert window_box(sheet.panel).bottom == 0
    drive.tap("Below")
    drive.still()
    assert (below, heard, sheet.parent) == ([], [("on_close",)], None)


def test_a_sheet_too_high_for_the_screen_scrolls(drive: Driver) -> None:
    host, _ = _screen(drive)
    body = TextLabel(text=f"{LONG} " * 20, grows=True)
    Sheet(title="Rule", body=body, placement="centre").open(host)
    drive.still()
    assert drive.find(Scroller).furthest > 100
    assert drive.overlaps_and_cuts() == []


def test_a_toast_offers_undo_and_goes_by_itself(drive: Driver) -> None:
    host, _ = _screen(drive)
    toast = Toast(text="North built a pillar.", action_text="Undo")
    heard = Heard().of(toast, "on_action")
    toast.show(host)
    drive.still()
    assert drive.overlaps_and_cuts() == []
    drive.tap("Undo")
    assert (heard, toast.parent) == ([("on_action",)], None)
    other = Toast(text="East drew a card.")
    other.show(host)
    drive.advance(5.5, step=0.1)
    assert other.parent is host
    drive.advance(1.0, step=0.1)
    assert other.parent is None


def test_a_newer_toast_takes_the_place_of_the_older(drive: Driver) -> None:
    host, _ = _screen(drive)
    for text in ("First.", "Second."):
        Toast(text=text).show(host)
    drive.still()
    assert [text for text in drive.texts() if text.endswith(".")] == ["Second."]
