"""Recordings made worse on purpose, on the fly: what a real table does to its senses, and how well they bear it.

Each disturbance changes the streams only, never the truth, and is the same for the same seed. What it needs to know of
the picture, where markers lie, it finds in the picture.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import cv2
import msgspec
import numpy as np

from companion.sensing.markers import MarkerFinder, marker_corners
from companion.sensing.plan import Plan
from companion.sensing.recording import Item, Recording, merged
from companion.sensing.streams import Flag, Frame, Image, ScaleSample, Sense
from companion.sensing.views import Floats

_NUDGE_MM = 10.0
_DROPPED_SHARE = 0.1
_CLOCK_US = 40_000
_GLITCH_SHARE = 0.02
_PATTERN_BITS = (8, 24)
_DEAD_AFTER = 1 / 3  # of the recording
_EXPOSURES = (0.7, 1.4)
_EXPOSURE_S = (3.0, 7.0)
_FIND_FRAMES = 30
_COVER_GROWS = 1.35  # a card is larger than the marker under it
_COVER_SHADE = 0.92
_SAME = 45  # of 255: the place still looks like the marker, so that nothing stands or moves before it
_MOSTLY = 0.6  # of a card that must lie bare for it to be seen at all
_US_PER_S = 1_000_000


@dataclass(frozen=True, eq=False)
class Scene:
    """What a disturbance may know: the table, when the recording begins and ends, and luck of its own."""

    plan: Plan
    begin_us: int
    end_us: int
    chance: np.random.Generator


_Weighed = Callable[[Scene, Iterable[ScaleSample]], Iterator[ScaleSample]]
_Filmed = Callable[[Scene, Iterator[Frame]], Iterator[Frame]]


@dataclass(frozen=True)
class Disturbance:
    """Something that goes wrong with one sense."""

    name: str
    scales: _Weighed | None = None
    camera: _Filmed | None = None

    @property
    def sense(self) -> Sense:
        """The sense that it troubles."""
        return "scales" if self.scales else "camera"


def disturbed(recording: Recording, disturbance: Disturbance, seed: int = 0) -> Iterator[Item]:
    """All of a recording in the order of its times, with this disturbance."""
    samples = list(recording.samples()) if "scales" in recording.senses else []
    times = [sample.t_us for sample in samples] + recording.frame_times()
    name = f"{recording.folder.name} {disturbance.name}".encode()
    chance = np.random.default_rng([seed, zlib.crc32(name)])
    scene = Scene(recording.plan, min(times, default=0), max(times, default=0), chance)
    frames = recording.frames() if "camera" in recording.senses else iter(())
    felt = disturbance.scales(scene, samples) if disturbance.scales else samples
    seen = disturbance.camera(scene, frames) if disturbance.camera else frames
    return merged(recording.plan, felt, seen)


# The camera


def half_the_markers_covered(scene: Scene, frames: Iterator[Frame]) -> Iterator[Frame]:
    """On each board cards lie on half of the markers that are seen, from the beginning."""
    found, frames = _markers(scene.plan, frames)
    covers: list[_Cover] = []
    for frame in frames:
        if not covers:
            covers = [_Cover(frame.image, found[number]) for number in _half(scene, found)]
        image = frame.image.copy()
        for cover in covers:
            cover.lay(image)
        yield replace(frame, image=image)


def camera_nudged(scene: Scene, frames: Iterator[Frame]) -> Iterator[Frame]:
    """Half-way the camera is pushed 1 cm along the table: the same as the table pushed under it."""
    found, frames = _markers(scene.plan, frames)
    middle_us, warp = (scene.begin_us + scene.end_us) // 2, _pushed(scene, found)
    for frame in frames:
        if frame.t_us < middle_us:
            yield frame
        else:
            size = frame.image.shape[1::-1]
            yield replace(frame, image=cv2.warpPerspective(frame.image, warp, size, borderMode=cv2.BORDER_REPLICATE))


def exposure_steps(scene: Scene, frames: Iterator[Frame]) -> Iterator[Frame]:
    """Every few seconds the pictures become brighter or darker from one to the next."""
    gain, until_us = 1.0, scene.begin_us + _any_seconds(scene)
    for frame in frames:
        if frame.t_us >= until_us:
            gain, until_us = float(scene.chance.uniform(*_EXPOSURES)), until_us + _any_seconds(scene)
        yield replace(frame, image=cv2.convertScaleAbs(frame.image, alpha=gain))


def pictures_dropped(scene: Scene, frames: Iterator[Frame]) -> Iterator[Frame]:
    """One picture in ten is lost."""
    return (frame for frame in frames if scene.chance.random() >= _DROPPED_SHARE)


def camera_late(scene: Scene, frames: Iterator[Frame]) -> Iterator[Frame]:
    """The camera's clock runs 40 ms behind: pictures seem later than they are."""
    return (replace(frame, t_us=frame.t_us + _CLOCK_US) for frame in frames)


def camera_early(scene: Scene, frames: Iterator[Frame]) -> Iterator[Frame]:
    """The camera's clock runs 40 ms ahead: pictures seem earlier than they are."""
    return (replace(frame, t_us=frame.t_us - _CLOCK_US) for frame in frames)


def _any_seconds(scene: Scene) -> int:
    return round(float(scene.chance.uniform(*_EXPOSURE_S)) * _US_PER_S)


