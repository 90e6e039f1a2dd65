"""Disturbances do to the streams what they say, the same for the same seed, and nothing to a sense they leave alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.sensing import disturbances
from companion.sensing.disturbances import DISTURBANCES, Disturbance, Scene, disturbed
from companion.sensing.markers import MarkerFinder
from companion.sensing.recording import Recording, RecordingWriter
from companion.sensing.streams import Flag, Frame, Image, ScaleSample
from companion.sensing.views import Lens
from tests.sensing.painted import Painter, looking, one_board

PLAN = one_board()
FRAMES = 20
PERIOD_US = 50_000
_QUIET_COUNTS = (100_000, 100_100, 100_200, 100_300)


@pytest.fixture(scope="module")
def picture() -> Image:
    assert PLAN.camera is not None
    return Painter(PLAN, looking(Lens.of(PLAN.camera), (60.0, -310.0, 300.0), (0.0, 0.0, 20.0))).paint()


def film(picture: Image) -> Iterator[Frame]:
    return (Frame(number * PERIOD_US, number, picture.copy()) for number in range(FRAMES))


def weighed(many: int = 600) -> list[ScaleSample]:
    return [ScaleSample(number * 12_500, "south", _QUIET_COUNTS) for number in range(many)]


def a_scene(seed: int = 1, end_us: int = FRAMES * PERIOD_US) -> Scene:
    return Scene(PLAN, 0, end_us, np.random.default_rng(seed))


def markers(image: Image) -> set[int]:
    assert PLAN.camera is not None
    return set(MarkerFinder(PLAN.camera, PLAN).find(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))))


def test_half_of_the_markers_are_covered(picture: Image) -> None:
    frames = list(disturbances.half_the_markers_covered(a_scene(), film(picture)))
    assert len(frames) == FRAMES
    assert len(markers(picture)) == 4
    assert len(markers(frames[0].image)) == len(markers(frames[-1].image)) == 2


def test_what_moves_before_a_covered_marker_is_still_seen(picture: Image) -> None:
    frames = list(film(picture))
    frames[10].image[:] = (40, 60, 200)  # a sleeve before all of the picture
    seen = list(disturbances.half_the_markers_covered(a_scene(), iter(frames)))
    assert (seen[10].image == (40, 60, 200)).all()


def test_the_camera_is_pushed_half_way_and_by_a_centimetre(picture: Image) -> None:
    assert PLAN.camera is not None
    frames = list(disturbances.camera_nudged(a_scene(), film(picture)))
    assert (frames[0].image == picture).all()
    finder = MarkerFinder(PLAN.camera, PLAN)
    before, after = (
        finder.find(np.asarray(cv2.cvtColor(f.image, cv2.COLOR_BGR2GRAY))) for f in (frames[0], frames[-1])
    )
    side_px = float(np.linalg.norm(before[0][1] - before[0][0]))
    moved_px = float(np.linalg.norm(after[0].mean(axis=0) - before[0].mean(axis=0)))
    side_mm = PLAN.boards[0].markers[0].size_mm
    assert 5 < moved_px * side_mm / side_px < 15


def test_exposures_step_and_hold(picture: Image) -> None:
    frames = (Frame(number * 500_000, number, picture) for number in range(40))
    brightness = [float(frame.image.mean()) for frame in disturbances.exposure_steps(a_scene(), frames)]
    steps = np.abs(np.diff(brightness)) > 1
    assert 2 <= steps.sum() <= 7
    assert brightness[0] == pytest.approx(picture.mean())


def test_one_picture_in_ten_is_dropped() -> None:
    tiny = np.zeros((2, 2, 3), np.uint8)
    frames = (Frame(number, number, tiny) for number in range(2000))
    assert 1750 < len(list(disturbances.pictures_dropped(a_scene(), frames))) < 1850


def test_the_camera_clock_is_off_either_way(picture: Image) -> None:
    late = next(disturbances.camera_late(a_scene(), film(picture)))
    early = next(disturbances.camera_early(a_scene(), film(picture)))
    assert (late.t_us, early.t_us) == (40_000, -40_000)


def test_a_cell_dies_after_a_third_of_the_time() -> None:
    samples = list(disturbances.a_dead_cell(a_scene(end_us=7_500_000), weighed()))
    assert samples[100] == weighed()[100]
    assert sum(value is None for value in samples[-1].counts) == 1
    assert samples[-1].flags & Flag.TIMEOUT
    assert sum(None in sample.counts for sample in samples) == 400


def test_cells_glitch_with_rows_of_ones_and_neighbours_values() -> None:
    samples = list(disturbances.glitching_cells(a_scene(), weighed()))
    wrong = [
        (value, _QUIET_COUNTS[(channel + 1) % 4])
        for sample in samples
        for channel, value in enumerate(sample.counts)
        if value != _QUIET_COUNTS[channel]
    ]
    assert 0.01 < len(wrong) / 2400 < 0.03
    assert all(value == neighbour or (value or 0) & ((value or 0) + 1) == 0 for value, neighbour in wrong)
    assert 0.2 < np.mean([value == neighbour for value, neighbour in wrong]) < 0.8


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory, picture: Image) -> Recording:
    folder = tmp_path_factory.mktemp("all") / "quiet"
    with RecordingWriter(folder, PLAN) as writer:
        for sample in weighed(80):
            writer.add_sample(sample)
        for frame in film(picture):
            writer.add_frame(frame)
    return Recording.open(folder)


def _told(recording: Recording, disturbance: Disturbance, seed: int) -> list[object]:
    items = disturbed(recording, disturbance, seed)
    return [item if isinstance(item, ScaleSample) else (item.t_us, item.image.tobytes()) for item in items]


@pytest.mark.parametrize("disturbance", DISTURBANCES, ids=lambda each: each.name)
def test_a_disturbed_recording_is_in_order_and_the_same_for_the_same_seed(
    recording: Recording, disturbance: Disturbance
) -> None:
    items = list(disturbed(recording, disturbance))
    assert [item.t_us for item in items] == sorted(item.t_us for item in items)
    assert _told(recording, disturbance, 0) == _told(recording, disturbance, 0)
    untouched = [item for item in items if isinstance(item, Frame) == (disturbance.sense == "scales")]
    assert len(untouched) == (FRAMES if disturbance.sense == "scales" else 80)


def test_another_seed_is_another_disturbance(recording: Recording) -> None:
    glitching = DISTURBANCES[-1]
    assert _told(recording, glitching, 0) != _told(recording, glitching, 1)


def test_without_markers_in_the_picture_the_camera_is_still_pushed(tmp_path: Path) -> None:
    chance = np.random.default_rng(0)
    noise = chance.integers(0, 255, (480, 640, 3), np.uint8)
    frames = list(disturbances.camera_nudged(a_scene(), film(noise)))
    assert (frames[0].image == noise).all()
    assert (frames[-1].image != noise).any()
