"""The small vocabulary all five games share: Game, State, Action, Fact, Rule, Setup.

A game is a value: `setup(setup) -> State`, `apply(state, action) -> Step(state, facts)` or a Refusal that names
its rule, `prompts(state)` and `picture(state)` for whatever shows the table, `tally(state)` and `sheet(tally)` for
the score. States and actions are frozen and round-trip through JSON. Dice, cards and chits come from the real box:
a draw is an action. For people who want the companion to draw, `deal` makes that same action from what is left.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Protocol, TypeVar

import msgspec
from msgspec import Struct

from companion.errors import CompanionError, Malformed, Refusal
from companion.rules.box import Box, Learned, shipped
from companion.rules.places import decide
from companion.rules.scores import Outcome, ScoreSheet

if TYPE_CHECKING:
    from companion.rules.table import Choice, Picture, Prompt

_NAME_LENGTH = 40
_CONTRADICTIONS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError)
"""What a state raises whose parts contradict each other."""


def kebab(name: str) -> str:
    """
    >>> kebab("TakeRoom")
    'take-room'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Rule(Struct, frozen=True, kw_only=True):
    """One rule in our own short words, and where the rulebook has it.

    A `ruling` is ours: the rulebook is silent or contradicts itself there. `option` names the set-up option with which
    a group can decide otherwise.
    """

    id: str
    text: str
    cite: str
    ruling: bool = False
    option: str = ""


TABLE_RULES = (
    Rule(id="table.over", text="A finished game takes corrections only.", cite="Castle Companion, the table"),
    Rule(
        id="table.correction",
        text="The table may settle anything by a correction; recorded, and never refused for being against the rules.",
        cite="Castle Companion, the table",
    ),
)


class Rulebook:
    """A game's rules by id."""

    def __init__(self, *parts: Iterable[Rule]) -> None:
        self._rules: dict[str, Rule] = {}
        for rule in (*TABLE_RULES, *(rule for part in parts for rule in part)):
            if rule.id in self._rules:
                raise ValueError(f"two rules are called {rule.id}")
            self._rules[rule.id] = rule

    def __getitem__(self, rule: str) -> Rule:
        return self._rules[rule]

    def __contains__(self, rule: str) -> bool:
        return rule in self._rules

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules.values())


class GameOption(Struct, frozen=True, kw_only=True):
    """A choice at set-up, with one line of rule text. The values are those listed, the first is not special."""

    key: str
    label: str
    text: str
    default: str | int | bool
    values: tuple[str | int | bool, ...] = (True, False)
    rule: str = ""


class Mode(Struct, frozen=True, kw_only=True):
    """A way to play a game that differs enough to deserve a whole recorded game among the tests."""

    key: str
    label: str
    players: int
    options: dict[str, str | int | bool] = {}


class GameInfo(Struct, frozen=True, kw_only=True):
    """What stands on the side of the box, and what the companion can do with it."""

    id: str
    title: str
    players: tuple[int, int]
    minutes: tuple[int, int]
    age: int
    rules_version: int
    modes: tuple[Mode, ...] = ()
    options: tuple[GameOption, ...] = ()
    senses: dict[str, str] = {}


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who sits where (clockwise), which of them begins, the options, and what is known of this table's box."""

    seats: tuple[str, ...]
    first: int = 0
    options: dict[str, str | int | bool] = {}
    box: dict[str, Any] = {}


