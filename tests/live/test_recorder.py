"""What the table remembers, and what it writes down."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from companion.errors import BadRecording
from companion.live.recorder import Memory, Recorder
from companion.sensing.gaze import Gaze
from companion.sensing.recording import Passed, Recording, RecordingWriter
from companion.sensing.streams import Frame, ScaleSample, Sensed
from tests.live.makeshift import Makeshift
from tests.sensing.forces import board, plan

_US_PER_S = 1_000_000
_PATIENCE_S = 5.0


def _fed(memory: Memory, seconds: float, start_s: float = 0.0) -> None:
    chance = np.random.default_rng(3)
    for number in range(round(seconds * 100)):
        t_us = round(start_s * _US_PER_S) + number * 10_000
        memory.inbox.put([ScaleSample(t_us, "north", (90_000, 85_000, 90_000, 95_000))])
        if number % 4 == 0:
            memory.inbox.put([Frame(t_us, number, chance.integers(0, 255, (48, 64, 3), np.uint8))])
        memory.step()


def _memory() -> Memory:
    memory = Memory(lambda: 0, wait_s=0.0)
    memory.use(plan((board(),)))
    return memory


def test_it_remembers_the_last_seconds_around_an_event() -> None:
    memory = _memory()
    _fed(memory, 20.0)
    evidence = memory.evidence(Sensed(kind="collapse", t_us=17_000_000, decided_us=17_100_000, board="north"))
    assert evidence.pictures[0].t_us <= 14_100_000
    assert evidence.pictures[-1].t_us >= 18_400_000
    assert len(evidence.force_g()) > 400
    assert memory.evidence(Sensed(kind="collapse", t_us=1_000_000, decided_us=1, board="north")).pictures == ()


def test_a_recording_holds_all_that_came_while_it_ran_with_what_the_game_knew(tmp_path: Path) -> None:
    memory = _memory()
    _fed(memory, 1.0)
    memory.record(tmp_path / "deep" / "kept", {"phase": "building"})
    assert memory.recorder.folder == tmp_path / "deep" / "kept"
    with pytest.raises(BadRecording, match="under way already"):
        memory.record(tmp_path / "other", {})
    _fed(memory, 2.0, start_s=1.0)
    kept = memory.stop()
    assert kept is not None
    recording = Recording.open(kept)
    assert recording.plan.context == {"phase": "building"}
    assert [len(list(recording.samples())), len(list(recording.frames()))] == [200, 50]
    assert memory.stop() is None


def test_a_recording_says_which_frames_the_eye_let_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    it = Makeshift(tmp_path / "home")
    it.run(3.0)
    it.table.record(tmp_path / "kept")
    it.run(1.0)
    with monkeypatch.context() as overloaded:
        overloaded.setattr(Gaze, "busy", True)
        it.run(1.0)
    it.run(1.0)
    kept = it.table.stop_recording()
    assert kept is not None
    shown = list(Recording.open(kept).frames())
    passed = [frame for frame in shown if isinstance(frame, Passed)]
    assert len(passed) == it.table.counts["let pass"] == pytest.approx(len(shown) / 3, abs=3)
    assert shown.index(passed[-1]) - shown.index(passed[0]) == len(passed) - 1
    it.table.close()


def test_whoever_asks_what_happened_never_waits_for_the_disk(tmp_path: Path) -> None:
    """While a slow card takes a picture, the last seconds can be had all the same."""
    asked, writing, done = [], threading.Event(), threading.Event()

    class SlowCard(RecordingWriter):
        def add_frame(self, frame: Frame) -> None:
            writing.set()
            done.wait(10 * _PATIENCE_S)
            super().add_frame(frame)

    slow = Recorder(lambda: 0, lambda folder, plan: SlowCard(folder, plan, film="avi"), lambda folder: 10_000.0)
    memory = Memory(lambda: 0, slow, wait_s=0.0)
    memory.use(plan((board(),)))
    memory.record(tmp_path / "kept", {})
    memory.inbox.put([Frame(1_000_000, 0, np.zeros((48, 64, 3), np.uint8))])
    thread = threading.Thread(target=memory.step)
    thread.start()
    assert writing.wait(_PATIENCE_S)
    event = Sensed(kind="collapse", t_us=1_000_000, decided_us=1_000_000, board="north")
    asking = threading.Thread(target=lambda: asked.append(memory.evidence(event)))
    asking.start()
    asking.join(_PATIENCE_S)
    pictures = [len(evidence.pictures) for evidence in asked]
    done.set()
    thread.join()
    assert pictures == [1]
    assert memory.stop() == tmp_path / "kept"


def test_a_recording_of_nothing_is_not_kept(tmp_path: Path) -> None:
    memory = _memory()
    memory.record(tmp_path / "kept", {})
    assert memory.stop() is None
    assert "holds nothing" in memory.recorder.trouble
    assert list(tmp_path.iterdir()) == []
