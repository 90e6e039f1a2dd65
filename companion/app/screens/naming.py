"""Who sits here: a name to type or to pick, who begins, and which way the seat is turned."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget

from companion.app.models.seating import SeatingModel
from companion.app.screens.base import button, fitted, row
from companion.app.widgets.keyboard import Keyboard
from companion.app.widgets.look import colours, follow, lazily, steps, target
from companion.app.widgets.pictures import Shield
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.words import TextLabel
from companion.app.words import _, current

_NAME_LENGTH = 24
_LAYOUTS = {"de": "qwertz"}


class NamingSheet(Widget):
    """Covers the screen until a name is given. Picking the name of somebody at the table changes places with them."""

    modal = True

    def __init__(self, model: SeatingModel, seat: int) -> None:
        super().__init__()
        self._model, self._seat = model, seat
        with self.canvas.before:
            self._shade = Color(0, 0, 0, 0)
            self._scrim = Rectangle()
        now = model.view.seats[seat]
        self._keyboard = Keyboard(
            text="", hint=now.name, longest=_NAME_LENGTH, layout=_LAYOUTS.get(current().language, "qwerty"),
            shows_text=False, may_be_empty=True,
        )  # fmt: skip
        self._line = TextLabel(role="large")
        self._keyboard.bind(text=self._show_text, on_done=lambda __, name: self._name(name))
        self.panel = Panel(padding=steps(1.5), spacing=steps(1))
        self.panel.add_widget(self._head(now.begins))
        self._picks = row()
        self.panel.add_widget(self._picks)
        self.panel.add_widget(self._keyboard)
        self.add_widget(self.panel)
        self._show_text()
        lazily(self._arrange, "pos", "size")
        follow(self._arrange)

    def _head(self, begins: bool) -> Any:
        head = row()
        head.add_widget(Shield(seat=self._seat, size_hint_x=None, width=steps(6)))
        field = Panel(kind="raised", padding=(steps(1.5), 0))
        field.add_widget(self._line)
        head.add_widget(field)
        first = button(_("Begins"), self._first, icon="star", chosen=begins, size_hint_x=None, width=steps(19))
        turn = button(_("Turn seat"), self._turn, icon="redo", size_hint_x=None, width=steps(20))
        close = button("", self.close, icon="close", kind="quiet", size_hint_x=None, width=target(), name="close")
        for part in (first, turn, close):
            head.add_widget(part)
        return head

    def _show_text(self, *__: Any) -> None:
        typed = self._keyboard.text
        self._line.text = f"{typed}|" if typed else self._keyboard.hint
        self._line.tone = "plain" if typed else "soft"
        self._show_picks(typed)

    def _show_picks(self, typed: str) -> None:
        """Names of past evenings and of the others at the table, narrowed by what is typed."""
        view = self._model.view
        others = [seat.name for seat in view.seats if seat.seat != self._seat]
        names = [name for name in (*view.suggestions, *others) if name.casefold().startswith(typed.casefold())]
        self._picks.clear_widgets()
        room = self.width - 2 * steps(1.5)
        for name in names:
            picked = fitted(button(name, partial(self._name, name), icon="person" if name in others else ""))
            room -= picked.width + steps(1)
            if room < 0:
                break
            picked.size_hint_x = picked.width
            self._picks.add_widget(picked)
        if not names:
            self._picks.add_widget(TextLabel(text=_("A new name: touch the check when it is done."), tone="soft"))

    def _name(self, name: str) -> None:
        self.close()
        if name:
            self._model.set_name(self._seat, name)

    def _first(self) -> None:
        self.close()
        self._model.set_first(self._seat)

    def _turn(self) -> None:
        self._model.turn(self._seat)
        self.close()

    def _arrange(self, *__: Any) -> None:
        self._shade.rgba = colours().scrim
        self._scrim.pos, self._scrim.size = self.pos, self.size
        height = self._keyboard.height + 2 * target() + 2 * steps(1) + 2 * steps(1.5)
        self.panel.size, self.panel.pos = (self.width, min(height, self.height)), self.pos
        self._show_picks(self._keyboard.text)

    def open(self, host: Any) -> None:
        """Comes up over a host."""
        self.pos, self.size = host.pos, host.size
        host.add_widget(self)

    def close(self) -> None:
        """Goes away."""
        if self.parent is not None:
            self.parent.remove_widget(self)

    def on_touch_down(self, touch: Any) -> bool:
        """Takes every touch; one beside the panel closes it."""
        if not self.panel.collide_point(*touch.pos):
            self.close()
            return True
        super().on_touch_down(touch)
        return True
