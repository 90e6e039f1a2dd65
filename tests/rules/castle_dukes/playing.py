"""A test vocabulary of whole games: set up, hurry through what a test is not about, and look at what the table says."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from companion.errors import Refusal
from companion.rules.base import Action, Fact, Setup
from companion.rules.castle_dukes import GAME, actions
from companion.rules.castle_dukes.castle import pieces
from companion.rules.castle_dukes.state import ITEMS, Card, Castle, Chit, GuestCard, Item, Room, State, Tile
from companion.rules.table import Choice, Prompt

SEATS = ("North", "East", "South", "West", "NE", "SE", "SW", "NW")
HALL = Card(name="Hall", king=1, princess=1, knight=1, serf=2)
KING = GuestCard(main="king", small="king")
PILLARS = (Chit(kind="pillar"),) * 5


def begin(players: int = 2, *, first: int = 0, box: dict[str, Any] | None = None, **options: Any) -> State:
    """A game as it is set up."""
    return GAME.setup(Setup(seats=SEATS[:players], first=first, options=options, box=box or {}))


def apply(state: State, *doing: Action) -> State:
    """Do things in turn; whatever is done, the table stays whole."""
    for action in doing:
        state = GAME.apply(state, action).state
        assert GAME.faults(state) == ()
    return state


def facts(state: State, action: Action) -> tuple[Fact, ...]:
    """What an action brings about."""
    return GAME.apply(state, action).facts


def told(state: State, action: Action) -> str:
    """What an action brings about, in words."""
    return " ".join(fact.text for fact in facts(state, action))


def refused(state: State, action: Action, rule: str, *, final: bool = False) -> str:
    """Assert that an action is refused under a rule. Returns the words."""
    with pytest.raises(Refusal) as caught:
        GAME.apply(state, action)
    assert (caught.value.rule, caught.value.final) == (rule, final)
    assert caught.value.cite == GAME.rulebook[rule].cite
    return caught.value.why


def choices(state: State, kind: type[Action]) -> list[Choice]:
    """The choices of a kind that are offered now, refused ones included."""
    return [choice for prompt in GAME.prompts(state) for choice in prompt.choices if isinstance(choice.action, kind)]


def musts(state: State) -> list[Prompt]:
    return [prompt for prompt in GAME.prompts(state) if prompt.must]


# Hurrying


def to_rooms(state: State) -> State:
    """Spend the free coins, tiles and pillars by turns."""
    while state.phase == "opening":
        seat = next(seat for seat, duke in enumerate(state.dukes) if duke.coins)
        tiles = state.dukes[seat].held.get("tile", 0)
        light = state.options.detail == "light"
        take = actions.DrawTile(seat=seat) if tiles < 3 else actions.TakePillars(seat=seat)
        state = apply(state, actions.Spend(seat=seat, coins=1) if light else take)
    return state


def to_building(state: State) -> State:
    """Nobody buys a room."""
    state = to_rooms(state)
    while state.phase == "room":
        assert state.buyer is not None
        state = apply(state, actions.PassRooms(seat=state.buyer))
    return state


def past_building(state: State) -> State:
    """Nobody buys or builds."""
    state = to_building(state)
    for seat, duke in enumerate(state.dukes):
        if duke.stage != "done":
            state = apply(state, actions.FinishBuilding(seat=seat))
    return state


def to_turn(state: State, turn: int) -> State:
    """The beginning of a turn by hand: nothing has happened before it."""
    state = to_rooms(state)
    steps = turn - state.turn
    return replace(state, turn=turn, first=state.order[steps % len(state.order)])


def to_guest_card(state: State, turn: int = 6) -> State:
    """A Guest Phase in which no dragon is due."""
    state = past_building(replace(to_turn(state, turn), attacks=(4, 7)))
    assert state.phase == "guest-card"
    return state


def to_dragon(state: State) -> State:
    """A dragon attack, all ready to choose."""
    state = past_building(to_turn(state, 5))
    assert state.phase == "dragon"
    return state


# Castles


def with_castles(state: State, *castles: Castle) -> State:
    """Put castles before the first seats; their pieces come out of the supply."""
    dukes = list(state.dukes)
    stock = Counter(state.stock)
    for seat, castle in enumerate(castles):
        stock.update(pieces(dukes[seat].castle))
        stock.subtract(pieces(castle))
        dukes[seat] = replace(dukes[seat], castle=castle)
    return replace(state, dukes=tuple(dukes), stock=dict(stock))


def with_held(state: State, seat: int, held: dict[Item, int]) -> State:
    """Put items into an inventory; they come out of the supply."""
    dukes = list(state.dukes)
    stock = Counter(state.stock)
    for item in ITEMS:
        stock[item] += dukes[seat].held.get(item, 0) - held.get(item, 0)
    dukes[seat] = replace(dukes[seat], held=held)
    return replace(state, dukes=tuple(dukes), stock=dict(stock))


def with_cards(state: State, seat: int, *cards: Card) -> State:
    """Put room cards into an inventory; they come off the deck."""
    dukes = list(state.dukes)
    stock = Counter(state.stock)
    stock["room"] += len(dukes[seat].cards) - len(cards)
    dukes[seat] = replace(dukes[seat], cards=cards)
    return replace(state, dukes=tuple(dukes), stock=dict(stock))


def hall(card: Card = HALL, /, **changes: Any) -> Castle:
    """A castle of one tile with one room; `changes` are those of the card by default, or who lives in it."""
    living = {key: changes.pop(key) for key in ("living", "table", "coffer") if key in changes}
    guests = living.pop("living", {})
    return Castle(left=(Tile(rooms=(Room(card=replace(card, **changes), **guests, **living),)),))
