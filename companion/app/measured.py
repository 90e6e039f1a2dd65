"""What the app measures of itself, in a process of its own: touch to paint, frames per second, memory."""

from __future__ import annotations

import gc
import math
import os
import time
from array import array
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from companion.app import demo
from companion.app.bench import Inside
from companion.app.demo import SEATS, SETTINGS, Demo, Evening, first_seat_builds
from companion.app.stage import Finger, Stage
from companion.rules.base import Setup
from companion.rules.random_play import Luck
from companion.session.session import Session

_GAME = "castle-dukes"
_MID_GAME = 200
_TOUCHES = 100
_WARM_UP = 3
_SETTLE_FRAMES = 6
_PATIENCE_S = 2.0
_FRAMES_S = 5.0
_ACTIONS = 1000
_PICTURE_PX = (640, 480)
_PICTURE_HZ = 30
_TRACE_HZ = 80
_TRACE_S = 3
_PICTURES = 8
_BYTES_PER_MB = 1_000_000


def main() -> None:
    """Measure, and print the numbers as JSON."""
    with TemporaryDirectory(prefix="companion-bench-") as home:
        print(msgspec.json.encode(measure(Path(home))).decode())


def measure(
    home: Path,
    *,
    touches: int = _TOUCHES,
    seconds: float = _FRAMES_S,
    actions: int = _ACTIONS,
    played_before: int = _MID_GAME,
) -> Inside:
    """All three, one after the other, with games that have so many actions behind them."""
    evenings = tuple(
        Evening(name=name, game=_GAME, seed=1, least=played_before, ready=first_seat_builds)
        for name in ("touching", "playing")
    )
    played = demo.make(home, evenings, msgspec.structs.replace(SETTINGS, draw=True))
    stage = Stage(home, dealer=Luck(1), clock=played.clock, live=True)
    stage.open()
    try:
        start_mb, end_mb = _memory(stage, played, actions)
        return Inside(
            touch_s=tuple(_touching(stage, played, touches)),
            frames_hz=_frames(stage, played, seconds),
            memory_start_mb=start_mb,
            memory_end_mb=end_mb,
            actions=actions,
        )
    finally:
        stage.close()


def _at_table(stage: Stage, played: Demo, evening: str) -> Session:
    session = stage.app.shelf.open(played.saved[evening])
    stage.app.go("table", session=session)
    stage.frames(_SETTLE_FRAMES)
    return session


# Touches


def _touching(stage: Stage, played: Demo, touches: int) -> Iterator[float]:
    """A move is made and taken back by touching undo, over and over: each is on the disk before it is on the glass."""
    session, luck = _at_table(stage, played, "touching"), Luck(2)
    left = _WARM_UP + touches
    while left:
        demo.play_on(session, luck)
        stage.app.screen.model.refresh()
        stage.frames(_SETTLE_FRAMES)
        spent = _touch_to_paint(stage, stage.named("undo"))
        if spent is None:
            continue
        left -= 1
        if left < touches:
            yield spent
    stage.app.home()


def _touch_to_paint(stage: Stage, button: Any) -> float | None:
    """From the finger's leaving a button to other pixels outside it. The clocks stand, so nothing else changes them.

    None where none changed for long: some moves show in the label of undo alone.
    """
    from kivy.graphics.opengl import glFinish

    finger = Finger(button)
    finger.down()
    stage.frames(_SETTLE_FRAMES)
    before = _glass(button)
    begun = time.perf_counter()
    finger.up()
    while True:
        stage.frames()
        glFinish()
        spent = time.perf_counter() - begun
        if _glass(button) != before:
            return spent
        if spent > _PATIENCE_S:
            return None


def _glass(without: Any) -> bytes:
    """The window's pixels; those of a widget are left out, for it answers the finger itself."""
    from kivy.core.window import Window
    from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels

    width, height = (int(side) for side in Window.system_size)
    data = bytearray(glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE))
    left, low = (math.floor(side) for side in without.to_window(*without.pos))
    wide = math.ceil(without.width) * 4
    for row in range(max(0, low), min(height, low + math.ceil(without.height))):
        start = (row * width + left) * 4
        data[start : start + wide] = bytes(wide)
    return bytes(data)


# Frames


def _frames(stage: Stage, played: Demo, seconds: float) -> float:
    """Frames drawn each second on the table, with a camera picture and a trace of the scales beside it."""
    from kivy.core.window import Window

    _at_table(stage, played, "touching")
    beside = _Beside()
    Window.add_widget(beside.widget)
    flips = 0

    def flipped(*_: Any) -> None:
        nonlocal flips
        flips += 1

    Window.bind(on_flip=flipped)
    begun = time.perf_counter()
    while time.perf_counter() < begun + seconds:
        beside.keep_up(time.perf_counter())
        stage.frames()
    spent = time.perf_counter() - begun
    Window.unbind(on_flip=flipped)
    Window.remove_widget(beside.widget)
    stage.app.home()
    return flips / spent


class _Beside:
    """A picture of 640x480 that changes 30 times a second over a trace that gains 80 samples a second."""

    def __init__(self) -> None:
        from kivy.graphics import Color, Line, Rectangle
        from kivy.graphics.texture import Texture
        from kivy.uix.widget import Widget

        self._pictures = [_noise(seed) for seed in range(_PICTURES)]
        self._texture = Texture.create(size=_PICTURE_PX, colorfmt="rgba")
        self._shown = self._heard = 0
        self._trace = [0.0] * (_TRACE_HZ * _TRACE_S)
        self._begun = time.perf_counter()
        self.widget = Widget(size_hint=(None, None), size=(320, 300))
        with self.widget.canvas:
            Rectangle(texture=self._texture, pos=(0, 60), size=(320, 240))
            Color(1, 1, 1)
            self._line = Line(width=1.2)

    def keep_up(self, now: float) -> None:
        """Show what has come by now."""
        pictures, samples = (int((now - self._begun) * rate) for rate in (_PICTURE_HZ, _TRACE_HZ))
        if pictures > self._shown:
            self._shown = pictures
            self._texture.blit_buffer(self._pictures[pictures % _PICTURES], colorfmt="rgba", bufferfmt="ubyte")
            self.widget.canvas.ask_update()
        if samples > self._heard:
            self._trace = [*self._trace, *(30 + 25 * math.sin(at / 9) for at in range(self._heard, samples))]
            self._trace = self._trace[-_TRACE_HZ * _TRACE_S :]
            self._heard = samples
            step = 320 / len(self._trace)
            self._line.points = [part for at, y in enumerate(self._trace) for part in (at * step, y)]


def _noise(seed: int) -> array[int]:
    luck = Luck(seed)
    row = bytes(luck.pick(256) for _ in range(_PICTURE_PX[0] * 4))
    return array("B", b"".join(row[at % 64 :] + row[: at % 64] for at in range(_PICTURE_PX[1])))


# Memory


def _memory(stage: Stage, played: Demo, actions: int) -> tuple[float, float]:
    """Megabytes with the table first shown, and after so many actions on it, each drawn."""
    session, luck = _at_table(stage, played, "playing"), Luck(3)
    start = _resident_mb()
    for _ in range(actions):
        if demo.over(session):
            stage.app.home()
            session = stage.app.shelf.new(_GAME, Setup(seats=SEATS))
            stage.app.go("table", session=session)
        demo.play_on(session, luck)
        stage.app.screen.model.refresh()
        stage.frames()
    end = _resident_mb()
    stage.app.home()
    return start, end


def _resident_mb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / _BYTES_PER_MB
