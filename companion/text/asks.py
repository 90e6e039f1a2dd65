"""What the table must still say before a choice is whole, asked one thing at a time."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

import msgspec
from msgspec import Struct

from companion.errors import Malformed
from companion.rules.base import Action, Game
from companion.rules.box import Box, Entry
from companion.rules.table import Ask, Choice, Option
from companion.text.paper import Paper

BACK, DRAW, NEW = "b", "d", "new"
_ASIDES = {BACK: BACK, "back": BACK, DRAW: DRAW, "draw": DRAW}
_SHOWN_ENTRIES = 12
_NUMBER = re.compile(r"-?\d{1,9}")


class Aside(Enum):
    """An answer that is no answer: leave the choice, or let the companion draw for it."""

    BACK = BACK
    DRAW = DRAW


class Questions(Struct, frozen=True, kw_only=True):
    """Asks for what a choice lacks. `box` is what is known of this table's box."""

    paper: Paper
    game: Game[Any]
    box: Box

    def whole(self, choice: Choice) -> Action | Aside:
        """The action of a choice with everything answered."""
        stand_ins = msgspec.to_builtins(choice.action)
        answers: dict[str, object] = {}
        for ask in choice.asks:
            answer = self._answer(ask, _at(stand_ins, ask.field))
            if isinstance(answer, Aside):
                return answer
            answers[ask.field] = answer
        return self.game.answered(choice, answers)

    def _answer(self, ask: Ask, stand_in: object = None) -> object:
        """Ask until the answer is one."""
        if ask.kind == "entry":
            return self._entry(ask)
        default = _default(ask, stand_in)
        self._list(option.label for option in ask.options)
        while True:
            text = self.paper.ask(_question(ask, default))
            if (ask.kind != "text" or ask.table) and text in _ASIDES:
                return Aside(_ASIDES[text])
            if not text and default is not None:
                return default
            try:
                return _READERS[ask.kind](ask, text)
            except Malformed as error:
                self.paper.say(str(error), style="bad")

    def _entry(self, ask: Ask) -> object:
        """A thing of the box: found by a few letters, picked by its number, or entered as a new one."""
        known = self.box[ask.table]
        listed = list(known)[:_SHOWN_ENTRIES]
        self.paper.say(_entry_help(ask, len(known)), style="dim")
        self._list(listed)
        while True:
            text = self.paper.ask(f"{ask.label} >")
            if text in _ASIDES:
                return Aside(_ASIDES[text])
            try:
                if text == NEW:
                    return self._new(ask)
                if "=" in text:
                    return _checked(ask, assignments(text))
                found = _found(text, known, listed)
            except Malformed as error:
                self.paper.say(str(error), style="bad")
                continue
            if len(found) == 1:
                return entry_value(ask, found[0], known[found[0]])
            listed = found[:_SHOWN_ENTRIES]
            self._list(listed)
            self.paper.say(_too_many(found) if found else f"Nothing known is called '{text}'. {_new_help(ask)}")

    def _new(self, ask: Ask) -> object:
        """A new thing of the box, field by field."""
        values: dict[str, object] = {}
        for field in ask.fields:
            answer = self._answer(field)
            if isinstance(answer, Aside):
                return answer
            values[field.field] = answer
        return values

    def _list(self, labels: Iterable[str]) -> None:
        for number, label in enumerate(labels, start=1):
            self.paper.say(f"    {number:>2} {label}")


def entry_value(ask: Ask, name: str, entry: Entry) -> object:
    """A known entry as the asked field takes it: only what the field asks for."""
    if ask.part:
        return entry.get(ask.part)
    asked = [part.field for part in ask.fields]
    return {key: value for key, value in {"name": name, **entry}.items() if key in asked}


def _checked(ask: Ask, values: dict[str, Any]) -> dict[str, Any]:
    unknown = [key for key in values if key not in {field.field for field in ask.fields}]
    if unknown:
        raise Malformed(f"There is no '{unknown[0]}' here. {_new_help(ask)}")
    return values


def _entry_help(ask: Ask, known: int) -> str:
    how = f"{known} known: type a number or a few letters." if known else "None known yet."
    return f"{how} {_new_help(ask)}"


def _new_help(ask: Ask) -> str:
    fields = " ".join(f"{field.field}=..." for field in ask.fields)
    how = f"'{NEW}' enters one step by step, '{DRAW}' lets the companion draw, '{BACK}' goes back."
    return f"{how} In one line: {fields}"


def _at(raw: Any, path: str) -> object:
    """What lies at a path, or None."""
    for key in path.split("/"):
        try:
            raw = raw[int(key)] if isinstance(raw, list) else raw[key]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    found: object = raw
    return found


