"""Building the castle: tiles, roofs, bridges, pillars, rooms and what stands on them.

Pieces come from the inventory, in the Building Phase only. While a duke is rearranging, pieces taken down come first
and may be put up again at any time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from companion.errors import NoSuchPiece
from companion.rules.base import Handlers, Referee
from companion.rules.castle_dukes import castle, phases
from companion.rules.castle_dukes.acquiring import declared, duke_in, tracked
from companion.rules.castle_dukes.actions import (
    ArmTop,
    BuildRoom,
    DropVines,
    FinishBuilding,
    FurnishRoom,
    PlaceBridge,
    PlacePillars,
    PlaceRoof,
    PlaceTile,
)
from companion.rules.castle_dukes.barbican import with_castle
from companion.rules.castle_dukes.state import Bridge, Card, Item, Room, RoomItem, State, Tile, Top, TowerId
from companion.rules.castle_dukes.supply import added, amount, with_duke

LEAST_TOP_LEVEL = 3
_LEAST_UPPER_LEVEL = 3
_LEAST_VINE_LEVEL = 2
_BRAZIERS_A_TILE = 2
_BATTLEMENTS_A_TILE = 1
_ARMS_A_BATTLEMENT = 3

_ROOM_ITEM_RULES: dict[RoomItem, str] = {"table": "table.limit", "coffer": "coffer.limit", "serf": "serf.slot"}


@contextmanager
def pointing(referee: Referee, rule: str) -> Iterator[None]:
    """Inside, pointing at a piece that is not there is refused under a rule, whatever the table agrees on."""
    try:
        yield
    except NoSuchPiece as missing:
        referee.impossible(rule, str(missing))


# Tiles


def place_tile(referee: Referee, state: State, action: PlaceTile) -> State:
    """A floor tile as a tower's next level (rulebook, Building Phase, ways to place a Floor Tile)."""
    tile = Tile(spaces=action.spaces, cobbles=action.cobbles, ends=action.ends)
    state, loose = _pick_up(referee, state, action.seat, "tile")
    _check_below(referee, state, action.seat, action.tower)
    return _stack(referee, state, action.seat, action.tower, tile, loose)


def place_roof(referee: Referee, state: State, action: PlaceRoof) -> State:
    """A tile, bridge side up, as the last level of a tower (rulebook, Roof Tiles)."""
    state, loose = _pick_up(referee, state, action.seat, "tile")
    level = len(castle.tower(state.dukes[action.seat].castle, action.tower)) + 1
    if level < LEAST_TOP_LEVEL:
        why = f"A roof needs level {LEAST_TOP_LEVEL} or higher; {state.seats[action.seat]}'s would be on level {level}."
        referee.refuse("roof.level", why)
    _check_below(referee, state, action.seat, action.tower)
    roof = Tile(spaces=0, cobbles=0, ends=True, roof=Top())
    return _stack(referee, state, action.seat, action.tower, roof, loose)


def place_bridge(referee: Referee, state: State, action: PlaceBridge) -> State:
    """A tile between the two front towers (rulebook, Bridge Tiles)."""
    seat, level = action.seat, action.level
    state, loose = _pick_up(referee, state, seat, "tile")
    standing = state.dukes[seat].castle
    if any(bridge.level == level for bridge in standing.bridges):
        referee.impossible("ruling.one-bridge-a-level", f"{state.seats[seat]} already has a bridge on level {level}.")
    if level < LEAST_TOP_LEVEL:
        referee.refuse("bridge.level", f"A bridge needs level {LEAST_TOP_LEVEL} or higher, not {level}.")
    if not castle.can_bear_bridge(standing, level):
        why = f"{state.seats[seat]} needs tiles with bridge ends on level {level} of the left and the right tower."
        referee.refuse("bridge.ends", why)
    bridges = sorted((*standing.bridges, Bridge(level=level)), key=lambda bridge: bridge.level)
    referee.note(f"{state.seats[seat]} lays a bridge on level {level}.", seat=seat, what="tile", change=loose - 1)
    state = with_castle(referee, state, seat, replace(standing, bridges=tuple(bridges)))
    return state if loose else _hang_vine(referee, state, seat, level)


