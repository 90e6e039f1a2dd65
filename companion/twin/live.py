"""The twin in real time, as a process of its own: `python -m companion.twin.live`.

It says one JSON object a line. The first is `ready`: the plan, the memory of its pictures (`shared_pictures`) and a
serial port for each board, on which a simulated module speaks; or it is `wrong`, and the process ends. Then come `done`
and `wrong` for what it was told, and `truth` for what happened, with the moment of the machine's monotonic clock at
which the senses could tell.

The table is played a little ahead of its time, so that modules and pictures show each moment when it has come.

It reads one line at a time and does it: a scenario's words (`place tile on left`, `knock right`), `take back` for the
piece that was set last, or `quit`. When the machine cannot hold the rate of pictures, it draws them smaller and
stretches them, then fewer; the stated size and the table's own time stay.
"""

from __future__ import annotations

import argparse
import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec
import numpy as np

from companion.devices.shared_pictures import PictureWriter
from companion.errors import CompanionError, Malformed
from companion.sensing.plan import Board, Plan
from companion.sensing.streams import Frame, Image
from companion.twin.cells import CellTraits, ChipTraits, ScaleTraits, stated
from companion.twin.episode import STEP_S, Cue
from companion.twin.light import Light
from companion.twin.live_episode import LiveEpisode
from companion.twin.live_scale import READINGS_SPS, LiveScale
from companion.twin.live_sensor import LiveSensor
from companion.twin.looks import any_look
from companion.twin.render import Drawing, fitted_eye, plain_camera
from companion.twin.table import varied_table

FPS = 25.0
_US_PER_S = 1_000_000
_NOISE_G = 0.045
_BACK = (0.45, -1.0, 1.15)
"""Where the camera stands, seen from the boards: aside, so that the nearest player's arm does not hide everything."""
_ROOM = 1.1
"""How much farther away than it must be, so that what is thrown off a board stays in the picture."""
_SLOWEST_FPS = 5.0
_AHEAD_S = 0.4
"""So far the table is played ahead. When it falls back by more, it takes the present as its new time."""
_SLIPS_KEPT = 16
_DRAWN_SIZES = (1.0, 0.75, 0.5)
_FIRST_SIZE = 2
"""Better small at first than late: a size is changed only while something moves. In smaller ones markers get lost."""
_BUSY, _IDLE = 0.85, 0.35
_JUDGED_OVER = 20

Say = Callable[[dict[str, Any]], None]


class Pace:
    """How large pictures are drawn, and how often, so that the table keeps its time."""

    def __init__(self, fps: float = FPS, first: int = 0) -> None:
        self._fps = fps
        self._size = first
        self._skip = 1
        self._spent: list[float] = []

    @property
    def drawn_size(self) -> float:
        """The share of the stated size that is drawn."""
        return _DRAWN_SIZES[self._size]

    def wants(self, tick: int) -> bool:
        """Whether this tick has a picture."""
        return tick % self._skip == 0

    def spent(self, seconds: float) -> bool:
        """A tick took so long, at a time when pictures must be drawn; whether the size to draw has changed.

        Smaller pictures come first, fewer ones only when there are no smaller ones.
        """
        self._spent.append(seconds * self._fps)
        if len(self._spent) < _JUDGED_OVER:
            return False
        busy = sum(self._spent) / len(self._spent)
        self._spent = []
        before = self._size
        if busy > _BUSY:
            self._less()
        elif busy < _IDLE:
            self._more()
        return self._size != before

    def _less(self) -> None:
        if self._size + 1 < len(_DRAWN_SIZES):
            self._size += 1
        elif self._fps / self._skip > _SLOWEST_FPS:
            self._skip += 1

    def _more(self) -> None:
        if self._skip > 1:
            self._skip -= 1
        elif self._size > 0:
            self._size -= 1


