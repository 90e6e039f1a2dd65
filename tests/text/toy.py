"""Hilltop: a game small enough to read at a glance, with one of everything a table can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.errors import Malformed
from companion.rules.base import (
    Action,
    Correction,
    Dealer,
    Game,
    GameInfo,
    GameOption,
    Mode,
    Referee,
    Rule,
    Rulebook,
    Setup,
    State,
)
from companion.rules.box import Box, BoxTable, Learned
from companion.rules.scores import Line, ScoreSheet, TieBreak
from companion.rules.table import Ask, Choice, Counter, Option, Panel, PhaseMark, Picture, Piece, Prompt, Reason, Row

Count = Annotated[int, Meta(ge=0, le=99)]
Colour = Literal["red", "blue", "green"]
COLOURS: tuple[Colour, ...] = ("red", "blue", "green")
Phase = Literal["quarry", "build", "flag", "over"]


class Quarry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A quarry card: its name and the stones it gives."""

    name: str
    stones: Count = 1


class HillState(State, frozen=True, kw_only=True):
    """Stones in hand, stones on the hill, flags chosen this turn."""

    turns: int
    turn: int = 1
    phase: Phase = "quarry"
    stones: tuple[Count, ...]
    heights: tuple[Count, ...]
    rested: tuple[bool, ...]
    flags: tuple[tuple[str, ...], ...]
    chosen: tuple[bool, ...]


class Dig(Action, frozen=True, kw_only=True):
    """Turn up a quarry card: everyone takes its stones."""

    card: Quarry


class Build(Action, frozen=True, kw_only=True):
    """Lay stones on a hill."""

    seat: Count
    count: Annotated[int, Meta(ge=1, le=9)] = 1


class Rest(Action, frozen=True, kw_only=True):
    """Be done for this turn."""

    seat: Count


class Fly(Action, frozen=True, kw_only=True):
    """Fly a flag, chosen in secret."""

    seat: Count
    colour: Colour
    motto: str = ""


class Paint(Action, frozen=True, kw_only=True):
    """Add flags of several colours."""

    seat: Count
    colours: tuple[Colour, ...]


