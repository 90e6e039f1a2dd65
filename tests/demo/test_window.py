"""The demo in a window: a finger that touches the app's own buttons, on a paper table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.demo import game
from tests.demo.table import HandedTable, Time

if TYPE_CHECKING:
    from companion.demo.window import DemoApp
    from tests.app.driver import Driver

_LONGEST_S = 240.0
_FRAME_S = 0.1


class Show:
    """A demo that plays in the offscreen window."""

    def __init__(self, drive: Driver, home: Path, **how: Any) -> None:
        from companion.demo.window import DemoApp, furnish

        self.drive = drive
        self.time = Time()
        self.table = HandedTable(self.time, **how)
        furnish(home)
        self.app: DemoApp = DemoApp(home, lambda _seats, _simulated: self.table, now_us=self.time)
        self.app.settings.change(sound=False, language="en")
        drive.start(self.app, (800, 520))
        drive.blind = True  # the first picture has been shown; what follows is only walked through

    @property
    def pilot(self) -> Any:
        return self.app.autopilot

    @property
    def caption(self) -> str:
        return str(self.pilot._bar._text.text)

    def until(self, there: Callable[[], Any]) -> None:
        """Let the demo play until something is so."""
        for _ in range(round(_LONGEST_S / _FRAME_S)):
            if there():
                return
            self.time.pass_by(_FRAME_S)
            self.drive.advance(_FRAME_S, step=_FRAME_S)
        raise AssertionError(f"It did not come in {_LONGEST_S:.0f} s; the demo says: {self.caption}")


@pytest.fixture
def show(drive: Driver, tmp_path: Path) -> Callable[..., Show]:
    return lambda **how: Show(drive, tmp_path, **how)


def test_the_whole_evening_is_played_by_touch_from_the_shelf_to_the_podium(show: Callable[..., Show]) -> None:
    demo = show()
    demo.until(lambda: demo.app.watchman.call is not None)
    assert demo.caption.startswith("South reaches across")
    demo.until(lambda: demo.app.watchman.call is None)
    assert game.state_of(demo.pilot._session).dukes[game.SOUTH].crumbles == 1
    demo.until(lambda: demo.pilot.over)
    assert demo.app.way[-1] == "tally"
    assert demo.app.screen.model.view.podium is not None
    assert [found.verdict for found in demo.pilot.chronicle.found] == ["sensed"] * 13
    assert not demo.pilot.chronicle.notes
    demo.until(lambda: demo.caption.startswith("That was the demo."))
    assert "The senses found 13 of 13 acts by themselves, and called the accident after" in demo.caption


def test_a_table_that_is_too_slow_still_comes_to_the_podium_in_time(show: Callable[..., Show]) -> None:
    demo = show(slow_s=60.0)
    demo.until(lambda: demo.pilot.over)
    assert demo.app.screen.model.view.podium is not None
    assert "skipped" in [found.verdict for found in demo.pilot.chronicle.found]


def test_somebody_elses_touch_ends_it_and_the_table_is_theirs(show: Callable[..., Show]) -> None:
    demo = show()
    demo.until(lambda: demo.app.way[-1] == "live")
    demo.drive.tap(demo.drive.find(id="record"))
    assert demo.caption == "The demo has stopped: the table is yours."
    said = len(demo.table.said)
    demo.drive.advance(5.0, step=0.5)
    assert len(demo.table.said) == said
    assert not demo.pilot.over
