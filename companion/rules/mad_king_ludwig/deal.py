"""Drawing for people who want the companion to: the asked fields of a choice, by chance, from what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.base import Action, Dealer
from companion.rules.box import Box
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.actions import (
    CorrectBonus,
    CorrectRoom,
    CountEntrances,
    CountStack,
    DrawBonus,
    DrawRoom,
    NoteRoom,
    PeekStack,
    PlaceRoom,
    PriceRooms,
    RevealFavour,
    ShowBonus,
    SkipCard,
)
from companion.rules.mad_king_ludwig.bonus import card, in_sight
from companion.rules.mad_king_ludwig.market import hidden_tiles, unseen_of_size
from companion.rules.mad_king_ludwig.rooms import catalogue
from companion.rules.mad_king_ludwig.state import BONUSES, STACKS, UNKNOWN, BonusId, Card, Size, State
from companion.rules.table import Choice

T = TypeVar("T")

_MOST_ENTRANCES = 20
_STAY_OPEN = 2


def deal(state: State, choice: Choice, dealer: Dealer, box: Box) -> Action:
    """The choice's action with every asked field drawn. The same dealer draws the same."""
    if not choice.asks:
        return choice.action
    match choice.action:
        case DrawRoom():
            return draw_room(state, dealer, box)
        case DrawBonus() | ShowBonus() as action:
            return replace(action, cards=bonus_cards(state, dealer, choice.asks[0].low))
        case NoteRoom() as action:
            return _note(state, action, dealer)
        case CountStack() | CorrectRoom() | CorrectBonus() as action:
            return _as_known(state, action, dealer)
    return _decided(choice, dealer)


def _decided(choice: Choice, dealer: Dealer) -> Action:
    """What a player would decide, by chance among what is offered."""
    ask = choice.asks[0]
    values: list[Any] = [option.value for option in ask.options]
    match choice.action:
        case RevealFavour() as action:
            return replace(action, favour=_pick(values, dealer))
        case PlaceRoom() as action:
            return replace(action, spot=_pick(values, dealer))
        case PeekStack() as action:
            known = [value for value in values if value != UNKNOWN]
            most = min(ask.high, len(known))
            return replace(action, rooms=tuple(_sample(known, dealer.pick(most + 1), dealer)))
        case PriceRooms() as action:
            return replace(action, rooms=tuple(_sample(values, len(values), dealer)))
        case CountEntrances() as action:
            return replace(action, external=dealer.pick(_MOST_ENTRANCES))
    raise Malformed("The companion cannot draw this.")


def draw_room(state: State, dealer: Dealer, box: Box) -> Action:
    """A room card, and the top tile of its stack; a card of an empty stack is put by."""
    if state.laid:
        hidden = state.laid[-1] == UNKNOWN
        return DrawRoom(room=_pick(hidden_tiles(state), dealer) if hidden else state.laid[-1])
    size = _room_card(state, dealer, box)
    there = unseen_of_size(state, size)
    if not state.stacks[size] or not there:
        return SkipCard(size=size)
    return DrawRoom(room=_pick(there, dealer))


def _room_card(state: State, dealer: Dealer, box: Box) -> Size:
    """A card of those not yet drawn; once the deck is used up, of all that were in it."""
    copies = int(box["room-cards"]["each-size"]["copies"])
    left = Counter({size: max(0, copies - state.cards_drawn.get(size, 0)) for size in STACKS})
    cards = [size for size in left.elements() if state.deck] or list(Counter(state.cards_drawn).elements())
    usable = [size for size in cards if state.stacks[size] and unseen_of_size(state, size)]
    return _pick(cards if usable else [size for size in STACKS if state.stacks[size]], dealer)


def bonus_cards(state: State, dealer: Dealer, count: int) -> tuple[BonusId, ...]:
    """Cards nobody holds; those put at the bottom come last."""
    held = in_sight(state)
    free: list[BonusId] = [each for each in BONUSES if each not in held]
    deck = [each for each in free if each not in state.returned]
    bottom: list[Card] = [each for each in state.returned if each in free]
    drawn = _sample(deck, min(count, len(deck)), dealer)
    return (*drawn, *[each for each in bottom if each != "?"][: count - len(drawn)])


def _note(state: State, action: NoteRoom, dealer: Dealer) -> NoteRoom:
    """A plausible entry for games nobody plays: joined as offered, touching some, completing now and then."""
    castle = state.players[action.seat].castle
    new = len(castle.rooms)
    others = [index for index in range(new) if index not in action.connects]
    touches = tuple(sorted(_sample(others, dealer.pick(min(3, len(others) + 1)), dealer)))
    # Other rooms stay open upstairs, so that there is room for what comes.
    still_open = [
        index for index in others if not castle.rooms[index].complete and castles.tile_at(castle, index).floor == "main"
    ]
    may = (*action.connects, new) if len(still_open) >= _STAY_OPEN else ()
    completes = tuple(index for index in may if dealer.pick(3) == 0)
    return replace(action, touches=touches, completes=completes)


def _as_known(state: State, action: Action, dealer: Dealer) -> Action:
    """Corrections of the box nobody makes by chance: what is known already."""
    if isinstance(action, CountStack):
        size = _pick(STACKS, dealer)
        return CountStack(size=size, tiles=state.stacks[size])
    if isinstance(action, CorrectBonus):
        chosen = _pick(BONUSES, dealer)
        return CorrectBonus(card=chosen, points=card(chosen, state.bonus_points).points)
    return CorrectRoom(tile=_pick([tile for tile in catalogue().values() if tile.points], dealer))


# Chance


def _pick(values: Sequence[T], dealer: Dealer) -> T:
    if not values:
        raise Malformed("Nothing is left to draw from.")
    return values[dealer.pick(len(values))]


def _sample(values: Sequence[T], count: int, dealer: Dealer) -> list[T]:
    """Different ones in the order drawn."""
    left = list(values)
    return [left.pop(dealer.pick(len(left))) for _ in range(count)]
