"""The light game: the table handles tiles and barons; the companion keeps turns, coins, holders and the counters."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_builder.actions import Arrive, LoseTile, RaiseCastle
from companion.rules.castle_builder.effects import check_effect, check_owner, settled
from companion.rules.castle_builder.path import steps_for
from companion.rules.castle_builder.phases import coins_reached, expect, go_on, start_acting
from companion.rules.castle_builder.renown import height, note_height
from companion.rules.castle_builder.sources import checked_source, paid, taken
from companion.rules.castle_builder.state import Baron, State
from companion.rules.castle_builder.supply import gain, put_away, with_baron


def raise_castle(referee: Referee, state: State, action: RaiseCastle) -> State:
    """A tile on a level, with its icons; whether it fits there is the table's to see."""
    _light(referee, state)
    seat, name = action.seat, state.seats[action.seat]
    state = start_acting(referee, state, seat)
    checked_source(referee, state, seat, action.source)
    if action.level > state.barons[seat].levels + 1:
        why = f"{name}'s castle is {state.barons[seat].levels} levels high: level {action.level} has nothing below it."
        referee.refuse("light.level", why)
    state = paid(referee, taken(referee, state, seat, action.source), seat, action.pay)
    left_holder = -1 if action.source == "holder" else 0
    referee.note(f"{name} builds on level {action.level}.", seat=seat, what="tiles", change=left_holder)
    before = height(state, seat)
    state = with_baron(state, seat, **_grown(state.barons[seat], action))
    note_height(referee, state, seat, before)
    return go_on(referee, replace(state, moving=steps_for(action.level, 0) > 0))


def _grown(baron: Baron, action: RaiseCastle) -> dict[str, int]:
    return {
        "built": baron.built + 1,
        "levels": max(baron.levels, action.level),
        "windows": baron.windows + action.windows,
        "persons": baron.persons + action.persons,
        "roofs": baron.roofs + action.roof,
    }


def arrive(referee: Referee, state: State, action: Arrive) -> State:
    """What the baron's move brought."""
    _light(referee, state)
    expect(referee, state, action.seat, "move")
    state = replace(state, active=action.seat, moving=False)
    if action.tile:
        state = gain(referee, state, action.seat, 1, "baron.tile")
    if action.coins > 1 and not state.options.every_coin:
        referee.refuse("ruling.every-coin-area", "A move gives at most one coin in this game.")
    return go_on(referee, coins_reached(referee, state, action.seat, action.coins))


def lose_tile(referee: Referee, state: State, action: LoseTile) -> State:
    """A bare tile left a castle; its icons leave the counters."""
    _light(referee, state)
    check_effect(referee, state, action.seat, "crumble", "catapult")
    check_owner(referee, state, action.seat, action.owner)
    shrunk = _shrunk(state.barons[action.owner], action)
    if min(shrunk.values()) < 0 or shrunk["levels"] < 1:
        referee.impossible("light.counters", f"{state.seats[action.owner]}'s castle does not have that much to lose.")
    rule = f"coin.{state.effect or 'crumble'}"
    referee.note(f"{state.seats[action.owner]} loses a tile.", seat=action.owner, rule=rule)
    before = height(state, action.owner)
    state = put_away(with_baron(state, action.owner, **shrunk))
    note_height(referee, state, action.owner, before)
    return go_on(referee, settled(state, "crumble", "catapult"))


def _shrunk(baron: Baron, action: LoseTile) -> dict[str, int]:
    return {
        "built": baron.built - 1,
        "levels": baron.levels - action.level_gone,
        "windows": baron.windows - action.windows,
        "persons": baron.persons - action.persons,
        "roofs": baron.roofs - action.roof,
    }


def _light(referee: Referee, state: State) -> None:
    if not state.light:
        referee.impossible("light.full-only", "In a full game this follows from the tiles.")


HANDLERS: Handlers[State] = {RaiseCastle: raise_castle, Arrive: arrive, LoseTile: lose_tile}
