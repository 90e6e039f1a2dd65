"""The options of a game, each with its one line of rule text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.models.seating import OptionRow, SeatingView
from companion.app.screens.base import button, empty_state, rule_sheet
from companion.app.widgets.buttons import SegmentedChoice
from companion.app.widgets.look import steps, target
from companion.app.widgets.scrolling import Scroller, column
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.words import TextLabel
from companion.app.words import _

_VALUE_STEPS = 14
_MOST_CHOICES_STEPS = 44


class ChoiceRow(Panel):
    """A setting with its line of text, and its values side by side: beside the text, or under it on a tall screen."""

    __events__ = ("on_choice",)

    def __init__(self, label: str, text: str, values: list[tuple[Any, str]], value: Any, stacked: bool) -> None:
        super().__init__(
            orientation="vertical" if stacked else "horizontal",
            padding=(steps(2), steps(1.5)),
            spacing=steps(1.5 if stacked else 2),
            size_hint_y=None,
        )
        self._words = column(spacing=steps(0.5))
        self._head = BoxLayout(size_hint_y=None, spacing=steps(1))
        self._words.add_widget(TextLabel(text=label, strong=True, grows=True))
        if text:
            self._words.add_widget(TextLabel(text=text, tone="soft", grows=True))
        self._words.pos_hint = {"center_y": 0.5}
        self.choices = SegmentedChoice(options=values, value=value, pos_hint={"center_y": 0.5})
        self.choices.bind(on_choice=lambda __, chosen: self.dispatch("on_choice", chosen))
        self._line = BoxLayout(size_hint_y=None, height=target(), spacing=steps(1))
        self._line.add_widget(self.choices)
        if not stacked:
            wide = min(steps(_VALUE_STEPS) * len(values), steps(_MOST_CHOICES_STEPS))
            self._line.size_hint_x, self._line.width = None, wide
            self._line.pos_hint = {"center_y": 0.5}
        self.add_widget(self._words)
        self.add_widget(self._line)
        self._words.bind(height=self._grow)
        self._grow()

    def add_help(self, does: Any) -> None:
        """Puts a question mark after the values."""
        mark = button("", does, icon="help", kind="quiet", size_hint_x=None, width=target(), name="help")
        self._line.add_widget(mark)
        if self._line.size_hint_x is None:
            self._line.width += target() + steps(1)

    def _grow(self, *__: Any) -> None:
        inner = self._words.height, self._line.height
        stacked = self.orientation == "vertical"
        self.height = (sum(inner) + steps(1.5) if stacked else max(inner)) + 2 * steps(1.5)

    def on_choice(self, value: object) -> None:
        """A value was tapped."""


class OptionsView(BoxLayout):
    """All options of a game, to scroll."""

    def __init__(self, screen: Any) -> None:
        super().__init__()
        self._screen = screen
        self._rows: dict[str, ChoiceRow] = {}

    def show(self, view: SeatingView) -> None:
        """Shows the options as they are now."""
        if not self.children:
            self._fill(view)
        for option in view.options:
            self._rows[option.key].choices.value = _chosen(option)

    def foot(self, view: SeatingView) -> Sequence[Widget]:
        """What stands at the foot of the screen in this step."""
        return []

    def _fill(self, view: SeatingView) -> None:
        if not view.options:
            self.add_widget(empty_state("check", _("This game has no options.")))
            return
        listed = column(spacing=steps(1))
        for option in view.options:
            listed.add_widget(self._row(option))
        scroller = Scroller(ground="table")
        scroller.add_widget(listed)
        self.add_widget(scroller)

    def _row(self, option: OptionRow) -> ChoiceRow:
        values = [(value.value, value.label) for value in option.values]
        made = ChoiceRow(option.label, option.text, values, _chosen(option), self._screen.portrait)
        made.bind(on_choice=lambda __, value: self._screen.model.set_option(option.key, value))
        if option.rule is not None:
            made.add_help(partial(self._explain, option.rule))
        self._rows[option.key] = made
        return made

    def _explain(self, rule: Any) -> None:
        rule_sheet(rule).open(self._screen.host)


def _chosen(option: OptionRow) -> Any:
    return next((value.value for value in option.values if value.chosen), None)