def _markers(plan: Plan, frames: Iterator[Frame]) -> tuple[dict[int, Floats], Iterator[Frame]]:
    """The markers seen in the first pictures, and all pictures again."""
    if plan.camera is None:
        return {}, frames
    finder = MarkerFinder(plan.camera, plan)
    found: dict[int, Floats] = {}
    looked: list[Frame] = []
    for frame in itertools.islice(frames, _FIND_FRAMES):
        looked.append(frame)
        found |= finder.find(np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)))
        if len(found) == sum(len(board.markers) for board in plan.boards):
            break
    return found, itertools.chain(looked, frames)


def _half(scene: Scene, found: dict[int, Floats]) -> list[int]:
    """Half of each board's markers, any."""
    chosen: list[int] = []
    for board in scene.plan.boards:
        seen = [marker.id for marker in board.markers if marker.id in found]
        chosen += scene.chance.permutation(seen)[: len(seen) // 2].tolist()
    return chosen


def _pushed(scene: Scene, found: dict[int, Floats]) -> Floats:
    """How the picture of the table's surface changes when it is pushed 1 cm in any direction."""
    turn = float(scene.chance.uniform(0, 2 * np.pi))
    boards = sorted(scene.plan.boards, key=lambda board: sum(marker.id in found for marker in board.markers))
    seen = [marker for marker in boards[-1].markers if marker.id in found] if boards else []
    if not seen:
        return np.array([(1, 0, _NUDGE_MM * np.cos(turn)), (0, 1, _NUDGE_MM * np.sin(turn)), (0, 0, 1)])
    here = np.vstack([marker_corners(marker)[:, :2] for marker in seen])
    there = np.vstack([found[marker.id] for marker in seen])
    surface, _ = cv2.findHomography(here, there)
    push = np.array([(1, 0, _NUDGE_MM * np.cos(turn)), (0, 1, _NUDGE_MM * np.sin(turn)), (0, 0, 1)])
    return np.asarray(surface @ push @ np.linalg.inv(surface), float)


class _Cover:
    """A card on a marker. What stands or moves before it is not painted over."""

    def __init__(self, image: Image, corners: Floats) -> None:
        middle = corners.mean(axis=0)
        ring = np.round(middle + _COVER_GROWS * (corners - middle)).astype(np.int32)
        left, top = np.maximum(ring.min(axis=0) - 4, 0).tolist()
        right, bottom = (ring.max(axis=0) + 5).tolist()
        self._part = (slice(top, bottom), slice(left, right))
        self._was = image[self._part].astype(np.float32)
        card = np.zeros(self._was.shape[:2], np.uint8)
        cv2.fillConvexPoly(card, ring - np.array((left, top), np.int32), 1)
        self._card = card > 0
        self._around = (cv2.dilate(card, np.ones((5, 5), np.uint8)) > 0) & ~self._card
        self._colour = np.median(self._was[self._around], axis=0) * _COVER_SHADE

    def lay(self, image: Image) -> None:
        """Paint it."""
        part = image[self._part]
        light = float(np.median(part[self._around]) / max(1.0, float(np.median(self._was[self._around]))))
        same = (np.abs(part - self._was * light).max(axis=2) < _SAME) & self._card
        if same.sum() < _MOSTLY * self._card.sum():
            return
        bare = cv2.morphologyEx(same.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)) > 0
        part[bare] = np.clip(self._colour * light, 0, 255).astype(np.uint8)


# The scales


def a_dead_cell(scene: Scene, samples: Iterable[ScaleSample]) -> Iterator[ScaleSample]:
    """After a third of the time one cell of each board that has several says nothing any more."""
    dead = {board.id: int(scene.chance.integers(len(board.cells))) for board in scene.plan.boards if board.cells[1:]}
    from_us = scene.begin_us + (scene.end_us - scene.begin_us) * _DEAD_AFTER
    for sample in samples:
        cell = dead.get(sample.board)
        if cell is None or sample.t_us < from_us:
            yield sample
        else:
            counts = tuple(None if channel == cell else value for channel, value in enumerate(sample.counts))
            yield msgspec.structs.replace(sample, counts=counts, flags=sample.flags | Flag.TIMEOUT)


def glitching_cells(scene: Scene, samples: Iterable[ScaleSample]) -> Iterator[ScaleSample]:
    """One reading in fifty is a row of ones, or the neighbour's."""
    for sample in samples:
        hit = scene.chance.random(len(sample.counts)) < _GLITCH_SHARE
        counts = (_glitched(scene, sample, at) if hit[at] else value for at, value in enumerate(sample.counts))
        yield msgspec.structs.replace(sample, counts=tuple(counts))


def _glitched(scene: Scene, sample: ScaleSample, channel: int) -> int | None:
    if len(sample.counts) == 1 or scene.chance.random() < 0.5:
        return int(2 ** int(scene.chance.integers(*_PATTERN_BITS))) - 1
    return sample.counts[(channel + 1) % len(sample.counts)]


DISTURBANCES: tuple[Disturbance, ...] = (
    Disturbance("half the markers covered", camera=half_the_markers_covered),
    Disturbance("camera nudged by 1 cm", camera=camera_nudged),
    Disturbance("exposure steps", camera=exposure_steps),
    Disturbance("one picture in ten dropped", camera=pictures_dropped),
    Disturbance("camera 40 ms late", camera=camera_late),
    Disturbance("camera 40 ms early", camera=camera_early),
    Disturbance("a dead cell", scales=a_dead_cell),
    Disturbance("glitching cells", scales=glitching_cells),
)
