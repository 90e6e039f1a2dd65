"""The app around the screens: the way, waking, double taps, settings that hold at once, garbage, and closing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kivy.core.window import Window
from kivy.metrics import Metrics

from companion.app import shell, words
from companion.app.screens.covers import LOOKS, Cover
from companion.app.theme import DARK, LIGHT
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.look import look
from companion.app.widgets.sheets import Sheet, Toast
from companion.app.widgets.words import TextLabel
from companion.errors import SessionClosed
from companion.rules import registry
from companion.sensing.recording import RecordingWriter
from companion.session.session import Session
from companion.twin.table import nominal_table
from tests.app.driver import Box, Driver, Finger
from tests.app.screens.evening import Evening, an_evening

_ESCAPE = 27


@pytest.fixture
def evening(drive: Driver, tmp_path: Path) -> Iterator[Evening]:
    """An app's home with nothing in it."""
    yield from an_evening(drive, tmp_path)


def _key(code: int) -> None:
    Window.dispatch("on_keyboard", code, 0, "", [])


def _cover(evening: Evening, game: str = "castle-dukes") -> Cover:
    return evening.drive.find(Cover, where=lambda cover: cover.game == game)


# The way


def test_the_shelf_is_first_and_every_box_is_on_it(evening: Evening) -> None:
    app = evening.start()
    assert app.way == ("shelf",)
    assert [cover.game for cover in evening.drive.find_all(Cover)] == list(registry.ids())


def test_a_cover_says_before_its_rules_are_read_what_they_say_after() -> None:
    assert {game: LOOKS[game].title for game in registry.ids()} == {
        game: registry.get(game).info.title for game in registry.ids()
    }


def test_the_way_leads_there_and_back(evening: Evening) -> None:
    app = evening.start()
    evening.drive.tap("Settings")
    assert app.way == ("shelf", "settings")
    evening.drive.tap(evening.drive.find(id="back"))
    assert app.way == ("shelf",)
    app.back()
    assert app.way == ("shelf",)


def test_escape_closes_what_lies_over_the_screen_then_goes_back(evening: Evening) -> None:
    app = evening.start()
    screen = evening.go("seating", game="castle-dukes")
    screen.name_seat(0)
    evening.drive.frames(2)
    _key(_ESCAPE)
    assert app.way == ("shelf", "seating")
    assert not [child for child in screen.children if getattr(child, "modal", False)]
    _key(_ESCAPE)
    assert app.way == ("shelf",)


def test_a_session_is_open_while_it_is_on_the_way_and_closed_after(evening: Evening) -> None:
    evening.begin()
    app = evening.start()
    session = app.shelf.open(app.shelf.list()[0].id)
    evening.go("history", session=session)
    evening.go("settings")
    app.back()
    assert _is_open(session)
    app.back()
    assert not _is_open(session)


def test_what_takes_the_place_of_a_screen_lets_its_session_go(evening: Evening) -> None:
    evening.begin()
    evening.begin("South", "West")
    app = evening.start()
    first, second = (app.shelf.open(saved.id) for saved in app.shelf.list())
    evening.go("history", session=first)
    app.replace("history", session=second)
    assert (_is_open(first), _is_open(second)) == (False, True)
    assert app.way == ("shelf", "history")
    app.home()
    assert not _is_open(second)


def test_closing_lets_go_of_the_game_and_keeps_its_clocks(evening: Evening) -> None:
    saved = evening.begin()
    app = evening.start()
    session = app.shelf.open(saved)
    session.resume()
    evening.go("history", session=session)
    evening.clock.advance(90)
    evening.drive.stop_app()
    assert not _is_open(session)
    with evening.shelf().open(saved) as again:
        assert again.clocks.table_s == pytest.approx(90, abs=1)


def _is_open(session: Session) -> bool:
    try:
        session.undo()
    except SessionClosed:
        return False
    except LookupError:
        return True
    return True


# Sleeping and touching


@pytest.fixture
def asleep(evening: Evening) -> Evening:
    """An app that nobody has touched for two minutes."""
    app = evening.start(lock_min=2)
    evening.drive.advance(119, step=1.0)
    assert not app.glass.asleep
    evening.drive.advance(2, step=1.0)
    assert app.glass.asleep
    evening.drive.still()
    return evening


