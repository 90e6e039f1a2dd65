"""A seat on the rim: whose it is, whether it is their move, their clock and their numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kivy.metrics import sp
from kivy.properties import BooleanProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.app.icons import icon
from companion.app.models.counters import CounterView
from companion.app.models.scene import SeatView
from companion.app.theme import SANS_BOLD, SCALE_SP, STROKE_DP, Role
from companion.app.widgets.look import colours, follow, lazily, steps
from companion.app.widgets.numbers import signed
from companion.app.widgets.pictures import IconView, Shield
from companion.app.widgets.surfaces import Surface
from companion.app.widgets.touch import Touchable
from companion.app.widgets.words import TextLabel, fits, measured

_LIT_EDGE_DP = 4
_COUNTER_ICONS = {
    "coins": "coin", "crumbles": "crumble", "vines": "vine", "points": "star", "talers": "taler", "marks": "coin",
    "helpers": "person", "barbarians": "barbarian", "hand": "card", "market": "merchant", "tiles": "tile",
    "levels": "tower", "windows": "window", "persons": "person", "roofs": "roof", "area": "flag", "rooms": "room",
    "completed": "check",
}  # fmt: skip
_ROLES: tuple[Role, ...] = ("number", "large", "body", "small")
_TIGHT = 0.98
_ICON_SHARE = 0.38
_NAME_SHARE = 0.56
_WIDTHS_KEPT = 1024
_CLOCK_STEPS = 2.5


def counter_icon(key: str) -> str:
    """The icon of a number, empty when nobody has drawn one."""
    kind = _COUNTER_ICONS.get(key, key)
    return kind if icon(kind) is not None else ""


class CounterChip(Widget):
    """A number with its icon, or its name where it has none. What it changed by shows in the icon's place."""

    counter: CounterView | None = ObjectProperty(None, allownone=True)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._icon = IconView()
        self._name = TextLabel(role="small", tone="soft", halign="right")
        self._number = TextLabel(strong=True, halign="left")
        self._change = TextLabel(strong=True, halign="right")
        for child in (self._icon, self._name, self._number, self._change):
            self.add_widget(child)
        lazily(self._arrange, "pos", "size", "counter")

    def look(self, ground: str, role: Role) -> None:
        """Stands on a ground, in a size."""
        for child in (self._icon, self._name, self._number, self._change):
            child.ground = ground
        self._number.role = role
        self._change.role = "body" if role in ("number", "large") else "small"

    def _arrange(self, *_: Any) -> None:
        counter = self.counter
        if counter is None:
            return
        kind = counter_icon(counter.key)
        self._icon.kind = "" if counter.change else kind
        self._name.text = "" if kind or counter.change else counter.label
        self._number.text = str(counter.value)
        self._change.text = signed(counter.change) if counter.change else ""
        self._change.tone = "good" if counter.change > 0 else "bad"
        self._place(bool(kind))

    def _place(self, pictured: bool) -> None:
        """The number in the middle with its icon before it; the icon takes what the number leaves it."""
        gap = steps(0.5)
        number = min(measured(self._number.text, SANS_BOLD, self._number.wanted_px, None)[0] + 1, self.width * 0.75)
        before = min(self.height, steps(5)) if pictured else self.width * _NAME_SHARE
        before = max(before, measured(self._change.text, SANS_BOLD, self._change.wanted_px, None)[0] + 2)
        before = max(0.0, min(before, self.width - number - gap))
        left = self.x + max(0.0, (self.width - before - gap - number) / 2)
        side = min(before, self.height, steps(5))
        self._icon.size, self._icon.pos = (side, side), (left + before - side, self.center_y - side / 2)
        for label in (self._name, self._change):
            label.pos, label.size = (left, self.y), (before, self.height)
        self._number.pos, self._number.size = (left + before + gap, self.y), (number, self.height)


