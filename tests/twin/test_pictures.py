"""What the camera shows is where the stated camera says it is."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from companion.sensing.markers import marker_corners
from companion.sensing.plan import Camera, Plan
from companion.sensing.streams import Image
from companion.twin.camera import Eye, Lens, Sensor, SensorTraits, any_sensor, project, row_shares
from companion.twin.light import Light
from companion.twin.looks import Look, any_look
from companion.twin.physics import World
from companion.twin.render import Drawing, any_camera, any_eye, fitted_eye, nudged, plain_camera
from companion.twin.table import nominal_table, varied_table

_WITHIN_PX = 0.7


def _drawn(plan: Plan, eye: Eye, look: Look) -> tuple[World, Drawing]:
    assert plan.camera is not None
    world = World(plan, ["floor-tile", "pillar", "meeple"], dress=look)
    Light(look.mood, np.random.default_rng(0)).shine(world.model, 0.0)
    return world, Drawing(world.model, plan.camera, eye)


def _with_camera(plan: Plan, camera: Camera) -> Plan:
    return msgspec.structs.replace(plan, camera=camera)


def _corners_seen(picture: Image, near: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """A marker's corners: lines through where its black meets its white rim, searched across the stated edges.

    A marker detector's own corners are off by half a pixel; these are not.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    lines = [_edge(grey, near[at], near[(at + 1) % 4], near.mean(axis=0)) for at in range(4)]
    return np.stack([_crossing(lines[at - 1], lines[at]) for at in range(4)])


_Line = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def _edge(
    grey: npt.NDArray[np.float32],
    start: npt.NDArray[np.float64],
    end: npt.NDArray[np.float64],
    middle: npt.NDArray[np.float64],
) -> _Line:
    along = end - start
    out = np.array([along[1], -along[0]]) / np.linalg.norm(along)
    out = out if out @ (start - middle) > 0 else -out
    reach = 0.4 * float(out @ (start - middle)) / 3  # less than one of the marker's bits
    steps = np.linspace(-reach, reach, 81)
    points = []
    for share in np.linspace(0.12, 0.88, 25):
        path = (start + share * along)[None] + steps[:, None] * out
        profile = cv2.remap(grey, path[None].astype(np.float32), None, cv2.INTER_LINEAR)[0]
        level = (profile[:8].mean() + profile[-8:].mean()) / 2
        assert profile[-8:].mean() - profile[:8].mean() > 30, "no black meets white at the stated edge"
        points.append(path[int(np.argmax(profile > level))])
    centre = np.mean(points, axis=0)
    direction = np.linalg.svd(np.asarray(points) - centre)[2][0]
    return centre, direction


def _crossing(one: _Line, other: _Line) -> npt.NDArray[np.float64]:
    steps = np.linalg.solve(np.stack([one[1], -other[1]], axis=1), other[0] - one[0])
    return np.asarray(one[0] + steps[0] * one[1])


def _errors_px(plan: Plan, eye: Eye, picture: Image) -> list[float]:
    assert plan.camera is not None
    errors = []
    for board in plan.boards:
        assert board.pose is not None
        for marker in board.markers:
            stated = project(plan.camera, [board.pose.on_table(*corner) for corner in marker_corners(marker)], eye)
            errors.append(float(np.linalg.norm(_corners_seen(picture, stated) - stated, axis=1).max()))
    return errors


def _stated(plan: Plan, eye: Eye) -> npt.NDArray[np.float64]:
    assert plan.camera is not None
    assert plan.boards[0].pose is not None
    return project(plan.camera, [plan.boards[0].pose.on_table(0, 0)], eye)


def _ids_seen(picture: Image) -> set[int]:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    ids = detector.detectMarkers(cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))[1]
    return set() if ids is None else set(np.asarray(ids).ravel().tolist())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_marker_corners_agree_with_the_stated_camera(seed: int) -> None:
    rng = np.random.default_rng(seed)
    plan = varied_table(("south", "north") if seed == 2 else ("south",), seed)
    plan = _with_camera(plan, any_camera(rng, len(plan.boards)))
    assert plan.camera is not None
    eye = any_eye(rng, plan, plan.camera)
    world, drawing = _drawn(plan, eye, any_look(rng, "day"))
    picture = Lens(plan.camera).bend(drawing.shot(world.data))
    errors = _errors_px(plan, eye, picture)
    drawing.close()
    assert _ids_seen(picture) == {marker.id for board in plan.boards for marker in board.markers}
    assert max(errors) < _WITHIN_PX


def test_a_moved_camera_shows_the_markers_elsewhere() -> None:
    plan = _with_camera(nominal_table(), plain_camera())
    assert plan.camera is not None
    eye = fitted_eye(plan, plan.camera)
    world, drawing = _drawn(plan, eye, Look())
    there = nudged(eye, 1.0, np.random.default_rng(5))
    drawing.stand(there)
    picture = Lens(plan.camera).bend(drawing.shot(world.data))
    drawing.close()
    assert max(_errors_px(plan, there, picture)) < _WITHIN_PX
    assert float(np.abs(_stated(plan, there) - _stated(plan, eye)).max()) > 2 * _WITHIN_PX


