"""The live table with real threads, a real serial line and pictures in shared memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from companion.devices.camera.feed import Camera, CameraFeed
from companion.devices.camera.source import Source
from companion.devices.scales.driver import Scales
from companion.devices.scales.twin import PtyModule, SimModule
from companion.devices.shared_pictures import PictureReader, PictureWriter
from companion.errors import BadRecording, DeviceLost
from companion.live.log import TableLog
from companion.live.sources import Nothing
from companion.live.table import LiveTable, monotonic_us
from companion.sensing.plan import Camera as CameraPlan
from companion.sensing.plan import Plan
from companion.sensing.recording import Recording
from companion.sensing.streams import Frame, Sensed
from tests.live.makeshift import READY, SIZE, Makeshift
from tests.sensing.forces import board, plan

_PATIENCE_S = 60.0


class _Pictures:
    """Shared pictures as a camera that is open."""

    name, live, over = "pictures", True, False

    def __init__(self, path: str) -> None:
        self._reader = PictureReader(path)

    def read(self) -> Frame | None:
        return self._reader.newest()

    def close(self) -> None:
        self._reader.close()


class Wired:
    """A table on a pseudo terminal and in shared memory, as the simulated table is, without its physics."""

    simulated = True
    says = remedy = ""
    alive = True

    def __init__(self, line: PtyModule, pictures: PictureWriter) -> None:
        self._line, self._pictures = line, pictures
        self.plan: Plan = msgspec.structs.replace(plan((board("south"),)), camera=CameraPlan(*SIZE, 30.0))
        self.heard: list[str] = []
        self.closed = 0

    def open(self, stop: threading.Event) -> Wired:
        return self

    def open_scales(self) -> Scales:
        return Scales(ports=self._line.ports)

    def open_camera(self) -> Camera:
        def opened() -> Source:
            return _Pictures(self._pictures.path)

        return CameraFeed(opened)

    def hand(self, words: str) -> None:
        self.heard.append(words)

    def told(self) -> Iterator[dict[str, Any]]:
        yield {"kind": "done", "line": self.heard.pop()}

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[tuple[LiveTable, Wired, PtyModule, PictureWriter]]:
    pictures = PictureWriter(*SIZE)
    with PtyModule(SimModule("south")).running() as line:
        sources = Wired(line, pictures)
        table = LiveTable(sources, log=TableLog(tmp_path / "log"))
        table.start()
        yield table, sources, line, pictures
        table.close()
    pictures.close()


class _Painter:
    """Puts a new picture into shared memory each time somebody looks whether something has come true."""

    def __init__(self, pictures: PictureWriter) -> None:
        self._pictures = pictures
        self._chance = np.random.default_rng(1)

    def until(self, true: Callable[[], bool]) -> None:
        """Wait for it, as long as it takes on a busy machine; fail when it never comes."""
        idle = threading.Event()
        for _ in range(round(_PATIENCE_S / 0.02)):
            self._pictures.put(self._chance.integers(60, 200, (SIZE[1], SIZE[0], 3), np.uint8), monotonic_us())
            if true():
                return
            idle.wait(0.02)
        pytest.fail("It never came true.")


def test_a_real_line_and_real_threads_bring_samples_and_pictures_and_end(
    wired: tuple[LiveTable, Wired, PtyModule, PictureWriter], tmp_path: Path
) -> None:
    table, sources, line, pictures = wired
    painter = _Painter(pictures)
    painter.until(lambda: [each.state for each in table.health] == ["ready", "ready"])
    painter.until(lambda: len(table.trace("south", 1.0)) > 20 and table.newest is not None)
    assert table.newest is not None
    assert table.newest.image.shape == (SIZE[1], SIZE[0], 3)
    assert table.reading.boards[0].board == "south"
    table.record(tmp_path / "kept")
    began_us = monotonic_us()
    painter.until(lambda: sum(each.t_us > began_us for each in table.evidence(_event(began_us)).pictures) > 20)
    assert table.stop_recording() == tmp_path / "kept"
    assert len(list(Recording.open(tmp_path / "kept").frames())) > 5

    line.unplug()
    painter.until(lambda: [each.state for each in table.health] == ["ready", "lost"])
    line.plug_in()
    painter.until(lambda: [each.state for each in table.health] == ["ready", "ready"])
    assert [event.kind for event in table.poll() if event.kind in ("collapse", "placed", "removed")] == []

    table.hand("place tile on left")
    assert table.told() == [{"kind": "done", "line": "place tile on left"}]
    table.close()
    assert sources.closed == 1
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith(("live-", "camera"))] == []


def _event(t_us: int) -> Sensed:
    return Sensed(kind="collapse", t_us=t_us, decided_us=t_us, board="south")


def test_it_can_be_closed_while_it_still_comes_up(tmp_path: Path) -> None:
    opening = threading.Event()

    class Slow(Nothing):
        def open(self, stop: threading.Event) -> Any:
            opening.set()
            stop.wait(_PATIENCE_S)
            raise DeviceLost("The simulated table did not start.")

    table = LiveTable(Slow(""), log=TableLog(tmp_path))
    table.start()
    assert opening.wait(_PATIENCE_S)
    assert [each.state for each in table.health] == ["starting"]
    table.close()
    assert not any(thread.name.startswith("live-") for thread in threading.enumerate())


def test_a_table_that_comes_up_after_it_was_closed_is_closed_again(tmp_path: Path) -> None:
    """Opening may take longer than anybody waits for at the end."""
    it = Makeshift(tmp_path)
    closed: list[bool] = []

    class Late(Nothing):
        def open(self, stop: threading.Event) -> Any:
            table.close()
            it.close = lambda: closed.append(True)  # type: ignore[method-assign]
            return it

    table = LiveTable(Late(""), log=TableLog(tmp_path), threads=False)
    table.keep()
    assert closed == [True]
    assert not table.ready
    it.table.close()


def test_no_table_at_all_is_told_and_harmless(tmp_path: Path) -> None:
    table = LiveTable(Nothing("Nothing is there.", "Plug it in."), log=TableLog(tmp_path), threads=False)
    table.step()
    (told,) = table.health
    assert (told.state, told.says, told.remedy) == ("off", "Nothing is there.", "Plug it in.")
    assert (table.ready, table.poll(), table.newest, table.trace("south", 1.0), table.told()) == (
        False,
        [],
        None,
        [],
        [],
    )
    assert table.evidence(_event(1)).pictures == ()
    with pytest.raises(DeviceLost):
        table.hand("knock left")
    with pytest.raises(BadRecording):
        table.record(tmp_path / "kept")
    table.close()


def test_a_thread_that_hangs_is_replaced_and_what_it_says_later_is_not_heard(tmp_path: Path) -> None:
    it = Makeshift(tmp_path)
    it.run(6.0)
    assert it.states() == READY
    sensing = next(loop for loop in it.table._up.loops if loop.name == "sensing") if it.table._up else None
    assert sensing is not None
    blocked, done = threading.Event(), threading.Event()

    class Hanging:
        def step(self) -> float:
            blocked.set()
            done.wait(_PATIENCE_S)
            return 0.0

        def close(self) -> None:
            """Nothing to let go of."""

    sensing._turn.work = Hanging()
    sensing.start()
    assert blocked.wait(_PATIENCE_S)
    it.clock.advance(20.0)
    it.table.keep()
    assert "'sensing' hangs" in it.log.file.read_text()
    assert "Sensing" in it.states()
    done.set()
    sensing.stop()
    sensing.join()
    it.table.close()
