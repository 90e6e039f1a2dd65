"""The look in force: every widget follows it, and changing it changes all of them at once."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any
from weakref import WeakKeyDictionary

from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.metrics import dp
from kivy.properties import BooleanProperty, ObjectProperty

from companion.app.theme import DARK, STEP_DP, TARGET_DP, Theme


class Look(EventDispatcher):
    """`theme` is the set of colours, `motion` whether things move or jump to where they go."""

    theme = ObjectProperty(DARK)
    motion = BooleanProperty(True)


look = Look()


def colours() -> Theme:
    """The theme in force."""
    theme: Theme = look.theme
    return theme


_followers: WeakKeyDictionary[Any, list[Callable[[Any], Any]]] = WeakKeyDictionary()
"""Kept by hand: Kivy's own weak bindings would pile up for every widget that ever was."""


def follow(paint: Callable[..., Any]) -> None:
    """Calls a widget's method whenever the theme changes, for as long as the widget lives."""
    assert isinstance(paint, MethodType)
    _followers.setdefault(paint.__self__, []).append(paint.__func__)


def _repaint(*_: Any) -> None:
    for widget, paints in list(_followers.items()):
        for paint in paints:
            paint(widget)


look.bind(theme=_repaint)


def lazily(arrange: Callable[..., Any], *names: str) -> Callable[[], Any]:
    """Calls a widget's method once before the next frame, however many of the named properties have changed.

    It also waits for Kivy: while a size is being handed out, `right`, `top` and `center` still tell the one before.
    What is given back asks for such a call by hand.
    """
    assert isinstance(arrange, MethodType)
    widget: Any = arrange.__self__
    trigger: Callable[[], Any] = Clock.create_trigger(arrange, -1)
    for name in names:
        widget.fbind(name, trigger)
    trigger()
    return trigger


def steps(count: float) -> float:
    """So many steps of spacing, in pixels."""
    return float(dp(STEP_DP * count))


def target() -> float:
    """The side of the smallest thing that takes a touch, in pixels."""
    return float(dp(TARGET_DP))
