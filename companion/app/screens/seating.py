"""Setting up: who sits where, which options, and what to lay out."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.models.seating import STEPS, SeatingModel, SeatingView, Step
from companion.app.screens.base import CompanionScreen, button, fitted, page, row, title_bar
from companion.app.screens.chairs import SeatsView
from companion.app.screens.laying_out import ChecklistView
from companion.app.screens.naming import NamingSheet
from companion.app.screens.options import OptionsView
from companion.app.widgets.look import steps
from companion.app.widgets.phases import PhaseStrip
from companion.app.widgets.words import TextLabel
from companion.app.words import _
from companion.rules import registry

_VIEWS: Final[dict[Step, type[Any]]] = {"people": SeatsView, "options": OptionsView, "checklist": ChecklistView}


class SeatingScreen(CompanionScreen):
    """Three steps: people, options, checklist. Shown with the id of a `game`, or with a set-up under way."""

    def enter(self, **what: Any) -> None:
        super().enter(**what)
        self.model: SeatingModel = what.get("model") or SeatingModel(
            registry.get(what["game"]),
            self.shell.shelf,
            self.shell.settings,
            self.shell.dealer,
            portrait=self.portrait,
            t=_,
        )
        self._naming: NamingSheet | None = None
        self._shown: Step | None = None
        self._said = self.model.message
        self._strip = PhaseStrip(height=steps(5))
        self._middle = BoxLayout()
        self._foot = row()
        title = title_bar(self.model.view.title, self.go_back)
        head: tuple[Any, ...] = (title, self._strip)
        if not self.portrait:
            self._strip.size_hint_x, self._strip.pos_hint = 1.6, {"center_y": 0.5}
            title.add_widget(self._strip)
            head = (title,)
        self.add_widget(page(*head, self._middle, self._foot))
        self.follow_model(self.model, self._show)
        self._show()

    def kept(self) -> dict[str, Any]:
        return {**self.what, "model": self.model}

    def go_back(self) -> None:
        at = STEPS.index(self.model.step)
        if at:
            self.model.go(STEPS[at - 1])
        else:
            self.shell.back()

    # What is shown

    def _show(self) -> None:
        view = self.model.view
        self._strip.phases = self._phases(view.step)
        if self._shown != view.step:
            self._shown = view.step
            self._middle.clear_widgets()
            self._view = _VIEWS[view.step](self)
            self._middle.add_widget(self._view)
        self._view.show(view)
        self._show_foot(view)
        if view.message is not None and view.message is not self._said:
            self.say(view.message)
        self._said = view.message

    def _phases(self, step: Step) -> list[tuple[str, str]]:
        labels = (_("People"), _("Options"), _("Set-up"))
        at = STEPS.index(step)
        status = ["past" if place < at else "now" if place == at else "ahead" for place in range(len(STEPS))]
        return list(zip(labels, status, strict=True))

    def _show_foot(self, view: SeatingView) -> None:
        self._foot.clear_widgets()
        for part in self._view.foot(view):
            self._foot.add_widget(part)
        problem = view.problems[0] if view.problems else ""
        last = view.step == STEPS[-1]
        on = button(
            _("Begin") if last else _("Next"), self._begin if last else partial(self._next, view.step),
            icon="play" if last else "next", kind="primary", why=problem, name="next",
        )  # fmt: skip
        on.bind(on_reason=lambda __, why: self.say(why))
        self._foot.add_widget(TextLabel(text=problem, tone="bad", ground="table") if problem else Widget())
        self._foot.add_widget(fitted(on, least=steps(22)))

    def _next(self, step: Step) -> None:
        self.model.go(STEPS[STEPS.index(step) + 1])

    def _begin(self) -> None:
        session = self.model.begin()
        if session is not None:
            self.shell.replace("table", session=session, places=self.model.places)

    # Names

    def name_seat(self, seat: int) -> None:
        """Ask for the name of a seat."""
        NamingSheet(self.model, seat).open(self.host)
