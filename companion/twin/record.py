"""From a scenario to a recording: the physics once, sensed by scales and a camera as a seed makes them up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from companion.sensing.plan import Cell, Plan
from companion.sensing.recording import RecordingWriter
from companion.sensing.streams import Frame, Image
from companion.twin.camera import Eye, Sensor, any_sensor, project
from companion.twin.cells import Scale, any_traits, stated
from companion.twin.episode import STEP_S, Chunk, Cue, Episode, Loads
from companion.twin.light import Light
from companion.twin.looks import any_look
from companion.twin.physics import G_PER_N
from companion.twin.render import Drawing, any_camera, any_eye, nudged
from companion.twin.scenario import Scenario
from companion.twin.table import middle_cell, varied_table

_US_PER_S = 1_000_000
_LATEST_START_US = 900_000_000
_TICKS_A_FRAME = 4
_RATES_FPS = (30.0, 30.0, 30.0, 25.0, 20.0)
_MANY_BOARDS_FPS = 15.0
_BLURRED_MM, _STREAKED_MM = 1.0, 3.0
"""What moves further than this between two ticks takes a second, and a third shot to a picture."""
_JUMP_MM = 120.0
_ONE_CELL_SHARE = 0.12
_NO_POSE_SHARE = 0.25
_FLICKER = 0.004

Heard = Callable[[float], None]
"""Told how many seconds have been simulated."""


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """What a recording became."""

    folder: str
    scenario: str
    seed: int
    seconds: float
    frames: int
    samples: int
    truth: dict[str, int]
    """How often each kind of truth is in it."""
    undone: tuple[str, ...] = ()
    """Why steps of its script were left out."""


def record(
    scenario: Scenario,
    seed: int,
    out: Path,
    *,
    sense_seed: int | None = None,
    pictures: bool = True,
    size: tuple[int, int] | None = None,
    heard: Heard = lambda seconds: None,
) -> Recorded:
    """Play a scenario and write what is sensed of it. With another `sense_seed` the same is sensed in another way.

    `size` is the pictures' width and height; by default what so many boards want.
    """
    taking = Taking(scenario, seed, seed if sense_seed is None else sense_seed, pictures, size)
    with closing(taking), RecordingWriter(out, taking.plan) as writer:
        for chunk in taking.episode.run(taking.tick_s):
            taking.take(chunk, writer)
            heard(chunk.t_s)
        for event in taking.episode.truth:
            writer.add_truth(event)
    return Recorded(
        folder=out.name,
        scenario=scenario.name,
        seed=seed,
        seconds=round(taking.episode.t_s, 3),
        frames=taking.frames,
        samples=taking.samples,
        truth=counted([event["kind"] for event in taking.episode.truth]),
        undone=tuple(taking.episode.undone),
    )


def counted(kinds: Sequence[str]) -> dict[str, int]:
    """How often each kind is among them."""
    return {kind: kinds.count(kind) for kind in sorted(set(kinds))}


class Taking:
    """An episode with scales under its boards and, if wanted, a camera over it."""

    def __init__(
        self,
        scenario: Scenario,
        seed: int,
        sense_seed: int,
        pictures: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        scales_rng, plan_rng, camera_rng = (_chance(sense_seed, name) for name in ("scales", "plan", "camera"))
        self._start_us = int(plan_rng.integers(_LATEST_START_US))
        table = _some_with_one_cell(varied_table(scenario.boards, seed, scenario.stores), plan_rng)
        traits = {board.id: any_traits([_at(cell) for cell in board.cells], scales_rng) for board in table.boards}
        self._scales = [Scale(board.id, traits[board.id], _chance(sense_seed, board.id)) for board in table.boards]
        boards = tuple(
            msgspec.structs.replace(board, cells=stated(board, traits[board.id], scales_rng)) for board in table.boards
        )
        table = msgspec.structs.replace(table, boards=boards)
        self.camera = _Camera(table, camera_rng, size) if pictures else None
        whole = self.camera.plan if self.camera else table
        dress = self.camera.look if self.camera else None
        self.episode = Episode(scenario, seed, plan=whole, dress=dress, start_us=self._start_us)
        self.plan = whole if plan_rng.random() > _NO_POSE_SHARE or not pictures else _without_poses(whole)
        self.tick_s = 1 / (_TICKS_A_FRAME * (self.camera.fps if self.camera else 30.0))
        self.frames = self.samples = self._steps = 0
        if self.camera:
            self.camera.begin(self.episode.model, self._start_us)

    def take(self, chunk: Chunk, writer: RecordingWriter) -> None:
        """Sense one chunk."""
        self._weigh(chunk.load, writer)
        if self.camera is None:
            return
        frame = self.camera.look_at(self.episode.model, self.episode.data, chunk)
        if frame is not None:
            writer.add_frame(frame)
            self.frames += 1

    def close(self) -> None:
        if self.camera:
            self.camera.close()

    def _weigh(self, load: Loads, writer: RecordingWriter) -> None:
        grams = load * G_PER_N
        for row in grams.tolist():
            self._steps += 1
            t_us = self._start_us + round(self._steps * STEP_S * _US_PER_S)
            for scale, (force, along_x, along_y) in zip(self._scales, row, strict=True):
                sample = scale.feed(t_us, force, along_x, along_y)
                if sample is not None:
                    writer.add_sample(sample)
                    self.samples += 1


class _Camera:
    """The camera over a table: the light it stands in, and the picture it is about to take."""

    def __init__(self, table: Plan, rng: np.random.Generator, size: tuple[int, int] | None) -> None:
        many = len(table.boards) > 2
        self.fps = _MANY_BOARDS_FPS if many else float(rng.choice(_RATES_FPS))
        camera = any_camera(rng, len(table.boards), self.fps, size)
        self.plan = msgspec.structs.replace(table, camera=camera)
        self.look = any_look(rng)
        self._eye = any_eye(rng, table, camera)
        self._sensor = Sensor(camera, any_sensor(rng), rng)
        self._light = Light(self.look.mood, rng, float(rng.uniform(0, _FLICKER)))
        self._rng = rng
        self._drawing: Drawing | None = None
        self._nudge: tuple[Cue, Eye, Eye] | None = None
        self._shots: list[tuple[float, Image]] = []
        self._places: npt.NDArray[np.float64] | None = None
        self._ticks = self._taken = 0

    def begin(self, model: Any, start_us: int) -> None:
        assert self.plan.camera is not None
        self._light.shine(model, 0.0)
        self._drawing = Drawing(model, self.plan.camera, self._eye)
        self._start_us = start_us

    def close(self) -> None:
        if self._drawing is not None:
            self._drawing.close()

    def look_at(self, model: Any, data: Any, chunk: Chunk) -> Frame | None:
        """Called at every tick; a picture when one is finished and not lost.

        A picture's middle is at every fourth tick. What moves fast is also looked at a tick before and after.
        """
        self._ticks += 1
        for cue in chunk.cues:
            self._obey(cue)
        phase, moved_mm = self._ticks % _TICKS_A_FRAME, self._moved_mm(data)
        if phase == 0:
            self._shoot(model, data, chunk.t_s)
        elif phase == 1:
            if moved_mm > _BLURRED_MM:
                self._shoot(model, data, chunk.t_s)
            return self._finish(chunk.t_s)
        elif phase == _TICKS_A_FRAME - 1 and moved_mm > _STREAKED_MM:
            self._shoot(model, data, chunk.t_s)
        return None

    def _moved_mm(self, data: Any) -> float:
        before, self._places = self._places, data.xpos.copy()
        if before is None:
            return 0.0
        moved = np.abs(self._places - before).max(axis=1) * 1000
        return float(moved[moved < _JUMP_MM].max(initial=0.0))

    def _shoot(self, model: Any, data: Any, t_s: float) -> None:
        assert self._drawing is not None
        anew = self._light.shine(model, t_s)
        self._follow_nudge(t_s)
        self._shots.append((t_s, self._drawing.shot(data, anew)))

    def _finish(self, t_s: float) -> Frame | None:
        shots, self._shots = self._shots, []
        if not shots:
            return None
        middle_s = t_s - 1 / (self.fps * _TICKS_A_FRAME)
        t_us = self._start_us + round(middle_s * _US_PER_S)
        moments = [taken_s - middle_s for taken_s, _ in shots]
        stamp = self._sensor.stamp(t_us)
        image = self._sensor.take([shot for _, shot in shots], moments, self._light.shade(middle_s), t_us)
        if stamp is None:
            return None
        self._taken += 1
        return Frame(stamp, self._taken - 1, image)

    def _obey(self, cue: Cue) -> None:
        if cue.kind == "light":
            self._light.turn(cue.what, cue.t_s, cue.over_s)
        elif cue.kind == "shadow":
            self._light.slide(self._in_picture(cue.what), cue.t_s, cue.over_s)
        elif cue.kind == "nudge":
            assert self._drawing is not None
            self._nudge = (cue, self._drawing.eye, nudged(self._drawing.eye, cue.size, self._rng))

    def _follow_nudge(self, t_s: float) -> None:
        if self._nudge is None or self._drawing is None:
            return
        cue, start, end = self._nudge
        share = min(1.0, (t_s - cue.t_s) / max(cue.over_s, STEP_S))
        self._drawing.stand(_between(start, end, share))
        if share >= 1:
            self._nudge = None

    def _in_picture(self, board: str) -> tuple[float, float]:
        """The middle of a board, in shares of the picture."""
        assert self.plan.camera is not None
        found = self.plan.board(board)
        assert found.pose is not None
        middle = found.pose.on_table(found.size_mm[0] / 2, found.size_mm[1] / 2)
        x, y = project(self.plan.camera, [middle], self._eye)[0]
        return float(x) / self.plan.camera.width, float(y) / self.plan.camera.height


def _between(start: Eye, end: Eye, share: float) -> Eye:
    def mix(a: Sequence[float], b: Sequence[float]) -> tuple[float, float, float]:
        x, y, z = (p + (q - p) * share for p, q in zip(a, b, strict=True))
        return (x, y, z)

    roll = start.roll_deg + (end.roll_deg - start.roll_deg) * share
    return Eye(mix(start.at_mm, end.at_mm), mix(start.looks_at_mm, end.looks_at_mm), roll)


def _chance(seed: int, name: str) -> np.random.Generator:
    """Luck of its own for each part, so that one part's use of it does not change another's."""
    return np.random.default_rng([seed, *name.encode()])


def _at(cell: Cell) -> tuple[float, float]:
    return cell.at_mm or (0.0, 0.0)


def _some_with_one_cell(table: Plan, rng: np.random.Generator) -> Plan:
    """Now and then the budget platform: one cell in the middle of each board."""
    if rng.random() > _ONE_CELL_SHARE:
        return table
    boards = tuple(msgspec.structs.replace(board, cells=(middle_cell(board),)) for board in table.boards)
    return msgspec.structs.replace(table, boards=boards)


def _without_poses(plan: Plan) -> Plan:
    boards = tuple(msgspec.structs.replace(board, pose=None) for board in plan.boards)
    return msgspec.structs.replace(plan, boards=boards)
