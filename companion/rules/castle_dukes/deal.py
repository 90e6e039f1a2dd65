"""Drawing for people who want the companion to: the asked fields of a choice, by chance, from what is left.

Where the table has told us enough of its box we draw from that, otherwise from practice cards of our own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeVar

import msgspec

from companion.errors import Malformed
from companion.rules.base import Action, Dealer, decode, put
from companion.rules.box import Box, Entry
from companion.rules.castle_dukes import castle
from companion.rules.castle_dukes.actions import (
    AiBurns,
    AiTakes,
    CountCastle,
    DrawChits,
    DrawConstruction,
    NameRoom,
    PlaceTile,
    RevealGuests,
    TakeRoom,
)
from companion.rules.castle_dukes.dragon import CHITS_DRAWN
from companion.rules.castle_dukes.guests import cards_a_turn, unseen
from companion.rules.castle_dukes.state import RATINGS, Card, Chit, Counted, GuestCard, Rating, State, Tile
from companion.rules.castle_dukes.supply import ONE_SET
from companion.rules.table import Ask, Choice

T = TypeVar("T")

_KNOWN_ROOMS = ONE_SET["room"] // 2
_KNOWN_CONSTRUCTION = ONE_SET["construction"] // 2
_KNOWN_TILES = ONE_SET["tile"] // 2
"""How many of the box must be known before we draw from it: half."""


def deal(state: State, choice: Choice, dealer: Dealer, box: Box) -> Action:
    """The choice's action with every asked field drawn. The same dealer draws the same."""
    if not choice.asks:
        return choice.action
    asked = {ask.field.partition("/")[0] for ask in choice.asks}
    drawn = _drawn(state, choice.action, asked, dealer, box)
    raw = msgspec.to_builtins(choice.action)
    raw |= msgspec.to_builtins({field: value for field, value in drawn.items() if field in asked})
    for ask in choice.asks:
        if ask.field.partition("/")[0] not in drawn:
            put(raw, ask.field, msgspec.to_builtins(_any(ask, dealer)))
    return decode(raw, type(choice.action), "What was drawn")


def _drawn(state: State, action: Action, asked: Collection[str], dealer: Dealer, box: Box) -> Mapping[str, object]:
    """What comes out of the box for an action, by field."""
    match action:
        case RevealGuests():
            return {"cards": guest_cards(state, dealer)}
        case DrawChits():
            return {"chits": chits(state, dealer, box)}
        case DrawConstruction():
            return construction(dealer, box)
        case NameRoom():
            return {"card": room_card(state, dealer, box)}
        case TakeRoom():
            card = {"card": room_card(state, dealer, box)} if "card" in asked else {}
            return {**card, **_bonus(state, action, box)}
        case PlaceTile():
            tile = floor_tile(state, dealer, box)
            return {"spaces": tile.spaces, "cobbles": tile.cobbles, "ends": tile.ends}
        case AiTakes() | AiBurns():
            return {"die": die(dealer)}
        case CountCastle():
            return {"counts": counted(dealer)}
    return {}


def die(dealer: Dealer) -> Rating:
    """The AI die: each rating as likely (ruling.ai-die-faces)."""
    return RATINGS[dealer.pick(len(RATINGS))]


def counted(dealer: Dealer) -> Counted:
    """A castle count, for games nobody plays."""
    rooms = dealer.pick(12)
    return Counted(
        left=dealer.pick(7), middle=dealer.pick(7), right=dealer.pick(7), rooms=rooms, high_rooms=dealer.pick(rooms + 1)
    )


def guest_cards(state: State, dealer: Dealer) -> tuple[GuestCard, ...]:
    """This turn's guest cards. How guests and fires pair up is unknown: each is drawn from its own total."""
    mains, smalls, fires = unseen(state)
    return tuple(
        GuestCard(main=_draw(mains, dealer), small=_draw(smalls, dealer), fire=_draw(fires, dealer))
        for _ in range(cards_a_turn(state))
    )


def chits(state: State, dealer: Dealer, box: Box) -> tuple[Chit, ...]:
    """Five chits out of the bag: this box's when all are known, practice chits otherwise."""
    entries = _known(box, "damage-chits", state.chits, "practice-chits")
    bag = _copies(entries, lambda entry: decode(entry, Chit, "A damage chit of the box"))
    return tuple(_draw(bag, dealer) for _ in range(CHITS_DRAWN))


