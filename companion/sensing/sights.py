"""What the eye says of a board, beside falls and heights: pieces that came and went, looks, and trouble."""

from __future__ import annotations

from dataclasses import dataclass

from companion.sensing.falling import Fallen
from companion.sensing.readings import Height
from companion.sensing.streams import LONG_AGO_US
from companion.sensing.told import Expected


@dataclass(frozen=True, eq=False)
class Seen:
    """A piece that came or went, as the eye saw it; one that lay about after a fall or was put aside is of no tower."""

    came: bool
    board: str
    tower: str | None
    level: int | None
    like: dict[str, float]
    t_us: int
    decided_us: int
    score: float


@dataclass(frozen=True, eq=False)
class Trouble:
    """Something about the picture itself."""

    what: str
    t_us: int


@dataclass(frozen=True, eq=False)
class Looked:
    """The board was looked at while nothing moved: what was expected since the last look and `unseen` is not there.

    With towers that were read `anew` the castle is as it stands now, whatever was expected. Nothing moved over the
    board since `calm_us`.
    """

    board: str
    t_us: int
    unseen: tuple[Expected, ...]
    anew: bool = False
    calm_us: int = LONG_AGO_US


Sight = Seen | Fallen | Height | Trouble | Looked