def _check_below(referee: Referee, state: State, seat: int, tower: TowerId) -> None:
    """Whether the next tile can rest on a tower."""
    below = castle.tower(state.dukes[seat].castle, tower)
    if not below:
        return
    here = castle.where(tower, len(below))
    top, name = below[-1], state.seats[seat]
    if top.roof is not None:
        referee.refuse("roof.closed", f"{name}'s {tower} tower has its roof on level {len(below)}.")
    elif not top.pillars:
        referee.refuse("tile.next-level", f"{name} has no pillar on {here}.")
    elif top.covered < top.cobbles:
        why = f"{name} has pillars on {top.covered} of {amount(top.cobbles, 'cobblestone marking')} on {here}."
        referee.refuse("tile.cobbles", why)


def _stack(referee: Referee, state: State, seat: int, tower: TowerId, tile: Tile, loose: int) -> State:
    standing = state.dukes[seat].castle
    tiles = (*castle.tower(standing, tower), tile)
    kind = "roof" if tile.roof is not None else "floor tile"
    text = f"{state.seats[seat]} lays a {kind} as {castle.where(tower, len(tiles))}."
    referee.note(text, seat=seat, what="tile", change=loose - 1)
    state = with_castle(referee, state, seat, castle.with_tower(standing, tower, tiles))
    return state if loose else _hang_vine(referee, state, seat, len(tiles))


def _hang_vine(referee: Referee, state: State, seat: int, level: int) -> State:
    """Extra Hard: a vine comes with each tile above level 1."""
    if not state.options.vines or level < _LEAST_VINE_LEVEL:
        return state
    referee.note(f"{state.seats[seat]} hangs a vine.", seat=seat, what="vines", change=1, rule="vines.hang")
    return with_duke(state, seat, vines_hung=state.dukes[seat].vines_hung + 1)


# Pillars


def place_pillars(referee: Referee, state: State, action: PlacePillars) -> State:
    """Pillars on a floor tile, now or after more was built above it (rulebook, FAQ)."""
    seat, here = action.seat, castle.where(action.tower, action.level)
    state, loose = _pick_up(referee, state, seat, "pillar", action.count)
    standing = state.dukes[seat].castle
    with pointing(referee, "pillar.place"):
        tile = castle.tile_at(standing, action.tower, action.level)
    if tile.roof is not None:
        referee.refuse("roof.closed", f"{state.seats[seat]} has a roof on {here}: it holds no pillar.")
    covered = tile.covered + _newly_covered(referee, tile, action)
    raised = replace(tile, pillars=tile.pillars + action.count, covered=covered)
    text = f"{state.seats[seat]} stands {amount(action.count, 'pillar')} on {here}."
    referee.note(text, seat=seat, what="pillar", change=loose - action.count)
    return with_castle(referee, state, seat, castle.with_tile(standing, action.tower, action.level, raised))


def _newly_covered(referee: Referee, tile: Tile, action: PlacePillars) -> int:
    """How many empty markings the pillars fill."""
    most = min(action.count, max(0, tile.cobbles - tile.covered))
    if action.cobbles is None:
        return most
    if action.cobbles > most:
        why = f"{amount(action.count, 'pillar')} can cover {amount(most, 'empty cobblestone marking')} there"
        referee.impossible("pillar.place", f"{why}, not {action.cobbles}.")
    return action.cobbles


# Rooms


def build_room(referee: Referee, state: State, action: BuildRoom) -> State:
    """A room card on a free room space (rulebook, Room Cards; Upper and Lower Levels)."""
    seat, level = action.seat, action.level
    state, card, loose = _pick_up_card(referee, state, seat, action.card)
    standing = state.dukes[seat].castle
    with pointing(referee, "room.space"):
        tile = castle.tile_at(standing, action.tower, level)
    _check_space(referee, state.seats[seat], tile, castle.where(action.tower, level))
    _check_room_level(referee, card, level)
    text = f"{state.seats[seat]} builds {card.name} on {castle.where(action.tower, level)}."
    referee.note(text, seat=seat, what="room", change=loose - 1)
    built = replace(tile, rooms=(*tile.rooms, Room(card=card)))
    return with_castle(referee, state, seat, castle.with_tile(standing, action.tower, level, built))


