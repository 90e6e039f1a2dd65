"""Numbers that people watch: counters and dials that show their change, and the pad to enter one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, SmoothEllipse, SmoothLine
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, OptionProperty, StringProperty
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.theme import CHANGE_SHOWN_S, SCALE_SP
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.look import Last, colours, follow, lazily, steps, target
from companion.app.widgets.motion import glide
from companion.app.widgets.pictures import IconView
from companion.app.widgets.words import TextLabel, font_of, measured

_MINUS = "\N{MINUS SIGN}"
_NARROWEST_STEPS = 12
_DIAL_SWEEP_DEG = 270
_DIAL_EDGE_DP = 6


def signed(number: int) -> str:
    """A number with its sign, as a change is written.

    >>> signed(3), signed(-2) == f"{_MINUS}2"
    ('+3', True)
    """
    return f"+{number}" if number > 0 else f"{_MINUS}{-number}" if number < 0 else "0"


class ChangingNumber(Widget):
    """A `value` that remembers for 5 s how far it has moved in `change`. `now` is the clock, in seconds."""

    value = NumericProperty(0)
    change = NumericProperty(0)
    now: Callable[[], float] = ObjectProperty(Clock.get_time)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._known = self.value
        self._changed_at = 0.0
        self.fbind("value", self._note_change)

    def _note_change(self, *_: Any) -> None:
        self.change += self.value - self._known
        self._known, self._changed_at = self.value, self.now()
        Clock.unschedule(self._let_fade)
        Clock.schedule_interval(self._let_fade, 0.1)

    def _let_fade(self, *_: Any) -> None:
        if self.now() - self._changed_at >= CHANGE_SHOWN_S:
            Clock.unschedule(self._let_fade)
            self.change = 0

    def become(self, value: int) -> None:
        """Takes a value that is no change, as when another game is shown."""
        Clock.unschedule(self._let_fade)
        self._known = value
        self.value = value
        Clock.unschedule(self._let_fade)
        self.change = 0


class Counter(ChangingNumber):
    """A big number with its name under it, and - and + beside it; under it, or below and above it, when it is narrow.

    `on_step(-1)` and `on_step(+1)` tell what was touched; with `self_counting` the value moves by itself within `low`
    and `high`. `minus_reason` and `plus_reason` switch a side off and are told by `on_reason`. `editable=False` leaves
    only the number.
    """

    __events__ = ("on_step", "on_reason")

    text = StringProperty("")
    icon = StringProperty("")
    low = NumericProperty(0)
    high = NumericProperty(99)
    editable = BooleanProperty(True)
    self_counting = BooleanProperty(False)
    minus_reason = StringProperty("")
    plus_reason = StringProperty("")
    role = OptionProperty("number", options=tuple(SCALE_SP))
    ground = OptionProperty("panel", options=("panel", "table"))

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._number = TextLabel(strong=True, halign="center")
        self._change = TextLabel(strong=True, halign="center")
        self._name = TextLabel(halign="center", tone="soft")
        self._icon = IconView()
        self._minus = PushButton(icon="minus")
        self._plus = PushButton(icon="plus")
        self._minus.bind(on_release=lambda *_: self._step(-1), on_reason=self._tell)
        self._plus.bind(on_release=lambda *_: self._step(1), on_reason=self._tell)
        for child in (self._icon, self._number, self._name, self._change, self._minus, self._plus):
            self.add_widget(child)
        self._rearrange = lazily(self._arrange, "pos", "size", "text", "icon", "editable", "role", "ground")
        lazily(self._show, "value", "change", "low", "high", "minus_reason", "plus_reason", "ground")

    def _step(self, by: int) -> None:
        if self.self_counting:
            self.value = min(max(self.value + by, self.low), self.high)
        self.dispatch("on_step", by)

    def _tell(self, _: Any, reason: str) -> None:
        self.dispatch("on_reason", reason)

    def _show(self, *_: Any) -> None:
        text = str(int(self.value)).replace("-", _MINUS)
        if len(text) != len(self._number.text):
            self._rearrange()
        self._number.text = text
        self._change.text = signed(int(self.change)) if self.change else ""
        self._change.tone = "good" if self.change > 0 else "bad"
        self._minus.why, self._plus.why = self.minus_reason, self.plus_reason
        self._minus.disabled = self.value <= self.low and not self.minus_reason
        self._plus.disabled = self.value >= self.high and not self.plus_reason

    def _arrange(self, *_: Any) -> None:
        for label in (self._number, self._name, self._change, self._icon):
            label.ground = self.ground
        self._name.text, self._icon.kind, self._number.role = self.text, self.icon, self.role
        side = target() if self.editable else 0
        for button in (self._minus, self._plus):
            button.opacity = 1 if self.editable else 0
        if self.width >= 2 * side + steps(_NARROWEST_STEPS):
            middle = self._beside(side)
        elif self.width >= 2 * side:
            middle = self._under(side)
        else:
            middle = self._stacked(side)
        self._fill_middle(*middle)

    def _beside(self, side: float) -> tuple[float, float, float, float]:
        tall = min(self.height, target() * 1.25) if side else 0
        for button, x in ((self._minus, self.x), (self._plus, self.right - side)):
            button.pos, button.size = (x, self.center_y - tall / 2), (side, tall)
        return self.x + side, self.y, self.width - 2 * side, self.height

    def _under(self, side: float) -> tuple[float, float, float, float]:
        half = (self.width - steps(0.5)) / 2
        for button, x in ((self._minus, self.x), (self._plus, self.right - half)):
            button.pos, button.size = (x, self.y), (half, side)
        return self.x, self.y + side, self.width, self.height - side

    def _stacked(self, side: float) -> tuple[float, float, float, float]:
        for button, y in ((self._minus, self.y), (self._plus, self.top - side)):
            button.pos, button.size = (self.x, y), (self.width if side else 0, side)
        return self.x, self.y + side, self.width, self.height - 2 * side

    def _fill_middle(self, x: float, y: float, width: float, height: float) -> None:
        number = self._number.wanted_px * 1.25
        name = self._name_height(width, max(height * 0.3, steps(2.25), height - number)) if self.text else 0
        number = min(height - name, self._number.wanted_px * 1.4)
        y, height = y + (height - name - number) / 2, name + number
        self._name.pos, self._name.size = (x, y), (max(0, width), name)
        self._line_up(x, y + name, width, max(0.0, height - name))

    def _line_up(self, x: float, y: float, width: float, height: float) -> None:
        """The number over the middle of its name, the icon right before it, its change after it."""
        gap, icon = steps(0.5), min(height, steps(4)) if self.icon else 0
        change = min(width * 0.28, steps(5))
        left, right = icon + gap if icon else change, change
        drawn = measured(self._number.text, font_of(strong=True, serif=False), self._number.wanted_px, None)[0] + 2
        aside = max(0.0, (width - drawn) / 2 - max(left, right))
        if aside:
            left = right = max(left, right)
        self._icon.pos, self._icon.size = (x + left - icon - gap + aside, y + (height - icon) / 2), (icon, icon)
        self._number.pos, self._number.size = (x + left, y), (max(0, width - left - right), height)
        self._change.pos, self._change.size = (x + width - right - aside, y), (max(0, change), height)

    def _name_height(self, width: float, most: float) -> float:
        """One line where the name fits on one, else what the number leaves it."""
        font, size = font_of(strong=False, serif=False), self._name.wanted_px
        wide, tall = measured(self.text, font, size, None)
        return float(min(tall + 1, most) if wide <= width else most)

    def on_step(self, by: int) -> None:
        """- or + was touched."""

    def on_reason(self, reason: str) -> None:
        """A side that is off was touched."""


class Dial(ChangingNumber):
    """A round dial as on a barbican: a number, its icon, and a hand that turns from `low` to `high`."""

    text = StringProperty("")
    icon = StringProperty("")
    low = NumericProperty(0)
    high = NumericProperty(20)
    turned = NumericProperty(0.0)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        with self.canvas.before:
            self._rim_shade, self._rim = Color(1, 1, 1, 1), SmoothEllipse()
            self._face_shade, self._face = Color(1, 1, 1, 1), SmoothEllipse()
            self._track_shade, self._track = Color(1, 1, 1, 1), SmoothLine(width=dp(2))
            self._arc_shade, self._arc = Color(1, 1, 1, 1), SmoothLine(width=dp(2.5))
            self._hand_shade, self._hand = Color(1, 1, 1, 1), SmoothEllipse()
        self._last = Last()
        self._number = TextLabel(strong=True, halign="center", role="number")
        self._icon = IconView()
        self._name = TextLabel(role="small", halign="center", tone="soft")
        self._change = TextLabel(strong=True, halign="center")
        for child in (self._number, self._icon, self._name, self._change):
            self.add_widget(child)
        self.turned = self._share()
        lazily(self._arrange, "pos", "size", "turned", "text", "icon", "value", "change")
        lazily(self._turn, "value", "low", "high")
        follow(self._arrange)

    def _share(self) -> float:
        span = max(1, self.high - self.low)
        return float(min(max((self.value - self.low) / span, 0.0), 1.0))

    def _turn(self, *_: Any) -> None:
        glide(self, seconds=0.25, turned=self._share())

    def _arrange(self, *_: Any) -> None:
        theme = colours()
        name = min(self.height * 0.2, steps(3)) if self.text else 0
        side = min(self.width, self.height - name)
        low = self.center_y - (side + name) / 2
        x, y = self.center_x - side / 2, low + name
        if self._last.differs(x, y, side, self.turned, theme.name):
            self._paint(theme)
            self._place_face(x, y, side)
        self._write()
        self._name.text = self.text
        self._name.pos, self._name.size = (self.x, low), (self.width, name)

    def _paint(self, theme: Any) -> None:
        self._rim_shade.rgba, self._face_shade.rgba = theme.panel_edge, theme.panel_raised
        self._track_shade.rgba, self._arc_shade.rgba = theme.panel_pressed, theme.ink
        self._hand_shade.rgba = theme.danger

    def _write(self) -> None:
        self._number.text = str(int(self.value)).replace("-", _MINUS)
        self._change.text = signed(int(self.change)) if self.change else ""
        self._change.tone = "good" if self.change > 0 else "bad"
        self._icon.kind = self.icon

    def _place_face(self, x: float, y: float, side: float) -> None:
        edge = dp(1.5)
        self._rim.pos, self._rim.size = (x, y), (side, side)
        self._face.pos, self._face.size = (x + edge, y + edge), (side - 2 * edge, side - 2 * edge)
        cx, cy, radius = x + side / 2, y + side / 2, side / 2 - dp(_DIAL_EDGE_DP)
        start, end = -_DIAL_SWEEP_DEG / 2, -_DIAL_SWEEP_DEG / 2 + _DIAL_SWEEP_DEG * self.turned
        self._track.circle = (cx, cy, radius, start, start + _DIAL_SWEEP_DEG)
        self._arc.circle = (cx, cy, radius, start, max(end, start + 0.1))
        self._place_hand(cx, cy, radius, end)
        self._number.pos, self._number.size = (x + side * 0.2, y + side * 0.34), (side * 0.6, side * 0.42)
        icon = side * 0.24
        self._icon.pos, self._icon.size = (cx - icon / 2, y + side * 0.08), (icon, icon)
        self._change.pos, self._change.size = (x + side * 0.3, y + side * 0.72), (side * 0.4, side * 0.18)

    def _place_hand(self, cx: float, cy: float, radius: float, degrees: float) -> None:
        """The arc's end: degrees run clockwise from the top, as they do in Kivy's circles."""
        turn, dot = math.radians(degrees), dp(5)
        self._hand.pos = (cx + radius * math.sin(turn) - dot, cy + radius * math.cos(turn) - dot)
        self._hand.size = (2 * dot, 2 * dot)


class NumberPad(GridLayout):
    """Ten digits, a backspace and a check. `value` is what has been typed, None when nothing has.

    A digit that would make the number more than `high` starts a new number. `on_done(value)` comes with the check,
    which is grey until the number is at least `low`.
    """

    __events__ = ("on_done",)

    value: int | None = ObjectProperty(None, allownone=True)
    low = NumericProperty(0)
    high = NumericProperty(99)

    def __init__(self, **properties: Any) -> None:
        properties.setdefault("spacing", steps(0.5))
        super().__init__(cols=3, **properties)
        for digit in "123456789":
            self._add_digit(digit)
        self._erase = PushButton(icon="backspace")
        self._erase.bind(on_release=self._take_back)
        self.add_widget(self._erase)
        self._add_digit("0")
        self._done = PushButton(icon="check", kind="primary")
        self._done.bind(on_release=lambda *_: self.dispatch("on_done", self.value))
        self.add_widget(self._done)
        lazily(self._check, "value", "low", "high")
        self._check()

    def _add_digit(self, digit: str) -> None:
        button = PushButton(text=digit, role="large")
        button.bind(on_release=lambda *_: self._type(digit))
        self.add_widget(button)

    def _type(self, digit: str) -> None:
        longer = int(f"{self.value or 0}{digit}")
        self.value = longer if longer <= self.high else min(int(digit), int(self.high))

    def _take_back(self, *_: Any) -> None:
        kept = str(self.value or 0)[:-1]
        self.value = int(kept) if kept else None

    def _check(self, *_: Any) -> None:
        self._done.disabled = self.value is None or not self.low <= self.value <= self.high
        self._erase.disabled = self.value is None

    def on_done(self, value: int) -> None:
        """The check was touched."""
