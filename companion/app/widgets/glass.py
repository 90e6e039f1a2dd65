"""The glass of the window: it sleeps and wakes, tells touches apart, and holds the screen and what lies over it."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.widgets.look import lazily
from companion.app.widgets.marks import RecordingMark
from companion.app.widgets.motion import glide

_DARKNESS = 0.94
_SAME_TAP_S = 0.04
"""Nobody taps twice that quickly; a panel that two drivers listen to does."""
_SAME_PLACE_DP = 16
_UNMEANT = "unmeant"


class Glass(FloatLayout):
    """What the window holds: one screen, under a darkness that comes when nobody has touched it for `idle_s`.

    The touch that wakes it does nothing else, and a tap that is delivered twice counts once. A call covers whatever
    screen there is. While the table is being recorded, a red mark is on all of them.
    """

    idle_s = NumericProperty(0)
    dark = NumericProperty(0.0)
    recording = BooleanProperty(False)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.asleep = False
        self._touched = Clock.get_time()
        self._began: tuple[float, float, float] | None = None
        self._screen: Widget | None = None
        self._call: Widget | None = None
        self._mark = RecordingMark()
        self.canvas.after.add(self._mark.drawn)
        with self.canvas.after:
            self._shade = Color(0, 0, 0, 0)
            self._cover = Rectangle()
        lazily(self._darken, "pos", "size", "dark", "recording")

    def show(self, screen: Widget) -> None:
        """Puts a screen in the place of the one there was."""
        if self._screen is not None and self._screen.parent is self:
            self.remove_widget(self._screen)
        self._screen = screen
        screen.size = self.size
        if self._call is None:
            self.add_widget(screen)

    def cover(self, call: Widget) -> None:
        """Lays a call over the screen, which is not drawn until the call is gone: nobody could see it."""
        self.uncover()
        self._call = call
        if self._screen is not None:
            self.remove_widget(self._screen)
        call.size = self.size
        self.add_widget(call)

    def uncover(self) -> None:
        """Takes the call away again."""
        call, self._call = self._call, None
        if call is not None:
            self.remove_widget(call)
            if self._screen is not None:
                self._screen.size = self.size
                self.add_widget(self._screen)

    @property
    def untouched_s(self) -> float:
        """How long nobody has touched it."""
        return float(Clock.get_time() - self._touched)

    def doze(self) -> None:
        """Goes dark when it is time to."""
        if self.idle_s and not self.asleep and self.untouched_s >= self.idle_s:
            self.asleep = True
            glide(self, dark=_DARKNESS)

    def wake(self) -> bool:
        """Lights up again, and counts the time anew. Tells whether it was asleep."""
        self._touched = Clock.get_time()
        woken, self.asleep = self.asleep, False
        if woken:
            glide(self, dark=0.0)
        return woken

    def _darken(self, *__: Any) -> None:
        self._mark.show(self.recording, self.x, self.top)
        self._shade.a = self.dark
        self._cover.pos, self._cover.size = self.pos, self.size

    def on_touch_down(self, touch: Any) -> bool:
        if self.wake() or self._again(touch):
            touch.ud[_UNMEANT] = True
            return True
        return bool(super().on_touch_down(touch))

    def on_touch_move(self, touch: Any) -> bool:
        self.wake()
        return _UNMEANT in touch.ud or bool(super().on_touch_move(touch))

    def on_touch_up(self, touch: Any) -> bool:
        self.wake()
        return _UNMEANT in touch.ud or bool(super().on_touch_up(touch))

    def _again(self, touch: Any) -> bool:
        """Whether this is the touch before once more."""
        if getattr(touch, "is_mouse_scrolling", False):
            return False
        now, before = Clock.get_time(), self._began
        near = dp(_SAME_PLACE_DP)
        if before and now - before[0] < _SAME_TAP_S and abs(touch.x - before[1]) + abs(touch.y - before[2]) < near:
            return True
        self._began = (now, touch.x, touch.y)
        return False
