"""The file itself: damage, locks, layouts, disks in trouble, other processes."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

from companion.errors import DamagedGame, DiskTrouble, GameInUse, NewerGame, NoSavedGame
from companion.rules.base import Setup
from companion.session import journal as journal_module
from companion.session.audit import verify
from companion.session.journal import Journal
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.session import toy
from tests.session.conftest import SEATS
from tests.session.toy import Take

ROOT = Path(__file__).parents[2]
NOBODY = 65534
CHILD_S = 60


HEAD = """
import os, resource, sys
from pathlib import Path
from companion.errors import DiskTrouble, GameInUse
from companion.rules.base import Setup
from companion.session.shelf import Shelf
from tests.session import toy
"""


def in_child(script: str, *arguments: str) -> str:
    """Run Python lines in a process of its own; what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", HEAD + textwrap.dedent(script), *arguments],
        capture_output=True,
        text=True,
        timeout=CHILD_S,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def played(shelf: Shelf, session: Session) -> Path:
    """A saved game of some moves, closed."""
    for _ in range(9):
        session.dispatch(Take(seat=0, count=3))
    session.close()
    return session.path


def test_a_closed_game_is_one_file_and_its_lock(played: Path) -> None:
    assert sorted(path.name for path in played.parent.iterdir()) == [f"{played.stem}.lock", played.name]


def test_reading_leaves_nothing_behind(played: Path) -> None:
    before = played.read_bytes()
    with Journal.open(played, read_only=True) as journal:
        assert journal.last().seq == 10
    assert played.read_bytes() == before
    assert len(list(played.parent.iterdir())) == 2


def test_lines_cannot_be_written_read_only(played: Path) -> None:
    with Journal.open(played, read_only=True) as journal, pytest.raises(DiskTrouble):
        journal.note("x", b"")


def test_settings_keep_what_was_acknowledged(session: Session) -> None:
    connection = session._journal._connection
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.9])
def test_a_truncated_file_is_named_and_left_untouched(shelf: Shelf, played: Path, share: float) -> None:
    whole = played.read_bytes()
    cut = whole[: int(len(whole) * share)]
    played.write_bytes(cut)
    with pytest.raises(DamagedGame) as caught:
        shelf.open(played.stem)
    assert str(played) in str(caught.value)
    assert played.read_bytes() == cut
    (saved,) = shelf.list()
    assert (saved.id, saved.problem) == (played.stem, str(caught.value))


@pytest.mark.parametrize("garbage", [b"garbage" * 999, b"SQLite format 3\0" + b"\xff" * 5000], ids=["text", "header"])
def test_a_garbage_file_is_named_and_left_untouched(shelf: Shelf, played: Path, garbage: bytes) -> None:
    played.write_bytes(garbage)
    for read_only in (True, False):
        with pytest.raises(DamagedGame, match="left as it is"):
            shelf.open(played.stem, read_only=read_only)
    assert played.read_bytes() == garbage
    assert shelf.list()[0].problem


def test_a_garbled_state_is_named(shelf: Shelf, played: Path) -> None:
    with sqlite3.connect(played) as connection:
        connection.execute("UPDATE journal SET state = x'7b7d' WHERE seq = 10")
    connection.close()
    with pytest.raises(DamagedGame, match="the state of line 10 is garbled"):
        shelf.open(played.stem)


def test_somebody_elses_database_is_no_saved_game(shelf: Shelf, played: Path) -> None:
    played.unlink()
    with sqlite3.connect(played) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(DamagedGame, match="not a saved game"):
        shelf.open(played.stem)


