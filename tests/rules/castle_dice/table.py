"""A test vocabulary of the table: lay out a game in the middle, do things at it, be refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.errors import Refusal
from companion.rules.base import Action, Correction, Fact, Setup
from companion.rules.castle_dice.game import GAME
from companion.rules.castle_dice.rolls import die_of
from companion.rules.castle_dice.state import ANIMALS, Animal, DeckId, Face, Phase, Player, Resource, State
from companion.rules.castle_dice.supply import plus

SEATS = ("North", "East", "South", "West")


class Table:
    """A game in progress. Whatever is done at it, no component may be created or lost."""

    def __init__(self, state: State) -> None:
        assert GAME.faults(state) == ()
        self.state = state
        self.facts: tuple[Fact, ...] = ()

    @property
    def north(self) -> Player:
        """The player of seat 0, who acts in most tests."""
        return self.state.players[0]

    @property
    def east(self) -> Player:
        return self.state.players[1]

    def do(self, *actions: Action) -> Table:
        """Do things in turn; `facts` are those of the last."""
        for action in actions:
            step = GAME.apply(self.state, action)
            assert GAME.faults(step.state) == (), f"{action} created or lost components"
            assert msgspec.json.decode(msgspec.json.encode(step.state), type=State) == step.state
            assert all(fact.rule in GAME.rulebook for fact in step.facts if fact.rule)
            self.state, self.facts = step.state, step.facts
        return self

    def overrule(self, action: Action) -> Table:
        """Do something although the rules forbid it, as a correction does."""
        self.do(Correction(why="agreed", move=msgspec.to_builtins(action)))
        assert any(fact.text.startswith("Overruled") for fact in self.facts), "there was nothing to overrule"
        return self

    def refuses(self, action: Action, rule: str, *, final: bool = False) -> str:
        """Assert that an action is refused under a rule. Returns the words."""
        with pytest.raises(Refusal) as caught:
            GAME.apply(self.state, action)
        assert (caught.value.rule, caught.value.final) == (rule, final)
        assert caught.value.cite == GAME.rulebook[rule].cite
        return caught.value.why

    def rules(self) -> set[str]:
        """The rules the last action's facts name."""
        return {fact.rule for fact in self.facts if fact.rule}

    def offered(self) -> list[Action]:
        """Every legal move now."""
        return [choice.action for prompt in GAME.prompts(self.state) for choice in prompt.choices if choice.legal]


def table(players: int = 2, phase: Phase = "build", **north: Any) -> Table:
    """A table in the middle of a game, North's mat as given; what lies on it is taken from bank and decks."""
    state = GAME.setup(Setup(seats=SEATS[:players]))
    state = replace(state, phase=phase, rollers=(), active=0)
    return Table(lay(state, 0, **north))


def lay(state: State, seat: int, **changes: Any) -> State:
    """Put things on a mat, out of the bank, the tokens and the decks."""
    player = replace(state.players[seat], **changes)
    player = replace(player, resources=plus(Player().resources, player.resources))
    player = replace(player, animals=plus(Player().animals, player.animals))
    player = replace(player, hidden=plus(Player().hidden, player.hidden))
    player = replace(player, camp=plus(Player().camp, player.camp), dice=plus(Player().dice, player.dice))
    players = (*state.players[:seat], player, *state.players[seat + 1 :])
    return balanced(replace(state, players=players))


def balanced(state: State) -> State:
    """Bank, tokens and decks hold what is nowhere else."""
    bank: dict[Resource, int] = {"wood": 14, "stone": 14, "gold": 13, "land": 11, "iron": 11}
    for player in state.players:
        bank = plus(plus(bank, player.dice, -1), player.camp, -1)
    for face, count in state.world.items():
        bank = plus(bank, {die_of(face): -count})
    tokens: dict[Animal, int] = {
        animal: state.herd[animal] - sum(player.animals[animal] for player in state.players) for animal in ANIMALS
    }
    villagers = 60 - sum(player.villagers for player in state.players)
    state = replace(state, bank=bank, tokens=tokens, villager_tokens=villagers)
    return replace(state, decks={deck: replace(pile, draw=_left(state, deck)) for deck, pile in state.decks.items()})


def _left(state: State, deck: DeckId) -> int:
    public = GAME.public_state(state)
    held = sum(player.hidden[deck] for player in public.players)
    built = sum(
        count
        for player in state.players
        for name, count in player.built.items()
        if GAME.box["cards"][name]["deck"] == deck
    )
    pile = state.decks[deck]
    return state.sizes[deck] - held - built - pile.unnamed - sum(pile.discard.values())


def gathering(players: int = 2, world: dict[Face, int] | None = None, gathers: int = 1, **north: Any) -> Table:
    """North's go in the gather phase, in a world as given."""
    there = {"wood 1": 4} if world is None else world
    begun = table(players, "gather", **north).state
    return Table(balanced(replace(begun, world=there, gathers=gathers)))


def with_east(laid: Table, **changes: Any) -> Table:
    """The same table with East's mat changed."""
    return Table(lay(laid.state, 1, **changes))
