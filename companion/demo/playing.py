"""Plays the script on a front: a screen, or the terminal. It waits for what should happen, but never for long.

The script runs as a generator that yields what it waits for; `Playing.tick` is called many times a second and lets it
go on. So the same evening plays in Kivy's loop, in a loop of the terminal, and in tests without any time at all.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec.structs import replace

from companion.app.models.lookout import Lookout
from companion.demo.chronicle import Chronicle, Found, Verdict
from companion.demo.game import BOARDS
from companion.demo.hands import Hands
from companion.demo.script import EVENING, Act, Chapter, Look, Moves, Scene, Step, Tidy
from companion.errors import DeviceLost
from companion.live.proposals import Answer, Mismatch, Proposal
from companion.rules.base import Action
from companion.rules.castle_dukes.actions import PlacePillars, PlaceTile

_HAND_S, _PIECE_S = 10.0, 6.0
"""How long a hand may take for anything, and for each piece."""
_SENSE_S = 6.0
"""How long after the hand is done the senses may still find what it did."""
_SETTLE_S = 3.0
"""How long the camera looks at a board that was tidied, before anything is built on it again."""
_READY_S, _FIRST_LOOK_S = 90.0, 12.0
_US_PER_S, _US_PER_MS = 1_000_000, 1000
_SETTING_ASIDE = ("same", "reject", "ignore")
_NOT_UP = "The simulated table did not start in time: try again when this machine has less to do."
_NO_TIME = "The machine was too slow for the time that the demo has: some of it was not done on the table."

T = TypeVar("T")
Question: TypeAlias = Proposal | Mismatch


class Wait(NamedTuple):
    """Wait until something is so, but not longer than this. Who yields it is told whether it came to be."""

    until: Callable[[], bool]
    seconds: float


Acts: TypeAlias = Generator[Wait, bool, T]


def pause(seconds: float) -> Acts[None]:
    """Let time pass."""
    yield Wait(lambda: False, seconds)


class Front(Protocol):
    """Where the evening is shown, and how it is touched there."""

    chronicle: Chronicle

    @property
    def lookout(self) -> Lookout | None:
        """Who watches the table, once somebody does."""

    def begin(self) -> Acts[None]:
        """Take the game up."""

    def turn_to(self, chapter: Chapter) -> None:
        """A new part begins."""

    def say(self, caption: str, at: Scene) -> Acts[None]:
        """Tell what happens next, and turn to where it does."""

    def look(self, step: Look) -> Acts[None]:
        """Show something for a while."""

    def call(self, proposal: Proposal) -> Acts[None]:
        """An accident was called: show it."""

    def answer(self, question: Question, answer: Answer) -> Acts[None]:
        """Answer a question."""

    def move(self, action: Action) -> Acts[None]:
        """Make a move on the game's own screen."""

    def book(self, action: Action) -> Acts[None]:
        """Book by hand what was done on the table."""


