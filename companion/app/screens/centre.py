"""The middle of the table: what one seat is asked, its moves, and what ends its turn set apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kivy.metrics import dp, sp
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget
from msgspec import Struct

from companion.app.models.model import RuleText
from companion.app.models.prompts import ChoiceView, GroupView, PromptView
from companion.app.models.scene import SeatView, TableView
from companion.app.screens.asides import overview_sheet, panel_pictures
from companion.app.screens.counting import CounterRow
from companion.app.screens.moves import MoveList, Touch, TouchButton
from companion.app.theme import SANS, SANS_BOLD, SCALE_SP, Role
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.kept import Kept
from companion.app.widgets.look import lazily, seat_look, steps, target
from companion.app.widgets.pictures import Shield
from companion.app.widgets.scrolling import Scroller
from companion.app.widgets.sheets import Sheet
from companion.app.widgets.surfaces import Panel
from companion.app.widgets.words import TextLabel, measured
from companion.app.words import _

_SIDE_DP = 168
_WIDE_DP = 560
_MOST_CLOSING = 3
_COUNTERS_FROM_DP = 400
_COUNTERS_DP = 112
_HEAD_SHARE = 0.3


class Doings(Struct, frozen=True, kw_only=True):
    """What the middle can ask of the screen."""

    touch: Touch
    explain: Callable[[RuleText], object]
    unfold: Callable[[str, tuple[GroupView, ...]], object]
    tally: Callable[[], object]
    state: Callable[[], Any]


class Asked(Struct, frozen=True, kw_only=True):
    """What is shown in the middle: prompts open at once, prompts folded into a button, moves set apart."""

    seat: SeatView | None
    text: str
    note: str
    rule: RuleText | None
    open: tuple[PromptView, ...]
    folded: tuple[PromptView, ...]
    closing: tuple[ChoiceView, ...]


def asked(view: TableView, seat: int | None) -> Asked:
    """What a seat sees: what it and the table must do; what they may is folded while something must be done."""
    prompts = [prompt for prompt in view.prompts if prompt.seat in (seat, None)]
    if view.opened is not None:
        prompts = list(view.prompts)
    musts = [prompt for prompt in prompts if prompt.urgency == "must"]
    mays = [prompt for prompt in prompts if prompt.urgency == "may"]
    opened = musts or mays
    own = next((one for one in view.seats if one.seat == seat), None)
    first = next(iter(opened), None)
    return Asked(
        seat=own,
        text=first.text if first else _nothing_to_do(view),
        note=" ".join(view.facts),
        rule=first.rule if first else None,
        open=tuple(opened),
        folded=tuple(prompt for prompt in mays if prompt not in opened),
        closing=tuple(choice for prompt in opened for choice in prompt.closing),
    )


def next_id(now: Asked) -> str:
    """What the next button stands for: the only move that ends what is asked, or the only one there is."""
    closing = [choice.id for choice in now.closing if choice.legal]
    every = [choice.id for prompt in now.open for choice in prompt.choices if choice.legal]
    return next((ids[0] for ids in (closing, every) if len(ids) == 1), "")


def _nothing_to_do(view: TableView) -> str:
    if view.over:
        return _("The game is over.")
    return view.read_only or _("Nothing to do now.")


class Centre(Panel):
    """The generic middle. `show` fills it; `arrange` may be extended by games that have a picture of their own.

    `measured` are the heights of towers in mm, by seat and tower, where senses have measured them.
    """

    measured: dict[tuple[int, str], float] = {}

    def __init__(self, do: Doings, **properties: Any) -> None:
        super().__init__(padding=0, size_hint=(None, None), **properties)
        self.do = do
        self._asked: Asked | None = None
        self._most_head = target()
        self._area = FloatLayout()
        self._shield = Shield(size_hint=(None, None))
        self._text = TextLabel(role="large", strong=True, size_hint=(None, None))
        self._note = TextLabel(role="small", tone="soft", size_hint=(None, None))
        self._help = PushButton(icon="help", kind="quiet", size_hint=(None, None), size=(target(), target()))
        self._help.bind(on_release=self._explain)
        self.moves = MoveList(do.touch)
        self.scroller = Scroller(size_hint=(None, None))
        self.scroller.add_widget(self.moves)
        self.counters = CounterRow(do.touch, size_hint=(None, None))
        self._closing: list[TouchButton] = []
        self._closes: frozenset[tuple[Any, ...]] = frozenset()
        self._hide = TouchButton(do.touch, icon="hidden", size_hint=(None, None))
        self._tally = PushButton(icon="trophy", kind="primary", size_hint=(None, None))
        self._tally.bind(on_release=lambda *__: do.tally())
        for child in (self._shield, self._text, self._note, self._help, Kept(self.scroller), self.counters):
            self._area.add_widget(child)
        for child in (self._hide, self._tally):
            self._area.add_widget(child)
        self.add_widget(self._area)
        self._relay = lazily(self.arrange, "pos", "size")

    # Filling

    def show(self, view: TableView, seat: int | None) -> None:
        """Shows what a seat is asked."""
        now = asked(view, seat)
        changed = self._asked is None or _seat_of(self._asked) != _seat_of(now)
        self._asked = now
        self._text.text, self._note.text = now.text, now.note
        self._shield.seat = now.seat.colour if now.seat else 0
        self.stripe = seat_look(now.seat.colour).field if now.seat else None
        self.moves.show((*self.groups(now), *self._foldings(now)))
        self.counters.show(now.seat.counters if now.seat else ())
        self._show_closing(now.closing if len(now.closing) <= _MOST_CLOSING else ())
        self._hide.touch_id, self._hide.text = view.hide, _("Hide")
        self._tally.text = _("To the tally") if view.over else ""
        if changed:
            self.scroller.go_to(0)
        self._relay()

    def groups(self, now: Asked) -> Iterable[GroupView]:
        """The moves that are listed."""
        for at, prompt in enumerate(now.open):
            named = prompt.text if at else ""
            if prompt.secret and prompt.open:
                yield GroupView(title="", choices=(_curtain_choice(prompt),))
            for group in prompt.groups:
                title = " · ".join(part for part in (named, group.title) if part)
                named = ""
                yield GroupView(title=title, choices=group.choices)
        if len(now.closing) > _MOST_CLOSING:
            yield GroupView(title="", choices=now.closing)

    def _foldings(self, now: Asked) -> Iterable[GroupView]:
        if now.folded:
            yield GroupView(title="", choices=tuple(_fold_choice(prompt, at) for at, prompt in enumerate(now.folded)))

    def folded(self, id: str) -> PromptView | None:
        """The prompt behind a folding button."""
        folded = self._asked.folded if self._asked else ()
        return next((prompt for at, prompt in enumerate(folded) if fold_id(at) == id), None)

    def _show_closing(self, choices: tuple[ChoiceView, ...]) -> None:
        while len(self._closing) > len(choices):
            self._area.remove_widget(self._closing.pop())
        while len(self._closing) < len(choices):
            self._closing.append(TouchButton(self.do.touch, size_hint=(None, None)))
            self._area.add_widget(self._closing[-1])
        before, self._closes = self._closes, frozenset(_end_of(choice) for choice in choices)
        for button, choice in zip(self._closing, choices, strict=True):
            if before and _end_of(choice) not in before:
                button.take_the_place()
            button.stand_for(choice)

    def _explain(self, *__: Any) -> None:
        if self._asked and self._asked.rule:
            self.do.explain(self._asked.rule)

    def pictures(self, view: TableView, seat: int) -> list[Widget]:
        """What a seat looks like by itself."""
        return panel_pictures(view, seat)

    def overview(self, view: TableView) -> Sheet:
        """Everything at a glance."""
        return overview_sheet(view)

    # Where things go

    def arrange(self, *__: Any) -> None:
        """Puts everything in its place."""
        pad = steps(1)
        x, y, width, height = self.x + pad, self.y + pad, self.width - 2 * pad, self.height - 2 * pad - dp(4)
        self.place(x, y, max(1.0, width), max(1.0, height))

    def place(self, x: float, y: float, width: float, height: float) -> None:
        """The generic plan: what is asked on top, moves below it, what ends the turn at the right or at the foot."""
        self.place_asked(x, y, width, height, counters=height >= dp(_COUNTERS_FROM_DP))

    def place_asked(self, x: float, y: float, width: float, height: float, *, counters: bool) -> None:
        gap, top = steps(1), y + height
        ends = [*self._closing, *(button for button in (self._hide, self._tally) if button.text and self._live(button))]
        beside = width >= dp(_WIDE_DP) and bool(ends)
        side = dp(_SIDE_DP) if beside else 0
        self._most_head = max(target(), height * _HEAD_SHARE)
        head = self._head(x, top, width, narrow=width < dp(260))
        top -= head + gap / 2
        self._park(ends)
        if beside:
            self._stack(ends, x + width - side, y, side, top - y)
            width -= side + gap
        elif ends:
            tall = self._row(ends, x, y, width)
            y += tall + gap
        shown = counters and bool(self.counters.count)
        self.counters.opacity = 1 if shown else 0
        if shown:
            tall = dp(_COUNTERS_DP)
            self.counters.pos, self.counters.size = (x, top - tall), (width, tall)
            top -= tall + gap
        else:
            self.counters.size = (0, 0)
        self.scroller.pos, self.scroller.size = (x, y), (width, max(1, top - y))

    def _live(self, button: Any) -> bool:
        return bool(button is self._tally or button.touch_id)

    def _park(self, ends: list[Any]) -> None:
        for button in (self._hide, self._tally):
            if button not in ends:
                button.size, button.opacity = (0, 0), 0

    def _head(self, x: float, top: float, width: float, narrow: bool) -> float:
        """Whose it is, what is asked, what just happened, and the rule. Returns its height."""
        side, gap = target(), steps(1)
        shield = steps(6) if self._asked and self._asked.seat else 0
        self._shield.size, self._shield.pos = (shield, shield), (x, top - (side + shield) / 2)
        rule = self._asked is not None and self._asked.rule is not None
        self._help.opacity = 1 if rule else 0
        self._help.size = (side, side) if rule else (0, 0)
        self._help.pos = (x + width - side, top - side)
        left = x + (shield + gap if shield else 0)
        room = width - (side if rule else 0) - (left - x)
        if narrow:
            tall = self._texts(x, top - side, width, 0)
            return side + tall
        return self._texts(left, top, room, side)

    def _texts(self, x: float, top: float, width: float, least: float) -> float:
        """What is asked, and what just happened where there is room for it too. Returns their height."""
        words = measured(self._text.text, SANS_BOLD, _px("body"), max(1, int(width)))[1] + steps(0.5)
        note = self._note_height(width, max(least, self._most_head) - words)
        tall = max(least, min(words + note, self._most_head))
        self._note.opacity = 1 if note else 0
        self._note.pos, self._note.size = (x, top - tall), (width, note)
        self._text.pos, self._text.size = (x, top - tall + note), (width, tall - note)
        return float(tall)

    def _note_height(self, width: float, most: float) -> float:
        """What the note takes in the larger size that has room for it; nothing where there is none."""
        roles: tuple[Role, ...] = ("body", "small")
        for role in roles if self._note.text else ():
            tall = measured(self._note.text, SANS, _px(role), max(1, int(width)))[1] + 2
            if tall <= most:
                self._note.role = role
                return float(tall)
        return 0.0

    def _stack(self, buttons: list[Any], x: float, y: float, width: float, height: float) -> None:
        """From the foot up."""
        gap = steps(1)
        most = max(target(), (height - gap * (len(buttons) - 1)) / max(1, len(buttons)))
        for button in buttons:
            tall = min(
                max(target() * 1.2, button.needed_height(width) if hasattr(button, "needed_height") else 0), most
            )
            button.opacity, button.pos, button.size = 1, (x, y), (width, tall)
            y += tall + gap

    def _row(self, buttons: list[Any], x: float, y: float, width: float) -> float:
        gap = steps(1)
        wide = (width - gap * (len(buttons) - 1)) / len(buttons)
        for button in buttons:
            button.opacity, button.pos, button.size = 1, (x, y), (wide, target())
            x += wide + gap
        return target()


def _px(role: Role) -> int:
    return round(float(sp(SCALE_SP[role])))


def _seat_of(now: Asked) -> int | None:
    return now.seat.seat if now.seat else None


def _end_of(choice: ChoiceView) -> tuple[Any, ...]:
    """What a closing move ends, and for whom: the same in every rendering."""
    return choice.do, choice.label, getattr(choice.action, "seat", None)


def fold_id(at: int) -> str:
    """The id of a button that unfolds a prompt: the screen's own, never the model's."""
    return f"fold {at}"


def _fold_choice(prompt: PromptView, at: int) -> ChoiceView:
    from companion.rules.base import Action

    return ChoiceView(
        id=fold_id(at), label=prompt.text, do="unfold", action=Action(), legal=True, asks=False, closes=False
    )


def _curtain_choice(prompt: PromptView) -> ChoiceView:
    from companion.rules.base import Action

    return ChoiceView(
        id=prompt.open,
        label=_("Pass the screen to {name}").format(name=prompt.who),
        do="pass-screen",
        action=Action(),
        legal=True,
        asks=False,
        closes=False,
    )