class LivePictures:
    """The camera over the live table."""

    def __init__(self, plan: Plan, episode: LiveEpisode, mood: str, rng: np.random.Generator) -> None:
        assert plan.camera is not None
        self._plan, self._episode = plan, episode
        self._eye = fitted_eye(plan, plan.camera, _BACK, room=_ROOM)
        self._sensor = LiveSensor(plan.camera.width, plan.camera.height, rng)
        self._light = Light(mood, rng)
        self._light.shine(episode.model, 0.0)
        self._drawing = Drawing(episode.model, plan.camera, self._eye)
        self._taken = 0
        self._shot: Image | None = None
        self.drew = False
        """Whether the last picture was drawn, or the one before it again because nothing had moved."""

    def draw_at(self, size: float) -> None:
        """From now on draw at this share of the size."""
        assert self._plan.camera is not None
        self._drawing.close()
        self._drawing = Drawing(self._episode.model, self._plan.camera, self._eye, size)

    def obey(self, cue: Cue) -> None:
        if cue.kind == "light":
            self._light.turn(cue.what, cue.t_s, cue.over_s)
        elif cue.kind == "shadow":
            self._light.slide((0.5, 0.6), cue.t_s, cue.over_s)

    def take(self, t_us: int) -> Frame:
        t_s = self._episode.t_s
        anew = self._light.shine(self._episode.model, t_s)
        shot = self._drawing.shot(self._episode.data, anew)
        self.drew, self._shot = shot is not self._shot, shot
        self._taken += 1
        return Frame(t_us, self._taken - 1, self._sensor.take(shot, self._light.shade(t_s)))

    def close(self) -> None:
        self._drawing.close()


class LiveTable:
    """Everything together, one tick at a time. `now_s` and `sleep` are the clock it keeps to."""

    def __init__(
        self,
        boards: Sequence[str],
        seed: int,
        say: Say,
        now_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        size: tuple[int, int] = (640, 480),
        built: bool = True,
    ) -> None:
        rng = np.random.default_rng(seed)
        self._say, self._now_s, self._sleep = say, now_s, sleep
        self.plan, traits = _plan(boards, seed, size, rng)
        look = any_look(rng, "day")
        self.episode = LiveEpisode(self.plan, seed, look, built)
        self.pictures = LivePictures(self.plan, self.episode, look.mood, rng)
        self.scales = [LiveScale(board, traits[board.id], rng, now_s) for board in self.plan.boards]
        self.memory = PictureWriter(*size)
        self.pace = Pace(first=_FIRST_SIZE)
        self.pictures.draw_at(self.pace.drawn_size)
        self._truths = self._steps = self._ticks = 0
        self._chunks = self.episode.run(1 / FPS)
        self._developed: deque[Frame] = deque()
        self._began_s = self._now_s()
        self._slips: deque[tuple[int, float]] = deque([(0, self._began_s)], maxlen=_SLIPS_KEPT)

    def ready(self) -> None:
        """Say where everything is."""
        ports = {board.id: scale.line.path for board, scale in zip(self.plan.boards, self.scales, strict=True)}
        self._say(
            {"kind": "ready", "plan": msgspec.to_builtins(self.plan), "ports": ports, "pictures": self.memory.path}
        )

    def tell(self, line: str) -> None:
        """Do what a line says, after what it was told before."""
        try:
            self.episode.tell(line)
        except Malformed as error:
            self._say({"kind": "wrong", "line": line, "why": str(error)})

    def tick(self) -> None:
        """The next 40 ms of the table."""
        start = self._now_s()
        chunk = next(self._chunks)
        for row in chunk.load.tolist():
            self._steps += 1
            t_us = round(self._steps * STEP_S * _US_PER_S)
            for scale, load in zip(self.scales, row, strict=True):
                scale.feed(t_us, load, self._due_us(t_us))
        for cue in chunk.cues:
            self.pictures.obey(cue)
        self._show()
        self._ticks += 1
        if self.pace.wants(self._ticks):
            self._developed.append(self.pictures.take(self._due_us(round(chunk.t_s * _US_PER_S))))
        self._report()
        if self.pictures.drew and self.pace.spent(self._now_s() - start):
            self.pictures.draw_at(self.pace.drawn_size)
        self._keep_time(chunk.t_s)

    def close(self) -> None:
        for scale in self.scales:
            scale.line.close()
        self.pictures.close()
        self.memory.close()

    def _due_us(self, t_us: int) -> int:
        """When a moment of the table is, or was, due by the machine's clock."""
        began_s = next((began_s for since_us, began_s in reversed(self._slips) if since_us <= t_us), self._began_s)
        return round((began_s + _AHEAD_S) * _US_PER_S) + t_us

    def _show(self) -> None:
        """Hand out the pictures whose time has come."""
        while self._developed and self._developed[0].t_us <= self._now_s() * _US_PER_S:
            frame = self._developed.popleft()
            self.memory.put(frame.image, frame.t_us)

    def _report(self) -> None:
        for line, why in self.episode.finished:
            self._say({"kind": "wrong", "line": line, "why": why} if why else {"kind": "done", "line": line})
        self.episode.finished.clear()
        for event in self.episode.truth[self._truths :]:
            at_us = self._due_us(event["t_us"])
            self._say({"kind": "truth", "event": msgspec.to_builtins(event), "at_us": at_us})
        self._truths = len(self.episode.truth)

    def _keep_time(self, t_s: float) -> None:
        """Wait until the table's time is the clock's, and show pictures meanwhile."""
        ahead = self._began_s + t_s - self._now_s()
        if ahead < -_AHEAD_S:
            self._began_s -= ahead
            self._slips.append((round(t_s * _US_PER_S), self._began_s))
        while ahead > 0:
            self._show()
            self._sleep(min(ahead, 0.005))
            ahead = self._began_s + t_s - self._now_s()
        self._show()


