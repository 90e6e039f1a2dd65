"""The call: it comes up at once over whatever is shown, can be watched again, and is answered by one touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.theme import seat as seat_look
from companion.app.widgets.sheets import Toast
from companion.sensing.plan import Camera
from companion.sensing.recording import Recording
from companion.sensing.streams import Sense
from tests.app.driver import window_box
from tests.app.screens.evening import SIZES, Evening
from tests.app.watched import BOTH, CONTACT_US, CORNERS, PaperTable, Watch, collapse

_PAST_SURPRISE_S = 0.7


@pytest.fixture
def watch(evening: Evening) -> Watch:
    return Watch(evening)


def _called(watch: Watch, table: PaperTable | None = None, **settings: Any) -> None:
    watch.start(table, **settings)
    watch.sit_down()
    watch.drive.advance(0.2)
    watch.sense(collapse())
    assert watch.call is not None
    watch.drive.advance(_PAST_SURPRISE_S)


def _answer(watch: Watch, weight: str) -> None:
    watch.drive.tap(watch.drive.find(id=f"answer {weight}"))


def test_a_fall_calls_the_table_by_light_sound_and_words(watch: Watch) -> None:
    watch.start(speech=True)
    watch.sit_down()
    watch.drive.advance(0.2)
    watch.sense(collapse("north"))
    assert watch.call.model.name == "East"
    assert watch.panel.board.beeps
    assert ("call", 1.0) in [(cue, 1.0) for cue, _volume in watch.player.heard]
    assert any("East" in said for said, _language in watch.voice.said)
    assert "East" in watch.drive.texts(watch.call)


def test_it_flashes_in_the_seats_colour_and_not_where_nothing_moves(watch: Watch) -> None:
    watch.start(motion=True)
    watch.sit_down()
    watch.drive.advance(0.2)
    watch.sense(collapse())
    assert watch.call.flash > 0.2
    field = seat_look(0).field
    assert watch.drive.pixels().count(field, tolerance=12) > 20_000
    watch.drive.advance(0.5)
    assert watch.call.flash == 0
    watch.app.settings.change(motion=False)
    _answer(watch, "reject")
    watch.sense(collapse(t_us=CONTACT_US + 20_000_000))
    assert watch.call.flash == 0


def test_one_touch_books_the_crumble_token_and_undo_takes_it_back(watch: Watch) -> None:
    _called(watch)
    _answer(watch, "book")
    assert watch.call is None
    assert watch.crumbles() == 1
    assert watch.session.history()[-1].origin.startswith("sensor")
    toast = watch.drive.find(Toast)
    assert "Crumble token" in toast.text
    watch.drive.tap("Undo")
    assert watch.crumbles() == 0
    assert watch.call is not None, "the question is open again"


def test_what_is_no_collapse_books_nothing(watch: Watch) -> None:
    _called(watch)
    before = watch.session.seq
    _answer(watch, "reject")
    assert watch.call is None
    assert watch.crumbles() == 0
    assert watch.session.seq == before
    assert [decided.ending for decided in watch.desk.decided] == ["reject"]


def test_a_second_fall_may_be_the_same_accident(watch: Watch) -> None:
    _called(watch)
    _answer(watch, "book")
    watch.sense(collapse(t_us=CONTACT_US + 4_000_000))
    watch.drive.advance(_PAST_SURPRISE_S)
    _answer(watch, "same")
    assert watch.crumbles() == 1


def test_later_leaves_a_card_and_no_way_to_undo_something_else(watch: Watch) -> None:
    _called(watch)
    _answer(watch, "book")
    watch.drive.advance(7.0, step=0.25)
    watch.sense(collapse("north", t_us=CONTACT_US + 30_000_000))
    watch.drive.advance(_PAST_SURPRISE_S)
    _answer(watch, "later")
    assert watch.call is None
    assert [card.seat for card in watch.lookout.cards] == [1]
    assert watch.toasts() == []
    assert watch.crumbles() == 1


def test_a_policy_that_books_a_collapse_by_itself_is_heard_and_can_be_undone_anywhere(watch: Watch) -> None:
    watch.start()
    watch.app.settings.set("sensing.collapse", "auto")
    watch.sit_down()
    watch.evening.go("settings")
    watch.sense(collapse())
    assert watch.call is None
    assert watch.crumbles() == 1
    assert watch.panel.board.beeps
    watch.drive.tap("Undo")
    assert watch.crumbles() == 0


def test_answers_follow_the_game_while_the_call_is_up(watch: Watch) -> None:
    _called(watch)
    assert [answer.id for answer in watch.call.model.answers] == ["crumble", "reject", "later"]
    watch.sense(collapse(t_us=CONTACT_US - 3_000_000))
    watch.drive.advance(_PAST_SURPRISE_S)
    assert watch.call.model.proposal == watch.lookout.call


def test_a_finger_that_was_on_its_way_answers_nothing(watch: Watch) -> None:
    watch.start()
    watch.sit_down()
    watch.drive.advance(0.2)
    watch.sense(collapse())
    _answer(watch, "book")
    assert watch.call is not None
    assert watch.crumbles() == 0


def test_it_covers_any_screen_and_comes_back_over_a_screen_made_anew(watch: Watch) -> None:
    watch.start()
    watch.sit_down()
    watch.evening.go("settings")
    watch.sense(collapse())
    assert watch.call is not None
    watch.app.settings.change(language="de")
    watch.drive.advance(0.2)
    assert watch.call is not None
    assert watch.drive.find(id="answer book").text == "Einsturzmarker"


def test_escape_and_the_panel_never_answer(watch: Watch) -> None:
    _called(watch)
    playing = watch.call.model.replay.playing
    watch.app._key(None, 27)
    assert watch.call.model.replay.playing is not playing
    watch.panel.press("next")
    watch.panel.press("call")
    watch.drive.advance(0.2)
    assert watch.call.model.replay.playing
    assert watch.crumbles() == 0


def test_the_call_wakes_a_sleeping_screen(watch: Watch) -> None:
    watch.start(lock_min=2)
    watch.sit_down()
    watch.drive.advance(130, step=0.25)
    assert watch.app.glass.asleep
    watch.sense(collapse())
    assert not watch.app.glass.asleep


# The replay


def test_it_plays_slowly_in_step_with_the_force_and_rests_on_the_contact(watch: Watch) -> None:
    watch.drive.blind = False
    _called(watch)
    replay, trace = watch.call.model.replay, watch.call.trace
    at, now = replay.at_us, watch.drive.now
    watch.drive.advance(1.0)
    assert replay.at_us - at == pytest.approx((watch.drive.now - now) * 250_000, rel=0.02)
    assert trace.at == pytest.approx(replay.share)
    watch.drive.advance(12.0, step=0.05)
    assert not replay.playing
    assert replay.after_ms == 0
    assert trace.at == pytest.approx(trace.contact)


def test_a_finger_scrubs_over_the_trace_and_over_the_picture(watch: Watch) -> None:
    _called(watch)
    watch.drive.until(lambda: not watch.call.film.empty, "the first picture")
    replay = watch.call.model.replay
    box = window_box(watch.call.trace)
    middle = (box.bottom + box.top) / 2
    watch.drive.drag((box.left + 20, middle), (box.right - 1, middle))
    assert not replay.playing
    assert replay.share > 0.95
    left, low, width, height = watch.call.film.box
    watch.drive.drag((left + width * 0.8, low + height / 2), (left + width * 0.25, low + height / 2))
    assert replay.share == pytest.approx(0.25, abs=0.02)


def test_the_board_that_it_is_about_fills_the_picture(watch: Watch) -> None:
    watch.table.whole = replace(watch.table.whole, camera=Camera(320, 240))
    _called(watch)
    film = watch.call.film
    watch.drive.until(lambda: film.view is not None, "the first picture")
    left, top, wide, tall = film.view
    assert all(left <= x <= left + wide and top <= y <= top + tall for x, y in CORNERS[0])
    assert wide * tall < 0.7 * film.wide * film.tall
    seen = film.view
    watch.drive.advance(2.5)
    assert film.view == seen


def test_a_tap_on_the_picture_stops_it_and_watch_again_begins_anew(watch: Watch) -> None:
    _called(watch)
    replay = watch.call.model.replay
    assert replay.playing
    watch.drive.tap(watch.call.film)
    assert not replay.playing
    watch.drive.tap("Watch again")
    assert replay.playing
    assert replay.after_ms < -700
    watch.drive.tap(watch.drive.find(id="pause"))
    assert not replay.playing


def test_what_followed_the_contact_is_fetched_when_it_has_come(watch: Watch) -> None:
    _called(watch)
    assert not watch.call.model.whole
    watch.drive.advance(1.5)
    assert watch.call.model.whole


@pytest.mark.parametrize(("senses", "shown"), [(("scales",), "trace"), (("camera",), "picture"), ((), "nothing")])
def test_one_sense_is_enough_and_none_is_said(watch: Watch, senses: tuple[str, ...], shown: str) -> None:
    _called(watch, PaperTable([sense for sense in BOTH if sense in senses], simulated=False))
    call = watch.call
    assert call.model.shown == shown
    film, trace = (part.opacity > 0 and part.height > 0 for part in (call.film, call.trace))
    assert (film, trace) == (shown == "picture", shown == "trace")
    said = [text for text in watch.drive.texts(call) if text.startswith("Neither a picture")]
    assert bool(said) == (shown == "nothing")
    _answer(watch, "book")
    assert watch.crumbles() == 1


# Keeping


def test_a_call_is_kept_with_its_game_as_a_recording(watch: Watch) -> None:
    _called(watch)
    watch.drive.tap(watch.drive.find(id="keep"))
    watch.until_saved()
    kept = watch.session.path.with_name(f"{watch.session.path.stem}.calls")
    folders = list(kept.iterdir())
    assert len(folders) == 1
    _is_a_recording_of_the_fall(folders[0])
    assert watch.app.shelf.list(), "the shelf is not confused by it"


def _reported(watch: Watch) -> Path:
    watch.drive.tap(watch.drive.find(id="report"))
    watch.until_saved()
    (folder,) = watch.evening.folders.recordings.iterdir()
    assert any(folder.name in text for text in watch.toasts())
    return folder


@pytest.mark.parametrize("senses", [BOTH, ("scales",), ("camera",)])
def test_a_reported_call_is_a_recording_of_its_own(watch: Watch, senses: tuple[Sense, ...]) -> None:
    _called(watch, PaperTable(senses, simulated=False))
    folder = _reported(watch)
    _is_a_recording_of_the_fall(folder)
    assert Recording.open(folder).senses == senses


def test_a_call_is_reported_as_it_was_however_long_people_talk_about_it(watch: Watch) -> None:
    _called(watch)
    watch.drive.advance(2.0, step=0.1)
    watch.table.forgets = True
    watch.drive.advance(5.0, step=0.1)
    _is_a_recording_of_the_fall(_reported(watch))
    watch.drive.tap("Watch again")
    assert watch.call.model.shown == "both"


def test_a_fall_of_which_nothing_was_kept_says_so_and_leaves_no_folder(watch: Watch) -> None:
    _called(watch, PaperTable((), simulated=False))
    watch.drive.tap(watch.drive.find(id="report"))
    watch.until_saved()
    assert "nothing to save" in watch.toasts()[0]
    assert not watch.evening.folders.recordings.exists()


def _is_a_recording_of_the_fall(folder: Path) -> None:
    times = [item.t_us for item in Recording.open(folder).merged()]
    assert min(times) < CONTACT_US < max(times)


def test_nothing_is_written_where_recording_is_off(watch: Watch) -> None:
    _called(watch, recording="never")
    for button in ("keep", "report"):
        watch.drive.tap(watch.drive.find(id=button))
        assert watch.toasts() == ["Recording is off in the settings."]
    assert not watch.evening.folders.recordings.exists()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("senses", [BOTH, ("scales",), ("camera",), ()])
def test_nothing_overlaps_or_is_cut(watch: Watch, size: tuple[int, int], senses: tuple[str, ...]) -> None:
    _called(watch, PaperTable([sense for sense in BOTH if sense in senses], simulated=False), size=size, language="de")
    assert watch.evening.faults() == []
