"""What comes up over the screen and goes again: sheets that wait for an answer, and toasts that do not."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.properties import (
    BooleanProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    OptionProperty,
    StringProperty,
)
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.widgets.buttons import PushButton
from companion.app.widgets.look import colours, follow, lazily, look, steps, target
from companion.app.widgets.motion import glide, vanish
from companion.app.widgets.scrolling import Scroller
from companion.app.widgets.surfaces import Panel, Surface
from companion.app.widgets.words import TextLabel

_TOAST_S = 6.0
_WIDEST_DIALOG_STEPS = 80
_TALL_SHARE = 0.94


class Sheet(Widget):
    """A question or a form over the screen: nothing below it can be touched.

    `body` is any widget: one with `size_hint_y=None` makes the sheet as high as it needs (and scrolls when that is too
    high), any other gets all the height there is. `actions` are buttons for the foot. At the `bottom` it slides in
    from below and is as wide as the screen; in the `centre` it is a dialog. A touch outside closes it if it is
    `dismissable`.
    """

    __events__ = ("on_close",)
    modal = True

    title = StringProperty("")
    body = ObjectProperty(None, allownone=True)
    actions = ListProperty()
    placement = OptionProperty("bottom", options=("bottom", "centre"))
    dismissable = BooleanProperty(True)
    raised = NumericProperty(1.0)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        with self.canvas.before:
            self._scrim_shade = Color(0, 0, 0, 0)
            self._scrim = Rectangle()
        self.panel = Panel(padding=steps(2), spacing=steps(1))
        self._scroller: Any = None
        self._fill()
        self.add_widget(self.panel)
        lazily(self._arrange, "pos", "size", "raised", "placement")
        if self.body is not None:
            self.body.bind(height=self._arrange)
        follow(self._arrange)

    def _fill(self) -> None:
        if self.title or self.dismissable:
            self.panel.add_widget(self._header())
        if self.body is not None:
            self.panel.add_widget(self._held_body())
        if self.actions:
            foot = BoxLayout(size_hint_y=None, height=target(), spacing=steps(1))
            for button in self.actions:
                foot.add_widget(button)
            self.panel.add_widget(foot)

    def _header(self) -> BoxLayout:
        header = BoxLayout(size_hint_y=None, height=target(), spacing=steps(1))
        header.add_widget(TextLabel(text=self.title, role="large", serif=True))
        if self.dismissable:
            close = PushButton(icon="close", kind="quiet", size_hint_x=None, width=target())
            close.bind(on_release=lambda *_: self.close())
            header.add_widget(close)
        return header

    def _held_body(self) -> Any:
        if self.body.size_hint_y is not None:
            return self.body
        self._scroller = Scroller()
        self._scroller.add_widget(self.body)
        return self._scroller

    def _needed(self) -> float:
        """How high the panel wants to be."""
        if self.body is not None and self._scroller is None:
            return float(self.height * _TALL_SHARE)
        parts = [child.height for child in self.panel.children if child is not self._scroller]
        inner = sum(parts) + (self.body.height if self.body is not None else 0)
        return float(inner + steps(1) * (len(self.panel.children) - 1) + 2 * steps(2))

    def _arrange(self, *_: Any) -> None:
        self._scrim_shade.rgba = colours().scrim
        self._scrim_shade.a *= self.raised
        self._scrim.pos, self._scrim.size = self.pos, self.size
        height = min(self._needed(), self.height * _TALL_SHARE)
        centred = self.placement == "centre"
        width = min(self.width - 2 * steps(2), steps(_WIDEST_DIALOG_STEPS)) if centred else self.width
        rest = self.center_y - height / 2 if centred else self.y
        self.panel.size = (round(width), round(height))
        lowered = rest - (1 - self.raised) * (rest - self.y + height)
        self.panel.pos = (round(self.center_x - width / 2), round(lowered))

    def open(self, host: Widget) -> None:
        """Comes up over a host that fills the window."""
        self.pos, self.size = host.pos, host.size
        host.add_widget(self)
        host.bind(size=self._follow_host, pos=self._follow_host)
        if look.motion:
            self.raised = 0.0
        glide(self, raised=1.0)

    def _follow_host(self, host: Any, _: Any) -> None:
        self.pos, self.size = host.pos, host.size

    def close(self) -> None:
        """Goes down again; `on_close` comes at once."""
        if self.parent is None or not self.modal:
            return
        self.modal = False
        self.dispatch("on_close")
        glide(self, raised=0.0, done=self._leave)

    def _leave(self) -> None:
        if self.parent is not None:
            self.parent.unbind(size=self._follow_host, pos=self._follow_host)
            self.parent.remove_widget(self)

    def on_touch_down(self, touch: Any) -> bool:
        """Takes every touch, except on its way out."""
        if not self.modal:
            return False
        if self.dismissable and not self.panel.collide_point(*touch.pos):
            self.close()
            return True
        super().on_touch_down(touch)
        return True

    def on_close(self) -> None:
        """It was closed, by whatever way."""


class Toast(Widget):
    """One sentence at the foot of the screen for 6 s, with one thing to do about it. A newer toast takes its place."""

    __events__ = ("on_action",)
    passing = True

    text = StringProperty("")
    action_text = StringProperty("")
    icon = StringProperty("undo")
    seconds = NumericProperty(_TOAST_S)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._surface = Surface(self.canvas.before)
        self._label = TextLabel(text=self.text, ground="table")
        self.add_widget(self._label)
        self._button: Any = None
        if self.action_text:
            self._button = PushButton(text=self.action_text, icon=self.icon, kind="primary")
            self._button.bind(on_release=lambda *_: self._act())
            self.add_widget(self._button)
        lazily(self._arrange, "pos", "size")
        follow(self._arrange)

    def _arrange(self, *_: Any) -> None:
        theme = colours()
        self._surface.place(self.pos, self.size)
        self._surface.paint(theme.table_raised, theme.accent)
        pad = steps(1)
        wide = min(self._button.ideal_width(), self.width * 0.45) if self._button else 0
        if self._button:
            self._button.pos = (self.right - pad - wide, self.y + pad)
            self._button.size = (wide, self.height - 2 * pad)
        self._label.pos = (self.x + 2 * pad, self.y + pad)
        self._label.size = (max(0, self.width - wide - 4 * pad), self.height - 2 * pad)

    def show(self, host: Any) -> None:
        """Appears at the foot of a host."""
        for other in [child for child in host.children if isinstance(child, Toast)]:
            other.leave()
        self.size_hint = (None, None)
        host.bind(size=self._follow_host, pos=self._follow_host)
        self._follow_host(host)
        host.add_widget(self)
        self.opacity = 0 if look.motion else 1
        glide(self, opacity=1)
        Clock.schedule_once(self._fade, self.seconds)

    def _follow_host(self, host: Any, *_: Any) -> None:
        margin = steps(1)
        self.size = (host.width - 2 * margin, target() + 2 * margin)
        self.pos = (host.x + margin, host.y + margin)

    def _fade(self, *_: Any) -> None:
        vanish(self, done=self.leave)

    def leave(self) -> None:
        """Goes at once."""
        Clock.unschedule(self._fade)
        if self.parent is not None:
            self.parent.unbind(size=self._follow_host, pos=self._follow_host)
            self.parent.remove_widget(self)

    def _act(self) -> None:
        self.leave()
        self.dispatch("on_action")

    def on_action(self) -> None:
        """Its button was touched."""
