"""Everything that happened, line by line. What was undone or corrected is marked; any line can be gone back to."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.app.models.model import Message, Model, RuleText, Translate, plain
from companion.errors import CompanionError
from companion.session import origins
from companion.session.session import HistoryLine, Session

Mark = Literal["", "correction", "undone", "moved"]


class FactRow(Struct, frozen=True, kw_only=True):
    """What came of a line, with the rule behind it."""

    text: str
    rule: RuleText | None


class LineRow(Struct, frozen=True, kw_only=True):
    """One line. `moved` marks an undo, redo or jump; `undone` what no longer stands; `here` where the game stands."""

    seq: int
    label: str
    who: str
    seat: int | None
    at_ms: int
    mark: Mark
    here: bool
    facts: tuple[FactRow, ...]


class HistoryView(Struct, frozen=True, kw_only=True):
    """The lines, the last first. `corrections` counts those that stand."""

    lines: tuple[LineRow, ...]
    corrections: int
    message: Message | None


class HistoryModel(Model):
    """The history of one game."""

    def __init__(self, session: Session, t: Translate = plain) -> None:
        super().__init__(t)
        self.session = session
        self.message: Message | None = None

    @property
    def view(self) -> HistoryView:
        lines = self.session.history()
        here = max((line.seq for line in lines if line.stands), default=0)
        rows = tuple(self._row(line, line.seq == here) for line in reversed(lines))
        return HistoryView(lines=rows, corrections=sum(row.mark == "correction" for row in rows), message=self.message)

    def jump(self, seq: int) -> bool:
        """Let the game stand as it did after a line. To be held, not tapped; a redo leads back."""
        self.message = None
        try:
            self.session.jump(seq)
        except CompanionError as error:
            self.message = self.trouble(error)
        self.changed()
        return self.message is None

    def _row(self, line: HistoryLine, here: bool) -> LineRow:
        return LineRow(
            seq=line.seq,
            label=self.t(line.label),
            who=self._who(line),
            seat=line.seat,
            at_ms=line.at_ms,
            mark=_mark(line),
            here=here,
            facts=tuple(FactRow(text=self.t(fact.text), rule=self._rule(fact.rule)) for fact in line.facts),
        )

    def _who(self, line: HistoryLine) -> str:
        names = self.session.cover.seats
        if line.seat is not None and line.seat < len(names):
            return names[line.seat]
        if line.origin == origins.APP:
            return self.t("The companion")
        if line.origin.startswith("sensor "):
            return self.t("Sensor: {name}").format(name=line.origin.removeprefix("sensor "))
        return self.t("The table")

    def _rule(self, rule: str) -> RuleText | None:
        rulebook = self.session.game.rulebook
        return self.rule_text(rulebook[rule]) if rule in rulebook else None


def _mark(line: HistoryLine) -> Mark:
    if line.kind in ("undo", "redo", "jump"):
        return "moved"
    if not line.stands:
        return "undone"
    return "correction" if line.kind == "correction" else ""
