"""What the senses propose, in passing: a card with one touch for yes and one for no, and the way back into step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.screens.base import button, fitted
from companion.app.widgets.buttons import PushButton
from companion.app.widgets.look import colours, follow, lazily, seat_look, steps, target
from companion.app.widgets.pictures import IconView, Shield
from companion.app.widgets.scrolling import column
from companion.app.widgets.sheets import Sheet
from companion.app.widgets.surfaces import Panel, Surface
from companion.app.widgets.words import TextLabel
from companion.app.words import _

if TYPE_CHECKING:
    from companion.live.proposals import Answer, Decided, Mismatch, Note, Proposal

Reply = Callable[[str, str], object]
"""Answers a question by its id with an answer by its id."""

CARD_STEPS = 9
_STRIPE_STEPS = 1
_REFUSING = ("reject", "ignore")
_MOST_BUTTON = 0.34
_STACK_STEPS = 9
_LEAST_DRAWN = 4
_MOST_LISTED, _MOST_NOTED = 12, 5


class ProposalCard(FloatLayout):
    """One open question on one line: whose it is, what was sensed, yes and no. `more` opens all its answers.

    Out of step is shown in the same place, and `more` leads to the way back. Where there is nothing else to show, it
    may offer the simulated table: `more` leads there, and no `decline`s it.
    """

    def __init__(
        self, reply: Reply, more: Callable[[], object], decline: Callable[[], object] | None = None, **properties: Any
    ) -> None:
        super().__init__(**properties)
        self._reply, self._more, self._decline = reply, more, decline
        self._shown: tuple[Any, ...] = ()
        self._surface = Surface(self.canvas.before)
        self._stripe = Surface(self.canvas.before, corner_dp=4)
        self._shield = Shield()
        self._icon = IconView()
        self._text = TextLabel(strong=True)
        self._yes = PushButton(kind="primary", icon="check")
        self._no = PushButton(icon="close")
        self._other = PushButton(icon="menu")
        for part, name in ((self._yes, "confirm"), (self._no, "reject"), (self._other, "more")):
            part.name = name
        self._yes.bind(on_release=lambda *__: self._answered("yes"))
        self._no.bind(on_release=lambda *__: self._answered("no"))
        self._other.bind(on_release=lambda *__: self._more())
        for widget in (self._shield, self._icon, self._text, self._yes, self._no, self._other):
            widget.size_hint = (None, None)
            self.add_widget(widget)
        self._ids = {"yes": ("", ""), "no": ("", "")}
        self._arranged = lazily(self._arrange, "pos", "size", "opacity")
        follow(self._arrange)

    def show(
        self, cards: tuple[Proposal, ...], out_of_step: tuple[Mismatch, ...] = (), *, offers: bool = False
    ) -> None:
        """The oldest open question, else that table and game are out of step, else an offer, else nothing."""
        shown = (cards[:1], len(cards), out_of_step, offers)
        if shown == self._shown:
            return
        self._shown = shown
        if cards:
            self._ask(cards[0], len(cards))
        elif out_of_step:
            self._warn(out_of_step)
        elif offers:
            self._offer()
        self.opacity, self.disabled = (1, False) if cards or out_of_step or offers else (0, True)
        self._arranged()

    def _ask(self, proposal: Proposal, count: int) -> None:
        yes = next((answer for answer in proposal.answers if answer.primary and not answer.asks), None)
        no = next((answer for answer in proposal.answers if answer.weight in _REFUSING), None)
        self._stand_for("yes", self._yes, proposal.id, yes)
        self._stand_for("no", self._no, proposal.id, no)
        others = [answer for answer in proposal.answers if answer not in (yes, no)]
        self._show_more(bool(others) or yes is None, "" if yes else _("Choose"))
        self._icon.kind = ""
        self._shield.seat, self._shield.opacity = proposal.seat, 1
        text = _(proposal.text or proposal.title)
        self._text.text = text if count == 1 else _("{what} (and {n} more)").format(what=text, n=count - 1)

    def _warn(self, out_of_step: tuple[Mismatch, ...]) -> None:
        self._stand_for("yes", self._yes, "", None)
        self._stand_for("no", self._no, "", None)
        waiting = all(mismatch.waiting for mismatch in out_of_step)
        self._show_more(True, _("Look") if waiting else _("Put right"))
        self._icon.kind, self._shield.opacity = "warning", 0
        first = _(out_of_step[0].sentence)
        self._text.text = first if len(out_of_step) == 1 else _("Table and game are out of step.")

    def _offer(self) -> None:
        self._stand_for("yes", self._yes, "", None)
        self._stand_for("no", self._no, "", None)
        self._no.opacity, self._no.disabled = 1, False
        self._show_more(True, _("Simulated table"))
        self._icon.kind, self._shield.opacity = "camera", 0
        self._text.text = _("Nothing watches these castles. Play with simulated pieces?")

    def _stand_for(self, which: str, made: PushButton, question: str, answer: Answer | None) -> None:
        self._ids[which] = (question, answer.id if answer else "")
        made.text = (_("Yes") if which == "yes" else _("No")) if answer else ""
        made.opacity, made.disabled = (1, False) if answer else (0, True)

    def _show_more(self, there: bool, text: str) -> None:
        self._other.text, self._other.icon = text, "" if text else "menu"
        self._other.kind = "primary" if text else "plain"
        self._other.opacity, self._other.disabled = (1, False) if there else (0, True)

    def _answered(self, which: str) -> None:
        question, answer = self._ids[which]
        if answer:
            self._reply(question, answer)
        elif self._decline is not None:
            self._decline()

    def _arrange(self, *__: Any) -> None:
        theme, pad, gap = colours(), steps(0.5), steps(1)
        self._surface.place(self.pos, self.size, 2)
        self._surface.paint(theme.panel_raised, theme.accent)
        proposal = bool(self._shown and self._shown[0])
        tint = seat_look(int(self._shield.seat)).field if proposal else theme.accent
        self._stripe.place((self.x + 2, self.y + 2), (steps(_STRIPE_STEPS), self.height - 4))
        self._stripe.paint(tint)
        right, tall = self.right - gap, self.height - 2 * pad
        for made in (self._no, self._yes, self._other):
            if made.opacity:
                made.size = (self.width, tall)
                wide = min(max(target(), made.ideal_width()), self.width * _MOST_BUTTON)
                made.size, made.pos = (wide, tall), (right - wide, self.y + pad)
                right -= wide + gap
        side = min(tall, steps(5))
        left = self.x + steps(_STRIPE_STEPS) + gap
        for picture in (self._shield, self._icon):
            picture.size, picture.pos = (side, side), (left, self.center_y - side / 2)
        self._text.pos, self._text.size = (left + side + gap, self.y + pad), (right - left - side - gap, tall)

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing under the card is touched through it."""
        if self.disabled or not self.collide_point(*touch.pos):
            return False
        super().on_touch_down(touch)
        return True


