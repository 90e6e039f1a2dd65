"""Completed rooms and what they bring: the eight rewards, in the order the player likes."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.base import Handlers, Referee
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig import phases, rooms
from companion.rules.mad_king_ludwig.actions import DeclineReward, PeekStack, TakeCorridor, TakeReward
from companion.rules.mad_king_ludwig.market import unseen_of_size
from companion.rules.mad_king_ludwig.placement import fits
from companion.rules.mad_king_ludwig.purse import (
    amount,
    bonus_left,
    corridor_left,
    from_bank,
    reward_points,
    turn_of,
    with_corridor,
    with_player,
    with_turn,
)
from companion.rules.mad_king_ludwig.rooms import HALLWAYS, STAIRS, RoomType
from companion.rules.mad_king_ludwig.scoring_steps import room_points
from companion.rules.mad_king_ludwig.state import UNKNOWN, Hand, Player, Reward, State, Turn

ACTIVITY_POINTS = 5
OUTDOOR_MARKS = 10000
MOST_TILES_LAID = 2
_BELOW_EACH = 2
_AT_ONCE: tuple[RoomType, ...] = ("living", "activity", "outdoor")
"""Rewards that are the same whenever they are taken (ruling.order-free)."""


def earned(referee: Referee, state: State, completes: tuple[int, ...], number: int) -> State:
    """Step 6: note what has been completed; rewards whose order cannot matter are paid, the others wait.

    `number` is the turn that completed it: a tile of an earlier turn's reward belongs to that turn.
    """
    castle = state.players[_turn(state).seat].castle
    below = []
    for index in completes:
        kind = castles.tile_at(castle, index).type
        referee.note(f"{castles.room_name(castle, index)} is complete.", seat=_turn(state).seat, rule="complete.room")
        if kind == "downstairs":
            below.append(index)
        else:
            state = _earn(referee, state, Reward(kind=kind, rooms=(index,), turn=number))
    return _earn_below(referee, state, tuple(below), number)


def _turn(state: State) -> Turn:
    assert state.turn is not None
    return state.turn


def _earn(referee: Referee, state: State, reward: Reward) -> State:
    if reward.kind in _AT_ONCE:
        return _begin(referee, state, reward)
    if reward.kind == "corridor" and reward.turn in _turn(state).corridor_taken:
        referee.note("The corridor reward was already taken this turn.", rule="reward.corridor-once")
        return state
    return with_turn(state, rewards=(*_turn(state).rewards, reward))


def _earn_below(referee: Referee, state: State, just: tuple[int, ...], number: int) -> State:
    """A reward for every second completed downstairs room."""
    if not just:
        return state
    turn = _turn(state)
    castle = state.players[turn.seat].castle
    after = sum(castles.tile_at(castle, index).type == "downstairs" for index in castles.completed(castle))
    due = after // _BELOW_EACH - (after - len(just)) // _BELOW_EACH
    if state.options.downstairs_once:
        used = {*turn.below_taken, *(reward.turn for reward in turn.rewards if reward.kind == "downstairs")}
        due = min(due, 0 if number in used else 1)
    if not due:
        text = f"{amount(after, 'downstairs room')} complete: every second brings a reward."
        referee.note(text, rule="reward.downstairs")
    reward = Reward(kind="downstairs", rooms=just, turn=number)
    return with_turn(state, rewards=(*turn.rewards, *[reward] * due))


def turn_goes_on(referee: Referee, state: State) -> State:
    """After each step of a turn: wait for a decision, take the only reward left, or end the turn."""
    while True:
        turn = _turn(state)
        if turn.hand or turn.doing or turn.buys:
            return state
        if not turn.rewards:
            return phases.end_turn(referee, state)
        if len(turn.rewards) > 1 or turn.rewards[0].kind == "downstairs":
            return state
        state = _begin(referee, with_turn(state, rewards=()), turn.rewards[0])


def take_reward(referee: Referee, state: State, action: TakeReward) -> State:
    """The player says which reward comes next, and for downstairs rooms which of the seven it is."""
    turn, _ = turn_of(referee, state, action.seat)
    if action.reward >= len(turn.rewards) or turn.hand or turn.doing or turn.buys:
        referee.impossible("complete.order", "There is no such reward to take now.")
    reward = turn.rewards[action.reward]
    if reward.kind == "downstairs":
        reward = _chosen(referee, state, reward, action)
        state = with_turn(state, below_taken=(*turn.below_taken, reward.turn))
    rest = (*turn.rewards[: action.reward], *turn.rewards[action.reward + 1 :])
    return turn_goes_on(referee, _begin(referee, with_turn(state, rewards=rest), reward))


def _chosen(referee: Referee, state: State, reward: Reward, action: TakeReward) -> Reward:
    if action.chosen is None or action.chosen == "downstairs":
        referee.impossible("reward.downstairs", "Say which of the other seven rewards is taken.")
    if action.chosen == "corridor" and reward.turn in _turn(state).corridor_taken:
        referee.refuse("reward.corridor-once", "The corridor reward was already taken this turn.")
    room = reward.rooms[0] if action.room is None else action.room
    if room not in reward.rooms:
        referee.refuse("reward.downstairs", "Only a downstairs room just completed is scored again.")
        room = reward.rooms[0]
    return replace(reward, kind=action.chosen, rooms=(room,))


# The rewards


def _begin(referee: Referee, state: State, reward: Reward) -> State:
    match reward.kind:
        case "living":
            return _rescore(referee, state, reward)
        case "activity":
            why = f"for the completed {_name(state, reward)}"
            return reward_points(referee, state, _turn(state).seat, ACTIVITY_POINTS, why, "reward.activity")
        case "outdoor":
            return from_bank(referee, state, _turn(state).seat, OUTDOOR_MARKS, "reward.outdoor")
        case "food":
            return _extra_turn(referee, state)
        case "utility":
            return _begin_utility(referee, state, reward)
        case "sleeping":
            return _begin_sleeping(referee, state, reward)
    return _begin_corridor(state, reward)


def _name(state: State, reward: Reward) -> str:
    return castles.room_name(state.players[_turn(state).seat].castle, reward.rooms[0])


def _rescore(referee: Referee, state: State, reward: Reward) -> State:
    seat = _turn(state).seat
    points = room_points(state.players[seat].castle, reward.rooms[0])
    why = f"{_name(state, reward)} is scored again"
    return reward_points(referee, state, seat, points, why, "reward.living")


def _extra_turn(referee: Referee, state: State) -> State:
    turn = _turn(state)
    referee.note(f"{state.seats[turn.seat]} takes another turn.", seat=turn.seat, rule="reward.food")
    return with_turn(state, number=turn.number + 1, buys=True)


def _begin_utility(referee: Referee, state: State, reward: Reward) -> State:
    """Two bonus cards to look at; where cards stay hidden only their owner sees them."""
    seat = _turn(state).seat
    if not bonus_left(state):
        referee.note("No bonus card is left.", rule="ruling.bonus-runs-out")
        return state
    if state.options.bonus == "entered":
        return with_turn(state, doing=reward)
    referee.note(f"{state.seats[seat]} draws two bonus cards and keeps one.", seat=seat, rule="reward.utility")
    return with_player(state, seat, bonus=(*state.players[seat].bonus, UNKNOWN))


def _begin_sleeping(referee: Referee, state: State, reward: Reward) -> State:
    if not any(state.stacks.values()):
        referee.note("No stack is left to look through.", rule="reward.sleeping")
        return state
    return with_turn(state, doing=reward)


def peek_stack(referee: Referee, state: State, action: PeekStack) -> State:
    """Tiles of one stack go face down on the deck; in the last round out of play."""
    _doing(referee, state, action.seat, "sleeping")
    state = _taken_from_stack(referee, state, action)
    name, tiles = state.seats[action.seat], amount(len(action.rooms), "tile")
    if state.last_round:
        text, rule = f"{name} takes {tiles} of {action.size} out of play.", "reward.sleeping-last"
    else:
        text, rule = f"{name} lays {tiles} of {action.size} on the deck.", "reward.sleeping"
    referee.note(text, seat=action.seat, rule=rule)
    state = replace(state, laid=(*state.laid, *action.rooms))
    return turn_goes_on(referee, with_turn(state, doing=None))


def _taken_from_stack(referee: Referee, state: State, action: PeekStack) -> State:
    left = state.stacks[action.size]
    if not left:
        referee.impossible("reward.sleeping", f"The stack of {action.size} is empty.")
    named = [room for room in action.rooms if room != UNKNOWN]
    if len(set(named)) < len(named) or len(action.rooms) > min(MOST_TILES_LAID, left):
        referee.impossible("reward.sleeping", f"Up to {min(MOST_TILES_LAID, left)} different tiles are taken.")
    there = unseen_of_size(state, action.size)
    for room in named:
        if room not in there:
            name = rooms.name(room, state.own)
            referee.impossible("draw.once", f"'{name}' cannot be in the stack of {action.size}.")
    return replace(state, stacks={**state.stacks, action.size: left - len(action.rooms)})


def _begin_corridor(state: State, reward: Reward) -> State:
    """From now on this turn's corridor reward is used, and others of the same turn lapse."""
    turn = _turn(state)
    rest = tuple(other for other in turn.rewards if other.kind != "corridor" or other.turn != reward.turn)
    taken = turn.corridor_taken if reward.turn in turn.corridor_taken else (*turn.corridor_taken, reward.turn)
    return with_turn(state, doing=reward, rewards=rest, corridor_taken=taken)


