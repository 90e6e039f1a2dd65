"""Kivy is set up once, before anything imports it, and every test gets a window as good as new."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.app import kivyenv

if TYPE_CHECKING:
    from tests.app.driver import Driver

_HOME = Path(tempfile.mkdtemp(prefix="companion-kivy-"))
atexit.register(shutil.rmtree, _HOME, ignore_errors=True)
for _name in (kivyenv.SIZE_VARIABLE, kivyenv.DENSITY_VARIABLE):
    os.environ.pop(_name, None)
kivyenv.prepare(kivyenv.Window(offscreen=True), home=_HOME)


@pytest.fixture
def drive() -> Iterator[Driver]:
    """A driver of the offscreen window, 800x480, dark, with motion on."""
    from tests.app.driver import Driver

    driver = Driver()
    yield driver
    driver.stop()
