"""The shelf: the game to go on with on top, then the boxes."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.screens.base import CompanionScreen, button, few_names, fitted, icon_button, page, row, title_bar
from companion.app.screens.covers import Cover, cover_look
from companion.app.widgets.buttons import HoldButton, PushButton
from companion.app.widgets.look import steps, target
from companion.app.widgets.pictures import IconView
from companion.app.widgets.scrolling import column
from companion.app.widgets.sheets import Sheet
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.words import TextLabel
from companion.app.words import _, ngettext
from companion.rules import registry

_RESUME_STEPS = 12
_NAMES_PX = 20
"""How much of the screen's width one letter of the names may have."""
_TOLD = "told"


class ShelfScreen(CompanionScreen):
    """Where every evening begins. The boxes are there with the first frame; what lies in them follows."""

    def enter(self, **what: Any) -> None:
        super().enter(**what)
        self._model: Any = None
        self._covers = {game: Cover(game, title=_(cover_look(game).title)) for game in registry.ids()}
        for cover in self._covers.values():
            cover.bind(on_release=lambda cover: self.shell.go("seating", game=cover.game))
        self._top = BoxLayout(orientation="vertical", size_hint_y=None, height=0, spacing=steps(1.5))
        self._head = row()
        self._boxes = BoxLayout(
            orientation="vertical" if self.portrait else "horizontal", spacing=steps(1.5 if self.portrait else 2)
        )
        for cover in self._covers.values():
            self._boxes.add_widget(cover)
        self._show_head(())
        self.add_widget(page(self._head, self._top, self._boxes))
        if registry.get.cache_info().currsize:
            self._load()
        else:
            Clock.schedule_once(self._load_soon, 0)
            self.on_leaving(lambda: Clock.unschedule(self._load_soon))
            self.on_leaving(lambda: Clock.unschedule(self._load))

    def _load_soon(self, *__: Any) -> None:
        """What is scheduled for the first tick still comes before the first frame; this comes after it."""
        Clock.schedule_once(self._load, 0)

    def _load(self, *__: Any) -> None:
        """Reads the rules and the saved games: the frame with the boxes is there by then."""
        from companion.app.models.shelf import ShelfModel

        self._model = ShelfModel(self.shell.shelf, clock=self.shell.clock, t=_)
        self.follow_model(self._model, self._show)
        self._show()

    def kept(self) -> dict[str, Any]:
        return {**self.what, _TOLD: True}

    def _show(self) -> None:
        view = self._model.view
        for box in view.boxes:
            cover = self._covers[box.game]
            cover.title, cover.notes = box.title, [box.players_text, box.minutes_text]
        troubles = (*self.shell.notices, *(damaged.text for damaged in view.damaged))
        self._show_head(troubles)
        self._show_resume(view.open)
        self.say(view.message)
        if troubles and not self.what.get(_TOLD):
            self.what[_TOLD] = True
            self._show_troubles(troubles)

    def _show_head(self, troubles: tuple[str, ...]) -> None:
        self._head.clear_widgets()
        actions = [
            fitted(button(text, partial(self.shell.go, to), icon=icon, kind="quiet", ground="table"))
            for to, text, icon in self._ways()
        ]
        if troubles:
            actions.insert(0, icon_button("warning", lambda: self._show_troubles(troubles), name="troubles"))
        self._head.add_widget(title_bar(_("Castle Companion"), None, *actions))

    def _ways(self) -> list[tuple[str, str, str]]:
        """Where the shelf leads, besides the boxes."""
        ways = [("evenings", _("Evenings"), "trophy"), ("settings", _("Settings"), "settings")]
        return [("live", _("Live table"), "camera"), *ways] if self.shell.watches else ways

    # Games to go on with

    def _show_resume(self, games: tuple[Any, ...]) -> None:
        self._top.clear_widgets()
        self._top.height = steps(_RESUME_STEPS) if games else 0
        self._top.opacity = 1 if games else 0
        if games:
            self._top.add_widget(self._resume_card(games))

    def _resume_card(self, games: tuple[Any, ...]) -> Panel:
        game = games[0]
        card = Panel(orientation="horizontal", kind="parchment", padding=(steps(2), steps(1.5)), spacing=steps(2))
        emblem = IconView(kind=cover_look(game.game).emblem, size_hint_x=None, width=steps(6))
        card.add_widget(emblem)
        words = BoxLayout(orientation="vertical")
        words.add_widget(TextLabel(text=f"{game.title} · {game.when}", strong=True, valign="bottom"))
        names = few_names(game.names, int(self.shell_size[0] / _NAMES_PX))
        words.add_widget(TextLabel(text=names, tone="soft", valign="top"))
        card.add_widget(words)
        if len(games) > 1:
            more = _("All {n} games").format(n=len(games))
            card.add_widget(fitted(button(more, lambda: self._show_all(games))))
        go_on = button(_("Go on"), lambda: self._resume(game), kind="primary", icon="play", name="resume")
        card.add_widget(fitted(go_on, least=steps(18)))
        return card

    def _show_all(self, games: tuple[Any, ...]) -> None:
        body = column()
        sheet = Sheet(title=_("Games to go on with"), body=body)
        for game in games:
            note = f"{few_names(game.names)} · {game.when}"
            entry = button(
                game.title, partial(self._offer, sheet, game), note=note, halign="left",
                icon=cover_look(game.game).emblem, size_hint_y=None, height=target(),
            )  # fmt: skip
            body.add_widget(entry)
        sheet.open(self.host)

    def _offer(self, before: Sheet, game: Any) -> None:
        """One game: go on with it, or far from that, hold to put it away."""
        before.close()
        body = column()
        for text in (", ".join(game.names), game.last, game.when):
            body.add_widget(TextLabel(text=text, tone="soft", grows=True))
        away = HoldButton(text=_("Hold to put it away"), icon="close", size_hint_x=0.45)
        on = PushButton(text=_("Go on"), icon="play", kind="primary", size_hint_x=0.45)
        self.open_sheet(
            game.title,
            body,
            (away, lambda: self._model.discard(game.id)),
            (Widget(size_hint_x=0.1), None),
            (on, lambda: self._resume(game)),
        )

    def _resume(self, game: Any, **how: bool) -> None:
        session = self._model.resume(game.id, **how)
        if session is not None:
            over = session.state is None or session.state.over
            self.shell.go("history" if session.state is None else "tally" if over else "table", session=session)
        elif self._model.message is not None:
            self._offer_otherwise(game, self._model.message.text)

    def _offer_otherwise(self, game: Any, why: str) -> None:
        """It cannot be played on as it is: under today's rules, or only looked at."""
        body = TextLabel(text=why, grows=True)
        look = PushButton(text=_("Look at it only"), icon="eye")
        adopt = PushButton(text=_("Go on under today's rules"), icon="play")
        self.open_sheet(
            game.title,
            body,
            (look, lambda: self._resume(game, read_only=True)),
            (adopt, lambda: self._resume(game, adopt_rules=True)),
            placement="centre",
        )

    # What was found wrong

    def _show_troubles(self, troubles: tuple[str, ...]) -> None:
        body = column(spacing=steps(2))
        for text in troubles:
            line = row(IconView(kind="warning", size_hint_x=None, width=steps(4)), height=steps(4))
            label = TextLabel(text=text, grows=True)
            label.bind(height=lambda label, height, line=line: setattr(line, "height", max(steps(4), height)))
            line.add_widget(label)
            body.add_widget(line)
        count = len(troubles)
        title = ngettext("{n} thing was set aside", "{n} things were set aside", count).format(n=count)
        done = PushButton(text=_("All right"), icon="check", kind="primary")
        self.open_sheet(title, body, (done, lambda: None), placement="centre")
