"""What every tally typed in by hand must have: as many players as the box is for, each with a name of its own."""

from __future__ import annotations

from collections.abc import Sequence

from companion.errors import Malformed

SEAT_NAMES = ("North", "East", "South", "West")
"""Names to fill in."""
_NAME_LENGTH = 40


def check_players(title: str, players: tuple[int, int], count: int) -> None:
    """Malformed when a box is not for so many."""
    low, high = players
    if not low <= count <= high:
        raise Malformed(f"{title} is for {low} to {high} players, not {count}.")


def check_names(names: Sequence[str]) -> None:
    """Malformed unless every name is there, and there once."""
    if len(set(names)) < len(names) or not all(name.strip() and len(name) <= _NAME_LENGTH for name in names):
        raise Malformed(f"Each player needs a name of its own, 1 to {_NAME_LENGTH} characters long.")
