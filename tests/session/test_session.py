"""A table's evening: moves, undo, forks, corrections, restarts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import Malformed, NoSuchStep, ReadOnlyGame, Refusal, SessionClosed
from companion.rules.base import Correction, Setup
from companion.rules.table import Prompt
from companion.session import origins
from companion.session.audit import verify
from companion.session.dealing import RandomDealer
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.session import toy
from tests.session.conftest import SEATS
from tests.session.toy import Mark, Take


def reopened(shelf: Shelf, session: Session) -> Session:
    session.close()
    return shelf.open(session.id)


def hands(session: Session) -> tuple[int, ...]:
    assert isinstance(session.state, toy.State)
    return session.state.hands


def test_a_move_is_applied_recorded_and_returned(session: Session) -> None:
    step = session.dispatch(Take(seat=1, count=2), origins.seat(1))
    assert step.state == session.state
    assert step.facts[0].change == 2
    line = session.history()[-1]
    assert (line.seq, line.kind, line.label, line.origin, line.seat) == (2, "action", "East takes 2", "seat 1", 1)
    assert line.facts == step.facts
    assert line.stands


def test_a_refusal_changes_nothing(session: Session) -> None:
    before = session.state
    with pytest.raises(Refusal):
        session.dispatch(Take(seat=0, count=9))
    assert session.state is before
    assert len(session.history()) == 1


def test_a_number_no_saved_game_can_hold_is_not_recorded(shelf: Shelf, session: Session) -> None:
    """A line that could not be read again would leave the game read-only for good."""
    session.dispatch(Correction(set={"hands/0": toy.MOST_HELD}))
    before = session.state
    with pytest.raises(Malformed, match="no saved game can hold"):
        session.dispatch(Take(seat=0))
    assert session.state is before
    again = reopened(shelf, session)
    assert not again.read_only
    assert again.state == before


class Superstitious(toy.Pebbles):
    """Numbers that only a correction brings about can trip the rules up some moves later."""

    def prompts(self, state: toy.State) -> tuple[Prompt, ...]:
        return () if state.bag != 13 else state.marks[99]  # type: ignore[return-value]


def test_a_move_that_would_lock_a_corrected_game_up_is_not_recorded(tmp_path: Path) -> None:
    session = Shelf(tmp_path, game_of=lambda game: Superstitious()).new(toy.ID, Setup(seats=SEATS))
    session.dispatch(Correction(set={"bag": 15}))
    with pytest.raises(Malformed, match="contradict each other"):
        session.dispatch(Take(seat=0, count=2))
    session.dispatch(Take(seat=0, count=3))
    assert session.history()[-1].label == "North takes 3"
    session.close()


def test_an_unknown_origin_changes_nothing(session: Session) -> None:
    with pytest.raises(Malformed, match="An origin is"):
        session.dispatch(Take(seat=0), "the cat")
    assert session.seq == 1


def test_a_reopened_game_stands_where_it_stood(shelf: Shelf, session: Session) -> None:
    for seat in (0, 1, 2, 0):
        session.dispatch(Take(seat=seat, count=seat + 1))
    state, history = session.state, session.history()
    again = reopened(shelf, session)
    assert again.state == state
    assert again.history() == history
    assert again.setup == Setup(seats=SEATS)
    again.close()


def test_undo_and_redo_have_labels_and_survive_restarts(shelf: Shelf, session: Session) -> None:
    assert (session.undo_label, session.redo_label) == (None, None)
    session.dispatch(Take(seat=0))
    session.dispatch(Take(seat=1, count=2))
    session.dispatch(Take(seat=2, count=3))
    session.undo()
    session = reopened(shelf, session)
    assert (session.undo_label, session.redo_label) == ("East takes 2", "South takes 3")
    session.undo()
    session = reopened(shelf, session)
    assert (session.undo_label, session.redo_label) == ("North takes 1", "East takes 2")
    assert hands(session) == (1, 0, 0)
    session.redo()
    session = reopened(shelf, session)
    session.redo()
    assert hands(session) == (1, 2, 3)
    assert session.redo_label is None
    assert [line.kind for line in session.history()] == ["setup", *["action"] * 3, "undo", "undo", "redo", "redo"]
    session.close()


def test_nothing_to_undo_or_redo_is_said(session: Session) -> None:
    with pytest.raises(NoSuchStep, match="nothing to undo"):
        session.undo()
    with pytest.raises(NoSuchStep, match="nothing to redo"):
        session.redo()
    with pytest.raises(NoSuchStep, match="no line 7"):
        session.jump(7)
    assert session.seq == 1


def test_a_move_after_undo_forks_and_the_history_stays_honest(session: Session) -> None:
    session.dispatch(Take(seat=0, count=3))
    session.undo()
    session.dispatch(Take(seat=1))
    assert session.redo_label is None
    assert [(line.label, line.stands) for line in session.history()] == [
        ("Pebbles: North, East, South", True),
        ("North takes 3", False),
        ("Undo: North takes 3", False),
        ("East takes 1", True),
    ]


def test_undo_after_a_fork_follows_the_branch(session: Session) -> None:
    session.dispatch(Take(seat=0, count=3))
    session.dispatch(Take(seat=0, count=2))
    session.undo()
    session.dispatch(Take(seat=1))
    session.undo()
    assert hands(session) == (3, 0, 0)
    session.undo()
    assert hands(session) == (0, 0, 0)
    session.redo()
    session.redo()
    assert hands(session) == (3, 1, 0)


def test_jump_goes_to_any_line_even_one_left_behind_and_redo_leads_back(shelf: Shelf, session: Session) -> None:
    session.dispatch(Take(seat=0, count=3))
    session.undo()
    session.dispatch(Take(seat=1))
    session.dispatch(Take(seat=2))
    session.jump(2)
    assert hands(session) == (3, 0, 0)
    session = reopened(shelf, session)
    assert session.undo_label == "North takes 3"
    assert session.redo_label == "back to line 5: South takes 1"
    session.redo()
    assert hands(session) == (0, 1, 1)
    session.jump(3)
    assert hands(session) == (0, 0, 0)
    with pytest.raises(NoSuchStep, match="already"):
        session.jump(1)
    session.close()


def test_corrections_are_marked(session: Session) -> None:
    session.dispatch(Correction(why="miscounted", set={"hands/0": 5}), origins.CORRECTION)
    assert hands(session) == (5, 0, 0)
    line = session.history()[-1]
    assert (line.kind, line.origin, line.label) == ("correction", "correction", "Correction: miscounted")
    assert session.state is not None
    assert session.state.corrected


def test_a_finished_game_can_still_be_undone_and_scored(shelf: Shelf) -> None:
    with shelf.new(toy.ID, Setup(seats=SEATS, options={"bag": 4})) as session:
        session.dispatch(Take(seat=0, count=3))
        session.dispatch(Take(seat=1, count=1))
        assert session.score().totals == (3, 1, 0)
        assert session.outcome().winners == (0,)
        assert shelf.list()[0].over
        session.undo()
        assert not shelf.list()[0].over


def test_what_a_move_tells_about_the_box_is_remembered(shelf: Shelf, session: Session) -> None:
    session.dispatch(Mark(name="moon", worth=4))
    assert session.box["marks"] == {"moon": {"worth": 4}}
    assert [item.key for item in Shelf(shelf.folder).memory.entries(toy.ID)] == ["moon"]


def test_a_box_memory_in_trouble_costs_no_move_and_is_made_up_for(shelf: Shelf, session: Session) -> None:
    shelf.memory.folder.write_text("in the way")
    session.dispatch(Mark(name="moon"))
    assert session.seq == 2
    shelf.memory.folder.unlink()
    session.dispatch(Take(seat=0))
    assert [item.key for item in shelf.memory.entries(toy.ID)] == ["moon"]


def test_the_companion_deals_as_itself(session: Session) -> None:
    choice = session.game.prompts(session.state)[0].choices[0]
    session.deal(choice, RandomDealer(3))
    assert session.history()[-1].origin == "app"


def test_a_closed_session_says_so(session: Session) -> None:
    session.close()
    session.close()
    with pytest.raises(SessionClosed):
        session.dispatch(Take(seat=0))


def test_the_last_few_lines_of_a_history(session: Session) -> None:
    for _ in range(5):
        session.dispatch(Take(seat=0))
    assert [line.seq for line in session.history(last=2)] == [5, 6]
    assert len(session.history(last=99)) == 6


def test_newer_rules_open_an_older_game_read_only(shelf: Shelf, session: Session) -> None:
    session.dispatch(Take(seat=0))
    session.close()
    with Session.open(session.path, game_of=toy.later) as old:
        assert old.read_only_because == "This game was played under older rules (version 1; today's is 2)."
        assert old.state == session.state
        with pytest.raises(ReadOnlyGame, match="older rules"):
            old.dispatch(Take(seat=0))
        with shelf.open(session.id) as writer:
            assert not writer.read_only


def test_older_rules_open_a_newer_game_read_only(shelf: Shelf) -> None:
    with Shelf(shelf.folder, game_of=toy.later).new(toy.ID, Setup(seats=SEATS)) as session:
        pass
    with shelf.open(session.id) as newer:
        assert "newer rules" in newer.read_only_because


def test_a_state_that_no_longer_fits_still_shows_its_history(session: Session) -> None:
    session.dispatch(Take(seat=0))
    session.close()
    with Session.open(session.path, game_of=toy.foreign) as old:
        assert old.state is None
        assert "Only its history can be shown" in old.read_only_because
        assert [line.label for line in old.history()] == ["Pebbles: North, East, South", "North takes 1"]
        with pytest.raises(ReadOnlyGame):
            old.score()


def test_a_game_can_go_on_under_newer_rules_if_the_table_says_so(session: Session) -> None:
    session.dispatch(Take(seat=0))
    session.close()
    with Session.open(session.path, game_of=toy.later, adopt_rules=True) as adopted:
        assert not adopted.read_only
        adopted.dispatch(Take(seat=1))
        assert hands(adopted) == (1, 1, 0)
        assert adopted.history()[2].kind == "correction"
        assert verify(adopted).problems == ()
    with Session.open(session.path, game_of=toy.later) as again:
        assert not again.read_only


def test_a_reader_beside_the_player_can_look_again(shelf: Shelf, session: Session) -> None:
    with shelf.open(session.id, read_only=True) as reader:
        session.dispatch(Take(seat=2, count=3))
        assert hands(reader) == (0, 0, 0)
        reader.refresh()
        assert hands(reader) == (0, 0, 3)
        with pytest.raises(ReadOnlyGame, match="opened read-only"):
            reader.dispatch(Take(seat=0))


def test_audit_finds_a_snapshot_that_does_not_follow(session: Session) -> None:
    session.dispatch(Take(seat=0))
    session.dispatch(Take(seat=1))
    assert verify(session).ok
    journal = session._journal
    other = journal.row(1).state
    journal._connection.execute("UPDATE journal SET state = ? WHERE seq = 2", (other,))
    problems = verify(session).problems
    assert problems[0] == "Line 2 (North takes 1): a replay leads to another state."
    assert len(problems) == 2


def test_audit_names_an_action_that_cannot_be_replayed(session: Session) -> None:
    session.dispatch(Take(seat=0))
    broken = (b'{"do":"take","seat":0,"count":9}',)
    session._journal._connection.execute("UPDATE journal SET action = ? WHERE seq = 2", broken)
    assert "cannot be replayed" in " ".join(verify(session).problems)


MOVES = st.sampled_from(["take", "undo", "redo", "jump", "correct", "restart"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=st.lists(MOVES, max_size=25))
def test_any_evening_agrees_with_a_plain_model(tmp_path: Path, moves: list[str]) -> None:
    """Beside a list of states by line, an undo stack by parents, and a redo list."""
    shelf = Shelf(tmp_path, game_of=toy.game_of)
    session = shelf.new(toy.ID, Setup(seats=SEATS))
    at, parents, states, stands_on, redo = 1, {1: 0}, {1: session.state}, {1: 1}, list[int]()
    for number, move in enumerate(moves):
        seq = session.seq + 1
        if move == "restart":
            session = reopened(shelf, session)
            continue
        if move == "take" or move == "correct":
            session.dispatch(Take(seat=number % 3) if move == "take" else Correction(why="so", set={"bag": number + 9}))
            parents[seq], states[seq], at, redo = at, session.state, seq, []
        elif move == "undo" and parents[at]:
            session.undo()
            redo.append(at)
            at = parents[at]
        elif move == "redo" and redo:
            session.redo()
            at = redo.pop()
        elif move == "jump":
            target = 1 + number % session.seq
            if stands_on[target] == at:
                continue
            session.jump(target)
            redo.append(at)
            at = stands_on[target]
        else:
            continue
        stands_on[seq] = at
        assert session.state == states[at]
        assert (session.undo_label is None) == (parents[at] == 0)
        assert (session.redo_label is None) == (not redo)
    assert verify(session).ok
    session.close()