def _check_space(referee: Referee, name: str, tile: Tile, here: str) -> None:
    if tile.roof is not None:
        referee.refuse("roof.closed", f"{name} has a roof on {here}: it holds no room.")
    elif len(tile.rooms) >= tile.spaces:
        why = f"{name} has {amount(len(tile.rooms), 'room card')} on {amount(tile.spaces, 'room space')} of {here}."
        referee.refuse("room.space", why)


def _check_room_level(referee: Referee, card: Card, level: int) -> None:
    if card.levels == "upper" and level < _LEAST_UPPER_LEVEL:
        referee.refuse("room.upper", f"{card.name} is an Upper room: level 3 or higher, not {level}.")
    if card.levels == "lower" and level >= _LEAST_UPPER_LEVEL:
        referee.refuse("room.lower", f"{card.name} is a Lower room: level 1 or 2, not {level}.")


def furnish_room(referee: Referee, state: State, action: FurnishRoom) -> State:
    """A table, serf or coffer on a built room (rulebook, Bonus Items)."""
    seat, item = action.seat, action.item
    state, loose = _pick_up(referee, state, seat, item)
    standing = state.dukes[seat].castle
    with pointing(referee, _ROOM_ITEM_RULES[item]):
        room = castle.room_at(standing, action.tower, action.level, action.room)
    furnished = _furnished(referee, room, item)
    referee.note(f"{state.seats[seat]} puts a {item} in {room.card.name}.", seat=seat, what=item, change=loose - 1)
    changed = castle.with_room(standing, action.tower, action.level, action.room, furnished)
    return with_castle(referee, state, seat, changed)


def _furnished(referee: Referee, room: Room, item: RoomItem) -> Room:
    if item == "serf":
        if not castle.free_slots(room, "serf"):
            why = f"{room.card.name} has {amount(room.card.serf, 'serf slot')} and {amount(room.serf, 'serf')}."
            referee.refuse("serf.slot", why)
        return replace(room, serf=room.serf + 1)
    if getattr(room, item):
        referee.impossible(_ROOM_ITEM_RULES[item], f"{room.card.name} already has its 1 {item}.")
    return replace(room, **{item: True})


# Roofs and bridges


def arm_top(referee: Referee, state: State, action: ArmTop) -> State:
    """A construction item on a roof or bridge tile (rulebook, Drawing from the Construction Deck)."""
    seat, item, here = action.seat, action.item, castle.where(action.tower, action.level)
    state, loose = _pick_up(referee, state, seat, item)
    standing = state.dukes[seat].castle
    with pointing(referee, "top.only"):
        top = castle.top_at(standing, action.tower, action.level)
    _check_top(referee, top, action)
    referee.note(f"{state.seats[seat]} puts a {item} on {here}.", seat=seat, what=item, change=loose - 1)
    armed = replace(top, **{item: getattr(top, item) + 1})
    return with_castle(referee, state, seat, castle.with_top(standing, action.tower, action.level, armed))


def _check_top(referee: Referee, top: Top, action: ArmTop) -> None:
    here = castle.where(action.tower, action.level)
    arms = top.cauldron + top.ballista
    if action.item == "brazier" and top.brazier >= _BRAZIERS_A_TILE:
        referee.refuse("brazier.limit", f"There are already {amount(top.brazier, 'brazier')} on {here}.")
    elif action.item == "battlement" and top.battlement >= _BATTLEMENTS_A_TILE:
        referee.refuse("battlement.limit", f"There is already {amount(top.battlement, 'battlement')} on {here}.")
    elif action.item in ("cauldron", "ballista") and arms >= _ARMS_A_BATTLEMENT * top.battlement:
        why = f"There are {amount(top.battlement, 'battlement')} on {here} with {arms} cauldrons and ballistae."
        referee.refuse("battlement.slots", why)


def holds(top: Top) -> bool:
    """Whether a roof or bridge tile carries no more than it may."""
    arms = top.cauldron + top.ballista
    battlements = top.battlement <= _BATTLEMENTS_A_TILE and arms <= _ARMS_A_BATTLEMENT * top.battlement
    return battlements and top.brazier <= _BRAZIERS_A_TILE


