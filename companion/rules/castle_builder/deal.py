"""Drawing for people who want the companion to: the asked fields of a choice, by chance, from what is left.

Holders are only counted, so a tile drawn for building is one of those left that fits where it is to go. Where the
table has told us enough of its box we draw from that, otherwise from practice tiles and coins of our own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.base import Action, Dealer, decode
from companion.rules.box import Box, Entry
from companion.rules.castle_builder import castle
from companion.rules.castle_builder.actions import (
    Arrive,
    BuildTile,
    LayFoundation,
    LayPath,
    LoseTile,
    NameCoin,
    NameTile,
    RaiseCastle,
    TakeCoin,
    UsePractice,
)
from companion.rules.castle_builder.castle import Spot
from companion.rules.castle_builder.sources import most_paid
from companion.rules.castle_builder.state import COINS, COURT, Coin, Source, State, Tile
from companion.rules.castle_builder.supply import BOX_COINS
from companion.rules.table import Choice

T = TypeVar("T")

_MOST_ICONS = 2


def deal(state: State, choice: Choice, dealer: Dealer, box: Box) -> Action:
    """The choice's action with every asked field drawn. The same dealer draws the same."""
    action = choice.action
    if not choice.asks:
        return action
    match action:
        case LayPath() | LayFoundation():
            return UsePractice()
        case BuildTile():
            return building(state, action, _sources(choice, action.source), dealer, box)
        case NameTile():
            return replace(action, tile=market_tile(state, dealer, box))
        case NameCoin() | TakeCoin():
            return replace(action, coin=coin(state, dealer, box))
        case RaiseCastle():
            return raising(state, action, _sources(choice, action.source), dealer)
        case Arrive():
            return replace(action, tile=dealer.pick(2) == 1)
        case LoseTile():
            return losing(state, action, dealer)
    raise Malformed(f"The companion cannot draw this: {choice.asks[0].label}.")


def _sources(choice: Choice, stand_in: Source) -> list[Source]:
    """The sources a choice asks about, or the one it has."""
    asked = [option.value for ask in choice.asks if ask.field == "source" for option in ask.options]
    return msgspec.convert(asked, list[Source]) or [stand_in]


# Tiles


def building(state: State, action: BuildTile, sources: list[Source], dealer: Dealer, box: Box) -> BuildTile:
    """A tile that fits the spot, from one of the sources, paid for where its number is off."""
    if state.foundation is None:
        raise Malformed("The foundation is not known yet.")
    tiles = castle.standing(state.foundation, state.barons[action.seat].castle)
    spot = castle.spot_at(state.foundation, tiles, action.level, action.x)
    source = _source(sources, dealer)
    most = most_paid(state, action.seat, source)
    deck, left = deck_of(state, box), left_of(state, box)
    found = next((found for found in (_fitting(pool, spot, most, source) for pool in (left, deck)) if found), None)
    tile = _draw(found, dealer) if found else castle.fitting_tile(spot)
    return replace(action, source=source, tile=tile, pay=castle.steps_off(spot, tile))


def _source(sources: list[Source], dealer: Dealer) -> Source:
    """The holder as often as everything else together."""
    if "holder" in sources and dealer.pick(2):
        return "holder"
    return sources[dealer.pick(len(sources))]


def _fitting(pool: Mapping[Tile, int], spot: Spot, most: int, source: Source) -> dict[Tile, int]:
    return {tile: count for tile, count in pool.items() if _fits(spot, tile, most, source)}


def _fits(spot: Spot, tile: Tile, most: int, source: Source) -> bool:
    """Whether a tile could be built there; from the court only the courtier itself."""
    if source in COURT and tile.name != source:
        return False
    if castle.mismatch(spot, tile) or (tile.no_new_floor and spot.new_floor):
        return False
    return castle.steps_off(spot, tile) <= most


def market_tile(state: State, dealer: Dealer, box: Box) -> Tile:
    """Any tile of those left."""
    return _draw(left_of(state, box), dealer)


def left_of(state: State, box: Box) -> Counter[Tile]:
    """The tiles not to be seen anywhere at the table."""
    deck = deck_of(state, box)
    return (deck - Counter(_seen(state, deck))) or deck


def deck_of(state: State, box: Box) -> Counter[Tile]:
    """Every tile: this box's when half of it is known, practice tiles otherwise."""
    own = box["tiles"]
    entries = own if sum(_number(entry) for entry in own.values()) >= state.box_tiles // 2 else box["practice-tiles"]
    deck: Counter[Tile] = Counter()
    for entry in entries.values():
        bare = {key: value for key, value in entry.items() if key != "copies"}
        deck[decode(bare, Tile, "A tile of the box")] += _number(entry)
    return deck


def _seen(state: State, deck: Counter[Tile]) -> Iterator[Tile]:
    """What lies in the market, stands in castles or waits beside the holders."""
    yield from (tile for tile in state.tiles if tile)
    for baron in state.barons:
        yield from (placed.tile for placed in baron.castle)
        yield from (tile for tile in deck if tile.name in baron.court)


# Coins


def coin(state: State, dealer: Dealer, box: Box) -> Coin:
    """A coin of those that do not lie entered in the market; which were taken before is not remembered."""
    pile = Counter({each: _number(box["practice-coins"][each]) for each in COINS})
    if pile.total() != BOX_COINS:
        raise Malformed(f"The practice coins are {pile.total()}, not {BOX_COINS}.")
    return _draw(pile - Counter(each for each in state.coins if each), dealer)


# Light game


def raising(state: State, action: RaiseCastle, sources: list[Source], dealer: Dealer) -> RaiseCastle:
    """A tile with some icons, nothing paid unless something can be."""
    source = _source(sources, dealer)
    return replace(
        action,
        source=source,
        pay=dealer.pick(min(1, most_paid(state, action.seat, source)) + 1),
        windows=dealer.pick(_MOST_ICONS + 1),
        persons=dealer.pick(_MOST_ICONS),
        roof=dealer.pick(_MOST_ICONS) == 1,
    )


def losing(state: State, action: LoseTile, dealer: Dealer) -> LoseTile:
    """A tile with icons its castle has."""
    baron = state.barons[action.owner]
    return replace(
        action,
        windows=dealer.pick(min(_MOST_ICONS, baron.windows) + 1),
        persons=dealer.pick(min(1, baron.persons) + 1),
        roof=bool(dealer.pick(min(1, baron.roofs) + 1)),
        level_gone=bool(dealer.pick(min(1, baron.levels - 1) + 1)),
    )


# Chance


def _number(entry: Entry) -> int:
    return int(entry.get("copies", 1))


def _draw(left: Mapping[T, int], dealer: Dealer) -> T:
    """One of them, each piece as likely."""
    pieces = list(Counter(left).elements())
    if not pieces:
        raise Malformed("Nothing is left to draw from.")
    return pieces[dealer.pick(len(pieces))]
