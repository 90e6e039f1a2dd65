"""The podium: three steps, the others beside it, and what decided."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.models.tally import Podium, PodiumPlace, TieBreakRow
from companion.app.screens.base import few_names
from companion.app.theme import CORNER_DP
from companion.app.widgets.look import colours, follow, lazily, look, steps
from companion.app.widgets.motion import glide
from companion.app.widgets.pictures import IconView, Shield
from companion.app.widgets.scrolling import Scroller, column
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.words import TextLabel
from companion.app.words import _

_HEIGHTS = {1: 1.0, 2: 0.72, 3: 0.5}
_ORDER = (2, 1, 3)
"""From left to right: second, first, third, as on every podium."""
_BLOCK_SHARE = 0.5
_SHIELD_STEPS = 13
_TALLEST_STEPS = 56
_NAMES_LENGTH = 40


class Steps(Widget):
    """The three steps with whoever stands on them. They rise when they appear."""

    risen = NumericProperty(1.0)

    def __init__(self, places: tuple[PodiumPlace, ...]) -> None:
        super().__init__()
        self._places = _on_steps(places)
        self._blocks: dict[int, tuple[Any, Any]] = {}
        self._parts: dict[int, tuple[BoxLayout, TextLabel, TextLabel, TextLabel]] = {}
        for step, place in self._places.items():
            self._add(step, place)
        lazily(self._arrange, "pos", "size", "risen")
        follow(self._arrange)
        if look.motion:
            self.risen = 0.0
            glide(self, seconds=0.25, risen=1.0)

    def _add(self, step: int, place: PodiumPlace) -> None:
        with self.canvas.before:
            shade = Color(0, 0, 0, 1)
            self._blocks[step] = shade, SmoothRoundedRectangle(radius=[dp(CORNER_DP), dp(CORNER_DP), 1, 1])
        shields = BoxLayout(spacing=steps(0.5))
        for seat in place.seats:
            shields.add_widget(Shield(seat=seat, ground="table"))
        name = TextLabel(text=few_names(place.names, _NAMES_LENGTH), role="large", serif=True, ground="table")
        name.halign, name.valign = "center", "bottom"
        number = TextLabel(text=str(place.place), role="number", serif=True, halign="center")
        total = TextLabel(text=_("{n} points").format(n=place.total), halign="center", strong=True)
        self._parts[step] = shields, name, number, total
        for part in self._parts[step]:
            self.add_widget(part)

    def _arrange(self, *__: Any) -> None:
        order = [step for step in _ORDER if step in self._places]
        gap = steps(1)
        wide = min((self.width - gap * (len(order) - 1)) / max(1, len(order)), steps(36))
        left = self.center_x - (wide * len(order) + gap * (len(order) - 1)) / 2
        for at, step in enumerate(order):
            self._place(step, left + at * (wide + gap), wide)

    def _place(self, step: int, x: float, wide: float) -> None:
        theme = colours()
        tallest = max(self.height * _BLOCK_SHARE, min(self.height - steps(26), steps(_TALLEST_STEPS)))
        high = max(tallest * _HEIGHTS[step], steps(9)) * self.risen
        shade, block = self._blocks[step]
        shade.rgba = theme.accent if step == 1 else theme.panel
        block.pos, block.size = (x, self.y), (wide, max(1.0, high))
        shields, name, number, total = self._parts[step]
        number.tint = total.tint = theme.on_accent if step == 1 else theme.ink
        inner = high - steps(1)
        total.pos, total.size = (x + steps(1), self.y + steps(0.5)), (wide - steps(2), steps(3))
        number.pos = (x, self.y + steps(3.5))
        number.size = (wide, max(0.0, inner - steps(3)))
        top = self.y + high + steps(0.5)
        room = self.height - tallest - steps(0.5)
        name_high = min(room * 0.5, steps(8))
        name.pos, name.size = (x, top), (wide, name_high)
        name.valign = "middle"
        count = len(shields.children)
        side = min(room - name_high - steps(0.5), steps(_SHIELD_STEPS), wide / count - steps(0.5))
        across = side * count + steps(0.5) * (count - 1)
        shields.size = (across, max(1.0, side))
        shields.pos = (x + wide / 2 - across / 2, top + name_high + steps(0.5))


def _on_steps(places: tuple[PodiumPlace, ...]) -> dict[int, PodiumPlace]:
    """Who stands on which step: the places up to the third."""
    return {place.place: place for place in places if place.place in _HEIGHTS}


class PodiumView(BoxLayout):
    """How it ended: the steps, the sentence that says so, the tie-break, and everybody else."""

    def __init__(self, podium: Podium, window: tuple[float, float]) -> None:
        portrait = window[1] > window[0]
        super().__init__(orientation="vertical" if portrait else "horizontal", spacing=steps(2))
        self.add_widget(Steps(podium.places))
        panel = Panel(padding=steps(2), size_hint_x=1 if portrait else 0.46, size_hint_y=0.7 if portrait else 1)
        body = column(spacing=steps(1.5))
        body.add_widget(TextLabel(text=podium.text, role="large", serif=True, grows=True))
        if podium.verdict:
            body.add_widget(TextLabel(text=podium.verdict, grows=True))
        for tie_break in podium.tie_breaks:
            body.add_widget(_tie_break(tie_break))
        for place in podium.places:
            if place.place not in _HEIGHTS:
                body.add_widget(_also(place))
        scroller = Scroller()
        scroller.add_widget(body)
        panel.add_widget(scroller)
        self.add_widget(panel)


def _tie_break(tie_break: TieBreakRow) -> BoxLayout:
    values = ", ".join(f"{name} {value}" for name, value in tie_break.values)
    line = BoxLayout(size_hint_y=None, spacing=steps(1), height=steps(3))
    kind = "check" if tie_break.decided else "scale"
    line.add_widget(IconView(kind=kind, size_hint=(None, None), size=(steps(3), steps(3)), pos_hint={"top": 1}))
    said = _("Level on points, so this decided: {what} ({values}).")
    if not tie_break.decided:
        said = _("Level on points, and level on this too: {what} ({values}).")
    label = TextLabel(text=said.format(what=tie_break.label, values=values), grows=True, strong=tie_break.decided)
    label.bind(height=lambda __, height: setattr(line, "height", max(steps(3), height)))
    line.add_widget(label)
    return line


def _also(place: PodiumPlace) -> BoxLayout:
    """A place below the podium: which, whose, who, and the points."""
    line = BoxLayout(size_hint_y=None, height=steps(5), spacing=steps(0.75))
    number = TextLabel(text=f"{place.place}.", strong=True, size_hint_x=None)
    total = TextLabel(text=str(place.total), strong=True, halign="right", size_hint_x=None)
    number.width, total.width = number.ideal_width(), total.ideal_width()
    name = TextLabel(text=few_names(place.names), grows=True, pos_hint={"center_y": 0.5})
    name.bind(height=lambda __, height: setattr(line, "height", max(steps(5), height)))
    shields = [Shield(seat=seat, size_hint_x=None, width=steps(3.5)) for seat in place.seats]
    for part in (number, *shields, name, total):
        line.add_widget(part)
    return line
