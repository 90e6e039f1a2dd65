"""Saved games as files for others."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest

from companion.errors import Malformed, UnknownGame
from companion.rules.base import Correction
from companion.session import bgstats
from companion.session.audit import verify
from companion.session.clocks import ManualClock
from companion.session.exchange import export_json, history_csv, import_json, score_csv
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.session import toy
from tests.session.toy import Take


@pytest.fixture
def evening(session: Session) -> Session:
    """A game with a line of every kind."""
    session.dispatch(Take(seat=0, count=3), "seat 0")
    session.dispatch(Take(seat=1), "sensor scales")
    session.undo()
    session.redo()
    session.dispatch(Correction(why='she said "two", then one', set={"hands/1": 2}))
    session.jump(2)
    session.undo()
    return session


def exported(session: Session, file: Path) -> Path:
    with file.open("wb") as out:
        export_json(session, out)
    return file


def test_a_game_goes_out_and_comes_in_whole(evening: Session, tmp_path: Path, clock: ManualClock) -> None:
    file = exported(evening, tmp_path / "out.json")
    other = Shelf(tmp_path / "other", game_of=toy.game_of, clock=clock)
    saved = import_json(other, file)
    assert saved == evening.id
    with other.open(saved) as twin:
        assert (twin.state, twin.history(), twin.setup) == (evening.state, evening.history(), evening.setup)
        assert (twin.undo_label, twin.redo_label) == (evening.undo_label, evening.redo_label)
        assert list(twin._journal.rows()) == list(evening._journal.rows())
        assert exported(twin, tmp_path / "again.json").read_bytes() == file.read_bytes()
        assert verify(twin).ok
        twin.redo()


def test_an_existing_game_is_never_overwritten(shelf: Shelf, evening: Session, tmp_path: Path) -> None:
    file = exported(evening, tmp_path / "out.json")
    evening.dispatch(Take(seat=2))
    evening.close()
    saved = import_json(shelf, file)
    assert saved != evening.id
    assert len(shelf.list()) == 2
    with shelf.open(evening.id) as mine, shelf.open(saved) as theirs:
        assert mine.seq == theirs.seq + 1
        assert theirs.id == saved


Spoil = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda game: game["journal"].pop(3),
        lambda game: game["journal"].clear(),
        lambda game: game["journal"][1].update(state={"bag": "many"}),
        lambda game: game["journal"][1].update(state=None),
        lambda game: game["journal"][1].update(parent=99),
        lambda game: game["journal"][1].update(origin="the cat"),
        lambda game: game["journal"][1].update(clocks=[]),
        lambda game: game["journal"][1].update(facts={}),
        lambda game: game["journal"][1].update(kind="setup"),
        lambda game: game["journal"][3].update(node=4),
        lambda game: game["journal"][3].update(node=77),
        lambda game: game["journal"][3].update(redo=77),
        lambda game: game["journal"][3].update(redo_rest=77),
        lambda game: game["journal"][3].update(state={}),
        lambda game: game.update(version=2),
        lambda game: game.update(format="other"),
        lambda game: game.update(extra=1),
        lambda game: game.pop("cover"),
        lambda game: game["cover"].update(created_ms=10**18),
        lambda game: game["journal"][-1].update(at_ms=10**18),
        lambda game: game["journal"][-1].update(at_ms=10**30),
        lambda game: game["journal"][-1].update(rules=10**30),
        lambda game: game["journal"][3].update(parent=10**30),
        lambda game: game["journal"][-1]["clocks"].update(seats_ms=[]),
        lambda game: game["journal"][-1]["clocks"].update(active=[7]),
        lambda game: game["journal"][game["journal"][-1]["node"] - 1]["state"].update(hands=[]),
    ],
)
def test_a_broken_file_is_one_sentence_and_nothing_is_taken_in(evening: Session, tmp_path: Path, spoil: Spoil) -> None:
    game = json.loads(exported(evening, tmp_path / "out.json").read_text())
    spoil(game)
    (tmp_path / "out.json").write_text(json.dumps(game))
    other = Shelf(tmp_path / "other", game_of=toy.game_of)
    with pytest.raises(Malformed) as caught:
        import_json(other, tmp_path / "out.json")
    assert str(caught.value).count("\n") == 0
    assert str(caught.value).endswith(".")
    assert other.list() == ()


def test_a_file_that_an_editor_put_its_mark_on_is_taken_in(evening: Session, tmp_path: Path) -> None:
    file = exported(evening, tmp_path / "out.json")
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert import_json(Shelf(tmp_path / "other", game_of=toy.game_of), file) == evening.id


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff\xfe", b"null", b"[" * 100_000])
def test_what_is_no_export_at_all(shelf: Shelf, tmp_path: Path, text: bytes) -> None:
    (tmp_path / "x.json").write_bytes(text)
    with pytest.raises(Malformed, match="not an exported game"):
        import_json(shelf, tmp_path / "x.json")


def test_a_file_that_is_not_there_or_is_a_folder(shelf: Shelf, tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="no file"):
        import_json(shelf, tmp_path / "none.json")
    with pytest.raises(Malformed, match="is a folder"):
        import_json(shelf, tmp_path)


def test_a_game_nobody_knows(evening: Session, tmp_path: Path) -> None:
    file = exported(evening, tmp_path / "out.json")
    file.write_text(file.read_text().replace('"game":"pebbles"', '"game":"chess"'))
    with pytest.raises(UnknownGame):
        import_json(Shelf(tmp_path / "other", game_of=toy.game_of), file)


def test_a_name_that_leads_elsewhere_is_not_followed(evening: Session, tmp_path: Path) -> None:
    file = exported(evening, tmp_path / "out.json")
    file.write_text(file.read_text().replace(f'"id":"{evening.id}"', '"id":"../../x"'))
    with pytest.raises(Malformed, match="name"):
        import_json(Shelf(tmp_path / "other", game_of=toy.game_of), file)


def test_the_history_as_csv(evening: Session) -> None:
    lines = list(csv.DictReader(io.StringIO(history_csv(evening))))
    assert [line["kind"] for line in lines] == [line.kind for line in evening.history()]
    assert lines[5]["what"] == 'Correction: she said "two", then one'
    assert (lines[1]["origin"], lines[1]["stands"], lines[0]["stands"]) == ("seat 0", "no", "yes")


def test_the_score_as_csv(evening: Session) -> None:
    evening.redo()
    lines = list(csv.DictReader(io.StringIO(score_csv(evening))))
    assert [(line["name"], line["points"]) for line in lines] == [("North", "3"), ("East", "0"), ("South", "0")]


def test_a_play_for_bg_stats(session: Session, clock: ManualClock) -> None:
    for seat in (0, 0, 1, 1, 2):
        session.dispatch(Take(seat=seat, count=2))
    assert not any(player.winner for player in bgstats.play(session).players), "nobody has won yet"
    session.dispatch(Correction(why="time is up", set={"over": True}))
    clock.advance(1800)
    link = urlparse(bgstats.link(session))
    assert (link.netloc, link.path) == ("app.bgstatsapp.com", "/createPlay.html")
    assert json.loads(parse_qs(link.query)["data"][0]) == {
        "sourceName": "Castle Companion",
        "sourcePlayId": session.id,
        "playDate": "2023-11-14 22:13:20",
        "durationMin": 30,
        "game": {"name": "Pebbles", "sourceGameId": "pebbles", "highestWins": True, "noPoints": False},
        "players": [
            {"name": name, "sourcePlayerId": name, "score": score, "rank": rank, "winner": won, "startPlayer": first}
            for name, score, rank, won, first in (
                ("North", 4, 1, True, True),
                ("East", 4, 1, True, False),
                ("South", 2, 3, False, False),
            )
        ],
    }