def test_the_touch_that_wakes_does_nothing_else(asleep: Evening) -> None:
    app, cover = asleep.app, _cover(asleep)
    asleep.drive.tap(cover)
    assert (app.way, app.glass.asleep) == (("shelf",), False)
    asleep.drive.still()
    asleep.drive.tap(cover)
    assert app.way == ("shelf", "seating")


def test_a_finger_that_woke_the_screen_stays_unmeant_until_it_is_lifted(asleep: Evening) -> None:
    cover = _cover(asleep)
    asleep.drive.drag((400, 300), cover, seconds=0.5)
    asleep.drive.hold(cover, 0.1)
    assert asleep.app.way == ("shelf", "seating")


def test_the_key_that_wakes_does_nothing_else(asleep: Evening) -> None:
    asleep.go("settings")
    _key(_ESCAPE)
    assert (asleep.app.way, asleep.app.glass.asleep) == (("shelf", "settings"), False)
    _key(_ESCAPE)
    assert asleep.app.way == ("shelf",)


def test_the_sleeping_screen_is_dark(asleep: Evening) -> None:
    dark = asleep.drive.pixels()
    assert max(max(row) for row in dark.rows) <= 24
    asleep.drive.tap((5, 5))
    asleep.drive.still()
    assert asleep.drive.pixels().count(DARK.table, Box(0, 0, 100, 16)) > 1000


def test_touches_keep_it_awake_and_zero_minutes_means_always(evening: Evening) -> None:
    app = evening.start(lock_min=2)
    for _ in range(3):
        evening.drive.advance(100, step=1.0)
        evening.drive.tap((5, 5))
    assert not app.glass.asleep
    app.settings.change(lock_min=0)
    evening.drive.advance(10_000, step=60.0)
    assert not app.glass.asleep


@pytest.mark.parametrize("order", ["down down up up", "down up down up"])
def test_a_tap_delivered_twice_counts_once(evening: Evening, order: str) -> None:
    evening.start()
    screen = evening.go("seating", game="castle-dukes")
    before = screen.model.view.count
    _deliver(order, *evening.drive.place(evening.drive.find(id="more")))
    evening.drive.frames(3)
    assert screen.model.view.count == before + 1


def _deliver(order: str, x: float, y: float) -> None:
    """The taps of two drivers that listen to one panel, within one frame."""
    down, up = iter(fingers := [Finger(x, y), Finger(x + 2, y - 1)]), iter(fingers)
    for word in order.split():
        if word == "down":
            next(down).down()
        else:
            next(up).up()


def test_two_quick_taps_are_two(evening: Evening) -> None:
    evening.start()
    screen = evening.go("seating", game="castle-dukes")
    before = screen.model.view.count
    more = evening.drive.find(PushButton, id="more")
    evening.drive.tap(more)
    evening.drive.tap(more)
    assert screen.model.view.count == before + 2


# Settings hold at once


def test_the_theme_changes_under_your_finger(evening: Evening) -> None:
    evening.start()
    evening.go("settings")
    evening.drive.tap("Light")
    assert look.theme is LIGHT
    evening.drive.still()
    assert evening.drive.pixels().count(LIGHT.table, Box(0, 0, 100, 16)) > 1000


def test_the_language_changes_under_your_finger_and_the_list_stays_where_it_was(evening: Evening) -> None:
    app = evening.start(language="en")
    screen = evening.go("settings")
    screen._scroller.go_to(200)
    evening.drive.frames(2)
    evening.drive.tap("Deutsch")
    evening.drive.still()
    assert words.current().language == "de"
    assert "Einstellungen" in evening.drive.texts()
    assert app.screen is not screen
    assert app.screen._scroller.scroll == 200
    assert app.way == ("shelf", "settings")


def test_the_size_of_text_changes_under_your_finger(evening: Evening) -> None:
    evening.start()
    evening.go("settings")
    before = evening.drive.find(TextLabel, text="Settings").font_size
    evening.drive.tap("Largest")
    evening.drive.still()
    assert Metrics.fontscale == shell.TEXT_SCALES["largest"]
    assert evening.drive.find(TextLabel, text="Settings").font_size > before


