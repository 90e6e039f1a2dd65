"""The moves of the Building Phase: what to acquire, where each piece in hand could go, what could be taken down."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.castle_dukes import castle
from companion.rules.castle_dukes.actions import (
    ArmTop,
    BuildRoom,
    DiscardItem,
    DiscardRoom,
    DrawConstruction,
    DrawTile,
    FurnishRoom,
    PlaceBridge,
    PlacePillars,
    PlaceRoof,
    PlaceTile,
    RehouseGuest,
    StopBuying,
    TakeDown,
    TakePillars,
)
from companion.rules.castle_dukes.asks import ITEMS_ASK, TILE_ASKS
from companion.rules.castle_dukes.state import (
    GUESTS,
    ROOM_ITEMS,
    TOP_ITEMS,
    TOWERS,
    Card,
    ChitKind,
    Duke,
    Item,
    State,
    TowerId,
)
from companion.rules.offers import Move

_LOWEST_TOP_LEVEL = 3
_KINDS: tuple[ChitKind, ...] = ("tile", "room", "pillar", "decor", "character")


def acquiring(state: State, seat: int) -> Iterator[Move]:
    """What coins can buy."""
    yield Move("Draw a floor tile (1 coin)", DrawTile(seat=seat), group="Acquire")
    yield Move("Take two pillars (1 coin)", TakePillars(seat=seat), group="Acquire")
    yield Move(
        "Draw a construction card (4 coins)", DrawConstruction(seat=seat, items={}), (ITEMS_ASK,), group="Acquire"
    )
    yield Move("Done acquiring", StopBuying(seat=seat), group="Acquire", closes=True)


def putting_away(state: State, seat: int) -> Iterator[Move]:
    """What could be discarded to make room in the inventory."""
    duke = state.dukes[seat]
    for item in duke.held:
        yield Move(f"Put away a {item}", DiscardItem(seat=seat, item=item), group="Put away")
    for place, card in enumerate(duke.cards):
        yield Move(f"Put away {card.name}", DiscardRoom(seat=seat, card=place), group="Put away")


def placing(state: State, seat: int) -> Iterator[Move]:
    """Where the pieces in hand could go."""
    duke = state.dukes[seat]
    if in_hand(state, duke, "tile"):
        yield from _tiles(duke, seat)
    if in_hand(state, duke, "pillar"):
        yield from _pillars(state, seat)
    yield from _rooms(state, seat)
    yield from _furniture(state, seat)
    yield from _arms(state, seat)
    yield from _guests(duke, seat)


def in_hand(state: State, duke: Duke, item: Item) -> int:
    """How many of an item a duke can place now: loose pieces, and in the Building Phase the inventory."""
    return duke.loose.get(item, 0) + (duke.held.get(item, 0) if state.phase == "building" else 0)


def cards_in_hand(state: State, duke: Duke) -> tuple[Card, ...]:
    """The room cards a duke can build now, loose ones first."""
    return (*duke.loose_cards, *(duke.cards if state.phase == "building" else ()))


def taking_down(state: State, seat: int) -> Iterator[Move]:
    """Every piece that could be taken into the hand while rearranging."""
    here = state.dukes[seat].castle
    for kind in _KINDS:
        for target in castle.targets(here, kind):
            action = TakeDown(
                seat=seat,
                what=target.what,
                tower=target.tower,
                level=target.level,
                room=target.room,
                cobble=target.cobble,
            )
            yield Move(f"Take down {castle.named(here, target)}", action, group="Take down")


def _tiles(duke: Duke, seat: int) -> Iterator[Move]:
    here = duke.castle
    for tower in TOWERS:
        level = len(castle.tower(here, tower)) + 1
        label = f"Floor tile as {castle.where(tower, level)}"
        yield Move(label, PlaceTile(seat=seat, tower=tower), TILE_ASKS, group="Tiles")
        if level >= _LOWEST_TOP_LEVEL:
            yield Move(f"Roof as {castle.where(tower, level)}", PlaceRoof(seat=seat, tower=tower), group="Tiles")
    for level in range(_LOWEST_TOP_LEVEL, min(len(here.left), len(here.right)) + 1):
        if all(bridge.level != level for bridge in here.bridges):
            yield Move(f"Bridge on level {level}", PlaceBridge(seat=seat, level=level), group="Tiles")


def _pillars(state: State, seat: int) -> Iterator[Move]:
    most = in_hand(state, state.dukes[seat], "pillar")
    for tower, level, tile in castle.tiles(state.dukes[seat].castle):
        if tile.roof is None:
            empty = tile.cobbles - tile.covered
            for count in sorted({1, min(2, most), max(1, min(empty, most))}):
                what = "pillar" if count == 1 else "pillars"
                action = PlacePillars(seat=seat, tower=tower, level=level, count=count)
                yield Move(f"{count} {what} on {castle.where(tower, level)}", action, group="Pillars")


def _rooms(state: State, seat: int) -> Iterator[Move]:
    duke = state.dukes[seat]
    for place, card in enumerate(cards_in_hand(state, duke)):
        for tower, level, tile in castle.tiles(duke.castle):
            if tile.roof is None and len(tile.rooms) < tile.spaces:
                action = BuildRoom(seat=seat, tower=tower, level=level, card=place)
                yield Move(f"{card.name} on {castle.where(tower, level)}", action, group="Rooms")


def _furniture(state: State, seat: int) -> Iterator[Move]:
    duke = state.dukes[seat]
    for item in ROOM_ITEMS:
        if in_hand(state, duke, item):
            for tower, level, index, room in castle.rooms(duke.castle):
                action = FurnishRoom(seat=seat, item=item, tower=tower, level=level, room=index)
                yield Move(f"{item.capitalize()} on {room.card.name}, {_short(tower, level)}", action, group="Furnish")


def _arms(state: State, seat: int) -> Iterator[Move]:
    duke = state.dukes[seat]
    for item in TOP_ITEMS:
        if in_hand(state, duke, item):
            for spot, level, _ in castle.tops(duke.castle):
                action = ArmTop(seat=seat, item=item, tower=spot, level=level)
                yield Move(f"{item.capitalize()} on {castle.where(spot, level)}", action, group="Arm")


def _guests(duke: Duke, seat: int) -> Iterator[Move]:
    for guest in GUESTS:
        if duke.loose.get(guest, 0):
            for tower, level, index in castle.open_slots(duke.castle, guest):
                action = RehouseGuest(seat=seat, guest=guest, tower=tower, level=level, room=index)
                yield Move(f"{guest.capitalize()} back to {castle.where(tower, level)}", action, group="Rooms")


def _short(tower: TowerId, level: int) -> str:
    return f"{tower} {level}"