class SeatCard(Touchable):
    """A seat on its edge, seen from where it sits. Parchment and edged in the accent while it is its move.

    `shown` tells that the middle is about it.
    """

    view: SeatView | None = ObjectProperty(None, allownone=True)
    shown = BooleanProperty(False)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._surface = Surface(self.canvas.before)
        self._shield = Shield()
        self._name = TextLabel(strong=True)
        self._clock = TextLabel(role="small", tone="soft")
        self._mark = IconView()
        self._chips: list[CounterChip] = []
        for child in (self._shield, self._name, self._clock, self._mark):
            self.add_widget(child)
        lazily(self._arrange, "pos", "size", "view", "shown", "pressed")
        follow(self._paint)

    def _arrange(self, *_: Any) -> None:
        view = self.view
        if view is None:
            return
        self._shield.seat = view.colour
        self._clock.text = view.clock
        self._fill_chips(view.counters)
        self._paint()
        if self.width >= self.height:
            self._lie()
        else:
            self._stand()

    def _paint(self, *_: Any) -> None:
        theme, active = colours(), bool(self.view and self.view.active)
        self._surface.place(self.pos, self.size, _LIT_EDGE_DP if active else STROKE_DP)
        fill = theme.panel if active else theme.table_raised
        edge = theme.accent if active else theme.chalk if self.shown else theme.table_edge
        self._surface.paint(theme.panel_pressed if self.pressed and active else fill, edge)
        for child in (self._shield, self._name, self._clock, self._mark):
            child.ground = self._ground
        self._mark.kind = "play" if active else ""

    @property
    def _ground(self) -> str:
        return "panel" if self.view and self.view.active else "table"

    def _fill_chips(self, counters: tuple[CounterView, ...]) -> None:
        while len(self._chips) < len(counters):
            self._chips.append(CounterChip())
            self.add_widget(self._chips[-1])
        while len(self._chips) > len(counters):
            self.remove_widget(self._chips.pop())
        for chip, counter in zip(self._chips, counters, strict=True):
            chip.counter = counter

    # Along its edge, or upright where the edge runs across

    def _lie(self) -> None:
        pad = steps(1)
        side = min(self.height - 2 * pad, steps(6))
        self._shield.size, self._shield.pos = (side, side), (self.x + pad, self.center_y - side / 2)
        left, top = self.x + 2 * pad + side, self.top - pad / 2
        if self.width >= steps(30):
            wide = self._names_width()
            self._place_names(left, self.y + pad / 2, wide, self.height - pad)
            self._place_chips(left + wide + pad, self.y, self.right - pad, self.top)
        else:
            tall = steps(3)
            self._name_beside(left, top - tall, self.right - pad - left, tall)
            self._place_chips(left, self.y + pad / 2, self.right - pad, top - tall)

    def _names_width(self) -> float:
        """As wide as the name wants to be, within limits: what it leaves makes the numbers larger."""
        most = max(min(self.width * 0.2, steps(18)), steps(9.5))
        name = measured(self.view.name if self.view else "", SANS_BOLD, self._name.wanted_px, None)[0] + 2
        clock = self._clock.ideal_width() + steps(_CLOCK_STEPS + 0.5)
        return float(max(min(name, most), min(clock, most)))

    def _stand(self) -> None:
        pad = steps(1)
        side, tall = steps(5), steps(6)
        self._shield.size, self._shield.pos = (side, side), (self.x + pad, self.top - pad - (tall + side) / 2)
        left = self.x + 1.5 * pad + side
        self._place_names(left, self.top - pad - tall, self.right - pad / 2 - left, tall)
        self._place_chips(self.x + pad, self.y + pad, self.right - pad, self.top - 2 * pad - tall)

    def _place_names(self, x: float, y: float, width: float, height: float) -> None:
        """The name over the clock, the mark of the move before the clock."""
        clock = min(steps(_CLOCK_STEPS), height * 0.42)
        name = min(height - clock, steps(4))
        y += (height - name - clock) / 2
        mark = clock if self._mark.kind else 0
        before = mark + steps(0.5) if mark else 0
        self._write_name(x, y + clock, width, name)
        self._mark.pos, self._mark.size = (x, y), (mark, mark)
        self._clock.pos, self._clock.size = (x + before, y), (max(0, width - before), clock)

    def _write_name(self, x: float, y: float, width: float, height: float) -> None:
        """As much of the name as can be read there."""
        self._name.pos, self._name.size = (x, y), (width, height)
        self._name.text = readable(self.view.name if self.view else "", (int(width), int(height)))

    def _name_beside(self, x: float, y: float, width: float, height: float) -> None:
        """The name and the clock on one line."""
        mark = height * 0.8 if self._mark.kind else 0
        clock = steps(5.5)
        self._write_name(x, y, max(0, width - clock - mark), height)
        self._clock.pos, self._clock.size = (x + width - clock, y), (clock, height)
        self._mark.pos = (x + width - clock - mark - steps(0.5), y + height * 0.1)
        self._mark.size = (mark, mark)

    def _place_chips(self, x: float, y: float, right: float, top: float) -> None:
        """Rows of chips in the largest size that has room for them."""
        room, tall = right - x, top - y
        chips, rows, role = self._told(room, tall)
        for chip in self._chips:
            chip.opacity = 1 if chip in chips else 0
        high, at = tall / max(1, len(rows)), 0
        for row, widths in enumerate(rows):
            spare, left = (room - sum(widths)) / len(widths), x
            for wide in widths:
                chip = chips[at]
                chip.pos, chip.size = (left, top - (row + 1) * high), (wide + spare, high)
                chip.look(self._ground, role)
                left, at = left + wide + spare, at + 1

    def _told(self, room: float, tall: float) -> tuple[list[CounterChip], list[list[float]], Role]:
        """The chips there is room for: where all of them would be tiny, those of what the seat has none of go first."""
        told = [chip for chip in self._chips if chip.counter is not None]
        rows, role = rows_and_role([chip.counter for chip in told if chip.counter], room, tall)
        some = [chip for chip in told if chip.counter and (chip.counter.value or chip.counter.change)]
        if role == "small" and some:
            fewer, larger = rows_and_role([chip.counter for chip in some if chip.counter], room, tall)
            if larger != "small":
                return some, fewer, larger
        return told, rows, role


