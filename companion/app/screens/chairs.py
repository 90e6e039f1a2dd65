"""The table from above, with a chair for everyone who plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.graphics import Color, SmoothLine
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.models.places import Edge
from companion.app.models.seating import SeatingView, SeatRow
from companion.app.screens.base import button, fitted, icon_button, row
from companion.app.theme import CORNER_DP, faded
from companion.app.widgets.look import colours, follow, lazily, steps
from companion.app.widgets.pictures import IconView, Shield
from companion.app.widgets.surfaces import Surface
from companion.app.widgets.touch import Touchable
from companion.app.widgets.turning import Rotated
from companion.app.widgets.words import TextLabel
from companion.app.words import _, ngettext

_CHAIR_STEPS = (34, 8)
_SIDE_CHAIR_STEPS = (24, 13)
_STACKED_STEPS = 11
_GAP_STEPS = 1
_STAR_STEPS = 2.5
_NARROWEST_STEPS = 32


class Chair(Touchable):
    """One seat: its shield turned toward its player, its name, and a star for who begins."""

    seat = NumericProperty(0)
    name_text = StringProperty("")
    begins = BooleanProperty(False)
    angle = NumericProperty(0)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._surface = Surface(self.canvas.before)
        self._shield = Shield()
        self._turned = Rotated()
        self._turned.add_widget(self._shield)
        self._label = TextLabel(strong=True)
        self._star = IconView()
        for part in (self._turned, self._label, self._star):
            self.add_widget(part)
        lazily(self._arrange, "pos", "size", "pressed", "seat", "name_text", "begins", "angle")
        follow(self._arrange)

    def show(self, seat: SeatRow) -> None:
        """Shows a seat as it is now."""
        self.seat, self.name_text, self.begins = seat.colour, seat.name or "…", seat.begins
        self.angle = seat.place.turn_deg

    def _arrange(self, *__: Any) -> None:
        theme = colours()
        self._surface.place(self.pos, self.size)
        self._surface.paint(theme.panel_pressed if self.pressed else theme.panel, theme.panel_edge)
        self._turned.angle, self._shield.seat = int(self.angle), self.seat
        self._star.kind = "star" if self.begins else ""
        self._label.text = self.name_text
        if self.height >= steps(_STACKED_STEPS):
            self._stack()
        else:
            self._line_up()

    def _line_up(self) -> None:
        """The shield, the name beside it, the star at the end."""
        pad = steps(0.75)
        side, star = min(self.height - 2 * pad, steps(5.5)), steps(_STAR_STEPS if self.begins else 0)
        self._turned.size, self._turned.pos = (side, side), (self.x + pad, self.center_y - side / 2)
        self._star.size, self._star.pos = (star, star), (self.right - pad - star, self.center_y - star / 2)
        left = self.x + 2 * pad + side
        self._label.halign = "left"
        self._label.pos = (left, self.y + steps(0.5))
        self._label.size = (max(0.0, self.right - pad - star - left), self.height - steps(1))

    def _stack(self) -> None:
        """The shield, and the name under it."""
        pad = steps(1)
        side, star = min(self.height * 0.5, steps(6)), steps(_STAR_STEPS if self.begins else 0)
        top = self.top - pad
        self._turned.size, self._turned.pos = (side, side), (self.center_x - side / 2, top - side)
        self._star.size, self._star.pos = (star, star), (self.right - pad - star, top - star)
        self._label.halign = "center"
        self._label.pos = (self.x + pad, self.y + pad / 2)
        self._label.size = (self.width - 2 * pad, top - side - self.y - pad)


class SeatsView(Widget):
    """The table, chairs along its sides, and in its middle how many play and who begins."""

    def __init__(self, screen: Any) -> None:
        super().__init__()
        self._screen = screen
        self._surface = Surface(self.canvas.before)
        with self.canvas.before:
            self._line_shade = Color(0, 0, 0, 0)
            self._line = SmoothLine(width=1)
        self._middle = _Middle(screen)
        self.add_widget(self._middle)
        self._chairs: list[Chair] = []
        self._seats: tuple[SeatRow, ...] = ()
        self._arrange_soon = lazily(self._arrange, "pos", "size")
        follow(self._paint)

    def show(self, view: SeatingView) -> None:
        """Shows the seats as they are now."""
        while len(self._chairs) > len(view.seats):
            self.remove_widget(self._chairs.pop())
        while len(self._chairs) < len(view.seats):
            self._add_chair(len(self._chairs))
        for chair, seat in zip(self._chairs, view.seats, strict=True):
            chair.show(seat)
        self._seats = view.seats
        self._middle.show(view)
        self._arrange_soon()

    def foot(self, view: SeatingView) -> Sequence[Widget]:
        """What stands at the foot of the screen in this step."""
        chance = button(_("Draw who begins"), self._screen.model.first_by_chance, icon="dice")
        return [fitted(chance)]

    def _add_chair(self, seat: int) -> None:
        chair = Chair()
        chair.bind(on_release=lambda *__: self._screen.name_seat(seat))
        self._chairs.append(chair)
        self.add_widget(chair)

    # Where everything is

    def _arrange(self, *__: Any) -> None:
        if not self._seats:
            return
        by_edge: dict[Edge, list[int]] = {}
        for seat in self._seats:
            by_edge.setdefault(seat.place.edge, []).append(seat.seat)
        gap, high = steps(_GAP_STEPS), steps(_CHAIR_STEPS[1])
        side = min(steps(_SIDE_CHAIR_STEPS[0]), (self.width - steps(_NARROWEST_STEPS)) / 2)
        left = side + gap if "left" in by_edge else 0.0
        right = side + gap if "right" in by_edge else 0.0
        low = high + gap if "bottom" in by_edge else 0.0
        top = high + gap if "top" in by_edge else 0.0
        table = (self.x + left, self.y + low, self.width - left - right, self.height - low - top)
        self._place_table(table)
        self._place_middle(side + gap, high + gap)
        self._place_rows(by_edge, table, side, high)

    def _place_table(self, table: tuple[float, float, float, float]) -> None:
        x, y, width, height = table
        self._surface.place((x, y), (width, height))
        inset = steps(0.75)
        self._line.rounded_rectangle = (x + inset, y + inset, width - 2 * inset, height - 2 * inset, dp(CORNER_DP))
        self._paint()

    def _place_middle(self, across: float, up: float) -> None:
        """Where it is with people on all sides, whoever sits there: + and - stay under the finger."""
        inset = steps(1.5)
        self._middle.pos = (self.x + across + inset, self.y + up + inset)
        self._middle.size = (self.width - 2 * (across + inset), self.height - 2 * (up + inset))

    def _place_rows(
        self, by_edge: dict[Edge, list[int]], table: tuple[float, float, float, float], side: float, high: float
    ) -> None:
        x, y, width, height = table
        gap = steps(_GAP_STEPS)
        for edge, seats in by_edge.items():
            for seat in seats:
                chair, place = self._chairs[seat], self._seats[seat].place
                if edge in ("bottom", "top"):
                    share = (self.width - gap * (len(seats) - 1)) / len(seats)
                    wide = min(share, steps(_CHAIR_STEPS[0]))
                    middle = self.x + place.x * self.width
                    chair.size = (wide, high)
                    chair.pos = (middle - wide / 2, y - gap - high if edge == "bottom" else y + height + gap)
                else:
                    tall = min(steps(_SIDE_CHAIR_STEPS[1]), (height - gap * (len(seats) - 1)) / len(seats))
                    chair.size = (side, tall)
                    middle = y + place.y * height
                    chair.pos = (
                        self.x if edge == "left" else x + width + gap,
                        min(max(middle - chair.height / 2, y), y + height - chair.height),
                    )

    def _paint(self, *__: Any) -> None:
        theme = colours()
        self._surface.paint(theme.table_raised, theme.table_edge)
        self._line_shade.rgba = faded(theme.chalk, 0.12)


class _Middle(BoxLayout):
    """On the table: how many play, and who begins."""

    def __init__(self, screen: Any) -> None:
        super().__init__(orientation="vertical")
        self._model = screen.model
        self._fewer = icon_button("minus", lambda: self._set(-1), kind="plain", name="fewer")
        self._more = icon_button("plus", lambda: self._set(1), kind="plain", name="more")
        self._count = TextLabel(role="number", strong=True, ground="table", halign="center", size_hint_x=None)
        self._count.width = steps(11)
        counting = row(Widget(), self._fewer, self._count, self._more, Widget())
        self._word = TextLabel(tone="soft", ground="table", halign="center", size_hint_y=None, height=steps(3))
        self._begins = TextLabel(ground="table", halign="center", valign="top", size_hint_y=None)
        self._begins.height = steps(6.5 if screen.portrait else 3)
        for part in (Widget(), counting, self._word, self._begins, Widget()):
            self.add_widget(part)

    def _set(self, by: int) -> None:
        self._model.set_count(self._model.view.count + by)

    def show(self, view: SeatingView) -> None:
        """Shows the count and who begins."""
        self._count.text = str(view.count)
        self._word.text = ngettext("player", "players", view.count)
        self._fewer.disabled, self._more.disabled = view.count <= view.counts[0], view.count >= view.counts[-1]
        first = next((seat.name for seat in view.seats if seat.begins), "")
        self._begins.text = _("{name} begins.").format(name=first) if first else ""
