"""What the desk lays before people: proposals, what is out of step, what was decided. Frozen, without a screen.

Sensors propose, people dispose: an event becomes a Proposal with answers, each answer says which actions it stands for.
Words are English; whoever shows them translates.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.live.policies import Kind
from companion.rules.base import Action, Fact
from companion.rules.table import Ask, Choice
from companion.sensing.streams import Sensed

Weight = Literal["book", "same", "exempt", "reject", "later", "undo", "correct", "wait", "ignore"]
"""What an answer does.

`book`: do it by the rules. `same`: part of an accident told before. `exempt`: no penalty by the rules. `reject`: it
was not so. `later`: ask again. `undo`: take back the booking of the piece that was taken back. `correct`: do it
although the rules say no. `wait`: people put the table right. `ignore`: set aside.
"""
Ending = Literal["known", "withdrawn"]
"""How a question ends by itself: the game knows it already, or the table took it back."""
By = Literal["people", "policy", "table"]
Why = Literal["levels", "vetoed", "unanswered"]


class Answer(Struct, frozen=True, kw_only=True):
    """One way to answer. With `asks` it is not whole: what they ask for must be told along with it.

    The `primary` answer is the likeliest, where one is; the policy `auto` takes that one.
    """

    id: str
    label: str
    weight: Weight
    actions: tuple[Action, ...] = ()
    primary: bool = False
    asks: tuple[Ask, ...] = ()

    @property
    def choice(self) -> Choice | None:
        """The move as a choice of the rules, for whatever asks people what is missing."""
        return Choice(label=self.label, action=self.actions[-1], asks=self.asks) if self.actions else None


class Question(Struct, frozen=True, kw_only=True):
    """What to ask about an event as the game stands. `vetoed`: the rules allow nothing that fits it."""

    title: str
    text: str
    answers: tuple[Answer, ...]
    vetoed: bool = False
    urgent: bool = False

    @property
    def primary(self) -> Answer | None:
        """The answer to take when nobody is asked."""
        return next((answer for answer in self.answers if answer.primary), None)


class Proposal(Struct, frozen=True, kw_only=True):
    """An open question about one event. An `urgent` one is a call: everybody should see it at once.

    `event` is the newest of the `count` events it stands for (pillars put up one by one are one proposal). Times are of
    the desk's clock; `expires_us` is None for a question that waits for as long as it takes.
    """

    id: str
    kind: Kind
    seat: int
    board: str
    title: str
    text: str
    event: Sensed
    answers: tuple[Answer, ...]
    made_us: int
    expires_us: int | None
    count: int = 1
    urgent: bool = False


class Mismatch(Struct, frozen=True, kw_only=True):
    """Where table and game are out of step, with the ways back.

    `levels`: a tower is read higher or lower than the game has it (`table` and `game` levels). `vetoed`: the rules
    allow nothing that fits the event. `unanswered`: a proposal nobody answered. `waiting`: people are putting the table
    right.
    """

    id: str
    why: Why
    seat: int
    board: str
    sentence: str
    answers: tuple[Answer, ...]
    tower: str | None = None
    table: int | None = None
    game: int | None = None
    event: Sensed | None = None
    waiting: bool = False


class Decided(Struct, frozen=True, kw_only=True):
    """What became of an event. `lines` are those it wrote in the game's history, `bound_to` is an earlier accident.

    `undone`: its lines stand no longer, or it was taken back; `asked_again` is the question that is open in its place.
    """

    id: str
    kind: Kind
    seat: int
    board: str
    title: str
    answer: str
    ending: Weight | Ending
    by: By
    event: Sensed
    count: int = 1
    lines: tuple[int, ...] = ()
    bound_to: str = ""
    undone: bool = False
    asked_again: str = ""


class Outcome(Struct, frozen=True, kw_only=True):
    """What came of an answer or an undo: what became true, or one sentence on why not with the rule that says so."""

    done: bool
    facts: tuple[Fact, ...] = ()
    says: str = ""
    rule: str = ""


class Note(Struct, frozen=True, kw_only=True):
    """Something worth a quiet line: a bump, a fault."""

    kind: Kind
    text: str
    t_us: int


class Measured(Struct, frozen=True, kw_only=True):
    """A tower as the senses read it last."""

    seat: int
    board: str
    tower: str
    levels: int
    top_mm: float | None
    event: Sensed


class Tallest(Struct, frozen=True, kw_only=True):
    """A castle's tallest tower: by the game (None in a light game before the count), and as measured."""

    seat: int
    game: int | None
    measured: int | None

    @property
    def agrees(self) -> bool:
        return self.game is None or self.measured is None or self.game == self.measured