def readable(name: str, box: tuple[int, int]) -> str:
    """A name, cut short where it could not be read whole at the smallest size."""
    size = _size_px("small")
    if not name or min(box) <= 0 or fits(name, SANS_BOLD, size, box):
        return name
    cuts = (f"{name[:end].rstrip(' -')}…" for end in range(len(name) - 1, 0, -1))
    return next((cut for cut in cuts if fits(cut, SANS_BOLD, size, box)), name[:1])


def rows_and_role(counters: Sequence[CounterView], room: float, tall: float) -> tuple[list[list[float]], Role]:
    """The widths of the chips row by row, and how large their numbers are."""
    for role in _ROLES:
        high = measured("8", SANS_BOLD, _size_px(role), None)[1]
        rows = _packed([chip_width(counter, role) for counter in counters], room)
        if len(rows) * high * _TIGHT <= tall and all(sum(row) <= room for row in rows):
            return _evened(counters, rows, role, room), role
    return _packed([chip_width(counter, "small") for counter in counters], room), "small"


def chip_width(counter: CounterView, role: Role) -> float:
    """What a chip needs: its number, and its icon or its name before it."""
    sizes = (_size_px(role), _size_px("small"))
    return _chip_width(str(counter.value), bool(counter_icon(counter.key)), signed(counter.change or -8), sizes)


@lru_cache(maxsize=_WIDTHS_KEPT)
def _chip_width(value: str, pictured: bool, signed_change: str, sizes_px: tuple[int, int]) -> float:
    number = measured(value, SANS_BOLD, sizes_px[0], None)[0]
    least = measured("88", SANS_BOLD, sizes_px[0], None)[0]
    share = _ICON_SHARE if pictured else _NAME_SHARE
    change = measured(signed_change, SANS_BOLD, sizes_px[1], None)[0] + 2
    return float(max(max(number, least) / (1 - share), number + change) + steps(1))


def _size_px(role: Role) -> int:
    return round(float(sp(SCALE_SP[role])))


def _packed(widths: Sequence[float], room: float) -> list[list[float]]:
    """As many as fit in a row, then the next row."""
    rows: list[list[float]] = [[]]
    for wide in widths:
        if rows[-1] and sum(rows[-1]) + wide > room:
            rows.append([])
        rows[-1].append(wide)
    return [row for row in rows if row]


def _evened(counters: Sequence[CounterView], rows: list[list[float]], role: Role, room: float) -> list[list[float]]:
    """The same number of rows with about as many chips in each, where that fits."""
    across = math.ceil(len(counters) / max(1, len(rows)))
    widths = [chip_width(counter, role) for counter in counters]
    even = [widths[at : at + across] for at in range(0, len(widths), across)]
    return even if all(sum(row) <= room for row in even) else rows
