"""What comes up over the table and goes again: a rule, a refusal, moves of one place, a seat's numbers, the menu."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from kivy.properties import StringProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget
from msgspec.structs import replace

from companion.app.models.model import Message, RuleText
from companion.app.models.prompts import ChoiceView, GroupView
from companion.app.models.scene import Curtain, SeatView, TableView
from companion.app.screens.base import button
from companion.app.screens.counting import CounterBox
from companion.app.screens.moves import MoveList, Touch, TouchButton
from companion.app.screens.pieces import PanelPicture
from companion.app.widgets.buttons import HoldButton, PushButton
from companion.app.widgets.look import colours, follow, lazily, steps, target
from companion.app.widgets.pictures import Shield
from companion.app.widgets.scrolling import column
from companion.app.widgets.sheets import Sheet
from companion.app.widgets.surfaces import Surface
from companion.app.widgets.words import TextLabel
from companion.app.words import _

_COUNTER_COLUMN_STEPS = 30
_COUNTER_STEPS = 12


class HoldTouch(HoldButton):
    """A held button that stands for an id of the view."""

    touch_id = StringProperty("")

    def __init__(self, touch: Touch, **properties: Any) -> None:
        super().__init__(**properties)
        self.bind(on_held=lambda *__: touch(self.touch_id))


def rule_sheet(rule: RuleText) -> Sheet:
    """What `?` opens."""
    body = column(spacing=steps(1))
    body.add_widget(TextLabel(text=rule.text, role="large", grows=True))
    body.add_widget(TextLabel(text=_cited(rule), tone="soft", grows=True))
    return Sheet(title=_("The rule"), body=body, placement="centre")


def _cited(rule: RuleText) -> str:
    return f"{rule.cite} · {_('our ruling')}" if rule.ruling else rule.cite


def refusal_sheet(message: Message, touch: Touch) -> Sheet:
    """Why a move is not possible, where the rulebook says so, and the way to do it all the same."""
    body = column(spacing=steps(1))
    body.add_widget(TextLabel(text=message.text, role="large", grows=True))
    if message.rule is not None:
        body.add_widget(TextLabel(text=message.rule.text, grows=True))
        body.add_widget(TextLabel(text=_cited(message.rule), tone="soft", grows=True))
    sheet = Sheet(title=_("Not by the rules"), body=body, placement="centre", actions=_answers(message, touch))
    sheet.actions[-1].bind(on_release=lambda *__: sheet.close())
    return sheet


def _answers(message: Message, touch: Touch) -> list[Any]:
    actions: list[Any] = []
    if message.anyway:
        actions.append(HoldTouch(touch, text=_("Hold to do it anyway"), icon="warning", touch_id=message.anyway))
    actions.append(PushButton(text=_("All right"), kind="primary"))
    return actions


def moves_sheet(title: str, groups: Iterable[GroupView], touch: Touch) -> Sheet:
    """Moves of one place, or of a prompt that was folded."""
    moves = MoveList(touch)
    moves.show(told_at_once(groups))
    return Sheet(title=title, body=moves)


def told_at_once(groups: Iterable[GroupView]) -> Iterator[GroupView]:
    """Groups in which a move that asks for several things stands with the answers given before: one touch makes it."""
    for group in groups:
        plain = tuple(choice for choice in group.choices if not choice.quick)
        if plain or not group.choices:
            yield GroupView(title=group.title, choices=plain)
        for choice in group.choices:
            if choice.quick:
                title = " · ".join(part for part in (group.title, choice.label) if part)
                yield GroupView(title=title, choices=(*_answered(choice), replace(choice, label=_("Something else"))))


def _answered(choice: ChoiceView) -> Iterator[ChoiceView]:
    """A move once for each whole answer."""
    for answer in choice.quick:
        yield replace(choice, id=answer.id, label=answer.label, asks=False, quick=())


def menu_sheet(entries: Iterable[tuple[str, str, Callable[[], object]]], says: str = "") -> Sheet:
    """Ways to other screens: an icon, words, what to do; and first what is wrong, where something is."""
    body = column(spacing=steps(1))
    if says:
        body.add_widget(TextLabel(text=says, tone="bad", grows=True))
    sheet = Sheet(title=_("Menu"), body=body, placement="centre")
    for icon, text, does in entries:
        body.add_widget(_entry(sheet, icon, text, does))
    return sheet


def _entry(sheet: Sheet, icon: str, text: str, does: Callable[[], object]) -> PushButton:
    def act() -> None:
        sheet.close()
        does()

    return button(text, act, icon=icon, halign="left", size_hint_y=None, height=target())


class SeatBody(GridLayout):
    """A seat's numbers, each with + and - where a hand may set it right."""

    def __init__(self, touch: Touch) -> None:
        super().__init__(size_hint_y=None, spacing=steps(1), cols=1)
        self._touch = touch
        self.bind(minimum_height=self.setter("height"), width=self._shape)

    def show(self, seat: SeatView) -> None:
        if len(self.children) != len(seat.counters):
            self.clear_widgets()
            for _counter in seat.counters:
                self.add_widget(CounterBox(self._touch, size_hint_y=None, height=steps(_COUNTER_STEPS)))
        for box, counter in zip(reversed(self.children), seat.counters, strict=True):
            box.show(counter)

    def _shape(self, *__: Any) -> None:
        self.cols = max(1, int(self.width // steps(_COUNTER_COLUMN_STEPS)))


class SeatSheet(Sheet):
    """One seat by itself: its numbers, its part of the picture, and the way to turn it."""

    def __init__(self, seat: SeatView, pictures: Iterable[Widget], touch: Touch) -> None:
        self.seat = seat.seat
        self._numbers = SeatBody(touch)
        body = column(spacing=steps(2))
        body.add_widget(self._numbers)
        for picture in pictures:
            body.add_widget(picture)
        self._turn = TouchButton(touch, icon="redo", text=_("Turn this seat"), size_hint_y=None, height=target())
        if seat.turn:
            body.add_widget(self._turn)
        super().__init__(title=seat.name, body=body)
        self.show(seat)

    def show(self, seat: SeatView) -> None:
        """Shows the seat as it is now."""
        self._numbers.show(seat)
        self._turn.touch_id = seat.turn


def panel_pictures(view: TableView, seat: int) -> list[Widget]:
    """A seat's part of a game's picture."""
    return [PanelPicture(panel, panel.title) for panel in view.panels if panel.seat == seat and panel.rows]


def overview_sheet(view: TableView) -> Sheet:
    """The whole picture of a game, panel by panel."""
    body = column(spacing=steps(2))
    names = {seat.seat: seat.name for seat in view.seats}
    if view.counters:
        body.add_widget(TextLabel(text=_numbers(view), grows=True))
    for panel in view.panels:
        if panel.rows:
            owner = names.get(panel.seat, "") if panel.seat is not None else ""
            body.add_widget(PanelPicture(panel, f"{owner}: {panel.title}" if owner else panel.title))
    return Sheet(title=view.headline, body=body)


def _numbers(view: TableView) -> str:
    return " · ".join(f"{counter.label} {counter.value}" for counter in view.counters)


class CurtainCover(FloatLayout):
    """Hides the table while the screen is passed to one seat."""

    modal = True

    def __init__(self, curtain: Curtain, touch: Touch) -> None:
        super().__init__()
        self._surface = Surface(self.canvas.before, corner_dp=1)
        self._shield = Shield(seat=curtain.seat or 0, ground="table", size_hint=(None, None))
        self._text = TextLabel(
            text=curtain.text, role="number", ground="table", halign="center", size_hint=(None, None)
        )
        self._open = TouchButton(touch, text=_("I have it: show me"), icon="eye", kind="primary", role="large")
        self._cancel = TouchButton(touch, text=_("Not now"), icon="close")
        self._open.touch_id, self._cancel.touch_id = curtain.open, curtain.cancel
        for child in (self._shield, self._text, self._open, self._cancel):
            child.size_hint = (None, None)
            self.add_widget(child)
        lazily(self._arrange, "pos", "size")
        follow(self._arrange)

    def _arrange(self, *__: Any) -> None:
        theme = colours()
        self._surface.place(self.pos, self.size)
        self._surface.paint(theme.table, theme.table)
        pad, tall = steps(3), target() * 1.4
        width = min(self.width - 2 * pad, steps(90))
        x = self.center_x - width / 2
        self._cancel.pos, self._cancel.size = (x, self.y + pad), (width * 0.35, tall)
        self._open.pos = (x + width * 0.35 + steps(2), self.y + pad)
        self._open.size = (width * 0.65 - steps(2), tall)
        side = min(self.height * 0.3, steps(18))
        self._shield.size, self._shield.pos = (side, side), (self.center_x - side / 2, self.top - pad - side)
        low = self.y + 2 * pad + tall
        self._text.pos, self._text.size = (x, low), (width, self.top - 2 * pad - side - low)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True


class Overlay(FloatLayout):
    """What lies over the table: modal while anything in it is."""

    @property
    def modal(self) -> bool:
        return any(getattr(child, "modal", False) for child in self.children)


def sheets_over(overlay: Widget) -> list[Sheet]:
    """The sheets that are up."""
    return [child for child in overlay.children if isinstance(child, Sheet) and child.modal]
