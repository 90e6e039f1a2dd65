from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from tests.app.driver import Driver
from tests.app.screens.evening import Evening, an_evening, past_evenings


@pytest.fixture
def drive(drive: Driver) -> Driver:
    """Most tests here look at boxes, words and touches: frames are painted where a test asks for pixels or says so."""
    drive.blind = True
    return drive


@pytest.fixture(scope="session")
def past_games() -> Iterator[Path]:
    """A folder of games that were played to their end."""
    yield from past_evenings()


@pytest.fixture
def evening(drive: Driver, tmp_path: Path) -> Iterator[Evening]:
    """An app's home with nothing in it."""
    yield from an_evening(drive, tmp_path)


@pytest.fixture
def late_evening(evening: Evening, past_games: Path) -> Evening:
    """An app's home with past games in it."""
    copytree(past_games, evening.folders.games)
    return evening
