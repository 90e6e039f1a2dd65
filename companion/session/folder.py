"""Where the companion keeps what is yours: saved games, and what it has learned of your boxes."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import platformdirs

HOME_VARIABLE = "COMPANION_HOME"
_APP = "castle-companion"


def home() -> Path:
    """The base folder: `COMPANION_HOME` if set, otherwise the platform's folder for user data."""
    chosen = os.environ.get(HOME_VARIABLE)
    return Path(chosen).expanduser() if chosen else platformdirs.user_data_path(_APP, appauthor=False)


def games() -> Path:
    """The folder of saved games."""
    return home() / "games"


def scratch() -> TemporaryDirectory[str]:
    """A folder on the disk of the saved games that goes away when it is left."""
    home().mkdir(parents=True, exist_ok=True)
    return TemporaryDirectory(dir=home(), prefix="scratch-")
