"""Pebbles: seats take pebbles from a bag until it is empty. Small, and with one of everything a session meets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.errors import UnknownGame
from companion.rules import base
from companion.rules.base import Action, Correction, Dealer, Game, GameInfo, GameOption, Referee, Rule, Rulebook, Setup
from companion.rules.box import Box, Learned
from companion.rules.scores import Line, ScoreSheet
from companion.rules.table import Choice, Picture, Prompt

ID = "pebbles"
MOST = 3
MOST_HELD = 2_000_000


class State(base.State, frozen=True, kw_only=True):
    """What is in the bag and in each hand."""

    bag: Annotated[int, Meta(ge=0)]
    hands: tuple[Annotated[int, Meta(le=MOST_HELD)], ...]
    marks: tuple[str, ...] = ()


class Take(Action, frozen=True, kw_only=True):
    """Take pebbles from the bag."""

    seat: int
    count: int = 1


class Mark(Action, frozen=True, kw_only=True):
    """Tell what a pebble shows: something to learn about the box."""

    name: str
    worth: int = 1


class Tally(Struct, frozen=True, kw_only=True):
    names: tuple[str, ...]
    hands: tuple[int, ...]


class Pebbles(Game[State]):
    """See the module."""

    info = GameInfo(
        id=ID,
        title="Pebbles",
        players=(1, 4),
        minutes=(1, 5),
        age=4,
        rules_version=1,
        options=(GameOption(key="bag", label="Bag", text="How many pebbles.", default=40, values=(4, 40, 1000000)),),
    )
    rulebook = Rulebook((Rule(id="take.bag", text="Take what is there, three at most.", cite="p. 1"),))
    state_type: ClassVar[type[base.State]] = State
    action_types = (Take, Mark)
    tally_type = Tally
    examples = (Take(seat=0), Mark(name="moon"))

    def begin(self, setup: Setup, options: Mapping[str, str | int | bool]) -> State:
        return State(seats=setup.seats, bag=int(options["bag"]), hands=(0,) * len(setup.seats))

    def play(self, referee: Referee, state: State, action: Action) -> State:
        if isinstance(action, Mark):
            return replace(state, marks=(*state.marks, action.name))
        assert isinstance(action, Take)
        if not 0 < action.count <= min(MOST, state.bag):
            referee.refuse("take.bag", f"{action.count} cannot be taken: {state.bag} are left, {MOST} is the most.")
        referee.note(f"{state.seats[action.seat]} has more.", seat=action.seat, what="pebbles", change=action.count)
        hands = tuple(held + action.count * (seat == action.seat) for seat, held in enumerate(state.hands))
        bag = max(0, state.bag - action.count)
        return replace(state, bag=bag, hands=hands, over=bag == 0)

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        takes = [Take(seat=seat, count=count) for seat in range(len(state.seats)) for count in range(1, MOST + 1)]
        choices = (Choice(label=self.label(state, take), action=take) for take in takes if take.count <= state.bag)
        return (Prompt(seat=None, text="Take pebbles.", rule="take.bag", choices=tuple(choices), must=True),)

    def picture(self, state: State) -> Picture:
        return Picture(headline=f"{state.bag} left", phases=(), counters=(), panels=())

    def label(self, state: State, action: Action) -> str:
        if isinstance(action, Correction):
            return f"Correction: {action.why}"
        if isinstance(action, Mark):
            return f"A pebble shows a {action.name}"
        assert isinstance(action, Take)
        return f"{state.seats[action.seat]} takes {action.count}"

    def deal(self, state: State, choice: Choice, dealer: Dealer, box: Box) -> Action:
        return Take(seat=0, count=1 + dealer.pick(min(MOST, state.bag)))

    @property
    def box(self) -> Box:
        return Box({})

    def learns(self, state: State, action: Action) -> tuple[Learned, ...]:
        if isinstance(action, Mark):
            return (Learned(table="marks", key=action.name, entry={"worth": action.worth}),)
        return ()

    def tally(self, state: State) -> Tally:
        return Tally(names=state.seats, hands=state.hands)

    def sheet(self, tally: Any) -> ScoreSheet:
        lines = (
            Line(seat=seat, key="pebbles", label="Pebbles", count=held, points=held, why="1 each")
            for seat, (_, held) in enumerate(zip(tally.names, tally.hands, strict=True))
        )
        return ScoreSheet(names=tally.names, lines=tuple(lines))

    def tally_template(self, players: int) -> Tally:
        return Tally(names=("North", "East", "South", "West")[:players], hands=(0,) * players)

    def faults(self, state: State) -> tuple[str, ...]:
        return ()


class LaterState(base.State, frozen=True, kw_only=True):
    """A later edition counts differently: older states no longer fit."""

    sack: int = 0


class LaterPebbles(Pebbles):
    """The same game with a newer rules version that still knows the states."""

    info = replace(Pebbles.info, rules_version=2)


class ForeignPebbles(LaterPebbles):
    """A newer rules version that does not know the states any more."""

    state_type = LaterState


PEBBLES = Pebbles()


def game_of(game: str) -> Game[Any]:
    if game != ID:
        raise UnknownGame(game, (ID,))
    return PEBBLES


def later(game: str) -> Game[Any]:
    return LaterPebbles()


def foreign(game: str) -> Game[Any]:
    return ForeignPebbles()


def plain(state: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(state))
