"""How the senses are, in sentences: made from what the drivers report, for the screen and for the log."""

from __future__ import annotations

from collections.abc import Iterable

from companion.devices.camera.feed import CameraState, CameraStatus
from companion.devices.scales.driver import ModuleReport
from companion.live.shown import SenseHealth, SenseState, parted
from companion.sensing.plan import Plan

_STARTING_US = 8_000_000
_SILENT_US = 2_500_000
_CAMERA_STATES: dict[CameraState, SenseState] = {
    "off": "off", "ended": "off", "starting": "starting", "ready": "ready", "black": "lost", "frozen": "lost",
    "lost": "lost",
}  # fmt: skip
_PLUG_IN = "Plug its cable in again; it is taken up by itself."


def camera_health(plan: Plan, status: CameraStatus | None) -> list[SenseHealth]:
    """The camera's line; none for a table without one."""
    if plan.camera is None:
        return []
    if status is None:
        return [SenseHealth(name="Camera", sense="camera", state="starting", says="The camera is starting.")]
    state = _CAMERA_STATES[status.state]
    return [SenseHealth(name="Camera", sense="camera", state=state, says=status.says, rate_hz=status.fps)]


def scales_health(
    plan: Plan, reports: Iterable[ModuleReport], felt_us: dict[str, int], began_us: int, now_us: int
) -> list[SenseHealth]:
    """A line for each board with cells. `felt_us` is when each board's last sample came."""
    modules = {report.board: report for report in reports if report.board}
    return [
        _board_health(board.id, modules.get(board.id), felt_us.get(board.id), began_us, now_us)
        for board in plan.boards
        if board.cells
    ]


def _board_health(
    board: str, report: ModuleReport | None, felt_us: int | None, began_us: int, now_us: int
) -> SenseHealth:
    fresh = felt_us is not None and now_us - felt_us < _SILENT_US
    young = now_us - began_us < _STARTING_US
    if report is None:
        if young:
            return _scales(board, "starting", f"The scales of {board} are being looked for.")
        return _scales(board, "lost", f"No scale module of {board} was found.", "Plug it in; it is taken up by itself.")
    says = " ".join(report.says[:1])
    if report.state == "ready" and fresh:
        return _scales(board, "ready", says, rate_hz=report.rate_hz)
    if report.state in ("ready", "greeting") and felt_us is None and young:
        return _scales(board, "starting", f"The scales of {board} are starting.")
    if says and report.state != "ready":
        return _scales(board, "lost", says, "" if parted(says)[1] else _PLUG_IN)
    return _scales(board, "lost", f"The scales of {board} say nothing any more.", _PLUG_IN)


def _scales(
    board: str, state: SenseState, says: str = "", remedy: str = "", rate_hz: float | None = None
) -> SenseHealth:
    return SenseHealth(
        name=f"Scales {board}", sense="scales", board=board, state=state, says=says, remedy=remedy, rate_hz=rate_hz
    )
