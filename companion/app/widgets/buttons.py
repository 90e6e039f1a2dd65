"""Buttons: tapped ones, held ones, switches and choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, SmoothEllipse, SmoothLine
from kivy.metrics import dp
from kivy.properties import (
    BooleanProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    OptionProperty,
    StringProperty,
)
from kivy.uix.boxlayout import BoxLayout

from companion.app.theme import HOLD_S, SCALE_SP, Colour, Theme, faded
from companion.app.widgets.look import colours, follow, lazily, steps, target
from companion.app.widgets.motion import glide
from companion.app.widgets.pictures import IconView, Shield
from companion.app.widgets.surfaces import Surface
from companion.app.widgets.touch import Touchable
from companion.app.widgets.words import TextLabel

_CLEAR: Colour = (0.0, 0.0, 0.0, 0.0)
_ICON_SHARE = 0.55
_LARGEST_ICON_DP = 48
_NOTE_SHARE = 0.46
_RING_WIDTH_DP = 4
_RING_SHARE = 0.62
"""The ring's radius, in sides of the icon it goes round."""
_SWITCH_DP = (64, 36)
_KNOB_INSET_DP = 4


class PushButton(Touchable):
    """A button with a text, an icon or a seat's shield, and a quieter `note` under the text.

    Kinds: `primary` for what is done most, `plain`, `quiet` without a ground of its own, `danger`. A button with a
    reason in `why` is grey and tells it when touched (`on_reason`); a `disabled` one is grey and silent. `chosen`
    marks it as the one picked.
    """

    text = StringProperty("")
    note = StringProperty("")
    icon = StringProperty("")
    seat = NumericProperty(-1)
    kind = OptionProperty("plain", options=("primary", "plain", "quiet", "danger"))
    role = OptionProperty("body", options=tuple(SCALE_SP))
    halign = OptionProperty("center", options=("left", "center"))
    ground = OptionProperty("panel", options=("panel", "table"))
    chosen = BooleanProperty(False)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._surface = Surface(self.canvas.before)
        self._label = TextLabel(strong=True)
        self.add_widget(self._label)
        self._picture: Any = None
        self._note: Any = None
        lazily(self._arrange, "pos", "size", "text", "note", "icon", "seat", "role", "halign")
        self._trigger_paint = lazily(self._paint, "pressed", "kind", "why", "disabled", "ground", "chosen")
        follow(self._paint)

    @property
    def off(self) -> bool:
        return bool(self.why) or bool(self.disabled)

    def _arrange(self, *_: Any) -> None:
        self._surface.place(self.pos, self.size)
        self._fill()
        pad = steps(1)
        side = self._picture_side()
        texts = bool(self.text or self.note)
        width = max(0, self.width - 2 * pad - (side + pad if side and texts else 0))
        left = self._start(side, width, pad) if texts else self.center_x - side / 2
        if self._picture is not None:
            self._picture.size, self._picture.pos = (side, side), (left, self.center_y - side / 2)
        self._place_texts(left + (side + pad if side else 0), width, bool(side))

    def _fill(self) -> None:
        """Makes the parts that are called for: most buttons need few of them."""
        self._label.text, self._label.role = self.text, self.role
        if self.note and self._note is None:
            self._note = self._part(TextLabel(valign="top"))
        if self._note is not None:
            self._note.text = self.note
        wanted = Shield if self.seat >= 0 else IconView if self.icon else None
        if self._picture is not None and type(self._picture) is not wanted:
            self.remove_widget(self._picture)
            self._picture = None
        if wanted is not None:
            self._fill_picture(self._picture or wanted())

    def _fill_picture(self, picture: Any) -> None:
        if self.seat >= 0:
            picture.seat = self.seat
        else:
            picture.kind = self.icon
        self._picture = picture if picture.parent else self._part(picture)

    def _part(self, widget: Any) -> Any:
        self.add_widget(widget)
        self._trigger_paint()
        return widget

    def _picture_side(self) -> float:
        if not self.icon and self.seat < 0:
            return 0.0
        return float(min(self.height * _ICON_SHARE, dp(_LARGEST_ICON_DP), self.width * 0.6))

    def _start(self, side: float, width: float, pad: float) -> float:
        """Where picture and text begin: together in the middle, or at the left."""
        if self.halign == "left" or not side:
            return float(self.x + pad)
        needed = max(label.ideal_width(width) for label in (self._label, self._note) if label is not None)
        return float(self.center_x - (side + pad + min(needed, width)) / 2)

    def _place_texts(self, left: float, width: float, beside: bool) -> None:
        inset = steps(0.5)
        low, height = self.y + inset, max(0, self.height - 2 * inset)
        note = height * _NOTE_SHARE if self.note else 0
        halign = "left" if beside or self.halign == "left" else "center"
        room = min(width, max(0, self.right - inset - left))
        for label, bottom, tall in ((self._label, low + note, height - note), (self._note, low, note)):
            if label is not None:
                label.halign, label.pos, label.size = halign, (left, bottom), (room, tall)
        self._label.valign = "bottom" if self.note else "middle"

    def _paint(self, *_: Any) -> None:
        fill, edge, words = self._colours(colours())
        self._surface.paint(fill, edge)
        self._label.tint = words
        if self._note is not None:
            self._note.tint = faded(words, 0.85)
        if isinstance(self._picture, IconView):
            self._picture.tint = words

    def _colours(self, theme: Theme) -> tuple[Colour, Colour, Colour]:
        """Fill, edge and words."""
        if self.off:
            clear = self.kind == "quiet"
            soft = theme.off_text if not clear else faded(theme.quiet_words(self.ground), 0.6)
            return (_CLEAR, _CLEAR, soft) if clear else (theme.off, theme.off_edge, soft)
        down = self.pressed
        if self.kind == "primary" or self.chosen:
            return (theme.accent_pressed if down else theme.accent, theme.accent_pressed, theme.on_accent)
        if self.kind == "danger":
            return (theme.danger_pressed if down else theme.danger, theme.danger_pressed, theme.on_danger)
        if self.kind == "quiet":
            words = theme.words(self.ground)
            return (faded(words, 0.15) if down else _CLEAR, _CLEAR, words)
        return (theme.panel_pressed if down else theme.panel_raised, theme.panel_edge, theme.ink)

    def ideal_width(self) -> float:
        """The width at which its text stands on one line at full size."""
        side, pad = self._picture_side(), steps(1)
        self._fill()
        words = max(label.ideal_width() for label in (self._label, self._note) if label is not None)
        return max(target(), words + 2 * pad + (side + pad if side else 0) + pad)


