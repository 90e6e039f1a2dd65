"""Icons, badges, panels, the strip of phases and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.app import theme
from companion.app.widgets.charts import Bar, BarChart, LineChart, Series, nice_ticks
from companion.app.widgets.drawing import icon_texture
from companion.app.widgets.look import look
from companion.app.widgets.phases import PhaseStrip
from companion.app.widgets.pictures import IconView, SeatBadge, Shield
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.words import TextLabel
from tests.app.driver import window_box
from tests.app.widgets.touched import fixed, near

if TYPE_CHECKING:
    from tests.app.driver import Driver


# Pictures


def test_an_icon_is_drawn_in_the_colour_of_its_ground(drive: Driver) -> None:
    icon = drive.show(fixed(IconView(kind="battlement", ground="table"), 96, 96))
    assert drive.pixels().count(theme.DARK.chalk, window_box(icon)) > 500
    look.theme = theme.LIGHT
    drive.frames()
    assert drive.pixels().count(theme.LIGHT.chalk, window_box(icon)) > 500
    icon.tint = theme.DARK.danger
    drive.frames()
    assert drive.pixels().count(theme.DARK.danger, window_box(icon)) > 500


def test_an_unknown_icon_shows_nothing(drive: Driver) -> None:
    icon = drive.show(fixed(IconView(kind="no such piece", ground="table"), 96, 96))
    assert drive.pixels().count(theme.DARK.chalk, window_box(icon)) == 0


@pytest.mark.usefixtures("drive")
def test_a_picture_is_drawn_once_per_size() -> None:
    assert icon_texture("king", 32) is icon_texture("king", 32)
    assert icon_texture("king", 32).size == (32, 32)


def test_a_badge_shows_colour_shape_and_name(drive: Driver) -> None:
    badge = drive.show(fixed(SeatBadge(seat=4, name="North"), 200, 64))
    red = theme.seat(4)
    seen = drive.pixels()
    assert seen.count(red.field, window_box(badge)) > 300
    assert seen.count(red.charge, window_box(badge)) > 200
    assert drive.texts() == ["North"]
    badge.size = (80, 120)
    drive.frames(2)
    assert window_box(drive.find(Shield)).bottom > window_box(drive.find(TextLabel)).top - 1


def test_panels_show_whose_they_are_and_what_is_on(drive: Driver) -> None:
    panel = drive.show(fixed(Panel(), 200, 100))
    assert near(drive.pixels().at(200, 480 - 150), theme.DARK.panel)
    panel.stripe, panel.lit = theme.seat(0).field, True
    drive.frames(2)
    seen = drive.pixels()
    assert seen.count(theme.seat(0).field, window_box(panel)) > 500
    assert seen.count(theme.DARK.accent, window_box(panel), tolerance=12) > 100


# Phases


def test_the_phase_that_is_on_always_has_its_words(drive: Driver) -> None:
    phases = [(f"Phase number {at}", "past" if at < 8 else "now" if at == 8 else "ahead") for at in range(10)]
    drive.show(fixed(PhaseStrip(phases=phases), 400, 40))
    assert "Phase number 8" in drive.texts()
    assert len(drive.texts()) < 10
    assert drive.overlaps_and_cuts() == []


def test_all_phases_have_their_words_where_there_is_room(drive: Driver) -> None:
    drive.show(fixed(PhaseStrip(phases=[("Room", "past"), ("Build", "now"), ("Guests", "ahead")]), 500, 40))
    assert drive.texts() == ["Room", "Build", "Guests"]


# Charts


def test_ticks_are_round_numbers() -> None:
    assert nice_ticks(0, 47) == [0, 10, 20, 30, 40, 50]
    assert nice_ticks(-8, 3) == [-10, -5, 0, 5]
    assert nice_ticks(0, 1) == [0, 1]


def test_lines_are_drawn_in_their_seats_colours(drive: Driver) -> None:
    series = [Series(seat=at, points=((0, 0), (1, 10 + 20 * at))) for at in range(3)]
    chart = drive.show(fixed(LineChart(series=series, ground="table"), 400, 300))
    for at in range(3):
        assert drive.pixels().count(theme.seat(at).field, window_box(chart), tolerance=20) > 200
    assert "0" in drive.texts()
    chart.series = []
    drive.frames(2)
    assert drive.texts() == []


def test_bars_grow_to_their_length(drive: Driver) -> None:
    chart = drive.show(fixed(BarChart(bars=[Bar(label="North", value=10, seat=0)]), 400, 100))
    drive.still()
    long = drive.pixels().count(theme.seat(0).field, window_box(chart))
    chart.longest = 20
    drive.frames(2)
    short = drive.pixels().count(theme.seat(0).field, window_box(chart))
    assert short < long * 0.75
    assert drive.texts() == ["North", "10"]
