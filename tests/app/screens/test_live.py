"""The live table: what is read in the picture, how each sense is, recording, and a finger as the simulated hand."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app.screens.asides import sheets_over
from companion.app.screens.asking import ButtonGrid
from companion.app.widgets.look import target
from companion.app.widgets.tags import Tag
from companion.live.proposals import Outcome
from companion.rules.base import Fact
from tests.app.driver import Box, window_box
from tests.app.screens.evening import SIZES, Evening
from tests.app.watched import CORNERS, PaperTable, Watch, placed

_LEFT = ((60.0, 150.0), (110.0, 150.0), (110.0, 205.0), (60.0, 205.0))


@pytest.fixture
def watch(evening: Evening) -> Watch:
    return Watch(evening)


def _live(watch: Watch, table: PaperTable | None = None, **settings: Any) -> None:
    watch.start(table or PaperTable(), **settings)
    watch.table.stand("south", "left", 2, 54.4, _LEFT)
    watch.evening.go("live")
    watch.drive.advance(0.3)


def _over(watch: Watch, x: float, y: float) -> tuple[float, float]:
    """Where a pixel of the picture is in the window."""
    place: tuple[float, float] = watch.app.screen.film.over((x, y))
    return place


def test_the_shelf_leads_to_it_where_something_can_watch(watch: Watch) -> None:
    watch.start()
    watch.drive.tap("Live table")
    assert watch.app.way == ("shelf", "live")
    assert watch.table.started == 1
    watch.app.settings.change(watch="off")
    watch.app.home()
    watch.drive.still()
    assert "Live table" not in watch.drive.texts()


def test_nothing_starts_before_somebody_looks(watch: Watch) -> None:
    watch.start()
    watch.drive.advance(0.5)
    assert watch.asked == []
    assert watch.app.lookout is None


def test_the_picture_shows_with_towers_levels_heights_and_loads(watch: Watch) -> None:
    watch.drive.blind = False
    _live(watch)
    film = watch.app.screen.film
    assert (film.wide, film.tall) == (320, 240)
    assert [tag.text for tag in watch.drive.find_all(Tag)] == ["2 · 54 mm"]
    words = watch.drive.texts()
    assert {"Left tower", "2", "54 mm", "120 g", "Camera", "25 / s", "Scales south"} <= set(words)
    left, low, width, height = film.box
    wood = (128 / 255, 96 / 255, 70 / 255)
    assert watch.drive.pixels().count(wood, Box(left, low, left + width, low + height)) > width * height / 4


def test_a_newer_picture_takes_its_place(watch: Watch) -> None:
    _live(watch)
    assert watch.app.screen._frame == 0
    frame = watch.table.newest
    assert frame is not None
    watch.table.newest = type(frame)(frame.t_us + 40_000, 7, frame.image)
    watch.drive.advance(0.1)
    assert watch.app.screen._frame == 7


def test_without_a_camera_the_boards_are_drawn_from_above(watch: Watch) -> None:
    _live(watch, PaperTable(("scales",)))
    assert watch.app.screen.film.empty
    spots = watch.app.screen._spots
    assert {(spot.board, spot.tower) for spot in spots} >= {("south", "left"), ("north", "right")}
    south = next(spot for spot in spots if (spot.board, spot.tower) == ("south", "left"))
    watch.drive.drag(watch.drive.find(id="piece floor-tile"), _over(watch, *south.middle))
    assert watch.table.said == ["place floor-tile on left"]


def test_a_table_that_is_not_up_says_so(watch: Watch) -> None:
    table = PaperTable()
    table.ready = False
    watch.start(table)
    watch.evening.go("live")
    assert "The table is starting." in watch.drive.texts()
    assert not watch.drive.find_all(id="piece pillar")
    table.ready = True
    watch.drive.advance(0.3)
    assert "The table is starting." not in watch.drive.texts()
    assert watch.drive.find_all(id="piece pillar")


def test_a_lost_sense_stands_there_with_its_remedy(watch: Watch) -> None:
    _live(watch)
    watch.table.lose("Scales south", "The scales south do not answer.", "Plug them in again.")
    watch.drive.advance(0.2)
    words = watch.drive.texts()
    assert {"The scales south do not answer.", "Plug them in again.", "lost"} <= set(words)


# The hand


def test_a_piece_dragged_onto_a_tower_is_placed_there(watch: Watch) -> None:
    _live(watch)
    watch.drive.drag(watch.drive.find(id="piece pillar"), _over(watch, 85, 180))
    assert watch.table.said == ["place pillar on left"]


def test_another_board_is_named(watch: Watch) -> None:
    _live(watch)
    north = next(spot for spot in watch.app.screen._spots if (spot.board, spot.tower) == ("north", "middle"))
    watch.drive.drag(watch.drive.find(id="piece floor-tile"), _over(watch, *north.middle))
    assert watch.table.said == ["north: place floor-tile on middle"]


def test_a_piece_let_go_elsewhere_goes_back_into_the_tray(watch: Watch) -> None:
    _live(watch)
    watch.drive.drag(watch.drive.find(id="piece pillar"), _over(watch, 315, 235))
    watch.drive.drag(watch.drive.find(id="piece pillar"), watch.drive.find(id="piece roof"))
    assert watch.table.said == []
    assert watch.drive.find(text="Drag the piece onto the place of a tower.")


def test_a_piece_that_is_only_touched_says_what_to_do_with_it(watch: Watch) -> None:
    _live(watch)
    watch.drive.tap(watch.drive.find(id="piece pillar"))
    assert watch.table.said == []
    assert watch.drive.find(text="Drag the piece onto the place of a tower.")


@pytest.mark.parametrize(("seconds", "how"), [(0.05, "hard"), (1.5, "softly")])
def test_a_swipe_across_a_tower_knocks_it(watch: Watch, seconds: float, how: str) -> None:
    _live(watch)
    watch.drive.drag(_over(watch, 20, 180), _over(watch, 150, 180), seconds=seconds)
    assert watch.table.said == [f"knock left {how}"]


def test_a_tower_that_is_touched_offers_what_a_hand_can_do(watch: Watch) -> None:
    _live(watch)
    watch.drive.tap(_over(watch, 85, 180))
    watch.drive.still()
    watch.drive.tap("Take away: pillar")
    assert watch.table.said == ["remove pillar from left"]
    watch.drive.tap(watch.drive.find(id="bump"))
    assert watch.table.said[-1] == "bump table hard"
    watch.drive.tap(watch.drive.find(id="take back"))
    assert watch.table.said[-1] == "take back"


@pytest.mark.parametrize(("size", "words"), [((800, 480), "Teil zurück"), ((720, 1280), "")])
def test_the_tray_has_words_only_where_its_pieces_leave_room(watch: Watch, size: tuple[int, int], words: str) -> None:
    _live(watch, size=size, language="de")
    assert watch.drive.find(id="take back").text == words
    assert watch.drive.find(id="piece pillar").width >= target()


def test_an_open_question_hides_nothing_of_the_picture(watch: Watch) -> None:
    _building(watch)
    screen = watch.app.screen
    tall = screen.film.height
    watch.sense(placed("pillar"))
    assert screen.card.height > 0
    assert screen.card.top <= screen.film.y
    watch.drive.tap(watch.drive.find(id="reject"))
    watch.drive.still()
    assert screen.film.height == tall


def test_why_the_hand_could_not_is_said_in_peoples_own_language(watch: Watch) -> None:
    _live(watch, language="de")
    why = "There is no floor tile to take from the left tower."
    watch.table.answers.append({"kind": "wrong", "line": "remove floor-tile from left", "why": why})
    watch.drive.advance(0.3)
    assert watch.toasts() == ["Turm links: nichts davon zu nehmen (Bodenplatte)."]


def test_a_real_table_has_no_tray_and_is_not_touched_by_a_finger(watch: Watch) -> None:
    _live(watch, PaperTable(simulated=False))
    assert not watch.drive.find_all(id="piece pillar")
    watch.drive.drag(_over(watch, 20, 180), _over(watch, 150, 180))
    watch.drive.tap(_over(watch, 85, 180))
    assert watch.table.said == []
    assert not sheets_over(watch.app.screen)


# Recording


def test_recording_is_marked_on_every_screen_until_it_ends(watch: Watch) -> None:
    watch.drive.blind = False
    _live(watch)
    watch.drive.tap("Record")
    assert watch.table.recording is not None
    assert watch.table.recording.parent == watch.evening.folders.recordings
    watch.drive.advance(0.1)
    red = (229 / 255, 53 / 255, 43 / 255)
    corner = Box(0, 440, 80, 480)
    assert watch.drive.pixels().count(red, corner) > 40
    watch.evening.go("settings")
    assert watch.drive.pixels().count(red, corner) > 40
    watch.app.back()
    watch.drive.still()
    watch.drive.tap("Stop")
    watch.drive.advance(0.1)
    assert watch.table.recording is None
    assert watch.drive.pixels().count(red, corner) == 0


def test_what_is_never_recorded_says_so(watch: Watch) -> None:
    _live(watch, recording="never")
    watch.drive.tap("Record")
    assert watch.table.recording is None
    assert watch.toasts() == ["Recording is off in the settings."]


def test_a_recording_ends_with_the_app(watch: Watch) -> None:
    _live(watch)
    watch.drive.tap("Record")
    watch.drive.stop_app()
    assert watch.table.closed == 1


def test_questions_of_the_game_are_answered_here_too(watch: Watch) -> None:
    watch.start()
    watch.build()
    watch.evening.go("live")
    watch.drive.advance(0.2)
    before = watch.session.seq
    watch.sense(placed("pillar"))
    watch.drive.tap(watch.drive.find(id="confirm"))
    assert watch.session.seq == before + 1


def _building(watch: Watch, **settings: Any) -> None:
    watch.start(**settings)
    watch.build()
    watch.evening.go("live")
    watch.drive.advance(0.2)


def test_an_answer_given_here_can_be_undone_here(watch: Watch) -> None:
    _building(watch)
    before = watch.session.state
    watch.sense(placed("pillar"))
    watch.drive.tap(watch.drive.find(id="confirm"))
    assert watch.session.state != before
    watch.drive.tap("Undo")
    assert watch.session.state == before


def test_an_answer_that_is_not_whole_asks_here_for_the_rest(watch: Watch) -> None:
    _building(watch)
    before = len(watch.dukes[0].castle.middle)
    watch.sense(placed("floor-tile", tower="middle", level=before + 1))
    (question,) = watch.lookout.cards
    answer = next(answer for answer in question.answers if answer.asks)
    watch.app.screen._reply(question.id, answer.id)
    watch.drive.still()
    _tell(watch, len(answer.asks))
    assert len(watch.dukes[0].castle.middle) == before + 1
    assert watch.lookout.cards == ()
    assert not sheets_over(watch.app.screen)


def _tell(watch: Watch, most: int) -> None:
    """Touches the first thing that can be told, until nothing is asked any more."""
    for _question in range(most):
        sheets = sheets_over(watch.app.screen)
        if not sheets:
            return
        watch.drive.tap(watch.drive.find_all(ButtonGrid)[0].buttons[0])
        watch.drive.still()


def test_an_asking_that_is_closed_answers_nothing(watch: Watch) -> None:
    _building(watch)
    watch.sense(placed("floor-tile", tower="middle"))
    (question,) = watch.lookout.cards
    answer = next(answer for answer in question.answers if answer.asks)
    watch.app.screen._reply(question.id, answer.id)
    watch.drive.still()
    watch.app.screen.escape()
    watch.drive.still()
    assert not sheets_over(watch.app.screen)
    assert watch.lookout.cards == (question,)


def test_a_lost_camera_leaves_a_dim_picture_that_says_so(watch: Watch) -> None:
    _live(watch)
    assert not watch.app.screen.film.dimmed
    watch.table.lose("Camera", "The camera does not answer.")
    watch.drive.advance(0.2)
    assert watch.app.screen.film.dimmed
    assert watch.app.screen._empty.text == "The camera does not answer."
    watch.table.heal()
    watch.drive.advance(0.2)
    assert not watch.app.screen.film.dimmed
    assert watch.app.screen._empty.text == ""


def test_numbers_change_where_they_stand(watch: Watch) -> None:
    _live(watch)
    cards = list(watch.app.screen._side.children)
    watch.table.stand("south", "left", 3, 81.0, _LEFT)
    watch.drive.advance(0.2)
    assert {"3", "81 mm"} <= set(watch.drive.texts(watch.app.screen._side))
    assert list(watch.app.screen._side.children) == cards


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("senses", [("scales", "camera"), ("scales",), ()])
def test_nothing_overlaps_or_is_cut(watch: Watch, size: tuple[int, int], senses: tuple[str, ...]) -> None:
    _live(watch, PaperTable([sense for sense in ("scales", "camera") if sense in senses]), size=size, language="de")
    assert watch.evening.faults() == []
    watch.app.screen._open_health()
    assert watch.evening.faults() == []


def test_outlines_follow_the_boards(watch: Watch) -> None:
    _live(watch)
    box = window_box(watch.app.screen.film)
    for corner in CORNERS[0]:
        x, y = _over(watch, *corner)
        assert box.left <= x <= box.right
        assert box.bottom <= y <= box.top


def test_what_came_of_an_answer_is_said_sentence_by_sentence_in_peoples_own_language(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    _building(watch, language="de")
    watch.sense(placed("pillar"))
    texts = ("North is done acquiring: 5 coins can no longer be spent.", "North's comfort is now 2 (+2).")
    outcome = Outcome(done=True, facts=tuple(Fact(text=text) for text in texts))
    monkeypatch.setattr(watch.lookout, "answer", lambda *_: outcome)
    watch.drive.tap(watch.drive.find(id="confirm"))
    assert watch.toasts() == ["North kauft nichts mehr; das verfällt: 5 Münzen. North: Komfort jetzt 2 (+2)."]
