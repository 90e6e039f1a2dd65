"""What the demo lays over the app: a line that tells what happens, and a mark where its finger is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, SmoothEllipse, SmoothLine
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.stage import Finger
from companion.app.widgets.look import colours, follow, lazily, steps
from companion.app.widgets.surfaces import Surface
from companion.app.widgets.words import TextLabel
from companion.app.words import _
from companion.demo.playing import Acts, Wait, pause

BAR_STEPS = 5
_FINGER_DP = 22
_TRAVEL_S = 0.4
_PRESS_S, _AFTER_S = 0.12, 0.3
_SHADE, _PRESSED = 0.45, 0.85
_HINT_SHARE = 0.28


class CaptionBar(BoxLayout):  # type: ignore[misc]  # Kivy has no types
    """One line over the app, and how to end the demo."""

    def __init__(self) -> None:
        super().__init__(size_hint_y=None, height=steps(BAR_STEPS), padding=(steps(2), 0), spacing=steps(2))
        self._surface = Surface(self.canvas.before, corner_dp=0)
        self._text = TextLabel(strong=True)
        self._hint = TextLabel(role="small", tone="soft", halign="right", size_hint_x=_HINT_SHARE)
        for label in (self._text, self._hint):
            self.add_widget(label)
        self.say("", _("Touch anywhere to stop."))
        lazily(self._paint, "pos", "size")
        follow(self._paint)

    def say(self, caption: str, hint: str | None = None) -> None:
        """Show a caption; and another hint, if there is one."""
        self._text.text = caption
        if hint is not None:
            self._hint.text = hint

    def _paint(self, *__: Any) -> None:
        theme = colours()
        self._surface.place(self.pos, self.size)
        self._surface.paint(theme.panel_raised, theme.accent)


class FingerMark:
    """A circle over everything that shows where the demo touches. `pos` is in the window."""

    def __init__(self, pos: tuple[float, float]) -> None:
        self._group = InstructionGroup()
        self._shade, self._disc = Color(1, 1, 1, 0), SmoothEllipse()
        self._edge_shade, self._edge = Color(0, 0, 0, 0), SmoothLine(width=dp(1.5))
        for part in (self._shade, self._disc, self._edge_shade, self._edge):
            self._group.add(part)
        self.pos = pos

    @property
    def drawn(self) -> InstructionGroup:
        """What to add to a canvas."""
        return self._group

    def move(self, pos: tuple[float, float], pressed: bool = False) -> None:
        """Show it there."""
        self.pos = pos
        side = dp(_FINGER_DP) * (0.8 if pressed else 1.0)
        self._disc.pos, self._disc.size = (pos[0] - side, pos[1] - side), (2 * side, 2 * side)
        self._edge.circle = (pos[0], pos[1], side)
        self._shade.rgba = (*colours().accent[:3], _PRESSED if pressed else _SHADE)
        self._edge_shade.rgba = (1, 1, 1, 0.9)

    def hide(self) -> None:
        """Take it away."""
        self._shade.a = self._edge_shade.a = 0


class Toucher:
    """Touches real widgets with a finger that can be seen."""

    def __init__(self, mark: FingerMark) -> None:
        self._mark = mark

    def tap(self, found: Callable[[], Any], patience_s: float) -> Acts[bool]:
        """Wait for a widget, go there and touch it. False when it does not come."""
        if not (yield Wait(lambda: found() is not None, patience_s)):
            return False
        widget = found()
        if widget is None:
            return False
        yield from self._travel(widget)
        finger = Finger(widget)
        self._mark.move(self._mark.pos, pressed=True)
        finger.down()
        yield from pause(_PRESS_S)
        finger.up()
        self._mark.move(self._mark.pos)
        yield from pause(_AFTER_S)
        return True

    def _travel(self, widget: Any) -> Acts[None]:
        start, began_s = self._mark.pos, Clock.get_time()

        def arrived() -> bool:
            share = min(1.0, (Clock.get_time() - began_s) / _TRAVEL_S)
            eased = share * share * (3 - 2 * share)
            goal = widget.to_window(*widget.center)
            self._mark.move((start[0] + eased * (goal[0] - start[0]), start[1] + eased * (goal[1] - start[1])))
            return bool(share >= 1.0)

        yield Wait(arrived, 2 * _TRAVEL_S)


def seen(root: Any, wanted: Callable[[Any], bool]) -> Any:
    """The uppermost widget that shows, can be touched and is wanted; None where there is none."""
    return next((widget for widget in _uppermost(root) if wanted(widget) and not widget.disabled), None)


def _uppermost(root: Any) -> Iterator[Any]:
    """Every widget that shows, the last drawn first. What lies under something modal cannot be touched."""
    if root.opacity <= 0 or min(root.size) <= 0:
        return
    for child in root.children:
        yield from _uppermost(child)
        if getattr(child, "modal", False) and child.opacity > 0:
            break
    yield root


def named(name: str) -> Callable[[Any], bool]:
    """Wants the widget with a name."""
    return lambda widget: getattr(widget, "name", "") == name


def worded(text: str) -> Callable[[Any], bool]:
    """Wants the button with these words."""
    return lambda widget: getattr(widget, "takes_touch", False) and getattr(widget, "text", "") == text


def standing_for(touch_id: str) -> Callable[[Any], bool]:
    """Wants the button that stands for an id."""
    return lambda widget: bool(touch_id) and getattr(widget, "touch_id", "") == touch_id