class HillTally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What scores: stones on the hill, flags of different colours; stones in hand break ties."""

    names: tuple[str, ...]
    heights: tuple[Count, ...]
    flags: tuple[Count, ...]
    stones: tuple[Count, ...]


_RULES = (
    Rule(id="quarry.first", text="A turn begins with a quarry card.", cite="The Quarry"),
    Rule(id="build.stones", text="Only stones in hand can be laid.", cite="Building, p. 2"),
    Rule(id="build.phase", text="Stones are laid in the building phase.", cite="Building, p. 2"),
    Rule(id="seat.known", text="Only a seat in the game can act.", cite="Set-up"),
    Rule(id="flag.secret", text="Flags are chosen in secret.", cite="Flags, p. 3"),
    Rule(id="flag.same", text="Two flags of one colour count once.", cite="Our ruling: Flags, p. 3", ruling=True),
)
_BOX = Box(
    {
        "quarries": BoxTable(
            source="the toy",
            confidence="verified",
            entries={"Sandpit": {"name": "Sandpit", "stones": 2}, "Granite": {"name": "Granite", "stones": 3}},
        )
    }
)


class Hilltop(Game[HillState]):
    """The toy."""

    info = GameInfo(
        id="hilltop",
        title="Hilltop",
        players=(1, 4),
        minutes=(5, 10),
        age=6,
        rules_version=1,
        modes=(Mode(key="two-players", label="Two players", players=2),),
        options=(
            GameOption(key="turns", label="Turns", text="How many turns are played.", default=2, values=(1, 2, 3)),
            GameOption(key="flags", label="Flags", text="Whether flags are flown.", default=True),
        ),
        senses={"scales": "stones laid"},
    )
    rulebook = Rulebook(_RULES)
    state_type = HillState
    action_types = (Dig, Build, Rest, Fly, Paint)
    tally_type = HillTally
    examples = (
        Dig(card=Quarry(name="Sandpit", stones=2)),
        Build(seat=0, count=2),
        Rest(seat=0),
        Fly(seat=0, colour="red"),
        Paint(seat=0, colours=("red", "blue")),
    )

    @property
    def box(self) -> Box:
        return _BOX

    def begin(self, setup: Setup, options: Mapping[str, str | int | bool]) -> HillState:
        seats = len(setup.seats)
        return HillState(
            seats=setup.seats,
            turns=int(options["turns"]),
            stones=(0,) * seats,
            heights=(0,) * seats,
            rested=(False,) * seats,
            flags=((),) * seats,
            chosen=(not options["flags"],) * seats,
        )

    def play(self, referee: Referee, state: HillState, action: Action) -> HillState:
        seat = getattr(action, "seat", 0)
        if seat >= len(state.seats):
            referee.impossible("seat.known", f"There is no seat {seat}.")
        match action:
            case Dig(card=card):
                return _dig(referee, state, card)
            case Build(seat=seat, count=count):
                return _build(referee, state, seat, count)
            case Rest(seat=seat):
                return _rest(referee, state, seat)
            case Fly(seat=seat, colour=colour):
                return _fly(referee, state, seat, (colour,))
            case Paint(seat=seat, colours=colours):
                return _paint(referee, state, seat, colours)
        raise Malformed("Hilltop knows no such action.")

    def prompts(self, state: HillState) -> tuple[Prompt, ...]:
        if state.phase == "quarry":
            return (_quarry_prompt(),)
        if state.phase == "build":
            return tuple(_build_prompt(state, seat) for seat, rested in enumerate(state.rested) if not rested)
        if state.phase == "flag":
            return tuple(_flag_prompt(seat) for seat, chosen in enumerate(state.chosen) if not chosen)
        return ()

    def picture(self, state: HillState) -> Picture:
        names: tuple[Phase, ...] = ("quarry", "build", "flag", "over")
        now = names.index(state.phase)
        marks = tuple(
            PhaseMark(label=name.title(), status="past" if n < now else "now" if n == now else "ahead")
            for n, name in enumerate(names)
        )
        counters = [
            Counter(key="stones", label="stones", value=held, seat=seat, limit=99)
            for seat, held in enumerate(state.stones)
        ]
        counters += [Counter(key="height", label="height", value=high, seat=n) for n, high in enumerate(state.heights)]
        counters.append(Counter(key="turn", label="turn", value=state.turn, limit=state.turns))
        panels = tuple(
            Panel(title=f"{name}'s hill", seat=n, rows=(Row(label="top", pieces=_pieces(state, n)),))
            for n, name in enumerate(state.seats)
        )
        return Picture(
            headline=f"Turn {state.turn} of {state.turns}", phases=marks, counters=tuple(counters), panels=panels
        )

    def label(self, state: HillState, action: Action) -> str:
        who = state.seats[seat] if 0 <= (seat := getattr(action, "seat", -1)) < len(state.seats) else "The table"
        match action:
            case Dig(card=card):
                return f"Dig at {card.name}"
            case Build(count=count):
                return f"{who} lays {count}"
            case Rest():
                return f"{who} rests"
            case Fly():
                return f"{who} flies a flag"
            case Paint(colours=colours):
                return f"{who} paints {len(colours)} flags"
            case Correction():
                return "Correction"
        return "Something"

    def deal(self, state: HillState, choice: Choice, dealer: Dealer, box: Box) -> Action:
        if isinstance(choice.action, Dig):
            cards = sorted(box["quarries"])
            return Dig(card=Quarry(**box["quarries"][cards[dealer.pick(len(cards))]]))
        raise Malformed("There is nothing to draw for this choice.")

    def tally(self, state: HillState) -> HillTally:
        flags = tuple(len(set(own)) for own in state.flags)
        return HillTally(names=state.seats, heights=state.heights, flags=flags, stones=state.stones)

    def sheet(self, tally: Any) -> ScoreSheet:
        if len({len(tally.names), len(tally.heights), len(tally.flags), len(tally.stones)}) > 1:
            raise Malformed("The tally needs one number for each name.")
        lines = [
            Line(seat=n, key="height", label="Height", count=high, points=high, why=f"{high} stones x 1")
            for n, high in enumerate(tally.heights)
        ]
        lines += [
            Line(seat=n, key="flags", label="Flags", count=count, points=2 * count, why=f"{count} colours x 2")
            for n, count in enumerate(tally.flags)
        ]
        return ScoreSheet(
            names=tally.names,
            lines=tuple(lines),
            tie_breaks=(TieBreak(label="stones in hand", values=tally.stones),),
        )

    def tally_template(self, players: int) -> HillTally:
        names = ("North", "East", "South", "West")[:players]
        zeros = (0,) * players
        return HillTally(names=names, heights=zeros, flags=zeros, stones=zeros)

    def faults(self, state: HillState) -> tuple[str, ...]:
        return () if len(state.heights) == len(state.seats) else ("every seat has a hill.",)

    def learns(self, state: HillState, action: Action) -> tuple[Learned, ...]:
        if isinstance(action, Dig):
            entry = {"name": action.card.name, "stones": action.card.stones}
            return (Learned(table="quarries", key=action.card.name, entry=entry),)
        return ()


def _dig(referee: Referee, state: HillState, card: Quarry) -> HillState:
    if state.phase != "quarry":
        referee.refuse("quarry.first", "The quarry card of this turn is already up.")
    referee.note(f"{card.name} gives everyone {card.stones} stones.", what="stones", change=card.stones)
    stones = tuple(held + card.stones for held in state.stones)
    return replace(state, phase="build", stones=stones, rested=(False,) * len(state.seats))


def _build(referee: Referee, state: HillState, seat: int, count: int) -> HillState:
    if state.phase != "build":
        referee.refuse("build.phase", "This is not the building phase.")
    if state.stones[seat] < count:
        referee.refuse("build.stones", f"{state.seats[seat]} has {state.stones[seat]} stones, not {count}.")
    referee.note(f"{state.seats[seat]} lays {count}.", seat=seat, what="stones", change=-count)
    return replace(
        state,
        stones=_put(state.stones, seat, max(0, state.stones[seat] - count)),
        heights=_put(state.heights, seat, state.heights[seat] + count),
    )


def _rest(referee: Referee, state: HillState, seat: int) -> HillState:
    referee.note(f"{state.seats[seat]} rests.", seat=seat)
    state = replace(state, rested=_put(state.rested, seat, True))
    if not all(state.rested):
        return state
    return _next_turn(referee, state) if all(state.chosen) else replace(state, phase="flag")


def _fly(referee: Referee, state: HillState, seat: int, colours: tuple[Colour, ...]) -> HillState:
    referee.note(f"{state.seats[seat]} has chosen a flag.", seat=seat, rule="flag.secret")
    state = replace(_painted(state, seat, colours), chosen=_put(state.chosen, seat, True))
    return _next_turn(referee, replace(state, chosen=(False,) * len(state.seats))) if all(state.chosen) else state


def _paint(referee: Referee, state: HillState, seat: int, colours: tuple[Colour, ...]) -> HillState:
    if len(set(colours)) < len(colours):
        referee.refuse("flag.same", "Two flags of one colour are one.")
    return _painted(state, seat, colours)


def _painted(state: HillState, seat: int, colours: tuple[Colour, ...]) -> HillState:
    return replace(state, flags=_put(state.flags, seat, (*state.flags[seat], *colours)))


def _next_turn(referee: Referee, state: HillState) -> HillState:
    if state.turn == state.turns:
        referee.note("The game is over.")
        return replace(state, phase="over", over=True)
    referee.note(f"Turn {state.turn + 1} begins.")
    return replace(state, phase="quarry", turn=state.turn + 1)


def _put(values: tuple[Any, ...], seat: int, value: object) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _pieces(state: HillState, seat: int) -> tuple[Piece, ...]:
    stones = (Piece(kind="stone", count=state.heights[seat]),) if state.heights[seat] else ()
    return (*stones, *(Piece(kind="flag", label=colour) for colour in state.flags[seat]))


_QUARRY_FIELDS = (
    Ask(field="name", label="name", kind="text"),
    Ask(field="stones", label="stones", kind="number", high=9),
)


def _quarry_prompt() -> Prompt:
    ask = Ask(field="card", label="Which quarry card?", kind="entry", table="quarries", fields=_QUARRY_FIELDS)
    choice = Choice(label="Turn up a quarry card", action=Dig(card=Quarry(name="?")), asks=(ask,))
    return Prompt(seat=None, text="Turn up a quarry card.", rule="quarry.first", choices=(choice,), must=True)


def _build_prompt(state: HillState, seat: int) -> Prompt:
    held = state.stones[seat]
    lacks = Reason(why=f"{state.seats[seat]} has no stones.", rule="build.stones", cite="Building, p. 2")
    count = Ask(field="count", label="How many stones?", kind="number", low=1, high=max(1, held))
    colours = Ask(
        field="colours",
        label="Which colours?",
        kind="list",
        low=1,
        high=2,
        options=tuple(Option(value=colour, label=colour.title()) for colour in COLOURS),
    )
    choices = (
        Choice(
            label="Lay stones", action=Build(seat=seat), asks=(count,), group="Hill", refused=None if held else lacks
        ),
        Choice(label="Paint flags", action=Paint(seat=seat, colours=()), asks=(colours,), group="Flags"),
        Choice(label="Rest", action=Rest(seat=seat), group="Hill"),
    )
    return Prompt(seat=seat, text="Lay stones or rest.", rule="build.stones", choices=choices)


def _flag_prompt(seat: int) -> Prompt:
    colour = Ask(
        field="colour",
        label="Which colour?",
        kind="choice",
        options=tuple(Option(value=colour, label=colour.title()) for colour in COLOURS),
    )
    motto = Ask(field="motto", label="A motto?", kind="text")
    choice = Choice(label="Fly a flag", action=Fly(seat=seat, colour="red"), asks=(colour, motto))
    return Prompt(seat=seat, text="Choose a flag.", rule="flag.secret", choices=(choice,), must=True, secret=True)


GAME = Hilltop()
