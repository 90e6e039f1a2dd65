"""What the game tells the detectors, as plain data: the phase, whose board is at turn, what may come and go there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.rules.castle_dukes import castle
from companion.rules.castle_dukes.phases import dragon_seat
from companion.rules.castle_dukes.state import TOWERS, Duke, State


def context(state: State, seats: Mapping[str, int]) -> dict[str, Any]:
    """The context of every board. `base_tiles` are the towers that may get theirs now: a tile there is no collapse.

    `removing`: the dragon takes pieces from this castle now. `rearranging`: it is being put right after an accident, or
    on purpose.
    """
    boards = {board: _board(state, seat) for board, seat in seats.items() if seat < len(state.dukes)}
    return {"phase": state.phase, "boards": boards}


def _board(state: State, seat: int) -> dict[str, Any]:
    duke = state.dukes[seat]
    return {
        "seat": seat,
        "at_turn": at_turn(state, seat),
        "base_tiles": list(_base_tiles(duke)),
        "removing": losing(state, seat),
        "rearranging": duke.rearranging,
    }


def at_turn(state: State, seat: int) -> bool:
    """Whether this seat may change its castle now by the rules."""
    duke = state.dukes[seat]
    if duke.rearranging:
        return True
    if state.phase == "building":
        return duke.stage != "done"
    if state.phase == "guests":
        return state.visit is not None and seat in state.visit.seats
    return losing(state, seat)


def losing(state: State, seat: int) -> bool:
    """Whether the dragon takes pieces from this castle now (rulebook, FAQ, Extra Item Removal)."""
    attack = state.dukes[seat].attack
    if state.phase != "dragon" or attack is None:
        return False
    if state.options.detail == "light":
        return dragon_seat(state) is not None and len(attack.resolved) < attack.damage
    return attack.owed is not None or (bool(attack.resolved) and dragon_seat(state) == seat)


def _base_tiles(duke: Duke) -> Iterator[str]:
    """The towers without a base tile, while there is a tile in hand. A light game does not know, and expects none."""
    if duke.held.get("tile") or duke.loose.get("tile"):
        yield from (tower for tower in TOWERS if not castle.tower(duke.castle, tower))
