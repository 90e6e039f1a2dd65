"""Films in place of a camera: in their own time or as fast as can be, once or over and over."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from companion.devices.camera.film import FilmCamera
from companion.errors import DeviceLost
from companion.sensing.plan import FORMAT, VERSION, Camera, Plan
from companion.sensing.recording import RecordingWriter
from companion.sensing.streams import Frame
from companion.session.clocks import ManualClock
from tests.devices.camera.conftest import START_S, Watched, film, grey

_START_US = int(START_S * 1e6)
_TIMES_US = (5_000_000, 5_040_000, 5_070_000, 5_200_000)


@pytest.fixture
def video(tmp_path: Path) -> Path:
    return film(tmp_path / "film.avi")


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """Four pictures at uneven times."""
    plan = Plan(format=FORMAT, version=VERSION, boards=(), camera=Camera(64, 48))
    with RecordingWriter(tmp_path / "evening", plan) as writer:
        for index, t_us in enumerate(_TIMES_US):
            writer.add_frame(Frame(t_us, index, grey(50 + 40 * index)))
    return tmp_path / "evening"


def all_of(camera: FilmCamera, most: int = 50) -> list[Frame]:
    frames: list[Frame] = []
    while len(frames) < most and (frame := camera.read()) is not None:
        frames.append(frame)
    return frames


class TestAsFastAsCanBe:
    def test_a_video(self, video: Path) -> None:
        camera = FilmCamera(video, paced=False)
        frames = all_of(camera)
        assert [frame.t_us for frame in frames] == [40_000 * index for index in range(10)]
        assert [frame.image.mean() for frame in frames] == pytest.approx(list(range(20, 220, 20)), abs=3)
        assert (camera.over, camera.name) == (True, "film.avi")
        camera.close()

    def test_a_recording_keeps_its_own_times(self, recording: Path) -> None:
        camera = FilmCamera(recording, paced=False)
        assert tuple(frame.t_us for frame in all_of(camera)) == _TIMES_US
        assert camera.over

    def test_in_a_loop_time_goes_on(self, recording: Path) -> None:
        frames = all_of(FilmCamera(recording, paced=False, loop=True))
        assert len(frames) == 50
        steps = [after.t_us - before.t_us for before, after in pairwise(frames)]
        assert steps[:8] == [40_000, 30_000, 130_000, 130_000, 40_000, 30_000, 130_000, 130_000]
        assert [frame.index for frame in frames] == list(range(50))


class TestInItsOwnTime:
    def test_each_picture_comes_when_it_is_due(self, recording: Path, clock: ManualClock) -> None:
        camera = FilmCamera(recording, monotonic_ns=clock.monotonic_ns)
        shown: list[tuple[int, int]] = []
        for _ in range(300):
            frame = camera.read()
            if frame is not None:
                shown.append((frame.t_us - _START_US, clock.monotonic_ns() // 1000 - frame.t_us))
            clock.advance(0.001)
        assert [t_us for t_us, _ in shown] == [0, 40_000, 70_000, 200_000]
        assert all(0 <= late_us < 1000 for _, late_us in shown)
        assert camera.over

    def test_after_a_long_wait_it_goes_on_from_now(self, video: Path, clock: ManualClock) -> None:
        camera = FilmCamera(video, monotonic_ns=clock.monotonic_ns)
        camera.read()
        clock.advance(10)
        frame = camera.read()
        assert frame is not None
        assert frame.t_us == clock.monotonic_ns() // 1000
        assert camera.read() is None
        assert not camera.over

    def test_through_the_feed(self, video: Path, clock: ManualClock, watch: Callable[..., Watched]) -> None:
        watched = watch(lambda: FilmCamera(video, loop=True, monotonic_ns=clock.monotonic_ns))
        watched.run(2)
        assert len(watched.frames) == pytest.approx(50, abs=1)
        assert watched.status.fps == pytest.approx(25, rel=0.01)

    def test_through_the_feed_to_its_end(self, video: Path, clock: ManualClock, watch: Callable[..., Watched]) -> None:
        watched = watch(lambda: FilmCamera(video, monotonic_ns=clock.monotonic_ns))
        watched.run(2)
        assert (len(watched.frames), watched.status.state) == (10, "ended")


@pytest.mark.parametrize("name", ["missing.avi", "text.avi", "empty"])
def test_what_is_no_film_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "text.avi").write_text("This is no video.")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DeviceLost, match=name):
        FilmCamera(tmp_path / name, loop=True).read()


def test_a_recording_without_a_video(tmp_path: Path, recording: Path) -> None:
    next(recording.glob("video.*")).unlink()
    (recording / "scales.csv").write_text("t_us,board,flags,c0\n")
    with pytest.raises(DeviceLost, match="tells of pictures, but there is no video"):
        FilmCamera(recording).read()
    (recording / "frames.csv").unlink()
    with pytest.raises(DeviceLost, match="Nothing was filmed"):
        FilmCamera(recording).read()


def test_a_film_that_vanishes_while_it_loops(video: Path, watch: Callable[..., Watched]) -> None:
    watched = watch(lambda: FilmCamera(video, paced=False, loop=True))
    watched.run(0.1)
    video.unlink()
    watched.run(0.5)
    assert watched.status.state == "lost"
    assert "cannot be read as a video" in watched.status.says
