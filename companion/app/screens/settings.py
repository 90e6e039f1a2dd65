"""How this table likes its screen: every setting with its choices, and all of them hold at once."""

from __future__ import annotations

from typing import Any, Final

from companion.app.models.settings import SettingRow, Value
from companion.app.screens.base import CompanionScreen, page, title_bar
from companion.app.screens.options import ChoiceRow
from companion.app.widgets.look import steps
from companion.app.widgets.scrolling import Scroller, column
from companion.app.widgets.words import TextLabel
from companion.app.words import _

_GROUPS: Final = {"theme": "look", "turned": "table", "watch": "sensing"}
"""The first setting of each group, and its group."""


class SettingsScreen(CompanionScreen):
    """All settings, to scroll. A change of language or of the size of text makes the screen anew where it stood."""

    def enter(self, **what: Any) -> None:
        super().enter(**what)
        self._rows: dict[str, ChoiceRow] = {}
        listed = column()
        for setting in self.shell.settings.rows():
            if setting.key in _GROUPS:
                listed.add_widget(self._heading(_GROUPS[setting.key]))
            listed.add_widget(self._row(setting))
        self._scroller = Scroller(ground="table")
        self._scroller.add_widget(listed)
        listed.bind(height=self._scroll_back)
        self.add_widget(page(title_bar(_("Settings"), self.go_back), self._scroller))
        self._stood = float(what.get("scroll", 0.0))
        self.follow_model(self.shell.settings, self._show)

    def kept(self) -> dict[str, Any]:
        return {"scroll": self._scroller.scroll}

    def _scroll_back(self, *__: Any) -> None:
        """To where the screen stood, as soon as it is high enough."""
        if self._stood and self._scroller.furthest >= self._stood:
            self._scroller.go_to(self._stood)
            self._stood = 0.0

    def _heading(self, group: str) -> TextLabel:
        text = {"look": _("Look and language"), "table": _("At the table"), "sensing": _("Camera and scales")}[group]
        return TextLabel(
            text=text, role="large", serif=True, ground="table", valign="bottom", size_hint_y=None, height=steps(6)
        )

    def _row(self, setting: SettingRow) -> ChoiceRow:
        values = [(choice.value, choice.label) for choice in setting.choices]
        made = ChoiceRow(setting.label, setting.help, values, _chosen(setting), self.portrait)
        made.bind(on_choice=lambda __, value: self.shell.settings.set(setting.key, value))
        self._rows[setting.key] = made
        return made

    def _show(self) -> None:
        for setting in self.shell.settings.rows():
            self._rows[setting.key].choices.value = _chosen(setting)
        self.say(self.shell.settings.message)


def _chosen(setting: SettingRow) -> Value | None:
    return next((choice.value for choice in setting.choices if choice.chosen), None)
