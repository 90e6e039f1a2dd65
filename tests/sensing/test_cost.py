"""What looking costs is measured beside MOG2, and memory over a recording that goes on and on."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.errors import BadRecording
from companion.sensing.cost import Cost, Memory, Ruler, camera_cost, memory_growth
from companion.sensing.plan import Camera
from companion.sensing.recording import Recording, RecordingWriter
from companion.sensing.streams import Frame, ScaleSample
from companion.text import eye_bench
from companion.text.paper import PlainPaper
from tests.sensing.forces import plan

PLAN = msgspec.structs.replace(plan(), camera=Camera(64, 48))


def a_frame(number: int) -> Frame:
    return Frame(number * 33_333, number, np.full((48, 64, 3), 5 * number, np.uint8))


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    with RecordingWriter(tmp_path / "rec", PLAN) as writer:
        for number in range(12):
            writer.add_frame(a_frame(number))
            writer.add_sample(ScaleSample(number * 33_333, "north", (1, 2, 3, 4)))
    return Recording.open(tmp_path / "rec")


def test_a_ruler_takes_a_share_of_the_pictures_and_leaves_out_the_first() -> None:
    whole, part = Ruler(every=1), Ruler(every=5)
    for number in range(200):
        whole.show(a_frame(number % 50))
        part.show(a_frame(number % 50))
    assert (whole.frames, part.frames) == (195, 24 + 30)
    assert whole.ms > 0


def test_the_camera_path_is_measured_at_its_own_and_at_another_size(recording: Recording) -> None:
    own, large = camera_cost(recording), camera_cost(recording, (128, 72))
    assert (own.size, large.size) == ((64, 48), (128, 72))
    assert own.frames == large.frames == 12
    assert own.ours_ms > 0
    assert own.mog2_ms > 0
    assert Cost((64, 48), 3, 6.0, 12.0).ratio == 0.5


def test_memory_is_followed_over_a_recording_that_begins_again(recording: Recording) -> None:
    heard: list[float] = []
    memory = memory_growth(recording, 0.1, heard.append)
    assert memory.minutes >= 0.1
    assert len(heard) > 100
    assert heard == sorted(heard)
    assert memory.start_mb > 10


def test_without_pictures_there_is_nothing_to_measure(tmp_path: Path) -> None:
    with RecordingWriter(tmp_path / "rec", plan()) as writer:
        writer.add_sample(ScaleSample(1, "north", (1, 2, 3, 4)))
    recording = Recording.open(tmp_path / "rec")
    with pytest.raises(BadRecording, match="no pictures"):
        camera_cost(recording)
    with pytest.raises(BadRecording, match="nothing to watch"):
        memory_growth(recording, 1.0)


@pytest.mark.parametrize(("ours_ms", "growth_mb", "kept"), [(5.0, 1.0, True), (7.0, 1.0, False), (5.0, 30.0, False)])
def test_the_bench_says_whether_all_is_kept(
    recording: Recording,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ours_ms: float,
    growth_mb: float,
    kept: bool,
) -> None:
    monkeypatch.setattr(eye_bench, "camera_cost", lambda rec, size=(640, 480): Cost(size, 9, ours_ms, 10.0))
    monkeypatch.setattr(
        eye_bench, "memory_growth", lambda rec, minutes, heard: Memory(minutes, 100.0, 100.0 + growth_mb)
    )
    assert eye_bench.run(recording.folder, 10.0, PlainPaper()) is kept
    shown = capsys.readouterr().out
    assert "640x480" in shown
    assert "1280x720" in shown
    assert f"(+{growth_mb:.1f} MB)" in shown