def construction(dealer: Dealer, box: Box) -> dict[str, object]:
    """A construction card. The cards drawn before are not remembered, so each is as likely again."""
    entries = _known(box, "construction", _KNOWN_CONSTRUCTION, "practice-construction")
    deck = Counter({key: _number(entry) for key, entry in entries.items()})
    key = _draw(deck, dealer)
    return {"items": entries[key]["items"], "name": key}


def room_card(state: State, dealer: Dealer, box: Box) -> Card:
    """A room card of those not to be seen anywhere at the table."""
    entries = _known(box, "rooms", _KNOWN_ROOMS, "practice-rooms")
    deck = _times(_copies(entries, lambda entry: decode(entry, Card, "A room card of the box")), state.sets)
    return _draw((deck - Counter(_rooms_in_play(state))) or deck, dealer)


def floor_tile(state: State, dealer: Dealer, box: Box) -> Tile:
    """A floor tile, as its floor side shows, of those not standing in a tower."""
    entries = _known(box, "tiles", _KNOWN_TILES, "practice-tiles")
    deck = _times(_copies(entries, lambda entry: decode(entry, Tile, "A floor tile of the box")), state.sets)
    return _draw((deck - Counter(_tiles_in_play(state))) or deck, dealer)


def _bonus(state: State, action: TakeRoom, box: Box) -> Mapping[str, object]:
    """A slot always gives the same, so this is looked up, not drawn."""
    cost = state.boards[action.board][action.slot].cost
    entry = box["practice-slots"].get(f"cost-{cost}")
    return {"bonus": entry["bonus"]} if entry else {}


def _rooms_in_play(state: State) -> Iterator[Card]:
    yield from (slot.card for board in state.boards for slot in board if slot.card)
    for duke in state.dukes:
        yield from duke.cards
        yield from duke.loose_cards
        yield from (room.card for _, _, _, room in castle.rooms(duke.castle))


def _tiles_in_play(state: State) -> Iterator[Tile]:
    for duke in state.dukes:
        for _, _, tile in castle.tiles(duke.castle):
            if tile.roof is None:
                yield Tile(spaces=tile.spaces, cobbles=tile.cobbles, ends=tile.ends)


# Chance


def _known(box: Box, table: str, needed: int, practice: str) -> dict[str, Entry]:
    """The box's own entries when they cover `needed` pieces, ours otherwise."""
    own = box[table]
    return own if sum(_number(entry) for entry in own.values()) >= needed else box[practice]


def _number(entry: Entry) -> int:
    return int(entry.get("copies", 1))


def _copies(entries: Mapping[str, Entry], make: Callable[[Entry], T]) -> Counter[T]:
    deck: Counter[T] = Counter()
    for entry in entries.values():
        deck[make({key: value for key, value in entry.items() if key != "copies"})] += _number(entry)
    return deck


def _times(counts: Mapping[T, int], sets: int) -> Counter[T]:
    return Counter({item: count * sets for item, count in counts.items()})


def _draw(left: Counter[T], dealer: Dealer) -> T:
    """Take one out, each piece as likely."""
    pieces = list(left.elements())
    if not pieces:
        raise Malformed("Nothing is left to draw from.")
    piece = pieces[dealer.pick(len(pieces))]
    left[piece] -= 1
    return piece


def _any(ask: Ask, dealer: Dealer) -> object:
    """Any answer to an ask that is not about the box."""
    values = [option.value for option in ask.options]
    if ask.kind == "list":
        return _several(values, ask, dealer)
    if values:
        return values[dealer.pick(len(values))]
    if ask.kind == "number":
        return ask.low + dealer.pick(ask.high - ask.low + 1)
    raise Malformed(f"The companion cannot draw this: {ask.label}.")


def _several(values: list[object], ask: Ask, dealer: Dealer) -> list[object]:
    """Different ones as far as they go."""
    count = ask.low + dealer.pick(max(ask.low, min(ask.high, len(values))) - ask.low + 1)
    left: list[object] = []
    several = []
    for _ in range(count):
        left = left or [*values]
        several.append(left.pop(dealer.pick(len(left))))
    return several
