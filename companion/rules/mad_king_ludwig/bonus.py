"""Bonus cards: drawing them, putting one back, showing them, and what each counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.base import Handlers, Referee, decode
from companion.rules.box import shipped
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig import phases
from companion.rules.mad_king_ludwig.actions import CountEntrances, DrawBonus, ReturnBonus, ShowBonus
from companion.rules.mad_king_ludwig.purse import amount, bonus_left, with_player, with_turn
from companion.rules.mad_king_ludwig.rewards import turn_goes_on
from companion.rules.mad_king_ludwig.rooms import HALLWAYS, STAIRS, TYPES
from companion.rules.mad_king_ludwig.state import UNKNOWN, BonusId, Castle, Player, State

SETUP_DRAWN, SETUP_KEPT = 3, 2
REWARD_DRAWN = 2
_PACKAGE = "companion.rules.mad_king_ludwig"


class BonusCard(Struct, frozen=True, kw_only=True):
    """What a card pays: `points` for every `per` counted, or once when at least `all` are there."""

    id: BonusId
    name: str
    points: int
    per: int = 1
    all: int = 0

    def worth(self, count: int) -> int:
        if self.all:
            return self.points if count >= self.all else 0
        return count // self.per * self.points

    def why(self, count: int) -> str:
        if self.all:
            return f"{count} of {self.all} different ones, {self.points} for all"
        return f"{count} counted, {self.points} {f'for every {self.per}' if self.per > 1 else 'each'}"


@cache
def _shipped() -> Mapping[str, BonusCard]:
    box = shipped(_PACKAGE)
    return {
        key: decode(entry, BonusCard, "The bonus card")
        for table in ("bonus-generic", "bonus-rooms")
        for key, entry in box[table].items()
    }


def card(id: str, points: Mapping[BonusId, int] | None = None) -> BonusCard:
    """A card as this table's box has it."""
    found = _shipped()[id]
    return replace(found, points=points[found.id]) if points and found.id in points else found


def name(id: str) -> str:
    """
    >>> name("type-food"), name("?")
    ('Food Rooms', 'a hidden card')
    """
    return "a hidden card" if id == UNKNOWN else _shipped()[id].name


def count(id: str, castle: Castle, marks: int, external: int) -> int:
    """How many of what a card counts are there. `external` entrances are handed in: a ledger has them counted."""
    kind, _, which = id.partition("-")
    if kind == "type":
        return sum(tile.type == which for tile in castles.tiles(castle))
    if kind == "size":
        return sum(tile.sqft == int(which) for tile in castles.stacked(castle))
    return _generic(id, castle, marks, external)


def _generic(id: str, castle: Castle, marks: int, external: int) -> int:
    match id:
        case "unique-sizes":
            return len({tile.sqft for tile in castles.stacked(castle)})
        case "unique-types":
            return len({tile.type for tile in castles.tiles(castle)} & set(TYPES))
        case "hallways":
            return castles.count_room(castle, *HALLWAYS)
        case "stairs":
            return castles.count_room(castle, STAIRS)
        case "completed-rooms":
            return len(castles.completed(castle))
        case "square-rooms":
            return sum(tile.sqft in (100, 400) for tile in castles.stacked(castle))
        case "round-rooms":
            return sum(tile.sqft in (150, 500) for tile in castles.stacked(castle))
        case "cash":
            return marks
    return external


def external_of(player: Player) -> int:
    """A castle's external entrances: from its map, or as counted."""
    if castles.is_map(player.castle):
        return castles.external_entrances(player.castle)
    return player.external or 0


# Drawing


def in_sight(state: State) -> set[str]:
    """The cards somebody holds, as far as the companion knows."""
    held = (card for player in state.players for card in (*player.bonus, *player.drawn))
    return {str(card) for card in held if card != UNKNOWN}


