"""A finger drawn along something tells how far on it is; a short tap is something else."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.properties import BooleanProperty, ObjectProperty
from kivy.uix.widget import Widget

_STILL_DP = 10


class Scrubbed(Widget):
    """Dispatches `on_scrub(share)` while a finger is drawn along it, and `on_tap(pos)` when it only touched.

    With `at_once` the finger leads from where it comes down. A widget that is not `scrubs` lets every touch through.
    """

    __events__: tuple[str, ...] = ("on_scrub", "on_tap")

    scrubs = BooleanProperty(True)
    at_once = BooleanProperty(False)
    finger = ObjectProperty(None, allownone=True)

    @property
    def takes_touch(self) -> bool:
        return bool(self.scrubs)

    def scrub_span(self) -> tuple[float, float]:
        """Where the way begins, and how long it is."""
        return float(self.x), float(self.width)

    def on_touch_down(self, touch: Any) -> bool:
        if super().on_touch_down(touch):
            return True
        if not self.scrubs or self.finger is not None or not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self.finger = touch
        touch.ud[self] = None if self.at_once else touch.pos
        self._lead(touch)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_move(touch))
        self._lead(touch)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        self.finger = None
        if touch.ud.pop(self, None) is not None:
            self.dispatch("on_tap", touch.pos)
        return True

    def _lead(self, touch: Any) -> None:
        """A finger that has not moved yet may still mean a tap."""
        began = touch.ud[self]
        if began is not None and abs(touch.x - began[0]) + abs(touch.y - began[1]) < dp(_STILL_DP):
            return
        touch.ud[self] = None
        start, length = self.scrub_span()
        self.dispatch("on_scrub", min(1.0, max(0.0, (touch.x - start) / max(1.0, length))))

    def on_scrub(self, share: float) -> None:
        """The finger is at this share of the way."""

    def on_tap(self, pos: Any) -> None:
        """It was touched and let go."""