class Playing:
    """One evening. `tick` until it tells that it is over; it raises DeviceLost when the table does not start."""

    def __init__(self, front: Front, now_us: Callable[[], int], script: Sequence[Chapter] = EVENING) -> None:
        self._front = front
        self._now_us = now_us
        self._script = script
        self._by_s = 0.0
        self._began_us = now_us()
        self._left_out: set[tuple[int, str]] = set()
        """Towers at which something was not done: nothing more is built there, as the pieces under it are missing."""
        self._hands = Hands(lambda: front.lookout, front.chronicle, now_us)
        self._acts = self._evening()
        self._wait = Wait(lambda: True, 0.0)
        self._wait_ends_us = 0
        self._begun = False
        self.over = False

    @property
    def at_s(self) -> float:
        """How long it has been playing."""
        return (self._now_us() - self._began_us) / _US_PER_S

    def tick(self) -> bool:
        """Time has passed. Whether there is more to come."""
        self._hands.listen()
        self._look_after()
        while not self.over:
            came = self._wait.until()
            if not came and self._now_us() < self._wait_ends_us:
                return True
            self._go_on(came)
        return False

    def _go_on(self, came: bool) -> None:
        try:
            self._wait = self._acts.send(came) if self._begun else next(self._acts)
            self._begun = True
            self._wait_ends_us = self._now_us() + round(self._wait.seconds * _US_PER_S)
        except StopIteration:
            self.over = True
            self._front.chronicle.took_s = self.at_s

    def _look_after(self) -> None:
        """What is wrong with the senses themselves is told, too, once they should be there."""
        for sense in self._front.lookout.health if self._front.lookout and self._by_s else ():
            if sense.says and (sense.state == "lost" or sense.sense == "sensing"):
                self._front.chronicle.note(sense.says)

    # The script

    def _evening(self) -> Acts[None]:
        yield from self._front.begin()
        if not (yield Wait(self._is_up, _READY_S)):
            raise DeviceLost(_NOT_UP)
        yield Wait(self._has_looked, _FIRST_LOOK_S)
        up_s = self.at_s
        for chapter in self._script:
            self._by_s = up_s + chapter.by_s
            self._front.turn_to(chapter)
            for step in chapter.steps:
                yield from self._set_aside(self._alarms() if isinstance(step, Look | Moves) else self._open())
                yield from self._front.say(step.caption, self._scene(step))
                yield from self._played(step)

    def _scene(self, step: Step) -> Scene:
        """Where a step is to be seen."""
        if isinstance(step, Look):
            return step.at
        return "table" if isinstance(step, Act | Tidy) and self._in_time() else "game"

    def _is_up(self) -> bool:
        lookout = self._front.lookout
        return lookout is not None and lookout.desk is not None

    def _has_looked(self) -> bool:
        table = self._front.lookout.table if self._front.lookout else None
        boards = table.reading.boards if table is not None else ()
        return any(tower.levels is not None for board in boards for tower in board.towers)

    def _played(self, step: Step) -> Acts[None]:
        if isinstance(step, Look):
            yield from self._front.look(step)
        elif isinstance(step, Moves):
            for action in step.moves:
                yield from self._front.move(action) if self._in_time() else self._front.book(action)
        elif isinstance(step, Tidy):
            yield from self._tidy(step)
        else:
            yield from self._act(step)

    def _tidy(self, step: Tidy) -> Acts[None]:
        if self._in_time() and self._hands.tell(step.hand):
            yield Wait(lambda: self._hands.idle, _HAND_S + _PIECE_S)
            yield from pause(_SETTLE_S)
        yield from self._set_aside(self._open(), meant=True)

    def _in_time(self) -> bool:
        return self.at_s < self._by_s

    # An act

    def _act(self, step: Act) -> Acts[None]:
        place = (step.seat, getattr(step.move, "tower", ""))
        in_time = self._in_time() and place not in self._left_out
        if not (in_time and self._hands.tell(step.hand)):
            if not in_time:
                self._front.chronicle.note(_NO_TIME)
            if place[1]:  # what is built on towers that stand otherwise would be told wrongly
                self._left_out.add(place)
            self._write(step, "skipped", None)
            yield from self._front.book(step.move)
            return
        question = yield from self._awaited(step)
        answer = _fitting(question, step.move) if question else None
        if question is None or answer is None:
            yield from self._book_by_hand(step, question)
        else:
            yield from self._book(step, question, answer)

    def _awaited(self, step: Act) -> Acts[Question | None]:
        """The question that the act raises, as whole as it gets in its time. False calls on the way are answered."""
        ends_us = self._now_us() + round((_HAND_S + _PIECE_S * step.count + _SENSE_S) * _US_PER_S)
        while not self._is_decided(step):
            false = [] if step.kind == "collapse" else self._alarms()
            yield from self._set_aside(false)
            left_s = (ends_us - self._now_us()) / _US_PER_S
            if left_s <= 0:
                break
            yield Wait(lambda: self._is_decided(step) or (step.kind != "collapse" and bool(self._alarms())), left_s)
        return self._raised(step)

    def _is_decided(self, step: Act) -> bool:
        raised = self._raised(step)
        if raised is not None and _fitting(raised, step.move) and _count(raised) >= step.count:
            return True
        idle_us = self._hands.idle_us
        return idle_us is not None and self._now_us() - idle_us >= _SENSE_S * _US_PER_S

    def _raised(self, step: Act) -> Question | None:
        """The open question about this act: one that can be answered with it, else any of its kind."""
        about = [
            question for question in self._open()
            if question.event is not None and question.event.kind == step.kind and question.seat == step.seat
        ]  # fmt: skip
        return next((each for each in about if _fitting(each, step.move)), about[-1] if about else None)

    def _book(self, step: Act, question: Question, answer: Answer) -> Acts[None]:
        if step.kind == "collapse" and isinstance(question, Proposal):
            yield from self._front.call(question)
        booked = answer.actions[-1]
        rest = _rest(step.move, booked)
        verdict: Verdict = "doubtful" if rest or not answer.primary else "sensed"
        self._write(step, verdict, question)
        yield from self._front.answer(question, answer)
        if rest:
            yield from self._front.book(rest)

    def _book_by_hand(self, step: Act, question: Question | None) -> Acts[None]:
        self._write(step, "misread" if question else "missed", question)
        if question is not None:
            yield from self._set_aside([question])
        yield from self._front.book(step.move)

    def _write(self, step: Act, verdict: Verdict, question: Question | None) -> None:
        event = question.event if question else None
        self._front.chronicle.found.append(
            Found(
                at_s=self.at_s,
                did=step.caption,
                board=BOARDS[step.seat],
                kind=step.kind,
                verdict=verdict,
                told=_told(question),
                confidence=event.confidence if event else None,
                senses=tuple(sorted(event.evidence)) if event else (),
                latency_ms=self._latency_ms(step, question),
            )
        )

    def _latency_ms(self, step: Act, question: Question | None) -> float | None:
        """From the true contact, where the simulated table told it, to the moment the question was there."""
        if not isinstance(question, Proposal):
            return None
        contact_us = self._hands.contact_us(step.kind, question.board)
        if contact_us is None and question.count > 1:
            return None
        return (question.made_us - (contact_us or question.event.t_us)) / _US_PER_MS

    # Questions that nobody waits for

    def _open(self) -> list[Question]:
        return list(self._front.lookout.questions) if self._front.lookout else []

    def _alarms(self) -> list[Question]:
        """Calls that cover the screen."""
        return [each for each in self._open() if isinstance(each, Proposal) and each.urgent]

    def _set_aside(self, questions: Sequence[Question], *, meant: bool = False) -> Acts[None]:
        """Say no to what was not so, or is nothing in the game. A second call about one accident belongs to the first.

        `meant`: it was so, and nobody is to be blamed for asking.
        """
        for question in questions:
            answer = _setting_aside(question)
            if answer is not None:
                if answer.weight != "same" and not meant:
                    self._front.chronicle.note(f"Asked in vain, and answered so: {_told(question)}")
                yield from self._front.answer(question, answer)


