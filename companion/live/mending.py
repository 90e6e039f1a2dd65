"""Ways back into step: the moves and corrections with which the game takes the table's word.

Every way is tried on the state before it is offered, so what people can touch works. No piece is made or lost: what the
table has and the game knows nothing of is lent from the supply, what comes down goes where the rules put loose pieces.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from companion.errors import CompanionError, Refusal
from companion.rules.base import Action, Correction, Game, Referee
from companion.rules.castle_dukes import castle
from companion.rules.castle_dukes.actions import (
    ArmTop,
    FurnishRoom,
    PlaceBridge,
    PlacePillars,
    PlaceRoof,
    PlaceTile,
    Settle,
    TakeDown,
)
from companion.rules.castle_dukes.state import Item, State, TowerId
from companion.rules.castle_dukes.supply import added, amount, available, with_duke

Way = tuple[Action, ...]
"""Actions that are done one after the other."""

_CONTRADICTIONS = (CompanionError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError)
"""What the rules raise of a state that a correction has left without sense: there is no way on from it."""


class Road:
    """A way as it is found, step by step, with the state it has led to so far."""

    def __init__(self, game: Game[State], state: State) -> None:
        self._game = game
        self.state = state
        self.way: Way = ()

    def go(self, action: Action) -> bool:
        """Go on with an action: as it is, or else as a correction, with pieces lent where the hand has none."""
        try:
            self._went(action, self._game.apply(self.state, action).state)
        except Refusal as refusal:
            return self._lend(action) if refusal.final else self._overrule(action)
        except CompanionError:
            return False
        return True

    def _went(self, action: Action, state: State) -> None:
        self.way, self.state = (*self.way, action), state

    def _overrule(self, action: Action) -> bool:
        """Do it as the game does a correction, less the look at the whole table that every real one gets."""
        correction = Correction(why=self._game.label(self.state, action), move=msgspec.to_builtins(action))
        referee = Referee(self._game.rulebook, lenient=True)
        try:
            self._went(correction, self._game.play(referee, replace(self.state, corrected=True), action))
        except _CONTRADICTIONS:
            return False
        return True

    def _lend(self, action: Action) -> bool:
        """Put the pieces an action needs and the hand has not there from the supply, and try again."""
        need = _needed(action)
        if need is None:
            return False
        seat, item, count = need
        duke = self.state.dukes[seat]
        short = count - duke.held.get(item, 0) - (duke.loose.get(item, 0) if duke.rearranging else 0)
        if not 0 < short <= available(self.state, item):
            return False
        self._went(*_loan(self.state, seat, item, short))
        return self.go(action)


def _loan(state: State, seat: int, item: Item, count: int) -> tuple[Correction, State]:
    """So many pieces from the supply for a hand, and the state with them there."""
    held = added(state.dukes[seat].held, item, count)
    of_stock = min(count, state.stock.get(item, 0))
    stock, discard = added(state.stock, item, -of_stock), added(state.discard, item, of_stock - count)
    correction = Correction(
        why=f"{amount(count, item)} on the table that the game did not know of",
        set={f"dukes/{seat}/held": held, "stock": stock, "discard": discard},
    )
    return correction, replace(with_duke(state, seat, held=held), stock=stock, discard=discard, corrected=True)


def anyway(game: Game[State], state: State, action: Action) -> Way | None:
    """How to do something although the rules say no, None where not even a correction helps."""
    road = Road(game, state)
    return road.way if road.go(action) else None


def _needed(action: Action) -> tuple[int, Item, int] | None:
    if isinstance(action, PlaceTile | PlaceRoof | PlaceBridge):
        return action.seat, "tile", 1
    if isinstance(action, PlacePillars):
        return action.seat, "pillar", action.count
    if isinstance(action, FurnishRoom | ArmTop):
        return action.seat, action.item, 1
    return None


def taken_down(game: Game[State], state: State, action: TakeDown) -> Way | None:
    """How the game lets a piece go that was taken off a castle: it comes down, and the castle stands again."""
    road = Road(game, state)
    settled = state.dukes[action.seat].rearranging
    return road.way if road.go(action) and (settled or road.go(Settle(seat=action.seat))) else None


def to_levels(game: Game[State], state: State, seat: int, tower: TowerId, levels: int) -> Way | None:
    """How the game gets a tower of so many levels: what is missing is put up, what is too much comes down."""
    if levels < _height(state, seat, tower):
        return taken_down(game, state, TakeDown(seat=seat, what="tile", tower=tower, level=levels + 1))
    road = Road(game, state)
    while _height(road.state, seat, tower) < levels:
        if not all(road.go(action) for action in _one_higher(road.state, seat, tower)):
            return None
    return road.way or None


def _height(state: State, seat: int, tower: TowerId) -> int:
    return len(castle.tower(state.dukes[seat].castle, tower))


def _one_higher(state: State, seat: int, tower: TowerId) -> Iterator[Action]:
    """The pillars a tower's top still needs, and the next tile."""
    below = castle.tower(state.dukes[seat].castle, tower)
    if below:
        top = below[-1]
        pillars = max(top.cobbles - top.covered, 0 if top.pillars else 1)
        if pillars:
            yield PlacePillars(seat=seat, tower=tower, level=len(below), count=pillars)
    yield PlaceTile(seat=seat, tower=tower)
