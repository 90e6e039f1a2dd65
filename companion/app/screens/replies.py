"""Answers to the senses, given on any screen: what is missing is asked for, what came of it can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from kivy.uix.widget import Widget

from companion.app.models.asking import Asking, Knowledge, Remembered
from companion.app.models.model import Touches
from companion.app.screens.asking import AskingSheet
from companion.app.words import _

if TYPE_CHECKING:
    from companion.app.models.asking import AskingView
    from companion.app.models.lookout import Lookout
    from companion.app.models.steps import Answers
    from companion.live.proposals import Decided, Outcome
    from companion.rules.table import Choice
    from companion.session.session import Session


class Say(Protocol):
    """Says one sentence, with one thing to do about it where there is one."""

    def __call__(self, message: str, action: str = "", does: Callable[[], object] | None = None) -> object: ...


Ask = Callable[["Choice", "Callable[[Answers], object]"], object]
"""Asks for what a choice misses, and hands on what was told."""


class Replies:
    """How one screen answers the senses: `ask` and `say` are the screen's own ways."""

    def __init__(self, lookout: Lookout, ask: Ask, say: Say) -> None:
        self._lookout, self._ask, self._say = lookout, ask, say

    def reply(self, question: str, answer: str) -> None:
        """Answer a question by its id with an answer by its id; what is still missing is asked for first."""
        found = self._lookout.answer_of(question, answer)
        choice = found.choice if found is not None and found.asks else None
        if choice is not None:
            self._ask(choice, lambda told: self._answered(question, answer, told))
        else:
            self._answered(question, answer, None)

    def _answered(self, question: str, answer: str, told: Answers | None) -> None:
        outcome = self._lookout.answer(question, answer, told)
        if outcome is not None:
            self._say_outcome(question, outcome)

    def _say_outcome(self, question: str, outcome: Outcome) -> None:
        said = _(outcome.says) if outcome.says else " ".join(_(fact.text) for fact in outcome.facts)
        decided = self._lookout.decision(question)
        if outcome.done and decided is not None:
            self._say(said or _("Answered."), _("Undo"), lambda: self.undo(decided.id))
        elif said:
            self._say(said)

    def say_settled(self, decided: Decided) -> None:
        """Something was decided without being asked."""
        text = f"{_(decided.title)}. {_(decided.answer)}." if decided.answer else _(decided.title)
        self._say(text, _("Undo"), lambda: self.undo(decided.id))

    def undo(self, decided: str) -> None:
        """Take a decision back; its question opens again."""
        outcome = self._lookout.undo(decided)
        if outcome is not None and outcome.says:
            self._say(_(outcome.says))


class Telling:
    """Asks for what a choice misses over a screen that has no table of its own."""

    def __init__(self, host: Widget, session: Session, choice: Choice, told: Callable[[Answers], object]) -> None:
        knowledge = Knowledge(session.game, session.state, session.box, Remembered(), _)
        self._told = told
        self._touches = Touches()
        self._asking = Asking(choice, knowledge, title=_(choice.label), finish=self._finish, close=self._end)
        self._sheet: Any = AskingSheet(self._view(), self._touch, self._type)
        self._sheet.open(host)

    def _view(self) -> AskingView:
        self._touches.renew()
        return self._asking.view(self._touches.offer)

    def _touch(self, id: str) -> None:
        does = self._touches.take(id)
        if does is not None:
            does()
            if self._sheet.modal:
                self._sheet.show(self._view())

    def _type(self, text: str) -> None:
        self._asking.type(text)
        self._sheet.show(self._view())

    def _finish(self, answers: Answers) -> None:
        self._end()
        self._told(answers)

    def _end(self) -> None:
        self._sheet.end()
