"""Each action in a few words: a line of the history, the text of an undo button. Secrets stay secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.rules.base import Action, Correction
from companion.rules.mad_king_ludwig import actions as do
from companion.rules.mad_king_ludwig import bonus, favours, rooms
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.purse import amount, marks
from companion.rules.mad_king_ludwig.state import State

Words = Callable[[State, Any], str]


def label(state: State, action: Action) -> str:
    """What the action does, told before it happens."""
    if isinstance(action, Correction):
        return f"Correction: {action.why or ', '.join(action.set) or 'a move against the rules'}"
    what = _WORDS[type(action)](state, action)
    seat = getattr(action, "seat", None)
    if seat is None or seat >= len(state.seats):
        return what[:1].upper() + what[1:]
    return f"{state.seats[seat]}: {what}"


def _plain(words: str) -> Words:
    return lambda state, action: words


def _room(words: str) -> Words:
    return lambda state, action: words.format(rooms.name(action.room, state.own))


def _hand(state: State) -> str:
    return rooms.name(state.turn.hand.room, state.own) if state.turn and state.turn.hand else "a room"


def _buy(state: State, action: do.Buy) -> str:
    price = next((space.price for space in state.spaces if space.room == action.room), None)
    paid = f" for {marks(price)}" if price is not None else ""
    return f"buys the {rooms.name(action.room, state.own)}{paid}"


def _place(state: State, action: do.PlaceRoom) -> str:
    turned = f", turned {action.spot.turn}" if action.spot.turn else ""
    return f"places the {_hand(state)} at {action.spot.x},{action.spot.y}{turned}"


def _note(state: State, action: do.NoteRoom) -> str:
    castle = state.players[action.seat].castle if action.seat < len(state.players) else None
    there = [i for i in action.connects if castle and i < len(castle.rooms)]
    joined = ", ".join(castles.room_name(castle, i) for i in there) if castle else ""
    return f"places the {_hand(state)}, joined to {joined or 'nothing'}"


def _reward(state: State, action: do.TakeReward) -> str:
    rewards = state.turn.rewards if state.turn else ()
    kind = action.chosen or (rewards[action.reward].kind if action.reward < len(rewards) else "")
    return f"takes the {kind} reward" if kind else "takes a reward"


_WORDS: dict[type[Action], Words] = {
    do.RevealFavour: lambda state, action: f"favour: {favours.name(action.favour)}",
    do.DrawBonus: lambda state, action: f"draws {amount(len(action.cards), 'bonus card')}",
    do.ReturnBonus: _plain("puts a bonus card back"),
    do.CountStack: lambda state, action: f"the stack of {action.size} holds {action.tiles} tiles",
    do.CorrectRoom: lambda state, action: f"this table's {action.tile.name}",
    do.CorrectBonus: lambda state, action: f"{bonus.name(action.card)} pays {action.points}",
    do.DrawRoom: _room("{0} on the contract board"),
    do.SkipCard: lambda state, action: f"a card of {action.size}, its stack is empty",
    do.MoveRoom: lambda state, action: f"moves the {rooms.name(action.room, state.own)} to {marks(action.price)}",
    do.PriceRooms: _plain("lays all rooms anew"),
    do.OpenSale: _plain("opens the sale"),
    do.Buy: _buy,
    do.Pass: _plain("passes"),
    do.PlaceRoom: _place,
    do.NoteRoom: _note,
    do.PutBack: lambda state, action: f"gives the {_hand(state)} back",
    do.TakeReward: _reward,
    do.TakeCorridor: _room("takes a free {0}"),
    do.DeclineReward: _plain("does without the free hallway or stairs"),
    do.PeekStack: lambda state, action: f"lays {amount(len(action.rooms), 'tile')} of {action.size} on the deck",
    do.ShowBonus: lambda state, action: f"shows {', '.join(bonus.name(card) for card in action.cards)}",
    do.CountEntrances: lambda state, action: f"counts {action.external} external entrances",
}
