"""Names for what is recorded: by the moment it began, and never over something that is there."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

_NS_PER_S = 1_000_000_000
_STAMP = "%Y-%m-%d-%H%M%S"


def dated(folder: Path, what: str, wall_ns: int) -> Path:
    """A place in a folder where nothing is yet.

    >>> dated(Path("nowhere"), "call", 0).name
    'call-1970-01-01-000000'
    """
    name = f"{what}-{datetime.fromtimestamp(wall_ns / _NS_PER_S, UTC).strftime(_STAMP)}"
    place, number = folder / name, 2
    while place.exists():
        place, number = folder / f"{name}-{number}", number + 1
    return place