def to_draw(state: State, seat: int) -> int:
    """How many cards a player draws now; 0 when it is not the time."""
    if state.players[seat].drawn:
        return 0
    if state.phase == "bonus":
        most = SETUP_KEPT if state.solo else SETUP_DRAWN
        return most if phases.bonus_seat(state) == seat else 0
    turn = state.turn
    due = turn is not None and turn.seat == seat and turn.doing is not None and turn.doing.kind == "utility"
    return min(REWARD_DRAWN, bonus_left(state)) if due else 0


def draw_bonus(referee: Referee, state: State, action: DrawBonus) -> State:
    """Say which cards were drawn."""
    due = to_draw(state, action.seat)
    if not due:
        referee.impossible("setup.bonus", f"{state.seats[action.seat]} draws no bonus cards now.")
    if len(action.cards) != due:
        referee.impossible("setup.bonus", f"{due} bonus cards are drawn.")
    _check_new(referee, state, action.cards)
    referee.note(f"{state.seats[action.seat]} draws {amount(due, 'bonus card')}.", seat=action.seat, rule="bonus.cards")
    returned = tuple(each for each in state.returned if each not in action.cards)
    state = with_player(replace(state, returned=returned), action.seat, drawn=action.cards)
    keeps_all = due == 1 or (state.phase == "bonus" and state.solo)
    return _keep(referee, state, action.seat) if keeps_all else state


def _check_new(referee: Referee, state: State, cards: tuple[str, ...]) -> None:
    known = [each for each in cards if each != UNKNOWN]
    if len(set(known)) < len(known) or set(known) & in_sight(state):
        referee.impossible("bonus.cards", "Each bonus card is there only once.")


def return_bonus(referee: Referee, state: State, action: ReturnBonus) -> State:
    """One card goes to the bottom of the deck."""
    player = state.players[action.seat]
    if action.card not in player.drawn:
        referee.impossible("setup.bonus", "That card was not drawn.")
    kept = list(player.drawn)
    kept.remove(action.card)
    referee.note(f"{state.seats[action.seat]} puts a bonus card back.", seat=action.seat, rule="bonus.cards")
    state = with_player(replace(state, returned=(*state.returned, action.card)), action.seat, drawn=tuple(kept))
    return _keep(referee, state, action.seat)


def _keep(referee: Referee, state: State, seat: int) -> State:
    player = state.players[seat]
    state = with_player(state, seat, bonus=(*player.bonus, *player.drawn), drawn=())
    if state.phase == "bonus":
        return phases.set_up_goes_on(referee, state)
    return turn_goes_on(referee, with_turn(state, doing=None)) if state.turn else state


# The end


def show_bonus(referee: Referee, state: State, action: ShowBonus) -> State:
    """Show what was hidden."""
    hidden = phases.to_show(state, action.seat)
    if state.phase != "reveal" or not hidden:
        referee.impossible("end.bonus", f"{state.seats[action.seat]} has no bonus cards to show now.")
    if len(action.cards) != hidden:
        referee.impossible("end.bonus", f"{state.seats[action.seat]} has {hidden} hidden bonus cards to show.")
    _check_new(referee, state, action.cards)
    known = tuple(each for each in state.players[action.seat].bonus if each != UNKNOWN)
    shown = ", ".join(name(each) for each in action.cards)
    referee.note(f"{state.seats[action.seat]} shows {shown}.", seat=action.seat, rule="end.bonus")
    state = with_player(state, action.seat, bonus=(*known, *action.cards))
    return phases.end_goes_on(referee, state)


def count_entrances(referee: Referee, state: State, action: CountEntrances) -> State:
    """External entrances of a castle kept in a ledger."""
    if state.phase != "reveal" or state.options.castles == "map":
        referee.impossible("favour.external", "External entrances are counted at the end of a ledger game.")
    text = f"{state.seats[action.seat]} has {action.external} external entrances."
    referee.note(text, seat=action.seat, rule="favour.external")
    return phases.end_goes_on(referee, with_player(state, action.seat, external=action.external))


HANDLERS: Handlers[State] = {
    DrawBonus: draw_bonus,
    ReturnBonus: return_bonus,
    ShowBonus: show_bonus,
    CountEntrances: count_entrances,
}
