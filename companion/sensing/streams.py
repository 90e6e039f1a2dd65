"""What flows through sensing: samples and frames in, sensed events out, all on one monotonic clock."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from typing import Any, Literal, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

Image: TypeAlias = npt.NDArray[np.uint8]
"""Rows of pixels: (height, width, 3) in OpenCV's order blue, green, red."""

LONG_AGO_US = -(1 << 62)
"""Before any recording: times may begin anywhere."""

Sense = Literal["scales", "camera"]
Kind = Literal["placed", "removed", "collapse", "height", "bump", "fault"]


class Flag(IntFlag):
    """What a scale module says about a sample, as it stands on the wire and in scales.csv."""

    TIMEOUT = 1
    SATURATED = 2
    SETTLING = 4
    DESYNC = 8


class ScaleSample(msgspec.Struct, frozen=True, array_like=True):
    """One reading of a board: raw counts of its cells, None where a channel was not valid."""

    t_us: int
    board: str
    counts: tuple[int | None, ...]
    flags: Flag = Flag(0)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table."""

    t_us: int
    index: int
    image: Image


class Sensed(msgspec.Struct, frozen=True, kw_only=True):
    """One physical event: when it happened, when it was decided, and on what evidence.

    `t_us` is when it happened, `decided_us` the time of the last sample or frame the decision used.
    Fields that do not apply are None. `evidence` holds a confidence for each sense that was used.
    """

    kind: Kind
    t_us: int
    decided_us: int
    board: str | None = None
    tower: str | None = None
    level: int | None = None
    piece: str | None = None
    grams: float | None = None
    confidence: float = 1.0
    evidence: dict[Sense, float] = {}
    top_mm: float | None = None
    what: str | None = None
    device: str | None = None

    def line(self) -> str:
        """The event as `companion watch --json` prints it: one JSON object, the optional extras only where known."""
        shown: dict[str, Any] = msgspec.to_builtins(self)
        for extra in _ONLY_WHERE_KNOWN:
            if shown[extra] is None:
                del shown[extra]
        return msgspec.json.encode(shown).decode()


_ONLY_WHERE_KNOWN = ("top_mm", "what", "device")
