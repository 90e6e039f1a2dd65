"""The table during a game: whose move it is, what they may do, what that just cost.

Everything that can be touched carries an id; `touch` does what it stands for. Ids are good for one rendering and one
touch. What the rules refuse and what the disk does not take become messages, never errors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.app.models.asking import Asking, Knowledge, Preset, Remembered
from companion.app.models.counters import Changes, CounterView, nudged
from companion.app.models.model import Callback, Message, Model, Touches, Translate, clock_text, plain
from companion.app.models.places import Place, around, quarter
from companion.app.models.prompts import Doing, PromptDrawer, active_seats, seat_name
from companion.app.models.scene import Curtain, SeatView, TableView, TailLine
from companion.app.models.steps import Answers, Button
from companion.errors import CompanionError, Refusal
from companion.rules.base import Action, Correction, Dealer, Fact
from companion.rules.table import Choice, Counter, Panel, Picture, Prompt
from companion.session import origins
from companion.session.clocks import Clock, SystemClock
from companion.session.session import HistoryLine, Session

_TAIL_LINES = 6


class _Moment(Struct, frozen=True, kw_only=True):
    """What follows from the state of one line."""

    seq: int
    state: Any
    picture: Picture
    prompts: tuple[Prompt, ...]
    tail: tuple[TailLine, ...]
    knowledge: Knowledge


class TableModel(Model):
    """One game at one table. `auto_draw`: what chance decides is drawn without asking."""

    def __init__(
        self,
        session: Session,
        *,
        dealer: Dealer,
        clock: Clock | None = None,
        places: tuple[Place, ...] | None = None,
        auto_draw: bool = False,
        t: Translate = plain,
    ) -> None:
        super().__init__(t)
        self.session = session
        self.auto_draw = auto_draw
        self._game = session.game
        self._dealer = dealer
        self._clock: Clock = clock or SystemClock()
        self._names = session.cover.seats
        self._places = list(places or around(len(self._names)))
        self._touches = Touches()
        self._changes = Changes()
        self._lately = Remembered()
        self._now: _Moment | None = None
        self._view: TableView | None = None
        self._facts: tuple[str, ...] = ()
        self._message: Message | None = None
        self._anyway: Callback | None = None
        self._asking: Asking | None = None
        self._closed_at = 0
        self._curtain: Prompt | None = None
        self._opened: int | None = None
        self.taken_back: int | None = None
        """Whose move was undone just now, until the next one."""

    # For the screen

    @property
    def view(self) -> TableView:
        """What to show now."""
        if self._view is None or self._now is None or self._now.seq != self.session.seq:
            self._view = self._drawn()
        return self._view

    @property
    def state(self) -> Any:
        """The state of the game, for tables drawn in a way of their own."""
        return self.session.state

    def touch(self, id: str) -> bool:
        """Do what an id of the view stands for. False when it is of an earlier rendering, or was touched already."""
        does = self._touches.take(id)
        if does is None:
            return False
        self._message = self._anyway = None
        try:
            does()
        finally:
            self.refresh()
        return True

    def type(self, text: str) -> None:
        """Somebody typed into what is asked."""
        if self._asking is not None:
            self._asking.type(text)
            self.refresh()

    def refresh(self) -> None:
        """Draw everything anew."""
        self._view = None
        self.changed()

    def tick(self) -> None:
        """Time has passed: clocks go on, changes fade. Nothing that can be touched changes its id."""
        view = self._view
        if view is None:
            return
        ticked = replace(
            view,
            seats=tuple(self._ticked(seat) for seat in view.seats),
            counters=tuple(self._faded(None, counter) for counter in view.counters),
            clock=clock_text(self.session.clocks.table_s),
            paused=self.session.clocks.paused,
        )
        if ticked != view:
            self._view = ticked
            self.changed()

    def enter(self) -> None:
        """People are at the table: the clocks of those whose move it is run."""
        self._moment()
        self.session.resume()
        self.refresh()

    def leave(self) -> None:
        """People have left the table: the clocks stand still."""
        self._tried(self.session.pause)
        self.refresh()

    # The rendering

    def _moment(self) -> _Moment:
        """What follows from the state, worked out once for each line of the history."""
        if self._now is None or self._now.seq != self.session.seq:
            before, self._now = self._now, self._looked_at()
            self._asking = None
            if before is not None:
                now_ns = self._clock.monotonic_ns()
                self._changes.note(before.picture.counters, self._now.picture.counters, now_ns)
            seats = active_seats(self._now.prompts)
            self.session.clocks.activate(seat for seat in seats if seat < len(self._names))
        return self._now

    def _looked_at(self) -> _Moment:
        state = self.session.state
        empty = Picture(headline=self.session.cover.title, phases=(), counters=(), panels=())
        playable = state is not None and not self.session.read_only
        return _Moment(
            seq=self.session.seq,
            state=state,
            picture=self._game.picture(state) if state is not None else empty,
            prompts=self._game.prompts(state) if playable else (),
            tail=self._tail(),
            knowledge=Knowledge(self._game, state, self.session.box, self._lately, self.t),
        )

    def _drawn(self) -> TableView:
        self._touches.renew()
        now = self._moment()
        self._ask_at_once(now)
        offer = self._touches.offer
        active = active_seats(now.prompts)
        opened = self._opened
        return TableView(
            game=self._game.info.id,
            title=self.t(self._game.info.title),
            headline=self.t(now.picture.headline),
            phases=tuple(replace(mark, label=self.t(mark.label)) for mark in now.picture.phases),
            seats=tuple(self._seat(now, seat, seat in active) for seat in range(self._seat_count(now))),
            counters=self._counters(now, None),
            panels=tuple(self._panel(panel) for panel in now.picture.panels if self._is_seen(panel)),
            prompts=self._drawer(now).views(now.prompts, opened),
            facts=self._facts,
            tail=now.tail,
            undo=self._step_button(self.session.undo_label, self._undo),
            redo=self._step_button(self.session.redo_label, lambda: self._go(self.session.redo)),
            message=self._shown_message(),
            dismiss=offer(lambda: None) if self._message else "",
            asking=self._asking.view(offer) if self._asking else None,
            curtain=self._drawn_curtain(),
            opened=opened,
            hide=offer(self._hide) if opened is not None else "",
            clock=clock_text(self.session.clocks.table_s),
            paused=self.session.clocks.paused,
            over=now.state is not None and now.state.over,
            read_only=self.t(self.session.read_only_because),
        )

    def _ask_at_once(self, now: _Moment) -> None:
        """Where one single thing must be told before the game goes on, ask for it without being touched."""
        if self.auto_draw or self._asking or self._curtain or self._opened is not None or self._closed_at == now.seq:
            return
        musts = [prompt for prompt in now.prompts if prompt.must]
        if len(musts) == 1 and not musts[0].secret:
            legal = [choice for choice in musts[0].choices if choice.legal]
            if len(legal) == 1 and legal[0].asks:
                self._open_asking(musts[0], legal[0])

    def _drawer(self, now: _Moment) -> PromptDrawer:
        doing = Doing(offer=self._touches.offer, take=self._take, answer=self._answer_preset, open=self._draw_curtain)
        return PromptDrawer(self, self._game, self._names, now.knowledge, doing)

    def _seat_count(self, now: _Moment) -> int:
        """Those at the table, and an automatic opponent where there is one."""
        counted = [counter.seat for counter in now.picture.counters if counter.seat is not None]
        return max(len(self._names), *(seat + 1 for seat in counted), 0)

    def _seat(self, now: _Moment, seat: int, active: bool) -> SeatView:
        at_table = seat < len(self._names)
        return SeatView(
            seat=seat,
            name=seat_name(self._names, seat, self.t),
            colour=seat,
            place=self._places[seat] if at_table else None,
            active=active,
            counters=self._counters(now, seat),
            clock=clock_text(self.session.clocks.seat_s(seat)) if at_table else "",
            turn=self._touches.offer(lambda: self._turn_seat(seat)) if at_table else "",
        )

    def _counters(self, now: _Moment, seat: int | None) -> tuple[CounterView, ...]:
        return tuple(self._counter(now, counter) for counter in now.picture.counters if counter.seat == seat)

    def _counter(self, now: _Moment, counter: Counter) -> CounterView:
        return CounterView(
            key=counter.key,
            label=self.t(counter.label),
            value=counter.value,
            change=self._changes.of((counter.seat, counter.key), self._clock.monotonic_ns()),
            limit=counter.limit,
            group=counter.group,
            plus=self._nudge(now, counter, 1),
            minus=self._nudge(now, counter, -1),
        )

    def _nudge(self, now: _Moment, counter: Counter, by: int) -> str:
        if now.state is None or self.session.read_only:
            return ""
        action = nudged(self._game.info.id, now.state, counter, by)
        return "" if action is None else self._touches.offer(lambda: self._dispatch(action, counter.seat))

    def _ticked(self, seat: SeatView) -> SeatView:
        at_table = seat.seat < len(self._names)
        return replace(
            seat,
            counters=tuple(self._faded(seat.seat, counter) for counter in seat.counters),
            clock=clock_text(self.session.clocks.seat_s(seat.seat)) if at_table else "",
        )

    def _faded(self, seat: int | None, counter: CounterView) -> CounterView:
        return replace(counter, change=self._changes.of((seat, counter.key), self._clock.monotonic_ns()))

    def _is_seen(self, panel: Panel) -> bool:
        return not panel.secret or (self._opened is not None and panel.seat == self._opened)

    def _panel(self, panel: Panel) -> Panel:
        rows = tuple(
            replace(
                row,
                label=self.t(row.label),
                pieces=tuple(replace(piece, label=self.t(piece.label)) for piece in row.pieces),
            )
            for row in panel.rows
        )
        return replace(panel, title=self.t(panel.title), rows=rows)

    def _tail(self) -> tuple[TailLine, ...]:
        return tuple(
            TailLine(seq=line.seq, label=self.t(line.label), kind=line.kind, stands=line.stands)
            for line in self.session.history(_TAIL_LINES)
        )

    def _step_button(self, label: str | None, does: Callback) -> Button | None:
        if label is None or self.session.read_only:
            return None
        return Button(id=self._touches.offer(does), label=self.t(label))

    def _shown_message(self) -> Message | None:
        if self._message is None or self._anyway is None:
            return self._message
        return replace(self._message, anyway=self._touches.offer(self._anyway))

    # Moves

    def _take(self, prompt: Prompt, choice: Choice) -> None:
        """A move was touched: do it, ask for what is missing, or say why not."""
        if choice.refused is not None:
            self._say_refused(prompt, choice)
        elif not choice.asks:
            self._dispatch(choice.action, prompt.seat)
        elif self.auto_draw and self._moment().knowledge.can_draw(choice):
            self._draw(choice)
        else:
            self._open_asking(prompt, choice)

    def _say_refused(self, prompt: Prompt, choice: Choice) -> None:
        refusal = self._game.refusal(self.state, choice.action)
        if refusal is None:
            return
        anyway = None if refusal.final else lambda: self._take_anyway(prompt, choice)
        self._refuse(refusal, anyway)

    def _refuse(self, refusal: Refusal, anyway: Callback | None) -> None:
        rule = self.rule_text(self._game.rulebook[refusal.rule]) if refusal.rule in self._game.rulebook else None
        self._message = Message(text=self.t(refusal.why), weight="refused", rule=rule)
        self._anyway = anyway

    def _take_anyway(self, prompt: Prompt, choice: Choice) -> None:
        if choice.asks:
            self._open_asking(prompt, choice, anyway=True)
        else:
            self._overrule(choice.action)

    def _overrule(self, action: Action) -> bool:
        """Do it as a correction, which the history marks."""
        why = self._game.label(self.state, action)
        return self._dispatch(Correction(why=why, move=msgspec.to_builtins(action)), None)

    def _open_asking(self, prompt: Prompt, choice: Choice, *, anyway: bool = False) -> None:
        knowledge = self._moment().knowledge
        self._asking = Asking(
            choice,
            knowledge,
            title=self.t(choice.label),
            finish=lambda answers: self._answered(prompt, choice, answers, anyway=anyway),
            close=self._close_asking,
            draw=(lambda: self._draw(choice)) if knowledge.can_draw(choice) and not anyway else None,
        )

    def ask(self, choice: Choice, answered: Callable[[Answers], object]) -> None:
        """Ask for what is missing in a move that comes from elsewhere; `answered` gets all that was told."""

        def finish(answers: Answers) -> None:
            self._close_asking()
            answered(answers)

        knowledge = self._moment().knowledge
        self._asking = Asking(choice, knowledge, title=self.t(choice.label), finish=finish, close=self._close_asking)
        self.refresh()

    def _close_asking(self) -> None:
        self._asking = None
        self._closed_at = self.session.seq

    def _answer_preset(self, prompt: Prompt, choice: Choice, preset: Preset) -> None:
        self._answered(prompt, choice, preset.answers, anyway=False)

    def _answered(self, prompt: Prompt, choice: Choice, answers: Answers, *, anyway: bool) -> None:
        action = self._tried(lambda: self._game.answered(choice, answers))
        if action is not None and (self._overrule(action) if anyway else self._dispatch(action, prompt.seat)):
            if not prompt.secret:
                self._lately.keep(choice, answers)
        elif self._asking is not None:
            self._open_asking(prompt, choice, anyway=anyway)

    def _draw(self, choice: Choice) -> None:
        """Let the companion roll or draw what is asked."""
        action = self._tried(lambda: self._game.deal(self.state, choice, self._dealer, self.session.box))
        if action is not None:
            drawn = Fact(text=f"The companion draws: {self._game.label(self.state, action)}.")
            self._perform(lambda: (drawn, *self.session.dispatch(action, origins.APP).facts), action)

    def _dispatch(self, action: Action, seat: int | None) -> bool:
        return self._perform(lambda: self.session.dispatch(action, self._origin(action, seat)).facts, action)

    def _origin(self, action: Action, seat: int | None) -> str:
        if isinstance(action, Correction):
            return origins.CORRECTION
        return origins.seat(seat) if seat is not None and seat < len(self._names) else origins.TABLE

    def _undo(self) -> None:
        last = next((line for line in reversed(self.session.history()) if line.stands), None)
        self._go(self.session.undo)
        self.taken_back = last.seat if last else None

    def _go(self, step: Callable[[], HistoryLine]) -> None:
        """Undo or redo."""
        self._perform(lambda: (Fact(text=f"{step().label}."),), None)

    def _perform(self, does: Callable[[], tuple[Fact, ...]], action: Action | None) -> bool:
        """Change the game. Whether it did is the answer; why not is the message."""
        try:
            facts = does()
        except Refusal as refusal:
            overruled = action is not None and not refusal.final and not isinstance(action, Correction)
            self._refuse(refusal, (lambda: self._overrule(action)) if action is not None and overruled else None)
            return False
        except CompanionError as error:
            self._message = self.trouble(error)
            return False
        self._facts = tuple(self.t(fact.text) for fact in facts)
        self.taken_back = None
        self._hide()
        self._moment()
        return True

    def _tried(self, does: Callable[[], Any]) -> Any:
        try:
            return does()
        except CompanionError as error:
            self._message = self.trouble(error)
            return None

    # Secrets, and turning a seat

    def _draw_curtain(self, prompt: Prompt) -> None:
        self._curtain = prompt

    def _drawn_curtain(self) -> Curtain | None:
        prompt = self._curtain
        if prompt is None:
            return None
        name = seat_name(self._names, prompt.seat, self.t)
        return Curtain(
            seat=prompt.seat,
            text=self.t("Pass the screen to {name}.").format(name=name),
            open=self._touches.offer(lambda: self._open_secret(prompt)),
            cancel=self._touches.offer(self._hide),
        )

    def _open_secret(self, prompt: Prompt) -> None:
        self._curtain = None
        self._opened = prompt.seat

    def _hide(self) -> None:
        self._curtain = self._opened = None
        self._asking = None

    @property
    def places(self) -> tuple[Place, ...]:
        """Where the seats are, turned as they are now."""
        return tuple(self._places)

    def _turn_seat(self, seat: int) -> None:
        self._places[seat] = replace(self._places[seat], turn_deg=quarter(self._places[seat].turn_deg))
