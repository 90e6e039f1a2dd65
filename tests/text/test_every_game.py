"""Every game on the shelf can be played to its end at the text table, by numbers alone."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pytest

from companion.rules import registry
from companion.rules.base import Setup
from companion.session.dealing import RandomDealer
from companion.session.session import Session
from companion.session.shelf import Shelf
from companion.text.paper import PlainPaper
from companion.text.play import Ending, TextTable
from companion.text.scene import offers
from companion.text.seating import NAMES

_MOST_QUESTIONS = 5000
_DETOUR_ONE_IN = 25
_DETOURS = ("u", "r", "h", "s", "all", "?", "? 1", "why 1", "t", "", "!", "zzz", "999", "fix turn")


class Guesser(PlainPaper):
    """Picks legal numbers by chance, lets the companion draw, and wanders off now and then."""

    def __init__(self, session: Session, chance: random.Random) -> None:
        self.written = io.StringIO()
        super().__init__(self.written)
        self._session = session
        self._chance = chance
        self._asked = 0

    def ask(self, question: str) -> str:
        self._asked += 1
        assert self._asked < _MOST_QUESTIONS, "the game does not end"
        if question.startswith("Enter to leave"):
            return ""
        return self._move() if question == ">" else "d"

    def _move(self) -> str:
        if self._chance.randrange(_DETOUR_ONE_IN) == 0:
            return self._chance.choice(_DETOURS)
        state: Any = self._session.state
        legal = [offer for offer in offers(self._session.game.prompts(state)) if offer.legal]
        must = [offer for offer in legal if offer.prompt.must]
        return str(self._chance.choice(must or legal).number)


@pytest.mark.parametrize("game", registry.ids())
@pytest.mark.parametrize("seats", [1, 2, 5])
def test_a_whole_game_by_numbers(game: str, seats: int, tmp_path: Path) -> None:
    low, high = registry.get(game).info.players
    names = NAMES[: max(low, min(seats, high))]
    with Shelf(tmp_path).new(game, Setup(seats=names)) as session:
        paper = Guesser(session, random.Random(seats))
        table = TextTable(session, paper, RandomDealer(seats), auto_draw=True)
        assert table.play() is Ending.LEFT
        assert session.state is not None
        assert session.state.over
        assert "the tally" in paper.written.getvalue()