def take_corridor(referee: Referee, state: State, action: TakeCorridor) -> State:
    """A free hallway or stairs, to be placed at once."""
    reward = _doing(referee, state, action.seat, "corridor")
    player = state.players[action.seat]
    if action.room not in (*HALLWAYS, STAIRS) or not corridor_left(state, action.room):
        referee.impossible("buy.corridor", "There is no such hallway or stairs left to take.")
    if not can_be_placed(state, player, action.room):
        referee.refuse("buy.must-fit", f"The {rooms.name(action.room)} fits nowhere in this castle.")
    state = with_corridor(state, action.room, -1)
    return with_turn(state, doing=None, hand=Hand(room=action.room, free=True, turn=reward.turn))


def can_be_placed(state: State, player: Player, room: str) -> bool:
    """Whether a tile has a legal spot; in a ledger, whether there is a room it may be joined to."""
    if state.options.castles == "map":
        return fits(player.castle, room)
    return bool(castles.may_join(player.castle, room))


def decline(referee: Referee, state: State, action: DeclineReward) -> State:
    """The corridor reward may be left; the others cost nothing and are simply taken."""
    _doing(referee, state, action.seat, "corridor")
    return turn_goes_on(referee, with_turn(state, doing=None))


def _doing(referee: Referee, state: State, seat: int, kind: RoomType) -> Reward:
    turn, _ = turn_of(referee, state, seat)
    if turn.doing is None or turn.doing.kind != kind:
        referee.impossible(f"reward.{kind}", f"{state.seats[seat]} has no {kind} reward to use.")
    return turn.doing


HANDLERS: Handlers[State] = {
    TakeReward: take_reward,
    PeekStack: peek_stack,
    TakeCorridor: take_corridor,
    DeclineReward: decline,
}
