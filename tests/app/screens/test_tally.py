"""The ceremony: last place first, the race, the podium, and what comes after."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app.screens.podium import PodiumView, Steps
from companion.app.screens.race import Runner
from companion.app.screens.tally import ScoreLine
from companion.app.widgets.sheets import Toast
from tests.app.screens.evening import SIZES, Evening


def _ceremony(evening: Evening, which: str, size: tuple[int, int] = SIZES[0], **settings: Any) -> Any:
    evening.start(size, **settings)
    return evening.go("tally", session=evening.finished(which))


@pytest.mark.parametrize("which", ["four", "solo"])
def test_nothing_overlaps_or_is_cut_to_the_podium(late_evening: Evening, which: str) -> None:
    screen = _ceremony(late_evening, which, SIZES[0], language="de", motion=False)
    faults = []
    while screen.model.view.podium is None:
        faults += late_evening.faults()
        screen.model.next()
    assert faults + late_evening.faults() == []


def test_a_category_is_told_line_by_line_last_place_first(late_evening: Evening) -> None:
    screen = _ceremony(late_evening, "four")
    category = screen.model.view.category
    drive = late_evening.drive
    shown = len(drive.find_all(ScoreLine))
    assert shown < len(category.lines)
    drive.until(lambda: len(drive.find_all(ScoreLine)) == len(category.lines))
    names = [line.name for line in category.lines]
    assert [text for text in drive.texts(screen._lines) if text in names] == names


def test_next_tells_the_rest_then_goes_on(late_evening: Evening) -> None:
    screen = _ceremony(late_evening, "four")
    drive = late_evening.drive
    drive.tap(drive.find(id="next"))
    assert screen.model.view.step == 1
    assert len(drive.find_all(ScoreLine)) == 4
    drive.still()
    drive.tap(drive.find(id="next"))
    assert screen.model.view.step == 2
    drive.tap(drive.find(id="back"))
    assert screen.model.view.step == 1


def test_the_race_is_led_by_whoever_leads(late_evening: Evening) -> None:
    screen = _ceremony(late_evening, "four", motion=False)
    while screen.model.view.category is not None:
        late_evening.drive.still()
        totals = {bar.seat: bar.total for bar in screen.model.view.category.bars}
        runners = sorted(late_evening.drive.find_all(Runner), key=lambda runner: -runner.y)
        assert [totals[runner.seat] for runner in runners] == sorted(totals.values(), reverse=True)
        screen.model.next()


def test_the_podium_names_everybody(late_evening: Evening) -> None:
    screen = _ceremony(late_evening, "eight")
    late_evening.drive.tap("To the podium")
    late_evening.drive.still()
    podium = late_evening.drive.find(PodiumView)
    texts = " ".join(late_evening.drive.texts(podium))
    assert all(name in texts for place in screen.model.podium.places for name in place.names)
    steps = late_evening.drive.find(Steps)
    assert max(steps._blocks, key=lambda step: steps._blocks[step][1].size[1]) == 1


def test_the_tie_break_that_decided_is_named(late_evening: Evening) -> None:
    screen = _ceremony(late_evening, "eight")
    screen.model.skip()
    late_evening.drive.still()
    decided = [row for row in screen.model.podium.tie_breaks if row.decided]
    said = [text for text in late_evening.drive.texts() if text.startswith("Level on points, so this decided")]
    assert len(said) == len(decided) == 1


@pytest.mark.parametrize("form", ["Scores", "History", "The whole game", "BG Stats"])
def test_a_game_is_written_out_in_two_touches_and_it_says_where(late_evening: Evening, form: str) -> None:
    screen = _ceremony(late_evening, "four")
    screen.model.skip()
    late_evening.drive.still()
    late_evening.drive.tap("Write out")
    late_evening.drive.still()
    assert late_evening.faults() == []
    late_evening.drive.tap(form)
    written = list(late_evening.folders.exports.iterdir())
    assert len(written) == 1
    assert str(written[0]) in late_evening.drive.find(Toast).text


def test_a_rematch_has_the_same_people(late_evening: Evening) -> None:
    screen = _ceremony(late_evening, "four")
    session = screen.model.session
    screen.model.skip()
    late_evening.drive.still()
    late_evening.drive.tap("Rematch")
    app = late_evening.app
    assert app.way == ("shelf", "table")
    assert app.screen.model.session.cover.seats == session.cover.seats
    assert app.screen.model.session.id != session.id


def test_done_leads_to_the_shelf(late_evening: Evening) -> None:
    screen = _ceremony(late_evening, "four")
    screen.model.skip()
    late_evening.drive.still()
    late_evening.drive.tap("Done")
    assert late_evening.app.way == ("shelf",)
