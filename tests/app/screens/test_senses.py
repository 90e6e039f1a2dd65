"""The senses at the table: questions in passing, the way back into step, marks for what drops out, heights."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app import demo
from companion.app.screens.asides import sheets_over
from companion.app.screens.proposals import ProposalCard
from companion.rules.base import Setup
from companion.rules.random_play import Luck
from tests.app.driver import window_box
from tests.app.screens.evening import SIZES, Evening
from tests.app.watched import PaperTable, Watch, bump, height, placed

_SETTLED_S = 10


@pytest.fixture
def watch(evening: Evening) -> Watch:
    return Watch(evening)


def _building(watch: Watch, **settings: Any) -> None:
    watch.start(**settings)
    watch.build()
    watch.drive.advance(0.2)


def _card(watch: Watch) -> ProposalCard:
    return watch.drive.find(ProposalCard)


def _pillars(watch: Watch) -> int:
    state: Any = watch.session.state
    return sum(level.pillars for level in state.dukes[0].castle.left)


def test_a_piece_that_was_put_up_is_booked_by_one_touch_and_undone_by_another(watch: Watch) -> None:
    _building(watch)
    before = _pillars(watch)
    watch.sense(placed("pillar"))
    assert any("pillar" in text for text in watch.drive.texts(_card(watch)))
    watch.drive.tap(watch.drive.find(id="confirm"))
    assert _pillars(watch) == before + 1
    assert not watch.drive.find_all(ProposalCard)
    assert watch.app.screen.model.view.undo is not None
    watch.drive.tap("Undo")
    assert _pillars(watch) == before
    assert watch.drive.find_all(ProposalCard), "the question is open again"


def test_no_books_nothing(watch: Watch) -> None:
    _building(watch)
    before = watch.session.seq
    watch.sense(placed("pillar"))
    watch.drive.tap(watch.drive.find(id="reject"))
    assert watch.session.seq == before
    assert not watch.drive.find_all(ProposalCard)


def test_all_answers_are_one_touch_away(watch: Watch) -> None:
    _building(watch)
    watch.sense(placed("pillar"))
    watch.drive.tap(watch.drive.find(id="more"))
    watch.drive.still()
    (sheet,) = sheets_over(watch.app.screen.host)
    offered = [answer.label for answer in watch.desk.proposals[0].answers]
    assert [text for text in watch.drive.texts(sheet) if text in offered] == offered


def test_the_card_covers_neither_a_seat_nor_anything_to_touch(watch: Watch) -> None:
    _building(watch)
    watch.sense(placed("pillar"))
    watch.drive.still()
    box = window_box(_card(watch))
    for _turned, seat in watch.app.screen._cards:
        assert window_box(seat).within(box).smaller_side <= 0
    assert watch.drive.overlaps_and_cuts() == []


def test_what_the_policy_does_by_itself_is_said_with_a_way_back(watch: Watch) -> None:
    watch.start()
    watch.app.settings.set("sensing.placed", "auto")
    watch.build()
    watch.drive.advance(0.2)
    before = _pillars(watch)
    watch.sense(placed("pillar"))
    assert _pillars(watch) == before + 1
    watch.drive.tap("Undo")
    assert _pillars(watch) == before


def test_a_policy_that_is_off_asks_nothing(watch: Watch) -> None:
    _building(watch)
    watch.app.settings.set("sensing.placed", "off")
    watch.sense(placed("pillar"))
    assert not watch.drive.find_all(ProposalCard)


# Out of step


def test_a_tower_read_otherwise_is_shown_and_put_right_by_the_table(watch: Watch) -> None:
    _building(watch)
    watch.sense(height(2, 54.0))
    watch.evening.clock.advance(_SETTLED_S)
    watch.drive.advance(0.3)
    assert any("2 levels" in text for text in watch.drive.texts(_card(watch)))
    assert watch.app.screen._badge.kind == "warning"
    watch.drive.tap(watch.drive.find(id="more"))
    watch.drive.still()
    (sheet,) = sheets_over(watch.app.screen.host)
    words = watch.drive.texts(sheet)
    assert "Table: 2" in words
    assert "Game: 1" in words
    watch.drive.tap(watch.drive.find(id="answer correct"))
    assert len(watch.dukes[0].castle.left) == 2
    assert watch.session.history()[-1].origin.startswith("sensor")
    watch.drive.advance(0.3)
    assert not watch.drive.find_all(ProposalCard)


def test_heights_are_written_under_the_towers(watch: Watch) -> None:
    _building(watch)
    assert watch.app.screen.centre.castle.heights == {}
    watch.sense(height(1, 27.4))
    assert watch.app.screen.centre.castle.heights == {"left": 27.4}


def test_a_castle_read_taller_than_the_game_has_it_is_told_before_the_tally(watch: Watch) -> None:
    _building(watch)
    castle = watch.dukes[0].castle
    game = max(len(tower) for tower in (castle.left, castle.middle, castle.right))
    watch.sense(height(game + 2, 81.0))
    watch.evening.go("tally", session=watch.session)
    name = watch.session.cover.seats[0]
    said = f"{name}: the tallest tower has {game + 2} levels on the table and {game} in the game."
    assert watch.toasts() == [said]


# What was sensed before


def test_what_was_rejected_can_be_taken_back_long_after(watch: Watch) -> None:
    _building(watch)
    watch.sense(placed("pillar"))
    watch.drive.tap(watch.drive.find(id="reject"))
    watch.sense(bump())
    watch.drive.advance(8, step=0.25)
    watch.app.screen._open_menu()
    watch.drive.still()
    watch.drive.tap("What was sensed")
    watch.drive.still()
    (sheet,) = sheets_over(watch.app.screen.host)
    words = watch.drive.texts(sheet)
    assert {"Answered: Nothing was put up", "The table was bumped."} <= set(words)
    watch.drive.tap("Undo")
    watch.drive.still()
    assert watch.drive.find_all(ProposalCard), "the question is open again"


# Senses that drop out


def test_a_lost_sense_is_a_mark_and_one_sentence_and_the_game_goes_on(watch: Watch) -> None:
    _building(watch)
    watch.table.lose("Camera", "The camera does not answer.", "Look at its cable.")
    watch.drive.advance(0.2)
    assert watch.app.screen._badge.kind == "warning"
    assert watch.toasts() == ["The camera does not answer."]
    watch.sense(placed("pillar"))
    watch.drive.tap(watch.drive.find(id="confirm"))
    watch.table.heal()
    watch.drive.advance(7, step=0.1)
    assert watch.app.screen._badge.kind == ""
    assert watch.toasts() == ["All senses of the table work again."]


def test_faults_that_are_off_are_not_told(watch: Watch) -> None:
    _building(watch)
    watch.app.settings.set("sensing.fault", "off")
    watch.table.lose("Camera", "The camera does not answer.")
    watch.drive.advance(0.3)
    assert watch.app.screen._badge.kind == ""
    assert watch.toasts() == []


def test_the_menu_tells_how_each_sense_is_and_what_to_do(watch: Watch) -> None:
    _building(watch)
    watch.table.lose("Camera", "The camera does not answer.", "Look at its cable.")
    watch.drive.advance(0.2)
    watch.app.screen._open_menu()
    watch.drive.still()
    watch.drive.tap("How the senses are")
    watch.drive.still()
    words = watch.drive.texts(watch.app.screen.host)
    assert {"The camera does not answer.", "Look at its cable.", "Scales south"} <= set(words)


# Who watches


def _simulated(watch: Watch) -> None:
    """A game without devices, on a machine that could simulate a table."""
    watch.start(PaperTable())
    watch.build()
    watch.drive.advance(0.2)


def test_a_game_without_devices_offers_the_simulated_table_and_starts_nothing(watch: Watch) -> None:
    _simulated(watch)
    assert (watch.lookout.table, watch.table.started) == (None, 0)
    assert "Simulated table" in watch.drive.texts(_card(watch))
    watch.drive.tap(watch.drive.find(id="more"))
    assert watch.app.way[-1] == "live"
    assert watch.table.started == 1


def test_who_plays_with_a_real_box_is_not_asked_again(watch: Watch) -> None:
    _simulated(watch)
    watch.drive.tap(watch.drive.find(id="reject"))
    assert not watch.drive.find_all(ProposalCard)
    watch.app.screen._open_menu()
    watch.drive.still()
    assert "Simulated table" in watch.drive.texts(watch.app.screen.host)


def test_the_first_move_takes_the_offer_away(watch: Watch) -> None:
    _simulated(watch)
    demo.play_on(watch.session, Luck(3))
    watch.app.screen.model.refresh()
    watch.drive.advance(0.2)
    assert not watch.drive.find_all(ProposalCard)


def test_a_simulated_table_that_was_only_looked_at_ends_with_the_look(watch: Watch) -> None:
    _simulated(watch)
    watch.evening.go("live")
    watch.sense(height(0, 0.0), placed("pillar"))
    watch.evening.clock.advance(_SETTLED_S)
    watch.drive.advance(0.3)
    assert watch.lookout.questions == (), "nobody has built anything there"
    watch.app.back()
    watch.drive.until(lambda: watch.table.closed == 1, "the table to be closed")
    assert (watch.lookout.table, watch.desk) == (None, None)


def test_a_simulated_table_takes_part_where_its_hand_has_been(watch: Watch) -> None:
    _simulated(watch)
    watch.evening.go("live")
    watch.sense(height(0, 0.0), height(0, 0.0, tower="middle"))
    assert watch.lookout.hand("place pillar on left") == ""
    watch.sense(placed("pillar"))
    assert len(watch.lookout.cards) == 1
    watch.app.back()
    watch.drive.advance(0.2)
    assert watch.lookout.table is watch.table, "it stays, for a castle stands on it"
    watch.drive.tap(watch.drive.find(id="confirm"))
    watch.sense(height(3, 81.0), height(0, 0.0, tower="middle"))
    watch.evening.clock.advance(_SETTLED_S)
    watch.drive.advance(0.3)
    assert [mismatch.tower for mismatch in watch.lookout.out_of_step] == ["left"]


def test_what_the_simulated_hand_cannot_do_is_said(watch: Watch) -> None:
    _simulated(watch)
    watch.evening.go("live")
    watch.table.answers.append({"kind": "wrong", "line": "place roof on left", "why": "There is no roof left."})
    watch.drive.advance(0.2)
    assert watch.toasts() == ["There is no roof left."]
    assert [told["kind"] for told in watch.lookout.told()] == ["wrong"]


def test_devices_plugged_in_during_a_game_take_part(watch: Watch) -> None:
    _simulated(watch)
    watch.table = PaperTable(simulated=False)
    watch.drive.advance(0.3)
    assert watch.lookout.table is None
    watch.evening.clock.advance(6)
    watch.drive.advance(0.3)
    assert watch.lookout.table is watch.table
    assert watch.desk is not None
    assert not watch.drive.find_all(ProposalCard)


def test_attached_devices_are_not_opened_anew_for_more_seats(watch: Watch) -> None:
    watch.start()
    watch.evening.go("live")
    watch.app.back()
    watch.drive.until(lambda: watch.table.closed == 1, "the table to be closed")
    watch.evening.go("live")
    watch.sit_down("North", "East", "South", "West")
    watch.drive.advance(0.2)
    assert (watch.table.started, watch.table.closed) == (2, 1)


def test_attached_devices_take_part_at_once(watch: Watch) -> None:
    watch.start(PaperTable(simulated=False), watch="attached")
    watch.sit_down()
    watch.drive.advance(0.2)
    assert watch.desk is not None
    assert watch.table.contexts[-1]["boards"]["south"]["seat"] == 0


@pytest.mark.parametrize("off", ["watch", "policies"])
def test_off_really_stops_it_and_on_starts_it_again(watch: Watch, off: str) -> None:
    _building(watch)
    _turn(watch, off, on=False)
    assert watch.lookout.table is None
    watch.drive.until(lambda: watch.table.closed == 1, "the table to be closed")
    _turn(watch, off, on=True)
    watch.drive.advance(0.2)
    assert watch.table.started == 2


def _turn(watch: Watch, off: str, *, on: bool) -> None:
    if off == "watch":
        watch.app.settings.set("watch", "attached" if on else "off")
    else:
        for kind in ("placed", "removed", "collapse", "height", "bump", "fault"):
            watch.app.settings.set(f"sensing.{kind}", "ask" if on else "off")


def test_leaving_the_game_closes_its_table(watch: Watch) -> None:
    _building(watch)
    watch.app.home()
    watch.drive.until(lambda: watch.table.closed == 1, "the table to be closed")
    assert watch.lookout.desk is None


def test_games_without_castles_to_watch_are_as_they_were(watch: Watch) -> None:
    watch.start()
    session = watch.app.shelf.new("castle-builder", Setup(seats=("North", "East")))
    watch.evening.go("table", session=session)
    assert watch.app.lookout is None
    assert watch.asked == []


@pytest.mark.parametrize("size", SIZES)
def test_cards_and_sheets_overlap_nothing(watch: Watch, size: tuple[int, int]) -> None:
    _building(watch, size=size, language="de")
    watch.sense(placed("pillar"))
    assert watch.evening.faults() == []
    watch.drive.tap(watch.drive.find(id="more"))
    assert watch.evening.faults() == []
