"""The senses at the table screen: their questions on a card, the way back into step, and what they measured."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from companion.app.models.table import TableModel
from companion.app.screens.base import CompanionScreen
from companion.app.screens.health import health_sheet
from companion.app.screens.proposals import ProposalCard, answers_sheet, mismatch_sheet
from companion.app.words import _

if TYPE_CHECKING:
    from companion.app.models.lookout import Lookout
    from companion.live.proposals import Answer, Decided, Outcome

Entry = tuple[str, str, Callable[[], object]]


class Senses:
    """What a table screen shows of the senses. Without a lookout it shows nothing: the table is as it always was."""

    def __init__(self, screen: CompanionScreen, model: TableModel, lookout: Lookout | None) -> None:
        self._screen, self._model, self._lookout = screen, model, lookout
        self.card = ProposalCard(self.reply, self._open_more, opacity=0, disabled=True)
        self._told = {decided.id for decided in lookout.decided} if lookout else set()

    @property
    def shown(self) -> bool:
        """Whether there is a question, or table and game are out of step."""
        return self._lookout is not None and bool(self._lookout.cards or self._lookout.out_of_step)

    @property
    def says(self) -> str:
        """What the mark at the menu says."""
        out = self._lookout.out_of_step if self._lookout else ()
        return " ".join(_(mismatch.sentence) for mismatch in out)

    @property
    def measured(self) -> dict[tuple[int, str], float]:
        """The heights of towers as they were measured last, in mm."""
        towers = self._lookout.measured if self._lookout else ()
        return {(each.seat, each.tower): each.top_mm for each in towers if each.top_mm is not None}

    def show(self) -> None:
        """Shows what there is to answer, and says what was decided without being asked."""
        lookout = self._lookout
        if lookout is None:
            return
        self.card.show(lookout.cards, lookout.out_of_step)
        for decided in lookout.decided:
            if decided.id not in self._told:
                self._told.add(decided.id)
                if decided.by == "policy" and not decided.undone:
                    self._say_decided(decided)

    def entries(self) -> list[Entry]:
        """Their lines of the menu."""
        if self._lookout is None:
            return []
        shell = self._screen.shell
        found: list[Entry] = [("camera", _("Live table"), lambda: shell.go("live"))]
        if self._lookout.table is not None:
            found.append(("eye", _("How the senses are"), self._open_health))
        if self._lookout.out_of_step:
            found.insert(0, ("warning", _("Back into step"), self._open_mismatches))
        return found

    # Answers

    def reply(self, question: str, answer: str) -> None:
        """Answer a question; what is still missing is asked for first."""
        found = self._answer(question, answer)
        choice = found.choice if found is not None and found.asks else None
        if choice is not None:
            self._model.ask(choice, lambda told: self._answered(question, answer, told))
        else:
            self._answered(question, answer, None)

    def _answer(self, question: str, answer: str) -> Answer | None:
        lookout = self._lookout
        questions = lookout.questions if lookout else ()
        return next(
            (one for each in questions if each.id == question for one in each.answers if one.id == answer), None
        )

    def _answered(self, question: str, answer: str, told: dict[str, object] | None) -> None:
        lookout = self._lookout
        outcome = lookout.answer(question, answer, told) if lookout else None
        if lookout is not None and outcome is not None:
            self._say_outcome(lookout, question, outcome)

    def _say_outcome(self, lookout: Lookout, question: str, outcome: Outcome) -> None:
        said = outcome.says or " ".join(fact.text for fact in outcome.facts)
        decided = next((each for each in lookout.decided if each.id == question and not each.undone), None)
        if outcome.done and decided is not None:
            self._screen.say(_(said) if said else _("Answered."), _("Undo"), partial(self._undo, question))
        elif said:
            self._screen.say(_(said))

    def _say_decided(self, decided: Decided) -> None:
        text = f"{_(decided.title)}. {_(decided.answer)}." if decided.answer else _(decided.title)
        self._screen.say(text, _("Undo"), partial(self._undo, decided.id))

    def _undo(self, decided: str) -> None:
        outcome = self._lookout.undo(decided) if self._lookout else None
        if outcome is not None and outcome.says:
            self._screen.say(_(outcome.says))

    # Sheets

    def _open_more(self) -> None:
        lookout = self._lookout
        if lookout is not None and lookout.cards:
            answers_sheet(lookout.cards[0], self.reply).open(self._screen.host)
        else:
            self._open_mismatches()

    def _open_mismatches(self) -> None:
        if self._lookout is not None and self._lookout.out_of_step:
            mismatch_sheet(self._lookout.out_of_step, self.reply).open(self._screen.host)

    def _open_health(self) -> None:
        if self._lookout is not None:
            says = self._screen.shell.sideboard.says
            health_sheet(self._lookout.health, (says,) if says else ()).open(self._screen.host)
