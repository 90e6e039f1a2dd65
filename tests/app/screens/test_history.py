"""The history: every line, marked where it was corrected or undone, and a way back to any of them."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app.screens.history import LineView
from companion.app.widgets.buttons import HoldButton
from companion.app.widgets.sheets import Sheet
from companion.rules.base import Correction
from companion.rules.random_play import play
from companion.session.dealing import RandomDealer
from companion.session.session import Session
from tests.app.screens.evening import SIZES, Evening


@pytest.fixture
def told(evening: Evening) -> Any:
    """The history screen of a game with an undo and a correction in it."""
    saved = evening.begin("North", "East")
    app = evening.start()
    session: Session = app.shelf.open(saved)
    moves = play(session.game, session.setup, RandomDealer(4))
    for _ in range(12):
        session.dispatch(next(moves)[1], "seat 1")
    session.undo()
    session.dispatch(Correction(why="the table agreed"))
    return evening.go("history", session=session)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_overlaps_or_is_cut(late_evening: Evening, size: tuple[int, int]) -> None:
    late_evening.start(size, language="de")
    screen = late_evening.go("history", session=late_evening.finished("eight"))
    assert late_evening.faults() == []
    screen._open(next(line for line in screen.model.view.lines if len(line.facts) > 2))
    assert late_evening.faults() == []


def test_lines_carry_their_marks(evening: Evening, told: Any) -> None:
    texts = evening.drive.texts()
    assert {"The game is here", "Undone", "Went back or on"} <= set(texts)
    lines = evening.drive.find_all(LineView)
    assert [line._line.mark for line in lines[:3]] == ["correction", "moved", "undone"]
    assert lines[0]._line.here
    assert any("1 correction" in text for text in texts)


def test_in_german_the_count_and_what_was_undone_are_german(evening: Evening, told: Any) -> None:
    evening.app.settings.change(language="de")
    evening.drive.still()
    texts = evening.drive.texts()
    assert any("Zeilen" in text and "1 Korrektur" in text for text in texts)
    assert any(text.startswith("Zurückgenommen: ") for text in texts)
    assert not any(text.startswith("Undo") for text in texts)


def test_holding_goes_back_and_a_tap_does_not(evening: Evening, told: Any) -> None:
    session = told.model.session
    line = evening.drive.find_all(LineView)[4]
    before = session.seq
    evening.drive.tap(line)
    evening.drive.still()
    hold = evening.drive.find(HoldButton)
    evening.drive.tap(hold)
    assert session.seq == before
    evening.drive.hold(hold, 1.0)
    assert session.seq == before + 1
    evening.drive.still()
    assert next(line for line in told.model.view.lines if line.here).seq == line._line.seq
    assert not evening.drive.find_all(Sheet)
    session.redo()


def test_where_the_game_stands_there_is_nowhere_to_go_back_to(evening: Evening, told: Any) -> None:
    evening.drive.tap(evening.drive.find_all(LineView)[0])
    evening.drive.still()
    assert evening.drive.find_all(Sheet)
    assert not evening.drive.find_all(HoldButton)


def test_long_histories_come_in_pages(late_evening: Evening) -> None:
    late_evening.start()
    screen = late_evening.go("history", session=late_evening.finished("eight"))
    listed = screen._listed
    assert len(listed.children) == 41
    screen._scroller.go_to(screen._scroller.furthest)
    late_evening.drive.frames(3)
    late_evening.drive.tap("Show earlier lines")
    late_evening.drive.still()
    assert len(listed.children) == 81


def test_a_rule_behind_a_fact_can_be_read(evening: Evening, told: Any) -> None:
    line = next(line for line in told.model.view.lines if any(fact.rule for fact in line.facts))
    told._open(line)
    evening.drive.still()
    evening.drive.tap(evening.drive.find_all(where=lambda widget: getattr(widget, "icon", "") == "help")[0])
    evening.drive.still()
    assert any(text.startswith(("Rulebook: ", "House ruling: ")) for text in evening.drive.texts())
