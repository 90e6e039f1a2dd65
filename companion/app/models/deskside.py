"""The game's desk as screens see it: what there is to answer, what was answered, what was measured."""

from __future__ import annotations

from typing import Any

from companion.app.models.model import Model, Translate, plain
from companion.live.desk import Desk
from companion.live.proposals import Answer, Decided, Measured, Mismatch, Note, Outcome, Proposal, Tallest


class Deskside(Model):
    """Whoever sits here may find no desk: then there is nothing to answer."""

    def __init__(self, t: Translate = plain) -> None:
        super().__init__(t)
        self.desk: Desk | None = None

    @property
    def call(self) -> Proposal | None:
        """What the table must be called together for."""
        return next((proposal for proposal in self.proposals if proposal.urgent), None)

    @property
    def cards(self) -> tuple[Proposal, ...]:
        """What can be answered in passing."""
        return tuple(proposal for proposal in self.proposals if not proposal.urgent)

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        return tuple(self.desk.proposals) if self.desk else ()

    @property
    def questions(self) -> tuple[Proposal | Mismatch, ...]:
        """Everything that can be answered."""
        return (*self.proposals, *self.out_of_step)

    @property
    def out_of_step(self) -> tuple[Mismatch, ...]:
        return tuple(self.desk.out_of_step) if self.desk else ()

    @property
    def decided(self) -> tuple[Decided, ...]:
        return tuple(self.desk.decided) if self.desk else ()

    @property
    def notes(self) -> tuple[Note, ...]:
        return self.desk.notes if self.desk else ()

    @property
    def measured(self) -> tuple[Measured, ...]:
        return tuple(self.desk.measured) if self.desk else ()

    @property
    def tallest_apart(self) -> tuple[Tallest, ...]:
        """The castles whose tallest tower is read otherwise than the game has it, while a camera looks on."""
        castles = self.desk.tallest if self.desk is not None and self.desk.sees else ()
        return tuple(castle for castle in castles if not castle.agrees)

    def answer_of(self, question: str, answer: str) -> Answer | None:
        """One answer of one open question."""
        answers = (each.answers for each in self.questions if each.id == question)
        return next((one for found in answers for one in found if one.id == answer), None)

    def decision(self, question: str) -> Decided | None:
        """What became of a question, while it holds."""
        return next((each for each in self.decided if each.id == question and not each.undone), None)

    def answer(self, question: str, answer: str, told: dict[str, Any] | None = None) -> Outcome | None:
        """Answer a proposal or a mismatch. What came of it, or nothing when it was gone by then."""
        if self.desk is None or not any(each.id == question for each in self.questions):
            return None
        outcome = self.desk.answer(question, answer, told)
        self.changed()
        return outcome

    def undo(self, decided: str) -> Outcome | None:
        """Take back what came of an answer; its question opens again."""
        if self.desk is None:
            return None
        outcome = self.desk.undo(decided)
        self.changed()
        return outcome
