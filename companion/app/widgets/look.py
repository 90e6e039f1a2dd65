"""The look in force: every widget follows it, and changing it changes all of them at once."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any
from weakref import WeakKeyDictionary

from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.metrics import dp
from kivy.properties import BooleanProperty, ObjectProperty, OptionProperty

from companion.app.theme import DARK, PALETTES, STEP_DP, TARGET_DP, SeatLook, Theme, seat


class Look(EventDispatcher):
    """`theme` and `palette` are the colours of all and of the seats; without `motion` things jump to where they go."""

    theme = ObjectProperty(DARK)
    palette = OptionProperty("standard", options=tuple(PALETTES))
    motion = BooleanProperty(True)


look = Look()


def colours() -> Theme:
    """The theme in force."""
    theme: Theme = look.theme
    return theme


def seat_look(index: int) -> SeatLook:
    """The look of a seat in the palette in force."""
    return seat(index, look.palette)


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


look.bind(theme=_repaint, palette=_repaint)


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


class Last:
    """What was drawn last, to ask before drawing: an instruction set to what it was is painted again all the same."""

    def __init__(self) -> None:
        self._look: tuple[Any, ...] = ()

    def differs(self, *look: Any) -> bool:
        """Whether this is another look than the last, which it is from now on."""
        before, self._look = self._look, look
        return before != look


def steps(count: float) -> float:
    """So many steps of spacing, in pixels."""
    return float(dp(STEP_DP * count))


def target() -> float:
    """The side of the smallest thing that takes a touch, in pixels."""
    return float(dp(TARGET_DP))