def assignments(text: str) -> dict[str, Any]:
    """
    >>> assignments("name='Great Hall' comfort=2 upper=true")
    {'name': 'Great Hall', 'comfort': 2, 'upper': True}
    """
    try:
        pairs = [word.partition("=") for word in shlex.split(text)]
    except ValueError as error:
        raise Malformed("A quotation mark is missing its partner.") from error
    if not all(key and equals for key, equals, _ in pairs):
        raise Malformed("Enter values as field=value, with quotation marks around words that belong together.")
    return {key: value_of(text) for key, _, text in pairs}


def value_of(text: str) -> Any:
    """A value as people type it: JSON where it is JSON, words otherwise."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return text


def typed_number(text: str) -> int | None:
    """A number as people type it, or None. What is too long for any table is none.

    >>> typed_number("12"), typed_number("--5"), typed_number("9" * 5000)
    (12, None, None)
    """
    return int(text) if _NUMBER.fullmatch(text) else None


def listed_at(text: str, count: int) -> int | None:
    """The place of the one meant in a list counted from 1, or None when the text is no number on it."""
    number = typed_number(text)
    return None if number is None or not 0 < number <= count else number - 1


def _found(text: str, known: dict[str, Entry], listed: list[str]) -> list[str]:
    if (place := listed_at(text, len(listed))) is not None:
        return [listed[place]]
    if not text:
        raise Malformed("Type its number, a few letters of its name, or what it is.")
    wanted = text.casefold()
    exact = [name for name in known if name.casefold() == wanted]
    starts = [name for name in known if name.casefold().startswith(wanted)]
    return exact or (starts if len(starts) == 1 else [name for name in known if wanted in name.casefold()])


def _too_many(found: list[str]) -> str:
    return f"{len(found)} are called something like that: type its number, or more letters."


def _default(ask: Ask, stand_in: object) -> object | None:
    """What Enter means: the stand-in where it is an answer, else the least that is.

    What comes out of the box has to be said: a careless Enter would be remembered as true.
    """
    if ask.table:
        return None
    if ask.kind == "choice":
        values = [option.value for option in ask.options]
        return stand_in if stand_in in values else values[0] if values else None
    if ask.kind == "number":
        return stand_in if isinstance(stand_in, int) and ask.low <= stand_in <= ask.high else ask.low
    if ask.kind == "list":
        return [] if ask.low == 0 else None
    return stand_in if isinstance(stand_in, str) else ""


def _question(ask: Ask, default: object) -> str:
    shown = _label(ask, default) if default not in (None, "", []) else ""
    return f"{ask.label}{_how(ask)}{f' [{shown}]' if shown else ''} >"


def _how(ask: Ask) -> str:
    """What an answer looks like, where that needs saying."""
    if ask.kind == "number":
        return f" ({ask.low} to {ask.high})"
    return f" ({_how_many(ask)}, with spaces between)" if ask.kind == "list" else ""


def _how_many(ask: Ask) -> str:
    return f"{ask.low} of them" if ask.low == ask.high else f"{ask.low} to {ask.high} of them"


def _label(ask: Ask, value: object) -> str:
    return next((option.label for option in ask.options if option.value == value), str(value))


def _read_number(ask: Ask, text: str) -> object:
    number = typed_number(text)
    if number is None or not ask.low <= number <= ask.high:
        raise Malformed(f"A number from {ask.low} to {ask.high}, please.")
    return number


def _read_choice(ask: Ask, text: str) -> object:
    return pick(ask.options, text).value


def _read_list(ask: Ask, text: str) -> object:
    values = [pick(ask.options, word).value for word in text.replace(",", " ").split()]
    if not ask.low <= len(values) <= ask.high:
        raise Malformed(f"Name {_how_many(ask)}, with spaces between; the same one may come more than once.")
    return values


def _read_text(ask: Ask, text: str) -> object:
    if ask.table and not text:
        raise Malformed(f"Type it, or '{DRAW}' to let the companion draw.")
    return text


_READERS: dict[str, Callable[[Ask, str], object]] = {
    "number": _read_number,
    "choice": _read_choice,
    "list": _read_list,
    "text": _read_text,
}


def pick(options: tuple[Option, ...], text: str) -> Option:
    """The option with a number, or the only one that begins with these letters."""
    if (place := listed_at(text, len(options))) is not None:
        return options[place]
    found = [option for option in options if text and option.label.casefold().startswith(text.casefold())]
    exact = [option for option in found if option.label.casefold() == text.casefold()] or found
    if len(exact) != 1:
        raise Malformed(f"A number from 1 to {len(options)} or the beginning of one of these, please.")
    return exact[0]
