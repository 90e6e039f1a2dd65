"""One question at a time: how an ask, or several that belong together, is answered by the fewest touches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import prod
from typing import Any, Literal

from msgspec import Struct

from companion.app.models.model import Callback, Translate
from companion.rules.table import Ask, Option

Answers = dict[str, object]
Done = Callable[[Answers], None]
Offer = Callable[[Callback], str]
Kind = Literal["grid", "number", "pad", "counts", "list", "text", "entry"]

QUICK_NUMBERS = 10
MERGED = 24
"""The most buttons that several choices are merged into."""
_SEPARATOR = " · "


class Button(Struct, frozen=True, kw_only=True):
    """Something to touch. `value` is what it stands for, to draw it by."""

    id: str
    label: str
    value: object = None
    chosen: bool = False


class FieldChip(Struct, frozen=True, kw_only=True):
    """One number among several; `plus` adds a point, `minus` takes one off, where that is possible."""

    field: str
    label: str
    value: object
    plus: str = ""
    minus: str = ""


class Section(Struct, frozen=True, kw_only=True):
    """Values that are told by one touch. `now` is the one to go on with; one that `closes` finishes the entry."""

    label: str
    fields: tuple[str, ...]
    buttons: tuple[Button, ...]
    columns: int
    now: bool
    closes: bool


class EntryView(Struct, frozen=True, kw_only=True):
    """A thing of the box: those known that fit what was told so far, and what a new one is made of.

    `letters` are searched for by `type`; where the thing has a name, `naming` says that `type` names the new one.
    """

    known: tuple[Button, ...]
    more: int
    letters: str
    sections: tuple[Section, ...]
    chips: tuple[FieldChip, ...]
    name: str
    naming: bool
    toggle_naming: str


class StepView(Struct, frozen=True, kw_only=True):
    """One question. `done` and `erase` are ids, empty where there is nothing to be done or erased."""

    kind: Kind
    label: str
    buttons: tuple[Button, ...] = ()
    columns: int = 0
    typed: str = ""
    picked: tuple[Button, ...] = ()
    low: int = 0
    high: int = 0
    done: str = ""
    erase: str = ""
    chips: tuple[FieldChip, ...] = ()
    entry: EntryView | None = None


class Step(ABC):
    """A question on the screen: one ask, or several that are answered together."""

    def __init__(self, asks: tuple[Ask, ...], done: Done, t: Translate) -> None:
        self.asks = asks
        self._ask = asks[0]
        self._done = done
        self._t = t

    @abstractmethod
    def view(self, offer: Offer) -> StepView:
        """What is shown, each touchable thing offered."""

    def type(self, text: str) -> None:
        """Somebody typed; most questions have nothing to type."""
        return


def grouped(asks: tuple[Ask, ...]) -> tuple[tuple[Ask, ...], ...]:
    """The asks in the groups that are answered together: choices of one thing, while the combinations stay few."""
    groups: list[tuple[Ask, ...]] = []
    for ask in asks:
        if groups and _merges((*groups[-1], ask)):
            groups[-1] = (*groups[-1], ask)
        else:
            groups.append((ask,))
    return tuple(groups)


def _merges(asks: tuple[Ask, ...]) -> bool:
    return (
        all(ask.kind == "choice" for ask in asks)
        and len({parent(ask.field) for ask in asks}) == 1
        and prod(len(ask.options) for ask in asks) <= MERGED
    )


def parent(field: str) -> str:
    """
    >>> parent("cards/0/main"), parent("bonus")
    ('cards/0', '')
    """
    return field.rpartition("/")[0]


def at(raw: Any, path: str) -> object:
    """What lies at a path of parsed JSON, or None."""
    for key in path.split("/"):
        try:
            raw = raw[int(key)] if isinstance(raw, list | tuple) else raw[key]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    found: object = raw
    return found


def told(asks: tuple[Ask, ...], answers: Mapping[str, object], t: Translate) -> str:
    """Answers in a few words: numbers with their labels, a yes by its label, a no by nothing."""
    parts = [_told(ask, answers[ask.field], t) for ask in asks]
    return _SEPARATOR.join(part for part in parts if part) or t("none")


def _told(ask: Ask, value: object, t: Translate) -> str:
    if isinstance(value, bool):
        return t(ask.label) if value else ""
    if ask.kind == "number":
        return f"{t(ask.label)} {value}"
    if isinstance(value, list | tuple):
        return ", ".join(option_label(ask, one, t) for one in value)
    return option_label(ask, value, t)


def option_label(ask: Ask, value: object, t: Translate) -> str:
    """The words of a value."""
    found = next((option.label for option in ask.options if option.value == value), None)
    if found is not None:
        return t(found)
    return str(value.get("name", "") or value) if isinstance(value, dict) else str(value)


# The kinds


class GridStep(Step):
    """Choices, or all combinations of a few, as buttons."""

    def view(self, offer: Offer) -> StepView:
        label = ", ".join(self._t(ask.label) for ask in self.asks)
        return StepView(
            kind="grid",
            label=label,
            buttons=tuple(self._buttons(offer)),
            columns=len(self.asks[-1].options) if len(self.asks) > 1 else 0,
        )

    def _buttons(self, offer: Offer) -> Iterator[Button]:
        for options in product(*(ask.options for ask in self.asks)):
            answers = {ask.field: option.value for ask, option in zip(self.asks, options, strict=True)}
            label = self._t(options[0].label) if len(options) == 1 else told(self.asks, answers, self._t)
            values = tuple(option.value for option in options)
            value = values[0] if len(values) == 1 else values
            yield Button(id=offer(self._answer(answers)), label=label, value=value)

    def _answer(self, answers: Answers) -> Callback:
        return lambda: self._done(answers)


class NumberStep(Step):
    """A number, one touch each while they are few."""

    def __init__(self, ask: Ask, done: Done, t: Translate, stand_in: object) -> None:
        super().__init__((ask,), done, t)
        self._usual = stand_in

    def view(self, offer: Offer) -> StepView:
        ask = self._ask
        buttons = tuple(
            Button(id=offer(self._answer(number)), label=str(number), value=number, chosen=number == self._usual)
            for number in range(ask.low, ask.high + 1)
        )
        return StepView(kind="number", label=self._t(ask.label), buttons=buttons, low=ask.low, high=ask.high)

    def _answer(self, number: int) -> Callback:
        return lambda: self._done({self._ask.field: number})


class PadStep(Step):
    """A number typed digit by digit; it goes on by itself when no further digit fits."""

    def __init__(self, ask: Ask, done: Done, t: Translate, stand_in: object) -> None:
        super().__init__((ask,), done, t)
        self._usual = stand_in if isinstance(stand_in, int) and ask.low <= stand_in <= ask.high else ask.low
        self._typed = ""

    def view(self, offer: Offer) -> StepView:
        digits = tuple(
            Button(id=offer(self._digit(digit)), label=str(digit), value=digit)
            for digit in range(10)
            if int(f"{self._typed}{digit}") <= self._ask.high
        )
        return StepView(
            kind="pad",
            label=self._t(self._ask.label),
            buttons=digits,
            typed=self._typed or str(self._usual),
            low=self._ask.low,
            high=self._ask.high,
            done=offer(self._finish) if self._value >= self._ask.low else "",
            erase=offer(self._erase) if self._typed else "",
        )

    @property
    def _value(self) -> int:
        return int(self._typed) if self._typed else self._usual

    def _digit(self, digit: int) -> Callback:
        def does() -> None:
            self._typed = str(int(f"{self._typed}{digit}"))
            if self._value * 10 > self._ask.high and self._value >= self._ask.low:
                self._finish()

        return does

    def _erase(self) -> None:
        self._typed = self._typed[:-1]

    def _finish(self) -> None:
        value, self._typed = self._value, ""
        self._done({self._ask.field: value})

    def type(self, text: str) -> None:
        """A number from a keyboard."""
        if text.isdecimal() and int(text) <= self._ask.high:
            self._typed = str(int(text))


class CountsStep(Step):
    """Several numbers side by side, proposed already: what differs is counted up or down."""

    def __init__(self, asks: tuple[Ask, ...], done: Done, t: Translate, proposed: Mapping[str, int]) -> None:
        super().__init__(asks, done, t)
        self._proposed = self._counts = dict(proposed)

    def view(self, offer: Offer) -> StepView:
        return StepView(
            kind="counts",
            label=self._t("How many of each"),
            chips=tuple(self._chip(offer, ask) for ask in self.asks),
            done=offer(self._finish),
        )

    def _chip(self, offer: Offer, ask: Ask) -> FieldChip:
        value = self._counts[ask.field]
        return FieldChip(
            field=ask.field,
            label=self._t(ask.label),
            value=value,
            plus=offer(self._set(ask, value + 1)) if value < ask.high else "",
            minus=offer(self._set(ask, value - 1)) if value > ask.low else "",
        )

    def _set(self, ask: Ask, value: int) -> Callback:
        return lambda: self._counts.__setitem__(ask.field, value)

    def _finish(self) -> None:
        counts, self._counts = self._counts, dict(self._proposed)
        self._done(dict(counts))


class ListStep(Step):
    """Several of some options, tapped one after the other; a tap on one taken puts it back."""

    def __init__(self, ask: Ask, done: Done, t: Translate) -> None:
        super().__init__((ask,), done, t)
        self._picked: list[Option] = []

    def view(self, offer: Offer) -> StepView:
        ask = self._ask
        return StepView(
            kind="list",
            label=self._t(ask.label),
            buttons=tuple(
                Button(id=offer(self._add(option)), label=self._t(option.label), value=option.value)
                for option in ask.options
            ),
            picked=tuple(
                Button(id=offer(self._drop(place)), label=self._t(option.label), value=option.value)
                for place, option in enumerate(self._picked)
            ),
            low=ask.low,
            high=ask.high,
            done=offer(self._finish) if len(self._picked) >= ask.low else "",
        )

    def _add(self, option: Option) -> Callback:
        def does() -> None:
            self._picked.append(option)
            if len(self._picked) == self._ask.high:
                self._finish()

        return does

    def _drop(self, place: int) -> Callback:
        return lambda: self._picked.__delitem__(place)

    def _finish(self) -> None:
        picked, self._picked = self._picked, []
        self._done({self._ask.field: [option.value for option in picked]})


class TextStep(Step):
    """Words; none are words too."""

    def __init__(self, ask: Ask, done: Done, t: Translate, stand_in: object) -> None:
        super().__init__((ask,), done, t)
        self._text = stand_in if isinstance(stand_in, str) else ""

    def view(self, offer: Offer) -> StepView:
        return StepView(kind="text", label=self._t(self._ask.label), typed=self._text, done=offer(self._finish))

    def type(self, text: str) -> None:
        self._text = text

    def _finish(self) -> None:
        self._done({self._ask.field: self._text.strip()})
