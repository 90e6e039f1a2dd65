"""A second opinion on every step: what changed on a mat against the changes that the facts told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.rules.base import Fact
from companion.rules.castle_dice.state import ANIMALS, RESOURCES, Player, State

Told = Counter[tuple[int | None, str]]
"""The changes the facts of a step tell, by seat and what."""


def faults(before: State, after: State, facts: Sequence[Fact]) -> Iterator[str]:
    """What does not add up in a step."""
    told: Told = Counter()
    for fact in facts:
        told[fact.seat, fact.what] += fact.change
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        if old is not new:
            yield from _mat_faults(after.names[seat], seat, mat(old), mat(new), told)


def mat(player: Player) -> dict[str, int]:
    """What stands on a mat, piece by piece."""
    pieces: dict[str, int] = {resource: player.resources[resource] for resource in RESOURCES}
    pieces |= {animal: player.animals[animal] for animal in ANIMALS}
    pieces |= {"worker": player.workers, "farmer": player.farmers, "merchant": player.merchants}
    return {**pieces, "guard": len(player.guards)}


def _mat_faults(name: str, seat: int, old: dict[str, int], new: dict[str, int], told: Told) -> Iterator[str]:
    for what, stands in new.items():
        if stands - old[what] != told[seat, what]:
            yield f"{name}'s {what} changed by {stands - old[what]}; {told[seat, what]:+} was told."