def test_a_still_table_is_drawn_once_and_a_moved_piece_is_seen() -> None:
    plan = _with_camera(nominal_table(), plain_camera())
    assert plan.camera is not None
    world, drawing = _drawn(plan, fitted_eye(plan, plan.camera), Look())
    first = drawing.shot(world.data)
    again = drawing.shot(world.data)
    world.put(world.pieces[0], world.on_table(0, (0.06, 0.06, 0.001)))
    world.step()
    moved = drawing.shot(world.data)
    drawing.close()
    assert again is first
    assert np.abs(moved.astype(int) - first).max() > 30


def test_the_lens_bends_as_opencv_does() -> None:
    camera = any_camera(np.random.default_rng(3), 1)
    lens = Lens(camera)
    dot = np.zeros((lens.pinhole.height, lens.pinhole.width, 3), np.uint8)
    cv2.circle(dot, (100, 90), 4, (255, 255, 255), -1)
    bent = lens.bend(dot)[:, :, 0].astype(float)
    rows, columns = np.nonzero(bent > 60)
    ray = (
        (100 - (lens.pinhole.width - 1) / 2) / lens.pinhole.focal_px,
        (90 - (lens.pinhole.height - 1) / 2) / lens.pinhole.focal_px,
    )
    expected = project(camera, [(ray[0], ray[1], 1.0)], _AT_ORIGIN)[0]
    assert abs(columns.mean() - expected[0]) < 0.5
    assert abs(rows.mean() - expected[1]) < 0.5


class _Straight(Eye, frozen=True):
    def extrinsics(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        return np.eye(3), np.zeros(3)


_AT_ORIGIN = _Straight((0.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def test_rows_are_exposed_one_after_the_other() -> None:
    shares = row_shares(480, (-0.008, 0.0, 0.008), 0.004, 0.02)
    assert np.allclose(shares.sum(axis=1), 1)
    assert shares[0].argmax() == 0
    assert shares[240].argmax() == 1
    assert shares[-1].argmax() == 2


def _grey(camera: Camera, level: int) -> Image:
    pinhole = Lens(camera).pinhole
    return np.full((pinhole.height, pinhole.width, 3), level, np.uint8)


def test_a_plain_sensor_adds_nothing() -> None:
    camera = plain_camera(64, 48)
    sensor = Sensor(camera, SensorTraits(), np.random.default_rng(0))
    taken = sensor.take([_grey(camera, 120)], (0.0,), None, 0)
    assert (taken == 120).all()


def test_noise_grows_with_light() -> None:
    camera = plain_camera(64, 48)
    sensor = Sensor(camera, SensorTraits(noise=4.0), np.random.default_rng(0))
    bright = sensor.take([_grey(camera, 200)], (0.0,), None, 0)
    dark = sensor.take([_grey(camera, 30)], (0.0,), None, 1000)
    assert bright.std() > 1.5 * dark.std() > 0


def test_the_exposure_follows_the_light_late_and_in_a_step() -> None:
    camera = plain_camera(64, 48)
    sensor = Sensor(camera, SensorTraits(aims_at=105, adapts_s=0.5), np.random.default_rng(0))
    sensor.take([_grey(camera, 105)], (0.0,), None, 0)
    times = range(33_333, 1_500_000, 33_333)
    seen = [float(sensor.take([_grey(camera, 50)], (0.0,), None, t_us).mean()) for t_us in times]
    assert seen[0] == pytest.approx(50, abs=1)
    assert seen[13] == seen[0]
    assert seen[-1] > 1.3 * seen[0]
    assert len({round(level) for level in seen}) <= 3


def test_some_pictures_are_lost_and_times_are_not_exact() -> None:
    traits = SensorTraits(drop_share=0.2, jitter_us=2000.0, late_us=30_000)
    sensor = Sensor(plain_camera(64, 48), traits, np.random.default_rng(1))
    stamps = [sensor.stamp(0) for _ in range(500)]
    kept = [stamp for stamp in stamps if stamp is not None]
    assert 50 < stamps.count(None) < 150
    assert np.mean(kept) == pytest.approx(30_000, abs=500)
    assert np.std(kept) == pytest.approx(2000, rel=0.15)


def test_every_sensor_takes_pictures_of_the_stated_size() -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        camera = plain_camera(64, 48)
        sensor = Sensor(camera, any_sensor(rng), rng)
        light = Light("lamp", rng, flicker=0.01)
        light.slide((0.5, 0.5), 0.0, 2.0)
        light.turn("day", 0.5, 1.0)
        taken = sensor.take([_grey(camera, 90)] * 2, (-0.004, 0.004), light.shade(1.0), 0)
        assert taken.shape == (48, 64, 3)


def test_a_sliding_shadow_comes_and_goes() -> None:
    light = Light("day", np.random.default_rng(4))
    light.slide((0.5, 0.5), 1.0, 2.0)
    before, within, after = (light.shade(t_s).min() for t_s in (0.9, 2.0, 3.1))
    assert within < 0.85 * before
    assert after == pytest.approx(before)
