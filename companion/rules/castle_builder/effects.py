"""The choices some coins ask for: whom the Thief robs, what Crumble or Catapult fells, which market tile is taken."""

from __future__ import annotations

from msgspec.structs import replace

from companion.errors import NoSuchPiece
from companion.rules.base import Handlers, Referee
from companion.rules.castle_builder import castle
from companion.rules.castle_builder.actions import BringDown, PickTile, StealTile
from companion.rules.castle_builder.phases import expect, go_on
from companion.rules.castle_builder.renown import height, note_height
from companion.rules.castle_builder.state import Effect, Placed, State
from companion.rules.castle_builder.supply import put_away, tile_taken, with_baron


def settled(state: State, *effects: Effect) -> State:
    """The state with its waiting effect carried out, if it was one of these."""
    return replace(state, effect=None) if state.effect in effects else state


def check_effect(referee: Referee, state: State, seat: int, *effects: Effect) -> None:
    """Refuse what no coin just taken calls for."""
    expect(referee, state, seat, "effect")
    if state.phase == "effect" and state.effect not in effects:
        referee.refuse("coin.take", f"The coin {state.seats[state.active]} took does something else.")


def steal_tile(referee: Referee, state: State, action: StealTile) -> State:
    """One tile blindly from an opponent's holder (rulebook, Coin Effects, Thief)."""
    seat, victim = action.seat, action.victim
    check_effect(referee, state, seat, "thief")
    if victim == seat or victim >= len(state.barons):
        referee.impossible("coin.thief", "The Thief robs an opponent.")
    if not state.barons[victim].holder:
        referee.impossible("ruling.nothing-to-do", f"{state.seats[victim]}'s holder is empty.")
    text = f"{state.seats[seat]} takes a tile from {state.seats[victim]}."
    referee.note(text, seat=seat, what="tiles", change=1, rule="coin.thief")
    referee.note(f"{state.seats[victim]} has one less.", seat=victim, what="tiles", change=-1, rule="coin.thief")
    state = with_baron(state, victim, holder=state.barons[victim].holder - 1)
    state = with_baron(state, seat, holder=state.barons[seat].holder + 1)
    return go_on(referee, settled(state, "thief"))


def bring_down(referee: Referee, state: State, action: BringDown) -> State:
    """A tile that bears no other leaves a castle; no baron moves (rulebook, Coin Effects, Crumble and Catapult)."""
    if state.light:
        referee.impossible("light.only", "In a light game a lost tile is told by its icons.")
    check_effect(referee, state, action.seat, "crumble", "catapult")
    check_owner(referee, state, action.seat, action.owner)
    placed = _bare(referee, state, action)
    text = f"{state.seats[action.owner]} loses {castle.short(placed.tile)} on {castle.where(action.level, action.x)}."
    referee.note(text, seat=action.owner, rule=f"coin.{state.effect or 'crumble'}")
    before = height(state, action.owner)
    left = tuple(other for other in state.barons[action.owner].castle if other is not placed)
    state = put_away(with_baron(state, action.owner, castle=left))
    note_height(referee, state, action.owner, before)
    return go_on(referee, settled(state, "crumble", "catapult"))


def check_owner(referee: Referee, state: State, seat: int, owner: int) -> None:
    """Crumble is for one's own castle, Catapult for another's."""
    if owner >= len(state.barons):
        referee.impossible("turn.seat", f"There is no seat {owner}.")
    if state.effect == "crumble" and owner != seat:
        referee.refuse("coin.crumble", "Crumble takes a tile of your own castle.")
    if state.effect == "catapult" and owner == seat:
        referee.refuse("coin.catapult", "The Catapult takes a tile of an opponent's castle.")


def _bare(referee: Referee, state: State, action: BringDown) -> Placed:
    standing, here = state.barons[action.owner].castle, castle.where(action.level, action.x)
    if state.foundation and castle.door_at(state.foundation) == (action.level, action.x):
        referee.impossible("ruling.door-stands", "The door stays where it is.")
    try:
        placed = castle.placed_at(standing, action.level, action.x)
    except NoSuchPiece as missing:
        referee.impossible("ruling.half-bears", str(missing))
    if castle.bears(standing, action.level, action.x):
        referee.refuse("ruling.half-bears", f"The tile on {here} bears another.")
    return placed


def pick_tile(referee: Referee, state: State, action: PickTile) -> State:
    """A market tile into the holder (rulebook, Coin Effects, Mill; Optional Rules, Peaceful Times)."""
    seat = action.seat
    check_effect(referee, state, seat, "pick")
    if action.slot >= len(state.tiles):
        referee.impossible("market.full", f"There is no tile {action.slot + 1} in the market.")
    text = f"{state.seats[seat]} takes market tile {action.slot + 1}."
    referee.note(text, seat=seat, what="tiles", change=1)
    state = with_baron(state, seat, holder=state.barons[seat].holder + 1)
    return go_on(referee, settled(tile_taken(referee, state, action.slot), "pick"))


HANDLERS: Handlers[State] = {StealTile: steal_tile, BringDown: bring_down, PickTile: pick_tile}
