"""One game of a past evening: every category for every seat, and how the castles grew."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.app.models.evenings import EveningsModel, PastGame
from companion.app.screens.base import day
from companion.app.screens.plots import Legend
from companion.app.widgets.charts import LineChart, Series
from companion.app.widgets.look import steps
from companion.app.widgets.pictures import Shield
from companion.app.widgets.scrolling import column
from companion.app.widgets.sheets import Sheet
from companion.app.widgets.words import TextLabel
from companion.app.words import _

_CHART_STEPS = 26
_LEAST_CELL_STEPS = 4.5
_MOST_CELL_STEPS = 12
_LABEL_SHARE = 0.36


class PastGameSheet(Sheet):
    """Comes up over the evenings."""

    def __init__(self, model: EveningsModel, past: PastGame, window: tuple[float, float]) -> None:
        body = column(spacing=steps(0.75))
        body.add_widget(TextLabel(text=past.text, tone="soft", grows=True))
        room = (window[0] * (1 - _LABEL_SHARE) - steps(6)) / len(past.names) - steps(0.5)
        cell = min(max(room, steps(_LEAST_CELL_STEPS)), steps(_MOST_CELL_STEPS))
        body.add_widget(Legend(list(past.names)))
        body.add_widget(_shields(past, cell))
        for label, points in past.categories:
            if any(points):
                body.add_widget(_line(label, points, cell))
        body.add_widget(_line(_("Total"), past.totals, cell, strong=True))
        _add_growth(body, model, past)
        super().__init__(title=f"{past.title} · {day(past.at_ms)}", body=body)


def _shields(past: PastGame, cell: float) -> BoxLayout:
    """Whose column is which."""
    line = _row("", steps(4))
    for seat in range(len(past.names)):
        line.add_widget(Shield(seat=seat, size_hint_x=None, width=cell))
    return line


def _line(label: str, points: tuple[int, ...], cell: float, strong: bool = False) -> BoxLayout:
    line = _row(label, steps(4), strong)
    for value in points:
        tone = "plain" if value > 0 else "bad" if value < 0 else "soft"
        shown = TextLabel(text=str(value), tone=tone, strong=strong, halign="center", size_hint_x=None, width=cell)
        line.add_widget(shown)
    return line


def _row(label: str, height: float, strong: bool = False) -> BoxLayout:
    line = BoxLayout(size_hint_y=None, height=height, spacing=steps(0.5))
    line.add_widget(TextLabel(text=label, strong=strong))
    return line


def _add_growth(body: Any, model: EveningsModel, past: PastGame) -> None:
    grown = model.growth(past.id)
    lines = [Series(seat=seat, points=series.points) for seat, series in enumerate(grown) if len(series.points) > 1]
    if lines:
        title = TextLabel(text=_("The highest tower of each seat, turn by turn"), strong=True, grows=True)
        title.padding = (0, steps(1.5), 0, 0)
        body.add_widget(title)
        body.add_widget(LineChart(series=lines, size_hint_y=None, height=steps(_CHART_STEPS)))