def answers_sheet(proposal: Proposal, reply: Reply) -> Sheet:
    """All answers to one question."""
    body = column(spacing=steps(1))
    if proposal.text:
        body.add_widget(TextLabel(text=_(proposal.text), tone="soft", grows=True))
    sheet = Sheet(title=_(proposal.title), body=body, placement="centre")
    for made in _answer_buttons(proposal.id, proposal.answers, reply, sheet):
        body.add_widget(made)
    return sheet


def _answer_buttons(question: str, answers: Iterable[Answer], reply: Reply, sheet: Sheet) -> Iterable[PushButton]:
    for answer in answers:

        def act(answer: Answer = answer) -> None:
            sheet.close()
            reply(question, answer.id)

        kind = "primary" if answer.primary else "plain"
        yield button(_(answer.label), act, kind=kind, size_hint_y=None, height=target(), name=f"answer {answer.weight}")


def mismatch_sheet(out_of_step: tuple[Mismatch, ...], reply: Reply) -> Sheet:
    """The way back into step, place by place: what stands on the table, what the game has, and who is right."""
    body = column(spacing=steps(2))
    title = _("Table and game are out of step")
    sheet = Sheet(title=title, body=body)
    for mismatch in out_of_step:
        body.add_widget(_mismatch(mismatch, reply, sheet))
    return sheet


