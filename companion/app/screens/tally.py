"""The end of a game as a ceremony: category by category, last place first, then the podium."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from kivy.clock import Clock
from kivy.metrics import dp, sp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.models.tally import Category, Form, TallyLine, TallyModel, TallyView
from companion.app.screens.base import CompanionScreen, button, fitted, page, row, title_bar
from companion.app.screens.podium import PodiumView
from companion.app.screens.race import Race
from companion.app.theme import SANS, SCALE_SP
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.look import look, steps, target
from companion.app.widgets.motion import appear
from companion.app.widgets.pictures import IconView, Shield
from companion.app.widgets.scrolling import Scroller, column
from companion.app.widgets.sheets import Sheet
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.words import TextLabel, measured
from companion.app.words import _

_REVEAL_S = 0.6
_POINTS_STEPS = 7
_SHIELD_STEPS = 4.5
_RACE_SHARE = 0.42
_RACE_BESIDE_SHARE = 0.36
_LOW_DP = 640
_FORMS: Final[tuple[Form, ...]] = ("scores", "history", "json", "bgstats")


class _Reason(TextLabel):
    """Small where the `widest` reason of its category would need another line; without one, never."""

    widest = NumericProperty(0)

    def _fit(self, *__: Any) -> None:
        self.role = "small" if self.widest > self.width else "body"
        super()._fit()


class ScoreLine(BoxLayout):
    """What one seat gets in a category: the shield, the name, why, and the points."""

    def __init__(self, line: TallyLine, widest_px: int) -> None:
        super().__init__(size_hint_y=None, height=steps(8), spacing=steps(1))
        self.add_widget(Shield(seat=line.seat, size_hint_x=None, width=steps(_SHIELD_STEPS)))
        words = column(spacing=0, pos_hint={"center_y": 0.5})
        words.add_widget(TextLabel(text=line.name, strong=True, grows=True))
        words.add_widget(_Reason(text=line.why, widest=widest_px, tone="soft", grows=True))
        words.bind(height=lambda __, height: setattr(self, "height", max(steps(7), height + steps(1))))
        self.add_widget(words)
        if line.tied:
            self.add_widget(IconView(kind="scale", size_hint_x=None, width=steps(3)))
        points = f"+{line.points}" if line.points > 0 else str(line.points).replace("-", "−")  # noqa: RUF001
        tone = "bad" if line.points < 0 else "plain" if line.points else "soft"
        self.add_widget(
            TextLabel(text=points, role="large", strong=True, tone=tone, halign="right", size_hint_x=None,
                      width=steps(_POINTS_STEPS))
        )  # fmt: skip


class TallyScreen(CompanionScreen):
    """The ceremony of a `session` that is over. A touch on Next tells the rest of a category, then the next one."""

    def enter(self, **what: Any) -> None:
        super().enter(**what)
        self.model: TallyModel = what.get("model") or TallyModel(what["session"], t=_)
        self._waiting: list[TallyLine] = []
        self._shown: Category | None = None
        self._step = 0
        self._middle = BoxLayout()
        self._foot = row()
        self._count = TextLabel(tone="soft", ground="table", halign="right", size_hint_x=0.6)
        head = title_bar(self.model.view.title, self.go_back, self._count)
        self.add_widget(page(head, self._middle, self._foot))
        self.follow_model(self.model, self._show)
        self.on_leaving(lambda: Clock.unschedule(self._reveal))
        self._show()
        self._compare_heights()

    def _compare_heights(self) -> None:
        """The tally counts what the game has: where the table reads another tallest tower, that is said first."""
        castles = self.shell.lookout.tallest_apart if self.shell.lookout else ()
        words = _("{name}: the tallest tower has {table} levels on the table and {game} in the game.")
        names = self.what["session"].cover.seats
        said = (words.format(name=names[each.seat], table=each.measured, game=each.game) for each in castles)
        self.say(" ".join(said))

    def kept(self) -> dict[str, Any]:
        return {**self.what, "model": self.model}

    def go_back(self) -> None:
        """A step back in the ceremony; from its first step, out of it."""
        if self.model.view.step > 1:
            self.model.back()
        else:
            self.shell.back()

    def _show(self) -> None:
        view = self.model.view
        if view.step != self._step:
            self._step = view.step
            self._show_step(view)
        self.say(view.message)

    def _show_step(self, view: TallyView) -> None:
        Clock.unschedule(self._reveal)
        self._count.text = _("{n} of {all}").format(n=view.step, all=view.steps)
        if view.category is not None:
            self._show_category(view.category)
        elif view.podium is not None:
            self._shown = None
            self.shell.sideboard.cue("podium")
            self._middle.clear_widgets()
            self._middle.add_widget(PodiumView(view.podium, self.shell_size))
        self._foot.clear_widgets()
        for part in self._to_go_on() if view.podium is None else self._to_end():
            self._foot.add_widget(part)

    # A category

    def _show_category(self, category: Category) -> None:
        before = self._race_before(category)
        self._shown = category
        self._middle.clear_widgets()
        self._middle.orientation = "vertical" if self.portrait else "horizontal"
        self._middle.spacing = steps(1.5)
        self._lines = column(spacing=steps(0.5))
        self._scroller = Scroller()
        self._scroller.add_widget(self._lines)
        told = Panel(padding=(steps(2), steps(1)), spacing=steps(0.5))
        told.add_widget(TextLabel(text=category.label, role="large", serif=True, size_hint_y=None, height=steps(5.5)))
        told.add_widget(self._scroller)
        self._race = Race()
        self._race.show(before)
        if self.portrait:
            self._race.size_hint_y = _RACE_SHARE
        else:
            self._race.size_hint_x = _RACE_BESIDE_SHARE / (1 - _RACE_BESIDE_SHARE)
        self._middle.add_widget(told)
        self._middle.add_widget(self._race)
        self._waiting = list(category.lines)
        self._reveal()
        if look.motion:
            Clock.schedule_interval(self._reveal, _REVEAL_S)
        else:
            self.reveal_all()

    def _race_before(self, category: Category) -> tuple[Any, ...]:
        """The race as it stood before a category."""
        at = self.model.categories.index(category)
        if at:
            return self.model.categories[at - 1].bars
        return tuple(type(bar)(seat=bar.seat, name=bar.name, total=0, length=0.0) for bar in category.bars)

    def _reveal(self, *__: Any) -> None:
        """One more line; with the last one the race goes on."""
        if self._waiting:
            line = ScoreLine(self._waiting.pop(0), self._widest_px())
            self._lines.add_widget(line)
            appear(line)
            Clock.schedule_once(lambda *__: self._scroller.go_to(self._scroller.furthest), 0)
        if not self._waiting:
            Clock.unschedule(self._reveal)
            if self._shown is not None:
                self._race.show(self._shown.bars)

    def _widest_px(self) -> int:
        """How wide the longest reason is on a low screen, where four seats are to stay in sight."""
        lines = self._shown.lines if self._shown and self.shell_size[1] < dp(_LOW_DP) else ()
        size = round(float(sp(SCALE_SP["body"])))
        return max((measured(line.why, SANS, size, None)[0] for line in lines), default=0)

    def reveal_all(self) -> None:
        """The rest of the category at once."""
        while self._waiting:
            self._reveal()

    def _next(self) -> None:
        if self._waiting:
            self.reveal_all()
        else:
            self.model.next()

    def _to_go_on(self) -> tuple[Widget, ...]:
        skip = button(_("To the podium"), self.model.skip, icon="trophy", kind="quiet", ground="table")
        on = button(_("Next"), self._next, icon="next", kind="primary", name="next")
        return fitted(skip), Widget(), fitted(on, least=steps(22))

    # Afterwards

    def _to_end(self) -> tuple[Widget, ...]:
        export = button(_("Write out"), self._offer_forms, icon="export")
        again = button(_("Rematch"), self._rematch, icon="redo")
        done = button(_("Done"), self.shell.home, icon="check", kind="primary")
        return fitted(export), fitted(again), Widget(), fitted(done, least=steps(18))

    def _offer_forms(self) -> None:
        body = column()
        sheet = Sheet(title=_("Write this game out"), body=body)
        words = {
            "scores": (_("Scores"), _("A table of every line of the score (CSV).")),
            "history": (_("History"), _("Everything that happened, line by line (CSV).")),
            "json": (_("The whole game"), _("To take it up on another Castle Companion (JSON).")),
            "bgstats": (_("BG Stats"), _("A play to import into the BG Stats app.")),
        }
        for form in _FORMS:
            text, note = words[form]
            made = PushButton(text=text, note=note, icon="export", halign="left", size_hint_y=None, height=target())
            made.bind(on_release=partial(self._export, sheet, form))
            body.add_widget(made)
        sheet.open(self.host)

    def _export(self, sheet: Sheet, form: Form, *__: Any) -> None:
        sheet.close()
        self.model.export(form, self.shell.exports)

    def _rematch(self) -> None:
        session = self.model.rematch(self.shell.shelf)
        if session is not None:
            self.shell.replace("table", session=session)
