"""Building a tile: the place, the pattern, the sum, what is paid, and how far the baron goes for it."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_builder import castle
from companion.rules.castle_builder.actions import BuildTile
from companion.rules.castle_builder.castle import Spot
from companion.rules.castle_builder.path import steps_for
from companion.rules.castle_builder.phases import go_on, move_baron, start_acting, waits_for
from companion.rules.castle_builder.renown import height, note_height
from companion.rules.castle_builder.sources import checked_source, entered, paid, taken
from companion.rules.castle_builder.state import Foundation, Placed, State, Tile
from companion.rules.castle_builder.supply import with_baron


def build_tile(referee: Referee, state: State, action: BuildTile) -> State:
    """A tile on the castle (rulebook, Build a tile; Placement rules; Numbers and Building)."""
    seat, foundation = action.seat, _foundation(referee, state)
    state = start_acting(referee, state, seat)
    checked_source(referee, state, seat, action.source)
    tile = entered(referee, state, action.source, action.tile)
    spot = _spot(referee, state, foundation, action)
    _check_pattern(referee, spot, tile)
    _check_number(referee, spot, tile, action.pay)
    state = paid(referee, taken(referee, state, seat, action.source), seat, action.pay)
    left_holder = -1 if action.source == "holder" else 0
    here, name = castle.where(spot.level, spot.x), state.seats[seat]
    referee.note(f"{name} builds {castle.short(tile)} on {here}.", seat=seat, what="tiles", change=left_holder)
    return go_on(referee, _placed(referee, state, seat, spot, tile))


def _foundation(referee: Referee, state: State) -> Foundation:
    if state.light:
        referee.impossible("light.only", "In a light game a tile is told by its level and its icons.")
    if state.foundation is None or not state.path:
        referee.impossible("setup.path", f"First {waits_for(state)}.")
    return state.foundation


def _spot(referee: Referee, state: State, foundation: Foundation, action: BuildTile) -> Spot:
    level, x = action.level, action.x
    tiles = castle.standing(foundation, state.barons[action.seat].castle)
    here = castle.where(level, x)
    if not castle.is_place(foundation, level, x):
        referee.impossible("ruling.bricks", f"There is no place on {here}: each level is shifted by half a tile.")
    if (level, x) in tiles:
        referee.impossible("place.free", f"{state.seats[action.seat]} has a tile on {here} already.")
    spot = castle.spot_at(foundation, tiles, level, x)
    if not castle.rests(spot):
        referee.refuse("ruling.touches-below", f"Nothing is below {here}.")
    return spot


def _check_pattern(referee: Referee, spot: Spot, tile: Tile) -> None:
    here = castle.where(spot.level, spot.x)
    if why := castle.mismatch(spot, tile):
        rule = "ruling.slid-under" if why.startswith("above") else "place.pattern"
        referee.refuse(
            "place.first-level" if spot.level == 1 and tile.bottom != "stone" else rule, f"On {here}, {why}."
        )
    if tile.no_new_floor and spot.new_floor:
        referee.refuse("place.no-new-floor", f"This tile may not be the first on level {spot.level}.")


def _check_number(referee: Referee, spot: Spot, tile: Tile, pay: int) -> None:
    """As many tiles are paid as the number is off, neither more nor less."""
    off, here = castle.steps_off(spot, tile), castle.where(spot.level, spot.x)
    if pay == off:
        return
    if not off:
        referee.refuse("ruling.pay-exact", f"The tile fits on {here} as it is: nothing need be paid.")
    elif pay:
        referee.refuse("ruling.pay-exact", f"The number is {off} off on {here}, and {pay} would be paid.")
    else:
        why = f"{here.capitalize()} {castle.needed(spot)}, and the tile's number is {tile.number}"
        referee.refuse("place.number", f"{why}{': pay 1 tile' if off == 1 else ''}.")


def _placed(referee: Referee, state: State, seat: int, spot: Spot, tile: Tile) -> State:
    placed = Placed(level=spot.level, x=spot.x, tile=tile)
    before = height(state, seat)
    state = with_baron(state, seat, castle=(*state.barons[seat].castle, placed))
    note_height(referee, state, seat, before)
    if not (steps := steps_for(spot.level, tile.rubies)):
        referee.note("The first level gives no steps.", seat=seat, rule="baron.level-one")
    return move_baron(referee, replace(state, active=seat), seat, steps)


HANDLERS: Handlers[State] = {BuildTile: build_tile}
