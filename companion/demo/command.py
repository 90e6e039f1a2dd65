"""`companion demo`: on a display in the app, without one in the terminal."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app import kivyenv
from companion.app.models.tables import SensedTable
from companion.demo.game import BOARDS
from companion.errors import Malformed, PartMissing
from companion.live.log import TableLog
from companion.live.sources import simulated
from companion.live.table import LiveTable
from companion.session import folder

SEED = 3
"""A table, a camera and a pair of hands with which the evening goes well to look at."""
_HIGH_PX = 520
"""The app's own height, and a line of captions over it."""
_FPS = 30
"""Half of what the app shows otherwise: the table is drawn on this machine, too."""
_TWINS_PHYSICS = "mujoco"


def run(keep: str, *, text: bool) -> bool:
    """Play the demo. Whether it came to the tally. Raises PartMissing without the simulated table."""
    if find_spec(_TWINS_PHYSICS) is None:
        raise PartMissing("The demo on the simulated table", _TWINS_PHYSICS, "twin")
    kept = _checked(Path(keep)) if keep else None
    if not text and kivyenv.display_answers(os.environ):
        try:
            return _in_window(kept)
        except SystemExit:  # Kivy's way to say that no window could be had
            print("The window could not be opened: the demo goes on here.", file=sys.stderr)
    from companion.demo import terminal

    return terminal.run(kept or _stamped(), partial(print, flush=True), table)


def _in_window(kept: Path | None) -> bool:
    kivyenv.guard()
    kivyenv.on_a_display(os.environ)
    kivyenv.prepare(kivyenv.window_from_environment(kivyenv.Window(height=_HIGH_PX, max_fps=_FPS)))
    from companion.demo import window

    with TemporaryDirectory(prefix="companion-demo-") if kept is None else nullcontext(kept) as home:
        return window.run(Path(home), table, partial(print, flush=True))


def table(seats: int, _simulated: bool) -> SensedTable:
    """The simulated table, with a board for each seat."""
    return LiveTable(simulated(BOARDS[:seats], SEED), log=TableLog())


def _checked(kept: Path) -> Path:
    if kept.exists() and (not kept.is_dir() or any(kept.iterdir())):
        raise Malformed(f"{kept} is there already: --keep needs a folder that is new or empty.")
    return kept


def _stamped() -> Path:
    """A folder of its own among what the companion keeps."""
    return folder.home() / "demo" / f"{datetime.now().astimezone():%Y-%m-%d-%H%M%S}"
