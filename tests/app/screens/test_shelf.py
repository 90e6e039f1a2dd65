"""The shelf: boxes to open, games to go on with, and games to put away."""

from __future__ import annotations

import pytest

from companion.app.screens.covers import CREAM, LOOKS, Cover
from companion.app.theme import contrast
from companion.app.widgets.buttons import HoldButton
from companion.app.widgets.sheets import Sheet
from tests.app.screens.evening import LONG_NAMES, SIZES, Evening


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_overlaps_or_is_cut(evening: Evening, size: tuple[int, int], language: str) -> None:
    evening.begin(*LONG_NAMES)
    evening.begin("North", "East", game="castle-builder")
    evening.start(size, language=language)
    assert evening.faults() == []


@pytest.mark.parametrize("size", SIZES)
def test_the_largest_text_fits_too(evening: Evening, size: tuple[int, int]) -> None:
    evening.begin(*LONG_NAMES)
    evening.start(size, language="de", text_size="largest")
    assert [fault for fault in evening.faults() if "shrink" not in fault] == []


def test_a_box_tells_for_how_many_and_how_long(evening: Evening) -> None:
    evening.start()
    texts = evening.drive.texts()
    assert "1-8 players\n60-90 minutes" in texts
    assert "Castle Dukes" in texts


def test_an_empty_shelf_has_nothing_to_go_on_with(evening: Evening) -> None:
    evening.start()
    assert not evening.drive.find_all(id="resume")


def test_a_box_is_opened_by_a_touch(evening: Evening) -> None:
    app = evening.start()
    evening.drive.tap(evening.drive.find(Cover, where=lambda cover: cover.game == "castle-builder"))
    assert app.way == ("shelf", "seating")
    assert app.screen.model.game.info.id == "castle-builder"


def test_one_touch_goes_on_with_the_game_played_last(evening: Evening) -> None:
    evening.begin("South", "West")
    evening.clock.advance(60)
    last = evening.begin("North", "East")
    app = evening.start()
    evening.drive.tap(evening.drive.find(id="resume"))
    assert app.way == ("shelf", "table")
    assert app.screen.model.session.id == last


def test_all_open_games_can_be_seen_and_one_gone_on_with(evening: Evening) -> None:
    first = evening.begin("South", "West")
    evening.clock.advance(3600)
    evening.begin("North", "East")
    app = evening.start()
    evening.drive.tap("All 2 games")
    evening.drive.still()
    assert evening.faults() == []
    evening.drive.tap(evening.drive.find(where=lambda widget: "South, West" in getattr(widget, "note", "")))
    evening.drive.still()
    evening.drive.tap(evening.drive.find(text="Go on", under=evening.drive.find(Sheet)))
    assert app.screen.model.session.id == first


def test_a_game_is_put_away_by_holding_never_by_a_tap(evening: Evening) -> None:
    evening.begin("South", "West")
    evening.begin("North", "East")
    app = evening.start()
    evening.drive.tap("All 2 games")
    evening.drive.still()
    evening.drive.tap(evening.drive.find(where=lambda widget: "South, West" in getattr(widget, "note", "")))
    evening.drive.still()
    assert evening.faults() == []
    away = evening.drive.find(HoldButton)
    evening.drive.tap(away)
    assert len(app.shelf.list()) == 2
    evening.drive.hold(away, 1.0)
    assert [saved.seats for saved in app.shelf.list()] == [("North", "East")]
    assert len(list((evening.folders.games / "trash").iterdir())) >= 1


def test_a_game_in_use_elsewhere_is_offered_to_look_at(evening: Evening) -> None:
    saved = evening.begin("North", "East")
    app = evening.start()
    with evening.shelf().open(saved):
        evening.drive.tap(evening.drive.find(id="resume"))
        evening.drive.still()
        assert app.way == ("shelf",)
        assert any("another Castle Companion" in text for text in evening.drive.texts(evening.drive.find(Sheet)))
        assert evening.faults() == []
        evening.drive.tap("Look at it only")
        assert app.way == ("shelf", "table")


@pytest.mark.parametrize("game", sorted(LOOKS))
def test_the_words_on_a_cover_stand_out(game: str) -> None:
    assert contrast(CREAM, LOOKS[game].field) > 4.5