def test_settings_last(evening: Evening) -> None:
    evening.start(theme="light", language="de", text_size="large")
    evening.drive.stop_app()
    evening.drive.look_back()
    words.use("en")
    evening.start()
    assert (look.theme, words.current().language, Metrics.fontscale) == (LIGHT, "de", 1.15)


def test_another_size_of_window_makes_the_screen_anew(evening: Evening) -> None:
    app = evening.start()
    screen = evening.go("seating", game="castle-dukes")
    screen.model.set_count(5)
    evening.drive.resize(720, 1280)
    evening.drive.still()
    assert app.screen is not screen
    assert app.screen.model.view.count == 5
    assert evening.faults() == []


# Garbage


def _said(evening: Evening) -> str:
    return " ".join(evening.drive.texts(evening.drive.find(Sheet)))


@pytest.mark.parametrize("garbage", [b"theme = 'purple'", b"\xff\x00 no TOML", b"nonsense = 1", b"theme ="])
def test_garbage_in_the_settings_is_set_aside_and_said(evening: Evening, garbage: bytes) -> None:
    evening.folders.settings.write_bytes(garbage)
    app = evening.start()
    assert app.settings.settings.theme == "dark"
    assert "app.damaged-1.toml" in _said(evening)
    assert evening.folders.settings.with_name("app.damaged-1.toml").read_bytes() == garbage
    evening.drive.tap("All right")
    evening.drive.still()
    evening.drive.tap(_cover(evening))
    assert app.way == ("shelf", "seating")


@pytest.mark.parametrize("garbage", [b"", b"garbage" * 999, b"SQLite format 3\x00" + b"\x00" * 4000])
def test_garbage_among_the_saves_is_said_and_left_as_it_is(evening: Evening, garbage: bytes) -> None:
    good = Path(evening.begin())
    file = evening.folders.games / f"garbled{evening.shelf().path(str(good)).suffix}"
    file.write_bytes(garbage)
    evening.start()
    assert "garbled" in _said(evening)
    assert file.read_bytes() == garbage
    evening.drive.tap("All right")
    evening.drive.still()
    assert evening.drive.find(id="resume")


def test_what_was_wrong_is_said_once_and_can_be_read_again(evening: Evening) -> None:
    evening.folders.settings.write_bytes(b"theme =")
    app = evening.start()
    evening.drive.tap("All right")
    evening.drive.still()
    evening.go("settings")
    app.back()
    evening.drive.still()
    assert not evening.drive.find_all(Sheet)
    evening.drive.tap(evening.drive.find(id="troubles"))
    evening.drive.still()
    assert "app.damaged-1.toml" in _said(evening)
    assert evening.faults() == []


def test_a_configuration_that_is_no_toml_does_not_keep_the_app_from_starting(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    (tmp_path / "config.toml").write_bytes(b"games_folder =")
    folders = shell.Folders.usual()
    assert folders.games == tmp_path / "games"
    assert "config.toml" in folders.trouble
    assert (tmp_path / "config.toml").read_bytes() == b"games_folder ="


def test_a_file_where_the_folder_of_games_should_be_is_no_end(evening: Evening) -> None:
    evening.folders.games.write_text("in the way")
    app = evening.start()
    screen: Any = evening.go("seating", game="castle-dukes")
    for step in ("options", "checklist"):
        screen.model.go(step)
    evening.drive.still()
    evening.drive.tap(evening.drive.find(id="next"))
    assert app.way == ("shelf", "seating")
    assert any("cannot be used" in text for text in evening.drive.texts())


def test_recordings_that_a_power_loss_cut_off_are_kept_and_said(evening: Evening) -> None:
    recordings = evening.folders.recordings
    RecordingWriter(recordings / "table-1", nominal_table(("south",)))
    evening.start()
    assert [toast.text for toast in evening.drive.find_all(Toast)] == ["1 recording that was cut off was kept."]
    assert [folder.name for folder in recordings.iterdir()] == ["table-1"]


def test_where_nothing_was_cut_off_nothing_is_said(evening: Evening) -> None:
    evening.start()
    assert evening.drive.find_all(Toast) == []