class HoldButton(PushButton):
    """A button that must be held: a ring fills while it is, and `on_held` comes when it is full.

    Let go too early, it dispatches `on_early`. `now` is the clock, in seconds.
    """

    __events__ = ("on_held", "on_early")

    seconds = NumericProperty(HOLD_S)
    now: Callable[[], float] = ObjectProperty(Clock.get_time)
    progress = NumericProperty(0.0)

    def __init__(self, **properties: Any) -> None:
        properties.setdefault("kind", "danger")
        super().__init__(**properties)
        self._since = 0.0
        with self.canvas.after:
            self._track_shade = Color(*_CLEAR)
            self._track = SmoothLine(width=dp(_RING_WIDTH_DP) / 2)
            self._ring_shade = Color(*_CLEAR)
            self._ring = SmoothLine(width=dp(_RING_WIDTH_DP) / 2)
        lazily(self._draw_ring, "progress", "pos", "size")
        self.fbind("pressed", self._follow_press)

    def _follow_press(self, *_: Any) -> None:
        Clock.unschedule(self._count)
        self.progress = 0.0
        if self.pressed:
            self._since = self.now()
            Clock.schedule_interval(self._count, 0)

    def _count(self, *_: Any) -> None:
        self.progress = min(1.0, (self.now() - self._since) / self.seconds)
        if self.progress >= 1.0:
            Clock.unschedule(self._count)
            self.let_go()
            self.dispatch("on_held")

    def _mean_it(self) -> None:
        if self.why:
            self.dispatch("on_reason", self.why)
        else:
            self.dispatch("on_early")

    def _draw_ring(self, *_: Any) -> None:
        words = colours().on_danger if self.kind == "danger" else colours().on_accent
        on = self.progress > 0
        radius = max(1.0, min(self.height, self.width) / 2 - dp(_RING_WIDTH_DP) - steps(0.5))
        middle = self.center
        if self._picture is not None and self.text:
            radius, middle = self._picture.width * _RING_SHARE, self._picture.center
        self._track_shade.rgba = faded(words, 0.3) if on else _CLEAR
        self._ring_shade.rgba = words if on else _CLEAR
        self._track.circle = (*middle, radius)
        self._ring.circle = (*middle, radius, 0, 360 * self.progress)

    def on_held(self) -> None:
        """It was held long enough."""

    def on_early(self) -> None:
        """It was let go too early."""


