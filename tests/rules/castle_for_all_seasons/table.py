"""A test vocabulary of the table: lay out a game in the middle, play cards at it, be refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.errors import Refusal
from companion.rules.base import Action, Correction, Fact, Setup
from companion.rules.castle_for_all_seasons import GAME
from companion.rules.castle_for_all_seasons.actions import DoneBuilding, DonePlacing, DrawWinter, LayCard, Reveal
from companion.rules.castle_for_all_seasons.state import (
    Building,
    Card,
    Post,
    Resource,
    Spot,
    State,
    Tavern,
    Winter,
    WinterCard,
)
from companion.rules.castle_for_all_seasons.supply import gain, merged, with_builder

SEATS = ("North", "East", "South", "West")
NORTH, EAST, SOUTH, WEST = range(4)
BOX: dict[str, Any] = {
    "buildings": {
        "well": {"value": 12, "vp": 10}, "tower": {"value": 8, "vp": 6}, "house": {"value": 10, "vp": 8},
    },
    "fees": {
        spot: {"talers": talers}
        for spot, talers in {
            "keep": 14, "big-gate": 12, "small-gate": 6, "market-1": 8, "market-2": 8,
            "servants-house-1": 10, "servants-house-2": 10, "servants-house-3": 10,
        }.items()
    },
    "carts": {cart: {"pieces": 4} for cart in ("sand", "wood", "clay", "stone", "silver")},
    "winter-spaces": {"spaces": {"spaces": list(range(1, 16))}},
}  # fmt: skip
"""A board read whole; every round space shows a winter card."""


class Table:
    """A game in progress. Whatever is done at it, nothing may be created or lost."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.facts: tuple[Fact, ...] = ()

    # Laying out

    def give(self, seat: int, *, talers: int = 0, **pieces: int) -> Table:
        """Hand a builder talers of the bank and pieces of the carts."""
        state = replace(self.state, bank=self.state.bank - talers, stock=merged(self.state.stock, pieces, -1))
        state = with_builder(gain(state, seat, pieces), seat, talers=state.builders[seat].talers + talers)
        return self.stands(state)

    def strip(self, seat: int) -> Table:
        """Take all talers and pieces of a builder away."""
        builder = self.state.builders[seat]
        state = replace(self.state, bank=self.state.bank + builder.talers, stock=merged(self.state.stock, builder.held))
        return self.stands(with_builder(state, seat, talers=0, held={}))

    def empty_bank(self, left: int = 0) -> Table:
        """Hand all talers but a few to the last seat."""
        return self.give(len(self.state.seats) - 1, talers=self.state.bank - left)

    def built(self, *buildings: Building, by: int = 0, count: int = 1) -> Table:
        """Let buildings stand."""
        state = self.state
        for building in buildings:
            left = state.tiles[building] - count
            tiles = {other: number for other, number in state.tiles.items() if other != building}
            state = replace(state, tiles={**tiles, building: left} if left else tiles)
            own = {**state.builders[by].tiles, building: state.builders[by].tiles.get(building, 0) + count}
            state = with_builder(state, by, tiles=own)
        return self.stands(state)

    def helper(self, seat: int, *spots: Spot) -> Table:
        """Let helpers stand."""
        for spot in spots:
            state = replace(self.state, helpers={**self.state.helpers, spot: seat})
            self.stands(with_builder(state, seat, helpers=state.builders[seat].helpers - 1))
        return self

    def post(self, seat: int, *carts: Resource, since: int = 0) -> Table:
        """Let trader's helpers stand."""
        for cart in carts:
            state = replace(self.state, posts={**self.state.posts, cart: Post(seat=seat, round=since)})
            self.stands(with_builder(state, seat, helpers=state.builders[seat].helpers - 1))
        return self

    def round(self, number: int) -> Table:
        """Let it be a later round: the starting players have spent their talers."""
        gone = number - self.state.round
        return self.stands(
            replace(self.state, round=number, spaces=self.state.spaces - gone, bank=self.state.bank + gone)
        )

    def played(self, seat: int, *cards: Card) -> Table:
        return self.stands(with_builder(self.state, seat, played=cards))

    def stands(self, state: State) -> Table:
        """Let the game stand so, if it can."""
        assert not GAME.faults(state), GAME.faults(state)
        self.state = state
        return self

    # Doing

    def do(self, *actions: Action) -> Table:
        """Do things in turn; `facts` are those of the last."""
        for action in actions:
            step = GAME.apply(self.state, action)
            assert msgspec.json.decode(msgspec.json.encode(step.state), type=State) == step.state
            assert all(fact.rule in GAME.rulebook for fact in step.facts if fact.rule)
            self.stands(step.state)
            self.facts = step.facts
        return self

    def overrule(self, action: Action) -> Table:
        """Do something although the rules forbid it."""
        with pytest.raises(Refusal):
            GAME.apply(self.state, action)
        return self.do(Correction(move=msgspec.to_builtins(action)))

    def reveal(self, *cards: Card | tuple[Card, ...]) -> Table:
        """Everyone lays a card, or with two players two, and flips them over."""
        self.lay(*cards)
        return self.do(Reveal())

    def lay(self, *cards: Card | tuple[Card, ...]) -> Table:
        for seat, laid in enumerate(cards):
            for card in (laid,) if isinstance(laid, str) else laid:
                self.do(LayCard(seat=seat, card=card))
        return self

    def draw(self, card: WinterCard) -> Table:
        return self.do(DrawWinter(card=card))

    def through(self) -> Table:
        """Whoever builds or places is done, until something else is asked."""
        while self.state.turn and self.state.turn.stage in ("build", "helpers"):
            seat = self.state.turn.seat
            self.do(DoneBuilding(seat=seat) if self.state.turn.stage == "build" else DonePlacing(seat=seat))
        return self

    def refuses(self, action: Action, rule: str, *, final: bool = False) -> str:
        """Assert that an action is refused under a rule. Returns the words."""
        with pytest.raises(Refusal) as caught:
            GAME.apply(self.state, action)
        assert (caught.value.rule, caught.value.final) == (rule, final)
        assert caught.value.cite == GAME.rulebook[rule].cite
        return caught.value.why

    # Looking

    def talers(self, seat: int) -> int:
        return self.state.builders[seat].talers

    def points(self, seat: int) -> int:
        return self.state.builders[seat].points

    def held(self, seat: int) -> dict[Resource, int]:
        return self.state.builders[seat].held

    def stage(self) -> tuple[int, str] | None:
        """Whose card is at which stage."""
        return (self.state.turn.seat, self.state.turn.stage) if self.state.turn else None

    def rules(self) -> set[str]:
        """The rules the last action's facts name."""
        return {fact.rule for fact in self.facts if fact.rule}


def table(players: int = 3, **options: Any) -> Table:
    """A game just begun, its board read."""
    return Table(GAME.setup(Setup(seats=SEATS[:players], options=options, box=BOX)))


def winter(players: int = 3, **options: Any) -> Table:
    """A winter game just begun."""
    return table(players, season="winter", **options)


def tavern(here: Table, talers: int = 0, innkeeper: int | None = None) -> Table:
    """The village tavern lies in the game, its talers from the bank, its innkeeper from his owner's stock."""
    state = replace(
        here.state,
        winter=Winter(drawn=("village-tavern",), tavern=Tavern(talers=talers, innkeeper=innkeeper)),
        printed=replace(here.state.printed, winter=()),
        bank=here.state.bank - talers,
    )
    if innkeeper is not None:
        state = with_builder(state, innkeeper, helpers=state.builders[innkeeper].helpers - 1)
    return here.stands(state)
