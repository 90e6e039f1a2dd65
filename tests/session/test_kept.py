"""Small things kept with a saved game, and which line stands."""

from __future__ import annotations

import pytest

from companion.errors import DiskTrouble, ReadOnlyGame, SessionClosed
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.session.toy import Take


def test_what_is_kept_comes_back_with_the_game_in_the_order_of_its_names(shelf: Shelf, session: Session) -> None:
    session.keep("sensed 2", b"two")
    session.keep("sensed 1", b"one")
    session.keep("sensed 2", b"two again")
    session.keep("other", b"else")
    session.close()
    with shelf.open(session.id) as again:
        assert list(again.kept("sensed ").items()) == [("sensed 1", b"one"), ("sensed 2", b"two again")]
        assert set(again.kept()) == {"other", "sensed 1", "sensed 2"}
        assert len(again.history()) == 1, "what is kept is no part of the game's course"


def test_a_name_is_no_pattern(session: Session) -> None:
    session.keep("a", b"one")
    assert session.kept("%") == {}
    assert session.kept("_") == {}


def test_nothing_is_kept_with_a_closed_game_or_one_that_is_only_looked_at(shelf: Shelf, session: Session) -> None:
    session.close()
    with pytest.raises(SessionClosed):
        session.keep("name", b"")
    with shelf.open(session.id, read_only=True) as looked_at, pytest.raises(ReadOnlyGame):
        looked_at.keep("name", b"")


def test_a_disk_in_trouble_is_said(session: Session) -> None:
    session._journal._connection.execute("PRAGMA query_only = 1")
    with pytest.raises(DiskTrouble):
        session.keep("name", b"")


def test_the_line_that_stands_is_the_one_an_undo_takes_back(session: Session) -> None:
    session.dispatch(Take(seat=0))
    session.dispatch(Take(seat=1))
    assert session.stands_at == session.seq == 3
    session.undo()
    assert (session.stands_at, session.seq) == (2, 4)
    assert session.standing() == {1, 2}
