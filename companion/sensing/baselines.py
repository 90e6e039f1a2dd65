"""Two plain detectors, to hold better ones beside: background subtraction with a threshold, and a weight threshold.

They read the same streams and are fed the same way as the watcher. They are what a weekend project would do, done with
care: no more, and no less.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.sensing.plan import Board, Camera, Plan
from companion.sensing.streams import Frame, Image, ScaleSample, Sensed
from companion.sensing.traces import BoardWeight

_WIDTH_PX, _HEIGHT_PX = 320, 240

# Background subtraction
_MOVING_SHARE = 0.10
"""A collapse is called when this much of a board's place in the picture turns foreground ..."""
_SUDDEN_US = 350_000
_CALM_SHARE = 0.02
"""... within `_SUDDEN_US` after less than this was."""
_RESTS_US = 2_500_000
_LEARNING_US = 1_500_000
_TOWER_ROOM_MM = 120.0

# Weight
_WINDOW_US = 300_000
_STEP_G = 1.0
_STEADY_G = 0.6
_IMPACT_G = 20.0


class MotionBaseline:
    """Calls a collapse when much of a board's place in the picture turns foreground (MOG2) all of a sudden."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._ground = cv2.createBackgroundSubtractorMOG2(history=300, varThreshold=24, detectShadows=True)
        self._places: dict[str, npt.NDArray[np.bool_]] | None = None
        self._calm_us: dict[str, int] = {}
        self._rests_until_us: dict[str, int] = {}
        self._learnt_us: int | None = None

    def feed(self, item: ScaleSample | Frame) -> list[Sensed]:
        if not isinstance(item, Frame):
            return []
        small = cv2.resize(item.image, (_WIDTH_PX, _HEIGHT_PX), interpolation=cv2.INTER_AREA)
        moving = np.asarray(self._ground.apply(small)) == 255
        if self._places is None:
            self._places = _places(self._plan, item.image)
            self._learnt_us = item.t_us + _LEARNING_US
        if item.t_us < (self._learnt_us or 0):
            return []
        return [call for board, place in self._places.items() for call in self._look(board, moving[place], item.t_us)]

    def finish(self) -> list[Sensed]:
        return []

    def _look(self, board: str, moving: npt.NDArray[np.bool_], t_us: int) -> list[Sensed]:
        share = float(moving.mean())
        if share < _CALM_SHARE:
            self._calm_us[board] = t_us
        sudden = t_us - self._calm_us.get(board, t_us) <= _SUDDEN_US
        if share < _MOVING_SHARE or not sudden or t_us < self._rests_until_us.get(board, t_us):
            return []
        self._rests_until_us[board] = t_us + _RESTS_US
        return [
            Sensed(kind="collapse", t_us=t_us, decided_us=t_us, board=board, confidence=0.5, evidence={"camera": 0.5})
        ]


def _places(plan: Plan, image: Image) -> dict[str, npt.NDArray[np.bool_]]:
    """Where each board is in the small picture, from its markers; the whole picture where none is seen."""
    found = _markers(plan.camera, image)
    return {board.id: _place(board, found, image.shape[:2]) for board in plan.boards}


def _markers(camera: Camera | None, image: Image) -> dict[int, npt.NDArray[np.float64]]:
    name = camera.dictionary if camera else "DICT_4X4_50"
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name)))
    quads, ids, _ = detector.detectMarkers(image)
    numbers = [] if ids is None else np.asarray(ids).ravel().tolist()
    return {number: np.asarray(quad, float).reshape(4, 2) for number, quad in zip(numbers, quads, strict=True)}


def _place(board: Board, found: dict[int, npt.NDArray[np.float64]], size: Sequence[int]) -> npt.NDArray[np.bool_]:
    seen = [marker for marker in board.markers if marker.id in found]
    mask = np.zeros((_HEIGHT_PX, _WIDTH_PX), np.uint8)
    if not seen:
        return np.ones_like(mask, dtype=bool)
    here = [point for marker in seen for point in _corners(marker.centre_mm, marker.size_mm, marker.turn_deg)]
    there = np.concatenate([found[marker.id] for marker in seen])
    move, _ = cv2.findHomography(np.asarray(here), there)
    wide, deep = board.size_mm
    outline = np.asarray([[(0, 0), (wide, 0), (wide, deep), (0, deep)]], np.float64)
    pixels = cv2.perspectiveTransform(outline, move)[0] * (_WIDTH_PX / size[1], _HEIGHT_PX / size[0])
    tall = _TOWER_ROOM_MM * float(np.linalg.norm(pixels[1] - pixels[0])) / wide
    raised = pixels - (0, tall)
    hull = cv2.convexHull(np.concatenate([pixels, raised]).astype(np.float32))
    cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1)
    return mask.astype(bool) if mask.any() else np.ones_like(mask, dtype=bool)


def _corners(centre_mm: Sequence[float], side_mm: float, turn_deg: float) -> list[tuple[float, float]]:
    turn, half = np.radians(turn_deg), side_mm / 2
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    return [
        (centre_mm[0] + cos * dx - sin * dy, centre_mm[1] + sin * dx + cos * dy)
        for dx, dy in ((-half, half), (half, half), (half, -half), (-half, -half))
    ]


class WeightBaseline:
    """Calls what a board's total weight does: steps are pieces placed and removed, a blow without a step a collapse."""

    def __init__(self, plan: Plan) -> None:
        self._boards = {board.id: _Weight(board) for board in plan.boards}

    def feed(self, item: ScaleSample | Frame) -> list[Sensed]:
        return self._boards[item.board].feed(item) if isinstance(item, ScaleSample) else []

    def finish(self) -> list[Sensed]:
        return []


