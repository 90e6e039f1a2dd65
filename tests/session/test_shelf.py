"""The folder of saved games, and where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import GameInUse, Malformed, NoSavedGame, UnknownGame
from companion.rules.base import Setup
from companion.session import folder
from companion.session.clocks import ManualClock
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.session import toy
from tests.session.conftest import SEATS
from tests.session.toy import Take


def begun(shelf: Shelf, bag: int = 40) -> Session:
    return shelf.new(toy.ID, Setup(seats=SEATS, options={"bag": bag}))


def test_an_empty_shelf(shelf: Shelf) -> None:
    assert shelf.list() == ()
    with pytest.raises(NoSavedGame, match="no saved game in"):
        shelf.latest()


def test_a_set_up_that_is_refused_leaves_no_file(shelf: Shelf) -> None:
    with pytest.raises(Malformed):
        shelf.new(toy.ID, Setup(seats=()))
    with pytest.raises(UnknownGame):
        shelf.new("chess", Setup(seats=SEATS))
    assert not shelf.folder.exists()


def test_the_list_has_the_last_played_first(shelf: Shelf, clock: ManualClock) -> None:
    first, second = begun(shelf), begun(shelf)
    clock.advance(60)
    first.dispatch(Take(seat=1))
    listed = shelf.list()
    assert [saved.id for saved in listed] == [first.id, second.id]
    assert (listed[0].last, listed[0].lines, listed[0].game) == ("East takes 1", 2, toy.ID)
    assert (listed[0].title, listed[0].seats, listed[0].problem) == ("Pebbles", SEATS, "")
    assert listed[0].touched.isoformat() == "2023-11-14T22:14:20+00:00"
    first.close()
    second.close()


def test_the_latest_is_the_last_played_that_is_not_over(shelf: Shelf, clock: ManualClock) -> None:
    with begun(shelf) as open_game:
        pass
    clock.advance(5)
    with begun(shelf, bag=4) as finished:
        finished.dispatch(Take(seat=0, count=3))
        finished.dispatch(Take(seat=0))
    with shelf.latest() as latest:
        assert latest.id == open_game.id
    shelf.discard(open_game.id)
    with shelf.latest() as latest:
        assert latest.id == finished.id


def test_a_discarded_game_lies_in_the_trash_whole(shelf: Shelf, session: Session) -> None:
    session.dispatch(Take(seat=0))
    with pytest.raises(GameInUse):
        shelf.discard(session.id)
    session.close()
    where = shelf.discard(session.id)
    assert shelf.list() == ()
    assert where.parent == shelf.folder / "trash"
    with Session.open(where, game_of=toy.game_of) as again:
        assert again.seq == 2
    with pytest.raises(NoSavedGame):
        shelf.discard(session.id)


def test_the_trash_keeps_games_of_one_name_apart(shelf: Shelf, session: Session) -> None:
    session.close()
    copy = session.path.read_bytes()
    first = shelf.discard(session.id)
    session.path.write_bytes(copy)
    assert shelf.discard(session.id) != first
    assert first.exists()


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "/etc/passwd"])
def test_names_do_not_lead_out_of_the_folder(shelf: Shelf, name: str) -> None:
    with pytest.raises(NoSavedGame):
        shelf.open(name)


def test_home_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folder.HOME_VARIABLE, str(tmp_path))
    assert folder.games() == tmp_path / "games"
    monkeypatch.delenv(folder.HOME_VARIABLE)
    assert folder.games().parts[-2:] == ("castle-companion", "games")


def test_scratch_is_on_the_disk_of_the_games_and_goes_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folder.HOME_VARIABLE, str(tmp_path / "home"))
    with folder.scratch() as made:
        assert Path(made).parent == tmp_path / "home"
    assert list((tmp_path / "home").iterdir()) == []
