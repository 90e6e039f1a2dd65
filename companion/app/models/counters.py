"""The numbers people watch: their change of the last seconds, and how a hand on + or - sets them right.

A game that maps its counters says so in `NUDGES`: a move of the game where it has one, a correction otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.base import Action, Correction
from companion.rules.castle_dukes.actions import SetDials
from companion.rules.castle_dukes.state import RATINGS
from companion.rules.castle_dukes.state import State as DukesState
from companion.rules.table import Counter

SHOWN_NS = 5_000_000_000
Key = tuple[int | None, str]


class CounterView(Struct, frozen=True, kw_only=True):
    """A number and how it changed in the last 5 s. `plus` and `minus` are what to touch, where that is possible."""

    key: str
    label: str
    value: int
    change: int = 0
    limit: int | None = None
    group: str = ""
    plus: str = ""
    minus: str = ""


class Changes:
    """What changed lately, counter by counter."""

    def __init__(self) -> None:
        self._lately: dict[Key, tuple[int, int]] = {}

    def note(self, before: Iterable[Counter], after: Iterable[Counter], now_ns: int) -> None:
        """Compare two pictures. What changes again within the time shown adds up."""
        old = {(counter.seat, counter.key): counter.value for counter in before}
        for counter in after:
            key = (counter.seat, counter.key)
            if change := counter.value - old.get(key, counter.value):
                self._lately[key] = (self.of(key, now_ns) + change, now_ns)

    def of(self, key: Key, now_ns: int) -> int:
        """How a counter changed in the last 5 s."""
        change, since_ns = self._lately.get(key, (0, 0))
        return change if now_ns - since_ns < SHOWN_NS else 0


Nudge = Callable[[Any, Counter, int], Action | None]
"""What a touch on + (1) or - (-1) of a counter does in a state, or None where it does nothing."""


def nudged(game: str, state: Any, counter: Counter, by: int) -> Action | None:
    """The move or correction that makes a counter one more or one less, if there is one."""
    after = counter.value + by
    if game not in NUDGES or after < 0 or (counter.limit is not None and after > counter.limit):
        return None
    action = NUDGES[game](state, counter, by)
    if isinstance(action, Correction) and counter.seat is not None and counter.seat < len(state.seats):
        return replace(action, why=f"{state.seats[counter.seat]}: {action.why}")
    return action


def set_right(counter: Counter, path: str, by: int) -> Correction:
    """A correction of the number at a path."""
    return Correction(why=f"{counter.label} {by:+d}", set={path: counter.value + by})


_DUKES_FIELDS = {"coins": "coins", "crumbles": "crumbles", "vines": "vines_dropped"}


def _castle_dukes(state: DukesState, counter: Counter, by: int) -> Action | None:
    """Coins, tokens and vines lie there to be counted; dials follow the castle, or the hand in a light game."""
    if counter.seat is None:
        return None
    if counter.seat >= len(state.dukes):
        return set_right(counter, f"ai/{counter.key}", by) if counter.key in RATINGS else None
    if counter.key in _DUKES_FIELDS:
        return set_right(counter, f"dukes/{counter.seat}/{_DUKES_FIELDS[counter.key]}", by)
    if counter.key in RATINGS and state.options.detail == "light":
        dials = replace(state.dukes[counter.seat].dials, **{counter.key: counter.value + by})
        return SetDials(seat=counter.seat, dials=dials)
    return None


def _stored(paths: dict[str, str], step: int = 1) -> Nudge:
    """Counters that lie in the state as they are shown: `{seat}` stands for the seat in a path."""

    def nudge(state: Any, counter: Counter, by: int) -> Action | None:
        path = paths.get(counter.key, "").format(seat=counter.seat)
        stored = counter.seat is not None and counter.seat < len(state.seats)
        if not stored or _lying_at(state, path) != counter.value or counter.value + by * step < 0:
            return None
        return set_right(counter, path, by * step)

    return nudge


def _lying_at(value: Any, path: str) -> object:
    """What lies at a path of a state, or None."""
    for key in path.split("/"):
        if isinstance(value, tuple):
            value = value[int(key)]
        else:
            value = value.get(key) if isinstance(value, dict) else getattr(value, key, None)
    found: object = value
    return found


_DICE_RESOURCES = ("wood", "stone", "gold", "land", "iron")
_DICE_ANIMALS = ("horse", "pig", "cow", "chicken")
_MARKS_STEP = 1000

NUDGES: dict[str, Nudge] = {
    "castle-dukes": _castle_dukes,
    "castle-for-all-seasons": _stored({key: f"builders/{{seat}}/{key}" for key in ("points", "talers")}),
    "mad-king-ludwig": _stored({"marks": "players/{seat}/marks"}, _MARKS_STEP),
    "castle-dice": _stored(
        {key: f"players/{{seat}}/resources/{key}" for key in _DICE_RESOURCES}
        | {key: f"players/{{seat}}/animals/{key}" for key in _DICE_ANIMALS}
    ),
    "castle-builder": _stored({"coins": "barons/{seat}/coins"}),
}
