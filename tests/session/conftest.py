from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.rules.base import Setup
from companion.session.clocks import ManualClock
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.session import toy

SEATS = ("North", "East", "South")
EVENING_S = 1_700_000_000


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(wall_s=EVENING_S)


@pytest.fixture
def shelf(tmp_path: Path, clock: ManualClock) -> Shelf:
    return Shelf(tmp_path / "games", game_of=toy.game_of, clock=clock)


@pytest.fixture
def session(shelf: Shelf) -> Iterator[Session]:
    with shelf.new(toy.ID, Setup(seats=SEATS)) as session:
        yield session
