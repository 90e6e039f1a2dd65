"""Lists that scroll under a finger, and the search in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.app import theme
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.look import look
from companion.app.widgets.scrolling import Scroller, column
from companion.app.widgets.search import Found, SearchList, matching, next_letters
from tests.app.driver import window_box
from tests.app.widgets.touched import Heard, fixed

if TYPE_CHECKING:
    from tests.app.driver import Driver


def _list(drive: Driver, rows: int = 30) -> tuple[Scroller, list[Any], Heard]:
    content, heard = column(), Heard()
    buttons = [PushButton(text=f"Row {at}", size_hint_y=None, height=64) for at in range(rows)]
    for button in buttons:
        button.bind(on_release=lambda row: heard.append(row.text))
        content.add_widget(button)
    scroller = fixed(Scroller(), 300, 300)
    scroller.add_widget(content)
    return drive.show(scroller), buttons, heard


def test_a_row_answers_a_tap_at_once(drive: Driver) -> None:
    _, buttons, heard = _list(drive)
    finger = drive.press(buttons[1])
    assert buttons[1].pressed
    finger.up()
    assert heard == ["Row 1"]


def test_an_arrow_shows_where_there_is_more(drive: Driver) -> None:
    scroller, _, _ = _list(drive)
    for scroll, above, below in ((0, False, True), (200, True, True), (scroller.furthest, True, False)):
        scroller.go_to(scroll)
        drive.frames(2)
        assert (scroller.more_above, scroller.more_below) == (above, below)
        shown = [edge._arrow.size != (0, 0) and edge._arrow.texture is not None for edge in _edges(scroller)]
        assert shown == [above, below]


def test_an_arrow_is_painted_over_the_last_row(drive: Driver) -> None:
    scroller, _, _ = _list(drive)
    drive.frames(2)
    with_arrow = drive.pixels()
    _edges(scroller)[1].place(0, 0, 0, 1, None, theme.DARK.ink)
    drive.frames(1)
    bare = drive.pixels()
    low = range(int(bare.height - scroller.y) - 30, int(bare.height - scroller.y))
    changed = [row for row in range(bare.height) if with_arrow.rows[row] != bare.rows[row]]
    assert changed
    assert set(changed) <= set(low)


def _edges(scroller: Scroller) -> tuple[Any, Any]:
    return scroller._above, scroller._below


def test_a_drag_scrolls_and_presses_nothing(drive: Driver) -> None:
    scroller, buttons, heard = _list(drive)
    drive.drag((250, 150), (250, 350), seconds=0.5)
    assert scroller.scroll > 150
    assert heard == []
    assert not any(button.pressed for button in buttons)


def test_a_flick_glides_on_and_a_touch_stops_it(drive: Driver) -> None:
    scroller, _, heard = _list(drive)
    drive.drag((250, 150), (250, 350), seconds=0.1)
    lifted = scroller.scroll
    drive.advance(0.3)
    assert scroller.scroll > lifted + 100
    drive.tap((250, 250))
    stopped = scroller.scroll
    drive.advance(0.3)
    assert scroller.scroll == stopped
    assert heard == []


def test_without_motion_a_list_stays_where_it_is_let_go(drive: Driver) -> None:
    look.motion = False
    scroller, _, _ = _list(drive)
    drive.drag((250, 150), (250, 350), seconds=0.1)
    lifted = scroller.scroll
    drive.advance(0.3)
    assert scroller.scroll == lifted


def test_scrolled_rows_are_where_they_look(drive: Driver) -> None:
    scroller, buttons, heard = _list(drive)
    scroller.reveal(buttons[20])
    drive.frames(2)
    drive.tap(buttons[20])
    assert heard == ["Row 20"]
    scroller.go_to(10**6)
    drive.frames(2)
    assert scroller.scroll == scroller.furthest
    drive.tap(buttons[29])
    assert heard == ["Row 20", "Row 29"]


def test_what_is_scrolled_out_of_sight_cannot_be_touched(drive: Driver) -> None:
    scroller, buttons, heard = _list(drive)
    drive.tap((250, 450))
    drive.tap((250, 50))
    assert heard == []
    assert window_box(buttons[29]).top < scroller.y


_WORDS = {"Great Hall": "comfort 2", "Küche": "food 1", "Green Room": "defence 3", "Library": "", "Hall of Gold": ""}
ROOMS = [Found(key=name, label=name, note="comfort 2", icon="room", words=words) for name, words in _WORDS.items()]


def test_search_finds_by_beginnings_of_words_and_forgives_marks() -> None:
    assert [room.label for room in matching(ROOMS, "h")] == ["Hall of Gold", "Great Hall"]
    assert [room.label for room in matching(ROOMS, "ku")] == ["Küche"]
    assert [room.label for room in matching(ROOMS, "def")] == ["Green Room"]
    assert [room.label for room in matching(ROOMS, "")] == [room.label for room in ROOMS]
    assert matching(ROOMS, "xyz") == []


def test_only_letters_that_find_something_are_offered() -> None:
    assert next_letters(ROOMS, "gre") == {"a", "e"}
    assert next_letters(ROOMS, "xyz") == set()


def test_a_room_is_found_in_two_touches(drive: Driver) -> None:
    listing = drive.show(SearchList(items=ROOMS, empty="Nothing of that name."))
    heard = Heard().of(listing, "on_pick")
    drive.tap("L")
    drive.tap("Library")
    assert heard == [("on_pick", "Library")]
    assert "Great Hall" not in drive.texts()


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
def test_the_search_fits_wide_and_tall_screens(drive: Driver, size: tuple[int, int]) -> None:
    drive.show(SearchList(items=ROOMS * 6), size)
    drive.still()
    assert drive.overlaps_and_cuts() == []


def test_an_empty_search_says_so(drive: Driver) -> None:
    drive.show(SearchList(items=[], empty="Nothing of that name."))
    assert "Nothing of that name." in drive.texts()
