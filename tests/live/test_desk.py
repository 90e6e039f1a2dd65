"""The desk: questions, policies, time, and decisions that can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.live.desk import Desk, seats_of
from companion.live.policies import KINDS, Kind
from companion.rules.base import Correction, Setup
from companion.rules.castle_dukes.actions import Crumble, FinishBuilding, PlacePillars, PlaceTile
from companion.sensing.plan import Board, Plan
from companion.sensing.streams import Sensed
from companion.session.shelf import Shelf
from tests.live.table import BOARDS, LiveTable, answer_of, live_table, towers

HANDS = {"held": {"tile": 3, "pillar": 6}}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    with live_table(tmp_path, sets=HANDS) as table:
        yield table


# Asking


def test_nothing_is_booked_before_somebody_answers(table: LiveTable) -> None:
    before = table.state
    table.place("floor-tile", "left", 1)
    table.fall()
    assert table.state is before
    assert [proposal.kind for proposal in table.desk.proposals] == ["placed", "collapse"]
    assert [proposal.urgent for proposal in table.desk.proposals] == [False, True]


def test_an_answer_is_booked_under_the_name_of_the_senses(table: LiveTable) -> None:
    table.place("floor-tile", "left", 1)
    outcome = table.answer("book")
    assert outcome.done
    assert "North lays a floor tile as level 1 of the left tower." in [fact.text for fact in outcome.facts]
    assert table.session.history()[-1].origin == "sensor camera.scales"
    assert not table.desk.proposals


def test_what_has_been_answered_is_no_longer_asked(table: LiveTable) -> None:
    table.fall()
    asked = table.asked
    assert table.answer("book").done
    again = table.desk.answer(asked.id, "crumble")
    assert (again.done, again.says) == (False, "That is no longer asked.")
    assert table.north.crumbles == 1


def test_an_answer_that_the_game_overtook_is_no_longer_given(table: LiveTable) -> None:
    """Ids are made of what they stand for: a late touch never books something else."""
    table.place("floor-tile", "left")
    stale = answer_of(table.asked, "book")
    assert "level 1" in stale.label
    table.session.dispatch(
        Correction(why="a tile was there", set={"dukes/0/castle/left": [{"pillars": 1, "covered": 1}]})
    )
    assert not table.desk.answer("1", stale.id).done
    assert len(table.north.castle.left) == 1


def test_later_keeps_the_question_and_ends_the_call(table: LiveTable) -> None:
    table.fall()
    assert table.asked.urgent
    table.answer("later")
    assert not table.asked.urgent
    assert table.weights()[0] == "book"


@pytest.mark.parametrize("weight", ["", "book"])
def test_what_is_gathered_up_after_an_accident_is_not_asked_about(table: LiveTable, weight: str) -> None:
    table.fall()
    if weight:
        assert table.answer(weight).done
    asked = table.desk.proposals
    table.remove("floor-tile", None)
    assert table.desk.proposals == asked
    assert [(each.answer, each.ending) for each in table.desk.decided if each.kind == "removed"] == [
        ("It lay about after the accident", "known")
    ]


@pytest.mark.parametrize(
    ("first", "board", "seconds"), [("bump", "north", 0), ("collapse", "east", 0), ("collapse", "north", 200)]
)
def test_what_is_taken_from_no_tower_without_an_accident_there_of_late_is_asked_about(
    tmp_path: Path, first: Kind, board: str, seconds: float
) -> None:
    with live_table(tmp_path, sets={"castle": towers(2, 1)}) as table:
        table.sense(first, board)
        if first == "collapse":
            assert table.answer("book").done
        table.wait(seconds)
        table.remove("floor-tile", None)
        asked = [point.event for point in table.desk.proposals] + [point.event for point in table.desk.out_of_step]
        assert [event.kind for event in asked if event] == ["removed"]


# Policies


def test_what_is_off_is_left_alone(tmp_path: Path) -> None:
    off: dict[str, Any] = dict.fromkeys(KINDS, "off")
    with live_table(tmp_path, sets=HANDS, **off) as table:
        table.place("floor-tile")
        table.fall()
        table.measure("left", 3)
        table.sense("bump")
        table.wait(60)
        assert (table.desk.proposals, table.desk.out_of_step, table.desk.notes) == ((), (), ())
        assert (table.desk.decided, table.desk.measured) == ((), ())


def test_auto_books_what_is_sure_and_plain(tmp_path: Path) -> None:
    with live_table(tmp_path, sets=HANDS, placed="auto", collapse="auto") as table:
        table.place("floor-tile", "left", 1)
        table.place("pillar", "left", 1)
        table.fall()
        assert len(table.north.castle.left) == 1
        assert (table.north.castle.left[0].pillars, table.north.crumbles) == (1, 1)
        assert [decided.by for decided in table.desk.decided] == ["policy"] * 3


@pytest.mark.parametrize(
    ("piece", "tower", "sure"), [("floor-tile", None, 0.95), ("floor-tile", "left", 0.5), (None, "left", 0.95)]
)
def test_auto_asks_where_it_is_not_sure_or_not_plain(
    tmp_path: Path, piece: str | None, tower: str | None, sure: float
) -> None:
    with live_table(tmp_path, sets={"held": {"tile": 1}, "castle": towers(1, 1)}, placed="auto") as table:
        table.place(piece, tower, confidence=sure)
        assert table.asked.kind == "placed"
        assert len(table.session.history()) == 2


def test_policies_can_be_changed_during_the_game(table: LiveTable) -> None:
    table.desk.policies = type(table.desk.policies)(collapse="off")
    table.fall()
    assert not table.desk.proposals


# Time


def test_what_nobody_answers_is_left_among_what_is_out_of_step(table: LiveTable) -> None:
    table.fall()
    table.wait(599)
    assert table.asked.kind == "collapse"
    table.wait(2)
    assert not table.desk.proposals
    assert table.mismatch.why == "unanswered"
    assert table.answer("book", table.mismatch).done
    assert table.north.crumbles == 1
    assert not table.desk.out_of_step


def test_later_asks_again_what_was_left(table: LiveTable) -> None:
    table.fall()
    table.wait(601)
    table.answer("later", table.mismatch)
    assert table.asked.kind == "collapse"


def test_a_flood_of_questions_is_bounded_and_loses_nothing(table: LiveTable) -> None:
    for _ in range(60):
        table.fall()
    assert len(table.desk.proposals) == 20
    assert len(table.desk.decided) == 40
    assert {decided.ending for decided in table.desk.decided} == {"ignore"}


# Taking back


def test_a_booking_can_be_taken_back_and_is_asked_again(table: LiveTable) -> None:
    before = table.state
    table.fall()
    table.answer("book")
    (decided,) = table.desk.decided
    assert table.desk.undo(decided.id).done
    assert table.state == before
    assert table.desk.decided[0].undone
    assert table.asked.kind == "collapse"
    assert table.answer("reject").done
    assert table.north.crumbles == 0


@pytest.mark.parametrize("weight", ["reject", "same", "exempt"])
def test_what_booked_nothing_can_be_taken_back_too(tmp_path: Path, weight: str) -> None:
    attack = {"facing": "offence", "damage": 2, "chits": [{"kind": "pillar"}] * 5, "resolved": [0]}
    sets = {"castle": towers(2), "attack": {**attack, "owed": {"kind": "pillar"}}}
    with live_table(tmp_path, phase="dragon", sets=sets) as table:
        table.fall()
        table.answer("exempt")
        table.fall()
        lines = table.session.seq
        assert table.answer(weight).done
        assert table.session.seq == lines
        assert table.desk.undo(table.desk.decided[-1].id).done
        assert table.asked.kind == "collapse"


def test_a_decision_is_taken_back_once(table: LiveTable) -> None:
    table.fall()
    table.answer("reject")
    (decided,) = table.desk.decided
    assert table.desk.undo(decided.id).done
    assert not table.desk.undo(decided.id).done
    assert len(table.desk.proposals) == 1


def test_a_token_goes_back_by_a_correction_when_more_was_done_since(table: LiveTable) -> None:
    table.fall()
    table.answer("book")
    table.do(PlaceTile(seat=0, tower="left"))
    assert table.desk.undo(table.desk.decided[0].id).done
    assert table.north.crumbles == 0
    assert len(table.north.castle.left) == 1
    assert table.session.history()[-1].kind == "correction"
    assert table.desk.decided[0].undone


def test_a_piece_under_later_moves_is_not_pulled_out(table: LiveTable) -> None:
    table.place("floor-tile", "left", 1)
    table.answer("book")
    table.do(PlacePillars(seat=0, tower="left", level=1))
    outcome = table.desk.undo(table.desk.decided[0].id)
    assert not outcome.done
    assert outcome.says.startswith("More was done since")
    assert not table.desk.decided[0].undone


def test_an_undo_by_hand_is_seen_and_the_question_can_be_asked_again(table: LiveTable) -> None:
    table.fall()
    table.answer("book")
    table.session.undo()
    table.wait(1)
    assert table.desk.decided[0].undone
    table.session.redo()
    table.wait(1)
    assert not table.desk.decided[0].undone
    table.session.undo()
    assert table.desk.undo(table.desk.decided[0].id).done
    assert table.asked.kind == "collapse"


def test_a_redo_answers_the_question_that_was_asked_again(table: LiveTable) -> None:
    table.fall()
    table.answer("book")
    table.desk.undo(table.desk.decided[0].id)
    table.session.redo()
    table.wait(1)
    assert not table.desk.proposals
    assert table.north.crumbles == 1


def test_what_an_undo_by_hand_left_of_a_decision_is_taken_back_and_never_booked_twice(tmp_path: Path) -> None:
    """A piece that the game knew nothing of is lent first and put up then: two lines, and one of them was undone."""
    with live_table(tmp_path) as table:
        before = table.state
        table.place("floor-tile", "left", 1)
        table.answer("correct", table.mismatch)
        (decided,) = table.desk.decided
        assert len(decided.lines) == 2
        table.session.undo()
        table.wait(1)
        assert table.desk.undo(decided.id).done
        assert table.north == before.dukes[0]
        assert table.answer("correct", table.mismatch).done
        assert (len(table.north.castle.left), table.north.held.get("tile", 0)) == (1, 0)
        assert table.state.stock["tile"] == before.stock["tile"] - 1


def test_too_many_questions_push_out_the_oldest_but_no_call(table: LiveTable) -> None:
    table.fall()
    for number in range(25):
        table.sense("placed", piece=f"thing {number}", tower="left", level=1)
    assert [proposal.kind for proposal in table.desk.proposals] == ["collapse", *["placed"] * 19]
    aside = [each for each in table.desk.decided if each.ending == "ignore"]
    assert len(aside) == 6
    assert table.desk.undo(aside[0].id).done


# What is kept


def test_decisions_and_open_questions_survive_a_restart(tmp_path: Path) -> None:
    with live_table(tmp_path, sets=HANDS) as table:
        table.fall(tower="left")
        table.answer("book")
        table.place("pillar", "left", 1)
        table.wait(1)
        saved = table.session.id
    with Shelf(tmp_path).open(saved) as session:
        again = Desk(session, seats=BOARDS, now_us=lambda: 0)
        assert [(each.kind, each.ending) for each in again.decided] == [("collapse", "book")]
        assert again.decided[0].event.tower == "left"
        assert [(each.event.kind, each.why) for each in again.out_of_step if each.event] == [("placed", "vetoed")]
        assert again.undo(again.decided[0].id).done


def test_a_disk_in_trouble_books_nothing_and_asks_on(table: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table.fall()
    connection = table.session._journal._connection
    connection.execute("PRAGMA query_only = 1")
    outcome = table.answer("book")
    assert not outcome.done
    assert outcome.says
    assert table.asked.kind == "collapse"
    table.wait(1)
    connection.execute("PRAGMA query_only = 0")
    assert table.answer("book").done
    assert table.session.kept("sensed ")


# What is no castle's


def test_other_games_are_played_without_senses(tmp_path: Path) -> None:
    with Shelf(tmp_path).new("castle-builder", Setup(seats=("North", "East"))) as session:
        desk = Desk(session, seats=BOARDS, now_us=lambda: 0)
        desk.take([Sensed(kind="collapse", t_us=0, decided_us=0, board="north")])
        desk.tick()
        assert desk.says == "Castle Builder is played without the table's senses."
        assert (desk.proposals, desk.out_of_step, desk.context, desk.tallest) == ((), (), {}, ())


def test_a_game_that_is_only_looked_at_is_left_alone(tmp_path: Path) -> None:
    with live_table(tmp_path, sets=HANDS) as table:
        table.fall()
        table.wait(1)
        saved = table.session.id
    with Shelf(tmp_path).open(saved, read_only=True) as session:
        desk = Desk(session, seats=BOARDS, now_us=lambda: 0)
        desk.take([Sensed(kind="collapse", t_us=0, decided_us=0, board="north")])
        assert desk.says == "It was opened read-only."
        assert not desk.proposals


def test_a_board_of_nobody_is_left_alone(table: LiveTable) -> None:
    table.fall("kitchen")
    assert not table.desk.proposals


def test_bumps_and_faults_are_quiet_notes(table: LiveTable) -> None:
    table.sense("bump")
    table.sense("fault", what="The camera was moved.", device="camera")
    assert [note.text for note in table.desk.notes] == ["The table was bumped.", "The camera was moved."]
    assert not table.desk.proposals


def test_a_finished_game_is_cleared_away_in_peace(table: LiveTable) -> None:
    table.fall()
    table.do(Correction(why="over", set={"phase": "over", "over": True}))
    table.fall()
    table.remove("floor-tile")
    assert not table.desk.proposals
    assert table.mismatch.why == "vetoed"
    assert table.answer("correct", table.mismatch).done, "the token nobody answered for can still be booked"
    assert table.north.crumbles == 1


def test_seats_come_from_the_plan() -> None:
    boards = (Board(id="north", size_mm=(1, 1), seat=1), Board(id="spare", size_mm=(1, 1)))
    plan = Plan(format="castle-companion/recording", version=1, boards=boards)
    assert seats_of(plan) == {"north": 1}


def test_a_token_booked_by_hand_answers_the_call(table: LiveTable) -> None:
    table.fall()
    table.do(Crumble(seat=0))
    assert not table.desk.proposals
    assert table.desk.decided[0].ending == "known"
    table.do(Correction(why="stands", set={"dukes/0/rearranging": False}), FinishBuilding(seat=0))
    assert table.north.crumbles == 1