class State(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of a game in progress. Each game adds its own fields."""

    seats: tuple[str, ...]
    over: bool = False
    corrected: bool = False


class Action(Struct, frozen=True, kw_only=True, tag_field="do", tag=kebab, forbid_unknown_fields=True):
    """Something done at the table. Its JSON form carries its name in `do`."""


class Correction(Action, frozen=True, kw_only=True, tag="correct"):
    """The table settles something by agreement: numbers set right, or a move made against the rules.

    `set` maps a path in the state (`dukes/0/coins`) to its new value; `move` is an action done although it was refused.
    """

    why: str = ""
    set: dict[str, Any] = {}
    move: dict[str, Any] | None = None


class Fact(Struct, frozen=True, kw_only=True):
    """Something that became true by an action, in words, and as a change of a number where it is one."""

    text: str
    seat: int | None = None
    what: str = ""
    change: int = 0
    rule: str = ""


S = TypeVar("S", bound=State)


class Step(Struct, Generic[S], frozen=True):
    """What an action led to."""

    state: S
    facts: tuple[Fact, ...]


class Dealer(Protocol):
    """Where chance comes from when the companion rolls or draws for the table."""

    def pick(self, count: int) -> int:
        """A number from 0 up to but not including `count`, each as likely."""


class Referee:
    """Judges one action: refuses it with a rule, or notes what it brings about.

    A lenient referee serves corrections: it notes what it would have refused and lets it pass.
    """

    def __init__(self, rulebook: Rulebook, *, lenient: bool = False) -> None:
        self._rulebook = rulebook
        self._lenient = lenient
        self.facts: list[Fact] = []

    def note(self, text: str, *, seat: int | None = None, what: str = "", change: int = 0, rule: str = "") -> None:
        self.facts.append(Fact(text=text, seat=seat, what=what, change=change, rule=rule))

    def refuse(self, rule: str, why: str) -> None:
        """The rules say no. Returns only when the table has overruled them."""
        if not self._lenient:
            raise Refusal(why, rule=rule, cite=self._rulebook[rule].cite)
        self.note(f"Overruled: {why}", rule=rule)

    def impossible(self, rule: str, why: str) -> NoReturn:
        """Not even an agreement can make this happen: there is no such thing on the table."""
        raise Refusal(why, rule=rule, cite=self._rulebook[rule].cite, final=True)


Handler = Callable[[Referee, S, Any], S]
"""Carries out one kind of action: the state after it, or a refusal."""
Handlers = dict[type[Action], Handler[S]]


class Game(ABC, Generic[S]):
    """One box. Stateless: every method is a function of what it is given."""

    info: ClassVar[GameInfo]
    rulebook: ClassVar[Rulebook]
    state_type: ClassVar[type[State]]
    action_types: ClassVar[tuple[type[Action], ...]]
    tally_type: ClassVar[type[Struct]]
    examples: ClassVar[tuple[Action, ...]]
    """One well-formed action of each type, for the rule listing."""

    # What each game says for itself

    @abstractmethod
    def begin(self, setup: Setup, options: Mapping[str, str | int | bool]) -> S:
        """The state after set-up; `options` has a value for every option."""

    @abstractmethod
    def play(self, referee: Referee, state: S, action: Action) -> S:
        """The state after an action. Called through `apply` only."""

    @abstractmethod
    def prompts(self, state: S) -> tuple[Prompt, ...]:
        """What each seat may or must do now."""

    @abstractmethod
    def picture(self, state: S) -> Picture:
        """The table as data."""

    @abstractmethod
    def label(self, state: S, action: Action) -> str:
        """The action in a few words, told before it happens: a line of the history, the text of an undo button."""

    @abstractmethod
    def deal(self, state: S, choice: Choice, dealer: Dealer, box: Box) -> Action:
        """Answer a choice's asks by chance, from what is left in the box."""

    @abstractmethod
    def tally(self, state: S) -> Struct:
        """What will be scored."""

    @abstractmethod
    def sheet(self, tally: Any) -> ScoreSheet:
        """The score of a tally, line by line."""

    @abstractmethod
    def tally_template(self, players: int) -> Struct:
        """A tally to fill in."""

    @abstractmethod
    def faults(self, state: S) -> tuple[str, ...]:
        """What cannot be true in this state: components created or lost, limits passed. Empty when all is well."""

    def learns(self, state: S, action: Action) -> tuple[Learned, ...]:
        """What an action, taken in this state, tells about the box."""
        return ()

    def public_state(self, state: S) -> S:
        """The state without what only some at the table may know: hidden cards and choices not yet revealed.

        It can be played on; what is missing has to be told again.
        """
        return state

    def public_action(self, state: S, action: Action) -> Action:
        """The action as it may be told to everyone before what it hides is revealed."""
        return action

    def appeal(self, choice: Choice) -> int:
        """How likely somebody who plays by chance takes a choice, so that random games get somewhere."""
        return 1 if choice.closes else 4

    def outcome(self, sheet: ScoreSheet) -> Outcome:
        """Who won, and by which comparison."""
        return decide(sheet)

    # What is the same for all

    @property
    def box(self) -> Box:
        return shipped(type(self).__module__.rpartition(".")[0])

    def setup(self, setup: Setup) -> S:
        """Check a set-up and lay out the game."""
        return self.begin(setup, _checked_options(self.info, setup))

    def apply(self, state: S, action: Action) -> Step[S]:
        """The only way on. Raises a Refusal that names the rule when the rules forbid it."""
        if isinstance(action, Correction):
            return self._correct(state, action)
        referee = Referee(self.rulebook)
        if state.over:
            referee.refuse("table.over", "The game is over.")
        return Step(self._played(referee, state, action), tuple(referee.facts))

    def refusal(self, state: S, action: Action) -> Refusal | None:
        """Why an action is not possible now, or None."""
        try:
            self.apply(state, action)
        except Refusal as refusal:
            return refusal
        return None

    def answered(self, choice: Choice, answers: Mapping[str, object]) -> Action:
        """A choice's action with its asks answered: `answers` maps each ask's field to a value."""
        raw = msgspec.json.decode(msgspec.json.encode(choice.action))
        for path, value in answers.items():
            put(raw, path, msgspec.to_builtins(value))
        return self.decode_action(raw)

    def score(self, state: S) -> ScoreSheet:
        return self.sheet(self.tally(state))

    def decode_action(self, raw: object) -> Action:
        """An action from its JSON form (already parsed)."""
        kinds: tuple[type[Action], ...] = (*self.action_types, Correction)
        types = {kind.__struct_config__.tag: kind for kind in kinds}
        name = raw.get("do") if isinstance(raw, dict) else None
        if not isinstance(name, str) or name not in types:
            known = ", ".join(sorted(str(tag) for tag in types))
            raise Malformed(
                f"An action needs 'do' with one of: {known}."
                if name is None
                else f"There is no action '{name}'. Known: {known}."
            )
        return decode(raw, types[name], f"Action '{name}'")

    def decode_state(self, raw: object) -> S:
        """A state from its JSON form, refused when it cannot be one."""
        state: S = decode(raw, self.state_type, "The state")  # type: ignore[assignment]
        _check_names(state.seats)
        try:
            faults = self.faults(state)
        except _CONTRADICTIONS as error:
            raise Malformed("Parts of this state contradict each other.") from error
        if faults and not state.corrected:
            raise Malformed(f"This is not a possible state: {faults[0]}")
        return self.sound(state)

    def sound(self, state: S) -> S:
        """A state written or corrected by hand, if it can be shown and scored.

        A correction is never refused for being against the rules, so its numbers may contradict each other (five
        castles for two seats). Such a state would lock the table up; it is said before anything comes of it.
        """
        try:
            self.prompts(state)
            self.picture(state)
            self.score(state)
        except _CONTRADICTIONS as error:
            raise Malformed("Parts of this state contradict each other: it cannot be shown or scored.") from error
        return state

    def _played(self, referee: Referee, state: S, action: Action) -> S:
        """The state after an action. Where a state set by hand makes no sense to the rules, that is said."""
        try:
            return self.play(referee, state, action)
        except CompanionError:
            raise
        except _CONTRADICTIONS as error:
            if not state.corrected:
                raise
            raise Malformed("Parts of this state contradict each other: set them right, or undo.") from error

    def _correct(self, state: S, correction: Correction) -> Step[S]:
        facts = [
            Fact(
                text=f"Corrected by the table{': ' + correction.why if correction.why else ''}.",
                rule="table.correction",
            )
        ]
        state = msgspec.structs.replace(state, corrected=True)
        if correction.move is not None:
            move = self.decode_action(correction.move)
            if isinstance(move, Correction):
                raise Malformed("A correction makes a move of the game, not another correction.")
            referee = Referee(self.rulebook, lenient=True)
            state = self._played(referee, state, move)
            facts.extend(referee.facts)
        if correction.set:
            raw = msgspec.json.decode(msgspec.json.encode(state))
            for path, value in correction.set.items():
                put(raw, path, value)
            facts.extend(_set_facts(self.public_action(state, correction)))
            state = decode(raw, self.state_type, "The correction")  # type: ignore[assignment]
        return Step(self.sound(msgspec.structs.replace(state, corrected=True)), tuple(facts))


T = TypeVar("T")


def decode(raw: object, kind: type[T], what: str) -> T:
    """Turn parsed JSON into a value, or say in one sentence what is wrong with it."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise Malformed(f"{what} is not right: {_sentence(str(error))}") from error


def _set_facts(told: Action) -> Iterator[Fact]:
    """What a correction has set, as far as it may be told to everyone."""
    for path, value in told.set.items() if isinstance(told, Correction) else ():
        yield Fact(text=f"{path} is now {msgspec.json.encode(value).decode()}.", rule="table.correction")


def _sentence(text: str) -> str:
    return text.replace(" - at `$.", " - at `").rstrip(".") + "."


def _checked_options(info: GameInfo, setup: Setup) -> dict[str, str | int | bool]:
    low, high = info.players
    if not low <= len(setup.seats) <= high:
        raise Malformed(f"{info.title} is for {low} to {high} players, not {len(setup.seats)}.")
    _check_names(setup.seats)
    if not 0 <= setup.first < len(setup.seats):
        raise Malformed(f"The first seat is a number from 0 to {len(setup.seats) - 1}, not {setup.first}.")
    options = {option.key: option.default for option in info.options}
    for key, value in setup.options.items():
        options[key] = _checked_option(info, key, value)
    return options


def _check_names(seats: tuple[str, ...]) -> None:
    if len(set(seats)) < len(seats) or not all(_is_name(name) for name in seats):
        raise Malformed(f"Each seat needs a name of its own, 1 to {_NAME_LENGTH} characters long.")


def _is_name(name: str) -> bool:
    return 0 < len(name.strip()) == len(name) <= _NAME_LENGTH and name.isprintable()


def _checked_option(info: GameInfo, key: str, value: str | int | bool) -> str | int | bool:
    option = next((option for option in info.options if option.key == key), None)
    if option is None:
        known = ", ".join(option.key for option in info.options) or "none"
        raise Malformed(f"{info.title} has no option '{key}'. Its options: {known}.")
    if not any(value == allowed and type(value) is type(allowed) for allowed in option.values):
        allowed_text = ", ".join(msgspec.json.encode(allowed).decode() for allowed in option.values)
        raise Malformed(f"Option '{key}' takes one of {allowed_text}, not {msgspec.json.encode(value).decode()}.")
    return value


def put(raw: Any, path: str, value: object) -> None:
    """Set what lies at a path like `dukes/0/coins` in parsed JSON. What may lie there is for `decode` to say."""
    *parents, last = path.split("/")
    try:
        for key in parents:
            raw = raw[_place(raw, key)]
        raw[_place(raw, last)] = value
    except (KeyError, IndexError, ValueError, TypeError) as error:
        raise Malformed(f"There is nothing at '{path}' to set.") from error


def _place(raw: object, key: str) -> str | int:
    """What a part of a path means: a place counted from 0 in a list, else a name."""
    if not isinstance(raw, list):
        return key
    if not (key.isascii() and key.isdecimal()):
        raise KeyError(key)
    return int(key)