def test_flipped_bits_are_found_by_the_full_check(played: Path) -> None:
    with Journal.open(played, read_only=True) as journal:
        state = journal.row(5).state
    raw = bytearray(played.read_bytes())
    raw[raw.index(state) + len(state) // 2] ^= 0x10
    played.write_bytes(raw)
    assert verify(played, game_of=toy.game_of).problems[0] == "Line 5 (North takes 3): its state is garbled."


def test_a_newer_layout_is_refused_in_a_sentence(shelf: Shelf, played: Path) -> None:
    with sqlite3.connect(played) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(NewerGame, match="newer Castle Companion"):
        shelf.open(played.stem)
    assert "newer" in shelf.list()[0].problem


def test_an_older_layout_is_brought_up_to_date(shelf: Shelf, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    next_layout = ("CREATE TABLE photos (seq INTEGER PRIMARY KEY)",)
    monkeypatch.setattr(journal_module, "MIGRATIONS", (*journal_module.MIGRATIONS, next_layout))
    before = played.read_bytes()
    with shelf.open(played.stem, read_only=True) as reader:
        assert reader.seq == 10
    assert played.read_bytes() == before
    with shelf.open(played.stem) as session:
        assert session._journal._connection.execute("PRAGMA user_version").fetchone() == (2,)
        session.dispatch(Take(seat=0))
    with shelf.open(played.stem) as session:
        assert session.seq == 11


def test_a_failing_migration_leaves_the_old_layout(shelf: Shelf, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = ("CREATE TABLE photos (seq INTEGER PRIMARY KEY)", "CREATE TABLE journal (seq INTEGER)")
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "MIGRATIONS", (*journal_module.MIGRATIONS, broken))
        with pytest.raises(DamagedGame):
            shelf.open(played.stem)
    with shelf.open(played.stem) as session:
        assert session.seq == 10


def test_opening_reads_a_few_lines_however_long_the_game(shelf: Shelf, session: Session) -> None:
    asked: list[str] = []
    session.dispatch(Take(seat=0))
    session.undo()
    session._journal._connection.set_trace_callback(asked.append)
    session.refresh()
    session.redo()
    session.undo()
    assert all("WHERE seq = " in text or "LIMIT 1" in text or text.startswith("INSERT") for text in asked), asked


# Two at once


def test_a_second_player_is_told_and_a_reader_is_not_hindered(shelf: Shelf, session: Session) -> None:
    with pytest.raises(GameInUse, match="open in another Castle Companion"):
        shelf.open(session.id)
    with shelf.open(session.id, read_only=True) as reader:
        assert reader.state == session.state


def test_two_processes(shelf: Shelf, session: Session) -> None:
    session.dispatch(Take(seat=0))
    script = """
        shelf = Shelf(Path(sys.argv[1]), game_of=toy.game_of)
        print(shelf.open(sys.argv[2], read_only=True).seq)
        try:
            shelf.open(sys.argv[2])
        except GameInUse as error:
            print(error)
    """
    seq, sentence = in_child(script, str(shelf.folder), session.id).splitlines()
    assert seq == "2"
    assert session.id in sentence
    session.dispatch(Take(seat=1))


def test_a_crash_frees_the_game(shelf: Shelf, played: Path) -> None:
    script = """
        session = Shelf(Path(sys.argv[1]), game_of=toy.game_of).open(sys.argv[2])
        session.dispatch(toy.Take(seat=1))
        print(session.seq, flush=True)
        os._exit(0)
    """
    assert in_child(script, str(shelf.folder), played.stem) == "11\n"
    with shelf.open(played.stem) as session:
        assert session.seq == 11


def test_a_file_held_by_another_program_is_trouble_that_passes(played: Path) -> None:
    with Session.open(played, game_of=toy.game_of, busy_s=0.01) as session:
        other = sqlite3.connect(played, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        state = session.state
        with pytest.raises(DiskTrouble, match="Another program holds"):
            session.dispatch(Take(seat=0))
        assert (session.state, session.seq) == (state, 10)
        other.execute("ROLLBACK")
        other.close()
        session.dispatch(Take(seat=0))
        assert session.seq == 11


# Disks in trouble


def test_a_full_disk_loses_nothing_and_a_later_move_works(shelf: Shelf, played: Path) -> None:
    """The operating system refuses to let the files grow, as a full disk does; then there is room again."""
    script = """
        session = Shelf(Path(sys.argv[1]), game_of=toy.game_of).open(sys.argv[2])
        session.dispatch(toy.Take(seat=0))
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        size = session.path.with_name(session.path.name + "-wal").stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 2000, hard))
        state, seq = session.state, session.seq
        for _ in range(3):
            try:
                session.dispatch(toy.Take(seat=1))
                print("no trouble?")
            except DiskTrouble as error:
                print(error)
            assert (session.state, session.seq) == (state, seq)
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        session.dispatch(toy.Take(seat=2))
        print(session.seq, session.state.hands)
        session.close()
    """
    *sentences, end = in_child(script, str(shelf.folder), played.stem).splitlines()
    assert len(sentences) == 3
    assert all("nothing was saved" in sentence for sentence in sentences)
    assert end == "12 (28, 0, 1)"
    with Journal.open(played) as journal:
        assert (journal.last().seq, journal.faults()) == (12, ())


def test_a_full_database_is_called_a_full_disk(session: Session) -> None:
    connection = session._journal._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(DiskTrouble, match="The disk is full"):
        dispatch_many(session, 40)
    before = session.seq
    assert len(session.history()) == before
    connection.execute("PRAGMA max_page_count = 100000")
    dispatch_many(session, 3)
    assert session.seq == before + 3


def dispatch_many(session: Session, times: int) -> None:
    for _ in range(times):
        session.dispatch(toy.Mark(name="m" * 900))


def test_no_new_game_on_a_full_disk_and_no_litter(tmp_path: Path) -> None:
    script = """
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
        try:
            Shelf(Path(sys.argv[1]), game_of=toy.game_of).new("pebbles", Setup(seats=("North",)))
        except DiskTrouble as error:
            print(error)
    """
    assert "nothing was saved" in in_child(script, str(tmp_path))
    assert [path.suffix for path in tmp_path.iterdir()] == [".lock"]


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("not a folder")
    shelf = Shelf(tmp_path / "games", game_of=toy.game_of)
    with pytest.raises(DiskTrouble, match="a file is where a folder should be"):
        shelf.new(toy.ID, Setup(seats=SEATS))
    assert shelf.list() == ()


def test_a_read_only_folder_can_be_looked_at(shelf: Shelf, played: Path) -> None:
    """Root may write anywhere, so the child first becomes nobody."""
    script = """
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(int(sys.argv[3]))
            os.setuid(int(sys.argv[3]))
        shelf = Shelf(Path(sys.argv[1]), game_of=toy.game_of)
        for attempt in (lambda: shelf.open(sys.argv[2]), lambda: shelf.new("pebbles", Setup(seats=("North",)))):
            try:
                attempt()
            except DiskTrouble as error:
                print(error)
        print(shelf.list()[0].last)
        with shelf.open(sys.argv[2], read_only=True) as session:
            print(len(session.history()))
    """
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "games"
        folder.mkdir()
        shutil.copy(played, folder)
        folder.chmod(0o555)
        Path(made).chmod(0o755)
        first, second, last, lines = in_child(script, str(folder), played.stem, str(NOBODY)).splitlines()
        folder.chmod(0o755)
    assert "cannot be written to" in first
    assert "cannot be written to" in second
    assert (last, lines) == ("North takes 3", "10")


def test_a_game_that_is_not_there(shelf: Shelf) -> None:
    with pytest.raises(NoSavedGame, match="no saved game 'nowhere'"):
        shelf.open("nowhere")
