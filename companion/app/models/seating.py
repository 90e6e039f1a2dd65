"""Setting up a game: who sits where, with which options, who begins, and what to lay out."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.app.models.checklists import Item, checklist
from companion.app.models.model import Message, Model, RuleText, Translate, plain
from companion.app.models.places import Place, around, quarter, wind
from companion.app.models.settings import SettingsModel
from companion.errors import CompanionError, Malformed
from companion.rules.base import Dealer, Game, Setup
from companion.session.session import Session
from companion.session.shelf import Shelf

Step = Literal["people", "options", "checklist"]
Value = str | int | bool

STEPS: tuple[Step, ...] = ("people", "options", "checklist")
NAMES = ("North", "East", "South", "West", "NE", "SE", "SW", "NW")
_USUAL_COUNT = 2
_NAME_LENGTH = 40
_SUGGESTED = 8


class SeatRow(Struct, frozen=True, kw_only=True):
    """One seat: its name, what is wrong with it, its place. `colour` is its number in the palette."""

    seat: int
    name: str
    colour: int
    place: Place
    begins: bool
    problem: str


class OptionValue(Struct, frozen=True, kw_only=True):
    """One value of an option."""

    value: Value
    label: str
    chosen: bool


class OptionRow(Struct, frozen=True, kw_only=True):
    """An option with its line of rule text."""

    key: str
    label: str
    text: str
    values: tuple[OptionValue, ...]
    rule: RuleText | None


class SeatingView(Struct, frozen=True, kw_only=True):
    """The set-up so far. `ready` when a game can begin; `problems` say what is missing."""

    title: str
    step: Step
    counts: tuple[int, ...]
    count: int
    seats: tuple[SeatRow, ...]
    suggestions: tuple[str, ...]
    options: tuple[OptionRow, ...]
    problems: tuple[str, ...]
    ready: bool
    checklist: tuple[Item, ...]
    ticked: frozenset[int]
    message: Message | None


class SeatingModel(Model):
    """A set-up in the making. `begin` deals it out."""

    def __init__(
        self,
        game: Game[Any],
        shelf: Shelf,
        settings: SettingsModel,
        dealer: Dealer,
        *,
        portrait: bool = False,
        t: Translate = plain,
    ) -> None:
        super().__init__(t)
        self.game = game
        self.step: Step = "people"
        self.message: Message | None = None
        self._shelf = shelf
        self._settings = settings
        self._dealer = dealer
        self._portrait = portrait
        low, high = game.info.players
        self._names: list[str] = []
        self._usual: set[str] = set()
        self._places: list[Place] = []
        self._first = 0
        self._options: dict[str, Value] = {option.key: option.default for option in game.info.options}
        self._ticked: set[int] = set()
        self.set_count(max(low, min(_USUAL_COUNT, high)))

    @property
    def view(self) -> SeatingView:
        problems = self._problems()
        return SeatingView(
            title=self.t(self.game.info.title),
            step=self.step,
            counts=tuple(range(self.game.info.players[0], self.game.info.players[1] + 1)),
            count=len(self._names),
            seats=tuple(self._row(seat) for seat in range(len(self._names))),
            suggestions=self._suggestions(),
            options=tuple(self._option(key) for key in self._options),
            problems=problems,
            ready=not problems,
            checklist=() if problems or self.step != "checklist" else self._checklist(),
            ticked=frozenset(self._ticked),
            message=self.message,
        )

    @property
    def setup(self) -> Setup:
        return Setup(seats=tuple(self._names), first=self._first, options=dict(self._options))

    # People

    def set_count(self, count: int) -> None:
        """How many play. Names already given stay; new seats take those of past evenings, or of their sides."""
        low, high = self.game.info.players
        count = max(low, min(count, high))
        self._places = list(around(count, portrait=self._portrait, turned=self._settings.settings.turned))
        names = ["" if name in self._usual else name for name in self._names[:count]]
        for name in self._settings.settings.recent_names:
            if len(names) < count and name not in names and len(name) <= _NAME_LENGTH:
                names.append(name)
        self._names = [*names, *[""] * (count - len(names))]
        self._name_by_side()
        self._first = min(self._first, count - 1)
        self._touched()

    def _name_by_side(self) -> None:
        """Whoever has no name is called after the side they sit at, or as nobody is yet."""
        self._usual = set()
        for seat, place in enumerate(self._places):
            if not self._names[seat]:
                free = (name for name in (wind(place), *NAMES) if name not in self._names)
                self._names[seat] = next(free)
                self._usual.add(self._names[seat])

    def set_name(self, seat: int, name: str) -> None:
        """Rename a seat. A name another seat has changes places with it."""
        name = name.strip()
        if name in self._names:
            self.swap(seat, self._names.index(name))
            return
        self._names[seat] = name
        self._touched()

    def swap(self, one: int, other: int) -> None:
        """Two people change places; who begins stays that person."""
        names = self._names
        self._usual -= {names[one], names[other]}
        names[one], names[other] = names[other], names[one]
        if self._first in (one, other):
            self._first = other if self._first == one else one
        self._touched()

    def turn(self, seat: int) -> None:
        """Turn a seat's part of the screen by a quarter."""
        self._places[seat] = replace(self._places[seat], turn_deg=quarter(self._places[seat].turn_deg))
        self._touched()

    def set_first(self, seat: int) -> None:
        self._first = seat
        self._touched()

    def first_by_chance(self) -> None:
        """Let the companion say who begins."""
        self._first = self._dealer.pick(len(self._names))
        self.message = Message(text=self.t("{name} begins.").format(name=self._names[self._first]))
        self._touched(keep=True)

    @property
    def places(self) -> tuple[Place, ...]:
        """Where the seats are, for the table."""
        return tuple(self._places)

    # Options and the checklist

    def set_option(self, key: str, value: Value) -> None:
        self._options[key] = value
        self._touched()

    def tick(self, item: int) -> None:
        """Tick a line of the checklist off, or on again."""
        self._ticked ^= {item}
        self.changed()

    def go(self, step: Step) -> None:
        self.step = step
        self._ticked = set()
        self.changed()

    def begin(self) -> Session | None:
        """Deal the game out and remember the people who were named. None when it cannot begin; the message says why."""
        try:
            session = self._shelf.new(self.game.info.id, self.setup)
        except CompanionError as error:
            self.message = self.trouble(error)
            self.changed()
            return None
        self._settings.remember_names(tuple(name for name in session.setup.seats if name not in self._usual))
        return session

    # Inside

    def _touched(self, *, keep: bool = False) -> None:
        if not keep:
            self.message = None
        self._ticked = set()
        self.changed()

    def _row(self, seat: int) -> SeatRow:
        return SeatRow(
            seat=seat,
            name=self._names[seat],
            colour=seat,
            place=self._places[seat],
            begins=seat == self._first,
            problem=self._name_problem(seat),
        )

    def _name_problem(self, seat: int) -> str:
        name = self._names[seat]
        if not name:
            return self.t("Seat {n} needs a name.").format(n=seat + 1)
        if len(name) > _NAME_LENGTH:
            too_long = self.t("The name of seat {n} is longer than {most} characters.")
            return too_long.format(n=seat + 1, most=_NAME_LENGTH)
        if not name.isprintable():
            return self.t("The name of seat {n} has characters that cannot be shown.").format(n=seat + 1)
        return ""

    def _problems(self) -> tuple[str, ...]:
        """What keeps the game from beginning, seat by seat, then what the game itself says."""
        found = [problem for seat in range(len(self._names)) if (problem := self._name_problem(seat))]
        if found:
            return tuple(found)
        try:
            self.game.setup(self.setup)
        except Malformed as error:
            return (self.t(str(error)),)
        return ()

    def _suggestions(self) -> tuple[str, ...]:
        """Names of past evenings that are not at the table, then the winds."""
        known = dict.fromkeys((*self._settings.settings.recent_names, *NAMES))
        return tuple(name for name in known if name not in self._names)[:_SUGGESTED]

    def _option(self, key: str) -> OptionRow:
        option = next(option for option in self.game.info.options if option.key == key)
        now = self._options[key]
        values = tuple(
            OptionValue(value=value, label=self._value_label(value), chosen=value == now) for value in option.values
        )
        rule = self.rule_text(self.game.rulebook[option.rule]) if option.rule in self.game.rulebook else None
        return OptionRow(key=key, label=self.t(option.label), text=self.t(option.text), values=values, rule=rule)

    def _value_label(self, value: Value) -> str:
        if isinstance(value, bool):
            return self.t("Yes") if value else self.t("No")
        return self.t(str(value))

    def _checklist(self) -> tuple[Item, ...]:
        return checklist(self.game, self.setup, self.t)
