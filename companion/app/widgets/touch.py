"""What can be pressed: one finger at a time, let go inside to mean it, slid away to take it back."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.widget import Widget


class Touchable(Widget):
    """A widget that can be pressed.

    `on_press` comes with the finger, `on_release` when it is lifted inside. With a reason in `why` the widget is
    off: lifting the finger dispatches `on_reason(why)` instead, so that the table learns it.
    """

    __events__: tuple[str, ...] = ("on_press", "on_release", "on_reason")
    takes_touch = True

    pressed = BooleanProperty(False)
    why = StringProperty("")
    finger = ObjectProperty(None, allownone=True)

    def on_touch_down(self, touch: Any) -> bool:
        if super().on_touch_down(touch):
            return True
        if self.finger is not None or not self.collide_point(*touch.pos) or getattr(touch, "is_mouse_scrolling", False):
            return False
        touch.grab(self)
        self.finger = touch
        self.pressed = not self.why
        if self.pressed:
            self.dispatch("on_press")
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_move(touch))
        if touch is self.finger:
            self.pressed = self.collide_point(*touch.pos) and not self.why
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        if touch is self.finger:
            meant = self.collide_point(*touch.pos)
            self.let_go()
            if meant:
                self._mean_it()
        return True

    def _mean_it(self) -> None:
        if self.why:
            self.dispatch("on_reason", self.why)
        else:
            self.dispatch("on_release")

    def let_go(self) -> None:
        """Forgets the finger, as when a list takes it for scrolling."""
        self.finger = None
        self.pressed = False

    def on_press(self) -> None:
        """A finger came down."""

    def on_release(self) -> None:
        """It was lifted inside."""

    def on_reason(self, reason: str) -> None:
        """It was lifted inside while this is off."""
