"""A call: something fell. Whose it is, what can be answered, and the fall itself to be watched again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.app.models.framing import Point, View, framed
from companion.app.models.model import Translate, plain
from companion.app.models.replay import Replay

if TYPE_CHECKING:
    from companion.app.models.lookout import Lookout
    from companion.live.proposals import Answer, Proposal

Shown = Literal["both", "picture", "trace", "nothing"]
"""What there is to watch."""

_SENSES = {
    frozenset({"scales", "camera"}): "Seen and felt",
    frozenset({"camera"}): "Seen",
    frozenset({"scales"}): "Felt",
}
_WHOLE_S = 1.8
"""So long after a call, all that followed the contact has been kept: a second and a half of it."""


def rehearsal(name: str, board: str = "", t_us: int = 0) -> Proposal:
    """A call about nothing, with the words of most; what is kept of that board and time is what there is to watch."""
    from companion.live.proposals import Answer, Proposal
    from companion.sensing.streams import Sensed

    answers = (
        Answer(id="book", label="Crumble token", weight="book", primary=True),
        Answer(id="same", label="Same accident", weight="same"),
        Answer(id="reject", label="Not a collapse", weight="reject"),
        Answer(id="later", label="Later", weight="later"),
    )
    nothing = Sensed(kind="collapse", t_us=t_us, decided_us=t_us, board=board, evidence={"scales": 1.0, "camera": 1.0})
    return Proposal(
        id="", kind="collapse", seat=0, board=board, title="", text=f"Something fell on {name}'s board.", event=nothing,
        answers=answers, made_us=0, expires_us=None, urgent=True,
    )  # fmt: skip


class AnswerView(Struct, frozen=True, kw_only=True):
    """A button of the call."""

    id: str
    label: str
    weight: str
    primary: bool


class CallModel:
    """One call, from its alarm to its answer. `tick` plays the replay, and fetches the rest of it once it has come."""

    def __init__(self, lookout: Lookout, proposal: Proposal, names: tuple[str, ...], t: Translate = plain) -> None:
        self.t = t
        self.proposal = proposal
        self._lookout = lookout
        self._names = names
        self._up_s = 0.0
        self._whole = False
        self.replay = Replay(lookout.footage(proposal))

    @property
    def seat(self) -> int:
        return self.proposal.seat

    @property
    def name(self) -> str:
        return self._names[self.seat] if self.seat < len(self._names) else ""

    @property
    def text(self) -> str:
        """What was sensed, in a sentence."""
        return self.t(self.proposal.text)

    @property
    def spoken(self) -> str:
        """What is read out."""
        return self.t(self.proposal.title)

    @property
    def by(self) -> str:
        """Which senses said so, and how sure they are."""
        event = self.proposal.event
        said = _SENSES.get(frozenset(event.evidence))
        return f"{self.t(said)}: {event.confidence:.0%}" if said else ""

    @property
    def shown(self) -> Shown:
        footage = self.replay.footage
        if footage.frames:
            return "both" if footage.trace else "picture"
        return "trace" if footage.trace else "nothing"

    def view(self, wide: float, shape: Point) -> View | None:
        """The part of a picture that wide to show in a place of this shape: the board that the call is about.

        None for all of it, where nobody has found that board. Kept pictures may be smaller than the camera's.
        """
        table = self._lookout.table
        camera = table.plan.camera if table is not None else None
        if table is None or camera is None:
            return None
        boards = tuple(each for each in table.reading.boards if each.board == self.proposal.board)
        found = framed(replace(table.reading, boards=boards), (camera.width, camera.height), shape)
        if found is None:
            return None
        left, top, across, down = (length * wide / camera.width for length in found)
        return left, top, across, down

    @property
    def answers(self) -> tuple[AnswerView, ...]:
        return tuple(self._view(answer) for answer in self.proposal.answers)

    def _view(self, answer: Answer) -> AnswerView:
        return AnswerView(
            id=answer.id,
            label=self.t(answer.label),
            weight=answer.weight,
            primary=answer.primary,
        )

    def tick(self, seconds: float) -> bool:
        """Time has passed. Tells whether the replay moved."""
        self._up_s += seconds
        if not self._whole and self._up_s >= _WHOLE_S:
            self._whole = True
            self.replay.extended(self._lookout.footage(self.proposal))
        return self.replay.tick(seconds)

    @property
    def whole(self) -> bool:
        """Whether all that followed the contact is in the replay."""
        return self._whole