def _mismatch(mismatch: Mismatch, reply: Reply, sheet: Sheet) -> Panel:
    card = Panel(kind="raised", size_hint_y=None, stripe=seat_look(mismatch.seat).field)
    card.bind(minimum_height=card.setter("height"))
    head = BoxLayout(size_hint_y=None, height=steps(8), spacing=steps(2))
    head.add_widget(Shield(seat=mismatch.seat, size_hint_x=None, width=steps(6)))
    head.add_widget(TextLabel(text=_(mismatch.sentence), strong=True))
    if mismatch.table is not None and mismatch.game is not None:
        head.height = steps(_STACK_STEPS + 3)
        most = max(_LEAST_DRAWN, mismatch.table, mismatch.game)
        for levels, words in ((mismatch.table, _("Table")), (mismatch.game, _("Game"))):
            head.add_widget(_stack(levels, most, words))
    card.add_widget(head)
    if mismatch.waiting:
        card.add_widget(TextLabel(text=_("It is settled as soon as the table is read so."), tone="soft", grows=True))
    for made in _answer_buttons(mismatch.id, mismatch.answers, reply, sheet):
        card.add_widget(made)
    return card


def decided_sheet(decided: Iterable[Decided], notes: Iterable[Note], undo: Callable[[str], object]) -> Sheet:
    """What the senses found and what became of it, the newest first: what holds can be taken back."""
    body = column(spacing=steps(1))
    sheet = Sheet(title=_("What was sensed"), body=body)
    for each in list(decided)[: -_MOST_LISTED - 1 : -1]:
        body.add_widget(_decided(each, undo, sheet))
    for note in list(notes)[: -_MOST_NOTED - 1 : -1]:
        body.add_widget(TextLabel(text=_(note.text), tone="soft", grows=True))
    return sheet


def _decided(decided: Decided, undo: Callable[[str], object], sheet: Sheet) -> BoxLayout:
    def act() -> None:
        sheet.close()
        undo(decided.id)

    line = BoxLayout(size_hint_y=None, spacing=steps(2))
    line.add_widget(Shield(seat=decided.seat, size_hint_x=None, width=steps(5)))
    words = BoxLayout(orientation="vertical", size_hint_y=None, pos_hint={"center_y": 0.5})
    words.add_widget(TextLabel(text=_(decided.title), strong=True, grows=True))
    words.add_widget(TextLabel(text=_became(decided), tone="soft", grows=True))
    words.bind(minimum_height=words.setter("height"), height=lambda __, tall: _grow(line, tall))
    line.add_widget(words)
    if not decided.asked_again and not decided.undone:
        undone = fitted(button(_("Undo"), act, icon="undo", name=f"undo {decided.id}"))
        undone.size_hint_y, undone.pos_hint = None, {"center_y": 0.5}
        line.add_widget(undone)
    _grow(line, words.minimum_height)
    return line


def _grow(line: BoxLayout, tall: float) -> None:
    """A line is as high as its words, and never too low to touch."""
    line.height = max(target(), tall)


def _became(decided: Decided) -> str:
    """Who settled it, and how."""
    answer = _(decided.answer)
    if decided.undone:
        return _("{answer} (taken back)").format(answer=answer)
    if decided.by == "people":
        return _("Answered: {answer}").format(answer=answer)
    return _("By itself: {answer}").format(answer=answer) if decided.by == "policy" else answer


def _stack(levels: int, most: int, words: str) -> BoxLayout:
    box = BoxLayout(orientation="vertical", size_hint_x=None, width=steps(11))
    box.add_widget(LevelStack(levels=levels, most=most))
    box.add_widget(TextLabel(text=f"{words}: {levels}", halign="center", size_hint_y=None, height=steps(3)))
    return box


class LevelStack(Widget):
    """A tower as so many slabs, one on the other, in a place that has room for `most`."""

    levels = NumericProperty(0)
    most = NumericProperty(1)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._slabs = [Surface(self.canvas, corner_dp=2) for _slab in range(int(self.levels))]
        lazily(self._draw, "pos", "size")

    def _draw(self, *__: Any) -> None:
        theme = colours()
        wide, tall = min(self.width * 0.7, steps(7)), self.height / self.most
        for at, slab in enumerate(self._slabs):
            slab.place((self.center_x - wide / 2, self.y + at * tall), (wide, tall * 0.8))
            slab.paint(theme.ink_soft, theme.ink)
