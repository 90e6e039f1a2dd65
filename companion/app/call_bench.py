"""How soon a fall is on the screen: from the touch on a simulated board to the call drawn, in real time.

The window is a real one without a display. Beside it stands how soon the detector itself had decided. A tower falls on
each of two boards, and then another where pieces lie about already: there the scales may have to wait for the eye.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct

from companion.app.bench import Row
from companion.app.stage import Stage
from companion.errors import CompanionError
from companion.live.bench import quantile
from companion.live.log import TableLog
from companion.live.sources import simulated
from companion.live.table import LiveTable, monotonic_us
from companion.rules.base import Setup
from companion.rules.random_play import Luck
from companion.session.clocks import SystemClock

DRAWN_AIM_MS = 350.0
DECIDED_AIM_MS = 250.0

_BOARDS = ("south", "north")
_ACTS = ("knock left hard", "north: knock right hard", "knock right hard")
_ON_CLEAR_BOARDS = 2  # of these acts
_UP_S = 90.0
_SETTLE_S = 6.0
_FALL_S = 30.0
_TRUTH_S = 3.0
_FIRST_SEED = 200
_SAME_US = 2_500_000
_US_PER_S = 1_000_000
_US_PER_MS = 1000


class Call(Struct, frozen=True):
    """One call: ms after the touch, when it was decided and when it had been drawn."""

    decided_ms: float
    drawn_ms: float
    clear: bool
    """Whether nothing lay about on the board."""


class CallReport(Struct, frozen=True, kw_only=True):
    """All calls, and how many towers fell without one."""

    calls: tuple[Call, ...]
    missed: int

    def rows(self) -> tuple[Row, ...]:
        """The measurements beside their aims."""
        clear = [call for call in self.calls if call.clear]
        missed = f"{self.missed} missed"
        return (
            _row("contact to the detector's decision, p95", [each.decided_ms for each in self.calls], missed),
            _row("contact to the call drawn, p95", [each.drawn_ms for each in self.calls], missed, DRAWN_AIM_MS),
            _row("  the same where nothing lay about: decision", [each.decided_ms for each in clear]),
            _row("  and drawn", [each.drawn_ms for each in clear], aim=DRAWN_AIM_MS),
        )


def _row(what: str, values: list[float], more: str = "", aim: float = DECIDED_AIM_MS) -> Row:
    notes = [f"of {len(values)} calls", more, f"p50 {quantile(values, 0.5):.0f} ms"]
    return Row(what=what, value=quantile(values, 0.95), unit="ms", aim=aim, note=", ".join(filter(None, notes)))


def run(rounds: int, out: Callable[[str], object] = print) -> bool:
    """Measure and print; whether every tower was called, and soon enough."""
    report = measure(rounds, out)
    rows = report.rows()
    for row in rows:
        out(str(row))
    return bool(report.calls) and not report.missed and all(row.ok for row in rows)


def measure(rounds: int, say: Callable[[str], object]) -> CallReport:
    """Bring down some towers in each round, each round on another table and in another app."""
    calls: list[Call] = []
    for number in range(rounds):
        with TemporaryDirectory(prefix="companion-bench-") as home:
            calls += _Round(Path(home), _FIRST_SEED + number).play()
        say(f"round {number + 1} of {rounds}: {len(calls)} calls so far")
    return CallReport(calls=tuple(calls), missed=rounds * len(_ACTS) - len(calls))


class _Round:
    """One app at one table."""

    def __init__(self, home: Path, seed: int) -> None:
        self._table = LiveTable(simulated(_BOARDS, seed, built=True), log=TableLog(home / "log"))
        self._stage = Stage(home, dealer=Luck(1), clock=SystemClock(), live=True, tables=lambda *_: self._table)
        self._stage.app.settings.change(watch="simulated", sound=False, language="en")
        self._touches: list[int] = []

    def play(self) -> list[Call]:
        stage, app = self._stage, self._stage.app
        stage.open()
        try:
            session = app.shelf.new("castle-dukes", Setup(seats=("North", "East")))
            app.go("table", session=session)
            if not self._until(lambda: app.lookout and app.lookout.desk, _UP_S):
                raise CompanionError("The simulated table did not come up.")
            self._until(lambda: False, _SETTLE_S)
            found = [self._fall(act, clear=number < _ON_CLEAR_BOARDS) for number, act in enumerate(_ACTS)]
        finally:
            stage.close()
        return [call for call in found if call is not None]

    def _fall(self, act: str, clear: bool) -> Call | None:
        """One tower is brought down; the call that came of it is measured and set aside."""
        from kivy.graphics.opengl import glFinish

        watchman = self._stage.app.watchman
        self._touches.clear()
        if watchman.lookout is not None:
            watchman.lookout.hand(act)
        self._until(lambda: watchman.call, _FALL_S)
        if watchman.call is None or watchman.lookout is None:
            return None
        glFinish()
        drawn_us, proposal = monotonic_us(), watchman.call.model.proposal
        self._until(lambda: self._touches, _TRUTH_S)
        watchman.lookout.answer(proposal.id, "reject")
        self._until(lambda: False, _SETTLE_S)
        touch_us = min(self._touches, key=lambda at_us: abs(at_us - proposal.event.t_us), default=None)
        if touch_us is None or abs(touch_us - proposal.event.t_us) > _SAME_US:
            return None
        decided_us = proposal.event.decided_us
        return Call((decided_us - touch_us) / _US_PER_MS, (drawn_us - touch_us) / _US_PER_MS, clear)

    def _until(self, there: Callable[[], Any], seconds: float) -> bool:
        """Let frames go by until something is there, or for so long. What was true is heard meanwhile."""
        end_us = monotonic_us() + seconds * _US_PER_S
        while not (found := bool(there())) and monotonic_us() < end_us:
            self._stage.frames()
            lookout = self._stage.app.lookout
            for told in lookout.told() if lookout is not None else ():
                if told["kind"] == "truth" and told["event"]["kind"] == "collapse":
                    self._touches.append(told["at_us"])
        return found
