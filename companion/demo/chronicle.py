"""What became of the evening: each act with what the senses made of it, pictures, and all that went amiss.

Nothing is left out: a miss is told as a miss.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.sensing.streams import Kind, Sense

Verdict = Literal["sensed", "doubtful", "misread", "missed", "skipped"]
"""What the senses made of an act.

`sensed`: as it was. `doubtful`: right among the answers, not the first of them, or in part. `misread`: as something
else. `missed`: not at all. `skipped`: it was not done, for want of time or of a hand.
"""
VERDICTS: dict[Verdict, str] = {
    "sensed": "sensed",
    "doubtful": "with doubts",
    "misread": "misread",
    "missed": "missed",
    "skipped": "not done",
}


class Found(Struct, frozen=True, kw_only=True):
    """One act and what was made of it. `latency_ms` is from the contact on the table to the question on the desk."""

    at_s: float
    did: str
    board: str
    kind: Kind
    verdict: Verdict
    told: str = ""
    confidence: float | None = None
    senses: tuple[Sense, ...] = ()
    latency_ms: float | None = None

    @property
    def by_hand(self) -> bool:
        """Whether it had to be booked by hand."""
        return self.verdict in ("misread", "missed", "skipped")


class Shot(Struct, frozen=True, kw_only=True):
    """A picture, as the file of that name, and what it shows."""

    name: str
    title: str
    data: bytes


class Moment(Struct, frozen=True, kw_only=True):
    """A moment of the story: what was said, and the pictures that were taken. With a `title` a part begins."""

    at_s: float
    caption: str = ""
    title: str = ""
    shots: tuple[Shot, ...] = ()


class Chronicle:
    """Written while the demo plays."""

    def __init__(self) -> None:
        self.story: list[Moment] = []
        self.found: list[Found] = []
        self.notes: list[str] = []
        self.took_s = 0.0

    def note(self, sentence: str) -> None:
        """Something that was not as it should be. Said once, however often it happens."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    @property
    def sensed(self) -> int:
        """How many acts the senses found."""
        return sum(not found.by_hand for found in self.found)

    @property
    def call_ms(self) -> float | None:
        """How long after the contact the accident was called."""
        return next((found.latency_ms for found in self.found if found.kind == "collapse"), None)

    @property
    def summary(self) -> str:
        """The senses' evening in a sentence."""
        found, acts, after = self.sensed, len(self.found), self.call_ms
        if after is None:
            return f"The senses found {found} of {acts} acts by themselves."
        return f"The senses found {found} of {acts} acts by themselves, and called the accident after {after:.0f} ms."
