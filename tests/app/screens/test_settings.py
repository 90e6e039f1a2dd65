"""Every setting is on the screen, and one touch chooses."""

from __future__ import annotations

import pytest

from companion.app.screens.options import ChoiceRow
from companion.app.theme import CONTRAST_SEATS, DARK, LIGHT, SEATS
from companion.app.widgets.pictures import Shield
from companion.app.widgets.scrolling import Scroller
from tests.app.screens.evening import SIZES, Evening


def _faults_all_the_way_down(evening: Evening) -> list[str]:
    scroller = evening.drive.find(Scroller)
    faults = evening.faults()
    while scroller.scroll < scroller.furthest:
        scroller.go_to(scroller.scroll + scroller.height * 0.8)
        faults += evening.faults()
    return faults


@pytest.mark.parametrize("theme", [DARK.name, LIGHT.name])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_overlaps_or_is_cut(evening: Evening, size: tuple[int, int], theme: str) -> None:
    evening.start(size, language="de", theme=theme)
    evening.go("settings")
    assert _faults_all_the_way_down(evening) == []


@pytest.mark.parametrize("size", SIZES)
def test_the_largest_text_overlaps_nothing(evening: Evening, size: tuple[int, int]) -> None:
    evening.start(size, language="de", text_size="largest")
    evening.go("settings")
    assert [fault for fault in _faults_all_the_way_down(evening) if "shrink" not in fault] == []


def test_every_setting_is_there(evening: Evening) -> None:
    app = evening.start()
    screen = evening.go("settings")
    assert list(screen._rows) == [row.key for row in app.settings.rows()]


def test_one_touch_chooses_and_it_is_kept(evening: Evening) -> None:
    app = evening.start()
    screen = evening.go("settings")
    screen._scroller.reveal(screen._rows["sensing.collapse"])
    evening.drive.frames(3)
    row: ChoiceRow = screen._rows["sensing.collapse"]
    evening.drive.tap(evening.drive.find(text="Do it", under=row))
    assert app.settings.settings.sensing.collapse == "auto"
    assert row.choices.value == "auto"
    assert 'collapse = "auto"' in evening.folders.settings.read_text()


def test_high_contrast_paints_the_seats_at_once(evening: Evening) -> None:
    app = evening.start()
    evening.go("seating", game="castle-dukes")
    shield = evening.drive.find_all(Shield)[0]
    assert tuple(shield._layers[0][0].rgba) == pytest.approx(SEATS[shield.seat].field, abs=0.01)
    app.settings.set("palette", "contrast")
    assert tuple(shield._layers[0][0].rgba) == pytest.approx(CONTRAST_SEATS[shield.seat].field, abs=0.01)
