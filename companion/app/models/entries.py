"""Learning the box: a card is found again by a letter, by its values or because it was seen lately, or told anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from companion.app.models.layouts import (
    Layout,
    Part,
    can_be_named,
    columns,
    combinations,
    default,
    field_of,
    layout_of,
    named,
    whole,
)
from companion.app.models.model import Callback, Translate
from companion.app.models.steps import Answers, Button, Done, EntryView, FieldChip, Offer, Section, Step, StepView
from companion.rules.box import Box, Entry
from companion.rules.table import Ask

_SHOWN = 100


class EntryStep(Step):
    """A thing of the box. Known ones that fit what was told so far are one touch away."""

    def __init__(self, ask: Ask, done: Done, t: Translate, *, game: str, known: dict[str, Entry]) -> None:
        super().__init__((ask,), done, t)
        self._known = known
        self._layout: Layout = layout_of(game, ask)
        self._told: Answers = {}
        self._letters = ""
        self._name = ""
        self._naming = False

    # What is shown

    def view(self, offer: Offer) -> StepView:
        found = matching(self._known, self._letters, self._told, self._ask)
        entry = EntryView(
            known=tuple(self._button(offer, name) for name in found[:_SHOWN]),
            more=max(0, len(found) - _SHOWN),
            letters=self._letters,
            sections=tuple(self._sections(offer)),
            chips=tuple(self._chips(offer)),
            name=self._name or (named(self._ask, self._layout, self._told) if self._told else ""),
            naming=self._naming,
            toggle_naming=offer(self._toggle) if can_be_named(self._ask) else "",
        )
        return StepView(kind="entry", label=self._t(self._ask.label), entry=entry, done=offer(self._finish))

    def _button(self, offer: Offer, name: str) -> Button:
        entry = self._known[name]
        value = value_of(self._ask, name, entry)
        return Button(
            id=offer(lambda: self._done({self._ask.field: value})), label=self._t(shown_name(name, entry)), value=value
        )

    def _sections(self, offer: Offer) -> Iterator[Section]:
        parts = self._layout.parts
        now = next((part for part in parts if not any(field in self._told for field in part.fields)), None)
        for part in parts:
            yield Section(
                label=", ".join(self._t(self._word(field)) for field in part.fields),
                fields=part.fields,
                buttons=tuple(self._fill_button(offer, part, values) for values in combinations(self._ask, part)),
                columns=columns(self._ask, part),
                now=part is now,
                closes=part.closes,
            )

    def _fill_button(self, offer: Offer, part: Part, values: Answers) -> Button:
        chosen = all(self._has(field, value) for field, value in values.items())
        label = " · ".join(self._t(word) for word in self._words(values)) or self._t("none")
        return Button(id=offer(self._fill(part, values)), label=label, value=values, chosen=chosen)

    def _has(self, field: str, value: object) -> bool:
        told = self._told.get(field)
        return value in told if isinstance(told, list) else told == value

    def _words(self, values: Answers) -> Iterator[str]:
        for field in self._ask.fields:
            value = values.get(field.field, default(field))
            if value != default(field):
                word = self._word(field.field)
                yield str(value) if isinstance(value, str) else word if value in (1, True) else f"{word} {value}"

    def _word(self, field: str) -> str:
        label = next(ask.label for ask in self._ask.fields if ask.field == field)
        return self._layout.names.get(field, label)

    def _chips(self, offer: Offer) -> Iterator[FieldChip]:
        for field in self._ask.fields:
            if field.kind == "number":
                value = self._told.get(field.field, default(field))
                assert isinstance(value, int)
                yield FieldChip(
                    field=field.field,
                    label=self._t(self._word(field.field)),
                    value=value,
                    plus=offer(self._nudge(field, value + 1)) if value < field.high else "",
                    minus=offer(self._nudge(field, value - 1)) if value > field.low else "",
                )

    # What is told

    def _fill(self, part: Part, values: Answers) -> Callback:
        def does() -> None:
            for field, value in values.items():
                self._told[field] = self._toggled(field, value) if self._is_list(field) else value
            if part.closes:
                self._finish()

        return does

    def _is_list(self, field: str) -> bool:
        return field_of(self._ask, field).kind == "list"

    def _toggled(self, field: str, value: object) -> list[object]:
        """A list with one thing more, or without it if it was there."""
        told = self._told.get(field)
        before = told if isinstance(told, list) else []
        return [one for one in before if one != value] if value in before else [*before, value]

    def _nudge(self, field: Ask, value: int) -> Callback:
        return lambda: self._told.__setitem__(field.field, value)

    def _toggle(self) -> None:
        self._naming = not self._naming

    def type(self, text: str) -> None:
        """Letters to search for, or the name of a new thing while naming."""
        if self._naming:
            self._name = text
        else:
            self._letters = text

    def _finish(self) -> None:
        self._done({self._ask.field: whole(self._ask, self._layout, self._told, self._name)})


def value_of(ask: Ask, name: str, entry: Entry) -> object:
    """A known entry as the asked field takes it: only what the field asks for."""
    if ask.part:
        return entry.get(ask.part)
    asked = [part.field for part in ask.fields]
    return {key: value for key, value in {"name": name, **entry}.items() if key in asked}


def matching(known: dict[str, Entry], letters: str, told: Answers, ask: Ask) -> list[str]:
    """The known entries that fit the letters and the values told so far; those that begin so come first."""
    wanted = letters.strip().casefold()
    called = {name: shown_name(name, entry).casefold() for name, entry in known.items()}
    fits = [name for name, entry in known.items() if wanted in called[name] and _fits(entry, told, ask)]
    return sorted(fits, key=lambda name: not called[name].startswith(wanted)) if wanted else fits


def shown_name(key: str, entry: Entry) -> str:
    """What a known thing is called: its name where it has one, its key otherwise."""
    name = entry.get("name")
    return name if isinstance(name, str) and name else key


def _fits(entry: Entry, told: Answers, ask: Ask) -> bool:
    part = entry.get(ask.part) if ask.part else None
    values = part if isinstance(part, dict) else entry
    defaults = {field.field: default(field) for field in ask.fields}
    return all(values.get(field, defaults[field]) == value for field, value in told.items())


def known_entries(box: Box, ask: Ask, state: Any, recent: Iterable[str]) -> dict[str, Entry]:
    """What is known of a table: seen lately first, then the rest; what lies on the table already comes last."""
    entries = box[ask.table]
    order = dict.fromkeys((*(name for name in recent if name in entries), *entries))
    seen = frozenset(_words(msgspec.to_builtins(state)))
    return {name: entries[name] for name in sorted(order, key=lambda name: name in seen)}


def _words(value: Any) -> Iterator[str]:
    """Every word of a state."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _words(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _words(part)
