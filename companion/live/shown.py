"""What the live table shows of itself: how its senses are, and what they read on each board just now."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

SenseState = Literal["ready", "starting", "lost", "off"]
SenseKind = Literal["table", "camera", "scales", "sensing", "recording", "log"]


class SenseHealth(Struct, frozen=True, kw_only=True):
    """One sense: the camera, or the scales under one board; or what stands behind them, where something is the matter.

    `says` is one sentence, with what people can do after it where whoever is concerned says so; else `remedy` may.
    """

    name: str
    sense: SenseKind = "table"
    board: str = ""
    state: SenseState
    says: str = ""
    remedy: str = ""
    rate_hz: float | None = None


def parted(says: str) -> tuple[str, str]:
    """The first sentence, and what follows it.

    >>> parted("It is dark. Turn on a light.")
    ('It is dark.', 'Turn on a light.')
    """
    first, stop, rest = says.partition(". ")
    return (f"{first}.", rest) if stop else (says, "")


class TowerReading(Struct, frozen=True, kw_only=True):
    """A tower as it is read now. `outline` holds pixels of the newest picture around it, nothing without a camera."""

    tower: str
    levels: int | None = None
    top_mm: float | None = None
    outline: tuple[tuple[float, float], ...] = ()


class BoardReading(Struct, frozen=True, kw_only=True):
    """A board as it is read now: its load in grams where it has scales, and its towers."""

    board: str
    seat: int | None = None
    grams: float | None = None
    towers: tuple[TowerReading, ...] = ()
    outline: tuple[tuple[float, float], ...] = ()


class Reading(Struct, frozen=True, kw_only=True):
    """All boards at one moment of the table's clock."""

    t_us: int
    boards: tuple[BoardReading, ...] = ()
