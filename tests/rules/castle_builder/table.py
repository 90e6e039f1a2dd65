"""A test vocabulary of the table: lay out a game in the middle, do things at it, be refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.errors import Refusal
from companion.rules.base import Action, Correction, Fact, Setup
from companion.rules.castle_builder import GAME
from companion.rules.castle_builder.state import Baron, Coin, Placed, Space, State, Tile
from companion.rules.castle_builder.supply import BOX_COINS

SEATS = ("North", "East", "South", "West")
PATH: tuple[Space, ...] = (
    "start", "start", "start", "start", "plain", "coin", "plain", "tile",
    "plain", "ruby", "plain", "coin", "coin", "plain", "ruby", "ruby",
)  # fmt: skip
BOX: dict[str, Any] = {
    "path": {"board": {"spaces": list(PATH)}},
    "foundation": {"board": {"width": 5, "door": 3}},
}
DOOR_X = 4


class Table:
    """A game in progress. Whatever is done at it by the rules, nothing impossible may come of it."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.facts: tuple[Fact, ...] = ()

    @property
    def north(self) -> Baron:
        return self.state.barons[0]

    @property
    def east(self) -> Baron:
        return self.state.barons[1]

    def do(self, *actions: Action) -> Table:
        """Do things in turn; `facts` are those of the last."""
        for action in actions:
            step = GAME.apply(self.state, action)
            assert GAME.faults(step.state) == ()
            assert all(fact.rule in GAME.rulebook for fact in step.facts if fact.rule)
            self.state, self.facts = step.state, step.facts
        return self

    def overrule(self, action: Action) -> Table:
        """Do something although the rules forbid it, as a correction does."""
        step = GAME.apply(self.state, Correction(why="agreed", move=msgspec.to_builtins(action)))
        assert any(fact.text.startswith("Overruled") for fact in step.facts), "there was nothing to overrule"
        assert msgspec.json.decode(msgspec.json.encode(step.state), type=State) == step.state
        self.state, self.facts = step.state, step.facts
        return self

    def refuses(self, action: Action, rule: str, *, final: bool = False) -> str:
        """Assert that an action is refused under a rule. Returns the words."""
        with pytest.raises(Refusal) as caught:
            GAME.apply(self.state, action)
        assert (caught.value.rule, caught.value.final) == (rule, final)
        assert caught.value.cite == GAME.rulebook[rule].cite
        return caught.value.why

    def holders(self) -> list[int]:
        return [baron.holder for baron in self.state.barons]

    def labels(self) -> list[str]:
        """What is offered and legal now."""
        return [choice.label for prompt in GAME.prompts(self.state) for choice in prompt.choices if choice.legal]


def table(
    *barons: Baron, players: int = 2, options: dict[str, str | int | bool] | None = None, **changes: Any
) -> Table:
    """A table in the middle of a game, the barons as given; pile and coin pile hold whatever is left of the box."""
    state = GAME.setup(Setup(seats=SEATS[:players], options=options or {}, box=BOX))
    given = (*barons, *state.barons[len(barons) :])
    spread = tuple(replace(baron, space=baron.space or seat) for seat, baron in enumerate(given))
    return Table(balanced(replace(state, barons=spread, **changes)))


def balanced(state: State) -> State:
    """The state with pile and coin pile such that nothing is created or lost."""
    in_castles = sum(len(baron.castle) + baron.built for baron in state.barons)
    held = sum(baron.holder + len(baron.court) for baron in state.barons)
    coins = sum(baron.coins for baron in state.barons)
    pile = state.box_tiles - in_castles - held - len(state.tiles) - state.discard
    return replace(state, pile=pile, coin_pile=BOX_COINS - coins - len(state.coins))


def at(level: int, x: int, number: int = 1, **tile: Any) -> Placed:
    """A tile in a castle."""
    return Placed(level=level, x=x, tile=Tile(number=number, **tile))


def baron(*castle: Placed, **changes: Any) -> Baron:
    return replace(Baron(holder=3, castle=castle), **changes)


def due(*barons: Baron, coin: Coin, players: int = 2, options: dict[str, str | int | bool] | None = None) -> Table:
    """A table at which North may take a coin, and the one in the first slot is known."""
    return table(*barons, players=players, options=options, coins=(coin, None, None), due=1, acted=True)


SIDE_WALL = Tile(wild=True, no_new_floor=True, bottom="stone-air", top="stone-air")
