"""How the senses are: each with one sentence, and what people can do where something is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kivy.uix.boxlayout import BoxLayout

from companion.app.models.tables import troubled
from companion.app.theme import Ground
from companion.app.widgets.look import colours, steps
from companion.app.widgets.pictures import IconView
from companion.app.widgets.scrolling import column
from companion.app.widgets.sheets import Sheet
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.words import TextLabel
from companion.app.words import _

if TYPE_CHECKING:
    from companion.live.shown import SenseHealth

_ICONS = {"camera": "camera", "scales": "scale", "table": "table", "recording": "camera", "log": "edit"}
_SIGNS = {"ready": "check", "starting": "history", "lost": "warning", "off": "minus"}
_ICON_STEPS = 3.5


def state_words(sense: SenseHealth) -> str:
    """How a sense is, in a word or two, with its rate where it has one."""
    words = {"ready": _("ready"), "starting": _("starting"), "lost": _("lost"), "off": _("off")}[sense.state]
    if sense.state == "ready" and sense.rate_hz is not None:
        return f"{sense.rate_hz:.0f} / s"
    return words


class SenseLine(BoxLayout):
    """One sense on one line: what it is, how it is. `show` tells its rate as it changes."""

    def __init__(self, sense: SenseHealth, ground: Ground = "panel") -> None:
        super().__init__(size_hint_y=None, height=steps(4), spacing=steps(1))
        tint = colours().change(ground, False) if sense.state == "lost" else None
        self._words = TextLabel(tone="soft", ground=ground, halign="right", size_hint_x=0.5)
        self.add_widget(_icon(_ICONS.get(sense.sense, "eye"), ground, None))
        self.add_widget(TextLabel(text=_(sense.name), ground=ground))
        self.add_widget(self._words)
        self.add_widget(_icon(_SIGNS[sense.state], ground, tint))
        self.show(sense)

    def show(self, sense: SenseHealth) -> None:
        self._words.text = state_words(sense)


def _icon(kind: str, ground: str, tint: Any) -> IconView:
    return IconView(kind=kind, ground=ground, tint=tint, size_hint_x=None, width=steps(_ICON_STEPS))


def health_sheet(senses: Iterable[SenseHealth], others: Iterable[str] = ()) -> Sheet:
    """Every sense with its sentence and its remedy, and what else does not work beside the screen."""
    body = column(spacing=steps(1.5))
    shown = tuple(senses)
    for sense in shown:
        body.add_widget(_health(sense))
    for says in others:
        body.add_widget(_said(says, "bad"))
    if not shown:
        body.add_widget(_said(_("Nothing watches the table."), "soft"))
    return Sheet(title=_("How the senses are"), body=body)


def _health(sense: SenseHealth) -> Panel:
    card = Panel(kind="raised", size_hint_y=None)
    card.bind(minimum_height=card.setter("height"))
    card.add_widget(SenseLine(sense))
    says, remedy = troubled(sense, _)
    for text, tone in ((says, "bad" if sense.state == "lost" else "soft"), (remedy, "plain")):
        if text:
            card.add_widget(_said(text, tone))
    return card


def _said(text: str, tone: str) -> TextLabel:
    return TextLabel(text=text, tone=tone, grows=True)
