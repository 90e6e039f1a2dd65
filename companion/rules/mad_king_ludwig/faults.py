"""What can never be true: tiles or marks created or lost, rooms on one another, points that a recount does not find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig import rooms
from companion.rules.mad_king_ludwig.bonus import REWARD_DRAWN
from companion.rules.mad_king_ludwig.geometry import nests
from companion.rules.mad_king_ludwig.rooms import FOYER, HALLWAYS, STAIRS
from companion.rules.mad_king_ludwig.scoring_steps import recount
from companion.rules.mad_king_ludwig.state import STACKS, UNKNOWN, Castle, State

_MOST_DRAWN = max(REWARD_DRAWN, 3)


def faults(state: State) -> Iterator[str]:
    """Everything that is wrong with a state, a sentence each."""
    if len(state.seats) != len(state.players):
        yield "there are not as many players as seats."
        return
    yield from _range_faults(state)
    yield from _money_faults(state)
    yield from _tile_faults(state)
    yield from _bonus_faults(state)
    for seat, player in enumerate(state.players):
        for fault in castle_faults(player.castle):
            yield f"in {state.seats[seat]}'s castle {fault}"
        if player.placement != recount(player.castle):
            found = recount(player.castle)
            yield f"{state.seats[seat]} has {player.placement} points of placing rooms, and a recount finds {found}."


def _range_faults(state: State) -> Iterator[str]:
    if state.master >= len(state.seats) or (state.turn and state.turn.seat >= len(state.seats)):
        yield "somebody acts who is not at the table."
    if state.over != (state.phase == "over"):
        yield "the game is over only in its last phase."
    if (state.turn is not None) != (state.phase == "buying"):
        yield "a turn is taken while buying, and only then."
    if state.phase in ("pricing", "buying") and state.deck == 0 and not state.last_round:
        yield "the deck is empty, but this is not the last round."


def _money_faults(state: State) -> Iterator[str]:
    held = sum(player.marks for player in state.players) + sum(space.coins for space in state.spaces)
    if held != state.dealt:
        yield f"{held} M are on the table, and the bank has paid {state.dealt}."
    if any(space.coins and not space.room for space in state.spaces):
        yield "coins lie on an empty space."


def _tile_faults(state: State) -> Iterator[str]:
    """Each stacked tile is in one place, and each stack's tiles are all there."""
    there = Counter(_tiles(state))
    for room, count in there.items():
        if count > 1 and room not in (FOYER, *HALLWAYS, STAIRS, UNKNOWN):
            yield f"the {rooms.name(room, state.own)} is on the table {count} times."
    by_size = Counter(str(tile.sqft) for room in there.elements() if (tile := _stacked(state, room)))
    for size in STACKS:
        if UNKNOWN not in there and by_size[size] + state.stacks[size] != state.starting_stacks[size]:
            found, began = by_size[size] + state.stacks[size], state.starting_stacks[size]
            yield f"{found} tiles of {size} are there, and the game began with {began}."
    halls = state.hallways + sum(there[room] for room in HALLWAYS)
    if (halls, state.stairs + there[STAIRS]) != state.starting_corridors:
        yield "hallways or stairs were created or lost."


def _tiles(state: State) -> Iterator[str]:
    """Every tile that is not in a stack."""
    yield from (space.room for space in state.spaces if space.room)
    yield from (placed.room for player in state.players for placed in player.castle.rooms)
    yield from (*state.laid, *state.gone)
    if state.turn and state.turn.hand:
        yield state.turn.hand.room


def _stacked(state: State, room: str) -> rooms.RoomTile | None:
    tile = rooms.find(room, state.own)
    return tile if tile and rooms.is_stacked(tile) else None


def _bonus_faults(state: State) -> Iterator[str]:
    held = [card for player in state.players for card in (*player.bonus, *player.drawn) if card != UNKNOWN]
    if len(set(held)) < len(held):
        yield "a bonus card is in two places."
    if any(len(player.drawn) > _MOST_DRAWN for player in state.players):
        yield "somebody looks at too many bonus cards."


@lru_cache(maxsize=256)
def castle_faults(castle: Castle) -> tuple[str, ...]:
    """What cannot be in a castle: no Foyer, rooms on one another, no way out."""
    return tuple(_castle_faults(castle))


def _castle_faults(castle: Castle) -> Iterator[str]:
    if not castle.rooms or castle.rooms[0].room != FOYER:
        yield "the Foyer is missing."
        return
    if any(rooms.find(placed.room, castle.own) is None for placed in castle.rooms):
        yield "there is a room that no box holds."
    if not castles.is_map(castle):
        if any(index >= at for at, each in enumerate(castle.rooms) for index in (*each.connects, *each.touches)):
            yield "a room is joined to one that was not there."
        return
    board = castles.board(castle)
    for at, (lie, masks) in enumerate(zip(board.laid, board.masks, strict=True)):
        for other, mask in zip(board.laid[:at], board.masks, strict=False):
            if mask.cells & masks.cells and not nests(lie, other):
                yield f"the {lie.tile.name} lies on the {other.tile.name}."
    if not board.leads_out():
        yield "there is no external entrance."
