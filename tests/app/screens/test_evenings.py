"""Looking back: games, records and plots, and what there is before anything was played."""

from __future__ import annotations

import pytest

from companion.app.screens.past_game import PastGameSheet
from companion.app.screens.plots import Stepper
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.charts import LineChart
from tests.app.screens.evening import SIZES, Evening

_TABS = ("games", "records", "plots")


@pytest.mark.parametrize("size", SIZES)
def test_nothing_overlaps_or_is_cut(late_evening: Evening, size: tuple[int, int]) -> None:
    late_evening.start(size, language="de")
    screen = late_evening.go("evenings")
    faults = {}
    for tab in _TABS:
        screen.show_tab(tab)
        faults[tab] = late_evening.faults()
    screen.open_game(next(game.id for game in screen.model.view.games if len(game.names) == 8))
    faults["game"] = late_evening.faults()
    assert faults == {part: [] for part in (*_TABS, "game")}


@pytest.mark.parametrize("tab", _TABS)
def test_before_the_first_game_it_says_so(evening: Evening, tab: str) -> None:
    evening.start()
    evening.go("evenings").show_tab(tab)
    evening.drive.still()
    assert any(text.startswith("No game has been played") for text in evening.drive.texts())
    assert evening.faults() == []


def test_every_finished_game_is_listed_and_opens(late_evening: Evening) -> None:
    late_evening.start()
    screen = late_evening.go("evenings")
    games = screen.model.view.games
    rows = late_evening.drive.find_all(PushButton, where=lambda button: bool(button.note))
    assert len(rows) == len(games) == 5
    late_evening.drive.tap(rows[0])
    late_evening.drive.still()
    sheet = late_evening.drive.find(PastGameSheet)
    texts = late_evening.drive.texts(sheet)
    assert all(name in texts for name in games[0].names)
    assert [text for text in texts if text == "Total"]


def test_a_castle_grows_over_the_turns(late_evening: Evening) -> None:
    late_evening.start((720, 1280))
    screen = late_evening.go("evenings")
    screen.open_game(next(game.id for game in screen.model.view.games if len(game.names) == 8))
    late_evening.drive.still()
    chart = late_evening.drive.find(LineChart)
    assert len(chart.series) == 8


def test_records_are_a_table(late_evening: Evening) -> None:
    late_evening.start()
    screen = late_evening.go("evenings")
    late_evening.drive.tap("Records")
    late_evening.drive.still()
    record = screen.model.view.records[0]
    texts = late_evening.drive.texts()
    assert {record.name, str(record.best), f"{record.average:.1f}", "Average"} <= set(texts)


def test_plots_step_through_boxes_and_people(late_evening: Evening) -> None:
    late_evening.start()
    late_evening.go("evenings").show_tab("plots")
    drive = late_evening.drive
    drive.still()
    box, who = drive.find_all(Stepper)
    title = box._label.text
    drive.tap(drive.find(id="after", under=box))
    assert box._label.text != title
    assert who._label.text == "Everybody"
    drive.tap(drive.find(id="after", under=who))
    drive.still()
    assert who._label.text != "Everybody"
    assert len(drive.find_all(LineChart)) >= 1
    assert late_evening.faults() == []
    drive.tap(drive.find(id="before", under=who))
    drive.still()
    assert who._label.text == "Everybody"
