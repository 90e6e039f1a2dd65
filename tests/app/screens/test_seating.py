"""Setting up by touches: people around the table, options, the checklist, and the game begins."""

from __future__ import annotations

import pytest

from companion.app.models.places import around
from companion.app.screens.chairs import Chair
from companion.app.screens.laying_out import CheckRow
from companion.app.screens.options import ChoiceRow
from companion.app.widgets.sheets import Sheet
from companion.rules import registry
from tests.app.driver import window_box
from tests.app.screens.evening import LONG_NAMES, SIZES, Evening


@pytest.mark.parametrize("game", registry.ids())
@pytest.mark.parametrize("size", SIZES)
def test_nothing_overlaps_or_is_cut_in_any_step(evening: Evening, size: tuple[int, int], game: str) -> None:
    evening.start(size, language="de", recent_names=LONG_NAMES)
    screen = evening.go("seating", game=game)
    screen.model.set_count(8)
    faults = {"people": evening.faults()}
    for step in ("options", "checklist"):
        screen.model.go(step)
        faults[step] = evening.faults()
    assert faults == {"people": [], "options": [], "checklist": []}


@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("size", SIZES)
def test_any_number_of_chairs_fits_around_the_table(evening: Evening, size: tuple[int, int], count: int) -> None:
    evening.start(size, recent_names=LONG_NAMES)
    evening.go("seating", game="castle-dukes").model.set_count(count)
    assert evening.faults() == []
    assert len(evening.drive.find_all(Chair)) == count


@pytest.mark.parametrize("size", SIZES)
def test_the_naming_sheet_fits(evening: Evening, size: tuple[int, int]) -> None:
    evening.start(size, language="de", recent_names=LONG_NAMES)
    screen = evening.go("seating", game="castle-dukes")
    screen.model.set_count(8)
    screen.name_seat(7)
    assert evening.faults() == []


def test_chairs_stand_where_people_sit(evening: Evening) -> None:
    evening.start()
    evening.go("seating", game="castle-dukes").model.set_count(4)
    evening.drive.still()
    south, west, north, east = (window_box(chair) for chair in evening.drive.find_all(Chair))
    assert south.top < west.bottom < west.top < north.bottom
    assert west.right < south.left < north.right < east.left


def test_a_name_is_typed(evening: Evening) -> None:
    evening.start()
    screen = evening.go("seating", game="castle-dukes")
    evening.drive.tap(evening.drive.find_all(Chair)[1])
    for key in ("S", "e"):
        evening.drive.tap(key)
    evening.drive.tap(evening.drive.find(where=lambda widget: getattr(widget, "key", "") == "check"))
    assert screen.model.view.seats[1].name == "Se"
    evening.drive.still()
    assert evening.drive.find_all(Chair)[1].name_text == "Se"


def test_a_name_of_a_past_evening_is_picked_in_two_touches(evening: Evening) -> None:
    evening.start(recent_names=("NE", "SE", "SW"))
    screen = evening.go("seating", game="castle-dukes")
    evening.drive.tap(evening.drive.find_all(Chair)[0])
    evening.drive.tap("SW")
    assert [seat.name for seat in screen.model.view.seats] == ["SW", "SE"]


def test_picking_somebody_at_the_table_changes_places(evening: Evening) -> None:
    evening.start(recent_names=("NE", "SE"))
    screen = evening.go("seating", game="castle-dukes")
    evening.drive.tap(evening.drive.find_all(Chair)[0])
    evening.drive.tap(evening.drive.find(text="SE", where=lambda widget: getattr(widget, "icon", "") == "person"))
    assert [seat.name for seat in screen.model.view.seats] == ["SE", "NE"]


def test_typing_narrows_the_names(evening: Evening) -> None:
    evening.start(recent_names=("Northern", "Southern"))
    screen = evening.go("seating", game="castle-dukes")
    screen.name_seat(0)
    evening.drive.frames(2)
    evening.drive.tap("W")
    assert "West" in evening.drive.texts()
    assert "East" not in evening.drive.texts()


def test_who_begins_and_which_way_a_seat_is_turned(evening: Evening) -> None:
    evening.start()
    screen = evening.go("seating", game="castle-dukes")
    before = screen.model.view.seats[1].place.turn_deg
    for word in ("Begins", "Turn seat"):
        evening.drive.tap(evening.drive.find_all(Chair)[1])
        evening.drive.tap(word)
    assert screen.model.view.seats[1].begins
    assert screen.model.view.seats[1].place.turn_deg == (before + 90) % 360


