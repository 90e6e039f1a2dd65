"""A finger as a hand at the simulated table: pieces dragged out of a tray, towers poked and swiped at."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.widgets.film import Film
from companion.app.widgets.look import colours, lazily, steps
from companion.app.widgets.pictures import IconView
from companion.app.widgets.surfaces import Surface

Place = tuple[float, float]
Drop = Callable[[str, Place], object]

_SWIPE_DP = 40
_FAST_DP_S = 900
"""A finger that fast knocks hard."""
_PATH_STEPS = 24
_GHOST_STEPS = 7
_ICON_SHARE = 0.6
_ICONS = {"floor-tile": "tile", "meeple": "person"}


class LiveFilm(Film):
    """A picture to poke (`on_poke(pixel)`) and to swipe over (`on_swipe(pixels, fast)`)."""

    __events__ = ("on_poke", "on_swipe")

    def __init__(self, **properties: Any) -> None:
        super().__init__(scrubs=False, **properties)
        self._finger: Any = None
        self._began: tuple[float, float, float] = (0, 0, 0)

    def show_image(self, image: Any) -> None:
        """Shows rows of blue, green and red."""
        import cv2

        height, width = image.shape[:2]
        self.show(width, height, cv2.cvtColor(image, cv2.COLOR_BGR2BGRA).reshape(-1))

    def on_touch_down(self, touch: Any) -> bool:
        if super().on_touch_down(touch):
            return True
        if self._finger is not None or not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self._finger, self._began = touch, (touch.x, touch.y, Clock.get_time())
        return True

    def on_touch_move(self, touch: Any) -> bool:
        return touch.grab_current is self or bool(super().on_touch_move(touch))

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        self._finger = None
        x, y, since = self._began
        way = math.dist((x, y), touch.pos)
        if way < dp(_SWIPE_DP):
            self.dispatch("on_poke", self.pixel(touch.pos))
        else:
            speed = way / max(0.001, Clock.get_time() - since)
            path = [self.pixel(_between((x, y), touch.pos, at / _PATH_STEPS)) for at in range(_PATH_STEPS + 1)]
            self.dispatch("on_swipe", path, speed >= dp(_FAST_DP_S))
        return True

    def on_poke(self, pixel: Place) -> None:
        """It was touched."""

    def on_swipe(self, pixels: Sequence[Place], fast: bool) -> None:
        """A finger went over it."""


def _between(start: Place, end: Place, share: float) -> Place:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


class HandTray(BoxLayout):
    """Pieces to drag onto the table. What is dragged is drawn under the finger, over everything on `host`."""

    def __init__(self, pieces: Sequence[str], host: Widget, drop: Drop) -> None:
        super().__init__(spacing=steps(1))
        for piece in pieces:
            self.add_widget(TrayPiece(piece, host, drop))


class TrayPiece(Widget):
    """One kind of piece in the tray."""

    takes_touch = True

    def __init__(self, piece: str, host: Widget, drop: Drop) -> None:
        super().__init__()
        self.name = f"piece {piece}"
        self.piece = piece
        self._host, self._drop = host, drop
        self._ghost: IconView | None = None
        self._surface = Surface(self.canvas.before)
        self._icon = IconView(kind=_ICONS.get(piece, piece))
        self.add_widget(self._icon)
        lazily(self._arrange, "pos", "size")

    def _arrange(self, *_: Any) -> None:
        theme = colours()
        self._surface.place(self.pos, self.size)
        self._surface.paint(theme.panel_raised, theme.panel_edge)
        side = min(self.size) * _ICON_SHARE
        self._icon.size, self._icon.pos = (side, side), (self.center_x - side / 2, self.center_y - side / 2)

    def on_touch_down(self, touch: Any) -> bool:
        if self._ghost is not None or not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        side = steps(_GHOST_STEPS)
        self._ghost = IconView(kind=self._icon.kind, tint=colours().accent, size_hint=(None, None), size=(side, side))
        self._host.add_widget(self._ghost)
        self._follow(touch.pos)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        self._follow(touch.pos)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        if self._ghost is not None:
            self._host.remove_widget(self._ghost)
            self._ghost = None
        self._drop(self.piece, touch.pos)
        return True

    def _follow(self, pos: Place) -> None:
        assert self._ghost is not None
        self._ghost.center = pos
