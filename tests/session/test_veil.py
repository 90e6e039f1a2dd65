"""An export of a running game gives away nothing that is hidden at the table."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.rules.base import Action, Setup
from companion.session.exchange import export_json, import_json
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.session import toy
from tests.session.toy import Mark, Pebbles, Take


class Whispers(Pebbles):
    """Pebbles in which a mark is a secret until the end."""

    def public_state(self, state: toy.State) -> toy.State:
        return replace(state, marks=())

    def public_action(self, state: toy.State, action: Action) -> Action:
        return replace(action, name="?") if isinstance(action, Mark) else action

    def label(self, state: toy.State, action: Action) -> str:
        return "A secret mark" if isinstance(action, Mark) else super().label(state, action)


def _shelf(folder: Path) -> Shelf:
    return Shelf(folder, game_of=lambda game: Whispers())


def _exported(session: Session) -> str:
    out = io.BytesIO()
    export_json(session, out)
    return out.getvalue().decode()


def _played(folder: Path) -> Session:
    session = _shelf(folder).new(toy.ID, Setup(seats=("North", "East"), options={"bag": 4}))
    session.dispatch(Mark(name="raven"), "seat 0")
    session.dispatch(Take(seat=0, count=3), "seat 0")
    return session


def test_a_secret_does_not_leave_a_running_game(tmp_path: Path) -> None:
    with _played(tmp_path / "games") as session:
        assert session.state.marks == ("raven",)  # type: ignore[union-attr]
        assert "raven" not in _exported(session)


def test_it_is_told_when_the_game_is_over(tmp_path: Path) -> None:
    with _played(tmp_path / "games") as session:
        session.dispatch(Take(seat=1))
        assert "raven" in _exported(session)


def test_a_veiled_export_comes_in_again(tmp_path: Path) -> None:
    with _played(tmp_path / "games") as session:
        file = tmp_path / "out.json"
        file.write_text(_exported(session), encoding="utf-8")
    other = _shelf(tmp_path / "other")
    with other.open(import_json(other, file)) as twin:
        state: Any = twin.state
        assert (state.marks, state.bag) == ((), 1)
        twin.dispatch(Take(seat=1))
        assert twin.state is not None
        assert twin.state.over


def test_what_was_agreed_aloud_is_not_veiled(tmp_path: Path) -> None:
    with _played(tmp_path / "games") as session:
        labels = [line["label"] for line in json.loads(_exported(session))["journal"]]
        assert labels[1:] == ["A secret mark", "North takes 3"]
