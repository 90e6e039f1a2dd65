"""What is kept as a picture looks as it would without, and is drawn again when something in it changes, not else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from kivy.graphics import Callback
from kivy.uix.widget import Widget

from companion.app.theme import LIGHT
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.kept import Kept, on_panel, on_table
from companion.app.widgets.look import Last, look
from companion.app.widgets.pictures import SeatBadge
from companion.app.widgets.turning import Rotated
from tests.app.driver import Driver, Pixels

BOX = {"pos": (101, 80), "size": (320, 96), "size_hint": (None, None)}
_SLIGHT = 2


def _button() -> PushButton:
    return PushButton(text="Take a coin", icon="coin", **BOX)


def _bare(widget: Any) -> Any:
    return widget


def _on_table(widget: Any) -> Kept:
    return Kept(widget, on_table)


def _glass(drive: Driver, wrap: Callable[[Any], Any]) -> Pixels:
    from kivy.core.window import Window

    from companion.app.widgets.look import colours

    drive.show(wrap(_button()))
    Window.clearcolor = colours().table
    drive.still()
    return drive.pixels()


def _apart(one: Pixels, other: Pixels) -> int:
    """The largest difference of a colour between two pictures."""
    rows = zip(one.rows, other.rows, strict=True)
    return max(abs(a - b) for left, right in rows if left != right for a, b in zip(left, right, strict=True)) or 0


def test_a_kept_widget_looks_as_it_would_without(drive: Driver) -> None:
    kept, bare = _glass(drive, _on_table), _glass(drive, _bare)
    assert bare.rows != drive.pixels().rows[:0]
    assert kept.rows == bare.rows or _apart(kept, bare) <= _SLIGHT


def _counted(kept: Any) -> list[int]:
    """Gains an entry whenever the picture is drawn."""
    drawn: list[int] = []
    with kept._plate.inside.before:
        Callback(lambda *_: drawn.append(1))
    return drawn


def test_it_is_drawn_again_when_it_changes_and_not_else(drive: Driver) -> None:
    button, beside = _button(), Widget()
    kept = drive.show(Kept(button))
    drive.app.root.add_widget(beside)
    drawn = _counted(kept)
    drive.still()
    drawn.clear()
    beside.canvas.ask_update()
    drive.frames(5)
    button.text, button.kind = button.text, button.kind
    button.property("size").dispatch(button)
    drive.frames(2)
    assert drawn == []
    button.text = "Take two"
    drive.frames(2)
    assert drawn


def test_it_follows_its_widget_and_takes_its_touches(drive: Driver) -> None:
    button = _button()
    kept = drive.show(Kept(button))
    pressed: list[Any] = []
    button.bind(on_release=pressed.append)
    button.pos, button.size, button.opacity = (300, 200), (200, 80), 0.5
    drive.frames(2)
    assert (tuple(kept.pos), tuple(kept.size), kept.opacity) == ((300, 200), (200, 80), 0.5)
    drive.tap(button)
    assert pressed == [button]


def test_a_hidden_widget_leaves_nothing_on_the_glass(drive: Driver) -> None:
    button = _button()
    drive.show(Kept(button))
    button.size, button.opacity = (0, 0), 0
    drive.frames(3)
    assert len(set(drive.pixels().rows)) == 1


def test_its_ground_follows_the_theme(drive: Driver) -> None:
    drive.show(Kept(SeatBadge(seat=1, name="East", **BOX), on_panel))
    drive.still()
    look.theme = LIGHT
    drive.still()
    assert drive.pixels().count(LIGHT.panel) > 1000


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_what_is_turned_looks_the_same_kept(drive: Driver, angle: int) -> None:
    pictures = []
    for ground in (None, on_table):
        turned = Rotated(ground, angle=angle, **BOX)
        turned.add_widget(PushButton(text="North", icon="king", ground="table", kind="primary"))
        drive.show(turned)
        from kivy.core.window import Window

        Window.clearcolor = on_table()
        drive.still()
        pictures.append(drive.pixels())
    one, other = pictures
    assert one.rows == other.rows or _apart(one, other) <= _SLIGHT


def test_the_last_look_is_told_from_another() -> None:
    last = Last()
    assert [last.differs(1, "a"), last.differs(1, "a"), last.differs(2, "a"), last.differs(1, "a")] == [
        True, False, True, True,
    ]  # fmt: skip
