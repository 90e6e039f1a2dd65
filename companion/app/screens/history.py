"""Everything that happened, line by line; a line can be opened, and the game taken back to it."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any, Final

from kivy.uix.boxlayout import BoxLayout

from companion.app.models.history import HistoryModel, LineRow, Mark
from companion.app.screens.base import CompanionScreen, button, icon_button, page, rule_sheet, title_bar
from companion.app.theme import faded
from companion.app.widgets.buttons import HoldButton
from companion.app.widgets.look import colours, follow, lazily, steps, target
from companion.app.widgets.pictures import IconView, Shield
from companion.app.widgets.scrolling import Scroller, column
from companion.app.widgets.surfaces import Surface
from companion.app.widgets.touch import Touchable
from companion.app.widgets.words import TextLabel
from companion.app.words import _, ngettext

_PAGE = 40
"""So many lines are made at once; more when they are asked for."""
_MS_PER_S = 1000
_MARK_ICONS: Final[dict[Mark, str]] = {"": "", "correction": "edit", "undone": "undo", "moved": "history"}
_TIME_STEPS = 7
_WORDED_PX = 700
"""From this width on, marks have words."""
_MARK_STEPS = 17


class LineView(Touchable):
    """One line: when, whose, what, and a mark for what was corrected, undone or moved."""

    def __init__(self, line: LineRow, worded: bool) -> None:
        super().__init__(size_hint_y=None, height=target() + steps(0.5))
        self._line, self._worded = line, worded
        self._surface = Surface(self.canvas.before)
        at = datetime.fromtimestamp(line.at_ms / _MS_PER_S).astimezone()
        self._time = TextLabel(text=at.strftime("%H:%M"), tone="soft")
        self._who: Any = IconView(kind="table") if line.seat is None else Shield(seat=line.seat)
        self._label = TextLabel(text=line.label, strong=line.here)
        self._icon = IconView(kind="next" if line.here else _MARK_ICONS[line.mark])
        self._mark = TextLabel(text=_mark_text(line) if worded else "")
        for part in (self._time, self._who, self._label, self._icon, self._mark):
            self.add_widget(part)
        lazily(self._arrange, "pos", "size", "pressed")
        follow(self._arrange)

    def _arrange(self, *__: Any) -> None:
        theme, line = colours(), self._line
        faint = line.mark in ("undone", "moved")
        self._surface.place(self.pos, self.size, 3 if line.here else 1.5)
        fill = theme.panel_pressed if self.pressed else theme.off if faint else theme.panel
        self._surface.paint(fill, theme.accent if line.here else theme.off_edge if faint else theme.panel_edge)
        words = theme.off_text if faint else theme.ink
        self._label.tint = self._mark.tint = self._icon.tint = words
        self._time.tint = faded(words, 0.8)
        self._who.opacity = 0.55 if faint else 1.0
        self._place()

    def _place(self) -> None:
        pad, side = steps(1), steps(4)
        self._time.pos, self._time.size = (self.x + 1.5 * pad, self.y), (steps(_TIME_STEPS), self.height)
        left = self.x + 2 * pad + steps(_TIME_STEPS)
        self._who.pos, self._who.size = (left, self.center_y - side / 2), (side, side)
        mark = steps(_MARK_STEPS) if self._mark.text else 0.0
        icon = steps(3) if self._icon.kind else 0.0
        right = self.right - 1.5 * pad
        self._mark.pos, self._mark.size = (right - mark, self.y), (mark, self.height)
        self._icon.pos = (right - mark - icon - (pad if mark else 0), self.center_y - icon / 2)
        self._icon.size = (icon, icon)
        start = left + side + 1.5 * pad
        end = self._icon.x - pad if icon else right
        self._label.pos, self._label.size = (start, self.y + pad / 2), (max(0.0, end - start), self.height - pad)


def _mark_text(line: LineRow) -> str:
    if line.here:
        return _("The game is here")
    return {"": "", "correction": _("Corrected"), "undone": _("Undone"), "moved": _("Went back or on")}[line.mark]


class HistoryScreen(CompanionScreen):
    """The history of a `session`, the last line first."""

    def enter(self, **what: Any) -> None:
        super().enter(**what)
        self.model = HistoryModel(what["session"], t=_)
        self._count = what.get("count", _PAGE)
        self._listed = column(spacing=steps(0.5))
        self._scroller = Scroller(ground="table")
        self._scroller.add_widget(self._listed)
        self._tally = TextLabel(tone="soft", ground="table", halign="right", size_hint_x=0.8)
        self.add_widget(page(title_bar(_("History"), self.go_back, self._tally), self._scroller))
        self.follow_model(self.model, self._show)
        self._show()

    def kept(self) -> dict[str, Any]:
        return {**self.what, "count": self._count}

    def _show(self) -> None:
        view = self.model.view
        count = len(view.lines)
        told = [ngettext("{n} line", "{n} lines", count).format(n=count)]
        if view.corrections:
            corrected = ngettext("{n} correction", "{n} corrections", view.corrections)
            told.append(corrected.format(n=view.corrections))
        self._tally.text = " · ".join(told)
        self._listed.clear_widgets()
        self._add(view.lines, 0)
        self.say(view.message)

    def _line(self, line: LineRow) -> LineView:
        made = LineView(line, self.shell_size[0] >= _WORDED_PX)
        made.bind(on_release=lambda *__: self._open(line))
        return made

    def _add(self, lines: tuple[LineRow, ...], start: int) -> None:
        """Lines from `start` on, and a way to those before them."""
        for line in lines[start : self._count]:
            self._listed.add_widget(self._line(line))
        if len(lines) > self._count:
            more = button(_("Show earlier lines"), self._show_more, icon="down", size_hint_y=None, height=target())
            self._listed.add_widget(more)

    def _show_more(self) -> None:
        """Adds lines below; what is there stays where it is."""
        self._listed.remove_widget(self._listed.children[0])
        start, self._count = self._count, self._count + _PAGE
        self._add(self.model.view.lines, start)

    # One line

    def _open(self, line: LineRow) -> None:
        body = column(spacing=steps(1))
        about = " · ".join(part for part in (line.who, _mark_text(line)) if part)
        body.add_widget(TextLabel(text=about, tone="soft", grows=True))
        for fact in line.facts:
            body.add_widget(self._fact(fact.text, fact.rule))
        if line.here or self.model.session.read_only:
            self.open_sheet(line.label, body)
            return
        jump = HoldButton(text=_("Hold to go back to here"), icon="history")
        self.open_sheet(line.label, body, (jump, partial(self._jump, line)))

    def _fact(self, text: str, rule: Any) -> BoxLayout:
        made = BoxLayout(size_hint_y=None, height=target(), spacing=steps(1))
        label = TextLabel(text=text, grows=True, pos_hint={"center_y": 0.5})
        made.add_widget(label)
        least = 0.0
        if rule is not None:
            mark = icon_button("help", lambda: rule_sheet(rule).open(self.host), ground="panel")
            mark.pos_hint = {"center_y": 0.5}
            made.add_widget(mark)
            least = target()
        label.bind(height=lambda __, height: setattr(made, "height", max(least, height)))
        return made

    def _jump(self, line: LineRow) -> None:
        if self.model.jump(line.seq):
            self._scroller.go_to(0)
            self.say(_("The game stands as it did then. A redo leads back."))
