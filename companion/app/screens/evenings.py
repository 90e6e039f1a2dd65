"""Past evenings: the games that were played to their end, the records, and how scores went."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.app.models.evenings import EveningsModel, EveningsView, PastGame, Record
from companion.app.screens.base import CompanionScreen, button, day, empty_state, few_names, page, title_bar
from companion.app.screens.covers import cover_look
from companion.app.screens.past_game import PastGameSheet
from companion.app.screens.plots import PlotsView
from companion.app.widgets.buttons import SegmentedChoice
from companion.app.widgets.look import steps
from companion.app.widgets.pictures import IconView
from companion.app.widgets.scrolling import Scroller, column
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.words import TextLabel
from companion.app.words import _, ngettext

_GAMES, _RECORDS, _PLOTS = "games", "records", "plots"
_PAGE = 30
_NUMBER_STEPS = 9
_LETTER_PX = 10


class EveningsScreen(CompanionScreen):
    """Three views: games, records, plots."""

    def enter(self, **what: Any) -> None:
        super().enter(**what)
        self.model = EveningsModel(self.shell.shelf, t=_)
        self._count = _PAGE
        tabs = [(_GAMES, _("Games")), (_RECORDS, _("Records")), (_PLOTS, _("Plots"))]
        self._tabs = SegmentedChoice(options=tabs, value=what.get("tab", _GAMES))
        self._tabs.bind(on_choice=lambda __, tab: self.show_tab(tab))
        self._middle = BoxLayout()
        head = title_bar(_("Evenings"), self.go_back)
        parts: tuple[Any, ...] = (head, self._tabs, self._middle)
        if not self.portrait:
            self._tabs.size_hint_x = 2
            head.add_widget(self._tabs)
            parts = (head, self._middle)
        self.add_widget(page(*parts))
        self.show_tab(self._tabs.value)

    def kept(self) -> dict[str, Any]:
        return {"tab": self._tabs.value}

    def show_tab(self, tab: str) -> None:
        """Show one of the views."""
        self._tabs.value = tab
        view = self.model.view
        self._middle.clear_widgets()
        if not view.games and not view.unread:
            text = _("No game has been played to its end yet. When one has, it is kept here.")
            self._middle.add_widget(empty_state("trophy", text))
            return
        make = {_GAMES: self._games, _RECORDS: self._records, _PLOTS: self._plots}[tab]
        self._middle.add_widget(make(view))

    def open_game(self, id: str) -> None:
        """Show one past game."""
        past = next(game for game in self.model.view.games if game.id == id)
        PastGameSheet(self.model, past, self.shell_size).open(self.host)

    # The views

    def _games(self, view: EveningsView) -> Scroller:
        listed = column(spacing=steps(0.75))
        for past in view.games[: self._count]:
            listed.add_widget(self._game(past))
        if len(view.games) > self._count:
            more = button(_("Show earlier games"), self._more, icon="down", size_hint_y=None, height=steps(8))
            listed.add_widget(more)
        for problem in view.unread:
            listed.add_widget(TextLabel(text=problem, tone="bad", ground="table", grows=True))
        return _scrolled(listed)

    def _more(self) -> None:
        self._count += _PAGE
        self.show_tab(_GAMES)

    def _game(self, past: PastGame) -> Any:
        minutes = ngettext("{n} minute", "{n} minutes", past.minutes).format(n=past.minutes)
        ranked = sorted(range(len(past.names)), key=lambda seat: (seat not in past.winners, -past.totals[seat]))
        scores = few_names([f"{past.names[seat]} {past.totals[seat]}" for seat in ranked], self._letters())
        text = f"{past.title} · {day(past.at_ms)} · {minutes}"
        return button(
            text, partial(self.open_game, past.id), note=scores, icon=cover_look(past.game).emblem, halign="left",
            size_hint_y=None, height=steps(9),
        )  # fmt: skip

    def _letters(self) -> int:
        """How many letters of scores have room on one line."""
        return int(self.shell_size[0] / _LETTER_PX)

    def _records(self, view: EveningsView) -> Panel:
        panel = Panel(padding=(steps(2), steps(1)), spacing=0)
        heads = (_("Played"), _("Won"), _("Best"), _("Average"))
        listed = column(spacing=0)
        listed.add_widget(_record_line("", "", heads, "soft"))
        for record in view.records:
            listed.add_widget(_record(record))
        panel.add_widget(_scrolled(listed, "panel"))
        return panel

    def _plots(self, view: EveningsView) -> PlotsView:
        return PlotsView(self.model, view, self.portrait)


def _scrolled(listed: BoxLayout, ground: str = "table") -> Scroller:
    scroller = Scroller(ground=ground)
    scroller.add_widget(listed)
    return scroller


def _record(record: Record) -> BoxLayout:
    numbers = (str(record.played), str(record.won), str(record.best), f"{record.average:.1f}")
    return _record_line(record.name, cover_look(record.game).emblem, numbers, "plain")


def _record_line(name: str, emblem: str, numbers: tuple[str, ...], tone: str) -> BoxLayout:
    line = BoxLayout(size_hint_y=None, height=steps(6.5 if name else 4), spacing=steps(1))
    line.add_widget(IconView(kind=emblem, size_hint_x=None, width=steps(4)))
    line.add_widget(TextLabel(text=name, strong=True))
    for number in numbers:
        label = TextLabel(text=number, tone=tone, halign="right")
        label.size_hint_x, label.width = None, steps(_NUMBER_STEPS)
        line.add_widget(label)
    return line
