"""A fall in slow motion: what camera and scales kept of it, on a clock that can be stopped, turned and played again."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from companion.sensing.evidence import Evidence

QUARTER_SPEED = 0.25
BEFORE_S = 2.0
AFTER_S = 1.0
"""The three seconds that are kept: most of them lead up to the contact."""

_LEAD_S = 0.8
"""Playing begins so long before the contact; a finger reaches what was earlier."""
_US_PER_S = 1_000_000
_LEAST_US = 100_000


class Footage(Struct, frozen=True, kw_only=True):
    """The pictures and the trace of one board around a contact. Either may be missing, or both."""

    contact_us: int
    frames: tuple[tuple[int, bytes], ...] = ()
    trace: tuple[tuple[int, float], ...] = ()

    @property
    def span_us(self) -> tuple[int, int]:
        """From its first moment to its last; never shorter than a blink."""
        times = [t_us for t_us, _ in (*self.frames[:1], *self.trace[:1], *self.frames[-1:], *self.trace[-1:])]
        first, last = min(times, default=self.contact_us), max(times, default=self.contact_us)
        first = min(first, self.contact_us)
        return first, max(last, self.contact_us, first + _LEAST_US)


def footage(evidence: Evidence) -> Footage:
    """The three seconds around an event, on its own board."""
    event = evidence.event
    first, last = event.t_us - round(BEFORE_S * _US_PER_S), event.t_us + round(AFTER_S * _US_PER_S)
    known = any(board.id == event.board for board in evidence.plan.boards)
    trace = evidence.force_g() if known else []
    return Footage(
        contact_us=event.t_us,
        frames=tuple((picture.t_us, picture.jpeg) for picture in evidence.pictures if first <= picture.t_us <= last),
        trace=tuple((t_us, grams) for t_us, grams in trace if first <= t_us <= last),
    )


class Replay:
    """Footage that plays. It begins shortly before the contact, runs to its end once, and rests on the contact."""

    def __init__(self, footage: Footage, speed: float = QUARTER_SPEED) -> None:
        self.footage = footage
        self.speed = speed
        self.playing = True
        self.at_us = float(footage.contact_us)
        self.again()

    @property
    def start_us(self) -> int:
        return self.footage.span_us[0]

    @property
    def end_us(self) -> int:
        return self.footage.span_us[1]

    @property
    def share(self) -> float:
        """How far on it is, from 0 to 1."""
        return self.share_of(self.at_us)

    @property
    def contact_share(self) -> float:
        """Where the contact is, from 0 to 1."""
        return self.share_of(self.footage.contact_us)

    def share_of(self, t_us: float) -> float:
        start, end = self.footage.span_us
        return min(1.0, max(0.0, (t_us - start) / (end - start)))

    @property
    def frame(self) -> int | None:
        """The number of the picture that shows now: the last one taken by then."""
        times = [t_us for t_us, _ in self.footage.frames]
        return max(0, bisect_right(times, self.at_us) - 1) if times else None

    @property
    def after_ms(self) -> int:
        """Milliseconds after the contact; before it they are negative."""
        return round((self.at_us - self.footage.contact_us) / 1000)

    def extended(self, footage: Footage) -> None:
        """More of it has come: it goes on where it is."""
        self.footage = footage

    def again(self) -> None:
        """From shortly before the contact."""
        self.at_us = max(float(self.start_us), self.footage.contact_us - _LEAD_S * _US_PER_S)
        self.playing = True

    def turn_over(self) -> None:
        """Stop, or go on; at the end, play again."""
        if not self.playing and self.at_us >= self.end_us:
            self.again()
        else:
            self.playing = not self.playing

    def scrub(self, share: float) -> None:
        """A finger leads: stop at that share of the whole."""
        start, end = self.footage.span_us
        self.playing = False
        self.at_us = start + min(1.0, max(0.0, share)) * (end - start)

    def tick(self, seconds: float) -> bool:
        """Time has passed. Tells whether anything moved."""
        if not self.playing:
            return False
        self.at_us += seconds * self.speed * _US_PER_S
        if self.at_us >= self.end_us:
            self.playing = False
            self.at_us = float(self.footage.contact_us)
        return True
