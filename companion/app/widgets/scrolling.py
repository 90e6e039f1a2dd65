"""Lists for fingers: rows answer at once, a drag scrolls, a flick glides on."""

from __future__ import annotations

import math
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, PopMatrix, PushMatrix, Rectangle, SmoothRoundedRectangle, Translate
from kivy.metrics import dp
from kivy.properties import NumericProperty, OptionProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stencilview import StencilView

from companion.app.theme import Colour, faded
from companion.app.widgets.drawing import icon_texture
from companion.app.widgets.look import Last, colours, follow, lazily, look, steps

_GONE: Colour = (0, 0, 0, 0)
_SLOP_DP = 12
"""How far a finger wanders before it means to scroll."""
_FRICTION_PER_S = 4.0
_STOPPED_DP_PER_S = 24
_FASTEST_DP_PER_S = 6000
_FRESH_S = 0.08
"""A finger that rested this long before it was lifted does not flick."""
_WHEEL_DP = 72
_BAR_DP = 4
_BAR_ROOM_DP = 10
_SHORTEST_BAR_DP = 32
_FADE_DP = 30
_FADE_BANDS = 6
_ARROW_DP = 22
_LEAST_MORE_DP = 4
"""Less than this out of sight is no row."""


class _More:
    """At an edge of a list: the rows fade into the ground, and an arrow shows that there are more."""

    def __init__(self, canvas: Any, icon: str) -> None:
        self._icon = icon
        self._last = Last()
        with canvas:
            self._bands = [(Color(0, 0, 0, 0), Rectangle()) for _ in range(_FADE_BANDS)]
            self._shade, self._arrow = Color(0, 0, 0, 0), Rectangle()

    def place(self, x: float, edge: float, width: float, inward: int, ground: Colour | None, words: Colour) -> None:
        """Along an edge, `inward` 1 upward or -1 downward; without a ground it is gone."""
        if not self._last.differs(x, edge, width, ground, words):
            return
        tall = dp(_FADE_DP) / _FADE_BANDS
        for at, (shade, band) in enumerate(self._bands):
            shade.rgba = faded(ground, 1 - at / _FADE_BANDS) if ground else _GONE
            band.pos = (x, edge + at * tall if inward > 0 else edge - (at + 1) * tall)
            band.size = (width, tall) if ground else (0, 0)
        side = round(dp(_ARROW_DP))
        self._shade.rgba = words if ground else _GONE
        self._arrow.texture = icon_texture(self._icon, side) if ground else None
        self._arrow.pos = (round(x + (width - side) / 2), round(edge if inward > 0 else edge - side))
        self._arrow.size = (side, side) if ground else (0, 0)


