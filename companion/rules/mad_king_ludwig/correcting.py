"""What this table's box says otherwise: tiles, bonus cards, stacks. Told once, the companion remembers."""

from __future__ import annotations

from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.base import Handlers, Referee
from companion.rules.mad_king_ludwig import rooms
from companion.rules.mad_king_ludwig.actions import CorrectBonus, CorrectRoom, CountStack
from companion.rules.mad_king_ludwig.bonus import name
from companion.rules.mad_king_ludwig.market import unseen_of_size
from companion.rules.mad_king_ludwig.rooms import RoomTile
from companion.rules.mad_king_ludwig.scoring_steps import recount
from companion.rules.mad_king_ludwig.state import Castle, Player, State


def count_stack(referee: Referee, state: State, action: CountStack) -> State:
    """The stack holds what was counted; what the game began with follows."""
    if action.tiles > len(unseen_of_size(state, action.size)):
        why = f"There are not so many tiles of {action.size} that lie nowhere else; add new rooms first."
        referee.impossible("box.correct", why)
    change = action.tiles - state.stacks[action.size]
    began = max(0, state.starting_stacks[action.size] + change)
    referee.note(f"The stack of {action.size} holds {action.tiles} tiles.", rule="box.correct")
    return replace(
        state,
        stacks={**state.stacks, action.size: action.tiles},
        starting_stacks={**state.starting_stacks, action.size: began},
    )


def correct_room(referee: Referee, state: State, action: CorrectRoom) -> State:
    """The tile is as told from now on; castles that have it are counted again."""
    try:
        tile = rooms.checked(action.tile)
    except Malformed as error:
        referee.impossible("box.correct", str(error))
    known = rooms.find(tile.id, state.own)
    if known and (known.shape, known.width, known.height, known.sqft) != (
        tile.shape, tile.width, tile.height, tile.sqft,
    ):  # fmt: skip
        referee.impossible("box.correct", f"The {known.name} has another size: give a new tile an id of its own.")
    referee.note(f"The {tile.name} is noted as this table's box has it.", rule="box.correct")
    others = tuple(other for other in state.own if other.id != tile.id)
    own = others if rooms.catalogue().get(tile.id) == tile else (*others, tile)
    players = tuple(_recounted(referee, state, seat, own) for seat in range(len(state.players)))
    return replace(state, own=own, players=players)


def _recounted(referee: Referee, state: State, seat: int, own: tuple[RoomTile, ...]) -> Player:
    player = state.players[seat]
    castle = Castle(rooms=player.castle.rooms, own=own)
    change = recount(castle) - recount(player.castle)
    if change:
        text = f"{change:+d} for {state.seats[seat]}: the castle is counted again."
        referee.note(text, seat=seat, what="points", change=change, rule="box.correct")
    return replace(player, castle=castle, placement=player.placement + change)


def correct_bonus(referee: Referee, state: State, action: CorrectBonus) -> State:
    """The card pays what this table's box prints."""
    referee.note(f"{name(action.card)} pays {action.points}.", rule="box.correct")
    return replace(state, bonus_points={**state.bonus_points, action.card: action.points})


HANDLERS: Handlers[State] = {CountStack: count_stack, CorrectRoom: correct_room, CorrectBonus: correct_bonus}