# Taking pieces in hand


def _pick_up(referee: Referee, state: State, seat: int, item: Item, count: int = 1) -> tuple[State, int]:
    """Take pieces in hand to place. Returns how many of them were loose from rearranging."""
    duke = tracked(referee, state, seat)
    loose = min(count, duke.loose.get(item, 0)) if duke.rearranging else 0
    if loose < count:
        state = _from_inventory(referee, state, seat)
    held = duke.held.get(item, 0)
    if loose + held < count:
        why = f"{state.seats[seat]} has {amount(loose + held, item)} to place and needs {count}."
        referee.impossible("inventory.have", why)
    state = with_duke(state, seat, loose=added(duke.loose, item, -loose), held=added(duke.held, item, loose - count))
    return state, loose


def _pick_up_card(referee: Referee, state: State, seat: int, index: int) -> tuple[State, Card, int]:
    """Take a room card in hand. Returns it, and 1 if it was loose from rearranging."""
    duke = tracked(referee, state, seat)
    loose, cards = duke.loose_cards, duke.cards
    if duke.rearranging and index < len(loose):
        return with_duke(state, seat, loose_cards=loose[:index] + loose[index + 1 :]), loose[index], 1
    state = _from_inventory(referee, state, seat)
    place = index - len(loose)
    if not 0 <= place < len(cards):
        why = f"{state.seats[seat]} has {amount(len(loose) + len(cards), 'room')} to build: there is no number {index}."
        referee.impossible("inventory.have", why)
    return with_duke(state, seat, cards=cards[:place] + cards[place + 1 :]), cards[place], 0


def _from_inventory(referee: Referee, state: State, seat: int) -> State:
    """Begin or go on placing from the inventory (rulebook, Building Phase)."""
    duke, name = state.dukes[seat], state.seats[seat]
    if state.phase != "building":
        referee.refuse("building.only", f"{name} can place items in the Building Phase only.")
    elif duke.stage == "done":
        referee.refuse("building.finished", f"{name} has finished building this turn.")
    elif duke.stage == "acquiring":
        return declared(referee, state, seat)
    return state


# Finishing


def finish_building(referee: Referee, state: State, action: FinishBuilding) -> State:
    """Be done with building this turn; when all are, the Building Phase ends."""
    duke, name = duke_in(referee, state, action.seat), state.seats[action.seat]
    if state.phase != "building":
        referee.refuse("building.only", f"{name} can finish building in the Building Phase only.")
    elif duke.stage == "done":
        referee.refuse("building.finished", f"{name} has already finished building this turn.")
    if duke.rearranging:
        referee.refuse("crumble.replace", f"{name} is still rearranging the castle.")
    referee.note(f"{name} has finished building.", seat=action.seat, rule="building.finished")
    return phases.building_goes_on(referee, with_duke(state, action.seat, stage="done"))


def drop_vines(referee: Referee, state: State, action: DropVines) -> State:
    """Vines that fall onto the player board stay there (rulebook, Extra Hard Variant)."""
    seat, count = action.seat, action.count
    duke = duke_in(referee, state, seat)
    if not state.options.vines:
        referee.refuse("vines.hang", "This game is played without vines.")
    elif state.options.detail == "full" and count > duke.vines_hung:
        why = f"{state.seats[seat]} has {amount(duke.vines_hung, 'vine')} hanging, not {count}."
        referee.refuse("vines.hang", why)
    text = f"{state.seats[seat]} drops {amount(count, 'vine')}."
    referee.note(text, seat=seat, what="vines dropped", change=count, rule="vines.score")
    hung = max(0, duke.vines_hung - count)
    return with_duke(state, seat, vines_hung=hung, vines_dropped=duke.vines_dropped + count)


HANDLERS: Handlers[State] = {
    PlaceTile: place_tile,
    PlaceRoof: place_roof,
    PlaceBridge: place_bridge,
    PlacePillars: place_pillars,
    BuildRoom: build_room,
    FurnishRoom: furnish_room,
    ArmTop: arm_top,
    FinishBuilding: finish_building,
    DropVines: drop_vines,
}
