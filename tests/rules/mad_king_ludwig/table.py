"""A test vocabulary of the table: lay out a game in the middle, do things at it, be refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.errors import Refusal
from companion.rules.base import Action, Correction, Fact, Setup
from companion.rules.mad_king_ludwig import GAME
from companion.rules.mad_king_ludwig import castle as castles
from companion.rules.mad_king_ludwig.notation import read
from companion.rules.mad_king_ludwig.rooms import HALLWAYS, STAIRS, is_stacked
from companion.rules.mad_king_ludwig.scoring_steps import recount
from companion.rules.mad_king_ludwig.state import STACKS, Castle, Hand, Placed, Player, Space, State, Turn

SEATS = ("North", "East", "South", "West")


class Table:
    """A game in progress. Whatever is done at it, nothing may be created or lost."""

    def __init__(self, state: State) -> None:
        assert not GAME.faults(state), GAME.faults(state)
        self.state = state
        self.facts: tuple[Fact, ...] = ()

    def player(self, seat: int = 0) -> Player:
        return self.state.players[seat]

    @property
    def turn(self) -> Turn:
        assert self.state.turn is not None
        return self.state.turn

    def do(self, *actions: Action) -> Table:
        """Do things in turn; `facts` are those of the last."""
        for action in actions:
            step = GAME.apply(self.state, action)
            if not step.state.corrected:
                assert not GAME.faults(step.state), GAME.faults(step.state)
            assert GAME.decode_state(msgspec.json.decode(msgspec.json.encode(step.state))) == step.state
            assert all(fact.rule in GAME.rulebook for fact in step.facts if fact.rule)
            self.state, self.facts = step.state, step.facts
        return self

    def overrule(self, action: Action) -> Table:
        """Do something although the rules forbid it."""
        self.do(Correction(move=msgspec.to_builtins(action)))
        assert any(fact.text.startswith("Overruled") for fact in self.facts), "there was nothing to overrule"
        return self

    def refuses(self, action: Action, rule: str, *, final: bool = False) -> str:
        """Assert that an action is refused under a rule. Returns the words."""
        with pytest.raises(Refusal) as caught:
            GAME.apply(self.state, action)
        assert (caught.value.rule, caught.value.final) == (rule, final)
        assert caught.value.cite == GAME.rulebook[rule].cite
        return caught.value.why

    def changes(self, what: str) -> list[int]:
        return [fact.change for fact in self.facts if fact.what == what]

    def rules(self) -> set[str]:
        return {fact.rule for fact in self.facts if fact.rule}

    def labels(self) -> list[str]:
        """The legal choices offered now."""
        return [choice.label for prompt in GAME.prompts(self.state) for choice in prompt.choices if choice.legal]


def table(
    *castle_texts: str,
    players: int = 2,
    hand: str | None = None,
    market: tuple[str, ...] = (),
    coins: int = 0,
    seat: int = 0,
    ledger: bool = False,
    options: dict[str, Any] | None = None,
    **changes: Any,
) -> Table:
    """A game in the middle of buying: castles by notation, a tile in hand, rooms on the contract board."""
    chosen = {"castles": "ledger" if ledger else "map", **(options or {})}
    state = GAME.setup(Setup(seats=SEATS[:players], options=chosen))
    built = tuple(_player(text, ledger) for text in (*castle_texts, *["foyer@0,0"] * players)[:players])
    spaces = tuple(
        Space(price=space.price, room=room, coins=coins if room else 0)
        for space, room in zip(state.spaces, (*market, *[None] * len(state.spaces)), strict=False)
    )
    turn = Turn(seat=seat, buys=hand is None, hand=Hand(room=hand, free=True) if hand else None)
    state = replace(
        state, players=built, spaces=spaces, phase="buying", turn=turn, master=(seat + 1) % players,
        favours=("rooms-food", "money", "rooms-living", "large-rooms")[: state.favour_tiles],
    )  # fmt: skip
    state = replace(state, **changes)
    return Table(_counted(state))


def _player(text: str, ledger: bool) -> Player:
    castle = read(text)
    if ledger:
        castle = Castle(rooms=tuple(Placed(room=each.room) for each in castle.rooms))
    return Player(marks=15000, castle=castle, placement=recount(castle))


def _counted(state: State) -> State:
    """The state with what it began with counted from what is there."""
    there = Counter(str(tile.sqft) for player in state.players for tile in castles.stacked(player.castle))
    rooms = [space.room for space in state.spaces if space.room] + [*state.laid, *state.gone]
    rooms += [state.turn.hand.room] if state.turn and state.turn.hand else []
    castle = state.players[0].castle
    there.update(str(castles.tile(castle, room).sqft) for room in rooms if is_stacked(castles.tile(castle, room)))
    halls = sum(castles.count_room(player.castle, *HALLWAYS) for player in state.players)
    stairs = sum(castles.count_room(player.castle, STAIRS) for player in state.players)
    in_hand = state.turn.hand.room if state.turn and state.turn.hand else ""
    return replace(
        state,
        starting_stacks={size: state.stacks[size] + there[size] for size in STACKS},
        starting_corridors=(
            state.hallways + halls + (in_hand in HALLWAYS), state.stairs + stairs + (in_hand == STAIRS),
        ),
        dealt=sum(player.marks for player in state.players) + sum(space.coins for space in state.spaces),
    )  # fmt: skip
