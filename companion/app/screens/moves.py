"""Moves as buttons: as many side by side as their words allow, those that close something set apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.metrics import sp
from kivy.properties import StringProperty
from kivy.uix.floatlayout import FloatLayout

from companion.app.icons import icon
from companion.app.models.prompts import ChoiceView, GroupView
from companion.app.models.steps import Button
from companion.app.theme import SANS_BOLD, SCALE_SP
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.look import lazily, steps, target
from companion.app.widgets.words import TextLabel, fits, measured

Touch = Callable[[str], object]

_ICONS = {
    "draw-tile": "tile", "take-pillars": "pillar", "draw-construction": "card", "take-room": "room",
    "name-room": "edit", "place-tile": "tile", "place-roof": "roof", "place-bridge": "bridge",
    "place-pillars": "pillar", "build-room": "room", "take-down": "down", "crumble": "crumble", "discard-room": "room",
    "face-dragon": "dragon", "draw-chits": "dragon", "sacrifice-princess": "princess", "reveal-guests": "person",
    "drop-vines": "vine", "ai-takes": "room", "ai-burns": "fire", "rehouse-guest": "door",
}  # fmt: skip
_BY_FIELD = ("item", "kind", "guest", "resource", "die", "animal", "to")
_MOST_COLUMNS = 4
_ROWS_WHEN_TWO = 3
_SURPRISE_S = 0.6


def move_icon(choice: ChoiceView) -> str:
    """The icon of what a move is about."""
    found = _ICONS.get(choice.do, "")
    if not found:
        named = (getattr(choice.action, field, None) for field in _BY_FIELD)
        found = next((name for name in named if isinstance(name, str) and icon(name) is not None), "")
    return found if found and icon(found) is not None else ""


class TouchButton(PushButton):
    """A button that stands for an id of the view; grey ones tell their reason by it as well."""

    touch_id = StringProperty("")

    def __init__(self, touch: Touch, **properties: Any) -> None:
        super().__init__(**properties)
        self._touch = touch
        self._deaf_until_s = 0.0
        self.bind(on_release=self._touched, on_reason=self._touched)

    def _touched(self, *_: Any) -> None:
        if self.touch_id:
            self._touch(self.touch_id)

    @property
    def deaf(self) -> bool:
        """Whether a touch on it cannot be meant yet."""
        return bool(Clock.get_time() < self._deaf_until_s)

    def take_the_place(self) -> None:
        """It came up where something else was: a finger that is down, or taps twice, meant that."""
        self._deaf_until_s = Clock.get_time() + _SURPRISE_S
        self.let_go()

    def on_touch_down(self, touch: Any) -> bool:
        if self.deaf and self.collide_point(*touch.pos):
            return True
        return bool(super().on_touch_down(touch))

    def stand_for(self, choice: ChoiceView) -> None:
        """Shows a move."""
        self.touch_id, self.text, self.icon = choice.id, choice.label, move_icon(choice)
        self.why = choice.why if not choice.legal else ""
        self.kind = "primary" if choice.closes and choice.legal else "plain"

    def offer(self, button: Button) -> None:
        """Shows an answer."""
        self.touch_id, self.text, self.chosen = button.id, button.label, button.chosen

    def needed_height(self, width: float) -> float:
        """The height at which its text stands at full size in a width."""
        room = self.text_room(width)
        return max(target(), measured(self.text, SANS_BOLD, _size_px(), max(1, int(room)))[1] + steps(1.5))

    def text_room(self, width: float) -> float:
        picture = target() * 0.55 + steps(1) if self.icon or self.seat >= 0 else 0
        return width - 2 * steps(1) - picture - steps(0.5)

    def reads_well(self, width: float) -> bool:
        """Whether its text fits in whole words on few lines."""
        room = max(1, int(self.text_room(width)))
        lines = _size_px() * 1.3 * _ROWS_WHEN_TWO
        return fits(self.text, SANS_BOLD, _size_px(), (room, int(lines)))


def _size_px() -> int:
    return round(float(sp(SCALE_SP["body"])))


class _Title(TextLabel):
    """The name of a group of moves."""

    def __init__(self) -> None:
        super().__init__(tone="soft", strong=True, grows=True)


class MoveList(FloatLayout):
    """Groups of buttons under their titles, as high as they need; to be put into a Scroller."""

    def __init__(self, touch: Touch, **properties: Any) -> None:
        properties.setdefault("size_hint_y", None)
        super().__init__(**properties)
        self._touch = touch
        self._titles: list[_Title] = []
        self._buttons: list[TouchButton] = []
        self._plan: list[tuple[str, int]] = []
        self._relay = lazily(self._lay, "pos", "size")

    def show(self, groups: Iterable[GroupView]) -> None:
        """Shows groups of moves; one without moves is a line of words. Widgets are used again."""
        shown = [
            GroupView(title=group.title, choices=_legal_first(group.choices))
            for group in groups
            if group.choices or group.title
        ]
        self._plan = [(group.title, len(group.choices)) for group in shown]
        choices = [choice for group in shown for choice in group.choices]
        self._keep(self._buttons, len(choices), lambda: TouchButton(self._touch, size_hint=(None, None)))
        self._keep(self._titles, sum(bool(title) for title, _ in self._plan), _Title)
        for button, choice in zip(self._buttons, choices, strict=True):
            button.stand_for(choice)
        for label, title in zip(self._titles, (title for title, _ in self._plan if title), strict=True):
            label.text = title
        self._relay()

    def _keep(self, widgets: list[Any], count: int, make: Callable[[], Any]) -> None:
        while len(widgets) > count:
            self.remove_widget(widgets.pop())
        while len(widgets) < count:
            widgets.append(make())
            self.add_widget(widgets[-1])

    def _lay(self, *_: Any) -> None:
        gap = steps(1)
        boxes, needed = self._boxes(gap)
        self.height = needed
        for widget, (x, below, width, height) in boxes:
            widget.size_hint = (None, None)
            widget.size, widget.pos = (width, height), (self.x + x, self.top - below - height)

    def _boxes(self, gap: float) -> tuple[list[tuple[Any, tuple[float, float, float, float]]], float]:
        """Where everything goes, counted from the top left, and how high that is."""
        boxes: list[tuple[Any, tuple[float, float, float, float]]] = []
        below, titles, buttons = 0.0, iter(self._titles), iter(self._buttons)
        for title, count in self._plan:
            if title:
                label = next(titles)
                label.width = self.width
                tall = measured(label.text, SANS_BOLD, _size_px(), max(1, int(self.width)))[1]
                boxes.append((label, (0.0, below, self.width, tall)))
                below += tall + gap / 2
            own = [next(buttons) for _ in range(count)]
            placed, below = grid(own, self.width, gap, below)
            boxes += placed
            below += gap
        return boxes, max(0.0, below - gap)


def _legal_first(choices: tuple[ChoiceView, ...]) -> tuple[ChoiceView, ...]:
    return tuple(sorted(choices, key=lambda choice: not choice.legal))


def grid(
    buttons: Sequence[TouchButton], width: float, gap: float, below: float = 0.0, columns: int = 0
) -> tuple[list[tuple[Any, tuple[float, float, float, float]]], float]:
    """Buttons in as many columns as read well; the rows are as high as their longest text needs."""
    across = columns or best_columns(buttons, width, gap)
    wide = (width - gap * (across - 1)) / across
    boxes: list[tuple[Any, tuple[float, float, float, float]]] = []
    for start in range(0, len(buttons), across):
        row = buttons[start : start + across]
        tall = max(button.needed_height(wide) for button in row)
        boxes += [(button, (at * (wide + gap), below, wide, tall)) for at, button in enumerate(row)]
        below += tall + gap
    return boxes, below


def best_columns(buttons: Sequence[TouchButton], width: float, gap: float) -> int:
    """The most columns in which every text still reads well, without leaving holes for want of buttons."""
    most = max(1, min(_MOST_COLUMNS, len(buttons), int((width + gap) // (target() * 1.6 + gap))))
    for across in range(most, 1, -1):
        wide = (width - gap * (across - 1)) / across
        if all(button.reads_well(wide) for button in buttons):
            return across
    return 1