def _setting_aside(question: Question) -> Answer | None:
    """The answer that sets a question aside most gently."""
    found = (answer for weight in _SETTING_ASIDE for answer in question.answers if answer.weight == weight)
    return next(found, None)


def _told(question: Question | None) -> str:
    if question is None:
        return ""
    return question.text if isinstance(question, Proposal) else question.sentence


def _count(question: Question) -> int:
    return question.count if isinstance(question, Proposal) else 1


def _fitting(question: Question, move: Action) -> Answer | None:
    """The answer that stands for a move, or for a part of it."""
    answers = (answer for answer in question.answers if answer.weight in ("book", "correct") and not answer.asks)
    return next((answer for answer in answers if answer.actions and is_alike(answer.actions[-1], move)), None)


def is_alike(one: Action, other: Action) -> bool:
    """Whether two moves are the same, whatever a tile's face shows and however many pillars it is about.

    >>> is_alike(PlacePillars(seat=0, tower="left", level=1, count=2), PlacePillars(seat=0, tower="left", level=1))
    True
    >>> is_alike(PlaceTile(seat=0, tower="left"), PlaceTile(seat=0, tower="right"))
    False
    """
    if isinstance(one, PlaceTile) and isinstance(other, PlaceTile):
        return (one.seat, one.tower) == (other.seat, other.tower)
    if isinstance(one, PlacePillars) and isinstance(other, PlacePillars):
        return (one.seat, one.tower, one.level) == (other.seat, other.tower, other.level)
    return one == other


def _rest(move: Action, booked: Action) -> Action | None:
    """What is left of a move when a part of it is booked."""
    if not isinstance(move, PlacePillars) or not isinstance(booked, PlacePillars) or booked.count >= move.count:
        return None
    return replace(move, count=move.count - booked.count)
