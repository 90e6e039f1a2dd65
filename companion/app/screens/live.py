"""The live table: the picture with what is read in it, the health of each sense, and a hand for the simulated one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout

from companion.app.models.framing import framed
from companion.app.models.keeping import dated
from companion.app.models.live import ABOVE_PX, Hand, Spot, crossed, from_above, spot_at, spots, tray
from companion.app.models.tables import troubled
from companion.app.screens.base import CompanionScreen, button, fitted, icon_button, page, row, title_bar
from companion.app.screens.health import health_sheet
from companion.app.screens.proposals import CARD_STEPS, ProposalCard, answers_sheet, mismatch_sheet
from companion.app.screens.readings import ReadingList, tower_words
from companion.app.screens.replies import Replies, Telling
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.hand import HandTray, LiveFilm
from companion.app.widgets.look import steps, target
from companion.app.widgets.overlay import TableOverlay
from companion.app.widgets.scrolling import Scroller, column
from companion.app.widgets.sheets import Sheet
from companion.app.widgets.words import TextLabel
from companion.app.words import _

if TYPE_CHECKING:
    from companion.app.models.lookout import Lookout
    from companion.app.models.tables import SensedTable
    from companion.rules.table import Choice

_FRAME_S = 1 / 30
_SIDE_SHARE = 0.36
_TALL_PICTURE = 0.5
_TRAY_STEPS = 9
_CAMERA = "camera"
_REMOVED = ("room", "pillar", "floor-tile", "roof")


class LiveScreen(CompanionScreen):
    """Opened from the shelf or from a table. It watches for as long as it is shown."""

    def enter(self, **what: Any) -> None:
        super().enter(**what)
        self._lookout: Lookout | None = self.shell.lookout
        self._frame = -1
        self._spots: tuple[Spot, ...] = ()
        self._build()
        if self._lookout is not None:
            self.follow_model(self._lookout, self._show_state)
        Clock.schedule_interval(self._look, _FRAME_S)
        self.on_leaving(lambda: Clock.unschedule(self._look))
        self._show_state()

    @property
    def _table(self) -> SensedTable | None:
        return self._lookout.table if self._lookout else None

    @property
    def _names(self) -> tuple[str, ...]:
        return self._lookout.names if self._lookout else ()

    # Building

    def _build(self) -> None:
        self._record = fitted(button(_("Record"), self._turn_recording, icon="camera", ground="table", name="record"))
        health = icon_button("eye", self._open_health, name="health")
        self.film = LiveFilm()
        self.film.bind(on_poke=self._poke, on_swipe=self._swipe)
        self.overlay = TableOverlay()
        self.film.add_widget(self.overlay)
        self.film.bind(pos=self._redraw, size=self._redraw, wide=self._redraw)
        self._empty = TextLabel(role="large", tone="soft", ground="table", halign="center")
        self.film.add_widget(self._empty)
        self._side = ReadingList()
        scroller = Scroller(ground="table")
        scroller.add_widget(self._side)
        body = BoxLayout(orientation="vertical" if self.portrait else "horizontal", spacing=steps(2))
        body.add_widget(self.film)
        body.add_widget(scroller)
        if self.portrait:
            scroller.size_hint_y = 1 - _TALL_PICTURE
        else:
            scroller.size_hint_x = _SIDE_SHARE / (1 - _SIDE_SHARE)
        self.card = ProposalCard(self._reply, self._more, size_hint_y=None, height=0, opacity=0, disabled=True)
        self._foot = row(height=0)
        head = title_bar(self._title(), self.go_back, self._record, health)
        self.add_widget(page(head, body, self.card, self._foot))

    def _title(self) -> str:
        simulated = self._lookout is not None and self._lookout.simulates
        return _("Simulated table") if simulated else _("Live table")

    # Showing

    def _show_state(self) -> None:
        """What changes seldom: the tray, the record button, the senses, the open questions."""
        table, lookout = self._table, self._lookout
        recording = bool(table and table.recording)
        self._record.text, self._record.kind = (_("Stop"), "danger") if recording else (_("Record"), "plain")
        self._record.disabled = table is None
        self._show_tray(table)
        if lookout is not None:
            self.card.show(lookout.cards, lookout.out_of_step)
            self.card.height = 0 if self.card.disabled else steps(CARD_STEPS)
        self._list()

    def _show_tray(self, table: SensedTable | None) -> None:
        wanted = tray(table.plan) if table is not None and table.simulated and table.ready else ()
        if bool(wanted) == bool(self._foot.children):
            return
        self._foot.clear_widgets()
        self._foot.height = steps(_TRAY_STEPS) if wanted else 0
        if wanted:
            self._foot.add_widget(HandTray(wanted, self, self._drop))
            for made in self._hand_buttons(len(wanted)):
                self._foot.add_widget(made)

    def _hand_buttons(self, pieces: int) -> list[PushButton]:
        """What the hand does without a piece: in words where so many pieces leave room for them, else as icons."""
        does = ((_("Bump"), "table", "bump", self._hand.bump()),
                (_("Take back"), "undo", "take back", self._hand.take_back()))  # fmt: skip
        worded = [self._hand_button(words, name, text=text) for text, _icon, name, words in does]
        left = self.width - 2 * steps(2) - steps(1) * (pieces + 1) - sum(made.width for made in worded)
        if left >= pieces * target():
            return worded
        return [self._hand_button(words, name, icon=icon) for _text, icon, name, words in does]

    def _hand_button(self, words: str, name: str, *, text: str = "", icon: str = "") -> PushButton:
        made = button(text, lambda: self._say_hand(words), icon=icon, name=name, size_hint_x=None)
        made.width = max(target(), made.ideal_width())
        return made

    def _list(self) -> None:
        """The boards with their loads and towers, then the senses."""
        table = self._table
        health = self._lookout.health if self._lookout else ()
        self._side.show(table.reading if table else None, health, self._names)

    def _look(self, *__: Any) -> None:
        """The newest picture, and what is read in it."""
        table = self._table
        self._empty.text = self._why_blind() if table is not None and table.ready else self._why_empty()
        self.film.dimmed = bool(self._empty.text)
        self._empty.pos, self._empty.size = (
            (self.film.x + steps(2), self.film.y),
            (self.film.width - steps(4), self.film.height),
        )
        if table is None or not table.ready:
            return
        frame = table.newest
        if frame is not None and frame.index != self._frame:
            self._frame = frame.index
            self.film.show_image(frame.image)
        self._redraw()
        self._list()

    def _why_empty(self) -> str:
        health = self._lookout.health if self._lookout else ()
        says = next((sense.says for sense in health if sense.says), "")
        if self._table is None:
            says = "Nothing watches the table: it is off in the settings, or nothing is attached."
        return _(says) if says else _("The table is starting.")

    def _why_blind(self) -> str:
        """Why the picture is not of now: a camera that was there and is lost."""
        senses = self._lookout.health if self._lookout and not self.film.empty else ()
        lost = (troubled(sense, _)[0] for sense in senses if sense.sense == _CAMERA and sense.state == "lost")
        return next(lost, "")

    def _redraw(self, *__: Any) -> None:
        table = self._table
        if table is None or not table.ready:
            return
        reading = table.reading
        film = self.film
        if film.empty:
            film.wide, film.tall = ABOVE_PX
            reading = from_above(table.plan, reading)
        else:
            film.view = framed(reading, (film.wide, film.tall), (film.width, film.height), film.view)
        self._spots = spots(table.plan, reading)
        self.overlay.draw(self.film, reading, self._spots)

    # The hand of the simulated table

    @property
    def _hand(self) -> Hand:
        table = self._table
        boards = tuple(board.id for board in table.plan.boards) if table else ()
        return Hand(boards or ("",))

    def _say_hand(self, words: str) -> None:
        if self._lookout is not None:
            self.say(self._lookout.hand(words))

    def _drop(self, piece: str, place: tuple[float, float]) -> None:
        """A piece was let go over the screen: over a tower it is placed there."""
        spot = spot_at(self._spots, self.film.pixel(place)) if self.film.collide_point(*place) else None
        if spot is None:
            self.say(_("Drag the piece onto the place of a tower."))
        else:
            self._say_hand(self._hand.place(piece, spot.board, spot.tower))

    def _swipe(self, __: Any, path: list[tuple[float, float]], fast: bool) -> None:
        spot = crossed(self._spots, path)
        if spot is not None and self._table is not None and self._table.simulated:
            self._say_hand(self._hand.knock(spot.board, spot.tower, hard=fast))

    def _poke(self, __: Any, pixel: tuple[float, float]) -> None:
        spot = spot_at(self._spots, pixel)
        if spot is not None and self._table is not None and self._table.simulated:
            self._open_tower(spot)

    def _open_tower(self, spot: Spot) -> None:
        """What the hand can do at a tower."""
        hand, body = self._hand, column(spacing=steps(1))
        sheet = Sheet(title=tower_words(spot.tower), body=body, placement="centre")
        entries = [
            *((piece_icon(piece), _("Take away: {piece}").format(piece=piece_words(piece)),
               hand.remove(piece, spot.board, spot.tower)) for piece in _REMOVED),
            ("crumble", _("Brush against a pillar"), hand.brush(spot.board, spot.tower)),
            ("close", _("Clear what fell"), hand.clear(spot.board)),
        ]  # fmt: skip
        for icon, text, words in entries:
            body.add_widget(self._entry(sheet, icon, text, words))
        sheet.open(self.host)

    def _entry(self, sheet: Sheet, icon: str, text: str, words: str) -> PushButton:
        def act() -> None:
            sheet.close()
            self._say_hand(words)

        return button(text, act, icon=icon, halign="left", size_hint_y=None, height=target())

    # Recording, health, questions

    def _turn_recording(self) -> None:
        if self._lookout is not None:
            folder = dated(self.shell.recordings, "table", self.shell.clock.wall_ns())
            self.say(self._lookout.record(folder))
            self._show_state()

    def _open_health(self) -> None:
        senses = self._lookout.health if self._lookout else ()
        says = self.shell.sideboard.says
        health_sheet(senses, (says,) if says else ()).open(self.host)

    def _reply(self, question: str, answer: str) -> None:
        if self._lookout is not None:
            Replies(self._lookout, self._ask, self.say).reply(question, answer)

    def _ask(self, choice: Choice, told: Callable[[Any], object]) -> None:
        session = self._lookout.session if self._lookout else None
        if session is not None:
            Telling(self.host, session, choice, told)

    def _more(self) -> None:
        lookout = self._lookout
        if lookout is None:
            return
        if lookout.cards:
            answers_sheet(lookout.cards[0], self._reply).open(self.host)
        elif lookout.out_of_step:
            mismatch_sheet(lookout.out_of_step, self._reply).open(self.host)


def piece_words(piece: str) -> str:
    """A kind of piece as people call it."""
    known = {"floor-tile": _("floor tile"), "pillar": _("pillar"), "room": _("room"), "roof": _("roof")}
    return known.get(piece, piece)


def piece_icon(piece: str) -> str:
    return {"floor-tile": "tile", "meeple": "person"}.get(piece, piece)