@pytest.mark.parametrize("size", SIZES)
def test_plus_stays_under_the_finger(evening: Evening, size: tuple[int, int]) -> None:
    evening.start(size)
    screen = evening.go("seating", game="castle-dukes")
    place = evening.drive.place(evening.drive.find(id="more"))
    for count in range(3, 9):
        evening.drive.tap(place)
        evening.drive.still()
        assert screen.model.view.count == count
        assert evening.drive.place(evening.drive.find(id="more")) == place
        assert evening.faults() == []


def test_plus_and_minus_stop_at_what_the_box_allows(evening: Evening) -> None:
    evening.start()
    screen = evening.go("seating", game="castle-builder")
    for _ in range(5):
        evening.drive.tap(evening.drive.find(id="more"))
    assert screen.model.view.count == 4
    for _ in range(5):
        evening.drive.tap(evening.drive.find(id="fewer"))
    assert screen.model.view.count == 2


def test_an_option_is_chosen_by_one_touch_and_explained_by_one(evening: Evening) -> None:
    evening.start()
    screen = evening.go("seating", game="castle-dukes")
    evening.drive.tap(evening.drive.find(id="next"))
    evening.drive.still()
    evening.drive.tap("12")
    assert screen.model.setup.options["turns"] == 12
    row = evening.drive.find_all(ChoiceRow)[1]
    assert row.choices.value == 12
    evening.drive.tap(evening.drive.find(id="help", under=row))
    evening.drive.still()
    assert any(text.startswith("Rulebook: ") for text in evening.drive.texts(evening.drive.find(Sheet)))


def test_the_checklist_is_ticked_off_and_the_game_begins(evening: Evening) -> None:
    app = evening.start(recent_names=("NE", "SW"))
    screen = evening.go("seating", game="castle-dukes")
    evening.drive.tap(evening.drive.find(id="next"))
    evening.drive.still()
    evening.drive.tap(evening.drive.find(id="next"))
    evening.drive.still()
    first = evening.drive.find_all(CheckRow)[0]
    evening.drive.tap(first)
    assert first.ticked
    assert any(text.startswith("1 of ") for text in evening.drive.texts())
    evening.drive.tap(evening.drive.find(id="next"))
    assert app.way == ("shelf", "table")
    assert app.screen.model.session.cover.seats == tuple(seat.name for seat in screen.model.view.seats)
    assert app.settings.settings.recent_names[:2] == app.screen.model.session.cover.seats


def test_back_goes_a_step_back_first(evening: Evening) -> None:
    app = evening.start()
    screen = evening.go("seating", game="castle-dukes")
    screen.model.go("options")
    evening.drive.still()
    evening.drive.tap(evening.drive.find(id="back"))
    assert (screen.model.step, app.way) == ("people", ("shelf", "seating"))
    evening.drive.tap(evening.drive.find(id="back"))
    assert app.way == ("shelf",)


def test_what_is_wrong_is_said_and_keeps_the_game_from_beginning(evening: Evening) -> None:
    evening.start()
    screen = evening.go("seating", game="castle-dukes")
    screen.model.set_name(0, "")
    evening.drive.still()
    assert "Seat 1 needs a name." in evening.drive.texts()
    evening.drive.tap(evening.drive.find(id="next"))
    assert screen.model.step == "people"


def test_a_seat_turned_by_hand_is_turned_at_the_table_and_stays_so(evening: Evening) -> None:
    evening.start()
    model = evening.go("seating", game="castle-dukes").model
    model.turn(1)
    evening.app.screen._begin()
    evening.drive.still()
    turns = [place.turn_deg for place in evening.app.screen.model.places]
    assert turns == [place.turn_deg for place in model.places]
    assert turns != [place.turn_deg for place in around(2)]
    evening.go("settings")
    evening.app.back()
    assert [place.turn_deg for place in evening.app.screen.model.places] == turns


def test_seats_that_nobody_turned_follow_the_settings(evening: Evening) -> None:
    app = evening.start()
    evening.go("seating", game="castle-dukes")
    app.screen._begin()
    evening.go("settings")
    app.settings.set("turned", False)
    app.back()
    assert [place.turn_deg for place in app.screen.model.places] == [0, 0]
