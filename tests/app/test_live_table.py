"""The whole way, once: a simulated tower falls, bytes and pictures are sensed, the table is called, a finger answers.

The twin runs in a process of its own and speaks through a pseudo terminal; everything from there on is the product.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.app.stage import Stage
from companion.live.log import TableLog
from companion.live.sources import simulated
from companion.live.table import LiveTable
from companion.rules.base import Setup
from companion.rules.random_play import Luck
from companion.session.clocks import SystemClock
from companion.session.session import Session

_UP_S = 45.0
_SENSED_S = 25.0
_SEED = 3


def _until(stage: Stage, there: Callable[[], Any], seconds: float, what: str) -> Any:
    """Lets frames go by, as fast as a display shows them, until something is there."""
    end = time.monotonic() + seconds
    while not (found := there()):
        assert time.monotonic() < end, f"Waited {seconds:.0f} s in vain for {what}."
        stage.frames()
    return found


def _stands(table: LiveTable) -> bool:
    return any(tower.levels for board in table.reading.boards for tower in board.towers)


def _crumble_points(session: Session) -> int:
    return sum(line.points for line in session.score().lines if line.seat == 0 and line.key == "crumbles")


def test_a_tower_that_falls_on_the_twin_is_called_and_booked_by_one_touch(tmp_path: Path) -> None:
    table = LiveTable(simulated(("south",), _SEED, built=True), log=TableLog(tmp_path / "log"))
    stage = Stage(tmp_path, dealer=Luck(1), clock=SystemClock(), live=True, tables=lambda seats, simulated: table)
    stage.app.settings.change(watch="simulated", sound=False, language="en")
    stage.open()
    try:
        session = stage.app.shelf.new("castle-dukes", Setup(seats=("North", "East")))
        stage.app.go("table", session=session)
        lookout = stage.app.lookout
        assert lookout is not None
        _until(stage, lambda: lookout.desk, _UP_S, "the twin")
        _until(stage, lambda: all(sense.state == "ready" for sense in table.health), _UP_S, "its senses")
        _until(stage, lambda: _stands(table), _SENSED_S, "its towers")
        before = _crumble_points(session)
        assert lookout.hand("knock left hard") == ""
        call = _until(stage, lambda: stage.app.watchman.call, _SENSED_S, "the call")
        assert call.model.name == "North"
        _until(stage, lambda: not call.film.empty and call.model.whole, _SENSED_S, "the replay")
        assert call.model.shown == "both"
        stage.tap(stage.named("answer book"))
        assert stage.app.watchman.call is None
        state: Any = session.state
        assert state.dukes[0].crumbles == 1
        assert session.history()[-1].origin.startswith("sensor")
        assert _crumble_points(session) < before
    finally:
        stage.close()
    assert not table.ready