class _Weight:
    """One board's total: the steady weight before, what happens then, and the next steady weight."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._weight = BoardWeight(board)
        self._window: deque[tuple[int, float]] = deque()
        self._steady_g: float | None = None
        self._left_us: int | None = None
        self._blow_us: int | None = None

    def feed(self, sample: ScaleSample) -> list[Sensed]:
        grams = self._weight.grams(sample)
        self._window.append((sample.t_us, grams))
        while sample.t_us - self._window[0][0] > _WINDOW_US and len(self._window) > 3:
            self._window.popleft()
        if self._steady_g is None:
            self._steady_g = grams if self._is_steady() else None
            return []
        return self._follow(sample.t_us, grams, self._steady_g)

    def _is_steady(self) -> bool:
        values = [grams for _, grams in self._window]
        return len(values) >= 3 and max(values) - min(values) < _STEADY_G

    def _follow(self, t_us: int, grams: float, steady_g: float) -> list[Sensed]:
        if abs(grams - steady_g) > _STEP_G:
            self._left_us = t_us if self._left_us is None else self._left_us
        if abs(grams - steady_g) > _IMPACT_G and self._blow_us is None:
            self._blow_us = t_us
        if not self._is_steady():
            return []
        now_g = statistics.median(value for _, value in self._window)
        happened_us, blow_us = self._left_us, self._blow_us
        self._steady_g, self._left_us, self._blow_us = now_g, None, None
        return [] if happened_us is None else self._judge(now_g - steady_g, happened_us, blow_us, t_us)

    def _judge(self, step_g: float, happened_us: int, blow_us: int | None, t_us: int) -> list[Sensed]:
        if blow_us is not None and abs(step_g) < _STEP_G:
            return [self._call("collapse", blow_us, t_us, None)]
        if step_g > _STEP_G:
            return [self._call("placed", happened_us, t_us, step_g)]
        if step_g < -_STEP_G:
            return [self._call("removed", happened_us, t_us, -step_g)]
        return []

    def _call(self, kind: str, t_us: int, decided_us: int, grams: float | None) -> Sensed:
        return Sensed(
            kind=kind,  # type: ignore[arg-type]
            t_us=t_us,
            decided_us=decided_us,
            board=self._board.id,
            grams=grams,
            confidence=0.5,
            evidence={"scales": 0.5},
        )
