from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.models.settings import SettingsModel
from companion.app.models.table import TableModel
from companion.rules.base import Setup
from companion.session.clocks import ManualClock
from companion.session.dealing import RandomDealer
from companion.session.session import Session
from companion.session.shelf import Shelf
from tests.app.models.hand import Hand

SEATS = ("North", "East", "South", "West")
EVENING_S = 1_700_000_000


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(wall_s=EVENING_S)


@pytest.fixture
def shelf(tmp_path: Path, clock: ManualClock) -> Shelf:
    return Shelf(tmp_path / "games", clock=clock)


@pytest.fixture
def session(shelf: Shelf) -> Iterator[Session]:
    """Four dukes who have just sat down."""
    with shelf.new("castle-dukes", Setup(seats=SEATS)) as session:
        yield session


@pytest.fixture
def table(session: Session, clock: ManualClock) -> TableModel:
    return TableModel(session, dealer=RandomDealer(1), clock=clock)


@pytest.fixture
def hand(table: TableModel) -> Hand:
    return Hand(table)


@pytest.fixture
def settings(tmp_path: Path) -> SettingsModel:
    return SettingsModel(tmp_path / "config" / "app.toml")
