"""What a game is worth to each seat, line by line, and who won by what."""

from __future__ import annotations

from msgspec import Struct


class Line(Struct, frozen=True, kw_only=True):
    """One line of a score sheet: how many of what, worth how much, and why."""

    seat: int
    key: str
    label: str
    count: int
    points: int
    why: str


class TieBreak(Struct, frozen=True, kw_only=True):
    """What is compared when totals are equal: the greater value is ahead."""

    label: str
    values: tuple[int, ...]


class ScoreSheet(Struct, frozen=True, kw_only=True):
    """Every line of every seat. Seats are in table order; an automatic opponent is the last."""

    names: tuple[str, ...]
    lines: tuple[Line, ...]
    tie_breaks: tuple[TieBreak, ...] = ()

    def total(self, seat: int) -> int:
        return sum(line.points for line in self.lines if line.seat == seat)

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(self.total(seat) for seat in range(len(self.names)))

    @property
    def keys(self) -> tuple[str, ...]:
        """The categories, in the order they are scored."""
        return tuple(dict.fromkeys(line.key for line in self.lines))


class Outcome(Struct, frozen=True, kw_only=True):
    """How it ended. `ranking` lists groups of seats from first to last; a group shares its place."""

    winners: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    decided_by: str
    text: str
    verdict: str = ""
