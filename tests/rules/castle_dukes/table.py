"""A test vocabulary of the table: lay out a game in the middle, do things at it, be refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.errors import Refusal
from companion.rules.base import Action, Fact, Referee, Rulebook
from companion.rules.castle_dukes import acquiring, collapse, placing
from companion.rules.castle_dukes.castle import pieces
from companion.rules.castle_dukes.rulebook import RULES
from companion.rules.castle_dukes.rulings import RULINGS
from companion.rules.castle_dukes.state import Card, Castle, Duke, Options, Room, Slot, State, Tile, Top
from companion.rules.castle_dukes.supply import ONE_SET

SEATS = ("North", "East", "South", "West", "NE", "SE", "SW", "NW")
RULEBOOK = Rulebook(RULES, RULINGS)
KITCHEN = Card(name="Kitchen", comfort=1, king=1, princess=1, knight=1, serf=2)
ATTIC = Card(name="Attic", offence=2, levels="upper")
CELLAR = Card(name="Cellar", defence=2, levels="lower")

_HANDLERS = {**acquiring.HANDLERS, **placing.HANDLERS, **collapse.HANDLERS}


class Table:
    """A game in progress. Whatever is done at it, no component may be created or lost."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.facts: tuple[Fact, ...] = ()

    @property
    def north(self) -> Duke:
        """The duke of seat 0, who acts in most tests."""
        return self.state.dukes[0]

    def do(self, *actions: Action) -> Table:
        """Do things in turn; `facts` are those of the last."""
        for action in actions:
            self.play(action)
        return self

    def overrule(self, action: Action) -> Table:
        """Do something although the rules forbid it, as a correction does."""
        self.play(action, overruling=True)
        assert any(fact.text.startswith("Overruled") for fact in self.facts), "there was nothing to overrule"
        return self

    def play(self, action: Action, *, overruling: bool = False) -> None:
        """Do one thing, checking that the table stays whole. Raises a Refusal."""
        referee = Referee(RULEBOOK, lenient=overruling)
        before = census(self.state)
        state = _HANDLERS[type(action)](referee, self.state, action)
        assert census(state) == before, f"{action} created or lost components"
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
        assert all(fact.rule in RULEBOOK for fact in referee.facts if fact.rule)
        self.state, self.facts = state, tuple(referee.facts)

    def refuses(self, action: Action, rule: str, *, final: bool = False) -> str:
        """Assert that an action is refused under a rule. Returns the words."""
        with pytest.raises(Refusal) as caught:
            _HANDLERS[type(action)](Referee(RULEBOOK), self.state, action)
        assert (caught.value.rule, caught.value.final) == (rule, final)
        assert caught.value.cite == RULEBOOK[rule].cite
        return caught.value.why

    def changes(self) -> dict[str, int]:
        """The numbers the last action changed."""
        return {fact.what: fact.change for fact in self.facts if fact.change}

    def rules(self) -> set[str]:
        """The rules the last action's facts name."""
        return {fact.rule for fact in self.facts if fact.rule}


def census(state: State) -> dict[str, int]:
    """Every component on the table, wherever it is."""
    counts: Counter[str] = Counter(state.stock) + Counter(state.discard)
    counts["room"] += sum(slot.filled for board in state.boards for slot in board)
    for duke in state.dukes:
        counts.update(duke.held)
        counts.update(duke.loose)
        counts.update(pieces(duke.castle))
        counts["room"] += len(duke.cards) + len(duke.loose_cards)
    return dict(+counts)


def table(*, players: int = 2, phase: str = "building", options: Options | None = None, **north: Any) -> Table:
    """A table in the middle of a game, North's duke as given; in the Building Phase everyone is still acquiring."""
    duke = Duke(coins=5 if phase == "building" else 0, stage="acquiring" if phase == "building" else "done")
    state = State(
        seats=SEATS[:players],
        options=options or Options(),
        first=0,
        dukes=(replace(duke, **north), *[duke] * (players - 1)),
        boards=(tuple(Slot(cost=cost) for cost in range(1, 6)),),
        stock=dict(ONE_SET),
        phase=phase,  # type: ignore[arg-type]
    )
    return Table(state)


def floor(**changes: Any) -> Tile:
    """A floor tile with one space, one marking and a pillar on it, ready to bear the next."""
    return replace(Tile(pillars=1, covered=1), **changes)


def stack(height: int, *, ends: bool = True) -> tuple[Tile, ...]:
    """A tower of floor tiles, a pillar on each."""
    return (floor(ends=ends),) * height


def roofed(height: int, **top: int) -> tuple[Tile, ...]:
    """A tower whose last level is a roof."""
    return (*stack(height - 1), Tile(spaces=0, cobbles=0, roof=Top(**top)))


def with_kitchen(**changes: Any) -> Castle:
    """A castle of one base tile with a kitchen on it."""
    return Castle(left=(floor(rooms=(Room(card=KITCHEN, **changes),)),))
