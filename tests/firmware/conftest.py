"""The firmware, built where its tools are; a test that needs one that is not here says which package has it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.firmware.core import Core
from tests.firmware.emulated import Emulator, build, missing


@pytest.fixture(scope="session")
def emulator() -> None:
    """Skips where the emulator cannot be built."""
    why = missing()
    if why:
        pytest.skip(why)


@pytest.fixture
def start(emulator: None, tmp_path: Path) -> Iterator[Callable[..., Emulator]]:
    """Starts emulated modules, and ends them after the test."""
    started: list[Emulator] = []

    def one(**options: float) -> Emulator:
        started.append(Emulator.start(tmp_path, **options))  # type: ignore[arg-type]
        return started[-1]

    yield one
    for board in started:
        board.close()


@pytest.fixture
def board(start: Callable[..., Emulator]) -> Emulator:
    """A module with four chips that has just booted."""
    module = start()
    module.run(0.02)
    return module


@pytest.fixture(scope="session")
def library() -> Path:
    if shutil.which("gcc") is None or shutil.which("make") is None:
        pytest.skip("gcc or make not found: apt-get install gcc make")
    return build("host") / "libscales.so"


@pytest.fixture
def core(library: Path) -> Core:
    """A module as new, booted, its greeting heard and its chips powered up and settled."""
    module = Core(library)
    module.boot()
    module.idle(8000)
    for _ in range(4):
        module.convert(0, 0, 0, 0)
    module.sent()
    return module
