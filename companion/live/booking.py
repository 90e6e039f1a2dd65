"""Writing what people answered into the game's history, whole or not at all, and taking it out again."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.errors import CompanionError, NoSuchStep, Refusal
from companion.live.proposals import Answer, Decided, Outcome
from companion.rules.base import Action, Correction, Fact
from companion.rules.castle_dukes.state import State
from companion.sensing.streams import Sensed
from companion.session import origins
from companion.session.session import Session

_MORE_SINCE = "More was done since: take back the later steps first, or go back in the history."


class Booked(Struct, frozen=True, kw_only=True):
    """The lines that were written, and what became true by them."""

    lines: tuple[int, ...]
    facts: tuple[Fact, ...]


class Clerk:
    """Books into one session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def book(self, answer: Answer, seat: int, event: Sensed, told: Mapping[str, object] | None) -> Booked:
        """Do what an answer stands for. Raises what the rules or the disk have against it; then nothing was done.

        What people told along with it is theirs; otherwise it comes from the sensors, who teach nothing of the box.
        """
        actions, origin = answer.actions, _sensor(event)
        if told is not None and answer.choice is not None:
            actions = (*actions[:-1], self._session.game.answered(answer.choice, told))
            origin = origins.seat(seat)
        return self._dispatched(actions, origin)

    def _dispatched(self, actions: tuple[Action, ...], origin: str) -> Booked:
        lines: list[int] = []
        facts: list[Fact] = []
        try:
            for action in actions:
                facts += self._session.dispatch(action, origin).facts
                lines.append(self._session.seq)
        except CompanionError:
            self.unbook(tuple(lines))
            raise
        return Booked(lines=tuple(lines), facts=tuple(facts))

    def undo_last(self, event: Sensed) -> Booked:
        """Take back the last booking, because the table did."""
        line = self._session.undo(_sensor(event))
        return Booked(lines=(line.seq,), facts=(Fact(text=f"{line.label}."),))

    def is_last(self, decided: Decided) -> bool:
        """Whether the lines of a decision are the last that stand."""
        return bool(decided.lines) and self._session.stands_at == decided.lines[-1]

    def standing(self, decided: Decided) -> tuple[int, ...]:
        """The lines of a decision that were not undone."""
        standing = self._session.standing() if decided.lines else set[int]()
        return tuple(line for line in decided.lines if line in standing)

    def unbook(self, lines: tuple[int, ...]) -> tuple[Fact, ...]:
        """Take back lines, the last first. Raises NoSuchStep as soon as something else stands there."""
        facts = []
        for line in reversed(lines):
            if self._session.stands_at != line:
                raise NoSuchStep(_MORE_SINCE)
            facts.append(Fact(text=f"{self._session.undo().label}."))
        return tuple(facts)

    def redo(self, decided: Decided) -> tuple[Fact, ...]:
        """Bring back what a decision took back. Raises NoSuchStep when something else was done since."""
        if self._session.seq != decided.lines[-1]:
            raise NoSuchStep(_MORE_SINCE)
        return (Fact(text=f"{self._session.redo().label}."),)

    def give_token_back(self, seat: int) -> tuple[Fact, ...]:
        """Return a Crumble token by a correction: later steps stand."""
        state = self._session.state
        assert isinstance(state, State)
        name, crumbles = state.seats[seat], state.dukes[seat].crumbles
        if not crumbles:
            raise NoSuchStep(f"{name} has no Crumble token to give back.")
        fewer = {f"dukes/{seat}/crumbles": crumbles - 1}
        correction = Correction(why=f"{name} gives a Crumble token back", set=fewer)
        return self._session.dispatch(correction, origins.CORRECTION).facts


def refused(error: CompanionError) -> Outcome:
    """Why nothing was done."""
    return Outcome(done=False, says=str(error), rule=error.rule if isinstance(error, Refusal) else "")


def _sensor(event: Sensed) -> origins.Origin:
    """Which senses saw it."""
    return origins.sensor(".".join(sorted(event.evidence)) or "table")
