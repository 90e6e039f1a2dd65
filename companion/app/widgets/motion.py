"""Motion that says what happened: 150 to 250 ms, never in the way, and none at all when it is switched off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.animation import Animation
from kivy.metrics import dp

from companion.app.theme import MOTION_RANGE_S, MOTION_S
from companion.app.widgets.look import look

_DROP_DP = 32
_EASE = "out_cubic"


def glide(widget: Any, seconds: float = MOTION_S, done: Callable[[], Any] | None = None, **goals: Any) -> None:
    """Moves properties of a widget to where they go, then calls `done`; a glide under way to elsewhere is left off."""
    Animation.cancel_all(widget, *goals)
    if not look.motion or all(getattr(widget, name) == goal for name, goal in goals.items()):
        for name, goal in goals.items():
            setattr(widget, name, goal)
        _finish(done)
        return
    shortest, longest = MOTION_RANGE_S
    motion = Animation(duration=min(max(seconds, shortest), longest), transition=_EASE, **goals)
    motion.bind(on_complete=lambda *_: _finish(done))
    motion.start(widget)


def _finish(done: Callable[[], Any] | None) -> None:
    if done is not None:
        done()


def appear(widget: Any) -> None:
    """Fades a widget in."""
    widget.opacity = 0
    glide(widget, opacity=1)


def vanish(widget: Any, done: Callable[[], Any] | None = None) -> None:
    """Fades a widget out."""
    glide(widget, done=done, opacity=0)


def drop_in(widget: Any, goal: tuple[float, float]) -> None:
    """Lets a widget fall into its place from a little above, as a level of a castle does."""
    widget.pos = (goal[0], goal[1] + dp(_DROP_DP))
    glide(widget, pos=goal)


def slide(
    widget: Any, start: tuple[float, float], goal: tuple[float, float], done: Callable[[], Any] | None = None
) -> None:
    """Slides a widget from one place to another, as a coin goes to its owner."""
    widget.pos = start
    glide(widget, seconds=MOTION_RANGE_S[1], done=done, pos=goal)
