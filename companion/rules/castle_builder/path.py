"""The path around the market board: where a baron's steps lead, and what lies on the way."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from companion.rules.castle_builder.state import Space, State

START_AREAS = 4
_LEAST_AREAS = 8
_FIRST_STEPPING_LEVEL = 2


class Journey(Struct, frozen=True, kw_only=True):
    """A baron's move before it is made: every area entered, in order, and how often it glided or a ruby pushed it."""

    start: int
    trail: tuple[int, ...]
    glides: int
    pushes: int
    coins: int
    tile: bool

    @property
    def end(self) -> int:
        return self.trail[-1] if self.trail else self.start


def steps_for(level: int, rubies: int) -> int:
    """How far a tile moves the baron (Moving the Baron): the first level not at all."""
    return level + rubies if level >= _FIRST_STEPPING_LEVEL else 0


def journey(path: Sequence[Space], occupied: Collection[int], start: int, steps: int) -> Journey:
    """Walk: count every area, glide on from where another baron stands, go one further from a ruby.

    >>> board = ("start", "start", "start", "start", "ruby", "coin", "tile", "plain")
    >>> journey(board, {2, 3}, 0, 2).trail
    (1, 2, 3, 4, 5)
    """
    trail: list[int] = []
    glides = pushes = 0
    at, left = start, steps
    while left > 0 and len(trail) <= steps + START_AREAS * len(path):
        at = (at + 1) % len(path)
        trail.append(at)
        left -= 1
        if left == 0 and at in occupied:
            glides, left = glides + 1, 1
        elif left == 0 and path[at] == "ruby":
            pushes, left = pushes + 1, 1
    coins = sum(path[area] == "coin" for area in trail)
    return Journey(
        start=start, trail=tuple(trail), glides=glides, pushes=pushes, coins=coins,
        tile=bool(trail) and path[at] == "tile",
    )  # fmt: skip


def journey_of(state: State, seat: int, steps: int) -> Journey:
    """Where a seat's baron would go from where everyone stands now."""
    others = {baron.space for other, baron in enumerate(state.barons) if other != seat}
    return journey(state.path, others, state.barons[seat].space, steps if state.path else 0)


def starts(path: Sequence[Space]) -> tuple[int, ...]:
    """The start areas 1 to 4."""
    return tuple(area for area, space in enumerate(path) if space == "start")


def path_fault(path: Sequence[Space]) -> str:
    """Why this cannot be the path of the board, or nothing."""
    if len(path) < _LEAST_AREAS:
        return f"A path has at least {_LEAST_AREAS} areas, not {len(path)}."
    if len(starts(path)) != START_AREAS or path[0] != "start":
        return f"A path has {START_AREAS} start areas and is laid out from the one numbered 1."
    if "coin" not in path:
        return "A path has at least one coin area."
    return ""


def preview(state: State, seat: int, steps: int) -> str:
    """What steps will bring, in words: `3 steps to area 9: a coin`."""
    if not steps:
        return "no steps"
    ahead = journey_of(state, seat, steps)
    brings = ", ".join(part for part in (coins_text(coins_due(state, ahead)), "a tile" if ahead.tile else "") if part)
    return f"{steps} steps to {area(ahead.end)}{f': {brings}' if brings else ''}"


def coins_due(state: State, ahead: Journey) -> int:
    """How many coins a move gives (ruling.every-coin-area)."""
    return ahead.coins if state.options.every_coin else min(1, ahead.coins)


def coins_text(coins: int) -> str:
    if coins < 2:
        return "a coin" if coins else ""
    return f"{coins} coins"


def area(number: int) -> str:
    """An area as people count them, from start area 1."""
    return f"area {number + 1}"