def _plan(
    boards: Sequence[str], seed: int, size: tuple[int, int], rng: np.random.Generator
) -> tuple[Plan, dict[str, ScaleTraits]]:
    table = varied_table(boards, seed)
    traits = {board.id: _traits(board, rng) for board in table.boards}
    weighed = tuple(
        msgspec.structs.replace(board, cells=stated(board, traits[board.id], rng)) for board in table.boards
    )
    camera = plain_camera(*size, fps=FPS, focal_px=size[0] * (1.2 if len(boards) == 1 else 0.95))
    return msgspec.structs.replace(table, boards=weighed, camera=camera), traits


def _traits(board: Board, rng: np.random.Generator) -> ScaleTraits:
    """A good scale: its module adds rates, flags and faults of its own."""
    places = tuple(cell.at_mm or (0.0, 0.0) for cell in board.cells)
    cells = tuple(
        CellTraits(zero_counts=float(rng.integers(50_000, 120_000)), noise_g=_NOISE_G, drift_g=0.05) for _ in places
    )
    return ScaleTraits(cells=cells, at_mm=places, chip=ChipTraits(rate_sps=READINGS_SPS))


def _said_lines(into: queue.SimpleQueue[str | None]) -> None:
    for line in sys.stdin:
        into.put(line.strip())
    into.put(None)


def _print(told: dict[str, Any]) -> None:
    sys.stdout.write(msgspec.json.encode(told).decode() + "\n")
    sys.stdout.flush()


def run(table: LiveTable, lines: queue.SimpleQueue[str | None]) -> None:
    """Play until `quit`, or until nobody can say anything any more."""
    table.ready()
    while True:
        while not lines.empty():
            line = lines.get()
            if line is None or line == "quit":
                return
            if line:
                table.tell(line)
        table.tick()


def main() -> int:
    words = argparse.ArgumentParser(description="The simulated table in real time.")
    words.add_argument("--boards", default="south")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--empty", action="store_true")
    asked = words.parse_args()
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    try:
        table = LiveTable(asked.boards.split(","), asked.seed, _print, built=not asked.empty)
    except CompanionError as error:
        _print({"kind": "wrong", "line": "", "why": str(error)})
        return 2
    with ExitStack() as stack:
        stack.callback(table.close)
        for scale in table.scales:
            stack.enter_context(scale.line.running())
        threading.Thread(target=_said_lines, args=(lines,), name="said", daemon=True).start()
        run(table, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
