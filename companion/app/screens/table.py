"""The table during a game: phases on top, seats around the edge, the seat whose move it is large in the middle.

Any game is played through its prompts alone; a game with a middle of its own says so in `CENTRES`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.floatlayout import FloatLayout
from msgspec.structs import replace

from companion.app.models.asking import AskingView
from companion.app.models.model import RuleText
from companion.app.models.places import around, kept
from companion.app.models.prompts import GroupView, PromptView
from companion.app.models.scene import SeatView, TableView
from companion.app.models.table import TableModel
from companion.app.screens.asides import (
    CurtainCover,
    Overlay,
    SeatSheet,
    menu_sheet,
    moves_sheet,
    refusal_sheet,
    rule_sheet,
    sheets_over,
)
from companion.app.screens.asking import AskingSheet, Grids
from companion.app.screens.base import CompanionScreen, Shell
from companion.app.screens.centre import Centre, Doings, asked, next_id
from companion.app.screens.moves import TouchButton
from companion.app.screens.rim import Box, Rim, facing, laid_out
from companion.app.screens.seats import SeatCard
from companion.app.screens.senses import Senses
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.kept import Kept, on_table
from companion.app.widgets.look import colours, lazily, steps, target
from companion.app.widgets.phases import PhaseStrip
from companion.app.widgets.pictures import IconView
from companion.app.widgets.sheets import Sheet
from companion.app.widgets.turning import Rotated
from companion.app.words import _, leave
from companion.session.session import Session

if TYPE_CHECKING:
    from companion.devices.pins import ButtonName

CENTRES = {"castle-dukes": ("companion.app.screens.castle_dukes", "DukesCentre")}
"""Games with a middle of their own, by where it is."""

_BADGE_STEPS = 2.5
_LONGEST_UNDO = 28
_LONGEST_WORD = 11


class TableScreen(CompanionScreen):
    """One game. `enter(session=...)` shows it, with `places` where seats were turned by hand.

    Whatever changes is drawn on the next frame.
    """

    model: TableModel
    centre: Centre

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self._redraw = Clock.create_trigger(self._draw, 0)
        self._focus: int | None = None
        self._seq = self._asked_at = -1
        self._was_over = False
        self._sheet: Sheet | None = None
        self._grids: Grids = {}
        self._said: object = None
        self._cards: list[tuple[Rotated, SeatCard]] = []
        self._trouble = ""

    @property
    def host(self) -> FloatLayout:
        return self._overlay

    # Coming and going

    def enter(self, **what: Any) -> None:
        super().enter(**what)
        session: Session = what["session"]
        settings = self.shell.settings.settings
        self._usual = around(len(session.cover.seats), portrait=self.portrait, turned=settings.turned)
        self.model = TableModel(
            session,
            dealer=self.shell.dealer,
            clock=self.shell.clock,
            places=kept(what.get("places"), self._usual),
            auto_draw=settings.draw,
            t=_,
        )
        self._build()
        self.model.enter()
        self._was_over = self.model.view.over
        self.follow_model(self.model, self._redraw)
        if self.shell.lookout is not None:
            self.follow_model(self.shell.lookout, self._sensed)
        self._draw()

    def kept(self) -> dict[str, Any]:
        by_hand = self.model.places if self.model.places != self._usual else None
        return {**self.what, "places": by_hand}

    def leave(self) -> None:
        self._redraw.cancel()
        self.shell.sideboard.see(None)
        super().leave()
        self.model.leave()

    def tick(self) -> None:
        self.model.tick()

    def press(self, button: ButtonName) -> None:
        """`next` ends what the seat in the middle does, or does the one thing that can be done; `undo` takes back."""
        if button == "call":
            super().press(button)
            return
        undo = self.model.view.undo
        id = self._next_id() if button == "next" else undo.id if undo else ""
        if id:
            self._touch(id)
        else:
            self.say(_("Choose on the screen what comes next.") if button == "next" else _("Nothing to undo."))

    def mark(self, says: str) -> None:
        """The menu bears a mark, and says first what is wrong."""
        says = " ".join(each for each in (says, self._senses.says) if each)
        if says != self._trouble:
            self._trouble = says
            self._badge.kind = "warning" if says else ""

    def _next_id(self) -> str:
        view = self.model.view
        if view.asking is not None or view.curtain is not None:
            return ""
        return next_id(asked(view, self._middle_seat(view)))

    def go_back(self) -> None:
        """A sheet goes first, then the table."""
        sheets = sheets_over(self._overlay)
        if sheets:
            sheets[0].close()
        else:
            self.shell.back()

    # Building

    def _build(self) -> None:
        self._strip = PhaseStrip(size_hint=(None, None))
        self._menu = self._tool("menu", self._open_menu, "menu")
        self._badge = IconView(ground="table", tint=colours().accent)
        self._menu.add_widget(self._badge)
        self._anytime = self._tool("crumble", self._open_any_time, "anytime")
        self._overview = self._tool("eye", self._open_overview, "overview")
        self._undo = TouchButton(self._touch, icon="undo", kind="quiet", ground="table")
        self._undo.size_hint, self._undo.name = (None, None), "undo"
        doings = Doings(
            touch=self._touch,
            explain=self._explain,
            unfold=self._unfold,
            tally=self._to_tally,
            state=lambda: self.model.state,
        )
        self._turn = Rotated(on_table, size_hint=(None, None))
        self.centre = self._made_centre(doings)
        self._turn.add_widget(self.centre)
        self._overlay = Overlay()
        self._over = Rotated(size_hint=(None, None))
        self._over.add_widget(self._overlay)
        self._senses = Senses(self, self.model, self.shell.lookout)
        self._slip = Rotated(size_hint=(None, None))
        self._slip.add_widget(self._senses.card)
        for child in (self._strip, self._menu, self._anytime, self._overview, self._undo):
            self.add_widget(Kept(child, on_table))
        self.add_widget(self._turn)
        self.add_widget(self._slip)
        self.add_widget(_Over(self._over, self._overlay))
        self._rearrange = lazily(self._arrange, "pos", "size")

    def _made_centre(self, doings: Doings) -> Centre:
        module, name = CENTRES.get(self.model.view.game, ("", ""))
        made: type[Centre] = getattr(import_module(module), name) if module else Centre
        return made(doings)

    def _tool(self, icon: str, does: Callable[[], object], name: str) -> PushButton:
        tool = PushButton(icon=icon, kind="quiet", ground="table", size_hint=(None, None))
        tool.name = name
        tool.bind(on_release=lambda *__: does())
        return tool

    def _sensed(self) -> None:
        """The senses have something to say, or what they said was booked."""
        if self.model.session.seq != self._seq:
            self.model.refresh()
        self._redraw()

    # Drawing

    def _draw(self, *__: Any) -> None:
        view = self.model.view
        self.shell.sideboard.see(view)
        if self.model.session.seq != self._seq:
            self._focus_anew(view)
            self._seq = self.model.session.seq
            leave(self.model.session.cover.seats, self.model.session.box)
            self._drop_asides()
        self._strip.phases = [(mark.label, mark.status) for mark in view.phases]
        self._draw_seats(view)
        self._draw_tools(view)
        self._senses.show()
        self.centre.measured = self._senses.measured
        self.centre.show(view, self._middle_seat(view))
        self._draw_over(view)
        self._rearrange()
        if view.over and not self._was_over:
            self._was_over = True
            self._to_tally()
        self._was_over = view.over

    def _focus_anew(self, view: TableView) -> None:
        """After a move the middle stays with whoever acts on, and goes to the next who must otherwise.

        After an undo it goes back to whose move was undone.
        """
        active = [seat.seat for seat in view.seats if seat.active]
        if self.model.taken_back in active:
            self._focus = self.model.taken_back
        if self._focus not in active:
            self._focus = active[0] if active else None

    def _middle_seat(self, view: TableView) -> int | None:
        return view.opened if view.opened is not None else self._focus

    def _draw_seats(self, view: TableView) -> None:
        seated = [seat for seat in view.seats if seat.place is not None]
        while len(self._cards) < len(seated):
            self._add_card()
        for (_turned, card), seat in zip(self._cards, seated, strict=True):
            card.view = seat
            card.shown = seat.seat == self._middle_seat(view)

    def _add_card(self) -> None:
        turned, card = Rotated(on_table, size_hint=(None, None)), SeatCard()
        card.bind(on_release=lambda card: self._touch_seat(card.view))
        turned.add_widget(card)
        self._cards.append((turned, card))
        self.add_widget(turned, index=len(self.children) - 1)

    def _draw_tools(self, view: TableView) -> None:
        undo = view.undo
        self._undo.touch_id = undo.id if undo else ""
        self._undo.disabled = undo is None
        self._undo.label = shortened(undo.label) if undo else ""
        self._hide_tool(self._anytime, not self._any_time(view))
        self._hide_tool(self._overview, not any(panel.rows for panel in view.panels) and not view.counters)

    def _hide_tool(self, tool: PushButton, hidden: bool) -> None:
        tool.opacity, tool.disabled = (0, True) if hidden else (1, False)

    def _arrange(self, *__: Any) -> None:
        view = self.model.view
        places = [seat.place for seat in view.seats if seat.place is not None]
        rim = self._with_room(laid_out((self.width, self.height), places, steps(1), float(dp(1))))
        for (turned, _card), seat, box in zip(self._cards, view.seats, rim.seats, strict=False):
            turned.angle = seat.place.turn_deg if seat.place else 0
            _put(turned, box)
        for tool, box in zip((self._anytime, self._menu, self._undo, self._overview), rim.tools, strict=True):
            _put(tool, box)
        side = steps(_BADGE_STEPS)
        self._badge.size, self._badge.pos = (side, side), (self._menu.right - side, self._menu.top - side)
        self._undo.text = self._undo.label if self._undo.width > self._undo.height * 1.5 else ""
        shown = self._senses.shown
        _put(self._strip, rim.strip)
        self._strip.opacity = 0 if shown else 1
        _put(self._slip, rim.strip if shown else Box(0, 0, 0, 0))
        _put(self._turn, rim.middle)
        self._turn_middle(view)

    def _with_room(self, rim: Rim) -> Rim:
        """A question of the senses takes the place of the phases, and the little more that a finger needs."""
        strip, middle = rim.strip, rim.middle
        more = max(0.0, target() + steps(1) - strip.height) if self._senses.shown else 0.0
        return replace(
            rim,
            strip=replace(strip, y=strip.y - more, height=strip.height + more),
            middle=replace(middle, height=middle.height - more),
        )

    def _turn_middle(self, view: TableView) -> None:
        """The middle faces the seat it is about; a curtain faces whoever it is for."""
        for turned, seat in ((self._turn, self._middle_seat(view)), (self._over, self._speaking(view))):
            place = next((one.place for one in view.seats if one.seat == seat), None)
            turned.angle = facing(place.edge, place.turn_deg) if place else 0
        self._slip.angle = self._turn.angle
        self._over.pos, self._over.size = self.pos, self.size

    def _speaking(self, view: TableView) -> int | None:
        return view.curtain.seat if view.curtain else self._middle_seat(view)

    # What lies over the table

    def _draw_over(self, view: TableView) -> None:
        self._draw_curtain(view)
        self._draw_asking(view)
        self._draw_message(view)
        for sheet in sheets_over(self._overlay):
            if isinstance(sheet, SeatSheet):
                sheet.show(view.seats[sheet.seat])

    def _draw_curtain(self, view: TableView) -> None:
        for child in [one for one in self._overlay.children if isinstance(one, CurtainCover)]:
            self._overlay.remove_widget(child)
        if view.curtain is not None:
            self._drop_asides()
            self._overlay.add_widget(CurtainCover(view.curtain, self._touch))

    def _draw_asking(self, view: TableView) -> None:
        sheet, asking = self._sheet, view.asking
        if isinstance(sheet, AskingSheet):
            if asking is not None and sheet.modal and sheet.is_about(asking):
                self._ask_on(sheet, asking)
                return
            sheet.end()
            self._sheet = None
        if asking is not None:
            self._drop_asides()
            self._asked_at = self.model.session.seq
            self._sheet = AskingSheet(asking, self._touch, self.model.type, self._grids)
            self._sheet.open(self._overlay)

    def _ask_on(self, sheet: AskingSheet, asking: AskingView) -> None:
        if self._asked_at != self.model.session.seq:
            self._asked_at = self.model.session.seq
            sheet.begin()
        sheet.show(asking)

    def _draw_message(self, view: TableView) -> None:
        message = view.message
        if message is None or message is self._said or message.text == getattr(self._said, "text", None):
            self._said = message if message is not None else None
            return
        self._said = message
        if message.weight == "refused":
            self._drop_asides()
            self._come_up(refusal_sheet(message, self._touch)).bind(on_close=lambda *__: self._dismiss())
        else:
            self.say(message)

    def _dismiss(self) -> None:
        if self.model.view.dismiss:
            self._touch(self.model.view.dismiss)

    def _come_up(self, sheet: Sheet) -> Sheet:
        sheet.open(self._overlay)
        return sheet

    def _drop_asides(self) -> None:
        """Sheets of the screen's own go when the game goes on."""
        for sheet in sheets_over(self._overlay):
            if sheet is not self._sheet and not isinstance(sheet, SeatSheet):
                sheet.close()

    # Touches

    def _touch(self, id: str) -> None:
        """A touch on something of the view, or on one of the screen's own foldings."""
        folded = self.centre.folded(id)
        if folded is not None:
            self._unfold(folded.text, (*folded.groups, *_closing(folded)))
        else:
            self.model.touch(id)

    def _touch_seat(self, seat: SeatView | None) -> None:
        """A seat is shown in the middle; touched again, by itself."""
        if seat is None:
            return
        if self._focus != seat.seat and self.model.view.opened is None:
            self._focus = seat.seat
            self._redraw()
            return
        self._come_up(SeatSheet(seat, self.centre.pictures(self.model.view, seat.seat), self._touch))

    def _unfold(self, title: str, groups: tuple[GroupView, ...]) -> None:
        self._come_up(moves_sheet(title, groups, self._touch))

    def _explain(self, rule: RuleText) -> None:
        self._come_up(rule_sheet(rule))

    def _any_time(self, view: TableView) -> list[PromptView]:
        """Moves that are always there: those of the seat in the middle first, then all others'."""
        found = [prompt for prompt in view.prompts if prompt.urgency == "any-time"]
        return sorted(found, key=lambda prompt: prompt.seat != self._focus)

    def _open_any_time(self) -> None:
        groups = [GroupView(title=prompt.who, choices=prompt.choices) for prompt in self._any_time(self.model.view)]
        self._unfold(_("At any time"), tuple(groups))

    def _open_overview(self) -> None:
        self._come_up(self.centre.overview(self.model.view))

    def _open_menu(self) -> None:
        session = self.model.session
        entries: list[tuple[str, str, Callable[[], object]]] = [
            ("history", _("History"), lambda: self.shell.go("history", session=session)),
            ("settings", _("Settings"), lambda: self.shell.go("settings")),
            ("back", _("To the shelf"), self.shell.home),
        ]
        entries[1:1] = self._senses.entries()
        redo = self.model.view.redo
        if redo is not None:
            entries.insert(0, ("redo", _("Redo: {what}").format(what=redo.label), lambda: self._redo()))
        if self.model.view.over:
            entries.insert(0, ("trophy", _("To the tally"), self._to_tally))
        self._come_up(menu_sheet(entries, self._trouble))

    def _redo(self) -> None:
        redo = self.model.view.redo
        if redo is not None:
            self._touch(redo.id)

    def _to_tally(self) -> None:
        self.shell.go("tally", session=self.model.session)


class _Over(FloatLayout):
    """Holds what lies over the table, and lets every touch through that meets nothing."""

    def __init__(self, turned: Rotated, overlay: Overlay) -> None:
        super().__init__()
        self._overlay = overlay
        self.add_widget(turned)

    @property
    def modal(self) -> bool:
        return self._overlay.modal


def _closing(prompt: PromptView) -> tuple[GroupView, ...]:
    return (GroupView(title="", choices=prompt.closing),) if prompt.closing else ()


def _put(widget: Any, box: Box) -> None:
    widget.pos, widget.size = (round(box.x), round(box.y)), (round(box.width), round(box.height))


def shortened(text: str) -> str:
    """A label that stays short, whole words only.

    >>> shortened("North: stands 2 pillars on level 1 of the left tower")
    'North: stands 2 pillars on…'
    """
    words = [word if len(word) <= _LONGEST_WORD else f"{word[: _LONGEST_WORD - 1]}…" for word in text.split()]
    whole = " ".join(words)
    if len(whole) <= _LONGEST_UNDO:
        return whole
    return f"{whole[:_LONGEST_UNDO].rsplit(' ', 1)[0]}…"
