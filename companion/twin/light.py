"""The light on the table: day, lamp and dusk, how one becomes the other, shadows that slide, lamps that flicker."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from companion.sensing.plan import Point, Point3
from companion.twin.camera import Shade

_GRID = (36, 48)
_ALMOST_DARK = 0.02
_SOFT = 0.16
"""How far the edge of a sliding shadow reaches, in picture widths."""


class Mood(msgspec.Struct, frozen=True):
    """How strong the window, the lamp and the room's own light are, and the colour (blue, green, red) of it all."""

    sun: float
    lamp: float
    ambient: float
    tint: Point3 = (1.0, 1.0, 1.0)

    def toward(self, other: Mood, share: float) -> Mood:
        def mix(a: float, b: float) -> float:
            return a + (b - a) * share

        tint = (mix(self.tint[0], other.tint[0]), mix(self.tint[1], other.tint[1]), mix(self.tint[2], other.tint[2]))
        return Mood(mix(self.sun, other.sun), mix(self.lamp, other.lamp), mix(self.ambient, other.ambient), tint)


MOODS = {
    "day": Mood(0.55, 0.0, 0.45, (1.03, 1.0, 0.98)),
    "lamp": Mood(0.0, 0.75, 0.28, (0.8, 0.96, 1.08)),
    "dusk": Mood(0.22, 0.0, 0.2, (1.1, 0.98, 0.95)),
}


class Slide(msgspec.Struct, frozen=True):
    """A shadow that crosses a place of the picture (in shares of its width and height) and goes on."""

    t_s: float
    over_s: float
    at: Point
    toward: Point
    wide: float
    dark: float

    def shade(self, t_s: float) -> npt.NDArray[np.float32] | None:
        """What share of the light is left at each point of the grid; None before and after."""
        share = (t_s - self.t_s) / self.over_s
        if not 0 <= share <= 1:
            return None
        rows, columns = np.mgrid[0 : _GRID[0], 0 : _GRID[1]].astype(np.float32)
        along = (columns / _GRID[1] - self.at[0]) * self.toward[0] + (rows / _GRID[0] - self.at[1]) * self.toward[1]
        middle = (2 * share - 1) * (0.9 + self.wide)
        inside = _step((self.wide - np.abs(along - middle)) / _SOFT)
        return (1 - self.dark * inside).astype(np.float32)


class Light:
    """The light over time, moved by the script's cues."""

    def __init__(self, mood: str, rng: np.random.Generator, flicker: float = 0.0) -> None:
        self._rng = rng
        self._from = self._to = MOODS[mood]
        self._began_s = 0.0
        self._over_s = 0.0
        self._slides: list[Slide] = []
        self._flicker = flicker
        self._beat_hz = float(rng.uniform(0.3, 6.0))

    def turn(self, mood: str, t_s: float, over_s: float) -> None:
        """From now on toward another mood."""
        self._from, self._to = self.mood(t_s), MOODS[mood]
        self._began_s, self._over_s = t_s, over_s

    def slide(self, at: Point, t_s: float, over_s: float) -> None:
        """Let somebody's shadow cross this place of the picture."""
        turn = float(self._rng.uniform(0, 2 * math.pi))
        toward = (math.cos(turn), math.sin(turn))
        wide, dark = float(self._rng.uniform(0.08, 0.3)), float(self._rng.uniform(0.25, 0.55))
        self._slides.append(Slide(t_s, max(over_s, 0.2), at, toward, wide, dark))

    def mood(self, t_s: float) -> Mood:
        share = 1.0 if self._over_s <= 0 else min(1.0, max(0.0, (t_s - self._began_s) / self._over_s))
        return self._from.toward(self._to, share)

    def shade(self, t_s: float) -> Shade:
        """The colour of the light, and the shadows that slide, over the picture."""
        ripple = 1 + self._flicker * math.sin(2 * math.pi * self._beat_hz * t_s)
        shade = np.full((*_GRID, 3), ripple, np.float32) * np.asarray(self.mood(t_s).tint, np.float32)
        for slide in self._slides:
            part = slide.shade(t_s)
            if part is not None:
                shade *= part[:, :, None]
        return shade

    def shine(self, model: Any, t_s: float) -> bool:
        """Set the lamps of a MuJoCo model; whether the picture has to be drawn anew."""
        mood = self.mood(t_s)
        wanted = np.round([mood.sun, mood.lamp, mood.ambient], 3)
        if np.array_equal(wanted, np.round([_lit(model, 0), _lit(model, 1), model.vis.headlight.ambient[0]], 3)):
            return False
        for number, level in enumerate(wanted[:2]):
            model.light_diffuse[number] = level
            model.light_specular[number] = level * 0.3
            model.light_active[number] = level > _ALMOST_DARK
        model.vis.headlight.ambient[:] = wanted[2]
        return True


def _lit(model: Any, number: int) -> float:
    return float(model.light_diffuse[number][0])


def _step(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """0 below 0, 1 above 1, smooth between."""
    x = np.clip(x, 0, 1)
    return x * x * (3 - 2 * x)
