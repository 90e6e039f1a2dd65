"""What is read on the boards, beside the picture: loads and towers board by board, then how each sense is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kivy.uix.boxlayout import BoxLayout

from companion.app.models.tables import troubled
from companion.app.screens.health import SenseLine
from companion.app.widgets.look import steps
from companion.app.widgets.pictures import Shield
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.words import TextLabel
from companion.app.words import _

if TYPE_CHECKING:
    from companion.live.shown import BoardReading, Reading, SenseHealth

_LOAD = "load"


class ReadingList(BoxLayout):
    """Shows readings again and again: what is there stays and gets other words, so that nothing flickers or costs."""

    def __init__(self) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=steps(1))
        self.bind(minimum_height=self.setter("height"))
        self._made_for: object = None
        self._boards: list[_BoardCard] = []
        self._senses: list[SenseLine] = []

    def show(self, reading: Reading | None, health: Sequence[SenseHealth], names: Sequence[str]) -> None:
        """The boards of a reading, and the senses."""
        boards = reading.boards if reading is not None else ()
        made_for = (
            tuple((board.board, board.seat, board.grams is None) for board in boards),
            tuple((sense.name, sense.state, sense.says, sense.remedy) for sense in health),
            tuple(names),
        )
        if made_for != self._made_for:
            self._made_for = made_for
            self._make(boards, health, names)
        for card, board in zip(self._boards, boards, strict=True):
            card.show(board)
        for line, sense in zip(self._senses, health, strict=True):
            line.show(sense)

    def _make(self, boards: Sequence[BoardReading], health: Sequence[SenseHealth], names: Sequence[str]) -> None:
        self.clear_widgets()
        self._boards = [_BoardCard(board, _named(board, names)) for board in boards]
        self._senses = [SenseLine(sense, "table") for sense in health]
        for card in self._boards:
            self.add_widget(card)
        if health:
            self.add_widget(self._sense_panel(health))

    def _sense_panel(self, health: Sequence[SenseHealth]) -> Panel:
        panel = Panel(kind="slate", size_hint_y=None)
        panel.bind(minimum_height=panel.setter("height"))
        for line, sense in zip(self._senses, health, strict=True):
            panel.add_widget(line)
            says, remedy = troubled(sense, _)
            if sense.state != "ready" and says:
                panel.add_widget(TextLabel(text=says, ground="table", tone="soft", grows=True))
            if remedy:
                panel.add_widget(TextLabel(text=remedy, ground="table", grows=True))
        return panel


class _BoardCard(Panel):
    """One board: whose it is, its load where it has scales, its towers."""

    def __init__(self, board: BoardReading, name: str) -> None:
        super().__init__(kind="slate", size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        head = BoxLayout(size_hint_y=None, height=steps(5), spacing=steps(1))
        if board.seat is not None:
            head.add_widget(Shield(seat=board.seat, ground="table", size_hint_x=None, width=steps(4)))
        head.add_widget(TextLabel(text=name, strong=True, ground="table"))
        self.add_widget(head)
        self._lines = {tower.tower: _Line(tower_words(tower.tower)) for tower in board.towers}
        if board.grams is not None:
            self._lines = {_LOAD: _Line(_("Load")), **self._lines}
        for line in self._lines.values():
            self.add_widget(line)

    def show(self, board: BoardReading) -> None:
        if board.grams is not None:
            self._lines[_LOAD].show("", f"{board.grams:.0f} g")
        for tower in board.towers:
            levels = "-" if tower.levels is None else str(tower.levels)
            self._lines[tower.tower].show(levels, "" if tower.top_mm is None else f"{tower.top_mm:.0f} mm")


class _Line(BoxLayout):
    """What it is, how many, how much."""

    def __init__(self, what: str) -> None:
        super().__init__(size_hint_y=None, height=steps(3.25), spacing=steps(0.5))
        self._count = TextLabel(strong=True, ground="table", halign="right", size_hint_x=0.19)
        self._measure = TextLabel(ground="table", halign="right", size_hint_x=0.59)
        for label in (TextLabel(text=what, tone="soft", ground="table"), self._count, self._measure):
            self.add_widget(label)

    def show(self, count: str, measure: str) -> None:
        self._count.text, self._measure.text = count, measure


def _named(board: BoardReading, names: Sequence[str]) -> str:
    seat = board.seat
    return names[seat] if seat is not None and seat < len(names) else board.board.capitalize()


def tower_words(tower: str) -> str:
    """A tower as people call it."""
    known = {"left": _("Left tower"), "middle": _("Middle tower"), "right": _("Right tower")}
    return known.get(tower, tower)
