"""A session at the terminal: shows the table, takes what people type, does it or says why not."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Any

import msgspec

from companion.errors import CompanionError, Malformed, Refusal
from companion.rules.base import Action, Correction, Dealer, Fact
from companion.rules.table import Picture, Prompt
from companion.session import origins
from companion.session.session import Session
from companion.text import ceremony, sheets
from companion.text.asks import Aside, Questions, listed_at, value_of
from companion.text.command import typed
from companion.text.history import history_line
from companion.text.paper import Paper
from companion.text.scene import Moment, Offer, active_seats, build, clock, offers, seat_name

HELP = """\
  N       do choice N (... asks for more)      u    undo
  b       back                                 r    redo
  all     show refused choices, or hide them   h    history
  why N   why choice N is refused              s    score so far
  !N      do it anyway, as a correction        ?    the rules of this moment
  !       do anyway what was just refused      ? N  the rule of choice N
  a       auto-draw on or off                  t    clocks
  d N     let the companion draw for choice N  p    stop the clocks, or go on
  d       draw all that the table asks for     m    the next page of the table
  for NAME        show one seat's choices only (for alone shows everyone's)
  fix PATH VALUE  set something right by hand; fix alone lists every PATH
  q               leave: every move is saved already"""
_HISTORY_LINES = 20


class Ending(Enum):
    """How people left the table."""

    LEFT = auto()
    REMATCH = auto()


class TextTable:
    """One game at one terminal. `play` returns when people leave."""

    def __init__(self, session: Session, paper: Paper, dealer: Dealer, *, auto_draw: bool = False) -> None:
        self._session = session
        self._game = session.game
        self._paper = paper
        self._dealer = dealer
        self._auto_draw = auto_draw
        self._has_drawn = any(line.origin == origins.APP for line in session.history(_HISTORY_LINES))
        self._facts: tuple[Fact, ...] = ()
        self._before: Picture | None = None
        self._opened: Prompt | None = None
        self._show_refused = False
        self._only: int | None = None
        self._page = 0
        self._refused: Action | None = None
        self._stale = True

    def play(self) -> Ending:
        """Until people leave, or the game is over and they have seen the score."""
        self._session.resume()
        try:
            while True:
                ending = self._finish() if self._state.over else self._turn()
                if ending:
                    return ending
        except (EOFError, KeyboardInterrupt):
            self._paper.say()
            return Ending.LEFT
        finally:
            self._session.pause()
            self._paper.say(self._farewell())

    @property
    def _state(self) -> Any:
        return self._session.state

    def _farewell(self) -> str:
        if self._state.over:
            return f"This game is kept as {self._session.id}."
        drawing = " --auto-draw" if self._auto_draw else ""
        return f"Everything is saved. To go on: {typed('play')} --resume {self._session.id}{drawing}"

    # One step

    def _turn(self) -> Ending | None:
        self._draw_if_stale()
        text = self._paper.ask(">")
        try:
            return self._obey(text)
        except Refusal as refusal:
            self._tell_refusal(refusal)
        except CompanionError as error:
            self._paper.say(str(error), style="bad")
        return None

    def _draw_if_stale(self) -> None:
        if self._stale:
            self._show()
            self._stale = False

    def _show(self) -> None:
        seats = active_seats(self._game.prompts(self._state))
        self._session.clocks.activate(seat for seat in seats if seat < len(self._state.seats))
        self._paper.clear()
        self._paper.scene(build(self._game, self._state, self._moment()), self._page)
        self._paper.say(self._keys_line(), style="dim")

    def _moment(self) -> Moment:
        clocks = {seat: self._session.clocks.seat_s(seat) for seat in range(len(self._state.seats))}
        return Moment(
            facts=self._facts,
            before=self._before,
            clocks_s=clocks if self._paper.screen else {},
            opened=self._opened,
            only=self._only,
            show_refused=self._show_refused,
        )

    def _keys_line(self) -> str:
        undo, redo = self._session.undo_label, self._session.redo_label
        parts = [f"u undo: {undo}" if undo else "", f"r redo: {redo}" if redo else ""]
        shown = f"for: only {self._state.seats[self._only]}'s choices are shown" if self._only is not None else ""
        parts += [shown, *self._drawing_keys(), "help", "q leave"]
        return "  |  ".join(part for part in parts if part)

    def _drawing_keys(self) -> list[str]:
        """Only where the companion draws, or has drawn lately."""
        if not self._auto_draw:
            return ["a auto-draw is off"] if self._has_drawn else []
        return ["a auto-draw is on", *(["d draw all that is not entered"] if self._to_lay_out() else [])]

    def _obey(self, text: str) -> Ending | None:
        """A number, or a word and what follows it."""
        word, _, rest = text.partition(" ")
        word = word.casefold()
        if text.isdecimal():
            self._take(self._offer(text))
        elif text.startswith("!"):
            self._do_anyway(text[1:].strip())
        elif word in ("q", "quit", "save", "exit"):
            return Ending.LEFT
        elif word in _COMMANDS:
            _COMMANDS[word](self, rest.strip())
        else:
            raise Malformed(f"'{text}' is nothing to do here; type a number, or help.")
        return None

    # Doing things

    def _offer(self, text: str) -> Offer:
        listed = offers(self._game.prompts(self._state), self._opened)
        place = listed_at(text, len(listed))
        if place is None:
            raise Malformed(f"There are choices 1 to {len(listed)}; '{text}' is none of them.")
        return listed[place]

    def _take(self, offer: Offer) -> None:
        if offer.choice is None:
            self._open(offer.prompt)
        elif offer.choice.refused:
            refused = offer.choice.refused
            self._paper.say(f"No: {refused.why} ({refused.rule}; {refused.cite})", style="bad")
            self._paper.say(f"!{offer.number} does it anyway, as a correction.", style="dim")
        elif offer.choice.asks and self._auto_draw and self._is_drawn(offer):
            self._deal(offer)
        else:
            self._ask_and_do(offer)

    def _ask_and_do(self, offer: Offer) -> None:
        action = self._whole(offer)
        if action is Aside.DRAW:
            self._deal(offer)
        elif isinstance(action, Action):
            self._do(action, self._origin(offer.prompt))
        else:
            self._back("")

    def _whole(self, offer: Offer) -> Action | Aside:
        assert offer.choice is not None
        if not offer.choice.asks:
            return offer.choice.action
        return Questions(paper=self._paper, game=self._game, box=self._session.box).whole(offer.choice)

    def _origin(self, prompt: Prompt) -> str:
        at_table = prompt.seat is not None and prompt.seat < len(self._state.seats)
        return origins.seat(prompt.seat) if at_table and prompt.seat is not None else origins.TABLE

    def _do(self, action: Action, origin: str) -> None:
        """Dispatch, and remember what changed for the next picture."""
        before = self._game.picture(self._state)
        if not isinstance(action, Correction):
            self._refused = action
        step = self._session.dispatch(action, origin)
        self._settle(step.facts, before)

    def _settle(self, facts: tuple[Fact, ...], before: Picture | None) -> None:
        self._facts, self._before, self._refused, self._opened = facts, before, None, self._still_open()
        self._show_first_page()

    def _still_open(self) -> Prompt | None:
        """A secret that takes several moves stays open for its seat until the last of them."""
        was = self._opened
        if was is None:
            return None
        now = self._game.prompts(self._state)
        return next((one for one in now if one.secret and (one.seat, one.rule) == (was.seat, was.rule)), None)

    def _deal(self, offer: Offer) -> None:
        assert offer.choice is not None
        before = self._game.picture(self._state)
        action = self._game.deal(self._state, offer.choice, self._dealer, self._session.box)
        drawn = Fact(text=f"The companion draws: {self._game.label(self._state, action)}.")
        self._refused = action
        step = self._session.dispatch(action, origins.APP)
        self._settle((drawn, *step.facts), before)

    def _is_drawn(self, offer: Offer) -> bool:
        """Whether a choice asks for what comes out of the box, rather than for what people decide."""
        assert offer.choice is not None
        nobody = offer.prompt.seat is None or offer.prompt.seat >= len(self._state.seats)
        asks = offer.choice.asks
        return any(ask.table for ask in asks) or (nobody and all(ask.kind == "choice" for ask in asks))

    def _tell_refusal(self, refusal: Refusal) -> None:
        self._paper.say(f"No: {refusal.why} ({refusal.rule}; {refusal.cite})", style="bad")
        self._paper.say(self._game.rulebook[refusal.rule].text, style="dim")
        if refusal.final:
            self._refused = None
        else:
            self._paper.say("! does it anyway, as a correction.", style="dim")

    def _do_anyway(self, number: str) -> None:
        """A refused choice, or what was refused just now, done as a correction."""
        action: Action | Aside | None = self._refused
        if number:
            offer = self._offer(number)
            if offer.choice is None:
                raise Malformed("A secret choice is opened first.")
            action = self._whole(offer)
        if action is Aside.DRAW or action is Aside.BACK:
            return
        if not isinstance(action, Action):
            raise Malformed("Nothing was refused just now; !N does choice N.")
        why = self._paper.ask("Why does the table allow it? >")
        self._do(Correction(why=why, move=msgspec.to_builtins(action)), origins.CORRECTION)

    def _open(self, prompt: Prompt) -> None:
        name = seat_name(self._state.seats, prompt.seat)
        self._paper.clear()
        self._paper.say(f"Pass the screen to {name}.", style="title")
        self._paper.pause("Then press Enter >")
        self._opened = prompt
        self._show_first_page()

    # Words people type

    def _help(self, _rest: str) -> None:
        self._paper.say(HELP)

    def _redraw(self, _rest: str) -> None:
        self._show_first_page()

    def _show_first_page(self) -> None:
        self._page, self._stale = 0, True

    def _next_page(self, _rest: str) -> None:
        self._page += 1
        self._stale = True

    def _back(self, _rest: str) -> None:
        self._opened = None
        self._show_first_page()

    def _undo(self, _rest: str) -> None:
        self._move_in_history(lambda: self._session.undo().label)

    def _redo(self, _rest: str) -> None:
        self._move_in_history(lambda: self._session.redo().label)

    def _move_in_history(self, move: Callable[[], str]) -> None:
        before = self._game.picture(self._state)
        self._settle((Fact(text=f"{move()}."),), before)

    def _history(self, _rest: str) -> None:
        for line in self._session.history(_HISTORY_LINES):
            self._paper.say(history_line(line, self._state.seats), style="" if line.stands else "dim")

    def _score(self, _rest: str) -> None:
        self._paper.grid(sheets.grid(self._game, self._session.score()))

    def _all(self, _rest: str) -> None:
        self._show_refused = not self._show_refused
        self._show_first_page()

    def _for(self, name: str) -> None:
        """Show one seat's choices only; without a name, everyone's."""
        found = [seat for seat, seated in enumerate(self._state.seats) if seated.casefold() == name.casefold()]
        if name and not found:
            raise Malformed(f"Nobody here is called '{name}'.")
        self._only = found[0] if found else None
        self._show_first_page()

    def _toggle_draw(self, _rest: str) -> None:
        self._auto_draw = not self._auto_draw
        self._paper.say(f"Auto-draw is {'on: the companion draws and rolls' if self._auto_draw else 'off'}.")

    def _draw(self, rest: str) -> None:
        to_lay_out = self._to_lay_out()
        if not rest and to_lay_out:
            self._lay_out(to_lay_out)
            return
        asking = self._asking()
        offer = self._offer(rest) if rest else asking[0] if len(asking) == 1 else None
        if offer is None or not _asks(offer):
            raise Malformed("d N draws for choice N, one that ends in '...'.")
        self._deal(offer)

    def _asking(self) -> list[Offer]:
        return [offer for offer in offers(self._game.prompts(self._state), self._opened) if _asks(offer)]

    def _to_lay_out(self) -> list[Offer]:
        """What the table as a whole may enter, where it is all of one kind: a market, a row of cards."""
        asked = [offer for offer in self._asking() if offer.prompt.seat is None and self._is_drawn(offer)]
        kinds = {(offer.prompt.rule, _kind(offer)) for offer in asked}
        return asked if len(kinds) == 1 else []

    def _lay_out(self, waiting: list[Offer]) -> None:
        """Draw for each in turn. Each is a move of its own, so that undo takes them back one by one."""
        before, facts = self._game.picture(self._state), list[Fact]()
        for _ in waiting:
            left = [offer for offer in self._asking() if _kind(offer) is _kind(waiting[0])]
            if not left:
                break
            self._deal(left[0])
            facts += self._facts
        self._settle(tuple(facts), before)

    def _why(self, rest: str) -> None:
        choice = self._offer(rest).choice
        if choice is None or choice.refused is None:
            self._paper.say("That can be done.", style="good")
            return
        self._paper.say(choice.refused.why, style="bad")
        self._tell_rule(choice.refused.rule)

    def _rules(self, rest: str) -> None:
        prompts = [self._offer(rest).prompt] if rest else self._game.prompts(self._state)
        if rest:
            choice = self._offer(rest).choice
            self._tell_rule(choice.refused.rule if choice and choice.refused else prompts[0].rule)
            return
        for rule in dict.fromkeys(prompt.rule for prompt in prompts):
            self._tell_rule(rule)

    def _tell_rule(self, rule: str) -> None:
        entry = self._game.rulebook[rule]
        self._paper.say(f"{entry.text} ({entry.cite}; {entry.id})")

    def _fix(self, rest: str) -> None:
        path, _, text = rest.partition(" ")
        if not text.strip():
            self._list_paths(path)
            return
        why = self._paper.ask("Why? (Enter for no reason) >")
        self._do(Correction(why=why, set={path: value_of(text.strip())}), origins.CORRECTION)

    def _list_paths(self, beginning: str) -> None:
        known = [
            found
            for found in _paths(msgspec.to_builtins(self._game.public_state(self._state)))
            if found[0].startswith(beginning)
        ]
        if not known:
            raise Malformed(f"There is nothing at '{beginning}' to set right.")
        for path, value in known:
            self._paper.say(f"  {path} {msgspec.json.encode(value).decode()}")

    def _clocks(self, _rest: str) -> None:
        clocks = self._session.clocks
        seats = [f"{name} {clock(clocks.seat_s(seat))}" for seat, name in enumerate(self._state.seats)]
        self._paper.say(", ".join([*seats, f"the table {clock(clocks.table_s)}"]))

    def _pause(self, _rest: str) -> None:
        if self._session.clocks.paused:
            self._session.resume()
        else:
            self._session.pause()
        self._paper.say("The clocks stand still." if self._session.clocks.paused else "The clocks run.")

    # The end

    def _finish(self) -> Ending | None:
        """The ceremony, then what next. An undo leads back into the game."""
        if self._stale:
            for fact in self._facts:
                self._paper.say(f"- {fact.text}")
            ceremony.hold(self._paper, self._game, self._session.score())
            self._stale = False
        text = self._paper.ask("Enter to leave, r for a rematch, h for the history, u to undo the last move >")
        if text == "r":
            return Ending.REMATCH
        if text == "u":
            self._undo("")
        elif text == "h":
            self._history("")
        else:
            return Ending.LEFT
        return None


def _kind(offer: Offer) -> type[Action] | None:
    return type(offer.choice.action) if offer.choice else None


def _asks(offer: Offer) -> bool:
    return offer.choice is not None and offer.legal and bool(offer.choice.asks)


def _paths(value: Any, path: str = "") -> list[tuple[str, object]]:
    """Every number and word of a state with the path a correction names it by."""
    if isinstance(value, dict) and value:
        parts = [(str(key), part) for key, part in value.items()]
    elif isinstance(value, list | tuple) and value:
        parts = [(str(number), part) for number, part in enumerate(value)]
    else:
        return [(path, value)]
    return [found for key, part in parts for found in _paths(part, f"{path}/{key}" if path else key)]


_COMMANDS: dict[str, Callable[[TextTable, str], None]] = {
    "": TextTable._redraw,
    "help": TextTable._help,
    "b": TextTable._back,
    "u": TextTable._undo,
    "r": TextTable._redo,
    "h": TextTable._history,
    "m": TextTable._next_page,
    "s": TextTable._score,
    "t": TextTable._clocks,
    "p": TextTable._pause,
    "a": TextTable._toggle_draw,
    "d": TextTable._draw,
    "all": TextTable._all,
    "for": TextTable._for,
    "why": TextTable._why,
    "?": TextTable._rules,
    "fix": TextTable._fix,
}
_LONG_WORDS = {
    "?": "rules", "a": "auto", "b": "back", "d": "draw", "h": "history", "m": "more", "p": "pause", "r": "redo",
    "s": "score", "t": "clocks", "u": "undo",
}  # fmt: skip
_COMMANDS |= {long: _COMMANDS[short] for short, long in _LONG_WORDS.items()}