class Toggle(Touchable):
    """A switch with a label and a quieter note under it. Tapping turns it over and dispatches `on_active`."""

    text = StringProperty("")
    note = StringProperty("")
    active = BooleanProperty(False)
    ground = OptionProperty("panel", options=("panel", "table"))
    knob = NumericProperty(0.0)

    def __init__(self, **properties: Any) -> None:
        properties.setdefault("size_hint_y", None)
        properties.setdefault("height", target())
        super().__init__(**properties)
        self._label = TextLabel()
        self._note = TextLabel(tone="soft")
        self.add_widget(self._label)
        self.add_widget(self._note)
        self._surface = Surface(self.canvas.before, corner_dp=_SWITCH_DP[1] / 2)
        with self.canvas:
            self._knob_shade = Color(*_CLEAR)
            self._knob = SmoothEllipse()
            self._mark_shade = Color(*_CLEAR)
            self._mark = SmoothLine(width=dp(1.2))
        self.knob = 1.0 if self.active else 0.0
        lazily(self._arrange, "pos", "size", "text", "note", "ground", "knob", "disabled", "why")
        self.fbind("active", self._turn)
        follow(self._arrange)

    def on_release(self) -> None:
        self.active = not self.active

    def _turn(self, *_: Any) -> None:
        glide(self, seconds=0.15, knob=1.0 if self.active else 0.0)

    def _arrange(self, *_: Any) -> None:
        width, height = dp(_SWITCH_DP[0]), dp(_SWITCH_DP[1])
        x, y = self.right - width, self.center_y - height / 2
        self._surface.place((x, y), (width, height))
        room = max(0, self.width - width - steps(2))
        note = self.height * _NOTE_SHARE if self.note else 0
        self._label.text, self._note.text = self.text, self.note
        self._label.pos, self._label.size = (self.x, self.y + note), (room, self.height - note)
        self._note.pos, self._note.size = self.pos, (room, note)
        self._label.ground = self._note.ground = self.ground
        self._place_knob(x, y, width, height)

    def _place_knob(self, x: float, y: float, width: float, height: float) -> None:
        theme = colours()
        inset = dp(_KNOB_INSET_DP)
        side = height - 2 * inset
        left = x + inset + (width - height) * self.knob
        self._knob.pos, self._knob.size = (left, y + inset), (side, side)
        on, off = self.knob > 0.5, bool(self.why or self.disabled)
        self._surface.paint(theme.off if off else theme.accent if on else theme.panel_pressed, theme.panel_edge)
        self._knob_shade.rgba = theme.off_text if off else theme.on_accent if on else theme.ink_soft
        self._mark_shade.rgba = theme.accent if on and not off else _CLEAR
        cx, cy, unit = left + side / 2, y + height / 2, side / 10
        self._mark.points = [cx - 2 * unit, cy, cx - 0.5 * unit, cy - 1.7 * unit, cx + 2.2 * unit, cy + 1.8 * unit]


class SegmentedChoice(BoxLayout):
    """A few options side by side, one of them chosen. `options` are (value, label) pairs; `on_choice(value)`."""

    __events__ = ("on_choice",)

    options = ListProperty()
    value = ObjectProperty(None, allownone=True)

    def __init__(self, **properties: Any) -> None:
        properties.setdefault("size_hint_y", None)
        properties.setdefault("height", target())
        properties.setdefault("spacing", steps(0.5))
        super().__init__(**properties)
        self.fbind("options", self._fill)
        self.fbind("value", self._mark)
        self._fill()

    def _fill(self, *_: Any) -> None:
        self.clear_widgets()
        for value, label in self.options:
            button = PushButton(text=label)
            button.option = value
            button.bind(on_release=self._choose)
            self.add_widget(button)
        self._mark()

    def _mark(self, *_: Any) -> None:
        for button in self.children:
            button.chosen = button.option == self.value

    def _choose(self, button: Any) -> None:
        self.value = button.option
        self.dispatch("on_choice", button.option)

    def on_choice(self, value: object) -> None:
        """An option was tapped."""
