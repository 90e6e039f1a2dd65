"""How scores went over the games of one box: everybody's totals, and one person's points category by category."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.models.evenings import EveningsModel, EveningsView
from companion.app.models.evenings import Series as Told
from companion.app.screens.base import icon_button, row
from companion.app.screens.covers import cover_look
from companion.app.theme import SEATS
from companion.app.widgets.charts import LineChart, Series
from companion.app.widgets.look import lazily, steps, target
from companion.app.widgets.pictures import IconView, SeatBadge
from companion.app.widgets.scrolling import Scroller
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.words import TextLabel
from companion.app.words import _

_CELL_STEPS = 34
_CELL_HEIGHT_STEPS = 15
_LEGEND_STEPS = 28
_EVERYBODY = 0


class PlotsView(BoxLayout):
    """Step through the boxes and through the people: everybody first, then one after another."""

    def __init__(self, model: EveningsModel, view: EveningsView, portrait: bool) -> None:
        super().__init__(orientation="vertical", spacing=steps(1))
        self._model, self._view = model, view
        titles = {past.game: past.title for past in view.games}
        self._games = list(titles.items())
        self._game, self._person = 0, _EVERYBODY
        self._box = Stepper(self._step_game)
        self._who = Stepper(self._step_person)
        steppers = BoxLayout(orientation="vertical" if portrait else "horizontal", spacing=steps(1), size_hint_y=None)
        steppers.height = 2 * target() + steps(1) if portrait else target()
        steppers.add_widget(self._box)
        steppers.add_widget(self._who)
        self._panel = Panel(padding=(steps(2), steps(1)))
        self.add_widget(steppers)
        self.add_widget(self._panel)
        self._show()

    def _people(self) -> list[str]:
        """Who has played this box, those who have won most first; not more than there are seats to tell apart."""
        game = self._games[self._game][0]
        return [record.name for record in self._view.records if record.game == game][: len(SEATS)]

    def _step_game(self, by: int) -> None:
        self._game, self._person = (self._game + by) % len(self._games), _EVERYBODY
        self._show()

    def _step_person(self, by: int) -> None:
        self._person = (self._person + by) % (len(self._people()) + 1)
        self._show()

    def _show(self) -> None:
        game, title = self._games[self._game]
        people = self._people()
        self._box.show(title, cover_look(game).emblem, len(self._games) > 1)
        who = people[self._person - 1] if self._person else _("Everybody")
        self._who.show(who, "person", bool(people))
        self._panel.clear_widgets()
        if self._person == _EVERYBODY:
            self._show_everybody(game, people)
        else:
            self._show_person(game, who)

    def _show_everybody(self, game: str, people: list[str]) -> None:
        lines = [Series(seat=at, points=self._model.totals(game, name).points) for at, name in enumerate(people)]
        self._panel.add_widget(_caption(_("Totals, game by game")))
        self._panel.add_widget(LineChart(series=lines))
        self._panel.add_widget(Legend(people))

    def _show_person(self, game: str, name: str) -> None:
        seat = self._people().index(name)
        self._panel.add_widget(_caption(_("Points in each category, game by game")))
        grid = _Grid()
        for told in self._model.by_category(game, name):
            if any(points for _game, points in told.points):
                grid.add_widget(_small_chart(told, seat))
        scroller = Scroller()
        scroller.add_widget(grid)
        self._panel.add_widget(scroller)


class Stepper(Panel):
    """One of several, with arrows to the one before and the one after."""

    def __init__(self, step: Any) -> None:
        super().__init__(orientation="horizontal", kind="slate", padding=0, spacing=steps(0.5))
        self._before = icon_button("back", lambda: step(-1), name="before")
        self._after = icon_button("next", lambda: step(1), name="after")
        self._icon = IconView(ground="table", size_hint_x=None, width=steps(4))
        self._label = TextLabel(strong=True, ground="table")
        for part in (self._before, self._icon, self._label, self._after):
            self.add_widget(part)

    def show(self, text: str, icon: str, several: bool) -> None:
        """Names the one chosen."""
        self._label.text, self._icon.kind = text, icon
        self._before.disabled = self._after.disabled = not several


class Legend(GridLayout):
    """Whose shield is whose."""

    def __init__(self, people: list[str]) -> None:
        super().__init__(size_hint_y=None, spacing=steps(0.5))
        self.bind(minimum_height=self.setter("height"))
        for at, name in enumerate(people):
            self.add_widget(SeatBadge(seat=at, name=name, size_hint_y=None, height=steps(3.5)))
        lazily(self._columns, "width")

    def _columns(self, *__: Any) -> None:
        self.cols = max(1, int(self.width // steps(_LEGEND_STEPS)))


class _Grid(GridLayout):
    def __init__(self) -> None:
        super().__init__(cols=1, size_hint_y=None, spacing=steps(1.5))
        self.bind(minimum_height=self.setter("height"))
        lazily(self._columns, "width")

    def _columns(self, *__: Any) -> None:
        self.cols = max(1, int((self.width + steps(1.5)) // steps(_CELL_STEPS)))


def _small_chart(told: Told, seat: int) -> BoxLayout:
    box = BoxLayout(orientation="vertical", size_hint_y=None, height=steps(_CELL_HEIGHT_STEPS))
    head = row(TextLabel(text=told.label, strong=True), height=steps(3.5))
    last = TextLabel(text=str(told.points[-1][1]), halign="right", size_hint_x=None, width=steps(6))
    head.add_widget(last)
    box.add_widget(head)
    box.add_widget(LineChart(series=[Series(seat=seat, points=told.points)]))
    return box


def _caption(text: str) -> TextLabel:
    return TextLabel(text=text, tone="soft", size_hint_y=None, height=steps(3.5))