class Scroller(StencilView):
    """Shows one tall widget through a window. `scroll` is how far down it is, in pixels."""

    scrolls = True
    scroll = NumericProperty(0.0)
    ground = OptionProperty("panel", options=("panel", "table"))

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        with self.canvas.before:
            PushMatrix()
            self._move = Translate(0, 0)
        self.canvas.after.insert(0, PopMatrix())
        with self.canvas.after:
            self._bar_shade = Color(0, 0, 0, 0)
            self._bar = SmoothRoundedRectangle(radius=[dp(_BAR_DP) / 2])
        self._above, self._below = _More(self.canvas.after, "up"), _More(self.canvas.after, "down")
        self._finger: Any = None
        self._dragging = False
        self._speed = 0.0
        self._last = (0.0, 0.0)
        lazily(self._arrange, "pos", "size", "scroll", "ground", "children")
        follow(self._arrange)

    # The content and where it is

    def add_widget(self, widget: Any, *more: Any, **how: Any) -> None:
        """Takes the one widget to show; its height is its own."""
        super().add_widget(widget, *more, **how)
        widget.fbind("height", self._arrange)
        self._arrange()

    def remove_widget(self, widget: Any, *more: Any, **how: Any) -> None:
        widget.funbind("height", self._arrange)
        super().remove_widget(widget, *more, **how)

    @property
    def furthest(self) -> float:
        """How far down it can go, in pixels."""
        return max(0.0, float(self.children[0].height - self.height)) if self.children else 0.0

    def go_to(self, scroll: float) -> None:
        """Scrolls there, as far as it goes."""
        self.scroll = min(max(scroll, 0.0), self.furthest)

    def reveal(self, widget: Any) -> None:
        """Scrolls just far enough to show a widget of the content."""
        above = self.children[0].top - widget.top
        below = self.children[0].top - widget.y
        self.go_to(min(max(self.scroll, below - self.height), above))

    def _arrange(self, *_: Any) -> None:
        self.scroll = min(max(self.scroll, 0.0), self.furthest)
        self._move.y = round(self.scroll)
        room = self.width - (dp(_BAR_ROOM_DP) if self.furthest else 0)
        for child in self.children:
            child.width, child.x, child.top = room, self.x, self.top
        self._place_bar()
        self._place_more(room)

    @property
    def more_above(self) -> bool:
        """Whether rows are out of sight above."""
        return bool(self.scroll > dp(_LEAST_MORE_DP))

    @property
    def more_below(self) -> bool:
        """Whether rows are out of sight below."""
        return bool(self.furthest - self.scroll > dp(_LEAST_MORE_DP))

    def _place_more(self, room: float) -> None:
        theme = colours()
        ground = theme.panel if self.ground == "panel" else theme.table
        words = theme.words(self.ground)
        self._above.place(self.x, self.top, room, -1, ground if self.more_above else None, words)
        self._below.place(self.x, self.y, room, 1, ground if self.more_below else None, words)

    def _place_bar(self) -> None:
        self._bar_shade.rgba = faded(colours().quiet_words(self.ground), 0.6 if self.furthest else 0.0)
        if self.furthest:
            share = self.height / (self.furthest + self.height)
            length = max(dp(_SHORTEST_BAR_DP), self.height * share)
            top = self.top - (self.height - length) * self.scroll / self.furthest
            self._bar.size, self._bar.pos = (dp(_BAR_DP), length), (self.right - dp(_BAR_DP), top - length)

    def to_parent(self, x: float, y: float, relative: bool = False) -> tuple[float, float]:
        return (x, y + self._move.y)

    def to_local(self, x: float, y: float, relative: bool = False) -> tuple[float, float]:
        return (x, y - self._move.y)

    def apply_transform(self, matrix: Any, pos: Any = None) -> Any:
        return matrix.multiply(self._move.matrix)

    # Fingers

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        if getattr(touch, "is_mouse_scrolling", False):
            return self._wheel(touch)
        if self._finger is not None:
            return True
        gliding, self._speed = abs(self._speed) > dp(_STOPPED_DP_PER_S), 0.0
        touch.grab(self)
        self._finger, self._dragging, self._start = touch, gliding, touch.y
        self._last = (touch.y, Clock.get_time())
        if not gliding:
            self._passed("on_touch_down", touch)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return self._passed("on_touch_move", touch)
        if not self._dragging and self.furthest and abs(touch.y - self._start) > dp(_SLOP_DP):
            self._dragging = True
            self._take_over(touch)
        if self._dragging:
            self._follow(touch)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return self._passed("on_touch_up", touch)
        touch.ungrab(self)
        if self._dragging and Clock.get_time() - self._last[1] < _FRESH_S and look.motion:
            Clock.unschedule(self._glide)
            Clock.schedule_interval(self._glide, 0)
        else:
            self._speed = 0.0
        self._finger, self._dragging = None, False
        return True

    def _passed(self, event: str, touch: Any) -> bool:
        touch.push()
        touch.apply_transform_2d(self.to_local)
        taken = bool(getattr(super(), event)(touch))
        touch.pop()
        return taken

    def _take_over(self, touch: Any) -> None:
        """The finger scrolls: whatever it had pressed lets go."""
        for held in [weak() for weak in touch.grab_list]:
            if held is not None and held is not self and hasattr(held, "let_go"):
                held.let_go()
                touch.ungrab(held)

    def _follow(self, touch: Any) -> None:
        (y, before), now = self._last, Clock.get_time()
        self.go_to(self.scroll + touch.y - y)
        if now > before:
            fastest = dp(_FASTEST_DP_PER_S)
            speed = min(max((touch.y - y) / (now - before), -fastest), fastest)
            self._speed = 0.6 * speed + 0.4 * self._speed
        self._last = (touch.y, now)

    def _glide(self, seconds: float) -> None:
        self.go_to(self.scroll + self._speed * seconds)
        self._speed *= math.exp(-_FRICTION_PER_S * seconds)
        at_end = self.scroll in (0.0, self.furthest)
        if at_end or abs(self._speed) < dp(_STOPPED_DP_PER_S) or self._finger is not None:
            self._speed = 0.0
            Clock.unschedule(self._glide)

    def _wheel(self, touch: Any) -> bool:
        by = {"scrollup": dp(_WHEEL_DP), "scrolldown": -dp(_WHEEL_DP)}.get(touch.button, 0.0)
        self.go_to(self.scroll + by)
        return True


def column(**properties: Any) -> BoxLayout:
    """A column as high as its rows, to put into a Scroller."""
    properties.setdefault("spacing", steps(1))
    rows = BoxLayout(orientation="vertical", size_hint_y=None, **properties)
    rows.bind(minimum_height=rows.setter("height"))
    return rows
