"""The course of a game: whose turn it is, what must be settled first, how one turn leads to the next."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.castle_builder.actions import DiscardTiles, DrawTiles, EndTurn
from companion.rules.castle_builder.path import area, coins_due, coins_text, journey_of
from companion.rules.castle_builder.state import HOLDER_LIMIT, Phase, State
from companion.rules.castle_builder.supply import filled, gain, lose_from_holder, tiles_text, with_baron

TILES_DRAWN = 2

_WAITS: dict[Phase, str] = {
    "layout": "the table lays out the path and the foundation",
    "discard": "{crowded} discards down to 7 tiles",
    "move": "{active} says where the baron's move led",
    "effect": "{active} carries out the effect of the coin",
    "coin": "{active} takes a coin",
    "turn": "{active} draws or builds",
    "over": "the game is over",
}


def waits_for(state: State) -> str:
    """What the table waits for, in words."""
    crowded = " and ".join(state.seats[seat] for seat in state.crowded)
    return _WAITS[state.phase].format(active=state.seats[state.active], crowded=crowded)


def expect(referee: Referee, state: State, seat: int, phase: Phase) -> None:
    """Refuse what is not this seat's to do now."""
    if state.phase != phase:
        referee.refuse("turn.pending", f"First {waits_for(state)}.")
    elif state.active != seat:
        referee.refuse("turn.order", f"It is {state.seats[state.active]}'s turn, not {state.seats[seat]}'s.")


def start_acting(referee: Referee, state: State, seat: int) -> State:
    """A seat takes its turn. Where the table lets somebody act out of turn, the turn is theirs from now on."""
    expect(referee, state, seat, "turn")
    if state.acted:
        referee.refuse("turn.one", f"{state.seats[state.active]} has drawn or built this turn.")
    return replace(state, active=seat, acted=True, idle=0)


def go_on(referee: Referee, state: State) -> State:
    """Fill the market, drop what cannot be had, and pass the turn when all is settled."""
    if state.over:
        return state
    state = filled(referee, state)
    if not state.coins:
        state = replace(state, due=0)
    if state.phase == "turn" and state.acted:
        return next_turn(state)
    return state


def next_turn(state: State) -> State:
    """The next seat clockwise; with the starting player a new round begins."""
    active = (state.active + 1) % len(state.seats)
    return replace(state, active=active, acted=False, round=state.round + (active == state.first))


# What anybody can do


def draw_tiles(referee: Referee, state: State, action: DrawTiles) -> State:
    """Two tiles from the pile (rulebook, Draw 2 tiles)."""
    idle, held = state.idle, state.barons[action.seat].holder
    state = start_acting(referee, state, action.seat)
    state = gain(referee, state, action.seat, TILES_DRAWN, "draw.two")
    if state.barons[action.seat].holder == held:
        state = replace(state, idle=idle + 1)
    return _stuck(referee, state) if state.idle >= len(state.seats) else go_on(referee, state)


def _stuck(referee: Referee, state: State) -> State:
    """No tile is left and nobody builds any more (ruling.stuck)."""
    referee.note("No tile is left to draw and nobody builds: the game is over.", rule="ruling.stuck")
    return replace(state, over=True, acted=False)


def discard_tiles(referee: Referee, state: State, action: DiscardTiles) -> State:
    """Down to seven (rulebook, Draw 2 tiles)."""
    held = state.barons[action.seat].holder
    if held <= HOLDER_LIMIT:
        referee.impossible("draw.limit", f"{state.seats[action.seat]} has {tiles_text(held)} and need not discard.")
    state = lose_from_holder(referee, state, action.seat, held - HOLDER_LIMIT, "draw.limit")
    return go_on(referee, state)


def end_turn(referee: Referee, state: State, action: EndTurn) -> State:
    """Pass the turn on; needed only after the table has set something right."""
    expect(referee, state, action.seat, "turn")
    if not state.acted:
        referee.refuse("turn.one", f"{state.seats[action.seat]} has neither drawn nor built.")
    return go_on(referee, next_turn(replace(state, active=action.seat)))


# The baron


def move_baron(referee: Referee, state: State, seat: int, steps: int) -> State:
    """Walk, take the tile of a tile area, and note the coins to come (rulebook, Moving the Baron)."""
    ahead = journey_of(state, seat, steps)
    if not ahead.trail:
        return state
    name = state.seats[seat]
    walked = f"{name}'s baron moves {steps} step{'' if steps == 1 else 's'} to {area(ahead.end)}"
    referee.note(f"{walked}{_detours(ahead.glides, ahead.pushes)}.", seat=seat, rule="baron.steps")
    state = with_baron(state, seat, space=ahead.end)
    if ahead.tile:
        state = gain(referee, state, seat, 1, "baron.tile")
    return coins_reached(referee, state, seat, coins_due(state, ahead))


def coins_reached(referee: Referee, state: State, seat: int, coins: int) -> State:
    """Coins that a move has brought, to be taken one by one."""
    if coins:
        referee.note(f"{state.seats[seat]} may take {coins_text(coins)}.", seat=seat, rule="coin.reached")
    return replace(state, due=state.due + coins)


def _detours(glides: int, pushes: int) -> str:
    parts = [f"gliding over {glides}" if glides else "", f"with {pushes} more for a ruby area" if pushes else ""]
    told = ", ".join(part for part in parts if part)
    return f", {told}" if told else ""


HANDLERS: Handlers[State] = {DrawTiles: draw_tiles, DiscardTiles: discard_tiles, EndTurn: end_turn}
